/* SPDX-License-Identifier: MIT */
#include "runtime/host/die.h"
#include "runtime/host/progress.h"

#include <sys/resource.h>
#include <time.h>

double clock_seconds(void)
{
	struct timespec now;
	require(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double processor_seconds(void)
{
	struct rusage use;
	require(getrusage(RUSAGE_SELF, &use) == 0);
	return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
	       1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}
