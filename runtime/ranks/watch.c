/* SPDX-License-Identifier: MIT */
/* Each rank sends its neighbours a sign every half second and looks for theirs: in a ring the next one and the one
 * before it; in a star rank 0 all others, and those rank 0. A sign comes from a thread of its own, so a rank that
 * decodes, tunes or writes a file for minutes gives it all the same; one that is stopped, or whose host is gone, does
 * not. Who misses it for the limit, and waits for the others itself, says which rank it is and ends them all. */
#include "runtime/ranks/watch.h"
#include "runtime/host/die.h"
#include "runtime/host/progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct Neighbour {
	int rank;
	double last; /* when it gave a sign */
} Neighbour;

static struct {
	pthread_t thread;
	bool runs;
	double limit;
	const Communicator *by;
	const char *(*other)(void); /* checked beside it; NULL: none */
	Neighbour *watched;
	int *told; /* ranks */
	int watched_count, told_count;
	char *hosts;
	atomic_bool waits, ends;
} watch = {.limit = 30};

static const struct timespec half_a_second = {.tv_nsec = 500000000};
static const char *const help = "the last checkpoint is whole: go on with --resume, also with fewer ranks";

static const char *host_of(int rank)
{
	return watch.hosts + rank * HOST_NAME;
}

/* What started the ranks ends the others. */
static _Noreturn void lost(int rank)
{
	die_help(STATUS_RANKS, help, "rank %d on %s has given no sign of life for %.0f seconds", rank,
	         host_of(rank), watch.limit);
}

/* Its launcher may say more of it, and ends this rank then. Or all is done, and this one does not
 * wait any more. */
static void ended(int rank)
{
	nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
	if (!watch.waits || watch.ends)
		return;
	die_help(STATUS_RANKS, help, "rank %d on %s has ended", rank, host_of(rank));
}

static void look_at(Neighbour *n, double now)
{
	Sign sign = watch.by->take_sign(n->rank);
	if (sign == SIGN_OF_END && watch.waits && !watch.ends)
		ended(n->rank);
	/* a process that was stopped itself knows nothing of the time in between */
	if (sign == SIGN_OF_LIFE || now - n->last > 4 * watch.limit)
		n->last = now;
	if (watch.waits && now - n->last > watch.limit)
		lost(n->rank);
}

static void *keep_watch(void *unused)
{
	double begun = clock_seconds();
	for (int i = 0; i < watch.watched_count; i++)
		watch.watched[i].last = begun;
	while (!watch.ends) {
		double now = clock_seconds();
		for (int i = 0; i < watch.told_count; i++)
			watch.by->send_sign(watch.told[i]);
		for (int i = 0; i < watch.watched_count; i++)
			look_at(&watch.watched[i], now);
		const char *why = watch.other ? watch.other() : NULL;
		if (why)
			die_help(STATUS_RANKS, help, "%s", why);
		nanosleep(&half_a_second, NULL);
	}
	return NULL;
}

static void choose_neighbours(const RankPlace *place)
{
	int n = watch.by->star && place->rank == 0 ? place->count - 1 : 1;
	watch.watched = allocate(n, sizeof *watch.watched, "the ranks beside this one");
	watch.told = allocate(n, sizeof *watch.told, "the ranks beside this one");
	watch.watched_count = watch.told_count = n;
	for (int i = 0; i < n; i++) {
		bool root = place->rank == 0;
		watch.told[i] = !watch.by->star ? (place->rank + 1) % place->count : root ? i + 1 : 0;
		watch.watched[i].rank =
		        !watch.by->star ? (place->rank + place->count - 1) % place->count : watch.told[i];
	}
}

void watch_begin(const Communicator *by, const RankPlace *place, const char *host)
{
	sigset_t all, before;
	watch.by = by;
	watch.hosts = allocate(place->count, HOST_NAME, "the names of hosts");
	memcpy(watch.hosts + place->rank * HOST_NAME, host, strlen(host) + 1);
	const char *why = by->all_gather(watch.hosts, HOST_NAME, (int64_t)place->count * HOST_NAME);
	if (why)
		die(STATUS_RANKS, "the other ranks can't be reached: %s", why);
	if (by->met)
		by->met();
	if (!by->send_sign)
		return;
	choose_neighbours(place);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	watch.runs = pthread_create(&watch.thread, NULL, keep_watch, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void watch_limit(double seconds)
{
	watch.limit = seconds;
}

double watch_seconds(void)
{
	return watch.limit;
}

void watch_also(const char *(*check)(void))
{
	watch.other = check;
}

void watch_end(void)
{
	if (!watch.runs)
		return;
	ranks_barrier(); /* nobody misses a sign of one that has finished */
	watch.ends = true;
	pthread_join(watch.thread, NULL);
	watch.runs = false;
	for (int i = 0; i < watch.watched_count; i++)
		(void)watch.by->take_sign(watch.watched[i].rank);
}

void watch_waits(void)
{
	watch.waits = true;
}

void watch_done(void)
{
	watch.waits = false;
}
