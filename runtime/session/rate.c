/* SPDX-License-Identifier: MIT */
/* The learning rate of each step.
 *
 *   warmup    the first W steps go linearly from rate/100 to rate
 *   constant  rate
 *   step      rate * gamma^floor(t / every), t counted from the start of training
 *   cosine    half a cosine from rate to final_rate over the steps after the warmup
 *   linear    a line between the same points
 *   onecycle  a cosine from rate/25 up to rate over `warmup` (30 % of the steps when none is given), then one down
 *             to final_rate
 *
 * A first phase with a rate of its own stands ahead of all that. */
#include "runtime/session/session.h"

#include <math.h>

static double cosine_between(double from, double to, double progress)
{
	return to + (from - to) * 0.5 * (1 + cos(3.14159265358979323846 * progress));
}

double warmup_steps(const NnrRate *r, int64_t steps_per_epoch)
{
	return r->warmup * (r->warmup_in_epochs ? (double)steps_per_epoch : 1);
}

int64_t phase_steps(const NnrFirstPhase *p, int64_t steps_per_epoch)
{
	return llround(p->length * (p->in_epochs ? (double)steps_per_epoch : 1));
}

double session_rate(const Session *s, int64_t step)
{
	const NnrFirstPhase *phase = &s->model->phase;
	const bool own = phase->rate > 0 && s->options.command != COMMAND_FIND_RATE;
	const int64_t ahead = own ? phase_steps(phase, s->steps_per_epoch) : 0;
	if (step < ahead)
		return ldexp(phase->rate, -(int)s->at.rollbacks);
	return rate_at(&s->rate, step - ahead, s->total_steps - ahead, s->steps_per_epoch);
}

double rate_at(const NnrRate *r, int64_t step, int64_t total, int64_t steps_per_epoch)
{
	double t = (double)step, end = (double)total;
	double warmup = warmup_steps(r, steps_per_epoch);
	if (r->kind == NNR_RATE_ONECYCLE && warmup <= 0)
		warmup = 0.3 * end;
	if (t < warmup)
		return r->kind == NNR_RATE_ONECYCLE ? cosine_between(r->rate / 25, r->rate, t / warmup)
		                                    : r->rate * (0.01 + 0.99 * t / warmup);
	double progress = end > warmup ? fmin((t - warmup) / (end - warmup), 1) : 1;
	double every = r->every * (r->every_in_epochs ? (double)steps_per_epoch : 1);
	switch (r->kind) {
	case NNR_RATE_CONSTANT:
		return r->rate;
	case NNR_RATE_STEP:
		return every > 0 ? r->rate * pow(r->gamma, floor(t / every)) : r->rate;
	case NNR_RATE_COSINE:
	case NNR_RATE_ONECYCLE:
		return cosine_between(r->rate, r->final_rate, progress);
	case NNR_RATE_LINEAR:
		return r->rate + (r->final_rate - r->rate) * progress;
	}
	return r->rate;
}
