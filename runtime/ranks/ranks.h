/* SPDX-License-Identifier: MIT */
/* The ranks of a training: processes that run the same steps, each on its share of every batch.
 *
 * One rank is the usual case, and then nothing here does anything. Rank 0 alone speaks, logs and writes files; the
 * others do the same steps in the same order, so that whatever decides how a training goes on is agreed on first. */
#ifndef NNR_RANKS_H
#define NNR_RANKS_H

#include "runtime/host/options.h"
#include "runtime/ranks/communicator.h"

enum { HOST_NAME = 64 };

/* Where this process stands among those that were started with it. */
typedef struct RankPlace {
	int rank, count;
	int local, local_count; /* among those of this host; local_count 0: not known */
	bool by_mpi;            /* an MPI connects them, whatever else the environment names */
	const char *by;         /* what started them: "Open MPI", "Slurm"; NULL: nobody, it is alone */
} RankPlace;

/* What trains, evaluates and measures is done by all ranks, everything else by rank 0 alone: false where this process
 * has nothing to do then. Comes with ranks_find. */
bool ranks_choose(const Options *options);
/* For tests: what it would find by these variables. NULL, or what is wrong with them, malloc'd. */
char *rank_place_of(const char *(*variable)(const char *name), RankPlace *place);
/* A number of the environment, of digits alone; -1: `text` is none from 0 to `most`. */
int rank_number_of(const char *text, int most);
const RankPlace *ranks_place(void);
int ranks_count(void);
int ranks_own(void);   /* the rank of this process */
bool ranks_root(void); /* rank 0, or the only one */
bool ranks_many(void);

/* Connects them, over MPI or sockets. Rank 0 alone speaks from here on, except for errors, which say whose they are. */
void ranks_open(const Options *options);
/* The same by a communicator that is there, for tests. */
void ranks_open_with(const Communicator *c, RankPlace place);
/* The end that went well; all ranks come to it. */
void ranks_close(void);

/* On one rank they change nothing. They end the process with STATUS_RANKS where the others can't be reached. */
void ranks_all_reduce(void *at, NnrDType dtype, int64_t count, ReduceOp op);
void ranks_sum(double *at, int64_t count);
void ranks_mean(double *at, int64_t count);
void ranks_mean_of(void *at, NnrDType dtype, int64_t count); /* f32 or f64 */
void ranks_max(double *at, int64_t count);
void ranks_broadcast(void *at, int64_t bytes);
/* `bytes` of each rank, at their places in `at`: then everybody's are there. */
void ranks_all_gather(void *at, int64_t bytes);
/* Rank 0's text in the place of *text, which is not freed; NULL may be among them. */
void ranks_broadcast_text(const char **text);
/* All ranks' shares of `share` bytes, of `whole` in all: the r-th is rank r's, the last may be shorter. */
void ranks_gather(const void *from, void *to, int64_t share, int64_t whole);
void ranks_barrier(void);
/* Around what waits for other ranks without the calls above: on the GPU. */
void ranks_wait_begin(void);
void ranks_wait_end(void);
/* What part of a step is waiting for the others, 0 to 1, once it is known; ranks_share: NaN before. */
void ranks_note_share(double share);
double ranks_waited(void); /* seconds in means of gradients, on the CPU */
double ranks_share(void);
/* Dies with STATUS_RANKS where a rank has another value than rank 0: "another seed". */
void ranks_same(uint64_t value, const char *what);

/* Threads of a rank, of `usable` that the process may have, where several ranks share a host. */
int ranks_threads(int usable);

#endif
