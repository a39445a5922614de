/* SPDX-License-Identifier: MIT */
/* The runtime's numbers: random ones, permutations, learning rates, the scaling of the Rosenbrock data. */
#include "runtime/host/rng.h"
#include "runtime/session/session.h"
#include "runtime/data/synth.h"
#include "tests/unit/check.h"

#include <math.h>
#include <stdlib.h>

/* The known answers of Random123 (kat_vectors, philox4x32 10). */
static void philox_answers(void)
{
	static const struct {
		uint32_t counter[4], key[2], wanted[4];
	} rows[] = {
	        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
	        {{~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
	        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
	         {0xa4093822, 0x299f31d0},
	         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		Philox got = philox(rows[i].counter, rows[i].key);
		CHECK(memcmp(got.word, rows[i].wanted, sizeof got.word) == 0);
	}
}

static bool is_permutation(uint64_t seed, uint64_t epoch, int64_t n)
{
	Permutation p = permutation_new(seed, RNG_SHUFFLE, epoch, n);
	bool *seen = calloc((size_t)n, 1), ok = true;
	for (int64_t i = 0; i < n && ok; i++) {
		int64_t at = permutation_at(&p, i);
		ok = at >= 0 && at < n && !seen[at];
		if (ok)
			seen[at] = true;
	}
	free(seen);
	return ok;
}

/* Chi-squared of how often each of n elements comes first, and of how often i+1 follows i, over many epochs. */
static void permutation_is_even(int n)
{
	enum { EPOCHS = 20000 };
	int first[64] = {0}, neighbours = 0;
	for (uint64_t epoch = 0; epoch < EPOCHS; epoch++) {
		Permutation p = permutation_new(7, RNG_SHUFFLE, epoch, n);
		first[permutation_at(&p, 0)]++;
		for (int i = 0; i + 1 < n; i++)
			neighbours += permutation_at(&p, i + 1) == permutation_at(&p, i) + 1;
	}
	double chi = 0, mean = (double)EPOCHS / n;
	for (int i = 0; i < n; i++)
		chi += (first[i] - mean) * (first[i] - mean) / mean;
	CHECK(chi < n - 1 + 5 * sqrt(2.0 * (n - 1)) + 5);
	/* (n - 1) pairs, each with the probability (n - 1) / (n (n - 1)): (n - 1) / n a permutation. */
	double expected = EPOCHS * (n - 1.0) / n;
	CHECK(fabs(neighbours - expected) < 6 * sqrt(expected) + 0.02 * expected);
}

static void permutations(void)
{
	for (int64_t n = 1; n < 200; n++)
		CHECK(is_permutation(1, (uint64_t)n, n));
	static const int64_t sizes[] = {1023, 1024, 1025, 8000, 50000, 65536, 65537, 1281167};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		CHECK(is_permutation(3, 0, sizes[i]));
	for (int n = 3; n <= 50; n = 2 * n - 1)
		permutation_is_even(n);
	Permutation a = permutation_new(1, RNG_SHUFFLE, 0, 1000),
	            b = permutation_new(1, RNG_SHUFFLE, 1, 1000);
	Permutation c = permutation_new(2, RNG_SHUFFLE, 0, 1000);
	int same_epoch = 0, same_seed = 0;
	for (int i = 0; i < 1000; i++) {
		same_epoch += permutation_at(&a, i) == permutation_at(&b, i);
		same_seed += permutation_at(&a, i) == permutation_at(&c, i);
	}
	CHECK(same_epoch < 12 && same_seed < 12);
	Permutation huge = permutation_new(1, RNG_SHUFFLE, 0, ((int64_t)1 << 40) + 1);
	int64_t at = permutation_at(&huge, (int64_t)1 << 40);
	CHECK(at >= 0 && at < huge.count);
}

static void distributions(void)
{
	enum { DRAWS = 200000 };
	double sum = 0, squares = 0, normal = 0, normal_squares = 0;
	int below[7] = {0};
	for (uint64_t i = 0; i < DRAWS; i++) {
		Philox r = rng_block(5, RNG_INIT, i, 0);
		double u = rng_unit(r.word[0]), z = rng_normal(r.word[1], r.word[2]);
		sum += u;
		squares += u * u;
		normal += z;
		normal_squares += z * z;
		below[rng_below(r.word[3], 7)]++;
	}
	CHECK(fabs(sum / DRAWS - 0.5) < 5 * sqrt(1.0 / 12 / DRAWS));
	CHECK(fabs(squares / DRAWS - 1.0 / 3) < 5 * sqrt(4.0 / 45 / DRAWS));
	CHECK(fabs(normal / DRAWS) < 5 / sqrt(DRAWS));
	CHECK(fabs(normal_squares / DRAWS - 1) < 5 * sqrt(2.0 / DRAWS));
	for (int i = 0; i < 7; i++)
		CHECK(fabs(below[i] - DRAWS / 7.0) < 5 * sqrt(DRAWS / 7.0));
	CHECK(rng_unit(0) > 0 && rng_unit(~0u) < 1);
	CHECK(rng_below(~0u, 10) == 9 && rng_below(0, 10) == 0);
}

static bool near(double got, double wanted)
{
	return fabs(got - wanted) <= 1e-12 * fmax(1, fabs(wanted));
}

static void rates(void)
{
	NnrRate constant = {.kind = NNR_RATE_CONSTANT, .rate = 0.1};
	CHECK(rate_at(&constant, 0, 100, 10) == 0.1 && rate_at(&constant, 99, 100, 10) == 0.1);
	NnrRate warm = {.kind = NNR_RATE_COSINE, .rate = 0.1, .warmup = 2, .warmup_in_epochs = true};
	CHECK(near(rate_at(&warm, 0, 100, 10), 0.001));
	CHECK(near(rate_at(&warm, 10, 100, 10), 0.1 * (0.01 + 0.99 / 2)));
	CHECK(near(rate_at(&warm, 20, 100, 10), 0.1));
	CHECK(near(rate_at(&warm, 60, 100, 10), 0.05));
	CHECK(near(rate_at(&warm, 100, 100, 10), 0));
	NnrRate steps = {.kind = NNR_RATE_STEP, .rate = 1, .gamma = 0.1, .every = 3, .every_in_epochs = true};
	CHECK(rate_at(&steps, 29, 100, 10) == 1 && near(rate_at(&steps, 30, 100, 10), 0.1));
	CHECK(near(rate_at(&steps, 60, 100, 10), 0.01));
	NnrRate line = {.kind = NNR_RATE_LINEAR, .rate = 1, .final_rate = 0.2, .warmup = 10};
	CHECK(near(rate_at(&line, 10, 110, 10), 1) && near(rate_at(&line, 60, 110, 10), 0.6));
	CHECK(near(rate_at(&line, 110, 110, 10), 0.2));
	NnrRate cycle = {.kind = NNR_RATE_ONECYCLE, .rate = 0.5, .final_rate = 1e-4};
	CHECK(near(rate_at(&cycle, 0, 100, 10), 0.02) && near(rate_at(&cycle, 30, 100, 10), 0.5));
	CHECK(near(rate_at(&cycle, 100, 100, 10), 1e-4));
	CHECK(near(rate_at(&cycle, 15, 100, 10), 0.26)); /* half way up the cosine */
	NnrRate all_warmup = {.kind = NNR_RATE_COSINE, .rate = 1, .warmup = 100};
	CHECK(isfinite(rate_at(&all_warmup, 100, 100, 10)));
}

/* The closed form against draws. */
static void rosenbrock_scaling(void)
{
	enum { DRAWS = 100000 };
	static const int sizes[] = {2, 3, 10};
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		int d = sizes[s];
		double mean, variance, sum = 0, squares = 0;
		rosenbrock_moments(d, &mean, &variance);
		for (uint64_t k = 0; k < DRAWS; k++) {
			double x[12];
			for (int i = 0; i < d; i++)
				x[i] = 2 * rng_unit(rng_block(11, RNG_SYNTH, k, (uint32_t)(i / 4))
				                            .word[i % 4]) -
				       1;
			double y = rosenbrock(x, d) - mean;
			sum += y;
			squares += y * y;
		}
		CHECK(fabs(sum / DRAWS) < 5 * sqrt(variance / DRAWS));
		CHECK(fabs(squares / DRAWS / variance - 1) < 0.05);
	}
	double ones[3] = {1, 1, 1}, origin[2] = {0, 0}, known[2] = {-1, 1};
	CHECK(rosenbrock(ones, 3) == 0 && rosenbrock(origin, 2) == 1 && rosenbrock(known, 2) == 4);
}

int main(void)
{
	philox_answers();
	permutations();
	distributions();
	rates();
	rosenbrock_scaling();
	return check_report("unit, numbers of the runtime");
}
