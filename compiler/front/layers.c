/* SPDX-License-Identifier: MIT */
/* The table of --print=layers: a row for each call that computes something, in order. */
#include "front/eval.h"

#include "base/writer.h"
#include "ir/loop.h"
#include "ops/compose.h"

enum { TABLE_WIDTH = 110, NAME_LEAST = 12 };

void layer_add(Elab *e, const char *path, Loc loc, const Node *input, const Node *output, int first)
{
	if (!e->collecting)
		return;
	LayerRow row = {path, loc, input, output, 1};
	array_push(e->arena, &e->rows, row);
	for (int i = first; i < e->graph->count; i++)
		e->graph->nodes[i]->row = e->rows.count;
}

enum { COLUMNS = 7 };

typedef struct TableRow {
	const char *cell[COLUMNS];
} TableRow;

typedef struct Totals {
	double params, flops, bytes;
} Totals;

static const char *const headings[COLUMNS] = {"layer",      "line",  "input", "output",
                                              "parameters", "MFLOP", "MB"};

/* By row: what its nodes cost, each as often as it is computed. */
static Totals *count_rows(Elab *e, const Graph *g)
{
	Totals *rows = NEW_ARRAY(e->arena, Totals, e->rows.count);
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		if (n->row == 0)
			continue;
		Totals *t = &rows[n->row - 1];
		const double times = (double)e->rows.at[n->row - 1].times;
		if (node_is_param(n))
			t->params += (double)type_elements(n->type);
		if (node_is_leaf(n))
			continue;
		Cost cost = node_cost(n);
		t->flops += cost.flops * times;
		t->bytes += cost.bytes * times;
	}
	return rows;
}

static TableRow numbers_row(Arena *a, const Layer *l, TableRow row)
{
	row.cell[4] = l->params > 0 ? grouped_digits(a, l->params) : "";
	row.cell[5] = arena_printf(a, "%.3f", l->flops / 1e6);
	row.cell[6] = arena_printf(a, "%.2f", l->bytes / 1e6);
	return row;
}

/* "28" in the file given, "transformer.net:28" in one that it uses, "<transformer>:28" in one that nnc has. */
static char *line_text(Elab *e, Loc loc)
{
	const Source *given = e->declared->own.count > 0 ? e->declared->own.at[0]->loc.source : NULL;
	if (!loc.source || !given || loc.source == given)
		return arena_printf(e->arena, "%d", loc_line(loc));
	const char *slash = strrchr(loc.source->path, '/');
	return arena_printf(e->arena, "%s:%d", slash ? slash + 1 : loc.source->path, loc_line(loc));
}

/* Calls without parameters take no number where they are made, so that a relu more renames nothing; here each row
 * gets a name of its own: the second `block.relu` is "block.relu_2". */
static const char *unique_name(Arena *a, Map *rows_of, const char *path)
{
	const char *name = path;
	int *rows = map_get(rows_of, path);
	while (map_get(rows_of, name))
		name = arena_printf(a, "%s_%d", path, ++*rows);
	rows = NEW(a, int);
	*rows = 1;
	map_set(rows_of, name, rows);
	return name;
}

/* The end of a long path says more than its beginning. */
static const char *shortened(Arena *a, const char *s, int width)
{
	int length = (int)strlen(s);
	return length <= width ? s : arena_printf(a, "..%s", s + length - width + 2);
}

static void write_row(Writer *w, Arena *a, const TableRow *row, const int *width)
{
	char *line = arena_printf(a, "%-*s %*s  %-*s %-*s %*s %*s %*s", width[0],
	                          shortened(a, row->cell[0], width[0]), width[1], row->cell[1], width[2],
	                          row->cell[2], width[3], row->cell[3], width[4], row->cell[4], width[5],
	                          row->cell[5], width[6], row->cell[6]);
	write_line(w, "%s", line);
}

enum { MOST_SOURCES = 8 };

/* The rows that a node comes of: of an operand itself, or through nodes that no row made. */
typedef struct Sources {
	int row[MOST_SOURCES];
	int count;
} Sources;

static void add_source(Sources *s, int row)
{
	for (int i = 0; i < s->count; i++)
		if (s->row[i] == row)
			return;
	if (s->count < MOST_SOURCES)
		s->row[s->count++] = row;
}

/* Nodes stand after their operands, so one pass over them is enough. */
static void find_sources(Elab *e, const Graph *g, Layer *rows)
{
	Arena *a = e->arena;
	int *owner = NEW_ARRAY(a, int, g->count);
	Sources *of_node = NEW_ARRAY(a, Sources, g->count), *of_row = NEW_ARRAY(a, Sources, e->rows.count);
	for (int i = 0; i < g->count; i++)
		owner[i] = g->nodes[i]->row - 1;
	for (int i = 0; i < g->count; i++) {
		Sources *s = owner[i] >= 0 ? &of_row[owner[i]] : &of_node[i];
		for (int k = 0; k < g->nodes[i]->operand_count; k++) {
			int from = g->nodes[i]->operands[k]->id;
			for (int m = 0; owner[from] < 0 && m < of_node[from].count; m++)
				add_source(s, of_node[from].row[m]);
			if (owner[from] >= 0 && owner[from] != owner[i])
				add_source(s, owner[from]);
		}
	}
	for (int r = 0; r < e->rows.count; r++)
		rows[r].from = of_row[r].row, rows[r].from_count = of_row[r].count;
}

const Layer *layers_rows(Elab *e, const Graph *g)
{
	Arena *a = e->arena;
	Layer *rows = NEW_ARRAY(a, Layer, e->rows.count);
	Map *rows_of = map_new(a); /* by name: rows counted under it */
	g = graph_of_one_period(a, g);
	const Totals *totals = count_rows(e, g);
	for (int i = 0; i < e->rows.count; i++) {
		const LayerRow *r = &e->rows.at[i];
		const Totals t = totals[i];
		rows[i] = (Layer){
		        .name = unique_name(a, rows_of, r->path),
		        .place = line_text(e, r->loc),
		        .loc = r->loc,
		        .input = r->input ? sample_shape(a, r->input->type) : "",
		        .output = sample_shape(a, r->output->type),
		        .params = t.params,
		        .flops = t.flops / (double)g->batch,
		        .bytes = t.bytes,
		};
	}
	find_sources(e, g, rows);
	return rows;
}

/* Operations of all nodes that have one of the flags, each as often as it is computed; 0: of all. */
static double graph_flops(const Graph *g, unsigned flags)
{
	double flops = 0;
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		if (node_is_loop(n))
			flops += (double)loop_of(n).count * graph_flops(loop_of(n).body, flags);
		else if (!node_is_leaf(n) && !node_is(n, "result") && (!flags || n->op->flags & flags))
			flops += node_cost(n).flops;
	}
	return flops;
}

double layers_training_flops(const Graph *training, const Graph *evaluation)
{
	if (graph_flops(training, OP_HEAVY) == graph_flops(evaluation, OP_HEAVY))
		return 0;
	return graph_flops(training, 0) / (double)training->batch;
}

char *layers_text(Arena *a, const Graph *g, double training_flops, const Layer *layers, int count)
{
	ARRAY(TableRow) rows = {0};
	Layer all = {0};
	for (int i = 0; i < count; i++) {
		const Layer *r = &layers[i];
		all.params += r->params, all.flops += r->flops, all.bytes += r->bytes;
		TableRow row = {{r->name, r->place, r->input, r->output}};
		array_push(a, &rows, numbers_row(a, r, row));
	}
	TableRow total = numbers_row(a, &all, (TableRow){{"total", "", "", ""}});
	total.cell[4] = grouped_digits(a, all.params);
	array_push(a, &rows, total);
	if (training_flops > 0)
		array_push(a, &rows,
		           ((TableRow){{"in training", "", "", "", "",
		                        arena_printf(a, "%.3f", training_flops / 1e6), ""}}));

	int width[COLUMNS], others = COLUMNS; /* spaces between the columns */
	for (int c = 0; c < COLUMNS; c++) {
		width[c] = (int)strlen(headings[c]);
		for (int i = 0; i < rows.count; i++) {
			int length = (int)strlen(rows.at[i].cell[c]);
			width[c] = length > width[c] ? length : width[c];
		}
		others += c > 0 ? width[c] : 0;
	}
	int most = TABLE_WIDTH - others > NAME_LEAST ? TABLE_WIDTH - others : NAME_LEAST;
	width[0] = width[0] < most ? width[0] : most;

	Writer *w = writer_new(a);
	write_line(w,
	           "model %s, batch %lld: shapes and MFLOP of one sample, MB read and written for a batch, "
	           "forward%s",
	           g->name, (long long)g->batch, training_flops > 0 ? " in evaluation" : "");
	TableRow head;
	memcpy(head.cell, headings, sizeof headings);
	write_row(w, a, &head, width);
	for (int i = 0; i < rows.count; i++)
		write_row(w, a, &rows.at[i], width);
	return arena_strdup(a, writer_text(w, NULL));
}
