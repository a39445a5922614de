/* The data set in device memory, and how the kernels of nnr_device.h find their way in it. */
#include "compiler/base/checked.h"
#include "runtime/core/die.h"
#include "runtime/core/rng.h"
#include "runtime/cuda/state.h"

_Static_assert(NNR_SCORES == 1 + MAX_METRICS && (int)NNR_FEEDS == MAX_INPUTS,
               "nnr_device.h and core/ differ");

void *cuda_allocate(int64_t bytes, const char *what)
{
	CUdeviceptr at;
	size_t length =
	        ((size_t)bytes / 256 + 1) * 256; /* padded: a kernel's last vector may run over the end */
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

/* Streaming what does not fit is not there yet; what fits is uploaded once. */
static void check_fits(const Session *s)
{
	const NnrModel *m = s->model;
	int64_t sample = 0;
	for (int i = 0; i < m->input_count; i++)
		sample += sample_bytes(&m->inputs[i]);
	double need = (double)sample * ((double)s->data.train.count + (double)s->data.held_out.count);
	size_t left, total;
	nnr_cuda_doing("asking for its memory");
	CU(MemGetInfo, &left, &total);
	if (need > (double)left)
		die_help(STATUS_MEMORY, "train on a part of the data, or compile with a smaller batch",
		         "the data set has to fit on the GPU beside the plan: it is %s, the %s has %s left",
		         human_bytes(need), nnr_cuda.name, human_bytes((double)left));
}

static void load_part(const NnrModel *m, const DataPart *part, uint8_t *at[MAX_INPUTS])
{
	if (part->count == 0)
		return;
	if (part->count > INT32_MAX)
		die(STATUS_DATA,
		    "the data set has %lld samples, more than the CUDA trainer can count (2^31 - 1)",
		    (long long)part->count);
	for (int i = 0; i < m->input_count; i++) {
		int64_t bytes = part->count * sample_bytes(&m->inputs[i]);
		at[i] = cuda_allocate(bytes, "making room for the data set");
		nnr_cuda_doing("copying the data set to the GPU");
		CU(MemcpyHtoDAsync, (CUdeviceptr)at[i], part->at[i], (size_t)bytes, nnr_cuda.stream);
	}
}

static bool is_image(const NnrInput *in)
{
	return !in->is_target && in->dtype == NNR_U8 && in->rank == 4;
}

/* The widest access that samples and addresses are multiples of; an augmented image goes byte by byte, stored by fours. */
static uint32_t access_bytes(int64_t sample, const void *to, bool augment)
{
	for (uint32_t unit = augment ? 4 : 16; unit > 1; unit /= 4)
		if (sample % unit == 0 && (uintptr_t)to % unit == 0)
			return unit;
	return 1;
}

static NnrFeed feed_of(const NnrInput *in, uint8_t *from, bool augment)
{
	NnrFeed f = {.from = from, .to = (uint8_t *)nnr_cuda.memory.inputs + in->offset};
	int64_t sample = sample_bytes(in);
	augment = augment && is_image(in);
	f.unit = access_bytes(sample, f.to, augment);
	f.units = (uint32_t)(sample / f.unit);
	if (augment) {
		f.height = (uint32_t)in->dim[1];
		f.width = (uint32_t)in->dim[2];
		f.channels = (uint32_t)in->dim[3];
	}
	return f;
}

static NnrSupply supply_of(const Session *s, const DataPart *part, uint8_t *const at[MAX_INPUTS],
                           const NnrOutput *const *scores, bool training)
{
	enum { MANY_BLOCKS = 1024 };
	const NnrModel *m = s->model;
	bool augment = training && (m->augment_flip || m->augment_crop > 0) && !s->options.no_augment;
	NnrSupply y = {
	        .feed_count = m->input_count,
	        .score_count = s->score_count,
	        .batch = (uint32_t)m->batch,
	        .samples = (uint32_t)part->count,
	        .crop = m->augment_crop,
	        .flip = m->augment_flip,
	        .shuffle = !s->options.no_shuffle,
	        .steps_per_epoch = s->steps_per_epoch,
	        .rates = nnr_cuda.rates,
	        .seed = s->seed,
	};
	int64_t units = 0;
	for (int i = 0; i < m->input_count; i++) {
		y.feeds[i] = feed_of(&m->inputs[i], at[i], augment);
		units += m->batch * y.feeds[i].units;
		if (units > INT32_MAX)
			die_help(STATUS_USAGE, "compile with a smaller batch: `nnc --set batch=N`",
			         "a batch of %lld samples is larger than the gather can count",
			         (long long)m->batch);
	}
	y.turns = units > (int64_t)MANY_BLOCKS * NNR_BLOCK ? 4 : 1;
	uint32_t share = y.turns * NNR_BLOCK, block = 0;
	for (int i = 0; i < m->input_count; i++) {
		y.feeds[i].first_block = block;
		y.feeds[i].blocks = (y.batch * y.feeds[i].units + share - 1) / share;
		block += y.feeds[i].blocks;
	}
	for (int i = 0; i < s->score_count; i++)
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

void cuda_load_data(const Session *s)
{
	CudaState *c = &nnr_cuda;
	check_fits(s);
	load_part(s->model, &s->data.train, c->data[0]);
	load_part(s->model, &s->data.held_out, c->data[1]);
	c->training = supply_of(s, &s->data.train, c->data[0], s->scores, true);
	c->evaluation = supply_of(s, &s->data.held_out, c->data[1], s->eval_scores, false);
	c->begin_step = (NnrKernel){"nnr_begin_step", 1 + gather_blocks(&c->training), NNR_BLOCK, NULL};
	c->end_steps = (NnrKernel){"nnr_end_steps", 1, 32, NULL};
	c->begin_samples = (NnrKernel){"nnr_begin_samples", gather_blocks(&c->evaluation), NNR_BLOCK, NULL};
	c->end_samples = (NnrKernel){"nnr_end_samples", 1, NNR_BLOCK, NULL};
}
