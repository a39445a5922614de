/* SPDX-License-Identifier: MIT */
/* Loops as their periods one after the other. Each period of a body has copies of its nodes; what is read of a
 * sequence is a slice of it, and what is yielded is stacked by a concat. */
#include "ir/loop.h"

#include "ir/op.h"

#include <string.h>

typedef struct Unroll {
	Graph *to;
	bool once;        /* all periods are the first one's nodes */
	const bool *kept; /* by node of the whole graph: a loop that stays one; NULL: none does */
} Unroll;

/* What became of a loop: its results, of which what is yielded is not stacked before somebody reads it. */
typedef struct Results {
	Loop loop;
	Node **carried;
	Node ***yielded; /* by yield and place */
} Results;

/* The nodes of `from`, in order, as nodes of `u->to`: by id. Streams are so many further on. */
static Node **copy_nodes(Unroll *u, const Graph *from, Node *const *arguments, int64_t streams);

/* The part of a sequence at a place, as the argument says. */
static Node *part_at(Unroll *u, const Node *argument, const Loop *l, Node *sequence, int64_t place)
{
	Build b = {.graph = u->to, .sites = argument->sites};
	Node *x = build_slice(&b, sequence, l->axis, place, 1);
	const Type part = loop_part(l, sequence->type);
	x = build_reshape(&b, x, part.rank, part.dim);
	if (!x->name)
		x->name = argument->name;
	return x;
}

/* By index; NULL: the body has no such argument. */
static const Node **arguments_of(Arena *a, const Loop *l, int operands)
{
	const Node **found = NEW_ARRAY(a, const Node *, operands);
	for (int i = 0; i < l->body->count; i++)
		if (node_is_argument(l->body->nodes[i]))
			found[node_int(l->body->nodes[i], "index")] = l->body->nodes[i];
	return found;
}

static void run_period(Unroll *u, const Node *const *argument, Node **given, Results *r,
                       Node *const *sequences, int64_t place, int64_t streams)
{
	const Loop *l = &r->loop;
	for (int i = 0; i < l->sequences; i++)
		if (argument[i])
			given[i] = part_at(u, argument[i], l, sequences[i], place);
	Node *const *now = copy_nodes(u, l->body, given, streams);
	for (int i = 0; i < l->carried; i++)
		r->carried[i] = now[loop_next(l, i)->id];
	for (int i = 0; i < l->yields; i++)
		r->yielded[i][place] = now[loop_yield(l, i)->id];
}

static Results *run_loop(Unroll *u, const Node *n, Node *const *operands, int64_t streams)
{
	Arena *a = u->to->arena;
	Results *r = NEW(a, Results);
	*r = (Results){.loop = loop_of(n)};
	const Loop *l = &r->loop;
	const Node **argument = arguments_of(a, l, n->operand_count);
	Node **given = arena_copy(a, operands, (size_t)n->operand_count * sizeof *given);
	r->carried = NEW_ARRAY(a, Node *, l->carried);
	r->yielded = NEW_ARRAY(a, Node **, l->yields);
	for (int i = 0; i < l->yields; i++)
		r->yielded[i] = NEW_ARRAY(a, Node *, l->count);
	const int64_t own = graph_streams(l->body);
	const int first = u->to->count;
	const int64_t periods = u->once ? 1 : l->count;
	for (int64_t i = 0, made = 0; i < periods; i++) {
		if (i > 0)
			graph_repeats(u->to, (int)made);
		run_period(u, argument, given, r, operands, period_place(l, i), streams + i * own);
		memcpy(given + l->sequences, r->carried, (size_t)l->carried * sizeof *given);
		made = i == 0 ? u->to->count - first : made;
	}
	for (int i = 0; i < l->yields && u->once; i++)
		for (int64_t t = 0; t < l->count; t++)
			r->yielded[i][t] = r->yielded[i][period_place(l, 0)];
	return r;
}

/* What is yielded, along the axis; the nodes are the result's. */
static Node *stack_of(Unroll *u, const Node *result, const Loop *l, Node *const *parts)
{
	Arena *a = u->to->arena;
	Build b = {.graph = u->to, .sites = result->sites, .of = "stack"};
	const int rank = parts[0]->type.rank;
	Type one = loop_stacked(l, parts[0]->type);
	const int64_t axis = l->axis <= rank ? l->axis : rank;
	one.dim[axis] = 1;
	Node **slices = NEW_ARRAY(a, Node *, l->count);
	for (int64_t t = 0; t < l->count; t++) {
		const bool same = t > 0 && parts[t] == parts[t - 1];
		slices[t] = same ? slices[t - 1] : build_reshape(&b, parts[t], one.rank, one.dim);
	}
	Node *all = build_concat(&b, axis, (int)l->count, slices);
	node_called(all, "stack");
	all->name = result->name;
	all->row = result->row;
	return all;
}

static Node *result_of(Unroll *u, const Node *n, const Results *r)
{
	const int64_t i = node_int(n, "index");
	return i < r->loop.carried ? r->carried[i]
	                           : stack_of(u, n, &r->loop, r->yielded[i - r->loop.carried]);
}

/* A copy that draws other random numbers. */
static Node *copy_node(Unroll *u, const Node *n, Node *const *operands, int64_t streams)
{
	Node *copy = graph_copy_node(u->to, n, operands);
	if (streams == 0 || !node_attr(n, "stream"))
		return copy;
	Attr *attrs = arena_copy(u->to->arena, n->attrs, (size_t)n->attr_count * sizeof *attrs);
	for (int i = 0; i < n->attr_count; i++)
		if (strcmp(attrs[i].name, "stream") == 0)
			attrs[i].i += streams;
	copy->attrs = attrs;
	return copy;
}

static Node **copy_nodes(Unroll *u, const Graph *from, Node *const *arguments, int64_t streams)
{
	Arena *a = u->to->arena, *scratch = arena_new();
	Node **now = NEW_ARRAY(a, Node *, from->count);
	Results **results = NEW_ARRAY(scratch, Results *, from->count);
	for (int i = 0; i < from->count; i++) {
		const Node *n = from->nodes[i];
		Node **operands = NEW_ARRAY(scratch, Node *, n->operand_count);
		for (int k = 0; k < n->operand_count; k++)
			operands[k] = now[n->operands[k]->id];
		if (node_is_loop(n) && !(u->kept && !arguments && u->kept[i]))
			results[i] = run_loop(u, n, operands, streams);
		else if (node_is_argument(n) && arguments) /* else it is the whole that is a body */
			now[i] = arguments[node_int(n, "index")];
		else if (n->operand_count == 1 && results[n->operands[0]->id])
			now[i] = result_of(u, n, results[n->operands[0]->id]);
		else
			now[i] = copy_node(u, n, operands, streams);
	}
	arena_free(scratch);
	return now;
}

static const Graph *unrolled(Arena *a, const Graph *g, bool once, const bool *kept)
{
	bool any = false;
	for (int i = 0; i < g->count && !any; i++)
		any = node_is_loop(g->nodes[i]) && !(kept && kept[i]);
	if (!any)
		return g;
	Unroll u = {.to = graph_like(a, g), .once = once, .kept = kept};
	Node **now = copy_nodes(&u, g, NULL, 0);
	graph_copy_outputs(u.to, g, now);
	return u.to;
}

const Graph *graph_unrolled(Arena *a, const Graph *g)
{
	return unrolled(a, g, false, NULL);
}

const Graph *graph_unrolled_but(Arena *a, const Graph *g, const bool *kept)
{
	return unrolled(a, g, false, kept);
}

const Graph *graph_of_one_period(Arena *a, const Graph *g)
{
	return unrolled(a, g, true, NULL);
}
