/* SPDX-License-Identifier: MIT */
/* Copies of single threads to shared memory, while they go on. */
#ifndef NNR_FETCH_H
#define NNR_FETCH_H

#include "cuda/nnr_control.h"

/* SIZE bytes, 4 or 16, from memory to shared memory, while the thread goes on. nnr_block_commit makes a group of those
 * so far; nnr_block_await waits for all groups of this thread but the last LATER. */
template <int SIZE> NNR_FUNCTION void nnr_fetch(char *to, const char *from)
{
#ifdef NNR_EMULATED
	emulated_fetch(to, from, SIZE);
#else
	const unsigned at = (unsigned)__cvta_generic_to_shared(to);
	if constexpr (SIZE == 16)
		asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from));
	else
		asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(from));
#endif
}

/* SIZE bytes, 4, 8 or 16, or zeros, for which `from` is not read. */
template <int SIZE> NNR_FUNCTION void nnr_fetch_or_zero(void *to, const void *from, bool there)
{
#ifdef NNR_EMULATED
	alignas(16) static const char zeros[16] = {};
	emulated_fetch(to, there ? from : zeros, SIZE);
#else
	const unsigned at = (unsigned)__cvta_generic_to_shared(to), bytes = there ? SIZE : 0;
	if constexpr (SIZE == 16)
		asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(from),
		             "r"(bytes));
	else if constexpr (SIZE == 8)
		asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(at), "l"(from), "r"(bytes));
	else
		asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at), "l"(from), "r"(bytes));
#endif
}

NNR_FUNCTION void nnr_block_commit()
{
#ifdef NNR_EMULATED
	emulated_commit();
#else
	asm volatile("cp.async.commit_group;");
#endif
}

template <int LATER> NNR_FUNCTION void nnr_block_await()
{
#ifdef NNR_EMULATED
	emulated_await(LATER);
#else
	asm volatile("cp.async.wait_group %0;" ::"n"(LATER) : "memory");
#endif
}

/* A row of COUNT elements to shared memory, by THREADS threads: then all of them may read it. BYTES: 16 or 4, which go
 * at once, and which both begin at a multiple of; what is left of a row's last ones can be read, and written. 0: by
 * elements. */
template <int THREADS, int COUNT, int BYTES, typename T> NNR_FUNCTION void nnr_row_copy(T *to, const T *from)
{
	if constexpr (BYTES > 0) {
		for (int i = threadIdx.x; i < (COUNT * (int)sizeof(T) + BYTES - 1) / BYTES; i += THREADS)
			nnr_fetch<BYTES>((char *)to + BYTES * i, (const char *)from + BYTES * i);
		nnr_block_commit();
		nnr_block_await<0>();
	} else {
#pragma unroll 8
		for (int i = threadIdx.x; i < COUNT; i += THREADS)
			to[i] = from[i];
	}
	__syncthreads();
}

/* Has a row of COUNT elements brought to the cache, by THREADS threads, which go on. */
template <int THREADS, int COUNT, typename T> NNR_FUNCTION void nnr_row_ahead(const T *from)
{
#ifndef NNR_EMULATED
	for (int i = threadIdx.x * 128; i < COUNT * (int)sizeof(T); i += THREADS * 128)
		asm volatile("prefetch.global.L2 [%0];" ::"l"((const char *)from + i));
#endif
}

#endif
