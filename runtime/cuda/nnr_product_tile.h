/* SPDX-License-Identifier: MIT */
/* How a product (nnr_product.h) is cut: into tiles of the result, parts of the depth, rows of a thread. */
#ifndef NNR_PRODUCT_TILE_H
#define NNR_PRODUCT_TILE_H

#include "cuda/nnr_control.h"
#include "cuda/nnr_sizes.h"
#include "cuda/nnr_warpgroup.h"

enum {
	NNR_PRODUCT_WARPS = 8,                    /* that multiply */
	NNR_PRODUCT_BOX = 32 * NNR_PRODUCT_DEPTH, /* of a turned a: 32 rows */
	NNR_PRODUCT_TILE = NNR_PRODUCT_ROWS * NNR_PRODUCT_COLUMNS,
};

/* In the place of NnrCarried: the product carries nothing. In that of a bias, or weights: there are none. */
struct NnrNothing {
};
template <typename T> constexpr bool nnr_is_there = true;
template <> constexpr bool nnr_is_there<NnrNothing> = false;

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

/* The sizes of a product, and what follows from them. */
template <int M_, int N_, int K_, bool TURNED_, int PARTS_> struct NnrProduct {
	static constexpr int M = M_, N = N_, K = K_, PARTS = PARTS_;
	static constexpr bool TURNED = TURNED_;
	static constexpr int ACROSS = (N + NNR_PRODUCT_COLUMNS - 1) / NNR_PRODUCT_COLUMNS;
	static constexpr int TILES = (M + NNR_PRODUCT_ROWS - 1) / NNR_PRODUCT_ROWS * ACROSS;
	static constexpr int DEPTHS = (K + NNR_PRODUCT_DEPTH - 1) / NNR_PRODUCT_DEPTH;
	static constexpr int SHARE = (DEPTHS + PARTS - 1) / PARTS; /* depths of a part */
	static_assert(M % 4 == 0 && N % 4 == 0 && K % 4 == 0 && SHARE * (PARTS - 1) < DEPTHS, "sizes");
};

/* Item number `item` of the grid's work: a part of a tile. */
template <typename P> struct NnrProductItem {
	int tile, part, row, column, first, end; /* depths */

	__device__ __forceinline__ explicit NnrProductItem(int item)
	{
		tile = item % P::TILES;
		part = item / P::TILES;
		row = tile / P::ACROSS * NNR_PRODUCT_ROWS;
		column = tile % P::ACROSS * NNR_PRODUCT_COLUMNS;
		first = part * P::SHARE;
		end = min(P::DEPTHS, first + P::SHARE);
	}
};

/* Of a warp: the first of a thread's two rows in the tile, and how far below it the other is. */
template <bool TURNED> NNR_FUNCTION int nnr_product_row(int warp)
{
	const int g = threadIdx.x % 32 / 4;
	return TURNED ? warp / 2 * 32 + warp % 2 * 8 + (g < 4 ? g : 12 + g) : warp * 16 + g;
}
template <bool TURNED> constexpr int nnr_product_below = TURNED ? 4 : 8;

NNR_FUNCTION void nnr_product_sync() /* of the threads that multiply */
{
	asm volatile("bar.sync 1, 256;" ::: "memory");
}

#endif
#endif
