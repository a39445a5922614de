/* SPDX-License-Identifier: MIT */
/* Pieces of a page that is one file: no script, no request, light and dark by what the reader prefers. Private to
 * report.c and its parts. */
#ifndef NNC_PAGE_H
#define NNC_PAGE_H

#include "base/writer.h"

/* Text as it reads, whatever is in it: for elements and for attributes in double quotes. */
char *page_text(Arena *a, const char *s);

/* `style`: further rules; "": none. */
void page_begin(Writer *w, Arena *a, const char *title, const char *style);
void page_end(Writer *w);
/* A heading and a sentence of text below it; `text` is not escaped. */
void page_section(Writer *w, Arena *a, const char *title, const char *text);

typedef struct Point {
	double x, y;
} Point;

/* A line of a chart; its colour is by its place, or `color` from 1. */
typedef struct Series {
	const char *name;
	const Point *at; /* those with a NaN are left out */
	int count;
	int color;
	bool thin, dots; /* drawn faintly; as points alone */
} Series;

typedef struct Chart {
	const char *title, *x, *y; /* of the chart and its axes */
	bool log_x, log_y;
	Series series[4];
	int count;
} Chart;

/* Draws it where any series has a point. */
void page_chart(Writer *w, Arena *a, const Chart *c);

#endif
