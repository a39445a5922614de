/* SPDX-License-Identifier: MIT */
/* The page that nnc makes of a network (--emit=html), in its trainer. nnc compiles it as a file of its own beside the
 * generated code, so a trainer that was made of that code by hand has none. */
#ifndef NNR_REPORT_PAGE_H
#define NNR_REPORT_PAGE_H

/* Where the page has what a training left. */
#define NNR_PAGE_MARK "<!-- the training -->"

extern const char nnr_page[] __attribute__((weak)); /* NULL: there is none */

#endif
