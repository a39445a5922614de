/* SPDX-License-Identifier: MIT */
/* Steps of one sample whose values stay in registers: a convolution, its pool without overlap, and what is after, by
 * the threads of one block (ir/held.h; the other steps are in nnr_block.h).
 *
 * A thread owns the same pooled elements from the first sample of its block to the last: `turns` strips of STRIP
 * neighbours in a row, all of one filter. It computes the convolution at every place of their windows and keeps of each
 * window the pooled value and the place that won, so that the value before the pool is in no memory at all. Backward
 * only winners have a gradient. Where the pooled value is an operand of a product with a vector of few columns, the
 * weights of the thread's own elements stay in its registers too.
 *
 * What is held is an array of `count` elements, in the order in which `each` goes over them: loops over it are
 * unrolled, so that every index is known. Elements of strips that reach beyond the row, and of threads that own none,
 * are never written and must be 0 from the start. Neighbouring threads own neighbouring filters: what they read of the
 * image is one address, and what they write of the pooled value one line. */
#ifndef NNR_HELD_H
#define NNR_HELD_H

#include "cuda/nnr_block.h"

/* The pooled elements of windows of PH x PW of V's result; the windows of TILE elements are convolved at a time. */
template <int THREADS, int STRIP, int TILE, int PH, int PW, typename V> struct NnrHeld {
	static constexpr int rows = V::P / PH, columns = V::Q / PW, strips = (columns + STRIP - 1) / STRIP;
	static constexpr int items = V::K * strips * rows, turns = (items + THREADS - 1) / THREADS;
	static constexpr int count = turns * STRIP,
	                     last = (strips - 1) * STRIP; /* where the last strip begins */
	static_assert(V::P % PH == 0 && V::Q % PW == 0, "the windows fill the image");
	static_assert(turns == 1 || THREADS % V::K == 0, "a thread has one filter");

	/* f(j, p, q, k) for each strip of this thread: elements j to j + STRIP - 1 are at (p, q) onwards, of filter
	 * k. */
	template <typename F> NNR_FUNCTION void each_strip(F f)
	{
#pragma unroll
		for (int turn = 0; turn < turns; turn++) {
			const int item = threadIdx.x + turn * THREADS;
			if (items % THREADS == 0 || item < items)
				f(turn * STRIP, item / (V::K * strips), item / V::K % strips * STRIP,
				  item % V::K);
		}
	}

	/* f(j, p, q, k) for each element. */
	template <typename F> NNR_FUNCTION void each(F f)
	{
		each_strip([&](int j, int p, int q, int k) {
#pragma unroll
			for (int u = 0; u < STRIP; u++)
				if (columns % STRIP == 0 || q + u < columns)
					f(j + u, p, q + u, k);
		});
	}

	/* Winners are numbers of places in a window, `bits` each, in words. */
	static constexpr int bits = PH * PW <= 2    ? 1
	                            : PH * PW <= 4  ? 2
	                            : PH * PW <= 16 ? 4
	                                            : 8,
	                     per_word = 32 / bits;

	NNR_FUNCTION int winner_of(const int32_t *winner, int j)
	{
		return (uint32_t)winner[j / per_word] >> j % per_word * bits & ((1u << bits) - 1);
	}

	NNR_FUNCTION void set_winner(int32_t *winner, int j, unsigned at)
	{
		const int shift = j % per_word * bits;
		const uint32_t others = winner[j / per_word] & ~(((1u << bits) - 1) << shift);
		winner[j / per_word] = others | at << shift;
	}

	NNR_FUNCTION int place(int p, int q, int k)
	{
		return (p * columns + q) * V::K + k;
	}

	/* What the filter sees of x [H,W,C] at every place of the windows FIRST to FIRST + WIDTH - 1 of a strip that
	 * begins at (p, q), a row of x at a time in registers. */
	template <int FIRST, int WIDTH, typename T>
	NNR_FUNCTION void convolve(T (&sum)[PH][WIDTH * PW], const T *x, const T *w, int p, int q, int k)
	{
		constexpr int across = WIDTH * PW, reach = (PH - 1) * V::SH + (V::R - 1) * V::DH + 1;
#pragma unroll(V::C <= 4 ? V::C : 1)
		for (int c = 0; c < V::C; c++) {
#pragma unroll
			for (int down = 0; down < reach; down++) {
				const int h = p * PH * V::SH - V::PT + down;
				if (V::padded_h && (unsigned)h >= (unsigned)V::H)
					continue;
				T row[V::template span<across>];
				V::template load_row<across, FIRST * PW, last * PW>(row, x, h, q * PW, c);
#pragma unroll
				for (int i = 0; i < PH * V::R; i++) {
					const int a = i / V::R, r = i % V::R;
					if (a * V::SH + r * V::DH != down)
						continue;
#pragma unroll
					for (int s = 0; s < V::S; s++) {
						const T weight = w[((k * V::R + r) * V::S + s) * V::C + c];
#pragma unroll
						for (int m = 0; m < across; m++)
							sum[a][m] += row[m * V::SW + s * V::DW] * weight;
					}
				}
			}
		}
	}

	/* The windows from FIRST on of a strip, TILE at a time. */
	template <int FIRST, typename T, typename R, typename F>
	NNR_FUNCTION void pool_strip(const T *x, const T *w, int32_t *winner, R rank, F finish, int j, int p,
	                             int q, int k)
	{
		constexpr int width = TILE < STRIP - FIRST ? TILE : STRIP - FIRST;
		T sum[PH][width * PW] = {};
		convolve<FIRST, width>(sum, x, w, p, q, k);
#pragma unroll
		for (int u = 0; u < width; u++) {
			if (columns % STRIP != 0 && q + FIRST + u >= columns)
				continue;
			T best = sum[0][u * PW], top = rank(k, best);
			int at = 0;
#pragma unroll
			for (int i = 1; i < PH * PW; i++) {
				const T value = sum[i / PW][u * PW + i % PW], height = rank(k, value);
				const bool wins = top == top && !(height <= top);
				best = wins ? value : best;
				top = wins ? height : top;
				at = wins ? i : at;
			}
			set_winner(winner, j + FIRST + u, at);
			finish(j + FIRST + u, p, q + FIRST + u, k, best);
		}
		if constexpr (FIRST + width < STRIP)
			pool_strip<FIRST + width>(x, w, winner, rank, finish, j, p, q, k);
	}

	/* Pools the convolution of x by w: the winner of element j is the number of the window's place where rank(k,
	 * value) is largest, the first of equals, or the first that is not a number; finish(j, p, q, k, value) gets the
	 * convolution there. */
	template <typename T, typename R, typename F>
	NNR_FUNCTION void pool(const T *x, const T *w, int32_t *winner, R rank, F finish)
	{
		each_strip([&](int j, int p, int q, int k) {
			pool_strip<0>(x, w, winner, rank, finish, j, p, q, k);
		});
	}

	/* dx [P,Q,K] of the pool, for one element: d at the winner, 0 in the rest of the window. */
	template <typename T> NNR_FUNCTION void scatter(T *dx, int p, int q, int k, int winner, T d)
	{
#pragma unroll
		for (int i = 0; i < PH * PW; i++)
			dx[((p * PH + i / PW) * V::Q + q * PW + i % PW) * V::K + k] = i == winner ? d : 0;
	}

	/* Writes the thread's own elements to [rows,columns,K]. */
	template <typename T> NNR_FUNCTION void store(T *to, const T *value)
	{
		each([&](int j, int p, int q, int k) { to[place(p, q, k)] = value[j]; });
	}

	/* The own columns of a matrix [N,rows*columns*K]: b[n * count + j]. */
	template <int N, typename T> NNR_FUNCTION void load(T *b, const T *matrix)
	{
		each([&](int j, int p, int q, int k) {
#pragma unroll
			for (int n = 0; n < N; n++)
				b[n * count + j] = matrix[n * (rows * columns * V::K) + place(p, q, k)];
		});
	}
};

/* dw [K,R,S,C] and the sums of d, added over the samples: a thread keeps those of its filter, which only the winners of
 * its own elements reach. `sum` begins at 0; finish as in NnrConvWgrad. */
template <int THREADS, int STRIP, int TILE, int PH, int PW, typename V> struct NnrHeldFilters {
	using Own = NnrHeld<THREADS, STRIP, TILE, PH, PW, V>;
	static constexpr int taps = V::R * V::S * V::C, count = taps + 1, weights = V::K * taps;
	static constexpr int lanes = Own::items < THREADS ? Own::items / V::K : THREADS / V::K;
	using Sums = NnrItemSums<THREADS, V::K, lanes, weights + V::K>;

	template <typename T>
	NNR_FUNCTION void add(T (&sum)[count], const T *x, const int32_t *winner, const T *d)
	{
		Own::each_strip([&](int j, int p, int q, int) {
#pragma unroll
			for (int u = 0; u < STRIP; u++) {
				if (Own::columns % STRIP != 0 && q + u >= Own::columns)
					continue;
				const T value = d[j + u];
				const int at = Own::winner_of(winner, j + u), a = at / PW, b = at % PW;
				const int h = (p * PH + a) * V::SH - V::PT,
				          v = ((q + u) * PW + b) * V::SW - V::PL;
				sum[taps] += value;
#pragma unroll
				for (int i = 0; i < V::R * V::S; i++) {
					const int r = i / V::S * V::DH, s = i % V::S * V::DW;
					/* only what is outside for some element is asked about */
					const bool above = r < V::PT,
					           below = (V::P - 1) * V::SH - V::PT + r >= V::H;
					const bool left = u * PW * V::SW - V::PL + s < 0;
					const bool right =
					        ((Own::last + u + 1) * PW - 1) * V::SW - V::PL + s >= V::W;
					const bool inside = (!above || h + r >= 0) &&
					                    (!below || h + r < V::H) &&
					                    (!left || v + s >= 0) && (!right || v + s < V::W);
#pragma unroll
					for (int c = 0; c < V::C; c++)
						sum[i * V::C + c] +=
						        value *
						        (inside ? x[((h + r) * V::W + v + s) * V::C + c] : 0);
				}
			}
		});
	}

	template <typename T, typename F> NNR_FUNCTION void finish(T (&sum)[count], T *part, F store)
	{
		const auto place = [](int k, int i) { return i < taps ? k * taps + i : weights + k; };
		Sums::finish(sum, part, place, store);
	}
};

/* y[n] = sum over k of a[k] b[n,k], of which a thread has COUNT columns k in registers; finish(0, n, y). `part` has
 * THREADS / 32 * N elements. */
template <int THREADS, int COUNT, int N, typename T, typename F>
NNR_FUNCTION void nnr_held_matmul_nt(const T *a, const T *b, T *part, F finish)
{
	using Spread = NnrSpread<N, 16, 1>;
	T sum[N] = {};
#pragma unroll
	for (int j = 0; j < COUNT; j++)
#pragma unroll
		for (int n = 0; n < N; n++)
			sum[n] += a[j] * b[n * COUNT + j];
	const Spread mine = Spread::sum(sum);
#pragma unroll
	for (int i = 0; i < Spread::held; i++)
		if (i < mine.count)
			part[threadIdx.x / 32 * N + mine.first + i] = sum[i];
	__syncthreads();
	for (int n = threadIdx.x; n < N; n += THREADS) {
		T total = 0;
#pragma unroll
		for (int warp = 0; warp < THREADS / 32; warp++)
			total += part[warp * N + n];
		finish(0, n, total);
	}
}

/* y[k] = sum over n of a[n] b[n,k] for the thread's own columns. */
template <int COUNT, int N, typename T> NNR_FUNCTION void nnr_held_matmul(const T *a, const T *b, T *y)
{
	T sum[COUNT] = {};
#pragma unroll
	for (int n = 0; n < N; n++) {
		const T left = a[n];
#pragma unroll
		for (int j = 0; j < COUNT; j++)
			sum[j] += left * b[n * COUNT + j];
	}
#pragma unroll
	for (int j = 0; j < COUNT; j++)
		y[j] = sum[j];
}

#endif
