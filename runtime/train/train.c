/* SPDX-License-Identifier: MIT */
/* The training loop: asks the backend for as many steps as fit until the host has something to do. */
#include "runtime/session/backend.h"
#include "runtime/session/checkpoint.h"
#include "runtime/host/die.h"
#include "runtime/session/freeze.h"
#include "runtime/session/generations.h"
#include "runtime/report/journal.h"
#include "runtime/session/loader.h"
#include "runtime/session/monitor.h"
#include "runtime/session/outputs.h"
#include "runtime/host/progress.h"
#include "runtime/session/provenance.h"
#include "runtime/report/report.h"
#include "runtime/train/rescue.h"
#include "runtime/report/run_folder.h"
#include "runtime/host/signals.h"
#include "runtime/host/writer.h"
#include "runtime/ranks/ranks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Loop {
	Session *s;
	Journal journal;
	Monitor monitor;
	double first_loss;  /* of the first step of this process; NaN before it */
	int64_t first_step; /* where this process's part of the training began */
	bool saved;         /* there is a checkpoint of this training */
	Position saved_at;  /* and where it stands */
	bool save_failed, best_failed;
	Rescue *rescue;   /* NULL: none */
	int64_t skipped;  /* steps in a row that were passed over */
	bool best_is_due; /* an evaluation was the best so far, and is not saved yet */
	int64_t fitting;  /* steps in a tenth of a second, as the last ones went */
	double ran;       /* seconds in steps */
} Loop;

int64_t steps_in_a_tenth(int64_t steps, double seconds)
{
	double fit = seconds > 0 ? 0.1 * (double)steps / seconds : INFINITY;
	return (int64_t)fmax(1, fmin(fit, 100 * (double)steps));
}

/* The log is complete, and with --run the page of it. */
static bool end_journal(Loop *l, bool complete)
{
	journal_energy(&l->journal);
	bool whole = journal_close(&l->journal);
	if (complete)
		report_evaluation(l->s);
	if (ranks_root())
		report_of_run(&l->s->options);
	return whole;
}

/* `what`: "the loss is not a number". What was saved before stays. Only now is the data looked at: that takes time, and
 * mostly it is the rate. */
static _Noreturn void diverged(Loop *l, bool held_out, const char *what)
{
	const Session *s = l->s;
	end_journal(l, false);
	char *so = text_printf("%s at step %lld, in epoch %lld", what, (long long)s->at.step,
	                       (long long)(s->at.epoch + 1));
	data_check_finite(&s->data.train, s->model, so);
	if (held_out)
		data_check_finite(&s->data.held_out, s->model, so);
	die_help(STATUS_DIVERGED,
	         l->saved ? "try a lower --rate; the checkpoint holds the state before"
	                  : "try a lower --rate, or a warmup in the recipe",
	         "%s", so);
}

static void check_loss(Loop *l, bool held_out, double loss)
{
	char what[80];
	snprintf(what, sizeof what, "the loss%s is %s", held_out ? " on the held-out samples" : "",
	         isnan(loss) ? "not a number" : "infinite");
	if (!isfinite(loss))
		diverged(l, held_out, what);
}

/* A loss of a million times the first one, and more than a million, is no end of a training; amid one a schedule may
 * still bring it down, unless it is on its way to infinity. */
static void check_growth(Loop *l)
{
	const Session *s = l->s;
	int64_t steps = session_counted_steps(s);
	double mean = steps > 0 ? s->at.sums[0] / (double)steps : 0,
	       most = s->at.step >= s->total_steps ? 1e6 : 1e12;
	if (!(mean > most * fmax(1, l->first_loss)))
		return;
	char *what = text_printf("the loss has grown from %.4g to %.4g", l->first_loss, mean);
	diverged(l, false, what);
}

void session_halve_rate(Session *s, int64_t times)
{
	s->rate.rate = ldexp(s->rate.rate, -(int)times);
	s->rate.final_rate = ldexp(s->rate.final_rate, -(int)times);
}

/* --on-nan rollback: to the checkpoint, and on at half the rate. */
static void roll_back(Loop *l, int64_t step)
{
	Session *s = l->s;
	int64_t rollbacks = s->at.rollbacks;
	session_halve_rate(s, -rollbacks);
	checkpoint_load(s, s->options.checkpoint, true);
	session_halve_rate(s, rollbacks + 1 - s->at.rollbacks);
	s->at.rollbacks = rollbacks + 1;
	if (s->backend->upload)
		s->backend->upload(s);
	rescue_forget(l->rescue);
	journal_go_back(&l->journal);
	say_warning("step %lld is bad: back to step %lld, at the rate %.6g", (long long)step,
	            (long long)s->at.step, s->rate.rate);
}

/* The loss of the last step is no number. Goes on, or ends as --on-nan says. */
static void survive(Loop *l)
{
	enum { MOST_IN_A_ROW = 10, MOST_ROLLBACKS = 10 };
	Session *s = l->s;
	char what[200];
	snprintf(what, sizeof what, "the loss is %s", isnan(s->last[0]) ? "not a number" : "infinite");
	int64_t seen = s->at.step, epoch = s->at.epoch, bad = rescue_go_back(l->rescue, s);
	char *name = bad ? rescue_name(l->rescue, s) : NULL;
	if (s->options.on_nan == ON_NAN_SKIP && bad && ++l->skipped <= MOST_IN_A_ROW) {
		say_warning("step %lld is passed over: %s%s%s", (long long)bad, what, name ? ", " : "",
		            name ? name : "");
		rescue_skip(l->rescue, s);
		free(name);
		return;
	}
	if (s->options.on_nan == ON_NAN_ROLLBACK && l->saved && s->at.rollbacks < MOST_ROLLBACKS) {
		if (name)
			say_note("%s at step %lld, %s", what, (long long)seen, name);
		roll_back(l, bad ? bad : seen);
		free(name);
		return;
	}
	s->at.step = seen;
	s->at.epoch = epoch;
	diverged(l, false, name ? text_printf("%s, %s of step %lld,", what, name, (long long)bad) : what);
}

/* Looks at the last of the steps just run. */
static void look_at_step(Loop *l)
{
	Session *s = l->s;
	bool finite = isfinite(s->last[0]);
	if (isnan(l->first_loss))
		l->first_loss = s->last[0];
	bool logged = s->options.log_every > 0 && s->at.step % s->options.log_every == 0;
	if (logged || s->at.in_epoch == s->steps_per_epoch || s->at.step >= s->total_steps)
		journal_keep_gradient(&l->journal); /* before an evaluation takes its place */
	if (finite ? logged : s->options.on_nan == ON_NAN_STOP)
		journal_step(&l->journal);
	if (finite)
		l->skipped = 0;
	else
		survive(l);
}

static bool is_saved(const Loop *l)
{
	const Position *at = &l->s->at, *saved = &l->saved_at;
	return l->saved && at->step == saved->step && at->epoch == saved->epoch &&
	       at->in_epoch == saved->in_epoch && at->reported == saved->reported &&
	       at->evaluated == saved->evaluated;
}

/* Brings the state to the host, and looks at it: the last step's loss is of the weights before it. */
static void fetch_state(Loop *l)
{
	Session *s = l->s;
	if (s->backend->download)
		s->backend->download(s, false);
	session_compare_weights(s);
	session_gather_shares(s);
	if (!session_weights_are_finite(s))
		diverged(l, false, "a weight is infinite or not a number");
	log_sync(l->journal.log);
}

/* Rank 0 writes; all know whether it could. */
static bool save_to(const Session *s, const char *path)
{
	bool done = ranks_root() && checkpoint_save(s, path);
	ranks_broadcast(&done, sizeof done);
	return done;
}

static void save(Loop *l)
{
	Session *s = l->s;
	if (!s->options.checkpoint || is_saved(l) || s->torn)
		return;
	fetch_state(l);
	if (s->options.keep > 0)
		generations_add(s);
	l->save_failed = !save_to(s, s->options.checkpoint);
	if (!l->save_failed) {
		l->saved = true;
		l->saved_at = s->at;
		if (s->options.keep > 0 && ranks_root() && !generations_keep(s))
			say_warning("step %lld is saved, but not kept: %s", (long long)s->at.step,
			            file_failure());
	} else if (l->saved) {
		say_warning("no checkpoint at step %lld: %s; that of step %lld is intact",
		            (long long)s->at.step, file_failure(), (long long)l->saved_at.step);
	} else {
		say_warning("no checkpoint at step %lld: %s; there is none of this training yet",
		            (long long)s->at.step, file_failure());
	}
}

static void save_best(Loop *l)
{
	Session *s = l->s;
	l->best_is_due = false;
	if (!s->options.best)
		return;
	fetch_state(l);
	l->best_failed = !save_to(s, s->options.best);
	if (l->best_failed)
		say_warning("the best, of step %lld, is not saved: %s", (long long)s->at.best.step,
		            file_failure());
}

/* SIGUSR1. */
static void save_because_asked(Loop *l)
{
	const Session *s = l->s;
	save(l);
	if (!s->options.checkpoint)
		say_note("SIGUSR1: nothing was saved (no --checkpoint)");
	else if (!l->save_failed)
		progress_say("step %lld is saved in `%s`", (long long)s->at.step, s->options.checkpoint);
}

/* False when a signal came during it, or a sample can't be decoded. */
static bool evaluate(Loop *l, double held_out[1 + MAX_METRICS])
{
	if (!session_evaluate(l->s, held_out))
		return false;
	/* what is no number is the best of nothing */
	if (isfinite(held_out[l->monitor.score]) && monitor_sees(&l->monitor, l->s, held_out))
		l->best_is_due = true;
	return true;
}

/* The evaluation just made is the best, and somebody asked for that. */
static bool says_best(const Loop *l)
{
	const Options *o = &l->s->options;
	return l->best_is_due && (o->best || o->monitor || o->early_stop > 0);
}

static bool is_evaluated(const Session *s)
{
	return session_held_out(s) > 0 && !s->options.no_eval;
}

/* --eval-every N[ep]: whether the evaluation of the epoch that ends now is one of them. The last is. */
static bool epoch_is_evaluated(const Session *s)
{
	Interval every = s->options.eval_every;
	if (!is_evaluated(s) || every.in_steps)
		return false;
	return s->at.step >= s->total_steps || every.amount < 1 ||
	       (s->at.epoch + 1) % (int64_t)every.amount == 0;
}

/* Evaluates, reports and moves to the next epoch. False when a signal came during the evaluation: the epoch is then
 * still open, and resuming evaluates it. */
static bool finish_epoch(Loop *l)
{
	Session *s = l->s;
	double held_out[1 + MAX_METRICS];
	bool evaluated = epoch_is_evaluated(s);
	if (evaluated && !evaluate(l, held_out))
		return false;
	journal_epoch(&l->journal, evaluated ? held_out : NULL, says_best(l));
	provenance_keep_metrics(s, evaluated ? held_out : NULL);
	check_growth(l);
	if (evaluated)
		check_loss(l, true, held_out[0]);
	if (s->at.in_epoch <
	    s->steps_per_epoch) { /* cut short by the length: a longer run goes on inside it */
		s->at.reported = true;
		return true;
	}
	s->at.epoch++;
	s->at.in_epoch = s->at.skipped = 0;
	memset(s->at.sums, 0, sizeof s->at.sums);
	return true;
}

/* --eval-every Nit. */
static bool evaluation_is_due(const Session *s)
{
	Interval every = s->options.eval_every;
	return every.in_steps && is_evaluated(s) && s->at.step > 0 && s->at.evaluated != s->at.step &&
	       (s->at.step % (int64_t)every.amount == 0 || s->at.step >= s->total_steps);
}

/* False as finish_epoch: resuming evaluates. */
static bool evaluate_amid(Loop *l)
{
	Session *s = l->s;
	double held_out[1 + MAX_METRICS], begun = clock_seconds();
	if (!evaluate(l, held_out))
		return false;
	s->at.evaluated = s->at.step;
	provenance_keep_metrics(s, held_out);
	journal_evaluation(&l->journal, held_out, says_best(l), clock_seconds() - begun);
	check_loss(l, true, held_out[0]);
	return true;
}

static bool save_is_due(const Session *s, bool epoch_ended)
{
	Interval every = s->options.checkpoint_every;
	if (every.in_steps)
		return s->at.step % (int64_t)every.amount == 0;
	return epoch_ended && s->at.epoch % (every.amount > 0 ? (int64_t)every.amount : 1) == 0;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Steps until the host next has something to do: the end of the epoch or of the training, a line of the log, a
 * checkpoint, a dump, and in any case a look for signals after a tenth of a second. */
static int64_t steps_to_run(const Loop *l, int64_t stop)
{
	const Session *s = l->s;
	const Options *o = &s->options;
	int64_t step = s->at.step,
	        most = least(s->steps_per_epoch - s->at.in_epoch, least(s->total_steps, stop) - step);
	if (o->log_every > 0)
		most = least(most, o->log_every - step % o->log_every);
	if (o->checkpoint_every.in_steps)
		most = least(most, (int64_t)o->checkpoint_every.amount -
		                           step % (int64_t)o->checkpoint_every.amount);
	if (o->eval_every.in_steps)
		most = least(most, (int64_t)o->eval_every.amount - step % (int64_t)o->eval_every.amount);
	if (o->dump && step == l->first_step)
		most = 1;
	return least(most, l->fitting);
}

static void run_steps(Loop *l, int64_t most)
{
	Session *s = l->s;
	int64_t before = s->at.step;
	double begun = clock_seconds(), busy = processor_seconds();
	signals_step_begins(STEP_OF_TRAINING);
	s->backend->train(s, most);
	signals_step_ends();
	double took = clock_seconds() - begun;
	l->ran += took;
	int64_t done = s->at.step - before;
	journal_ran(&l->journal, done, took, processor_seconds() - busy);
	l->fitting = steps_in_a_tenth(done, took);
}

static void dump(Session *s)
{
	if (s->backend->download)
		s->backend->download(s, true);
	dump_step(s, s->options.dump);
}

static int interrupted(Loop *l, int signal)
{
	Session *s = l->s;
	save(l);
	bool logged = end_journal(l, false);
	progress_clear();
	if (!s->options.checkpoint)
		say_note("stopped after step %lld; nothing was saved (no --checkpoint)",
		         (long long)s->at.step);
	else if (!l->save_failed)
		say_note("stopped after step %lld, saved in `%s`; go on with --resume", (long long)s->at.step,
		         s->options.checkpoint);
	return l->save_failed || l->best_failed || !logged ? STATUS_DATA
	       : signal                                    ? STATUS_SIGNAL + signal
	                                                   : STATUS_OK;
}

/* The end where a file can't be decoded, with what was trained until then saved. */
static _Noreturn void data_failed(Loop *l, const char *what)
{
	const Session *s = l->s;
	if (!ranks_many()) /* the others are amid this step */
		save(l);
	end_journal(l, false);
	char *saved = l->saved ? text_printf("; step %lld is saved in `%s`", (long long)l->saved_at.step,
	                                     s->options.checkpoint)
	                       : text_printf("%s", "");
	int status =
	        loader_machine_status(s->loader); /* 0: a good file in the place of that one is other data */
	die_help(status ? status : STATUS_DATA,
	         status && l->saved ? "a later run may read it: go on with --resume"
	         : status           ? "a later run may read it"
	         : l->saved
	                 ? "allow more of them by `--bad-files` with --resume; or remove the file, or put a "
	                   "good one there: --resume takes that for other data, --init goes on from the "
	                   "weights"
	                 : "remove the file, put a good one there, or allow more of them by `--bad-files`",
	         "%s, in step %lld%s", what, (long long)(s->at.step + 1), saved);
}

/* A --dump is of a first step, whose weights nobody wants. */
static void say_at_start(const Session *s)
{
	const Options *o = &s->options;
	if (!o->checkpoint && !o->dump)
		say_note("the weights will not be kept: `--checkpoint FILE` keeps them");
	if (freeze_steps_left(s) < INT64_MAX)
		progress_say("phase: for %lld steps `%s` stays as it is, then all is trained",
		             (long long)freeze_steps_left(s), s->model->phase.frozen);
	if (s->rate.warmup > 0 && warmup_steps(&s->rate, s->steps_per_epoch) >= (double)s->total_steps)
		say_note("the warm-up of %g%s does not end within this training of %lld steps: the rate "
		         "stays below %.6g",
		         s->rate.warmup, s->rate.warmup_in_epochs ? "ep" : "it", (long long)s->total_steps,
		         s->rate.rate);
}

/* The end of the training: its length is over, or --early-stop has ended it. */
static int finished(Loop *l)
{
	const Session *s = l->s;
	save(l);
	char *best = monitor_text(&l->monitor, s);
	if (monitor_stops(s) && !session_is_complete(s))
		progress_say("stopped early at step %lld: %lld evaluation%s without a better one than %s",
		             (long long)s->at.step, (long long)s->at.best.since,
		             s->at.best.since == 1 ? "" : "s", best);
	else if (s->at.best.step > 0 && (s->options.best || s->options.monitor))
		progress_say("the best was %s", best);
	free(best);
	if (ranks_waited() > 0 && l->ran > 0)
		progress_say("%d ranks: %.0f %% of the time of the steps was spent on the means of gradients",
		             ranks_count(), 100 * ranks_waited() / l->ran);
	if (s->options.checkpoint && !l->save_failed)
		progress_say("the weights are in `%s`", s->options.checkpoint);
	if (s->options.best && s->at.best.step > 0 && !l->best_failed)
		progress_say("the best weights are in `%s`", s->options.best);
	bool logged = end_journal(l, true);
	rescue_free(l->rescue, l->s);
	return l->save_failed || l->best_failed || !logged ? STATUS_DATA : STATUS_OK;
}

/* What this process is asked for from outside. */
typedef struct Asked {
	int signal; /* to end by; 0: none */
	bool save;
} Asked;

/* All ranks end after the same step, save after the same, and run as many steps until they look again. */
static Asked agree(Loop *l)
{
	enum { COMPARED_EVERY = 500 }; /* steps; and wherever a checkpoint is saved */
	if (l->s->at.step % COMPARED_EVERY == 0 && l->s->at.step > l->first_step)
		session_compare_weights(l->s);
	double now[] = {signal_caught(), signal_asks_to_save(), -(double)l->fitting};
	ranks_max(now, sizeof now / sizeof *now);
	l->fitting = (int64_t)-now[2];
	return (Asked){(int)now[0], now[1] > 0};
}

int session_train(Session *s)
{
	if (s->options.best_is_implied && session_held_out(s) == 0)
		s->options.best = NULL;
	Loop l = {.s = s,
	          .monitor = monitor_choose(s),
	          .first_step = s->at.step,
	          .first_loss = NAN,
	          .fitting = 1};
	l.saved = s->options.resume;
	l.saved_at = s->at;
	bool complete = session_is_complete(s);
	LogEnd resumed = {s->at.step, s->at.epoch + (complete && s->at.reported)};
	if (!complete)
		s->at.reported = false; /* the epoch goes on */
	if (complete)
		say_note("the training is complete at step %lld; --steps or --epochs can make it longer",
		         (long long)s->at.step);
	else if (!s->options.quiet)
		say_at_start(s);
	if (ranks_root()) {
		outputs_set_aside(&s->options);
		run_folder_fill(s);
	}
	signals_catch();
	l.journal = journal_open(s, s->options.resume, resumed);
	if (s->options.log_norms && !s->model->train.gradient)
		say_note("`--log-norms` has no `gradient_norm` here: %s", s->model->train.no_gradient);
	l.rescue = rescue_new(s);
	if (s->options.on_nan == ON_NAN_ROLLBACK && !s->options.resume)
		save(&l); /* what the first one goes back to */
	int64_t stop = s->options.stop_after > 0 ? s->options.stop_after : INT64_MAX;
	while (!session_is_complete(s) && !monitor_stops(s)) {
		Asked asked = agree(&l);
		if (asked.signal || s->at.step >= stop)
			return interrupted(&l, asked.signal);
		bool amid = evaluation_is_due(s),
		     epoch_ended =
		             !amid && (s->at.in_epoch == s->steps_per_epoch || s->at.step >= s->total_steps);
		if (amid || epoch_ended) {
			if (!(amid ? evaluate_amid(&l) : finish_epoch(&l))) {
				if (loader_failure(s->loader))
					data_failed(&l, loader_failure(s->loader));
				continue;
			}
			rescue_forget(l.rescue); /* what it keeps crosses no evaluation and no epoch's end */
		} else {
			int64_t before = s->at.step;
			if (s->backend->between && s->backend->between(s))
				rescue_forget(l.rescue); /* steps that are run again would be others */
			rescue_keep(l.rescue, s);
			run_steps(&l, steps_to_run(&l, stop));
			if (s->at.step == before)
				data_failed(&l, loader_failure(s->loader));
			look_at_step(&l);
			if (s->options.dump && s->at.step == l.first_step + 1)
				dump(s);
			journal_show(&l.journal);
		}
		if (l.best_is_due)
			save_best(&l);
		if (save_is_due(s, epoch_ended))
			save(&l);
		if (asked.save || (!ranks_many() && signal_asks_to_save()))
			save_because_asked(&l);
	}
	return finished(&l);
}
