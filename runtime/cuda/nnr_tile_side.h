/* SPDX-License-Identifier: MIT */
/* The two sides of a product (nnr_tile.h, nnr_threads.h): which tile a block computes, where the elements of a
 * left or right matrix come from, and how a slice of them lies in shared memory.
 *
 * A side says of a row and of a place along the depth what it has to know about each, and of the two together
 * where the element is:
 *
 * Row row(int i)        Depth depth(int k)        int at(Row, Depth, bool &there)        const T *data
 *
 * `at` is an offset to `data`; there == false: the element is zero, being outside of the matrix or the image.
 * VECTOR neighbours, along the depth where BY_DEPTH, else along the rows, are read at once: all of them are there
 * or none. */
#ifndef NNR_TILE_SIDE_H
#define NNR_TILE_SIDE_H

#include "cuda/nnr_element.h"
#include "cuda/nnr_fetch.h"
#include "cuda/nnr_sizes.h"

/* Which tile a block computes, and which part of its depth: the tiles of a row of tiles are neighbours. */
struct NnrTilePlace {
	int tile, column, row, outer, part;
};

template <int ACROSS, int DOWN, int OUTER> NNR_FUNCTION NnrTilePlace nnr_tile_place()
{
	const int i = (int)blockIdx.x;
	return {i % (ACROSS * DOWN * OUTER), i % ACROSS, i / ACROSS % DOWN, i / (ACROSS * DOWN) % OUTER,
	        i / (ACROSS * DOWN * OUTER)};
}

/* ---- matrices */

/* Element (row, k) is row * ROW_PITCH + k * DEPTH_PITCH after data; one of the two is 1. */
template <typename T, int ROWS, int DEPTH, int ROW_PITCH, int DEPTH_PITCH, int EACH, typename Index = int>
struct NnrMatrix {
	using Element = T;
	static constexpr bool BY_DEPTH = DEPTH_PITCH == 1;
	static constexpr int VECTOR = EACH;
	const T *data;

	struct Row {
		Index at;
		bool there;
	};
	using Depth = Row;

	__device__ __forceinline__ Row row(int i) const
	{
		return {(Index)i * ROW_PITCH, i < ROWS};
	}

	__device__ __forceinline__ Depth depth(int k) const
	{
		return {(Index)k * DEPTH_PITCH, k < DEPTH};
	}

	__device__ __forceinline__ Index at(Row r, Depth d, bool &there) const
	{
		there = r.there && d.there;
		return r.at + d.at;
	}
};

/* ---- windows of images */

/* Images [IMAGES, HEIGHT, WIDTH, PITCH], of which CHANNELS are read, and a grid of ROWS by COLUMNS windows in each.
 * Window (i, j) has at tap (r, s) the pixel (top + i*DOWN + r*STEP_DOWN, left + j*ALONG + s*STEP_ALONG), or zeros where
 * there is none. */
template <typename T, int IMAGES, int HEIGHT, int WIDTH, int PITCH, int CHANNELS, int ROWS, int COLUMNS,
          int DOWN, int ALONG, int STEP_DOWN, int STEP_ALONG, typename I = int>
struct NnrWindows {
	using Index = I;
	const T *data;
	int top, left, taps_down, taps_along;

	/* The offset of its first pixel, and where that is. */
	struct Window {
		Index at;
		int h, v;
	};
	/* How far a channel of a pixel is from the first one's. */
	using Tap = Window;

	static constexpr int FAR = 1 << 24; /* no pixel, whatever is added */

	__device__ __forceinline__ Window window(int i) const
	{
		const int image = i / (ROWS * COLUMNS), h = i / COLUMNS % ROWS * DOWN + top,
		          v = i % COLUMNS * ALONG + left;
		return {(((Index)image * HEIGHT + h) * WIDTH + v) * PITCH, image < IMAGES ? h : FAR, v};
	}

	__device__ __forceinline__ Tap tap(int k) const
	{
		const int number = k / CHANNELS, r = number / taps_along, h = r * STEP_DOWN,
		          v = (number - r * taps_along) * STEP_ALONG;
		return {(h * WIDTH + v) * PITCH + k % CHANNELS, r < taps_down ? h : 2 * FAR, v};
	}

	__device__ __forceinline__ Index at(Window w, Tap t, bool &there) const
	{
		there = (unsigned)(w.h + t.h) < (unsigned)HEIGHT && (unsigned)(w.v + t.v) < (unsigned)WIDTH;
		return w.at + t.at;
	}
};

/* A row is a window, the depth its taps: a convolution's left side, and its image gradient's. */
template <typename W, typename T, int EACH> struct NnrWindowRows {
	using Element = T;
	static constexpr bool BY_DEPTH = true;
	static constexpr int VECTOR = EACH;
	W windows;
	const T *data = windows.data;
	using Row = typename W::Window;
	using Depth = typename W::Tap;

	__device__ __forceinline__ Row row(int i) const
	{
		return windows.window(i);
	}

	__device__ __forceinline__ Depth depth(int k) const
	{
		return windows.tap(k);
	}

	__device__ __forceinline__ typename W::Index at(Row r, Depth d, bool &there) const
	{
		return windows.at(r, d, there);
	}
};

/* A row is a tap, the depth all windows: the right side of the gradient by the filters. */
template <typename W, typename T, int EACH> struct NnrTapRows {
	using Element = T;
	static constexpr bool BY_DEPTH = false;
	static constexpr int VECTOR = EACH;
	W windows;
	const T *data = windows.data;
	using Row = typename W::Tap;
	using Depth = typename W::Window;

	__device__ __forceinline__ Row row(int i) const
	{
		return windows.tap(i);
	}

	__device__ __forceinline__ Depth depth(int k) const
	{
		return windows.window(k);
	}

	__device__ __forceinline__ typename W::Index at(Row r, Depth d, bool &there) const
	{
		return windows.at(d, r, there);
	}
};

/* Filters [FILTERS, TAPS_DOWN, TAPS_ALONG, CHANNELS] as the right side of the gradient by the image: a row is a
 * channel, the depth goes through (tap, filter), the taps being (first_down + i*DOWN, first_along + j*ALONG). */
template <typename T, int FILTERS, int TAPS_DOWN, int TAPS_ALONG, int CHANNELS, int DOWN, int ALONG, int EACH>
struct NnrFilters {
	using Element = T;
	static constexpr bool BY_DEPTH = false;
	static constexpr int VECTOR = EACH;
	const T *data;
	int first_down, first_along, taps_down, taps_along;

	struct Row {
		int at;
		bool there;
	};
	using Depth = Row;

	__device__ __forceinline__ Row row(int i) const
	{
		return {i, i < CHANNELS};
	}

	__device__ __forceinline__ Depth depth(int k) const
	{
		const int number = k / FILTERS, i = number / taps_along, j = number - i * taps_along;
		const int tap = (first_down + i * DOWN) * TAPS_ALONG + first_along + j * ALONG;
		return {(k % FILTERS * (TAPS_DOWN * TAPS_ALONG) + tap) * CHANNELS, i < taps_down};
	}

	__device__ __forceinline__ int at(Row r, Depth d, bool &there) const
	{
		there = r.there && d.there;
		return r.at + d.at;
	}
};

/* ---- a slice in shared memory */

/* Bytes to where an element is in a slice of ROWS rows, by 16 bytes in places that differ from line to line, so that
 * lanes that read together meet in no bank. A line is a row (BY_DEPTH) or the rows at one place of the depth; `place`
 * is along it. */
template <typename T, int ROWS, bool BY_DEPTH> NNR_FUNCTION int nnr_slice_at(int line, int place)
{
	constexpr int bytes = BY_DEPTH ? NNR_SLICE_BYTES : ROWS * (int)sizeof(T), pieces = bytes / 16;
	const int at = place * (int)sizeof(T), piece = at / 16;
	int turned = line % 8;
	if constexpr (!BY_DEPTH && sizeof(T) == 4)
		turned = line % 4 * 2;
	else if constexpr (pieces < 8)
		turned = line * pieces / 8 % pieces;
	return line * bytes + (piece ^ turned) * 16 + at % 16;
}

/* What a thread brings of each slice: pieces of VECTOR elements, at one place of several lines. */
template <int ROWS, int THREADS, typename Side> struct NnrLoader {
	using T = typename Side::Element;
	static constexpr int DEPTH = NNR_SLICE_BYTES / (int)sizeof(T);
	static constexpr int LINE = Side::BY_DEPTH ? DEPTH : ROWS, LINES = Side::BY_DEPTH ? ROWS : DEPTH;
	static constexpr int PIECES = LINE / Side::VECTOR, STRIDE = THREADS / PIECES, EACH = LINES / STRIDE;
	static constexpr int SIZE = Side::VECTOR * (int)sizeof(T);
	static_assert(PIECES <= THREADS && LINES % STRIDE == 0, "as much for each thread");
	/* Of many rows, where pieces are small, a thread computes what it needs anew for each slice. */
	static constexpr bool KEEPS = EACH <= 8;
	typename Side::Row rows[Side::BY_DEPTH && KEEPS ? EACH : 1];
	const int first;

	static __device__ __forceinline__ int line()
	{
		return (int)threadIdx.x / PIECES;
	}

	static __device__ __forceinline__ int place()
	{
		return (int)threadIdx.x % PIECES * Side::VECTOR;
	}

	__device__ __forceinline__ NnrLoader(const Side &side, int begin) : first(begin)
	{
		if constexpr (Side::BY_DEPTH && KEEPS) {
#pragma unroll
			for (int i = 0; i < EACH; i++)
				rows[i] = side.row(first + line() + i * STRIDE);
		} else if constexpr (!Side::BY_DEPTH) {
			rows[0] = side.row(first + place());
		}
	}

	/* Asks for the slice from k on. */
	__device__ __forceinline__ void fetch(const Side &side, char *slice, int k) const
	{
		typename Side::Depth depth;
		if constexpr (Side::BY_DEPTH)
			depth = side.depth(k + place());
#pragma unroll(KEEPS ? EACH : 4)
		for (int i = 0; i < EACH; i++) {
			typename Side::Row row = rows[0];
			if constexpr (!Side::BY_DEPTH)
				depth = side.depth(k + line() + i * STRIDE);
			else if constexpr (KEEPS)
				row = rows[i];
			else
				row = side.row(first + line() + i * STRIDE);
			bool there;
			const auto at = side.at(row, depth, there);
			char *to =
			        slice + nnr_slice_at<T, ROWS, Side::BY_DEPTH>(line() + i * STRIDE, place());
			const T *from = side.data + (there ? at : 0);
			if constexpr (SIZE >= 4)
				nnr_fetch_or_zero<SIZE>(to, from, there);
			else
				*(uint16_t *)to = there ? *(const uint16_t *)from : (uint16_t)0;
		}
	}
};

#endif
