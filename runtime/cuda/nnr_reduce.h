/* Sums and maxima in generated kernels: over a warp, a block, columns of a block, all blocks, and the blocks of a cluster.
 *
 * No atomic addition of reals is anywhere: every sum has one order, so that two runs are equal bit for bit. */
#ifndef NNR_REDUCE_H
#define NNR_REDUCE_H

#include "cuda/nnr_element.h"

/* Over the 32 lanes of a warp, over a block of 256 threads, and over the 8 rows of a block seen as 8 rows
 * by 32 columns. All threads take part, and each gets the result. The block's can be called one after another: each
 * begins by waiting until the call before has read its parts. */
template <typename T> struct NnrSum {
	static __device__ __forceinline__ T of(T x, T y)
	{
		return x + y;
	}
};
template <typename T> struct NnrMax {
	static __device__ __forceinline__ T of(T x, T y)
	{
		return x > y || x != x ? x : y;
	}
};

template <typename F, typename T> NNR_FUNCTION T nnr_warp_combine(T x)
{
#pragma unroll
	for (int distance = 16; distance > 0; distance /= 2)
		x = F::of(x, __shfl_xor_sync(0xffffffffu, x, distance));
	return x;
}

/* Of THREADS threads; `part` has THREADS / 32 elements of shared memory. */
template <typename F, int THREADS, typename T> NNR_FUNCTION T nnr_wide_combine(T x, T *part)
{
	x = nnr_warp_combine<F>(x);
	__syncthreads();
	if (threadIdx.x % 32 == 0)
		part[threadIdx.x / 32] = x;
	__syncthreads();
	x = part[0];
#pragma unroll
	for (int i = 1; i < THREADS / 32; i++)
		x = F::of(x, part[i]);
	return x;
}

template <typename F, typename T> NNR_FUNCTION T nnr_block_combine(T x)
{
	__shared__ T part[NNR_BLOCK / 32];
	return nnr_wide_combine<F, NNR_BLOCK>(x, part);
}

template <typename F, typename T> NNR_FUNCTION T nnr_column_combine(T x)
{
	__shared__ T part[NNR_BLOCK];
	__syncthreads();
	part[threadIdx.x] = x;
	__syncthreads();
	x = part[threadIdx.x % 32];
#pragma unroll
	for (int row = 1; row < NNR_BLOCK / 32; row++)
		x = F::of(x, part[32 * row + threadIdx.x % 32]);
	return x;
}

#define NNR_COMBINE(over)                                          \
	template <typename T> NNR_FUNCTION T nnr_##over##_sum(T x) \
	{                                                          \
		return nnr_##over##_combine<NnrSum<T>>(x);         \
	}                                                          \
	template <typename T> NNR_FUNCTION T nnr_##over##_max(T x) \
	{                                                          \
		return nnr_##over##_combine<NnrMax<T>>(x);         \
	}
NNR_COMBINE(warp)
NNR_COMBINE(block)
NNR_COMBINE(column)
#undef NNR_COMBINE

/* True in every thread of the block that arrives last of `blocks`. What the others wrote before they arrived can then be
 * read (past the L1 cache: __ldcg); the counter is zero again. */
NNR_FUNCTION bool nnr_last_block(unsigned *counter, unsigned blocks)
{
	__shared__ bool last;
	__threadfence();
	__syncthreads();
	if (threadIdx.x == 0)
		last = atomicInc(counter, blocks - 1) == blocks - 1;
	__syncthreads();
	__threadfence();
	return last;
}

/* The sums (maxima) over a block of 256 threads of several values at once; every thread gets them. */
template <typename F, typename T, int COUNT> NNR_FUNCTION void nnr_block_combine_all(T (&x)[COUNT])
{
	__shared__ T part[COUNT][NNR_BLOCK / 32];
#pragma unroll
	for (int k = 0; k < COUNT; k++)
		x[k] = nnr_warp_combine<F>(x[k]);
	__syncthreads();
#pragma unroll
	for (int k = 0; k < COUNT; k++)
		if (threadIdx.x % 32 == 0)
			part[k][threadIdx.x / 32] = x[k];
	__syncthreads();
#pragma unroll
	for (int k = 0; k < COUNT; k++) {
		x[k] = part[k][0];
#pragma unroll
		for (int i = 1; i < NNR_BLOCK / 32; i++)
			x[k] = F::of(x[k], part[k][i]);
	}
}

template <typename T, int COUNT> NNR_FUNCTION void nnr_block_sums(T (&x)[COUNT])
{
	nnr_block_combine_all<NnrSum<T>>(x);
}

template <typename T, int COUNT> NNR_FUNCTION void nnr_block_maxs(T (&x)[COUNT])
{
	nnr_block_combine_all<NnrMax<T>>(x);
}

/* Adds x over all `blocks`, thread by thread, in two steps: each group of NNR_GROUP blocks, then the groups, always in
 * ascending order. True in the block that arrives last, which then has the sums. partial: COUNT * 256 elements for each
 * block and each group; done: a counter for all groups and one for each. */
enum { NNR_GROUP = 24 };
template <typename T, int COUNT>
NNR_FUNCTION bool nnr_blocks_sum(T (&x)[COUNT], T *partial, unsigned *done, unsigned blocks)
{
	const unsigned group = blockIdx.x / NNR_GROUP, groups = (blocks + NNR_GROUP - 1) / NNR_GROUP;
	const unsigned size = COUNT * NNR_BLOCK;
	unsigned first = group * NNR_GROUP, own = blockIdx.x,
	         count = min(blocks - first, (unsigned)NNR_GROUP);
	unsigned *counter = &done[1 + group];
	for (int step = 0; step < 2; step++) {
#pragma unroll
		for (int k = 0; k < COUNT; k++)
			partial[own * size + k * NNR_BLOCK + threadIdx.x] = x[k];
		if (!nnr_last_block(counter, count))
			return false;
#pragma unroll
		for (int k = 0; k < COUNT; k++)
			x[k] = 0;
#pragma unroll 4
		for (unsigned i = first; i < first + count; i++)
#pragma unroll
			for (int k = 0; k < COUNT; k++)
				x[k] += __ldcg(&partial[i * size + k * NNR_BLOCK + threadIdx.x]);
		counter = done, first = blocks, own = blocks + group, count = groups;
	}
	return true;
}

/* Sums over the rows of a slab of `width` columns: four neighbouring columns a thread, and the rows spread over the rest
 * of the block and over the blocks of a cluster. First the lanes of each warp that have the same columns; each warp
 * leaves its sums in `parts`. */
template <typename F, int width, typename T> NNR_FUNCTION void nnr_slab_leave(T *parts, T (&x)[4])
{
#pragma unroll
	for (int distance = width / 4; distance < 32; distance *= 2)
#pragma unroll
		for (int u = 0; u < 4; u++)
			x[u] = F::of(x[u], __shfl_xor_sync(0xffffffffu, x[u], distance));
	if (threadIdx.x % 32 < width / 4)
#pragma unroll
		for (int u = 0; u < 4; u++)
			parts[threadIdx.x / 32 * width + threadIdx.x % 32 * 4 + u] = x[u];
}

/* Then, behind a barrier, the warps of the block, by `width` threads from `first` on; the block's sums go to all[rank] of
 * every block of the cluster. */
template <typename F, int width, int threads, int blocks, typename T>
NNR_FUNCTION void nnr_slab_add(T *all, const T *parts, int first)
{
	const unsigned column = threadIdx.x - first;
	if (column >= width)
		return;
	T x = parts[column];
#pragma unroll
	for (int warp = 1; warp < threads / 32; warp++)
		x = F::of(x, parts[warp * width + column]);
	if (blocks == 1) {
		all[column] = x;
		return;
	}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
	T *mine = all + blockIdx.x % blocks * width + column;
#pragma unroll
	for (int block = 0; block < blocks; block++)
		*(T *)__cluster_map_shared_rank(mine, block) = x;
#endif
}

/* And, behind another, each thread takes those of its columns, added over the blocks in their order. */
template <typename F, int width, int blocks, typename T>
NNR_FUNCTION void nnr_slab_take(T (&x)[4], const T *all)
{
	const int column = threadIdx.x % (width / 4) * 4;
#pragma unroll
	for (int u = 0; u < 4; u++) {
		x[u] = all[column + u];
#pragma unroll
		for (int block = 1; block < blocks; block++)
			x[u] = F::of(x[u], all[block * width + column + u]);
	}
}

/* Adds what another block has left in memory. */
template <typename F, typename T> NNR_FUNCTION void nnr_combine4(T (&x)[4], const T *part)
{
#pragma unroll
	for (int u = 0; u < 4; u++)
		x[u] = F::of(x[u], __ldcg(part + u));
}

/* A block's shared memory can be written by the others of its cluster once it runs: arrive at the start and wait ahead of
 * the first write. What was written before a meeting can be read behind it. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
NNR_FUNCTION void nnr_cluster_arrive()
{
	__cluster_barrier_arrive_relaxed();
}

NNR_FUNCTION void nnr_cluster_wait()
{
	__cluster_barrier_wait();
}

NNR_FUNCTION void nnr_cluster_meet()
{
	__cluster_barrier_arrive();
	__cluster_barrier_wait();
}
#endif

#endif
