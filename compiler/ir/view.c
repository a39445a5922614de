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

/* Dimensions that two shapes of the same elements have in common: those up to from[i] of one and to[i] of the other are
 * the same product, group by group. The last one is a group of its own where both have the same. Returns how many. */
static int common_groups(Type one, Type other, int from[], int to[])
{
	int count = 0, i = 0, k = 0;
	const bool same_last =
	        one.rank > 0 && other.rank > 0 && one.dim[one.rank - 1] == other.dim[other.rank - 1];
	const int end = one.rank - same_last, other_end = other.rank - same_last;
	while (i < end || k < other_end) {
		int64_t x = i < end ? one.dim[i++] : 1, y = k < other_end ? other.dim[k++] : 1;
		while (x != y && (x < y ? i < end : k < other_end))
			*(x < y ? &x : &y) *= x < y ? one.dim[i++] : other.dim[k++];
		while (i < end && one.dim[i] == 1)
			i++;
		while (k < other_end && other.dim[k] == 1)
			k++;
		from[count] = i, to[count++] = k;
	}
	if (same_last)
		from[count] = one.rank, to[count++] = other.rank;
	return count;
}

bool shape_beside(Type x, Type wide, Type as, int64_t dim[])
{
	int from[2 * LIMIT_RANK], to[2 * LIMIT_RANK];
	const int count = common_groups(wide, as, from, to), lead = wide.rank - x.rank;
	for (int g = 0, i = 0, k = 0; g < count; g++) {
		bool all = true, none = true;
		for (; i < from[g]; i++) {
			const int64_t extent = i < lead ? 1 : x.dim[i - lead];
			all = all && extent == wide.dim[i];
			none = none && extent == 1;
		}
		if (!all && !none)
			return false;
		for (; k < to[g]; k++)
			dim[k] = all ? as.dim[k] : 1;
	}
	return true;
}
