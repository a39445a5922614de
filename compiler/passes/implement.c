/* SPDX-License-Identifier: MIT */
/* The pass `implement`: what computes each heavy operator. */
#include "passes/implementation.h"

#include "ir/domain.h"

/* sum over axes {0, 2} of a tensor whose axis 1 is larger than 1: the sum over 2, then over 0. */
static Node *split_reduction(Graph *to, const Node *n, Node **operands)
{
	int count;
	const int64_t *axes = node_ints(n, "axes", &count);
	Build b = build_beside(to, n);
	Node *x = operands[0];
	for (int end = count; end > 0;) {
		int start = end - 1;
		while (start > 0) {
			bool neighbours = true;
			for (int64_t i = axes[start - 1] + 1; i < axes[start]; i++)
				neighbours = neighbours && x->type.dim[i] == 1;
			if (!neighbours)
				break;
			start--;
		}
		x = build_reduce(&b, n->op->name, x, axes + start, end - start);
		end = start;
	}
	return x;
}

static Node *implement_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	PassContext *ctx = data;
	if ((n->op->flags & OP_REDUCE) && domain_of_reduction(n).separated)
		return split_reduction(to, n, operands);
	if (!(n->op->flags & OP_HEAVY))
		return NULL;
	const Implementation *m = implementation_choose(ctx, n);
	Node *by = graph_node_with(to, n, operands, attr_text("impl", m->name));
	if (m->offer)
		by = m->offer(ctx, to, by, operands);
	for (int i = 0; i < implementation_count; i++) {
		const Implementation *beside = implementations[i];
		const Region r = region_of(ctx, by, NULL);
		if (beside->beside && implementation_is_offered(beside, ctx) && beside->fits(&r))
			by = beside->offer(ctx, to, by, operands);
	}
	return by;
}

/* Chooses what computes each heavy operator, and cuts a reduction over separated axes into reductions over neighbouring
 * ones, which is all that kernels know.
 *
 * Must run after all that exchanges heavy nodes or changes how their operands are stored, and before fuse: whether a
 * node takes an epilogue depends on what computes it. */
Graph *pass_implement(PassContext *ctx, const Graph *g)
{
	return graph_rewrite(ctx->arena, g, implement_rule, ctx);
}
