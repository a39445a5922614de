/* SPDX-License-Identifier: MIT */
/* A crowd is seen and is over; OpenMP's threads then sleep where they would spin, and spin again. */
#include "runtime/cpu/crowd.h"
#include "tests/unit/check.h"

#include <omp.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const int64_t MS = 1000000;

static void sees(void)
{
	Crowd c = {0};
	int64_t now = 5000 * MS, waited = 700 * MS; /* before the first look: unknown whose fault */
	CHECK(!crowd_seen(&c, now, waited));
	CHECK(!crowd_seen(&c, now += 100 * MS, waited += 24 * MS));
	CHECK(crowd_seen(&c, now += 100 * MS, waited += 26 * MS));
	for (int i = 0; i < 9; i++)
		CHECK(crowd_seen(&c, now += 100 * MS, waited += 24 * MS)); /* calm for less than a second */
	CHECK(!crowd_seen(&c, now += 100 * MS, waited));
	CHECK(!crowd_seen(&c, now, waited + 50 * MS)); /* no time has passed */
	CHECK(crowd_seen(&c, now += 100 * MS, waited += 150 * MS));
	CHECK(!crowd_seen(&c, now += 3000 * MS, waited += 200 * MS));
}

/* How often of ten times the first of two threads goes to sleep while it waits 0.2 ms for the other. */
static int sleeps(void)
{
	struct rusage before, after;
	getrusage(RUSAGE_THREAD, &before);
	for (int i = 0; i < 10; i++) {
#pragma omp parallel num_threads(2)
		if (omp_get_thread_num() == 1)
			nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
	}
	getrusage(RUSAGE_THREAD, &after);
	return (int)(after.ru_nvcsw - before.ru_nvcsw);
}

/* More threads want to run than there are processors. */
static bool is_loaded(void)
{
	int running = 0;
	FILE *f = fopen("/proc/loadavg", "r");
	bool read = f && fscanf(f, "%*f %*f %*f %d/", &running) == 1;
	if (f)
		fclose(f);
	return read && running > omp_get_num_procs();
}

/* Whether the waiting thread does not sleep. On a loaded machine the other may be so late that spinning ends, too:
 * where it never was anything else, that shows nothing, and the test is skipped. */
static void check_spins(void)
{
	int fewest = sleeps(), loaded = is_loaded(), all = 1;
	for (; all <= 50 && fewest > 4; all++) {
		int now = sleeps();
		loaded += is_loaded();
		fewest = now < fewest ? now : fewest;
	}
	if (fewest > 4 && 2 * loaded > all)
		check_skip("whether OpenMP's threads spin: other programs want the processors");
	else
		CHECK(fewest <= 4);
}

/* The other thread may be there so late that there is nothing to wait for, once in a while. */
static int most_sleeps(void)
{
	int most = sleeps();
	for (int i = 0; i < 50 && most < 8; i++) {
		int now = sleeps();
		most = now > most ? now : most;
	}
	return most;
}

static void gives_way(void)
{
	omp_set_num_threads(2);
	check_spins();
	for (int i = 0; i < 2; i++) {
		crowd_give_way(true);
		nanosleep(&(struct timespec){.tv_nsec = 50 * MS}, NULL); /* until the team is there */
		sleeps();
		CHECK(most_sleeps() >= 8);
		crowd_give_way(false);
		check_spins();
	}
}

/* Where the kernel has slices that one may ask for, it says how long they are. */
static void has_short_slices(void)
{
	crowd_look(); /* meets the team */
	int64_t own = crowd_slice();
	if (own == 0) {
		check_skip("slices in a crowd: this kernel has none to ask for");
		return;
	}
	crowd_give_way(true);
	CHECK(crowd_slice() == CROWD_SLICE);
	crowd_give_way(false);
	CHECK(crowd_slice() == own);
}

int main(int argc, char **argv)
{
	if (getenv("OMP_WAIT_POLICY")) { /* libgomp has read it already */
		unsetenv("OMP_WAIT_POLICY");
		execv("/proc/self/exe", argv);
	}
	sees();
#ifdef __clang__
	(void)gives_way;
	(void)has_short_slices;
	check_skip("how OpenMP's threads wait: LLVM's, which clang links, have rules of their own");
#else
	if (omp_get_num_procs() > 1) {
		gives_way();
		has_short_slices();
	} else {
		check_skip("how OpenMP's threads wait: there is one processor");
	}
#endif
	return check_report("unit, crowd");
}
