/* SPDX-License-Identifier: MIT */
/* Pieces that several families are written with: compose.h. */
#include "ops/compose.h"

#include <math.h>
#include <string.h>

/* ---- checks shared by all families */

/* In the front end all but parameters and constants have the batch as dimension 0. */
static bool has_batch(const Infer *in, int i)
{
	const Node *x = in->operands[i];
	return in->graph->diag && x->type.rank > 0 &&
	       (!node_is_leaf(x) || node_is_input(x) || node_is_argument(x));
}

static Type sample_type(Type t)
{
	Type sample = {.dtype = t.dtype, .rank = t.rank - 1};
	memcpy(sample.dim, t.dim + 1, (size_t)sample.rank * sizeof *t.dim);
	return sample;
}

const Node *declared_input(const Node *x)
{
	const Node *made = x->op->flags & OP_CONVERTS ? x->operands[0] : x;
	return node_is_input(made) ? made : NULL;
}

int64_t declared_classes(const Node *x)
{
	const Node *input = declared_input(x);
	const Attr *classes = input ? node_attr(input, "classes") : NULL;
	return classes ? classes->i : 0;
}

/* An input as it is declared: bytes are reals only where they are computed with, and classes are integers inside. */
char *operand_text(const Infer *in, int i)
{
	const Node *x = in->operands[i], *input = declared_input(x);
	Type t = input ? input->type : x->type;
	if (declared_classes(x) > 0)
		return arena_printf(in->graph->arena, "class[%lld]", (long long)declared_classes(x));
	return type_text(in->graph->arena, has_batch(in, i) ? sample_type(t) : t);
}

char *sample_shape(Arena *a, Type t)
{
	return shape_text(a, t.rank > 0 ? sample_type(t) : t);
}

char *user_shape(const Infer *in, Type t)
{
	return shape_text(in->graph->arena, has_batch(in, 0) ? sample_type(t) : t);
}

int64_t user_elements(const Infer *in, Type t)
{
	return has_batch(in, 0) ? type_elements(sample_type(t)) : type_elements(t);
}

int64_t user_axis(const Infer *in, int64_t axis)
{
	return has_batch(in, 0) ? axis - 1 : axis;
}

static const char *operand_name(const Infer *in, int i)
{
	return op_operand_name(in->graph->arena, in->op, i);
}

bool infer_real(Infer *in, int i)
{
	Type t = in->operands[i]->type;
	if (dtype_is_real(t.dtype))
		return true;
	infer_error(in, "dtype-mismatch", "`%s` computes with real numbers, and its `%s` is %s", in->op->name,
	            operand_name(in, i), operand_text(in, i));
	infer_note_operand(in, i);
	return false;
}

bool infer_integer(Infer *in, int i)
{
	Type t = in->operands[i]->type;
	if (t.dtype == DTYPE_I32 || t.dtype == DTYPE_U8)
		return true;
	infer_error(in, "dtype-mismatch", "`%s` needs class indices or positions as `%s`, and it is %s",
	            in->op->name, operand_name(in, i), operand_text(in, i));
	infer_note_operand(in, i);
	return false;
}

bool infer_same_dtype(Infer *in, int i, int k)
{
	DType x = in->operands[i]->type.dtype, y = in->operands[k]->type.dtype;
	if (x == y)
		return true;
	infer_error(in, "dtype-mismatch",
	            "`%s` needs one element type, and `%s` is of %s where `%s` is of %s", in->op->name,
	            operand_name(in, i), dtype_name(x), operand_name(in, k), dtype_name(y));
	infer_note_operand(in, i);
	infer_note_operand(in, k);
	return false;
}

bool infer_mixed(Infer *in, DType *result)
{
	int narrow = 0;
	for (int i = 0; i < in->operand_count; i++) {
		if (!infer_real(in, i))
			return false;
		if (dtype_is_half(in->operands[i]->type.dtype))
			narrow = i;
	}
	*result = in->operands[narrow]->type.dtype;
	for (int i = 0; i < in->operand_count; i++) {
		bool wider = dtype_is_half(*result) && in->operands[i]->type.dtype == DTYPE_F32;
		if (!wider && !infer_same_dtype(in, narrow, i))
			return false;
	}
	return true;
}

bool infer_stated_shape(Infer *in)
{
	int rank;
	const int64_t *dim = infer_ints(in, "shape", &rank);
	return infer_result(in, DTYPE_F32, rank, dim);
}

bool infer_axis(Infer *in, const char *name, int64_t *axis)
{
	*axis = infer_int(in, name);
	int rank = in->operands[0]->type.rank;
	if (*axis >= 0 && *axis < rank)
		return true;
	infer_error(in, "axis-range", "`%s` has no dimension %lld to work along", in->op->name,
	            (long long)user_axis(in, *axis));
	infer_note_operand(in, 0);
	return false;
}

bool infer_like(Infer *in, int i)
{
	in->result = in->operands[i]->type;
	return true;
}

/* ---- nodes */

Node *compose(Build *b, const char *formula, const Term *terms)
{
	const char *names[COMPOSE_TERMS];
	Node *values[COMPOSE_TERMS];
	int count = 0;
	for (; terms[count].name; count++) {
		require(count < COMPOSE_TERMS);
		names[count] = terms[count].name;
		values[count] = terms[count].value;
	}
	return build_formula(b, formula, count, names, values);
}

Node *build_batch(Build *b, Node *x)
{
	int64_t dim[LIMIT_RANK], batch = b->graph->batch;
	if (!x || x->type.rank == 0 || x->type.dim[0] == batch)
		return x;
	for (int i = 0; i < x->type.rank; i++)
		dim[i] = i ? x->type.dim[i] : batch;
	return build_broadcast(b, x, x->type.rank, dim);
}

Node *build_repeated(Build *b, Node *x, int64_t times)
{
	if (!x || times == 1)
		return x;
	const int rank = x->type.rank;
	int64_t dim[LIMIT_RANK + 1] = {1};
	memcpy(dim + 1, x->type.dim, (size_t)rank * sizeof *dim);
	Node *y = build_reshape(b, x, rank + 1, dim);
	dim[0] = times;
	y = build_broadcast(b, y, rank + 1, dim);
	dim[1] *= times;
	return build_reshape(b, y, rank, dim + 1);
}

Node *call_weight(Call *c, int rank, const int64_t *dim)
{
	Build *b = call_build(c);
	Node *w = call_tensor(c, "weight");
	if (!w)
		return NULL;
	/* as asked for, perhaps larger than a tensor can be: it is only compared and shown */
	Type t = w->type, wanted = {.dtype = t.dtype, .rank = rank};
	memcpy(wanted.dim, dim, (size_t)rank * sizeof *dim);
	bool fits = t.rank == rank + 1 && t.dim[0] == 1;
	for (int i = 0; i < rank && fits; i++)
		fits = t.dim[i + 1] == dim[i];
	if (!fits) {
		call_error(c, "weight", "shape-mismatch", "this weight must be %s, and is %s",
		           shape_text(b->graph->arena, wanted), sample_shape(b->graph->arena, t));
		if (t.rank == rank + 1 && t.dim[0] != 1)
			diag_help(b->graph->diag,
			          "it is a `param`, one for all samples, and this is one for each");
		return NULL;
	}
	if (call_given(c, "init"))
		return call_error(c, "init", "bad-argument",
		                  "a weight that is given starts as its `param` says");
	return build_reshape(b, w, rank, dim);
}

Node *build_cast(Build *b, Node *x, DType to)
{
	if (!x || x->type.dtype == to)
		return x;
	Attr attr = attr_text("to", dtype_name(to));
	return build(b, "cast", 1, &x, 1, &attr);
}

Node *reduce_axis(Build *b, const char *op, Node *x, int64_t axis)
{
	return x ? build_reduce(b, op, x, &axis, 1) : NULL;
}

Node *reduce_last(Build *b, const char *op, Node *x)
{
	return x ? reduce_axis(b, op, x, x->type.rank - 1) : NULL;
}

Node *reduce_mean(Build *b, Node *x, const int64_t *axes, int count)
{
	if (!x)
		return NULL;
	double elements = 1;
	for (int i = 0; i < count; i++)
		elements *= (double)x->type.dim[axes[i]];
	Node *all = build_constant(b, elements);
	return build2(b, "div", build_reduce(b, "sum", x, axes, count), all);
}

Node *mean_per_sample(Build *b, Node *x)
{
	int64_t axes[LIMIT_RANK];
	if (!x || x->type.rank <= 1)
		return x;
	for (int i = 1; i < x->type.rank; i++)
		axes[i - 1] = i;
	Node *mean = reduce_mean(b, x, axes, x->type.rank - 1);
	return mean ? build_reshape(b, mean, 1, x->type.dim) : NULL;
}

Node *one_hot(Build *b, Node *x, int64_t classes)
{
	Type t = x->type;
	t.dim[t.rank] = 1;
	Node *column = build_reshape(b, x, t.rank + 1, t.dim);
	const Attr attr = attr_int("classes", classes);
	return column ? build(b, "one_hot", 1, &column, 1, &attr) : NULL;
}

Node *reshape_like(Build *b, Node *x, Type like)
{
	return !x || type_equal(x->type, like) ? x : build_reshape(b, x, like.rank, like.dim);
}

Node *drop_last(Build *b, Node *x)
{
	return x ? build_reshape(b, x, x->type.rank - 1, x->type.dim) : NULL;
}

Node *call_along(Call *c, const char *op)
{
	Node *x = call_tensor(c, "x");
	int64_t axis;
	if (!x || !call_axis(c, "axis", call_int(c, "axis"), x->type.rank, &axis))
		return NULL;
	return build_along(call_build(c), op, x, axis);
}

Node *call_with_bias(Call *c, Node *y, int64_t fan_in)
{
	if (!y || !call_bool(c, "bias"))
		return y;
	const bool standard = !call_given(c, "init");
	Node *bias = call_param(c, "bias", 1, &y->type.dim[y->type.rank - 1],
	                        standard ? INIT_UNIFORM : INIT_CONSTANT,
	                        standard ? 1 / sqrt((double)fan_in) : 0, false);
	Node *z = build2(call_build(c), "add", y, bias);
	if (z)
		z->of = "bias";
	return z;
}

bool call_axis(Call *c, const char *name, int64_t given, int rank, int64_t *axis)
{
	int64_t axes = rank - 1; /* that the user sees */
	if (given >= -axes && given < axes) {
		*axis = given < 0 ? rank + given : given + 1;
		return true;
	}
	if (axes <= 0)
		call_error(c, name, "axis-range", "the tensor is one number per sample and has no axis %lld",
		           (long long)given);
	else
		call_error(c, name, "axis-range",
		           "there is no axis %lld: a sample has the axes 0 to %lld, or -1 to -%lld from the "
		           "last",
		           (long long)given, (long long)axes - 1, (long long)axes);
	return false;
}
