/* SPDX-License-Identifier: MIT */
/* Threads that fill rings of batches (ring.h) while the training goes on.
 *
 * One thread takes batches by their numbers. Where that is the number after the last one of the ring, as it is unless
 * the training jumps, the batch is waited for until it is whole; after a jump what was made ahead is made anew from
 * there. So what is taken depends on nothing but its number. */
#ifndef NNR_WORKERS_H
#define NNR_WORKERS_H

#include "runtime/host/ring.h"

enum { MOST_RINGS = 2, MOST_WORKERS = 256 };

typedef struct Workers Workers;

/* Makes samples of a batch of ring number `ring` in work->slot->at. NULL, or why sample *bad, the first of them, can't
 * be made: a text that stays. Called from several threads at once: it must neither die nor print. */
typedef const char *FillBatch(void *context, int ring, const RingWork *work, int64_t *bad);

/* `threads` 0: whoever takes a batch makes it then. The rings, all fields set, are the caller's and stay until
 * workers_free. */
Workers *workers_new(int threads, Ring *rings, int ring_count, FillBatch *fill, void *context);
void workers_free(Workers *w);
/* Takes batch number `batch` of a ring. A slot whose `why` is set has no batch. */
const RingSlot *workers_take(Workers *w, int ring, int64_t batch);
/* Gives back the batch of this ring that was taken first. */
void workers_release(Workers *w, int ring);

#endif
