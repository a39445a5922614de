#include "runtime/core/progress.h"
#include "runtime/core/session.h"

bool session_evaluate(Session *s, double means[1 + MAX_METRICS])
{
	const NnrModel *m = s->model;
	int64_t count = s->data.held_out.count;
	NnrScalars scalars = {.step = (double)s->at.step, .seed = s->seed};
	double begun = clock_seconds();
	for (int i = 0; i < s->score_count; i++)
		means[i] = 0;
	for (int64_t first = 0; first < count; first += m->batch) {
		if (signal_caught())
			return false;
		int64_t real = batch_evaluate(s, first);
		m->evaluate.run(&s->memory, &scalars);
		for (int i = 0; i < s->score_count; i++)
			for (int64_t k = 0; k < real; k++)
				means[i] += output_value(s, s->eval_scores[i], k);
		progress_count("evaluating", first + real, count, begun);
	}
	for (int i = 0; i < s->score_count; i++)
		means[i] /= (double)count;
	return true;
}
