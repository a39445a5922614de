/* SPDX-License-Identifier: MIT */
/* Products out of loops: leave_loop.h.
 *
 * A value of a period is computed for all periods by the same operators over [batch, periods, ...]: so of nodes for
 * which that is true, and of loops along the first axis of samples. Pointwise steps alone don't leave: they would be
 * stored for all periods, where in the loop they are never stored. What is the same in all periods leaves any loop: so
 * the gradient by it is summed up over the periods as it is. */
#include "passes/leave_loop.h"

#include "ir/op.h"

#include <string.h>

enum { AXIS = 1 }; /* of the periods */

static LoopLevel level_of(const Node *n, const Loop *l, const LoopLevel *level)
{
	LoopLevel most = LEVEL_KNOWN;
	if (node_is_argument(n)) {
		const int64_t index = node_int(n, "index");
		return index < l->sequences                ? LEVEL_PART
		       : index < l->sequences + l->carried ? LEVEL_CARRIED
		                                           : LEVEL_SAME;
	}
	for (int i = 0; i < n->operand_count; i++)
		most = level[n->operands[i]->id] > most ? level[n->operands[i]->id] : most;
	return node_attr(n, "stream") || node_is_loop(n) ? LEVEL_CARRIED : most;
}

LoopLevel *loop_levels(Arena *a, const Graph *body, const Loop *l)
{
	LoopLevel *level = NEW_ARRAY(a, LoopLevel, body->count);
	for (int i = 0; i < body->count; i++)
		level[i] = level_of(body->nodes[i], l, level);
	return level;
}

typedef struct Leave {
	Graph *to;
	const Graph *body;
	const LoopLevel *level;
	Node **operands;
	bool *can;    /* by node of the body: it can be computed for all periods at once */
	bool *leaves; /* likewise: it is */
	Node **ahead; /* likewise: in `to`; of a part for all periods. NULL: it is not needed there */
} Leave;

/* ---- what leaves */

static bool is_by_element(const Node *n)
{
	return (n->op->flags & OP_POINTWISE) && !(n->op->flags & (OP_INDEXED | OP_SEEDED | OP_PLACED)) &&
	       !n->op->place;
}

static bool is_product(const Leave *v, const Node *n)
{
	return n->op->gemm == GEMM_PRODUCT && n->type.rank == 2 && !node_int(n, "ta") &&
	       v->level[n->operands[0]->id] == LEVEL_PART && v->level[n->operands[1]->id] <= LEVEL_SAME;
}

static bool can_be_ahead(const Leave *v, const Node *n)
{
	if (v->level[n->id] != LEVEL_PART || n->type.rank == 0 || n->type.rank == LIMIT_RANK)
		return v->level[n->id] <= LEVEL_SAME;
	if (node_is_argument(n))
		return true;
	for (int i = 0; i < n->operand_count; i++) {
		const Node *x = n->operands[i];
		const bool part = v->level[x->id] == LEVEL_PART;
		if (!v->can[x->id] || (part && (x->type.rank == 0 || x->type.dim[0] != n->type.dim[0])) ||
		    (part && is_by_element(n) && x->type.rank != n->type.rank))
			return false;
		if (!part && !is_by_element(n) && !is_product(v, n))
			return false;
	}
	const bool moves = n->op->move == MOVE_SLICE || n->op->move == MOVE_CONCAT;
	return is_by_element(n) || (n->op->flags & OP_RESHAPES) || is_product(v, n) ||
	       (moves && node_int(n, "axis") > 0);
}

/* A product does, and a sum of one with what is the same in all periods. */
static bool does_leave(const Leave *v, const Node *n)
{
	bool follows = (n->op->flags & OP_RESHAPES) || node_is(n, "add");
	bool any = false;
	for (int i = 0; i < n->operand_count; i++) {
		const int x = n->operands[i]->id;
		follows = follows && (v->level[x] <= LEVEL_SAME || v->leaves[x]);
		any = any || v->leaves[x];
	}
	return v->can[n->id] && v->level[n->id] == LEVEL_PART && (is_product(v, n) || (follows && any));
}

/* ---- ahead of the loop */

/* [b, ...] -> [b, 1, ...], as what is the same in all periods stands beside what is of each. */
static Node *for_all_periods(Build *b, Node *x)
{
	int64_t dim[LIMIT_RANK] = {x->type.dim[0], 1};
	for (int i = 1; i < x->type.rank; i++)
		dim[i + 1] = x->type.dim[i];
	return build_reshape(b, x, x->type.rank + 1, dim);
}

/* The product, of as many rows as all periods have. */
static Node *product_ahead(Build *b, const Node *n, Node *x, Node *w)
{
	const Type t = x->type;
	Node *rows = build_reshape(b, x, 2, (int64_t[]){t.dim[0] * t.dim[1], t.dim[2]});
	Node *y = build_product(b, rows, w, false, node_int(n, "tb") != 0);
	return build_reshape(b, y, 3, (int64_t[]){t.dim[0], t.dim[1], n->type.dim[1]});
}

static Node *part_ahead(Leave *v, Build *b, const Node *n, Node **x, int64_t periods)
{
	if (is_product(v, n))
		return product_ahead(b, n, x[0], x[1]);
	if (n->op->flags & OP_RESHAPES) {
		int64_t dim[LIMIT_RANK] = {n->type.dim[0], periods};
		for (int i = 1; i < n->type.rank; i++)
			dim[i + 1] = n->type.dim[i];
		return build_reshape(b, x[0], n->type.rank + 1, dim);
	}
	if (n->op->move == MOVE_SLICE)
		return build_slice(b, x[0], node_int(n, "axis") + 1, node_int(n, "start"),
		                   node_int(n, "count"));
	if (n->op->move == MOVE_CONCAT)
		return build_concat(b, node_int(n, "axis") + 1, n->operand_count, x);
	for (int i = 0; i < n->operand_count; i++)
		if (v->level[n->operands[i]->id] <= LEVEL_SAME && x[i]->type.rank == n->type.rank)
			x[i] = for_all_periods(b, x[i]);
	Node *y = graph_node(v->to, n->op, x, n->operand_count, n->attrs, n->attr_count, n->sites, NULL);
	y->of = n->of;
	return y;
}

static Node *node_ahead(Leave *v, const Node *n, int64_t periods)
{
	Arena *a = v->to->arena;
	if (node_is_argument(n))
		return v->operands[node_int(n, "index")];
	Node **x = NEW_ARRAY(a, Node *, n->operand_count);
	for (int i = 0; i < n->operand_count; i++)
		x[i] = v->ahead[n->operands[i]->id];
	if (v->level[n->id] <= LEVEL_SAME)
		return graph_copy_node(v->to, n, x);
	Build b = build_beside(v->to, n);
	Node *y = part_ahead(v, &b, n, x, periods);
	y->name = n->name;
	y->called = n->called;
	return y;
}

/* It is computed ahead of the loop, as what all periods have of it or because it is the same in all. What repeats
 * elements stays: it would be stored. */
static bool is_outside(const Leave *v, const Node *n)
{
	return v->leaves[n->id] || (v->level[n->id] == LEVEL_SAME && n->op->move != MOVE_BROADCAST);
}

/* By node of the body: it stays in it, and reads what does not. */
static void find_needed(const Leave *v, bool *needed, bool *handed_in)
{
	const Graph *g = v->body;
	for (int i = g->count - 1; i >= 0; i--) {
		const Node *n = g->nodes[i];
		needed[i] = needed[i] || v->leaves[i];
		const bool stays = v->level[i] >= LEVEL_SAME && !is_outside(v, n);
		for (int k = 0; k < n->operand_count; k++) {
			const Node *x = n->operands[k];
			const bool outside = is_outside(v, x);
			needed[x->id] = needed[x->id] || needed[i] || (stays && outside);
			handed_in[x->id] = handed_in[x->id] || (stays && outside && !node_is_argument(x));
		}
	}
}

/* ---- the loop that is left */

typedef struct Inside {
	Leave *v;
	Graph *body;
	Node **now;               /* by node of the old body */
	NodeList parts, captured; /* of the old body: what is computed ahead of the loop, and read in it */
} Inside;

static Node *new_argument(Graph *body, int64_t index, const Node *of)
{
	const Attr attr = attr_int("index", index);
	Node *x = graph_leaf(body, "argument", of->type, &attr, 1, of->sites);
	x->name = of->name;
	return x;
}

static void fill_body(Inside *in, const Loop *l, int operand_count)
{
	const Leave *v = in->v;
	const Graph *g = v->body;
	Arena *a = v->to->arena;
	for (int i = 0; i < g->count; i++)
		if (node_is_argument(g->nodes[i])) {
			const int64_t index = node_int(g->nodes[i], "index");
			in->now[i] =
			        new_argument(in->body, index < l->sequences ? index : index + in->parts.count,
			                     g->nodes[i]);
		}
	for (int i = 0; i < in->parts.count; i++)
		in->now[in->parts.at[i]->id] = new_argument(in->body, l->sequences + i, in->parts.at[i]);
	for (int i = 0; i < in->captured.count; i++)
		in->now[in->captured.at[i]->id] =
		        new_argument(in->body, operand_count + in->parts.count + i, in->captured.at[i]);
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		if (in->now[i] || is_outside(v, n))
			continue;
		Node **operands = NEW_ARRAY(a, Node *, n->operand_count);
		for (int k = 0; k < n->operand_count; k++)
			operands[k] = in->now[n->operands[k]->id];
		in->now[i] = graph_copy_node(in->body, n, operands);
	}
	graph_copy_outputs(in->body, g, in->now);
}

static Node *loop_inside(Inside *in, const Node *n, const Loop *l)
{
	const Leave *v = in->v;
	Arena *a = v->to->arena;
	fill_body(in, l, n->operand_count);
	const int count = n->operand_count + in->parts.count + in->captured.count;
	Node **operands = NEW_ARRAY(a, Node *, count);
	int at = 0;
	for (int i = 0; i < l->sequences; i++)
		operands[at++] = v->operands[i];
	for (int i = 0; i < in->parts.count; i++)
		operands[at++] = v->ahead[in->parts.at[i]->id];
	for (int i = l->sequences; i < n->operand_count; i++)
		operands[at++] = v->operands[i];
	for (int i = 0; i < in->captured.count; i++)
		operands[at++] = v->ahead[in->captured.at[i]->id];
	Attr *attrs = arena_copy(a, n->attrs, (size_t)n->attr_count * sizeof *attrs);
	for (int i = 0; i < n->attr_count; i++) {
		if (strcmp(attrs[i].name, "body") == 0)
			attrs[i].body = graph_rewrite(a, in->body, NULL, NULL);
		if (strcmp(attrs[i].name, "sequences") == 0)
			attrs[i].i += in->parts.count;
	}
	return graph_node(v->to, n->op, operands, count, attrs, n->attr_count, n->sites, NULL);
}

Node *leave_loop(Graph *to, const Node *n, const Graph *body, Node **operands)
{
	Arena *a = to->arena;
	const Loop l = loop_of(n);
	Leave v = {.to = to,
	           .body = body,
	           .level = loop_levels(a, body, &l),
	           .operands = operands,
	           .can = NEW_ARRAY(a, bool, body->count),
	           .leaves = NEW_ARRAY(a, bool, body->count),
	           .ahead = NEW_ARRAY(a, Node *, body->count)};
	bool *needed = NEW_ARRAY(a, bool, body->count), *handed_in = NEW_ARRAY(a, bool, body->count);
	bool any = body != l.body;
	for (int i = 0; i < body->count; i++) {
		const Node *x = body->nodes[i];
		v.can[i] = l.axis == AXIS && can_be_ahead(&v, x);
		v.leaves[i] = v.can[i] && does_leave(&v, x);
		any = any || (is_outside(&v, x) && x->operand_count > 0 && !(x->op->flags & OP_RESHAPES));
	}
	if (!any)
		return NULL;
	for (int i = 0; i < body->output_count; i++) {
		const int x = body->outputs[i].node->id;
		needed[x] = handed_in[x] =
		        is_outside(&v, body->nodes[x]) && !node_is_argument(body->nodes[x]);
	}
	find_needed(&v, needed, handed_in);
	Inside in = {.v = &v, .body = graph_like(a, body), .now = NEW_ARRAY(a, Node *, body->count)};
	for (int i = 0; i < body->count; i++) {
		if (needed[i])
			v.ahead[i] = node_ahead(&v, body->nodes[i], l.count);
		if (handed_in[i])
			array_push(a, v.leaves[i] ? &in.parts : &in.captured, body->nodes[i]);
	}
	return loop_inside(&in, n, &l);
}
