/* SPDX-License-Identifier: MIT */
/* Tensors on the GPU whose values the test knows: see tensor.h. */
#include "tests/gpu/tensor.h"

#include "runtime/host/die.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int64_t tensor_element(NnrDType dtype)
{
	return dtype == NNR_F32 ? 4 : 2;
}

static uint64_t random_state = 1;

double random_unit(void)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (double)(random_state >> 11) / 0x1p53;
}

static uint32_t bits_of(float f)
{
	uint32_t b;
	memcpy(&b, &f, sizeof b);
	return b;
}

static float float_of(uint32_t b)
{
	float f;
	memcpy(&f, &b, sizeof f);
	return f;
}

double tensor_load(NnrDType dtype, const void *from, int64_t i)
{
	if (dtype == NNR_F32)
		return ((const float *)from)[i];
	uint16_t b = ((const uint16_t *)from)[i];
	if (dtype == NNR_BF16)
		return float_of((uint32_t)b << 16);
	int exponent = b >> 10 & 31, fraction = b & 1023;
	double v = exponent == 31 ? (fraction ? NAN : INFINITY)
	           : exponent     ? ldexp(1024 + fraction, exponent - 25)
	                          : ldexp(fraction, -24);
	return b >> 15 ? -v : v;
}

/* For the 16-bit types v is a multiple of 2^-7 from [-1, 1], which both hold exactly. */
static void store(NnrDType dtype, void *to, int64_t i, float v)
{
	if (dtype == NNR_F32) {
		((float *)to)[i] = v;
	} else if (dtype == NNR_BF16) {
		((uint16_t *)to)[i] = (uint16_t)(bits_of(v) >> 16);
	} else {
		uint32_t b = bits_of(v), exponent = b >> 23 & 255;
		((uint16_t *)to)[i] =
		        v == 0 ? 0
		               : (uint16_t)((b >> 16 & 0x8000) | (exponent - 112) << 10 | (b >> 13 & 1023));
	}
}

static size_t bytes_of(const Tensor *t) /* with the guard */
{
	return (size_t)(t->count * tensor_element(t->dtype)) + GUARD;
}

Tensor tensor_new(NnrDType dtype, int64_t count)
{
	Tensor t = {.dtype = dtype, .count = count};
	size_t bytes = bytes_of(&t) - GUARD;
	t.value = allocate(count, sizeof *t.value, "a tensor");
	char *raw = allocate((int64_t)bytes, 1, "a tensor");
	for (int64_t i = 0; i < count; i++) {
		double v = 2 * random_unit() - 1;
		store(dtype, raw, i, (float)(dtype == NNR_F32 ? v : rint(v * 128) / 128));
		t.value[i] = tensor_load(dtype, raw, i);
	}
	CU(MemAlloc, &t.at, bytes_of(&t));
	CU(MemcpyHtoDAsync, t.at, raw, bytes, nnr_cuda_stream());
	CU(StreamSynchronize, nnr_cuda_stream());
	free(raw);
	return t;
}

Tensor tensor_new_result(NnrDType dtype, int64_t count)
{
	Tensor t = {.dtype = dtype, .count = count};
	CU(MemAlloc, &t.at, bytes_of(&t));
	return t;
}

void tensor_shift(Tensor *t, int64_t elements)
{
	CUdeviceptr memory;
	int64_t shift = elements * tensor_element(t->dtype);
	if (!t->at || shift == 0)
		return;
	CU(MemAlloc, &memory, bytes_of(t) + (size_t)shift);
	CU(MemcpyDtoDAsync, memory + (CUdeviceptr)shift, t->at, bytes_of(t), nnr_cuda_stream());
	CU(StreamSynchronize, nnr_cuda_stream());
	CU(MemFree, t->at - (CUdeviceptr)t->shift);
	t->at = memory + (CUdeviceptr)shift;
	t->shift = shift;
}

void tensor_spoil(const Tensor *t)
{
	CU(MemsetD8Async, t->at, 0xff, bytes_of(t), nnr_cuda_stream());
}

unsigned char *tensor_download(const Tensor *t)
{
	size_t bytes = bytes_of(t);
	unsigned char *raw = allocate((int64_t)bytes, 1, "a result");
	CU(MemcpyDtoHAsync, raw, t->at, bytes, nnr_cuda_stream());
	CU(StreamSynchronize, nnr_cuda_stream());
	return raw;
}

void tensor_free(Tensor *t)
{
	free(t->value);
	if (t->at)
		CU(MemFree, t->at - (CUdeviceptr)t->shift);
	*t = (Tensor){0};
}
