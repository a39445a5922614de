/* SPDX-License-Identifier: MIT */
/* The CPU as a backend: one step at a time, on the blocks that the host has anyway. */
#include "runtime/session/backend.h"
#include "runtime/cpu/crowd.h"
#include "runtime/host/die.h"
#include "runtime/session/freeze.h"
#include "runtime/session/loader.h"
#include "runtime/host/memory.h"
#include "runtime/report/profile.h"
#include "runtime/host/progress.h"
#include "runtime/ranks/ranks.h"
#include "runtime/cpu/nnr_step.h"

#include <math.h>
#include <string.h>

static void cpu_open(Session *s)
{
	const NnrModel *m = s->model;
	double total = session_plan_bytes(m, &s->options);
	/* the data set and the rest of the machine need some too */
	double available = 0.9 * memory_available();
	if (total > available) {
		char *fitting = session_what_fits(m, &s->options, available);
		die_help(STATUS_MEMORY, fitting ? fitting : "no batch of this model fits this machine",
		         "the plan needs %s at %s, the machine has %s for it", human_bytes(total),
		         session_size_text(m, &s->options), human_bytes(available));
	}
	s->memory.inputs = block_new(session_input_batches(m, &s->options) * m->input_bytes, "the batch");
	s->memory.arena = block_new(session_arena_bytes(m, &s->options), "the activations");
}

static void cpu_load(Session *s)
{
	freeze_enter(s);
	freeze_keep(s->frozen, &s->memory);
	if (loader_is_needed(s))
		s->loader = loader_new(s, loader_host_memory, true, 1);
}

static void cpu_close(Session *s)
{
	loader_free(s->loader);
	block_free(s->memory.inputs, session_input_batches(s->model, &s->options) * s->model->input_bytes);
	block_free(s->memory.arena, session_arena_bytes(s->model, &s->options));
}

/* One step, chunk by chunk; adds up the chunks' scores. False where its samples can't be decoded. */
static bool run_step(Session *s, int64_t epoch, int64_t index, int64_t step)
{
	const int64_t chunks = s->model->chunks;
	crowd_look();
	memset(s->last, 0, sizeof s->last);
	for (int64_t c = 0; c < chunks; c++) {
		NnrScalars scalars = {
		        .rate = session_rate(s, step),
		        .step = (double)(step + 1),
		        .last = c == chunks - 1,
		        .seed = chunk_seed(s->seed, c),
		        .rank = ranks_own(),
		};
		if (s->profile)
			profile_now(s->profile, EVENT_DATA);
		if (batch_train(s, epoch, index * chunks + c) == 0) {
			s->torn = c > 0;
			return false;
		}
		s->model->train.run(&s->memory, &scalars);
		freeze_restore(s->frozen, &s->memory);
		if (s->profile)
			profile_now(s->profile, EVENT_NONE);
		for (int i = 0; i < s->sum_count; i++)
			s->last[i] += output_value(s, s->scores[i], 0);
	}
	session_meet(s);
	return true;
}

static void cpu_train(Session *s, int64_t most)
{
	if (freeze_enter(s))
		freeze_keep(s->frozen, &s->memory);
	if (!run_step(s, s->at.epoch, s->at.in_epoch, s->at.step))
		return;
	s->at.step++;
	s->at.in_epoch++;
	for (int i = 0; isfinite(s->last[0]) && i < s->sum_count; i++)
		s->at.sums[i] += s->last[i];
}

static struct {
	void (*look)(int step, const char *arena);
	const Session *s;
	int step; /* that runs now */
} traced;

static void trace_step(int number)
{
	if (traced.step > 0)
		traced.look(traced.step, traced.s->memory.arena);
	traced.step = number;
}

extern int omp_get_max_threads(void) __attribute__((weak));
extern int omp_get_thread_num(void) __attribute__((weak));
extern void omp_set_num_threads(int) __attribute__((weak));

static int threads(void)
{
	return omp_get_max_threads ? omp_get_max_threads() : 1;
}

/* By one thread: of several each may be in another step, where they share out rows (nnr_shares.h). */
static void cpu_trace(Session *s, void (*look)(int step, const char *arena))
{
	const int usual = threads();
	if (omp_set_num_threads)
		omp_set_num_threads(1);
	traced.look = look;
	traced.s = s;
	traced.step = 0;
	memset(s->memory.arena, 0, (size_t)s->model->train.arena_bytes);
	nnr_on_step = trace_step;
	cpu_train(s, 1);
	trace_step(0);
	nnr_on_step = NULL;
	if (omp_set_num_threads)
		omp_set_num_threads(usual);
}

static void prepare(Session *s, const NnrScalars *scalars)
{
	if (s->model->prepare.run)
		s->model->prepare.run(&s->memory, scalars);
}

static int64_t cpu_evaluate(Session *s, int64_t first, int64_t most, double sums[1 + MAX_METRICS])
{
	int64_t own = first + held_out_begin(s), real = batch_real(s, own, s->model->batch),
	        together = batch_real(s, first, held_out_batch(s));
	NnrScalars scalars = {.step = (double)(s->at.step + 1), .seed = s->seed, .samples = (double)together};
	bool made = batch_evaluate(s, own);
	crowd_look();
	if (!made)
		return 0;
	if (first == 0)
		prepare(s, &scalars);
	s->model->evaluate.run(&s->memory, &scalars);
	for (int i = 0; i < s->sum_count; i++)
		for (int64_t k = 0; k < real; k++)
			sums[i] += output_value(s, s->eval_scores[i], k);
	return together;
}

static void cpu_evaluated(Session *s, const NnrOutput *o, char *to)
{
	memcpy(to, s->memory.arena + o->offset, (size_t)output_batch_bytes(o));
}

/* Puts the predictions of the batch just run to `to`. */
static void keep_predictions(const Session *s, char *to)
{
	const NnrProgram *p = &s->model->predict;
	for (int i = 0; i < p->output_count; i++) {
		const NnrOutput *o = &p->outputs[i];
		memcpy(to, s->memory.arena + o->offset, (size_t)output_batch_bytes(o));
		to += output_batch_bytes(o);
	}
}

static int64_t cpu_predict(Session *s, int64_t first, char *to)
{
	NnrScalars scalars = {.step = (double)(s->at.step + 1),
	                      .seed = chunk_seed(s->seed, first / s->model->batch)};
	if (!batch_evaluate(s, first))
		return 0;
	if (first / s->model->batch < ranks_count()) /* its first */
		prepare(s, &scalars);
	s->model->predict.run(&s->memory, &scalars);
	keep_predictions(s, to);
	return batch_real(s, first, s->model->batch);
}

static double time_requests(Session *s, int64_t requests)
{
	const NnrModel *m = s->model;
	NnrScalars scalars = {.seed = s->seed};
	int64_t batches = session_request_batches(m, &s->options),
	        kept = session_prediction_bytes(m, &s->options);
	char *predictions = block_new(batches * kept, "the predictions");
	for (int64_t k = 0; k < batches; k++)
		batch_rows_train(s, 0, k % (s->steps_per_epoch * m->chunks) * m->batch, m->batch,
		                 s->memory.inputs + k * m->input_bytes);
	prepare(s, &scalars);
	double begun = clock_seconds();
	for (int64_t i = 0; i < requests; i++)
		for (int64_t k = 0; k < batches; k++) {
			NnrMemory memory = s->memory;
			memory.inputs += k * m->input_bytes;
			m->predict.run(&memory, &scalars);
			if (kept > 0)
				keep_predictions(s, predictions + k * kept);
		}
	double took = clock_seconds() - begun;
	block_free(predictions, batches * kept);
	return took;
}

static double cpu_time(Session *s, int64_t steps, bool inference)
{
	if (inference)
		return time_requests(s, steps);
	double begun = clock_seconds();
	for (int64_t i = 0; i < steps; i++, s->at.step++)
		if (!run_step(s, s->at.step / s->steps_per_epoch, s->at.step % s->steps_per_epoch,
		              s->at.step))
			loader_die(s->loader);
	return clock_seconds() - begun;
}

static Profile *heard; /* by what generated code says, which knows no session */

/* Where threads share out rows, each goes through the steps by itself; the first one's times stand for all. */
static void hear_step(int number)
{
	if (!omp_get_thread_num || omp_get_thread_num() == 0)
		profile_now(heard, number - 1);
}

static void hear_engine(const char *name)
{
	profile_engine(heard, name);
}

static void cpu_profile(Session *s, int64_t steps)
{
	heard = s->profile;
	heard->tracks[0] = "main thread";
	heard->how = "a clock around each call";
	nnr_on_step = hear_step;
	nnr_on_engine = hear_engine;
	for (int64_t i = 0; i < steps; i++, s->at.step++) {
		int64_t begun = clock_ns();
		if (!run_step(s, s->at.step / s->steps_per_epoch, s->at.step % s->steps_per_epoch,
		              s->at.step))
			loader_die(s->loader);
		profile_add_turn(heard, begun, clock_ns());
	}
	nnr_on_step = NULL;
	nnr_on_engine = NULL;
}

static void cpu_peaks(Session *s, Peaks *peaks)
{
	*peaks = peaks_of_cpu(threads(), s->model->real == NNR_F64);
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
        .trace = cpu_trace,
        .evaluate = cpu_evaluate,
        .evaluated = cpu_evaluated,
        .predict = cpu_predict,
        .time = cpu_time,
        .profile = cpu_profile,
        .peaks = cpu_peaks,
        .device = cpu_device,
        .load = cpu_load,
};
