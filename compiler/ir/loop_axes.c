/* SPDX-License-Identifier: MIT */
/* Which elements of a loop's values never meet: see loop_kernel.h. Dimensions that go along each other are joined to
 * classes; what goes across a class takes its lanes. */
#include "ir/loop_kernel.h"

#include "ir/op.h"

#include <string.h>

bool loop_has_product(const Node *n)
{
	return n->op->gemm == GEMM_PRODUCT && n->type.rank == 2;
}

typedef struct Classes {
	const Loop *l;
	int *parent;  /* by node and dimension */
	bool *inside; /* by root: no lanes */
	const bool *leaves;
} Classes;

static int root_of(Classes *c, int i)
{
	while (c->parent[i] != i)
		i = c->parent[i] = c->parent[c->parent[i]];
	return i;
}

static int place(const Node *n, int dimension)
{
	return n->id * LIMIT_RANK + dimension;
}

static void join(Classes *c, const Node *x, int i, const Node *y, int k)
{
	if (x->type.dim[i] == 1 || y->type.dim[k] == 1)
		return;
	const int a = root_of(c, place(x, i)), b = root_of(c, place(y, k));
	c->inside[a] = c->inside[a] || c->inside[b];
	c->parent[b] = a;
}

static void keep_inside(Classes *c, const Node *x, int i)
{
	c->inside[root_of(c, place(x, i))] = true;
}

/* ---- by operator */

static void join_at_end(Classes *c, const Node *x, const Node *y)
{
	for (int i = x->type.rank - 1, k = y->type.rank - 1; i >= 0 && k >= 0; i--, k--)
		join(c, x, i, y, k);
}

static int past_ones(Type t, int i)
{
	while (i < t.rank && t.dim[i] == 1)
		i++;
	return i;
}

/* Dimensions that are the same in both are one; what is cut or joined has no lanes. */
static void join_reshape(Classes *c, const Node *x, const Node *y)
{
	const Type from = x->type, to = y->type;
	for (int i = past_ones(from, 0), k = past_ones(to, 0); i < from.rank && k < to.rank;) {
		const int i0 = i, k0 = k;
		int64_t a = from.dim[i++], b = to.dim[k++];
		if (a == b) {
			join(c, x, i0, y, k0);
		} else {
			while (a != b)
				if (a < b)
					a *= from.dim[i++];
				else
					b *= to.dim[k++];
			for (int d = i0; d < i; d++)
				keep_inside(c, x, d);
			for (int d = k0; d < k; d++)
				keep_inside(c, y, d);
		}
		i = past_ones(from, i);
		k = past_ones(to, k);
	}
}

static void join_but(Classes *c, const Node *x, const Node *y, int64_t axis)
{
	for (int i = 0; i < y->type.rank; i++)
		if (i != axis)
			join(c, x, i, y, i);
	keep_inside(c, x, (int)axis);
	keep_inside(c, y, (int)axis);
}

static void join_reduction(Classes *c, const Node *x, const Node *n)
{
	int count;
	const int64_t *axes = node_ints(n, "axes", &count);
	for (int i = 0; i < n->type.rank; i++)
		join(c, x, i, n, i);
	for (int i = 0; i < count && !c->leaves[n->id]; i++)
		keep_inside(c, x, (int)axes[i]);
}

/* A row of the result has lanes where no row is read with another; its columns follow from all of what is summed up. */
static void join_product(Classes *c, const Node *n)
{
	const Node *x = n->operands[0], *y = n->operands[1];
	const int depth = node_int(n, "ta") ? 0 : 1, from = node_int(n, "tb") ? 1 : 0;
	join(c, x, 1 - depth, n, 0);
	join(c, y, 1 - from, n, 1);
	join(c, x, depth, y, from);
	keep_inside(c, x, depth);
	keep_inside(c, y, from);
}

/* False: no kernel has such an operator in it. */
static bool join_node(Classes *c, const Node *n)
{
	const Node *x = n->operand_count > 0 ? n->operands[0] : NULL;
	int count;
	if (node_is_argument(n) || node_is_constant(n))
		return true;
	if (n->op->flags & OP_RESHAPES) {
		join_reshape(c, x, n);
		return true;
	}
	if (loop_has_product(n)) {
		join_product(c, n);
		return true;
	}
	switch (n->op->move) {
	case MOVE_TRANSPOSE:
		for (int i = 0; i < n->type.rank; i++)
			join(c, x, (int)node_ints(n, "axes", &count)[i], n, i);
		return true;
	case MOVE_SLICE:
	case MOVE_PAD:
	case MOVE_CONCAT:
		for (int i = 0; i < n->operand_count; i++)
			join_but(c, n->operands[i], n, node_int(n, "axis"));
		return true;
	case MOVE_BROADCAST:
		join_at_end(c, x, n);
		return true;
	case MOVE_NONE:
		break;
	}
	if (n->op->flags & OP_REDUCE) {
		join_reduction(c, x, n);
		return true;
	}
	if (!(n->op->flags & OP_POINTWISE) || (n->op->flags & (OP_SEEDED | OP_PLACED)) || n->op->place)
		return false;
	for (int i = 0; i < n->operand_count; i++)
		join_at_end(c, n->operands[i], n);
	return true;
}

/* ---- sums after the loop */

static const Node *argument_of(const Graph *body, int64_t index)
{
	for (int i = 0; i < body->count; i++)
		if (node_is_argument(body->nodes[i]) && node_int(body->nodes[i], "index") == index)
			return body->nodes[i];
	return NULL;
}

/* The one that reads n; NULL: an output does, or several nodes. */
static const Node *reader_of(const Graph *body, const int *uses, const Node *n)
{
	for (int i = n->id + 1; i < body->count && uses[n->id] == 1; i++)
		for (int k = 0; k < body->nodes[i]->operand_count; k++)
			if (body->nodes[i]->operands[k] == n)
				return body->nodes[i];
	return NULL;
}

int loop_sum_output(const Loop *l, const int *uses, const Node *sum)
{
	const Graph *body = l->body;
	const Node *n = sum, *reader;
	if (uses[n->id] != 1)
		return -1;
	while ((reader = reader_of(body, uses, n)) && (reader->op->flags & OP_RESHAPES) &&
	       uses[reader->id] == 1)
		n = reader;
	for (int i = l->carried; i < body->output_count && !reader; i++)
		if (body->outputs[i].node == n)
			return i;
	for (int i = 0; i < l->carried && reader && node_is(reader, "add"); i++) {
		const Node *carried = argument_of(body, l->sequences + i);
		if (body->outputs[i].node == reader && uses[reader->id] == 1 && carried &&
		    uses[carried->id] == 1 &&
		    (reader->operands[0] == carried || reader->operands[1] == carried) &&
		    type_equal(n->type, reader->type))
			return i;
	}
	return -1;
}

enum { FEW_TERMS = 64 };

/* A sum of few terms that a period yields stays: without it so many times as much would be stored. What is summed up
 * over the periods as well is carried, and stored once; and a sum over the batch would leave no lanes. */
static bool may_leave(const Loop *l, const int *uses, const Node *n)
{
	if (!(n->op->flags & OP_ADDS))
		return false;
	const int output = loop_sum_output(l, uses, n);
	const int64_t terms = type_elements(n->operands[0]->type) / type_elements(n->type);
	const bool of_batch = n->operands[0]->type.dim[0] != n->type.dim[0];
	return output >= 0 && (output < l->carried || of_batch || terms > FEW_TERMS);
}

/* ---- the whole */

static void join_carried(Classes *c)
{
	const Loop *l = c->l;
	for (int i = 0; i < l->carried; i++) {
		const Node *before = argument_of(l->body, l->sequences + i),
		           *after = l->body->outputs[i].node;
		for (int d = 0; before && d < after->type.rank; d++)
			join(c, before, d, after, d);
	}
}

/* What has two dimensions along one axis is a matrix of it with itself. */
static void keep_pairs_inside(Classes *c)
{
	const Graph *body = c->l->body;
	for (int i = 0; i < body->count; i++)
		for (int d = 0; d < body->nodes[i]->type.rank; d++)
			for (int k = 0; k < d; k++)
				if (root_of(c, place(body->nodes[i], d)) ==
				    root_of(c, place(body->nodes[i], k)))
					keep_inside(c, body->nodes[i], d);
}

static const Node *largest_output(const Loop *l)
{
	const Node *largest = NULL;
	const int count = l->carried > 0 ? l->carried : l->body->output_count;
	for (int i = 0; i < count; i++) {
		const Node *n = l->body->outputs[i].node;
		if (!largest || type_elements(n->type) > type_elements(largest->type))
			largest = n;
	}
	return largest;
}

static void number_axes(Classes *c, LoopAxes *x, Arena *a)
{
	const Graph *body = c->l->body;
	int *number = NEW_ARRAY(a, int, body->count *LIMIT_RANK);
	x->size = NEW_ARRAY(a, int64_t, body->count * LIMIT_RANK);
	x->has_lanes = NEW_ARRAY(a, bool, body->count *LIMIT_RANK);
	for (int i = 0; i < body->count; i++)
		for (int d = 0; d < body->nodes[i]->type.rank; d++) {
			const Node *n = body->nodes[i];
			int *of = &x->of[place(n, d)];
			*of = AXIS_OF_ONE;
			if (n->type.dim[d] == 1)
				continue;
			int *known = &number[root_of(c, place(n, d))];
			if (*known == 0)
				*known = ++x->count;
			*of = *known - 1;
			x->size[*of] = n->type.dim[d];
		}
}

static void find_lanes(Classes *c, LoopAxes *x)
{
	const Node *largest = x->largest = largest_output(c->l);
	for (int d = 0; d < largest->type.rank; d++) {
		const int axis = loop_axis(x, largest, d);
		if (axis != AXIS_OF_ONE && !c->inside[root_of(c, place(largest, d))])
			x->has_lanes[axis] = true;
	}
	x->lanes = 1;
	for (int i = 0; i < x->count; i++)
		x->lanes *= x->has_lanes[i] ? x->size[i] : 1;
}

int64_t loop_inside(const LoopAxes *x, const Node *n)
{
	int64_t elements = 1;
	for (int d = 0; d < n->type.rank; d++) {
		const int axis = loop_axis(x, n, d);
		elements *= axis == AXIS_OF_ONE || x->has_lanes[axis] ? 1 : n->type.dim[d];
	}
	return elements;
}

/* Sums that may leave the loop do where they go along an axis with lanes. */
static void find_leaving(const Loop *l, LoopAxes *x, const bool *leaving)
{
	for (int i = 0; i < l->body->count; i++) {
		const Node *n = l->body->nodes[i];
		int count = 0;
		const int64_t *axes = leaving[i] ? node_ints(n, "axes", &count) : NULL;
		for (int k = 0; k < count; k++) {
			const int axis = loop_axis(x, n->operands[0], (int)axes[k]);
			x->leaves[i] = x->leaves[i] || (axis != AXIS_OF_ONE && x->has_lanes[axis]);
		}
	}
}

/* What leaves no lane of its own is what the lanes' sums are taken of; all else counts. */
static void measure(const Loop *l, LoopAxes *x)
{
	for (int i = 0; i < l->body->count; i++) {
		const Node *n = l->body->nodes[i];
		const int64_t inside = loop_inside(x, n);
		x->most_inside = inside > x->most_inside ? inside : x->most_inside;
		x->same[i] = !node_is_argument(n) || node_int(n, "index") >= l->sequences + l->carried;
		for (int k = 0; k < n->operand_count; k++)
			x->same[i] = x->same[i] && x->same[n->operands[k]->id];
	}
	for (int i = 0; i < l->carried; i++)
		x->inside += loop_inside(x, l->body->outputs[i].node);
}

LoopAxes *loop_axes(Arena *a, const Loop *l, bool sums_leave, const char **why)
{
	const Graph *body = l->body;
	const int *uses = graph_use_counts(a, body);
	bool *leaving = NEW_ARRAY(a, bool, body->count);
	Classes c = {.l = l,
	             .parent = NEW_ARRAY(a, int, body->count *LIMIT_RANK),
	             .inside = NEW_ARRAY(a, bool, body->count *LIMIT_RANK),
	             .leaves = leaving};
	for (int i = 0; i < body->count * LIMIT_RANK; i++)
		c.parent[i] = i;
	for (int i = 0; i < body->count; i++) {
		const Node *n = body->nodes[i];
		leaving[i] = sums_leave && may_leave(l, uses, n);
		if (join_node(&c, n))
			continue;
		*why = arena_printf(a, "`%s` is computed in each period", n->op->name);
		return NULL;
	}
	join_carried(&c);
	keep_pairs_inside(&c);
	LoopAxes *x = NEW(a, LoopAxes);
	x->of = NEW_ARRAY(a, int, body->count *LIMIT_RANK);
	x->leaves = NEW_ARRAY(a, bool, body->count);
	x->same = NEW_ARRAY(a, bool, body->count);
	number_axes(&c, x, a);
	find_lanes(&c, x);
	find_leaving(l, x, leaving);
	measure(l, x);
	return x;
}
