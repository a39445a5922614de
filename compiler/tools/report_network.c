/* SPDX-License-Identifier: MIT */
/* The network as a drawing with equal blocks folded, and its layers as a table.
 * report.h. */
#include "tools/page.h"
#include "tools/report.h"

#include <math.h>
#include <string.h>

/* ---- the drawing: a column of boxes, one for each layer or block, what flows between them as lines beside it */

enum {
	LAYER = 24, /* height of a layer */
	GAP = 12,   /* between two boxes */
	PAD = 6,    /* in the box of a block */
	X = 110,    /* of the boxes: what flows past other layers is to their left */
	BOX = 370,  /* their width */
	BARS = 490, /* of the bars for FLOP */
	BAR = 120,  /* the longest */
	WIDE = 640, /* the drawing */
	MOST_LANES = 8,
};

/* Layers [first, first + count) are one box, and so are the `times` - 1 equal blocks after it. */
typedef struct Box {
	int first, count, times;
	int name_length;
} Box;

/* "basic_2.relu" is of "basic_2": the length of that, or of a name of one part. */
static int block_length(const char *name)
{
	return (int)strcspn(name, ".");
}

/* The name without the number that makes it one of its own. */
static int plain_length(const char *name, int length)
{
	int end = length;
	while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9')
		end--;
	return end > 1 && end < length && name[end - 1] == '_' ? end - 1 : length;
}

static bool equal_names(const char *x, const char *y)
{
	int n = plain_length(x, block_length(x)), m = plain_length(y, block_length(y));
	return n == m && strncmp(x, y, (size_t)n) == 0 &&
	       strcmp(x + block_length(x), y + block_length(y)) == 0;
}

static bool equal_layers(const Layer *x, const Layer *y)
{
	return equal_names(x->name, y->name) && strcmp(x->input, y->input) == 0 &&
	       strcmp(x->output, y->output) == 0 && x->params == y->params;
}

static int block_end(const Elaborated *e, int first)
{
	int n = block_length(e->rows[first].name), i = first + 1;
	if (!e->rows[first].name[n])
		return i;
	while (i < e->row_count && block_length(e->rows[i].name) == n &&
	       strncmp(e->rows[i].name, e->rows[first].name, (size_t)n) == 0)
		i++;
	return i;
}

static Box next_box(const Elaborated *e, int first)
{
	Box b = {first, block_end(e, first) - first, 1, block_length(e->rows[first].name)};
	for (int at = first + b.count;
	     b.count > 1 && at + b.count <= e->row_count && block_end(e, at) == at + b.count; at += b.count) {
		for (int i = 0; i < b.count; i++)
			if (!equal_layers(&e->rows[first + i], &e->rows[at + i]))
				return b;
		b.times++;
	}
	return b;
}

/* What kind of work it is, as a colour. */
static int color_of(const char *name)
{
	static const struct {
		const char *part;
		int color;
	} kinds[] = {{"conv", 1}, {"dense", 1},    {"matmul", 1},        {"embedding", 1}, {"norm", 3},
	             {"pool", 4}, {"upsample", 4}, {"cross_entropy", 2}, {"mse", 2},       {"l1", 2}};
	const char *dot = strrchr(name, '.'), *last = dot ? dot + 1 : name;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strstr(last, kinds[i].part))
			return kinds[i].color;
	return 5;
}

static void write_layer(Writer *w, Arena *a, const Layer *l, const char *name, int y, double share)
{
	write_line(w, "<rect class=\"f%d\" x=\"%d\" y=\"%d\" width=\"4\" height=\"%d\" rx=\"2\"/>",
	           color_of(l->name), X + 4, y + 4, LAYER - 8);
	write_line(w, "<text x=\"%d\" y=\"%d\">%s</text>", X + 16, y + 16, page_text(a, name));
	write_line(w, "<text class=\"m\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s%s</text>", X + BOX - 8,
	           y + 16, page_text(a, l->output),
	           l->params > 0 ? arena_printf(a, " &#183; %s", human_count(a, l->params, "")) : "");
	write_line(
	        w,
	        "<rect class=\"f%d\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"><title>%s, line %s: %s "
	        "parameters, %.3f MFLOP</title></rect>",
	        color_of(l->name), BARS, y + 6, fmax(share * BAR, 0.4), LAYER - 12, page_text(a, l->name),
	        page_text(a, l->place), grouped_digits(a, l->params), l->flops / 1e6);
}

/* An edge between two layers that do not stand one below the other: past those between, in the first free lane. */
static void write_edge(Writer *w, int *lanes, int from, int to)
{
	int lane = 0;
	while (lane < MOST_LANES - 1 && lanes[lane] > from)
		lane++;
	lanes[lane] = to;
	int left = X - 12 - 11 * lane;
	write_line(w, "<path class=\"flow\" d=\"M%d %dH%dV%dH%d\" marker-end=\"url(#arrow)\"/>", X, from,
	           left, to, X - 1);
}

static void write_edges(Writer *w, const Elaborated *e, const int *y)
{
	int lanes[MOST_LANES];
	for (int i = 0; i < MOST_LANES; i++)
		lanes[i] = -1;
	for (int i = 0; i < e->row_count; i++)
		for (int k = 0; k < e->rows[i].from_count; k++) {
			int from = e->rows[i].from[k];
			if (y[i] >= 0 && from != i - 1 && y[from] >= 0 && y[from] < y[i])
				write_edge(w, lanes, y[from] + LAYER - 7, y[i] + 7);
		}
}

static bool comes_of(const Layer *l, int row)
{
	for (int k = 0; k < l->from_count; k++)
		if (l->from[k] == row)
			return true;
	return false;
}

static void write_drawing(Writer *w, Arena *a, const Elaborated *e)
{
	Writer *boxes = writer_new(a);
	int *y_of = NEW_ARRAY(a, int, e->row_count + 1), y = 4;
	double most = 0;
	for (int i = 0; i < e->row_count; i++)
		most = fmax(most, e->rows[i].flops);
	for (int i = 0; i < e->row_count;) {
		Box b = next_box(e, i);
		bool block = b.count > 1;
		int top = y;
		y += block ? LAYER + PAD : 0;
		for (int k = 0; k < b.count; k++, y += LAYER) {
			const Layer *l = &e->rows[i + k];
			const char *name = block ? l->name + b.name_length + 1 : l->name;
			y_of[i + k] = y;
			for (int t = 1; t < b.times; t++)
				y_of[i + t * b.count + k] = -1;
			/* the copies' last is where what follows comes from */
			if (k > 0 && comes_of(l, i + k - 1))
				write_line(boxes, "<path class=\"flow\" d=\"M%d %dv8\"/>", X + 6, y - 4);
			write_layer(boxes, a, l, name, y, most > 0 ? l->flops / most : 0);
		}
		if (b.times > 1)
			y_of[i + b.times * b.count - 1] = y - LAYER;
		y += block ? PAD : 0;
		write_line(w, "<rect class=\"box\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\"/>",
		           X, top, BOX, y - top);
		if (block)
			write_line(w, "<text x=\"%d\" y=\"%d\" font-weight=\"600\">%.*s%s</text>", X + 8,
			           top + 18, plain_length(e->rows[i].name, b.name_length),
			           page_text(a, e->rows[i].name),
			           b.times > 1 ? arena_printf(a, " &#215; %d", b.times) : "");
		i += b.count * b.times;
		if (i < e->row_count && comes_of(&e->rows[i], i - 1))
			write_line(w, "<path class=\"flow\" d=\"M%d %dV%d\" marker-end=\"url(#arrow)\"/>",
			           X + BOX / 2, y, y + GAP - 1);
		y += GAP;
	}
	write_lines(w, writer_text(boxes, NULL));
	write_edges(w, e, y_of);
}

static void write_table(Writer *w, Arena *a, const Elaborated *e)
{
	Layer all = {0};
	write_line(w, "<div class=\"scroll\"><table "
	              "id=\"layers\"><thead><tr><th>layer</th><th>line</th><th>input</th>"
	              "<th>output</th><th>parameters</th><th>MFLOP</th><th>MB</th></tr></thead><tbody>");
	for (int i = 0; i < e->row_count; i++) {
		const Layer *l = &e->rows[i];
		all.params += l->params, all.flops += l->flops, all.bytes += l->bytes;
		write_line(w,
		           "<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%.3f</"
		           "td><td>%.2f</td></tr>",
		           page_text(a, l->name), page_text(a, l->place), page_text(a, l->input),
		           page_text(a, l->output), l->params > 0 ? grouped_digits(a, l->params) : "",
		           l->flops / 1e6, l->bytes / 1e6);
	}
	write_line(w,
	           "</tbody><tfoot><tr><td>total</td><td></td><td></td><td></td><td>%s</td><td>%.3f</"
	           "td><td>%.2f</td>"
	           "</tr></tfoot></table></div>",
	           grouped_digits(a, all.params), all.flops / 1e6, all.bytes / 1e6);
}

void report_network(Writer *w, Arena *a, const Elaborated *e)
{
	Writer *drawing = writer_new(a);
	write_drawing(drawing, a, e);
	const char *text = writer_text(drawing, NULL);
	int height = 0;
	for (int i = 0; i < e->row_count;) {
		Box b = next_box(e, i);
		height += (b.count > 1 ? LAYER + 2 * PAD : 0) + b.count * LAYER + GAP;
		i += b.count * b.times;
	}
	page_section(w, a, "The network",
	             "From top to bottom, with the shape of one sample and the parameters of each layer. "
	             "Equal blocks "
	             "are drawn once. Lines on the left go past layers; bars on the right are the "
	             "FLOP of each.");
	write_line(w, "<div class=\"key\"><i class=\"k1\"></i>products<i class=\"k3\"></i>normalisation"
	              "<i class=\"k4\"></i>pooling<i class=\"k2\"></i>loss<i class=\"k5\"></i>others</div>");
	write_line(w,
	           "<div class=\"scroll\"><svg id=\"network\" viewBox=\"0 0 %d %d\" width=\"%d\" "
	           "height=\"%d\" role=\"img\" "
	           "aria-label=\"the network\">\n<defs><marker id=\"arrow\" viewBox=\"0 0 6 6\" refX=\"6\" "
	           "refY=\"3\" "
	           "markerWidth=\"6\" markerHeight=\"6\" orient=\"auto\"><path class=\"f5\" d=\"M0 0L6 3L0 "
	           "6z\"/>"
	           "</marker></defs>",
	           WIDE, height, WIDE, height);
	write_lines(w, text);
	write_line(w, "</svg></div>");
	page_section(w, a, "Layers",
	             "Forward: FLOP of one sample, bytes read and written for a batch. A multiplication and "
	             "an addition "
	             "count one each.");
	write_table(w, a, e);
}
