/* SPDX-License-Identifier: MIT */
/* Curves over the steps of several trainings, as one SVG for light and dark pages. */
#ifndef NNR_CURVES_H
#define NNR_CURVES_H

#include <stdint.h>
#include <stdio.h>

typedef struct Curve {
	double *x, *y; /* y may be NaN: there the curve has a gap */
	int count, room;
} Curve;

typedef struct Panel {
	const char *title, *across; /* "eval_loss"; what x is: "step" */
	const Curve *const *curves; /* by series; NULL: this one has none here */
	double mark;                /* a place of x that is marked; NaN: none */
	int logarithmic_x, logarithmic_y;
} Panel;

void curve_add(Curve *c, double x, double y);
void curve_free(Curve *c);
/* Text as it reads, whatever is in it, for SVG and HTML. */
void svg_put_text(FILE *to, const char *text);
/* An SVG as the source of an image. */
void svg_put_source(FILE *to, const char *svg);
enum { CURVES_WIDTH = 760 }; /* of a picture that stands alone */

/* Panels below each other, `width` units wide, of which a line of text is 12 high; series in the same colours in each,
 * whose names stand on top. */
void curves_draw(FILE *to, const Panel *panels, int panel_count, const char *const *series, int series_count,
                 int width);

#endif
