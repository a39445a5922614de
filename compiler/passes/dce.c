/* SPDX-License-Identifier: MIT */
/* Drops the nodes that reach no output. Inputs, parameters and states stay: they are the step's interface.
 * May run anywhere; needs nothing before it. */
#include "passes/pass.h"

Graph *pass_dce(PassContext *ctx, const Graph *g)
{
	Graph *swept = graph_rewrite(ctx->arena, g, NULL, NULL);
	return swept->count == g->count ? (Graph *)g : swept;
}
