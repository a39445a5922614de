/* SPDX-License-Identifier: MIT */
/* Cases that may crash or hang: each in a process of its own. */
#ifndef NNC_TESTS_ISOLATE_H
#define NNC_TESTS_ISOLATE_H

#include <stdbool.h>

typedef struct Isolated {
	bool (*check)(void *ctx, int i);
	const char *(*name)(void *ctx, int i); /* for the report of a case that ended otherwise */
	void *ctx;
	int jobs;    /* processes at a time */
	int seconds; /* a case that takes longer is ended */
} Isolated;

/* Runs cases 0 to count - 1; failed[i] says which did not return true. */
void isolate(int count, const Isolated *what, bool *failed);

#endif
