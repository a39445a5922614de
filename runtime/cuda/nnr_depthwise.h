/* SPDX-License-Identifier: MIT */
/* Depthwise convolution, a filter for each channel, and its two gradients: what kernels.cu of a network with
 * convolutions of the implementation `depthwise` includes beside nnr_device.h.
 *
 *     x [N,H,W,C], w [C,R,S,1], y and dy [N,P,Q,C], of float, NnrBf16 or NnrF16; sums are of f32
 *
 * There is next to nothing to multiply: memory is the limit, and what counts is that each image is read from it
 * once. A thread has VECTOR neighbouring channels, a divisor of C, and a piece of the result, TALL by WIDE pixels,
 * whose sums are in its registers; it reads a row of the pixels under the piece, uses it for all rows of the piece,
 * and goes on to the next. The pixels that the pieces beside and below read too come from the cache: LANES threads
 * have the vectors of a slice of the channels, the GROUPS of so many threads in a block have pieces one after
 * another. A strip is ROWS rows of pieces' pixels, or of a line, an image of one row, ROWS of its pixels; a block has
 * every BLOCKS-th strip of all images.
 *
 * Each sum has one order: two runs are equal bit for bit. Pixels beside an image count as zeros: in the weight
 * gradient an infinity of x that only a result beside the image would meet gives NaN. */
#ifndef NNR_DEPTHWISE_H
#define NNR_DEPTHWISE_H

#include "cuda/nnr_element.h"

/* One direction of the image: windows of TAPS pixels, STRIDE apart, the first PAD pixels before the image. */
template <int TAPS_, int STRIDE_, int PAD_, int IMAGE_, int RESULTS_> struct NnrDepthwiseAxis {
	static constexpr int TAPS = TAPS_, STRIDE = STRIDE_, PAD = PAD_, IMAGE = IMAGE_, RESULTS = RESULTS_;
};

template <typename T, int N_, int C_, typename DOWN_, typename ALONG_, int TALL_, int WIDE_, int VECTOR_,
          int LANES_, int ROWS_, int BLOCKS_, bool LINE_, bool ALIGNED_>
struct NnrDepthwise {
	using Element = T;
	using Down = DOWN_;
	using Along = ALONG_;
	static constexpr int N = N_, C = C_, TALL = TALL_, WIDE = WIDE_, VECTOR = VECTOR_, LANES = LANES_,
	                     ROWS = ROWS_, BLOCKS = BLOCKS_;
	static constexpr int THREADS = 256, GROUPS = THREADS / LANES,
	                     WIDTH = LANES * VECTOR; /* channels of a slice */
	static constexpr int SLICES = (C + WIDTH - 1) / WIDTH, TAPS = Down::TAPS * Along::TAPS;
	static constexpr bool LINE = LINE_,
	                      ALIGNED = ALIGNED_; /* ALIGNED: images begin at a multiple of VECTOR elements */
	static_assert(ROWS % (LINE ? WIDE : TALL) == 0, "strips of whole pieces");
	static_assert(C % VECTOR == 0, "pixels of whole vectors");
	/* bytes of shared memory: the filters of a slice; the sums of a row of taps */
	static constexpr int FILTER_BYTES = TAPS * WIDTH * 4, SUM_BYTES = GROUPS * Along::TAPS * WIDTH * 4;
};

/* Where a piece of EACH pixels, of what is computed, lies along an axis, and what it reads: of y, or of dx. A
 * piece of dx begins where a window's first tap may stand, so that it is known at compile time which taps meet a
 * pixel: the first piece may begin SKIP pixels before the image. */
template <typename A, bool GRADIENT, int EACH> struct NnrDepthwisePiece {
	static_assert(!GRADIENT || EACH % A::STRIDE == 0, "pieces of whole strides");
	static constexpr int LOW = (A::TAPS - 1) / A::STRIDE, SKIP = GRADIENT ? A::PAD % A::STRIDE : 0;
	static constexpr int TARGETS = GRADIENT ? A::IMAGE : A::RESULTS,
	                     SOURCES = GRADIENT ? A::RESULTS : A::IMAGE;
	static constexpr int READ =
	        GRADIENT ? (EACH - 1) / A::STRIDE + LOW + 1 : (EACH - 1) * A::STRIDE + A::TAPS;
	static constexpr int PIECES = (TARGETS + SKIP + EACH - 1) / EACH;

	static __device__ __forceinline__ int first_target(int piece)
	{
		return piece * EACH - SKIP;
	}
	static __device__ __forceinline__ int first_source(int piece)
	{
		return GRADIENT ? (piece * EACH + A::PAD - SKIP) / A::STRIDE - LOW
		                : piece * EACH * A::STRIDE - A::PAD;
	}
	/* The tap with which pixel `a` of the piece meets pixel `d` of those read, if it is one of TAPS. */
	static __device__ __forceinline__ constexpr int tap(int a, int d)
	{
		return GRADIENT ? a - (d - LOW) * A::STRIDE : d - a * A::STRIDE;
	}
	/* The pixel read that pixel `a` of the piece meets with a tap; -1: none. */
	static __device__ __forceinline__ constexpr int source(int a, int tap)
	{
		return !GRADIENT                    ? a * A::STRIDE + tap
		       : (a - tap) % A::STRIDE == 0 ? LOW + (a - tap) / A::STRIDE
		                                    : -1;
	}
};

template <typename T> NNR_FUNCTION void nnr_depthwise_load(float (&to)[1], const T *p)
{
	to[0] = (float)*p;
}

template <typename T> NNR_FUNCTION void nnr_depthwise_load(float (&to)[2], const T *p)
{
	nnr_load2(to, p);
}

template <typename T> NNR_FUNCTION void nnr_depthwise_load(float (&to)[4], const T *p)
{
	nnr_load4(to, p);
}

/* COUNT vectors of a row of an image of SIZE columns, from `first` on: zeros beside it, or all where the row is
 * none. */
template <typename D, int COUNT, int SIZE>
NNR_FUNCTION void nnr_depthwise_row(float (&to)[COUNT][D::VECTOR], const typename D::Element *image, int row,
                                    int first, bool there)
{
#pragma unroll
	for (int e = 0; e < COUNT; e++) {
#pragma unroll
		for (int u = 0; u < D::VECTOR; u++)
			to[e][u] = 0.0f;
		if (!there || first + e < 0 || first + e >= SIZE)
			continue;
		const typename D::Element *const from = image + (row * SIZE + first + e) * D::C;
		if constexpr (D::ALIGNED) {
			nnr_depthwise_load(to[e], from);
		} else {
#pragma unroll
			for (int u = 0; u < D::VECTOR; u++)
				to[e][u] = (float)from[u];
		}
	}
}

/* A block's channels, and the pieces that this thread has: visit(image, i, j) for that in row i and column j of
 * them. */
template <typename D, typename Tall, typename Wide, typename V> NNR_FUNCTION void nnr_depthwise_walk(V visit)
{
	constexpr int down = D::LINE ? 1 : D::ROWS / D::TALL,
	              along = D::LINE ? D::ROWS / D::WIDE : Wide::PIECES,
	              strips =
	                      D::LINE ? (Wide::PIECES + along - 1) / along : (Tall::PIECES + down - 1) / down,
	              each = down * along;
	const int part = blockIdx.x / D::SLICES, group = threadIdx.x / D::LANES;
	const int own = (D::N * strips - part + D::BLOCKS - 1) / D::BLOCKS;
	if (group >= D::GROUPS)
		return;
	for (int k = group; k < own * each; k += D::GROUPS) {
		const int strip = part + k / each * D::BLOCKS, piece = k % each, first = strip % strips;
		const int i = D::LINE ? 0 : first * down + piece / along,
		          j = D::LINE ? first * along + piece : piece % along;
		if (i < Tall::PIECES && j < Wide::PIECES)
			visit(strip / strips, i, j);
	}
}

/* y = conv(from, w); GRADIENT: dx of from = dy. finish(row, column, sums) gets VECTOR neighbouring channels of a
 * pixel. */
template <typename D, bool GRADIENT, typename F>
NNR_FUNCTION void nnr_depthwise(char *chip, const typename D::Element *from, const typename D::Element *w,
                                F finish)
{
	using Tall = NnrDepthwisePiece<typename D::Down, GRADIENT, D::TALL>;
	using Wide = NnrDepthwisePiece<typename D::Along, GRADIENT, D::WIDE>;
	constexpr int R = D::Down::TAPS, S = D::Along::TAPS;
	const int lane = threadIdx.x % D::LANES, slice = blockIdx.x % D::SLICES * D::WIDTH,
	          c = slice + lane * D::VECTOR;
	float *const filters = (float *)chip; /* [taps, channels of the slice] */
	for (int i = threadIdx.x; i < D::TAPS * D::WIDTH; i += D::THREADS) {
		const int channel = i / D::TAPS, tap = i % D::TAPS;
		filters[tap * D::WIDTH + channel] =
		        slice + channel < D::C ? (float)w[slice * D::TAPS + i] : 0.0f;
	}
	__syncthreads();
	if (c >= D::C)
		return;
	nnr_depthwise_walk<D, Tall, Wide>([&](int n, int i, int j) {
		const int top = Tall::first_source(i), left = Wide::first_source(j);
		const typename D::Element *const image =
		        from + n * (Tall::SOURCES * Wide::SOURCES * D::C) + c;
		float sums[D::TALL][D::WIDE][D::VECTOR] = {};
#pragma unroll
		for (int d = 0; d < Tall::READ; d++) {
			const int row = top + d;
			float x[Wide::READ][D::VECTOR];
			nnr_depthwise_row<D, Wide::READ, Wide::SOURCES>(x, image, row, left,
			                                                row >= 0 && row < Tall::SOURCES);
#pragma unroll
			for (int a = 0; a < D::TALL; a++) {
				const int r = Tall::tap(a, d);
				if (r < 0 || r >= R)
					continue;
#pragma unroll
				for (int s = 0; s < S; s++) {
					float v[D::VECTOR];
					nnr_depthwise_load(v, filters + (r * S + s) * D::WIDTH +
					                              lane * D::VECTOR);
#pragma unroll
					for (int b = 0; b < D::WIDE; b++) {
						if (Wide::source(b, s) < 0)
							continue;
#pragma unroll
						for (int u = 0; u < D::VECTOR; u++)
							sums[a][b][u] += x[Wide::source(b, s)][u] * v[u];
					}
				}
			}
		}
		const int first_row = Tall::first_target(i), first_column = Wide::first_target(j);
#pragma unroll
		for (int a = 0; a < D::TALL; a++)
#pragma unroll
			for (int b = 0; b < D::WIDE; b++) {
				const int row = first_row + a, column = first_column + b;
				if (row >= 0 && row < Tall::TARGETS && column >= 0 && column < Wide::TARGETS)
					finish(((int64_t)n * Tall::TARGETS + row) * Wide::TARGETS + column, c,
					       sums[a][b]);
			}
	});
}

/* dw [BLOCKS, C, R, S]: part i is the sum over the strips of dy that the blocks i have. */
template <typename D>
NNR_FUNCTION void nnr_depthwise_by_filters(char *chip, const typename D::Element *x,
                                           const typename D::Element *dy, float *dw)
{
	using Tall = NnrDepthwisePiece<typename D::Down, false, D::TALL>;
	using Wide = NnrDepthwisePiece<typename D::Along, false, D::WIDE>;
	constexpr int R = D::Down::TAPS, S = D::Along::TAPS;
	const int lane = threadIdx.x % D::LANES, group = threadIdx.x / D::LANES;
	const int slice = blockIdx.x % D::SLICES * D::WIDTH, c = slice + lane * D::VECTOR,
	          part = blockIdx.x / D::SLICES;
	float sums[R][S][D::VECTOR] = {};
	if (c < D::C)
		nnr_depthwise_walk<D, Tall, Wide>([&](int n, int i, int j) {
			const int top = Tall::first_source(i), left = Wide::first_source(j);
			const int p = i * D::TALL, q = j * D::WIDE;
			const typename D::Element *const image =
			        x + n * (Tall::SOURCES * Wide::SOURCES * D::C) + c;
			const typename D::Element *const by =
			        dy + n * (Tall::TARGETS * Wide::TARGETS * D::C) + c;
			float g[D::TALL][D::WIDE][D::VECTOR];
#pragma unroll
			for (int a = 0; a < D::TALL; a++)
				nnr_depthwise_row<D, D::WIDE, Wide::TARGETS>(g[a], by, p + a, q,
				                                             p + a < Tall::TARGETS);
#pragma unroll
			for (int d = 0; d < Tall::READ; d++) {
				const int row = top + d;
				float v[Wide::READ][D::VECTOR];
				nnr_depthwise_row<D, Wide::READ, Wide::SOURCES>(
				        v, image, row, left, row >= 0 && row < Tall::SOURCES);
#pragma unroll
				for (int a = 0; a < D::TALL; a++) {
					const int r = Tall::tap(a, d);
					if (r < 0 || r >= R)
						continue;
#pragma unroll
					for (int s = 0; s < S; s++)
#pragma unroll
						for (int b = 0; b < D::WIDE; b++)
#pragma unroll
							for (int u = 0; u < D::VECTOR; u++)
								sums[r][s][u] +=
								        g[a][b][u] * v[Wide::source(b, s)][u];
				}
			}
		});
	/* The groups' sums of a row of taps meet in shared memory. */
	float *const rows = (float *)chip; /* [groups, taps of a row, channels of the slice] */
#pragma unroll
	for (int r = 0; r < R; r++) {
		if (group < D::GROUPS) {
#pragma unroll
			for (int s = 0; s < S; s++)
#pragma unroll
				for (int u = 0; u < D::VECTOR; u++)
					rows[(group * S + s) * D::WIDTH + lane * D::VECTOR + u] =
					        sums[r][s][u];
		}
		__syncthreads();
		for (int i = threadIdx.x; i < S * D::WIDTH; i += D::THREADS) {
			const int channel = slice + i % D::WIDTH, s = i / D::WIDTH;
			float sum = 0;
			for (int k = 0; k < D::GROUPS; k++)
				sum += rows[k * S * D::WIDTH + i];
			if (channel < D::C)
				dw[((int64_t)part * D::C + channel) * D::TAPS + r * S + s] = sum;
		}
		__syncthreads();
	}
}

#endif
