/* Sharing out the gather of a batch among the products of the step before, whose kernels do it meanwhile (nnr_carry.h; the pass
 * carry_gather says which can).
 *
 * Which products of a step run by our kernels is known when the plans are made: the last step that is tried out plainly
 * counts their work, and from then on each gathers the part of one input that its work is of all. Until then, and of the first
 * batch, and of all other inputs, the gather is a kernel beside the step (graph.c). */
#include "runtime/core/die.h"
#include "runtime/cuda/product.h"
#include "runtime/cuda/state.h"

static struct {
	uint32_t feed, units; /* of the training supply; no units: nothing can be carried */
	double work, done;    /* of a step's products, m n k: of all, and of those that are enqueued */
	bool shared;          /* they gather */
	bool stepping;        /* a step's products are being enqueued */
	int unit, slot;       /* of the batch behind that step */
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
	carry.shared = false;
	for (int i = 0; i < s->feed_count; i++) {
		const NnrFeed *f = &s->feeds[i];
		uint32_t units = (s->batch + NNR_CARRY_SAMPLES - 1) / NNR_CARRY_SAMPLES *
		                 ((f->units + NNR_CARRY_ELEMENTS - 1) / NNR_CARRY_ELEMENTS);
		if (!can_be_carried(s, f) || units <= carry.units)
			continue;
		carry.feed = (uint32_t)i;
		carry.units = units;
	}
}

void cuda_carry_share(void)
{
	carry.shared = carry.units > 0 && carry.work > 0;
	if (carry.shared)
		cuda_leave_feed((int)carry.feed);
}

void cuda_carry_begin(int unit, int slot)
{
	carry.stepping = true;
	carry.done = 0;
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

NnrCarried nnr_cuda_carried(double work)
{
	NnrCarried c = {.control = nnr_cuda.control, .supply = nnr_cuda.training, .feed = carry.feed};
	if (!carry.stepping)
		return c;
	double before = carry.done;
	carry.done += work;
	if (!carry.shared)
		return c;
	c.unit = carry.unit;
	c.slot = carry.slot;
	c.first = (uint32_t)(carry.units * (before / carry.work));
	c.end = (uint32_t)(carry.units * (carry.done / carry.work));
	return c;
}
