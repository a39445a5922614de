/* The CPU as a backend: one step at a time, on the blocks that the host has anyway. */
#include "runtime/core/backend.h"
#include "runtime/core/die.h"
#include "runtime/core/progress.h"

#include <math.h>

static void cpu_open(Session *s)
{
	const NnrModel *m = s->model;
	double total = (double)m->param_bytes + (double)m->state_bytes + (double)m->input_bytes +
	               (double)session_arena_bytes(m);
	/* the data set and the rest of the machine need some too */
	double available = 0.9 * memory_available();
	double fixed = (double)m->param_bytes + (double)m->state_bytes,
	       each = (total - fixed) / (double)m->batch;
	if (total > available) {
		double fits = (available - fixed) / each;
		char *help =
		        fits >= 1
		                ? text_printf(
		                          "compile with a smaller batch: about %lld fit, `nnc --set batch=N`",
		                          (long long)fits)
		                : text_printf("no batch of this model fits this machine");
		die_help(STATUS_MEMORY, help, "the plan needs %s at batch %lld, the machine has %s for it",
		         human_bytes(total), (long long)m->batch, human_bytes(available));
	}
	s->memory.inputs = block_new(m->input_bytes, "the batch");
	s->memory.arena = block_new(session_arena_bytes(m), "the activations");
}

static void cpu_close(Session *s)
{
	block_free(s->memory.inputs, s->model->input_bytes);
	block_free(s->memory.arena, session_arena_bytes(s->model));
}

/* One step without reading its results. */
static void run_step(Session *s, int64_t epoch, int64_t index, int64_t step)
{
	batch_train(s, epoch, index);
	NnrScalars scalars = {
	        .rate = rate_at(&s->rate, step, s->total_steps, s->steps_per_epoch),
	        .step = (double)(step + 1),
	        .seed = s->seed,
	};
	s->model->train.run(&s->memory, &scalars);
}

static void cpu_train(Session *s, int64_t most)
{
	run_step(s, s->at.epoch, s->at.in_epoch, s->at.step);
	s->at.step++;
	s->at.in_epoch++;
	for (int i = 0; i < s->score_count; i++)
		s->last[i] = output_value(s, s->scores[i], 0);
	for (int i = 0; isfinite(s->last[0]) && i < s->score_count; i++)
		s->at.sums[i] += s->last[i];
}

static int64_t cpu_evaluate(Session *s, int64_t first, int64_t most, double sums[1 + MAX_METRICS])
{
	NnrScalars scalars = {.step = (double)s->at.step, .seed = s->seed};
	int64_t real = batch_evaluate(s, first);
	s->model->evaluate.run(&s->memory, &scalars);
	for (int i = 0; i < s->score_count; i++)
		for (int64_t k = 0; k < real; k++)
			sums[i] += output_value(s, s->eval_scores[i], k);
	return real;
}

static double cpu_time(Session *s, int64_t steps, bool inference)
{
	NnrScalars scalars = {.seed = s->seed};
	double begun = clock_seconds();
	for (int64_t i = 0; i < steps; i++, s->at.step++) {
		int64_t epoch = s->at.step / s->steps_per_epoch, index = s->at.step % s->steps_per_epoch;
		if (!inference) {
			run_step(s, epoch, index, s->at.step);
		} else {
			batch_train(s, epoch, index);
			s->model->evaluate.run(&s->memory, &scalars);
		}
	}
	return clock_seconds() - begun;
}

static const char *cpu_device(const Session *s)
{
	return "CPU";
}

const NnrBackend nnr_cpu_backend = {
        .name = "cpu",
        .open = cpu_open,
        .close = cpu_close,
        .train = cpu_train,
        .evaluate = cpu_evaluate,
        .time = cpu_time,
        .device = cpu_device,
};
