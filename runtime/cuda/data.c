/* SPDX-License-Identifier: MIT */
/* The data set in device memory, and how the kernels of nnr_batch.h find their way in it. */
#include "base/checked.h"
#include "runtime/host/die.h"
#include "runtime/session/loader.h"
#include "runtime/host/rng.h"
#include "runtime/cuda/state.h"

#include <string.h>

_Static_assert(NNR_SCORES == 1 + MAX_METRICS && (int)NNR_FEEDS == MAX_INPUTS,
               "nnr_control.h and data/augment.h differ");

int64_t cuda_padded(int64_t bytes)
{
	return (bytes / 256 + 1) * 256; /* a kernel's last vector may run over the end */
}

void *cuda_allocate(int64_t bytes, const char *what)
{
	CUdeviceptr at;
	size_t length = (size_t)cuda_padded(bytes);
	nnr_cuda_doing(what);
	CU(MemAlloc, &at, length);
	CU(MemsetD8Async, at, 0, length, nnr_cuda.stream);
	return (void *)at;
}

void cuda_free(void *p)
{
	if (p)
		CU(MemFree, (CUdeviceptr)p);
}

void *cuda_pinned(int64_t bytes)
{
	void *p;
	nnr_cuda_doing("making room on the host");
	CU(MemAllocHost, &p, (size_t)bytes);
	memset(p, 0, (size_t)bytes);
	return p;
}

/* Whether the data set fits beside the plan. An eighth of what is left stays free for what the libraries allocate; with
 * --memory that comes on top. */
static bool fits(const Session *s)
{
	const NnrModel *m = s->model;
	int64_t sample = 0;
	for (int i = 0; i < m->input_count; i++)
		sample += sample_bytes(&m->inputs[i]);
	double held_out = s->options.command == COMMAND_BENCH ? 0 : (double)s->data.held_out.count;
	double need = (double)sample * ((double)s->data.train.count + held_out);
	size_t total, left = cuda_memory_left(&total);
	if (need <= (double)(s->options.memory ? left : left - left / 8))
		return true;
	say_note("the data set is %s, the %s has %s left beside the plan: it is streamed from the host's "
	         "memory",
	         human_bytes(need), nnr_cuda.name, human_bytes((double)left));
	return false;
}

static void load_part(const NnrModel *m, const DataPart *part, uint8_t *at[MAX_INPUTS])
{
	if (part->count > INT32_MAX)
		die(STATUS_DATA,
		    "the data set has %lld samples, more than the CUDA trainer can count (2^31 - 1)",
		    (long long)part->count);
	if (part->count == 0 || nnr_cuda.streams)
		return;
	for (int i = 0; i < m->input_count; i++) {
		int64_t bytes = part->count * sample_bytes(&m->inputs[i]);
		at[i] = cuda_allocate(bytes, "making room for the data set");
		nnr_cuda_doing("copying the data set to the GPU");
		CU(MemcpyHtoDAsync, (CUdeviceptr)at[i], part->at[i], (size_t)bytes, nnr_cuda.stream);
	}
}

/* The widest access that samples and addresses are multiples of; an augmented image goes byte by byte, stored by
 * fours. */
static uint32_t access_bytes(int64_t sample, const void *to, bool augment)
{
	for (uint32_t unit = augment ? 4 : 16; unit > 1; unit /= 4)
		if (sample % unit == 0 && (uintptr_t)to % unit == 0)
			return unit;
	return 1;
}

static NnrFeed feed_of(const NnrInput *in, uint8_t *from, bool training, const NnrAugment *how)
{
	uint8_t *inputs = (uint8_t *)nnr_cuda.memory.inputs;
	NnrFeed f = {.from = from, .to = inputs + in->offset};
	int64_t sample = sample_bytes(in);
	bool augment = how && is_image(in);
	f.unit = access_bytes(sample, f.to, augment);
	if (training && in->transposed) {
		f.transposed = inputs + in->transposed;
		f.to = in->transposed_alone ? NULL : f.to;
		f.unit = (uint32_t)dtype_bytes(in->dtype);
	}
	f.rounded = training ? in->rounded_in_training : in->rounded_in_evaluation;
	f.units = (uint32_t)(sample / f.unit);
	if (augment) {
		f.height = (uint32_t)in->dim[1];
		f.width = (uint32_t)in->dim[2];
		f.channels = (uint32_t)in->dim[3];
		f.reflect = how->reflect;
	}
	return f;
}

/* Of 256 units a turn, or of a tile. */
static uint32_t feed_blocks(const NnrFeed *f, const NnrSupply *y)
{
	uint32_t share = y->turns * NNR_BLOCK, columns = NNR_TILE_BYTES / f->unit;
	if (!f->transposed)
		return (y->batch * f->units + share - 1) / share;
	return (y->batch + NNR_TILE_SAMPLES - 1) / NNR_TILE_SAMPLES * ((f->units + columns - 1) / columns);
}

/* Numbers the blocks of a gather; of input `left_out` it has none (-1: all have some). */
static void number_blocks(NnrSupply *y, int left_out)
{
	uint32_t block = 0;
	for (int i = 0; i < y->feed_count; i++) {
		y->feeds[i].first_block = block;
		y->feeds[i].blocks = i == left_out ? 0 : feed_blocks(&y->feeds[i], y);
		block += y->feeds[i].blocks;
	}
}

/* `at`: where the samples of each input begin. */
static NnrSupply supply_of(const Session *s, const DataPart *part, uint8_t *const at[MAX_INPUTS],
                           const NnrOutput *const *scores, bool training)
{
	enum { MANY_BLOCKS = 1024 };
	const NnrModel *m = s->model;
	int64_t stride = training ? batch_begin(m, 1) - batch_begin(m, 0) : held_out_batch(s);
	bool augment = training && (m->augment.flip || m->augment.crop > 0) && !s->options.no_augment &&
	               !host_moves(m);
	NnrSupply y = {
	        .feed_count = training ? NNR_BATCH_INPUTS(m) : m->input_count,
	        .score_count = s->sum_count,
	        .batch = (uint32_t)m->batch,
	        .stride = (uint32_t)stride,
	        .begin = (uint32_t)(training ? batch_begin(m, 0) : held_out_begin(s)),
	        .chunks = (uint32_t)m->chunks,
	        .samples = (uint32_t)part->count,
	        .crop = m->augment.crop,
	        .flip = m->augment.flip,
	        .alternate = m->augment.alternate,
	        .shuffle = !s->options.no_shuffle,
	        .steps_per_epoch = s->steps_per_epoch,
	        .rates = nnr_cuda.rates,
	        .slot_bytes = nnr_cuda.slot_bytes,
	        .streamed_bytes = nnr_cuda.supply_bytes,
	        .seed = s->seed,
	};
	int64_t units = 0;
	for (int i = 0; i < y.feed_count; i++) {
		const NnrInput *in = &m->inputs[i];
		y.feeds[i] = feed_of(in, at[i], training, augment ? &m->augment : NULL);
		units += m->batch * y.feeds[i].units;
		if (units > INT32_MAX)
			die_help(STATUS_USAGE, "compile with a smaller batch: `nnc --set batch=N`",
			         "a batch of %lld samples is larger than the gather can count",
			         (long long)m->batch);
	}
	y.turns = units > (int64_t)MANY_BLOCKS * NNR_BLOCK ? 4 : 1;
	number_blocks(&y, -1);
	for (int i = 0; i < s->sum_count; i++)
		y.scores[i] = (NnrScore){nnr_cuda.memory.arena + scores[i]->offset, (int)scores[i]->dtype};
	if (part->count > 0) {
		Permutation p = permutation_new(s->seed, RNG_SHUFFLE, 0, part->count);
		y.low_bits = (uint32_t)p.low_bits;
		y.high_bits = (uint32_t)p.high_bits;
	}
	return y;
}

static int64_t gather_blocks(const NnrSupply *y)
{
	const NnrFeed *last = &y->feeds[y->feed_count - 1];
	return (int64_t)last->first_block + last->blocks;
}

/* The kernel that prepares a step from this supply. */
static NnrKernel prepare_kernel(const NnrSupply *y)
{
	bool turns = false;
	for (int i = 0; i < y->feed_count; i++)
		turns = turns || (y->feeds[i].transposed && y->feeds[i].blocks > 0);
	return (NnrKernel){.name = turns ? "nnr_prepare_transposed" : "nnr_prepare_step",
	                   .blocks = 1 + gather_blocks(y),
	                   .threads = NNR_BLOCK};
}

void cuda_leave_feed(int feed)
{
	CudaState *c = &nnr_cuda;
	c->rest = c->training;
	number_blocks(&c->rest, feed);
	c->prepare_step = prepare_kernel(&c->rest);
	cuda_find_kernel(&c->prepare_step); /* its first launch is in a graph */
}

void cuda_load_data(Session *s)
{
	CudaState *c = &nnr_cuda;
	bool streams = loader_is_needed(s) || !fits(s);
	if (streams && s->model->chunks > 1)
		die_help(STATUS_MEMORY, "train on a part of the data, or compile with `chunk none`",
		         "a batch computed in chunks is gathered from data on the GPU: it can't be streamed");
	if (streams)
		cuda_open_supply(s);
	load_part(s->model, &s->data.train, c->data[0]);
	if (s->options.command != COMMAND_BENCH)
		load_part(s->model, &s->data.held_out, c->data[1]);
	uint8_t *streamed[MAX_INPUTS];
	for (int i = 0; streams && i < NNR_BATCH_INPUTS(s->model); i++)
		streamed[i] = cuda_supply_at(&s->model->inputs[i]);
	c->training = supply_of(s, &s->data.train, streams ? streamed : c->data[0], s->scores, true);
	c->evaluation =
	        supply_of(s, &s->data.held_out, streams ? streamed : c->data[1], s->eval_scores, false);
	c->training.counted = cuda_fetches();
	c->rest = c->training;
	c->prepare_first = c->prepare_step = prepare_kernel(&c->training);
	c->count_step = (NnrKernel){.name = "nnr_count_step", .blocks = 1, .threads = 32};
	cuda_find_kernel(&c->count_step); /* its first launch is in a graph: a single step needs none */
	c->end_steps = (NnrKernel){.name = "nnr_end_steps", .blocks = 1, .threads = 32};
	c->begin_samples = (NnrKernel){
	        .name = "nnr_begin_samples", .blocks = gather_blocks(&c->evaluation), .threads = NNR_BLOCK};
	c->end_samples = (NnrKernel){.name = "nnr_end_samples", .blocks = 1, .threads = NNR_BLOCK};
}

NnrSupply cuda_given_batch(const Session *s, uint8_t *from, NnrKernel *prepare)
{
	uint8_t *at[MAX_INPUTS];
	for (int i = 0; i < NNR_BATCH_INPUTS(s->model); i++)
		at[i] = from + s->model->inputs[i].offset;
	NnrSupply y = supply_of(s, &(DataPart){0}, at, s->scores, true);
	*prepare = prepare_kernel(&y);
	return y;
}
