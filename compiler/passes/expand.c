/* SPDX-License-Identifier: MIT */
/* Writes composite operators as the simpler ones of their records' `expand`, until no composite is left.
 *
 * Runs after differentiate, so that a composite with a gradient of its own (softmax with cross-entropy, say)
 * is differentiated as one; after this pass only leaves, pointwise operators, reductions, aliases and the
 * operators with loops of their own are left. */
#include "passes/pass.h"

#include "ir/op.h"

enum { LIMIT_ROUNDS = 16 }; /* a composite of a composite of ...: in practice 3 */

typedef bool Wanted(const Node *n);

typedef struct Expansion {
	Wanted *wanted;
	int expanded;
} Expansion;

static Node *expand_node(void *ctx, Graph *to, const Node *n, Node **operands)
{
	Expansion *x = ctx;
	if (!n->op->expand || !x->wanted(n))
		return NULL;
	Expand e = {
	        .b = build_parts(to, n, NULL),
	        .node = n,
	        .operands = operands,
	        .training = to->training,
	};
	const int made = to->count;
	Node *simpler = n->op->expand(&e);
	if (!simpler)
		return NULL;
	node_called_from(simpler, made, node_word(n));
	require(type_equal(simpler->type, n->type));
	x->expanded++;
	return simpler;
}

Graph *graph_expand(Arena *a, const Graph *g, Wanted *wanted)
{
	for (int round = 0; round < LIMIT_ROUNDS; round++) {
		Expansion x = {.wanted = wanted};
		Graph *expanded = graph_rewrite(a, g, expand_node, &x);
		if (x.expanded == 0)
			return (Graph *)g;
		g = expanded;
	}
	bug("expansion has not ended after %d rounds", LIMIT_ROUNDS);
}

static bool every(const Node *n)
{
	return true;
}

Graph *pass_expand(PassContext *ctx, const Graph *g)
{
	return graph_expand(ctx->arena, g, every);
}
