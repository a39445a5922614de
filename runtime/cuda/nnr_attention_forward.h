/* SPDX-License-Identifier: MIT */
/* Attention by warpgroups (nnr_attention_warpgroup.h), on other devices by the warps of nnr_attention.h.
 *
 * A warpgroup's 64 queries stay, tiles of keys and of values go by, from the last on. With the scores of a tile asked
 * for, the values of the tile before are multiplied by their shares while the softmax of the new ones is taken. */
#ifndef NNR_ATTENTION_FORWARD_H
#define NNR_ATTENTION_FORWARD_H

#include "cuda/nnr_attention_warpgroup.h"

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

template <typename A, typename Cut> using NnrForwardRoom = NnrAttentionRoom<A, Cut, 1, 1, false>;

template <typename A, typename Cut, int BATCH> struct NnrForwardItems {
	static constexpr int BLOCKS = (A::QUERIES + Cut::ROWS - 1) / Cut::ROWS,
	                     COUNT = BATCH * A::HEADS * BLOCKS;

	static __device__ __forceinline__ NnrAttentionPlace at(int item)
	{
		return nnr_group_place<A, BATCH, A::HEADS, BLOCKS, Cut::ROWS, true>(item);
	}

	static __device__ __forceinline__ int tiles(const NnrAttentionPlace &at) /* of keys, that pass by */
	{
		return ((A::CAUSAL ? min(at.first + Cut::ROWS, A::KEYS) : A::KEYS) + Cut::GOING - 1) /
		       Cut::GOING;
	}
};

/* Queries, and tiles of keys from the last on, the values of each after the keys of the next. */
template <typename A, typename Cut, int BATCH>
NNR_FUNCTION void nnr_forward_fetch(const NnrForwardRoom<A, Cut> &room, const typename A::Element *x)
{
	using Items = NnrForwardItems<A, Cut, BATCH>;
	NnrRing<Cut::STAGES> ring;
	unsigned turn = 1;
	for (int item = blockIdx.x; item < Items::COUNT; item += gridDim.x, turn ^= 1) {
		const NnrAttentionPlace at = Items::at(item);
		const typename A::Element *const keys = x + A::keys(at.sample, at.head / A::SHARED);
		const auto fetch = [&](const typename A::Element *from, int tile) {
			nnr_barrier_wait(room.empty + ring.stage, ring.phase ^ 1);
			nnr_panels_fetch<A, Cut::GOING, A::KEY_ROW, A::KEYS>(
			        room.going + ring.stage * room.STAGE, from, tile * Cut::GOING);
			nnr_fetch_arrive(room.full + ring.stage);
			ring.advance();
		};
		const int last = Items::tiles(at) - 1;
		nnr_barrier_wait(room.empty + Cut::STAGES, turn);
		nnr_panels_fetch<A, Cut::ROWS, A::QUERY_ROW, A::QUERIES>(
		        room.own, x + A::queries(at.sample, at.head), at.first);
		nnr_fetch_arrive(room.full + Cut::STAGES);
		fetch(keys, last);
#pragma unroll 1
		for (int tile = last; tile >= 0; tile--) {
			if (tile > 0)
				fetch(keys, tile - 1);
			fetch(keys + (A::VALUES_AT - A::KEYS_AT), tile);
		}
	}
}

template <typename A, typename Cut, int BATCH, typename Mask, typename Keep>
NNR_FUNCTION void nnr_forward_multiply(const NnrForwardRoom<A, Cut> &room, Mask masks, typename A::Element *y,
                                       float *logs, float scale, Keep keep)
{
	using T = typename A::Element;
	using Items = NnrForwardItems<A, Cut, BATCH>;
	constexpr int N = Cut::GOING;
	NnrRing<Cut::STAGES> ring;
	unsigned turn = 0;
	const int warp = threadIdx.x / 32;
	const T *const own = room.own + warp / 4 * 64 * 64;
	for (int item = blockIdx.x; item < Items::COUNT; item += gridDim.x, turn ^= 1) {
		const NnrAttentionPlace at = Items::at(item);
		const Mask mask = masks.at(at.sample, at.head);
		const int row = at.first + 16 * warp, last = Items::tiles(at) - 1;
		float scores[N / 8][4], sums[Cut::COLUMNS / 8][4], most[2] = {-INFINITY, -INFINITY},
		                                                   sum[2] = {}, shrink[2];
		uint32_t shares[N / 16][4];
		const auto soften = [&](int tile) {
			nnr_attention_exponentials<A, N>(scores, most, sum, shrink, scale, mask, row,
			                                 tile * N, nnr_attention_edge<A, N>(row, tile * N));
		};
		const auto pack = [&](int tile) {
			nnr_group_pack<T, N>(shares, scores);
			NnrDrop<A, false, Keep> drop(keep, at, row, tile * N);
#pragma unroll
			for (int n = 0; n < N / 8; n++) {
				uint32_t two[2] = {shares[n / 2][n % 2 * 2], shares[n / 2][n % 2 * 2 + 1]};
				drop.mask(n, two);
				shares[n / 2][n % 2 * 2] = two[0];
				shares[n / 2][n % 2 * 2 + 1] = two[1];
			}
		};
		nnr_fetched_wait(room.full + Cut::STAGES, turn);
		nnr_fetched_wait(room.full + ring.stage, ring.phase);
		nnr_wgmma_fence();
		nnr_group_scores<A, Cut>(scores, own, room.going + ring.stage * room.STAGE);
		nnr_wgmma_commit();
		nnr_wgmma_await<0>();
		nnr_pin(scores);
		nnr_warp_arrive(room.empty + ring.stage);
		ring.advance();
		soften(last);
		pack(last);
#pragma unroll 1
		for (int tile = last - 1; tile >= 0; tile--) {
			nnr_fetched_wait(room.full + ring.stage, ring.phase);
			const int key_stage = ring.stage;
			nnr_pin(scores);
			nnr_wgmma_fence();
			nnr_group_scores<A, Cut>(scores, own, room.going + key_stage * room.STAGE);
			nnr_wgmma_commit();
			ring.advance();
			nnr_fetched_wait(room.full + ring.stage, ring.phase);
			nnr_pin(sums);
			nnr_wgmma_fence();
			nnr_group_add<A, Cut>(sums, shares, room.going + ring.stage * room.STAGE,
			                      tile < last - 1);
			nnr_wgmma_commit();
			nnr_wgmma_await<1>();
			nnr_pin(scores);
			nnr_warp_arrive(room.empty + key_stage);
			soften(tile);
			nnr_wgmma_await<0>();
			nnr_pin(sums);
			nnr_warp_arrive(room.empty + ring.stage);
			ring.advance();
#pragma unroll
			for (int n = 0; n < Cut::COLUMNS / 8; n++)
#pragma unroll
				for (int c = 0; c < 4; c++)
					sums[n][c] *= shrink[c / 2];
			pack(tile);
		}
		nnr_warp_arrive(room.empty + Cut::STAGES);
		nnr_fetched_wait(room.full + ring.stage, ring.phase);
		nnr_pin(sums);
		nnr_wgmma_fence();
		nnr_group_add<A, Cut>(sums, shares, room.going + ring.stage * room.STAGE, last > 0);
		nnr_wgmma_commit();
		nnr_wgmma_await<0>();
		nnr_pin(sums);
		nnr_warp_arrive(room.empty + ring.stage);
		ring.advance();
		const float all[2] = {nnr_attention_sum(sum[0]), nnr_attention_sum(sum[1])};
		const float factor[2] = {keep.scale() / all[0], keep.scale() / all[1]};
		nnr_attention_finish<A, A::WIDTH, A::QUERIES>(y + A::out(at.sample, at.head), sums, factor,
		                                              row);
		if (logs)
			nnr_attention_log<A, Mask>(logs, most, all, at, row);
	}
}

/* By blocks of NNR_WARPGROUP_THREADS. */
template <typename A, typename Cut, int BATCH, typename Mask, typename Keep>
NNR_FUNCTION void nnr_forward_blocks(char *chip, const typename A::Element *x, Mask mask,
                                     typename A::Element *y, float *logs, float scale, Keep keep)
{
	const NnrForwardRoom<A, Cut> room(chip);
	room.begin();
	if (threadIdx.x >= 2 * NNR_WARPGROUP_ROWS) {
		asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Cut::FETCHING));
		nnr_forward_fetch<A, Cut, BATCH>(room, x);
	} else {
		asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Cut::MULTIPLYING));
		nnr_forward_multiply<A, Cut, BATCH>(room, mask, y, logs, scale, keep);
	}
}

#endif

/* As nnr_attention; of BATCH samples. */
template <typename A, typename Cut, int BATCH, typename Mask, typename Keep>
NNR_FUNCTION void nnr_attention_forward(char *chip, const typename A::Element *x, Mask mask,
                                        typename A::Element *y, float *logs, float scale, Keep keep)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
	if constexpr (nnr_by_warpgroups<Cut>)
		nnr_forward_blocks<A, Cut, BATCH>(chip, x, mask, y, logs, scale, keep);
	else
#endif
		nnr_attention<A>(chip, x, mask, y, logs, scale, keep);
}

#endif
