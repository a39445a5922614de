/* SPDX-License-Identifier: MIT */
/* Work that is the same for all ranks of a host, as decoding images that each keeps: each does a share, and takes what
 * the others have made from memory that they have in common. */
#ifndef NNR_HOST_WORK_H
#define NNR_HOST_WORK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct HostWork {
	int64_t count; /* items, as many on every rank */
	int64_t bytes; /* of what is handed on of each */
	/* Makes item i, of which the others get what is at `to` then. Neither dies or prints; threads call them. */
	void (*make)(void *context, int64_t i, char *to);
	/* Takes over item i, which another rank has made. */
	void (*take)(void *context, int64_t i, const char *from);
	void *context;
	int threads;
	const char *doing; /* "reading images", for a line on stderr; NULL: silent */
} HostWork;

/* Does it, all ranks together. False where nothing was done: no host has several ranks, they can't have memory in
 * common, or an item is larger than that; then on all ranks. */
bool host_work(const HostWork *w);

#endif
