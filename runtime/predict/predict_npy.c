/* SPDX-License-Identifier: MIT */
/* Predictions as .npy files, one for each output: what it is, without names. */
#include "runtime/host/die.h"
#include "runtime/data/npy.h"
#include "runtime/host/file.h"
#include "runtime/session/outputs.h"
#include "runtime/session/predictions.h"
#include "runtime/host/progress.h"
#include "runtime/host/writer.h"

#include <stdio.h>
#include <stdlib.h>

/* The unfinished files, by output; in no struct of the caller, for the end of the process asks for them. */
static struct {
	FileWriter **at;
	int64_t *not_finite; /* numbers of each that are none */
	int count;
} unfinished;

static void abandon(void)
{
	for (int i = 0; i < unfinished.count; i++)
		if (unfinished.at[i])
			file_abandon(unfinished.at[i]);
	free(unfinished.at);
	free(unfinished.not_finite);
	unfinished.at = NULL;
	unfinished.not_finite = NULL;
	unfinished.count = 0;
}

/* Of a file's elements, without its header. */
static int64_t row_bytes(const NnrModel *m, const NnrOutput *o)
{
	return output_batch_bytes(o) / m->batch;
}

static void write_header(FileWriter *w, const NnrOutput *o, int64_t samples)
{
	char header[NPY_HEADER];
	int64_t dim[NNR_MAX_RANK] = {samples};
	for (int i = 1; i < o->rank; i++)
		dim[i] = o->dim[i];
	if (!file_write(w, header, npy_header(header, o->dtype, o->rank, dim)))
		predictions_not_written();
}

static void begin_files(const Session *s, int64_t samples)
{
	const NnrProgram *p = &s->model->predict;
	double need = 0, room = file_room(s->options.out);
	unfinished.at = allocate(p->output_count, sizeof *unfinished.at, "the files");
	unfinished.not_finite = allocate(p->output_count, sizeof *unfinished.not_finite, "the files");
	unfinished.count = p->output_count;
	die_at_end(abandon);
	for (int i = 0; i < p->output_count; i++) {
		char *path = prediction_path(s->options.out, s->model, i);
		unfinished.at[i] = file_begin_new(path);
		if (!unfinished.at[i])
			predictions_not_written();
		write_header(unfinished.at[i], &p->outputs[i], samples);
		need += (double)samples * (double)row_bytes(s->model, &p->outputs[i]);
		free(path);
	}
	if (room < need)
		die(STATUS_DATA, "the predictions can't be written: they need %s, beside `%s` is room for %s",
		    human_bytes(need), s->options.out, human_bytes(room));
}

static void write_batch(const Session *s, const char *batch, int64_t first, int64_t real)
{
	const NnrProgram *p = &s->model->predict;
	for (int i = 0; i < p->output_count; i++) {
		const NnrOutput *o = &p->outputs[i];
		int64_t elements = tensor_elements(o->dim, o->rank) / s->model->batch * real;
		if (!file_write(unfinished.at[i], batch, real * row_bytes(s->model, o)))
			predictions_not_written();
		unfinished.not_finite[i] += count_not_finite(batch, o->dtype, elements);
		batch += output_batch_bytes(o);
	}
}

static void say_what_is_there(const char *path, const NnrOutput *o, int64_t samples, int64_t not_finite)
{
	char fit[4096];
	text_printable(fit, sizeof fit, path);
	printf("%s  %s[%lld", fit, dtype_name(o->dtype), (long long)samples);
	for (int i = 1; i < o->rank; i++)
		printf(", %lld", (long long)o->dim[i]);
	printf("]\n");
	if (not_finite)
		say_note("%s of the numbers in `%s` are NaN or infinite", count_text((double)not_finite),
		         fit);
}

static void end_files(const Session *s, int64_t samples)
{
	const NnrProgram *p = &s->model->predict;
	for (int i = 0; i < p->output_count; i++)
		if (!file_finish(unfinished.at[i]))
			predictions_not_written();
	die_not_at_end(abandon);
	if (!files_commit(unfinished.at, unfinished.count))
		predictions_not_written();
	for (int i = 0; i < p->output_count; i++) {
		char *path = prediction_path(s->options.out, s->model, i);
		say_what_is_there(path, &p->outputs[i], samples, unfinished.not_finite[i]);
		free(path);
	}
	free(unfinished.at);
	free(unfinished.not_finite);
}

const PredictionForm predictions_npy = {".npy", begin_files, write_batch, end_files, abandon};
