/* SPDX-License-Identifier: MIT */
#include "base/processors.h"
#include "runtime/host/parallel.h"
#include "runtime/host/progress.h"
#include "runtime/host/signals.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum { MAX_THREADS = 64, CHUNK = 8 };

typedef struct Loop {
	int64_t count;
	void (*item)(void *context, int64_t i);
	void *context;
	atomic_llong next, done;
	atomic_int places; /* for threads beside the caller's that may still join in */
} Loop;

/* Threads that wait for the next loop: making them costs more than a batch of samples does. They end with the
 * process. */
static struct {
	pid_t owner; /* a child of fork has none of its parent's threads */
	pthread_mutex_t lock;
	pthread_cond_t begun, ended;
	int threads, working;
	uint64_t turn, seen; /* of the loop; by a thread that is just being made */
	Loop *loop;
} pool;

static void run_chunk(Loop *loop, int64_t first)
{
	int64_t end = first + CHUNK < loop->count ? first + CHUNK : loop->count;
	for (int64_t i = first; i < end; i++)
		loop->item(loop->context, i);
	atomic_fetch_add(&loop->done, end - first);
}

static _Noreturn void *worker(void *unused)
{
	uint64_t seen = pool.seen; /* stays until this thread has answered to a loop */
	pthread_mutex_lock(&pool.lock);
	for (;;) {
		while (pool.turn == seen)
			pthread_cond_wait(&pool.begun, &pool.lock);
		seen = pool.turn;
		Loop *loop = pool.loop;
		pthread_mutex_unlock(&pool.lock);
		int64_t first;
		if (atomic_fetch_sub(&loop->places, 1) > 0)
			while ((first = atomic_fetch_add(&loop->next, CHUNK)) < loop->count)
				run_chunk(loop, first);
		pthread_mutex_lock(&pool.lock);
		if (--pool.working == 0)
			pthread_cond_signal(&pool.ended);
	}
}

/* Fewer threads than wanted are slower, not wrong. */
static void grow_pool(int wanted)
{
	if (pool.owner != getpid()) {
		pool.owner = getpid();
		pool.threads = 0;
		pthread_mutex_init(&pool.lock, NULL);
		pthread_cond_init(&pool.begun, NULL);
		pthread_cond_init(&pool.ended, NULL);
	}
	pool.seen = pool.turn;
	pthread_t id;
	while (pool.threads < wanted && pthread_create(&id, NULL, worker, NULL) == 0) {
		pthread_detach(id);
		pool.threads++;
	}
}

static void begin_loop(Loop *loop)
{
	pthread_mutex_lock(&pool.lock);
	pool.loop = loop;
	pool.working = pool.threads;
	pool.turn++;
	pthread_cond_broadcast(&pool.begun);
	pthread_mutex_unlock(&pool.lock);
}

static void wait_for_loop(void)
{
	pthread_mutex_lock(&pool.lock);
	while (pool.working > 0)
		pthread_cond_wait(&pool.ended, &pool.lock);
	pthread_mutex_unlock(&pool.lock);
}

void parallel_for(int64_t count, int threads, void (*item)(void *context, int64_t i), void *context,
                  const char *doing)
{
	Loop loop = {.count = count, .item = item, .context = context};
	int wanted = threads > 0 ? threads : processors_usable();
	if (wanted > MAX_THREADS)
		wanted = MAX_THREADS;
	bool alone = wanted == 1 || count <= CHUNK;
	atomic_store(&loop.places, wanted - 1);
	if (!alone) {
		grow_pool(wanted - 1);
		begin_loop(&loop);
	}
	double begun = clock_seconds();
	int64_t first;
	while ((first = atomic_fetch_add(&loop.next, CHUNK)) < count) {
		run_chunk(&loop, first);
		signal_caught(); /* may end the process */
		if (doing)
			progress_count(doing, atomic_load(&loop.done), count, begun);
	}
	if (!alone)
		wait_for_loop();
	progress_clear();
}
