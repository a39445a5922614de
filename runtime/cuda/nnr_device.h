/* The device side of the runtime: what every kernels.cu includes, and the kernels that turn one step into the next.
 *
 * Self-contained, because NVRTC compiles it inside nnc, where no system header is: nvcc -x cu takes the same text. The
 * host's C includes it too, for the structures that both sides share. Three parts:
 *
 *   1  what host and device share: NnrControl (where the training stands, in device memory) and NnrFeed
 *   2  functions for generated kernels: elementary functions, random numbers, sums over a warp, a block or columns
 *   3  the runtime's own kernels: nnr_prepare_step, nnr_count_step, nnr_end_steps, nnr_begin_samples, nnr_end_samples
 *
 * No atomic addition of reals is anywhere: every sum has one order, so that two runs are equal bit for bit. */
#ifndef NNR_DEVICE_H
#define NNR_DEVICE_H

#ifdef __CUDACC_RTC__
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif
#else
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#endif

/* ---- 1: shared with the host */

#ifndef NNR_H
typedef struct NnrScalars { /* as in nnr.h */
	double rate, step, last;
	uint64_t seed;
} NnrScalars;
#endif

enum { NNR_SCORES = 9, NNR_FEEDS = 16, NNR_BLOCK = 256 };

/* Where the training stands. The host writes it before it asks for some steps and reads it when they are done; in
 * between only the device touches it. A launch is a number of steps captured together: step `u` of a launch stands at
 * (step + u), and only nnr_end_steps, behind the last of them, moves the base.
 *
 * There are two slots of what a step is given, scalars and batch: while a step runs on one, the next is prepared in the
 * other. */
typedef struct NnrControl {
	NnrScalars scalars[2]; /* by slot */
	int64_t step;          /* optimizer steps done before this launch */
	int64_t epoch, in_epoch;
	int64_t asked;           /* steps done since the host last wrote: index into `rates` */
	int64_t first;           /* evaluation: the first sample of the batch */
	int64_t bad_step;        /* the first whose loss is no finite number, counted from 1; 0: none */
	uint32_t key[2][8];      /* of the permutation of epoch e: key[e % 2] */
	double sums[NNR_SCORES]; /* of loss and metrics */
	double last[NNR_SCORES]; /* of the last step, or of the first bad one */
} NnrControl;

/* One input of the model, copied sample by sample from the data set to the batch. */
typedef struct NnrFeed {
	const uint8_t *from; /* the part of the data set */
	uint8_t *to;         /* the input block of slot 0 */
	uint32_t unit;       /* bytes a thread copies at once: 16, 4 or 1 */
	uint32_t units;      /* of a sample */
	uint32_t first_block, blocks;
	uint32_t height, width, channels; /* of an augmented image; height 0: plain */
} NnrFeed;

typedef struct NnrScore {
	const void *at; /* in the arena */
	int dtype;      /* NNR_F32, NNR_F64, NNR_I32 */
} NnrScore;

/* What does not change from step to step; an argument by value of the kernels below. */
typedef struct NnrSupply {
	NnrFeed feeds[NNR_FEEDS];
	NnrScore scores[NNR_SCORES];
	int feed_count, score_count;
	uint32_t batch, samples, turns; /* turns: units that each thread copies */
	uint32_t chunks;                /* batches of one optimizer step: a launch's unit `u` is a chunk */
	uint32_t low_bits, high_bits;   /* of the permutation's network (core/rng.c) */
	int32_t crop;
	bool flip, shuffle;
	bool streamed; /* `from` holds the samples of this batch alone, in its order and by slot (stream.c) */
	bool counted;  /* a step adds up its own scores (NnrProgram.fetches) */
	int64_t slot_bytes; /* from the input block of slot 0 to that of slot 1 */
	int64_t steps_per_epoch;
	const double *rates; /* of the steps the host asked for */
	uint64_t seed;
} NnrSupply;

#ifdef __CUDACC__

/* ---- 2: functions for generated kernels */

#define NNR_FUNCTION static __device__ __forceinline__

/* The shared memory that the launch asks for: NnrKernel.shared_bytes. */
#ifndef NNR_CHIP
#define NNR_CHIP(name, bytes) extern __shared__ __align__(128) char name[]
#endif

/* Elementary functions: CUDA's own, within 2 ulp, without the fast-math forms. */
#define NNR_ELEMENTARY(name)                      \
	NNR_FUNCTION float nnr_##name##f(float x) \
	{                                         \
		return name##f(x);                \
	}                                         \
	NNR_FUNCTION double nnr_##name(double x)  \
	{                                         \
		return name(x);                   \
	}
NNR_ELEMENTARY(exp)
NNR_ELEMENTARY(expm1)
NNR_ELEMENTARY(log)
NNR_ELEMENTARY(log1p)
NNR_ELEMENTARY(tanh)
NNR_ELEMENTARY(erf)
#undef NNR_ELEMENTARY

NNR_FUNCTION float nnr_powf(float x, float y)
{
	return powf(x, y);
}

NNR_FUNCTION double nnr_pow(double x, double y)
{
	return pow(x, y);
}

NNR_FUNCTION float nnr_sigmoidf(float x)
{
	float e = expf(-fabsf(x));
	return (x < 0.0f ? e : 1.0f) / (1.0f + e);
}

NNR_FUNCTION double nnr_sigmoid(double x)
{
	double e = exp(-fabs(x));
	return (x < 0 ? e : 1) / (1 + e);
}

/* The larger, or NaN when either is NaN, as in nnr_math.h. */
NNR_FUNCTION float nnr_maxf(float x, float y)
{
	return x > y || x != x ? x : y;
}
NNR_FUNCTION float nnr_minf(float x, float y)
{
	return x < y || x != x ? x : y;
}
NNR_FUNCTION double nnr_max(double x, double y)
{
	return x > y || x != x ? x : y;
}
NNR_FUNCTION double nnr_min(double x, double y)
{
	return x < y || x != x ? x : y;
}

/* Counter-based random numbers with the bits of nnr_math.h. */
NNR_FUNCTION uint64_t nnr_mix64(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

NNR_FUNCTION uint64_t nnr_random_key(uint64_t seed, uint64_t step, uint64_t stream)
{
	uint64_t k = nnr_mix64(seed + 0x9e3779b97f4a7c15u);
	k = nnr_mix64(k + 0x9e3779b97f4a7c15u * (step + 1));
	return nnr_mix64(k + 0x9e3779b97f4a7c15u * (stream + 1));
}

NNR_FUNCTION uint32_t nnr_random_bits(uint64_t seed, uint64_t step, uint64_t stream, int64_t i)
{
	uint64_t key = nnr_random_key(seed, step, stream);
	uint32_t x = (uint32_t)i + (uint32_t)key;
	x = (x ^ (x >> 16)) * 0x7feb352du;
	x = (x ^ (x >> 15)) * 0x846ca68bu;
	x ^= x >> 16;
	x += (uint32_t)(key >> 32) + (uint32_t)((uint64_t)i >> 32) * 0x9e3779b1u;
	x = (x ^ (x >> 17)) * 0xed5ad4bbu;
	x = (x ^ (x >> 11)) * 0xac4c1b51u;
	return x ^ (x >> 15);
}

NNR_FUNCTION float nnr_uniformf(uint64_t seed, uint64_t step, uint64_t stream, int64_t i)
{
	return (float)(int32_t)(nnr_random_bits(seed, step, stream, i) >> 8) * 5.9604644775390625e-8f;
}

NNR_FUNCTION double nnr_uniform(uint64_t seed, uint64_t step, uint64_t stream, int64_t i)
{
	return (double)(int32_t)(nnr_random_bits(seed, step, stream, i) >> 8) * 5.9604644775390625e-8;
}

/* Sums and maxima: over the 32 lanes of a warp, over a block of 256 threads, and over the 8 rows of a block seen as 8 rows
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

template <typename F, typename T> NNR_FUNCTION T nnr_block_combine(T x)
{
	__shared__ T part[NNR_BLOCK / 32];
	x = nnr_warp_combine<F>(x);
	__syncthreads();
	if (threadIdx.x % 32 == 0)
		part[threadIdx.x / 32] = x;
	__syncthreads();
	x = part[0];
#pragma unroll
	for (int i = 1; i < NNR_BLOCK / 32; i++)
		x = F::of(x, part[i]);
	return x;
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

/* bf16 and f16 as tensors hold them: an element read is a float, a float stored is rounded to the nearest (ties to even).
 * Types of our own, because NVRTC finds no cuda_bf16.h; the conversions are one instruction of PTX each, and the same in
 * integers where no device compiles this. */
#ifdef __CUDA_ARCH__
NNR_FUNCTION uint16_t nnr_bf16_bits(float x)
{
	uint16_t bits;
	asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
	return bits;
}

NNR_FUNCTION uint16_t nnr_f16_bits(float x)
{
	uint16_t bits;
	asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
	return bits;
}

NNR_FUNCTION float nnr_bf16_value(uint16_t bits)
{
	return __uint_as_float((uint32_t)bits << 16);
}

NNR_FUNCTION float nnr_f16_value(uint16_t bits)
{
	float x;
	asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
	return x;
}

/* Two at once, the first in the lower half. */
NNR_FUNCTION uint32_t nnr_bf16_pair(float low, float high)
{
	uint32_t bits;
	asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
	return bits;
}

NNR_FUNCTION uint32_t nnr_f16_pair(float low, float high)
{
	uint32_t bits;
	asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
	return bits;
}
#else
#define NNR_HALF_FUNCTION NNR_FUNCTION
#include "nnr_half.h"
NNR_FUNCTION uint32_t nnr_bf16_pair(float low, float high)
{
	return nnr_bf16_bits(low) | (uint32_t)nnr_bf16_bits(high) << 16;
}

NNR_FUNCTION uint32_t nnr_f16_pair(float low, float high)
{
	return nnr_f16_bits(low) | (uint32_t)nnr_f16_bits(high) << 16;
}
#endif

#define NNR_HALF(Name, name)                                                                        \
	struct Name {                                                                               \
		uint16_t bits;                                                                      \
		__device__ __forceinline__ operator float() const                                   \
		{                                                                                   \
			return nnr_##name##_value(bits);                                            \
		}                                                                                   \
		__device__ __forceinline__ void operator=(float x)                                  \
		{                                                                                   \
			bits = nnr_##name##_bits(x);                                                \
		}                                                                                   \
	};                                                                                          \
	NNR_FUNCTION float nnr_##name(float x)                                                      \
	{                                                                                           \
		return nnr_##name##_value(nnr_##name##_bits(x));                                    \
	}                                                                                           \
	NNR_FUNCTION void nnr_##name##_split(float to[2], uint32_t pair)                            \
	{                                                                                           \
		to[0] = nnr_##name##_value((uint16_t)pair), to[1] = nnr_##name##_value(pair >> 16); \
	}                                                                                           \
	NNR_FUNCTION void nnr_load4(float to[4], const Name *p)                                     \
	{                                                                                           \
		uint2 v = *(const uint2 *)p;                                                        \
		nnr_##name##_split(to, v.x), nnr_##name##_split(to + 2, v.y);                       \
	}                                                                                           \
	NNR_FUNCTION void nnr_load8(float to[8], const Name *p)                                     \
	{                                                                                           \
		uint4 v = *(const uint4 *)p;                                                        \
		nnr_##name##_split(to, v.x), nnr_##name##_split(to + 2, v.y);                       \
		nnr_##name##_split(to + 4, v.z), nnr_##name##_split(to + 6, v.w);                   \
	}                                                                                           \
	NNR_FUNCTION void nnr_store4(Name *p, const float from[4])                                  \
	{                                                                                           \
		*(uint2 *)p = make_uint2(nnr_##name##_pair(from[0], from[1]),                       \
		                         nnr_##name##_pair(from[2], from[3]));                      \
	}                                                                                           \
	NNR_FUNCTION void nnr_store8(Name *p, const float from[8])                                  \
	{                                                                                           \
		*(uint4 *)p = make_uint4(                                                           \
		        nnr_##name##_pair(from[0], from[1]), nnr_##name##_pair(from[2], from[3]),   \
		        nnr_##name##_pair(from[4], from[5]), nnr_##name##_pair(from[6], from[7]));  \
	}
NNR_HALF(NnrBf16, bf16)
NNR_HALF(NnrF16, f16)
#undef NNR_HALF

/* Four neighbours in one access (f64: two); p is aligned to all of them. */
NNR_FUNCTION void nnr_load4(float to[4], const float *p)
{
	float4 v = *(const float4 *)p;
	to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
}

NNR_FUNCTION void nnr_load4(double to[4], const double *p)
{
	double2 v = ((const double2 *)p)[0], w = ((const double2 *)p)[1];
	to[0] = v.x, to[1] = v.y, to[2] = w.x, to[3] = w.y;
}

NNR_FUNCTION void nnr_load4(int32_t to[4], const int32_t *p)
{
	int4 v = *(const int4 *)p;
	to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
}

NNR_FUNCTION void nnr_load4(uint8_t to[4], const uint8_t *p)
{
	uchar4 v = *(const uchar4 *)p;
	to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
}

NNR_FUNCTION void nnr_store4(float *p, const float from[4])
{
	*(float4 *)p = make_float4(from[0], from[1], from[2], from[3]);
}

NNR_FUNCTION void nnr_store4(double *p, const double from[4])
{
	((double2 *)p)[0] = make_double2(from[0], from[1]);
	((double2 *)p)[1] = make_double2(from[2], from[3]);
}

NNR_FUNCTION void nnr_store4(int32_t *p, const int32_t from[4])
{
	*(int4 *)p = make_int4(from[0], from[1], from[2], from[3]);
}

NNR_FUNCTION void nnr_store4(uint8_t *p, const uint8_t from[4])
{
	*(uchar4 *)p = make_uchar4(from[0], from[1], from[2], from[3]);
}

/* Eight neighbours beside eight of a 16-bit tensor. */
template <typename T> NNR_FUNCTION void nnr_load8(T to[8], const T *p)
{
	nnr_load4(to, p);
	nnr_load4(to + 4, p + 4);
}

template <typename T> NNR_FUNCTION void nnr_store8(T *p, const T from[8])
{
	nnr_store4(p, from);
	nnr_store4(p + 4, from + 4);
}

template <typename T, typename S> NNR_FUNCTION void nnr_load4_unaligned(T to[4], const S *p)
{
	to[0] = (T)p[0], to[1] = (T)p[1], to[2] = (T)p[2], to[3] = (T)p[3];
}

template <typename T, typename V> NNR_FUNCTION void nnr_fill4(T (&x)[4], V value)
{
	x[0] = x[1] = x[2] = x[3] = (T)value;
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

/* ---- 3: the runtime's kernels */

/* Philox4x32-10 at the counter (a, b, stream) under the key `seed`: rng_block of core/rng.c. */
NNR_FUNCTION uint4 nnr_philox(uint64_t seed, uint32_t stream, uint64_t a, uint32_t b)
{
	uint4 c = make_uint4((uint32_t)a, (uint32_t)(a >> 32), b, stream);
	uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
	for (int round = 0; round < 10; round++) {
		c = make_uint4(__umulhi(0xCD9E8D57u, c.z) ^ c.y ^ k0, 0xCD9E8D57u * c.z,
		               __umulhi(0xD2511F53u, c.x) ^ c.w ^ k1, 0xD2511F53u * c.x);
		k0 += 0x9E3779B9u;
		k1 += 0xBB67AE85u;
	}
	return c;
}

enum { NNR_STREAM_SHUFFLE = 2, NNR_STREAM_AUGMENT = 3 }; /* RngStream of core/rng.h */

NNR_FUNCTION uint32_t nnr_murmur(uint32_t x)
{
	x = (x ^ (x >> 16)) * 0x85EBCA6Bu;
	x = (x ^ (x >> 13)) * 0xC2B2AE35u;
	return x ^ (x >> 16);
}

/* permutation_at of core/rng.c, for fewer than 2^31 samples. */
NNR_FUNCTION uint32_t nnr_permuted(const NnrSupply &s, const uint32_t key[8], uint32_t x)
{
	uint32_t low_mask = (1u << s.low_bits) - 1, high_mask = (1u << s.high_bits) - 1;
	do {
		uint32_t low = x & low_mask, high = x >> s.low_bits;
#pragma unroll
		for (int round = 0; round < 8; round += 2) {
			high ^= nnr_murmur(low ^ key[round]) & high_mask;
			low ^= nnr_murmur(high ^ key[round + 1]) & low_mask;
		}
		x = high << s.low_bits | low;
	} while (x >= s.samples);
	return x;
}

/* Which sample of the data set is number k of the batch, and what happens to it on the way. */
typedef struct NnrSample {
	uint32_t index;
	int16_t down, right; /* how far the image is moved */
	bool flip;
} NnrSample;

/* In training: by the permutation of the epoch in which chunk `u` of this launch lies. */
NNR_FUNCTION NnrSample nnr_training_sample(const NnrControl *c, const NnrSupply &s, int u, uint32_t k,
                                           bool augment)
{
	int64_t epoch = c->epoch, in_epoch = c->in_epoch + u / s.chunks;
	if (in_epoch >= s.steps_per_epoch) {
		in_epoch -= s.steps_per_epoch;
		epoch++;
	}
	NnrSample sample = {((uint32_t)in_epoch * s.chunks + u % s.chunks) * s.batch + k, 0, 0, false};
	if (s.shuffle)
		sample.index = nnr_permuted(s, c->key[epoch % 2], sample.index);
	if (augment) {
		uint4 r = nnr_philox(s.seed, NNR_STREAM_AUGMENT, sample.index, (uint32_t)epoch);
		uint32_t places = (uint32_t)(2 * s.crop + 1);
		sample.down = (int16_t)((int32_t)__umulhi(r.x, places) - s.crop);
		sample.right = (int16_t)((int32_t)__umulhi(r.y, places) - s.crop);
		sample.flip = s.flip && r.z >> 31;
	}
	return sample;
}

/* In evaluation: the samples in order, the last one again where the batch is not full. */
NNR_FUNCTION NnrSample nnr_evaluation_sample(const NnrControl *c, const NnrSupply &s, uint32_t k)
{
	int64_t index = c->first + k;
	return {(uint32_t)(index < s.samples ? index : s.samples - 1), 0, 0, false};
}

/* A byte of an image moved and mirrored, zero where it comes in from outside. */
NNR_FUNCTION uint8_t nnr_moved_byte(const NnrFeed &f, const uint8_t *image, const NnrSample &sample,
                                    uint32_t at)
{
	uint32_t pixel = at / f.channels, y = pixel / f.width, x = pixel - y * f.width;
	int32_t from_y = (int32_t)y + sample.down;
	int32_t from_x = (int32_t)(sample.flip ? f.width - 1 - x : x) + sample.right;
	if ((uint32_t)from_y >= f.height || (uint32_t)from_x >= f.width)
		return 0;
	return image[((uint32_t)from_y * f.width + (uint32_t)from_x) * f.channels +
	             (at - pixel * f.channels)];
}

/* Copies this block's share of the batch to a slot: 256 * turns units of one input. The samples are found once per block. */
template <bool training>
NNR_FUNCTION void nnr_gather(const NnrControl *c, const NnrSupply &s, int u, int slot, uint32_t block)
{
	__shared__ NnrSample samples[4 * NNR_BLOCK + 1];
	int i = 0;
	while (block >= s.feeds[i].first_block + s.feeds[i].blocks)
		i++;
	const NnrFeed &f = s.feeds[i];
	const uint32_t total = s.batch * f.units, share = NNR_BLOCK * s.turns;
	const uint32_t begin = (block - f.first_block) * share, end = min(begin + share, total);
	const uint32_t first = begin / f.units, count = (end - 1) / f.units - first + 1;
	const bool augment = training && f.height > 0;
	for (uint32_t k = threadIdx.x; k < count; k += NNR_BLOCK)
		samples[k] = training ? nnr_training_sample(c, s, u, first + k, augment)
		                      : nnr_evaluation_sample(c, s, first + k);
	__syncthreads();
	for (uint32_t at = begin + threadIdx.x; at < end; at += NNR_BLOCK) {
		const uint32_t k = at / f.units, offset = (at - k * f.units) * f.unit;
		const NnrSample sample = samples[k - first];
		const uint8_t *from = s.streamed ? f.from + slot * s.slot_bytes + (size_t)k * f.units * f.unit
		                                 : f.from + (size_t)sample.index * f.units * f.unit;
		uint8_t *to = f.to + slot * s.slot_bytes + (size_t)at * f.unit;
		if (augment) {
			if (f.unit == 4)
				*(uchar4 *)to = make_uchar4(nnr_moved_byte(f, from, sample, offset),
				                            nnr_moved_byte(f, from, sample, offset + 1),
				                            nnr_moved_byte(f, from, sample, offset + 2),
				                            nnr_moved_byte(f, from, sample, offset + 3));
			else
				*to = nnr_moved_byte(f, from, sample, offset);
		} else if (f.unit == 16) {
			*(uint4 *)to = *(const uint4 *)(from + offset);
		} else if (f.unit == 4) {
			*(uint32_t *)to = *(const uint32_t *)(from + offset);
		} else {
			*to = from[offset];
		}
	}
}

NNR_FUNCTION double nnr_score_at(const NnrScore &score, uint32_t i)
{
	switch (score.dtype) {
	case 0:
		return (double)((const float *)score.at)[i];
	case 1:
		return ((const double *)score.at)[i];
	default:
		return (double)((const int32_t *)score.at)[i];
	}
}

/* Adds the loss and metrics of chunk `u` of a launch; nothing more once a loss was not finite. */
NNR_FUNCTION void nnr_count_scores(NnrControl *c, const NnrSupply &s, int u)
{
	const int64_t step = c->step + u / s.chunks + 1;
	if (c->bad_step)
		return;
	double loss = nnr_score_at(s.scores[0], 0);
	if (!isfinite(loss))
		c->bad_step = step;
	for (int i = 0; i < s.score_count; i++) {
		double value = nnr_score_at(s.scores[i], 0);
		c->last[i] = u % s.chunks ? c->last[i] + value : value;
		if (isfinite(loss))
			c->sums[i] += value;
	}
}

/* Puts what chunk `u` of a launch is given into a slot: block 0 the scalars, the others the batch. None of them reads
 * what block 0 writes. Chunk `u` may be the one behind the launch. */
extern "C" __global__ void __launch_bounds__(NNR_BLOCK)
        nnr_prepare_step(NnrControl *c, const NnrSupply s, int u, int slot)
{
	if (blockIdx.x > 0) {
		nnr_gather<true>(c, s, u, slot, blockIdx.x - 1);
	} else if (threadIdx.x == 0) {
		const uint32_t step = u / s.chunks, chunk = u % s.chunks;
		c->scalars[slot].rate = s.rates[c->asked + step];
		c->scalars[slot].step = (double)(c->step + step + 1);
		c->scalars[slot].last = chunk == s.chunks - 1;
		c->scalars[slot].seed =
		        s.seed + chunk * 0x9e3779b97f4a7c15u; /* chunk_seed of core/session.h */
	}
}

/* Counts the scores of chunk `u` of a launch, before the next one overwrites them (one block). */
extern "C" __global__ void nnr_count_step(NnrControl *c, const NnrSupply s, int u)
{
	if (threadIdx.x == 0)
		nnr_count_scores(c, s, u);
}

/* Behind the last of the `steps` of a launch (one block): counts its scores, and moves the base to the next launch. A
 * launch is no longer than an epoch, so at most one epoch ends in it. */
extern "C" __global__ void nnr_end_steps(NnrControl *c, const NnrSupply s, int steps)
{
	if (threadIdx.x > 0)
		return;
	if (!s.counted)
		nnr_count_scores(c, s, steps * s.chunks - 1);
	c->step += steps;
	c->asked += steps;
	c->in_epoch += steps;
	if (c->in_epoch < s.steps_per_epoch)
		return;
	c->in_epoch -= s.steps_per_epoch;
	c->epoch++;
	for (uint32_t half = 0; half < 2;
	     half++) { /* of the epoch after this one: a launch may reach into it */
		uint4 r = nnr_philox(s.seed, NNR_STREAM_SHUFFLE, (uint64_t)c->epoch + 1, half);
		uint32_t *key = c->key[(c->epoch + 1) % 2] + 4 * half;
		key[0] = r.x, key[1] = r.y, key[2] = r.z, key[3] = r.w;
	}
}

/* The batch of held-out samples that begins at c->first. */
extern "C" __global__ void __launch_bounds__(NNR_BLOCK)
        nnr_begin_samples(NnrControl *c, const NnrSupply s, int slot)
{
	nnr_gather<false>(c, s, 0, slot, blockIdx.x);
}

/* Adds the scores of the batch's real samples (one block), and moves to the next batch. */
extern "C" __global__ void __launch_bounds__(NNR_BLOCK) nnr_end_samples(NnrControl *c, const NnrSupply s)
{
	const int64_t left = s.samples - c->first;
	const uint32_t real = left < 0 ? 0 : left < s.batch ? (uint32_t)left : s.batch;
	for (int i = 0; i < s.score_count; i++) {
		double sum = 0;
		for (uint32_t k = threadIdx.x; k < real; k += NNR_BLOCK)
			sum += nnr_score_at(s.scores[i], k);
		sum = nnr_block_sum(sum);
		if (threadIdx.x == 0)
			c->sums[i] += sum;
	}
	__syncthreads();
	if (threadIdx.x == 0)
		c->first += s.batch;
}

#undef NNR_FUNCTION
#endif /* __CUDACC__ */
#endif
