/* SPDX-License-Identifier: MIT */
/* Which instruction set's products run: the best that this processor has. The variants are products.c, compiled once
 * for each (runtime/meson.build). */
#include "conv.h"

#define DECLARE(real, precision, set)              \
	NNR_MATMUL_BLOCK(real, precision##_##set); \
	NNR_CONV_BLOCKS(real, precision##_##set)
DECLARE(float, f32, plain)
DECLARE(double, f64, plain)
#ifdef NNR_X86_VARIANTS
DECLARE(float, f32, avx2)
DECLARE(double, f64, avx2)
DECLARE(float, f32, avx512)
DECLARE(double, f64, avx512)
#define SELECT(block)                                                                       \
	(__builtin_cpu_supports("avx512f")                                 ? block##_avx512 \
	 : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? block##_avx2   \
	                                                                   : block##_plain)
#else
#define SELECT(block) block##_plain
#endif

#define DEFINE(real, precision)                                                                         \
	NNR_MATMUL_BLOCK(real, precision)                                                               \
	{                                                                                               \
		SELECT(nnr_matmul_block_##precision)(mb, nb, a, ta, b, tb, k_first, k_last, m0, n0, c); \
	}                                                                                               \
	NNR_CONV_FPROP_BLOCK(real, precision)                                                           \
	{                                                                                               \
		SELECT(nnr_conv_fprop_block_##precision)                                                \
		(mb, nb, s, group, x, w, k_first, k_last, m0, n0, y);                                   \
	}                                                                                               \
	NNR_CONV_WGRAD_BLOCK(real, precision)                                                           \
	{                                                                                               \
		SELECT(nnr_conv_wgrad_block_##precision)                                                \
		(mb, nb, s, group, x, dy, k_first, k_last, m0, n0, dw);                                 \
	}                                                                                               \
	NNR_CONV_DGRAD_BLOCK(real, precision)                                                           \
	{                                                                                               \
		SELECT(nnr_conv_dgrad_block_##precision)                                                \
		(mb, nb, s, c, group, dy, w, k_first, k_last, m0, n0, dx);                              \
	}
DEFINE(float, f32)
DEFINE(double, f64)
