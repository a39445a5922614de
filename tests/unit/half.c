/* SPDX-License-Identifier: MIT */
/* bf16 and f16 in integers (runtime/nnr_half.h): every number of both types, and everything between them. */
#include "runtime/nnr_half.h"
#include "tests/unit/check.h"

#include <math.h>

typedef struct Half {
	uint16_t (*bits)(float);
	float (*value)(uint16_t);
	uint16_t infinity; /* the largest finite number is one below */
	float largest, smallest;
} Half;

/* Each number comes back; between two neighbours the middle goes to the even one, all else to the nearer one. */
static void neighbours(const Half *h, uint16_t sign)
{
	bool back = true, middle = true, nearer = true;
	for (uint16_t i = 0; i < h->infinity; i++) {
		uint16_t low = sign | i, high = low + 1, even = low % 2 ? high : low;
		double a = h->value(low), b = h->value(high);
		if (high == (sign | h->infinity)) /* beyond the largest: as if the next number were there */
			b = a + (a - (double)h->value(low - 1));
		float half_way = (float)(a + (b - a) / 2);
		back = back && h->bits((float)a) == low;
		middle = middle && h->bits(half_way) == even;
		nearer = nearer && h->bits(nextafterf(half_way, (float)a)) == low &&
		         h->bits(nextafterf(half_way, (float)b)) == high;
	}
	CHECK(back);
	CHECK(middle);
	CHECK(nearer);
	CHECK(h->bits(sign ? -INFINITY : INFINITY) == (sign | h->infinity));
	CHECK(isinf(h->value(sign | h->infinity)));
}

static void special(const Half *h)
{
	CHECK(h->value(h->infinity - 1) == h->largest && h->value(1) == h->smallest);
	CHECK(isnan(h->value(h->bits(NAN))) && isnan(h->value(h->bits(-NAN))));
	CHECK(isnan(h->value(h->bits(nnr_float_of(0x7f800001)))));
}

int main(void)
{
	const Half halves[] = {
	        {nnr_bf16_bits, nnr_bf16_value, 0x7f80, 0x1.fep127f, 0x1p-133f},
	        {nnr_f16_bits, nnr_f16_value, 0x7c00, 65504, 0x1p-24f},
	};
	for (int i = 0; i < 2; i++) {
		neighbours(&halves[i], 0);
		neighbours(&halves[i], 0x8000);
		special(&halves[i]);
	}
	return check_report("unit, 16-bit numbers");
}
