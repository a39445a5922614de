/* SPDX-License-Identifier: MIT */
/* The loop nest around a matrix product.
 *
 *     #pragma omp parallel for collapse(2) schedule(dynamic)
 *     for (m0 ...) for (n0 ...) {
 *             float t[...];
 *             nnr_matmul_block_f32(...);       packs and multiplies
 *             for (i ...) for (j ...) epilogue of (m0 + i, n0 + j)
 *     }
 *
 * A result too small to occupy the threads while k is long (the weight gradients of a first layer) is cut along k: a
 * fixed number of partial results, added in order. All cuts depend on the shape alone. */
#include "base/checked.h"
#include "codegen/lanes.h"
#include "kernels/gemm.h"

enum {
	BLOCK_ROWS = 252,    /* a multiple of every machine's tile of rows: 6, 12, 14 */
	BLOCK_COLUMNS = 256, /* NNR_MAX_COLUMNS */
	TASKS = 16,          /* wanted for balance */
	PARTIAL_ELEMENTS =
	        1 << 18,     /* most elements of all partial results: they live on the main thread's stack */
	PARTIAL_DEPTH = 512, /* least k of a partial result */
};

typedef struct Blocks {
	long long rows, columns; /* of a block */
	long long parts, depth;  /* cuts along k */
} Blocks;

/* Cuts along k that give enough tasks, where the partial results are small and long enough. */
static int64_t useful_parts(const GemmLoops *g, int64_t tasks)
{
	int64_t parts = tasks >= TASKS || g->row ? 1 : TASKS / tasks;
	while (parts > 1 &&
	       (g->k / parts < PARTIAL_DEPTH || g->outer * g->m > PARTIAL_ELEMENTS / parts / g->n))
		parts--;
	return parts;
}

/* Cycles for one value of k: packing the panels again for each block of rows, and rows again for each block of
 * columns; adding up partial results; idle threads where tasks are too few. Multiplication itself costs m n / 16. */
static double blocks_cost(const GemmLoops *g, int64_t across, int64_t down, int64_t columns, int64_t parts)
{
	double m = (double)g->m, n = (double)g->n, product = m * n / 16;
	double cost = (double)down * n * g->panel_cost + (double)across * m / 6;
	if (columns < 32 && n > 16)
		cost += product / 4; /* half the tile's columns: more loads */
	if (parts > 1)
		cost += (double)parts * m * n / (double)g->k;
	int64_t tasks = across * down * g->outer * parts;
	if (tasks < TASKS)
		cost += (product + cost) * (double)(TASKS - tasks) / (double)tasks;
	return cost;
}

/* For one thread: a few columns at a time, so that a block stays in the first cache until its epilogue. */
static Blocks blocks_alone(const GemmLoops *g)
{
	enum { ROWS = 64, COLUMNS = 128 };
	const int64_t wanted = g->n > 16 ? ceil_div(g->n, 32) * 32 : 16;
	return (Blocks){g->m < ROWS ? g->m : ROWS, wanted < COLUMNS ? wanted : COLUMNS, 1, g->k};
}

static Blocks choose_blocks(const GemmLoops *g)
{
	if (g->alone)
		return blocks_alone(g);
	Blocks best = {0};
	double best_cost = 0;
	for (int64_t columns = BLOCK_COLUMNS; columns >= 16; columns -= columns > 32 ? 32 : 16) {
		if (columns >= (g->n > 16 ? g->n + 32 : 32))
			continue;
		int64_t across = ceil_div(g->n, columns), most = ceil_div(g->m, 14);
		for (int64_t down = ceil_div(g->m, BLOCK_ROWS); down <= most; down++) {
			int64_t parts = useful_parts(g, across * down * g->outer);
			double cost = blocks_cost(g, across, down, columns, parts);
			if (best.rows == 0 || cost < best_cost) {
				int64_t depth = ceil_div(g->k, parts);
				best = (Blocks){ceil_div(g->m, down), columns, ceil_div(g->k, depth), depth};
				best_cost = cost;
			}
			if (across * down * g->outer >= 2 * TASKS)
				break;
		}
	}
	return best;
}

/* How many of `size` at `start` are inside `end`: "252", or `name`, which it declares. */
static const char *extent(KernelText *k, const char *name, const char *start, long long size, const char *end,
                          bool exact)
{
	if (exact)
		return kernel_literal(k, size);
	code_let(k->code, "int64_t", "%s", "%s - %s < %lld ? %s - %s : %lld", name, end, start, size, end,
	         start, size);
	return name;
}

/* One block covers the axis, which is so short that other sizes of it would be another function anyway: larger ones
 * keep their loop, so that one function does for a product of 64 columns and for one of 512. */
static bool has_one_block(int64_t size, int64_t block)
{
	return size <= block && size < FAMILY_LEAST;
}

/* What the blocks are in the text; of an axis that has one block there is no loop, and its start is "0". */
typedef struct BlockText {
	const char *m0, *n0, *columns;
	int loops; /* open, down to the rows of a block */
} BlockText;

static void open_blocks(KernelText *k, const GemmLoops *g, const Blocks *b, const char *m, BlockText *t)
{
	bool down = g->row || g->m_text || !has_one_block(g->m, b->rows),
	     across = !has_one_block(g->n, b->columns);
	int outer = (g->outer > 1) + (b->parts > 1) + down + across;
	*t = (BlockText){.m0 = down ? "m0" : "0", .n0 = across ? "n0" : "0", .loops = outer};
	if (outer > 1 && !g->alone)
		code_turns(k->code, TURNS_THREADS,
		           arena_printf(k->arena, " collapse(%d) schedule(dynamic)", outer));
	else if (outer == 1 && !g->alone)
		code_turns(k->code, TURNS_THREADS, " schedule(dynamic)");
	if (b->parts > 1)
		kernel_loop(k, "part", "0", kernel_literal(k, b->parts), 1);
	if (g->outer > 1)
		kernel_loop(k, g->outer_name, "0", kernel_literal(k, g->outer), 1);
	if (down)
		kernel_loop(k, "m0", g->m_first ? g->m_first : "0", m, b->rows);
	if (across)
		kernel_loop(k, "n0", "0", kernel_literal(k, g->n), b->columns);
}

/* The loops over the blocks down to the rows of one, with `row`, ready for the loop over its columns. */
static BlockText emit_blocks(KernelText *k, const GemmLoops *g, const Blocks *b)
{
	Code *w = k->code;
	const char *m = g->m_text ? g->m_text : kernel_literal(k, g->m), *n = kernel_literal(k, g->n);
	const char *first = "0", *last = g->k_text ? g->k_text : kernel_literal(k, g->k);
	BlockText t;
	open_blocks(k, g, b, m, &t);
	if (b->parts > 1) {
		code_let(w, "int64_t", "k_first", "part * %lld", b->depth);
		const char *depth =
		        extent(k, "depth", "k_first", b->depth, last, !g->k_text && g->k % b->depth == 0);
		first = "k_first";
		last = arena_printf(k->arena, "k_first + %s", depth);
	}
	code_array(w, "%s", "t", "NNR_BLOCK_ROWS(%lld) * %lld", k->real, b->rows, b->columns)->is_aligned =
	        true;
	code_do(w, "%s_%s(%lld, %lld, %s, %s, %s, %s, %s, t)", g->call, k->real[0] == 'f' ? "f32" : "f64",
	        b->rows, b->columns, g->arguments, first, last, t.m0, t.n0);
	const char *rows = *t.m0 == '0' ? m : extent(k, "rows", "m0", b->rows, m, false);
	t.columns = *t.n0 == '0' ? n : extent(k, "columns", "n0", b->columns, n, false);
	kernel_loop(k, "i", "0", rows, 1);
	t.loops++;
	const char *in_product = *t.m0 == '0' ? "i" : "m0 + i";
	if (g->row)
		code_let(w, "int64_t", "row", "%s", g->row);
	else if (g->outer > 1)
		code_let(w, "int64_t", "row", "%s * %lld + %s", g->outer_name, (long long)g->m, in_product);
	else
		code_let(w, "int64_t", "row", "%s", in_product);
	code_turns(w, TURNS_SIMD, "");
	return t;
}

void gemm_emit(KernelText *k, const GemmLoops *g)
{
	Code *w = k->code;
	Blocks b = choose_blocks(g);
	long long n = g->n;
	const char *value = arena_printf(k->arena, "t[i * %lld + j]", b.columns);
	const char *row = g->row_scale ? arena_printf(k->arena, "row * %s", g->row_scale) : "row";
	long long size = g->outer * g->m * n;
	if (b.parts > 1)
		code_array(w, "%s", "partial", "%lld", k->real, b.parts * size);
	BlockText t = emit_blocks(k, g, &b);
	const char *in_product = *t.n0 == '0' ? "j" : "n0 + j";
	if (b.parts == 1) {
		const char *column = !g->columns_apart
		                             ? in_product
		                             : arena_printf(k->arena, "%s * %lld + %s", g->outer_name,
		                                            (long long)g->columns_apart, in_product);
		kernel_loop(k, "j", "0", t.columns, 1);
		kernel_epilogue(k, row, column, value);
		code_close(k->code, t.loops + 1);
		return;
	}
	code_for_bare(w, "j", "%s", t.columns);
	code_set(w, "partial[part * %lld + row * %lld + %s]", "%s", size, n, in_product, value);
	code_close(w, 1);
	code_close(k->code, t.loops);
	code_turns(w, TURNS_THREADS, "");
	kernel_loop(k, "row", "0", kernel_literal(k, g->outer * g->m), 1);
	code_var(w, "%s *const", "sum", "partial + row * %lld", k->real, n);
	kernel_loop(k, "part", "1", kernel_literal(k, b.parts), 1);
	code_turns(w, TURNS_SIMD, "");
	code_for_bare(w, "j", "%lld", n);
	code_add(w, "sum[j]", "partial[part * %lld + row * %lld + j]", size, n);
	code_close(w, 1);
	code_close(k->code, 1);
	code_turns(w, TURNS_SIMD, "");
	kernel_loop(k, "j", "0", kernel_literal(k, n), 1);
	kernel_epilogue(k, row, "j", "sum[j]");
	code_close(k->code, 2);
}
