/* `EXE predict`: what the model predicts for every sample of the data, in one of the forms of predictions.h. */
#include "runtime/core/backend.h"
#include "runtime/core/die.h"
#include "runtime/core/image_files.h"
#include "runtime/core/loader.h"
#include "runtime/core/predictions.h"
#include "runtime/core/progress.h"
#include "runtime/core/signals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *prediction_sample(const Session *s, int64_t k)
{
	const DataPart *part = &s->data.held_out;
	const Options *o = &s->options;
	const ImageFiles *files = part->files ? part->files : part->decoded;
	if (files)
		return text_printf("%s", files->at[k].path);
	const char *data = o->input_count ? o->inputs[0] : o->data ? o->data : s->model->data;
	return text_printf("%s[%lld]", data, (long long)k);
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

const char *prediction_output(const NnrModel *m, const char *batch, int i)
{
	for (int k = 0; k < i; k++)
		batch += output_batch_bytes(&m->predict.outputs[k]);
	return batch;
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

int session_predict(Session *s)
{
	const PredictionForm *form = choose_form(&s->options);
	int64_t count = s->data.held_out.count;
	progress_say("data: %s, %s: %s sample%s", s->data.format,
	             s->data.divided ? "all of it" : "the held-out part", count_text((double)count),
	             count == 1 ? "" : "s");
	signals_catch();
	form->begin(s, count);
	char *batch = allocate(1, session_predicted_bytes(s->model), "the predictions");
	double begun = clock_seconds();
	for (int64_t first = 0; first < count && !signal_caught();) {
		int64_t real = s->backend->predict(s, first, batch);
		if (real == 0)
			loader_die(s->loader);
		leave_out(s, batch, first, real);
		form->add(s, batch, first, real);
		first += real;
		progress_count("predicting", first, count, begun);
	}
	free(batch);
	progress_clear();
	if (signal_caught()) {
		form->abandon();
		say_note("stopped: no predictions were written");
		return STATUS_SIGNAL + signal_caught();
	}
	form->end(s, count);
	int status = output_end();
	if (s->data.left_out)
		say_warning("%lld of the files can't be read: nothing is predicted for them",
		            (long long)s->data.left_out);
	return s->data.left_out ? STATUS_DATA : status;
}
