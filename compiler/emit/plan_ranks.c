/* SPDX-License-Identifier: MIT */
/* What several ranks send one another in a step, as text: the buckets of the gradient, when each is ready, and by a
 * stated model how long it takes and what of that the backward pass hides; and what is read across the batch,
 * statistics or rows, which the chain waits for.
 *
 * With `shard optimizer` a bucket goes to the ranks whose it is, half the way, and the parameters come back after the
 * update, which nothing hides.
 *
 * A ring moves 2*(N - 1)/N of a bucket's bytes over each link, in 2*(N - 1) turns; all goes one after the other. A
 * step of the program takes its price (program/price.h). */
#include "base/writer.h"
#include "emit/describe.h"
#include "emit/plan_ranks.h"

#include <math.h>

/* Ranks that share a step. */
typedef struct Ring {
	const Device *device; /* NULL: none is known, and nothing takes any time */
	double ranks;
} Ring;

static double link_us(const Ring *r, double bytes)
{
	return r->device ? 2 * (r->ranks - 1) / r->ranks * bytes / r->device->link : 0;
}

static double turns_us(const Ring *r)
{
	return r->device ? 2 * (r->ranks - 1) * r->device->turn : 0;
}

/* The step as far as it has come. */
typedef struct Course {
	double now, sent;     /* us: on the chain, and when all that was begun is there */
	double alone, waited; /* us: all that is sent, and what of it the chain has waited for */
	double bytes;         /* of statistics, which go in so many exchanges */
	double ways;          /* of a bucket: 2, to be added up and back; 1 where ranks have shares */
	int buckets, exchanges;
} Course;

/* Statistics that stand side by side are sent together, after what is on its way. Rows of all ranks go half the way. */
static void take_exchange(Course *c, const Program *p, int s, const Ring *r)
{
	bool mean = step_is_mean(&p->steps[s]), joined = mean && s > 0 && step_is_mean(&p->steps[s - 1]);
	double bytes = (double)p->steps[s].writes[0]->bytes,
	       us = (mean ? 1 : 0.5) * (link_us(r, bytes) + (joined ? 0 : turns_us(r))),
	       begins = fmax(c->sent, c->now);
	c->sent = begins + us;
	c->waited += c->sent - c->now;
	c->now = c->sent;
	c->alone += us;
	c->bytes += bytes;
	c->exchanges += !joined;
}

/* Of a bucket: its own, or those of its 16 bits. */
static double wire_bytes(const Step *s)
{
	return (double)s->writes[s->write_count - 1]->bytes;
}

static void take_bucket(Course *c, const Step *s, const Ring *r)
{
	double us = c->ways / 2 * (link_us(r, wire_bytes(s)) + turns_us(r));
	c->sent = fmax(c->sent, c->now) + us;
	c->alone += us;
	c->buckets++;
}

void write_ranks_plan(Arena *a, Writer *w, const Program *p, int64_t ranks, const Target *target)
{
	const Device *device = target_device(target);
	const Ring ring = {device, (double)ranks};
	bool predicts = device;
	Course c = {.ways = 2};
	int last = 0;
	double gathered = 0; /* bytes of the parameters */
	for (int s = 0; s < p->step_count; s++)
		if (p->steps[s].kind == STEP_ALL_REDUCE)
			last = s;
	for (int s = last; s < p->step_count; s++)
		if (step_gathers(&p->steps[s]))
			gathered = (double)p->steps[s].writes[0]->bytes;
	if (gathered > 0)
		c.ways = 1;
	double least = (double)target->bucket_bytes / (1 << 20);
	char *size = least > 0 ? arena_printf(a, "in buckets of at least %.4g MiB", least) : "in one bucket";
	write_line(w, "ranks: %lld, each with a batch of %lld; the gradient %s%s", (long long)ranks,
	           (long long)p->graph->batch, size, p->steps[last].write_count > 1 ? ", sent in bf16" : "");
	for (int s = 0; s <= last; s++) {
		const Step *step = &p->steps[s];
		double before = c.sent;
		c.now += step_us(step, device);
		if (step_is_mean(step) || step_gathers(step))
			take_exchange(&c, p, s, &ring);
		if (step->kind != STEP_ALL_REDUCE)
			continue;
		take_bucket(&c, step, &ring);
		char *when =
		        predicts ? arena_printf(a, "  ready at %8.1f us, takes %7.1f us, there at %8.1f us",
		                                c.now, c.sent - fmax(before, c.now), c.sent)
		                 : "";
		write_line(w, "  bucket %-3d after step %-4d %12s%s", c.buckets, s + 1 - c.buckets,
		           human_count(a, wire_bytes(step), "B"), when);
	}
	if (c.exchanges > 0)
		write_line(w,
		           "  what is read of the whole batch: %s in %d exchanges, which the step waits for",
		           human_count(a, c.bytes, "B"), c.exchanges);
	double gather_us = gathered > 0 ? (link_us(&ring, gathered) + turns_us(&ring)) / 2 : 0;
	if (gathered > 0)
		write_line(w, "  each rank updates a share; parameters  %s%s", human_count(a, gathered, "B"),
		           predicts ? arena_printf(a, "  gathered after it, takes %.1f us", gather_us) : "");
	if (!predicts) {
		write_line(w, "  nothing runs beside it");
		return;
	}
	double rest = 0, step = c.sent + gather_us;
	for (int s = last + 1; s < p->step_count; s++)
		rest += step_us(&p->steps[s], device);
	step += rest;
	write_line(
	        w,
	        "  predicted, as two H200s had it: %.1f us of communication, %.1f us of them not hidden; a "
	        "step of %.1f us, "
	        "%.0f %% of it one rank's work",
	        c.alone + gather_us, c.waited + c.sent - c.now + gather_us, step,
	        100 * (c.now - c.waited + rest) / step);
}
