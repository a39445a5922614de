/* A ring: each rank sends the next one a sign every half second and looks for those of the one before it. A sign comes
 * from a thread of its own, so a rank that decodes, tunes or writes a file for minutes gives it all the same; one that
 * is stopped, or whose host is gone, does not. Who misses it for the limit, and waits for the others itself, says which
 * rank it is and ends them all. */
#include "runtime/ranks/watch.h"
#include "runtime/core/die.h"
#include "runtime/core/progress.h"
#include "runtime/ranks/mpi.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct {
	pthread_t thread;
	bool runs;
	double limit;
	int next, before; /* ranks */
	char *hosts;
	atomic_bool waits, ends;
} watch = {.limit = 30};

static const struct timespec half_a_second = {.tv_nsec = 500000000};

static _Noreturn void lost(void)
{
	/* and the launcher ends the others */
	die_help(STATUS_RANKS, "the last checkpoint is whole: go on with --resume, also with fewer ranks",
	         "rank %d on %s has given no sign of life for %.0f seconds", watch.before,
	         watch.hosts + watch.before * HOST_NAME, watch.limit);
}

static void *keep_watch(void *unused)
{
	double last = clock_seconds();
	while (!watch.ends) {
		double now = clock_seconds();
		mpi_send_sign(watch.next);
		/* a process that was stopped itself knows nothing of the time in between */
		if (mpi_take_sign(watch.before) || now - last > 4 * watch.limit)
			last = now;
		if (watch.waits && now - last > watch.limit)
			lost();
		nanosleep(&half_a_second, NULL);
	}
	return NULL;
}

void watch_begin(const RankPlace *place, const char *host)
{
	sigset_t all, before;
	if (!mpi_may_watch())
		return;
	watch.next = (place->rank + 1) % place->count;
	watch.before = (place->rank + place->count - 1) % place->count;
	watch.hosts = allocate(place->count, HOST_NAME, "the names of hosts");
	memcpy(watch.hosts + place->rank * HOST_NAME, host, strlen(host) + 1);
	const char *why = mpi_gather_hosts(watch.hosts);
	if (why)
		die(STATUS_RANKS, "the other ranks can't be reached: %s", why);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	watch.runs = pthread_create(&watch.thread, NULL, keep_watch, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void watch_limit(double seconds)
{
	watch.limit = seconds;
}

void watch_end(void)
{
	if (!watch.runs)
		return;
	ranks_barrier(); /* nobody misses a sign of one that has finished */
	watch.ends = true;
	pthread_join(watch.thread, NULL);
	watch.runs = false;
	mpi_take_sign(watch.before);
}

void watch_waits(void)
{
	watch.waits = true;
}

void watch_done(void)
{
	watch.waits = false;
}
