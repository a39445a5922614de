/* SPDX-License-Identifier: MIT */
/* `EXE predict`: what the model predicts for every sample of the data, in one of the forms of predictions.h.
 *
 * Several ranks take the batches in turn: rank r of n has batch r, n + r, 2n + r, and so on. After each turn rank 0 has
 * the predictions of all, and writes them in the order of the samples, as one rank alone does. */
#include "runtime/session/backend.h"
#include "runtime/host/die.h"
#include "runtime/data/image_files.h"
#include "runtime/host/writer.h"
#include "runtime/session/loader.h"
#include "runtime/session/predictions.h"
#include "runtime/data/table.h"
#include "runtime/host/progress.h"
#include "runtime/host/signals.h"
#include "runtime/ranks/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void predictions_not_written(void)
{
	die(STATUS_DATA, "the predictions can't be written: %s", file_failure());
}

char *prediction_sample(const Session *s, int64_t k)
{
	const DataPart *part = &s->data.held_out;
	const Options *o = &s->options;
	const ImageFiles *files = part->files ? part->files : part->decoded;
	if (files)
		return text_printf("%s", files->at[k].path);
	const char *data = o->input_count ? o->inputs[0] : o->data ? o->data : s->model->data;
	const TableRows *rows = s->data.rows;
	return text_printf("%s[%lld]", data, (long long)(rows ? rows->numbers[k] : k));
}

const char *prediction_is_missing(const Session *s, int64_t k)
{
	const ImageFiles *files = s->data.held_out.files;
	return files ? __atomic_load_n(&files->at[k].why, __ATOMIC_RELAXED) : NULL;
}

/* Names the samples of a batch that have no prediction, and makes NaN, or -1, of what was computed in their places. */
static void leave_out(Session *s, char *batch, int64_t first, int64_t real)
{
	const NnrProgram *p = &s->model->predict;
	for (int64_t k = 0; k < real; k++) {
		const char *why = prediction_is_missing(s, first + k);
		if (!why)
			continue;
		say_warning("`%s` is left out: %s", s->data.held_out.files->at[first + k].path, why);
		s->data.left_out++;
		char *at = batch;
		for (int i = 0; i < p->output_count; i++) {
			int64_t bytes = output_batch_bytes(&p->outputs[i]);
			memset(at + k * (bytes / s->model->batch), 0xff, (size_t)(bytes / s->model->batch));
			at += bytes;
		}
	}
}

static char *output_at(const NnrModel *m, char *batch, int i)
{
	for (int k = 0; k < i; k++)
		batch += output_batch_bytes(&m->predict.outputs[k]);
	return batch;
}

const char *prediction_output(const NnrModel *m, const char *batch, int i)
{
	return output_at(m, (char *)(uintptr_t)batch, i);
}

static const PredictionForm *choose_form(const Options *o)
{
	static const PredictionForm *const forms[] = {&predictions_npy, &predictions_csv, &predictions_jsonl,
	                                              &predictions_png};
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (o->out && has_suffix(o->out, forms[i]->suffix))
			return forms[i];
	return names_folder(o->out) ? &predictions_folder : &predictions_table;
}

/* What a rank has of a turn; after it in memory, of files that are decoded now, why each sample is left out, and the
 * predictions. */
typedef struct Turn {
	int64_t caught; /* the signal that ends the command; 0: none */
} Turn;

enum { WHY_BYTES = 120 };

typedef struct Turns {
	char *at; /* of all ranks, one after the other */
	int ranks, own;
	int64_t why_bytes, bytes; /* of a rank: of the reasons, and of all */
} Turns;

static Turn *turn_of(const Turns *t, int rank)
{
	return (Turn *)(void *)(t->at + rank * t->bytes);
}

static char *why_of(const Turns *t, int rank)
{
	return (char *)(turn_of(t, rank) + 1);
}

static char *batch_of(const Turns *t, int rank)
{
	return why_of(t, rank) + t->why_bytes;
}

static Turns turns_new(const Session *s)
{
	enum { ALIGNED = 8 };
	Turns t = {.ranks = ranks_many() ? ranks_count() : 1, .own = ranks_many() ? ranks_own() : 0};
	t.why_bytes = t.ranks > 1 && s->data.held_out.files ? s->model->batch * WHY_BYTES : 0;
	t.bytes = (int64_t)sizeof(Turn) + t.why_bytes + session_predicted_bytes(s->model);
	t.bytes = (t.bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
	t.at = allocate(t.ranks, (size_t)t.bytes, "the predictions");
	return t;
}

/* This rank's batch, whose first sample is number `first`; `real` of its samples are there. */
static void predict_own(Session *s, const Turns *t, int64_t first, int64_t real)
{
	char *why = why_of(t, t->own);
	int caught = signal_caught(); /* once: what the others hear is what is done here */
	turn_of(t, t->own)->caught = caught;
	if (real <= 0 || caught)
		return;
	if (s->backend->predict(s, first, batch_of(t, t->own)) == 0)
		loader_die(s->loader);
	for (int64_t k = 0; k < real && t->why_bytes; k++, why += WHY_BYTES)
		snprintf(why, WHY_BYTES, "%s",
		         prediction_is_missing(s, first + k) ? prediction_is_missing(s, first + k) : "");
}

/* Another rank's: its reasons become this one's, which has not looked at the files. */
static void take_reasons(Session *s, const char *why, int64_t first, int64_t real)
{
	for (int64_t k = 0; k < real; k++, why += WHY_BYTES)
		if (*why)
			s->data.held_out.files->at[first + k].why = text_printf("%s", why);
}

/* All of the data, or its first samples. */
static int64_t predicted_count(const Session *s)
{
	const int64_t all = s->data.held_out.count, wanted = s->options.samples;
	return wanted > 0 && wanted < all ? wanted : all;
}

/* All batches of a turn, of which the first begins with sample `first`. Returns the signal that one of the ranks has
 * caught, or 0. */
static int take_turn(Session *s, const Turns *t, const PredictionForm *form, int64_t first)
{
	int64_t count = predicted_count(s), batch = s->model->batch;
	int caught = 0;
	for (int r = 0; r < t->ranks; r++, first += batch) {
		int64_t real = count - first < batch ? count - first : batch;
		if (turn_of(t, r)->caught)
			caught = (int)turn_of(t, r)->caught;
		if (caught || real <= 0 || !ranks_root())
			continue;
		if (r != t->own && t->why_bytes)
			take_reasons(s, why_of(t, r), first, real);
		for (int i = 0; i < s->model->predict.output_count; i++)
			series_units(s->data.table, s->model, &s->model->predict.outputs[i],
			             output_at(s->model, batch_of(t, r), i), real);
		leave_out(s, batch_of(t, r), first, real);
		form->add(s, batch_of(t, r), first, real);
	}
	return caught;
}

/* The status that all ranks end with. */
static int end_status(const Session *s, int written)
{
	double bad = s->data.left_out > 0 ? STATUS_DATA : written;
	ranks_max(&bad, 1);
	return (int)bad;
}

int session_predict(Session *s)
{
	const PredictionForm *form = choose_form(&s->options);
	const int64_t all = s->data.held_out.count, count = predicted_count(s);
	int caught = 0;
	char *part = count < all ? text_printf(", of which the first %lld", (long long)count) : NULL;
	progress_say("data: %s, %s: %s sample%s%s", s->data.format,
	             s->data.divided ? "all of it" : "the held-out part", count_text((double)all),
	             all == 1 ? "" : "s", part ? part : "");
	free(part);
	if (series_is_asked(s->model) && !series_forecast(s->model))
		say_note("outputs are in deviations from the mean of the columns, and not in their units: "
		         "not one "
		         "alone has the target's shape");
	signals_catch();
	Turns turns = turns_new(s);
	if (ranks_root())
		form->begin(s, count);
	double begun = clock_seconds();
	int64_t each = s->model->batch;
	for (int64_t first = 0; first < count && !caught; first += each * turns.ranks) {
		int64_t own = first + turns.own * each, left = count - own;
		predict_own(s, &turns, own, left < each ? left : each);
		ranks_all_gather(turns.at, turns.bytes);
		caught = take_turn(s, &turns, form, first);
		int64_t done = first + each * turns.ranks;
		progress_count("predicting", done < count ? done : count, count, begun);
	}
	free(turns.at);
	progress_clear();
	if (caught) {
		if (ranks_root())
			form->abandon();
		say_note("stopped: no predictions were written");
		return STATUS_SIGNAL + caught;
	}
	if (ranks_root())
		form->end(s, count);
	int status = ranks_root() ? output_end() : STATUS_OK;
	if (s->data.left_out)
		say_warning("%lld of the files can't be read: nothing is predicted for them",
		            (long long)s->data.left_out);
	return end_status(s, status);
}
