/* SPDX-License-Identifier: MIT */
/* Products on tensor cores: which there are, and how they are cut. See tile.h. */
#include "kernels/tile.h"

#include "base/checked.h"
#include "kernels/conv.h"
#include "kernels/matmul.h"
#include "kernels/tile_shape.h"
#include "codegen/implementations.h"
#include "runtime/cuda/nnr_sizes.h"

enum {
	MOST_ELEMENTS = 1 << 30, /* of a tensor: offsets are of type int, and go beyond its end */
	MOST_PARTIAL = 16 << 20, /* elements of all partial sums */
	LEAST_GROUP = 8,         /* channels and filters of a group: fewer, and a tile is mostly air */
	WIDE_GROUP = 32,         /* and with so many it is full */
	MOST_PARTS = 64,
};

static const TileForm forms[] = {
        {128, 128, 2, 2, 2}, {128, 64, 2, 2, 3}, {64, 128, 2, 2, 3},
        {64, 64, 2, 2, 4},   {64, 32, 2, 2, 4},  {32, 128, 1, 4, 3},
};
enum { FORMS = sizeof forms / sizeof *forms };

static bool tiles_fit(const Region *r)
{
	const Node *n = r->root;
	const DType dtype = n->operands[0]->type.dtype;
	if (!dtype_on_tensor_cores(dtype, r->tf32))
		return false;
	if (type_elements(n->type) > MOST_ELEMENTS || type_elements(n->operands[0]->type) > MOST_ELEMENTS ||
	    type_elements(n->operands[1]->type) > MOST_ELEMENTS)
		return false;
	if (n->op->gemm == GEMM_PRODUCT)
		return true;
	const ConvShape s = conv_shape(n);
	return s.groups == 1 || (s.channels / s.groups >= LEAST_GROUP && s.filters / s.groups >= LEAST_GROUP);
}

/* The geometric mean of 182 convolutions on an H200 (bench/results/2026-11-24-tiles.txt). In a few wide groups, in f32
 * under tf32, cuDNN took 1.2 to 2.9 times as long, for AlexNet's two in all three directions; in 16 bits either is
 * faster. */
static double tiles_cost(const Region *r)
{
	const Node *n = r->root;
	if (n->op->gemm == GEMM_PRODUCT || n->operands[0]->type.dtype != DTYPE_F32)
		return 1.27 * region_us(r);
	const ConvShape s = conv_shape(n);
	const bool wide = s.channels / s.groups >= WIDE_GROUP && s.filters / s.groups >= WIDE_GROUP;
	return (s.groups > 1 && wide ? 0.6 : 1.27) * region_us(r);
}

int64_t tile_tap_step(const Window *w, int i)
{
	int64_t common = w->stride[i];
	while (w->stride[i] % common || w->dilation[i] % common)
		common--;
	return w->stride[i] / common;
}

TileShape tile_shape(const Node *n)
{
	TileShape t = {.classes = 1};
	if (n->op->gemm == GEMM_PRODUCT) {
		MatmulShape s;
		matmul_shape(n, &s);
		return (TileShape){.outer = s.batch, .classes = 1, .m = s.m, .n = s.n, .k = s.k};
	}
	const ConvShape c = conv_shape(n);
	const Window *w = &c.win;
	const int64_t taps = w->size[0] * w->size[1], channels = c.channels / c.groups,
	              filters = c.filters / c.groups;
	t.outer = c.groups;
	if (n->op->gemm == GEMM_WGRAD) {
		t.m = filters;
		t.n = taps * channels;
		t.k = c.batch * w->out[0] * w->out[1];
	} else if (n->op->gemm == GEMM_DGRAD) {
		t.classes = w->stride[0] * w->stride[1];
		t.m = c.batch * ceil_div(w->in[0], w->stride[0]) * ceil_div(w->in[1], w->stride[1]);
		t.n = channels;
		t.k = ceil_div(w->size[0], tile_tap_step(w, 0)) * ceil_div(w->size[1], tile_tap_step(w, 1)) *
		      filters;
	} else {
		t.m = c.batch * w->out[0] * w->out[1];
		t.n = filters;
		t.k = taps * channels;
	}
	return t;
}

const TileForm *tile_form(const Node *n)
{
	int count;
	const int64_t *tile = node_ints(n, "tile", &count);
	for (int i = 0; i < FORMS; i++)
		if (forms[i].rows == tile[0] && forms[i].columns == tile[1])
			return &forms[i];
	bug("no tile of %lldx%lld", (long long)tile[0], (long long)tile[1]);
}

int64_t tile_parts(const Node *n)
{
	int count;
	return node_ints(n, "tile", &count)[2];
}

int64_t tile_slices(const Node *n, const TileShape *t)
{
	return ceil_div(t->k, NNR_SLICE_BYTES / (int64_t)dtype_bytes(n->operands[0]->type.dtype));
}

int64_t tile_count(const TileShape *t, const TileForm *f)
{
	return ceil_div(t->m, f->rows) * ceil_div(t->n, f->columns) * t->outer * t->classes;
}

static int64_t tile_workspace(const Node *n)
{
	if (tile_parts(n) == 1)
		return 0;
	const TileForm *f = tile_form(n);
	const TileShape t = tile_shape(n);
	return tile_count(&t, f) * tile_parts(n) * f->rows * f->columns;
}

/* Clocks until the product is done, by the multiprocessor that has most to do. So many blocks share it as the form
 * says: together they are bound by the tensor cores or by what comes in, and each by its own latency. Sums of parts go
 * by way of memory, and the last block of a tile adds them up. The constants are fitted to plans measured on an H200,
 * about 20 for each of 182 convolutions (bench/results/2026-11-24-tiles.txt): of those the rule takes one that is 2 %
 * slower than the best, in the geometric mean. */
static double plan_cost(const TileShape *t, const TileForm *f, int64_t slices, int64_t parts,
                        int multiprocessors)
{
	const double elements = (double)f->rows * f->columns;
	const double multiply = elements / 13, fetch = (f->rows + f->columns) * NNR_SLICE_BYTES / 40.0;
	const double slice = multiply > fetch ? multiply : fetch;
	const int64_t blocks = tile_count(t, f) * parts, share = ceil_div(slices, parts);
	const int64_t turns = blocks / multiprocessors / f->blocks;
	const int64_t left = ceil_div(blocks - turns * multiprocessors * f->blocks, multiprocessors);
	const double block = (double)share * slice + elements / 15, latency = (double)share * 750 + 900;
	double clocks = parts > 1 ? elements * 4 * (double)(parts + 1) / 38 + 3500 : 0;
	clocks += (double)turns * (f->blocks * block > latency ? f->blocks * block : latency);
	if (left > 0)
		clocks += (double)left * block > latency ? (double)left * block : latency;
	return clocks;
}

/* The node's attribute `tile`, [rows, columns, parts of the depth]: how it is cut for the target. */
static Attr tile_plan(Arena *a, const Node *n, const Target *target)
{
	const TileShape t = tile_shape(n);
	const int64_t slices = tile_slices(n, &t);
	const int multiprocessors = target_arch(target).multiprocessors;
	int64_t *best = NEW_ARRAY(a, int64_t, 3);
	double least = 0;
	for (int i = 0; i < FORMS; i++) {
		const TileForm *f = &forms[i];
		for (int64_t parts = 1; parts <= MOST_PARTS && parts <= slices; parts++) {
			if (parts > 1 && tile_count(&t, f) * parts * f->rows * f->columns > MOST_PARTIAL)
				break;
			if ((parts - 1) * ceil_div(slices, parts) >= slices) /* the last one would be empty */
				continue;
			const double cost = plan_cost(&t, f, slices, parts, multiprocessors);
			if (least == 0 || cost < least) {
				least = cost;
				best[0] = f->rows, best[1] = f->columns, best[2] = parts;
			}
		}
	}
	return attr_ints("tile", best, 3);
}

/* ---- the implementation, for factors of 16 bits, and under tf32 for f32 ones */

static Node *offer_tiles(PassContext *ctx, Graph *to, const Node *n, Node **operands)
{
	const Attr tile = tile_plan(to->arena, n, ctx->target);
	const char *parts = tile.ints[2] > 1 ? arena_printf(to->arena, ", the depth in %lld parts",
	                                                    (long long)tile.ints[2])
	                                     : "";
	pass_remark(ctx, "%s: %s %s: on tensor cores, tiles of %lldx%lld%s",
	            sites_text(to->arena, n->sites, 3), n->op->name, shape_text(to->arena, n->type),
	            (long long)tile.ints[0], (long long)tile.ints[1], parts);
	return graph_node_with(to, n, operands, tile);
}

const Implementation implementation_tiles = {
        .name = "tiles",
        .doc = "convolutions and matrix products that no library computes or computes slower, on tensor "
               "cores",
        .flags = IMPL_TENSOR_CORES | IMPL_BATCH | IMPL_OPTIONAL | IMPL_ON_GPU,
        .fits = tiles_fit,
        .cost = tiles_cost,
        .offer = offer_tiles,
        .emit = tile_emit,
        .workspace = tile_workspace,
        .header = "cuda/nnr_tile.h",
};
