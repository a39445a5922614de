/* SPDX-License-Identifier: MIT */
/* Float functions of runtime/nnr_math.h against libm in double: the largest error, in units of the last place, must be
 * within what the header states.
 *
 *     math [STRIDE]     every STRIDEth float (1009); 1 for all of them, some minutes */
#include "runtime/nnr_math.h"
#include "tests/unit/check.h"
#include <stdlib.h>

typedef struct Function {
	const char *name;
	float (*f)(float);
	double (*exact)(double);
	double ulp; /* stated, from the rounded value of libm */
} Function;

static double logistic(double x)
{
	return 1 / (1 + exp(-x));
}

static const Function functions[] = {
        {"exp", nnr_expf, exp, 1},    {"expm1", nnr_expm1f, expm1, 2},
        {"log", nnr_logf, log, 1},    {"log1p", nnr_log1pf, log1p, 2},
        {"tanh", nnr_tanhf, tanh, 2}, {"sigmoid", nnr_sigmoidf, logistic, 2},
        {"erf", nnr_erff, erf, 1},
};

/* The distance of neighbouring floats near x. */
static double last_place(double x)
{
	float at = fabsf((float)x);
	if (at < 0x1p-126f)
		return 0x1p-149;
	int exponent;
	frexpf(at, &exponent);
	return ldexp(1, exponent - 24);
}

static double error_of(const Function *f, float x)
{
	float got = f->f(x);
	double wanted = f->exact(x);
	if (isnan(wanted) || isnan(got))
		return isnan(wanted) && isnan(got) ? 0 : INFINITY;
	if (isinf((float)wanted) || isinf(got))
		return isinf(got) && (wanted > 0) == (got > 0) && fabs(wanted) > 3.4028e38 ? 0 : INFINITY;
	return fabs(got - (double)(float)wanted) / last_place(wanted);
}

static float float_of(uint32_t bits)
{
	float x;
	memcpy(&x, &bits, sizeof x);
	return x;
}

/* To 11 significant bits, ties away from zero, in both types; of the range of floats in float alone. */
static void test_round_tf32(void)
{
	static const struct {
		float x, rounded;
	} cases[] = {
	        {1 + 0x1p-11f, 1 + 0x1p-10f},
	        {-1 - 0x1p-11f, -1 - 0x1p-10f},
	        {1 + 0x1p-11f - 0x1p-23f, 1},
	        {1 + 0x1.8p-10f, 1 + 0x1p-9f},
	        {2 - 0x1p-12f, 2},
	        {0x1.ffcp100f, 0x1.ffcp100f},
	        {-0.0f, -0.0f},
	        {INFINITY, INFINITY},
	        {-INFINITY, -INFINITY},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const float y = nnr_round_tf32f(cases[i].x);
		CHECK(y == cases[i].rounded && signbit(y) == signbit(cases[i].rounded));
		CHECK(nnr_round_tf32(cases[i].x) == cases[i].rounded);
	}
	CHECK(isnan(nnr_round_tf32f(NAN)) && isnan(nnr_round_tf32(NAN)));
	CHECK(isnan(nnr_round_tf32f(float_of(0x7fffffff))) && isnan(nnr_round_tf32f(float_of(0xffffffff))));
	CHECK(nnr_round_tf32f(0x1.fffffep127f) == INFINITY);
	CHECK(nnr_round_tf32f(0x1p-137f) == 0x1p-136f && nnr_round_tf32f(0x1p-138f) == 0);
}

/* Errors of 1, over all floats of a magnitude that matters: made of 1 - x, their last places are lost. */
static void test_normal(void)
{
	double cdf = 0, slope = 0;
	for (uint32_t bits = 0; bits < 0x42000000u; bits += 997)
		for (int sign = 0; sign < 2; sign++) {
			const float x = sign ? -float_of(bits) : float_of(bits);
			cdf = fmax(cdf, fabs(nnr_normal_cdff(x) - nnr_normal_cdf(x)));
			slope = fmax(slope, fabs(nnr_gelu_slopef(x) - nnr_gelu_slope(x)));
		}
	if (!CHECK(cdf <= 4e-7) || !CHECK(slope <= 4e-7))
		printf("  the normal distribution function is %.3g off, gelu's slope %.3g\n", cdf, slope);
	CHECK(nnr_normal_cdff(-40) == 0 && nnr_normal_cdff(40) == 1 && nnr_normal_cdff(INFINITY) == 1);
	CHECK(isnan(nnr_normal_cdff(NAN)) && isnan(nnr_gelu_slopef(NAN)));
}

int main(int argc, char **argv)
{
	uint64_t stride = argc > 1 ? strtoull(argv[1], NULL, 10) : 1009;
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
		const Function *f = &functions[i];
		double worst = 0;
		float where = 0;
		for (uint64_t bits = 0; bits <= UINT32_MAX; bits += stride) {
			double error = error_of(f, float_of((uint32_t)bits));
			if (error > worst) {
				worst = error;
				where = float_of((uint32_t)bits);
			}
		}
		static const float special[] = {0,   -0.0f, 1,    -1,        INFINITY, -INFINITY,
		                                NAN, 88.8f, -104, 0x1p-149f, 1e-30f};
		for (size_t k = 0; k < sizeof special / sizeof *special; k++)
			CHECK(error_of(f, special[k]) <= f->ulp);
		if (!CHECK(worst <= f->ulp))
			printf("  %s is %.2f units off at %.9g, stated are %g\n", f->name, worst, where,
			       f->ulp);
	}
	test_round_tf32();
	test_normal();
	CHECK(isnan(nnr_maxf(NAN, 1)) && isnan(nnr_maxf(1, NAN)) && nnr_maxf(1, 2) == 2);
	CHECK(isnan(nnr_minf(NAN, 1)) && isnan(nnr_minf(1, NAN)) && nnr_minf(1, 2) == 1);
	double sum = 0, squares = 0;
	enum { DRAWS = 1 << 20 };
	for (int i = 0; i < DRAWS; i++) {
		double u = nnr_uniform(3, 1, 0, i);
		sum += u;
		squares += u * u;
		if (u != nnr_uniformf(3, 1, 0, i) || u < 0 || u >= 1)
			CHECK(!"uniform differs between float and double, or leaves [0, 1)");
	}
	/* Five deviations: 1/sqrt(12 n) of the mean, sqrt(4/45 / n) of the mean square. */
	CHECK(fabs(sum / DRAWS - 0.5) < 5 * sqrt(1.0 / 12 / DRAWS));
	CHECK(fabs(squares / DRAWS - 1.0 / 3) < 5 * sqrt(4.0 / 45 / DRAWS));
	CHECK(nnr_uniform(1, 1, 0, 0) != nnr_uniform(2, 1, 0, 0));
	CHECK(nnr_uniform(1, 1, 0, 0) != nnr_uniform(1, 2, 0, 0));
	CHECK(nnr_uniform(1, 1, 0, 0) != nnr_uniform(1, 1, 1, 0));
	return check_report("unit, math");
}
