/* SPDX-License-Identifier: MIT */
#include "runtime/host/ring.h"
#include "runtime/host/die.h"

static RingSlot *slot_at(const Ring *r, int64_t position)
{
	return &r->slot[position % r->slots];
}

bool ring_claim(Ring *r, RingWork *work)
{
	if (r->paused || r->next == r->held + r->slots || r->base + r->next >= r->limit)
		return false;
	RingSlot *slot = slot_at(r, r->next);
	if (r->next_sample == 0)
		*slot = (RingSlot){.at = slot->at, .left = r->samples, .bad = -1};
	int64_t left = r->samples - r->next_sample;
	*work = (RingWork){r->base + r->next, r->next_sample, left < r->share ? left : r->share, slot};
	r->next_sample += work->count;
	if (r->next_sample == r->samples) {
		r->next++;
		r->next_sample = 0;
	}
	r->in_work++;
	return true;
}

void ring_finish(Ring *r, const RingWork *work, int64_t bad, const char *why)
{
	RingSlot *slot = work->slot;
	if (why && (!slot->why || bad < slot->bad)) {
		slot->bad = bad;
		slot->why = why;
	}
	slot->left -= work->count;
	r->in_work--;
}

bool ring_stands_at(const Ring *r, int64_t batch)
{
	return r->base + r->head == batch;
}

bool ring_is_ready(const Ring *r)
{
	return r->head < r->next && slot_at(r, r->head)->left == 0;
}

RingSlot *ring_take(Ring *r)
{
	require(ring_is_ready(r));
	return slot_at(r, r->head++);
}

void ring_release(Ring *r)
{
	require(r->held < r->head);
	r->held++;
}

void ring_move(Ring *r, int64_t batch)
{
	require(r->in_work == 0);
	r->next = r->head;
	r->next_sample = 0;
	r->base = batch - r->head;
}
