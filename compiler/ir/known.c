/* SPDX-License-Identifier: MIT */
/* Constants, evaluated: known.h. */
#include "ir/known.h"

#include "ir/op.h"

#include <math.h>
#include <string.h>

enum { DEEPEST = 12, MOST_OPERANDS = 3, MOST_ELEMENTS = 1 << 24 };

static bool is_known(const Node *n, int depth)
{
	const Op *op = n->op;
	const bool leaf = node_is_constant(n) || (n->operand_count == 0 && op->fold_at);
	const bool moves = op->flags & (OP_RESHAPES | OP_CONVERTS) || op->move == MOVE_BROADCAST ||
	                   op->move == MOVE_TRANSPOSE || op->move == MOVE_CONCAT;
	if (leaf)
		return true;
	if (depth == 0 || n->operand_count == 0 || n->operand_count > MOST_OPERANDS || (!moves && !op->fold))
		return false;
	for (int i = 0; i < n->operand_count; i++)
		if (!is_known(n->operands[i], depth - 1))
			return false;
	return true;
}

bool node_is_known(const Node *n)
{
	return is_known(n, DEEPEST);
}

/* How far apart elements of t are that are neighbours in each dimension of `over`; 0 where t is repeated. */
static void strides_in(Type t, Type over, int64_t *stride)
{
	int64_t step = 1;
	for (int i = over.rank - 1; i >= 0; i--) {
		const int k = i - (over.rank - t.rank);
		stride[i] = k < 0 || t.dim[k] == 1 ? 0 : step;
		step *= k < 0 ? 1 : t.dim[k];
	}
}

/* The elements of x at strides, in the order of t. */
static double *gathered(Arena *a, Type t, const double *x, const int64_t *stride)
{
	const int64_t count = type_elements(t);
	double *y = NEW_ARRAY(a, double, count);
	int64_t index[LIMIT_RANK] = {0}, at = 0;
	for (int64_t i = 0; i < count; i++) {
		y[i] = x[at];
		for (int k = t.rank - 1; k >= 0; k--) {
			at += stride[k];
			if (++index[k] < t.dim[k])
				break;
			at -= stride[k] * t.dim[k];
			index[k] = 0;
		}
	}
	return y;
}

static const double *evaluate(Arena *a, const Node *n);

static double *transposed(Arena *a, const Node *n, const double *x)
{
	int64_t of_operand[LIMIT_RANK], stride[LIMIT_RANK];
	int count;
	const int64_t *axes = node_ints(n, "axes", &count);
	strides_in(n->operands[0]->type, n->operands[0]->type, of_operand);
	for (int i = 0; i < count; i++)
		stride[i] = of_operand[axes[i]];
	return gathered(a, n->type, x, stride);
}

static double *folded(Arena *a, const Node *n)
{
	const int64_t count = type_elements(n->type);
	const double *x[MOST_OPERANDS] = {NULL};
	double *y = NEW_ARRAY(a, double, count);
	for (int i = 0; i < n->operand_count; i++) {
		int64_t stride[LIMIT_RANK];
		strides_in(n->operands[i]->type, n->type, stride);
		x[i] = gathered(a, n->type, evaluate(a, n->operands[i]), stride);
	}
	for (int64_t i = 0; i < count; i++)
		y[i] = n->op->fold(x[0][i], x[1] ? x[1][i] : 0, x[2] ? x[2][i] : 0);
	return y;
}

/* Rows of the operands in turn: a row is what stands from the axis on. */
static double *concatenated(Arena *a, const Node *n)
{
	const int axis = (int)node_int(n, "axis");
	const int64_t count = type_elements(n->type);
	double *y = NEW_ARRAY(a, double, count);
	int64_t row = 1, start = 0;
	for (int i = axis; i < n->type.rank; i++)
		row *= n->type.dim[i];
	for (int i = 0; i < n->operand_count; i++) {
		const double *x = evaluate(a, n->operands[i]);
		const int64_t of_operand = type_elements(n->operands[i]->type) * row / count;
		for (int64_t at = start; at < count; at += row, x += of_operand)
			memcpy(y + at, x, (size_t)of_operand * sizeof *y);
		start += of_operand;
	}
	return y;
}

/* Of what is known: so the depth is bounded. */
static const double *evaluate(Arena *a, const Node *n)
{
	const int64_t count = type_elements(n->type);
	if (n->operand_count == 0) {
		double *y = NEW_ARRAY(a, double, count);
		for (int64_t i = 0; i < count; i++)
			y[i] = node_is_constant(n) ? node_real(n, "value") : n->op->fold_at(n, i);
		return y;
	}
	if (n->op->fold)
		return folded(a, n);
	if (n->op->move == MOVE_CONCAT)
		return concatenated(a, n);
	const double *x = evaluate(a, n->operands[0]);
	if (n->op->move == MOVE_TRANSPOSE)
		return transposed(a, n, x);
	if (n->op->move == MOVE_BROADCAST) {
		int64_t stride[LIMIT_RANK];
		strides_in(n->operands[0]->type, n->type, stride);
		return gathered(a, n->type, x, stride);
	}
	double *y = NEW_ARRAY(a, double, count);
	for (int64_t i = 0; i < count; i++)
		y[i] = n->op->flags & OP_CONVERTS && !dtype_is_real(n->type.dtype) ? trunc(x[i]) : x[i];
	return y;
}

/* The elements of all that n is computed of. */
static int64_t elements_below(const Node *n, int depth)
{
	int64_t count = type_elements(n->type);
	for (int i = 0; i < n->operand_count && depth > 0 && count <= MOST_ELEMENTS; i++)
		count += elements_below(n->operands[i], depth - 1);
	return count;
}

const double *known_values(Arena *a, const Node *n)
{
	return node_is_known(n) && elements_below(n, DEEPEST) <= MOST_ELEMENTS ? evaluate(a, n) : NULL;
}
