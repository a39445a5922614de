/* `EXE predict`: what the model predicts for every sample of the data, as .npy files.
 *
 * The files are written beside their names as the batches come, so that predictions larger than memory are no matter,
 * and renamed when all of them are on disk. Until then nothing has changed: what ends the process with a message, or
 * one signal, removes them. */
#include "runtime/core/backend.h"
#include "runtime/core/die.h"
#include "runtime/core/file.h"
#include "runtime/core/loader.h"
#include "runtime/core/outputs.h"
#include "runtime/core/progress.h"
#include "runtime/core/signals.h"
#include "runtime/core/writer.h"

#include <stdio.h>
#include <stdlib.h>

/* The unfinished files, by output; in no struct of the caller, for the end of the process asks for them. */
static struct {
	FileWriter **at;
	int count;
} unfinished;

static void abandon(void)
{
	for (int i = 0; i < unfinished.count; i++)
		if (unfinished.at[i])
			file_abandon(unfinished.at[i]);
	free(unfinished.at);
	unfinished.at = NULL;
	unfinished.count = 0;
}

static _Noreturn void cannot_write(void)
{
	die(STATUS_DATA, "the predictions can't be written: %s", file_failure());
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
		cannot_write();
}

static void begin_files(const Session *s, int64_t samples)
{
	const NnrProgram *p = &s->model->predict;
	double need = 0, room = file_room(s->options.out);
	unfinished.at = allocate(p->output_count, sizeof *unfinished.at, "the files");
	unfinished.count = p->output_count;
	die_at_end(abandon);
	for (int i = 0; i < p->output_count; i++) {
		char *path = prediction_path(s->options.out, s->model, i);
		unfinished.at[i] = file_begin_new(path);
		if (!unfinished.at[i])
			cannot_write();
		write_header(unfinished.at[i], &p->outputs[i], samples);
		need += (double)samples * (double)row_bytes(s->model, &p->outputs[i]);
		free(path);
	}
	if (room < need)
		die(STATUS_DATA, "the predictions can't be written: they need %s, beside `%s` is room for %s",
		    human_bytes(need), s->options.out, human_bytes(room));
}

/* `batch` has whole batches, of which the first `real` samples count. Adds to not_finite[output]. */
static void write_batch(const Session *s, const char *batch, int64_t real, int64_t *not_finite)
{
	const NnrProgram *p = &s->model->predict;
	for (int i = 0; i < p->output_count; i++) {
		const NnrOutput *o = &p->outputs[i];
		int64_t elements = tensor_elements(o->dim, o->rank) / s->model->batch * real;
		if (!file_write(unfinished.at[i], batch, real * row_bytes(s->model, o)))
			cannot_write();
		not_finite[i] += count_not_finite(batch, o->dtype, elements);
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

static void end_files(const Session *s, int64_t samples, const int64_t *not_finite)
{
	const NnrProgram *p = &s->model->predict;
	for (int i = 0; i < p->output_count; i++)
		if (!file_finish(unfinished.at[i]))
			cannot_write();
	die_not_at_end(abandon);
	if (!files_commit(unfinished.at, unfinished.count))
		cannot_write();
	free(unfinished.at);
	for (int i = 0; i < p->output_count; i++) {
		char *path = prediction_path(s->options.out, s->model, i);
		say_what_is_there(path, &p->outputs[i], samples, not_finite[i]);
		free(path);
	}
}

int session_predict(Session *s)
{
	int64_t count = s->data.held_out.count;
	progress_say("data: %s, %s: %s samples", s->data.format,
	             s->data.divided ? "all of it" : "the held-out part", count_text((double)count));
	signals_catch();
	begin_files(s, count);
	char *batch = allocate(1, session_predicted_bytes(s->model), "the predictions");
	int64_t *not_finite = allocate(s->model->predict.output_count, sizeof *not_finite, "the predictions");
	double begun = clock_seconds();
	for (int64_t first = 0; first < count && !signal_caught();) {
		int64_t real = s->backend->predict(s, first, batch);
		if (real == 0)
			loader_die(s->loader);
		write_batch(s, batch, real, not_finite);
		first += real;
		progress_count("predicting", first, count, begun);
	}
	free(batch);
	progress_clear();
	if (signal_caught()) {
		free(not_finite);
		abandon();
		say_note("stopped: no predictions were written");
		return STATUS_SIGNAL + signal_caught();
	}
	end_files(s, count, not_finite);
	free(not_finite);
	return output_end();
}
