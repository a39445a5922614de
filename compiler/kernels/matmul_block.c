/* SPDX-License-Identifier: MIT */
/* Matrix product of one sample by one block: calls of runtime/cuda/nnr_block.h. */
#include "kernels/matmul.h"
#include "codegen/kernel.h"

enum { WARP = 32, MOST_COLUMNS = 12 };

typedef struct Tile {
	int64_t columns, lanes; /* sums of a thread; threads that share them */
	int width;              /* elements of k that a thread loads at once */
} Tile;

/* For y = a b^T: as many sums as the columns divide into, so that an element of a is loaded once for all of them; as
 * many threads to a sum as there are to spare. */
static Tile tile_of(const MatmulShape *s, int threads, bool aligned)
{
	Tile t = {.columns = 1, .lanes = 1, .width = aligned && s->k % 4 == 0 ? 4 : 1};
	bool deep = s->k / t.width * 2 >= threads; /* the whole block has work along k */
	for (int64_t i = 2; i <= MOST_COLUMNS; i++)
		if (s->n % i == 0 && (deep || s->m * s->n / i * WARP >= threads))
			t.columns = i;
	int64_t tiles = s->m * (s->n / t.columns);
	if (tiles == 1 && deep)
		t.lanes = threads;
	while (2 * t.lanes * tiles <= threads && 2 * t.lanes * t.width <= s->k)
		t.lanes *= 2;
	return t;
}

int64_t matmul_block_workspace(const Node *n, int threads)
{
	MatmulShape s;
	matmul_shape(n, &s);
	return s.tb ? threads / WARP * MOST_COLUMNS : 0;
}

void matmul_emit_block(KernelText *k, const Node *n)
{
	MatmulShape s;
	matmul_shape(n, &s);
	int threads = k->target->threads;
	if (s.tb) {
		Tile t = tile_of(&s, threads,
		                 kernel_operand_aligned(k, 0, 4) && kernel_operand_aligned(k, 1, 4));
		code_scope(k->code, ");",
		           "nnr_block_matmul_nt<%d, %lld, %lld, %lld, %lld, %lld, %d>(a, b, partial, [&](int "
		           "row, int col, "
		           "%s value)",
		           threads, (long long)s.m, (long long)s.n, (long long)s.k, (long long)t.columns,
		           (long long)t.lanes, t.width, k->real);
		kernel_epilogue(k, "row", "col", "value");
	} else {
		int width = s.n % 4 == 0 && kernel_operand_aligned(k, 1, 4) ? 4 : 1;
		code_scope(k->code, ");",
		           "nnr_block_matmul<%d, %lld, %lld, %lld, %s, %d>(a, b, [&](int row, int col, const "
		           "%s *value)",
		           threads, (long long)s.m, (long long)s.n, (long long)s.k, s.ta ? "true" : "false",
		           width, k->real);
		if (width == 4)
			kernel_vector_epilogue(k, 4, "row", "col", "value[u]");
		else
			kernel_epilogue(k, "row", "col", "value[0]");
	}
	code_close(k->code, 1);
}
