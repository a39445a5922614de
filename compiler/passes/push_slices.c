/* SPDX-License-Identifier: MIT */
/* Computes what slices alone read at each slice.
 *
 * The gates of a recurrent layer are cut out of one sum. Its kernel has the loops of all gates, that of the gates those
 * of one, so that the sum was a kernel of its own, stored and read again at each step:
 *
 *     %2 = add(%0, %1) : f32[64,1024]                      %2 = slice(%0) {axis=1, start=0, count=256}
 *     %3 = slice(%2) {axis=1, start=0, count=256}    ->    %3 = add(%2, slice(%1) {axis=0, start=0, count=256})
 *     %4 = sigmoid(%3)                                     %4 = sigmoid(%3)
 *
 * Only where no two slices have an element in common: then nothing is computed twice. Of a product's bias not, which
 * goes with the product's call (epilogues); but those of a recurrence have none.
 *
 * For the CUDA target: on the CPU products have their own kernels after them. Must run after simplify and cse, and
 * before fuse. */
#include "base/map.h"
#include "ops/compose.h"
#include "ir/op.h"
#include "passes/pass.h"

#include <string.h>

enum {
	FEWEST_STEPS = 8, /* products by one matrix: a recurrence, as epilogues has it */
	DEEPEST = 16,     /* steps ahead of a slice that are computed at it */
	NONE = -1,
};

typedef struct Cuts {
	NodeList *users;
	bool *is_output;
	int *axis;  /* by node id: along which it is computed slice by slice; NONE */
	int *depth; /* by node id: of those, steps between it and what is sliced */
	const Node
	        *params;  /* the flat tensor, which comes after what reads parameters; NULL: there is none */
	Node *params_now; /* in the new graph, once a range of it is read */
	Map *ranges;      /* of it in the new graph, by what they are: all steps of a recurrence read one */
} Cuts;

static bool is_elementwise(const Node *n)
{
	if (!(n->op->flags & OP_POINTWISE) || n->op->move || n->op->place || n->op->flags & OP_SEEDED ||
	    n->operand_count == 0)
		return false;
	for (int i = 0; i < n->attr_count; i++)
		if (n->attrs[i].kind == ATTR_INTS)
			return false;
	return true;
}

/* A slice that is no kernel of its own. */
static bool is_read_in_kernels(const Cuts *c, const Node *slice)
{
	const NodeList *users = &c->users[slice->id];
	bool in_kernels = !c->is_output[slice->id];
	for (int i = 0; i < users->count; i++)
		in_kernels = in_kernels && is_elementwise(users->at[i]);
	return in_kernels;
}

static bool overlap(const Node *x, const Node *y)
{
	const int64_t a = node_int(x, "start"), b = node_int(y, "start");
	return a < b + node_int(y, "count") && b < a + node_int(x, "count");
}

/* The axis along which disjoint slices of n are all that reads it; NONE. */
static int axis_of_cuts(const Cuts *c, const Node *n)
{
	const NodeList *users = &c->users[n->id];
	if (users->count < 2)
		return NONE;
	for (int i = 0; i < users->count; i++) {
		const Node *slice = users->at[i];
		if (slice->op->move != MOVE_SLICE || !is_read_in_kernels(c, slice) ||
		    node_int(slice, "axis") != node_int(users->at[0], "axis"))
			return NONE;
		for (int k = 0; k < i; k++)
			if (overlap(slice, users->at[k]))
				return NONE;
	}
	return (int)node_int(users->at[0], "axis");
}

/* Whether a library's call can have n, its bias or activation, with it. */
static bool goes_with_call(const Cuts *c, const Node *n)
{
	for (int i = 0; i < n->operand_count; i++) {
		const Node *x = node_unshaped(n->operands[i]);
		if (!x->op->gemm)
			continue;
		int alike = 0;
		const NodeList *products = &c->users[x->operands[1]->id];
		for (int k = 0; k < products->count; k++)
			alike += products->at[k]->op == x->op;
		if (alike < FEWEST_STEPS)
			return true;
	}
	return false;
}

static void find_cuts(Cuts *c, const Graph *g)
{
	for (int i = g->count - 1; i >= 0; i--) {
		const Node *n = g->nodes[i];
		const NodeList *users = &c->users[i];
		c->axis[i] = NONE;
		if (!is_elementwise(n) || c->is_output[i] || n->type.rank == 0)
			continue;
		const int axis = axis_of_cuts(c, n);
		if (axis != NONE && !goes_with_call(c, n))
			c->axis[i] = axis;
		else if (users->count == 1 && shape_equal(users->at[0]->type, n->type) &&
		         c->depth[users->at[0]->id] + 1 < DEEPEST) {
			c->axis[i] = c->axis[users->at[0]->id];
			c->depth[i] = c->depth[users->at[0]->id] + 1;
		}
	}
}

/* A slice of what one place along the axis ahead of `axis` became by a reshape without that, the step of a sequence:
 * the two as one slice of one place, where each place is so many whole parts of `count`. All steps then have one
 * function, which is given where the place begins. NULL: it is no such slice. */
static Node *cut_of_step(Build *b, Node *step, int axis, int64_t start, int64_t count)
{
	if (!(step->op->flags & OP_RESHAPES) || step->operands[0]->op->move != MOVE_SLICE)
		return NULL;
	const Node *slice = step->operands[0];
	Node *whole = slice->operands[0];
	const Type t = whole->type;
	if (node_int(slice, "axis") != axis || slice->type.dim[axis] != 1 || step->type.rank != t.rank - 1 ||
	    start % count != 0 || t.dim[axis + 1] % count != 0)
		return NULL;
	int64_t parts[LIMIT_RANK], dim[LIMIT_RANK];
	for (int i = 0; i < t.rank; i++)
		parts[i] = t.dim[i];
	for (int i = 0; i < step->type.rank; i++) {
		dim[i] = step->type.dim[i];
		if (dim[i] != t.dim[i < axis ? i : i + 1])
			return NULL;
	}
	const int64_t each = t.dim[axis + 1] / count;
	parts[axis] *= each;
	parts[axis + 1] = dim[axis] = count;
	Node *part = build_slice(b, build_reshape(b, whole, t.rank, parts), axis,
	                         node_int(slice, "start") * each + start / count, 1);
	return build_reshape(b, part, step->type.rank, dim);
}

/* Of a parameter without other dimensions, a bias, the same range of the flat tensor; NULL: it is none. */
static Node *cut_of_parameter(Cuts *c, Build *b, const Node *x, int axis, int64_t start, int64_t count)
{
	if (!c->params || !node_is_flat(x) || type_elements(x->type) != x->type.dim[axis])
		return NULL;
	const Node *flat = c->params;
	Arena *a = b->graph->arena;
	const int64_t first = node_int(x, "offset") + start;
	const char *key =
	        arena_printf(a, "%lld %lld %d %d", (long long)first, (long long)count, axis, x->type.rank);
	Node *range = map_get(c->ranges, key);
	int64_t dim[LIMIT_RANK];
	for (int i = 0; i < x->type.rank; i++)
		dim[i] = i == axis ? count : 1;
	if (range)
		return range;
	if (!c->params_now) /* it may have come first: tables side by side are a range of it, too */
		c->params_now = graph_find_leaf(b->graph, flat->op->name, node_text(flat, "name"));
	if (!c->params_now)
		c->params_now = graph_leaf(b->graph, flat->op->name, flat->type, flat->attrs,
		                           flat->attr_count, flat->sites);
	range = build_part(b, c->params_now, first, x->type.rank, dim);
	map_set(c->ranges, key, range);
	return range;
}

static Node *cut(Cuts *c, Build *b, Node *x, int axis, int64_t start, int64_t count)
{
	Node *y = cut_of_step(b, x, axis, start, count);
	if (!y)
		y = cut_of_parameter(c, b, x, axis, start, count);
	return y ? y : build_slice(b, x, axis, start, count);
}

/* `now`, what `n` has become, at the slice; dimensions of 1 are repeated along the axis. */
static Node *at_slice(Cuts *c, Build *b, const Node *slice, int axis, const Node *n, Node *now)
{
	const int64_t start = node_int(slice, "start"), count = node_int(slice, "count");
	if (axis < 0 || now->type.dim[axis] == 1)
		return now;
	if (c->axis[n->id] == NONE)
		return cut(c, b, now, axis, start, count);
	Node **operands = NEW_ARRAY(b->graph->arena, Node *, n->operand_count);
	for (int i = 0; i < n->operand_count; i++)
		operands[i] = at_slice(c, b, slice, axis - n->type.rank + n->operands[i]->type.rank,
		                       n->operands[i], now->operands[i]);
	Node *cut = graph_node(b->graph, n->op, operands, n->operand_count, now->attrs, now->attr_count,
	                       n->sites, NULL);
	cut->of = n->of;
	cut->called = n->called;
	cut->is_gradient = n->is_gradient;
	return cut;
}

static Node *push_slices_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	Cuts *c = data;
	if (n == c->params)
		return c->params_now;
	if (n->op->move != MOVE_SLICE)
		return NULL;
	Build b = build_beside(to, n);
	const int axis = (int)node_int(n, "axis");
	if (c->axis[n->operands[0]->id] != axis)
		return cut_of_step(&b, operands[0], axis, node_int(n, "start"), node_int(n, "count"));
	return at_slice(c, &b, n, axis, n->operands[0], operands[0]);
}

Graph *pass_push_slices(PassContext *ctx, const Graph *g)
{
	Arena *scratch = arena_new();
	Cuts c = {.users = graph_users(scratch, g),
	          .is_output = NEW_ARRAY(scratch, bool, g->count),
	          .axis = NEW_ARRAY(scratch, int, g->count),
	          .depth = NEW_ARRAY(scratch, int, g->count),
	          .ranges = map_new(scratch)};
	for (int i = 0; i < g->output_count; i++)
		c.is_output[g->outputs[i].node->id] = true;
	for (int i = 0; i < g->count; i++)
		if (node_is_state(g->nodes[i]) && strcmp(node_text(g->nodes[i], "name"), "params") == 0)
			c.params = g->nodes[i];
	find_cuts(&c, g);
	Graph *to = graph_rewrite(ctx->arena, g, push_slices_rule, &c);
	arena_free(scratch);
	return to;
}
