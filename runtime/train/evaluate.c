/* SPDX-License-Identifier: MIT */
/* Evaluation: the means over the held-out samples, with a look for signals every tenth of a second. */
#include "runtime/session/backend.h"
#include "runtime/report/confusion.h"
#include "runtime/session/loader.h"
#include "runtime/session/measures.h"
#include "runtime/host/progress.h"
#include "runtime/session/scored.h"
#include "runtime/host/signals.h"
#include "runtime/ranks/ranks.h"

bool session_evaluate(Session *s, double means[1 + MAX_METRICS])
{
	int64_t count = s->data.held_out.count, batch = held_out_batch(s), batches = 1;
	double begun = clock_seconds();
	for (int i = 0; i < s->sum_count; i++)
		means[i] = 0;
	measures_free(s->measures);
	s->measures = measures_new(s);
	const bool alone = s->confusion || s->measures; /* each batch is looked at */
	for (int64_t first = 0; first < count;) {
		if (!ranks_many() && signal_caught()) /* several ranks look for signals between their steps */
			return false;
		double before = clock_seconds();
		signals_step_begins(STEP_OF_EVALUATION);
		int64_t done = s->backend->evaluate(s, first, alone ? 1 : batches, means);
		signals_step_ends();
		if (done == 0 && ranks_many()) /* the others wait for the sums */
			loader_die(s->loader);
		if (done == 0)
			return false;
		if (s->confusion) {
			s->backend->evaluated(s, scored_output(s->model, &s->model->evaluate),
			                      s->confusion->scores);
			int64_t own = first + held_out_begin(s);
			confusion_add(s->confusion, s, own, batch_real(s, own, s->model->batch));
		}
		if (s->measures)
			measures_add(s->measures, s,
			             batch_real(s, first + held_out_begin(s), s->model->batch));
		batches = steps_in_a_tenth((done + batch - 1) / batch, clock_seconds() - before);
		first += done;
		progress_count("evaluating", first, count, begun);
	}
	ranks_sum(means, s->sum_count);
	if (s->confusion)
		confusion_sum(s->confusion);
	session_means(s, means, (double)session_held_out(s), means);
	if (s->measures)
		measures_end(s->measures, means + s->score_count);
	return true;
}
