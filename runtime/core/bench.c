/* `EXE bench`: samples per second of whole steps, the median of five windows. */
#include "runtime/core/backend.h"
#include "runtime/core/die.h"
#include "runtime/core/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WINDOWS = 5, MOST_STEPS = 1000000 };

extern int omp_get_max_threads(void) __attribute__((weak));

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

int session_bench(Session *s)
{
	const NnrBackend *backend = s->backend;
	bool inference = s->options.inference;
	int64_t per_window = s->options.steps;
	double seconds[WINDOWS];
	s->total_steps = INT64_MAX / 2; /* the schedule's length; the rate hardly moves */
	backend->time(s, 1, inference); /* the first touches all memory and makes the threads */
	if (s->options.warmup > 0)
		backend->time(s, s->options.warmup, inference);
	for (int64_t probe = 1; per_window == 0; probe *= 8) { /* windows of about two seconds */
		double took = backend->time(s, probe, inference);
		if (took > 0.05 || probe > 100000)
			per_window = took < 2 ? (int64_t)fmin(2 * (double)probe / took, MOST_STEPS) : 1;
	}
	for (int w = 0; w < WINDOWS; w++) {
		seconds[w] = backend->time(s, per_window, inference) / (double)per_window;
		progress_draw("window %d of %d", w + 1, WINDOWS);
	}
	progress_clear();
	qsort(seconds, WINDOWS, sizeof *seconds, by_value);
	double median = seconds[WINDOWS / 2], batch = (double)s->model->batch;
	printf("{\"model\": \"%s\", \"mode\": \"%s\", \"batch\": %lld, \"threads\": %d, "
	       "\"steps_per_window\": %lld, "
	       "\"samples_per_second\": %.6g, \"milliseconds_per_step\": %.6g, \"slowest\": %.6g, "
	       "\"fastest\": %.6g, \"device\": \"%s\"}\n",
	       s->model->name, inference ? "inference" : "training", (long long)s->model->batch,
	       omp_get_max_threads ? omp_get_max_threads() : 1, (long long)per_window, batch / median,
	       1e3 * median, batch / seconds[WINDOWS - 1], batch / seconds[0], backend->device(s));
	return fflush(stdout) == 0 ? STATUS_OK : STATUS_DATA;
}
