/* SPDX-License-Identifier: MIT */
/* Says what an evaluation graph predicts, where the model names no output: the values that loss and metrics compare
 * with the targets. They are the nodes that depend on no target, of which a node that does depend on one is made.
 *
 * Must run before expand: a loss in its parts (the exponentials of a softmax) shows other such values. */
#include "ir/loop_kernel.h"
#include "passes/pass.h"

static const char *free_name(Graph *g, const Node *n)
{
	const char *base = n->name ? n->name : "prediction", *name = base;
	for (int i = 2; graph_find_output(g, OUTPUT_VALUE, name); i++)
		name = arena_printf(g->arena, "%s.%d", base, i);
	return name;
}

Graph *pass_predict(PassContext *ctx, const Graph *g)
{
	if (g->training || graph_find_output(g, OUTPUT_VALUE, NULL))
		return (Graph *)g;
	Graph *to = graph_rewrite(ctx->arena, g, NULL, NULL);
	bool *judges = NEW_ARRAY(ctx->arena, bool, to->count); /* depends on a target */
	bool *reads = NEW_ARRAY(ctx->arena, bool, to->count);  /* depends on an input that is none */
	bool *predicted = NEW_ARRAY(ctx->arena, bool, to->count);
	for (int i = 0; i < to->count; i++) {
		const Node *n = to->nodes[i];
		judges[i] = node_is_target(n);
		reads[i] = node_is_input(n) && !judges[i];
		for (int k = 0; k < n->operand_count; k++) {
			judges[i] = judges[i] || judges[n->operands[k]->id];
			reads[i] = reads[i] || reads[n->operands[k]->id];
		}
		/* Each period compares what it has itself. */
		if (judges[i] && node_is_loop(n) && !node_is_loop_kernel(n))
			return graph_unrolled_nodes(g) > LIMIT_NODES
			               ? (Graph *)g
			               : pass_predict(ctx, graph_unrolled(ctx->arena, g));
		for (int k = 0; k < n->operand_count; k++) {
			int x = n->operands[k]->id;
			predicted[x] = predicted[x] || (judges[i] && !judges[x] && reads[x]);
		}
	}
	for (int i = 0; i < to->count; i++)
		if (predicted[i])
			graph_output(to, OUTPUT_VALUE, free_name(to, to->nodes[i]), to->nodes[i]);
	return to;
}
