/* SPDX-License-Identifier: MIT */
/* Matrix products for generated loops: packed panels and a register-blocked tile.
 *
 * A generated kernel cuts its result into blocks of rows and columns and gives each block to one thread, which calls
 * nnr_gemm_block and then finishes the elements (bias, activation, store) while they are in the cache:
 *
 *              columns n0 .. n0+nb                 the block's columns of b are packed, NNR_KC rows at a time,
 *            k +-------+-------+                   into panels [k][2 vectors]; rows of a are packed a tile at a
 *     k        | panel | panel |                   time; nnr_tile keeps rows x 2 vectors of the result in registers
 *   +------+ +-------+-------+                     and walks k. An operand is read through a `load` function, so
 *   | tile | | rows x| 2 vec |  rows m0 .. m0+mb   that a convolution packs its patches straight from the image.
 *   +------+ +-------+-------+
 *
 * Every element is summed by one thread in the order of k, so results do not depend on the number of threads.
 * Private to products.c, which is compiled for each instruction set with NNR_REAL defined as float and as double; gcc
 * and clang vector extensions, any machine. */
#ifndef NNR_CPU_TILE_H
#define NNR_CPU_TILE_H

#include "gemm.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX512F__)
#define NNR_VECTOR_BYTES 64
#define NNR_TILE_ROWS    14 /* 28 of 32 registers accumulate */
#elif defined(__AVX__)
#define NNR_VECTOR_BYTES 32
#define NNR_TILE_ROWS    6 /* 12 of 16 */
#elif defined(__aarch64__)
#define NNR_VECTOR_BYTES 16
#define NNR_TILE_ROWS    12 /* 24 of 32 */
#else
#define NNR_VECTOR_BYTES 16
#define NNR_TILE_ROWS    6
#endif

#define NNR_PASTE_(a, b) a##b
#define NNR_PASTE(a, b)  NNR_PASTE_(a, b)
#define NNR_BYTES_float  4
#define NNR_BYTES_double 8
#define NNR_VECTOR_LANES (NNR_VECTOR_BYTES / NNR_PASTE(NNR_BYTES_, NNR_REAL))

#ifdef __clang__
#define NNR_UNROLL _Pragma("clang loop unroll(full)")
#else
#define NNR_UNROLL _Pragma("GCC unroll 16")
#endif
#define NNR_INLINE static inline __attribute__((always_inline))

enum {
	NNR_LANES = NNR_VECTOR_LANES,
	NNR_KC = 1024 /
	         sizeof(NNR_REAL), /* a panel of 32 columns fills half of a level-2 cache with its block */
	NNR_TILE_STRIDE =
	        NNR_KC + NNR_LANES, /* of a packed row: odd multiples of a vector avoid cache conflicts */
	NNR_MAX_COLUMNS = 256,      /* of a block */
};

typedef NNR_REAL NnrVector
        __attribute__((vector_size(NNR_VECTOR_BYTES), aligned(sizeof(NNR_REAL)), may_alias));

/* The rows of a tile that cut `rows` into equal tiles of at most NNR_TILE_ROWS. */
#define NNR_TILES(rows) (((rows) + NNR_TILE_ROWS - 1) / NNR_TILE_ROWS)
#define NNR_TILE(rows)  (((rows) + NNR_TILES(rows) - 1) / NNR_TILES(rows))

/* c[rows][vectors] (+)= a b over kc values of k. */
NNR_INLINE void nnr_tile_body(int rows, int vectors, int64_t a_row, int64_t a_k, int64_t kc,
                              const NNR_REAL *a, const NNR_REAL *b, NNR_REAL *c, int64_t c_row, bool first)
{
	NnrVector sum[NNR_TILE_ROWS][2];
	NNR_UNROLL
	for (int i = 0; i < rows; i++) {
		NNR_UNROLL
		for (int v = 0; v < vectors; v++)
			sum[i][v] =
			        first ? (NnrVector){0} : *(const NnrVector *)(c + i * c_row + v * NNR_LANES);
	}
	for (int64_t k = 0; k < kc; k++) {
		NnrVector bv[2];
		NNR_UNROLL
		for (int v = 0; v < vectors; v++)
			bv[v] = *(const NnrVector *)(b + v * NNR_LANES);
		NNR_UNROLL
		for (int i = 0; i < rows; i++) {
			NNR_UNROLL
			for (int v = 0; v < vectors; v++)
				sum[i][v] += bv[v] * a[i * a_row];
		}
		a += a_k;
		b += vectors * NNR_LANES;
	}
	NNR_UNROLL
	for (int i = 0; i < rows; i++) {
		NNR_UNROLL
		for (int v = 0; v < vectors; v++)
			*(NnrVector *)(c + i * c_row + v * NNR_LANES) = sum[i][v];
	}
}

/* One function for each number of rows and vectors and each packing of a: by rows (a tile is [rows][NNR_TILE_STRIDE])
 * or by k ([kc][NNR_TILE_ROWS]). Only those that a program calls are compiled. */
#define NNR_TILE_FUNCTIONS(r)                             \
	NNR_TILE_FUNCTION(r, 1, rows, NNR_TILE_STRIDE, 1) \
	NNR_TILE_FUNCTION(r, 2, rows, NNR_TILE_STRIDE, 1) \
	NNR_TILE_FUNCTION(r, 1, k, 1, NNR_TILE_ROWS)      \
	NNR_TILE_FUNCTION(r, 2, k, 1, NNR_TILE_ROWS)
#define NNR_TILE_FUNCTION(r, v, by, a_row, a_k)                                                             \
	__attribute__((noinline, unused)) static void nnr_tile_##r##x##v##_by_##by(                         \
	        int64_t kc, const NNR_REAL *a, const NNR_REAL *b, NNR_REAL *c, int64_t c_row, bool first)   \
	{                                                                                                   \
		nnr_tile_body((r) < NNR_TILE_ROWS ? (r) : NNR_TILE_ROWS, v, a_row, a_k, kc, a, b, c, c_row, \
		              first);                                                                       \
	}
NNR_TILE_FUNCTIONS(1)
NNR_TILE_FUNCTIONS(2)
NNR_TILE_FUNCTIONS(3)
NNR_TILE_FUNCTIONS(4)
NNR_TILE_FUNCTIONS(5)
NNR_TILE_FUNCTIONS(6)
NNR_TILE_FUNCTIONS(7)
NNR_TILE_FUNCTIONS(8)
NNR_TILE_FUNCTIONS(9)
NNR_TILE_FUNCTIONS(10)
NNR_TILE_FUNCTIONS(11)
NNR_TILE_FUNCTIONS(12)
NNR_TILE_FUNCTIONS(13)
NNR_TILE_FUNCTIONS(14)

/* rows, vectors and by_k are constants at every call: the switch leaves one call. */
NNR_INLINE void nnr_tile(int rows, int vectors, bool by_k, int64_t kc, const NNR_REAL *a, const NNR_REAL *b,
                         NNR_REAL *c, int64_t c_row, bool first)
{
#define NNR_TILE_CASE(r)                                                                       \
	case r:                                                                                \
		(by_k           ? vectors == 1 ? nnr_tile_##r##x1_by_k : nnr_tile_##r##x2_by_k \
		 : vectors == 1 ? nnr_tile_##r##x1_by_rows                                     \
		                : nnr_tile_##r##x2_by_rows)(kc, a, b, c, c_row, first);        \
		break;
	switch (rows) {
		NNR_TILE_CASE(1)
		NNR_TILE_CASE(2)
		NNR_TILE_CASE(3)
		NNR_TILE_CASE(4)
		NNR_TILE_CASE(5)
		NNR_TILE_CASE(6)
		NNR_TILE_CASE(7)
		NNR_TILE_CASE(8)
		NNR_TILE_CASE(9)
		NNR_TILE_CASE(10)
		NNR_TILE_CASE(11)
		NNR_TILE_CASE(12)
		NNR_TILE_CASE(13)
		NNR_TILE_CASE(14)
	}
#undef NNR_TILE_CASE
}

/* Packs k0 .. k0+kc of rows row .. row+rows of the left operand, in the order the tile wants; rows past the end may
 * hold anything finite or not: they are never read back. */
typedef void NnrLoadRows(const void *from, int64_t row, int rows, int64_t k0, int64_t kc, NNR_REAL *to);
/* Packs k0 .. k0+kc of columns column .. column+width of the right operand as [kc][width]; columns past the end
 * likewise. */
typedef void NnrLoadPanel(const void *from, int64_t column, int width, int64_t k0, int64_t kc, NNR_REAL *to);

/* c[mb][nb] = a b for the block at (m0, n0) of a result of m x n, k running from k_first to k_last. c has
 * NNR_BLOCK_ROWS(mb) rows of nb, a multiple of 16; what lies past m or n is not computed, or garbage. mb, nb and by_k
 * are constants and the two load functions known at each call. */
NNR_INLINE void nnr_gemm_block(int64_t mb, int64_t nb, int64_t m, int64_t n, int64_t k_first, int64_t k_last,
                               NnrLoadRows *load_rows, bool by_k, const void *a, int64_t m0,
                               NnrLoadPanel *load_panel, const void *b, int64_t n0, NNR_REAL *c)
{
	NNR_REAL panels[NNR_KC * NNR_MAX_COLUMNS] __attribute__((aligned(64)));
	NNR_REAL tile[NNR_TILE_ROWS * NNR_TILE_STRIDE] __attribute__((aligned(64)));
	const int rows = (int)NNR_TILE(mb), vectors = nb % (2 * NNR_LANES) ? 1 : 2,
	          width = vectors * NNR_LANES;
	const int64_t m_end = m - m0 < mb ? m - m0 : mb, n_end = n - n0 < nb ? n - n0 : nb;
	if (k_first >= k_last) {
		memset(c, 0, (size_t)(mb * nb) * sizeof(NNR_REAL));
		return;
	}
	int64_t k0 = k_first;
	do {
		const int64_t kc = k_last - k0 < NNR_KC ? k_last - k0 : NNR_KC;
		for (int64_t j = 0; j < n_end; j += width)
			load_panel(b, n0 + j, width, k0, kc, panels + j * kc);
		int64_t i = 0;
		do {
			load_rows(a, m0 + i, rows, k0, kc, tile);
			int64_t j = 0;
			do {
				nnr_tile(rows, vectors, by_k, kc, tile, panels + j * kc, c + i * nb + j, nb,
				         k0 == k_first);
				j += width;
			} while (j < n_end);
			i += rows;
		} while (i < m_end);
		k0 += kc;
	} while (k0 < k_last);
}

/* ---- operands that are matrices */

/* a[row][k] */
NNR_INLINE void nnr_load_rows(const void *from, int64_t row, int rows, int64_t k0, int64_t kc, NNR_REAL *to)
{
	const NnrMatrix *a = from;
	for (int i = 0; i < rows && row + i < a->rows; i++)
		memcpy(to + i * NNR_TILE_STRIDE, (const NNR_REAL *)a->at + (row + i) * a->stride + k0,
		       (size_t)kc * sizeof *to);
}

/* a[k][row] */
NNR_INLINE void nnr_load_rows_by_k(const void *from, int64_t row, int rows, int64_t k0, int64_t kc,
                                   NNR_REAL *to)
{
	const NnrMatrix *a = from;
	const NNR_REAL *at = (const NNR_REAL *)a->at + k0 * a->stride + row;
	if (row + NNR_TILE_ROWS <= a->columns) {
		for (int64_t k = 0; k < kc; k++)
			memcpy(to + k * NNR_TILE_ROWS, at + k * a->stride, NNR_TILE_ROWS * sizeof *to);
		return;
	}
	const int valid = a->columns - row < rows ? (int)(a->columns - row) : rows;
	for (int64_t k = 0; k < kc; k++) {
		for (int i = 0; i < valid; i++)
			to[k * NNR_TILE_ROWS + i] = at[k * a->stride + i];
	}
}

/* b[k][column] */
NNR_INLINE void nnr_load_panel(const void *from, int64_t column, int width, int64_t k0, int64_t kc,
                               NNR_REAL *to)
{
	const NnrMatrix *b = from;
	const NNR_REAL *at = (const NNR_REAL *)b->at + k0 * b->stride + column;
	if (column + width <= b->columns) {
		for (int64_t k = 0; k < kc; k++)
			memcpy(to + k * width, at + k * b->stride, (size_t)width * sizeof *to);
		return;
	}
	for (int64_t k = 0; k < kc; k++) {
		for (int j = 0; column + j < b->columns; j++)
			to[k * width + j] = at[k * b->stride + j];
	}
}

/* The lower and the upper halves of two vectors, element by element in turn. */
#if !defined(__has_builtin)
#define NNR_NO_SHUFFLE
#elif !__has_builtin(__builtin_shufflevector)
#define NNR_NO_SHUFFLE
#elif NNR_VECTOR_LANES == 16
#define NNR_LOWER(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define NNR_UPPER(a, b) \
	__builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#elif NNR_VECTOR_LANES == 8
#define NNR_LOWER(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define NNR_UPPER(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#elif NNR_VECTOR_LANES == 4
#define NNR_LOWER(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define NNR_UPPER(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#else
#define NNR_LOWER(a, b) __builtin_shufflevector(a, b, 0, 2)
#define NNR_UPPER(a, b) __builtin_shufflevector(a, b, 1, 3)
#endif

/* to[k][j] = from[j][k] for a square of NNR_LANES. Interleaving row i with row i + half is a rotation of the bits of
 * the index (row, lane); after log2(NNR_LANES) rounds rows and lanes have changed places. */
NNR_INLINE void nnr_transpose_square(const NNR_REAL *from, int64_t from_row, NNR_REAL *to, int64_t to_row)
{
#ifdef NNR_NO_SHUFFLE
	for (int j = 0; j < NNR_LANES; j++) {
		for (int k = 0; k < NNR_LANES; k++)
			to[k * to_row + j] = from[j * from_row + k];
	}
#else
	NnrVector a[NNR_LANES], b[NNR_LANES];
	NNR_UNROLL
	for (int i = 0; i < NNR_LANES; i++)
		a[i] = *(const NnrVector *)(from + i * from_row);
	NNR_UNROLL
	for (int round = 1; round < NNR_LANES; round *= 2) {
		NNR_UNROLL
		for (int i = 0; i < NNR_LANES / 2; i++) {
			b[2 * i] = NNR_LOWER(a[i], a[i + NNR_LANES / 2]);
			b[2 * i + 1] = NNR_UPPER(a[i], a[i + NNR_LANES / 2]);
		}
		NNR_UNROLL
		for (int i = 0; i < NNR_LANES; i++)
			a[i] = b[i];
	}
	NNR_UNROLL
	for (int i = 0; i < NNR_LANES; i++)
		*(NnrVector *)(to + i * to_row) = a[i];
#endif
}

static __attribute__((noinline)) void nnr_transpose(const NNR_REAL *from, int64_t from_row, int64_t rows,
                                                    int64_t columns, NNR_REAL *to, int64_t to_row)
{
	const int64_t whole = rows / NNR_LANES * NNR_LANES, squares = columns / NNR_LANES * NNR_LANES;
	for (int64_t k = 0; k < squares; k += NNR_LANES) {
		for (int64_t j = 0; j < whole; j += NNR_LANES)
			nnr_transpose_square(from + j * from_row + k, from_row, to + k * to_row + j, to_row);
	}
	for (int64_t j = 0; j < rows; j++) {
		for (int64_t k = j < whole ? squares : 0; k < columns; k++)
			to[k * to_row + j] = from[j * from_row + k];
	}
}

/* b[column][k] */
NNR_INLINE void nnr_load_panel_by_rows(const void *from, int64_t column, int width, int64_t k0, int64_t kc,
                                       NNR_REAL *to)
{
	const NnrMatrix *b = from;
	const int64_t rows = b->rows - column < width ? b->rows - column : width;
	nnr_transpose((const NNR_REAL *)b->at + column * b->stride + k0, b->stride, rows, kc, to, width);
}

#endif
