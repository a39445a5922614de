/* Heads put side by side, ahead of what is computed of each element.
 *
 * A network turns [n, heads, d] into [heads, n, d], and perhaps rotates queries and keys by their places then;
 * attention reads [n, heads, d]. What is pointwise, and what cuts the last dimension or puts parts of it together, is
 * the same of the operands turned; a tensor that has one head, or is the same for all places, is turned by a reshape;
 * and of a transposition the two cancel. */
#include "passes/attention_turn.h"

#include "ops/op.h"

#include <string.h>

enum { DEEPEST = 8 /* steps */ };

static Type turned_type(Type t)
{
	const int64_t heads = t.dim[1];
	t.dim[1] = t.dim[2];
	t.dim[2] = heads;
	return t;
}

/* The transposition that makes x, whose operand is x turned; NULL. */
static const Node *turned_before(const Node *x)
{
	static const int64_t axes[4] = {0, 2, 1, 3};
	const Node *made = node_unshaped(x);
	int count;
	return made->op->move == MOVE_TRANSPOSE && made->type.rank == 4 && shape_equal(made->type, x->type) &&
	                       memcmp(node_ints(made, "axes", &count), axes, sizeof axes) == 0
	               ? made
	               : NULL;
}

/* Whether the operator's value turned is its value of turned operands. */
static bool goes_along(const Node *n)
{
	if (n->op->move == MOVE_SLICE || n->op->move == MOVE_CONCAT)
		return node_int(n, "axis") == 3;
	return (n->op->flags & OP_POINTWISE) && !(n->op->flags & (OP_INDEXED | OP_SEEDED)) && !n->op->place &&
	       !node_is_leaf(n) && n->operand_count > 0;
}

/* Whether x, of four dimensions, or of the last alone, can be turned without moving anything. */
static bool can_turn(const Node *x, int depth)
{
	if (x->type.rank <= 1)
		return true;
	if (x->type.rank != 4 || depth > DEEPEST)
		return false;
	if (x->type.dim[1] == 1 || x->type.dim[2] == 1 || turned_before(x))
		return true;
	bool can = goes_along(x);
	for (int i = 0; i < x->operand_count && can; i++)
		can = can_turn(x->operands[i], depth + 1);
	return can;
}

static Node *turn(Build *b, Node *x)
{
	if (x->type.rank <= 1)
		return x;
	const Type to = turned_type(x->type);
	const Node *before = turned_before(x);
	if (before)
		return build_reshape(b, before->operands[0], 4, to.dim);
	if (x->type.dim[1] == 1 || x->type.dim[2] == 1)
		return build_reshape(b, x, 4, to.dim);
	Node **operands = NEW_ARRAY(b->graph->arena, Node *, x->operand_count);
	for (int i = 0; i < x->operand_count; i++)
		operands[i] = turn(b, x->operands[i]);
	Node *y = build(b, x->op->name, x->operand_count, operands, x->attr_count, x->attrs);
	y->name = x->name;
	y->sites = x->sites;
	return y;
}

Node *attention_turn(Build *b, Node *x)
{
	const Node *made = node_unshaped(x);
	if (x->type.dim[1] == 1 || x->type.dim[2] == 1)
		return turn(b, x);
	if (made->type.rank == 4 && shape_equal(made->type, x->type) && can_turn(made, 0))
		return turn(b, (Node *)made);
	const Attr axes = attr_ints("axes", (int64_t[]){0, 2, 1, 3}, 4);
	return build(b, "transpose", 1, &x, 1, &axes);
}
