/* `EXE bench`: samples per second of whole steps, batch assembly included, the median of five windows. */
#include "runtime/core/die.h"
#include "runtime/core/progress.h"
#include "runtime/core/session.h"

#include <stdio.h>
#include <stdlib.h>

enum { WINDOWS = 5 };

extern int omp_get_max_threads(void) __attribute__((weak));

static void one_step(Session *s, int64_t step)
{
	int64_t index = step % s->steps_per_epoch, epoch = step / s->steps_per_epoch;
	if (!s->options.inference) {
		train_step(s, epoch, index, step);
		return;
	}
	NnrScalars scalars = {.seed = s->seed};
	batch_train(s, epoch, index);
	s->model->evaluate.run(&s->memory, &scalars);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

int session_bench(Session *s)
{
	int64_t step = 0, per_window = s->options.steps;
	double seconds[WINDOWS], begun = clock_seconds();
	s->total_steps = INT64_MAX / 2; /* the schedule's length; the rate hardly moves */
	one_step(s, step++);            /* the first touches all memory and makes the threads */
	for (int64_t i = 0; i < s->options.warmup; i++)
		one_step(s, step++);
	if (per_window == 0) { /* windows of about two seconds */
		begun = clock_seconds();
		one_step(s, step++);
		double one = clock_seconds() - begun;
		per_window = one > 0 && one < 2 ? (int64_t)(2 / one) : 1;
		if (per_window > 1000000)
			per_window = 1000000;
	}
	for (int w = 0; w < WINDOWS; w++) {
		begun = clock_seconds();
		for (int64_t i = 0; i < per_window; i++)
			one_step(s, step++);
		seconds[w] = (clock_seconds() - begun) / (double)per_window;
		progress_draw("window %d of %d", w + 1, WINDOWS);
	}
	progress_clear();
	qsort(seconds, WINDOWS, sizeof *seconds, by_value);
	double median = seconds[WINDOWS / 2], batch = (double)s->model->batch;
	printf("{\"model\": \"%s\", \"mode\": \"%s\", \"batch\": %lld, \"threads\": %d, "
	       "\"steps_per_window\": %lld, "
	       "\"samples_per_second\": %.6g, \"milliseconds_per_step\": %.6g, \"slowest\": %.6g, "
	       "\"fastest\": %.6g}\n",
	       s->model->name, s->options.inference ? "inference" : "training", (long long)s->model->batch,
	       omp_get_max_threads ? omp_get_max_threads() : 1, (long long)per_window, batch / median,
	       1e3 * median, batch / seconds[WINDOWS - 1], batch / seconds[0]);
	return fflush(stdout) == 0 ? STATUS_OK : STATUS_DATA;
}
