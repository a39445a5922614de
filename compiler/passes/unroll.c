/* SPDX-License-Identifier: MIT */
/* Writes each loop as its periods, one after the other, but for those that one kernel computes (loop_kernels.h): what
 * follows meets no other loops. Runs first. */
#include "passes/loop_kernels.h"

#include <stdlib.h>

/* A loop of more nodes than a graph may have once its periods stand one after the other. */
static void check_size(const Graph *g, const Node *n, const char *why)
{
	const Loop l = loop_of(n);
	const int64_t nodes = graph_unrolled_nodes(l.body);
	const Site *site = n->sites.count ? n->sites.at[0] : NULL;
	if (l.count <= LIMIT_SCANNED_NODES / (nodes + 1))
		return;
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

static Node *hoist_loop(void *data, Graph *to, const Node *n, Node **operands)
{
	return node_is_loop(n) ? loop_hoisted(to, n, operands) : NULL;
}

Graph *pass_unroll(PassContext *ctx, const Graph *g)
{
	bool *kept = NEW_ARRAY(ctx->arena, bool, g->count), any = false;
	for (int i = 0; i < g->count; i++) {
		const char *why = NULL;
		if (!node_is_loop(g->nodes[i]))
			continue;
		kept[i] = loop_is_kept(ctx, g->nodes[i], &why);
		any = any || kept[i];
		if (!kept[i])
			check_size(g, g->nodes[i], why);
	}
	g = graph_unrolled_but(ctx->arena, g, kept);
	return any ? graph_rewrite(ctx->arena, g, hoist_loop, NULL) : (Graph *)g;
}
