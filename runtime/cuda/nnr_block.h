/* SPDX-License-Identifier: MIT */
/* Steps of one sample by one block of threads, its values in shared memory: what kernels.cu of a network whose step
 * fits on chip is made of, beside nnr_device.h. Sizes are template arguments, so that every index is folded.
 *
 * All threads of the block call each function, and none of them waits at its end: the kernel sets a barrier between
 * steps that depend on each other. `finish(row, column, value)` gets each element of the result once, the result seen
 * as rows of its last dimension. Sums have one order, so that two runs are equal bit for bit. */
#ifndef NNR_BLOCK_H
#define NNR_BLOCK_H

#include "cuda/nnr_device.h"
#include "cuda/nnr_fetch.h"

/* ---- sums over lanes */

/* Sums each of the COUNT values of a lane over the lanes that differ in the bits FROM, FROM / 2 ... TO of their number,
 * and spreads the sums: at each bit a lane gives half of its values away. The lane ends with the sums `first` to first
 * + count - 1, at most `held` of them, in x[0] onwards. */
template <int COUNT, int FROM, int TO, bool DONE = (FROM < TO)> struct NnrSpread {
	static constexpr int half = (COUNT + 1) / 2;
	static constexpr int held = NnrSpread<half, FROM / 2, TO>::held;
	int first, count;
	template <typename T> NNR_FUNCTION NnrSpread sum(T *x, int first = 0, int count = COUNT)
	{
		const bool upper = threadIdx.x & FROM;
#pragma unroll
		for (int i = 0; i < half; i++) {
			const T low = x[i], high = i + half < COUNT ? x[i + half < COUNT ? i + half : 0] : 0;
			x[i] = (upper ? high : low) + __shfl_xor_sync(0xffffffffu, upper ? low : high, FROM);
		}
		const auto rest = NnrSpread<half, FROM / 2, TO>::sum(
		        x, first + (upper ? half : 0), upper ? max(count - half, 0) : min(count, half));
		return {rest.first, rest.count};
	}
};
template <int COUNT, int FROM, int TO> struct NnrSpread<COUNT, FROM, TO, true> {
	static constexpr int held = COUNT;
	int first, count;
	template <typename T> NNR_FUNCTION NnrSpread sum(T *, int first = 0, int count = COUNT)
	{
		return {first, count};
	}
};

/* Ends sums that threads keep over the samples: thread t has COUNT sums of item t % ITEMS, and the LANES threads of an
 * item add theirs up. place(item, i) is where sum number i belongs among the OUT of the block, or -1; store(i, value)
 * gets each of those. `part` has `scratch` elements. */
template <int THREADS, int ITEMS, int LANES, int OUT> struct NnrItemSums {
	/* lanes of one warp are summed by exchange where the items of a warp are a power of two */
	static constexpr bool exchange = ITEMS <= 16 && (ITEMS & (ITEMS - 1)) == 0;
	static constexpr int parts = exchange ? THREADS / 32 : LANES, scratch = parts * OUT;

	template <int COUNT, typename T, typename P, typename F>
	NNR_FUNCTION void finish(T (&sum)[COUNT], T *part, P place, F store)
	{
		using Spread = NnrSpread<COUNT, 16, exchange ? ITEMS : 32>;
		const Spread mine = Spread::sum(sum);
		const int row = exchange ? threadIdx.x / 32 : threadIdx.x / ITEMS;
#pragma unroll
		for (int i = 0; i < Spread::held; i++) {
			const int at = place(threadIdx.x % ITEMS, mine.first + i);
			if (i < mine.count && row < parts && at >= 0)
				part[row * OUT + at] = sum[i];
		}
		__syncthreads();
		for (int i = threadIdx.x; i < OUT; i += THREADS) {
			T total = 0;
#pragma unroll 8
			for (int m = 0; m < parts; m++)
				total += part[m * OUT + i];
			store(i, total);
		}
	}
};

/* Sum and maximum of one value of each of THREADS threads; every thread gets it. `part` has THREADS / 32 elements. */
template <int THREADS, typename T> NNR_FUNCTION T nnr_wide_sum(T x, T *part)
{
	return nnr_wide_combine<NnrSum<T>, THREADS>(x, part);
}

template <int THREADS, typename T> NNR_FUNCTION T nnr_wide_max(T x, T *part)
{
	return nnr_wide_combine<NnrMax<T>, THREADS>(x, part);
}

/* Combines over ROWS of COLUMNS threads each; threads of the first row get the results. `part` has ROWS * COLUMNS
 * elements; threads after them take part in the barriers only. */
template <typename F, int COLUMNS, int ROWS, typename T> NNR_FUNCTION T nnr_rows_combine(T x, T *part)
{
	const int thread = threadIdx.x;
	__syncthreads();
	if (thread < ROWS * COLUMNS)
		part[thread] = x;
	__syncthreads();
	if (thread < COLUMNS) {
#pragma unroll 8
		for (int row = 1; row < ROWS; row++)
			x = F::of(x, part[row * COLUMNS + thread]);
	}
	return x;
}

template <int COLUMNS, int ROWS, typename T> NNR_FUNCTION T nnr_rows_sum(T x, T *part)
{
	return nnr_rows_combine<NnrSum<T>, COLUMNS, ROWS>(x, part);
}

template <int COLUMNS, int ROWS, typename T> NNR_FUNCTION T nnr_rows_max(T x, T *part)
{
	return nnr_rows_combine<NnrMax<T>, COLUMNS, ROWS>(x, part);
}

/* ---- vectors */

/* WIDTH neighbours from an address that is a multiple of all of them where WIDTH is 4. */
template <int WIDTH, typename T> NNR_FUNCTION void nnr_load(T *to, const T *from)
{
	if constexpr (WIDTH == 4) {
		nnr_load4(to, from);
	} else {
#pragma unroll
		for (int i = 0; i < WIDTH; i++)
			to[i] = from[i];
	}
}

template <int WIDTH, typename T> NNR_FUNCTION void nnr_store(T *to, const T *from)
{
	if constexpr (WIDTH == 4) {
		nnr_store4(to, from);
	} else {
#pragma unroll
		for (int i = 0; i < WIDTH; i++)
			to[i] = from[i];
	}
}

/* Copies COUNT elements; vectors where both addresses are multiples of 16 bytes and so is the whole. */
template <int THREADS, int COUNT, bool VECTORS, typename T>
NNR_FUNCTION void nnr_block_copy(T *to, const T *from)
{
	constexpr int bytes = COUNT * (int)sizeof(T);
	if constexpr (VECTORS && bytes % 16 == 0) {
#pragma unroll 4
		for (int i = threadIdx.x; i < bytes / 16; i += THREADS)
			((uint4 *)to)[i] = ((const uint4 *)from)[i];
	} else {
#pragma unroll 4
		for (int i = threadIdx.x; i < COUNT; i += THREADS)
			to[i] = from[i];
	}
}

/* The same without waiting: nnr_block_await, and a barrier, come before what reads it. */
template <int THREADS, int COUNT, bool VECTORS, typename T>
NNR_FUNCTION void nnr_block_fetch(T *to, const T *from)
{
	constexpr int bytes = COUNT * (int)sizeof(T), size = VECTORS && bytes % 16 == 0 ? 16 : 4;
	if constexpr (bytes % 4 == 0) {
		for (int i = threadIdx.x; i < bytes / size; i += THREADS)
			nnr_fetch<size>((char *)to + size * i, (const char *)from + size * i);
	} else {
		nnr_block_copy<THREADS, COUNT, VECTORS>(to, from);
	}
}

/* An element that only this thread's place writes, read ahead of nnr_kernel_wait: past the cache of the multiprocessor,
 * which may still have its line from before a neighbour in it was written elsewhere. */
template <typename T> NNR_FUNCTION T nnr_load_old(const T *at)
{
#ifdef NNR_EMULATED
	return *at;
#else
	return __ldcg(at);
#endif
}

template <int THREADS, int COUNT, typename T> NNR_FUNCTION void nnr_block_zero(T *to)
{
	for (int i = threadIdx.x; i < COUNT; i += THREADS)
		to[i] = 0;
}

template <int THREADS, int COUNT, typename T> NNR_FUNCTION void nnr_block_add(T *to, const T *from)
{
	for (int i = threadIdx.x; i < COUNT; i += THREADS)
		to[i] += from[i];
}

/* ---- convolution: x [H,W,C], w [K,R,S,C], y [P,Q,K] */

template <int H_, int W_, int C_, int P_, int Q_, int K_, int R_, int S_, int SH_, int SW_, int PT_, int PL_,
          int DH_, int DW_>
struct NnrConv {
	static constexpr int H = H_, W = W_, C = C_, P = P_, Q = Q_, K = K_, R = R_, S = S_;
	static constexpr int SH = SH_, SW = SW_, PT = PT_, PL = PL_, DH = DH_, DW = DW_;
	/* pixels of a row of x that TQ neighbours of a row of y see */
	template <int TQ> static constexpr int span = (TQ - 1) * SW + (S - 1) * DW + 1;
	/* whether every row and column that is looked at is inside x */
	static constexpr bool padded_h = PT > 0 || (P - 1) * SH - PT + (R - 1) * DH >= H;

	/* What the TQ pixels from q + FROM on, of a row of y, see of row h of x, zero outside. Only elements that are
	 * outside for q = 0 or for q = LAST, the first and the last tile of a row, are asked about. */
	template <int TQ, int FROM = 0, int LAST = (Q + TQ - 1) / TQ *TQ - TQ, typename T>
	NNR_FUNCTION void load_row(T (&row)[span<TQ>], const T *x, int h, int q, int c)
	{
#pragma unroll
		for (int j = 0; j < span<TQ>; j++) {
			const int ahead = FROM * SW - PL + j, v = q * SW + ahead;
			const bool low = ahead < 0, high = LAST * SW + ahead >= W;
			row[j] = (!low || v >= 0) && (!high || v < W) ? x[(h * W + v) * C + c] : 0;
		}
	}
};

/* A thread computes TK filters of TQ neighbouring pixels, an input row at a time in registers. */
template <int THREADS, int TK, int TQ, typename V, typename T, typename F>
NNR_FUNCTION void nnr_block_conv(const T *x, const T *w, F finish)
{
	constexpr int tiles_k = V::K / TK, tiles_q = (V::Q + TQ - 1) / TQ, span = V::template span<TQ>;
	for (int i = threadIdx.x; i < V::P * tiles_q * tiles_k; i += THREADS) {
		const int k = i % tiles_k * TK, q = i / tiles_k % tiles_q * TQ, p = i / (tiles_k * tiles_q);
		T sum[TQ][TK] = {};
#pragma unroll
		for (int r = 0; r < V::R; r++) {
			const int h = p * V::SH - V::PT + r * V::DH;
			if (V::padded_h && (unsigned)h >= (unsigned)V::H)
				continue;
#pragma unroll(V::C <= 4 ? V::C : 1)
			for (int c = 0; c < V::C; c++) {
				T row[span];
				V::template load_row<TQ>(row, x, h, q, c);
#pragma unroll
				for (int s = 0; s < V::S; s++)
#pragma unroll
					for (int n = 0; n < TK; n++) {
						const T weight =
						        w[(((k + n) * V::R + r) * V::S + s) * V::C + c];
#pragma unroll
						for (int m = 0; m < TQ; m++)
							sum[m][n] += row[m * V::SW + s * V::DW] * weight;
					}
			}
		}
#pragma unroll
		for (int m = 0; m < TQ; m++)
			if (V::Q % TQ == 0 || q + m < V::Q)
				finish(p * V::Q + q + m, k, sum[m]);
	}
}

/* dx [H,W,C]: a thread computes TC channels of one pixel, from the windows that see it. */
template <int THREADS, int TC, typename V, typename T, typename F>
NNR_FUNCTION void nnr_block_conv_dgrad(const T *dy, const T *w, F finish)
{
	constexpr int tiles_c = V::C / TC;
	for (int i = threadIdx.x; i < V::H * V::W * tiles_c; i += THREADS) {
		const int c = i % tiles_c * TC, v = i / tiles_c % V::W, h = i / (tiles_c * V::W);
		T sum[TC] = {};
#pragma unroll
		for (int r = 0; r < V::R; r++) {
			const int down = h + V::PT - r * V::DH, p = down / V::SH;
			if (down < 0 || down % V::SH != 0 || p >= V::P)
				continue;
#pragma unroll
			for (int s = 0; s < V::S; s++) {
				const int right = v + V::PL - s * V::DW, q = right / V::SW;
				if (right < 0 || right % V::SW != 0 || q >= V::Q)
					continue;
#pragma unroll 4
				for (int k = 0; k < V::K; k++) {
					const T d = dy[(p * V::Q + q) * V::K + k];
#pragma unroll
					for (int n = 0; n < TC; n++)
						sum[n] += d * w[((k * V::R + r) * V::S + s) * V::C + c + n];
				}
			}
		}
		finish(h * V::W + v, c, sum);
	}
}

/* dw [K,R,S,C], and the sums of dy over the pixels, added over the samples: a thread keeps TK filters of one channel,
 * every tap, in `sum`, the sums of dy of these filters after them, and goes over one in LANES of the strips of TQ
 * pixels. Threads of one lane hold all of dw between them. */
template <int THREADS, int TK, int TQ, int LANES, typename V> struct NnrConvWgrad {
	static constexpr int items = V::K / TK * V::C, taps = V::R * V::S, count = TK * taps + TK;
	static constexpr int weights = V::K * taps * V::C, out = weights + V::K;
	static constexpr int tiles_q = (V::Q + TQ - 1) / TQ, strips = V::P * tiles_q,
	                     span = V::template span<TQ>;
	using Sums = NnrItemSums<THREADS, items, LANES, out>;
	static_assert(items * LANES <= THREADS, "every item of every lane has a thread");

	template <typename T> NNR_FUNCTION void add(T (&sum)[count], const T *x, const T *dy)
	{
		const int item = threadIdx.x % items, lane = threadIdx.x / items;
		const int c = item % V::C, k = item / V::C * TK;
		for (int strip = lane < LANES ? lane : strips; strip < strips; strip += LANES) {
			const int p = strip / tiles_q, q = strip % tiles_q * TQ;
			T d[TQ][TK];
#pragma unroll
			for (int m = 0; m < TQ; m++) {
				if (V::Q % TQ == 0 || q + m < V::Q) {
					nnr_load<TK>(d[m], dy + (p * V::Q + q + m) * V::K + k);
				} else {
#pragma unroll
					for (int n = 0; n < TK; n++)
						d[m][n] = 0;
				}
			}
#pragma unroll
			for (int m = 0; m < TQ; m++)
#pragma unroll
				for (int n = 0; n < TK; n++)
					sum[TK * taps + n] += d[m][n];
#pragma unroll
			for (int r = 0; r < V::R; r++) {
				const int h = p * V::SH - V::PT + r * V::DH;
				if (V::padded_h && (unsigned)h >= (unsigned)V::H)
					continue;
				T row[span];
				V::template load_row<TQ>(row, x, h, q, c);
#pragma unroll
				for (int s = 0; s < V::S; s++)
#pragma unroll
					for (int n = 0; n < TK; n++)
#pragma unroll
						for (int m = 0; m < TQ; m++)
							sum[(n * V::R + r) * V::S + s] +=
							        d[m][n] * row[m * V::SW + s * V::DW];
			}
		}
	}

	/* The sums of the block: store(i, value) for the elements of dw, then for the sums of dy. `part` has
	 * Sums::scratch elements. */
	template <typename T, typename F> NNR_FUNCTION void finish(T (&sum)[count], T *part, F store)
	{
		const auto place = [](int item, int i) {
			const int c = item % V::C, k = item / V::C * TK;
			if (i < TK * taps)
				return (k * taps + i) * V::C + c;
			return c == 0 ? weights + k + i - TK * taps : -1;
		};
		Sums::finish(sum, part, place, store);
	}
};

/* ---- matrix products of one sample */

/* y[m,n] = sum over k of a[m,k] b[n,k]. LANES threads, a power of two or all of the block, share the sums of TN
 * columns; `part` has THREADS / 32 * TN elements. */
template <int THREADS, int M, int N, int K, int TN, int LANES, int WIDTH, typename T, typename F>
NNR_FUNCTION void nnr_block_matmul_nt(const T *a, const T *b, T *part, F finish)
{
	constexpr int tiles = M * (N / TN), groups = THREADS / LANES;
	using Spread = NnrSpread<TN, (LANES < 32 ? LANES / 2 : 16), 1>;
	const int group = threadIdx.x / LANES, lane = threadIdx.x % LANES;
	for (int turn = 0; turn < (tiles + groups - 1) / groups; turn++) {
		const int tile = turn * groups + group, at = tiles % groups == 0 || tile < tiles ? tile : 0;
		const int m = at / (N / TN), n = at % (N / TN) * TN;
		T sum[TN] = {};
#pragma unroll 2
		for (int k = lane * WIDTH; k < K; k += LANES * WIDTH) {
			T left[WIDTH];
			nnr_load<WIDTH>(left, a + m * K + k);
#pragma unroll
			for (int j = 0; j < TN; j++) {
				T right[WIDTH];
				nnr_load<WIDTH>(right, b + (n + j) * K + k);
#pragma unroll
				for (int i = 0; i < WIDTH; i++)
					sum[j] += left[i] * right[i];
			}
		}
		const Spread mine = Spread::sum(sum);
		if constexpr (LANES <= 32) {
#pragma unroll
			for (int i = 0; i < Spread::held; i++)
				if (i < mine.count && tile < tiles)
					finish(m, n + mine.first + i, sum[i]);
		} else {
			if (turn > 0)
				__syncthreads();
#pragma unroll
			for (int i = 0; i < Spread::held; i++)
				if (i < mine.count)
					part[threadIdx.x / 32 * TN + mine.first + i] = sum[i];
			__syncthreads();
			for (int i = lane; i < TN && tile < tiles; i += LANES) {
				T total = 0;
#pragma unroll
				for (int j = 0; j < LANES / 32; j++)
					total += part[(group * (LANES / 32) + j) * TN + i];
				finish(m, n + i, total);
			}
		}
	}
}

/* y[m,n] = sum over k of a[m,k] b[k,n], or of a[k,m] b[k,n] when TA: a thread computes WIDTH columns. */
template <int THREADS, int M, int N, int K, bool TA, int WIDTH, typename T, typename F>
NNR_FUNCTION void nnr_block_matmul(const T *a, const T *b, F finish)
{
	for (int i = threadIdx.x; i < M * (N / WIDTH); i += THREADS) {
		const int m = i / (N / WIDTH), n = i % (N / WIDTH) * WIDTH;
		T sum[WIDTH] = {};
#pragma unroll(K <= 16 ? K : 8)
		for (int k = 0; k < K; k++) {
			const T left = a[TA ? k * M + m : m * K + k];
			T right[WIDTH];
			nnr_load<WIDTH>(right, b + k * N + n);
#pragma unroll
			for (int j = 0; j < WIDTH; j++)
				sum[j] += left * right[j];
		}
		finish(m, n, sum);
	}
}

/* ---- where a sample comes from, and how a step is counted */

/* The bytes of input `feed` of sample number k of the batch: in the data set, or in the input block where the supply
 * has no feeds. */
NNR_FUNCTION const uint8_t *nnr_sample_at(const NnrSupply &s, uint32_t index, int feed, const char *block,
                                          int64_t bytes)
{
	const uint8_t *from = s.feed_count ? s.feeds[feed].from : (const uint8_t *)block;
	return from + (int64_t)index * bytes;
}

NNR_FUNCTION uint32_t nnr_sample_index(const NnrControl *c, const NnrSupply &s, int turn, uint32_t k)
{
	return s.feed_count ? nnr_training_sample(c, s, turn, k, false).index : k;
}

/* Rate, step and seed of step `turn` of this launch. */
NNR_FUNCTION NnrScalars nnr_step_scalars(const NnrControl *c, const NnrSupply &s, int turn)
{
	if (s.feed_count == 0)
		return c->scalars[0];
	return {s.rates[c->asked + turn], (double)(c->step + turn + 1), 1, s.seed, 0, 0};
}

/* ---- sums over the batch */

/* The products a[k,m] b[k,n] of the samples k in [0, BATCH), summed, for TM rows from `m` and 32 columns from `n`: a
 * block of THREADS threads, of which each has WIDTH columns of one in many samples. The rows of a are brought to shared
 * memory in chunks; those of b are read once, each thread's of a chunk all at once. `part` has `scratch` elements;
 * after `add` and a barrier, `total` is element i * 32 + column of the TM rows. */
template <int THREADS, int BATCH, int M, int N, int TM, int WIDTH> struct NnrBatchProduct {
	static constexpr int across = 32 / WIDTH, rows = THREADS / across, warps = THREADS / 32;
	static constexpr int turns = (BATCH + rows - 1) / rows < 8 ? (BATCH + rows - 1) / rows : 8,
	                     chunk = turns * rows;
	static constexpr int stride = (TM + 3) / 4 * 4;
	static constexpr int scratch = chunk * stride > warps *TM * 32 ? chunk *stride : warps *TM * 32;

	template <typename T> NNR_FUNCTION void add(const T *a, const T *b, int m, int n, T *part)
	{
		const int column = threadIdx.x % across * WIDTH, row = threadIdx.x / across;
		const bool inside = N % 32 == 0 || n + column < N;
		T sum[TM][WIDTH] = {};
		for (int first = 0; first < BATCH; first += chunk) {
			T right[turns][WIDTH] = {};
#pragma unroll
			for (int turn = 0; turn < turns; turn++) {
				const int k = first + row + turn * rows;
				if (inside && (BATCH % chunk == 0 || k < BATCH))
					nnr_load<WIDTH>(right[turn], b + k * N + n + column);
			}
			if (first > 0)
				__syncthreads();
#pragma unroll 4
			for (int i = threadIdx.x; i < chunk * TM; i += THREADS) {
				const int k = i / TM, j = i % TM;
				part[k * stride + j] = BATCH % chunk == 0 || first + k < BATCH
				                               ? a[(first + k) * M + m + j]
				                               : 0;
			}
			__syncthreads();
#pragma unroll
			for (int turn = 0; turn < turns; turn++) {
				T left[stride];
#pragma unroll
				for (int i = 0; i < stride; i += 4)
					nnr_load4(left + i, part + (row + turn * rows) * stride + i);
#pragma unroll
				for (int i = 0; i < TM; i++)
#pragma unroll
					for (int j = 0; j < WIDTH; j++)
						sum[i][j] += left[i] * right[turn][j];
			}
		}
		using Spread = NnrSpread<TM * WIDTH, 16, across>;
		const Spread mine = Spread::sum(&sum[0][0]);
		__syncthreads();
#pragma unroll
		for (int i = 0; i < Spread::held; i++) {
			const int at = mine.first + i;
			if (i < mine.count)
				part[(threadIdx.x / 32 * TM + at / WIDTH) * 32 + column + at % WIDTH] =
				        (&sum[0][0])[i];
		}
	}

	template <typename T> NNR_FUNCTION T total(const T *part, int at)
	{
		T sum = 0;
#pragma unroll
		for (int warp = 0; warp < warps; warp++)
			sum += part[warp * TM * 32 + at];
		return sum;
	}

	/* update(i, old, sum) for the elements of the product that are of block `block`, the first one's i being
	 * `start`. What fetch(i) loads is on its way when begin waits. */
	template <typename T, typename Begin, typename Fetch, typename Update>
	NNR_FUNCTION void update(const T *a, const T *b, int block, int start, T *part, Begin begin,
	                         Fetch fetch, Update update)
	{
		using Old = decltype(fetch(0));
		constexpr int tiles = (N + 31) / 32;
		const int row = block / tiles * TM, first = block % tiles * 32,
		          column = first + threadIdx.x % 32;
		const bool mine = threadIdx.x < TM * 32 && column < N;
		const int i = start + (row + threadIdx.x / 32) * N + column;
		const Old old = mine ? fetch(i) : Old{};
		begin();
		add(a, b, row, first, part);
		__syncthreads();
		if (mine)
			update(i, old, total(part, threadIdx.x));
	}
};

/* partial[BLOCKS][STRIDE] holds what each block added up. The sum over the blocks of column `column` of COLUMNS, for 32
 * columns by rows of THREADS threads; the threads of the first row get it. `part` has THREADS elements. */
template <int THREADS, int BLOCKS, int STRIDE, int COLUMNS, typename T>
NNR_FUNCTION T nnr_partial_sum(const T *partial, int column, T *part)
{
	T sum = 0;
	if (column < COLUMNS) {
#pragma unroll 8
		for (int block = threadIdx.x / 32; block < BLOCKS; block += THREADS / 32)
			sum += partial[block * STRIDE + column];
	}
	return nnr_rows_sum<32, THREADS / 32>(sum, part);
}

/* update(i, old, sum), as NnrBatchProduct::update, for the columns of block `block`. */
template <int THREADS, int BLOCKS, int STRIDE, int COLUMNS, typename T, typename Begin, typename Fetch,
          typename Update>
NNR_FUNCTION void nnr_partial_update(const T *partial, int block, int start, T *part, Begin begin,
                                     Fetch fetch, Update update)
{
	using Old = decltype(fetch(0));
	const int column = block * 32 + threadIdx.x % 32;
	const bool mine = threadIdx.x < 32 && column < COLUMNS;
	const Old old = mine ? fetch(start + column) : Old{};
	begin();
	const T sum = nnr_partial_sum<THREADS, BLOCKS, STRIDE, COLUMNS>(partial, column, part);
	if (mine)
		update(start + column, old, sum);
}

/* Of a single number: its sum over the blocks; every thread gets it. `part` has THREADS / 32 elements. */
template <int THREADS, int BLOCKS, int STRIDE, typename T>
NNR_FUNCTION T nnr_partial_total(const T *partial, T *part)
{
	T sum = 0;
	for (int block = threadIdx.x; block < BLOCKS; block += THREADS)
		sum += partial[block * STRIDE];
	return nnr_wide_sum<THREADS>(sum, part);
}

#endif
