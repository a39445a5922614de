/* SPDX-License-Identifier: MIT */
/* nnr_main: from the command line to the exit status. */
#include "base/processors.h"
#include "base/streams.h"
#include "runtime/session/backend.h"
#include "runtime/session/dataset.h"
#include "runtime/session/checkpoint.h"
#include "runtime/host/die.h"
#include "runtime/data/features.h"
#include "runtime/train/export.h"
#include "runtime/train/find_rate.h"
#include "runtime/train/folds.h"
#include "runtime/data/fingerprint.h"
#include "runtime/session/freeze.h"
#include "runtime/train/licences.h"
#include "runtime/session/loader.h"
#include "runtime/session/measures.h"
#include "runtime/host/lock.h"
#include "runtime/session/outputs.h"
#include "runtime/train/overfit.h"
#include "runtime/session/preflight.h"
#include "runtime/host/progress.h"
#include "runtime/report/report.h"
#include "runtime/report/run_folder.h"
#include "runtime/report/runs.h"
#include "runtime/train/sample.h"
#include "runtime/host/signals.h"
#include "runtime/report/start.h"
#include "runtime/session/weights.h"
#include "runtime/ranks/launch.h"
#include "runtime/ranks/ranks.h"
#include "runtime/ranks/variant.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* OpenMP's, where the generated code was linked with it; the runtime itself needs none. */
extern void omp_set_num_threads(int threads) __attribute__((weak));
extern int omp_get_max_threads(void) __attribute__((weak));

/* The number stays for the whole run, and is in the log: sums are made in an order that depends on it. */
static void choose_threads(Options *o)
{
	const char *wanted = getenv("OMP_NUM_THREADS");
	int usable = ranks_threads(processors_usable());
	if (o->threads > usable)
		say_note("--threads %lld: this process may use %d processor%s; more threads only take time "
		         "from one "
		         "another",
		         (long long)o->threads, usable, usable == 1 ? "" : "s");
	if (o->threads == 0)
		o->threads = wanted && *wanted && omp_get_max_threads ? omp_get_max_threads() : usable;
	if (omp_set_num_threads)
		omp_set_num_threads((int)o->threads);
}

static void plan_length(Session *s)
{
	const NnrModel *m = s->model;
	const Options *o = &s->options;
	s->steps_per_epoch = s->data.train.count / step_samples(m);
	if (o->steps > 0)
		s->total_steps = o->steps;
	else if (o->epochs > 0 || m->epochs > 0)
		s->total_steps = llround(
		        fmax(1, (o->epochs > 0 ? o->epochs : m->epochs) * (double)s->steps_per_epoch));
	else
		s->total_steps = m->steps;
	require(s->total_steps > 0 && s->steps_per_epoch > 0);
	s->rate = m->rate;
	if (o->rate > 0)
		s->rate.rate = o->rate;
}

/* Of a training that is saved, or shared by ranks. */
static void fingerprint(Session *s)
{
	const Options *o = &s->options;
	if (takes_weights(o) || !(o->checkpoint || o->best || ranks_many()))
		return;
	s->train_data = data_fingerprint(&s->data.train, s->model, (int)o->threads);
	s->held_out_data = data_fingerprint(&s->data.held_out, s->model, (int)o->threads);
}

static void load_weights(Session *s)
{
	const Options *o = &s->options;
	bool given = takes_weights(o);
	session_init_weights(s);
	if (!given && !o->resume)
		session_whiten(s);
	if (o->init)
		weights_load(s, o->init);
	if (o->resume || (given && o->checkpoint))
		checkpoint_load(s, o->checkpoint, !given);
	else if (given && !o->init)
		say_note("these are the initial weights: `--checkpoint FILE` or `--init FILE` gives others");
}

static void print_version(const NnrModel *m)
{
	printf("%s: model %s of %s, compiled by nnc %s", program_name(), m->name, m->source, m->version);
	if (features_level(m->needs))
		printf(" for %s", features_text(m->needs));
	printf("\n");
}

/* Only rank 0 looks at what is there, and what a run's folder is called. */
static void choose_outputs(Options *o)
{
	if (ranks_root()) {
		run_folder_choose(o);
		preflight_resume(o);
	}
	ranks_broadcast(&o->resume, sizeof o->resume);
	ranks_broadcast(&o->best_is_implied, sizeof o->best_is_implied);
	ranks_broadcast_text(&o->checkpoint);
	ranks_broadcast_text(&o->best);
	if (!ranks_root())
		o->log = NULL;
}

int nnr_main(const NnrModel *model, int argc, char **argv)
{
	Session s = {.model = model};
	streams_open_closed();
	start_begin();
	signals_begin();
	program_set_name(argc > 0 ? argv[0] : "trainer");
	session_check_model(model);
	options_parse(&s.options, model, argc, argv);
	const Options *o = &s.options;
	if (o->help || o->version || o->licences || o->print_model || o->manual >= 0) {
		if (o->help)
			options_help(model);
		else if (o->manual >= 0)
			options_manual(model, o->manual);
		else if (o->version)
			print_version(model);
		else if (o->licences)
			trainer_licences(model);
		else
			session_print_model(model, stdout);
		return output_end();
	}
	if (folds_are_wanted(o)) {
		const int status = folds_run(&s.options);
		if (status != FOLDS_GO_ON)
			return status;
	}
	bool works = ranks_choose(o);
	if (launch_is_wanted(o)) {
		variant_check_batch(model, o, o->gpus);
		if (model->backend && model->backend->check_devices)
			model->backend->check_devices(o->gpus);
		return launch_ranks((int)o->gpus, argv);
	}
	if (!works)
		return STATUS_OK;
	if (o->command == COMMAND_RUNS)
		return runs_compare(o);
	if (o->command == COMMAND_REPORT)
		return report_command(o, model);
	if (o->command == COMMAND_INFO)
		return session_info(model, o->checkpoint, o->net);
	features_check(model, features_of_processor());
	variant_choose(model, o, argv);
	ranks_open(o);
	choose_outputs(&s.options);
	if (o->command == COMMAND_SAMPLE)
		sample_check(model);
	if (ranks_root())
		outputs_claim(o, model);
	progress_begin(ranks_root() ? (ProgressMode)o->progress : PROGRESS_NONE, o->quiet);
	folds_say(o);
	variant_note_alone(model, o);
	preflight(&s);
	ranks_barrier(); /* what is there is seen before anybody moves it */
	s.seed = o->seed >= 0 ? (uint64_t)o->seed : model->seed;
	if (o->seed < 0 && (o->resume || (takes_weights(o) && o->checkpoint)))
		s.seed = checkpoint_seed(o->checkpoint); /* it decides which samples are held out */
	if (o->command == COMMAND_EXPORT) {
		int status = session_export(&s);
		locks_release();
		return status;
	}
	choose_threads(&s.options);
	freeze_open(&s);
	start_part(START_DEVICE);
	session_prepare(&s);
	start_part(START_DATA);
	s.data = o->command == COMMAND_SAMPLE ? sample_data(model) : data_load(o, model, s.seed, true);
	if (o->overfit_batch)
		overfit_batch(&s);
	fingerprint(&s);
	session_divide(&s);
	if (o->command == COMMAND_EVAL || (o->command == COMMAND_TRAIN && !o->no_eval))
		measures_check(&s);
	if (o->command == COMMAND_TRAIN)
		session_report(&s);
	static int (*const commands[])(Session * s) = {
	        [COMMAND_TRAIN] = session_train,        [COMMAND_EVAL] = session_eval,
	        [COMMAND_PREDICT] = session_predict,    [COMMAND_BENCH] = session_bench,
	        [COMMAND_PROFILE] = session_profile,    [COMMAND_SAMPLE] = session_sample,
	        [COMMAND_FIND_RATE] = session_find_rate};
	start_part(START_WEIGHTS);
	if (!takes_weights(o))
		plan_length(&s);
	if (o->command == COMMAND_FIND_RATE)
		find_rate_prepare(&s);
	load_weights(&s);
	session_compare(&s);
	s.backend->load(&s);
	start_end(model->backend && (o->command == COMMAND_BENCH || o->command == COMMAND_PROFILE));
	int status = commands[o->command](&s);
	ranks_close();
	session_free(&s);
	locks_release();
	return status;
}
