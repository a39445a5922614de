/* SPDX-License-Identifier: MIT */
/* Division by a number that is known at the launch alone (runtime/cuda/nnr_divisor.h): the kernel's formula beside
 * C's. */
#include "runtime/cuda/nnr_divisor.h"
#include "tests/unit/check.h"
#include <limits.h>
#include <stdint.h>

static int quotient(int n, NnrDivisor d)
{
	return (int)((uint64_t)(unsigned)n * d.multiplier >> 32 >> d.shift);
}

static bool divides(int n, int d)
{
	return n < 0 || quotient(n, (NnrDivisor){NNR_DIVISOR(d)}) == n / d;
}

/* At the multiples of d, where a quotient changes, from both sides: the first, the last and some between. */
static bool divides_at_multiples(int d)
{
	bool right = divides(0, d) && divides(INT_MAX, d) && divides(INT_MAX - 1, d);
	const int last = INT_MAX / d, step = last / 64 + 1;
	for (int q = 1; right && q <= last && q > 0; q = q > last - step && q < last ? last : q + step)
		right = divides(q * d - 1, d) && divides(q * d, d);
	return right;
}

int main(void)
{
	bool all = true;
	for (int d = 2; d < 5000; d++)
		all = all && divides_at_multiples(d);
	CHECK(all);
	for (int power = 12; power < 31; power++)
		CHECK(divides_at_multiples(1 << power) && divides_at_multiples((1 << power) - 1) &&
		      divides_at_multiples((1 << power) + 1));
	CHECK(divides_at_multiples(INT_MAX) && divides_at_multiples(INT_MAX - 1));
	static const NnrDivisor constant = {NNR_DIVISOR(96)}; /* as generated code has it */
	CHECK(constant.value == 96 && quotient(9633791, constant) == 100351);
	return check_report("divisor");
}
