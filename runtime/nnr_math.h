/* SPDX-License-Identifier: MIT */
/* Elementary functions of generated kernels, free of branches so that compilers vectorise loops around them.
 *
 * Each has a float form (suffix f) written here and a double form that is libm's: the float forms are for speed, the
 * double forms are the oracle's. Stated errors are bounds seen against libm in double over the whole range of float
 * arguments, in units of the last place (ulp). Infinities, NaNs, zeros and denormals give what C asks. The
 * code needs neither -ffast-math nor errno, and must not be compiled with -ffast-math, which breaks the rounding by
 * a large constant in nnr_expf. */
#ifndef NNR_MATH_H
#define NNR_MATH_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline int32_t nnr_bits_of(float x)
{
	int32_t i;
	memcpy(&i, &x, sizeof i);
	return i;
}

static inline float nnr_float_of(int32_t i)
{
	float x;
	memcpy(&x, &i, sizeof x);
	return x;
}

/* The larger, or NaN when either is NaN, so that a diverging network is seen and not hidden by a relu. */
static inline float nnr_maxf(float x, float y)
{
	return ((x > y) | (x != x)) ? x : y;
}

static inline double nnr_max(double x, double y)
{
	return ((x > y) | (x != x)) ? x : y;
}

static inline float nnr_minf(float x, float y)
{
	return ((x < y) | (x != x)) ? x : y;
}

static inline double nnr_min(double x, double y)
{
	return ((x < y) | (x != x)) ? x : y;
}

/* x = n ln 2 + r with integer n and |r| <= ln 2 / 2: adding 1.5 * 2^23 rounds, and leaves n in the low bits. */
typedef struct NnrExpParts {
	int32_t n;
	float r;
} NnrExpParts;

static inline NnrExpParts nnr_exp_parts(float x)
{
	const float shift = 12582912.0f;
	float t = x * 1.44269504f + shift;
	float n = t - shift;
	NnrExpParts parts;
	parts.n = (int32_t)((uint32_t)nnr_bits_of(t) - (uint32_t)nnr_bits_of(shift));
	parts.r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
	return parts;
}

/* (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2. */
static inline float nnr_exp_tail(float r)
{
	float p = 1.98993919e-4f;
	p = p * r + 1.39337336e-3f;
	p = p * r + 8.33329838e-3f;
	p = p * r + 4.16664630e-2f;
	p = p * r + 1.66666672e-1f;
	return p * r + 0.5f;
}

/* 2^n for -126 <= n <= 127. */
static inline float nnr_power_of_two(int32_t n)
{
	return nnr_float_of((int32_t)(((uint32_t)n + 127u) << 23));
}

/* e^x; 1 ulp. The power of two is applied in two halves, for overflow to infinity and gradual underflow. */
static inline float nnr_expf(float x)
{
	x = x > 89.0f ? 89.0f : x;
	x = x < -105.0f ? -105.0f : x;
	NnrExpParts e = nnr_exp_parts(x);
	float p = 1.0f + (e.r + e.r * e.r * nnr_exp_tail(e.r));
	int32_t half = e.n >> 1;
	return p * nnr_power_of_two(half) * nnr_power_of_two(e.n - half);
}

static inline double nnr_exp(double x)
{
	return exp(x);
}

/* e^x - 1; 2 ulp. Computed halved, so that n = 128 needs no 2^128. */
static inline float nnr_expm1f(float x)
{
	float y = x > 89.0f ? 89.0f : x;
	y = y < -26.0f ? -26.0f : y;
	NnrExpParts e = nnr_exp_parts(y);
	float r = e.r + e.r * e.r * nnr_exp_tail(e.r);
	float half = nnr_power_of_two(e.n - 1);
	float v = 2.0f * (half * r + (half - 0.5f));
	return x == 0.0f ? x : v;
}

static inline double nnr_expm1(double x)
{
	return expm1(x);
}

/* ln x; 1 ulp. */
static inline float nnr_logf(float x)
{
	float scaled = x < 1.17549435e-38f ? x * 8388608.0f : x;
	int32_t bits = nnr_bits_of(scaled);
	int32_t n = (int32_t)((uint32_t)bits - 0x3f3504f3u) >> 23; /* x = 2^n m, sqrt(1/2) <= m < sqrt(2) */
	float f = nnr_float_of((int32_t)((uint32_t)bits - ((uint32_t)n << 23))) - 1.0f;
	float e = (float)(x < 1.17549435e-38f ? n - 23 : n);
	float q = 7.14975372e-2f; /* (ln(1 + f) - f + f^2/2) / f^3 */
	q = q * f - 1.15712009e-1f;
	q = q * f + 1.16615109e-1f;
	q = q * f - 1.24110505e-1f;
	q = q * f + 1.42499372e-1f;
	q = q * f - 1.66684806e-1f;
	q = q * f + 2.00007081e-1f;
	q = q * f - 2.49999896e-1f;
	q = q * f + 3.33333313e-1f;
	float s = f * f;
	float tail = e * -2.12194440e-4f + (f * s * q - 0.5f * s);
	float y = e * 0.693359375f + (f + tail);
	y = x == 0.0f ? -INFINITY : y;
	y = x < 0.0f ? NAN : y;
	return ((x == INFINITY) | (x != x)) ? x : y;
}

static inline double nnr_log(double x)
{
	return log(x);
}

/* ln(1 + x); 2 ulp. ln u for the rounded u = 1 + x, and what the rounding lost, divided by u. */
static inline float nnr_log1pf(float x)
{
	float u = 1.0f + x;
	float lost = x - (u - 1.0f);
	float y = nnr_logf(u) + lost / u;
	y = x == -1.0f ? -INFINITY : y;
	return ((x == INFINITY) | (x == 0.0f)) ? x : y;
}

static inline double nnr_log1p(double x)
{
	return log1p(x);
}

/* tanh x = (e^2x - 1) / (e^2x + 1); 3 ulp. */
static inline float nnr_tanhf(float x)
{
	float a = fabsf(x);
	a = a > 10.0f ? 10.0f : a; /* tanh 10 rounds to 1 */
	float e = nnr_expm1f(2.0f * a);
	return copysignf(e / (e + 2.0f), x);
}

static inline double nnr_tanh(double x)
{
	return tanh(x);
}

/* 1 / (1 + e^-x); 3 ulp. */
static inline float nnr_sigmoidf(float x)
{
	float e = nnr_expf(-fabsf(x));
	return (x < 0.0f ? e : 1.0f) / (1.0f + e);
}

static inline double nnr_sigmoid(double x)
{
	double e = exp(-fabs(x));
	return (x < 0 ? e : 1) / (1 + e);
}

/* The error function; 2 ulp. Both forms are computed: x + x P(x^2) near zero, 1 - e^-(t + t Q(t)) beyond 0.93. */
static inline float nnr_erff(float x)
{
	float s = x * x;
	float p = 8.33997183e-5f;
	p = p * s - 8.13607476e-4f;
	p = p * s + 5.20050153e-3f;
	p = p * s - 2.68592108e-2f;
	p = p * s + 1.12836927e-1f;
	p = p * s - 3.76126349e-1f;
	p = p * s + 1.28379166e-1f;
	float near = x + x * p;
	float t = fabsf(x);
	t = t > 4.0f ? 4.0f : t;
	float q = -9.57850830e-7f;
	q = q * t + 3.28548304e-5f;
	q = q * t - 4.87762853e-4f;
	q = q * t + 4.26103128e-3f;
	q = q * t - 2.50442531e-2f;
	q = q * t + 1.07733630e-1f;
	q = q * t + 6.34231031e-1f;
	q = q * t + 1.28879830e-1f;
	float far = copysignf(1.0f - nnr_expf(-(t + t * q)), x);
	return t > 0.93f ? far : near;
}

static inline double nnr_erf(double x)
{
	return erf(x);
}

/* The standard normal distribution function and the derivative of x times it, both to 4e-7 (of 1). They are made of
 * the density: what lies beyond |x| is it times a polynomial in 1/(1 + p|x|) (Abramowitz and Stegun: Handbook of
 * Mathematical Functions, 1964, 26.2.17). */
static inline float nnr_normal_densityf(float x)
{
	return 0.39894228f * nnr_expf(-0.5f * x * x);
}

static inline float nnr_normal_belowf(float x, float density)
{
	float t = 1.0f / (1.0f + 0.2316419f * fabsf(x));
	float p = 1.330274429f;
	p = p * t - 1.821255978f;
	p = p * t + 1.781477937f;
	p = p * t - 0.356563782f;
	p = p * t + 0.319381530f;
	float beyond = p * t * density;
	return x < 0.0f ? beyond : 1.0f - beyond;
}

static inline float nnr_normal_cdff(float x)
{
	return nnr_normal_belowf(x, nnr_normal_densityf(x));
}

static inline double nnr_normal_cdf(double x)
{
	return 0.5 * erfc(-0.70710678118654752 * x);
}

static inline float nnr_gelu_slopef(float x)
{
	float density = nnr_normal_densityf(x);
	return nnr_normal_belowf(x, density) + x * density;
}

static inline double nnr_gelu_slope(double x)
{
	return nnr_normal_cdf(x) + 0.39894228040143268 * x * exp(-0.5 * x * x);
}

/* x^y: libm's, which is not vectorised. */
static inline float nnr_powf(float x, float y)
{
	return powf(x, y);
}

static inline double nnr_pow(double x, double y)
{
	return pow(x, y);
}

/* To the 11 significant bits of tf32, ties away from zero; a NaN stays one. In double of the double's own range. */
static inline float nnr_round_tf32f(float x)
{
	uint32_t bits = ((uint32_t)nnr_bits_of(x) + 0x1000u) & ~0x1fffu;
	return x != x ? x : nnr_float_of((int32_t)bits);
}

static inline double nnr_round_tf32(double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	bits = (bits + ((uint64_t)1 << 41)) & ~(((uint64_t)1 << 42) - 1);
	double y;
	memcpy(&y, &bits, sizeof y);
	return x != x ? x : y;
}

/* ---- counter-based random numbers: a value is a function of (seed, step, stream, i) and nothing else, so it is
 * the same in any order, on any number of threads, on any target, and in the backward kernel that computes it
 * again.
 *
 * Seed, step and stream make two 32-bit keys, once per loop. Elements i, i + 1, i + 8 and i + 9, with i the first
 * of such a cell, are drawn at once, which is what one thread of attention on tensor cores holds of scores,
 * whether queries are its rows or keys: three rounds of a multiplication whose halves are kept apart and exchanged
 * (as of Philox2x32), then 16 bits for each. A comparison with a multiple of 2^-15 needs 15 of these; the bits
 * below are of all four. */
static inline uint64_t nnr_mix64(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static inline uint64_t nnr_random_key(uint64_t seed, uint64_t step, uint64_t stream)
{
	uint64_t k = nnr_mix64(seed + 0x9e3779b97f4a7c15u);
	k = nnr_mix64(k + 0x9e3779b97f4a7c15u * (step + 1));
	return nnr_mix64(k + 0x9e3779b97f4a7c15u * (stream + 1));
}

/* 24 bits. */
static inline uint32_t nnr_random_bits(uint64_t key, int64_t i)
{
	key += (uint64_t)i >> 34 << 32;
	const uint32_t cell = (uint32_t)((uint64_t)i >> 4) * 4 + ((uint32_t)i >> 1 & 3);
	const uint64_t a = (uint64_t)(cell + (uint32_t)key) * 0xd2511f53u;
	const uint64_t b =
	        (uint64_t)((uint32_t)(a >> 32) ^ (uint32_t)a ^ (uint32_t)(key >> 32)) * 0xcd9e8d57u;
	const uint64_t c = (uint64_t)((uint32_t)(b >> 32) ^ (uint32_t)a) * 0xd2511f53u;
	const uint32_t near = (uint32_t)c, far = (uint32_t)(c >> 32) ^ (uint32_t)b,
	               own = (i & 8 ? far : near) >> 16 * (i & 1),
	               rest = (near ^ far) * (0x9e3779b1u + 2 * (uint32_t)(i & 9));
	return (own & 0x7fff) << 9 | rest >> 23;
}

/* Uniform in [0, 1): a multiple of 2^-24, the same value in both types. */
static inline float nnr_uniformf(uint64_t seed, uint64_t step, uint64_t stream, int64_t i)
{
	return (float)(int32_t)nnr_random_bits(nnr_random_key(seed, step, stream), i) * 0x1p-24f;
}

static inline double nnr_uniform(uint64_t seed, uint64_t step, uint64_t stream, int64_t i)
{
	return (double)(int32_t)nnr_random_bits(nnr_random_key(seed, step, stream), i) * 0x1p-24;
}

#endif
