/* SPDX-License-Identifier: MIT */
/* The matrix as a picture: a row for each class, as dark a cell as its share of the row. Colours follow the reader's
 * choice of light or dark; nothing is fetched, and the numbers are in it as text. */
#include "runtime/report/confusion.h"
#include "runtime/host/die.h"
#include "runtime/session/scored.h"

#include <string.h>

enum {
	CELL = 34,          /* pixels of a cell that has its number in it */
	MOST_NUMBERED = 40, /* classes of which cells have numbers */
	WIDE = 1200,        /* of all cells where they have none */
	LETTER = 7,
	LONGEST = 24,
	MARGIN = 16,
	TITLE = 34,
	NARROWEST = 560,
};

static const char style[] = "<style>\n"
                            "text { fill: #1b1f24; font: 12px system-ui, sans-serif }\n"
                            ".paper { fill: #ffffff } .grid { fill: none; stroke: #d0d7de } .cell { fill: "
                            "#0a58ca } .on { fill: #ffffff }\n"
                            "@media (prefers-color-scheme: dark) {\n"
                            "text { fill: #e6edf3 } .paper { fill: #0d1117 } .grid { stroke: #30363d } .cell "
                            "{ fill: #79b8ff } .on { fill: "
                            "#0d1117 }\n"
                            "}\n"
                            "</style>\n";

/* At most `most` characters of it, fit for XML. */
static void put_text(FILE *to, const char *text, int most)
{
	char fit[1024];
	text_printable(fit, sizeof fit, text);
	const char *at = fit;
	for (int shown = 0; *at; at++) {
		shown += (*at & 0xc0) != 0x80;
		if (shown > most) {
			fputs("…", to);
			return;
		}
		if (strchr("<>&\"'", *at))
			fprintf(to, "&#%d;", *at);
		else
			fputc(*at, to);
	}
}

static void put_name(FILE *to, const Session *s, int i)
{
	char number[CLASS_NUMBER_BYTES];
	put_text(to, scored_name(s->model, &s->data, i, number), LONGEST);
}

static int name_width(const Confusion *c, const Session *s)
{
	char number[CLASS_NUMBER_BYTES];
	int widest = 1;
	for (int i = 0; i < c->classes; i++) {
		int length = (int)strnlen(scored_name(s->model, &s->data, i, number), LONGEST);
		widest = length > widest ? length : widest;
	}
	return LETTER * widest + MARGIN;
}

static void put_cell(FILE *to, const Confusion *c, const Session *s, int is, int as, int left, int top,
                     int cell)
{
	int64_t n = c->taken[is * c->classes + as];
	if (n == 0)
		return;
	double share = (double)n / (double)c->samples[is];
	int x = left + as * cell, y = top + is * cell;
	fprintf(to, "<g><title>");
	put_name(to, s, is);
	fprintf(to, " taken for ");
	put_name(to, s, as);
	fprintf(to,
	        ": %lld of %lld</title><rect class=\"cell\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
	        "fill-opacity=\"%.3f\"/>",
	        (long long)n, (long long)c->samples[is], x, y, cell, cell, share);
	if (c->classes <= MOST_NUMBERED)
		fprintf(to, "<text%s x=\"%d\" y=\"%d\" text-anchor=\"middle\">%lld</text>",
		        share > 0.7 ? " class=\"on\"" : "", x + cell / 2, y + cell / 2 + 4, (long long)n);
	fprintf(to, "</g>\n");
}

void confusion_svg(const Confusion *c, const Session *s, FILE *to)
{
	int cell = c->classes <= MOST_NUMBERED ? CELL : WIDE / c->classes > 2 ? WIDE / c->classes : 2;
	int names = name_width(c, s), side = cell * c->classes, left = names + MARGIN, top = TITLE + names;
	int width = left + side + MARGIN + names / 2, height = top + side + MARGIN,
	    every = cell < 12 ? 12 / cell + 1 : 1;
	width = width < NARROWEST ? NARROWEST : width; /* for the title */
	fprintf(to,
	        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
	        "role=\"img\">\n%s"
	        "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n<text x=\"%d\" y=\"22\">",
	        width, height, width, height, style, width, height, MARGIN);
	put_text(to, s->model->name, LONGEST);
	fprintf(to, ": rows are what a %s is, columns what it was taken for</text>\n", scored_unit(s->model));
	for (int i = 0; i < c->classes; i += every) {
		int middle = cell * i + cell / 2;
		fprintf(to, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", left - 6, top + middle + 4);
		put_name(to, s, i);
		fprintf(to, "</text><text transform=\"translate(%d %d) rotate(-60)\">", left + middle + 4,
		        top - 6);
		put_name(to, s, i);
		fprintf(to, "</text>\n");
	}
	for (int i = 0; i < c->classes; i++)
		for (int k = 0; k < c->classes; k++)
			put_cell(to, c, s, i, k, left, top, cell);
	fprintf(to, "<rect class=\"grid\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n</svg>\n", left,
	        top, side, side);
}
