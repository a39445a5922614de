#include "runtime/core/parallel.h"
#include "runtime/core/die.h"
#include "runtime/core/progress.h"

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
} Loop;

static void run_chunk(Loop *loop, int64_t first)
{
	int64_t end = first + CHUNK < loop->count ? first + CHUNK : loop->count;
	for (int64_t i = first; i < end; i++)
		loop->item(loop->context, i);
	atomic_fetch_add(&loop->done, end - first);
}

static void *worker(void *argument)
{
	Loop *loop = argument;
	int64_t first;
	while ((first = atomic_fetch_add(&loop->next, CHUNK)) < loop->count)
		run_chunk(loop, first);
	return NULL;
}

void parallel_for(int64_t count, int threads, void (*item)(void *context, int64_t i), void *context,
                  const char *doing)
{
	Loop loop = {.count = count, .item = item, .context = context};
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	int wanted = threads > 0 ? threads : processors > 0 ? (int)processors : 1;
	if (wanted > MAX_THREADS)
		wanted = MAX_THREADS;
	pthread_t ids[MAX_THREADS];
	int started = 0;
	while (started < wanted - 1 && pthread_create(&ids[started], NULL, worker, &loop) == 0)
		started++; /* fewer threads than wanted are slower, not wrong */
	double begun = clock_seconds();
	int64_t first;
	while ((first = atomic_fetch_add(&loop.next, CHUNK)) < count) {
		run_chunk(&loop, first);
		if (doing)
			progress_count(doing, atomic_load(&loop.done), count, begun);
	}
	for (int i = 0; i < started; i++)
		require(pthread_join(ids[i], NULL) == 0);
	progress_clear();
}
