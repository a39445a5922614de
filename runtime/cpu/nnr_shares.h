/* SPDX-License-Identifier: MIT */
/* Shares of rows for threads that each go through several steps by themselves: those of a recurrence. */
#ifndef NNR_SHARES_H
#define NNR_SHARES_H

#include <stdint.h>

#ifdef _OPENMP
int omp_get_num_threads(void);
int omp_get_thread_num(void);
#endif

typedef struct NnrRows {
	int64_t first, end;
} NnrRows;

/* The calling thread's share of `rows`: in every step of a parallel region the same. */
static inline NnrRows nnr_rows(int64_t rows)
{
#ifdef _OPENMP
	const int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
#else
	const int64_t threads = 1, thread = 0;
#endif
	return (NnrRows){rows * thread / threads, rows * (thread + 1) / threads};
}

#endif
