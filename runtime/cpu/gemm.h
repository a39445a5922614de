/* SPDX-License-Identifier: MIT */
/* Products of matrices, block by block: what generated loops call for a block of their result, which they then finish
 * (bias, activation, store) while it is in the cache. The code is in the runtime library (products.c), once for each
 * instruction set and precision, so that a network compiles quickly; which one runs is decided by the processor.
 *
 * Every element is summed by one thread in the order of k, so results do not depend on the number of threads. */
#ifndef NNR_GEMM_H
#define NNR_GEMM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct NnrMatrix {
	const void *at;
	int64_t rows, columns, stride; /* at[row * stride + column] */
} NnrMatrix;

/* Rows of a buffer for a block: the last tile is computed whole, and no instruction set's tile is below 6 rows. */
#define NNR_BLOCK_ROWS(rows) ((rows) + (rows) / 6 + 1)

/* c[mb][nb] = op(a) op(b), op being the transpose where ta or tb says so, for the block at (m0, n0) and k from k_first
 * to k_last. c has NNR_BLOCK_ROWS(mb) rows of nb, a multiple of 16 up to 256; what lies past the matrices is not
 * computed, or garbage. */
#define NNR_MATMUL_BLOCK(real, name)                                                                     \
	void nnr_matmul_block_##name(int64_t mb, int64_t nb, NnrMatrix a, bool ta, NnrMatrix b, bool tb, \
	                             int64_t k_first, int64_t k_last, int64_t m0, int64_t n0, real *c)
NNR_MATMUL_BLOCK(float, f32);
NNR_MATMUL_BLOCK(double, f64);

#endif
