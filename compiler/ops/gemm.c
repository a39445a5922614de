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
#include "ops/gemm.h"

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

static Blocks choose_blocks(const GemmLoops *g)
{
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

static void open_loop(KernelText *k, const char *name, const char *to, long long by)
{
	write_line(k->w,
	           by == 1 ? "for (int64_t %s = 0; %s < %s; %s++) {"
	                   : "for (int64_t %s = 0; %s < %s; %s += %lld) {",
	           name, name, to, name, by);
	write_indent(k->w, 1);
}

static void close_loops(KernelText *k, int count)
{
	while (count-- > 0) {
		write_indent(k->w, -1);
		write_line(k->w, "}");
	}
}

static const char *literal(KernelText *k, int64_t value)
{
	return arena_printf(k->arena, "%lld", (long long)value);
}

/* `name` = the part of a block of `size` at `start` that is inside `end`. */
static void write_extent(KernelText *k, const char *name, const char *start, long long size, const char *end,
                         bool exact)
{
	if (exact)
		write_line(k->w, "const int64_t %s = %lld;", name, size);
	else
		write_line(k->w, "const int64_t %s = %s - %s < %lld ? %s - %s : %lld;", name, end, start,
		           size, end, start, size);
}

/* The loops over the blocks down to the rows of one, with `row`, ready for the loop over its columns. */
static void emit_blocks(KernelText *k, const GemmLoops *g, const Blocks *b)
{
	Writer *w = k->w;
	const char *m = g->m_text ? g->m_text : literal(k, g->m), *n = literal(k, g->n);
	const char *first = "0", *last = g->k_text ? g->k_text : literal(k, g->k);
	write_line(w, "#pragma omp parallel for collapse(%d) schedule(dynamic)",
	           2 + (g->outer > 1) + (b->parts > 1));
	if (b->parts > 1)
		open_loop(k, "part", literal(k, b->parts), 1);
	if (g->outer > 1)
		open_loop(k, g->outer_name, literal(k, g->outer), 1);
	open_loop(k, "m0", m, b->rows);
	open_loop(k, "n0", n, b->columns);
	if (b->parts > 1) {
		write_line(w, "const int64_t k_first = part * %lld;", b->depth);
		write_extent(k, "depth", "k_first", b->depth, last, !g->k_text && g->k % b->depth == 0);
		first = "k_first";
		last = "k_first + depth";
	}
	write_line(w, "%s t[NNR_BLOCK_ROWS(%lld) * %lld] __attribute__((aligned(64)));", k->real, b->rows,
	           b->columns);
	write_line(w, "%s_%s(%lld, %lld, %s, %s, %s, m0, n0, t);", g->call, k->real[0] == 'f' ? "f32" : "f64",
	           b->rows, b->columns, g->arguments, first, last);
	write_extent(k, "rows", "m0", b->rows, m, !g->m_text && g->m % b->rows == 0);
	write_extent(k, "columns", "n0", b->columns, n, g->n % b->columns == 0);
	open_loop(k, "i", "rows", 1);
	if (g->row)
		write_line(w, "const int64_t row = %s;", g->row);
	else if (g->outer > 1)
		write_line(w, "const int64_t row = %s * %lld + m0 + i;", g->outer_name, (long long)g->m);
	else
		write_line(w, "const int64_t row = m0 + i;");
	write_line(w, "#pragma omp simd");
}

void gemm_emit(KernelText *k, const GemmLoops *g)
{
	Writer *w = k->w;
	Blocks b = choose_blocks(g);
	long long n = g->n;
	const char *value = arena_printf(k->arena, "t[i * %lld + j]", b.columns);
	const char *row =
	        g->row_scale == 1 ? "row" : arena_printf(k->arena, "row * %lld", (long long)g->row_scale);
	int loops = 3 + (g->outer > 1) + (b.parts > 1);
	if (b.parts > 1)
		write_line(w, "%s partial[%lld][%lld];", k->real, b.parts,
		           (long long)(g->outer * g->m * g->n));
	emit_blocks(k, g, &b);
	if (b.parts == 1) {
		open_loop(k, "j", "columns", 1);
		kernel_epilogue(k, row, g->column, value);
		close_loops(k, loops + 1);
		return;
	}
	write_line(w, "for (int64_t j = 0; j < columns; j++)");
	write_line(w, "\tpartial[part][row * %lld + n0 + j] = %s;", n, value);
	close_loops(k, loops);
	write_line(w, "#pragma omp parallel for");
	open_loop(k, "row", literal(k, g->outer * g->m), 1);
	write_line(w, "#pragma omp simd");
	open_loop(k, "j", literal(k, n), 1);
	write_line(w, "%s sum = partial[0][row * %lld + j];", k->real, n);
	for (int part = 1; part < b.parts; part++)
		write_line(w, "sum += partial[%d][row * %lld + j];", part, n);
	kernel_epilogue(k, row, "j", "sum");
	close_loops(k, 2);
}
