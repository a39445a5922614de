/* SPDX-License-Identifier: MIT */
/* What becomes of a product's tile (nnr_product.h): the parts of its depth are added up, what follows the product
 * is computed, and stored, or summed up along the rows. */
#ifndef NNR_PRODUCT_STORE_H
#define NNR_PRODUCT_STORE_H

#include "cuda/nnr_product_tile.h"

/* What is stored of a sum where nothing follows the product. */
struct NnrProductSum {
	__device__ __forceinline__ float operator()(float sum, float) const
	{
		return sum;
	}
};

/* What the product's kernel does with the columns of a tile where it has weights, for the library's y[M,N]: a warp for
 * each of sums[M, N/256 rounded up], of blocks of 256 threads. */
template <int M, int N, typename Bias, typename Epilogue>
NNR_FUNCTION void nnr_row_sums(const float *y, float *sums, const Bias &bias, const Epilogue &epilogue,
                               const float *weight)
{
	constexpr int TILES = (N + NNR_PRODUCT_COLUMNS - 1) / NNR_PRODUCT_COLUMNS;
	const int64_t tile = (int64_t)blockIdx.x * 8 + threadIdx.x / 32;
	if (tile >= (int64_t)M * TILES)
		return;
	const int64_t row = tile / TILES;
	const int first = tile % TILES * NNR_PRODUCT_COLUMNS, end = min(N, first + NNR_PRODUCT_COLUMNS);
	float sum = 0;
#pragma unroll 2
	for (int c = first + threadIdx.x % 32 * 4; c < end; c += 128) {
		float x[4];
		nnr_load4(x, y + row * N + c);
#pragma unroll
		for (int e = 0; e < 4; e++) {
			if constexpr (nnr_is_there<Bias>)
				sum += epilogue(x[e], bias[c + e]) * weight[c + e];
			else
				sum += epilogue(x[e], 0) * weight[c + e];
		}
	}
	sum = nnr_warp_sum(sum);
	if (threadIdx.x % 32 == 0)
		sums[tile] = sum;
}

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

/* Where a part's share of a thread's 32 vectors begins: an even number, for they are stored by twos. */
template <int PARTS> __device__ constexpr int nnr_product_share(int part)
{
	return part * 16 / PARTS * 2;
}

/* All blocks of the tile wait here for each other; `count` is 0 before and after it. None waits for ever, because the
 * grid has a block for each item, and begins as a whole (NnrKernel.together), also where another such product runs on
 * the step's other stream. */
template <typename P> NNR_FUNCTION void nnr_product_meet(unsigned *count)
{
	nnr_product_sync();
	if (threadIdx.x == 0) {
		__threadfence(); /* after what all the block's threads have stored */
		unsigned arrived = atomicAdd(count, 1u) + 1;
		while (arrived < P::PARTS)
			asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(arrived) : "l"(count) : "memory");
		__threadfence();
		if (atomicAdd(count, 1u) == 2 * P::PARTS - 1) /* the last one to leave */
			*count = 0;
	}
	nnr_product_sync();
}

/* Makes d, in the share of that part, the sum of all parts. By recursion, so that all of d's indices are constants:
 * else it would lie in memory, and be copied there while the tensor cores still write it. */
template <typename P, int SHARE = 0>
NNR_FUNCTION void nnr_product_add(float (&d)[128], const float4 *all, int part)
{
	if constexpr (SHARE < P::PARTS) {
		if (part != SHARE) {
			nnr_product_add<P, SHARE + 1>(d, all, part);
			return;
		}
		constexpr int first = nnr_product_share<P::PARTS>(SHARE),
		              end = nnr_product_share<P::PARTS>(SHARE + 1);
#pragma unroll
		for (int i = first; i < end; i++) {
			float4 sum = __ldcg(all + i * 256);
#pragma unroll
			for (int k = 1; k < P::PARTS; k++) { /* its own too: in their order */
				const float4 x = __ldcg(all + k * (NNR_PRODUCT_TILE / 4) + i * 256);
				sum = make_float4(sum.x + x.x, sum.y + x.y, sum.z + x.z, sum.w + x.w);
			}
			d[4 * i] = sum.x, d[4 * i + 1] = sum.y, d[4 * i + 2] = sum.z, d[4 * i + 3] = sum.w;
		}
	}
}

/* Leaves the part in memory for the others. d is the sum of all of them then, in this part's share. */
template <typename P>
NNR_FUNCTION void nnr_product_parts(float (&d)[128], float *partial, unsigned *done,
                                    const NnrProductItem<P> &item)
{
	float4 *const all =
	        (float4 *)partial + (size_t)item.tile * P::PARTS * (NNR_PRODUCT_TILE / 4) + threadIdx.x;
#pragma unroll
	for (int i = 0; i < 32; i++)
		__stcg(all + item.part * (NNR_PRODUCT_TILE / 4) + i * 256,
		       make_float4(d[4 * i], d[4 * i + 1], d[4 * i + 2], d[4 * i + 3]));
	nnr_product_meet<P>(done + item.tile);
	nnr_product_add<P>(d, all, item.part);
}

/* Of two pairs of neighbours, of columns i and i + 8, lanes 2j and 2j + 1 exchange one each, so that each has four
 * neighbours. As one statement, which stays after the wait for the accumulators: of plain expressions the compiler
 * computes a part ahead of it, even in the loop over the depth. */
NNR_FUNCTION float4 nnr_product_exchange(const float *left, const float *right)
{
	float4 x;
	asm volatile("{\n"
	             ".reg .pred odd;\n"
	             ".reg .f32 v, w, k, l;\n"
	             "setp.ne.u32 odd, %8, 0;\n"
	             "selp.f32 v, %4, %6, odd;\n"
	             "selp.f32 w, %5, %7, odd;\n"
	             "selp.f32 k, %6, %4, odd;\n"
	             "selp.f32 l, %7, %5, odd;\n"
	             "shfl.sync.bfly.b32 v, v, 1, 0x1f, 0xffffffff;\n"
	             "shfl.sync.bfly.b32 w, w, 1, 0x1f, 0xffffffff;\n"
	             "selp.f32 %0, v, k, odd;\n"
	             "selp.f32 %1, w, l, odd;\n"
	             "selp.f32 %2, k, v, odd;\n"
	             "selp.f32 %3, l, w, odd;\n"
	             "}"
	             : "=f"(x.x), "=f"(x.y), "=f"(x.z), "=f"(x.w)
	             : "f"(left[0]), "f"(left[1]), "f"(right[0]), "f"(right[1]), "r"(threadIdx.x % 2));
	return x;
}

/* The bias of a tile's columns, or their weights, 8 elements a lane: number 4l to 4l + 3 of lane l, and those 128
 * after them. They are asked for ahead of the sums, and have come when these are stored; loaded there they took 4.6 us
 * a tile. */
template <int N, typename Bias> struct NnrProductColumns {
	float held[2][4];

	__device__ __forceinline__ NnrProductColumns(const float *bias, int column)
	{
#pragma unroll
		for (int half = 0; half < 2; half++) {
			const int first = column + half * NNR_PRODUCT_COLUMNS / 2 + threadIdx.x % 32 * 4;
#pragma unroll
			for (int e = 0; e < 4; e++)
				held[half][e] = first < N ? bias[first + e] : 0;
		}
	}

	/* By a whole warp: of the columns' half `half`, the four that lane number `lane` has. */
	__device__ __forceinline__ float4 of(int half, int lane) const
	{
		const float(&from)[4] = held[half];
		return make_float4(
		        __shfl_sync(0xffffffff, from[0], lane), __shfl_sync(0xffffffff, from[1], lane),
		        __shfl_sync(0xffffffff, from[2], lane), __shfl_sync(0xffffffff, from[3], lane));
	}
};

template <int N> struct NnrProductColumns<N, NnrNothing> {
	__device__ __forceinline__ NnrProductColumns(const NnrNothing &, int)
	{
	}

	__device__ __forceinline__ float4 of(int, int) const
	{
		return make_float4(0, 0, 0, 0);
	}
};

/* Stores what `epilogue` makes of a warp's rows, 16 bytes a thread; of a product in parts this part's share. */
template <typename P, typename Bias, typename Epilogue>
NNR_FUNCTION void nnr_product_store(float *y, float (&d)[128], const NnrProductItem<P> &item, int row,
                                    const Bias &bias, const Epilogue &epilogue)
{
	const int odd = threadIdx.x % 2, pair = threadIdx.x % 4 / 2;
#pragma unroll
	for (int i = 0; i < 32; i += 2) {
		if (P::PARTS > 1 && (i < nnr_product_share<P::PARTS>(item.part) ||
		                     i >= nnr_product_share<P::PARTS>(item.part + 1)))
			continue;
		const float4 v = bias.of(i / 16, (i % 16 + odd) * 2 + pair);
#pragma unroll
		for (int below = 0; below < 2; below++) {
			const float *const left = d + 4 * i + 2 * below;
			const float4 x = nnr_product_exchange(left, left + 4);
			const int r = item.row + row + below * nnr_product_below<P::TURNED>,
			          c = item.column + (i + odd) * 8 + pair * 4;
			if (r < P::M && c < P::N)
				*(float4 *)(y + (size_t)r * P::N + c) =
				        make_float4(epilogue(x.x, v.x), epilogue(x.y, v.y),
				                    epilogue(x.z, v.z), epilogue(x.w, v.w));
		}
	}
}

/* Instead of that: of each row what `epilogue` makes of its columns in this tile, times their weights, added up. Beyond
 * the last column bias and weight are 0, and the product, which may be NaN there, is made 0: a branch around all that
 * cost 6 % at 32000x1000x1000. */
template <typename P, typename Bias, typename Weight, typename Epilogue>
NNR_FUNCTION void nnr_product_row_sums(float *sums, float (&d)[128], const NnrProductItem<P> &item, int row,
                                       const Bias &bias, const Weight &weight, const Epilogue &epilogue)
{
	static_assert(P::PARTS == 1, "each part has other columns");
	constexpr int LEFT = (P::N - 1) % NNR_PRODUCT_COLUMNS + 1; /* columns of the last tile */
	const int odd = threadIdx.x % 2, pair = threadIdx.x % 4 / 2;
	float sum[2] = {0, 0};
#pragma unroll
	for (int i = 0; i < 32; i += 2) {
		const float4 v = bias.of(i / 16, (i % 16 + odd) * 2 + pair),
		             w = weight.of(i / 16, (i % 16 + odd) * 2 + pair);
#pragma unroll
		for (int below = 0; below < 2; below++) {
			const float *const left = d + 4 * i + 2 * below;
			float4 x = nnr_product_exchange(left, left + 4);
			if (i * 8 + 16 > LEFT && item.column + (i + odd) * 8 + pair * 4 >= P::N)
				x = make_float4(0, 0, 0, 0);
			sum[below] += epilogue(x.x, v.x) * w.x + epilogue(x.y, v.y) * w.y +
			              epilogue(x.z, v.z) * w.z + epilogue(x.w, v.w) * w.w;
		}
	}
#pragma unroll
	for (int below = 0; below < 2; below++) {
		const int r = item.row + row + below * nnr_product_below<P::TURNED>;
		sum[below] += __shfl_xor_sync(0xffffffff, sum[below], 1);
		sum[below] += __shfl_xor_sync(0xffffffff, sum[below], 2);
		if (threadIdx.x % 4 == 0 && r < P::M)
			sums[(size_t)r * P::ACROSS + item.column / NNR_PRODUCT_COLUMNS] = sum[below];
	}
}

#endif
#endif
