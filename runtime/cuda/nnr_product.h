/* SPDX-License-Identifier: MIT */
/* Matrix products by the tensor cores of a warpgroup (wgmma of PTX): f32 operands in tf32, sums in f32. For sm_90a
 * alone; in code for other architectures the kernels are empty, and the runtime does not launch them
 * (runtime/cuda/product.c).
 *
 *     y[M,N] = op(a) b^T,  a stored [M,K] or, turned, [K,M]; b stored [N,K]; all row-major and dense, sizes multiples
 *                          of 4
 *
 * A block computes tiles of 128 x 256, one after the other, with 32 of the depth at a time. Its third warpgroup has the
 * copy engine bring a's and b's parts of the next depths into shared memory, four stages ahead; each of the other two
 * multiplies 64 of the rows. A stage is `full` when its bytes have come, and `empty` when the eight warps have
 * multiplied it. What lies outside of a and b comes as zeros.
 *
 * Both parts are swizzled: of a row of 128 bytes, the 16 bytes number c stand at c ^ (row % 8). wgmma reads b so, and a
 * where it is [M,K]. It can't turn f32, so that threads load a turned a to registers themselves. Lane 4g + t has of
 * each 8 of the depth the elements t and t + 4 of two rows (PTX ISA, "Register fragments and shared memory matrix
 * layouts" of wgmma for tf32). Which rows these are is free, as long as the result is stored to match: rows 0 to 3 and
 * 16 to 19, with those 4 below them, or 8 further down, of 32 lie in different banks.
 *
 * Where there are fewer tiles than multiprocessors the depth may be cut into PARTS, each by a block of its own. These
 * wait for each other, and each adds up its share of the tile, in the order of the parts: two runs are equal bit for
 * bit. (One block alone, the last, took 5 of 54 us for it.)
 *
 * Two warps of the third warpgroup may gather the next batch meanwhile (nnr_carry.h).
 *
 * Waits and arrivals here are those of one block, and the asynchronous copies make their bytes visible themselves: with
 * an order among the blocks of a cluster asked for (.acquire.cluster, .release.cluster), which ptxas turns into a fence
 * of the whole device, the same kernel took 1.6 times as long. */
#ifndef NNR_PRODUCT_H
#define NNR_PRODUCT_H

#include "cuda/nnr_carry.h"
#include "cuda/nnr_product_store.h"

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

/* The stages in shared memory, and which one a warp is at. */
struct NnrProductRing {
	float *a, *b;
	uint64_t *full, *empty;
	int stage;
	unsigned phase;

	__device__ __forceinline__ explicit NnrProductRing(char *shared)
	{
		/* wgmma and the copy engine swizzle by the address: a multiple of 1024 */
		char *at = shared + (1024 - nnr_shared_address(shared) % 1024) % 1024;
		a = (float *)at;
		b = a + NNR_PRODUCT_STAGES * NNR_PRODUCT_A;
		full = (uint64_t *)(b + NNR_PRODUCT_STAGES * NNR_PRODUCT_B);
		empty = full + NNR_PRODUCT_STAGES;
		stage = 0;
		phase = 0;
	}

	__device__ __forceinline__ void advance()
	{
		if (++stage == NNR_PRODUCT_STAGES) {
			stage = 0;
			phase ^= 1;
		}
	}
};

/* By one thread: brings all that the block's items need. */
template <typename P>
NNR_FUNCTION void nnr_product_fetch(NnrProductRing ring, const NnrTensorMap &a, const NnrTensorMap &b)
{
	for (int i = blockIdx.x; i < P::TILES * P::PARTS; i += gridDim.x) {
		const NnrProductItem<P> item(i);
		for (int k = item.first; k < item.end; k++, ring.advance()) {
			uint64_t *const full = ring.full + ring.stage;
			float *const to = ring.a + ring.stage * NNR_PRODUCT_A;
			const int depth = k * NNR_PRODUCT_DEPTH;
			nnr_barrier_wait(ring.empty + ring.stage, ring.phase ^ 1);
			nnr_barrier_expect(full, (NNR_PRODUCT_A + NNR_PRODUCT_B) * sizeof(float));
			if constexpr (P::TURNED) {
#pragma unroll
				for (int box = 0; box < NNR_PRODUCT_ROWS / 32; box++)
					nnr_fetch_box(to + box * NNR_PRODUCT_BOX, a, full,
					              item.row + box * 32, depth);
			} else {
				nnr_fetch_box(to, a, full, depth, item.row);
			}
			nnr_fetch_box(ring.b + ring.stage * NNR_PRODUCT_B, b, full, depth, item.column);
		}
	}
}

/* Where a thread's elements of a turned a lie in a stage: of each 8 of the depth those number t and t + 4, of each the
 * two rows. The depths further on follow 128 elements after each other, for they are swizzled alike. As 45 integer
 * instructions a stage they took energy, which is what bounds a product of this size. */
struct NnrProductTurn {
	int at[2][2];

	__device__ __forceinline__ explicit NnrProductTurn(int row)
	{
		const int chunk = row % 32 / 4, t = threadIdx.x % 4;
#pragma unroll
		for (int i = 0; i < 2; i++)
#pragma unroll
			for (int e = 0; e < 2; e++) {
				const int swizzled = (chunk + e) ^ (i * 4 + t);
				at[i][e] = row / 32 * NNR_PRODUCT_BOX + t * 32 + swizzled * 4 + row % 4;
				asm("mov.b32 %0, %0;"
				    : "+r"(at[i][e])); /* or it would be computed in the loop */
			}
	}
};

/* The registers of a turned a, for 8 x 4 of the depth. */
NNR_FUNCTION void nnr_product_load(uint32_t (&to)[16], const float *a, const NnrProductTurn &turn)
{
#pragma unroll
	for (int i = 0; i < 8; i++)
#pragma unroll
		for (int e = 0; e < 2; e++)
			to[i / 2 * 4 + i % 2 * 2 + e] = __float_as_uint(a[turn.at[i % 2][e] + i * 128]);
}

/* Adds the ring's stage; the one before it is empty then. */
template <typename P>
NNR_FUNCTION void nnr_product_step(float (&d)[128], uint32_t (&turned)[16], NnrProductRing &ring,
                                   const NnrProductTurn &turn, bool first)
{
	const float *const a = ring.a + ring.stage * NNR_PRODUCT_A;
	nnr_barrier_wait(ring.full + ring.stage, ring.phase);
	if constexpr (P::TURNED)
		nnr_product_load(turned, a, turn);
	const uint64_t at = nnr_descriptor(a + threadIdx.x / 128 * 64 * NNR_PRODUCT_DEPTH),
	               bt = nnr_descriptor(ring.b + ring.stage * NNR_PRODUCT_B);
	asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
	for (int e = 0; e < NNR_PRODUCT_DEPTH / 8; e++) { /* each 32 bytes after the one before */
		if constexpr (P::TURNED)
			nnr_wgmma(d, turned + 4 * e, bt + 2 * e, !first || e > 0);
		else
			nnr_wgmma(d, at + 2 * e, bt + 2 * e, !first || e > 0);
	}
	asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
	asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
	if (!first && threadIdx.x % 32 == 0)
		nnr_barrier_arrive(ring.empty + (ring.stage + NNR_PRODUCT_STAGES - 1) % NNR_PRODUCT_STAGES);
	ring.advance();
}

/* All depths of an item. A turned a has two sets of registers: the one is loaded while the other is multiplied. The
 * last depth is multiplied whole, zeros and all: with a shorter step after the loop ptxas 13.0 lets no product begin
 * before the one before has ended (its remark C7511). */
template <typename P>
NNR_FUNCTION void nnr_product_sum(float (&d)[128], NnrProductRing &ring, const NnrProductItem<P> &item,
                                  const NnrProductTurn &turn)
{
	uint32_t turned[2][16];
	const int depths = item.end - item.first;
#pragma unroll 1
	for (int k = 0; k + 1 < depths; k += 2) {
		nnr_product_step<P>(d, turned[0], ring, turn, k == 0);
		nnr_product_step<P>(d, turned[1], ring, turn, false);
	}
	if (depths % 2)
		nnr_product_step<P>(d, turned[0], ring, turn, depths == 1);
	/* without d as its operand, or the registers would be copied ahead of it: tests/cuda/device.c sees that nothing
	 * else reads them there */
	asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
	if (threadIdx.x % 32 == 0)
		nnr_barrier_arrive(ring.empty + (ring.stage + NNR_PRODUCT_STAGES - 1) % NNR_PRODUCT_STAGES);
}

/* What the third warpgroup does: its first thread fetches, its last two warps carry. */
template <typename P, typename Carried>
NNR_FUNCTION void nnr_product_serve(const NnrProductRing &ring, const NnrTensorMap &a, const NnrTensorMap &b,
                                    const Carried &carried, char *shared)
{
	if (threadIdx.x == NNR_PRODUCT_WARPS * 32)
		nnr_product_fetch<P>(ring, a, b);
	if constexpr (nnr_is_there<Carried>)
		if (threadIdx.x >= NNR_PRODUCT_THREADS - NNR_CARRY_THREADS)
			nnr_carry(carried, shared, threadIdx.x % NNR_CARRY_THREADS);
}

/* The kernel, of 384 threads and NNR_PRODUCT_BYTES of shared memory, with `carried` NNR_CARRY_BYTES more. Where PARTS >
 * 1, `partial` has PARTS * NNR_PRODUCT_TILE elements for each tile, `done` a counter, 0, for each, and the grid a block
 * for each part of each. y[i,j] = epilogue(sum, bias[j]), or with 0 for it. With weights, and PARTS 1, y is [M, N/256
 * rounded up], the sums of epilogue(sum, bias[j]) * weight[j] over 256 neighbouring columns. */
template <int M, int N, int K, bool TURNED, int PARTS, typename Carried = NnrNothing,
          typename Bias = NnrNothing, typename Epilogue = NnrProductSum, typename Weight = NnrNothing>
NNR_FUNCTION void nnr_product(const NnrTensorMap &a, const NnrTensorMap &b, float *y, float *partial,
                              unsigned *done, const Carried &carried = {}, const Bias &bias = {},
                              const Epilogue &epilogue = {}, const Weight &weight = {})
{
	using P = NnrProduct<M, N, K, TURNED, PARTS>;
	/* registers of a thread of the third warpgroup and of the others: who asks for more than the block began with
	 * waits for ever */
	constexpr int SERVING = nnr_is_there<Carried> ? 72 : 40,
	              MULTIPLYING = nnr_is_there<Carried> ? 216 : 232;
	static_assert(SERVING + 2 * MULTIPLYING == 3 * (65536 / NNR_PRODUCT_THREADS / 8 * 8), "registers");
	extern __shared__ __align__(128) char nnr_product_stages[];
	NnrProductRing ring(nnr_product_stages);
	const int warp = threadIdx.x / 32;
	if (threadIdx.x == 0) {
		for (int i = 0; i < NNR_PRODUCT_STAGES; i++) {
			nnr_barrier_init(ring.full + i, 1);
			nnr_barrier_init(ring.empty + i, NNR_PRODUCT_WARPS);
		}
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
	}
	__syncthreads();
	if (warp >= NNR_PRODUCT_WARPS) {
		asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(SERVING));
		nnr_product_serve<P>(ring, a, b, carried, nnr_product_stages + NNR_PRODUCT_BYTES);
		return;
	}
	asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(MULTIPLYING));
	const int row = nnr_product_row<TURNED>(warp);
	const NnrProductTurn turn(row);
	for (int i = blockIdx.x; i < P::TILES * PARTS; i += gridDim.x) {
		const NnrProductItem<P> item(i);
		const NnrProductColumns<N, Bias> tile_bias(bias, item.column);
		const NnrProductColumns<N, Weight> tile_weight(weight, item.column);
		float d[128];
		nnr_product_sum<P>(d, ring, item, turn);
		if constexpr (PARTS > 1)
			nnr_product_parts<P>(d, partial, done, item);
		if constexpr (nnr_is_there<Weight>)
			nnr_product_row_sums<P>(y, d, item, row, tile_bias, tile_weight, epilogue);
		else
			nnr_product_store<P>(y, d, item, row, tile_bias, epilogue);
	}
}

#else

template <int M, int N, int K, bool TURNED, int PARTS, typename Carried = NnrNothing,
          typename Bias = NnrNothing, typename Epilogue = NnrProductSum, typename Weight = NnrNothing>
NNR_FUNCTION void nnr_product(const NnrTensorMap &, const NnrTensorMap &, float *, float *, unsigned *,
                              const Carried & = {}, const Bias & = {}, const Epilogue & = {},
                              const Weight & = {})
{
}

#endif
#endif
