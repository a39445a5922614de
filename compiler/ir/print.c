/* SPDX-License-Identifier: MIT */
/* Graphs as text: one node a line. The form is described in ir/README.md; ir/parse.c reads it back. */
#include "ir/graph.h"
#include "ir/text.h"

#include "base/writer.h"
#include "ir/loop.h"
#include "ir/op.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const output_kind_names[] = {
        [OUTPUT_LOSS] = "loss",         [OUTPUT_METRIC] = "metric",
        [OUTPUT_COUNT] = "count",       [OUTPUT_STATE] = "state",
        [OUTPUT_GRADIENT] = "gradient", [OUTPUT_MEASURED] = "measured",
        [OUTPUT_VALUE] = "value",       [OUTPUT_CARRIED] = "carried",
        [OUTPUT_YIELD] = "yield",       NULL,
};

char *real_text(Arena *a, double value)
{
	if (isnan(value))
		return arena_strdup(a, "nan");
	if (isinf(value))
		return arena_strdup(a, value < 0 ? "-inf" : "inf");
	if (value == trunc(value) && fabs(value) < 1e15)
		return arena_printf(a, "%.1f", value);
	char text[40];
	for (int digits = 1; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	bool looks_real = strpbrk(text, ".e");
	return arena_printf(a, "%s%s", text, looks_real ? "" : ".0");
}

char *quoted_text(Arena *a, const char *s)
{
	char *text = arena_alloc(a, 4 * strlen(s) + 3), *p = text;
	*p++ = '"';
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;
		if (c < ' ' || c >= 127 || c == '"' || c == '\\')
			p += sprintf(p, "\\x%02x", c);
		else
			*p++ = (char)c;
	}
	*p++ = '"';
	*p = '\0';
	return text;
}

static void print_attr(Writer *w, Arena *a, const Attr *attr)
{
	write_text(w, "%s=", attr->name);
	switch (attr->kind) {
	case ATTR_INT:
		write_text(w, "%lld", (long long)attr->i);
		return;
	case ATTR_REAL:
		write_text(w, "%s", real_text(a, attr->f));
		return;
	case ATTR_TEXT:
		write_text(w, "%s", quoted_text(a, attr->s));
		return;
	case ATTR_BODY: /* print_body */
		return;
	case ATTR_INTS:
		write_text(w, "[");
		for (int i = 0; i < attr->count; i++)
			write_text(w, "%s%lld", i ? "," : "", (long long)attr->ints[i]);
		write_text(w, "]");
		return;
	}
}

/* A leaf is named by its attribute, so its name is not written twice. */
static bool name_is_implied(const Node *n)
{
	const Attr *name = node_is_leaf(n) ? node_attr(n, "name") : NULL;
	return !n->name || (name && strcmp(name->s, n->name) == 0);
}

static void print_attrs(Writer *w, Arena *a, const Node *n)
{
	bool any = false;
	for (int i = 0; i < n->attr_count; i++) {
		if (n->attrs[i].kind == ATTR_BODY)
			continue;
		write_text(w, "%s", any ? ", " : " {");
		print_attr(w, a, &n->attrs[i]);
		any = true;
	}
	if (any)
		write_text(w, "}");
}

static void print_outputs(Writer *w, Arena *a, const Graph *g)
{
	for (int i = 0; i < g->output_count; i++) {
		const Output *o = &g->outputs[i];
		write_line(w, "%s %s %%%d", output_kind_names[o->kind], quoted_text(a, o->name), o->node->id);
	}
}

static void print_node(Writer *w, Arena *a, const Node *n, const char *phase);

/* The nodes of what a loop computes in a period, on lines of their own in brackets. They have its phase. */
static void print_body(Writer *w, Arena *a, const Graph *body, const char *phase)
{
	write_indent(w, 1);
	for (int i = 0; i < body->count; i++)
		print_node(w, a, body->nodes[i], phase);
	print_outputs(w, a, body);
	write_indent(w, -1);
	write_line(w, "}");
}

static int number_of(const Node *n, const int *numbers)
{
	return numbers ? numbers[n->id] : n->id;
}

void print_operation(Writer *w, Arena *a, const Node *n, const int *numbers)
{
	write_text(w, "%%%d = %s", number_of(n, numbers), n->op->name);
	if (n->operand_count > 0) {
		for (int i = 0; i < n->operand_count; i++)
			write_text(w, "%s%%%d", i ? ", " : "(", number_of(n->operands[i], numbers));
		write_text(w, ")");
	}
	print_attrs(w, a, n);
	write_text(w, " : %s", type_text(a, n->type));
	if (!name_is_implied(n))
		write_text(w, " %s", quoted_text(a, n->name));
}

static void print_node(Writer *w, Arena *a, const Node *n, const char *phase)
{
	print_operation(w, a, n, NULL);
	if (n->group != NO_GROUP)
		write_text(w, " group=%d", n->group);
	const Graph *body = node_is_loop(n) ? loop_of(n).body : NULL;
	if (body)
		write_text(w, " {");
	if (n->sites.count > 0)
		write_text(w, "  # %s  %s", printable(a, sites_text(a, n->sites, 4)), phase);
	write_text(w, "\n");
	if (body)
		print_body(w, a, body, phase);
}

void print_graph(Writer *w, Arena *a, const Graph *g)
{
	write_line(w, "graph %s %s batch=%lld", quoted_text(a, g->name),
	           g->training ? "training" : "evaluation", (long long)g->batch);
	const Phase *phases = node_phases(a, g);
	for (int i = 0; i < g->count; i++)
		print_node(w, a, g->nodes[i], phase_name(phases[i]));
	print_outputs(w, a, g);
}

char *graph_text(Arena *a, const Graph *g)
{
	Writer *w = writer_new(a);
	print_graph(w, a, g);
	return arena_strdup(a, writer_text(w, NULL));
}
