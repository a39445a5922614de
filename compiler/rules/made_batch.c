/* SPDX-License-Identifier: MIT */
/* Equal pieces that are computed one by one and put side by side, as samples of one batch: make_one_of_pieces.
 *
 *     concat(f(slice(x, 0, n)), f(slice(x, n, n)), ..)    ->    f(x as [batch*pieces, n])
 *
 * as where a loop of the network goes through windows of an image, parts of a sequence or slices of channels, with
 * parameters that all share. What computes the first piece is computed of all: each of its operators acts on samples,
 * the first dimension, so that it is enough to give it more of them. A value of the pieces with elements [batch, inner]
 * becomes one with [batch, pieces, inner], and its first dimension is as many times as long. */
#include "base/array.h"
#include "ir/op.h"
#include "ops/compose.h"
#include "rules/rules.h"

#include <string.h>

RuleMaker make_one_of_pieces;

enum { MOST_PIECES = 1024, MOST_NODES = 256, DEEPEST = 96 /* operators below one another */, SAME_DEPTH = 3 };

/* Nodes of all pieces, and what they become. */
typedef struct Lifted {
	Node *const *of;
	Node *all;
} Lifted;

typedef struct Pieces {
	const Rules *r;
	Build *b;
	int count;
	int64_t batch;
	ARRAY(Lifted) lifted;
	Arena *scratch;
	bool cut, multiplied; /* there are parts of one tensor among them, and a product */
} Pieces;

/* Whether they are one value, as constants and slices are that each piece has for itself. */
static bool same_value(const Node *x, const Node *y, int depth)
{
	bool same = x == y;
	if (!same && depth > 0 && nodes_alike(x, y)) {
		same = true;
		for (int i = 0; i < x->operand_count && same; i++)
			same = same_value(x->operands[i], y->operands[i], depth - 1);
	}
	return same;
}

static bool are_equal(const Pieces *p, Node *const *x)
{
	for (int i = 1; i < p->count; i++)
		if (!same_value(x[i], x[0], SAME_DEPTH))
			return false;
	return true;
}

/* Whether the nodes are parts of one tensor, one behind the other along an axis that is not the first. */
static bool are_parts(const Pieces *p, Node *const *x)
{
	const Node *first = x[0];
	if (first->op->move != MOVE_SLICE || first->type.rank + 2 > LIMIT_RANK)
		return false;
	const int64_t axis = node_int(first, "axis"), start = node_int(first, "start");
	for (int i = 0; i < p->count; i++)
		if (x[i]->op != first->op || !same_value(x[i]->operands[0], first->operands[0], SAME_DEPTH) ||
		    !type_equal(x[i]->type, first->type) || node_int(x[i], "axis") != axis ||
		    node_int(x[i], "start") != start + i * first->type.dim[axis])
			return false;
	return axis > 0 && first->type.dim[0] % p->batch == 0;
}

/* Whether an axis of the operator is the first dimension. */
static bool joins_samples(const Node *n)
{
	int count = 0;
	const int64_t *axes = node_attr(n, "axes") ? node_ints(n, "axes", &count) : NULL;
	if (n->op->move == MOVE_TRANSPOSE)
		return axes[0] != 0;
	for (int i = 0; i < count; i++)
		if (axes[i] == 0)
			return true;
	return node_attr(n, "axis") && node_int(n, "axis") == 0;
}

static bool acts_on_samples(const Node *n)
{
	static const char *const others[] = {"softmax", "log_softmax", "layernorm", "rmsnorm"};
	bool known = node_is_by_element(n) || n->op->flags & (OP_RESHAPES | OP_REDUCE) ||
	             n->op->move == MOVE_TRANSPOSE || n->op->move == MOVE_SLICE ||
	             (n->op->gemm == GEMM_PRODUCT && !node_int(n, "ta"));
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		known = known || node_is(n, others[i]);
	return known && n->operand_count > 0 && n->operand_count <= OP_MAX_OPERANDS && !joins_samples(n);
}

/* Whether an operand that all pieces share is the same for all samples of n. */
static bool is_for_all_samples(const Node *n, int operand)
{
	const Type t = n->operands[operand]->type;
	if (n->op->gemm == GEMM_PRODUCT)
		return operand == 1 && t.rank == 2 && n->type.rank == 2;
	return t.rank < n->type.rank || t.dim[0] == 1;
}

/* Whether an operand with more samples gives n more of them. */
static bool has_samples_of(const Node *n, int operand)
{
	const Type t = n->operands[operand]->type;
	if (n->op->flags & OP_RESHAPES)
		return true;
	return t.rank == n->type.rank && t.dim[0] == n->type.dim[0] &&
	       !(n->op->gemm == GEMM_PRODUCT && operand == 1 && t.rank == 2);
}

static Node **operands_of(const Pieces *p, Node *const *x, int operand)
{
	Node **all = NEW_ARRAY(p->scratch, Node *, p->count);
	for (int i = 0; i < p->count; i++)
		all[i] = x[i]->operands[operand];
	return all;
}

static Lifted *lifted_of(const Pieces *p, const Node *first)
{
	for (int i = 0; i < p->lifted.count; i++)
		if (p->lifted.at[i].of[0] == first)
			return &p->lifted.at[i];
	return NULL;
}

static bool can_lift(Pieces *p, Node *const *x, int depth)
{
	const Lifted *known = lifted_of(p, x[0]);
	if (known)
		return memcmp(known->of, x, (size_t)p->count * sizeof *x) == 0;
	const Node *first = x[0];
	const bool parts = are_parts(p, x);
	bool fit = depth > 0 && p->lifted.count < MOST_NODES && first->type.rank > 0 &&
	           first->type.dim[0] % p->batch == 0 && (parts || acts_on_samples(first));
	for (int i = 1; i < p->count && fit && !parts; i++)
		fit = nodes_alike(x[i], first);
	for (int k = 0; k < first->operand_count && fit && !parts; k++) {
		Node **of = operands_of(p, x, k);
		fit = are_equal(p, of) ? is_for_all_samples(first, k)
		                       : has_samples_of(first, k) && can_lift(p, of, depth - 1);
	}
	p->cut = p->cut || parts;
	p->multiplied = p->multiplied || first->op->gemm == GEMM_PRODUCT;
	if (fit)
		array_push(p->scratch, &p->lifted, ((Lifted){.of = x}));
	return fit;
}

/* The parts of one tensor as samples. */
static Node *lift_parts(const Pieces *p, Build *b, Node *const *x)
{
	const Type t = x[0]->type;
	const int64_t axis = node_int(x[0], "axis"), start = node_int(x[0], "start"), each = t.dim[axis],
	              rows = t.dim[0] / p->batch;
	Node *whole = p->r->now[x[0]->operands[0]->id];
	if (whole->type.dim[axis] != each * p->count)
		whole = build_slice(b, whole, axis, start, each * p->count);
	int64_t dim[LIMIT_RANK + 2], axes[LIMIT_RANK + 2], flat[LIMIT_RANK];
	int rank = 0, pieces = 0;
	dim[rank++] = p->batch;
	if (rows > 1)
		dim[rank++] = rows;
	for (int i = 1; i < t.rank; i++) {
		if (i == axis)
			pieces = rank, dim[rank++] = p->count;
		dim[rank++] = t.dim[i];
	}
	axes[0] = 0, axes[1] = pieces;
	for (int i = 1, k = 2; i < rank; i++)
		if (i != pieces)
			axes[k++] = i;
	memcpy(flat, t.dim, sizeof flat);
	flat[0] *= p->count;
	return build_reshape(b, build_transpose(b, build_reshape(b, whole, rank, dim), axes), t.rank, flat);
}

static Node *lift(Pieces *p, Node *const *x)
{
	Lifted *l = lifted_of(p, x[0]);
	const Node *first = x[0];
	Node *operands[OP_MAX_OPERANDS];
	if (l->all)
		return l->all;
	Build b = build_beside(p->b->graph, first);
	b.real = first->type.dtype;
	if (are_parts(p, x))
		return l->all = lift_parts(p, &b, x);
	for (int k = 0; k < first->operand_count; k++) {
		Node **of = operands_of(p, x, k);
		operands[k] = are_equal(p, of) ? p->r->now[of[0]->id] : lift(p, of);
	}
	int64_t dim[LIMIT_RANK];
	memcpy(dim, first->type.dim, sizeof dim);
	dim[0] *= p->count;
	Node *y = first->op->flags & OP_RESHAPES ? build_reshape(&b, operands[0], first->type.rank, dim)
	                                         : build(&b, first->op->name, first->operand_count, operands,
	                                                 first->attr_count, first->attrs);
	return lifted_of(p, first)->all = node_called(y, first->called);
}

/* All pieces, samples of one value, side by side along the axis. */
static Node *put_beside(const Pieces *p, Node *all, const Node *n, int64_t axis)
{
	const Type t = n->operands[0]->type;
	int64_t dim[LIMIT_RANK + 2], axes[LIMIT_RANK + 2];
	int rank = 2, k = 0;
	dim[0] = p->batch, dim[1] = p->count;
	if (t.dim[0] > p->batch)
		dim[rank++] = t.dim[0] / p->batch;
	const int first = rank;
	for (int i = 1; i < t.rank; i++)
		dim[rank++] = t.dim[i];
	for (int i = 0; i < rank; i++) {
		if (i == first + axis - 1)
			axes[k++] = 1;
		if (i != 1)
			axes[k++] = i;
	}
	Node *y = build_transpose(p->b, build_reshape(p->b, all, rank, dim), axes);
	return build_reshape(p->b, y, n->type.rank, n->type.dim);
}

Node *make_one_of_pieces(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const int64_t axis = x[0].attr->i;
	Node *const *pieces = n->operands;
	Pieces p = {.r = r, .b = b, .count = n->operand_count, .batch = r->graph->batch};
	if (p.count < 2 || p.count > MOST_PIECES || axis < 1 || n->type.rank + 2 > LIMIT_RANK ||
	    pieces[0] == pieces[1] || pieces[0]->op != pieces[1]->op)
		return NULL;
	p.scratch = arena_new();
	Node *y = NULL;
	if (!are_parts(&p, pieces) && can_lift(&p, pieces, DEEPEST) && p.cut && p.multiplied)
		y = put_beside(&p, lift(&p, pieces), n, axis);
	arena_free(p.scratch);
	return y;
}
