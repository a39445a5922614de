/* SPDX-License-Identifier: MIT */
/* What is the same in all periods of a loop is computed ahead of it: so the gradient by it is summed up over the
 * periods as it is, and what it was computed of comes after. Views stay, which are read as they lie. */
#include "passes/loop_kernels.h"

#include "ir/op.h"

typedef struct Hoist {
	Graph *to, *body;
	const Loop *l;
	Node **operands; /* of the loop, in `to` */
	bool *same;     /* by node of the old body: it depends on what is captured, and on constants, alone */
	bool *captured; /* likewise: on what is captured */
	Node **ahead;   /* likewise: in `to`; NULL: it has not been asked for */
	Node **now;     /* likewise: in the new body */
	NodeList more;  /* operands of the new loop */
	int arguments;
} Hoist;

static bool is_view(const Node *n)
{
	return n->op->move != MOVE_NONE || (n->op->flags & OP_RESHAPES);
}

static bool leaves(const Hoist *h, const Node *n)
{
	return h->same[n->id] && h->captured[n->id] && !node_is_leaf(n) && !is_view(n);
}

/* Nodes stand after what they read, so that all of it is there. */
static void compute_ahead(Hoist *h, const Node *n)
{
	if (!h->same[n->id] || node_is_loop(n))
		return;
	if (node_is_argument(n)) {
		h->ahead[n->id] = h->operands[node_int(n, "index")];
		return;
	}
	Node **operands = NEW_ARRAY(h->to->arena, Node *, n->operand_count);
	for (int k = 0; k < n->operand_count; k++)
		operands[k] = h->ahead[n->operands[k]->id];
	h->ahead[n->id] = graph_copy_node(h->to, n, operands);
}

static void copy(Hoist *h, const Node *n)
{
	Arena *a = h->to->arena;
	if (leaves(h, n)) {
		const Attr attr = attr_int("index", h->arguments + h->more.count);
		h->now[n->id] = graph_leaf(h->body, "argument", n->type, &attr, 1, n->sites);
		array_push(a, &h->more, h->ahead[n->id]);
		return;
	}
	Node **operands = NEW_ARRAY(a, Node *, n->operand_count);
	for (int k = 0; k < n->operand_count; k++)
		operands[k] = h->now[n->operands[k]->id];
	h->now[n->id] = graph_copy_node(h->body, n, operands);
}

Node *loop_hoisted(Graph *to, const Node *n, Node **operands)
{
	Arena *a = to->arena;
	const Loop l = loop_of(n);
	const int count = l.body->count;
	Hoist h = {.to = to,
	           .body = graph_like(a, l.body),
	           .l = &l,
	           .operands = operands,
	           .same = NEW_ARRAY(a, bool, count),
	           .captured = NEW_ARRAY(a, bool, count),
	           .ahead = NEW_ARRAY(a, Node *, count),
	           .now = NEW_ARRAY(a, Node *, count),
	           .arguments = n->operand_count};
	bool any = false;
	for (int i = 0; i < count; i++) {
		const Node *x = l.body->nodes[i];
		h.captured[i] = node_is_argument(x) && node_int(x, "index") >= l.sequences + l.carried;
		h.same[i] = h.captured[i] || node_is_constant(x) ||
		            (x->operand_count > 0 && !node_is_loop(x) && !node_attr(x, "stream"));
		for (int k = 0; k < x->operand_count; k++) {
			h.same[i] = h.same[i] && h.same[x->operands[k]->id] && !node_is_loop(x->operands[k]);
			h.captured[i] = h.captured[i] || h.captured[x->operands[k]->id];
		}
		any = any || leaves(&h, x);
	}
	if (!any)
		return NULL;
	for (int i = 0; i < count; i++)
		compute_ahead(&h, l.body->nodes[i]);
	for (int i = 0; i < count; i++)
		copy(&h, l.body->nodes[i]);
	graph_copy_outputs(h.body, l.body, h.now);
	Node **all = NEW_ARRAY(a, Node *, n->operand_count + h.more.count);
	for (int i = 0; i < n->operand_count; i++)
		all[i] = operands[i];
	for (int i = 0; i < h.more.count; i++)
		all[n->operand_count + i] = h.more.at[i];
	Attr *attrs = arena_copy(a, n->attrs, (size_t)n->attr_count * sizeof *attrs);
	for (int i = 0; i < n->attr_count; i++)
		if (attrs[i].kind == ATTR_BODY)
			attrs[i].body = graph_rewrite(a, h.body, NULL, NULL);
	return graph_node(to, n->op, all, n->operand_count + h.more.count, attrs, n->attr_count, n->sites,
	                  NULL);
}
