#include "runtime/cuda/plan_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NOISE_BYTES = 1 << 20 };

/* Of a difference, in units of the root mean square of the result: sums of rounded products differ by 5e-3 of it in tf32
 * and bf16 at the most, a result rounded to bf16 by 4e-3 of the largest element. A wrong one differs by 1. */
static const double ALLOWED = 0.05;

static struct {
	CUdeviceptr at;
	int64_t bytes;
} scratch;

void plan_free_scratch(void)
{
	if (scratch.at)
		nnr_cuda_check(cu.MemFree(scratch.at), "cuMemFree");
	scratch.at = 0;
	scratch.bytes = 0;
}

bool plan_scratch(int count, const int64_t *bytes, int64_t alignment, void **at)
{
	enum { BLOCK = 256 };
	int64_t all = 0, shift = alignment < BLOCK ? alignment : 0;
	for (int i = 0; i < count; i++)
		all += (bytes[i] / BLOCK + 2) * BLOCK;
	if (all > scratch.bytes) {
		plan_free_scratch();
		if (cu.MemAlloc(&scratch.at, (size_t)all) != CUDA_SUCCESS) {
			scratch.at = 0;
			return false;
		}
		scratch.bytes = all;
	}
	CUdeviceptr next = scratch.at;
	for (int i = 0; i < count; i++) {
		at[i] = (void *)(next + (CUdeviceptr)shift);
		next += (CUdeviceptr)((bytes[i] / BLOCK + 2) * BLOCK);
	}
	return true;
}

static int64_t element_bytes(NnrDType dtype)
{
	return dtype == NNR_F32 ? 4 : 2;
}

static uint32_t random_bits(void)
{
	static uint64_t state = 1;
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 32);
}

/* Sign and fraction at random, the exponent one of two. */
static void make_noise(unsigned char *to, NnrDType dtype)
{
	for (int64_t i = 0; i < NOISE_BYTES / element_bytes(dtype); i++) {
		uint32_t r = random_bits(), half = r >> 8 & 1;
		uint32_t wide = (r & 0x80000000u) | (125 + half) << 23 | (r & 0x7fffffu);
		uint16_t narrow = dtype == NNR_F16
		                          ? (uint16_t)((r >> 16 & 0x8000u) | (13 + half) << 10 | (r & 0x3ffu))
		                          : (uint16_t)(wide >> 16);
		if (dtype == NNR_F32)
			memcpy(to + 4 * i, &wide, 4);
		else
			memcpy(to + 2 * i, &narrow, 2);
	}
}

void plan_fill_noise(const void *tensor, int64_t count, NnrDType dtype)
{
	static unsigned char *noise;
	static NnrDType made;
	if (!noise || made != dtype) {
		noise = noise ? noise : allocate(NOISE_BYTES, 1, "random numbers");
		make_noise(noise, dtype);
		made = dtype;
	}
	CUdeviceptr at = (CUdeviceptr)tensor;
	CUstream stream = nnr_cuda_stream();
	size_t bytes = (size_t)(count * element_bytes(dtype)), done = bytes;
	if (done > NOISE_BYTES)
		done = NOISE_BYTES;
	nnr_cuda_check(cu.MemcpyHtoDAsync(at, noise, done, stream), "cuMemcpyHtoDAsync");
	for (size_t part; done < bytes; done += part) {
		part = bytes - done < done ? bytes - done : done;
		nnr_cuda_check(cu.MemcpyDtoDAsync(at + done, at, part, stream), "cuMemcpyDtoDAsync");
	}
}

void plan_spoil(const void *tensor, int64_t count, NnrDType dtype)
{
	nnr_cuda_check(cu.MemsetD8Async((CUdeviceptr)tensor, 0xff, (size_t)(count * element_bytes(dtype)),
	                                nnr_cuda_stream()),
	               "cuMemsetD8Async");
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

void sample_take(Sample *s, const void *result, int64_t count, NnrDType dtype)
{
	int64_t bytes = element_bytes(dtype), slice = SAMPLE_SLICE, slices = SAMPLE_SLICES;
	if (count <= slice * slices) {
		slice = count;
		slices = 1;
	}
	*s = (Sample){.dtype = dtype, .count = count, .taken = (int)(slice * slices)};
	unsigned char *raw = allocate(s->taken, bytes, "a sample");
	for (int64_t i = 0; i < slices; i++) {
		int64_t first = slices > 1 ? (count - slice) / (slices - 1) * i : 0;
		nnr_cuda_check(cu.MemcpyDtoHAsync(raw + i * slice * bytes,
		                                  (CUdeviceptr)result + (size_t)(first * bytes),
		                                  (size_t)(slice * bytes), nnr_cuda_stream()),
		               "cuMemcpyDtoHAsync");
	}
	nnr_cuda_check(cu.StreamSynchronize(nnr_cuda_stream()), "cuStreamSynchronize");
	s->value = allocate(s->taken, sizeof *s->value, "a sample");
	double sum = 0;
	for (int i = 0; i < s->taken; i++) {
		s->value[i] = widen(dtype, raw + i * bytes);
		sum += (double)s->value[i] * s->value[i];
	}
	s->rms = sqrt(sum / s->taken);
	free(raw);
}

bool sample_agrees(const Sample *expected, const Sample *got)
{
	require(expected->taken == got->taken);
	double allowed = ALLOWED * expected->rms;
	for (int i = 0; i < got->taken; i++)
		if (!(fabs((double)got->value[i] - (double)expected->value[i]) <= allowed))
			return false;
	return true;
}

void sample_free(Sample *s)
{
	free(s->value);
	*s = (Sample){0};
}
