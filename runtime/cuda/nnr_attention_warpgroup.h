/* SPDX-License-Identifier: MIT */
/* Attention and its gradient by warpgroups (wgmma), for sm_90a; in code for other architectures there is none of it. It
 * computes what nnr_attention.h does, of elements of 16 bits, and shares with it where rows are, masks and softmax.
 *
 * A block has two warpgroups that multiply, each with 64 rows that stay, and a third that fetches tiles of GOING rows
 * which go by: a ring of STAGES tiles in shared memory. A tile is `full` when all its copies have come and `empty` when
 * all warps have multiplied it. Blocks are as many as multiprocessors; each computes item after item (rows of a head),
 * and what fetches is ahead of what multiplies across items.
 *
 * Scores are only ever in registers: the sums of one product, as wgmma leaves them, are what the next one takes as its
 * left side. While one warpgroup takes exponentials the tensor cores multiply for another, and for itself the product
 * that it asked for before. No sum depends on the order in which blocks run: the gradient by queries is computed apart
 * from that by keys and values, of scores that are computed for each. */
#ifndef NNR_ATTENTION_WARPGROUP_H
#define NNR_ATTENTION_WARPGROUP_H

#include "cuda/nnr_attention.h"
#include "cuda/nnr_warpgroup.h"

template <typename T> constexpr bool nnr_has_few_exponents = false;
template <> constexpr bool nnr_has_few_exponents<NnrF16> = true;

/* A tile of ROWS rows: panels of 64 columns, a row of a panel being 128 bytes, of which the 16 bytes number c stand at
 * c ^ (row % 8). */
template <typename A, int ROWS> struct NnrPanels {
	static constexpr int PANEL = ROWS * 64, ELEMENTS = (A::DEPTH + 63) / 64 * PANEL;

	/* From row 0: where 16 columns number `step` begin in rows that are read as they are. */
	static __device__ __forceinline__ constexpr int columns(int step)
	{
		return step / 4 * PANEL + step % 4 * 16;
	}
};

/* In the place of a cut: nnr_attention.h computes it on every device. */
struct NnrByWarps {
};
template <typename Cut> constexpr bool nnr_by_warpgroups = true;
template <> constexpr bool nnr_by_warpgroups<NnrByWarps> = false;

/* How a block is cut, and how much shared memory it has. FETCHING: registers of a thread that fetches, of all that a
 * multiprocessor has; addresses of rows of more than 128 bytes need more, and so do sums of them. */
template <typename A, int GOING_, int STAGES_, int BYTES_> struct NnrAttentionCut {
	static constexpr int ROWS = NNR_WARPGROUP_ROWS, GOING = GOING_, STAGES = STAGES_, BYTES = BYTES_;
	static constexpr int FETCHING = A::DEPTH > 64 ? 40 : 56, MULTIPLYING = (504 - FETCHING) / 2;
	static constexpr int COLUMNS = (A::DEPTH + 31) / 32 * 32; /* of a result's sums */
	using Own = NnrPanels<A, ROWS>;
	using Tile = NnrPanels<A, GOING>;
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

/* Where a thread is in a ring of COUNT stages. */
template <int COUNT> struct NnrRing {
	int stage = 0;
	unsigned phase = 0;

	__device__ __forceinline__ void advance()
	{
		if (++stage == COUNT) {
			stage = 0;
			phase ^= 1;
		}
	}
};

/* Shared memory: rows that stay, OWN tiles of them; the ring, of stages of EACH tiles, and GOING pairs of numbers; and
 * barriers. */
template <typename A, typename Cut, int OWN, int EACH, bool PAIRS> struct NnrAttentionRoom {
	using T = typename A::Element;
	static constexpr int STAGE = EACH * Cut::Tile::ELEMENTS;
	static constexpr int USED = (OWN * Cut::Own::ELEMENTS + Cut::STAGES * STAGE) * 2 +
	                            (PAIRS ? Cut::STAGES * Cut::GOING * 8 : 0) + (Cut::STAGES + 1) * 16 +
	                            1024;
	static_assert(USED == Cut::BYTES, "what the launch asks for");
	T *own, *going;
	float *pairs;
	uint64_t *full, *empty; /* STAGES of the ring, and the last of rows that stay */

	__device__ __forceinline__ explicit NnrAttentionRoom(char *chip)
	{
		/* wgmma swizzles by the address: a multiple of 1024 */
		own = (T *)(chip + (1024 - nnr_shared_address(chip) % 1024) % 1024);
		going = own + OWN * Cut::Own::ELEMENTS;
		pairs = (float *)(going + Cut::STAGES * STAGE);
		full = (uint64_t *)(pairs + (PAIRS ? Cut::STAGES * Cut::GOING * 2 : 0));
		empty = full + Cut::STAGES + 1;
	}

	__device__ __forceinline__ void begin() const
	{
		if (threadIdx.x == 0) {
			for (int i = 0; i <= Cut::STAGES; i++) {
				nnr_barrier_init(full + i, 128);
				nnr_barrier_init(empty + i, NNR_WARPGROUP_ROWS / 16);
			}
			asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
		}
		__syncthreads();
	}
};

/* By the 128 threads that fetch: ROWS rows from `first` on, STRIDE elements apart, to a tile; from row COUNT on they
 * are zeros, as are columns up to DEPTH. */
template <typename A, int ROWS, int STRIDE, int COUNT>
NNR_FUNCTION void nnr_panels_fetch(typename A::Element *to, const typename A::Element *from, int first)
{
	constexpr int CHUNKS = A::DEPTH / 8,
	              ACROSS = CHUNKS > 8   ? 16
	                       : CHUNKS > 4 ? 8
	                                    : 4,
	              DOWN = 128 / ACROSS;
	const int thread = threadIdx.x % 128, row = thread / ACROSS, c = thread % ACROSS;
	to += c / 8 * NnrPanels<A, ROWS>::PANEL + row * 64 + (c % 8 ^ row % 8) * 8;
	from += (int64_t)(first + row) * STRIDE + 8 * c;
	if (c < CHUNKS)
#pragma unroll
		for (int k = 0; k < ROWS; k += DOWN)
			nnr_fetch_or_zero<16>(to + k * 64, from + (int64_t)k * STRIDE,
			                      first + row + k < COUNT && 8 * c < A::SIZE);
}

/* What this thread has asked for so far arrives at the barrier when it has come. */
NNR_FUNCTION void nnr_fetch_arrive(uint64_t *barrier)
{
	asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(nnr_shared_address(barrier))
	             : "memory");
}

/* Waits for copies, which wgmma may read from then on. */
NNR_FUNCTION void nnr_fetched_wait(uint64_t *full, unsigned phase)
{
	nnr_barrier_wait(full, phase);
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

NNR_FUNCTION void nnr_warp_arrive(uint64_t *barrier)
{
	if (threadIdx.x % 32 == 0)
		nnr_barrier_arrive(barrier);
}

/* ---- products of a warpgroup */

/* Registers that wgmma reads or writes: the compiler is not to move what else is done with them beyond this. */
template <int COUNT> NNR_FUNCTION void nnr_pin(float (&x)[COUNT][4])
{
#pragma unroll
	for (int n = 0; n < COUNT; n++)
#pragma unroll
		for (int c = 0; c < 4; c++)
			asm volatile("" : "+f"(x[n][c])::"memory");
}

/* scores[64,N] = own[64,DEPTH] tile[N,DEPTH]^T. */
template <typename A, typename Cut>
NNR_FUNCTION void nnr_group_scores(float (&scores)[Cut::GOING / 8][4], const typename A::Element *own,
                                   const typename A::Element *tile)
{
#pragma unroll
	for (int step = 0; step < A::DEPTH / 16; step++)
		NnrWgmma<typename A::Element, Cut::GOING, 0>::add(
		        &scores[0][0], nnr_descriptor(own + Cut::Own::columns(step)),
		        nnr_descriptor(tile + Cut::Tile::columns(step)), step > 0);
}

/* sums[64,COLUMNS] += left[64,GOING] tile[GOING,COLUMNS]. */
template <typename A, typename Cut>
NNR_FUNCTION void nnr_group_add(float (&sums)[Cut::COLUMNS / 8][4],
                                const uint32_t (&left)[Cut::GOING / 16][4], const typename A::Element *tile,
                                bool add)
{
	const uint64_t at = nnr_descriptor<Cut::Tile::PANEL * 2>(tile);
#pragma unroll
	for (int step = 0; step < Cut::GOING / 16; step++)
		NnrWgmma<typename A::Element, Cut::COLUMNS, 1>::add(
		        &sums[0][0], left[step], at + step * (16 * 128 >> 4), add || step > 0);
}

/* Sums as the left side of a product. */
template <typename T, int N>
NNR_FUNCTION void nnr_group_pack(uint32_t (&left)[N / 16][4], const float (&sums)[N / 8][4])
{
#pragma unroll
	for (int step = 0; step < N / 16; step++)
#pragma unroll
		for (int i = 0; i < 4; i++) {
			const float(&x)[4] = sums[2 * step + i / 2];
			left[step][i] = nnr_attention_pair((const T *)0, x[i % 2 * 2], x[i % 2 * 2 + 1]);
		}
}

/* ---- dropout */

/* Of a warp's 16 rows and all that goes by in a tile, in the order in which wgmma leaves scores: which are kept.
 * TURNED: rows are keys. */
template <typename A, bool TURNED, typename Keep> struct NnrDrop {
	const NnrKeep keep;
	int64_t first[2]; /* of each row the thread's first score; turned, of its first query */
	NnrRandomCell cell[2];

	__device__ __forceinline__ NnrDrop(const NnrKeep &keep, const NnrAttentionPlace &at, int row,
	                                   int column)
	    : keep(keep)
	{
		const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
#pragma unroll
		for (int u = 0; u < 2; u++)
			first[u] = TURNED ? nnr_attention_index<A>(at, column + 2 * t, row + g / 2 * 2)
			                  : nnr_attention_index<A>(at, row + g + 8 * u, column + 2 * t);
	}

	/* The numbers of score i + AFTER and the one after it, and of the two 8 further on. */
	__device__ __forceinline__ NnrRandomCell cell_at(int64_t i, int64_t after) const
	{
		if constexpr (A::KEYS % 16 == 0)
			return nnr_random_cell(keep.key, nnr_random_cell_of(i) + (uint32_t)(after / 4));
		i += after;
		const auto of = [&](int64_t at) { return nnr_random_bits(keep.key, at) >> 9; };
		return {of(i) | of(i + 1) << 16, of(i + 8) | of(i + 9) << 16};
	}

	/* Those of 8 columns number n, 0 and up in order: the thread's two of each row. */
	__device__ __forceinline__ void pairs(int n, uint32_t (&two)[2])
	{
		if constexpr (TURNED) {
			const NnrRandomCell a = cell_at(first[0], (int64_t)8 * n * A::KEYS),
			                    b = cell_at(first[0], (int64_t)(8 * n + 1) * A::KEYS);
			const unsigned pick = threadIdx.x & 4 ? 0x7632 : 0x5410;
			two[0] = __byte_perm(a.near, b.near, pick);
			two[1] = __byte_perm(a.far, b.far, pick);
		} else {
#pragma unroll
			for (int u = 0; u < 2; u++) {
				if (n % 2 == 0)
					cell[u] = cell_at(first[u], 8 * n);
				two[u] = n % 2 ? cell[u].far : cell[u].near;
			}
		}
	}

	/* Of columns number n: shares of two rows, two each; and UNIT or 0 for each score. Two numbers of 15 bits are
	 * compared as positive numbers of fp16 are, by their bits. */
	__device__ __forceinline__ void mask(int n, uint32_t (&shares)[2])
	{
		uint32_t two[2], kept;
		pairs(n, two);
#pragma unroll
		for (int u = 0; u < 2; u++) {
			asm("set.geu.u32.f16x2 %0, %1, %2;"
			    : "=r"(kept)
			    : "r"(two[u] & 0x7fff7fffu), "r"(keep.least * 0x10001u));
			shares[u] &= kept;
		}
	}

	__device__ __forceinline__ void factors(int n, float (&factor)[4])
	{
		uint32_t two[2], kept;
		pairs(n, two);
#pragma unroll
		for (int u = 0; u < 2; u++) {
			asm("set.geu.f16x2.f16x2 %0, %1, %2;"
			    : "=r"(kept)
			    : "r"(two[u] & 0x7fff7fffu), "r"(keep.least * 0x10001u));
			factor[2 * u] = __uint_as_float(kept << 16);
			factor[2 * u + 1] = __uint_as_float(kept & 0xffff0000u);
		}
	}
};

template <typename A, bool TURNED> struct NnrDrop<A, TURNED, NnrKeepAll> {
	__device__ __forceinline__ NnrDrop(const NnrKeepAll &, const NnrAttentionPlace &, int, int)
	{
	}

	__device__ __forceinline__ void mask(int, uint32_t (&)[2])
	{
	}

	__device__ __forceinline__ void factors(int, float (&factor)[4])
	{
		factor[0] = factor[1] = factor[2] = factor[3] = 1.0f;
	}
};

/* ---- items */

/* Rows number `block` of a head: as many heads at a time as have their keys and values in the cache, of these the rows
 * that have the most to do first. */
template <typename A, int BATCH, int HEADS, int BLOCKS, int ROWS, bool LAST_FIRST>
NNR_FUNCTION NnrAttentionPlace nnr_group_place(int item)
{
	constexpr int64_t BYTES = (int64_t)A::KEYS * A::SIZE * 4, ROOM = 24 << 20;
	constexpr int ALL = BATCH * HEADS, FIT = BYTES * ALL <= ROOM ? ALL
	                                         : BYTES >= ROOM     ? 1
	                                                             : (int)(ROOM / BYTES);
	const int section = item / (FIT * BLOCKS), in = item % (FIT * BLOCKS),
	          heads = min(FIT, ALL - section * FIT), head = section * FIT + in % heads,
	          block = in / heads;
	return {head / HEADS, head % HEADS, (LAST_FIRST ? BLOCKS - 1 - block : block) * ROWS};
}

#endif
#endif
