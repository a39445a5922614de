/* SPDX-License-Identifier: MIT */
/* A recurrence of matrix products may carry [batch, 1, n], rows of one. Products then read and make reshapes of that,
 * and no kernel of a recurrence of vectors fits: so the body computes [batch, n] wherever each element stays in its
 * place, and keeps a reshape where something else reads or makes the row. */
#include "passes/row_loop.h"

#include "ir/op.h"

static bool is_row(Type t)
{
	return t.rank == 3 && t.dim[1] == 1;
}

typedef struct Vectors {
	const Graph *g;
	Graph *to;
	Node **now;  /* by node of `g`: as it was; NULL: nothing reads it so yet */
	Node **flat; /* likewise, of a row: [batch, n] */
} Vectors;

static Node *as_it_was(Vectors *v, const Node *n)
{
	Build b = build_beside(v->to, n);
	Node **now = &v->now[n->id];
	if (!*now) {
		*now = build_reshape(&b, v->flat[n->id], n->type.rank, n->type.dim);
		(*now)->name = n->name;
	}
	return *now;
}

static Node *as_vector(Vectors *v, const Node *n)
{
	Build b = build_beside(v->to, n);
	Node **flat = &v->flat[n->id];
	const int64_t dim[] = {n->type.dim[0], n->type.dim[2]};
	if (!*flat) {
		Node *x = (Node *)node_unshaped(v->now[n->id]);
		const bool same = x->type.rank == 2 && x->type.dim[0] == dim[0] && x->type.dim[1] == dim[1];
		*flat = same ? x : build_reshape(&b, x, 2, dim);
	}
	return *flat;
}

/* n over vectors, where all its rows are; NULL: it is not of that kind. */
static Node *of_vectors(Vectors *v, const Node *n)
{
	const bool each = n->op->flags & (OP_POINTWISE | OP_ELEMENTWISE);
	const bool moves =
	        (n->op->move == MOVE_SLICE || n->op->move == MOVE_CONCAT) && node_int(n, "axis") == 2;
	if (!is_row(n->type) || n->operand_count == 0 || !(each || moves) || n->op->place)
		return NULL;
	for (int i = 0; i < n->operand_count; i++)
		if (n->operands[i]->type.rank == 3 && !is_row(n->operands[i]->type))
			return NULL;
	Arena *a = v->to->arena;
	Node **x = NEW_ARRAY(a, Node *, n->operand_count);
	for (int i = 0; i < n->operand_count; i++)
		x[i] = is_row(n->operands[i]->type) ? as_vector(v, n->operands[i])
		                                    : as_it_was(v, n->operands[i]);
	if (moves)
		return graph_node_with(v->to, n, x, attr_int("axis", 1));
	Node *y = graph_node(v->to, n->op, x, n->operand_count, n->attrs, n->attr_count, n->sites, NULL);
	y->name = n->name;
	y->of = n->of;
	y->called = n->called;
	return y;
}

static void add_node(Vectors *v, const Node *n, const Loop *l)
{
	const int64_t index = node_is_argument(n) ? node_int(n, "index") - l->sequences : -1;
	if (index >= 0 && index < l->carried && is_row(n->type)) {
		Build b = build_beside(v->to, n);
		const Type t = {n->type.dtype, 2, {n->type.dim[0], n->type.dim[2]}};
		v->flat[n->id] = loop_argument(&b, (int)node_int(n, "index"), t);
		v->flat[n->id]->name = n->name;
		return;
	}
	if ((v->flat[n->id] = of_vectors(v, n)))
		return;
	Node **x = NEW_ARRAY(v->to->arena, Node *, n->operand_count);
	for (int i = 0; i < n->operand_count; i++)
		x[i] = as_it_was(v, n->operands[i]);
	v->now[n->id] = graph_copy_node(v->to, n, x);
}

const Graph *loop_of_vectors(Arena *a, const Graph *body, const Loop *l)
{
	bool any = false;
	for (int i = 0; i < l->carried; i++)
		any = any || is_row(body->outputs[i].node->type);
	if (!any)
		return body;
	Vectors v = {body, graph_like(a, body), NEW_ARRAY(a, Node *, body->count),
	             NEW_ARRAY(a, Node *, body->count)};
	for (int i = 0; i < body->count; i++)
		add_node(&v, body->nodes[i], l);
	for (int i = 0; i < body->output_count; i++) {
		const Output *o = &body->outputs[i];
		const bool vector = i < l->carried && is_row(o->node->type);
		graph_output(v.to, o->kind, o->name,
		             vector ? as_vector(&v, o->node) : as_it_was(&v, o->node));
	}
	return graph_rewrite(a, v.to, NULL, NULL);
}
