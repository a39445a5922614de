/* SPDX-License-Identifier: MIT */
/* Sharing out the gather of a batch among the products of the step before, whose kernels do it meanwhile (nnr_carry.h;
 * the pass carry_gather says which can).
 *
 * What the products take by our kernels and by the library's is known when the plans are made: the last step that is
 * tried out plainly adds up their work, and how much longer ours take. If the work is enough, and the gather is worth
 * more, from then on all of them run by our kernels, and each gathers the part of one input that its work is of all.
 * Until then, and of the first batch, and of all other inputs, the gather is a kernel beside the step (graph.c). */
#include "base/checked.h"
#include "runtime/host/die.h"
#include "runtime/host/progress.h"
#include "runtime/cuda/nnr_sizes.h"
#include "runtime/cuda/product.h"
#include "runtime/cuda/state.h"

static struct {
	uint32_t feed, units; /* of the training supply; no units: nothing can be carried */
	double work, done;    /* of a step's products, m n k: of all, and of those that are enqueued */
	double slower_us;     /* of those: our kernels than the library's, where they are */
	int products;         /* all of them */
	int said;             /* so many gather, as was said last */
	bool shared;          /* they gather */
	bool stepping;        /* a step's products are being enqueued */
	int unit, slot;       /* of the batch after that step */
} carry;

/* Whether vectors of 16 bytes fit, in the samples as in their transposed copy. */
static bool can_be_carried(const NnrSupply *s, const NnrFeed *f)
{
	enum { VECTOR = 16 };
	int64_t sum = (int64_t)((uintptr_t)f->from | (uintptr_t)f->transposed) | s->slot_bytes |
	              s->streamed_bytes | (int64_t)f->units * f->unit | (int64_t)s->batch * f->unit;
	return f->transposed && !f->to && f->unit == sizeof(float) && sum % VECTOR == 0;
}

void cuda_carry_open(void)
{
	const NnrSupply *s = &nnr_cuda.training;
	carry.units = 0;
	carry.work = 0;
	carry.said = 0;
	carry.shared = false;
	for (int i = 0; i < s->feed_count; i++) {
		const NnrFeed *f = &s->feeds[i];
		uint32_t units = (uint32_t)(ceil_div(s->batch, NNR_CARRY_SAMPLES) *
		                            ceil_div(f->units, NNR_CARRY_ELEMENTS));
		if (!can_be_carried(s, f) || units <= carry.units)
			continue;
		carry.feed = (uint32_t)i;
		carry.units = units;
	}
}

/* At 1000x1000 there are 32 million for each, and half of the gather costs a product a fifth of what it takes by
 * itself; with 16 million it costs as much (passes/carry_gather.c). */
static const double LEAST_WORK = 24e6; /* of a unit */

/* Of a unit, us: the gather by itself takes 0.037 (73.9 for 2000 of them, 19.4 for 500), in products 0.017. In a step
 * of the MLP at 32000 the difference was 70 us of 621, 0.035: cuBLASLt's forward product, 191.9 us in place of 192.4,
 * left all of it to the step (bench/results/2026-11-23-gpu-singly.txt). */
static const double WORTH = 0.02;

bool cuda_carry_share(void)
{
	carry.shared = carry.units > 0 && carry.work >= LEAST_WORK * carry.units &&
	               carry.slower_us <= WORTH * carry.units;
	if (!carry.shared)
		return false;
	cuda_leave_feed((int)carry.feed);
	if (carry.said != carry.products)
		progress_say("gather: %d products of a step bring the next batch's %s", carry.products,
		             nnr_cuda.model->inputs[carry.feed].name);
	carry.said = carry.products;
	return true;
}

void cuda_carry_forget(void)
{
	if (carry.shared)
		cuda_leave_feed(-1);
	carry.shared = false;
}

bool cuda_carry_shared(void)
{
	return carry.shared;
}

void cuda_carry_begin(int unit, int slot)
{
	carry.stepping = true;
	carry.done = 0;
	carry.slower_us = 0;
	carry.products = 0;
	carry.unit = unit;
	carry.slot = slot;
}

void cuda_carry_end(void)
{
	require(!carry.shared ||
	        carry.done == carry.work); /* or a part of the batch would be that of a step before */
	carry.work = carry.done;
	carry.stepping = false;
}

bool nnr_cuda_carry(double work, double slower_us, NnrCarried *part)
{
	double before = carry.done;
	if (!carry.stepping)
		return false;
	carry.done += work;
	carry.slower_us += slower_us;
	carry.products++;
	if (!carry.shared)
		return false;
	*part = (NnrCarried){.control = nnr_cuda.control,
	                     .supply = nnr_cuda.training,
	                     .unit = carry.unit,
	                     .slot = carry.slot,
	                     .feed = carry.feed,
	                     .first = (uint32_t)(carry.units * (before / carry.work)),
	                     .end = (uint32_t)(carry.units * (carry.done / carry.work))};
	return true;
}
