/* SPDX-License-Identifier: MIT */
/* The devices that are known, and the price.
 *
 * What an H200 reaches is of 18 networks in bf16, untuned, whose steps were measured on one
 * (bench/results/2026-11-28-forecast.txt): the sum of the prices of a step is at the median 8 % off, at most 29 %. In
 * f32 and f64 the rates are the same shares of the data sheet's. A link moves 200 of its 450 GB/s beside a backward
 * pass that holds the multiprocessors (bench/results/2026-11-26-gpus.txt); the turn is an assumption: two GPUs have
 * two. */
#include "target/device.h"

static const Device h200 = {
        .name = "H200",
        .peak = {.memory = 4.8e6, .scalar = 67e6, .wide = 34e6, .tf32 = 495e6, .half = 990e6},
        .reached = {.memory = 3.0e6,
                    .scalar = 12e6,
                    .wide = 6e6,
                    .tf32 = 325e6,
                    .half = 650e6,
                    .kernel = 4,
                    .call = 6},
        .launch = 2,
        .link = 200e3,
        .turn = 3,
};

const Device *target_device(const Target *t)
{
	return t->gpu ? &h200 : NULL;
}

static double computing_us(const Rates *r, const Work *w)
{
	const double rates[ARITHMETICS] = {
	        [SCALAR] = r->scalar, [WIDE] = r->wide, [TENSOR_TF32] = r->tf32, [TENSOR_HALF] = r->half};
	return w->flops / rates[w->arithmetic];
}

static double latency_us(const Rates *r, const Work *w)
{
	return w->beside ? 0 : w->call ? r->call : r->kernel;
}

double price_us(const Rates *r, const Work *w)
{
	const double moved = w->bytes / r->memory, computed = computing_us(r, w);
	return latency_us(r, w) + (moved > computed ? moved : computed);
}

Bound price_bound(const Rates *r, const Work *w)
{
	const double moved = w->bytes / r->memory, computed = computing_us(r, w), latency = latency_us(r, w);
	if (latency > moved && latency > computed)
		return BY_LATENCY;
	return moved >= computed ? BY_MEMORY : BY_ARITHMETIC;
}
