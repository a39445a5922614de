/* SPDX-License-Identifier: MIT */
/* Products in loops, as few and as large as what they read allows, however the body spells them.
 *
 *     concat(x, h) W^T + b                  ->   (x V^T + b) + h U^T          W = [V U]
 *     h W^T, h V^T                          ->   slices of h [W; V]^T
 *     slice(a) + slice(b), of one place     ->   slice(a + b)
 *     x V^T + b, of a sequence's part x     ->   a part of the product of all of the sequence
 *
 * So the gates of a recurrence may be one dense layer or several, of the state and the sequence side by side or apart,
 * or written with parameters and `matmul`: it becomes one product of all periods ahead of the loop, and one of each
 * period in it. Parameters stay as they are: matrices side by side, and parts of one, are made of them.
 *
 * Must run before unroll. */
#include "passes/leave_loop.h"
#include "passes/pass.h"
#include "passes/row_loop.h"

#include "ir/formula.h"
#include "ir/op.h"

#include <string.h>

typedef struct Body {
	const Graph *g; /* as it is read */
	const Loop *loop;
	const Formula *sum;
	LoopLevel *level; /* by node of `g` */
	int *uses;
	bool *changed;
} Body;

/* Of an x y or x y^T, rank 2: y is the same in all periods. */
static bool is_product(const Body *b, const Node *n)
{
	return n->op->gemm == GEMM_PRODUCT && n->type.rank == 2 && !node_int(n, "ta") &&
	       b->level[n->operands[1]->id] == LEVEL_SAME && b->level[n->operands[0]->id] > LEVEL_SAME;
}

static bool is_sum(const Body *b, const Node *n)
{
	return formula_matches(b->sum, n, NULL);
}

/* ---- a matrix that is the same for all samples, written as one for each */

static Node *flat_product(Build *b, const Node *n, Node **operands)
{
	if (n->op->gemm != GEMM_PRODUCT || n->type.rank != 3 || node_int(n, "ta"))
		return NULL;
	const Node *w = n->operands[1];
	if (w->op->move != MOVE_BROADCAST || w->operands[0]->type.rank != 3 ||
	    w->operands[0]->type.dim[0] != 1)
		return NULL;
	const Type x = n->operands[0]->type;
	Node *rows = build_reshape(b, operands[0], 2, (int64_t[]){x.dim[0] * x.dim[1], x.dim[2]});
	Node *matrix = build_reshape(b, operands[1]->operands[0], 2, &w->type.dim[1]);
	Node *y = build_product(b, rows, matrix, false, node_int(n, "tb") != 0);
	return build_reshape(b, y, 3, n->type.dim);
}

/* ---- a slice of a tensor whose last dimension is seen as two */

static Node *slice_ahead(Build *b, const Node *n, Node **operands)
{
	if (n->op->move != MOVE_SLICE || !(n->operands[0]->op->flags & OP_RESHAPES))
		return NULL;
	const Node *seen = n->operands[0], *whole = seen->operands[0];
	const int rank = seen->type.rank, at = rank - 2;
	if (whole->type.rank != rank - 1 || node_int(n, "axis") != at)
		return NULL;
	for (int i = 0; i < at; i++)
		if (whole->type.dim[i] != seen->type.dim[i])
			return NULL;
	const int64_t width = seen->type.dim[rank - 1];
	Node *part = build_slice(b, operands[0]->operands[0], at, node_int(n, "start") * width,
	                         node_int(n, "count") * width);
	return build_reshape(b, part, rank, n->type.dim);
}

/* ---- columns of the state and of the sequence side by side */

/* The product of the columns of one kind among those of x: of what is carried, or not. */
static Node *product_of_columns(Build *b, const Body *body, const Node *n, Node **operands, bool carried)
{
	const Node *x = n->operands[0];
	const bool tb = node_int(n, "tb");
	Node *sum = NULL;
	int64_t start = 0;
	for (int i = 0; i < x->operand_count; i++) {
		const int64_t count = x->operands[i]->type.dim[1];
		if ((body->level[x->operands[i]->id] == LEVEL_CARRIED) == carried) {
			Node *w = build_slice(b, operands[1], tb, start, count);
			Node *y = build_product(b, operands[0]->operands[i], w, false, tb);
			sum = sum ? build2(b, "add", sum, y) : y;
		}
		start += count;
	}
	return sum;
}

static Node *part_product(Build *b, const Body *body, const Node *n, Node **operands)
{
	if (!is_product(body, n))
		return NULL;
	const Node *x = n->operands[0];
	if (x->op->move != MOVE_CONCAT || node_int(x, "axis") != 1)
		return NULL;
	int carried = 0;
	for (int i = 0; i < x->operand_count; i++)
		carried += body->level[x->operands[i]->id] == LEVEL_CARRIED;
	if (carried == 0 || carried == x->operand_count)
		return NULL;
	Node *ahead = product_of_columns(b, body, n, operands, false);
	return build2(b, "add", ahead, product_of_columns(b, body, n, operands, true));
}

/* (s + c) + w  ->  (s + w) + c, of which only c depends on what is carried, and w is the same in all periods. */
static Node *add_early(Build *b, const Body *body, const Node *n, Node **operands)
{
	for (int i = 0; is_sum(body, n) && i < 2; i++) {
		const Node *inner = n->operands[i];
		if (!is_sum(body, inner) || body->uses[inner->id] != 1 || !type_equal(inner->type, n->type) ||
		    body->level[n->operands[1 - i]->id] > LEVEL_SAME)
			continue;
		for (int k = 0; k < 2; k++)
			if (body->level[inner->operands[k]->id] == LEVEL_PART &&
			    body->level[inner->operands[1 - k]->id] == LEVEL_CARRIED &&
			    type_equal(inner->operands[k]->type, n->type))
				return build2(b, "add",
				              build2(b, "add", operands[i]->operands[k], operands[1 - i]),
				              operands[i]->operands[1 - k]);
	}
	return NULL;
}

/* slice(a) + slice(b)  ->  slice(a + b) */
static Node *add_whole(Build *b, const Body *body, const Node *n, Node **operands)
{
	if (!is_sum(body, n))
		return NULL;
	const Node *x = operands[0], *y = operands[1];
	if (x->op->move != MOVE_SLICE || y->op->move != MOVE_SLICE || !type_equal(x->type, y->type) ||
	    !type_equal(x->operands[0]->type, y->operands[0]->type) ||
	    node_int(x, "axis") != node_int(y, "axis") || node_int(x, "start") != node_int(y, "start"))
		return NULL;
	const int64_t axis = node_int(x, "axis");
	Node *const pair[2] = {x->operands[0], y->operands[0]};
	Node *whole = NULL; /* for another slice, it may be there already */
	for (int i = b->graph->count - 1; i > pair[0]->id && i > pair[1]->id && !whole; i--) {
		Node *same = b->graph->nodes[i];
		if (is_sum(body, same) && same->operands[0] == pair[0] && same->operands[1] == pair[1])
			whole = same;
	}
	if (!whole)
		whole = build2(b, "add", pair[0], pair[1]);
	return build_slice(b, whole, axis, node_int(x, "start"), n->type.dim[axis]);
}

/* ---- rewriting a body rule by rule */

typedef Node *BodyRule(Build *b, const Body *body, const Node *n, Node **operands);

typedef struct Apply {
	const Body *body;
	BodyRule *rule;
} Apply;

static Node *apply_rule(void *ctx, Graph *to, const Node *n, Node **operands)
{
	const Apply *apply = ctx;
	Build b = build_beside(to, n);
	Node *r = apply->rule(&b, apply->body, n, operands);
	*apply->body->changed |= r != NULL;
	return r;
}

static Node *normal_form(Build *b, const Body *body, const Node *n, Node **operands)
{
	(void)body;
	Node *r = flat_product(b, n, operands);
	return r ? r : slice_ahead(b, n, operands);
}

static Body body_of(Arena *a, const Graph *g, const Loop *l, bool *changed)
{
	return (Body){g, l, formula_parse(a, "x + y"), loop_levels(a, g, l), graph_use_counts(a, g), changed};
}

static const Graph *rewritten(Arena *a, const Graph *g, const Loop *l, BodyRule *rule, bool *changed)
{
	const Body body = body_of(a, g, l, changed);
	Apply apply = {&body, rule};
	return graph_rewrite(a, g, apply_rule, &apply);
}

/* ---- products of one operand, as one */

enum { MOST_JOINED = 16 };

typedef struct Joined {
	const Node *product[MOST_JOINED];
	const Node *value[MOST_JOINED]; /* it, or its sum with a bias */
	const Node *bias[MOST_JOINED];  /* NULL: none */
	int count;
	Node *whole; /* in the new body, once the first product is there */
} Joined;

/* The sum that alone reads the product, with the same number for each column in all periods; NULL. */
static const Node *sum_with_bias(const Body *b, const Node *product, const NodeList *users, const Node **bias)
{
	const Node *sum =
	        b->uses[product->id] == 1 && users[product->id].count == 1 ? users[product->id].at[0] : NULL;
	if (!sum || !is_sum(b, sum) || !type_equal(sum->type, product->type))
		return NULL;
	*bias = sum->operands[sum->operands[0] == product];
	const int64_t columns = product->type.dim[1];
	return b->level[(*bias)->id] <= LEVEL_SAME && type_elements((*bias)->type) == columns ? sum : NULL;
}

static void add_product(const Body *b, Joined *j, const Node *n, const NodeList *users)
{
	const Node *bias = NULL, *sum = sum_with_bias(b, n, users, &bias);
	j->product[j->count] = n;
	j->value[j->count] = sum ? sum : n;
	j->bias[j->count++] = sum ? bias : NULL;
}

static bool joins(const Joined *j, const Node *n)
{
	const Node *first = j->product[0];
	return j->count < MOST_JOINED && node_unshaped(first->operands[0]) == node_unshaped(n->operands[0]) &&
	       type_equal(first->operands[0]->type, n->operands[0]->type) &&
	       node_int(first, "tb") == node_int(n, "tb");
}

/* By node: of which products it is one, or the sum of one with a bias. */
static Joined **find_joined(Arena *a, const Body *b)
{
	Joined **of = NEW_ARRAY(a, Joined *, b->g->count);
	ARRAY(Joined *) all = {0};
	const NodeList *users = graph_users(a, b->g);
	for (int i = 0; i < b->g->count; i++) {
		const Node *n = b->g->nodes[i];
		Joined *found = NULL;
		for (int k = 0; is_product(b, n) && k < all.count && !found; k++)
			found = joins(all.at[k], n) ? all.at[k] : NULL;
		if (!is_product(b, n))
			continue;
		if (!found) {
			found = NEW(a, Joined);
			array_push(a, &all, found);
		}
		add_product(b, found, n, users);
	}
	for (int k = 0; k < all.count; k++) {
		Joined *j = all.at[k];
		bool biased = true;
		for (int i = 0; i < j->count; i++)
			biased = biased && j->bias[i];
		for (int i = 0; i < j->count && j->count > 1; i++) {
			j->value[i] = biased ? j->value[i] : j->product[i];
			j->bias[i] = biased ? j->bias[i] : NULL;
			of[j->value[i]->id] = j;
		}
	}
	return of;
}

typedef struct Joining {
	Joined **of;  /* by node of the old body */
	Node **now;   /* likewise: in the new one */
	Arena *arena; /* of that */
} Joining;

static Node *whole_product(Build *b, const Joining *j, const Joined *joined)
{
	const Node *first = joined->product[0];
	const bool tb = node_int(first, "tb");
	Node *w[MOST_JOINED], *bias[MOST_JOINED];
	for (int i = 0; i < joined->count; i++) {
		w[i] = j->now[joined->product[i]->operands[1]->id];
		bias[i] = joined->bias[i] ? j->now[joined->bias[i]->id] : NULL;
		if (bias[i] && bias[i]->type.rank != 1)
			bias[i] = build_reshape(b, bias[i], 1, (int64_t[]){type_elements(bias[i]->type)});
	}
	Node *y = build_product(b, j->now[first->operands[0]->id], build_concat(b, !tb, joined->count, w),
	                        false, tb);
	return bias[0] ? build2(b, "add", y, build_concat(b, 0, joined->count, bias)) : y;
}

/* What is the same in all periods stands first, as a product of all finds it. */
static const Graph *joined_products(Arena *a, const Graph *g, const Loop *l, bool *changed)
{
	const Body body = body_of(a, g, l, changed);
	Joining j = {find_joined(a, &body), NEW_ARRAY(a, Node *, g->count), a};
	Graph *to = graph_like(a, g);
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < g->count; i++) {
			const Node *n = g->nodes[i];
			if ((body.level[i] <= LEVEL_SAME || node_is_argument(n)) != (pass == 0))
				continue;
			Node **operands = NEW_ARRAY(a, Node *, n->operand_count);
			for (int k = 0; k < n->operand_count; k++)
				operands[k] = j.now[n->operands[k]->id];
			Joined *joined = j.of[i];
			if (!joined) {
				j.now[i] = graph_copy_node(to, n, operands);
				continue;
			}
			Build b = build_beside(to, n);
			if (!joined->whole)
				joined->whole = whole_product(&b, &j, joined);
			int64_t start = 0;
			for (int k = 0; joined->value[k] != n; k++)
				start += joined->value[k]->type.dim[1];
			j.now[i] = build_slice(&b, joined->whole, 1, start, n->type.dim[1]);
			j.now[i]->name = n->name;
			*changed = true;
		}
	graph_copy_outputs(to, g, j.now);
	return graph_rewrite(a, to, NULL, NULL);
}

/* ---- the pass */

typedef struct Context {
	PassContext *pass;
	bool changed;
} Context;

static Graph *with_products(Context *c, const Graph *g);

/* The operands, with what is carried in the shape in which the body carries it on. */
static Node **begun_as(Graph *to, const Loop *l, const Graph *body, Node **operands, const Node *n)
{
	Build b = build_beside(to, n);
	Node **x = arena_copy(to->arena, operands, (size_t)n->operand_count * sizeof *x);
	for (int i = 0; i < l->carried; i++) {
		Node **start = &x[l->sequences + i];
		const Type t = body->outputs[i].node->type;
		if (!type_equal((*start)->type, t))
			*start = build_reshape(&b, *start, t.rank, t.dim);
	}
	return x;
}

/* The result of a loop that may carry it in another shape; NULL: it does not. */
static Node *result_as_before(Graph *to, const Node *n, Node *loop)
{
	const Loop l = loop_of(loop);
	const int64_t index = node_int(n, "index");
	Build b = build_beside(to, n);
	if (index >= l.carried || type_equal(loop_next(&l, (int)index)->type, n->type))
		return NULL;
	return build_reshape(&b, loop_result(&b, loop, (int)index), n->type.rank, n->type.dim);
}

static Node *rewrite_loop(void *ctx, Graph *to, const Node *n, Node **operands)
{
	Context *c = ctx;
	if (node_is(n, "result"))
		return result_as_before(to, n, operands[0]);
	if (!node_is_loop(n))
		return NULL;
	Arena *a = to->arena;
	const Loop l = loop_of(n);
	bool changed = false;
	const Graph *body = with_products(c, l.body);
	changed = body != l.body;
	if (l.count == 1 && !changed) /* there is nothing to spare, and matrices would be put side by side */
		return NULL;
	body = rewritten(a, body, &l, normal_form, &changed);
	const Graph *rows = body;
	body = loop_of_vectors(a, body, &l);
	changed = changed || body != rows;
	body = joined_products(a, body, &l, &changed); /* of whole parameters, which may be neighbours */
	body = rewritten(a, body, &l, part_product, &changed);
	body = rewritten(a, body, &l, add_early, &changed);
	body = joined_products(a, body, &l, &changed);
	body = rewritten(a, body, &l, add_whole, &changed);
	Node *left = leave_loop(to, n, changed ? body : l.body,
	                        changed ? begun_as(to, &l, body, operands, n) : operands);
	c->changed = c->changed || left;
	return left;
}

static Graph *with_products(Context *c, const Graph *g)
{
	bool any = false;
	for (int i = 0; i < g->count && !any; i++)
		any = node_is_loop(g->nodes[i]);
	const bool before = c->changed;
	c->changed = false;
	Graph *to = any ? graph_rewrite(c->pass->arena, g, rewrite_loop, c) : NULL;
	to = c->changed ? to : (Graph *)g;
	c->changed = c->changed || before;
	return to;
}

Graph *pass_loop_products(PassContext *ctx, const Graph *g)
{
	Context c = {.pass = ctx};
	return with_products(&c, g);
}
