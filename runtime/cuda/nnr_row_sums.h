/* SPDX-License-Identifier: MIT */
/* Sums of rows by an index, which is the gradient of a table by the rows that were looked up: what generated kernels
 * call (compiler/kernels/embed_cuda.c).
 *
 * A block of 256 threads has ROWS rows of the table and a slab of its columns, whose sums are in shared memory, and
 * goes through a part of the indices in rounds. In a round each warp lists those indices of its share that name one
 * of the rows, 128 at the most; the block sorts the lists by row, places of a row staying in order; and its teams of
 * LANES threads take even parts of the sorted list, each summing up one row after another in registers. A row that a
 * team has from its first place on goes to the sums; the end of one that began in the team before is carried, and the
 * carries are added in the order of the teams. So a round takes as long for 1024 places of one row as for those of
 * many.
 *
 * Every sum has one order, which the indices alone decide: two runs are equal bit for bit. */
#ifndef NNR_ROW_SUMS_H
#define NNR_ROW_SUMS_H

#include "cuda/nnr_element.h"
#include "cuda/nnr_reduce.h"

/* What the threads of a block share. A team has LANES threads of WIDTH columns each. */
template <typename T, int ROWS_, int LANES_, int WIDTH_> struct NnrRowSums {
	using Element = T;
	static constexpr int ROWS = ROWS_, LANES = LANES_, WIDTH = WIDTH_, COLUMNS = LANES * WIDTH;
	static constexpr int WARPS = NNR_BLOCK / 32, TEAMS = NNR_BLOCK / LANES;
	static constexpr int TURNS = 4, LISTED = 32 * TURNS; /* indices that a warp lists in a round */
	static_assert(ROWS <= NNR_BLOCK, "a thread counts the places of a row, whose number is of 8 bits");

	alignas(16) T sums[ROWS * COLUMNS];
	alignas(16) T carry[TEAMS * COLUMNS];
	int carried_row[TEAMS];      /* -1: nothing is carried */
	int place[WARPS * LISTED];   /* the hits of a round: which index, */
	uint8_t row[WARPS * LISTED]; /* and the row that it names */
	uint16_t count
	        [WARPS]
	        [ROWS]; /* of a warp's hits of a row; then where the first of them is in the sorted list */
	int total[WARPS];
};

/* Lists the hits among the indices from `at` to `end` of a warp; how many. `at` moves on, to `end` or to where the
 * list is full. */
template <typename S, typename I>
NNR_FUNCTION int nnr_rows_list(S &s, const I *index, int &at, int end, int first_row)
{
	constexpr int AHEAD = 8; /* loads in flight */
	const int lane = threadIdx.x % 32, list = threadIdx.x / 32 * S::LISTED;
	int listed = 0;
	while (at < end && listed <= S::LISTED - 32) {
		int row[AHEAD];
#pragma unroll
		for (int k = 0; k < AHEAD; k++)
			row[k] = at + 32 * k + lane < end ? (int)index[at + 32 * k + lane] - first_row : -1;
#pragma unroll
		for (int k = 0; k < AHEAD; k++) {
			if (listed > S::LISTED - 32)
				break;
			const bool hit = (unsigned)row[k] < (unsigned)S::ROWS;
			const unsigned hits = __ballot_sync(0xffffffffu, hit);
			if (hit) {
				const int to = list + listed + __popc(hits & ((1u << lane) - 1));
				s.place[to] = at + lane;
				s.row[to] = (uint8_t)row[k];
			}
			listed += __popc(hits);
			at += 32;
		}
	}
	return listed;
}

/* Sorts the lists of all warps into one, by row; its length. Hits of a row stay in the order of the lists. */
template <typename S> NNR_FUNCTION int nnr_rows_sort(S &s, int listed)
{
	const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	for (int row = lane; row < S::ROWS; row += 32)
		s.count[warp][row] = 0;
	__syncwarp();
	int place[S::TURNS], row[S::TURNS],
	        rank[S::TURNS]; /* the rank: of a hit among those of its row and warp */
#pragma unroll
	for (int turn = 0; turn < S::TURNS; turn++) {
		const int at = turn * 32 + lane;
		const bool is_there = at < listed;
		place[turn] = is_there ? s.place[warp * S::LISTED + at] : 0;
		row[turn] = is_there ? s.row[warp * S::LISTED + at] : -1;
		const unsigned same = __match_any_sync(0xffffffffu, row[turn]),
		               before = same & ((1u << lane) - 1);
		const int first = is_there ? s.count[warp][row[turn]] : 0;
		rank[turn] = first + __popc(before);
		__syncwarp();
		if (is_there && before == 0)
			s.count[warp][row[turn]] = (uint16_t)(first + __popc(same));
		__syncwarp();
	}
	__syncthreads();
	int own = 0; /* of the row whose number is the thread's */
	if (threadIdx.x < S::ROWS)
#pragma unroll
		for (int w = 0; w < S::WARPS; w++)
			own += s.count[w][threadIdx.x];
	int through = own; /* and of those before it in the warp */
#pragma unroll
	for (int distance = 1; distance < 32; distance *= 2) {
		const int more = __shfl_sync(0xffffffffu, through, max(lane - distance, 0));
		through += lane >= distance ? more : 0;
	}
	if (lane == 31)
		s.total[warp] = through;
	__syncthreads();
	int first = through - own, length = 0;
#pragma unroll
	for (int w = 0; w < S::WARPS; w++) {
		first += w < warp ? s.total[w] : 0;
		length += s.total[w];
	}
	if (threadIdx.x < S::ROWS)
#pragma unroll
		for (int w = 0; w < S::WARPS; w++) {
			const int count = s.count[w][threadIdx.x];
			s.count[w][threadIdx.x] = (uint16_t)first;
			first += count;
		}
	__syncthreads();
#pragma unroll
	for (int turn = 0; turn < S::TURNS; turn++)
		if (row[turn] >= 0) {
			const int to = s.count[warp][row[turn]] + rank[turn];
			s.place[to] = place[turn];
			s.row[to] = (uint8_t)row[turn];
		}
	__syncthreads();
	return length;
}

template <bool ALIGNED, typename T> NNR_FUNCTION void nnr_rows_load(T (&to)[4], const T *from)
{
	if (ALIGNED)
		nnr_load4(to, from);
	else
		nnr_load4_unaligned(to, from);
}

template <bool ALIGNED, typename T> NNR_FUNCTION void nnr_rows_load(T (&to)[1], const T *from)
{
	to[0] = *from;
}

/* Adds this team's part of the sorted list. `x`: the columns of this thread in the first row of what is added, which is
 * `stride` columns wide; where `inside` does not hold, there are none. */
template <bool ALIGNED, typename S>
NNR_FUNCTION void nnr_rows_take(S &s, const typename S::Element *x, int64_t stride, bool inside, int length)
{
	using T = typename S::Element;
	constexpr int AHEAD = 8; /* loads in flight */
	const int team = threadIdx.x / S::LANES, lane = threadIdx.x % S::LANES;
	const int first = team * length / S::TEAMS, end = (team + 1) * length / S::TEAMS;
	bool carries = first > 0 && first < end && s.row[first] == s.row[first - 1];
	if (lane == 0)
		s.carried_row[team] = carries ? s.row[first] : -1;
	T sum[S::WIDTH] = {0};
	for (int from = first; from < end; from += AHEAD) {
		T value[AHEAD][S::WIDTH] = {{0}};
#pragma unroll
		for (int k = 0; k < AHEAD; k++)
			if (inside && from + k < end)
				nnr_rows_load<ALIGNED>(value[k], x + s.place[from + k] * stride);
#pragma unroll
		for (int k = 0; k < AHEAD; k++) {
			if (from + k >= end)
				break;
			const int row = s.row[from + k];
			const bool ends = from + k + 1 == end || s.row[from + k + 1] != row;
#pragma unroll
			for (int u = 0; u < S::WIDTH; u++)
				sum[u] += value[k][u];
			if (!ends)
				continue;
			T *const to = (carries ? s.carry + team * S::COLUMNS : s.sums + row * S::COLUMNS) +
			              lane * S::WIDTH;
#pragma unroll
			for (int u = 0; u < S::WIDTH; u++) {
				to[u] = carries ? sum[u] : to[u] + sum[u];
				sum[u] = 0;
			}
			carries = false;
		}
	}
}

/* Adds what the teams carried. */
template <typename S> NNR_FUNCTION void nnr_rows_carry(S &s)
{
	if (threadIdx.x < S::COLUMNS)
#pragma unroll 8
		for (int team = 0; team < S::TEAMS; team++)
			if (s.carried_row[team] >= 0)
				s.sums[s.carried_row[team] * S::COLUMNS + threadIdx.x] +=
				        s.carry[team * S::COLUMNS + threadIdx.x];
}

/* The sums over `count` indices into s.sums, which all threads of the block can read then. `x`: where the block's
 * columns begin in the first row of what is added, whose rows are `stride` apart and have `columns` more from there
 * on. */
template <bool ALIGNED, typename S, typename I>
NNR_FUNCTION void nnr_rows_sum(S &s, const typename S::Element *x, int64_t stride, int columns,
                               const I *index, int count, int first_row)
{
	const int column = threadIdx.x % S::LANES * S::WIDTH;
	const int share = (count + NNR_BLOCK - 1) / NNR_BLOCK * 32;
	int at = threadIdx.x / 32 * share;
	const int end = min(at + share, count);
	for (int i = threadIdx.x; i < S::ROWS * S::COLUMNS; i += NNR_BLOCK)
		s.sums[i] = 0;
	for (bool more = true; more;) {
		const int listed = nnr_rows_list(s, index, at, end, first_row);
		more = __syncthreads_or(at < end);
		if (!__syncthreads_or(listed > 0))
			continue;
		const int length = nnr_rows_sort(s, listed);
		nnr_rows_take<ALIGNED>(s, x + column, stride, column < columns, length);
		__syncthreads();
		nnr_rows_carry(s);
	}
	__syncthreads();
}

/* Leaves the sums for the block that adds those of all parts. */
template <typename S> NNR_FUNCTION void nnr_rows_leave(const S &s, typename S::Element *part)
{
	static_assert(S::ROWS * S::COLUMNS % 4 == 0, "whole vectors");
#pragma unroll 4
	for (int i = threadIdx.x; i < S::ROWS * S::COLUMNS / 4; i += NNR_BLOCK)
		nnr_store4(part + 4 * i, s.sums + 4 * i);
}

/* Adds what another block has left. */
NNR_FUNCTION void nnr_rows_add(float (&x)[4], const float *part)
{
	const float4 v = __ldcg((const float4 *)part);
	x[0] += v.x, x[1] += v.y, x[2] += v.z, x[3] += v.w;
}

NNR_FUNCTION void nnr_rows_add(double (&x)[4], const double *part)
{
	const double2 v = __ldcg((const double2 *)part), w = __ldcg((const double2 *)part + 1);
	x[0] += v.x, x[1] += v.y, x[2] += w.x, x[3] += w.y;
}

template <typename T> NNR_FUNCTION void nnr_rows_add(T &x, const T *part)
{
	x += __ldcg(part);
}

#endif
