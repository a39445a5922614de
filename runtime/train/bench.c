/* SPDX-License-Identifier: MIT */
/* `EXE bench`: samples per second of whole steps, the median of five windows. For inference a step is a request of
 * --batch samples. */
#include "runtime/session/backend.h"
#include "runtime/host/die.h"
#include "runtime/host/progress.h"
#include "runtime/report/energy.h"
#include "runtime/ranks/ranks.h"

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
	int64_t compiled = s->model->batch,
	        samples = s->options.batch > 0 ? s->options.batch : step_samples(s->model);
	if (samples % compiled)
		say_note("a request of %lld samples takes %lld batches of %lld: `nnc --set batch=%lld%s` "
		         "compiles for it",
		         (long long)samples, (long long)session_request_batches(s->model, &s->options),
		         (long long)compiled, (long long)samples,
		         s->model->chunks > 1 ? " --set chunk=none" : "");
	int64_t per_window = s->options.steps;
	double seconds[WINDOWS];
	s->total_steps = INT64_MAX / 2; /* the schedule's length; the rate hardly moves */
	backend->time(s, 1, inference); /* the first touches all memory and makes the threads */
	if (s->options.warmup > 0)
		backend->time(s, s->options.warmup, inference);
	for (int64_t probe = 1; per_window == 0; probe *= 8) { /* windows of about two seconds */
		double took = backend->time(s, probe, inference);
		ranks_max(&took, 1); /* all take as many steps */
		if (took > 0.05 || probe > 100000)
			per_window = took < 2 ? (int64_t)fmin(2 * (double)probe / took, MOST_STEPS) : 1;
	}
	const Energy before = energy_now(s);
	for (int w = 0; w < WINDOWS; w++) {
		seconds[w] = backend->time(s, per_window, inference) / (double)per_window;
		if (w + 1 < WINDOWS)
			energy_now(s);
		progress_draw("window %d of %d", w + 1, WINDOWS);
	}
	const Energy taken = energy_since(s, &before);
	progress_clear();
	if (!ranks_root())
		return STATUS_OK;
	qsort(seconds, WINDOWS, sizeof *seconds, by_value);
	double median = seconds[WINDOWS / 2], batch = (double)samples;
	char ranks[80] = "";
	if (ranks_many() && isfinite(ranks_share()))
		snprintf(ranks, sizeof ranks, "\"ranks\": %d, \"waiting\": %.3f, ", ranks_count(),
		         ranks_share());
	else if (ranks_many())
		snprintf(ranks, sizeof ranks, "\"ranks\": %d, ", ranks_count());
	char joules[160] = "";
	energy_put(joules, sizeof joules, &taken, batch * (double)per_window * WINDOWS);
	printf("{\"model\": \"%s\", \"mode\": \"%s\", \"batch\": %lld, \"compiled_batch\": %lld, "
	       "\"threads\": %d, "
	       "\"steps_per_window\": %lld, "
	       "\"samples_per_second\": %.6g, \"milliseconds_per_step\": %.6g, \"slowest\": %.6g, "
	       "\"fastest\": %.6g, \"plan_bytes\": %.0f, %s%s\"device\": \"%s\"}\n",
	       s->model->name, inference ? "inference" : "training", (long long)samples, (long long)compiled,
	       omp_get_max_threads ? omp_get_max_threads() : 1, (long long)per_window, batch / median,
	       1e3 * median, batch / seconds[WINDOWS - 1], batch / seconds[0],
	       session_plan_bytes(s->model, &s->options), ranks, joules, backend->device(s));
	return output_end();
}
