/* SPDX-License-Identifier: MIT */
/* Heads put side by side, ahead of what is computed of each element; and what is computed of parts of a head, part by
 * part.
 *
 * A network turns [n, heads, d] into [heads, n, d], and perhaps rotates queries and keys by their places then;
 * attention reads [n, heads, d]. What is pointwise, a normalisation or a sum along the last dimension, and what cuts
 * that or puts parts of it together, is the same of the operands turned; a tensor that has one head, or is the same for
 * all places, is turned by a reshape; and of a transposition the two cancel.
 *
 * Rotary positions are x*c + concat(-b, a)*s, a and b being the halves of x (Su and others: RoFormer, 2021): the concat
 * copies ahead of what reads it. Of each half by itself it is pointwise, a*c - b*s and b*c + a*s; these are put side by
 * side last, where each is computed in its place. */
#include "passes/attention_turn.h"

#include "ir/op.h"
#include "ops/compose.h"

#include <string.h>

enum { DEEPEST = 12 /* steps */ };

/* `made`, or one of the nodes shortly ahead of it that is the same: what is reached twice is turned or cut once, so
 * that its gradient is one, too. */
static Node *once(Build *b, Node *made)
{
	enum { NEAR = 256 };
	const Graph *g = b->graph;
	for (int i = made->id > NEAR ? made->id - NEAR : 0; i < made->id; i++)
		if (nodes_same_value(g->nodes[i], made))
			return g->nodes[i];
	return made;
}

/* Turning exchanges the third dimension from the end and the second. */
static int turned_axis(Type t, int axis)
{
	return axis == t.rank - 3 ? t.rank - 2 : axis == t.rank - 2 ? t.rank - 3 : axis;
}

static Type turned_type(Type t)
{
	Type to = t;
	for (int i = 0; i < t.rank; i++)
		to.dim[i] = t.dim[turned_axis(t, i)];
	return to;
}

/* The transposition that makes x, whose operand is x turned; NULL. */
static const Node *turned_before(const Node *x)
{
	const Node *made = node_unshaped(x);
	const int rank = made->type.rank;
	return shape_equal(made->type, x->type) && node_exchanges(made, rank - 3, rank - 2) ? made : NULL;
}

/* Whether it cuts its operand along an axis, puts operands together, or zeros around one. */
static bool is_along_axis(const Node *n)
{
	return n->op->move == MOVE_SLICE || n->op->move == MOVE_CONCAT || n->op->move == MOVE_PAD;
}

/* Whether the operator's value turned is its value of turned operands. */
static bool goes_along(const Node *n)
{
	int count;
	if (n->op->flags & OP_REDUCE)
		return node_ints(n, "axes", &count)[0] == n->type.rank - 1 && count == 1;
	return is_along_axis(n) || node_is_by_element(n) || n->op->flags & OP_BY_ROW;
}

/* x, of four dimensions or more, or of the last alone, turned without moving anything; NULL: that can't be. */
static Node *turn(Build *b, Node *x, int depth)
{
	const int rank = x->type.rank;
	if (rank <= 1)
		return x;
	if (rank < 4 || depth > DEEPEST)
		return NULL;
	const Type to = turned_type(x->type);
	const Node *before = turned_before(x);
	if (before || x->type.dim[rank - 3] == 1 || x->type.dim[rank - 2] == 1)
		return once(b, build_reshape(b, before ? before->operands[0] : x, rank, to.dim));
	if (!goes_along(x))
		return NULL;
	Node **operands = NEW_ARRAY(b->graph->arena, Node *, x->operand_count);
	for (int i = 0; i < x->operand_count; i++) {
		operands[i] = turn(b, x->operands[i], depth + 1);
		if (!operands[i])
			return NULL;
	}
	Attr *attrs = NEW_ARRAY(b->graph->arena, Attr, x->attr_count);
	for (int i = 0; i < x->attr_count; i++) {
		attrs[i] = x->attrs[i];
		if (is_along_axis(x) && strcmp(attrs[i].name, "axis") == 0)
			attrs[i].i = turned_axis(x->type, (int)attrs[i].i);
	}
	Node *y = once(b, build(b, x->op->name, x->operand_count, operands, x->attr_count, attrs));
	y->name = x->name;
	y->sites = x->sites;
	return y;
}

/* ---- parts */

/* Whether n is a reshape of rows that stay as they are. */
static bool keeps_columns(const Node *n)
{
	const Type *of = n->operand_count > 0 ? &n->operands[0]->type : NULL;
	return (n->op->flags & OP_RESHAPES) && n->type.rank > 0 && of->rank > 0 &&
	       of->dim[of->rank - 1] == n->type.dim[n->type.rank - 1];
}

/* The first concat along the last dimension that x is made of, element by element; NULL. */
static const Node *find_parts(const Node *x, int depth)
{
	if (x->op->move == MOVE_CONCAT)
		return node_int(x, "axis") == x->type.rank - 1 ? x : NULL;
	const Node *found = NULL;
	for (int i = 0; i < x->operand_count && depth < DEEPEST && !found && node_is_by_element(x); i++)
		found = find_parts(x->operands[i], depth + 1);
	return found;
}

/* Columns [start, start + count) of x, which has as many as `all`, or one. */
static Node *columns_of(Build *b, Node *x, int64_t all, int64_t start, int64_t count, int depth)
{
	const int last = x->type.rank - 1;
	if (last < 0 || x->type.dim[last] != all)
		return x;
	int64_t at = 0;
	for (int i = 0; i < x->operand_count && x->op->move == MOVE_CONCAT && node_int(x, "axis") == last;
	     i++) {
		const int64_t columns = x->operands[i]->type.dim[last];
		if (at == start && columns == count)
			return x->operands[i];
		at += columns;
	}
	const Node *from = x;
	while (keeps_columns(from))
		from = from->operands[0];
	if (keeps_columns(x) && node_is_by_element(from) && depth <= DEEPEST) {
		Node *part = columns_of(b, x->operands[0], all, start, count, depth + 1);
		int64_t dim[LIMIT_RANK];
		memcpy(dim, x->type.dim, sizeof dim);
		dim[last] = count;
		return once(b, build_reshape(b, part, x->type.rank, dim));
	}
	if (!node_is_by_element(x) || depth > DEEPEST)
		return once(b, build_slice(b, x, last, start, count));
	Node **operands = NEW_ARRAY(b->graph->arena, Node *, x->operand_count);
	for (int i = 0; i < x->operand_count; i++)
		operands[i] = columns_of(b, x->operands[i], all, start, count, depth + 1);
	return once(b, build(b, x->op->name, x->operand_count, operands, x->attr_count, x->attrs));
}

Node *attention_by_parts(Build *b, Node *x)
{
	while (keeps_columns(x) && shape_equal(x->type, x->operands[0]->type))
		x = x->operands[0];
	const Node *parts = node_is_by_element(x) ? find_parts(x, 0) : NULL;
	const int last = x->type.rank - 1;
	if (!parts || parts->type.dim[parts->type.rank - 1] != x->type.dim[last])
		return x;
	Node **columns = NEW_ARRAY(b->graph->arena, Node *, parts->operand_count);
	int64_t at = 0;
	for (int i = 0; i < parts->operand_count; i++) {
		const Node *part = parts->operands[i];
		const int64_t count = part->type.dim[part->type.rank - 1];
		columns[i] = columns_of(b, x, x->type.dim[last], at, count, 0);
		at += count;
	}
	Node *y = build_concat(b, last, parts->operand_count, columns);
	y->name = x->name;
	return y;
}

/* Whether the last three dimensions are the same. */
static bool ends_alike(Type s, Type t)
{
	for (int i = 1; i <= 3; i++)
		if (s.rank < 4 || s.dim[s.rank - i] != t.dim[t.rank - i])
			return false;
	return true;
}

Node *attention_turn(Build *b, Node *x)
{
	const Node *made = node_unshaped(x);
	const bool moves = x->type.dim[1] > 1 && x->type.dim[2] > 1;
	Node *turned =
	        !moves || ends_alike(made->type, x->type) ? turn(b, moves ? (Node *)made : x, 0) : NULL;
	return turned ? reshape_like(b, turned, turned_type(x->type))
	              : build_transpose(b, x, (int64_t[]){0, 2, 1, 3});
}
