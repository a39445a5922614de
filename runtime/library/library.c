/* SPDX-License-Identifier: MIT */
#include "runtime/library/nnr_library.h"
#include "runtime/session/backend.h"
#include "runtime/session/checkpoint.h"
#include "runtime/host/die.h"
#include "runtime/data/features.h"
#include "runtime/session/outputs.h"
#include "runtime/data/safetensors.h"
#include "runtime/data/table.h"
#include "runtime/session/weights.h"
#include "runtime/host/writer.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 2048 };

struct NnrInstance {
	Session s;
	char decisions[4]; /* of a command line, which there is none of: "[]" */
	bool prepared;     /* what NnrModel.prepare computes is of the present weights */
	Session next;      /* that a file is read to: takes the place of `s` when all has been read */
	int64_t arena_bytes;
	NnrRoom *room; /* on a GPU; NULL: the session's memory is where it computes */
	char error[TEXT_BYTES];
};

/* The parts that files and initial weights go through have texts and buffers of their own process-wide; so has the
 * runtime of a GPU. */
static pthread_mutex_t files = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local char error_of_create[TEXT_BYTES];

/* NULL, or what `act` said. */
static const char *caught(void (*act)(void *context), void *context, char *why)
{
	return die_caught(act, context, why, TEXT_BYTES) ? NULL : why;
}

static const char *caught_alone(void (*act)(void *context), void *context, char *why)
{
	pthread_mutex_lock(&files);
	const char *error = caught(act, context, why);
	pthread_mutex_unlock(&files);
	return error;
}

/* A call that computes. */
static const char *caught_at_work(NnrInstance *x, void (*act)(void *context), void *context)
{
	return (x->room ? caught_alone : caught)(act, context, x->error);
}

static const char no_instance[] = "there is no instance: it is NULL";

/* ---- create, free */

static const NnrRooms *rooms_of(const NnrModel *m)
{
	return m->backend ? m->backend->rooms : NULL;
}

static void create(void *context)
{
	NnrInstance *x = context;
	Session *s = &x->s;
	const NnrModel *m = s->model;
	session_check_model(m);
	features_check(m, features_of_processor());
	session_find_scores(s);
	x->arena_bytes = session_most_arena(m);
	s->memory.params = block_new(m->param_bytes, "the parameters");
	s->memory.state = block_new(m->state_bytes, "the optimizer's state");
	if (rooms_of(m))
		rooms_of(m)->open(s, &x->room);
	else
		s->memory.inputs = block_new(m->input_bytes, "the batch");
	s->memory.arena = block_new(x->arena_bytes, "the activations");
	session_init_weights(s);
	if (x->room)
		rooms_of(m)->upload(x->room, s);
}

const char *nnr_create(const NnrModel *model, uint64_t seed, NnrInstance **made)
{
	if (!made)
		return "there is no place for the instance: it is NULL";
	*made = NULL;
	NnrInstance *x = calloc(1, sizeof *x);
	if (!x)
		return "not enough memory for an instance";
	x->s.model = model;
	x->s.seed = seed;
	x->s.rate = model->rate;
	x->s.steps_per_epoch = 1; /* there is no data to count them of */
	x->s.options = (Options){.seed = -1, .threads = 1, .no_shuffle = true, .no_augment = true};
	strcpy(x->decisions, "[]");
	x->s.options.decisions = x->decisions;
	const char *error = caught_alone(create, x, error_of_create);
	if (error)
		nnr_free(x);
	else
		*made = x;
	return error;
}

/* What a file gives a session; batch and activations are the instance's. */
static void free_loaded(Session *s, const NnrModel *m)
{
	free(s->metrics);
	free(s->decisions);
	dataset_free(&s->data);
	block_free(s->memory.params, m->param_bytes);
	block_free(s->memory.state, m->state_bytes);
	*s = (Session){0};
}

static void close_room(void *context)
{
	NnrInstance *x = context;
	rooms_of(x->s.model)->close(x->room, &x->s);
}

void nnr_free(NnrInstance *x)
{
	if (!x)
		return;
	const NnrModel *m = x->s.model;
	char ignored[TEXT_BYTES]; /* of a device that is lost, nothing can be freed */
	if (x->room)
		caught_alone(close_room, x, ignored);
	else
		block_free(x->s.memory.inputs, m->input_bytes);
	block_free(x->s.memory.arena, x->arena_bytes);
	free_loaded(&x->s, m);
	free(x);
}

/* ---- files */

typedef struct File {
	NnrInstance *x;
	const char *path;
	bool saved;
} File;

static bool is_checkpoint(const char *path)
{
	Safetensors *f = safetensors_open(path);
	const char *format = safetensors_metadata(f, "format");
	bool is = format && strncmp(format, "nnc checkpoint", strlen("nnc checkpoint")) == 0;
	safetensors_close(f);
	return is;
}

/* Into a session of its own, so that the instance keeps all that it has where the file is refused. */
static void load(void *context)
{
	const File *file = context;
	NnrInstance *x = file->x;
	const NnrModel *m = x->s.model;
	if (x->room)
		rooms_of(m)->download(x->room, &x->s);
	Session *s = &x->next, before = x->s;
	*s = before;
	s->memory.params = s->memory.state = NULL;
	s->metrics = s->decisions = NULL;
	s->data = (Dataset){0};
	s->memory.params = block_new(m->param_bytes, "the parameters");
	s->memory.state = block_new(m->state_bytes, "the optimizer's state");
	memcpy(s->memory.params, before.memory.params, (size_t)m->param_bytes);
	memcpy(s->memory.state, before.memory.state, (size_t)m->state_bytes);
	if (is_checkpoint(file->path))
		checkpoint_load(s, file->path, false);
	else
		weights_load(s, file->path);
	x->s = *s;
	*s = before;
	x->prepared = false;
	if (x->room)
		rooms_of(m)->upload(x->room, &x->s);
}

const char *nnr_load(NnrInstance *x, const char *path)
{
	if (!x)
		return no_instance;
	if (!path)
		return "there is no file to load: its name is NULL";
	File file = {.x = x, .path = path};
	const char *error = caught_alone(load, &file, x->error);
	free_loaded(&x->next, x->s.model);
	return error;
}

static void save(void *context)
{
	File *file = context;
	Session *s = &file->x->s;
	output_must_be_tensors(file->path);
	s->total_steps = s->at.step;
	if (file->x->room)
		rooms_of(s->model)->download(file->x->room, s);
	if (!session_weights_are_finite(s))
		die(STATUS_DIVERGED,
		    "not saved: a weight is infinite or not a number, and `%s` stays as it was", file->path);
	file->saved = checkpoint_save(s, file->path);
	if (!file->saved)
		snprintf(file->x->error, TEXT_BYTES, "%s", file_failure());
}

const char *nnr_save(NnrInstance *x, const char *path)
{
	if (!x)
		return no_instance;
	if (!path)
		return "there is no file to save to: its name is NULL";
	File file = {.x = x, .path = path};
	const char *error = caught_alone(save, &file, x->error);
	return error || file.saved ? error : x->error;
}

/* ---- batches */

typedef struct Call {
	NnrInstance *x;
	const void *const *inputs;
	void *const *outputs;
	double *const *scores;
	int64_t samples;
	double rate;
	bool columns; /* real inputs are in double */
} Call;

static int64_t row_bytes(const NnrModel *m, int64_t bytes)
{
	return bytes / m->batch;
}

static int64_t input_row_bytes(const NnrModel *m, const NnrInput *in)
{
	return row_bytes(m, tensor_elements(in->dim, in->rank) * dtype_bytes(in->dtype));
}

/* A class, or a row of a table, that does not exist would be read from beyond it. */
static void check_classes(const NnrModel *m, const Call *c)
{
	for (int i = 0; i < m->input_count; i++) {
		const NnrInput *in = &m->inputs[i];
		int64_t each = tensor_elements(in->dim, in->rank) / m->batch;
		if (in->classes <= 0 || !c->inputs[i])
			continue;
		for (int64_t k = 0; k < c->samples * each; k++) {
			int64_t value = in->dtype == NNR_U8 ? ((const uint8_t *)c->inputs[i])[k]
			                                    : ((const int32_t *)c->inputs[i])[k];
			if (value < 0 || value >= in->classes)
				die(STATUS_DATA, "`%s` of sample %lld is %lld: it must be from 0 to %d",
				    in->name, (long long)(k / each), (long long)value, in->classes - 1);
		}
	}
}

static bool is_real_input(const NnrInput *in)
{
	return !in->is_target && (in->dtype == NNR_F32 || in->dtype == NNR_F64);
}

/* How the weights' table has this input; NULL: it has none. */
static const TableInput *columns_of(const Session *s, int i)
{
	const Table *t = s->data.table;
	return t && t->inputs[i].mean ? &t->inputs[i] : NULL;
}

/* Numbers [first, first + count) of real input i to `to`: columns are standardised in double, as table.c does it. */
static void read_numbers(const Session *s, const Call *c, int i, char *to, int64_t first, int64_t count)
{
	const NnrInput *in = &s->model->inputs[i];
	const NnrDType given = c->columns ? NNR_F64 : in->dtype;
	const TableInput *t = columns_of(s, i);
	for (int64_t k = 0; k < count; k++) {
		const int element = t ? (int)(k % t->count) : 0, from = t ? table_source(t, element) : 0;
		double value = real_value(c->inputs[i], given, first + k - element + from);
		if (t)
			value = table_number(t, element, value);
		if (in->dtype == NNR_F32)
			((float *)(void *)to)[k] = (float)value;
		else
			((double *)(void *)to)[k] = value;
	}
}

/* Samples [first, first + real) into the batch, the last of them again until it is full. */
static void fill_batch(const Session *s, const Call *c, int64_t first, int64_t real)
{
	const NnrModel *m = s->model;
	for (int i = 0; i < m->input_count; i++) {
		int64_t bytes = input_row_bytes(m, &m->inputs[i]);
		char *to = s->memory.inputs + m->inputs[i].offset;
		const char *from = c->inputs[i];
		if (!from)
			continue;
		if (is_real_input(&m->inputs[i]) && (c->columns || columns_of(s, i))) {
			const int64_t each = bytes / dtype_bytes(m->inputs[i].dtype);
			read_numbers(s, c, i, to, first * each, real * each);
		} else {
			memcpy(to, from + first * bytes, (size_t)(real * bytes));
		}
		for (int64_t k = real; k < m->batch; k++)
			memcpy(to + k * bytes, to + (real - 1) * bytes, (size_t)bytes);
	}
}

/* Outputs of what ran last, to the host's memory. */
static void bring(NnrInstance *x, const NnrOutput *const *outputs, int count)
{
	if (x->room)
		rooms_of(x->s.model)->bring(x->room, &x->s, outputs, count);
}

static void predict_batch(NnrInstance *x, const Call *c)
{
	Session *s = &x->s;
	const NnrModel *m = s->model;
	const NnrProgram *p = &m->predict;
	const NnrScalars scalars = {.step = (double)s->at.step, .seed = s->seed};
	if (x->room) {
		rooms_of(m)->predict(x->room, s, !x->prepared);
	} else {
		if (!x->prepared && m->prepare.run)
			m->prepare.run(&s->memory, &scalars);
		p->run(&s->memory, &scalars);
	}
	x->prepared = true;
	for (int i = 0; i < p->output_count; i++)
		if (c->outputs[i])
			bring(x, &(const NnrOutput *){&p->outputs[i]}, 1);
}

static void forward(void *context)
{
	const Call *c = context;
	NnrInstance *x = c->x;
	Session *s = &x->s;
	const NnrModel *m = s->model;
	const NnrProgram *p = &m->predict;
	for (int i = 0; i < m->input_count; i++)
		if (!c->inputs[i] && (!m->inputs[i].is_target || p->reads_targets))
			die(STATUS_USAGE, "the input `%s` is NULL", m->inputs[i].name);
	if (c->samples < 0)
		die(STATUS_USAGE, "%lld samples: the number must not be negative", (long long)c->samples);
	check_classes(m, c);
	for (int64_t first = 0; first < c->samples; first += m->batch) {
		int64_t left = c->samples - first, real = left < m->batch ? left : m->batch;
		fill_batch(s, c, first, real);
		predict_batch(x, c);
		for (int i = 0; i < p->output_count; i++) {
			int64_t bytes = row_bytes(m, output_batch_bytes(&p->outputs[i]));
			char *to = (char *)c->outputs[i] + first * bytes;
			if (!c->outputs[i])
				continue;
			memcpy(to, s->memory.arena + p->outputs[i].offset, (size_t)(real * bytes));
			series_units(s->data.table, m, &p->outputs[i], to, real);
		}
	}
}

static const char *forward_of(Call call)
{
	return call.x ? caught_at_work(call.x, forward, &call) : no_instance;
}

const char *nnr_forward(NnrInstance *x, int64_t samples, const void *const *inputs, void *const *outputs)
{
	return forward_of((Call){.x = x, .samples = samples, .inputs = inputs, .outputs = outputs});
}

const char *nnr_forward_columns(NnrInstance *x, int64_t samples, const void *const *inputs,
                                void *const *outputs)
{
	return forward_of(
	        (Call){.x = x, .samples = samples, .inputs = inputs, .outputs = outputs, .columns = true});
}

static void train_step(void *context)
{
	Call *c = context;
	Session *s = &c->x->s;
	const NnrModel *m = s->model;
	c->samples = step_samples(m);
	for (int i = 0; i < m->input_count; i++)
		if (!c->inputs[i])
			die(STATUS_USAGE, "the %s `%s` is NULL", m->inputs[i].is_target ? "target" : "input",
			    m->inputs[i].name);
	if (!isfinite(c->rate) || c->rate < 0)
		die(STATUS_USAGE, "the rate is %g: it must be a finite number and not negative", c->rate);
	check_classes(m, c);
	c->x->prepared = false;
	s->rate.rate = c->rate;
	memset(s->last, 0, sizeof s->last);
	for (int64_t k = 0; k < m->chunks; k++) {
		NnrScalars scalars = {.rate = c->rate,
		                      .step = (double)(s->at.step + 1),
		                      .last = k == m->chunks - 1,
		                      .seed = chunk_seed(s->seed, k)};
		fill_batch(s, c, k * m->batch, m->batch);
		if (c->x->room)
			rooms_of(m)->train(c->x->room, s, c->rate, k);
		else
			m->train.run(&s->memory, &scalars);
		bring(c->x, s->scores, s->sum_count);
		for (int i = 0; i < s->sum_count; i++)
			s->last[i] += output_value(s, s->scores[i], 0);
	}
	s->at.step++;
	double means[1 + MAX_METRICS];
	session_means(s, s->last, 1, means);
	for (int i = 0; i < s->score_count; i++)
		if (c->scores[i])
			*c->scores[i] = means[i];
	if (!isfinite(s->last[0]))
		die(STATUS_DIVERGED, "the loss of step %lld is %s: the training has diverged",
		    (long long)s->at.step, isnan(s->last[0]) ? "not a number" : "infinite");
}

static const char *train_step_of(Call call)
{
	return call.x ? caught_at_work(call.x, train_step, &call) : no_instance;
}

const char *nnr_train_step(NnrInstance *x, const void *const *inputs, double rate, double *const *scores)
{
	return train_step_of((Call){.x = x, .inputs = inputs, .rate = rate, .scores = scores});
}

const char *nnr_train_step_columns(NnrInstance *x, const void *const *inputs, double rate,
                                   double *const *scores)
{
	return train_step_of(
	        (Call){.x = x, .inputs = inputs, .rate = rate, .scores = scores, .columns = true});
}
