/* SPDX-License-Identifier: MIT */
/* Writes each loop as its periods, one after the other, so that what follows meets no loop. Runs first. */
#include "passes/pass.h"

#include "ir/loop.h"

Graph *pass_unroll(PassContext *ctx, const Graph *g)
{
	return (Graph *)graph_unrolled(ctx->arena, g);
}
