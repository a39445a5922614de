/* SPDX-License-Identifier: MIT */
#include "runtime/report/curves.h"
#include "base/ticks.h"
#include "runtime/host/die.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT = 76, RIGHT = 16, HEIGHT = 250, TOP = 30, BOTTOM = 44, TICKS = 6, COLOURS = 8, MOST_DOTS = 50 };

/* For light and for dark ground: Okabe and Ito's, which the colour-blind can tell apart, and the same made lighter. */
static const char *const colours[COLOURS][2] = {
        {"#0072b2", "#56b4e9"}, {"#d55e00", "#ff9e57"}, {"#009e73", "#4fd6ae"}, {"#a8488a", "#e59bcb"},
        {"#8a6d00", "#f0e442"}, {"#3b5bdb", "#91a7ff"}, {"#555555", "#bbbbbb"}, {"#c2255c", "#faa2c1"}};

void curve_add(Curve *c, double x, double y)
{
	if (c->count == c->room) {
		c->room = 2 * c->room + 64;
		c->x = reallocate(c->x, c->room, sizeof *c->x, "a curve");
		c->y = reallocate(c->y, c->room, sizeof *c->y, "a curve");
	}
	c->x[c->count] = x;
	c->y[c->count++] = y;
}

void curve_free(Curve *c)
{
	free(c->x);
	free(c->y);
	*c = (Curve){0};
}

void svg_put_text(FILE *to, const char *text)
{
	char shown[SHOWN_BYTES];
	while (*text) {
		bool tab = *text == '\t';
		text = text_shown(text, shown);
		if (strchr("<>&\"", *shown))
			fprintf(to, "&#%d;", *shown);
		else
			fputs(tab ? " " : shown, to);
	}
}

void svg_put_source(FILE *to, const char *svg)
{
	fputs("data:image/svg+xml,", to);
	for (; *svg; svg++) {
		unsigned char c = (unsigned char)*svg;
		if (c < ' ' || c > '~' || strchr("\"#%&<>?`{}'", c))
			fprintf(to, "%%%02X", c);
		else
			fputc(c, to);
	}
}

/* An axis: values between `low` and `high`, their logarithms where it is logarithmic. */
typedef struct Axis {
	double low, high;
	int logarithmic;
} Axis;

static double on_axis(const Axis *a, double value)
{
	double v = a->logarithmic ? log10(value) : value;
	return (v - a->low) / (a->high - a->low);
}

static int can_stand(const Axis *a, double value)
{
	return isfinite(value) && (!a->logarithmic || value > 0);
}

static void widen(Axis *a, double value)
{
	if (!can_stand(a, value))
		return;
	double v = a->logarithmic ? log10(value) : value;
	a->low = fmin(a->low, v);
	a->high = fmax(a->high, v);
}

static void settle(Axis *a)
{
	if (!(a->low <= a->high))
		*a = (Axis){0, 1, a->logarithmic};
	double size = a->logarithmic ? 1 : fabs(a->high);
	if (a->high - a->low <= 1e-9 * size) {
		a->low -= size > 0 ? size / 2 : 0;
		a->high += size > 0 ? size / 2 : 1;
	}
}

static void draw_tick(FILE *to, int width, const Axis *a, bool vertical, double top, double value)
{
	const double plot_w = width - LEFT - RIGHT, plot_h = HEIGHT - TOP - BOTTOM;
	double part = on_axis(a, value), px = LEFT + plot_w * part, py = top + TOP + plot_h * (1 - part);
	char label[TICK_BYTES];
	tick_label(label, value);
	if (vertical)
		fprintf(to,
		        "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" "
		        "text-anchor=\"end\">%s</text>\n",
		        LEFT, py, width - RIGHT, LEFT - 6, py + 4, label);
	else
		fprintf(to,
		        "<path class=\"grid\" d=\"M%.1f %.1fv%.1f\"/><text x=\"%.1f\" y=\"%.1f\" "
		        "text-anchor=\"middle\">%s</text>\n",
		        px, top + TOP, plot_h, px, top + TOP + plot_h + 15, label);
}

/* At round values: in even steps, but on a logarithmic axis of more than a decade at 1, 2 and 5 of each, or at whole
 * decades where these are many. */
static void draw_ticks(FILE *to, int width, const Axis *a, bool vertical, double top)
{
	double decades = a->high - a->low;
	if (!a->logarithmic || decades <= 1) {
		double low = a->logarithmic ? pow(10, a->low) : a->low,
		       high = a->logarithmic ? pow(10, a->high) : a->high,
		       step = tick_step(high - low, TICKS);
		for (double k = ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++)
			draw_tick(to, width, a, vertical, top, k * step);
		return;
	}
	static const double digits[] = {1, 2, 5};
	int each = decades <= 3 ? 3 : 1, stride = decades > TICKS ? (int)ceil(decades / TICKS) : 1;
	for (double power = floor(a->low); power <= a->high + 1e-9; power += stride)
		for (int i = 0; i < each; i++) {
			double value = digits[i] * pow(10, power), part = on_axis(a, value);
			if (part >= -1e-9 && part <= 1 + 1e-9)
				draw_tick(to, width, a, vertical, top, value);
		}
}

static void draw_axes(FILE *to, int width, const Panel *p, const Axis *x, const Axis *y, double top)
{
	draw_ticks(to, width, x, false, top);
	draw_ticks(to, width, y, true, top);
	fprintf(to, "<text class=\"title\" x=\"%d\" y=\"%.1f\">", LEFT, top + TOP - 10);
	svg_put_text(to, p->title);
	fprintf(to, "</text><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", width - RIGHT,
	        top + HEIGHT - BOTTOM + 31);
	svg_put_text(to, p->across);
	fprintf(to, "</text>\n");
}

/* A dot at each point, where they are few; of many, at those that no line reaches. */
static void draw_dots(FILE *to, int width, const Curve *c, int color, const Axis *x, const Axis *y,
                      double top)
{
	const double plot_w = width - LEFT - RIGHT, plot_h = HEIGHT - TOP - BOTTOM;
	bool before = false;
	for (int i = 0; i < c->count; i++) {
		bool there = can_stand(x, c->x[i]) && can_stand(y, c->y[i]),
		     after = i + 1 < c->count && can_stand(x, c->x[i + 1]) && can_stand(y, c->y[i + 1]);
		if (there && (c->count <= MOST_DOTS || (!before && !after)))
			fprintf(to, "<circle class=\"d%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>\n", color,
			        LEFT + plot_w * on_axis(x, c->x[i]),
			        top + TOP + plot_h * (1 - on_axis(y, c->y[i])));
		before = there;
	}
}

static void draw_panel(FILE *to, int width, const Panel *p, int series_count, double top)
{
	const double plot_w = width - LEFT - RIGHT, plot_h = HEIGHT - TOP - BOTTOM;
	Axis x = {INFINITY, -INFINITY, p->logarithmic_x}, y = {INFINITY, -INFINITY, p->logarithmic_y};
	for (int s = 0; s < series_count; s++)
		for (int i = 0; p->curves[s] && i < p->curves[s]->count; i++)
			if (can_stand(&x, p->curves[s]->x[i]) && can_stand(&y, p->curves[s]->y[i])) {
				widen(&x, p->curves[s]->x[i]);
				widen(&y, p->curves[s]->y[i]);
			}
	settle(&x);
	settle(&y);
	draw_axes(to, width, p, &x, &y, top);
	for (int s = 0; s < series_count; s++) {
		const char *move = "M";
		if (!p->curves[s])
			continue;
		fprintf(to, "<path class=\"c%d\" d=\"", s % COLOURS);
		for (int i = 0; i < p->curves[s]->count; i++) {
			double vx = p->curves[s]->x[i], vy = p->curves[s]->y[i];
			bool there = can_stand(&x, vx) && can_stand(&y, vy);
			if (there)
				fprintf(to, "%s%.1f %.1f", move, LEFT + plot_w * on_axis(&x, vx),
				        top + TOP + plot_h * (1 - on_axis(&y, vy)));
			move = there ? "L" : "M";
		}
		fprintf(to, "\"/>\n");
		draw_dots(to, width, p->curves[s], s % COLOURS, &x, &y, top);
	}
	if (can_stand(&x, p->mark))
		fprintf(to, "<path class=\"mark\" d=\"M%.1f %.1fv%.1f\"/>\n",
		        LEFT + plot_w * on_axis(&x, p->mark), top + TOP, plot_h);
}

static void draw_style(FILE *to)
{
	static const char *const ground[] = {"#ffffff", "#16181c"}, *const ink[] = {"#1b1f24", "#e6e6e6"},
	                         *const grid[] = {"#e3e6ea", "#30353c"};
	fprintf(to, "<style>\n");
	for (int dark = 0; dark < 2; dark++) {
		fprintf(to,
		        "%ssvg{background:%s}text{fill:%s;font:12px sans-serif}.title{font-weight:bold}"
		        ".grid{stroke:%s}path{fill:none;stroke-width:1.6}.grid{stroke-width:1}"
		        ".mark{stroke:%s;stroke-dasharray:4 4}",
		        dark ? "@media (prefers-color-scheme:dark){" : "", ground[dark], ink[dark],
		        grid[dark], ink[dark]);
		for (int i = 0; i < COLOURS; i++)
			fprintf(to, ".c%d{stroke:%s}.d%d{fill:%s}", i, colours[i][dark], i, colours[i][dark]);
		fprintf(to, dark ? "}\n" : "\n");
	}
	fprintf(to, "</style>\n");
}

void curves_draw(FILE *to, const Panel *panels, int panel_count, const char *const *series, int series_count,
                 int width)
{
	const int legend = series_count > 1 ? 18 * ((series_count + 2) / 3) + 12 : 0;
	fprintf(to,
	        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
	        "height=\"%d\">\n",
	        width, legend + HEIGHT * panel_count, width, legend + HEIGHT * panel_count);
	draw_style(to);
	for (int s = 0; legend && s < series_count; s++) {
		int x = LEFT + (s % 3) * (width - LEFT) / 3, y = 18 + 18 * (s / 3);
		fprintf(to, "<path class=\"c%d\" d=\"M%d %dh18\"/><text x=\"%d\" y=\"%d\">", s % COLOURS, x,
		        y - 4, x + 24, y);
		svg_put_text(to, series[s]);
		fprintf(to, "</text>\n");
	}
	for (int p = 0; p < panel_count; p++)
		draw_panel(to, width, &panels[p], series_count, legend + p * HEIGHT);
	fprintf(to, "</svg>\n");
}
