/* SPDX-License-Identifier: MIT */
/* Dense layers of one tensor whose values are read element by element, as one product (projections.h).
 *
 *     silu(x W^T)*(x V^T)    ->    y = x [W; V]^T;  silu(y[.., first half])*(y[.., second half])
 *
 * as of a gated branch (Shazeer: GLU variants improve transformer, 2020). x is read once, its gradient is one product
 * instead of two and a sum, and what is pointwise reads and writes its columns where they are: so both values have
 * nothing but pointwise readers, and columns that are a multiple of a vector. An activation that a library's product
 * has in its epilogue stays with its own product, unless it is of a gate; so do products of an x that is small.
 *
 * Must run before differentiate, and after attention, which joins what it reads itself. */
#include "ir/op.h"
#include "passes/pass.h"
#include "target/activation.h"
#include "rules/projections.h"

#include <string.h>

enum {
	LEAST_ELEMENTS = 1 << 14, /* of x */
	VECTOR = 8,               /* columns */
	MOST = 8,                 /* values of one x */
	AHEAD = 16                /* values among which the next one of a run is looked for */
};

/* Values that are one product. */
typedef struct Run {
	Node *values[MOST]; /* in the old graph */
	int count;
	Node *whole; /* in the new one, once the first value is made: [.., all columns] */
} Run;

typedef struct Joining {
	PassContext *ctx;
	const Formula *sum;
	Run **run; /* by id of the old graph: of a value; NULL: it stays */
} Joining;

static bool is_by_element(const Node *n)
{
	return (n->op->flags & OP_POINTWISE) && !n->op->place && n->op->move == MOVE_NONE;
}

/* Whether it is an activation that a library's product may compute: one kernel computes it with pointwise steps that
 * alone read it, as of a gate. */
static bool is_of_library(const Node *n, const NodeList *users)
{
	bool by_steps = users[n->id].count > 0;
	for (int i = 0; i < users[n->id].count; i++) {
		const Node *reader = users[n->id].at[i];
		by_steps = by_steps && is_by_element(reader) && !activation_in_cublas(reader->op);
	}
	return activation_in_cublas(n->op) && !by_steps;
}

/* Whether n is a dense layer's value that pointwise steps alone read. */
static bool is_candidate(const Joining *j, const Node *n, const NodeList *users)
{
	const NodeList *readers = &users[n->id];
	const Node *x, *weight, *bias;
	if (n->type.rank < 2 || readers->count == 0 || !projection_parts(j->sum, n, &x, &weight, &bias))
		return false;
	const int64_t columns = weight->type.dim[0];
	for (int i = 0; i < readers->count; i++) {
		const Node *reader = readers->at[i];
		const bool adds_bias =
		        !bias && formula_matches(j->sum, reader, NULL) && node_is_param(reader->operands[1]);
		if (!is_by_element(reader) || is_of_library(reader, users) || adds_bias ||
		    !shape_equal(reader->type, n->type))
			return false;
	}
	return n->type.dim[n->type.rank - 1] == columns && columns % VECTOR == 0 &&
	       type_elements(x->type) >= LEAST_ELEMENTS;
}

/* Finds the runs: each next value is of the parameters after those of the one before. */
static void find_runs(Joining *j, const Graph *g)
{
	Arena *a = j->ctx->arena;
	const NodeList *users = graph_users(a, g);
	const int *uses = graph_use_counts(a, g);
	NodeList found = {0};
	for (int i = 0; i < g->count; i++)
		if (is_candidate(j, g->nodes[i], users))
			array_push(a, &found, g->nodes[i]);
	for (int i = 0; i < found.count; i++) {
		if (j->run[found.at[i]->id])
			continue;
		Run *run = NEW(a, Run);
		run->values[run->count++] = found.at[i];
		for (int k = i + 1; k < found.count && k <= i + AHEAD && run->count < MOST; k++) {
			Node *const pair[2] = {run->values[run->count - 1], found.at[k]};
			if (!j->run[pair[1]->id] && shape_equal(run->values[0]->type, pair[1]->type) &&
			    projections_fit(g, j->sum, pair, 2, uses))
				run->values[run->count++] = pair[1];
		}
		for (int k = 0; k < run->count && run->count > 1; k++)
			j->run[run->values[k]->id] = run;
	}
}

/* The parameter in the new graph, which has it earlier than the old one where it was not copied yet. */
static Node *leaf_of(Graph *to, const Node *param)
{
	Node *known = graph_find_leaf(to, "param", node_text(param, "name"));
	return known ? known : graph_copy_node(to, param, NULL);
}

/* What the value's product is of, in the new graph: n is the value, with its operands there. */
static Node *input_of(const Joining *j, const Node *n, Node *const *operands)
{
	const Node *x, *weight, *bias;
	if (n->op->gemm == GEMM_PRODUCT)
		return operands[0];
	require(projection_parts(j->sum, operands[0], &x, &weight, &bias));
	return (Node *)x;
}

/* The product of all of the run's values, in the shape of one, and all columns. */
static Node *whole_of(const Joining *j, Build *b, const Run *run, Node *x)
{
	Node *weights[MOST], *biases[MOST];
	int64_t dim[LIMIT_RANK], columns = 0;
	const Node *old, *weight, *bias = NULL;
	for (int i = 0; i < run->count; i++) {
		require(projection_parts(j->sum, run->values[i], &old, &weight, &bias));
		weights[i] = leaf_of(b->graph, weight);
		biases[i] = bias ? leaf_of(b->graph, bias) : NULL;
		columns += weight->type.dim[0];
	}
	Node *y = projections_product(b, x, weights, bias ? biases : NULL, run->count);
	const Type t = run->values[0]->type;
	memcpy(dim, t.dim, sizeof dim);
	dim[t.rank - 1] = columns;
	return build_reshape(b, y, t.rank, dim);
}

static Node *join_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	const Joining *j = data;
	if (node_is_param(n))
		return graph_find_leaf(to, "param", node_text(n, "name"));
	Run *run = j->run[n->id];
	if (!run)
		return NULL;
	Build b = build_beside(to, n);
	if (!run->whole) {
		run->whole = whole_of(j, &b, run, input_of(j, n, operands));
		pass_remark(j->ctx, "%s: %d products of one tensor are one",
		            sites_text(to->arena, n->sites, 3), run->count);
	}
	int64_t start = 0;
	const int last = n->type.rank - 1;
	for (int i = 0; run->values[i] != n; i++)
		start += run->values[i]->type.dim[last];
	return build_slice(&b, run->whole, last, start, n->type.dim[last]);
}

Graph *pass_join_projections(PassContext *ctx, const Graph *g)
{
	Joining j = {ctx, formula_parse(ctx->arena, "x + y"), NEW_ARRAY(ctx->arena, Run *, g->count)};
	find_runs(&j, g);
	return graph_rewrite(ctx->arena, g, join_rule, &j);
}
