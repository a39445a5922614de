/* SPDX-License-Identifier: MIT */
/* The bookkeeping of batches that are made ahead of their use: which samples are to be made next, where to, and which
 * batch is whole. No threads and no locks: workers.c has them.
 *
 * A ring has some slots, each for one batch, and a position that only grows: position p lies in slot p % slots. Batches
 * are taken in the order of their numbers and given back in that order:
 *
 *     held ............ head ............ next ............ held + slots
 *      taken, not released  made or in work     free
 *
 * Which slot a batch gets and in which order its samples are made depends on the workers; what is in it does not. */
#ifndef NNR_RING_H
#define NNR_RING_H

#include <stdbool.h>
#include <stdint.h>

typedef struct RingSlot {
	char *at;        /* the batch; the owner's */
	int64_t left;    /* samples that are not made yet */
	int64_t bad;     /* the first of its samples that can't be made; -1: none */
	const char *why; /* it can't; NULL: all could */
} RingSlot;

typedef struct Ring {
	RingSlot *slot;
	int slots;
	int64_t samples;          /* of a batch */
	int64_t share;            /* samples of one piece of work */
	int64_t limit;            /* batches from this number on are not made ahead */
	int64_t base;             /* batch number less position */
	int64_t held, head, next; /* positions */
	int64_t next_sample;      /* of the batch at `next` */
	int64_t in_work;          /* pieces that are claimed and not finished */
	bool paused;              /* nothing can be claimed */
} Ring;

/* Samples [first, first + count) of a batch. */
typedef struct RingWork {
	int64_t batch, first, count;
	RingSlot *slot;
} RingWork;

/* The next piece; false where there is none until a batch is released, the limit moves or the ring is moved. */
bool ring_claim(Ring *r, RingWork *work);
/* `bad`: its first sample that can't be made, and why; NULL: all are there. */
void ring_finish(Ring *r, const RingWork *work, int64_t bad, const char *why);
/* Whether `batch` is the next to be taken. */
bool ring_stands_at(const Ring *r, int64_t batch);
/* Whether the next batch to be taken is whole. */
bool ring_is_ready(const Ring *r);
RingSlot *ring_take(Ring *r);
/* The batch that was taken first of those not yet released. */
void ring_release(Ring *r);
/* The next to be taken is `batch`. Nothing may be in work; what was taken stays as it is. */
void ring_move(Ring *r, int64_t batch);

#endif
