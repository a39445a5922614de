/* SPDX-License-Identifier: MIT */
/* Elements of tensors in generated kernels: elementary functions, random numbers, the types of 16 bits, and several
 * neighbours at once. */
#ifndef NNR_ELEMENT_H
#define NNR_ELEMENT_H

#include "cuda/nnr_control.h"

/* Elementary functions: CUDA's own, within 2 ulp, without the fast-math forms. */
#define NNR_ELEMENTARY(name)                      \
	NNR_FUNCTION float nnr_##name##f(float x) \
	{                                         \
		return name##f(x);                \
	}                                         \
	NNR_FUNCTION double nnr_##name(double x)  \
	{                                         \
		return name(x);                   \
	}
NNR_ELEMENTARY(exp)
NNR_ELEMENTARY(expm1)
NNR_ELEMENTARY(log)
NNR_ELEMENTARY(log1p)
NNR_ELEMENTARY(tanh)
NNR_ELEMENTARY(erf)
#undef NNR_ELEMENTARY

NNR_FUNCTION float nnr_powf(float x, float y)
{
	return powf(x, y);
}

NNR_FUNCTION double nnr_pow(double x, double y)
{
	return pow(x, y);
}

/* 1/y within an ulp, by the device's own approximation; y is no denormal. A division is eight instructions more, in
 * kernels that a silu and its gradient keep busy. */
NNR_FUNCTION float nnr_reciprocalf(float y)
{
#ifdef __CUDA_ARCH__
	float t;
	asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(t) : "f"(y));
	return t;
#else
	return 1.0f / y;
#endif
}

/* 3 ulp. */
NNR_FUNCTION float nnr_sigmoidf(float x)
{
	const float e = expf(-fabsf(x));
	return (x < 0.0f ? e : 1.0f) * nnr_reciprocalf(1.0f + e);
}

NNR_FUNCTION double nnr_sigmoid(double x)
{
	double e = exp(-fabs(x));
	return (x < 0 ? e : 1) / (1 + e);
}

/* The density of the standard normal distribution, its distribution function, and the derivative of x times that, as in
 * nnr_math.h; 2 and 1/y by the device's own approximations, whose errors are below the polynomial's. */
NNR_FUNCTION float nnr_normal_densityf(float x)
{
#ifdef __CUDA_ARCH__
	float power;
	asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(-0.72134752f * x * x));
	return 0.39894228f * power;
#else
	return 0.39894228f * expf(-0.5f * x * x);
#endif
}

NNR_FUNCTION float nnr_normal_belowf(float x, float density)
{
	const float t = nnr_reciprocalf(1.0f + 0.2316419f * fabsf(x));
	float p = 1.330274429f;
	p = p * t - 1.821255978f;
	p = p * t + 1.781477937f;
	p = p * t - 0.356563782f;
	p = p * t + 0.319381530f;
	const float beyond = p * t * density;
	return x < 0.0f ? beyond : 1.0f - beyond;
}

NNR_FUNCTION float nnr_normal_cdff(float x)
{
	return nnr_normal_belowf(x, nnr_normal_densityf(x));
}

NNR_FUNCTION double nnr_normal_cdf(double x)
{
	return 0.5 * erfc(-0.70710678118654752 * x);
}

NNR_FUNCTION float nnr_gelu_slopef(float x)
{
	const float density = nnr_normal_densityf(x);
	return nnr_normal_belowf(x, density) + x * density;
}

NNR_FUNCTION double nnr_gelu_slope(double x)
{
	return nnr_normal_cdf(x) + 0.39894228040143268 * x * exp(-0.5 * x * x);
}

/* The larger, or NaN when either is NaN, as in nnr_math.h; one instruction from sm_80 on. */
NNR_FUNCTION float nnr_maxf(float x, float y)
{
#if __CUDA_ARCH__ >= 800
	float z;
	asm("max.NaN.f32 %0, %1, %2;" : "=f"(z) : "f"(x), "f"(y));
	return z;
#else
	return x > y || x != x ? x : y;
#endif
}
NNR_FUNCTION float nnr_minf(float x, float y)
{
#if __CUDA_ARCH__ >= 800
	float z;
	asm("min.NaN.f32 %0, %1, %2;" : "=f"(z) : "f"(x), "f"(y));
	return z;
#else
	return x < y || x != x ? x : y;
#endif
}
NNR_FUNCTION double nnr_max(double x, double y)
{
	return x > y || x != x ? x : y;
}
NNR_FUNCTION double nnr_min(double x, double y)
{
	return x < y || x != x ? x : y;
}

/* The bits of x rounded to tf32, ties away from zero; a NaN stays one. One instruction from sm_80 on, and the same in
 * integers where no such device compiles this. */
NNR_FUNCTION uint32_t nnr_tf32_bits(float x)
{
	uint32_t bits;
#if __CUDA_ARCH__ >= 800
	asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
#else
	memcpy(&bits, &x, sizeof bits);
	bits = x != x ? bits : (bits + 0x1000u) & ~0x1fffu;
#endif
	return bits;
}

NNR_FUNCTION float nnr_round_tf32f(float x)
{
	const uint32_t bits = nnr_tf32_bits(x);
	float y;
	memcpy(&y, &bits, sizeof y);
	return y;
}

NNR_FUNCTION double nnr_round_tf32(double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	bits = (bits + ((uint64_t)1 << 41)) & ~(((uint64_t)1 << 42) - 1);
	double y;
	memcpy(&y, &bits, sizeof y);
	return x != x ? x : y;
}

/* Counter-based random numbers with the bits of nnr_math.h. */
NNR_FUNCTION uint64_t nnr_mix64(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

NNR_FUNCTION uint64_t nnr_random_key(uint64_t seed, uint64_t step, uint64_t stream)
{
	uint64_t k = nnr_mix64(seed + 0x9e3779b97f4a7c15u);
	k = nnr_mix64(k + 0x9e3779b97f4a7c15u * (step + 1));
	return nnr_mix64(k + 0x9e3779b97f4a7c15u * (stream + 1));
}

struct NnrRandomCell {
	uint32_t near, far;
};

/* Products of 32 bits by 32, halves apart: of 64 bits each operation would be two or more. */
struct NnrWide {
	uint32_t low, high;
};

NNR_FUNCTION NnrWide nnr_wide_product(uint32_t x, uint32_t y)
{
#ifdef __CUDA_ARCH__
	return {x * y, __umulhi(x, y)};
#else
	return {x * y, (uint32_t)((uint64_t)x * y >> 32)};
#endif
}

/* Elements are counted in int where that is enough. */
template <typename Index> NNR_FUNCTION uint32_t nnr_random_cell_of(Index i)
{
	return (uint32_t)(i >> 4) * 4 + ((uint32_t)i >> 1 & 3);
}

NNR_FUNCTION NnrRandomCell nnr_random_cell(uint64_t key, uint32_t cell)
{
	const NnrWide a = nnr_wide_product(cell + (uint32_t)key, 0xd2511f53u);
	const NnrWide b = nnr_wide_product(a.high ^ a.low ^ (uint32_t)(key >> 32), 0xcd9e8d57u);
	const NnrWide c = nnr_wide_product(b.high ^ a.low, 0xd2511f53u);
	return {c.low, c.high ^ b.low};
}

template <typename Index> NNR_FUNCTION uint32_t nnr_random_bits(uint64_t key, Index i)
{
	if constexpr (sizeof i > sizeof(uint32_t))
		key += (uint64_t)i >> 34 << 32;
	const NnrRandomCell cell = nnr_random_cell(key, nnr_random_cell_of(i));
	const uint32_t own = (i & 8 ? cell.far : cell.near) >> 16 * (i & 1);
	const uint32_t rest = (cell.near ^ cell.far) * (0x9e3779b1u + 2 * (uint32_t)(i & 9));
	return (own & 0x7fff) << 9 | rest >> 23;
}

template <typename Index>
NNR_FUNCTION float nnr_uniformf(uint64_t seed, uint64_t step, uint64_t stream, Index i)
{
	return (float)(int32_t)nnr_random_bits(nnr_random_key(seed, step, stream), i) *
	       5.9604644775390625e-8f;
}

template <typename Index>
NNR_FUNCTION double nnr_uniform(uint64_t seed, uint64_t step, uint64_t stream, Index i)
{
	return (double)(int32_t)nnr_random_bits(nnr_random_key(seed, step, stream), i) *
	       5.9604644775390625e-8;
}

/* bf16 and f16 as tensors hold them: an element read is a float, a float stored is rounded to the nearest (ties to
 * even). Types of our own, because NVRTC finds no cuda_bf16.h; the conversions are one instruction of PTX each, and the
 * same in integers where no device compiles this. */
#ifdef __CUDA_ARCH__
NNR_FUNCTION uint16_t nnr_bf16_bits(float x)
{
	uint16_t bits;
	asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
	return bits;
}

NNR_FUNCTION uint16_t nnr_f16_bits(float x)
{
	uint16_t bits;
	asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
	return bits;
}

NNR_FUNCTION float nnr_bf16_value(uint16_t bits)
{
	return __uint_as_float((uint32_t)bits << 16);
}

NNR_FUNCTION float nnr_f16_value(uint16_t bits)
{
	float x;
	asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
	return x;
}

/* Two at once, the first in the lower half. */
NNR_FUNCTION uint32_t nnr_bf16_pair(float low, float high)
{
	uint32_t bits;
	asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
	return bits;
}

NNR_FUNCTION uint32_t nnr_f16_pair(float low, float high)
{
	uint32_t bits;
	asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
	return bits;
}
#else
#define NNR_HALF_FUNCTION NNR_FUNCTION
#include "nnr_half.h"
NNR_FUNCTION uint32_t nnr_bf16_pair(float low, float high)
{
	return nnr_bf16_bits(low) | (uint32_t)nnr_bf16_bits(high) << 16;
}

NNR_FUNCTION uint32_t nnr_f16_pair(float low, float high)
{
	return nnr_f16_bits(low) | (uint32_t)nnr_f16_bits(high) << 16;
}
#endif

#define NNR_HALF(Name, name)                                                                        \
	struct Name {                                                                               \
		uint16_t bits;                                                                      \
		__device__ __forceinline__ operator float() const                                   \
		{                                                                                   \
			return nnr_##name##_value(bits);                                            \
		}                                                                                   \
		__device__ __forceinline__ void operator=(float x)                                  \
		{                                                                                   \
			bits = nnr_##name##_bits(x);                                                \
		}                                                                                   \
	};                                                                                          \
	NNR_FUNCTION float nnr_##name(float x)                                                      \
	{                                                                                           \
		return nnr_##name##_value(nnr_##name##_bits(x));                                    \
	}                                                                                           \
	NNR_FUNCTION void nnr_##name##_split(float to[2], uint32_t pair)                            \
	{                                                                                           \
		to[0] = nnr_##name##_value((uint16_t)pair), to[1] = nnr_##name##_value(pair >> 16); \
	}                                                                                           \
	NNR_FUNCTION void nnr_load2(float to[2], const Name *p)                                     \
	{                                                                                           \
		nnr_##name##_split(to, *(const uint32_t *)p);                                       \
	}                                                                                           \
	NNR_FUNCTION void nnr_store2(Name *p, const float from[2])                                  \
	{                                                                                           \
		*(uint32_t *)p = nnr_##name##_pair(from[0], from[1]);                               \
	}                                                                                           \
	NNR_FUNCTION void nnr_load4(float to[4], const Name *p)                                     \
	{                                                                                           \
		uint2 v = *(const uint2 *)p;                                                        \
		nnr_##name##_split(to, v.x), nnr_##name##_split(to + 2, v.y);                       \
	}                                                                                           \
	NNR_FUNCTION void nnr_load8(float to[8], const Name *p)                                     \
	{                                                                                           \
		uint4 v = *(const uint4 *)p;                                                        \
		nnr_##name##_split(to, v.x), nnr_##name##_split(to + 2, v.y);                       \
		nnr_##name##_split(to + 4, v.z), nnr_##name##_split(to + 6, v.w);                   \
	}                                                                                           \
	NNR_FUNCTION void nnr_store4(Name *p, const float from[4])                                  \
	{                                                                                           \
		*(uint2 *)p = make_uint2(nnr_##name##_pair(from[0], from[1]),                       \
		                         nnr_##name##_pair(from[2], from[3]));                      \
	}                                                                                           \
	NNR_FUNCTION void nnr_store8(Name *p, const float from[8])                                  \
	{                                                                                           \
		*(uint4 *)p = make_uint4(                                                           \
		        nnr_##name##_pair(from[0], from[1]), nnr_##name##_pair(from[2], from[3]),   \
		        nnr_##name##_pair(from[4], from[5]), nnr_##name##_pair(from[6], from[7]));  \
	}
NNR_HALF(NnrBf16, bf16)
NNR_HALF(NnrF16, f16)
#undef NNR_HALF

/* Two neighbours in one access; p is aligned to both. */
NNR_FUNCTION void nnr_load2(float to[2], const float *p)
{
	float2 v = *(const float2 *)p;
	to[0] = v.x, to[1] = v.y;
}

NNR_FUNCTION void nnr_load2(double to[2], const double *p)
{
	double2 v = *(const double2 *)p;
	to[0] = v.x, to[1] = v.y;
}

NNR_FUNCTION void nnr_load2(int32_t to[2], const int32_t *p)
{
	int2 v = *(const int2 *)p;
	to[0] = v.x, to[1] = v.y;
}

NNR_FUNCTION void nnr_load2(uint8_t to[2], const uint8_t *p)
{
	uchar2 v = *(const uchar2 *)p;
	to[0] = v.x, to[1] = v.y;
}

NNR_FUNCTION void nnr_store2(float *p, const float from[2])
{
	*(float2 *)p = make_float2(from[0], from[1]);
}

NNR_FUNCTION void nnr_store2(double *p, const double from[2])
{
	*(double2 *)p = make_double2(from[0], from[1]);
}

NNR_FUNCTION void nnr_store2(int32_t *p, const int32_t from[2])
{
	*(int2 *)p = make_int2(from[0], from[1]);
}

NNR_FUNCTION void nnr_store2(uint8_t *p, const uint8_t from[2])
{
	*(uchar2 *)p = make_uchar2(from[0], from[1]);
}

/* Four neighbours in one access (f64: two); p is aligned to all of them. */
NNR_FUNCTION void nnr_load4(float to[4], const float *p)
{
	float4 v = *(const float4 *)p;
	to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
}

NNR_FUNCTION void nnr_load4(double to[4], const double *p)
{
	double2 v = ((const double2 *)p)[0], w = ((const double2 *)p)[1];
	to[0] = v.x, to[1] = v.y, to[2] = w.x, to[3] = w.y;
}

NNR_FUNCTION void nnr_load4(int32_t to[4], const int32_t *p)
{
	int4 v = *(const int4 *)p;
	to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
}

NNR_FUNCTION void nnr_load4(uint8_t to[4], const uint8_t *p)
{
	uchar4 v = *(const uchar4 *)p;
	to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
}

NNR_FUNCTION void nnr_store4(float *p, const float from[4])
{
	*(float4 *)p = make_float4(from[0], from[1], from[2], from[3]);
}

NNR_FUNCTION void nnr_store4(double *p, const double from[4])
{
	((double2 *)p)[0] = make_double2(from[0], from[1]);
	((double2 *)p)[1] = make_double2(from[2], from[3]);
}

NNR_FUNCTION void nnr_store4(int32_t *p, const int32_t from[4])
{
	*(int4 *)p = make_int4(from[0], from[1], from[2], from[3]);
}

NNR_FUNCTION void nnr_store4(uint8_t *p, const uint8_t from[4])
{
	*(uchar4 *)p = make_uchar4(from[0], from[1], from[2], from[3]);
}

/* Eight neighbours beside eight of a 16-bit tensor. */
template <typename T> NNR_FUNCTION void nnr_load8(T to[8], const T *p)
{
	nnr_load4(to, p);
	nnr_load4(to + 4, p + 4);
}

template <typename T> NNR_FUNCTION void nnr_store8(T *p, const T from[8])
{
	nnr_store4(p, from);
	nnr_store4(p + 4, from + 4);
}

template <typename T, typename S> NNR_FUNCTION void nnr_load4_unaligned(T to[4], const S *p)
{
	to[0] = (T)p[0], to[1] = (T)p[1], to[2] = (T)p[2], to[3] = (T)p[3];
}

template <typename T, typename S> NNR_FUNCTION void nnr_load8_unaligned(T to[8], const S *p)
{
	nnr_load4_unaligned(to, p);
	nnr_load4_unaligned(to + 4, p + 4);
}

template <typename T, typename V> NNR_FUNCTION void nnr_fill4(T (&x)[4], V value)
{
	x[0] = x[1] = x[2] = x[3] = (T)value;
}

#endif
