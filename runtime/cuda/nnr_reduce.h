/* SPDX-License-Identifier: MIT */
/* Sums and maxima in generated kernels: over a warp, a block, columns of a block, all blocks, and the blocks of a
 * cluster.
 *
 * No atomic addition of reals is anywhere: every sum has one order, so that two runs are equal bit for bit. */
#ifndef NNR_REDUCE_H
#define NNR_REDUCE_H

#include "cuda/nnr_element.h"
#include "cuda/nnr_sizes.h"

/* Over the 32 lanes of a warp, over a block of 256 threads, and over the 8 rows of a block seen as 8 rows
 * by 32 columns. All threads take part, and each gets the result. The block's can be called one after another: each
 * begins by waiting until the call before has read its parts. */
template <typename T> struct NnrSum {
	static __device__ __forceinline__ T of(T x, T y)
	{
		return x + y;
	}
};
template <typename T> struct NnrMax {
	static __device__ __forceinline__ T of(T x, T y)
	{
		return x > y || x != x ? x : y;
	}
};

/* Over LANES neighbours of a warp, a power of two: each group of them has its own. */
template <typename F, int LANES, typename T> NNR_FUNCTION T nnr_lanes_combine(T x)
{
#pragma unroll
	for (int distance = LANES / 2; distance > 0; distance /= 2)
		x = F::of(x, __shfl_xor_sync(0xffffffffu, x, distance));
	return x;
}

template <typename F, typename T> NNR_FUNCTION T nnr_warp_combine(T x)
{
	return nnr_lanes_combine<F, 32>(x);
}

/* Of THREADS threads; `part` has THREADS / 32 elements of shared memory. */
template <typename F, int THREADS, typename T> NNR_FUNCTION T nnr_wide_combine(T x, T *part)
{
	x = nnr_warp_combine<F>(x);
	__syncthreads();
	if (threadIdx.x % 32 == 0)
		part[threadIdx.x / 32] = x;
	__syncthreads();
	x = part[0];
#pragma unroll
	for (int i = 1; i < THREADS / 32; i++)
		x = F::of(x, part[i]);
	return x;
}

template <typename F, typename T> NNR_FUNCTION T nnr_block_combine(T x)
{
	__shared__ T part[NNR_BLOCK / 32];
	return nnr_wide_combine<F, NNR_BLOCK>(x, part);
}

template <typename F, typename T> NNR_FUNCTION T nnr_column_combine(T x)
{
	__shared__ T part[NNR_BLOCK];
	__syncthreads();
	part[threadIdx.x] = x;
	__syncthreads();
	x = part[threadIdx.x % 32];
#pragma unroll
	for (int row = 1; row < NNR_BLOCK / 32; row++)
		x = F::of(x, part[32 * row + threadIdx.x % 32]);
	return x;
}

#define NNR_COMBINE(over)                                          \
	template <typename T> NNR_FUNCTION T nnr_##over##_sum(T x) \
	{                                                          \
		return nnr_##over##_combine<NnrSum<T>>(x);         \
	}                                                          \
	template <typename T> NNR_FUNCTION T nnr_##over##_max(T x) \
	{                                                          \
		return nnr_##over##_combine<NnrMax<T>>(x);         \
	}
NNR_COMBINE(warp)
NNR_COMBINE(block)
NNR_COMBINE(column)
#undef NNR_COMBINE

/* The same over LANES neighbours of a warp. */
template <int LANES, typename T> NNR_FUNCTION T nnr_lanes_sum(T x)
{
	return nnr_lanes_combine<NnrSum<T>, LANES>(x);
}

template <int LANES, typename T> NNR_FUNCTION T nnr_lanes_max(T x)
{
	return nnr_lanes_combine<NnrMax<T>, LANES>(x);
}

/* The same over a block of THREADS threads. */
template <int THREADS, typename T> NNR_FUNCTION T nnr_wide_sum(T x)
{
	__shared__ T part[THREADS / 32];
	return nnr_wide_combine<NnrSum<T>, THREADS>(x, part);
}

template <int THREADS, typename T> NNR_FUNCTION T nnr_wide_max(T x)
{
	__shared__ T part[THREADS / 32];
	return nnr_wide_combine<NnrMax<T>, THREADS>(x, part);
}

/* True in every thread of the block that arrives last of `blocks`. What the others wrote before they arrived can then
 * be read (past the L1 cache: __ldcg); the counter is zero again. */
NNR_FUNCTION bool nnr_last_block(unsigned *counter, unsigned blocks)
{
	__shared__ bool last;
	__threadfence();
	__syncthreads();
	if (threadIdx.x == 0)
		last = atomicInc(counter, blocks - 1) == blocks - 1;
	__syncthreads();
	__threadfence();
	return last;
}

/* A block of THREADS threads as teams of TEAM neighbouring ones, whole warps, each with rows of its own: the sums
 * (maxima) over a team of several values at once; every thread of it gets them. All threads of the block take part. */
template <typename F, int TEAM, int THREADS, typename T, int COUNT>
NNR_FUNCTION void nnr_team_combine(T (&x)[COUNT])
{
	__shared__ T part[COUNT][THREADS / 32];
#pragma unroll
	for (int k = 0; k < COUNT; k++)
		x[k] = nnr_warp_combine<F>(x[k]);
	if (TEAM == 32)
		return;
	__syncthreads();
#pragma unroll
	for (int k = 0; k < COUNT; k++)
		if (threadIdx.x % 32 == 0)
			part[k][threadIdx.x / 32] = x[k];
	__syncthreads();
	const int first = threadIdx.x / TEAM * (TEAM / 32);
#pragma unroll
	for (int k = 0; k < COUNT; k++) {
		x[k] = part[k][first];
#pragma unroll
		for (int i = 1; i < TEAM / 32; i++)
			x[k] = F::of(x[k], part[k][first + i]);
	}
}

/* Of two values as of one: the threads wait once for both. */
template <typename F, int TEAM, int THREADS, typename T, int COUNT>
NNR_FUNCTION void nnr_team_combine(T (&x)[COUNT], T (&y)[COUNT])
{
	T both[2 * COUNT];
#pragma unroll
	for (int k = 0; k < COUNT; k++)
		both[k] = x[k], both[COUNT + k] = y[k];
	nnr_team_combine<F, TEAM, THREADS>(both);
#pragma unroll
	for (int k = 0; k < COUNT; k++)
		x[k] = both[k], y[k] = both[COUNT + k];
}

template <int TEAM, int THREADS, typename T, int COUNT, typename... More>
NNR_FUNCTION void nnr_team_sums(T (&x)[COUNT], More &...more)
{
	nnr_team_combine<NnrSum<T>, TEAM, THREADS>(x, more...);
}

template <int TEAM, int THREADS, typename T, int COUNT, typename... More>
NNR_FUNCTION void nnr_team_maxs(T (&x)[COUNT], More &...more)
{
	nnr_team_combine<NnrMax<T>, TEAM, THREADS>(x, more...);
}

/* Lane by lane over the teams of a block, in ascending order; every team gets the sums. What a thread has read of one
 * half of `part` is there until all threads have come to the barrier of the next value. */
template <int TEAM, int THREADS, typename T, int COUNT> NNR_FUNCTION void nnr_teams_add(T (&x)[COUNT])
{
	__shared__ T part[2][THREADS];
	if (TEAM == THREADS)
		return;
	__syncthreads();
#pragma unroll
	for (int k = 0; k < COUNT; k++) {
		part[k % 2][threadIdx.x] = x[k];
		__syncthreads();
		x[k] = part[k % 2][threadIdx.x % TEAM];
#pragma unroll
		for (int team = 1; team < THREADS / TEAM; team++)
			x[k] += part[k % 2][team * TEAM + threadIdx.x % TEAM];
	}
}

/* Sums over all blocks, lane by lane of their teams, in two steps: each group of NNR_GROUP blocks, then the groups,
 * always in the same order. partial: COUNT * TEAM elements, a part, for each block and after those for each group. */

/* Leaves x, which every team has, as one part. */
template <int TEAM, typename T, int COUNT>
NNR_FUNCTION void nnr_part_leave(const T (&x)[COUNT], T *partial, unsigned part)
{
	if (threadIdx.x < TEAM)
#pragma unroll
		for (int k = 0; k < COUNT; k++)
			partial[(part * COUNT + k) * TEAM + threadIdx.x] = x[k];
}

/* The sum of `count` parts that other blocks have left: each team takes every so many. */
template <int TEAM, int THREADS, typename T, int COUNT>
NNR_FUNCTION void nnr_parts_add(T (&x)[COUNT], const T *partial, unsigned first, unsigned count)
{
#pragma unroll
	for (int k = 0; k < COUNT; k++)
		x[k] = 0;
#pragma unroll 4
	for (unsigned i = first + threadIdx.x / TEAM; i < first + count; i += THREADS / TEAM)
#pragma unroll
		for (int k = 0; k < COUNT; k++)
			x[k] += __ldcg(&partial[(i * COUNT + k) * TEAM + threadIdx.x % TEAM]);
	nnr_teams_add<TEAM, THREADS>(x);
}

/* By a block whose sums another kernel adds up. */
template <int TEAM, int THREADS, typename T, int COUNT>
NNR_FUNCTION void nnr_sums_leave(T (&x)[COUNT], T *partial)
{
	nnr_teams_add<TEAM, THREADS>(x);
	nnr_part_leave<TEAM>(x, partial, blockIdx.x);
}

/* By the blocks whose x is added up. True in the block that arrives last, which then has the sums. done: a counter for
 * all groups and one for each. */
template <int TEAM, int THREADS, typename T, int COUNT>
NNR_FUNCTION bool nnr_blocks_sum(T (&x)[COUNT], T *partial, unsigned *done, unsigned blocks)
{
	const unsigned group = blockIdx.x / NNR_GROUP, groups = (blocks + NNR_GROUP - 1) / NNR_GROUP,
	               first = group * NNR_GROUP, count = min(blocks - first, (unsigned)NNR_GROUP);
	nnr_sums_leave<TEAM, THREADS>(x, partial);
	if (!nnr_last_block(&done[1 + group], count))
		return false;
	nnr_parts_add<TEAM, THREADS>(x, partial, first, count);
	nnr_part_leave<TEAM>(x, partial, blocks + group);
	if (!nnr_last_block(done, groups))
		return false;
	nnr_parts_add<TEAM, THREADS>(x, partial, blocks, groups);
	return true;
}

/* By a kernel of its own, whose blocks have NNR_SUM_LANES lanes of a team each: all parts that the blocks of THREADS
 * threads have left, added in the order of nnr_blocks_sum. True in the threads that then have the sums of a lane, which
 * is number threadIdx.x of the block's. GROUPS: of the parts. */
template <int TEAM, int THREADS, int GROUPS, typename T, int COUNT>
NNR_FUNCTION bool nnr_sums_take(T (&x)[COUNT], const T *partial, int blocks)
{
	constexpr int teams = THREADS / TEAM, columns = NNR_SUM_LANES * COUNT, items = GROUPS * columns,
	              threads = items < NNR_SUM_THREADS ? (items + 31) / 32 * 32 : NNR_SUM_THREADS;
	__shared__ T part[GROUPS][columns];
	const T *const from = partial + blockIdx.x * NNR_SUM_LANES;
	for (int i = threadIdx.x; i < items; i += threads) {
		const int group = i / columns, column = i % columns, first = group * NNR_GROUP;
		const int at = column / NNR_SUM_LANES * TEAM + column % NNR_SUM_LANES;
		T value[NNR_GROUP], total = 0;
#pragma unroll
		for (int k = 0; k < NNR_GROUP; k++)
			value[k] = first + k < blocks ? __ldcg(&from[(first + k) * (COUNT * TEAM) + at]) : 0;
#pragma unroll
		for (int team = 0; team < teams; team++) {
			T sum = 0;
#pragma unroll
			for (int k = team; k < NNR_GROUP; k += teams)
				sum += value[k];
			total = team == 0 ? sum : total + sum;
		}
		part[group][column] = total;
	}
	__syncthreads();
	for (int column = threadIdx.x; column < columns; column += threads) {
		T total = 0;
		for (int team = 0; team < teams && team < GROUPS; team++) {
			T sum = 0;
			for (int group = team; group < GROUPS; group += teams)
				sum += part[group][column];
			total = team == 0 ? sum : total + sum;
		}
		part[0][column] = total;
	}
	__syncthreads();
	if (threadIdx.x >= NNR_SUM_LANES)
		return false;
#pragma unroll
	for (int k = 0; k < COUNT; k++)
		x[k] = part[0][k * NNR_SUM_LANES + threadIdx.x];
	return true;
}

/* ---- Sums over the rows of a slab of `width` columns: four neighbouring columns a thread, and the rows spread over
 * the rest of the block and over the blocks of a cluster. All sums of one kind go together: `size` is their number
 * times `width`, and sum i of a column stands at i * width + column. */

/* Adds x over the lanes of the warp that have the same columns. At each step half of what a lane holds goes to its
 * partner and the other half stays, so that the lanes end with different sums; what is left undivided ends in the lower
 * lanes. */
template <typename F, int width, int size, int count, int distance, typename T>
NNR_FUNCTION void nnr_slab_fold(T *parts, T *x, int first, bool owner)
{
	const int lane = threadIdx.x % 32;
	const bool upper = lane & distance;
	if constexpr (distance >= 32) {
		if (owner)
#pragma unroll
			for (int j = 0; j < count; j++)
				parts[(first + j) / 4 * width + lane % (width / 4) * 4 + (first + j) % 4] =
				        x[j];
	} else if constexpr (count % 2 == 0) {
#pragma unroll
		for (int j = 0; j < count / 2; j++) {
			const T stays = upper ? x[count / 2 + j] : x[j],
			        goes = upper ? x[j] : x[count / 2 + j];
			x[j] = F::of(stays, __shfl_xor_sync(0xffffffffu, goes, distance));
		}
		nnr_slab_fold<F, width, size, count / 2, 2 * distance>(
		        parts, x, first + (upper ? count / 2 : 0), owner);
	} else {
#pragma unroll
		for (int j = 0; j < count; j++)
			x[j] = F::of(x[j], __shfl_xor_sync(0xffffffffu, x[j], distance));
		nnr_slab_fold<F, width, size, count, 2 * distance>(parts, x, first, owner && !upper);
	}
}

/* Each warp leaves its sums in `parts`, `size` elements a warp. */
template <typename F, int width, typename T, typename... More>
NNR_FUNCTION void nnr_slab_leave(T *parts, const T (&x)[4], const More &...more)
{
	constexpr int count = 4 * (1 + sizeof...(more)), size = width * (1 + sizeof...(more));
	const T *const from[] = {x, more...};
	T all[count];
#pragma unroll
	for (int j = 0; j < count; j++)
		all[j] = from[j / 4][j % 4];
	nnr_slab_fold<F, width, size, count, width / 4>(parts + threadIdx.x / 32 * size, all, 0, true);
}

/* One column's sum over `count` parts, in their order: of the warps of a block, or of the blocks of a cluster. */
template <typename F, int size, int count, typename T> NNR_FUNCTION T nnr_slab_take(const T *parts)
{
	T x = parts[0];
#pragma unroll
	for (int i = 1; i < count; i++)
		x = F::of(x, parts[i * size]);
	return x;
}

/* Four neighbouring elements as they are in memory: a row of a tensor that stays in registers, 16 bits as 16 bits. What
 * is first read after an exchange is loaded `now`, since the compiler would put that off until then. */
template <typename T> struct alignas(sizeof(T) < 4 ? 4 * sizeof(T) : 16) NnrRaw4 {
	unsigned word[sizeof(T)];
};

template <typename T> NNR_FUNCTION void nnr_load4(NnrRaw4<T> &to, const T *p)
{
	const NnrRaw4<T> &from = *(const NnrRaw4<T> *)p;
	to = from;
}

/* And eight. */
template <typename T> struct alignas(sizeof(T) < 2 ? 8 : 16) NnrRaw8 {
	unsigned word[2 * sizeof(T)];
};

template <typename T> NNR_FUNCTION void nnr_load8(NnrRaw8<T> &to, const T *p)
{
	const NnrRaw8<T> &from = *(const NnrRaw8<T> *)p;
	to = from;
}

template <typename T, typename S> NNR_FUNCTION void nnr_load8(T (&to)[8], const NnrRaw8<S> &raw)
{
	nnr_load8(to, (const S *)raw.word);
}

template <typename T> NNR_FUNCTION void nnr_load4_now(NnrRaw4<T> &to, const T *p)
{
#ifdef NNR_EMULATED
	nnr_load4(to, p);
#else
	unsigned *w = to.word;
	if constexpr (sizeof(T) == 1)
		asm volatile("ld.global.b32 %0, [%1];" : "=r"(w[0]) : "l"(p));
	else if constexpr (sizeof(T) == 2)
		asm volatile("ld.global.v2.b32 {%0, %1}, [%2];" : "=r"(w[0]), "=r"(w[1]) : "l"(p));
	else
#pragma unroll
		for (int i = 0; i < (int)sizeof(T); i += 4)
			asm volatile("ld.global.v4.b32 {%0, %1, %2, %3}, [%4];"
			             : "=r"(w[i]), "=r"(w[i + 1]), "=r"(w[i + 2]), "=r"(w[i + 3])
			             : "l"((const unsigned *)p + i));
#endif
}

template <typename T, typename S> NNR_FUNCTION void nnr_load4(T (&to)[4], const NnrRaw4<S> &raw)
{
	nnr_load4(to, (const S *)raw.word);
}

/* Adds what another block has left in memory. */
template <typename F, typename T> NNR_FUNCTION void nnr_combine4(T (&x)[4], const T *part)
{
#pragma unroll
	for (int u = 0; u < 4; u++)
		x[u] = F::of(x[u], __ldcg(part + u));
}

/* ---- The blocks of a cluster write into each other's shared memory, and count there what has arrived: an NnrArrivals
 * for each exchange, since none is used twice.
 *
 * Each block says how many bytes it expects, then nnr_cluster_arrive, both at its start; nnr_cluster_wait, ahead of the
 * first send, is after the start of all blocks. A block that has waited for its bytes may end: nobody writes to it any
 * more, and its own have a place to arrive at as long as the others wait for theirs. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
typedef uint64_t NnrArrivals;

#ifndef NNR_EMULATED
NNR_FUNCTION unsigned nnr_shared_address(const void *p)
{
	return (unsigned)__cvta_generic_to_shared(p);
}
#endif

/* By all threads of the block. The barrier of the warp is for racecheck, which reports a hazard within the warp where
 * the counter is made and then counted in by one thread. */
NNR_FUNCTION void nnr_cluster_expect(NnrArrivals *arrivals, unsigned bytes)
{
#ifdef NNR_EMULATED
	if (threadIdx.x == 0)
		emulated_expect(arrivals, bytes);
#else
	const unsigned at = nnr_shared_address(arrivals);
	if (threadIdx.x == 0)
		asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at) : "memory");
	__syncwarp();
	if (threadIdx.x != 0)
		return;
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at), "r"(bytes) : "memory");
	asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}

NNR_FUNCTION void nnr_cluster_arrive()
{
	__cluster_barrier_arrive_relaxed();
}

NNR_FUNCTION void nnr_cluster_wait()
{
	__cluster_barrier_wait();
}

/* Writes x to the same place in the block of that rank and counts it there. */
template <typename T> NNR_FUNCTION void nnr_cluster_send(T *to, NnrArrivals *arrivals, int rank, T x)
{
#ifdef NNR_EMULATED
	emulated_send(to, arrivals, (unsigned)rank, &x, sizeof x);
#else
	static_assert(sizeof(T) == 4 || sizeof(T) == 8, "what st.async stores");
	const unsigned at = nnr_shared_address(to), counter_at = nnr_shared_address(arrivals);
	unsigned there, counter;
	asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at), "r"(rank));
	asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(counter) : "r"(counter_at), "r"(rank));
#define NNR_SEND(bits, constraint, type)                                           \
	asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes." bits \
	             " [%0], %1, [%2];" ::"r"(there),                              \
	             constraint(*(const type *)&x), "r"(counter)                   \
	             : "memory")
	if constexpr (sizeof(T) == 8)
		NNR_SEND("b64", "l", unsigned long long);
	else
		NNR_SEND("b32", "r", unsigned);
#undef NNR_SEND
#endif
}

/* Until all bytes have arrived, which this thread can read then. */
NNR_FUNCTION void nnr_cluster_await(NnrArrivals *arrivals)
{
#ifdef NNR_EMULATED
	emulated_await_arrivals(arrivals);
#else
	unsigned arrived;
	do
		asm volatile("{\n"
		             ".reg .pred p;\n"
		             "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0;\n"
		             "selp.u32 %0, 1, 0, p;\n"
		             "}"
		             : "=r"(arrived)
		             : "r"(nnr_shared_address(arrivals))
		             : "memory");
	while (!arrived);
#endif
}

/* After a barrier of the block: adds up what its warps have left, and gives it to all[rank] of every block. */
template <typename F, int size, int threads, int blocks, typename T>
NNR_FUNCTION void nnr_slab_send(T *all, NnrArrivals *arrivals, const T *parts)
{
#pragma unroll
	for (int first = 0; first < size; first += threads) {
		const int i = first + threadIdx.x;
		if (i >= size)
			return;
		const T x = nnr_slab_take<F, size, threads / 32>(parts + i);
#pragma unroll
		for (int rank = 0; rank < blocks; rank++)
			nnr_cluster_send(all + blockIdx.x % blocks * size + i, arrivals, rank, x);
	}
}

/* Everything that a block of the cluster wrote before it leaves, all others read after they have met. */
NNR_FUNCTION void nnr_cluster_leave()
{
#ifdef NNR_EMULATED
	emulated_cluster_arrive();
#else
	asm volatile("barrier.cluster.arrive.release;" ::: "memory");
#endif
}

NNR_FUNCTION void nnr_cluster_meet()
{
#ifdef NNR_EMULATED
	emulated_cluster_wait();
#else
	asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
#endif
}

/* Where the block of that rank in the cluster has what this block has at p, in its shared memory. */
template <typename T> NNR_FUNCTION T *nnr_cluster_at(T *p, int rank)
{
#ifdef NNR_EMULATED
	return (T *)emulated_chip_at(p, (unsigned)rank);
#else
	T *there;
	asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(p), "r"(rank));
	return there;
#endif
}

/* Over a row that PARTS blocks of a cluster share, THREADS threads each. `meetings` counts the calls, of which two in a
 * row leave their parts in different places of `chip`, 128 bytes: a block is done with the one before the last when all
 * have come to the last. All blocks have called nnr_cluster_leave before the first. */
template <typename F, int THREADS, int PARTS, typename T>
NNR_FUNCTION T nnr_parts_combine(T x, char *chip, int &meetings)
{
	__shared__ T part[THREADS / 32];
	T *const all = (T *)(chip + 64 * (meetings % 2));
	x = nnr_wide_combine<F, THREADS>(x, part);
	if (meetings++ == 0)
		nnr_cluster_meet();
	if (threadIdx.x < PARTS)
		nnr_cluster_at(all, threadIdx.x)[blockIdx.x % PARTS] = x;
	nnr_cluster_leave();
	nnr_cluster_meet();
	x = all[0];
#pragma unroll
	for (int i = 1; i < PARTS; i++)
		x = F::of(x, all[i]);
	return x;
}

template <int THREADS, int PARTS, typename T> NNR_FUNCTION T nnr_parts_sum(T x, char *chip, int &meetings)
{
	return nnr_parts_combine<NnrSum<T>, THREADS, PARTS>(x, chip, meetings);
}

template <int THREADS, int PARTS, typename T> NNR_FUNCTION T nnr_parts_max(T x, char *chip, int &meetings)
{
	return nnr_parts_combine<NnrMax<T>, THREADS, PARTS>(x, chip, meetings);
}
#endif

#endif
