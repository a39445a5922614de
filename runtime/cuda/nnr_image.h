/* SPDX-License-Identifier: MIT */
/* Convolution of images of few channels, and its gradient by the filters, by the tensor cores: what kernels.cu of a
 * network with convolutions of the implementation `image` includes beside nnr_device.h.
 *
 *     x [N,H,W,C], w [K,R,S,C], y and dy [N,P,Q,K], of float (products in tf32), NnrBf16 or NnrF16
 *
 * With channels last the taps of a window row are neighbours in the image: a line of S*C elements, which is read as it
 * lies, so that no matrix of windows is made. A tile is ROWS rows of results of one image; the image rows that their
 * windows meet, with the border, are in shared memory. A block of 256 threads has 16, 32 or 64 filters and goes through
 * every BLOCKS-th tile. Sums are in f32, each in one order, so that two runs are equal bit for bit. What a tile has too
 * much is multiplied by zeros: a NaN or an infinity of the image also reaches results whose window it lies just after.
 * From sm_80 on. */
#ifndef NNR_IMAGE_H
#define NNR_IMAGE_H

#include "cuda/nnr_block.h"
#include "cuda/nnr_mma.h"

/* An element as it is in shared memory: f32 rounded to tf32 on its way there. */
template <typename T> struct NnrOperand {
	using Bits = uint16_t;
	static constexpr int PER_WORD = 2; /* words of nnr_mma.h */
};
template <> struct NnrOperand<float> {
	using Bits = uint32_t;
	static constexpr int PER_WORD = 1;
};

static constexpr __host__ __device__ int nnr_round_up(int x, int multiple)
{
	return (x + multiple - 1) / multiple * multiple;
}

static constexpr __host__ __device__ int nnr_larger(int a, int b)
{
	return a > b ? a : b;
}

/* The convolution and its tiles. */
template <typename T, int N, int H, int W, int C, int K, int R, int S, int P, int Q, int DOWN, int ALONG,
          int TOP, int LEFT, int ROWS>
struct NnrImage {
	using Element = T;
	using Bits = typename NnrOperand<T>::Bits;
	static constexpr int PER_WORD = NnrOperand<T>::PER_WORD, THREADS = 256, WARPS = THREADS / 32;
	/* Of a block; fewer than a multiple of 16 are filled up with zeros. */
	static constexpr int FILTERS = K % 64 == 0   ? 64
	                               : K % 32 == 0 ? 32
	                               : K % 16 == 0 ? 16
	                                             : nnr_round_up(K, 16);
	static constexpr int FILTER_TILES = (K + FILTERS - 1) / FILTERS;
	static constexpr int LINE = S * C, BORDER = LEFT * C, IMAGE_LINE = W * C;
	static constexpr int STEP = ALONG * C; /* elements from one result's window to the next one's */
	static constexpr int ROW_TILES = (P + ROWS - 1) / ROWS, TILES = N * ROW_TILES;
	static constexpr int IMAGE_ROWS = (ROWS - 1) * DOWN + R; /* under a tile */
	/* template arguments, for whoever has the type alone */
	static constexpr int height = H, taps_down = R, rows = ROWS, columns = Q, filters = K, down = DOWN,
	                     top = TOP, results = P;
};

/* Zeros in shared memory, where no copy of a tile writes: the border, and what lies after rows. */
template <int THREADS> NNR_FUNCTION void nnr_image_clear(char *chip, int bytes)
{
	for (int i = threadIdx.x; i < bytes / 16; i += THREADS)
		((uint4 *)chip)[i] = make_uint4(0, 0, 0, 0);
	__syncthreads();
}

/* ---- forward */

NNR_FUNCTION uint32_t nnr_image_bits(float x)
{
	return nnr_tf32_bits(x);
}

template <typename T> NNR_FUNCTION uint16_t nnr_image_bits(T x)
{
	return x.bits;
}

NNR_FUNCTION void nnr_image_load(uint32_t (&to)[4], const float *from)
{
	float x[4];
	nnr_load4(x, from);
#pragma unroll
	for (int u = 0; u < 4; u++)
		to[u] = nnr_image_bits(x[u]);
}

template <typename T> NNR_FUNCTION void nnr_image_load(uint16_t (&to)[4], const T *from)
{
	const uint2 x = *(const uint2 *)from;
	to[0] = (uint16_t)x.x, to[1] = (uint16_t)(x.x >> 16), to[2] = (uint16_t)x.y,
	to[3] = (uint16_t)(x.y >> 16);
}

template <typename B, typename T> NNR_FUNCTION void nnr_image_load(B (&to)[1], const T *from)
{
	to[0] = nnr_image_bits(*from);
}

/* The layout of shared memory, and how taps are read: in chunks of two words. Chunk 4*step + t of a window is what lane
 * t of four brings as words t and t + 4 of the depth in a step. Chunks begin at even elements; where windows of 16-bit
 * elements begin at odd ones too, a second copy of the image rows lies one element further left. */
template <typename I> struct NnrForward {
	using Bits = typename I::Bits;
	/* Chunks of a line; a multiple of four costs no register for each step, and is taken where it adds few
	 * steps. */
	static constexpr int CHUNK = 2 * I::PER_WORD, NEEDED = (I::LINE + CHUNK - 1) / CHUNK,
	                     FOURS = nnr_round_up(NEEDED, 4);
	static constexpr int CHUNKS = 10 * FOURS <= 11 * NEEDED ? FOURS : NEEDED;
	static constexpr int ALL_CHUNKS = I::taps_down * CHUNKS, STEPS = (ALL_CHUNKS + 3) / 4;
	static constexpr bool EVEN = I::STEP % 2 == 0;
	static constexpr int COPIES = EVEN || I::PER_WORD == 1 ? 1 : 2;
	static constexpr int ROW = nnr_round_up(
	        nnr_larger(I::BORDER + I::IMAGE_LINE, (I::columns - 1) * I::STEP + CHUNKS * CHUNK) + 1, 4);
	static constexpr int COPY =
	        nnr_round_up(I::IMAGE_ROWS * ROW + 1, 8); /* elements, one more than the rows */
	static constexpr int PAIRS = I::FILTERS / 16;     /* of 8 columns of products */
	static constexpr int WEIGHT_BYTES = STEPS * PAIRS * 32 * 16;
	static constexpr int IMAGE_BYTES = nnr_round_up(COPIES * COPY * (int)sizeof(Bits), 16);
	static constexpr int BYTES = WEIGHT_BYTES + IMAGE_BYTES;
};

/* The filters as the lanes read them, a vector for a step and two columns of products. Filters are permuted so that the
 * results of a lane are four neighbours: column c of product j of pair i is filter 16*i + 4*(c/2) + 2*j + c%2. */
template <typename I> NNR_FUNCTION void nnr_image_arrange(char *to, const typename I::Element *w, int first)
{
	using F = NnrForward<I>;
	for (int i = threadIdx.x; i < F::STEPS * F::PAIRS * 32 * 4 * I::PER_WORD; i += I::THREADS) {
		const int element = i % I::PER_WORD, half = i / I::PER_WORD % 2,
		          product = i / (2 * I::PER_WORD) % 2;
		const int lane = i / (4 * I::PER_WORD) % 32, pair = i / (128 * I::PER_WORD) % F::PAIRS;
		const int chunk = i / (128 * I::PER_WORD * F::PAIRS) * 4 + lane % 4, column = lane / 4;
		const int filter = first + 16 * pair + 4 * (column / 2) + 2 * product + column % 2;
		const int r = chunk / F::CHUNKS,
		          tap = chunk % F::CHUNKS * F::CHUNK + half * I::PER_WORD + element;
		((typename I::Bits *)to)[i] =
		        r < I::taps_down && tap < I::LINE && filter < I::filters
		                ? nnr_image_bits(w[(filter * I::taps_down + r) * I::LINE + tap])
		                : (typename I::Bits)0;
	}
}

/* The image rows under a tile, zeros for those outside of the image. */
template <typename I, bool VECTORS>
NNR_FUNCTION void nnr_image_stage(typename I::Bits *to, const typename I::Element *x, int tile)
{
	using F = NnrForward<I>;
	constexpr int each = VECTORS && I::IMAGE_LINE % 4 == 0 ? 4 : 1, pieces = I::IMAGE_LINE / each;
	const int first = tile % I::ROW_TILES * I::rows * I::down - I::top;
	const typename I::Element *image = x + (int64_t)(tile / I::ROW_TILES) * I::height * I::IMAGE_LINE;
#pragma unroll 4
	for (int i = threadIdx.x; i < I::IMAGE_ROWS * pieces; i += I::THREADS) {
		const int row = i / pieces, at = i % pieces * each, h = first + row;
		typename I::Bits value[each] = {};
		if (h >= 0 && h < I::height)
			nnr_image_load(value, image + h * I::IMAGE_LINE + at);
#pragma unroll
		for (int copy = 0; copy < F::COPIES; copy++)
#pragma unroll
			for (int u = 0; u < each; u++) {
				const int place = row * F::ROW + I::BORDER + at + u - copy;
				if (copy == 0 || place >= 0)
					to[copy * F::COPY + place] = value[u];
			}
	}
}

template <typename I>
NNR_FUNCTION void nnr_image_chunk(uint32_t &low, uint32_t &high, const typename I::Bits *at)
{
	if constexpr (I::PER_WORD == 1 && NnrForward<I>::EVEN) {
		const uint2 both = *(const uint2 *)at;
		low = both.x, high = both.y;
	} else {
		low = ((const uint32_t *)at)[0], high = ((const uint32_t *)at)[1];
	}
}

/* y = conv(x, w): finish(row, column, sums) gets the results [N*P*Q, K], four neighbouring columns at once. `chip` is
 * shared memory, NnrForward<I>::BYTES of it; VECTORS: x begins where four elements can be loaded at once. A warp
 * computes 32 results by all filters of the block. */
template <typename I, int BLOCKS, bool VECTORS, typename F>
NNR_FUNCTION void nnr_image_forward(char *chip, const typename I::Element *x, const typename I::Element *w,
                                    F finish)
{
	using L = NnrForward<I>;
	constexpr int pixels = I::rows * I::columns;
	const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
	const int filter = blockIdx.x % I::FILTER_TILES * I::FILTERS;
	typename I::Bits *image = (typename I::Bits *)(chip + L::WEIGHT_BYTES);
	nnr_image_arrange<I>(chip, w, filter);
	nnr_image_clear<I::THREADS>(chip + L::WEIGHT_BYTES, L::IMAGE_BYTES);
	/* Of this lane, from the begin of a window; after the last one anywhere, its filters are zeros. */
	int chunk_at[L::STEPS];
#pragma unroll
	for (int step = 0; step < L::STEPS; step++) {
		const int chunk = 4 * step + t;
		chunk_at[step] =
		        chunk < L::ALL_CHUNKS ? chunk / L::CHUNKS * L::ROW + chunk % L::CHUNKS * L::CHUNK : 0;
	}
	for (int tile = blockIdx.x / I::FILTER_TILES; tile < I::TILES; tile += BLOCKS) {
		nnr_image_stage<I, VECTORS>(image, x, tile);
		__syncthreads();
		for (int pixel = threadIdx.x / 32 * 32; pixel < pixels; pixel += 32 * I::WARPS) {
			const typename I::Bits *window[2][2]; /* of rows g and g + 8 of two products */
			float sums[2][2 * L::PAIRS][4] = {};
#pragma unroll
			for (int i = 0; i < 4; i++) {
				const int p = min(pixel + 8 * i + g, pixels - 1);
				const int at = p / I::columns * I::down * L::ROW + p % I::columns * I::STEP;
				window[i / 2][i % 2] =
				        image + at + (L::COPIES == 2 && at % 2 ? L::COPY - 1 : 0);
			}
#pragma unroll
			for (int step = 0; step < L::STEPS; step++) {
				uint32_t a[2][4];
#pragma unroll
				for (int i = 0; i < 4; i++)
					nnr_image_chunk<I>(a[i / 2][i % 2], a[i / 2][2 + i % 2],
					                   window[i / 2][i % 2] + chunk_at[step]);
#pragma unroll
				for (int pair = 0; pair < L::PAIRS; pair++) {
					const uint4 v =
					        ((const uint4 *)chip)[(step * L::PAIRS + pair) * 32 + lane];
					const uint32_t b[2][2] = {{v.x, v.y}, {v.z, v.w}};
#pragma unroll
					for (int i = 0; i < 4; i++)
						nnr_mma((typename I::Element *)0,
						        sums[i / 2][2 * pair + i % 2], a[i / 2], b[i % 2]);
				}
			}
			/* The tile's first row, the results of its image from there on, and its first result. */
			const int row = tile % I::ROW_TILES * I::rows, left = (I::results - row) * I::columns;
			const int64_t first =
			        ((int64_t)(tile / I::ROW_TILES) * I::results + row) * I::columns;
#pragma unroll
			for (int i = 0; i < 4; i++) {
				const int p = pixel + 8 * i + g;
				if (p >= pixels || p >= left)
					continue;
#pragma unroll
				for (int pair = 0; pair < L::PAIRS; pair++) {
					const float(&low)[4] = sums[i / 2][2 * pair],
					      (&high)[4] = sums[i / 2][2 * pair + 1];
					const int k = i % 2 * 2;
					const float four[4] = {low[k], low[k + 1], high[k], high[k + 1]};
					if (I::filters % 16 == 0 || filter + 16 * pair + 4 * t < I::filters)
						finish(first + p, filter + 16 * pair + 4 * t, four);
				}
			}
		}
		__syncthreads();
	}
}

/* ---- gradient by the filters */

/* The layout of shared memory, and who sums what: dw [filters, taps] is a product with the results' pixels as its
 * depth. The warps are TAP_GROUPS by PIXEL_GROUPS: each has all filters, some taps, and every PIXEL_GROUPS-th step
 * along the pixels. */
template <typename I> struct NnrGradient {
	using Bits = typename I::Bits;
	static constexpr int SIZE = sizeof(Bits), VECTOR = 16 / SIZE; /* elements of 16 bytes */
	static constexpr int TAPS = I::taps_down * I::LINE,
	                     COLUMNS = (TAPS + 7) / 8; /* products beside one another */
	static constexpr int MOST = 5;                 /* of a warp: 80 sums a thread at 64 filters */
	static constexpr int TAP_GROUPS = COLUMNS <= MOST       ? 1
	                                  : COLUMNS <= 2 * MOST ? 2
	                                  : COLUMNS <= 4 * MOST ? 4
	                                                        : 8;
	static constexpr int PIXEL_GROUPS = I::WARPS / TAP_GROUPS,
	                     OWN = (COLUMNS + TAP_GROUPS - 1) / TAP_GROUPS;
	static_assert(OWN <= MOST, "fewer taps");
	static constexpr int DEPTH = 8 * I::PER_WORD,
	                     PIXELS = nnr_round_up(I::columns, DEPTH); /* of a row of results */
	static constexpr int PIXEL =
	        I::FILTERS + 8; /* elements of a pixel of dy: no two lanes meet in a bank */
	static constexpr int BEGIN = nnr_round_up(I::BORDER, VECTOR); /* of the image in its row */
	static constexpr int ROW = nnr_round_up(
	        nnr_larger(BEGIN + I::IMAGE_LINE, BEGIN - I::BORDER + (PIXELS - 1) * I::STEP + I::LINE),
	        VECTOR);
	static constexpr int DY_BYTES = I::rows * PIXELS * PIXEL * SIZE,
	                     TILE = DY_BYTES + I::IMAGE_ROWS * ROW * SIZE;
	static constexpr int SUMS =
	        I::FILTERS * COLUMNS * 8 * 4; /* bytes: the groups' sums meet here when all is read */
	static constexpr int BYTES = nnr_larger(TILE, SUMS);
};

/* SIZE bytes, asked for (what is not a word is copied at once); or, when they are here, rounded by the thread that
 * asked for them. */
template <typename T, bool ROUND, int SIZE> NNR_FUNCTION void nnr_image_copy(char *to, const T *from)
{
	if constexpr (!ROUND && SIZE >= 4) {
		nnr_fetch<SIZE>(to, (const char *)from);
	} else if constexpr (!ROUND) {
		*(T *)to = *from;
	} else {
#pragma unroll
		for (int u = 0; u < SIZE / 4; u++)
			((uint32_t *)to)[u] = nnr_tf32_bits(((const float *)to)[u]);
	}
}

/* `rows` rows of LENGTH elements by pieces of SIZE bytes, those outside of first <= row < end as zeros: to(row, at) and
 * from(row, at) say where the element `at` of a row is. */
template <typename I, int LENGTH, int SIZE, bool ROUND, typename To, typename From>
NNR_FUNCTION void nnr_image_copy_rows(int rows, int first, int end, To to, From from)
{
	constexpr int each = SIZE / (int)sizeof(typename I::Bits), pieces = LENGTH / each;
	static_assert(LENGTH % each == 0, "rows of whole pieces");
	for (int i = threadIdx.x; i < rows * pieces; i += I::THREADS) {
		const int row = i / pieces, at = i % pieces * each;
		typename I::Bits *place = to(row, at);
		if (row >= first && row < end)
			nnr_image_copy<typename I::Element, ROUND, SIZE>((char *)place, from(row, at));
		else if (!ROUND)
			for (int u = 0; u < each; u++)
				place[u] = 0;
	}
}

/* dy and the image rows of a tile: asks for them, or rounds what this thread has asked for. */
template <typename I, bool VECTORS, bool ROUND>
NNR_FUNCTION void nnr_image_bring(char *chip, const typename I::Element *x, const typename I::Element *dy,
                                  int tile, int filter)
{
	using G = NnrGradient<I>;
	using Bits = typename I::Bits;
	constexpr int x_bytes = I::IMAGE_LINE * G::SIZE;
	constexpr int x_piece = VECTORS && x_bytes % 16 == 0 ? 16 : VECTORS && x_bytes % 4 == 0 ? 4 : G::SIZE;
	const int image = tile / I::ROW_TILES, p0 = tile % I::ROW_TILES * I::rows, h0 = p0 * I::down - I::top;
	const typename I::Element *dy0 =
	        dy + ((int64_t)image * I::results + p0) * I::columns * I::filters + filter;
	const typename I::Element *x0 = x + ((int64_t)image * I::height + h0) * I::IMAGE_LINE;
	Bits *to_dy = (Bits *)chip, *to_x = (Bits *)(chip + G::DY_BYTES) + G::BEGIN;
	nnr_image_copy_rows<I, I::columns * I::FILTERS, VECTORS ? 16 : G::SIZE, ROUND>(
	        I::rows, 0, I::results - p0,
	        [&](int row, int at) {
		        return to_dy + (row * G::PIXELS + at / I::FILTERS) * G::PIXEL + at % I::FILTERS;
	        },
	        [&](int row, int at) {
		        return dy0 + (row * I::columns + at / I::FILTERS) * I::filters + at % I::FILTERS;
	        });
	nnr_image_copy_rows<I, I::IMAGE_LINE, x_piece, ROUND>(
	        I::IMAGE_ROWS, -h0, I::height - h0, [&](int row, int at) { return to_x + row * G::ROW + at; },
	        [&](int row, int at) { return x0 + row * I::IMAGE_LINE + at; });
}

/* dy of DEPTH pixels by all filters of the block: a[m] of product m, whose row is the filter of nnr_image_filter. */
template <typename I, int PIXEL>
NNR_FUNCTION void nnr_image_rows(uint32_t (&a)[I::FILTERS / 16][4], const uint32_t *dy)
{
	const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
#pragma unroll
	for (int half = 0; half < 2; half++) {
		const uint32_t *pixel = dy + (t + 4 * half) * PIXEL;
		if constexpr (I::FILTERS == 16) {
			const uint2 v = *(const uint2 *)(pixel + 2 * g);
			a[0][2 * half] = v.x, a[0][2 * half + 1] = v.y;
		} else {
#pragma unroll
			for (int m = 0; m < I::FILTERS / 16; m += 2) {
				const uint4 v = *(const uint4 *)(pixel + 16 * m + 4 * g);
				a[m][2 * half] = v.x, a[m][2 * half + 1] = v.y;
				a[m + 1][2 * half] = v.z, a[m + 1][2 * half + 1] = v.w;
			}
		}
	}
}

template <typename I, int PIXEL>
NNR_FUNCTION void nnr_image_rows(uint32_t (&a)[I::FILTERS / 16][4], const uint16_t *dy)
{
	const int matrix = threadIdx.x % 32 / 8, row = threadIdx.x % 8;
#pragma unroll
	for (int m = 0; m < I::FILTERS / 16; m++)
		nnr_load_transposed(a[m], dy + (matrix / 2 * 8 + row) * PIXEL + 16 * m + matrix % 2 * 8);
}

/* The filter of row g of product m, or of row g + 8. */
template <typename I> NNR_FUNCTION int nnr_image_filter(int m, int upper, int g)
{
	if (I::PER_WORD == 2)
		return 16 * m + 8 * upper + g;
	return I::FILTERS == 16 ? 2 * g + upper : m / 2 * 32 + 4 * g + m % 2 * 2 + upper;
}

/* Word t and t + 4 of the pixels at one tap. */
template <int STEP> NNR_FUNCTION void nnr_image_column(uint32_t (&b)[2], const uint32_t *x)
{
	const int t = threadIdx.x % 4;
	b[0] = x[t * STEP], b[1] = x[(t + 4) * STEP];
}

template <int STEP> NNR_FUNCTION void nnr_image_column(uint32_t (&b)[2], const uint16_t *x)
{
	const uint16_t *at = x + threadIdx.x % 4 * 2 * STEP;
	b[0] = at[0] | (uint32_t)at[STEP] << 16, b[1] = at[8 * STEP] | (uint32_t)at[9 * STEP] << 16;
}

/* dw [K, TAPS] += the sums of the warp, in the order of the pixel groups, by way of shared memory. */
template <typename I>
NNR_FUNCTION void nnr_image_join(float *chip, float *dw,
                                 const float (&sums)[I::FILTERS / 16][NnrGradient<I>::OWN][4], int filter)
{
	using G = NnrGradient<I>;
	const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
	for (int group = 0; group < G::PIXEL_GROUPS; group++) {
		if (warp / G::TAP_GROUPS == group) {
#pragma unroll
			for (int m = 0; m < I::FILTERS / 16; m++)
#pragma unroll
				for (int j = 0; j < G::OWN; j++)
#pragma unroll
					for (int u = 0; u < 4; u++) {
						const int column = 8 * (warp % G::TAP_GROUPS * G::OWN + j) +
						                   2 * t + u % 2;
						float *at =
						        chip +
						        nnr_image_filter<I>(m, u / 2, g) * G::COLUMNS * 8 +
						        column;
						if (column < G::COLUMNS * 8)
							*at = group == 0 ? sums[m][j][u]
							                 : *at + sums[m][j][u];
					}
		}
		__syncthreads();
	}
	for (int i = threadIdx.x; i < I::FILTERS * G::TAPS; i += I::THREADS)
		dw[filter * G::TAPS + i] = chip[i / G::TAPS * G::COLUMNS * 8 + i % G::TAPS];
}

/* dw [BLOCKS,K,R,S,C] of f32: part i is the sum over the tiles i, i + BLOCKS, ... `chip` is shared memory,
 * NnrGradient::BYTES of it; VECTORS: x and dy begin at multiples of 16 bytes. While one block of a multiprocessor waits
 * for a tile, another sums. */
template <typename I, int BLOCKS, bool VECTORS>
NNR_FUNCTION void nnr_image_gradient(char *chip, const typename I::Element *x, const typename I::Element *dy,
                                     float *dw)
{
	using G = NnrGradient<I>;
	using Bits = typename I::Bits;
	const int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4;
	const int part = blockIdx.x / I::FILTER_TILES, filter = blockIdx.x % I::FILTER_TILES * I::FILTERS;
	nnr_image_clear<I::THREADS>(chip, G::TILE);
	/* Of column g of each product, from the begin of a window; after the last tap anywhere. */
	int tap_at[G::OWN];
#pragma unroll
	for (int j = 0; j < G::OWN; j++) {
		const int tap = 8 * (warp % G::TAP_GROUPS * G::OWN + j) + g;
		tap_at[j] =
		        G::BEGIN - I::BORDER + (tap < G::TAPS ? tap / I::LINE * G::ROW + tap % I::LINE : 0);
	}
	float sums[I::FILTERS / 16][G::OWN][4] = {};
	for (int tile = part; tile < I::TILES; tile += BLOCKS) {
		nnr_image_bring<I, VECTORS, false>(chip, x, dy, tile, filter);
		nnr_block_commit();
		nnr_block_await<0>();
		if constexpr (I::PER_WORD == 1)
			nnr_image_bring<I, VECTORS, true>(chip, x, dy, tile, filter);
		__syncthreads();
		constexpr int steps = G::PIXELS / G::DEPTH;
		for (int step = warp / G::TAP_GROUPS; step < I::rows * steps; step += G::PIXEL_GROUPS) {
			const int row = step / steps, q = step % steps * G::DEPTH;
			const Bits *image =
			        (const Bits *)(chip + G::DY_BYTES) + row * I::down * G::ROW + q * I::STEP;
			uint32_t a[I::FILTERS / 16][4];
			nnr_image_rows<I, G::PIXEL>(a, (const Bits *)chip + (row * G::PIXELS + q) * G::PIXEL);
#pragma unroll
			for (int j = 0; j < G::OWN; j++) {
				uint32_t b[2];
				nnr_image_column<I::STEP>(b, image + tap_at[j]);
#pragma unroll
				for (int m = 0; m < I::FILTERS / 16; m++)
					nnr_mma((typename I::Element *)0, sums[m][j], a[m], b);
			}
		}
		__syncthreads();
	}
	nnr_image_join<I>((float *)chip, dw + (int64_t)part * I::filters * G::TAPS, sums, filter);
}

#endif
