/* SPDX-License-Identifier: MIT */
#include "runtime/session/workers.h"
#include "runtime/host/die.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct Workers {
	pthread_mutex_t lock;
	pthread_cond_t work, done; /* something can be claimed, or the end; a batch is whole */
	Ring *rings;
	int ring_count, active; /* active: the one that was last taken from comes first */
	FillBatch *fill;
	void *context;
	pthread_t thread[MOST_WORKERS];
	int threads;
	bool ending;
};

static bool claim(Workers *w, int *ring, RingWork *work)
{
	for (int i = 0; i < w->ring_count; i++) {
		*ring = (w->active + i) % w->ring_count;
		if (ring_claim(&w->rings[*ring], work))
			return true;
	}
	return false;
}

/* The lock is held before and after. */
static void make(Workers *w, int ring, const RingWork *work)
{
	int64_t bad = -1;
	pthread_mutex_unlock(&w->lock);
	const char *why = w->fill(w->context, ring, work, &bad);
	pthread_mutex_lock(&w->lock);
	Ring *r = &w->rings[ring];
	ring_finish(r, work, bad, why);
	if (work->slot->left == 0 || r->paused)
		pthread_cond_signal(&w->done);
}

static void *worker(void *context)
{
	Workers *w = context;
	int ring;
	RingWork work;
	pthread_mutex_lock(&w->lock);
	while (!w->ending) {
		if (claim(w, &ring, &work))
			make(w, ring, &work);
		else
			pthread_cond_wait(&w->work, &w->lock);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

Workers *workers_new(int threads, Ring *rings, int ring_count, FillBatch *fill, void *context)
{
	require(ring_count <= MOST_RINGS && threads <= MOST_WORKERS);
	Workers *w = allocate(1, sizeof *w, "the workers");
	w->rings = rings;
	w->ring_count = ring_count;
	w->fill = fill;
	w->context = context;
	require(pthread_mutex_init(&w->lock, NULL) == 0 && pthread_cond_init(&w->work, NULL) == 0 &&
	        pthread_cond_init(&w->done, NULL) == 0);
	/* Signals are for the thread that trains. */
	sigset_t all, before;
	sigfillset(&all);
	require(pthread_sigmask(SIG_BLOCK, &all, &before) == 0);
	/* Fewer threads than wanted are slower, not wrong. */
	while (w->threads < threads && pthread_create(&w->thread[w->threads], NULL, worker, w) == 0)
		w->threads++;
	require(pthread_sigmask(SIG_SETMASK, &before, NULL) == 0);
	return w;
}

void workers_free(Workers *w)
{
	pthread_mutex_lock(&w->lock);
	w->ending = true;
	pthread_cond_broadcast(&w->work);
	pthread_mutex_unlock(&w->lock);
	for (int i = 0; i < w->threads; i++)
		pthread_join(w->thread[i], NULL);
	pthread_cond_destroy(&w->work);
	pthread_cond_destroy(&w->done);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

static void move_to(Workers *w, Ring *r, int64_t batch)
{
	r->paused = true;
	while (r->in_work > 0)
		pthread_cond_wait(&w->done, &w->lock);
	ring_move(r, batch);
	r->paused = false;
	pthread_cond_broadcast(&w->work);
}

const RingSlot *workers_take(Workers *w, int ring, int64_t batch)
{
	Ring *r = &w->rings[ring];
	RingWork work;
	pthread_mutex_lock(&w->lock);
	w->active = ring;
	if (!ring_stands_at(r, batch))
		move_to(w, r, batch);
	if (batch >= r->limit) {
		r->limit = batch + 1;
		pthread_cond_broadcast(&w->work);
	}
	while (!ring_is_ready(r)) {
		if (w->threads > 0)
			pthread_cond_wait(&w->done, &w->lock);
		else if (ring_claim(r, &work))
			make(w, ring, &work);
		else
			require(!"all slots of the ring are taken");
	}
	const RingSlot *slot = ring_take(r);
	pthread_mutex_unlock(&w->lock);
	return slot;
}

void workers_release(Workers *w, int ring)
{
	pthread_mutex_lock(&w->lock);
	ring_release(&w->rings[ring]);
	pthread_cond_broadcast(&w->work);
	pthread_mutex_unlock(&w->lock);
}
