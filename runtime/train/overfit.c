/* SPDX-License-Identifier: MIT */
#include "runtime/train/overfit.h"
#include "runtime/host/progress.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 64 << 20 };

/* Sample data of a step's chunks, at the beginning of `part`. */
static void take_step(const Session *s, DataPart *part)
{
	const NnrModel *m = s->model;
	char *block = block_new(m->input_bytes, "a batch");
	for (int64_t chunk = 0; chunk < m->chunks * model_ranks(m); chunk++) {
		batch_rows_train(s, 0, chunk * m->batch, m->batch, block);
		for (int i = 0; i < m->input_count; i++) {
			size_t bytes = (size_t)(m->batch * sample_bytes(&m->inputs[i]));
			memcpy(part->at[i] + (size_t)chunk * bytes, block + m->inputs[i].offset, bytes);
		}
	}
	block_free(block, m->input_bytes);
}

/* What stands at the beginning of the part, again up to its end. */
static void repeat(const NnrModel *m, DataPart *part)
{
	int64_t samples = step_samples(m);
	for (int i = 0; i < m->input_count; i++) {
		size_t bytes = (size_t)(samples * sample_bytes(&m->inputs[i]));
		for (int64_t k = 1; k < part->count / samples; k++)
			memcpy(part->at[i] + (size_t)k * bytes, part->at[i], bytes);
	}
}

void overfit_batch(Session *s)
{
	const NnrModel *m = s->model;
	Dataset *d = &s->data;
	int64_t samples = step_samples(m), steps = d->train.count / samples, bytes = 0;
	for (int i = 0; i < m->input_count; i++)
		bytes += samples * sample_bytes(&m->inputs[i]);
	if (steps > MOST_BYTES / bytes)
		steps = MOST_BYTES / bytes > 1 ? MOST_BYTES / bytes : 1;
	DataPart train = {0}, held_out = {0};
	data_allocate(&train, m, steps * samples);
	data_allocate(&held_out, m, samples);
	take_step(s, &train);
	repeat(m, &train);
	for (int i = 0; i < m->input_count; i++)
		memcpy(held_out.at[i], train.at[i], (size_t)(samples * sample_bytes(&m->inputs[i])));
	data_free(&d->train);
	data_free(&d->held_out);
	d->train = train;
	d->held_out = held_out;
	free(d->store);
	d->store = NULL;
	s->options.no_shuffle = true; /* only now: the batch is one of the shuffled data */
	progress_say("data: one batch of %s samples, again and again; it is what is evaluated, too",
	             count_text((double)samples));
}
