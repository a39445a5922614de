/* SPDX-License-Identifier: MIT */
/* Convolution of one sample by one block: calls of runtime/cuda/nnr_block.h, tiles chosen so that a step is one turn of
 * the block's threads where it can be, and the tile's sums stay in registers. */
#include "kernels/conv.h"
#include "codegen/held.h"

enum {
	MOST_SUMS = 40,               /* a thread's, of a weight gradient */
	MOST_TILE = 32,               /* sums of a tile, of a convolution */
	MOST_WGRAD_SCRATCH = 8 << 10, /* elements: partial sums of a weight gradient */
};

static int vector_of(int64_t columns)
{
	return columns % 4 == 0 ? 4 : 1;
}

/* The longest strip of a row of `columns` results for which all threads still have work, `items` being the strips of
 * length one; a strip that divides the row is preferred. */
static int64_t strip_length(int64_t columns, int64_t items, int64_t most, int threads)
{
	int64_t best = 1;
	for (int64_t length = 2; length <= most && length <= columns; length++) {
		int64_t strips = items / columns * ((columns + length - 1) / length);
		if (strips * 8 >= threads * 5 && columns % length == 0)
			best = length;
	}
	return best;
}

/* The call, and after it the epilogue for `width` columns at once. */
static void write_finish(KernelText *k, const char *call, int width)
{
	code_scope(k->code, ");", "%s, [&](int row, int col, const %s *value)", call, k->real);
	if (width > 1)
		kernel_vector_epilogue(k, 4, "row", "col", "value[u]");
	else
		kernel_epilogue(k, "row", "col", "value[0]");
	code_close(k->code, 1);
}

void conv_fprop_emit_block(KernelText *k, const Node *n)
{
	const ConvShape c = conv_shape(n);
	int filters = vector_of(c.filters), threads = k->target->threads;
	int64_t items = c.win.out[0] * c.win.out[1] * (c.filters / filters);
	int64_t pixels = strip_length(c.win.out[1], items, MOST_TILE / filters, threads);
	write_finish(k,
	             arena_printf(k->arena, "nnr_block_conv<%d, %d, %lld, %s>(x, w", threads, filters,
	                          (long long)pixels, conv_block_shape(k->arena, n)),
	             filters);
}

void conv_dgrad_emit_block(KernelText *k, const Node *n)
{
	const ConvShape c = conv_shape(n);
	int channels = vector_of(c.channels);
	write_finish(k,
	             arena_printf(k->arena, "nnr_block_conv_dgrad<%d, %d, %s>(dy, w", k->target->threads,
	                          channels, conv_block_shape(k->arena, n)),
	             channels);
}

typedef struct WgradTile {
	int filters; /* of a thread */
	int64_t pixels, lanes, scratch;
} WgradTile;

static bool wgrad_tile(const ConvShape *c, int threads, WgradTile *t)
{
	int64_t taps = c->win.size[0] * c->win.size[1], out = c->filters * (taps * c->channels + 1);
	t->filters = c->filters % 4 == 0 && 4 * taps <= MOST_SUMS ? 4 : 1;
	int64_t items = c->filters / t->filters * c->channels;
	if (c->groups > 1 || taps > MOST_SUMS || items > threads)
		return false;
	int64_t rows = c->win.out[0] * c->win.out[1];
	t->lanes = threads / items;
	t->pixels = strip_length(c->win.out[1], rows, MOST_TILE / t->filters, (int)t->lanes);
	bool exchange = items <= 16 && (items & (items - 1)) == 0;
	if (!exchange && t->lanes * out > MOST_WGRAD_SCRATCH)
		t->lanes = MOST_WGRAD_SCRATCH / out > 1 ? MOST_WGRAD_SCRATCH / out : 1;
	t->scratch = (exchange ? threads / 32 : t->lanes) * out;
	return true;
}

bool conv_wgrad_block_form(Arena *a, const Node *n, int threads, const char **form)
{
	WgradTile t;
	const ConvShape c = conv_shape(n);
	if (!wgrad_tile(&c, threads, &t))
		return false;
	*form = arena_printf(a, "NnrConvWgrad<%d, %d, %lld, %lld, %s>", threads, t.filters,
	                     (long long)t.pixels, (long long)t.lanes, conv_block_shape(a, n));
	return true;
}

int64_t conv_wgrad_block_scratch(const Node *n, int threads)
{
	WgradTile t = {0};
	const ConvShape c = conv_shape(n);
	require(wgrad_tile(&c, threads, &t));
	return t.scratch;
}
