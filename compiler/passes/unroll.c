/* SPDX-License-Identifier: MIT */
/* Writes each loop as its periods, one after the other, but for those that one kernel computes (loop_kernels.h): what
 * follows meets no other loops. Runs after differentiate, which needs the loops. */
#include "passes/loop_kernels.h"

#include <stdlib.h>

/* A loop of more nodes than a graph may have once its periods stand one after the other. */
static void check_size(PassContext *ctx, const Graph *g, const Node *n)
{
	const Loop l = loop_of(n);
	const int64_t nodes = graph_unrolled_nodes(l.body);
	const Site *site = n->sites.count ? n->sites.at[0] : NULL;
	const char *why = "";
	if (l.count <= LIMIT_SCANNED_NODES / (nodes + 1))
		return;
	loop_may_be_kernel(ctx, n, &why);
	if (!g->full)
		fail(EXIT_SOURCE, "the %lld periods of a loop are more than %d operations",
		     (long long)l.count, LIMIT_SCANNED_NODES);
	diag_error(g->full, site ? site->loc : loc_none(), "too-many-nodes",
	           "the %lld steps of this scan, of %lld operations each, are more than %d",
	           (long long)l.count, (long long)nodes, LIMIT_SCANNED_NODES);
	if (site)
		diag_site_notes(g->full, site);
	diag_help(g->full,
	          "a scan of pointwise steps and small sums may have any number of steps, but here %s", why);
	diagnostics_finish(g->full);
	exit(EXIT_SOURCE);
}

Graph *pass_unroll(PassContext *ctx, const Graph *g)
{
	bool any = false;
	for (int i = 0; i < g->count; i++)
		any = any || node_is_loop(g->nodes[i]);
	if (!any)
		return (Graph *)g;
	g = loops_to_kernels(ctx, graph_loops_pruned(ctx->arena, g));
	bool *kernels = NEW_ARRAY(ctx->arena, bool, g->count);
	for (int i = 0; i < g->count; i++) {
		kernels[i] = node_is_loop_kernel(g->nodes[i]);
		if (node_is_loop(g->nodes[i]) && !kernels[i])
			check_size(ctx, g, g->nodes[i]);
	}
	return (Graph *)graph_unrolled_but(ctx->arena, g, kernels);
}
