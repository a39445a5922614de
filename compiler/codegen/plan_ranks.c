/* What several ranks send one another in a step, as text: the buckets of the gradient, when each is ready, and by a
 * stated model how long it takes and what of that the backward pass hides.
 *
 * A ring moves 2*(N - 1)/N of a bucket's bytes over each link, in 2*(N - 1) turns; buckets go one after the other. A
 * step of the program takes the longest of its bytes, its FLOPs and its launch. The constants are of NVIDIA's data
 * sheets of the H200 and its NVLink (450 GB/s a direction), the turn is an assumption: none of it was measured, and a
 * real step is slower than its bound, which hides more. */
#include "base/writer.h"
#include "codegen/describe.h"
#include "codegen/plan_ranks.h"

#include <math.h>

static const double LINK = 450e3, TURN = 3, MEMORY = 4.8e6, ARITHMETIC = 495e6, LAUNCH = 2; /* per us; us */

static double step_us(const Step *s)
{
	return s->kind == STEP_ALL_REDUCE ? 0 : fmax(LAUNCH, fmax(s->bytes / MEMORY, s->flops / ARITHMETIC));
}

static double bucket_us(double bytes, double ranks)
{
	return 2 * (ranks - 1) / ranks * bytes / LINK + 2 * (ranks - 1) * TURN;
}

void write_ranks_plan(Arena *a, Writer *w, const Program *p, int64_t ranks, const Target *target)
{
	bool predicts = target->dialect == DIALECT_CUDA;
	double now = 0, sent = 0, alone = 0;
	int buckets = 0, last = 0;
	for (int s = 0; s < p->step_count; s++)
		if (p->steps[s].kind == STEP_ALL_REDUCE)
			last = s;
	double least = (double)target->bucket_bytes / (1 << 20);
	char *size = least > 0 ? arena_printf(a, "in buckets of at least %.4g MiB", least) : "in one bucket";
	write_line(w, "ranks: %lld, each with a batch of %lld; the gradient %s", (long long)ranks,
	           (long long)p->graph->batch, size);
	for (int s = 0; s <= last; s++) {
		const Step *step = &p->steps[s];
		now += step_us(step);
		if (step->kind != STEP_ALL_REDUCE)
			continue;
		buckets++;
		double bytes = (double)step->writes[0]->bytes, us = bucket_us(bytes, (double)ranks);
		sent = fmax(sent, now) + us;
		alone += us;
		char *when =
		        predicts ? arena_printf(a, "  ready at %8.1f us, takes %7.1f us, there at %8.1f us",
		                                now, us, sent)
		                 : "";
		write_line(w, "  bucket %-3d after step %-4d %12s%s", buckets, s + 1 - buckets,
		           human_count(a, bytes, "B"), when);
	}
	double rest = 0, exposed = sent - now;
	for (int s = last + 1; s < p->step_count; s++)
		rest += step_us(&p->steps[s]);
	if (!predicts) {
		write_line(w, "  nothing runs beside it");
		return;
	}
	write_line(w,
	           "  predicted, by data sheets: %.1f us of communication, %.1f us of them not hidden; a "
	           "step of %.1f us, "
	           "%.0f %% of it one rank's work",
	           alone, exposed, now + exposed + rest, 100 * (now + rest) / (now + exposed + rest));
}
