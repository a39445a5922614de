/* SPDX-License-Identifier: MIT */
/* Constant tensors of the language, and what makes several tensors of one: functions, since they take no tensor or give
 * a list. A constant has no batch: in the graph its first dimension is 1, like a learned tensor's (learned.c). */
#include "front/eval.h"

#include "base/checked.h"
#include "ops/compose.h"

enum { MOST_LISTED = 256 }; /* elements of a list as a tensor: each is a term of one formula */

static bool may_build(Elab *e, Loc loc)
{
	if (e->graph)
		return true;
	elab_error(e, loc, "no-graph", "tensors have no place in this expression");
	return false;
}

/* Appends the ints of v, an int or a tuple or list of them, as dimensions. */
static bool add_dims(Elab *e, const Argument *arg, const char *function, int64_t *dim, int *rank)
{
	Value v = arg->value;
	int count = value_is_sequence(v) ? v.count : 1;
	for (int i = 0; i < count; i++) {
		Value d = value_is_sequence(v) ? v.items[i] : v;
		if (d.kind != VALUE_INT || d.integer < 1) {
			elab_error(e, arg->loc, "argument-type",
			           "`%s` takes dimensions, ints of at least 1, not %s", function,
			           value_text(e->arena, v));
			return false;
		}
		if (*rank == LIMIT_RANK) {
			elab_error(e, arg->loc, "rank-limit", "a sample has at most %d dimensions",
			           LIMIT_RANK - 1);
			return false;
		}
		dim[(*rank)++] = d.integer;
	}
	return true;
}

/* A tensor of one value. */
static Value filled(Elab *e, Loc loc, int rank, const int64_t *dim, double value)
{
	Build *b = build_here(e, loc);
	Node *x = build_constant(b, value);
	return value_tensor(build_broadcast(b, x, rank, dim));
}

static Value filled_call(Elab *e, Loc loc, const Argument *args, int count, const char *name, double value)
{
	int64_t dim[LIMIT_RANK] = {1};
	int rank = 1;
	if (!may_build(e, loc))
		return value_error();
	for (int i = 0; i < count; i++)
		if (!add_dims(e, &args[i], name, dim, &rank))
			return value_error();
	return filled(e, loc, rank, dim, value);
}

Value run_zeros(Elab *e, Loc loc, const Argument *args, int count)
{
	return filled_call(e, loc, args, count, "zeros", 0);
}

Value run_ones(Elab *e, Loc loc, const Argument *args, int count)
{
	return filled_call(e, loc, args, count, "ones", 1);
}

Value run_full(Elab *e, Loc loc, const Argument *args, int count)
{
	if (!value_is_number(args[1].value))
		return elab_error(e, args[1].loc, "argument-type",
		                  "`full` takes a shape and a number, not %s",
		                  value_text(e->arena, args[1].value));
	return filled_call(e, loc, args, 1, "full", value_to_real(args[1].value));
}

/* As range(), but with real bounds too, and a tensor. */
Value run_arange(Elab *e, Loc loc, const Argument *args, int count)
{
	double given[3] = {0};
	if (!may_build(e, loc))
		return value_error();
	for (int i = 0; i < count; i++) {
		if (!value_is_number(args[i].value))
			return elab_error(e, args[i].loc, "argument-type", "`arange` takes numbers, not %s",
			                  value_text(e->arena, args[i].value));
		given[i] = value_to_real(args[i].value);
	}
	double from = count > 1 ? given[0] : 0, to = count > 1 ? given[1] : given[0],
	       by = count > 2 ? given[2] : 1;
	if (by == 0)
		return elab_error(e, args[2].loc, "division-by-zero", "the step of a range must not be 0");
	double length = (to - from) / by;
	if (!(length > 0 && length < 0x1p48))
		return elab_error(e, loc, "number-range",
		                  "this range has no elements, or too many for a tensor");
	int64_t whole = (int64_t)length, dim[] = {1, whole + ((double)whole < length)};
	return value_tensor(build_ramp(build_here(e, loc), 2, dim, from, by));
}

static Value square_call(Elab *e, Loc loc, const Argument *arg, const char *function, const char *op)
{
	Value v = arg->value;
	if (v.kind != VALUE_INT || v.integer < 1 || v.integer > INT32_MAX)
		return elab_error(e, arg->loc, "argument-type",
		                  "`%s` takes its rows, an int of at least 1, not %s", function,
		                  value_text(e->arena, v));
	if (!may_build(e, loc))
		return value_error();
	int64_t dim[] = {1, v.integer, v.integer};
	Attr attrs[] = {attr_int("n", v.integer), attr_ints("shape", dim, 3)};
	return value_tensor(build(build_here(e, loc), op, 0, NULL, 2, attrs));
}

Value run_eye(Elab *e, Loc loc, const Argument *args, int count)
{
	return square_call(e, loc, args, "eye", "diagonal");
}

Value run_causal_mask(Elab *e, Loc loc, const Argument *args, int count)
{
	return square_call(e, loc, args, "causal_mask", "lower_triangle");
}

/* ---- a list as a tensor: [[1, 2], [3, 4]] is [2, 2] */

typedef struct Listed {
	double values[MOST_LISTED];
	int count;
	int64_t dim[LIMIT_RANK];
	int rank;
} Listed;

/* Whether v is a tensor of the dimensions from `axis` on, which the first element of each list sets. */
static bool read_list(Elab *e, const Argument *arg, Value v, int axis, Listed *l)
{
	if (value_is_number(v) && axis == l->rank && l->count < MOST_LISTED) {
		l->values[l->count++] = value_to_real(v);
		return true;
	}
	bool first = l->count == 0 && axis == l->rank && axis < LIMIT_RANK;
	if (!value_is_sequence(v) || v.count == 0 ||
	    (!first && (axis >= l->rank || l->dim[axis] != v.count))) {
		if (l->count == MOST_LISTED)
			elab_error(e, arg->loc, "list-limit", "a list as a tensor has at most %d numbers",
			           MOST_LISTED);
		else
			elab_error(e, arg->loc, "argument-type",
			           "`tensor` takes numbers, or lists of lists of one length, not %s",
			           value_text(e->arena, arg->value));
		return false;
	}
	if (first)
		l->dim[l->rank++] = v.count;
	for (int i = 0; i < v.count; i++) /* as deep as values are nested, which is limited */
		if (!read_list(e, arg, v.items[i], axis + 1, l))
			return false;
	return true;
}

Value run_tensor(Elab *e, Loc loc, const Argument *args, int count)
{
	Listed l = {.dim = {1}, .rank = 1};
	if (!may_build(e, loc) || !read_list(e, args, args->value, 1, &l))
		return value_error();
	Build *b = build_here(e, loc);
	Node *index = build_ramp(b, l.rank, l.dim, 0, 1);
	Node *y = build_constant(b, l.values[l.count - 1]);
	if (l.count == 1)
		return filled(e, loc, l.rank, l.dim, l.values[0]);
	for (int i = l.count - 2; i >= 0; i--) {
		Node *here = build2(b, "eq", index, build_constant(b, i));
		y = build3(b, "select", here, build_constant(b, l.values[i]), y);
	}
	return value_tensor(y);
}

/* ---- split(x, 3), split(x, [2, 5]), split(x, 3, axis): a list of slices */

static bool split_sizes(Elab *e, const Argument *arg, int64_t whole, int64_t **sizes, int *count)
{
	Value v = arg->value;
	int64_t all = 0;
	bool valid = v.kind == VALUE_INT ? v.integer >= 1 && v.integer <= LIMIT_LIST && whole % v.integer == 0
	                                 : value_is_sequence(v) && v.count > 0;
	*count = v.kind == VALUE_INT ? (int)v.integer : v.count;
	*sizes = valid ? NEW_ARRAY(e->arena, int64_t, *count) : NULL;
	for (int i = 0; valid && i < *count; i++) {
		bool given = v.kind != VALUE_INT;
		valid = !given || (v.items[i].kind == VALUE_INT && v.items[i].integer >= 1);
		(*sizes)[i] = !valid ? 0 : given ? v.items[i].integer : whole / v.integer;
		valid = valid && checked_add(all, (*sizes)[i], &all);
	}
	if (valid && all == whole)
		return true;
	elab_error(e, arg->loc, "split-sizes",
	           "`split` takes a number of equal parts, or sizes that sum up to the axis: %lld is not %s",
	           (long long)whole, value_text(e->arena, v));
	return false;
}

Value run_split(Elab *e, Loc loc, const Argument *args, int count)
{
	Value x = args->value;
	if (x.kind != VALUE_TENSOR)
		return elab_error(e, args->loc, "argument-type", "`split` takes a tensor apart, not %s",
		                  value_text(e->arena, x));
	int axes = x.node->type.rank - 1;
	int64_t axis = count > 2 && args[2].value.kind == VALUE_INT ? args[2].value.integer : -1;
	if ((count > 2 && args[2].value.kind != VALUE_INT) || axis < -axes || axis >= axes)
		return elab_error(e, count > 2 ? args[2].loc : loc, "axis-range",
		                  "`split` has no such axis to work along: a sample has %d", axes);
	axis = axis < 0 ? axis + axes + 1 : axis + 1;
	int64_t *sizes, start = 0;
	int parts;
	if (!split_sizes(e, &args[1], x.node->type.dim[axis], &sizes, &parts) || !elab_charge(e, loc, parts))
		return value_error();
	Value *items = NEW_ARRAY(e->arena, Value, parts);
	Build *b = build_here(e, loc);
	for (int i = 0; i < parts; i++) {
		items[i] = value_tensor(build_slice(b, x.node, axis, start, sizes[i]));
		if (value_is_error(items[i]))
			return value_error();
		start += sizes[i];
	}
	return value_sequence(VALUE_LIST, items, parts);
}
