/* SPDX-License-Identifier: MIT */
#include "runtime/report/journal.h"
#include "runtime/session/backend.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/session/loader.h"
#include "runtime/host/memory.h"
#include "runtime/host/progress.h"
#include "runtime/report/start.h"
#include "runtime/ranks/ranks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is told */

/* "loss 0.1234  accuracy 0.9571" */
static void scores_text(const Session *s, char *out, size_t room, const char *prefix, int count,
                        const double *means)
{
	size_t used = 0;
	out[0] = 0;
	for (int i = 0; i < count && used < room; i++)
		used += (size_t)snprintf(out + used, room - used, "%s%s%s %.4g", i ? "  " : "", prefix,
		                         score_name(s, i), score_shown(means[i]));
}

static void epoch_means(const Session *s, double means[1 + MAX_METRICS])
{
	int64_t steps = session_counted_steps(s);
	if (steps > 0)
		session_means(s, s->at.sums, (double)steps, means);
	else
		memset(means, 0, (1 + MAX_METRICS) * sizeof *means);
}

static double samples_per_second(const Journal *j)
{
	return j->seconds > 0 ? (double)(j->timed_steps * step_samples(j->s->model)) / j->seconds : 0;
}

static double last_rate(const Session *s)
{
	return session_rate(s, s->at.step ? s->at.step - 1 : 0);
}

static int64_t epoch_count(const Session *s)
{
	return (s->total_steps + s->steps_per_epoch - 1) / s->steps_per_epoch;
}

/* Of the current epoch, which the length of the training may cut short. */
static int64_t epoch_steps(const Session *s)
{
	int64_t left = s->total_steps - s->at.step + s->at.in_epoch;
	return left < s->steps_per_epoch ? left : s->steps_per_epoch;
}

/* "data 12%", the share of the time that steps waited for data; nothing where all of it is resident. */
static void put_wait(const Journal *j, char text[32])
{
	text[0] = 0;
	if (j->s->loader && j->seconds > 0)
		snprintf(text, 32, "data %.0f%%", 100 * fmin(j->waited / j->seconds, 1));
}

/* "cpu 190%  412 MB", of a GPU the bytes that are taken there, too; "2 ranks" where this process is one of several. */
static void put_use(const Journal *j, char text[80])
{
	const Session *s = j->s;
	if (ranks_count() > 1) {
		snprintf(text, 80, "%d ranks", ranks_count());
		return;
	}
	int used = j->seconds > 0 ? snprintf(text, 80, "cpu %.0f%%  ", 100 * j->busy / j->seconds) : 0;
	used += snprintf(text + used, (size_t)(80 - used), "%s", human_bytes(memory_of_process()));
	if (s->backend->memory_used)
		snprintf(text + used, (size_t)(80 - used), "  gpu %s",
		         human_bytes(s->backend->memory_used(s)));
}

void journal_show(const Journal *j)
{
	enum { EPOCH, STEP, SCORES, ETA, SPEED, WAIT, USE, RATE, PIECES };
	const Session *s = j->s;
	if (!progress_due())
		return;
	double means[1 + MAX_METRICS];
	char text[PIECES][256];
	epoch_means(s, means);
	int64_t done = s->at.step - j->first_step, steps = epoch_steps(s);
	double left =
	        done ? (clock_seconds() - j->begun) * (double)(s->total_steps - s->at.step) / (double)done
	             : 0;
	snprintf(text[EPOCH], sizeof *text, "epoch %lld/%lld %d%%", (long long)(s->at.epoch + 1),
	         (long long)epoch_count(s), (int)(100 * s->at.in_epoch / steps));
	snprintf(text[STEP], sizeof *text, "step %lld/%lld", (long long)s->at.in_epoch, (long long)steps);
	scores_text(s, text[SCORES], sizeof *text, "", s->score_count, means);
	snprintf(text[ETA], sizeof *text, "eta %s", duration_text(left));
	snprintf(text[SPEED], sizeof *text, "%s samples/s", count_text(samples_per_second(j)));
	put_wait(j, text[WAIT]);
	put_use(j, text[USE]);
	snprintf(text[RATE], sizeof *text, "rate %.3g", last_rate(s));
	/* In the order of the line; what a narrow terminal has no room for is left out, the highest number first. */
	const ProgressPiece pieces[] = {{text[EPOCH], 0}, {text[STEP], 6}, {text[ETA], 2},  {text[SCORES], 1},
	                                {text[SPEED], 3}, {text[WAIT], 4}, {text[RATE], 7}, {text[USE], 5}};
	progress_draw_pieces(pieces, PIECES);
}

/* ---- lines of the log */

/* A line of the log for each file that is left out, and has none yet. */
static void tell_lost(Journal *j)
{
	Session *s = j->s;
	data_find_lost(&s->data);
	for (; s->data.lost && j->lost < s->data.lost->count; j->lost++) {
		const LeftOut *l = &s->data.lost->at[j->lost];
		log_begin(j->log, LOG_LEFT_OUT, j->lost + 1);
		log_text(j->log, "file", l->path);
		log_text(j->log, "why", l->why);
		log_end(j->log);
	}
}

static void write_record(Journal *j)
{
	tell_lost(j);
	log_record(j->log, &j->record);
	log_csv_record(j->csv, &j->record);
	events_record(j->events, &j->record);
}

static void record_scores(Journal *j, const char *prefix, int count, const double *means)
{
	for (int i = 0; i < count; i++)
		record_add(&j->record, prefix, score_name(j->s, i), means[i]);
}

/* The norm of all tensors, and with --log-norms=each before it that of every one as NAME/TENSOR. */
static void record_norms(Journal *j, const char *name, double (*norm)(const Journal *j, int tensor))
{
	const NnrModel *m = j->s->model;
	double squares = 0;
	for (int i = 0; i < m->param_count; i++) {
		double of_this = norm(j, i);
		squares += of_this * of_this;
		if (j->s->options.log_norms == NORMS_OF_EACH) {
			char *prefix = text_printf("%s/", name);
			record_add(&j->record, prefix, m->params[i].name, of_this);
			free(prefix);
		}
	}
	record_add(&j->record, "", name, sqrt(squares));
}

static double param_norm(const Journal *j, int tensor)
{
	return session_param_norm(j->s, tensor);
}

static double gradient_norm(const Journal *j, int tensor)
{
	return j->gradient ? session_gradient_norm(j->s, j->gradient, tensor) : NAN;
}

void journal_keep_gradient(Journal *j)
{
	Session *s = j->s;
	const NnrOutput *o = s->model->train.gradient;
	if (!s->options.log_norms || !o)
		return;
	if (!j->gradient)
		j->gradient = allocate(1, output_batch_bytes(o), "the gradient");
	s->backend->evaluated(s, o, j->gradient);
}

/* --log-norms: brings the parameters to the host. */
static void record_norm(Journal *j)
{
	Session *s = j->s;
	if (!s->options.log_norms)
		return;
	if (s->backend->download)
		s->backend->download(s, false);
	record_norms(j, "param_norm", param_norm);
	if (s->model->train.gradient)
		record_norms(j, "gradient_norm", gradient_norm);
}

void journal_step(Journal *j)
{
	double means[1 + MAX_METRICS];
	session_means(j->s, j->s->last, 1, means);
	record_begin(&j->record, "step", j->s->at.step);
	record_scores(j, "", j->s->score_count, means);
	record_add(&j->record, "", "rate", last_rate(j->s));
	record_norm(j);
	write_record(j);
}

void journal_ran(Journal *j, int64_t steps, double seconds, double busy)
{
	j->seconds += seconds;
	j->waited += loader_waited(j->s->loader);
	j->busy += busy;
	j->timed_steps += steps;
	/* A second into the training: no first step waits until NVML is open. */
	const double now = clock_seconds();
	if (now - j->begun < 1 || now - j->looked < 10)
		return;
	const Energy stands = energy_now(j->s);
	if (j->energy.seconds == 0) {
		j->energy = stands;
		j->energy_step = j->s->at.step;
	}
	j->looked = now;
}

void journal_energy(Journal *j)
{
	const Energy taken = j->energy.seconds > 0 ? energy_since(j->s, &j->energy) : (Energy){0, NAN, NAN};
	const double samples = (double)((j->s->at.step - j->energy_step) * step_samples(j->s->model));
	char text[160];
	energy_put(text, sizeof text, &taken, samples);
	if (!*text || samples <= 0)
		return;
	record_begin(&j->record, "energy", j->s->at.step);
	record_add(&j->record, "", "seconds", taken.seconds);
	record_add(&j->record, "", "samples", samples);
	if (!isnan(taken.gpu))
		record_add(&j->record, "", "gpu_joules", taken.gpu);
	if (!isnan(taken.cpu))
		record_add(&j->record, "", "cpu_joules", taken.cpu);
	log_record(j->log, &j->record);
}

void journal_epoch(Journal *j, const double *held_out, bool better)
{
	const Session *s = j->s;
	double means[1 + MAX_METRICS];
	epoch_means(s, means);
	Record *r = &j->record;
	record_begin(r, "epoch", s->at.epoch + 1);
	record_add(r, "", "step", (double)s->at.step);
	record_scores(j, "", s->score_count, means);
	if (held_out)
		record_scores(j, "eval_", s->evaluated_count, held_out);
	record_add(r, "", "rate", last_rate(s));
	record_add(r, "", "samples_per_second", j->timed_steps ? samples_per_second(j) : NAN);
	record_add(r, "", "seconds", j->seconds);
	record_add(r, "", "data_wait", j->waited);
	record_add(r, "", "memory", memory_of_process());
	record_norm(j);
	write_record(j);
	char scores[512], eval_scores[512] = "", speed[160] = "", wait[32], use[80];
	scores_text(s, scores, sizeof scores, "", s->score_count, means);
	if (held_out)
		scores_text(s, eval_scores, sizeof eval_scores, "eval_", s->evaluated_count, held_out);
	put_wait(j, wait);
	put_use(j, use);
	if (j->timed_steps) /* else all of them were before this process */
		snprintf(speed, sizeof speed, "  %s samples/s%s%s  %s  %s", count_text(samples_per_second(j)),
		         *wait ? "  " : "", wait, duration_text(j->seconds), use);
	progress_say("epoch %lld/%lld  step %lld  %s  %s%s%srate %.3g%s", (long long)(s->at.epoch + 1),
	             (long long)epoch_count(s), (long long)s->at.step, scores, eval_scores,
	             held_out ? "  " : "", better ? "best  " : "", last_rate(s), speed);
	j->seconds = j->waited = j->busy = 0;
	j->timed_steps = 0;
}

void journal_evaluation(Journal *j, const double *held_out, bool better, double seconds)
{
	record_begin(&j->record, "evaluation", j->s->at.step);
	record_scores(j, "eval_", j->s->evaluated_count, held_out);
	record_add(&j->record, "", "seconds", seconds);
	write_record(j);
	char scores[512];
	scores_text(j->s, scores, sizeof scores, "eval_", j->s->evaluated_count, held_out);
	progress_say("step %lld/%lld  %s%s", (long long)j->s->at.step, (long long)j->s->total_steps, scores,
	             better ? "  best" : "");
}

/* ---- begin and end */

/* The first line of the log: what an outsider needs to know to read the others, or to train so again. */
static void write_header(const Journal *j)
{
	const Session *s = j->s;
	const NnrModel *m = s->model;
	Log *log = j->log;
	char device[256];
	snprintf(device, sizeof device, "%s", s->backend->device(s));
	log_begin(log, "run", LOG_FORMAT);
	log_now(log, "time");
	log_text(log, "model", m->name);
	log_text(log, "source", m->source);
	log_text(log, "nnc", m->version);
	log_text(log, "recipe", m->recipe);
	log_text(log, "arguments", s->options.arguments ? s->options.arguments : "");
	log_text(log, "device", device);
	log_number(log, "ranks", (double)ranks_count());
	log_text(log, "monitor", s->options.monitor ? s->options.monitor : "loss");
	log_number(log, "threads", (double)s->options.threads);
	log_number(log, "seed", (double)s->seed);
	log_number(log, "batch", (double)step_samples(m));
	log_number(log, "samples", (double)s->data.train.count);
	log_number(log, "held_out", (double)session_held_out(s));
	log_number(log, "steps", (double)s->total_steps);
	log_number(log, "steps_per_epoch", (double)s->steps_per_epoch);
	log_number(log, "rate", s->rate.rate);
	log_number(log, "from_step", (double)s->at.step);
	log_number(log, "start_seconds", start_seconds());
	log_end(log);
}

Journal journal_open(Session *s, bool resumed, LogEnd end)
{
	Journal j = {.s = s, .begun = clock_seconds(), .first_step = s->at.step};
	j.log = log_open(s->options.log, resumed ? &end : NULL, s->model->real == NNR_F64 ? 17 : 9);
	if (!session_is_complete(s)) {
		write_header(&j);
		tell_lost(&j);
	}
	if (s->options.folder) {
		char *table = path_join(s->options.folder, "log.csv");
		j.csv = log_csv_open(table, s->options.log, s);
		j.events = events_open(s->options.folder, resumed, s->at.step);
		free(table);
	}
	return j;
}

void journal_go_back(Journal *j)
{
	journal_close(j);
	*j = journal_open(j->s, true, (LogEnd){j->s->at.step, j->s->at.epoch});
}

bool journal_close(Journal *j)
{
	tell_lost(j);
	bool whole = log_close(j->log);
	whole = log_csv_close(j->csv) && whole;
	whole = events_close(j->events) && whole;
	j->log = NULL;
	j->csv = NULL;
	j->events = NULL;
	record_free(&j->record);
	free(j->gradient);
	j->gradient = NULL;
	return whole;
}
