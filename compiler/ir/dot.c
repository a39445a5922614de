/* SPDX-License-Identifier: MIT */
/* A graph as a picture: Graphviz text, top to bottom, one box per .net line and block instantiation, shapes
 * on the edges. Constants are left out: they say little and cross everything. */
#include "ir/graph.h"

#include "base/array.h"
#include "base/map.h"
#include "base/writer.h"
#include "ir/op.h"

#include <string.h>

/* The nodes of one place. */
typedef struct Cluster {
	const char *label;
	ARRAY(const Node *) nodes;
} Cluster;

static bool is_drawn(const Node *n)
{
	return !node_is_constant(n);
}

/* In a quoted Graphviz string; the text comes from the .net file. */
static const char *dot_string(Arena *a, const char *s)
{
	Writer *w = writer_new(a);
	for (s = printable(a, s); *s; s++)
		write_text(w, "%s%c", *s == '"' || *s == '\\' ? "\\" : "", *s);
	return writer_text(w, NULL);
}

static void add_to_cluster(Arena *a, Map *clusters, const Node *n)
{
	const char *label = "";
	if (n->sites.count > 0) {
		Sites first = {n->sites.at, 1};
		const char *scope = n->sites.at[0]->scope;
		label = arena_printf(a, "%s%s%s", sites_text(a, first, 1), scope && *scope ? "  " : "",
		                     scope ? scope : "");
	}
	Cluster *c = map_get(clusters, label);
	if (!c) {
		c = NEW(a, Cluster);
		c->label = label;
		map_set(clusters, label, c);
	}
	array_push(a, &c->nodes, n);
}

static void draw_node(Writer *w, Arena *a, const Node *n)
{
	const char *shape = node_is_input(n)          ? "invhouse"
	                    : node_is_param(n)        ? "note"
	                    : node_is_leaf(n)         ? "ellipse"
	                    : n->op->flags & OP_HEAVY ? "box, style=\"filled\", fillcolor=\"lightgrey\""
	                                              : "box";
	write_line(w, "n%d [label=\"%s%s%s\", shape=%s];", n->id, n->op->name, n->name ? "\\n" : "",
	           n->name ? dot_string(a, n->name) : "", shape);
}

static void draw_edges(Writer *w, Arena *a, const Node *n)
{
	for (int i = 0; i < n->operand_count; i++) {
		const Node *x = n->operands[i];
		if (is_drawn(x))
			write_line(w, "n%d -> n%d [label=\"%s\"];", x->id, n->id, type_text(a, x->type));
	}
}

char *graph_dot(Arena *a, const Graph *g)
{
	Writer *w = writer_new(a);
	Map *clusters = map_new(a);
	for (int i = 0; i < g->count; i++) {
		if (is_drawn(g->nodes[i]))
			add_to_cluster(a, clusters, g->nodes[i]);
	}
	write_line(w, "digraph \"%s\" {", dot_string(a, g->name));
	write_indent(w, 1);
	write_line(w, "node [fontname=\"sans-serif\"];");
	write_line(w, "edge [fontname=\"sans-serif\", fontsize=10];");
	for (int i = 0; i < map_count(clusters); i++) {
		const Cluster *c = map_value(clusters, i);
		write_line(w, "subgraph cluster_%d {", i);
		write_indent(w, 1);
		write_line(w, "label=\"%s\";", dot_string(a, c->label));
		for (int k = 0; k < c->nodes.count; k++)
			draw_node(w, a, c->nodes.at[k]);
		write_indent(w, -1);
		write_line(w, "}");
	}
	for (int i = 0; i < g->count; i++) {
		if (is_drawn(g->nodes[i]))
			draw_edges(w, a, g->nodes[i]);
	}
	for (int i = 0; i < g->output_count; i++) {
		const Output *o = &g->outputs[i];
		write_line(w, "o%d [label=\"%s\", shape=house];", i, dot_string(a, o->name));
		write_line(w, "n%d -> o%d [label=\"%s\"];", o->node->id, i, type_text(a, o->node->type));
	}
	write_indent(w, -1);
	write_line(w, "}");
	return arena_strdup(a, writer_text(w, NULL));
}
