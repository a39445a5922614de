/* SPDX-License-Identifier: MIT */
/* Whether other programs want the processors of OpenMP's threads, and how those then wait for one another. */
#ifndef NNR_CROWD_H
#define NNR_CROWD_H

#include <stdbool.h>
#include <stdint.h>

/* What was seen: begin with zeros. */
typedef struct Crowd {
	int64_t looked_at, waited; /* at the last look: the time, the sum of the threads' waiting; ns */
	int64_t calm;              /* ns without a crowd, since the last one */
	bool crowded;
} Crowd;

/* A look at the time `now` of threads that have stood ready to run without a processor for `waited` ns in all. Returns
 * whether there is a crowd: a quarter of the time since the last look was waited. It is over after a second with
 * less. */
bool crowd_seen(Crowd *c, int64_t now, int64_t waited);

enum { CROWD_SLICE = 600000 }; /* ns that a thread asks for in a crowd, where the kernel lets it */

/* Whether OpenMP's threads sleep soon when they wait for one another, from their next wait on, and have short slices of
 * their processors (those that crowd_look() has met), or spin as they began. Needs GNU's OpenMP, and is called by one
 * thread. */
void crowd_give_way(bool wanted);

/* ns that this thread runs at a time where others wait; 0: the kernel does not say. */
int64_t crowd_slice(void);

/* To be called by the thread that computes, between two steps, as often as it likes. Does nothing where OpenMP has one
 * thread or is not GNU's, the environment says how threads wait, or the kernel does not count their waiting. */
void crowd_look(void);

#endif
