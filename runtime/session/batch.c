/* SPDX-License-Identifier: MIT */
/* Batches: which samples they have, and one such sample after the other.
 *
 * The rule: an epoch is floor(N / B) full batches of a fresh permutation of the N training samples; the N mod B samples
 * at its end sit this epoch out. */
#include "runtime/data/augment.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/data/image_files.h"
#include "runtime/session/loader.h"
#include "runtime/host/parallel.h"
#include "runtime/host/progress.h"
#include "runtime/host/rng.h"
#include "runtime/session/session.h"
#include "runtime/ranks/ranks.h"

#include <stdlib.h>
#include <string.h>

static const DataPart *data_of(const BatchPart *p)
{
	return p->held_out ? &p->s->data.held_out : &p->s->data.train;
}

static Permutation order_of(const BatchPart *p)
{
	const Session *s = p->s;
	return p->held_out ? (Permutation){0}
	                   : permutation_new(s->seed, RNG_SHUFFLE, (uint64_t)p->epoch, s->data.train.count);
}

/* The sample of the data set that has place k of the batch; the last one again where a batch of the held-out part is
 * not full. */
static int64_t sample_at(const BatchPart *p, const Permutation *order, int64_t k)
{
	int64_t place = p->begin + k, last = data_of(p)->count - 1;
	if (p->held_out)
		return place < last ? place : last;
	if (place > last) /* of the last one's partner */
		place = 0;
	return p->s->options.no_shuffle ? place : permutation_at(order, place);
}

const char *batch_path(const BatchPart *p, int64_t k)
{
	if (!data_of(p)->files)
		return "a sample in memory";
	Permutation order = order_of(p);
	return data_of(p)->files->at[sample_at(p, &order, k)].path;
}

/* ---- one sample */

/* Where sample `sample` begins in the data of input i, in bytes. */
static int64_t begin_of(const BatchPart *p, int i, int64_t sample)
{
	const DataPart *data = data_of(p);
	const NnrInput *in = &p->s->model->inputs[i];
	if (data->places == 0)
		return data_begin(data, sample, sample_bytes(in));
	int64_t place = data_begin(data, sample, 0);
	if (data->anywhere && !p->held_out && !p->s->options.no_shuffle) {
		Philox draw =
		        rng_block(p->s->seed, RNG_PLACE, (uint64_t)sample, (uint32_t)p->epoch & 0xfffffff);
		place = rng_below(draw.word[0], data->places);
	}
	return place * data->row[i] * dtype_bytes(in->dtype);
}

/* The image of that sample before it is moved: of the model's size, to `to`. */
static const char *put_window(const BatchPart *p, int input, int64_t sample, const Augmentation *a,
                              uint8_t *to)
{
	const DataPart *data = data_of(p);
	const NnrInput *in = &p->s->model->inputs[input];
	View view = {.augmentation = a, .rows = in->dim[1], .columns = in->dim[2]};
	if (data->files && input == data->files_input) {
		view.shorter = p->s->model->shorter_side;
		return image_files_sample(data->files, sample, view_window, &view, to);
	}
	const char *from = data->at[input] + sample * sample_bytes(in);
	Picture whole = {.height = in->dim[1],
	                 .width = in->dim[2],
	                 .channels = (int)in->dim[3],
	                 .colour = true,
	                 .pixels = (uint8_t *)(uintptr_t)from};
	if (!augments_window(&a->how))
		memcpy(to, from, (size_t)sample_bytes(in));
	else if (!image_resize(&whole, view_window(&view, whole.height, whole.width), to, whole.height,
	                       whole.width))
		return machine_no_memory;
	return NULL;
}

static const char *put_image(const BatchPart *p, int input, int64_t sample, const Augmentation *a,
                             uint8_t *to)
{
	const NnrInput *in = &p->s->model->inputs[input];
	const int64_t bytes = sample_bytes(in);
	const char *from = data_of(p)->at[input];
	const bool moves = augments_place(&a->how), turns = augments_turn(&a->how),
	           operates = augments_operations(&a->how);
	if (moves && from && !augments_pixels(&a->how)) {
		augment_place(a, to, (const uint8_t *)from + sample * bytes, in->dim + 1);
		return NULL;
	}
	const bool needs = moves || turns || operates;
	uint8_t *room = needs ? malloc((size_t)(3 * bytes)) : NULL, *at = room ? room : to;
	if (needs && !room)
		return machine_no_memory;
	const char *why = put_window(p, input, sample, a, at);
	if (!why && augments_colours(&a->how))
		augment_colours(a, at, in->dim[1] * in->dim[2], (int)in->dim[3]);
	if (!why && turns) {
		augment_turn(a, room + bytes, at, in->dim + 1);
		at = room + bytes;
	}
	if (!why && operates)
		augment_operate(a, at, room + 2 * bytes, in->dim + 1);
	if (!why && a->how.erase > 0)
		augment_erase(a, at, in->dim + 1);
	if (!why && moves)
		augment_place(a, to, at, in->dim + 1);
	else if (!why && at != to)
		memcpy(to, at, (size_t)bytes);
	free(room);
	return why;
}

/* A class that the loss leaves out stands for what is not in the image, else 0, as most data sets have the
 * background. */
static void put_along(const BatchPart *p, int input, const Augmentation *a, char *to, const char *from)
{
	const NnrModel *m = p->s->model;
	const NnrInput *in = &m->inputs[input];
	const int ignored = data_ignored(m, input);
	const int32_t class = ignored >= 0 ? ignored : 0;
	const uint8_t byte = (uint8_t) class;
	const double zero = 0;
	const Along along = {.height = in->dim[1],
	                     .width = in->dim[2],
	                     .bytes = sample_bytes(in) / (in->dim[1] * in->dim[2]),
	                     .element = dtype_bytes(in->dtype),
	                     .outside = in->dtype == NNR_U8    ? (const void *)&byte
	                                : in->dtype == NNR_I32 ? (const void *)&class
	                                                       : &zero,
	                     .erases = ignored >= 0};
	augment_along(a, to, from, &along);
}

/* Where place k of the batch has its inputs. */
static void find_places(const BatchPart *p, int64_t k, char *to[MAX_INPUTS])
{
	for (int i = 0; i < NNR_BATCH_INPUTS(p->s->model); i++) {
		const NnrInput *in = &p->s->model->inputs[i];
		to[i] = p->to + in->offset + k * sample_bytes(in);
	}
}

/* `drawn`: whose place it has, which chance goes by, on a GPU too. */
static Augmentation augmentation_of(const BatchPart *p, int64_t drawn)
{
	Augmentation a = {.seed = p->s->seed, .epoch = p->epoch, .sample = drawn};
	if (!p->held_out && !p->s->options.no_augment)
		a.how = p->s->model->augment;
	if (!p->move) { /* a GPU does, and nothing goes along */
		a.how.flip = false;
		a.how.crop = 0;
		a.how.mixup = a.how.cutmix = 0;
	}
	return a;
}

static const char *put_sample(const BatchPart *p, int64_t sample, int64_t drawn,
                              char *const places[MAX_INPUTS])
{
	const NnrModel *m = p->s->model;
	const Augmentation a = augmentation_of(p, drawn);
	for (int i = 0; i < m->input_count; i++) {
		const NnrInput *in = &m->inputs[i];
		const char *from = data_of(p)->at[i], *why = NULL;
		int64_t bytes = sample_bytes(in);
		char *to = places[i];
		if (!from || is_image(in))
			why = put_image(p, i, sample, &a, (uint8_t *)to);
		else if (goes_along(m, i) && augments_any(&a.how))
			put_along(p, i, &a, to, from + sample * bytes);
		else
			memcpy(to, from + begin_of(p, i, sample), (size_t)bytes);
		if (why)
			return why;
	}
	return NULL;
}

/* Of what is predicted for a file may be damaged: it keeps the reason, and its place is empty. Several threads may find
 * the last one, which fills a batch. */
static bool is_left_out(const BatchPart *p, int64_t sample, int64_t k, const char *why)
{
	const DataPart *data = data_of(p);
	if (p->s->options.command != COMMAND_PREDICT || !data->files || machine_status(why))
		return false;
	const NnrInput *in = &p->s->model->inputs[data->files_input];
	memset(p->to + in->offset + k * sample_bytes(in), 0, (size_t)sample_bytes(in));
	__atomic_store_n(&data->files->at[sample].why, why, __ATOMIC_RELAXED);
	return true;
}

/* A file that turns out to be damaged when a batch needs it costs itself: the next one of the data set stands in for
 * it, whatever thread finds it and when, so that the batches are functions of the data alone. */
static const char *put_or_stand_in(const BatchPart *p, int64_t sample, char *const to[MAX_INPUTS])
{
	ImageFiles *files = data_of(p)->files;
	int64_t count = data_of(p)->count, drawn = sample;
	const char *why = NULL;
	if (!files || p->s->options.command == COMMAND_PREDICT)
		return put_sample(p, sample, drawn, to);
	for (int64_t tried = 0; tried < count; tried++, sample = (sample + 1) % count) {
		const char *known = __atomic_load_n(&files->at[sample].why, __ATOMIC_RELAXED);
		why = known ? known : put_sample(p, sample, drawn, to);
		if (!why || machine_status(why) || !image_files_pass_over(files, sample, why))
			return why;
	}
	return why;
}

/* ---- mixtures: a sample's partner is the next one of the epoch, whatever batch, rank or worker that is of */

/* Room for a sample of no place in the batch: to[0] is to be freed. False: there is none. */
static bool find_room(const NnrModel *m, char *to[MAX_INPUTS])
{
	int64_t bytes = 0;
	for (int i = 0; i < m->input_count; i++)
		bytes += sample_bytes(&m->inputs[i]) + 64;
	to[0] = malloc((size_t)bytes);
	for (int i = 1; to[0] && i < m->input_count; i++)
		to[i] = to[i - 1] + (sample_bytes(&m->inputs[i - 1]) + 63) / 64 * 64;
	return to[0];
}

static void mix(const NnrModel *m, const Augmentation *a, char *const own[MAX_INPUTS],
                char *const partner[MAX_INPUTS])
{
	double share = 1;
	for (int i = 0; i < m->input_count; i++) {
		const NnrInput *in = &m->inputs[i];
		if (!is_image(in))
			continue;
		const Mixture mixture = mixture_of(a, in->dim[1], in->dim[2]);
		mixture_apply(&mixture, (uint8_t *)own[i], (const uint8_t *)partner[i], in->dim + 1);
		share = mixture.share;
	}
	for (int i = m->input_count; i < NNR_BATCH_INPUTS(m); i++) {
		const NnrInput *in = &m->inputs[i];
		if (in->partner_of >= 0)
			memcpy(own[i], partner[in->partner_of], (size_t)sample_bytes(in));
		else if (in->dtype == NNR_F64)
			memcpy(own[i], &share, sizeof share);
		else
			memcpy(own[i], &(float){(float)share}, sizeof(float));
	}
}

/* From the first place on, so that each is mixed with one that is not mixed yet. */
static const char *mix_part(const BatchPart *p, const Permutation *order, int64_t *bad)
{
	const NnrModel *m = p->s->model;
	const int64_t end = p->first + p->count;
	char *own[MAX_INPUTS], *partner[MAX_INPUTS], *room[MAX_INPUTS];
	if (!find_room(m, room))
		return machine_no_memory;
	const char *why = put_or_stand_in(p, sample_at(p, order, end), room);
	*bad = end - 1;
	for (int64_t k = p->first; !why && k < end; k++) {
		const Augmentation a = augmentation_of(p, sample_at(p, order, k));
		find_places(p, k, own);
		find_places(p, k + 1, partner);
		mix(m, &a, own, k + 1 < end ? partner : room);
	}
	free(room[0]);
	return why;
}

const char *batch_part(const BatchPart *p, int64_t *bad)
{
	Permutation order = order_of(p);
	char *to[MAX_INPUTS];
	for (int64_t k = p->first; k < p->first + p->count; k++) {
		int64_t sample = sample_at(p, &order, k);
		find_places(p, k, to);
		const char *why = put_or_stand_in(p, sample, to);
		if (why && !is_left_out(p, sample, k, why)) {
			*bad = k;
			return why;
		}
	}
	const NnrModel *m = p->s->model;
	return augments_mixture(&m->augment) && !p->held_out ? mix_part(p, &order, bad) : NULL;
}

int64_t batch_begin(const NnrModel *m, int64_t index)
{
	return (index * model_ranks(m) + ranks_own()) * m->batch;
}

/* ---- whole batches, without anybody who makes them ahead */

static int64_t take_made(const Session *s, bool held_out, int64_t batch)
{
	double begun = clock_seconds();
	const char *made = loader_take(s->loader, held_out, batch);
	if (!held_out)
		loader_add_wait(s->loader, clock_seconds() - begun);
	if (!made)
		return 0;
	memcpy(s->memory.inputs, made, (size_t)s->model->input_bytes);
	loader_release(s->loader, held_out);
	return s->model->batch;
}

int64_t batch_train(const Session *s, int64_t epoch, int64_t index)
{
	const NnrModel *m = s->model;
	int64_t bad;
	if (s->loader)
		return take_made(s, false, epoch * s->steps_per_epoch * m->chunks + index);
	BatchPart whole = {.s = s,
	                   .move = true,
	                   .epoch = epoch,
	                   .begin = batch_begin(m, index),
	                   .count = m->batch,
	                   .to = s->memory.inputs};
	require(!batch_part(&whole, &bad)); /* its samples are in memory */
	return m->batch;
}

/* Of a batch what an item of work takes; several threads where samples are large. */
typedef struct Rows {
	BatchPart batch;
	int64_t share;
	const char **why; /* by item */
	int64_t *bad;
} Rows;

static void put_rows(void *context, int64_t item)
{
	const Rows *r = context;
	BatchPart part = r->batch;
	part.first = item * r->share;
	part.count = part.first + r->share < r->batch.count ? r->share : r->batch.count - part.first;
	r->why[item] = batch_part(&part, &r->bad[item]);
}

/* Ends the process where a sample can't be decoded. */
static void put_all_rows(const BatchPart *batch)
{
	enum { ITEMS = 128, ALONE = 1 << 20 /* bytes that are copied before threads have started */ };
	const char *why[ITEMS] = {0};
	int64_t bad[ITEMS], count = batch->count;
	bool alone = batch->s->model->input_bytes < ALONE && !data_of(batch)->files;
	Rows r = {*batch, alone ? count : (count + ITEMS - 1) / ITEMS, why, bad};
	int64_t items = (count + r.share - 1) / r.share;
	parallel_for(items, alone ? 1 : (int)batch->s->options.threads, put_rows, &r, NULL);
	for (int64_t i = 0; i < items; i++)
		if (why[i])
			die(machine_status(why[i]) ? machine_status(why[i]) : STATUS_DATA,
			    "`%s` can't be used: %s", batch_path(batch, bad[i]), why[i]);
}

void batch_rows_train(const Session *s, int64_t epoch, int64_t first, int64_t count, char *to)
{
	BatchPart rows = {.s = s, .epoch = epoch, .begin = first, .count = count, .to = to};
	put_all_rows(&rows);
}

void batch_rows_held_out(const Session *s, int64_t first, char *to)
{
	BatchPart rows = {.s = s, .held_out = true, .begin = first, .count = s->model->batch, .to = to};
	put_all_rows(&rows);
}

int64_t batch_real(const Session *s, int64_t first, int64_t batch)
{
	int64_t left = s->data.held_out.count - first;
	return left < 0 ? 0 : left < batch ? left : batch;
}

bool batch_evaluate(const Session *s, int64_t first)
{
	if (s->loader)
		return take_made(s, true, first / s->model->batch) > 0;
	batch_rows_held_out(s, first, s->memory.inputs);
	return true;
}
