/* SPDX-License-Identifier: MIT */
/* bf16 and f16, the 16-bit types of tensors, to and from f32: rounded to the nearest, ties to even. In integers, for
 * the host and for kernels that run where no GPU is; cuda/nnr_element.h has the same as instructions. */
#ifndef NNR_HALF_H
#define NNR_HALF_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifndef NNR_HALF_FUNCTION
#define NNR_HALF_FUNCTION static inline
#endif

NNR_HALF_FUNCTION uint32_t nnr_float_bits(float x)
{
	uint32_t bits;
	memcpy(&bits, &x, sizeof bits);
	return bits;
}

NNR_HALF_FUNCTION float nnr_float_of(uint32_t bits)
{
	float x;
	memcpy(&x, &bits, sizeof x);
	return x;
}

/* The upper half of an f32. A NaN stays one: rounding must not carry it over to infinity or zero. */
NNR_HALF_FUNCTION uint16_t nnr_bf16_bits(float x)
{
	uint32_t bits = nnr_float_bits(x);
	if (x != x)
		return 0x7fff;
	return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

NNR_HALF_FUNCTION float nnr_bf16_value(uint16_t bits)
{
	return nnr_float_of((uint32_t)bits << 16);
}

/* 1 sign, 5 exponent (bias 15), 10 fraction bits. */
NNR_HALF_FUNCTION uint16_t nnr_f16_bits(float x)
{
	uint32_t bits = nnr_float_bits(x), size = bits & 0x7fffffff;
	uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
	if (size > 0x7f800000)
		return 0x7fff;
	if (size >= 0x477ff000) /* 65520, half way between the largest and 2^16 */
		return sign | 0x7c00;
	if (size <
	    0x38800000) /* below 2^-14: a multiple of 2^-24, which is what adding 1/2 leaves in the fraction */
		return sign | (uint16_t)(nnr_float_bits(nnr_float_of(size) + 0.5f) - 0x3f000000);
	size -= 112 << 23; /* the bias of f32, 127, becomes 15 */
	return sign | (uint16_t)((size + 0xfff + (size >> 13 & 1)) >> 13);
}

NNR_HALF_FUNCTION float nnr_f16_value(uint16_t bits)
{
	uint32_t sign = (uint32_t)(bits & 0x8000) << 16, size = (uint32_t)(bits & 0x7fff) << 13;
	if (size >= 0x7c00 << 13) /* infinity, NaN */
		return nnr_float_of(sign | size | 0x7f800000);
	/* as if the bias were 127: too small by 2^112, which the product makes good, exactly, for subnormal ones too */
	return nnr_float_of(sign | nnr_float_bits(nnr_float_of(size) * 0x1p112f));
}

#ifndef __CUDACC__
/* to[i] = from[i] in bf16 or f16: the parameters' copy (NnrCopy of nnr.h). */
static inline void nnr_halve(uint16_t *to, const float *from, int64_t count, bool bf16)
{
	for (int64_t i = 0; i < count; i++)
		to[i] = bf16 ? nnr_bf16_bits(from[i]) : nnr_f16_bits(from[i]);
}
#endif

#endif
