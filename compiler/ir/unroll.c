/* SPDX-License-Identifier: MIT */
/* Loops as their periods one after the other. Each period of a body has copies of its nodes, and what is read of a
 * sequence is a slice of it. What is yielded is stacked with the periods first: they are computed one after the other,
 * all of the batch each, so that they lie in memory as a concat of them and nothing copies them there. What a loop
 * carries is one such stack, of which the states ahead of the periods are a part, and those after them. */
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
	Node ***ahead; /* by what is carried: the states ahead of the periods, by place; NULL: nobody reads them */
	Node **states; /* likewise: those and the last, stacked; NULL: not yet */
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
	r->ahead = NEW_ARRAY(a, Node **, l->carried);
	r->states = NEW_ARRAY(a, Node *, l->carried);
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

/* Which carried value the yield is, ahead of a period or after it; -1: none. */
static int state_of(const Loop *l, int yield, bool ahead)
{
	const Node *n = loop_yield(l, yield);
	for (int i = 0; i < l->carried; i++)
		if (ahead ? node_is_argument(n) && node_int(n, "index") == l->sequences + i
		          : n == loop_next(l, i))
			return i;
	return -1;
}

/* Notes that somebody reads the result, where it is one of states ahead of the periods. */
static void note_read(Results *r, const Node *result)
{
	const int yield = (int)node_int(result, "index") - r->loop.carried;
	const int state = yield < 0 ? -1 : state_of(&r->loop, yield, true);
	if (state >= 0)
		r->ahead[state] = r->yielded[yield];
}

/* The parts of periods, one after the other: their rows. */
static Node *side_by_side(Build *b, Node *const *parts, int64_t count)
{
	Node **rows = NEW_ARRAY(b->graph->arena, Node *, count);
	for (int64_t t = 0; t < count; t++)
		rows[t] = parts[t]->type.rank > 0 ? parts[t] : build_reshape(b, parts[t], 1, (int64_t[]){1});
	return build_concat(b, 0, (int)count, rows);
}

/* All states that a carried value has, by place: those ahead of the periods, and the last. */
static Node *states_of(Build *b, Results *r, int carried)
{
	const Loop *l = &r->loop;
	if (r->states[carried])
		return r->states[carried];
	Node **all = NEW_ARRAY(b->graph->arena, Node *, l->count + 1);
	memcpy(all + l->reverse, r->ahead[carried], (size_t)l->count * sizeof(Node *));
	all[l->reverse ? 0 : l->count] = r->carried[carried];
	return r->states[carried] = side_by_side(b, all, l->count + 1);
}

/* What is yielded, along the axis; the nodes are the result's. */
static Node *stack_of(Unroll *u, const Node *result, Results *r, int yield)
{
	const Loop *l = &r->loop;
	Node *const *parts = r->yielded[yield];
	Build b = {.graph = u->to, .sites = result->sites, .of = "stack"};
	const Type part = parts[0]->type;
	const int64_t axis = l->axis <= part.rank ? l->axis : part.rank,
	              rows = part.rank > 0 ? part.dim[0] : 1;
	const int ahead = state_of(l, yield, true), state = ahead >= 0 ? ahead : state_of(l, yield, false);
	int64_t axes[LIMIT_RANK], dim[LIMIT_RANK] = {l->count};
	Node *all;
	if (state >= 0 && r->ahead[state] && !u->once) {
		const bool later = (ahead >= 0) == l->reverse;
		all = build_slice(&b, states_of(&b, r, state), 0, later ? rows : 0, l->count * rows);
	} else {
		all = side_by_side(&b, parts, l->count);
	}
	memcpy(dim + 1, part.dim, (size_t)part.rank * sizeof *dim);
	all = build_reshape(&b, all, part.rank + 1, dim);
	for (int i = 0; i <= part.rank; i++)
		axes[i] = i < axis ? i + 1 : i == axis ? 0 : i;
	all = axis > 0 ? build_transpose(&b, all, axes) : all;
	node_called(all, "stack");
	all->name = result->name;
	all->row = result->row;
	return all;
}

static Node *result_of(Unroll *u, const Node *n, Results *r)
{
	const int64_t i = node_int(n, "index");
	return i < r->loop.carried ? r->carried[i] : stack_of(u, n, r, (int)(i - r->loop.carried));
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
		if (node_is_loop(n) && !(u->kept && !arguments && u->kept[i])) {
			results[i] = run_loop(u, n, operands, streams);
			for (int k = i + 1; k < from->count; k++)
				if (node_is_loop_result(from->nodes[k]) && from->nodes[k]->operands[0] == n)
					note_read(results[i], from->nodes[k]);
		} else if (node_is_argument(n) && arguments) /* else it is the whole that is a body */
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
