/* SPDX-License-Identifier: MIT */
/* The page of nnc --explore, into which `EXE profile --into PAGE.html` puts its figures: between these two lines. */
#ifndef NNR_EXPLORE_PAGE_H
#define NNR_EXPLORE_PAGE_H

#define NNR_EXPLORE_BEGIN "<!-- the profile -->"
#define NNR_EXPLORE_END   "<!-- end of the profile -->"

/* How the page says of which program it is: NnrModel.program in JSON. */
#define NNR_EXPLORE_PROGRAM "\"program\":"

#endif
