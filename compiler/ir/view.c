/* SPDX-License-Identifier: MIT */
/* Views of operands: see view.h. */
#include "ir/view.h"

#include "ir/op.h"

bool node_moves(const Node *n)
{
	return n->op->move != MOVE_NONE || (n->op->flags & OP_RESHAPES);
}

View view_of(const Node *n, int operand)
{
	const bool reshapes = n->op->flags & OP_RESHAPES;
	const Type of = reshapes ? n->type : n->operands[operand]->type;
	int64_t own[LIMIT_RANK], step = 1;
	for (int d = of.rank - 1; d >= 0; step *= of.dim[d--])
		own[d] = step;
	View v = {.axis = -1};
	int count;
	const int64_t *axes = n->op->move == MOVE_TRANSPOSE ? node_ints(n, "axes", &count) : NULL;
	for (int d = n->type.rank - of.rank; d < n->type.rank; d++) {
		const int64_t k = axes ? axes[d] : d - (n->type.rank - of.rank);
		v.stride[d] = of.dim[k] == 1 && n->type.dim[d] > 1 ? 0 : own[k];
	}
	if (n->op->move == MOVE_SLICE)
		v.offset = node_int(n, "start") * v.stride[node_int(n, "axis")];
	if (n->op->move != MOVE_PAD && n->op->move != MOVE_CONCAT)
		return v;
	v.axis = (int)node_int(n, "axis");
	v.from = n->op->move == MOVE_PAD ? node_int(n, "before") : 0;
	for (int i = 0; i < operand; i++)
		v.from += n->operands[i]->type.dim[v.axis];
	v.end = v.from + of.dim[v.axis];
	v.offset = -v.from * v.stride[v.axis];
	return v;
}

void view_read(const Node *n, int operand, int64_t count, const double *x, double *y)
{
	const View v = view_of(n, operand);
	int64_t index[LIMIT_RANK] = {0}, at = v.offset;
	for (int64_t i = 0; i < count; i++) {
		if (v.axis < 0 || (index[v.axis] >= v.from && index[v.axis] < v.end))
			y[i] = x[at];
		for (int d = n->type.rank - 1; d >= 0; d--) {
			at += v.stride[d];
			if (++index[d] < n->type.dim[d])
				break;
			at -= v.stride[d] * n->type.dim[d];
			index[d] = 0;
		}
	}
}
