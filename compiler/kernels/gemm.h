/* SPDX-License-Identifier: MIT */
/* The loop nest around a matrix product: blocks of the result, one thread each, then the epilogue over each block.
 * Shared by matmul and the convolutions; the product itself is runtime/cpu/gemm.h. */
#ifndef NNC_GEMM_H
#define NNC_GEMM_H

#include "codegen/kernel.h"

typedef struct GemmLoops {
	const char *call;            /* the block's function, without the precision it ends in */
	const char *arguments;       /* its arguments between the sizes of the block and k_first */
	int64_t m, n, k;             /* of one product */
	const char *m_text, *k_text; /* C text of m and k where they are not those literals; else NULL */
	const char *m_first;         /* C text of the first row; NULL: 0 */
	bool alone;                  /* the thread that calls computes all of it: others have other rows */
	double panel_cost;           /* cycles to pack one element of the right operand */
	int64_t outer;               /* number of products: groups, or the batch of a matmul */
	const char *outer_name;
	/* Where the element (m0 + i, n0 + j) of a product is in the result. NULL row: the products' rows one after the
	 * other, times row_scale (for a result of more dimensions, whose last one is not n). */
	const char *row;
	const char *row_scale; /* NULL: one */
	int64_t columns_apart; /* of two products in a row of the result; 0: each has rows of its own */
} GemmLoops;

void gemm_emit(KernelText *k, const GemmLoops *g);

#endif
