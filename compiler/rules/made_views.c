/* SPDX-License-Identifier: MIT */
/* What rules make of views: make_NAME is `-> @NAME(...)`. */
#include "ir/op.h"
#include "ir/view.h"
#include "ops/compose.h"
#include "rules/rules.h"

#include <string.h>

RuleMaker make_slice_of_reshape, make_turned_ones, make_reshaped_steps, make_reshaped_sum, make_mean_of_image,
        make_same_order, make_step_at_slice, make_part_of_place;

enum {
	DEEPEST = 6,     /* steps between two reshapes */
	FEWEST_STEPS = 8 /* products by one matrix: a recurrence, as epilogues has it */
};

/* The dimension of `from` that `axis` of its reshape `to` is the first of, followed by those that it was split into,
 * `*inner` elements all together; -1: it is not the first part of one. */
static int split_dimension(Type from, Type to, int axis, int64_t *inner)
{
	const int64_t ahead = type_product(to, 0, axis), most = type_elements(from);
	int i = 0;
	int64_t before = 1;
	while (i < from.rank && before < ahead)
		before *= from.dim[i++];
	while (i < from.rank && from.dim[i] == 1 && to.dim[axis] > 1)
		i++;
	if (i == from.rank || before != ahead || from.dim[i] % to.dim[axis] != 0 || most == 0)
		return -1;
	*inner = from.dim[i] / to.dim[axis];
	int64_t parts = 1;
	for (int k = axis + 1; k < to.rank && parts < *inner; k++)
		parts *= to.dim[k];
	return parts == *inner ? i : -1;
}

/* A part of a dimension that a reshape had split is a run of indices of that. */
Node *make_slice_of_reshape(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Node *whole = n->operands[0], *from = node_unshaped(whole);
	int64_t inner;
	const int axis = split_dimension(from->type, whole->type, (int)x[1].attr->i, &inner);
	if (axis < 0 || from->type.dim[axis] == whole->type.dim[x[1].attr->i])
		return NULL;
	Node *y = build_slice(b, r->now[from->id], axis, node_int(n, "start") * inner,
	                      node_int(n, "count") * inner);
	return build_reshape(b, y, n->type.rank, n->type.dim);
}

/* A part of a tensor that has one index in some dimensions, which are turned and left out then: they are left out ahead
 * of that. */
Node *make_turned_ones(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Type t = x[0].node->type;
	const int64_t *axes = x[1].attr->ints;
	int64_t dim[LIMIT_RANK], order[LIMIT_RANK];
	int rank = 0, place[LIMIT_RANK];
	for (int i = 0; i < t.rank; i++) {
		place[i] = rank;
		if (t.dim[i] > 1)
			dim[rank++] = t.dim[i];
	}
	int count = 0;
	for (int i = 0; i < t.rank; i++)
		if (t.dim[axes[i]] > 1)
			order[count++] = place[axes[i]];
	if (rank == t.rank || rank > n->type.rank || node_unshaped(x[0].node)->op->move != MOVE_SLICE)
		return NULL;
	Node *y = build_transpose(b, build_reshape(b, x[0].made, rank, dim), order);
	return build_reshape(b, y, n->type.rank, n->type.dim);
}

/* ---- what is computed between two reshapes */

/* Whether it cuts columns, or puts them side by side. */
static bool is_of_columns(const Node *n)
{
	return (n->op->move == MOVE_SLICE || n->op->move == MOVE_CONCAT) &&
	       node_int(n, "axis") == n->type.rank - 1;
}

static bool is_row_softmax(const Node *n)
{
	return node_is(n, "softmax") && node_int(n, "axis") == n->type.rank - 1;
}

static bool is_step(const Node *n)
{
	return n->op->by_channel || is_of_columns(n) || is_row_softmax(n) || node_is_by_element(n);
}

/* Whether x has the columns of y, and y's other dimensions. */
static bool has_rows_of(Type x, Type y)
{
	y.dim[y.rank - 1] = x.rank == y.rank ? x.dim[x.rank - 1] : 0;
	return shape_equal(x, y);
}

/* Without dimensions of 1. */
static Type squeezed(Type t)
{
	int rank = 0;
	for (int i = 0; i < t.rank; i++)
		if (t.dim[i] != 1)
			t.dim[rank++] = t.dim[i];
	t.rank = rank;
	return t;
}

static Node *in_shape(const Rules *r, Build *b, const Node *x, const Type *as, int depth);

/* The operand y of x, for x in the shape `as`; NULL: it is not to be had. */
static Node *operand_in_shape(const Rules *r, Build *b, const Node *x, const Node *y, const Type *as,
                              int depth)
{
	int64_t dim[LIMIT_RANK];
	if (is_of_columns(x) ? has_rows_of(y->type, x->type) : shape_equal(y->type, x->type)) {
		Type wide = *as;
		wide.dim[as->rank - 1] =
		        is_of_columns(x) ? y->type.dim[y->type.rank - 1] : as->dim[as->rank - 1];
		return in_shape(r, b, y, &wide, depth - 1);
	}
	const bool same_places = shape_equal(squeezed(*as), squeezed(x->type)); /* not worth a reshape */
	if (is_of_columns(x) || y->type.rank > x->type.rank || (same_places && y->type.rank > 0) ||
	    !shape_beside(y->type, x->type, *as, dim))
		return NULL;
	return y->type.rank <= 1 ? r->now[y->id] : build_reshape(b, r->now[y->id], as->rank, dim);
}

/* What x is, computed in the shape `as` of what reshapes ahead of some steps are of; NULL: it is not that. Steps are
 * pointwise, of each channel by itself, or of each row. */
static Node *in_shape(const Rules *r, Build *b, const Node *x, const Type *as, int depth)
{
	if (x->op->flags & OP_RESHAPES)
		return shape_equal(x->operands[0]->type, *as) ? r->now[x->operands[0]->id] : NULL;
	const bool by_element = !x->op->by_channel && !is_of_columns(x) && !is_row_softmax(x);
	const bool same_places = shape_equal(squeezed(*as), squeezed(x->type)); /* not worth a reshape */
	if (depth == 0 || !is_step(x) || r->uses[x->id] > 1 || (same_places && is_of_columns(x)) ||
	    as->rank == 0 || x->type.rank == 0 ||
	    (!by_element && as->dim[as->rank - 1] != x->type.dim[x->type.rank - 1]))
		return NULL;
	Node **operands = NEW_ARRAY(b->graph->arena, Node *, x->operand_count);
	bool any = is_of_columns(x);
	for (int i = 0; i < x->operand_count; i++) {
		operands[i] = operand_in_shape(r, b, x, x->operands[i], as, depth);
		if (!operands[i])
			return NULL;
		any = any || shape_equal(x->operands[i]->type, x->type);
	}
	if (!any)
		return NULL;
	if (x->op->by_channel || by_element)
		return build(b, x->op->name, x->operand_count, operands, x->attr_count, x->attrs);
	const Node like = {.attrs = x->attrs, .attr_count = x->attr_count};
	int count;
	const Attr *attrs = node_attrs_with(b->graph->arena, &like, attr_int("axis", as->rank - 1), &count);
	return build(b, x->op->name, x->operand_count, operands, count, attrs);
}

/* Whether x is shares of scores whose keys are the same for several heads of queries, in dimensions of their own. */
static bool is_of_groups(const Node *x)
{
	const Node *n = node_unshaped(x);
	while (n->op->gemm != GEMM_PRODUCT && n->operand_count > 0) {
		const Node *next = NULL;
		for (int i = 0; i < n->operand_count && !next; i++)
			next = type_elements(n->operands[i]->type) == type_elements(n->type) ? n->operands[i]
			                                                                     : NULL;
		if (!next)
			return false;
		n = node_unshaped(next);
	}
	const Node *keys = n->op->gemm == GEMM_PRODUCT ? node_unshaped(n->operands[1]) : n;
	if (keys->op->move == MOVE_TRANSPOSE)
		keys = node_unshaped(keys->operands[0]);
	return keys->op->move == MOVE_BROADCAST;
}

/* Where steps lost dimensions for a while, as places of an image that are in a row; and of those shares. */
Node *make_reshaped_steps(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Node *y = x[0].node;
	const bool of_groups = is_row_softmax(y) && is_of_groups(y);
	if (!is_step(y) ||
	    (!of_groups && (is_row_softmax(y) || squeezed(n->type).rank < squeezed(y->type).rank)))
		return NULL;
	return in_shape(r, b, y, &n->type, DEEPEST);
}

/* A sum over all of the dimensions that a reshape joined: over those it is of. */
Node *make_reshaped_sum(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Node *seen = x[0].node, *of = seen->operands[0];
	int64_t dim[LIMIT_RANK], axes[LIMIT_RANK];
	int count = 0;
	if (squeezed(of->type).rank <= squeezed(seen->type).rank ||
	    !shape_beside(n->type, seen->type, of->type, dim))
		return NULL;
	for (int i = 0; i < of->type.rank; i++)
		if (dim[i] == 1 && of->type.dim[i] > 1)
			axes[count++] = i;
	if (count == 0)
		return NULL;
	Node *y = build_reduce(b, "sum", r->now[of->id], axes, count);
	return build_reshape(b, y, n->type.rank, n->type.dim);
}

/* The mean over one window that is all of the image. */
Node *make_mean_of_image(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Type t = x[0].node->type;
	int count;
	const int64_t *pad = node_ints(n, "pad", &count), *size = node_ints(n, "size", &count);
	for (int i = 0; i < 2; i++)
		if (size[i] != t.dim[1 + i] || pad[i] != 0 || pad[i + 2] != 0)
			return NULL;
	Node *sum = build_reduce(b, "sum", x[0].made, (int64_t[]){1, 2}, 2);
	return build2(b, "mul", sum, build_constant(b, 1 / (double)(size[0] * size[1])));
}

/* ---- steps that slices alone read */

static bool overlap(const Node *x, const Node *y)
{
	const int64_t a = node_int(x, "start"), b = node_int(y, "start");
	return a < b + node_int(y, "count") && b < a + node_int(x, "count");
}

/* A slice along the axis that is no kernel of its own. */
static bool is_read_in_kernels(const Rules *r, const Node *slice, int64_t axis)
{
	bool is = slice->op->move == MOVE_SLICE && node_int(slice, "axis") == axis;
	const NodeList *users = &r->users[slice->id];
	for (int i = 0; i < users->count; i++)
		is = is && node_is_by_element(users->at[i]);
	return is && r->uses[slice->id] == users->count; /* it is no output */
}

/* Whether disjoint slices along the axis are all that reads n. */
static bool is_cut_apart(const Rules *r, const Node *n, int64_t axis)
{
	const NodeList *users = &r->users[n->id];
	bool is = users->count > 1 && r->uses[n->id] == users->count;
	for (int i = 0; i < users->count && is; i++) {
		is = is_read_in_kernels(r, users->at[i], axis);
		for (int k = 0; k < i && is; k++)
			is = !overlap(users->at[i], users->at[k]);
	}
	return is;
}

/* Whether a library's call can have n, its bias or activation, with it. */
static bool goes_with_call(const Rules *r, const Node *n)
{
	for (int i = 0; i < n->operand_count; i++) {
		const Node *x = node_unshaped(n->operands[i]);
		const NodeList *products = x->op->gemm ? &r->users[x->operands[1]->id] : NULL;
		int alike = 0;
		for (int k = 0; products && k < products->count; k++)
			alike += products->at[k]->op == x->op;
		if (products && alike < FEWEST_STEPS)
			return true;
	}
	return false;
}

Node *make_step_at_slice(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Node *step = x[0].node;
	const int64_t axis = x[1].attr->i;
	if (!node_is_by_element(step) || !is_cut_apart(r, step, axis) || goes_with_call(r, step))
		return NULL;
	Node **operands = NEW_ARRAY(b->graph->arena, Node *, step->operand_count);
	for (int i = 0; i < step->operand_count; i++) {
		operands[i] = r->now[step->operands[i]->id];
		const int64_t along = axis - step->type.rank + operands[i]->type.rank;
		if (along >= 0 && operands[i]->type.dim[along] > 1)
			operands[i] = build_slice(b, operands[i], along, node_int(n, "start"),
			                          node_int(n, "count"));
	}
	Node *y = graph_node(b->graph, step->op, operands, step->operand_count, step->attrs, step->attr_count,
	                     step->sites, NULL);
	y->of = step->of;
	y->called = step->called;
	y->is_gradient = step->is_gradient;
	return y;
}

/* Of what one index of a tensor became without that dimension, the step of a sequence, a part of so many whole ones:
 * the two as one index, where each is so many parts. All steps then have one function, which is given where the index
 * begins. */
Node *make_part_of_place(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Node *place = x[0].node, *whole = place->operands[0];
	const Type t = whole->type, seen = n->operands[0]->type;
	const int64_t axis = x[1].attr->i, start = node_int(n, "start"), count = node_int(n, "count");
	bool fits = place->type.dim[axis] == 1 && seen.rank == t.rank - 1 && start % count == 0 &&
	            t.dim[axis + 1] % count == 0;
	for (int i = 0; i < seen.rank && fits; i++)
		fits = seen.dim[i] == t.dim[i < axis ? i : i + 1];
	if (!fits)
		return NULL;
	const int64_t each = t.dim[axis + 1] / count;
	int64_t parts[LIMIT_RANK];
	memcpy(parts, t.dim, sizeof parts);
	parts[axis] *= each;
	parts[axis + 1] = count;
	Node *all = build_reshape(b, r->now[whole->id], t.rank, parts);
	Node *part = build_slice(b, all, axis, node_int(place, "start") * each + start / count, 1);
	return build_reshape(b, part, n->type.rank, n->type.dim);
}

/* ---- what moves nothing */

/* A transposition that leaves the order of all dimensions of more than 1 moves no element. */
Node *make_same_order(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	int64_t last = -1;
	for (int i = 0; i < n->type.rank; i++) {
		const int64_t axis = x[1].attr->ints[i];
		if (n->type.dim[i] > 1 && axis < last)
			return NULL;
		last = n->type.dim[i] > 1 ? axis : last;
	}
	return build_reshape(b, (Node *)x[0].node, n->type.rank, n->type.dim);
}

/* The sum or maximum of one element is the element: in 16 bits as the f32 that a reduction gives. */
MAKER(as_it_is,
      shape_equal(x[0].node->type, n->type) ? build_cast(b, (Node *)x[0].node, n->type.dtype) : NULL);
