/* SPDX-License-Identifier: MIT */
/* A profile as a part of the page of a run (report.c): the lines with their time, and a roofline. */
#include "runtime/report/profile.h"

#include "runtime/session/backend.h"
#include "runtime/report/curves.h"
#include "runtime/host/die.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_line(FILE *to, const Profile *p, int source, int line)
{
	enum { WIDTH = 200 }; /* pixels of all the time */
	const NnrSource *s = &p->model->sources[source];
	const LineTime t = profile_line(p, source, line);
	const double parts[] = {(double)(t.ns[NNR_PHASE_FORWARD] + t.ns[NNR_PHASE_LOSS]),
	                        (double)t.ns[NNR_PHASE_BACKWARD], (double)t.ns[NNR_PHASE_UPDATE]};
	const double all = parts[0] + parts[1] + parts[2], total = (double)p->total;
	const char *text = s->lines[line - 1];
	if (!(all > 0))
		return;
	fputs("<tr><td>", to);
	svg_put_text(to, s->name);
	fprintf(to, ":%d</td><td>%.3f</td><td>%.1f %%</td><td class=\"bar\">", line,
	        all / (double)p->steps / 1e6, 100 * all / total);
	for (int k = 0; k < 3; k++)
		fprintf(to, "<span class=\"k%d\" style=\"width:%.1fpx\"></span>", k + 1,
		        WIDTH * parts[k] / total);
	fputs("</td><td class=\"l wraps\"><code>", to); /* however long, it hides no figure */
	svg_put_text(to, text + strspn(text, " "));
	fputs("</code></td></tr>\n", to);
}

/* ---- the roofline: both axes logarithmic, in decades */

enum { LEFT = 60, TOP = 16, WIDTH = 400, HEIGHT = 240 };

typedef struct Axis {
	int first, last; /* powers of ten */
} Axis;

static double across(Axis a, double x)
{
	return LEFT + WIDTH * (log10(x) - a.first) / (a.last - a.first);
}

static double down(Axis a, double y)
{
	return TOP + HEIGHT - HEIGHT * (log10(y) - a.first) / (a.last - a.first);
}

static Axis axis_of(double least, double most)
{
	Axis a = {(int)floor(log10(least)), (int)ceil(log10(most))};
	a.last += a.last == a.first;
	return a;
}

static void put_axes(FILE *to, Axis x, Axis y)
{
	for (int e = x.first; e <= x.last; e++)
		fprintf(to,
		        "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" "
		        "text-anchor=\"middle\">%g</text>\n",
		        across(x, pow(10, e)), TOP, TOP + HEIGHT, across(x, pow(10, e)), TOP + HEIGHT + 16,
		        pow(10, e));
	for (int e = y.first; e <= y.last; e++)
		fprintf(to,
		        "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" "
		        "text-anchor=\"end\">%g</text>\n",
		        LEFT, down(y, pow(10, e)), LEFT + WIDTH, LEFT - 6, down(y, pow(10, e)) + 4,
		        pow(10, e));
	fprintf(to, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">FLOP for each byte</text>\n",
	        LEFT + WIDTH / 2, TOP + HEIGHT + 34);
}

static bool has_work(const Profile *p, int step)
{
	const NnrStep *s = program_step(&p->model->train, step);
	return s->flops > 0 && s->bytes > 0 && p->step_ns[step] > 0;
}

static void put_roofline(FILE *to, const Profile *p)
{
	const double corner = p->peaks.flops / p->peaks.bytes;
	double least = corner / 10, most = corner * 10, slowest = p->peaks.flops / 1e9;
	for (int i = 0; i < p->model->train.step_count; i++) {
		const NnrStep *s = program_step(&p->model->train, i);
		if (!has_work(p, i))
			continue;
		least = fmin(least, s->flops / s->bytes);
		most = fmax(most, s->flops / s->bytes);
		slowest = fmin(slowest, s->flops * (double)p->runs / (double)p->step_ns[i]);
	}
	slowest = fmin(slowest, least * p->peaks.bytes / 1e9);
	const Axis x = axis_of(least, most), y = axis_of(slowest, p->peaks.flops / 1e9);
	fprintf(to, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"480\" viewBox=\"0 0 480 300\"><style>"
	            "text{font:11px system-ui,sans-serif;fill:#59636e}.grid{stroke:#d0d7de;fill:none}"
	            ".roof{stroke:#bc4c00;fill:none}circle{fill:#0a58ca}"
	            "@media(prefers-color-scheme:dark){text{fill:#9198a1}.grid{stroke:#30363d}"
	            ".roof{stroke:#f0883e}circle{fill:#79b8ff}}</style>\n");
	put_axes(to, x, y);
	fprintf(to, "<path class=\"roof\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1f\"/>\n", across(x, least),
	        down(y, least * p->peaks.bytes / 1e9), across(x, corner), down(y, p->peaks.flops / 1e9),
	        across(x, most), down(y, p->peaks.flops / 1e9));
	for (int i = 0; i < p->model->train.step_count; i++) {
		const NnrStep *s = program_step(&p->model->train, i);
		if (has_work(p, i))
			fprintf(to, "<circle r=\"4\" cx=\"%.1f\" cy=\"%.1f\"/>\n",
			        across(x, s->flops / s->bytes),
			        down(y, s->flops * (double)p->runs / (double)p->step_ns[i]));
	}
	fputs("</svg>\n", to);
}

void profile_write_html(const Profile *p, const Session *s, FILE *to)
{
	const NnrModel *m = p->model;
	fprintf(to, "<h2>Where the time goes</h2>\n<p>Of %lld steps on ", (long long)p->steps);
	svg_put_text(to, s->backend->device(s));
	fputs(", by ", to);
	svg_put_text(to, p->how);
	fputs(". The time of a line has in it the blocks that it calls.</p>\n"
	      "<div class=\"key\"><i class=\"k1\"></i>forward, loss<i class=\"k2\"></i>backward<i "
	      "class=\"k3\">"
	      "</i>update</div>\n<div class=\"scroll\"><table id=\"profile\"><thead><tr><th>line</th>"
	      "<th>ms of a step</th><th>share</th><th class=\"l\">forward, backward, update</th>"
	      "<th class=\"l\">text</th></tr></thead><tbody>\n",
	      to);
	for (int i = 0; i < m->source_count; i++)
		for (int line = 1; line <= m->sources[i].line_count; line++)
			put_line(to, p, i, line);
	fputs("</tbody></table></div>\n", to);
	if (!(p->peaks.flops > 0 && p->peaks.bytes > 0))
		return;
	char *svg;
	size_t length;
	FILE *f = open_memstream(&svg, &length);
	require(f);
	put_roofline(f, p);
	require(fclose(f) == 0);
	fputs("<h3>Roofline: GFLOP/s of each step of the program, below what this machine can do at "
	      "most</h3>\n"
	      "<img class=\"chart\" style=\"max-width:100%;height:auto\" alt=\"roofline\" src=\"",
	      to);
	svg_put_source(to, svg);
	fputs("\">\n", to);
	free(svg);
}
