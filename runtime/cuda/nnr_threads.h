/* SPDX-License-Identifier: MIT */
/* Products by threads, an element at a time, on the sides of nnr_tile_side.h: what kernels.cu includes where nnc's own
 * kernels multiply in double, or in f32 without tensor cores.
 *
 * A block of 256 threads computes a tile of SIZE by SIZE elements, each thread one, 4 or 16 of them. It goes along the
 * depth in slices of 16: while one is multiplied from shared memory, the next is loaded into registers. Neighbouring
 * threads load what lies side by side in memory. Every element is summed in ascending order of the depth by one
 * thread. */
#ifndef NNR_THREADS_H
#define NNR_THREADS_H

#include "cuda/nnr_tile_side.h"

enum { NNR_THREADS_SLICE = 16, NNR_THREADS_SIDE = 16 /* threads along a side of the tile */ };

/* A slice of a side in shared memory: rows of which 16 begin in different banks. */
template <typename T, int SIZE> using NnrThreadsSlice = T[NNR_THREADS_SLICE][SIZE + 2];

/* What a thread brings of each slice of a side: EACH elements, of type T. */
template <typename T, int SIZE, typename Side> struct NnrThreadsLoader {
	static constexpr int EACH = SIZE / NNR_THREADS_SIDE,
	                     ALONG = Side::BY_DEPTH ? NNR_THREADS_SLICE : SIZE,
	                     FAR = 256 / ALONG; /* lines between two elements of a thread */
	typename Side::Row rows[Side::BY_DEPTH ? EACH : 1];
	T held[EACH];

	static __device__ __forceinline__ int row(int j)
	{
		return Side::BY_DEPTH ? (int)threadIdx.x / ALONG + j * FAR : (int)threadIdx.x % ALONG;
	}

	static __device__ __forceinline__ int place(int j)
	{
		return Side::BY_DEPTH ? (int)threadIdx.x % ALONG : (int)threadIdx.x / ALONG + j * FAR;
	}

	__device__ __forceinline__ NnrThreadsLoader(const Side &side, int first) : held{}
	{
#pragma unroll
		for (int j = 0; j < (Side::BY_DEPTH ? EACH : 1); j++)
			rows[j] = side.row(first + row(j));
	}

	__device__ __forceinline__ void load(const Side &side, int k)
	{
#pragma unroll
		for (int j = 0; j < EACH; j++) {
			bool there;
			const auto at =
			        side.at(rows[Side::BY_DEPTH ? j : 0], side.depth(k + place(j)), there);
			held[j] = 0;
			if (there)
				held[j] = side.data[at];
		}
	}

	__device__ __forceinline__ void store(NnrThreadsSlice<T, SIZE> &slice) const
	{
#pragma unroll
		for (int j = 0; j < EACH; j++)
			slice[place(j)][row(j)] = held[j];
	}
};

/* finish(m, n, sum): each element of the tile, also of one that goes over the end of the result. */
template <typename T, int SIZE, typename Left, typename Right, typename F>
NNR_FUNCTION void nnr_threads_product(const Left &left, const Right &right, NnrTilePlace at, int depth,
                                      F finish)
{
	constexpr int EACH = SIZE / NNR_THREADS_SIDE;
	__shared__ NnrThreadsSlice<T, SIZE> left_slice, right_slice;
	const int m0 = at.row * SIZE, n0 = at.column * SIZE, m = (int)threadIdx.x / NNR_THREADS_SIDE * EACH,
	          n = (int)threadIdx.x % NNR_THREADS_SIDE;
	NnrThreadsLoader<T, SIZE, Left> load_left(left, m0);
	NnrThreadsLoader<T, SIZE, Right> load_right(right, n0);
	T sums[EACH][EACH] = {};
	for (int k0 = 0; k0 < depth + NNR_THREADS_SLICE; k0 += NNR_THREADS_SLICE) {
		if (k0 < depth) {
			load_left.load(left, k0);
			load_right.load(right, k0);
		}
		if (k0 > 0) {
#pragma unroll
			for (int k = 0; k < NNR_THREADS_SLICE; k++)
#pragma unroll
				for (int i = 0; i < EACH; i++)
#pragma unroll
					for (int j = 0; j < EACH; j++)
						sums[i][j] += left_slice[k][m + i] *
						              right_slice[k][n + j * NNR_THREADS_SIDE];
		}
		__syncthreads();
		load_left.store(left_slice);
		load_right.store(right_slice);
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < EACH; i++)
#pragma unroll
		for (int j = 0; j < EACH; j++)
			finish(m0 + m + i, n0 + n + j * NNR_THREADS_SIDE, sums[i][j]);
}

#endif
