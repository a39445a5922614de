/* SPDX-License-Identifier: MIT */
/* A number that indices are divided by, known where a kernel is launched and not where it is compiled. The quotient of
 * a 32-bit index is the upper half of a product and a shift, as a compiler writes it for a literal. (Granlund and
 * Montgomery, Division by Invariant Integers using Multiplication, 1994.)
 *
 * For n below 2^31 and d at least 2, l being the least with 2^l >= d: multiplier = ceil(2^(31 + l) / d) has 32 bits,
 * and n / d = n * multiplier >> (31 + l), since the error n * (multiplier * d - 2^(31 + l)) is below 2^(31 + l). */
#ifndef NNR_DIVISOR_H
#define NNR_DIVISOR_H

#ifdef __cplusplus

#include "cuda/nnr_control.h"

struct NnrDivisor {
	int value;
	unsigned multiplier, shift;

	__device__ __forceinline__ operator int() const
	{
		return value;
	}
};

/* Of indices, which are not negative. */
NNR_FUNCTION int operator/(int n, const NnrDivisor &d)
{
	return (int)(__umulhi((unsigned)n, d.multiplier) >> d.shift);
}

NNR_FUNCTION int operator%(int n, const NnrDivisor &d)
{
	return n - n / d * d.value;
}

NNR_FUNCTION int operator/(unsigned n, const NnrDivisor &d)
{
	return (int)n / d;
}

NNR_FUNCTION int operator%(unsigned n, const NnrDivisor &d)
{
	return (int)n % d;
}

#else

typedef struct NnrDivisor {
	int value;
	unsigned multiplier, shift;
} NnrDivisor;

/* The members of one, as constants: of 2 <= d < 2^31. */
#define NNR_DIVISOR_BITS(d) (32 - __builtin_clz((unsigned)(d)-1))
#define NNR_DIVISOR(d) \
	(d), (unsigned)(((1ull << (31 + NNR_DIVISOR_BITS(d))) + (d)-1) / (d)), NNR_DIVISOR_BITS(d) - 1

#endif
#endif
