/* Gives convolutions and matrix products that no library computes to nnc's own kernels on tensor cores (ops/tile.h).
 *
 * They are for 16-bit factors, and under tf32 for f32 ones; fp32 and fp64 keep the plain loops, and so do groups of a
 * few channels, of which a tile would be mostly air. A node gets impl="tiles" and how it is cut in the attribute
 * `tile`: [rows, columns] of a tile of the result, and the parts of the depth.
 *
 * What stands behind such a node in its group stays: each sum goes through the group's epilogue as from the loops. Must
 * run after all that exchanges nodes, and before round_operands, which rounds what tensor cores read. */
#include "ops/tile.h"
#include "passes/pass.h"

#include <string.h>

static Node *tiles_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	PassContext *ctx = data;
	const Attr *impl = node_attr(n, "impl");
	if (!impl || strcmp(impl->s, "loops") != 0 || !tile_fits(n, pass_in_tf32(ctx)))
		return NULL;
	const Attr tile = tile_plan(to->arena, n, ctx->target);
	const char *parts = tile.ints[2] > 1 ? arena_printf(to->arena, ", the depth in %lld parts",
	                                                    (long long)tile.ints[2])
	                                     : "";
	pass_remark(ctx, "%s: %s %s: on tensor cores, tiles of %lldx%lld%s",
	            sites_text(to->arena, n->sites, 3), n->op->name, shape_text(to->arena, n->type),
	            (long long)tile.ints[0], (long long)tile.ints[1], parts);
	Node by_tiles = *n;
	by_tiles.attrs = node_attrs_with(to->arena, n, attr_text("impl", "tiles"), &by_tiles.attr_count);
	return graph_node_with(to, &by_tiles, operands, tile);
}

Graph *pass_tiles(PassContext *ctx, const Graph *g)
{
	return graph_rewrite(ctx->arena, g, tiles_rule, ctx);
}
