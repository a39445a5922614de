/* Batches: the gather of samples by the epoch's permutation, and augmentation.
 *
 * The rule: an epoch is floor(N / B) full batches of a fresh permutation of the N training samples; the N mod B samples
 * at its end sit this epoch out. */
#include "runtime/core/die.h"
#include "runtime/core/parallel.h"
#include "runtime/core/rng.h"
#include "runtime/core/session.h"

#include <string.h>

/* One image moved by (down, right) with zeros coming in at the border, and mirrored left to right. */
static void copy_shifted(uint8_t *to, const uint8_t *from, const int64_t dim[3], int64_t down, int64_t right,
                         bool flip)
{
	int64_t height = dim[0], width = dim[1], channels = dim[2];
	for (int64_t y = 0; y < height; y++) {
		uint8_t *row = to + y * width * channels;
		int64_t source_y = y + down;
		if (source_y < 0 || source_y >= height) {
			memset(row, 0, (size_t)(width * channels));
			continue;
		}
		const uint8_t *source = from + source_y * width * channels;
		for (int64_t x = 0; x < width; x++) {
			int64_t source_x = (flip ? width - 1 - x : x) + right;
			bool inside = source_x >= 0 && source_x < width;
			for (int64_t c = 0; c < channels; c++)
				row[x * channels + c] = inside ? source[source_x * channels + c] : 0;
		}
	}
}

static bool is_image(const NnrInput *in)
{
	return !in->is_target && in->dtype == NNR_U8 && in->rank == 4;
}

/* The numbers depend on (seed, epoch, sample), not on the place in the batch. */
static void copy_augmented(const Session *s, const NnrInput *in, char *to, const char *from, int64_t epoch,
                           int64_t sample)
{
	Philox r = rng_block(s->seed, RNG_AUGMENT, (uint64_t)sample, (uint32_t)epoch);
	int64_t pad = s->model->augment_crop, places = 2 * pad + 1;
	int64_t down = rng_below(r.word[0], places) - pad, right = rng_below(r.word[1], places) - pad;
	bool flip = s->model->augment_flip && r.word[2] >> 31;
	copy_shifted((uint8_t *)to, (const uint8_t *)from, in->dim + 1, down, right, flip);
}

void batch_train(const Session *s, int64_t epoch, int64_t index)
{
	const NnrModel *m = s->model;
	const DataPart *part = &s->data.train;
	Permutation order = permutation_new(s->seed, RNG_SHUFFLE, (uint64_t)epoch, part->count);
	bool augment = (m->augment_flip || m->augment_crop > 0) && !s->options.no_augment;
	for (int64_t k = 0; k < m->batch; k++) {
		int64_t place = index * m->batch + k;
		int64_t sample = s->options.no_shuffle ? place : permutation_at(&order, place);
		for (int i = 0; i < m->input_count; i++) {
			const NnrInput *in = &m->inputs[i];
			int64_t bytes = sample_bytes(in);
			char *to = s->memory.inputs + in->offset + k * bytes;
			const char *from = part->at[i] + sample * bytes;
			if (augment && is_image(in))
				copy_augmented(s, in, to, from, epoch, sample);
			else
				memcpy(to, from, (size_t)bytes);
		}
	}
}

/* ---- whole samples, on several threads where they are large */

typedef struct Rows {
	const Session *s;
	const DataPart *part;
	const Permutation *order; /* NULL: as they come */
	int64_t first, share;     /* samples that an item of work takes */
	char *to;
} Rows;

static void copy_rows(void *context, int64_t item)
{
	const Rows *r = context;
	const NnrModel *m = r->s->model;
	int64_t end = (item + 1) * r->share < m->batch ? (item + 1) * r->share : m->batch;
	for (int64_t k = item * r->share; k < end; k++) {
		int64_t place = r->first + k < r->part->count ? r->first + k : r->part->count - 1;
		int64_t sample = r->order ? permutation_at(r->order, place) : place;
		for (int i = 0; i < m->input_count; i++) {
			int64_t bytes = sample_bytes(&m->inputs[i]);
			memcpy(r->to + m->inputs[i].offset + k * bytes, r->part->at[i] + sample * bytes,
			       (size_t)bytes);
		}
	}
}

static void copy_all_rows(Rows *r)
{
	enum { ITEMS = 128, ALONE = 1 << 20 /* bytes that are copied before threads have started */ };
	int64_t batch = r->s->model->batch;
	bool alone = r->s->model->input_bytes < ALONE;
	r->share = alone ? batch : (batch + ITEMS - 1) / ITEMS;
	parallel_for((batch + r->share - 1) / r->share, alone ? 1 : (int)r->s->options.threads, copy_rows, r,
	             NULL);
}

void batch_rows_train(const Session *s, int64_t epoch, int64_t index, char *to)
{
	const DataPart *part = &s->data.train;
	Permutation order = permutation_new(s->seed, RNG_SHUFFLE, (uint64_t)epoch, part->count);
	Rows r = {.s = s, .part = part, .first = index * s->model->batch, .to = to};
	r.order = s->options.no_shuffle ? NULL : &order;
	copy_all_rows(&r);
}

void batch_rows_held_out(const Session *s, int64_t first, char *to)
{
	Rows r = {.s = s, .part = &s->data.held_out, .first = first, .to = to};
	copy_all_rows(&r);
}

int64_t batch_evaluate(const Session *s, int64_t first)
{
	int64_t left = s->data.held_out.count - first;
	batch_rows_held_out(s, first, s->memory.inputs);
	return left < s->model->batch ? left : s->model->batch;
}
