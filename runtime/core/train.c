/* The training loop: asks the backend for as many steps as fit until the host has something to do. */
#include "runtime/core/backend.h"
#include "runtime/core/checkpoint.h"
#include "runtime/core/die.h"
#include "runtime/core/loader.h"
#include "runtime/core/log.h"
#include "runtime/core/outputs.h"
#include "runtime/core/progress.h"
#include "runtime/core/signals.h"
#include "runtime/core/writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Loop {
	Session *s;
	Log *log;
	double begun;       /* of this process's part of the training */
	int64_t first_step; /* where it began */
	bool saved;         /* there is a checkpoint of this training */
	Position saved_at;  /* and where it stands */
	bool save_failed;
	double seconds;      /* of the steps of this epoch that this process ran */
	double waited;       /* those of them in which they waited for data */
	int64_t timed_steps; /* how many those are */
	int64_t fitting;     /* steps in a tenth of a second, as the last ones went */
} Loop;

int64_t steps_in_a_tenth(int64_t steps, double seconds)
{
	double fit = seconds > 0 ? 0.1 * (double)steps / seconds : INFINITY;
	return (int64_t)fmax(1, fmin(fit, 100 * (double)steps));
}

/* "loss 0.1234  accuracy 0.9571" */
static void scores_text(const Session *s, char *out, size_t room, const char *prefix, const double *means)
{
	size_t used = 0;
	out[0] = 0;
	for (int i = 0; i < s->score_count && used < room; i++)
		used += (size_t)snprintf(out + used, room - used, "%s%s%s %.4g", i ? "  " : "", prefix,
		                         score_name(s, i), score_shown(means[i]));
}

static void epoch_means(const Session *s, double means[1 + MAX_METRICS])
{
	for (int i = 0; i < s->score_count; i++)
		means[i] = s->at.in_epoch ? s->at.sums[i] / (double)s->at.in_epoch : 0;
}

static double samples_per_second(const Loop *l)
{
	return l->seconds > 0 ? (double)(l->timed_steps * step_samples(l->s->model)) / l->seconds : 0;
}

static double last_rate(const Session *s)
{
	return rate_at(&s->rate, s->at.step ? s->at.step - 1 : 0, s->total_steps, s->steps_per_epoch);
}

static int64_t epoch_count(const Session *s)
{
	return (s->total_steps + s->steps_per_epoch - 1) / s->steps_per_epoch;
}

/* "  data 12%", the share of the time that steps waited for data; nothing where all of it is resident. */
static const char *wait_text(const Loop *l, char text[32])
{
	double share = l->seconds > 0 ? l->waited / l->seconds : 0;
	text[0] = 0;
	if (l->s->loader)
		snprintf(text, 32, "  data %.0f%%", 100 * fmin(share, 1));
	return text;
}

static void show_step(const Loop *l)
{
	const Session *s = l->s;
	if (!progress_due())
		return;
	double means[1 + MAX_METRICS];
	char scores[256], wait[32];
	epoch_means(s, means);
	scores_text(s, scores, sizeof scores, "", means);
	int64_t done = s->at.step - l->first_step;
	double left =
	        done ? (clock_seconds() - l->begun) * (double)(s->total_steps - s->at.step) / (double)done
	             : 0;
	progress_draw("epoch %lld/%lld  %lld/%lld %d%%  eta %s  %s  rate %.3g  %s samples/s%s",
	              (long long)(s->at.epoch + 1), (long long)epoch_count(s), (long long)s->at.in_epoch,
	              (long long)s->steps_per_epoch, (int)(100 * s->at.in_epoch / s->steps_per_epoch),
	              duration_text(left), scores, last_rate(s), count_text(samples_per_second(l)),
	              wait_text(l, wait));
}

static void log_step(Loop *l)
{
	const Session *s = l->s;
	log_begin(l->log);
	log_number(l->log, "step", (double)s->at.step);
	for (int i = 0; i < s->score_count; i++)
		log_number(l->log, score_name(s, i), s->last[i]);
	log_number(l->log, "rate", last_rate(s));
	log_end(l->log);
}

/* `what`: "the loss is not a number". What was saved before stays. Only now is the data looked at: that takes time, and
 * mostly it is the rate. */
static _Noreturn void diverged(Loop *l, bool held_out, const char *what)
{
	const Session *s = l->s;
	log_close(l->log);
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

/* Looks at the last of the steps just run; the end with STATUS_DIVERGED when its loss is no number any more. */
static void look_at_step(Loop *l)
{
	Session *s = l->s;
	if (!isfinite(s->last[0]))
		log_step(l);
	check_loss(l, false, s->last[0]);
	if (s->options.log_every > 0 && s->at.step % s->options.log_every == 0)
		log_step(l);
}

static bool is_saved(const Loop *l)
{
	const Position *at = &l->s->at, *saved = &l->saved_at;
	return l->saved && at->step == saved->step && at->epoch == saved->epoch &&
	       at->in_epoch == saved->in_epoch && at->reported == saved->reported;
}

static void save(Loop *l)
{
	Session *s = l->s;
	if (!s->options.checkpoint || is_saved(l) || s->torn)
		return;
	if (s->backend->download)
		s->backend->download(s, false);
	/* The last step's loss is of the weights before it. */
	if (!session_weights_are_finite(s))
		diverged(l, false, "a weight is infinite or not a number");
	log_sync(l->log);
	l->save_failed = !checkpoint_save(s, s->options.checkpoint);
	if (!l->save_failed) {
		l->saved = true;
		l->saved_at = s->at;
	} else if (l->saved) {
		say_warning("no checkpoint at step %lld: %s; that of step %lld is intact",
		            (long long)s->at.step, file_failure(), (long long)l->saved_at.step);
	} else {
		say_warning("no checkpoint at step %lld: %s; there is none of this training yet",
		            (long long)s->at.step, file_failure());
	}
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

/* Evaluates, reports and moves to the next epoch. False when a signal came during the evaluation: the epoch is then
 * still open, and resuming evaluates it. */
static bool finish_epoch(Loop *l)
{
	Session *s = l->s;
	double means[1 + MAX_METRICS], held_out[1 + MAX_METRICS];
	bool evaluated = s->data.held_out.count > 0 && !s->options.no_eval;
	if (evaluated && !session_evaluate(s, held_out))
		return false;
	epoch_means(s, means);
	log_begin(l->log);
	log_number(l->log, "epoch", (double)(s->at.epoch + 1));
	log_number(l->log, "step", (double)s->at.step);
	for (int i = 0; i < s->score_count; i++)
		log_number(l->log, score_name(s, i), means[i]);
	for (int i = 0; evaluated && i < s->score_count; i++)
		log_prefixed(l->log, "eval_", score_name(s, i), held_out[i]);
	log_number(l->log, "rate", last_rate(s));
	log_number(l->log, "samples_per_second", l->timed_steps ? samples_per_second(l) : NAN);
	log_number(l->log, "seconds", l->seconds);
	log_number(l->log, "data_wait", l->waited);
	log_end(l->log);
	char scores[256], eval_scores[256] = "", speed[80] = "", wait[32];
	scores_text(s, scores, sizeof scores, "", means);
	if (evaluated)
		scores_text(s, eval_scores, sizeof eval_scores, "eval_", held_out);
	if (l->timed_steps) /* else all of them were before this process */
		snprintf(speed, sizeof speed, "  %s samples/s%s  %s", count_text(samples_per_second(l)),
		         wait_text(l, wait), duration_text(l->seconds));
	progress_say("epoch %lld/%lld  step %lld  %s  %s%srate %.3g%s", (long long)(s->at.epoch + 1),
	             (long long)epoch_count(s), (long long)s->at.step, scores, eval_scores,
	             evaluated ? "  " : "", last_rate(s), speed);
	if (evaluated)
		check_loss(l, true, held_out[0]);
	l->seconds = l->waited = 0;
	l->timed_steps = 0;
	if (s->at.in_epoch <
	    s->steps_per_epoch) { /* cut short by the length: a longer run goes on inside it */
		s->at.reported = true;
		return true;
	}
	s->at.epoch++;
	s->at.in_epoch = 0;
	memset(s->at.sums, 0, sizeof s->at.sums);
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
	if (o->dump && step == l->first_step)
		most = 1;
	return least(most, l->fitting);
}

static void run_steps(Loop *l, int64_t most)
{
	Session *s = l->s;
	int64_t before = s->at.step;
	double begun = clock_seconds();
	s->backend->train(s, most);
	double took = clock_seconds() - begun;
	int64_t done = s->at.step - before;
	l->seconds += took;
	l->waited += loader_waited(s->loader);
	l->timed_steps += done;
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
	bool logged = log_close(l->log);
	progress_clear();
	if (!s->options.checkpoint)
		say_note("stopped after step %lld; nothing was saved (no --checkpoint)",
		         (long long)s->at.step);
	else if (!l->save_failed)
		say_note("stopped after step %lld, saved in `%s`; go on with --resume", (long long)s->at.step,
		         s->options.checkpoint);
	return l->save_failed || !logged ? STATUS_DATA : signal ? STATUS_SIGNAL + signal : STATUS_OK;
}

/* The end where a file can't be decoded, with what was trained until then saved. */
static _Noreturn void data_failed(Loop *l, const char *what)
{
	const Session *s = l->s;
	save(l);
	log_close(l->log);
	char *saved = l->saved ? text_printf("; step %lld is saved in `%s`", (long long)l->saved_at.step,
	                                     s->options.checkpoint)
	                       : text_printf("%s", "");
	int status =
	        loader_machine_status(s->loader); /* 0: a good file in the place of that one is other data */
	die_help(status ? status : STATUS_DATA,
	         status && l->saved ? "a later run may read it: go on with --resume"
	         : status           ? "a later run may read it"
	         : l->saved         ? "remove the file, or put a good one there: --resume takes that for "
	                              "other data, --init goes on from the weights"
	                            : "remove the file, or put a good one there",
	         "%s, in step %lld%s", what, (long long)(s->at.step + 1), saved);
}

/* A --dump is of a first step, whose weights nobody wants. */
static void say_at_start(const Session *s)
{
	const Options *o = &s->options;
	if (!o->checkpoint && !o->dump)
		say_note("the weights will not be kept: `--checkpoint FILE` keeps them");
	if (s->rate.warmup > 0 && warmup_steps(&s->rate, s->steps_per_epoch) >= (double)s->total_steps)
		say_note("the warm-up of %g%s does not end within this training of %lld steps: the rate "
		         "stays below %.6g",
		         s->rate.warmup, s->rate.warmup_in_epochs ? "ep" : "it", (long long)s->total_steps,
		         s->rate.rate);
}

int session_train(Session *s)
{
	Loop l = {.s = s, .begun = clock_seconds(), .first_step = s->at.step, .fitting = 1};
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
	outputs_set_aside(&s->options);
	l.log = log_open(s->options.log, s->options.resume ? &resumed : NULL,
	                 s->model->real == NNR_F64 ? 17 : 9);
	int64_t stop = s->options.stop_after > 0 ? s->options.stop_after : INT64_MAX;
	signals_catch();
	while (!session_is_complete(s)) {
		if (signal_caught() || s->at.step >= stop)
			return interrupted(&l, signal_caught());
		bool epoch_ended = s->at.in_epoch == s->steps_per_epoch || s->at.step >= s->total_steps;
		if (epoch_ended) {
			if (!finish_epoch(&l)) {
				if (loader_failure(s->loader))
					data_failed(&l, loader_failure(s->loader));
				continue;
			}
		} else {
			int64_t before = s->at.step;
			run_steps(&l, steps_to_run(&l, stop));
			if (s->at.step == before)
				data_failed(&l, loader_failure(s->loader));
			look_at_step(&l);
			if (s->options.dump && s->at.step == l.first_step + 1)
				dump(s);
			show_step(&l);
		}
		if (save_is_due(s, epoch_ended))
			save(&l);
		if (signal_asks_to_save())
			save_because_asked(&l);
	}
	save(&l);
	if (s->options.checkpoint && !l.save_failed)
		progress_say("the weights are in `%s`", s->options.checkpoint);
	bool logged = log_close(l.log);
	return l.save_failed || !logged ? STATUS_DATA : STATUS_OK;
}
