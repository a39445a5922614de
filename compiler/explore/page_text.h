/* SPDX-License-Identifier: MIT */
/* The page's style and scripts, made of page.css and of *.js by embed.awk. */
#ifndef NNC_PAGE_TEXT_H
#define NNC_PAGE_TEXT_H

extern const char explore_page_css[], explore_page_js[], explore_views_js[], explore_compare_js[];

#endif
