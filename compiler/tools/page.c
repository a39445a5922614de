/* SPDX-License-Identifier: MIT */
#include "tools/page.h"
#include "base/ticks.h"
#include "base/utf8.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

char *page_text(Arena *a, const char *s)
{
	static const char *const names[] = {
	        ['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;", ['"'] = "&quot;"};
	char *text = arena_alloc(a, 6 * strlen(s) + 1), *out = text;
	while (*s) {
		uint32_t code = 0;
		int bytes = utf8_decode(s, UTF8_MOST, &code);
		const char *name = bytes == 1 && code < sizeof names / sizeof *names ? names[code] : NULL;
		if (name)
			out = stpcpy(out, name);
		else if (code == '\t' || code == '\n')
			*out++ = ' ';
		else if (bytes == 0 || utf8_is_hidden(code))
			out += sprintf(out, "\\x%02X", (unsigned char)*s);
		else
			out = mempcpy(out, s, (size_t)bytes);
		s += name || bytes == 0 || utf8_is_hidden(code) ? 1 : bytes;
	}
	*out = 0;
	return text;
}

static const char own_style[] =
        ":root{color-scheme:light dark;--bg:#fff;--fg:#1b1d22;--mute:#5d6470;--line:#d9dce3;--card:#f5f6f9;"
        "--c1:#1f62c4;--c2:#c4570f;--c3:#22804a;--c4:#8046ad;--c5:#868c98}\n"
        "@media(prefers-color-scheme:dark){:root{--bg:#15171b;--fg:#e5e7ec;--mute:#9aa1ad;--line:#363b45;"
        "--card:#1d2026;--c1:#6ea4f2;--c2:#f0955a;--c3:#62c48a;--c4:#c194ea;--c5:#8b919d}}\n"
        "*{box-sizing:border-box}body{margin:0 auto;max-width:62rem;padding:1rem;background:var(--bg);"
        "color:var(--fg);font:16px/1.5 system-ui,sans-serif}\n"
        "h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.15rem;margin:2.2rem 0 .3rem;"
        "border-bottom:1px solid var(--line)}h3{font-size:.95rem;margin:1rem 0 0}\n"
        "p{margin:.3rem 0;color:var(--mute)}code,pre{font:13px/1.45 ui-monospace,monospace}\n"
        "pre{overflow-x:auto;white-space:pre-wrap;background:var(--card);padding:.6rem;border-radius:6px}\n"
        ".facts{display:flex;flex-wrap:wrap;gap:.5rem;margin:.8rem 0}.facts div{background:var(--card);"
        "border-radius:6px;padding:.4rem .8rem}.facts b{display:block;font-size:1.15rem}"
        ".facts span{color:var(--mute);font-size:.85rem}\n"
        ".charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:1rem}\n"
        ".scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.85rem;"
        "font-variant-numeric:tabular-nums}th,td{padding:.15rem .6rem;text-align:right;white-space:nowrap;"
        "border-bottom:1px solid var(--line)}th:first-child,td:first-child,td.l,th.l{text-align:left}"
        "th{position:sticky;top:0;background:var(--bg)}tfoot td{font-weight:600}\n"
        "svg{display:block;max-width:100%;height:auto}svg text{fill:var(--fg);font:12px system-ui,sans-serif}"
        "svg .m{fill:var(--mute)}svg .axis{stroke:var(--line);fill:none}svg .box{fill:var(--card);"
        "stroke:var(--line)}svg .flow{stroke:var(--mute);fill:none;stroke-width:1.2}\n"
        "#network{min-width:34rem}\n"
        ".s1{stroke:var(--c1)}.s2{stroke:var(--c2)}.s3{stroke:var(--c3)}.s4{stroke:var(--c4)}"
        ".s5{stroke:var(--c5)}.f1{fill:var(--c1)}.f2{fill:var(--c2)}.f3{fill:var(--c3)}.f4{fill:var(--c4)}"
        ".f5{fill:var(--c5)}polyline{fill:none;stroke-width:2}.thin{stroke-width:1;opacity:.55}\n"
        ".key{font-size:.82rem;color:var(--mute)}.key i{display:inline-block;width:.8rem;height:.8rem;"
        "border-radius:2px;margin:0 .3rem 0 .8rem;vertical-align:-1px}"
        ".k1{background:var(--c1)}.k2{background:var(--c2)}.k3{background:var(--c3)}.k4{background:var(--c4)}"
        ".k5{background:var(--c5)}\n"
        "td.heat{background:color-mix(in srgb,var(--c1) calc(var(--h)*1%),transparent)}"
        ".pictures{display:flex;flex-wrap:wrap;gap:1rem}.pictures "
        "figure{margin:0;width:8rem;font-size:.82rem}"
        ".pictures "
        "img{width:8rem;height:8rem;object-fit:contain;image-rendering:pixelated;background:var(--card)}\n"
        "td.bar{text-align:left}td.bar span{display:inline-block;height:.7rem}"
        "td.wraps{white-space:normal;overflow-wrap:anywhere;min-width:14rem}";

void page_begin(Writer *w, Arena *a, const char *title, const char *style)
{
	const char *text = page_text(a, title);
	write_line(w, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">");
	write_line(w, "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">");
	/* an icon of its own, for a browser asks for one otherwise */
	write_line(w, "<link rel=\"icon\" href=\"data:,\">");
	write_line(w, "<title>%s</title>\n<style>\n%s\n%s</style>\n</head>\n<body>\n<h1>%s</h1>", text,
	           own_style, style, text);
}

void page_end(Writer *w)
{
	write_line(w, "</body>\n</html>");
}

void page_section(Writer *w, Arena *a, const char *title, const char *text)
{
	write_line(w, "<h2>%s</h2>", page_text(a, title));
	if (*text)
		write_line(w, "<p>%s</p>", text);
}

/* ---- charts */

enum {
	WIDTH = 480,
	HEIGHT = 230,
	LEFT = 58,
	RIGHT = 12,
	TOP = 10,
	BOTTOM = 36,
	TICKS = 4,
	MOST_DOTS = 120,
	MOST_TICKS = 24
};

/* What the axis shows: its ends, and the place of a value between them, from 0 to 1. */
typedef struct Axis {
	double low, high;
	bool log;
} Axis;

static double place(const Axis *x, double value)
{
	double low = x->log ? log10(x->low) : x->low, high = x->log ? log10(x->high) : x->high;
	return ((x->log ? log10(value) : value) - low) / (high - low);
}

static bool is_shown(const Chart *c, Point p)
{
	return isfinite(p.x) && isfinite(p.y) && (!c->log_x || p.x > 0) && (!c->log_y || p.y > 0);
}

static bool find_axis(const Chart *c, bool y, Axis *axis)
{
	double low = INFINITY, high = -INFINITY;
	for (int s = 0; s < c->count; s++)
		for (int i = 0; i < c->series[s].count; i++) {
			Point p = c->series[s].at[i];
			if (!is_shown(c, p))
				continue;
			low = fmin(low, y ? p.y : p.x);
			high = fmax(high, y ? p.y : p.x);
		}
	axis->log = y ? c->log_y : c->log_x;
	if (low > high)
		return false;
	if (axis->log) {
		/* powers of ten that are normal numbers: a denormal one would be 0, and a larger one infinite */
		low = fmin(fmax(floor(log10(low)), DBL_MIN_10_EXP), DBL_MAX_10_EXP - 1);
		high = fmin(fmax(ceil(log10(high)), DBL_MIN_10_EXP), DBL_MAX_10_EXP);
		*axis = (Axis){pow(10, low), pow(10, high), true};
		axis->high = axis->high > axis->low ? axis->high : axis->low * 10;
		return true;
	}
	if (low == 0 && high == 0)
		high = 1;
	if (high - low < 1e-12 * fmax(fabs(high), 1e-300))
		low -= fabs(low) > 0 ? fabs(low) / 2 : 0.5, high += fabs(high) > 0 ? fabs(high) / 2 : 0.5;
	if (y) {
		if (low > 0 && low < high / 2)
			low = 0;
		double step = tick_step(high - low, TICKS);
		low = floor(low / step) * step, high = ceil(high / step) * step;
	}
	*axis = (Axis){low, high, false};
	return true;
}

static double x_of(const Axis *x, double value)
{
	return LEFT + place(x, value) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const Axis *y, double value)
{
	return HEIGHT - BOTTOM - place(y, value) * (HEIGHT - TOP - BOTTOM);
}

static void write_tick(Writer *w, const Axis *axis, bool y, double value)
{
	double at = y ? y_of(axis, value) : x_of(axis, value);
	char label[TICK_BYTES];
	if (fabs(value) < 1e-12 * (axis->high - axis->low))
		value = 0;
	if (axis->log)
		snprintf(label, sizeof label, "%.4g", value);
	else
		tick_label(label, value);
	if (y)
		write_line(w,
		           "<path class=\"axis\" d=\"M%d %.1fH%d\"/><text class=\"m\" x=\"%d\" y=\"%.1f\" "
		           "text-anchor=\"end\">%s</text>",
		           LEFT, at, WIDTH - RIGHT, LEFT - 6, at + 4, label);
	else
		write_line(w, "<text class=\"m\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>", at,
		           HEIGHT - BOTTOM + 16, label);
}

static void write_ticks(Writer *w, const Axis *axis, bool y)
{
	if (axis->log) {
		int first = (int)round(log10(axis->low)), last = (int)round(log10(axis->high));
		for (int power = first; power <= last; power += 1 + (last - first) / MOST_TICKS)
			write_tick(w, axis, y, pow(10, power));
		return;
	}
	double step = tick_step(axis->high - axis->low, TICKS);
	for (double t = ceil(axis->low / step - 1e-9) * step; t <= axis->high + step * 1e-9; t += step)
		write_tick(w, axis, y, t);
}

static void write_series(Writer *w, Arena *a, const Chart *c, const Series *s, const Axis *x, const Axis *y)
{
	int shown = 0;
	for (int i = 0; i < s->count; i++)
		shown += is_shown(c, s->at[i]);
	if (!s->dots && shown > 1) {
		write_text(w, "<polyline class=\"s%d%s\" points=\"", s->color, s->thin ? " thin" : "");
		for (int i = 0; i < s->count; i++)
			if (is_shown(c, s->at[i]))
				write_text(w, "%.1f,%.1f ", x_of(x, s->at[i].x), y_of(y, s->at[i].y));
		write_line(w, "\"/>");
	}
	for (int i = 0; i < s->count && (s->dots || shown <= MOST_DOTS) && !s->thin; i++)
		if (is_shown(c, s->at[i]))
			write_line(w,
			           "<circle class=\"f%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"><title>%s: %.6g, "
			           "%.6g</title></circle>",
			           s->color, x_of(x, s->at[i].x), y_of(y, s->at[i].y), page_text(a, s->name),
			           s->at[i].x, s->at[i].y);
}

void page_chart(Writer *w, Arena *a, const Chart *c)
{
	Axis x, y;
	if (!find_axis(c, false, &x) || !find_axis(c, true, &y))
		return;
	const char *title = page_text(a, c->title);
	write_line(w, "<figure style=\"margin:0\"><h3>%s</h3>", title);
	write_text(w, "<div class=\"key\">");
	for (int i = 0; i < c->count; i++)
		if (c->series[i].count > 0)
			write_text(w, "<i class=\"k%d\"></i>%s", c->series[i].color,
			           page_text(a, c->series[i].name));
	write_line(w,
	           "</div>\n<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" "
	           "aria-label=\"%s\">",
	           WIDTH, HEIGHT, WIDTH, HEIGHT, title);
	write_ticks(w, &y, true);
	write_ticks(w, &x, false);
	write_line(w, "<text class=\"m\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", WIDTH - RIGHT,
	           HEIGHT - 4, page_text(a, c->x));
	for (int i = 0; i < c->count; i++)
		write_series(w, a, c, &c->series[i], &x, &y);
	write_line(w, "</svg></figure>");
}
