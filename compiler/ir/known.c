/* SPDX-License-Identifier: MIT */
/* Constants, evaluated: known.h. */
#include "ir/known.h"

#include "ir/op.h"
#include "ir/view.h"

#include <math.h>

enum { DEEPEST = 12, MOST_OPERANDS = 3, MOST_ELEMENTS = 1 << 24 };

static bool is_known(const Node *n, int depth)
{
	const Op *op = n->op;
	const bool leaf = node_is_constant(n) || (n->operand_count == 0 && op->fold_all);
	const bool moves = node_moves(n) || op->flags & OP_CONVERTS;
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

/* Of what is known: so the depth is bounded. */
static const double *evaluate(Arena *a, const Node *n)
{
	const Op *op = n->op;
	const int64_t count = type_elements(n->type);
	double *y = NEW_ARRAY(a, double, count);
	double *x[MOST_OPERANDS];
	for (int i = 0; i < n->operand_count; i++) {
		x[i] = op->move != MOVE_NONE || i == 0 ? y : NEW_ARRAY(a, double, count);
		view_read(n, i, count, evaluate(a, n->operands[i]), x[i]);
	}
	const double value = node_is_constant(n) ? node_real(n, "value") : 0;
	if (op->fold_all)
		op->fold_all(n, count, y);
	else if (n->operand_count == 0)
		for (int64_t i = 0; i < count; i++)
			y[i] = value;
	else if (op->fold)
		for (int64_t i = 0; i < count; i++)
			y[i] = op->fold(y[i], n->operand_count > 1 ? x[1][i] : 0,
			                n->operand_count > 2 ? x[2][i] : 0);
	else if (op->flags & OP_CONVERTS && !dtype_is_real(n->type.dtype))
		for (int64_t i = 0; i < count; i++)
			y[i] = trunc(y[i]);
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
