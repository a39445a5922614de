/* SPDX-License-Identifier: MIT */
#include "runtime/host/rng.h"

#include <math.h>

Philox philox(const uint32_t counter[4], const uint32_t key[2])
{
	uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
	uint32_t k0 = key[0], k1 = key[1];
	for (int round = 0; round < 10; round++) {
		uint64_t p0 = (uint64_t)0xD2511F53u * c0, p1 = (uint64_t)0xCD9E8D57u * c2;
		uint32_t n0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0, n2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
		c0 = n0;
		c1 = (uint32_t)p1;
		c2 = n2;
		c3 = (uint32_t)p0;
		k0 += 0x9E3779B9u;
		k1 += 0xBB67AE85u;
	}
	return (Philox){{c0, c1, c2, c3}};
}

Philox rng_block(uint64_t seed, RngStream stream, uint64_t a, uint32_t b)
{
	uint32_t counter[4] = {(uint32_t)a, (uint32_t)(a >> 32), b, (uint32_t)stream};
	uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
	return philox(counter, key);
}

double rng_unit(uint32_t word)
{
	return (word + 0.5) * 0x1p-32;
}

double rng_normal(uint32_t first, uint32_t second)
{
	return sqrt(-2 * log(rng_unit(first))) * cos(6.283185307179586477 * rng_unit(second));
}

int64_t rng_below(uint32_t word, int64_t n)
{
	return (int64_t)((uint64_t)word * (uint64_t)n >> 32);
}

/* ---- permutation */

Permutation permutation_new(uint64_t seed, RngStream stream, uint64_t which, int64_t count)
{
	Permutation p = {.count = count};
	for (uint32_t half = 0; half < 2; half++) {
		Philox block = rng_block(seed, stream, which, half);
		for (int i = 0; i < 4; i++)
			p.key[4 * half + (uint32_t)i] = block.word[i];
	}
	int bits = 2; /* each side of the network has at least one */
	while (bits < 62 && ((int64_t)1 << bits) < count)
		bits++;
	p.low_bits = bits / 2;
	p.high_bits = bits - p.low_bits;
	return p;
}

/* The finaliser of MurmurHash3: every bit of x reaches every bit of the result. */
static uint32_t mix(uint32_t x)
{
	x ^= x >> 16;
	x *= 0x85EBCA6Bu;
	x ^= x >> 13;
	x *= 0xC2B2AE35u;
	return x ^ x >> 16;
}

int64_t permutation_at(const Permutation *p, int64_t i)
{
	uint32_t low_mask = (uint32_t)((1ull << p->low_bits) - 1),
	         high_mask = (uint32_t)((1ull << p->high_bits) - 1);
	uint64_t x = (uint64_t)i;
	do { /* fewer than two turns on average: the domain is below 2 * count (4 points at least) */
		uint32_t low = (uint32_t)x & low_mask, high = (uint32_t)(x >> p->low_bits);
		for (int round = 0; round < 8; round += 2) {
			high ^= mix(low ^ p->key[round]) & high_mask;
			low ^= mix(high ^ p->key[round + 1]) & low_mask;
		}
		x = (uint64_t)high << p->low_bits | low;
	} while (x >= (uint64_t)p->count);
	return (int64_t)x;
}
