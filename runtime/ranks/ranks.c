/* SPDX-License-Identifier: MIT */
#include "runtime/ranks/ranks.h"
#include "base/checked.h"
#include "runtime/host/die.h"
#include "runtime/host/dtype.h"
#include "runtime/host/progress.h"
#include "runtime/nnr_half.h"
#include "runtime/ranks/launch.h"
#include "runtime/ranks/mpi.h"
#include "runtime/ranks/nnr_ranks.h"
#include "runtime/ranks/sockets.h"
#include "runtime/ranks/watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
	RankPlace place;
	const Communicator *by; /* NULL: they are not connected */
	double share;           /* of a step that is waiting; NaN: not known */
	double waited;          /* seconds, on the CPU */
} ranks = {.place = {.count = 1, .local_count = 1}, .share = NAN};

static const char *variable(const char *name)
{
	return getenv(name);
}

/* Finds the place in the environment that Open MPI, MPICH, Slurm's srun, or a launcher with RANK and WORLD_SIZE sets.
 * Dies with STATUS_USAGE where that contradicts itself. */
static void ranks_find(void)
{
	char *why = rank_place_of(variable, &ranks.place);
	if (why)
		die(STATUS_USAGE, "%s", why);
}

bool ranks_choose(const Options *o)
{
	launch_follow_parent();
	ranks_find();
	bool together = o->command == COMMAND_TRAIN || o->command == COMMAND_EVAL ||
	                o->command == COMMAND_PREDICT || o->command == COMMAND_BENCH,
	     works = together || ranks_root();
	if (!together)
		ranks.place = (RankPlace){.count = 1, .local_count = 1};
	return works;
}

const RankPlace *ranks_place(void)
{
	return &ranks.place;
}

int ranks_count(void)
{
	return ranks.place.count;
}

int ranks_own(void)
{
	return ranks.place.rank;
}

bool ranks_root(void)
{
	return ranks.place.rank == 0;
}

bool ranks_many(void)
{
	return ranks.by != NULL;
}

void ranks_open_with(const Communicator *c, RankPlace place)
{
	ranks.place = place;
	ranks.by = c;
}

void ranks_open(const Options *o)
{
	static const double LEAST_TO_MEET = 120; /* seconds: hosts start their ranks one after the other */
	char host[HOST_NAME] = "";
	if (ranks.place.count == 1)
		return;
	if (o->rank_timeout > 0)
		watch_limit(o->rank_timeout);
	gethostname(host, sizeof host - 1);
	char *whose = text_printf("rank %d on %s", ranks.place.rank, host);
	die_speaks_for(whose, ranks_root());
	ranks.by = sockets_are_named() && !ranks.place.by_mpi
	                   ? sockets_open(&ranks.place, fmax(LEAST_TO_MEET, watch_seconds()))
	                   : mpi_open(&ranks.place);
	watch_begin(ranks.by, &ranks.place, host);
}

void ranks_close(void)
{
	if (!ranks.by)
		return;
	watch_end();
	ranks.by->close();
	ranks.by = NULL;
}

/* What a call came to. Where it failed, the others are told by the end of this one. */
static void require_done(const char *why)
{
	watch_done();
	if (why)
		die_help(STATUS_RANKS,
		         "the last checkpoint is whole: go on with --resume, also with fewer ranks",
		         "the other ranks can't be reached: %s", why);
}

void ranks_wait_begin(void)
{
	watch_waits();
}

void ranks_wait_end(void)
{
	watch_done();
}

void ranks_all_reduce(void *at, NnrDType dtype, int64_t count, ReduceOp op)
{
	if (!ranks.by)
		return;
	watch_waits();
	require_done(ranks.by->all_reduce(at, dtype, count, op));
}

void ranks_sum(double *at, int64_t count)
{
	ranks_all_reduce(at, NNR_F64, count, REDUCE_SUM);
}

static void scale(void *at, NnrDType dtype, int64_t count, double by)
{
	float *f = at, factor = (float)by;
	double *d = at;
	if (dtype == NNR_F32)
		for (int64_t i = 0; i < count; i++)
			f[i] *= factor;
	else
		for (int64_t i = 0; i < count; i++)
			d[i] *= by;
}

void ranks_mean_of(void *at, NnrDType dtype, int64_t count)
{
	if (!ranks.by)
		return;
	ranks_all_reduce(at, dtype, count, REDUCE_SUM);
	scale(at, dtype, count, 1 / (double)ranks.place.count);
}

void ranks_max(double *at, int64_t count)
{
	ranks_all_reduce(at, NNR_F64, count, REDUCE_MAX);
}

void ranks_mean(double *at, int64_t count)
{
	ranks_sum(at, count);
	for (int64_t i = 0; i < count && ranks.by; i++)
		at[i] /= ranks.place.count;
}

void ranks_broadcast(void *at, int64_t bytes)
{
	if (!ranks.by)
		return;
	watch_waits();
	require_done(ranks.by->broadcast(at, bytes));
}

static int64_t product(int64_t count, int64_t each)
{
	int64_t bytes = 0;
	require(count >= 0 && checked_mul(count, each, &bytes) && bytes <= SIZE_LIMIT);
	return bytes;
}

static void gather(void *at, int64_t share, int64_t whole)
{
	watch_waits();
	require_done(ranks.by->all_gather(at, share, whole));
}

void ranks_all_gather(void *at, int64_t bytes)
{
	if (ranks.by)
		gather(at, bytes, product(ranks.place.count, bytes));
}

void ranks_broadcast_text(const char **text)
{
	int64_t length = *text ? (int64_t)strlen(*text) + 1 : 0;
	if (!ranks.by)
		return;
	ranks_broadcast(&length, sizeof length);
	char *copy = length ? allocate(length, 1, "a text") : NULL;
	if (copy && ranks_root())
		memcpy(copy, *text, (size_t)length);
	if (copy)
		ranks_broadcast(copy, length);
	*text = copy;
}

void ranks_gather(const void *from, void *to, int64_t share, int64_t whole)
{
	RankPart own = rank_part(ranks.by ? ranks.place.rank : 0, share, 0, whole);
	if (own.count > 0)
		memcpy((char *)to + own.at, from, (size_t)own.count);
	if (ranks.by)
		gather(to, share, whole);
}

void ranks_barrier(void)
{
	if (!ranks.by)
		return;
	watch_waits();
	require_done(ranks.by->barrier());
}

void ranks_note_share(double share)
{
	ranks.share = share;
}

double ranks_waited(void)
{
	return ranks.waited;
}

double ranks_share(void)
{
	return ranks.share;
}

void ranks_same(uint64_t value, const char *what)
{
	uint64_t first = value;
	ranks_broadcast(&first, sizeof first);
	if (first != value)
		die_help(STATUS_RANKS, "start all ranks with the same trainer, data and options",
		         "this rank has another %s than rank 0", what);
}

int ranks_threads(int usable)
{
	int shared = ranks.place.local_count > 1 ? ranks.place.local_count : 1;
	long machine = sysconf(_SC_NPROCESSORS_ONLN);
	int fair = (int)(machine / shared);
	return shared == 1 || usable <= fair ? usable : fair > 1 ? fair : 1;
}

/* ---- of generated code, on the CPU */

void nnr_all_reduce(void *elements, NnrDType dtype, int64_t count)
{
	double begun = clock_seconds();
	ranks_mean_of(elements, dtype, count);
	ranks.waited += clock_seconds() - begun;
}

void nnr_rank_mean(const void *x, void *y, NnrDType dtype, int64_t count)
{
	memcpy(y, x, (size_t)product(count, dtype_bytes(dtype)));
	nnr_all_reduce(y, dtype, count);
}

void nnr_all_reduce_bf16(float *elements, NnrBf16 *wire, int64_t count)
{
	double begun = clock_seconds();
	float part = 1 / (float)ranks.place.count;
	nnr_halve(wire, elements, count, true);
	ranks_all_reduce(wire, NNR_BF16, count, REDUCE_SUM);
	for (int64_t i = 0; i < count; i++)
		elements[i] = nnr_bf16_value(wire[i]) * part;
	ranks.waited += clock_seconds() - begun;
}

void nnr_reduce_scatter(void *elements, NnrDType dtype, int64_t first, int64_t count, int64_t share)
{
	double begun = clock_seconds();
	RankPart own = rank_part(ranks.place.rank, share, first, count);
	watch_waits();
	require_done(ranks.by->reduce_scatter(elements, dtype, first, count, share));
	scale((char *)elements + own.at * dtype_bytes(dtype), dtype, own.count,
	      1 / (double)ranks.place.count);
	ranks.waited += clock_seconds() - begun;
}

void nnr_rank_share(const void *x, void *y, NnrDType dtype, int64_t whole, int64_t share)
{
	int64_t size = dtype_bytes(dtype), own = ranks.place.rank,
	        part = rank_part(own, share, 0, whole).count;
	if (part > 0)
		memcpy(y, (const char *)x + own * share * size, (size_t)(part * size));
	memset((char *)y + part * size, 0, (size_t)((share - part) * size));
}

void nnr_rank_gather(const void *x, void *y, NnrDType dtype, int64_t whole, int64_t share)
{
	double begun = clock_seconds();
	ranks_gather(x, y, product(share, dtype_bytes(dtype)), product(whole, dtype_bytes(dtype)));
	ranks.waited += clock_seconds() - begun;
}
