/* SPDX-License-Identifier: MIT */
/* Stores in tf32 what tensor cores alone read.
 *
 * Tensor cores leave out the lower 13 bits of an f32. A factor that is rounded to nearest before makes the product more
 * exact, and its lower bits, all zero, draw no power wherever they go; a big product on an H200 runs at its power
 * limit. PyTorch's products at 1000x1000 in the steady state of a second, us (H200, 2026-11-22):
 *
 *                                       factors as they are   both rounded
 *     batch 8000, forward                              72.1           69.5
 *         weight gradient                              78.3           74.9
 *     batch 32000, forward                            267.8          255.1   (of x alone: 263.7)
 *         weight gradient                             231.9          221.1
 *
 * Of the MLP, in M samples/s without and with it: training 41.3 and 41.8 at batch 8000, 48.1 and 49.3 at 32000;
 * inference 108.3 and 109.1, 120.0 and 121.8.
 *
 * It rounds where a value is stored anyway: a kernel's value whose readers in other
 * kernels multiply it, or see its sign, gets `round_tf32` in its kernel, and an input of which that is true the
 * attribute `rounded`, with which the runtime's gather writes it. What a library stores would take a kernel of its own,
 * and stays; so does what any other kernel or the host reads. A step on chip is left alone: its products are loops,
 * which lose by rounding.
 *
 * The weights of an evaluation, which are the same for every batch, are rounded where they are prepared (hoist.c). In
 * training they would be rounded for every step, so there they stay.
 *
 * Nothing of it is needed for a right result. Must run after all that groups and exchanges nodes. */
#include "base/array.h"
#include "ir/formula.h"
#include "ir/op.h"
#include "passes/implementation.h"
#include "ir/domain.h"
#include "passes/pass.h"

#include <string.h>

typedef struct Rounding {
	PassContext *ctx;
	const Graph *g;
	NodeList *users;           /* by node id */
	bool *output;              /* by node id */
	ARRAY(const Node *) views; /* that count_factors has still to look at */
	const Node *
	        *root; /* by group: the operator with loops of its own, or a library's; NULL: there is none */
	int *size;     /* by group: its nodes */
	const Formula *is_positive;
} Rounding;

/* Whether n puts tensors side by side or cuts one out, and computes nothing: then it is as round as they are, and most
 * often they are computed or read in their place (program/place_pieces.c). */
static bool only_joins(const Rounding *r, const Node *n)
{
	return (n->op->move == MOVE_CONCAT || n->op->move == MOVE_SLICE) && n->group != NO_GROUP &&
	       r->size[n->group] == 1;
}

/* Whether `n` sees of x whether it is positive and no more, as the gradient of a relu does. Only what is below 2^-137
 * does not stay so when it is rounded. */
static bool sees_sign(const Rounding *r, const Node *n, const Node *x)
{
	Match m;
	return formula_matches(r->is_positive, n, &m) && matched(&m, "x") == x;
}

enum { READ_OTHERWISE = -1 };

/* How many products take x, or a view of it, as a factor; READ_OTHERWISE where the host or any other kernel reads
 * it. */
static int count_factors(Rounding *r, const Node *x)
{
	int count = 0;
	r->views.count = 0;
	array_push(r->ctx->arena, &r->views, x);
	for (int v = 0; v < r->views.count; v++) {
		x = r->views.at[v];
		if (r->output[x->id])
			return READ_OTHERWISE;
		for (int i = 0; i < r->users[x->id].count; i++) {
			const Node *n = r->users[x->id].at[i];
			if ((x->group != NO_GROUP && n->group == x->group) || sees_sign(r, n, x))
				continue;
			if (((n->op->flags & OP_ALIAS) && n->group == NO_GROUP) || only_joins(r, n))
				array_push(r->ctx->arena, &r->views, n);
			else if (implementation_of(n)->flags & IMPL_TENSOR_CORES)
				count++;
			else
				return READ_OTHERWISE;
		}
	}
	return count;
}

/* Whether x's kernel can round it. Loops for pointwise nodes and reductions always can: what has the shape of x, and
 * reads nothing else of the kernel, is of its level and phase (ir/domain.h). Of a library's products the epilogue
 * ends so. */
static bool takes_rounding(const Rounding *r, const Node *x)
{
	const Node *root = r->root[x->group];
	if (!root)
		return true;
	const bool takes = node_by_library(root) ? x != root && root->op->gemm == GEMM_PRODUCT
	                                         : (root->op->flags & OP_EPILOGUE) != 0;
	return takes && shape_equal(x->type, root->type);
}

static bool rounds_value(Rounding *r, const Node *x)
{
	return x->group != NO_GROUP && x->type.dtype == DTYPE_F32 && !only_joins(r, x) &&
	       takes_rounding(r, x) && count_factors(r, x) > 0;
}

/* The leaves of an input, which the gather writes together, are rounded both or neither. */
static bool rounds_input(Rounding *r, const Node *input)
{
	int count = 0;
	if (!node_is_input(input) || input->type.dtype != DTYPE_F32)
		return false;
	for (int i = 0; i < r->g->count; i++) {
		const Node *x = r->g->nodes[i];
		if (!node_is_input(x) || strcmp(node_text(x, "name"), node_text(input, "name")) != 0)
			continue;
		int factors = count_factors(r, x);
		if (factors == READ_OTHERWISE)
			return false;
		count += factors;
	}
	return count > 0;
}

static Node *rounded_leaf(Graph *to, const Node *x)
{
	int count;
	Attr *attrs = node_attrs_with(to->arena, x, attr_int("rounded", 1), &count);
	Node *leaf = graph_leaf(to, "input", x->type, attrs, count, x->sites);
	leaf->name = x->name;
	return leaf;
}

static Graph *round_found(Rounding *r)
{
	const Graph *g = r->g;
	Arena *a = r->ctx->arena;
	Graph *to = graph_like(a, g);
	Node **copies = NEW_ARRAY(a, Node *, g->count), **rounded = NEW_ARRAY(a, Node *, g->count);
	const Phase *phases = node_phases(a, g);
	bool any = false;
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		if (rounds_input(r, n)) {
			copies[i] = rounded_leaf(to, n);
			any = true;
			if (!node_is_transposed(n))
				pass_remark(r->ctx, "%s: `%s` is gathered in tf32",
				            sites_text(a, n->sites, 3), node_text(n, "name"));
			continue;
		}
		Node **operands = NEW_ARRAY(a, Node *, n->operand_count);
		for (int k = 0; k < n->operand_count; k++) {
			const Node *x = n->operands[k];
			bool reads_stored = rounded[x->id] && x->group != n->group;
			operands[k] = reads_stored ? rounded[x->id] : copies[x->id];
		}
		copies[i] = graph_copy_node(to, n, operands);
		if (!rounds_value(r, n))
			continue;
		Build b = build_beside(to, n);
		rounded[i] = build1(&b, "round_tf32", copies[i]);
		rounded[i]->group = n->group;
		any = true;
		pass_remark(r->ctx, "%s: %s: %s is stored in tf32", sites_text(a, n->sites, 3),
		            graph_phase_name(g, phases[i]), n->op->name);
	}
	graph_copy_outputs(to, g, copies);
	return any ? to : (Graph *)g;
}

Graph *pass_round_operands(PassContext *ctx, const Graph *g)
{
	if (!pass_in_tf32(ctx))
		return (Graph *)g;
	Arena *a = ctx->arena;
	Rounding r = {.ctx = ctx, .g = g, .is_positive = formula_parse(a, "x > 0")};
	r.users = graph_users(a, g);
	r.output = graph_outputs(a, g);
	r.root = NEW_ARRAY(a, const Node *, g->count + 1);
	r.size = NEW_ARRAY(a, int, g->count + 1);
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		if (n->group == NO_GROUP)
			continue;
		r.size[n->group]++;
		if (!node_is_fusible(n))
			r.root[n->group] = n;
	}
	return round_found(&r);
}
