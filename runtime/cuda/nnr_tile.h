/* SPDX-License-Identifier: MIT */
/* Products by the tensor cores of warps, tile by tile: what kernels.cu includes beside nnr_device.h where nnc's own
 * kernels compute matrix products and convolutions.
 *
 *     y[m,n] = sum over k of left(m,k) right(n,k)        of float (in tf32), NnrBf16 or NnrF16; sums in f32
 *
 * left and right are sides (nnr_tile_side.h): matrices, or images whose windows are gathered where they are read, so
 * that a convolution and its two gradients are such products and no matrix of windows is made. A block computes a tile
 * of M by N. It goes along the depth in slices of 128 bytes of a row; STAGES of them are in shared memory, and while
 * one is multiplied, the next ones are on their way (cp.async). A product with few tiles and a long depth is cut into
 * parts of the depth: each block leaves its sums, and the one that comes last adds up all parts, always in the same
 * order, so that two runs are equal bit for bit.
 *
 * From sm_80 on. */
#ifndef NNR_TILE_H
#define NNR_TILE_H

#include "cuda/nnr_mma.h"
#include "cuda/nnr_reduce.h"
#include "cuda/nnr_tile_side.h"

/* M by N elements of the result, by DOWN times ACROSS warps. */
template <typename T, int M, int N, int DOWN, int ACROSS, int STAGES> struct NnrTile {
	using Element = T;
	static constexpr int ROWS = M, COLUMNS = N, STAGE_COUNT = STAGES, THREADS = 32 * DOWN * ACROSS;
	static constexpr int WARP_ROWS = M / DOWN, WARP_COLUMNS = N / ACROSS; /* of a warp */
	static constexpr int I = WARP_ROWS / 16, J = WARP_COLUMNS / 8;        /* products of a warp */
	static constexpr int DEPTH = NNR_SLICE_BYTES / (int)sizeof(T);        /* elements of a slice */
	static constexpr int STEPS = NNR_SLICE_BYTES / 32;                    /* of 8 words, along a slice */
	static constexpr int LEFT_BYTES = M * NNR_SLICE_BYTES, STAGE_BYTES = (M + N) * NNR_SLICE_BYTES;
	static constexpr int BYTES = STAGES * STAGE_BYTES; /* of shared memory */
	static_assert(WARP_ROWS % 16 == 0 && WARP_COLUMNS % 16 == 0,
	              "whole products, the right ones in pairs");
};

/* ---- the sums of a block */

/* The lane's words of one step for 16 rows of the left side (FOUR: word t of rows g and g + 8, then word t + 4), or for
 * 16 columns of the right one (word t and t + 4 of column g, then of g + 8), from shared memory. */
template <int ROWS, typename Side, bool LEFT>
NNR_FUNCTION void nnr_tile_words(uint32_t (&to)[4], const char *from, int row, int step)
{
	using T = typename Side::Element;
	const int lane = threadIdx.x % 32, matrix = lane / 8, j = lane % 8;
	const int half = LEFT ? matrix % 2 : matrix / 2, later = LEFT ? matrix / 2 : matrix % 2;
	if constexpr (Side::BY_DEPTH) {
		nnr_load_matrices(
		        to, from + nnr_slice_at<T, ROWS, true>(row + 8 * half + j,
		                                               (2 * step + later) * (16 / (int)sizeof(T))));
	} else if constexpr (sizeof(T) == 2) {
		nnr_load_transposed(
		        to, from + nnr_slice_at<T, ROWS, false>(16 * step + 8 * later + j, row + 8 * half));
	} else {
		const int g = lane / 4, t = lane % 4;
#pragma unroll
		for (int i = 0; i < 4; i++) {
			const int upper = LEFT ? i % 2 : i / 2, word = LEFT ? i / 2 : i % 2;
			to[i] = *(const uint32_t *)(from +
			                            nnr_slice_at<T, ROWS, false>(8 * step + 4 * word + t,
			                                                         row + 8 * upper + g));
		}
	}
}

template <typename Tile, typename Left, typename Right> struct NnrTileWords {
	uint32_t left[Tile::I][4], right[Tile::J / 2][4];

	__device__ __forceinline__ void load(const char *stage, int step)
	{
		const int warp = threadIdx.x / 32;
		constexpr int across = Tile::COLUMNS / Tile::WARP_COLUMNS;
		const int row = warp / across * Tile::WARP_ROWS, column = warp % across * Tile::WARP_COLUMNS;
#pragma unroll
		for (int i = 0; i < Tile::I; i++)
			nnr_tile_words<Tile::ROWS, Left, true>(left[i], stage, row + 16 * i, step);
#pragma unroll
		for (int j = 0; j < Tile::J / 2; j++)
			nnr_tile_words<Tile::COLUMNS, Right, false>(right[j], stage + Tile::LEFT_BYTES,
			                                            column + 16 * j, step);
	}

	__device__ __forceinline__ void multiply(float (&sums)[Tile::I][Tile::J][4]) const
	{
#pragma unroll
		for (int i = 0; i < Tile::I; i++)
#pragma unroll
			for (int j = 0; j < Tile::J; j++) {
				const uint32_t b[2] = {right[j / 2][j % 2 * 2], right[j / 2][j % 2 * 2 + 1]};
				nnr_mma((const typename Tile::Element *)0, sums[i][j], left[i], b);
			}
	}
};

/* sums of the block over the slices from `first` to the one before `end`: those of product (i, j) of the warp. */
template <typename Tile, typename Left, typename Right>
NNR_FUNCTION void nnr_tile_sum(float (&sums)[Tile::I][Tile::J][4], char *chip, const Left &left,
                               const Right &right, int row, int column, int first, int end)
{
	using Words = NnrTileWords<Tile, Left, Right>;
	NnrLoader<Tile::ROWS, Tile::THREADS, Left> load_left(left, row);
	NnrLoader<Tile::COLUMNS, Tile::THREADS, Right> load_right(right, column);
	const auto fetch = [&](int slice) {
		if (slice < end) {
			char *to = chip + (slice - first) % Tile::STAGE_COUNT * Tile::STAGE_BYTES;
			load_left.fetch(left, to, slice * Tile::DEPTH);
			load_right.fetch(right, to + Tile::LEFT_BYTES, slice * Tile::DEPTH);
		}
		nnr_block_commit();
	};
#pragma unroll 1
	for (int ahead = 0; ahead < Tile::STAGE_COUNT - 1; ahead++)
		fetch(first + ahead);
	for (int slice = first; slice < end; slice++) {
		nnr_block_await<Tile::STAGE_COUNT - 2>();
		__syncthreads(); /* all have this slice, and have done with the one whose place is taken now */
		const char *stage = chip + (slice - first) % Tile::STAGE_COUNT * Tile::STAGE_BYTES;
		Words words[2]; /* of this step and of the next */
		words[0].load(stage, 0);
		fetch(slice + Tile::STAGE_COUNT - 1);
#pragma unroll
		for (int step = 0; step < Tile::STEPS; step++) {
			if (step + 1 < Tile::STEPS)
				words[(step + 1) % 2].load(stage, step + 1);
			words[step % 2].multiply(sums);
		}
	}
}

/* ---- parts of the depth */

/* Leaves the block's sums in `partial`, and adds up those of all parts in the block that comes last: true there. The
 * tile's parts are neighbours there, and have a counter. */
template <typename Tile>
NNR_FUNCTION bool nnr_tile_join(float (&sums)[Tile::I][Tile::J][4], float *partial, unsigned *done, int tile,
                                int part, int parts)
{
	float *const own = partial + (int64_t)tile * parts * (Tile::ROWS * Tile::COLUMNS) + 4 * threadIdx.x;
	const auto at = [&](int p, int i, int j) {
		return own + p * (Tile::ROWS * Tile::COLUMNS) + (i * Tile::J + j) * 4 * Tile::THREADS;
	};
#pragma unroll
	for (int i = 0; i < Tile::I; i++)
#pragma unroll
		for (int j = 0; j < Tile::J; j++)
			nnr_store4(at(part, i, j), sums[i][j]);
	if (!nnr_last_block(&done[tile], (unsigned)parts))
		return false;
	for (int p = 0; p < parts; p++) {
#pragma unroll
		for (int i = 0; i < Tile::I; i++)
#pragma unroll
			for (int j = 0; j < Tile::J; j++) {
				const float4 v = __ldcg((const float4 *)at(p, i, j));
				const float four[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
				for (int u = 0; u < 4; u++)
					sums[i][j][u] = p == 0 ? four[u] : sums[i][j][u] + four[u];
			}
	}
	return true;
}

/* ---- results */

/* finish(m, n, sums): four neighbouring columns from n on of row m, of the tile at `row` and `column`. A warp brings 16
 * rows at a time to shared memory and reads them row by row, so that lanes which follow each other write what does. */
template <typename Tile, typename F>
NNR_FUNCTION void nnr_tile_finish(const float (&sums)[Tile::I][Tile::J][4], char *chip, int row, int column,
                                  F finish)
{
	constexpr int across = Tile::COLUMNS / Tile::WARP_COLUMNS;
	constexpr int pitch = Tile::WARP_COLUMNS + 8;                    /* no two lanes meet in a bank */
	constexpr int lanes = Tile::WARP_COLUMNS / 4, rows = 32 / lanes; /* of a row; at once */
	static_assert(Tile::THREADS / 32 * 16 * pitch * 4 <= Tile::BYTES, "room for all warps");
	const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	const int m0 = row + warp / across * Tile::WARP_ROWS,
	          n0 = column + warp % across * Tile::WARP_COLUMNS;
	float *const own = (float *)chip + warp * 16 * pitch;
	float *const at = own + lane / 4 * pitch + lane % 4 * 2;
	__syncthreads(); /* the last slice has been read */
#pragma unroll
	for (int i = 0; i < Tile::I; i++) {
#pragma unroll
		for (int j = 0; j < Tile::J; j++) {
			*(float2 *)(at + 8 * j) = make_float2(sums[i][j][0], sums[i][j][1]);
			*(float2 *)(at + 8 * pitch + 8 * j) = make_float2(sums[i][j][2], sums[i][j][3]);
		}
		__syncwarp();
#pragma unroll 2
		for (int r = lane / lanes; r < 16; r += rows) {
			float four[4];
			nnr_load4(four, own + r * pitch + lane % lanes * 4);
			finish(m0 + 16 * i + r, n0 + lane % lanes * 4, four);
		}
		__syncwarp();
	}
}

/* The tile of this block: its sums, of all or of the last part, go to finish. `slices` of the depth are cut into
 * `parts`, each with as many except for the last ones. */
template <typename Tile, typename Left, typename Right, typename F>
NNR_FUNCTION void nnr_tile_product(char *chip, const Left &left, const Right &right, NnrTilePlace at,
                                   int slices, int parts, float *partial, unsigned *done, F finish)
{
	float sums[Tile::I][Tile::J][4] = {};
	const int row = at.row * Tile::ROWS, column = at.column * Tile::COLUMNS;
	const int share = (slices + parts - 1) / parts;
	const int first = min(at.part * share, slices), end = min(first + share, slices);
	nnr_tile_sum<Tile>(sums, chip, left, right, row, column, first, end);
	if (parts > 1 && !nnr_tile_join<Tile>(sums, partial, done, at.tile, at.part, parts))
		return;
	nnr_tile_finish<Tile>(sums, chip, row, column, finish);
}

#endif
