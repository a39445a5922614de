/* SPDX-License-Identifier: MIT */
/* What rules make of norms and sums: make_NAME is `-> @NAME(...)`. */
#include "ir/op.h"
#include "ir/recipe.h"
#include "ops/compose.h"
#include "rules/rules.h"
#include "target/target.h"

#include <string.h>

RuleMaker make_sum_of_sums, make_sum_by_rows, make_standard_groups, make_turned_groups,
        make_statistic_of_pieces, make_first_in_memory, make_from_first;

Node *make_sum_of_sums(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	int64_t axes[2 * LIMIT_RANK];
	int count = 0;
	for (int k = 1; k <= 2; k++)
		for (int i = 0; i < x[k].attr->count; i++) {
			for (int j = 0; j < count; j++)
				if (axes[j] == x[k].attr->ints[i])
					return NULL;
			axes[count++] = x[k].attr->ints[i];
		}
	return build2(b, "mul", build_reduce(b, "sum", x[0].made, axes, count),
	              build_constant(b, x[3].number));
}

/* The sum over rows, and then over the other axes. */
Node *make_sum_by_rows(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Attr *axes = x[1].attr;
	const int64_t last = x[0].node->type.rank - 1;
	if (axes->count < 2 || axes->ints[axes->count - 1] != last)
		return NULL;
	return build_reduce(b, "sum", build_reduce(b, "sum", x[0].made, &last, 1), axes->ints,
	                    axes->count - 1);
}

static Node *vector_of(Build *b, double value, int64_t channels)
{
	return build_broadcast(b, build_constant(b, value), 1, &channels);
}

/* Whether the axes are all but the batch and the last but one, of groups. */
static bool are_groups(const Attr *axes, int rank)
{
	bool are = axes->count == rank - 2;
	for (int i = 0; are && i < axes->count; i++)
		are = axes->ints[i] == (i == axes->count - 1 ? rank - 1 : i + 1);
	return are;
}

/* The places and neighbouring channels of groups [batch, .., groups, channels of a group], less their mean and with a
 * variance of 1. */
Node *make_standard_groups(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Type t = x[0].node->type;
	const int last = t.rank - 1;
	const Attr *axes = x[1].attr, epsilon = attr_real("epsilon", x[2].number);
	const Node *whole = node_unshaped(x[0].node);
	const Type flat = whole->type;
	if (t.rank < 3 || !are_groups(axes, t.rank) || whole == x[0].node || flat.rank < 3 ||
	    flat.dim[0] != t.dim[0] || flat.dim[flat.rank - 1] != t.dim[last] * t.dim[last - 1])
		return NULL;
	const int64_t channels = flat.dim[flat.rank - 1];
	const Attr attrs[] = {attr_int("groups", t.dim[last - 1]), epsilon};
	Node *of[] = {r->now[whole->id], vector_of(b, 1, channels), vector_of(b, 0, channels)};
	Node *y = build_reshape(b, build(b, "groupnorm", 3, of, 2, attrs), t.rank, t.dim);
	return x[3].made ? build2(b, "mul", y, x[3].made) : y;
}

/* What x is the exchange of dimensions 1 and 2 of, [batch, p, q, channels]; NULL: it is none. */
static const Node *exchanged(const Node *x)
{
	return x->type.rank == 4 && node_exchanges(x, 1, 2) ? x->operands[0] : NULL;
}

/* Groups [batch, places, groups, channels of a group] that are turned ahead of the places, normalised as rows, and
 * turned back. */
Node *make_turned_groups(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Node *back = exchanged(n), *rows = back ? node_unshaped(back) : NULL;
	if (!rows || rows != x[0].node)
		return NULL;
	const Node *turned = node_unshaped(rows->operands[0]), *groups = exchanged(turned);
	const Type t = n->type, row = rows->type;
	if (!groups || !shape_equal(turned->type, back->type) || !shape_equal(groups->type, t) ||
	    row.rank != 3 || row.dim[0] != t.dim[0] || row.dim[1] != t.dim[2])
		return NULL;
	const Attr axes = attr_ints("axes", (int64_t[]){1, 3}, 2);
	const RuleArgument of[4] = {{.node = groups, .made = r->now[groups->id]},
	                            {.attr = &axes},
	                            {.number = node_real(rows, "epsilon")}};
	return make_standard_groups(r, b, n, of);
}

/* The norm y with x as its operand i, which has a number for each channel; NULL: it has others. */
static Node *with_operand(const Rules *r, Build *b, const Node *y, int i, const RuleArgument *x)
{
	const Type t = x->node->type;
	const int64_t channels = y->type.dim[y->type.rank - 1];
	if (t.rank < 1 || t.dim[t.rank - 1] != channels || type_elements(t) != channels)
		return NULL;
	Node *of[3];
	for (int k = 0; k < 3; k++)
		of[k] = k == i ? build_reshape(b, x->made, 1, &channels) : r->now[y->operands[k]->id];
	return build(b, y->op->name, 3, of, y->attr_count, y->attrs);
}

MAKER(with_weight, with_operand(r, b, x[0].node, 1, &x[1]));
MAKER(with_bias, with_operand(r, b, x[0].node, 2, &x[1]));

/* ---- statistics of what is put side by side */

static bool is_of_channels(const Node *concat)
{
	return concat->op->move == MOVE_CONCAT && node_int(concat, "axis") == concat->type.rank - 1;
}

/* What asks the statistic of x; NULL: nothing does. */
static const Node *asked_by(const Rules *r, const Node *x, const Op *statistic)
{
	for (int i = 0; i < r->users[x->id].count; i++)
		if (r->users[x->id].at[i]->op == statistic)
			return r->users[x->id].at[i];
	return NULL;
}

/* How often the statistic is asked of x, as of a piece too. */
static int times_asked(const Rules *r, const Node *x, const Op *statistic)
{
	int times = asked_by(r, x, statistic) != NULL;
	for (int i = 0; i < r->users[x->id].count; i++) {
		const Node *user = r->users[x->id].at[i];
		times += is_of_channels(user) && asked_by(r, user, statistic);
	}
	return times;
}

/* Mean and variance of a concat's channels are those of its pieces, side by side: a DenseNet's layer normalises all
 * features that were before it, and the layer before has asked the same of all but the newest, which need not be read
 * again. So it is where such pieces are large (Target.pieces_from), more than stays on chip between its sums and what
 * is computed from these: the others' sums become a kernel of their own. */
Node *make_statistic_of_pieces(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Node *whole = x[0].node;
	const DType stored = dtype_of_precision(r->recipe ? r->recipe->precision : NULL);
	int64_t bytes = 0;
	for (int i = 0; i < whole->operand_count; i++)
		bytes += times_asked(r, whole->operands[i], n->op) > 1
		                 ? type_elements(whole->operands[i]->type) * dtype_bytes(stored)
		                 : 0;
	if (!is_of_channels(whole) || r->target->pieces_from == 0 || bytes < r->target->pieces_from)
		return NULL;
	Node **pieces = NEW_ARRAY(b->graph->arena, Node *, whole->operand_count);
	for (int i = 0; i < whole->operand_count; i++) {
		const Node *asked = asked_by(r, whole->operands[i], n->op);
		pieces[i] = asked ? r->now[asked->id] : NULL;
		if (!pieces[i]) /* it comes later, and is merged with this one */
			pieces[i] = build1(b, n->op->name, r->now[whole->operands[i]->id]);
	}
	return build_concat(b, n->type.rank - 1, whole->operand_count, pieces);
}

/* ---- the first places of a batchnorm's sums */

/* What is stored of x, which is f32 of 16 bits. */
static const Node *stored(const Node *x)
{
	return x->op->flags & OP_CONVERTS && dtype_is_half(x->operands[0]->type.dtype) ? x->operands[0] : x;
}

/* The first element of each channel of x in memory, in f32 or wider, in the shape `like`. */
static Node *first_elements(Build *b, Node *x, Type like)
{
	const int64_t channels = x->type.dim[x->type.rank - 1];
	int64_t dim[LIMIT_RANK];
	for (int i = 0; i < like.rank; i++)
		dim[i] = i == like.rank - 1 ? channels : 1;
	Node *y = build_part(b, (Node *)node_unshaped(x), 0, like.rank, dim);
	y->name = "first_place";
	if (type_elements(like) > channels)
		y = build_broadcast(b, y, like.rank, like.dim);
	return dtype_is_half(y->type.dtype) ? build_cast(b, y, DTYPE_F32) : y;
}

MAKER(first_in_memory,
      node_called(build_cast(b, first_elements(b, r->now[stored(x[0].node)->id], n->type), n->type.dtype),
                  "first"));

/* In the shape of x, where it takes a cast, which is in the loops of the sums then and no kernel by itself. */
Node *make_from_first(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Node *of = stored(x[1].node);
	if (!dtype_is_half(of->type.dtype) || !shape_equal(of->type, n->type))
		return NULL;
	return build2(b, "sub", x[0].made, first_elements(b, r->now[of->id], of->type));
}
