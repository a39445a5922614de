/* SPDX-License-Identifier: MIT */
/* One record for what carries numbers between ranks: MPI (mpi.c) and sockets (sockets.c) fill it in for memory of the
 * host, NCCL (../cuda/nccl.c) for a GPU's, and what a test makes fail.
 *
 * All ranks call the same functions in the same order with the same counts. Each returns NULL, or why it failed, a text
 * that stays; then nothing more can be sent, and the process is to end. Counts are of elements. Results are equal bit
 * for bit on all ranks. */
#ifndef NNR_COMMUNICATOR_H
#define NNR_COMMUNICATOR_H

#include "runtime/nnr.h"

typedef enum { REDUCE_SUM, REDUCE_MAX } ReduceOp;
typedef enum { SIGN_NONE, SIGN_OF_LIFE, SIGN_OF_END } Sign;

/* What rank r has of the elements first to first + count - 1: where it stands among them, and how many there are. */
typedef struct RankPart {
	int64_t at, count;
} RankPart;

static inline RankPart rank_part(int64_t r, int64_t share, int64_t first, int64_t count)
{
	int64_t begin = r * share - first, end = begin + share;
	begin = begin > 0 ? begin : 0;
	end = end < count ? end : count;
	return begin < end ? (RankPart){begin, end - begin} : (RankPart){0, 0};
}

typedef struct Communicator {
	const char *name; /* "MPI", "NCCL" */
	/* The sums (or maxima) over the ranks, f32 or f64, in the place of this rank's numbers. Or sums of bf16, which
	 * are added in f32, in the order of the ranks, and rounded once. */
	const char *(*all_reduce)(void *at, NnrDType dtype, int64_t count, ReduceOp op);
	/* The sums over the ranks, f32 or f64, of the elements first to first + count - 1 of a whole, which stand at
	 * `at`: rank r gets those of the whole's r-th `share` elements, at their place in `at`, which may be none. What
	 * else is in `at` is lost. */
	const char *(*reduce_scatter)(void *at, NnrDType dtype, int64_t first, int64_t count, int64_t share);
	/* Rank r has the r-th `share` of the `whole` bytes, the last ranks fewer or none; it stands at its place in
	 * `at`, and then everybody's do. */
	const char *(*all_gather)(void *at, int64_t share, int64_t whole);
	/* Rank 0's bytes. */
	const char *(*broadcast)(void *at, int64_t bytes);
	const char *(*barrier)(void);
	/* Whether the other ranks are there, as far as the library knows. */
	const char *(*check)(void);
	/* Ends all ranks, with this status where the library can say it. */
	void (*abort)(int status);
	/* All ranks have come and exchanged something: until then waiting has a limit of its own, from here on watch.c
	 * gives it one. NULL: it makes no difference. */
	void (*met)(void);
	/* The end of a run that went well. */
	void (*close)(void);
	/* For watch.c, from a thread of its own: a sign of life to another rank, and what has come from one. NULL: the
	 * library can't do that. `star`: there are ways between rank 0 and each other rank alone. */
	void (*send_sign)(int to);
	Sign (*take_sign)(int from);
	bool star;
} Communicator;

#endif
