/* SPDX-License-Identifier: MIT */
/* Applies the algebraic rules of rules/simplify.rules and folds constants, until nothing changes.
 *
 * Slices of what is put together, and what is the same everywhere, have rules as functions. Runs after precision:
 * constants have the type of their users. */
#include "passes/pass.h"

#include "ops/compose.h"
#include "ir/op.h"
#include "passes/join_terms.h"
#include "rules/rules.h"

enum { LIMIT_ROUNDS = 32 };

/* ---- folding: pointwise nodes of constants alone, computed in double */

static Node *fold_constants(Graph *to, const Node *n, Node **operands)
{
	double value[3] = {0};
	if (!n->op->fold || n->operand_count > 3 || n->type.rank != 0)
		return NULL;
	for (int i = 0; i < n->operand_count; i++) {
		if (!node_is_constant(operands[i]))
			return NULL;
		value[i] = node_real(operands[i], "value");
	}
	Build b = build_beside(to, n);
	b.real = n->type.dtype;
	return build_constant(&b, n->op->fold(value[0], value[1], value[2]));
}

/* ---- rules about shapes and types */

static Node *broadcast_to(Graph *to, const Node *n, Node *x)
{
	Build b = build_beside(to, n);
	return build_broadcast(&b, x, n->type.rank, n->type.dim);
}

static bool repeats(const Node *n)
{
	return n->op->move == MOVE_BROADCAST;
}

static Node *drop_idle_shift(Graph *to, const Node *n, Node **operands)
{
	if (node_real(n, "shift") != 0)
		return NULL;
	Build b = build_beside(to, n);
	b.real = n->type.dtype;
	Node *factor = build_constant(&b, node_real(n, "factor"));
	Node *y = build(&b, "mul", 2, (Node *[]){operands[0], factor}, 0, NULL);
	y->name = n->name ? n->name : n->op->name; /* what buffers and arguments are named after */
	return y;
}

static bool computes_from_values(const Node *n)
{
	return node_is_by_element(n) && n->operand_count <= OP_MAX_OPERANDS;
}

/* Where every operand is one number everywhere, so is the result: it is computed once. */
static Node *compute_before_broadcast(Graph *to, const Node *n, Node **operands)
{
	Node *scalars[OP_MAX_OPERANDS];
	if (!computes_from_values(n) || n->type.rank == 0)
		return NULL;
	for (int i = 0; i < n->operand_count; i++) {
		scalars[i] = repeats(operands[i]) ? operands[i]->operands[0] : operands[i];
		if (scalars[i]->type.rank != 0)
			return NULL;
	}
	Node *once =
	        graph_node(to, n->op, scalars, n->operand_count, n->attrs, n->attr_count, n->sites, NULL);
	return broadcast_to(to, n, once);
}

/* A pointwise operator broadcasts by itself. */
static Node *drop_broadcasts(Graph *to, const Node *n, Node **operands)
{
	Node *narrow[OP_MAX_OPERANDS];
	bool any = false;
	Type type;
	const char *why;
	if (!computes_from_values(n))
		return NULL;
	for (int i = 0; i < n->operand_count; i++)
		narrow[i] = operands[i];
	for (int i = 0; i < n->operand_count; i++) {
		if (!repeats(operands[i]))
			continue;
		narrow[i] = operands[i]->operands[0];
		if (op_infer(to, n->op, n->operand_count, narrow, n->attr_count, n->attrs, &type, &why) &&
		    type_equal(type, n->type))
			any = true;
		else
			narrow[i] = operands[i];
	}
	return any ? graph_copy_node(to, n, narrow) : NULL;
}

static Node *part_of(Build *b, Node *x, int64_t axis, int64_t start, int64_t count)
{
	return start == 0 && x->type.dim[axis] == count ? x : build_slice(b, x, axis, start, count);
}

/* What is cut out of one of the pieces that were put side by side is cut out of that; NULL: it is of several. */
static Node *piece_of(Build *b, const Node *x, int64_t axis, int64_t start, int64_t count)
{
	int64_t at = 0;
	for (int i = 0; i < x->operand_count; i++) {
		const int64_t length = x->operands[i]->type.dim[axis];
		if (start >= at && start + count <= at + length)
			return part_of(b, x->operands[i], axis, start - at, count);
		at += length;
	}
	return NULL;
}

/* What is cut out of a stack of rows (ir/unroll.c), and of one of its pieces, is that piece. */
static Node *slice_stacked(Graph *to, const Node *n, const Node *x)
{
	int64_t dim[LIMIT_RANK], axis = node_int(n, "axis");
	const int64_t *axes = NULL;
	int rank;
	if (x->op->move == MOVE_TRANSPOSE) {
		axes = node_ints(x, "axes", &rank);
		axis = axes[axis];
		x = x->operands[0];
	}
	Node *y = (x->op->flags & OP_RESHAPES) ? x->operands[0] : NULL;
	if (!y || y->type.rank == 0 || y->type.dim[0] % x->type.dim[axis] != 0)
		return NULL;
	for (int i = 0; i < x->type.rank; i++) {
		dim[i] = i == axis ? node_int(n, "count") : x->type.dim[i];
		if (i < axis && dim[i] != 1)
			return NULL;
	}
	const int64_t rows = y->type.dim[0] / x->type.dim[axis], count = dim[axis] * rows;
	int64_t start = node_int(n, "start") * rows;
	for (; y->op->move == MOVE_SLICE && node_int(y, "axis") == 0; y = y->operands[0])
		start += node_int(y, "start");
	const bool stacked = y->op->move == MOVE_CONCAT && node_int(y, "axis") == 0;
	Build b = build_beside(to, n);
	Node *part = stacked ? piece_of(&b, y, 0, start, count) : NULL;
	part = part ? build_reshape(&b, part, x->type.rank, dim) : NULL;
	return part && axes ? build_transpose(&b, part, axes) : part;
}

/* Of the zeros around something, or of what is between them. */
static Node *part_of_padded(Build *b, const Node *n, Node *x, int64_t start, int64_t count)
{
	const int64_t axis = node_int(x, "axis"), before = node_int(x, "before"),
	              end = before + x->operands[0]->type.dim[axis];
	if (start >= before && start + count <= end)
		return part_of(b, x->operands[0], axis, start - before, count);
	if (start + count > before && start < end)
		return NULL;
	b->real = n->type.dtype;
	return build_broadcast(b, build_constant(b, 0), n->type.rank, n->type.dim);
}

/* So the gradient of a sequence whose last place alone is read reaches that place alone. */
static Node *narrow_slice(Graph *to, const Node *n, Node **operands)
{
	Node *x = operands[0], *y = NULL;
	const int64_t axis = node_int(n, "axis"), start = node_int(n, "start"), count = node_int(n, "count");
	Build b = build_beside(to, n);
	if (type_equal(x->type, n->type))
		return x;
	if (x->op->move == MOVE_TRANSPOSE || (x->op->flags & OP_RESHAPES))
		return slice_stacked(to, n, x);
	if (!node_attr(x, "axis") || node_int(x, "axis") != axis)
		return NULL;
	if (x->op->move == MOVE_SLICE)
		y = part_of(&b, x->operands[0], axis, start + node_int(x, "start"), count);
	else if (x->op->move == MOVE_CONCAT)
		y = piece_of(&b, x, axis, start, count);
	else if (x->op->move == MOVE_PAD && dtype_is_real(n->type.dtype))
		y = part_of_padded(&b, n, x, start, count);
	if (y && !y->name)
		y->name = n->name;
	return y;
}

/* How many operands from `first` on are the slices, one after the other, that all of a tensor is cut into. */
static int slices_of_whole(const Node *n, Node *const *operands, int first)
{
	int64_t at = 0;
	for (int i = first; i < n->operand_count; i++) {
		const Node *x = operands[i];
		if (x->op->move != MOVE_SLICE || node_int(x, "axis") != 0 || node_int(x, "start") != at ||
		    x->operands[0] != operands[first]->operands[0])
			return 0;
		at += x->type.dim[0];
		if (at == x->operands[0]->type.dim[0])
			return i - first + 1;
	}
	return 0;
}

/* What is cut into slices and packed in their order is packed as it is: gradients of parameters side by side. */
static Node *pack_whole(Graph *to, const Node *n, Node **operands)
{
	Node **whole = NEW_ARRAY(to->arena, Node *, n->operand_count);
	int count = 0;
	for (int i = 0, slices; i<n->operand_count; i += slices> 0 ? slices : 1) {
		slices = slices_of_whole(n, operands, i);
		whole[count++] = slices > 0 ? operands[i]->operands[0] : operands[i];
	}
	if (count == n->operand_count)
		return NULL;
	Node *y = graph_node(to, n->op, whole, count, n->attrs, n->attr_count, n->sites, NULL);
	y->name = n->name;
	return y;
}

/* Rules for one operator, then those for every pointwise one (op NULL). */
static const struct {
	const char *op;
	Node *(*apply)(Graph *to, const Node *n, Node **operands);
} shape_rules[] = {
        {"scale", drop_idle_shift}, {NULL, compute_before_broadcast}, {"slice", narrow_slice},
        {"pack", pack_whole},       {NULL, drop_broadcasts},
};

/* ---- the pass */

typedef struct Simplifying {
	Rules *rules;
	const Op *op_of[sizeof shape_rules / sizeof *shape_rules];
	const Joins *joins; /* of the round's graph */
	int changed;        /* nodes in this round */
} Simplifying;

static Node *simpler(const Simplifying *s, Graph *to, const Node *n, Node **operands)
{
	Node *r = fold_constants(to, n, operands);
	if (!r)
		r = join_terms(s->joins, to, n, operands);
	for (size_t i = 0; !r && i < sizeof shape_rules / sizeof *shape_rules; i++) {
		if (!s->op_of[i] || n->op == s->op_of[i])
			r = shape_rules[i].apply(to, n, operands);
	}
	const Rule *rule;
	return r ? r : rules_apply(s->rules, to, n, operands, &rule);
}

static Node *simplify_node(void *ctx, Graph *to, const Node *n, Node **operands)
{
	Simplifying *s = ctx;
	Node *r = simpler(s, to, n, operands);
	s->changed += r != NULL;
	return r;
}

Graph *pass_simplify(PassContext *ctx, const Graph *g)
{
	Simplifying s = {.rules = pass_rules(ctx, "simplify")};
	for (size_t i = 0; i < sizeof shape_rules / sizeof *shape_rules; i++)
		s.op_of[i] = shape_rules[i].op ? op_find(shape_rules[i].op) : NULL;
	for (int round = 0; round < LIMIT_ROUNDS; round++) {
		Arena *scratch = arena_new();
		s.changed = 0;
		s.joins = joins_of(scratch, g);
		Graph *to = graph_rewrite(ctx->arena, g, simplify_node, &s);
		arena_free(scratch);
		if (s.changed == 0)
			break;
		g = to;
	}
	ctx->rules = s.rules;
	return (Graph *)g;
}
