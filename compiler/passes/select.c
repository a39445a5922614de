/* Chooses generated loops or a library for each heavy operator, and cuts a reduction over separated axes into
 * reductions over neighbouring ones, which is all that kernels know.
 *
 * Must run before fuse: only a heavy operator computed by generated loops can take an epilogue. */

#include "ops/op.h"
#include "passes/domain.h"
#include "passes/pass.h"

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

static Node *select_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	PassContext *ctx = data;
	if ((n->op->flags & OP_REDUCE) && domain_of_reduction(n).separated)
		return split_reduction(to, n, operands);
	if (!(n->op->flags & OP_HEAVY))
		return NULL;
	return graph_node_with(to, n, operands, attr_text("impl", ctx->target->select(ctx->target, n)));
}

Graph *pass_select(PassContext *ctx, const Graph *g)
{
	return graph_rewrite(ctx->arena, g, select_rule, ctx);
}
