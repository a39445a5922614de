/* SPDX-License-Identifier: MIT */
#include "runtime/cuda/plan_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	NOISE_BYTES = 1 << 20, /* of each tensor, again and again */
	/* of a large result, from places spread over it */
	SLICES = 16,
	SLICE = 4096,
};

/* Of a difference, in units of the root mean square of the result: sums of rounded products differ by 5e-3 of it in
 * tf32 and bf16 at the most, a result rounded to bf16 by 4e-3 of the largest element. A wrong one differs by 1. */
static const double ALLOWED = 0.05;
/* Where operands are f32, and noise: tf32 loses nothing of that, and sums differ by
 * their order and by what tensor cores cut off at each addition. A weight gradient of 5x5 windows by Winograd's
 * transforms, which round in between, was off by 0.011 (cuDNN 9.14). */
static const double ALLOWED_IN_TF32 = 0.008;
/* Where the model says fp32: sums of a million products in another order differ by 3e-4 at the most. Operands that an
 * engine rounds to tf32, whatever it says of itself, move some of a hundred results by 7e-4 and more. */
static const double ALLOWED_IN_FP32 = 5e-4;

static uint32_t random_bits(void)
{
	static uint64_t state = 1;
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 32);
}

/* Sign and fraction at random, the exponent one of two. Under tf32 what f32 keeps of it, since a step's operands are
 * mostly stored so (compiler/passes/round_operands.c), and a plan's speed at the power limit depends on it. */
static void make_noise(unsigned char *to, NnrDType dtype)
{
	const uint32_t fraction = plan_allows_tf32() ? 0x7fe000u : 0x7fffffu;
	for (int64_t i = 0; i < NOISE_BYTES / plan_element_bytes(dtype); i++) {
		uint32_t r = random_bits(), half = r >> 8 & 1;
		uint32_t wide = (r & 0x80000000u) | (125 + half) << 23 | (r & fraction);
		uint16_t narrow = dtype == NNR_F16
		                          ? (uint16_t)((r >> 16 & 0x8000u) | (13 + half) << 10 | (r & 0x3ffu))
		                          : (uint16_t)(wide >> 16);
		if (dtype == NNR_F32)
			memcpy(to + 4 * i, &wide, 4);
		else
			memcpy(to + 2 * i, &narrow, 2);
	}
}

/* Elements from the first to the last. */
static int64_t span(const PlanTensor *t)
{
	return (t->rows - 1) * t->pitch + t->columns;
}

/* Made once for a type and a tensor, so that one that is filled again has what it had. */
static const unsigned char *noise_of(NnrDType dtype, int tensor)
{
	static unsigned char *made[NNR_F16 + 1][PLAN_TENSORS];
	if (!made[dtype][tensor]) {
		made[dtype][tensor] = allocate(NOISE_BYTES, 1, "random numbers");
		make_noise(made[dtype][tensor], dtype);
	}
	return made[dtype][tensor];
}

static void fill(const PlanTensor *t, unsigned char byte)
{
	nnr_cuda_check(cu.MemsetD8Async((CUdeviceptr)t->at, byte,
	                                (size_t)(span(t) * plan_element_bytes(t->dtype)), nnr_cuda_stream()),
	               "cuMemsetD8Async");
}

/* Numbers of magnitude 0.25 to 1: the power, and so the clock, that a kernel runs with depends on its data, and zeros
 * would hide a wrong result. Tensor `i` has noise of its own: where rows of two were equal, a result was a sum of
 * squares, which f16 does not hold, and beside which the others are small: plans that round were left out. */
static void fill_noise(const PlanTensor *t, int i)
{
	const unsigned char *noise = noise_of(t->dtype, i);
	CUdeviceptr at = (CUdeviceptr)t->at;
	CUstream stream = nnr_cuda_stream();
	size_t bytes = (size_t)(span(t) * plan_element_bytes(t->dtype)), done = bytes;
	if (done > NOISE_BYTES)
		done = NOISE_BYTES;
	nnr_cuda_check(cu.MemcpyHtoDAsync(at, noise, done, stream), "cuMemcpyHtoDAsync");
	for (size_t part; done < bytes; done += part) {
		part = bytes - done < done ? bytes - done : done;
		nnr_cuda_check(cu.MemcpyDtoDAsync(at + done, at, part, stream), "cuMemcpyDtoDAsync");
	}
}

static float widen(NnrDType dtype, const unsigned char *from)
{
	uint32_t bits = 0;
	uint16_t narrow;
	float f;
	memcpy(&narrow, from, 2);
	if (dtype == NNR_F16) {
		int exponent = narrow >> 10 & 31, fraction = narrow & 1023;
		double v = exponent == 31 ? NAN
		           : exponent     ? ldexp(1024 + fraction, exponent - 25)
		                          : ldexp(fraction, -24);
		return (float)(narrow >> 15 ? -v : v);
	}
	bits = (uint32_t)narrow << 16;
	if (dtype == NNR_F32)
		memcpy(&bits, from, 4);
	memcpy(&f, &bits, 4);
	return f;
}

/* Amid a training what is left must also do for the workspace of a faster plan, on either stream, and for the driver's
 * graphs. */
static bool leaves_room(int64_t bytes)
{
	static const int64_t reserve = 64 << 20;
	size_t left, total;
	nnr_cuda_check(cu.MemGetInfo(&left, &total), "cuMemGetInfo");
	return bytes + 2 * plan_workspace_cap() + reserve <= (int64_t)left;
}

bool plan_trials_begin(PlanTrials *t)
{
	enum { BLOCK = 256 };
	int64_t all = 0, offset[PLAN_TENSORS];
	for (int i = 0; i < PLAN_TENSORS; i++) {
		const uintptr_t bits = (uintptr_t)t->tensor[i].at;
		const int64_t alignment = (int64_t)(bits & -bits);
		offset[i] = all + (alignment < BLOCK ? alignment : 0);
		if (t->tensor[i].at)
			all += (span(&t->tensor[i]) * plan_element_bytes(t->tensor[i].dtype) / BLOCK + 2) *
			       BLOCK;
	}
	const bool beside = tuning_is_beside();
	if ((beside && !leaves_room(all)) || cu.MemAlloc(&t->scratch, (size_t)all) != CUDA_SUCCESS) {
		t->scratch = 0;
		return !beside;
	}
	for (int i = 0; i < PLAN_TENSORS; i++) {
		if (!t->tensor[i].at)
			continue;
		t->tensor[i].at = (const void *)(t->scratch + (CUdeviceptr)offset[i]);
		if (t->tensor[i].use == PLAN_READ)
			fill_noise(&t->tensor[i], i);
		if (t->tensor[i].use == PLAN_ZEROS)
			fill(&t->tensor[i], 0);
	}
	return true;
}

/* All of a small result without gaps. Waits for the stream. */
static PlanSample take(const PlanTensor *t)
{
	int64_t bytes = plan_element_bytes(t->dtype), slice = SLICE, slices = SLICES, apart = 0;
	if (t->pitch > t->columns && t->rows > 1) {
		slice = t->columns < slice ? t->columns : slice;
		slices = t->rows < slices ? t->rows : slices;
		apart = slices > 1 ? (t->rows - 1) / (slices - 1) * t->pitch : 0;
	} else if (span(t) <= slice * slices) {
		slice = span(t);
		slices = 1;
	} else {
		apart = (span(t) - slice) / (slices - 1);
	}
	PlanSample s = {.taken = (int)(slice * slices)};
	unsigned char *raw = allocate(s.taken, bytes, "a sample");
	for (int64_t i = 0; i < slices; i++)
		nnr_cuda_check(cu.MemcpyDtoHAsync(raw + i * slice * bytes,
		                                  (CUdeviceptr)t->at + (size_t)(i * apart * bytes),
		                                  (size_t)(slice * bytes), nnr_cuda_stream()),
		               "cuMemcpyDtoHAsync");
	nnr_cuda_check(cu.StreamSynchronize(nnr_cuda_stream()), "cuStreamSynchronize");
	s.value = allocate(s.taken, sizeof *s.value, "a sample");
	double sum = 0;
	for (int i = 0; i < s.taken; i++) {
		s.value[i] = widen(t->dtype, raw + i * bytes);
		sum += (double)s.value[i] * s.value[i];
	}
	s.rms = sqrt(sum / s.taken);
	free(raw);
	return s;
}

static bool is_noise_in_f32(const PlanTrials *t)
{
	bool wide = t->scratch;
	for (int i = 0; i < PLAN_TENSORS; i++)
		wide = wide && (!t->tensor[i].at || t->tensor[i].dtype == NNR_F32);
	return wide;
}

static bool agrees(const PlanTrials *t, const PlanSample *got, const PlanSample *expected)
{
	const double allowed = !is_noise_in_f32(t)  ? ALLOWED
	                       : plan_allows_tf32() ? ALLOWED_IN_TF32
	                                            : ALLOWED_IN_FP32,
	             most = allowed * expected->rms;
	for (int i = 0; i < expected->taken; i++)
		if (!(fabs((double)got->value[i] - (double)expected->value[i]) <= most))
			return false;
	return true;
}

/* Not the gaps of a step's own tensor, which is somebody else's. */
static void spoil(const PlanTrials *t, const PlanTensor *r)
{
	if (t->scratch || r->pitch == r->columns)
		fill(r, 0xff);
}

/* The first samples that are all numbers are what is expected: taken over. Noise makes numbers; a step's own tensors
 * may hold anything, and then nothing is compared. */
static bool are_expected(PlanTrials *t, PlanSample got[PLAN_TENSORS])
{
	bool first = true, finite = true, same = true;
	for (int i = 0; i < PLAN_TENSORS; i++) {
		first = first && !t->expected[i].value;
		finite = finite && isfinite(got[i].rms);
	}
	if (!first) {
		for (int i = 0; i < PLAN_TENSORS; i++)
			same = same && (!got[i].value || agrees(t, &got[i], &t->expected[i]));
		return same;
	}
	t->blind = !t->scratch && !finite;
	for (int i = 0; i < PLAN_TENSORS && finite; i++) {
		t->expected[i] = got[i];
		got[i].value = NULL;
	}
	return t->blind || finite;
}

static bool computes_the_same(PlanTrials *t, PlanRun *run, void *context)
{
	PlanSample got[PLAN_TENSORS] = {0};
	for (int i = 0; i < PLAN_TENSORS; i++)
		if (t->tensor[i].at && t->tensor[i].use == PLAN_RESULT)
			spoil(t, &t->tensor[i]);
	if (!run(context))
		return false;
	for (int i = 0; i < PLAN_TENSORS; i++)
		if (t->tensor[i].at && t->tensor[i].use == PLAN_RESULT)
			got[i] = take(&t->tensor[i]);
	bool same = are_expected(t, got);
	for (int i = 0; i < PLAN_TENSORS; i++)
		free(got[i].value);
	return same;
}

/* Most plans of cuBLASLt's with a ReLU let it, some do not: 2 of the 8 that 13.1 names for 512x1000x1000. One element
 * is enough: a window of a convolution may lie outside of the image. */
static bool nan_passes(PlanTrials *t, PlanRun *run, void *context)
{
	spoil(t, &t->tensor[0]);
	bool passes = run(context);
	for (int i = 0; i < PLAN_TENSORS && passes; i++) {
		if (!t->tensor[i].at || t->tensor[i].use != PLAN_RESULT)
			continue;
		PlanSample got = take(&t->tensor[i]);
		passes = isnan(got.rms);
		free(got.value);
	}
	fill_noise(&t->tensor[0], 0);
	return passes;
}

double plan_trial(PlanTrials *t, PlanRun *run, void *context, double best_us)
{
	double us = plan_time(run, context, best_us);
	if (!(us < best_us) || t->blind)
		return us;
	bool same = computes_the_same(t, run, context);
	if (same && (!t->passes_nan || !t->scratch || nan_passes(t, run, context)))
		return us;
	*(same ? &t->hiding : &t->dropped) += 1;
	return INFINITY;
}

static void note_left_out(int count, const char *key, const char *one, const char *several)
{
	if (count)
		say_note("%d of the library's plans for `%s` %s: left out", count, key,
		         count == 1 ? one : several);
}

bool plan_trials_end(PlanTrials *t, const char *key)
{
	note_left_out(t->dropped, key, "computes something else than the others, or less precisely",
	              "compute something else than the others, or less precisely");
	note_left_out(t->hiding, key, "hides NaN", "hide NaN");
	if (t->scratch)
		nnr_cuda_check(cu.MemFree(t->scratch), "cuMemFree");
	for (int i = 0; i < PLAN_TENSORS; i++)
		free(t->expected[i].value);
	bool compared = !t->blind;
	*t = (PlanTrials){0};
	return compared;
}
