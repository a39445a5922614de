/* SPDX-License-Identifier: MIT */
/* Recurrences: many periods of small products and maps as one kernel (program/recurrence.h of the compiler).
 *
 * Rows, which are samples, need nothing of one another. So the grid is groups of NNR_RECURRENCE_ROWS rows, and each
 * group is a cluster of blocks that computes all periods of its rows. A result of [rows, n] columns is seen as parts of
 * UNITS columns each, the gates of an LSTM; of every part a block owns the same OWN units. What reads the columns that
 * it is at itself finds them written by its own thread; a product reads whole rows, and in front of it the blocks of
 * the cluster meet. A block's share of a product's matrix stays in its shared memory from the first period to the last.
 *
 * From sm_90 on: earlier devices have no clusters. */
#ifndef NNR_RECURRENCE_H
#define NNR_RECURRENCE_H

#include "cuda/nnr_mma.h"
#include "cuda/nnr_reduce.h"

enum { NNR_RECURRENCE_ROWS = 16, NNR_RECURRENCE_THREADS = 256, NNR_RECURRENCE_WARPS = 8 };

/* The part of a cluster's work that a block has: rows from `first_row` on, units from `first_unit` on. */
template <int BLOCKS, int OWN> struct NnrRecurrencePlace {
	int first_row = blockIdx.x / BLOCKS * NNR_RECURRENCE_ROWS;
	int first_unit = blockIdx.x % BLOCKS * OWN;
};

/* A tensor whose rows are COLUMNS elements apart, of which a block has the elements that it owns in shared memory, for
 * one period. */
template <typename T, int COLUMNS, int UNITS, int OWN> struct NnrOwned {
	T *data;
	int first_row, first_unit;

	template <typename Place>
	__device__ __forceinline__ NnrOwned(char *chip, const Place &place)
	    : data((T *)chip), first_row(place.first_row), first_unit(place.first_unit)
	{
	}

	__device__ __forceinline__ T &at(int row, int column) const
	{
		return data[(column / UNITS * NNR_RECURRENCE_ROWS + row - first_row) * OWN + column % UNITS -
		            first_unit];
	}

	__device__ __forceinline__ T &operator[](int i) const
	{
		return at(i / COLUMNS, i % COLUMNS);
	}
};

/* Of a tensor that all rows have in common, the columns that a block owns. */
template <typename T, int UNITS, int OWN> struct NnrOwnedColumns {
	T *data;
	int first_unit;

	template <typename Place>
	__device__ __forceinline__ NnrOwnedColumns(char *chip, const Place &place)
	    : data((T *)chip), first_unit(place.first_unit)
	{
	}

	__device__ __forceinline__ T &operator[](int column) const
	{
		return data[column / UNITS * OWN + column % UNITS - first_unit];
	}

	template <int PARTS> __device__ __forceinline__ void load(const T *from) const
	{
		for (int i = threadIdx.x; i < PARTS * OWN; i += NNR_RECURRENCE_THREADS)
			if (first_unit + i % OWN < UNITS)
				data[i] = from[i / OWN * UNITS + first_unit + i % OWN];
	}
};

template <int PITCH, typename T> NNR_FUNCTION T &nnr_recurrent_at(T *y, int row, int column)
{
	return y[(int64_t)row * PITCH + column];
}

template <int PITCH, typename T, int COLUMNS, int UNITS, int OWN>
NNR_FUNCTION T &nnr_recurrent_at(const NnrOwned<T, COLUMNS, UNITS, OWN> &y, int row, int column)
{
	return y.at(row, column);
}

/* y[m,n] = a[m,k] b, for the rows and columns of a block. b is [k,n], or [n,k] where TURNED; rows of a and y are
 * A_PITCH and Y_PITCH elements apart. TENSOR: f32 operands are multiplied in tf32. VECTOR: rows of a are read by 16
 * bytes. */
template <typename T, bool TENSOR, int M_, int N_, int K_, int UNITS_, int OWN_, bool TURNED, int A_PITCH_,
          int Y_PITCH_, bool VECTOR_, int COPIES_>
struct NnrRecurrentProduct {
	using Element = T;
	static constexpr int M = M_, N = N_, K = K_, UNITS = UNITS_, OWN = OWN_, A_PITCH = A_PITCH_,
	                     Y_PITCH = Y_PITCH_;
	static constexpr bool CORES = TENSOR, VECTOR = VECTOR_;
	static constexpr int PARTS = N / UNITS, COLUMNS = PARTS * OWN, TILES = COLUMNS / 8;
	static constexpr int WORD = TENSOR ? 4 / (int)sizeof(T) : 1;  /* elements of a word */
	static constexpr int STEPS = (K + 8 * WORD - 1) / (8 * WORD); /* of 8 words along the depth */
	/* Where tiles are few, several warps share a tile's depth. */
	static constexpr int SPLIT = TILES <= 1 ? 8 : TILES <= 2 ? 4 : TILES <= 4 ? 2 : 1;
	static constexpr int SHARE = (STEPS + SPLIT - 1) / SPLIT;
	/* Rows of words of which eight that follow each other are in different banks. */
	static constexpr int ROW = STEPS * 8 + 4, SUMS_ROW = COLUMNS + 8;
	static constexpr int ELEMENT_BYTES = TENSOR ? 4 : (int)sizeof(T);
	static constexpr int WEIGHT_BYTES = STEPS * 8 * COLUMNS * ELEMENT_BYTES;
	static constexpr int ROWS_BYTES = NNR_RECURRENCE_ROWS * ROW * ELEMENT_BYTES;
	static constexpr int SUMS_BYTES = TENSOR ? SPLIT * NNR_RECURRENCE_ROWS * SUMS_ROW * 4 : 0;
	static constexpr int COPIES =
	        COPIES_; /* of the rows: 2 where other blocks write those of the next period */
	static_assert(N % UNITS == 0 && OWN % 8 == 0, "parts, and tiles of them");

	/* b at depth k and the column's number within the block, or 0. */
	__device__ __forceinline__ static T weight(const T *b, int first_unit, int column, int k)
	{
		const int unit = first_unit + column % OWN, n = column / OWN * UNITS + unit;
		if (unit < UNITS && k < K)
			return TURNED ? b[n * K + k] : b[k * N + n];
		return T{};
	}
};

NNR_FUNCTION uint32_t nnr_recurrent_word(float x)
{
	return nnr_tf32_bits(x);
}

template <typename T> NNR_FUNCTION uint32_t nnr_recurrent_pair(T low, T high)
{
	return low.bits | (uint32_t)high.bits << 16;
}

/* The block's share of b to shared memory: for the tensor cores as each lane needs it. Zeroes the rows of a, which have
 * a rest where the depth is no multiple of a step. Ahead of the first product there must be a barrier. */
template <typename P>
NNR_FUNCTION void nnr_recurrent_weights(char *chip, const typename P::Element *b, int first_unit)
{
	if constexpr (P::CORES) {
		uint2 *const to = (uint2 *)chip;
#pragma unroll 4
		for (int i = threadIdx.x; i < P::TILES * P::STEPS * 32; i += NNR_RECURRENCE_THREADS) {
			const int lane = i % 32, column = i / (32 * P::STEPS) * 8 + lane / 4,
			          k = (i / 32 % P::STEPS * 8 + lane % 4) * P::WORD;
			if constexpr (P::WORD == 1)
				to[i] = make_uint2(
				        nnr_recurrent_word(P::weight(b, first_unit, column, k)),
				        nnr_recurrent_word(P::weight(b, first_unit, column, k + 4)));
			else
				to[i] = make_uint2(
				        nnr_recurrent_pair(P::weight(b, first_unit, column, k),
				                           P::weight(b, first_unit, column, k + 1)),
				        nnr_recurrent_pair(P::weight(b, first_unit, column, k + 8),
				                           P::weight(b, first_unit, column, k + 9)));
		}
	} else {
		typename P::Element *const to = (typename P::Element *)chip;
		for (int i = threadIdx.x; i < P::STEPS * 8 * P::COLUMNS; i += NNR_RECURRENCE_THREADS)
			to[i] = P::weight(b, first_unit, i % P::COLUMNS, i / P::COLUMNS);
	}
	char *const rows = chip + P::WEIGHT_BYTES;
	for (int i = threadIdx.x; i < P::COPIES * P::ROWS_BYTES / 4; i += NNR_RECURRENCE_THREADS)
		((uint32_t *)rows)[i] = 0;
}

/* Rows of a to shared memory. Other blocks wrote them: they are read where those left them, in the second cache. */
template <typename P>
NNR_FUNCTION void nnr_recurrent_rows(char *rows, const typename P::Element *a, int first_row)
{
	using T = typename P::Element;
	if constexpr (P::VECTOR) {
		constexpr int EACH = 16 / (int)sizeof(T), LONG = P::K / EACH,
		              TURNS = (NNR_RECURRENCE_ROWS * LONG + NNR_RECURRENCE_THREADS - 1) /
		                      NNR_RECURRENCE_THREADS;
		uint4 x[TURNS];
#pragma unroll
		for (int u = 0; u < TURNS; u++) {
			const int i = u * NNR_RECURRENCE_THREADS + threadIdx.x, row = first_row + i / LONG;
			x[u] = make_uint4(0, 0, 0, 0);
			if (i < NNR_RECURRENCE_ROWS * LONG && row < P::M)
				x[u] = __ldcg(
				        (const uint4 *)(a + (int64_t)row * P::A_PITCH + i % LONG * EACH));
		}
#pragma unroll
		for (int u = 0; u < TURNS; u++) {
			const int i = u * NNR_RECURRENCE_THREADS + threadIdx.x;
			if (P::CORES && P::WORD == 1) {
				float v[4];
				memcpy(v, &x[u], sizeof v);
				x[u] = make_uint4(nnr_tf32_bits(v[0]), nnr_tf32_bits(v[1]),
				                  nnr_tf32_bits(v[2]), nnr_tf32_bits(v[3]));
			}
			if (i < NNR_RECURRENCE_ROWS * LONG)
				*(uint4 *)(rows + (i / LONG * P::ROW) * P::ELEMENT_BYTES + i % LONG * 16) =
				        x[u];
		}
	} else {
		T *const to = (T *)rows;
		constexpr int ROW = P::ROW * P::WORD; /* in elements */
#pragma unroll 4
		for (int i = threadIdx.x; i < NNR_RECURRENCE_ROWS * P::K; i += NNR_RECURRENCE_THREADS) {
			const int row = first_row + i / P::K;
			const T *const from = a + (int64_t)row * P::A_PITCH + i % P::K;
			T x{};
			if constexpr (sizeof(T) == 2) {
				if (row < P::M)
					x.bits = __ldcg(&from->bits);
			} else if (row < P::M) {
				x = __ldcg(from);
				if constexpr (P::CORES)
					x = nnr_round_tf32f(x);
			}
			to[i / P::K * ROW + i % P::K] = x;
		}
	}
}

/* The sums of each tile and share of the depth. */
template <typename P>
NNR_FUNCTION void nnr_recurrent_sums(float *sums, const uint32_t *rows, const uint2 *weights)
{
	const int lane = threadIdx.x % 32;
	const uint32_t *const from = rows + lane % 16 * P::ROW + lane / 16 * 4;
	for (int job = threadIdx.x / 32; job < P::TILES * P::SPLIT; job += NNR_RECURRENCE_WARPS) {
		const int tile = job / P::SPLIT, part = job % P::SPLIT;
		float d[2][4] = {};
#pragma unroll 16
		for (int i = 0; i < P::SHARE; i++) {
			const int step = part * P::SHARE + i;
			if (step >= P::STEPS)
				break;
			uint32_t x[4];
			nnr_load_matrices(x, from + step * 8);
			const uint2 w = weights[(tile * P::STEPS + step) * 32 + lane];
			const uint32_t y[2] = {w.x, w.y};
			nnr_mma((const typename P::Element *)0, d[i % 2], x, y);
		}
		float *const to = sums + (part * NNR_RECURRENCE_ROWS + lane / 4) * P::SUMS_ROW + tile * 8 +
		                  lane % 4 * 2;
		*(float2 *)to = make_float2(d[0][0] + d[1][0], d[0][1] + d[1][1]);
		*(float2 *)(to + 8 * P::SUMS_ROW) = make_float2(d[0][2] + d[1][2], d[0][3] + d[1][3]);
	}
}

/* Gives every block of the cluster the columns from `first_column` on, PARTS times UNITS, of the next period's rows:
 * each block those that it owns, which are in `tile`. Between what wrote the tile and this there must be a barrier. */
template <typename P, int BLOCKS, int PARTS, typename Place>
NNR_FUNCTION void nnr_recurrent_send(char *chip, int next, const typename P::Element *tile, int first_column,
                                     const Place &place)
{
	constexpr int EACH = 16 / (int)sizeof(typename P::Element),
	              VECTORS = NNR_RECURRENCE_ROWS * PARTS * P::OWN / EACH;
	char *const rows = chip + P::WEIGHT_BYTES + next % 2 * P::ROWS_BYTES;
#pragma unroll 8
	for (int i = threadIdx.x; i < VECTORS * BLOCKS; i += NNR_RECURRENCE_THREADS) {
		const int rank = (i / VECTORS + blockIdx.x) % BLOCKS, e = i % VECTORS * EACH,
		          own = e % P::OWN, row = e / P::OWN % NNR_RECURRENCE_ROWS,
		          part = e / (P::OWN * NNR_RECURRENCE_ROWS);
		const int unit = place.first_unit + own;
		if (place.first_row + row >= P::M || unit >= P::UNITS)
			continue;
		uint4 x = *(const uint4 *)(tile + e);
		if constexpr (P::CORES && P::WORD == 1) {
			float v[4];
			memcpy(v, &x, sizeof v);
			x = make_uint4(nnr_tf32_bits(v[0]), nnr_tf32_bits(v[1]), nnr_tf32_bits(v[2]),
			               nnr_tf32_bits(v[3]));
		}
		char *const to = rows + row * P::ROW * P::ELEMENT_BYTES +
		                 (first_column + part * P::UNITS + unit) * (int)sizeof(typename P::Element);
		*(uint4 *)nnr_cluster_at(to, rank) = x;
	}
}

/* One product of a period; `chip` is where its share of b is. A thread writes the units that it owns. With two copies
 * of the rows, those of the first period are in memory, and the others have been sent. */
template <typename P, typename Y, typename Place>
NNR_FUNCTION void nnr_recurrent_product(char *chip, int period, const typename P::Element *a, Y y,
                                        const Place &place)
{
	using T = typename P::Element;
	char *const rows = chip + P::WEIGHT_BYTES + period % P::COPIES * P::ROWS_BYTES;
	float *const sums = (float *)(chip + P::WEIGHT_BYTES + P::COPIES * P::ROWS_BYTES);
	if (P::COPIES == 1 || period == 0) {
		nnr_recurrent_rows<P>(rows, a, place.first_row);
		__syncthreads();
	}
	if constexpr (P::CORES) {
		nnr_recurrent_sums<P>(sums, (const uint32_t *)rows, (const uint2 *)chip);
		__syncthreads();
	}
#pragma unroll
	for (int e = threadIdx.x; e < NNR_RECURRENCE_ROWS * P::OWN; e += NNR_RECURRENCE_THREADS) {
		const int own = e % P::OWN, unit = place.first_unit + own, row = e / P::OWN;
		if (place.first_row + row >= P::M || unit >= P::UNITS)
			continue;
#pragma unroll
		for (int part = 0; part < P::PARTS; part++) {
			const int column = part * P::OWN + own;
			auto &to = nnr_recurrent_at<P::Y_PITCH>(y, place.first_row + row,
			                                        part * P::UNITS + unit);
			if constexpr (P::CORES) {
				float sum = sums[row * P::SUMS_ROW + column];
#pragma unroll
				for (int s = 1; s < P::SPLIT; s++)
					sum += sums[(s * NNR_RECURRENCE_ROWS + row) * P::SUMS_ROW + column];
				to = sum;
			} else {
				const T *const x = (const T *)rows + row * P::ROW, *const w =
				                                                           (const T *)chip +
				                                                           column;
				T sum = 0;
#pragma unroll 8
				for (int k = 0; k < P::K; k++)
					sum += x[k] * w[k * P::COLUMNS];
				to = sum;
			}
		}
	}
	if constexpr (!P::CORES)
		__syncthreads(); /* the next product overwrites the rows */
}

#endif
