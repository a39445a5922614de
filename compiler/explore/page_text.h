/* SPDX-License-Identifier: MIT */
/* The page's style and script, made of page.css and page.js by embed.awk. */
#ifndef NNC_PAGE_TEXT_H
#define NNC_PAGE_TEXT_H

extern const char explore_page_css[], explore_page_js[];

#endif
