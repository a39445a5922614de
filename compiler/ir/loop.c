/* SPDX-License-Identifier: MIT */
/* Loops: asking one, and making one of nodes that stand in a graph. What a loop is: ir/loop.h. */
#include "ir/loop.h"

#include "base/checked.h"
#include "ir/op.h"

#include <string.h>

/* ---- asking */

bool node_is_loop(const Node *n)
{
	const Attr *body = node_attr(n, "body");
	return body && body->kind == ATTR_BODY;
}

bool node_is_loop_result(const Node *n)
{
	return n->operand_count == 1 && node_is_loop(n->operands[0]) && node_is(n, "result");
}

Loop loop_of(const Node *loop)
{
	Loop l = {
	        .body = node_attr(loop, "body")->body,
	        .count = node_int(loop, "count"),
	        .axis = node_int(loop, "axis"),
	        .carried = (int)node_int(loop, "carried"),
	        .sequences = (int)node_int(loop, "sequences"),
	        .reverse = node_int(loop, "reverse") != 0,
	        .kernel = node_attr(loop, "kernel") != NULL,
	};
	l.yields = l.body->output_count - l.carried;
	return l;
}

int64_t period_place(const Loop *l, int64_t i)
{
	return l->reverse ? l->count - 1 - i : i;
}

Node *loop_next(const Loop *l, int i)
{
	return l->body->outputs[i].node;
}

Node *loop_yield(const Loop *l, int i)
{
	return l->body->outputs[l->carried + i].node;
}

Type loop_part(const Loop *l, Type sequence)
{
	Type part = {.dtype = sequence.dtype};
	for (int i = 0; i < sequence.rank; i++)
		if (i != l->axis)
			part.dim[part.rank++] = sequence.dim[i];
	return part;
}

Type loop_stacked(const Loop *l, Type part)
{
	const int axis = l->axis <= part.rank ? (int)l->axis : part.rank;
	Type all = {.dtype = part.dtype, .rank = part.rank + 1};
	require(all.rank <= LIMIT_RANK);
	for (int i = 0; i < all.rank; i++)
		all.dim[i] = i < axis ? part.dim[i] : i == axis ? l->count : part.dim[i - 1];
	return all;
}

int64_t graph_streams(const Graph *g)
{
	int64_t streams = 0;
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		streams += node_attr(n, "stream") != NULL;
		if (node_is_loop(n))
			streams += loop_of(n).count * graph_streams(loop_of(n).body);
	}
	return streams;
}

int64_t graph_unrolled_nodes(const Graph *g)
{
	int64_t nodes = g->count;
	for (int i = 0; i < g->count; i++) {
		const Loop l = node_is_loop(g->nodes[i]) ? loop_of(g->nodes[i]) : (Loop){0};
		const int64_t more = l.body ? graph_unrolled_nodes(l.body) : 0;
		nodes = more > (SIZE_LIMIT - nodes) / (l.count + 1) ? SIZE_LIMIT : nodes + l.count * more;
	}
	return nodes;
}

/* ---- making */

Node *loop_argument(Build *b, int index, Type type)
{
	const Attr attr = attr_int("index", index);
	return graph_leaf(b->graph, "argument", type, &attr, 1, b->sites);
}

/* What a body can't have: it is part of the interface of the whole graph. */
static bool stands_outside(const Node *n)
{
	return node_is_leaf(n) && !node_is_argument(n) && !node_is_constant(n);
}

void loop_drop(Graph *g, int first)
{
	Arena *scratch = arena_new();
	bool *kept = NEW_ARRAY(scratch, bool, g->count);
	for (int i = 0; i < g->count; i++)
		kept[i] = i < first || stands_outside(g->nodes[i]);
	graph_keep(g, kept);
	arena_free(scratch);
}

typedef struct Cut {
	Graph *g, *body;
	int first;
	Node **argument;   /* by id in `g`: of the body, for what it reads from outside */
	NodeList operands; /* of the loop */
} Cut;

static bool is_inside(const Cut *c, const Node *n)
{
	return n->id >= c->first && !stands_outside(n);
}

/* x as the body has it. */
static Node *inside(Cut *c, Node *x)
{
	if (is_inside(c, x))
		return x;
	Node **argument = &c->argument[x->id];
	if (!*argument) {
		const Attr attr = attr_int("index", c->operands.count);
		*argument = graph_leaf(c->body, "argument", x->type, &attr, 1, (Sites){0});
		(*argument)->name = x->name;
		array_push(c->g->arena, &c->operands, x);
	}
	return *argument;
}

/* The arguments ahead of all else. */
static void fill_body(Cut *c, const LoopParts *p)
{
	Graph *g = c->g, *body = c->body;
	Node **next = NEW_ARRAY(g->arena, Node *, p->carried),
	     **yielded = NEW_ARRAY(g->arena, Node *, p->yields);
	for (int i = c->first; i < g->count; i++)
		for (int k = 0; k < g->nodes[i]->operand_count; k++)
			g->nodes[i]->operands[k] = inside(c, g->nodes[i]->operands[k]);
	for (int i = 0; i < p->carried; i++)
		next[i] = inside(c, p->next[i]);
	for (int i = 0; i < p->yields; i++)
		yielded[i] = inside(c, p->yielded[i]);
	const int arguments = body->count;
	Node **nodes = NEW_ARRAY(g->arena, Node *, arguments + g->count - c->first);
	int count = 0;
	for (int i = c->first; i < g->count; i++)
		if (node_is_argument(g->nodes[i]))
			nodes[count++] = g->nodes[i];
	for (int i = 0; i < arguments; i++)
		nodes[count++] = body->nodes[i];
	for (int i = c->first; i < g->count; i++)
		if (!node_is_argument(g->nodes[i]) && !stands_outside(g->nodes[i]))
			nodes[count++] = g->nodes[i];
	loop_drop(g, c->first);
	body->nodes = nodes;
	body->count = body->room = count;
	for (int i = 0; i < count; i++)
		nodes[i]->id = i;
	for (int i = 0; i < p->carried; i++)
		graph_output(body, OUTPUT_CARRIED, p->names[i], next[i]);
	for (int i = 0; i < p->yields; i++)
		graph_output(body, OUTPUT_YIELD, arena_printf(g->arena, "%d", i), yielded[i]);
}

static const Measure *measure_in(const Graph *body)
{
	const Measure *found = NULL;
	for (int i = 0; i < body->count && !found; i++)
		found = body->nodes[i]->measure;
	return found;
}

Node *loop_cut(Build *b, int first, const LoopParts *p)
{
	Graph *g = b->graph;
	Cut c = {.g = g,
	         .body = graph_new(g->arena, g->name, g->training, g->batch),
	         .first = first,
	         .argument = NEW_ARRAY(g->arena, Node *, g->count)};
	for (int i = 0; i < p->sequences; i++)
		array_push(g->arena, &c.operands, p->sequence[i]);
	for (int i = 0; i < p->carried; i++)
		array_push(g->arena, &c.operands, p->start[i]);
	fill_body(&c, p);
	const Attr attrs[] = {attr_body("body", c.body),
	                      attr_int("count", p->count),
	                      attr_int("axis", p->axis),
	                      attr_int("carried", p->carried),
	                      attr_int("reverse", p->reverse),
	                      attr_int("sequences", p->sequences),
	                      attr_int("kernel", 1)};
	const int count = sizeof attrs / sizeof *attrs - !p->kernel;
	Node *loop = build(b, "loop", c.operands.count, c.operands.at, count, attrs);
	if (loop)
		loop->measure = measure_in(c.body);
	return loop;
}

Node *loop_result(Build *b, Node *loop, int index)
{
	const Attr attr = attr_int("index", index);
	return build(b, "result", 1, &loop, 1, &attr);
}
