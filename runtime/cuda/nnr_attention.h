/* SPDX-License-Identifier: MIT */
/* Attention without a matrix of scores, by the tensor cores of warps (nnr_attention_tile.h); what it computes:
 * compiler/ops/attention.h.
 *
 * A block has NNR_ATTENTION_ROWS rows of one head, 16 for each warp: queries, or for the gradient by keys and values
 * keys. They stay in shared memory, while what they are multiplied with goes by in tiles, one being on its way
 * (cp.async) while the other is used. Scores are only ever in registers: the sums of one product as the tensor cores
 * leave them are what the next one takes as its left side.
 *
 * The softmax is taken tile by tile: a row's largest score and sum so far are kept, and what was summed up is scaled
 * where a larger score comes (Milakov and Gimelshein: Online normalizer calculation for softmax, 2018). Exponentials
 * are powers of two, of scores times log2(e).
 *
 * No sum depends on the order in which blocks run: two runs are equal bit for bit. From sm_80 on. */
#ifndef NNR_ATTENTION_H
#define NNR_ATTENTION_H

#include "cuda/nnr_attention_tile.h"

/* Logarithms of the sums of exponentials of rows `row` + g and g + 8, of all keys that were seen; of a row that a mask
 * leaves none, NaN where it has -inf for all, else how many have equal shares. */
template <typename A, typename Mask>
NNR_FUNCTION void nnr_attention_log(float *logs, const float (&most)[2], const float (&all)[2],
                                    const NnrAttentionPlace &at, int row)
{
	const int lane = threadIdx.x % 32;
#pragma unroll
	for (int u = 0; u < 2; u++) {
		const int i = row + lane / 4 + 8 * u;
		if (i < A::QUERIES && lane % 4 == 0)
			logs[(at.sample * A::HEADS + at.head) * A::QUERIES + i] =
			        Mask::HIDES && most[u] < NNR_NO_KEY ? most[u] - most[u] + NNR_HIDDEN * all[u]
			                                            : (most[u] + log2f(all[u])) * NNR_LN_2;
	}
}

/* The number of the score of row i with key j among all of them. */
template <typename A> NNR_FUNCTION int64_t nnr_attention_index(const NnrAttentionPlace &at, int i, int j)
{
	return ((at.sample * A::HEADS + at.head) * A::QUERIES + i) * A::KEYS + j;
}

/* logs: written beside y; or nullptr. */
template <typename A, typename Mask, typename Keep>
NNR_FUNCTION void nnr_attention(char *chip, const typename A::Element *x, Mask masks, typename A::Element *y,
                                float *logs, float scale, Keep keep)
{
	using T = typename A::Element;
	constexpr int N = A::GOING, TILE = N * A::PITCH;
	const NnrAttentionPlace at = nnr_attention_queries<A>(blockIdx.x);
	const T *const queries = x + A::queries(at.sample, at.head),
	               *const keys = x + A::keys(at.sample, at.head / A::SHARED),
	               *const values = keys + (A::VALUES_AT - A::KEYS_AT);
	const Mask mask = masks.at(at.sample, at.head);
	T *const own = (T *)chip, *const going = own + A::ROWS * A::PITCH;
	const auto fetch = [&](int tile) {
		T *const to = going + tile % 2 * 2 * TILE;
		nnr_attention_fetch<A, N, A::KEY_ROW, A::KEYS>(to, keys, tile * N);
		nnr_attention_fetch<A, N, A::KEY_ROW, A::KEYS>(to + TILE, values, tile * N);
	};
	const int count = nnr_attention_tiles<A, N>(at.first), warp = threadIdx.x / 32,
	          lane = threadIdx.x % 32, row = at.first + 16 * warp;
	float sums[A::TILES][4] = {}, most[2] = {-INFINITY, -INFINITY}, sum[2] = {};
	nnr_attention_fetch<A, A::ROWS, A::QUERY_ROW, A::QUERIES>(own, queries, at.first);
	nnr_attention_go_by(0, count, fetch, [&](int tile) {
		const T *const key = going + tile % 2 * 2 * TILE;
		float scores[N / 8][4] = {}, shrink[2];
		nnr_attention_scores<A, N>(scores, own + 16 * warp * A::PITCH, key);
		nnr_attention_exponentials<A, N>(scores, most, sum, shrink, scale, mask, row, tile * N,
		                                 nnr_attention_edge<A, N>(row, tile * N));
#pragma unroll
		for (int n = 0; n < A::TILES; n++)
#pragma unroll
			for (int c = 0; c < 4; c++)
				sums[n][c] *= shrink[c / 2];
#pragma unroll
		for (int n = 0; n < N / 8; n++)
#pragma unroll
			for (int c = 0; c < 4; c++) {
				const int i = row + lane / 4 + c / 2 * 8,
				          j = tile * N + 8 * n + 2 * (lane % 4) + c % 2;
				scores[n][c] *= keep(nnr_attention_index<A>(at, i, j));
			}
		nnr_attention_add<A, N>(sums, scores, key + TILE);
	});
	const float all[2] = {nnr_attention_sum(sum[0]), nnr_attention_sum(sum[1])};
	const float factor[2] = {1.0f / all[0], 1.0f / all[1]};
	nnr_attention_finish<A, A::WIDTH, A::QUERIES>(y + A::out(at.sample, at.head), sums, factor, row);
	if (logs)
		nnr_attention_log<A, Mask>(logs, most, all, at, row);
}

/* The logarithms alone, where they are not written beside y. */
template <typename A, typename Mask>
NNR_FUNCTION void nnr_attention_logs(char *chip, const typename A::Element *x, Mask masks, float *logs,
                                     float scale)
{
	using T = typename A::Element;
	constexpr int N = A::GOING, TILE = N * A::PITCH;
	const NnrAttentionPlace at = nnr_attention_queries<A>(blockIdx.x);
	const T *const queries = x + A::queries(at.sample, at.head), *const keys =
	                                                                     x + A::keys(at.sample,
	                                                                                 at.head / A::SHARED);
	const Mask mask = masks.at(at.sample, at.head);
	T *const own = (T *)chip, *const going = own + A::ROWS * A::PITCH;
	const auto fetch = [&](int tile) {
		nnr_attention_fetch<A, N, A::KEY_ROW, A::KEYS>(going + tile % 2 * TILE, keys, tile * N);
	};
	const int count = nnr_attention_tiles<A, N>(at.first), warp = threadIdx.x / 32,
	          row = at.first + 16 * warp;
	float most[2] = {-INFINITY, -INFINITY}, sum[2] = {};
	nnr_attention_fetch<A, A::ROWS, A::QUERY_ROW, A::QUERIES>(own, queries, at.first);
	nnr_attention_go_by(0, count, fetch, [&](int tile) {
		float scores[N / 8][4] = {}, shrink[2];
		nnr_attention_scores<A, N>(scores, own + 16 * warp * A::PITCH, going + tile % 2 * TILE);
		nnr_attention_exponentials<A, N>(scores, most, sum, shrink, scale, mask, row, tile * N,
		                                 nnr_attention_edge<A, N>(row, tile * N));
	});
	nnr_attention_log<A, Mask>(logs, most, {nnr_attention_sum(sum[0]), nnr_attention_sum(sum[1])}, at,
	                           row);
}

/* What is known of a row: the logarithm of its sum of exponentials, and the sum of y*dy. */
template <typename A> struct NnrAttentionRows {
	const float *logs, *taken; /* [samples, HEADS, QUERIES]; [samples, QUERIES, HEADS] */

	__device__ __forceinline__ float2 operator()(const NnrAttentionPlace &at, int i) const
	{
		return {*log(at.sample, at.head, i), *take(at.sample, at.head, i)};
	}

	__device__ __forceinline__ const float *log(int64_t sample, int head, int i) const
	{
		return logs + (sample * A::HEADS + head) * A::QUERIES + i;
	}

	__device__ __forceinline__ const float *take(int64_t sample, int head, int i) const
	{
		return taken + (sample * A::QUERIES + i) * A::HEADS + head;
	}
};

/* The score's factor for the gradient by what it is a product of: what a mask puts in its place has none. */
template <typename Mask> NNR_FUNCTION float nnr_attention_factor(float2 row, float scale)
{
	return Mask::HIDES == NNR_HIDES_ALL && row.x < NNR_NO_KEY ? 0.0f : scale;
}

/* What the gradient needs of an element: the score and the gradient by its share in, the share with the dropout and
 * the gradient by the score out, the score being what the mask was added to. */
template <typename A, typename Mask, typename Keep>
NNR_FUNCTION void nnr_attention_element(float &score, float &gradient, float2 row, float scale, Mask mask,
                                        const NnrAttentionPlace &at, int i, int j, Keep keep)
{
	const bool there = i < A::QUERIES && j < A::KEYS && (!A::CAUSAL || j <= i);
	const float added = there ? mask(i, j) : 0.0f;
	float share = there ? exp2f((score * scale + added - row.x) * NNR_LOG2_E) : 0.0f;
	if (Mask::HIDES && row.x < NNR_NO_KEY)
		share = there && added > -INFINITY ? NNR_HIDDEN / row.x : 0.0f;
	const float factor = keep(nnr_attention_index<A>(at, i, j));
	gradient = share * (gradient * factor - row.y);
	score = share * factor;
}

/* By queries: these stay, keys and values go by. */
template <typename A, typename Mask, typename Keep>
NNR_FUNCTION void nnr_attention_by_queries(char *chip, int block, const typename A::Element *x, Mask masks,
                                           const typename A::Element *dy, const NnrAttentionRows<A> &rows,
                                           typename A::Element *dx, float scale, Keep keep)
{
	using T = typename A::Element;
	constexpr int N = A::GRAD_GOING, TILE = N * A::PITCH;
	const NnrAttentionPlace at = nnr_attention_queries<A>(block);
	const int64_t begin = A::queries(at.sample, at.head);
	const T *const queries = x + begin, *const keys = x + A::keys(at.sample, at.head / A::SHARED),
	               *const values = keys + (A::VALUES_AT - A::KEYS_AT),
	               *const out = dy + A::out(at.sample, at.head);
	const Mask mask = masks.at(at.sample, at.head);
	T *const own = (T *)chip, *const going = own + 2 * A::ROWS * A::PITCH;
	const auto fetch = [&](int tile) {
		T *const to = going + tile % 2 * 2 * TILE;
		nnr_attention_fetch<A, N, A::KEY_ROW, A::KEYS>(to, keys, tile * N);
		nnr_attention_fetch<A, N, A::KEY_ROW, A::KEYS>(to + TILE, values, tile * N);
	};
	const int count = nnr_attention_tiles<A, N>(at.first), warp = threadIdx.x / 32,
	          lane = threadIdx.x % 32, row = at.first + 16 * warp;
	float2 known[2];
#pragma unroll
	for (int u = 0; u < 2; u++) {
		const int i = min(row + lane / 4 + 8 * u, A::QUERIES - 1);
		known[u] = rows(at, i);
	}
	float sums[A::TILES][4] = {};
	nnr_attention_fetch<A, A::ROWS, A::QUERY_ROW, A::QUERIES>(own, queries, at.first);
	nnr_attention_fetch<A, A::ROWS, A::WIDTH, A::QUERIES>(own + A::ROWS * A::PITCH, out, at.first);
	nnr_attention_go_by(0, count, fetch, [&](int tile) {
		const T *const key = going + tile % 2 * 2 * TILE;
		float scores[N / 8][4] = {}, gradients[N / 8][4] = {};
		nnr_attention_scores<A, N>(scores, own + 16 * warp * A::PITCH, key);
		nnr_attention_scores<A, N>(gradients, own + (A::ROWS + 16 * warp) * A::PITCH, key + TILE);
#pragma unroll
		for (int n = 0; n < N / 8; n++)
#pragma unroll
			for (int c = 0; c < 4; c++) {
				nnr_attention_element<A>(scores[n][c], gradients[n][c], known[c / 2], scale,
				                         mask, at, row + lane / 4 + c / 2 * 8,
				                         tile * N + 8 * n + 2 * (lane % 4) + c % 2, keep);
				gradients[n][c] *= nnr_attention_factor<Mask>(known[c / 2], scale);
			}
		nnr_attention_add<A, N>(sums, gradients, key);
	});
	nnr_attention_finish<A, A::QUERY_ROW, A::QUERIES>(dx + begin, sums, {1.0f, 1.0f}, row);
}

/* By keys and values: these stay, queries and their gradients go by, of one head after the other that they serve. */
template <typename A, typename Mask, typename Keep>
NNR_FUNCTION void nnr_attention_by_keys(char *chip, int block, const typename A::Element *x, Mask masks,
                                        const typename A::Element *dy, const NnrAttentionRows<A> &rows,
                                        typename A::Element *dx, float scale, Keep keep)
{
	using T = typename A::Element;
	constexpr int N = A::GRAD_GOING, TILE = N * A::PITCH;
	NnrAttentionPlace at = nnr_attention_place<A, A::KEY_BLOCKS, A::GROUPS>(block);
	at.first = (A::KEY_BLOCKS - 1) * A::ROWS - at.first; /* the first keys have the most to do */
	const int group = at.head;
	const int64_t begin = A::keys(at.sample, group), values_at = A::VALUES_AT - A::KEYS_AT;
	const T *const keys = x + begin, *const values = keys + values_at;
	T *const own = (T *)chip, *const going = own + 2 * A::ROWS * A::PITCH;
	const int first = A::CAUSAL ? at.first / N : 0, count = (A::QUERIES + N - 1) / N - first,
	          warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = at.first + 16 * warp;
	/* the head and the tile of its queries, of those that go by */
	const auto head_of = [&](int turn) {
		return group * A::SHARED + (A::SHARED == 1 ? 0 : turn / count);
	};
	const auto tile_of = [&](int turn) { return first + (A::SHARED == 1 ? turn : turn % count); };
	const auto fetch = [&](int turn) {
		T *const to = going + turn % 2 * 2 * TILE;
		const int head = head_of(turn), from = tile_of(turn) * N;
		nnr_attention_fetch<A, N, A::QUERY_ROW, A::QUERIES>(to, x + A::queries(at.sample, head),
		                                                    from);
		nnr_attention_fetch<A, N, A::WIDTH, A::QUERIES>(to + TILE, dy + A::out(at.sample, head),
		                                                from);
	};
	float by_keys[A::TILES][4] = {}, by_values[A::TILES][4] = {};
	nnr_attention_fetch<A, A::ROWS, A::KEY_ROW, A::KEYS>(own, keys, at.first);
	nnr_attention_fetch<A, A::ROWS, A::KEY_ROW, A::KEYS>(own + A::ROWS * A::PITCH, values, at.first);
	nnr_attention_go_by(0, A::SHARED * count, fetch, [&](int turn) {
		const T *const query = going + turn % 2 * 2 * TILE;
		float scores[N / 8][4] = {}, gradients[N / 8][4] = {};
		at.head = head_of(turn);
		const int tile = tile_of(turn);
		const Mask mask = masks.at(at.sample, at.head);
		nnr_attention_scores<A, N>(scores, own + 16 * warp * A::PITCH, query);
		nnr_attention_scores<A, N>(gradients, own + (A::ROWS + 16 * warp) * A::PITCH, query + TILE);
#pragma unroll
		for (int n = 0; n < N / 8; n++)
#pragma unroll
			for (int c = 0; c < 4; c++) {
				const int i = tile * N + 8 * n + 2 * (lane % 4) + c % 2;
				const float2 known = rows(at, min(i, A::QUERIES - 1));
				nnr_attention_element<A>(scores[n][c], gradients[n][c], known, scale, mask,
				                         at, i, row + lane / 4 + c / 2 * 8, keep);
				gradients[n][c] *= nnr_attention_factor<Mask>(known, scale);
			}
		nnr_attention_add<A, N>(by_values, scores, query + TILE);
		nnr_attention_add<A, N>(by_keys, gradients, query);
	});
	nnr_attention_finish<A, A::KEY_ROW, A::KEYS>(dx + begin, by_keys, {1.0f, 1.0f}, row);
	nnr_attention_finish<A, A::KEY_ROW, A::KEYS>(dx + begin + values_at, by_values, {1.0f, 1.0f}, row);
}

/* Blocks up to BY_KEYS are of the gradient by keys and values, those after them of that by queries. */
template <typename A, int BY_KEYS, typename Mask, typename Keep>
NNR_FUNCTION void nnr_attention_grad(char *chip, const typename A::Element *x, Mask mask,
                                     const typename A::Element *dy, const float *logs, const float *taken,
                                     typename A::Element *dx, float scale, Keep keep)
{
	const int block = (int)blockIdx.x;
	const NnrAttentionRows<A> rows = {logs, taken};
	if (block < BY_KEYS)
		nnr_attention_by_keys<A>(chip, block, x, mask, dy, rows, dx, scale, keep);
	else
		nnr_attention_by_queries<A>(chip, block - BY_KEYS, x, mask, dy, rows, dx, scale, keep);
}

/* A tile of a mask's gradient: of the samples, heads and queries that have the same numbers. */
template <typename A, int SAMPLES_, typename Mask> struct NnrMaskTile {
	static constexpr bool BY_SAMPLE = Mask::SAMPLE != 0, BY_HEAD = Mask::HEAD != 0,
	                      BY_ROW = Mask::ROW != 0;
	static constexpr int N = A::GRAD_GOING, COLUMNS = (A::KEYS + N - 1) / N; /* keys; tiles of them */
	static constexpr int HEADS = BY_HEAD ? A::HEADS : 1, ROWS = BY_ROW ? A::QUERY_BLOCKS : 1;
	static constexpr int SAMPLES = !BY_SAMPLE ? 1 : Mask::SAMPLES > 0 ? Mask::SAMPLES : SAMPLES_;
	/* what is summed up, one after the other */
	static constexpr int HEAD_TURNS = A::HEADS / HEADS, ROW_TURNS = A::QUERY_BLOCKS / ROWS,
	                     TURNS = SAMPLES_ / SAMPLES * HEAD_TURNS * ROW_TURNS;
	int64_t sample;
	int head, row, key; /* the first of each */

	__device__ __forceinline__ NnrMaskTile(int block)
	    : sample(block / (HEADS * ROWS * COLUMNS)), head(block / (ROWS * COLUMNS) % HEADS),
	      row(block / COLUMNS % ROWS * A::ROWS), key(block % COLUMNS * N)
	{
	}

	__device__ __forceinline__ NnrAttentionPlace at(int turn) const
	{
		return {sample + (int64_t)(turn / (HEAD_TURNS * ROW_TURNS)) * SAMPLES,
		        head + turn / ROW_TURNS % HEAD_TURNS, row + turn % ROW_TURNS * A::ROWS};
	}

	/* Whether no query of it looks at any of its keys. */
	__device__ __forceinline__ bool is_unseen() const
	{
		return A::CAUSAL && BY_ROW && key >= row + A::ROWS;
	}
};

/* The sums over all rows of a block, of N columns, to dmask. */
template <typename A, int N>
NNR_FUNCTION void nnr_attention_finish_columns(char *chip, float *dmask, const float (&sums)[N / 8][4],
                                               int key)
{
	float *const parts = (float *)chip; /* [warps, N] */
	const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
	for (int n = 0; n < N / 8; n++)
#pragma unroll
		for (int c = 0; c < 2; c++) {
			float x = sums[n][c] + sums[n][c + 2];
			for (int other = 4; other < 32; other *= 2)
				x += __shfl_xor_sync(0xffffffffu, x, other);
			if (lane < 4)
				parts[warp * N + 8 * n + 2 * lane + c] = x;
		}
	__syncthreads();
	const int j = threadIdx.x;
	if (j < N && key + j < A::KEYS) {
		float sum = 0.0f;
		for (int i = 0; i < NNR_ATTENTION_THREADS / 32; i++)
			sum += parts[i * N + j];
		dmask[key + j] = sum;
	}
}

/* By the mask: a block has a tile of it, and adds up the gradients of the scores that it is added to. BYTES: of
 * shared memory, for what is fetched once or twice. */
template <typename A, int SAMPLES, int BYTES, typename Mask, typename Keep>
NNR_FUNCTION void nnr_attention_mask_grad(char *chip, const typename A::Element *x, Mask masks,
                                          const typename A::Element *dy, const float *logs,
                                          const float *taken, float *dmask, float scale, Keep keep)
{
	using T = typename A::Element;
	using Tile = NnrMaskTile<A, SAMPLES, Mask>;
	constexpr int N = Tile::N, OUT = A::ROWS * A::PITCH, KEY = 2 * OUT, VALUE = KEY + N * A::PITCH,
	              STAGE = VALUE + N * A::PITCH, ROOM = BYTES / (STAGE * (int)sizeof(T));
	const Tile tile((int)blockIdx.x);
	const NnrAttentionRows<A> rows = {logs, taken};
	const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	const auto fetch = [&](int turn) {
		const NnrAttentionPlace at = tile.at(turn);
		T *const to = (T *)chip + turn % ROOM * STAGE;
		const T *const keys = x + A::keys(at.sample, at.head / A::SHARED);
		nnr_attention_fetch<A, A::ROWS, A::QUERY_ROW, A::QUERIES>(
		        to, x + A::queries(at.sample, at.head), at.first);
		nnr_attention_fetch<A, A::ROWS, A::WIDTH, A::QUERIES>(
		        to + OUT, dy + A::out(at.sample, at.head), at.first);
		nnr_attention_fetch<A, N, A::KEY_ROW, A::KEYS>(to + KEY, keys, tile.key);
		nnr_attention_fetch<A, N, A::KEY_ROW, A::KEYS>(to + VALUE, keys + (A::VALUES_AT - A::KEYS_AT),
		                                               tile.key);
	};
	float sums[N / 8][4] = {};
	const auto add = [&](int turn) {
		const NnrAttentionPlace at = tile.at(turn);
		const T *const from = (const T *)chip + turn % ROOM * STAGE, *const own =
		                                                                     from +
		                                                                     16 * warp * A::PITCH;
		const Mask mask = masks.at(at.sample, at.head);
		const int row = at.first + 16 * warp + lane / 4;
		float scores[N / 8][4] = {}, gradients[N / 8][4] = {};
		nnr_attention_scores<A, N>(scores, own, from + KEY);
		nnr_attention_scores<A, N>(gradients, own + OUT, from + VALUE);
#pragma unroll
		for (int n = 0; n < N / 8; n++)
#pragma unroll
			for (int c = 0; c < 4; c++) {
				const int i = row + c / 2 * 8;
				nnr_attention_element<A>(scores[n][c], gradients[n][c],
				                         rows(at, min(i, A::QUERIES - 1)), scale, mask, at, i,
				                         tile.key + 8 * n + 2 * (lane % 4) + c % 2, keep);
				sums[n][c] += gradients[n][c];
			}
	};
	if (!tile.is_unseen())
		nnr_attention_go_by<ROOM>(0, Tile::TURNS, fetch, add);
	float *const to = dmask + tile.sample * Mask::SAMPLE + tile.head * Mask::HEAD;
	if constexpr (!Tile::BY_ROW) {
		nnr_attention_finish_columns<A, N>(chip, to, sums, tile.key);
	} else {
#pragma unroll
		for (int n = 0; n < N / 8; n++)
#pragma unroll
			for (int c = 0; c < 4; c++) {
				const int i = tile.row + 16 * warp + lane / 4 + c / 2 * 8,
				          j = tile.key + 8 * n + 2 * (lane % 4) + c % 2;
				if (i < A::QUERIES && j < A::KEYS)
					to[i * Mask::ROW + j] = sums[n][c];
			}
	}
}

#endif
