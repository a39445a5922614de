/* SPDX-License-Identifier: MIT */
/* The gradient of attention by warpgroups (nnr_attention_warpgroup.h), on other devices by the warps of
 * nnr_attention.h.
 *
 * A block's items are by keys and values, of which 64 of a warpgroup stay while queries and dy go by, and after them
 * by queries, where it is the other way round. Scores S and what shares P take from dy are computed for either: by
 * keys turned, so that P and dS are as they stand the left sides of dV = P^T dy and dK = dS^T Q. The scores of the next
 * tile are asked for ahead of these products, and its elements are computed while those go on. */
#ifndef NNR_ATTENTION_BACKWARD_H
#define NNR_ATTENTION_BACKWARD_H

#include "cuda/nnr_attention_forward.h"

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

/* Two tiles of rows stay, keys and values or queries and dy; stages have one of each of the others, and by keys of each
 * query that passes by its log and what is taken off. */
template <typename A, typename Cut> using NnrGradRoom = NnrAttentionRoom<A, Cut, 2, 2, true>;

template <typename A, typename Cut, int BATCH> struct NnrGradItems {
	static constexpr int KEY_BLOCKS = (A::KEYS + Cut::ROWS - 1) / Cut::ROWS,
	                     QUERY_BLOCKS = (A::QUERIES + Cut::ROWS - 1) / Cut::ROWS,
	                     BY_KEYS = BATCH * A::GROUPS * KEY_BLOCKS,
	                     COUNT = BY_KEYS + BATCH * A::HEADS * QUERY_BLOCKS;
};

/* Rows that stay, and what passes by them: tiles of COUNT, for each of HEADS heads. */
template <typename A, typename Cut, int BATCH, bool BY_KEYS> struct NnrGradItem {
	NnrAttentionPlace at; /* by keys: head is one of GROUPS */
	int first, count;

	__device__ __forceinline__ explicit NnrGradItem(int item)
	{
		using Items = NnrGradItems<A, Cut, BATCH>;
		constexpr int N = Cut::GOING;
		if constexpr (BY_KEYS) {
			at = nnr_group_place<A, BATCH, A::GROUPS, Items::KEY_BLOCKS, Cut::ROWS, false>(item);
			first = A::CAUSAL ? at.first / N : 0;
			count = (A::QUERIES + N - 1) / N - first;
		} else {
			at = nnr_group_place<A, BATCH, A::HEADS, Items::QUERY_BLOCKS, Cut::ROWS, true>(
			        item - Items::BY_KEYS);
			first = 0;
			count = ((A::CAUSAL ? min(at.first + Cut::ROWS, A::KEYS) : A::KEYS) + N - 1) / N;
		}
	}

	__device__ __forceinline__ int turns() const
	{
		return BY_KEYS ? A::SHARED * count : count;
	}

	/* Of queries: at turn `turn`. */
	__device__ __forceinline__ int head(int turn) const
	{
		return !BY_KEYS ? at.head : A::SHARED == 1 ? at.head : at.head * A::SHARED + turn / count;
	}

	__device__ __forceinline__ int tile(int turn) const
	{
		return first + (BY_KEYS && A::SHARED > 1 ? turn % count : turn);
	}
};

template <typename A, typename Cut> struct NnrGradPlace { /* of a thread's work on an item */
	NnrRing<Cut::STAGES> ring;
	unsigned turn;
};

template <typename A, typename Cut, int BATCH, bool BY_KEYS>
NNR_FUNCTION void nnr_grad_fetch(const NnrGradRoom<A, Cut> &room, NnrGradPlace<A, Cut> &place, int number,
                                 const typename A::Element *x, const typename A::Element *dy,
                                 const NnrAttentionRows<A> &rows)
{
	using T = typename A::Element;
	constexpr int N = Cut::GOING;
	constexpr int64_t VALUES = A::VALUES_AT - A::KEYS_AT;
	const NnrGradItem<A, Cut, BATCH, BY_KEYS> item(number);
	const NnrAttentionPlace at = item.at;
	T *const own = room.own, *const second = own + Cut::Own::ELEMENTS;
	nnr_barrier_wait(room.empty + Cut::STAGES, place.turn ^ 1);
	if constexpr (BY_KEYS) {
		const T *const keys = x + A::keys(at.sample, at.head);
		nnr_panels_fetch<A, Cut::ROWS, A::KEY_ROW, A::KEYS>(own, keys, at.first);
		nnr_panels_fetch<A, Cut::ROWS, A::KEY_ROW, A::KEYS>(second, keys + VALUES, at.first);
	} else {
		nnr_panels_fetch<A, Cut::ROWS, A::QUERY_ROW, A::QUERIES>(
		        own, x + A::queries(at.sample, at.head), at.first);
		nnr_panels_fetch<A, Cut::ROWS, A::WIDTH, A::QUERIES>(second, dy + A::out(at.sample, at.head),
		                                                     at.first);
	}
	nnr_fetch_arrive(room.full + Cut::STAGES);
#pragma unroll 1
	for (int turn = 0; turn < item.turns(); turn++) {
		T *const to = room.going + place.ring.stage * room.STAGE, *const other =
		                                                                  to + Cut::Tile::ELEMENTS;
		const int from = item.tile(turn) * N, head = item.head(turn);
		nnr_barrier_wait(room.empty + place.ring.stage, place.ring.phase ^ 1);
		if constexpr (BY_KEYS) {
			nnr_panels_fetch<A, N, A::QUERY_ROW, A::QUERIES>(to, x + A::queries(at.sample, head),
			                                                 from);
			nnr_panels_fetch<A, N, A::WIDTH, A::QUERIES>(other, dy + A::out(at.sample, head),
			                                             from);
			const int i = from + threadIdx.x % 128;
			if (threadIdx.x % 128 < N) {
				float *const pair = room.pairs + place.ring.stage * 2 * N + threadIdx.x % 128;
				nnr_fetch_or_zero<4>(pair, rows.log(at.sample, head, min(i, A::QUERIES - 1)),
				                     i < A::QUERIES);
				nnr_fetch_or_zero<4>(pair + N,
				                     rows.take(at.sample, head, min(i, A::QUERIES - 1)),
				                     i < A::QUERIES);
			}
		} else {
			const T *const keys = x + A::keys(at.sample, head / A::SHARED);
			nnr_panels_fetch<A, N, A::KEY_ROW, A::KEYS>(to, keys, from);
			nnr_panels_fetch<A, N, A::KEY_ROW, A::KEYS>(other, keys + VALUES, from);
		}
		nnr_fetch_arrive(room.full + place.ring.stage);
		place.ring.advance();
	}
}

/* A score's share, of a row whose log is given times log2(e). */
template <typename Mask>
NNR_FUNCTION float nnr_group_share(float score, float log, float scale, const Mask &mask, int i, int j)
{
	if constexpr (Mask::NONE)
		return nnr_exp2(score * (scale * NNR_LOG2_E) - log);
	const float added = mask(i, j);
	if (Mask::HIDES && log < NNR_NO_KEY * NNR_LOG2_E)
		return added > -INFINITY ? NNR_HIDDEN * NNR_LOG2_E / log : 0.0f;
	return nnr_exp2((score * scale + added) * NNR_LOG2_E - log);
}

template <typename A, typename Cut, int BATCH, bool BY_KEYS, typename Mask, typename Keep>
NNR_FUNCTION void nnr_grad_multiply(const NnrGradRoom<A, Cut> &room, NnrGradPlace<A, Cut> &place, int number,
                                    Mask masks, const NnrAttentionRows<A> &rows, typename A::Element *dx,
                                    float scale, Keep keep)
{
	using T = typename A::Element;
	constexpr int N = Cut::GOING;
	/* in fp16 gradients of scores have their size when they are rounded; bf16 has the exponents for any other */
	constexpr bool EARLY = nnr_has_few_exponents<T>;
	/* registers for sums of two results, and not for operands of products that are not done */
	constexpr bool TIGHT = BY_KEYS && Cut::COLUMNS > 64;
	const NnrGradItem<A, Cut, BATCH, BY_KEYS> item(number);
	const NnrAttentionPlace at = item.at;
	const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = at.first + 16 * warp + lane / 4;
	const T *const own = room.own + warp / 4 * 64 * 64, *const second = own + Cut::Own::ELEMENTS;
	const float by = keep.scale() * scale / Keep::UNIT, take_by = Keep::UNIT / keep.scale();
	float scores[N / 8][4], gradients[N / 8][4], sums[Cut::COLUMNS / 8][4],
	        by_values[BY_KEYS ? Cut::COLUMNS / 8 : 1][4];
	uint32_t shares[BY_KEYS ? N / 16 : 1][4], left[N / 16][4];
	float2 known[2];
	if constexpr (!BY_KEYS) {
#pragma unroll
		for (int u = 0; u < 2; u++)
			known[u] = rows(at, min(row + 8 * u, A::QUERIES - 1));
#pragma unroll
		for (int u = 0; u < 2; u++)
			known[u] = {known[u].x * NNR_LOG2_E, known[u].y * take_by};
	}
	const auto ask = [&](int stage) {
		const T *const tile = room.going + stage * room.STAGE;
		nnr_pin(scores);
		nnr_pin(gradients);
		nnr_wgmma_fence();
		nnr_group_scores<A, Cut>(scores, own, tile);
		nnr_group_scores<A, Cut>(gradients, second, tile + Cut::Tile::ELEMENTS);
		nnr_wgmma_commit();
	};
	const auto elements = [&](int turn, int stage) {
		const int first = item.tile(turn) * N, head = item.head(turn);
		const Mask mask = masks.at(at.sample, head);
		const float *const pairs = room.pairs + stage * 2 * N;
		const auto place_of =
		        [&](int n, int c) { /* query and key */
			                    const int stays = row + c / 2 * 8,
			                              goes = first + 8 * n + 2 * (lane % 4) + c % 2;
			                    return int2{BY_KEYS ? goes : stays, BY_KEYS ? stays : goes};
		        };
#pragma unroll
		for (int n = 0; n < N / 8; n++) {
			float2 logs = {0.0f, 0.0f};
			if constexpr (BY_KEYS)
				logs = *(const float2 *)(pairs + 8 * n + 2 * (lane % 4));
#pragma unroll
			for (int c = 0; c < 4; c++) {
				const int2 p = place_of(n, c);
				const float log =
				        BY_KEYS ? (c % 2 ? logs.y : logs.x) * NNR_LOG2_E : known[c / 2].x;
				scores[n][c] = nnr_group_share<Mask>(scores[n][c], log, scale, mask,
				                                     min(p.x, A::QUERIES - 1),
				                                     min(p.y, A::KEYS - 1));
			}
		}
		/* A query after the last has no gradient, but beside a mask its share may be infinite. */
		if (BY_KEYS ? (A::CAUSAL && first < row - lane / 4 + 15) ||
		                      (!Mask::NONE && first + N > A::QUERIES)
		            : nnr_attention_edge<A, N>(row - lane / 4, first)) {
#pragma unroll
			for (int n = 0; n < N / 8; n++)
#pragma unroll
				for (int c = 0; c < 4; c++) {
					const int2 p = place_of(n, c);
					if (p.y >= A::KEYS || (BY_KEYS && p.x >= A::QUERIES) ||
					    (A::CAUSAL && p.y > p.x))
						scores[n][c] = 0.0f;
				}
		}
		NnrDrop<A, BY_KEYS, Keep> drop(keep, {at.sample, head, 0}, row - lane / 4, first);
#pragma unroll
		for (int n = 0; n < N / 8; n++) {
			float2 taken = {0.0f, 0.0f};
			float kept[4];
			drop.factors(n, kept);
			if constexpr (BY_KEYS)
				taken = *(const float2 *)(pairs + N + 8 * n + 2 * (lane % 4));
#pragma unroll
			for (int c = 0; c < 4; c++) {
				const float take =
				        BY_KEYS ? (c % 2 ? taken.y : taken.x) * take_by : known[c / 2].y;
				gradients[n][c] = scores[n][c] * (gradients[n][c] * kept[c] - take);
				scores[n][c] *= BY_KEYS ? kept[c] : 1.0f;
				if (EARLY) {
					gradients[n][c] *= by;
					scores[n][c] *= 1.0f / Keep::UNIT;
				}
			}
		}
		if constexpr (Mask::HIDES == NNR_HIDES_ALL) {
#pragma unroll
			for (int n = 0; n < N / 8; n++)
#pragma unroll
				for (int c = 0; c < 4; c++)
					if ((BY_KEYS ? pairs[8 * n + 2 * (lane % 4) + c % 2]
					             : known[c / 2].x) < NNR_NO_KEY)
						gradients[n][c] = 0.0f;
		}
	};
	const auto pack = [&]() {
		nnr_group_pack<T, N>(left, gradients);
		if constexpr (BY_KEYS)
			nnr_group_pack<T, N>(shares, scores);
	};
	const auto add = [&](int turn, int stage) {
		const T *const tile = room.going + stage * room.STAGE;
		nnr_pin(sums);
		nnr_pin(by_values);
		nnr_wgmma_fence();
		if constexpr (BY_KEYS)
			nnr_group_add<A, Cut>(by_values, shares, tile + Cut::Tile::ELEMENTS, turn > 0);
		nnr_group_add<A, Cut>(sums, left, tile, turn > 0);
		nnr_wgmma_commit();
	};
	const auto done = [&](int stage) {
		nnr_wgmma_await<0>();
		nnr_pin(sums);
		nnr_pin(by_values);
		nnr_warp_arrive(room.empty + stage);
	};
	nnr_fetched_wait(room.full + Cut::STAGES, place.turn);
	nnr_fetched_wait(room.full + place.ring.stage, place.ring.phase);
	ask(place.ring.stage);
	nnr_wgmma_await<0>();
	nnr_pin(scores);
	nnr_pin(gradients);
	elements(0, place.ring.stage);
	const int turns = item.turns();
#pragma unroll 1
	for (int turn = 1; turn < turns; turn++) {
		const int before = place.ring.stage;
		pack();
		if (TIGHT) {
			add(turn - 1, before);
			done(before);
		}
		place.ring.advance();
		nnr_fetched_wait(room.full + place.ring.stage, place.ring.phase);
		ask(place.ring.stage);
		if (!TIGHT)
			add(turn - 1, before);
		nnr_wgmma_await<TIGHT ? 0 : 1>();
		nnr_pin(scores);
		nnr_pin(gradients);
		elements(turn, place.ring.stage);
		if (!TIGHT)
			done(before);
	}
	nnr_warp_arrive(room.empty + Cut::STAGES);
	pack();
	add(turns - 1, place.ring.stage);
	done(place.ring.stage);
	place.ring.advance();
	const float factor = EARLY ? 1.0f : by, of_values = EARLY ? keep.scale() : keep.scale() / Keep::UNIT;
	if constexpr (BY_KEYS) {
		T *const to = dx + A::keys(at.sample, at.head);
		nnr_attention_finish<A, A::KEY_ROW, A::KEYS>(to, sums, {factor, factor}, row - lane / 4);
		nnr_attention_finish<A, A::KEY_ROW, A::KEYS>(to + (A::VALUES_AT - A::KEYS_AT), by_values,
		                                             {of_values, of_values}, row - lane / 4);
	} else {
		nnr_attention_finish<A, A::QUERY_ROW, A::QUERIES>(dx + A::queries(at.sample, at.head), sums,
		                                                  {factor, factor}, row - lane / 4);
	}
}

/* By blocks of NNR_WARPGROUP_THREADS. */
template <typename A, typename Cut, int BATCH, typename Mask, typename Keep>
NNR_FUNCTION void nnr_grad_blocks(char *chip, const typename A::Element *x, Mask mask,
                                  const typename A::Element *dy, const float *logs, const float *taken,
                                  typename A::Element *dx, float scale, Keep keep)
{
	using Items = NnrGradItems<A, Cut, BATCH>;
	const NnrGradRoom<A, Cut> room(chip);
	const NnrAttentionRows<A> rows = {logs, taken};
	NnrGradPlace<A, Cut> place = {};
	int item = blockIdx.x;
	room.begin();
	if (threadIdx.x >= 2 * NNR_WARPGROUP_ROWS) {
		asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Cut::FETCHING));
#pragma unroll 1
		for (; item < Items::BY_KEYS; item += gridDim.x, place.turn ^= 1)
			nnr_grad_fetch<A, Cut, BATCH, true>(room, place, item, x, dy, rows);
#pragma unroll 1
		for (; item < Items::COUNT; item += gridDim.x, place.turn ^= 1)
			nnr_grad_fetch<A, Cut, BATCH, false>(room, place, item, x, dy, rows);
	} else {
		asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Cut::MULTIPLYING));
#pragma unroll 1
		for (; item < Items::BY_KEYS; item += gridDim.x, place.turn ^= 1)
			nnr_grad_multiply<A, Cut, BATCH, true>(room, place, item, mask, rows, dx, scale,
			                                       keep);
#pragma unroll 1
		for (; item < Items::COUNT; item += gridDim.x, place.turn ^= 1)
			nnr_grad_multiply<A, Cut, BATCH, false>(room, place, item, mask, rows, dx, scale,
			                                        keep);
	}
}

#endif

/* As nnr_attention_grad; of BATCH samples. */
template <typename A, typename Cut, int BATCH, typename Mask, typename Keep>
NNR_FUNCTION void nnr_attention_backward(char *chip, const typename A::Element *x, Mask mask,
                                         const typename A::Element *dy, const float *logs, const float *taken,
                                         typename A::Element *dx, float scale, Keep keep)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
	if constexpr (nnr_by_warpgroups<Cut>)
		nnr_grad_blocks<A, Cut, BATCH>(chip, x, mask, dy, logs, taken, dx, scale, keep);
	else
#endif
		nnr_attention_grad<A, BATCH * A::GROUPS * A::KEY_BLOCKS>(chip, x, mask, dy, logs, taken, dx,
		                                                         scale, keep);
}

#endif
