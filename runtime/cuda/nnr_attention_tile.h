/* SPDX-License-Identifier: MIT */
/* What the kernels of attention are made of (nnr_attention.h): where a head's rows are, the products of tiles by the
 * tensor cores of warps (nnr_mma.h), the softmax tile by tile, and tiles that go by in shared memory. */
#ifndef NNR_ATTENTION_TILE_H
#define NNR_ATTENTION_TILE_H

#include "cuda/nnr_fetch.h"
#include "cuda/nnr_mma.h"
#include "cuda/nnr_sizes.h"

/* Queries of QUERIES places and HEADS heads, keys and values of KEYS places and GROUPS heads, of which each serves
 * HEADS/GROUPS neighbouring heads of queries; all in one tensor, in rows that are QUERY_ROW or KEY_ROW elements apart,
 * keys from KEYS_AT on and values from VALUES_AT. VECTORS: these, and those of y, lie so that 16 bytes can be read at
 * once. */
template <typename T, int HEADS_, int GROUPS_, int QUERIES_, int KEYS_, int SIZE_, bool CAUSAL_,
          bool VECTORS_, int QUERY_ROW_, int KEY_ROW_, int64_t KEYS_AT_, int64_t VALUES_AT_>
struct NnrAttention {
	using Element = T;
	static constexpr int HEADS = HEADS_, GROUPS = GROUPS_, SHARED = HEADS / GROUPS;
	static constexpr int QUERIES = QUERIES_, KEYS = KEYS_, SIZE = SIZE_;
	static constexpr bool CAUSAL = CAUSAL_, VECTORS = VECTORS_;
	static constexpr int EACH = 16 / (int)sizeof(T),
	                     STEP = 2 * EACH; /* elements of 16 bytes; of a product's depth */
	static constexpr int DEPTH = (SIZE + 15) / 16 * 16, STEPS = DEPTH / STEP, TILES = DEPTH / 8;
	static constexpr int PITCH = DEPTH + EACH; /* of a row in shared memory: an odd number of 16 bytes */
	static constexpr int WIDTH = HEADS * SIZE, QUERY_ROW = QUERY_ROW_, KEY_ROW = KEY_ROW_;
	static constexpr int64_t KEYS_AT = KEYS_AT_, VALUES_AT = VALUES_AT_;
	static constexpr int ROWS = NNR_ATTENTION_ROWS;
	static constexpr int QUERY_BLOCKS = (QUERIES + ROWS - 1) / ROWS,
	                     KEY_BLOCKS = (KEYS + ROWS - 1) / ROWS; /* of a head */
	static constexpr int GOING = sizeof(T) == 2 ? ROWS : ROWS / 2,
	                     GRAD_GOING = ROWS / 2; /* rows of a tile that goes by */

	/* From the tensor's begin to row 0 of a head; keys of one of GROUPS, and values VALUES_AT - KEYS_AT on. */
	static __device__ __forceinline__ int64_t queries(int64_t sample, int head)
	{
		return sample * QUERIES * QUERY_ROW + head * SIZE;
	}

	static __device__ __forceinline__ int64_t keys(int64_t sample, int group)
	{
		return KEYS_AT + sample * KEYS * KEY_ROW + group * SIZE;
	}

	/* The same of y. */
	static __device__ __forceinline__ int64_t out(int64_t sample, int head)
	{
		return sample * QUERIES * WIDTH + head * SIZE;
	}
};

/* Which shares a dropout keeps: all. */
struct NnrKeepAll {
	static constexpr bool ALL = true;
	static constexpr float UNIT = 1.0f;

	__device__ __forceinline__ float operator()(int64_t) const
	{
		return 1.0f;
	}

	__device__ __forceinline__ float scale() const
	{
		return 1.0f;
	}
};

/* Those whose random number, by the score's number among all, is at least `least` of 2^15; times `factor`. */
struct NnrKeep {
	static constexpr bool ALL = false;
	/* What NnrDrop::factors has of one that is kept: half of a float that is fp16's 1. */
	static constexpr float UNIT = 0x1p-7f;
	uint64_t key;
	uint32_t least;
	float factor;

	__device__ __forceinline__ float operator()(int64_t i) const
	{
		return nnr_random_bits(key, i) >> 9 >= least ? factor : 0.0f;
	}

	__device__ __forceinline__ float scale() const
	{
		return factor;
	}
};

/* What is added to the scores: nothing; or numbers, whose samples, heads and rows are so many elements apart, 0 where
 * they are the same for all. SAMPLES: there are so many, and after them the first again; 0: they are all there.
 * HIDES: whether it may leave a query no key, and whether its scores have a gradient then (ops/attention.h). */
enum NnrMaskHides { NNR_HIDES_NONE, NNR_HIDES_ALL, NNR_HIDES_BY_SUMS };

struct NnrNoMask {
	static constexpr bool NONE = true;
	static constexpr NnrMaskHides HIDES = NNR_HIDES_NONE;

	__device__ __forceinline__ NnrNoMask at(int64_t, int) const
	{
		return {};
	}

	__device__ __forceinline__ float operator()(int, int) const
	{
		return 0.0f;
	}
};

template <int64_t SAMPLE_, int64_t HEAD_, int64_t ROW_, int SAMPLES_ = 0,
          NnrMaskHides HIDES_ = NNR_HIDES_NONE>
struct NnrMask {
	static constexpr bool NONE = false;
	static constexpr NnrMaskHides HIDES = HIDES_;
	static constexpr int64_t SAMPLE = SAMPLE_, HEAD = HEAD_, ROW = ROW_;
	static constexpr int SAMPLES = SAMPLES_;
	const float *from;

	__device__ __forceinline__ NnrMask at(int64_t sample, int head) const
	{
		const int64_t own = SAMPLES > 0 ? sample % max(SAMPLES, 1) : sample;
		return {from + own * SAMPLE + head * HEAD};
	}

	__device__ __forceinline__ float operator()(int i, int j) const
	{
		return __ldg(from + i * ROW + j);
	}
};

/* Where a block's rows are. */
struct NnrAttentionPlace {
	int64_t sample;
	int head, first; /* of the sample's; row */
};

/* Of so many blocks for each head. */
template <typename A, int BLOCKS, int HEADS> NNR_FUNCTION NnrAttentionPlace nnr_attention_place(int block)
{
	const int head = block / BLOCKS;
	/* with CAUSAL the last rows have the most to do: they begin first */
	return {head / HEADS, head % HEADS, (BLOCKS - 1 - block % BLOCKS) * A::ROWS};
}

template <typename A> NNR_FUNCTION NnrAttentionPlace nnr_attention_queries(int block)
{
	return nnr_attention_place<A, A::QUERY_BLOCKS, A::HEADS>(block);
}

/* ROWS rows from `first` on, STRIDE elements apart, to a tile; from row COUNT on they are zeros. */
template <typename A, int ROWS, int STRIDE, int COUNT>
NNR_FUNCTION void nnr_attention_fetch(typename A::Element *to, const typename A::Element *from, int first)
{
	constexpr int chunks = A::DEPTH / A::EACH;
	for (int i = threadIdx.x; i < ROWS * chunks; i += NNR_ATTENTION_THREADS) {
		const int row = i / chunks, c = i % chunks * A::EACH;
		const bool there = first + row < COUNT && c < A::SIZE;
		const typename A::Element *const at =
		        from + (there ? (int64_t)(first + row) * STRIDE + c : 0);
		typename A::Element *const place = to + row * A::PITCH + c;
		if constexpr (A::VECTORS) {
			nnr_fetch_or_zero<16>(place, at, there);
		} else {
			for (int u = 0; u < A::EACH; u++) {
				if (there)
					place[u] = at[u];
				else
					place[u] = 0.0f;
			}
		}
	}
}

/* ---- products */

/* sums[16, N] += left[16, DEPTH] right[N, DEPTH]^T, of rows of tiles; `left` begins at the warp's first row. */
template <typename A, int N>
NNR_FUNCTION void nnr_attention_scores(float (&sums)[N / 8][4], const typename A::Element *left,
                                       const typename A::Element *right)
{
	using T = typename A::Element;
	const int lane = threadIdx.x % 32, matrix = lane / 8, j = lane % 8;
	const T *const of_left = left + (8 * (matrix % 2) + j) * A::PITCH + matrix / 2 * A::EACH;
	const T *const of_right = right + (8 * (matrix / 2) + j) * A::PITCH + matrix % 2 * A::EACH;
#pragma unroll
	for (int step = 0; step < A::STEPS; step++) {
		uint32_t a[4], b[4];
		nnr_load_matrices(a, of_left + step * A::STEP);
#pragma unroll
		for (int n = 0; n < N / 16; n++) {
			nnr_load_matrices(b, of_right + n * 16 * A::PITCH + step * A::STEP);
			nnr_mma((const T *)0, sums[2 * n], a, {b[0], b[1]});
			nnr_mma((const T *)0, sums[2 * n + 1], a, {b[2], b[3]});
		}
	}
}

NNR_FUNCTION uint32_t nnr_attention_pair(const NnrBf16 *, float low, float high)
{
	return nnr_bf16_pair(low, high);
}

NNR_FUNCTION uint32_t nnr_attention_pair(const NnrF16 *, float low, float high)
{
	return nnr_f16_pair(low, high);
}

/* sums[16, DEPTH] += left[16, N] right[N, DEPTH], left being sums of a product. In tf32 a step has 8 of its columns,
 * and a lane those two that it holds: words t and t + 4 of the depth are columns 2t and 2t + 1, on either side. */
template <typename A, int N>
NNR_FUNCTION void nnr_attention_add(float (&sums)[A::TILES][4], const float (&left)[N / 8][4],
                                    const typename A::Element *right)
{
	using T = typename A::Element;
	const int lane = threadIdx.x % 32, matrix = lane / 8, j = lane % 8, g = lane / 4, t = lane % 4;
#pragma unroll
	for (int step = 0; step < N / A::STEP; step++) {
		uint32_t a[4], b[4];
		if constexpr (sizeof(T) == 2) {
			const float(&low)[4] = left[2 * step], (&high)[4] = left[2 * step + 1];
			a[0] = nnr_attention_pair((const T *)0, low[0], low[1]);
			a[1] = nnr_attention_pair((const T *)0, low[2], low[3]);
			a[2] = nnr_attention_pair((const T *)0, high[0], high[1]);
			a[3] = nnr_attention_pair((const T *)0, high[2], high[3]);
		} else {
			a[0] = nnr_tf32_bits(left[step][0]), a[1] = nnr_tf32_bits(left[step][2]);
			a[2] = nnr_tf32_bits(left[step][1]), a[3] = nnr_tf32_bits(left[step][3]);
		}
#pragma unroll
		for (int n = 0; n < A::TILES / 2; n++) {
			if constexpr (sizeof(T) == 2) {
				nnr_load_transposed(b, right + (16 * step + 8 * (matrix % 2) + j) * A::PITCH +
				                               16 * n + 8 * (matrix / 2));
			} else {
#pragma unroll
				for (int i = 0; i < 4; i++)
					memcpy(&b[i],
					       right + (8 * step + 2 * t + i % 2) * A::PITCH + 16 * n +
					               8 * (i / 2) + g,
					       sizeof b[i]);
			}
			nnr_mma((const T *)0, sums[2 * n], a, {b[0], b[1]});
			nnr_mma((const T *)0, sums[2 * n + 1], a, {b[2], b[3]});
		}
	}
}

/* ---- rows: a lane holds elements of rows g and g + 8 of its warp's 16, and three others the rest of these */

NNR_FUNCTION float nnr_attention_sum(float x)
{
	x += __shfl_xor_sync(0xffffffffu, x, 1);
	return x + __shfl_xor_sync(0xffffffffu, x, 2);
}

NNR_FUNCTION float nnr_attention_largest(float x)
{
	x = nnr_maxf(x, __shfl_xor_sync(0xffffffffu, x, 1));
	return nnr_maxf(x, __shfl_xor_sync(0xffffffffu, x, 2));
}

/* One by one: in f32 a result may be a gradient among those of all parameters, which begins at any multiple of 4
 * bytes. */
NNR_FUNCTION void nnr_attention_store(float *to, float x, float y)
{
	to[0] = x;
	to[1] = y;
}

template <typename T> NNR_FUNCTION void nnr_attention_store(T *to, float x, float y)
{
	*(uint32_t *)to = nnr_attention_pair((const T *)0, x, y);
}

/* sums times factor[0] for row g, factor[1] for g + 8, to rows from `row` on, of COUNT that are STRIDE elements
 * apart. */
template <typename A, int STRIDE, int COUNT, int TILES>
NNR_FUNCTION void nnr_attention_finish(typename A::Element *to, const float (&sums)[TILES][4],
                                       const float (&factor)[2], int row)
{
	const int lane = threadIdx.x % 32, t = lane % 4;
#pragma unroll
	for (int u = 0; u < 2; u++) {
		const int i = row + lane / 4 + 8 * u;
		if (i >= COUNT)
			continue;
#pragma unroll
		for (int n = 0; n < A::SIZE / 8; n++)
			nnr_attention_store(to + (int64_t)i * STRIDE + 8 * n + 2 * t,
			                    sums[n][2 * u] * factor[u], sums[n][2 * u + 1] * factor[u]);
	}
}

/* How many tiles of COUNT keys pass by queries [first, first + ROWS). */
template <typename A, int COUNT> NNR_FUNCTION int nnr_attention_tiles(int first)
{
	const int end = A::CAUSAL ? min(first + A::ROWS, A::KEYS) : A::KEYS;
	return (end + COUNT - 1) / COUNT;
}

/* The log of a row without a key is so much for each of its equal shares; below the other are they alone, and scores
 * that a mask hides. */
static __device__ constexpr float NNR_HIDDEN = -0x1p100f, NNR_NO_KEY = -0x1p99f;
static __device__ constexpr float NNR_LOG2_E = 1.4426950408889634f, NNR_LN_2 = 0.6931471805599453f;

/* Whether some of COUNT keys from `key` on are not there for rows from `row` on. */
template <typename A, int COUNT> NNR_FUNCTION bool nnr_attention_edge(int row, int key)
{
	return key + COUNT > (A::CAUSAL ? min(row + 1, A::KEYS) : A::KEYS);
}

NNR_FUNCTION float nnr_exp2(float x)
{
#ifdef __CUDA_ARCH__
	float y;
	asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
	return y;
#else
	return exp2f(x);
#endif
}

/* The scores of a tile of keys as powers of two, and what was known of the rows brought up to date: afterwards they are
 * 2^(score - most); where the mask has left nothing so far, -inf, they are 0. Returns in `shrink` what sums of before
 * are to be multiplied with. `edge`: nnr_attention_edge. */
template <typename A, int N, typename Mask>
NNR_FUNCTION void nnr_attention_exponentials(float (&scores)[N / 8][4], float (&most)[2], float (&sum)[2],
                                             float (&shrink)[2], float scale, Mask mask, int row, int key,
                                             bool edge)
{
	const int lane = threadIdx.x % 32, t = lane % 4;
	const bool plain = Mask::NONE && scale > 0.0f; /* the largest is so before the factor */
	const float factor = plain ? scale * NNR_LOG2_E : 1.0f;
#pragma unroll
	for (int n = 0; n < N / 8 && !plain; n++)
#pragma unroll
		for (int c = 0; c < 4; c++) {
			const int i = row + lane / 4 + c / 2 * 8, k = key + 8 * n + 2 * t + c % 2;
			const float added = mask(min(i, A::QUERIES - 1), min(k, A::KEYS - 1));
			scores[n][c] = (scores[n][c] * scale + added) * NNR_LOG2_E;
		}
	if (edge)
#pragma unroll
		for (int n = 0; n < N / 8; n++)
#pragma unroll
			for (int c = 0; c < 4; c++) {
				const int i = row + lane / 4 + c / 2 * 8, k = key + 8 * n + 2 * t + c % 2;
				if (k >= A::KEYS || (A::CAUSAL && k > i))
					scores[n][c] = -INFINITY;
			}
#pragma unroll
	for (int u = 0; u < 2; u++) {
		float largest = scores[0][2 * u];
#pragma unroll
		for (int n = 0; n < N / 8; n++)
#pragma unroll
			for (int c = 0; c < 2; c++)
				largest = nnr_maxf(largest, scores[n][2 * u + c]);
		largest = nnr_maxf(most[u], nnr_attention_largest(largest) * factor);
		const float base = largest == -INFINITY ? 0.0f : largest;
		shrink[u] = nnr_exp2(most[u] - base);
		most[u] = largest;
		sum[u] *= shrink[u];
#pragma unroll
		for (int n = 0; n < N / 8; n++)
#pragma unroll
			for (int c = 0; c < 2; c++) {
				float &x = scores[n][2 * u + c];
				x = nnr_exp2(x * factor - base);
				sum[u] += x;
			}
	}
}

/* Tiles from `first` on that go by, each fetched while that before it is computed with: there is room for two. Where
 * there is room for one, it is fetched after that. At the end of each all threads have done with it. */
template <int ROOM = 2, typename Fetch, typename Compute>
NNR_FUNCTION void nnr_attention_go_by(int first, int end, Fetch fetch, Compute compute)
{
	fetch(first);
	nnr_block_commit();
	for (int tile = first; tile < end; tile++) {
		if (ROOM == 2 && tile + 1 < end)
			fetch(tile + 1);
		nnr_block_commit();
		nnr_block_await<1>();
		__syncthreads();
		compute(tile);
		__syncthreads();
		if (ROOM == 1 && tile + 1 < end)
			fetch(tile + 1);
		if (ROOM == 1)
			nnr_block_commit();
	}
}

#endif
