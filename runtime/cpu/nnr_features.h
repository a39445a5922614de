/* SPDX-License-Identifier: MIT */
/* What a processor must have to run a C file as it is compiled (-march): bits of NnrModel.needs, which generated code
 * states and the runtime, compiled for every processor, checks before any of that code runs.
 *
 * A row: bit, name, the compiler's macro, and where CPUID says it (leaf, subleaf, register a b c d, bit; Intel's
 * manual, volume 2, CPUID), and the parts of XCR0 that the system must save for it. */
#ifndef NNR_FEATURES_H
#define NNR_FEATURES_H

#include <stdint.h>

#if defined __x86_64__ || defined __i386__
#define NNR_FEATURE_ROWS(ROW)                                                \
	ROW(0, "sse3", __SSE3__, 1, 0, 'c', 0, 0)                            \
	ROW(1, "ssse3", __SSSE3__, 1, 0, 'c', 9, 0)                          \
	ROW(2, "sse4.1", __SSE4_1__, 1, 0, 'c', 19, 0)                       \
	ROW(3, "sse4.2", __SSE4_2__, 1, 0, 'c', 20, 0)                       \
	ROW(4, "popcnt", __POPCNT__, 1, 0, 'c', 23, 0)                       \
	ROW(5, "avx", __AVX__, 1, 0, 'c', 28, 6)                             \
	ROW(6, "avx2", __AVX2__, 7, 0, 'b', 5, 6)                            \
	ROW(7, "fma", __FMA__, 1, 0, 'c', 12, 6)                             \
	ROW(8, "f16c", __F16C__, 1, 0, 'c', 29, 6)                           \
	ROW(9, "bmi", __BMI__, 7, 0, 'b', 3, 0)                              \
	ROW(10, "bmi2", __BMI2__, 7, 0, 'b', 8, 0)                           \
	ROW(11, "lzcnt", __LZCNT__, 0x80000001, 0, 'c', 5, 0)                \
	ROW(12, "movbe", __MOVBE__, 1, 0, 'c', 22, 0)                        \
	ROW(13, "avx512f", __AVX512F__, 7, 0, 'b', 16, 0xe6)                 \
	ROW(14, "avx512dq", __AVX512DQ__, 7, 0, 'b', 17, 0xe6)               \
	ROW(15, "avx512cd", __AVX512CD__, 7, 0, 'b', 28, 0xe6)               \
	ROW(16, "avx512bw", __AVX512BW__, 7, 0, 'b', 30, 0xe6)               \
	ROW(17, "avx512vl", __AVX512VL__, 7, 0, 'b', 31, 0xe6)               \
	ROW(18, "avx512ifma", __AVX512IFMA__, 7, 0, 'b', 21, 0xe6)           \
	ROW(19, "avx512vbmi", __AVX512VBMI__, 7, 0, 'c', 1, 0xe6)            \
	ROW(20, "avx512vbmi2", __AVX512VBMI2__, 7, 0, 'c', 6, 0xe6)          \
	ROW(21, "avx512vnni", __AVX512VNNI__, 7, 0, 'c', 11, 0xe6)           \
	ROW(22, "avx512bitalg", __AVX512BITALG__, 7, 0, 'c', 12, 0xe6)       \
	ROW(23, "avx512vpopcntdq", __AVX512VPOPCNTDQ__, 7, 0, 'c', 14, 0xe6) \
	ROW(24, "avx512bf16", __AVX512BF16__, 7, 1, 'a', 5, 0xe6)            \
	ROW(25, "avx512fp16", __AVX512FP16__, 7, 0, 'd', 23, 0xe6)           \
	ROW(26, "avxvnni", __AVXVNNI__, 7, 1, 'a', 4, 6)                     \
	ROW(27, "gfni", __GFNI__, 7, 0, 'c', 8, 0)                           \
	ROW(28, "adx", __ADX__, 7, 0, 'b', 19, 0)                            \
	ROW(29, "sse4a", __SSE4A__, 0x80000001, 0, 'c', 6, 0)                \
	ROW(30, "fma4", __FMA4__, 0x80000001, 0, 'c', 16, 6)                 \
	ROW(31, "xop", __XOP__, 0x80000001, 0, 'c', 11, 6)                   \
	ROW(32, "tbm", __TBM__, 0x80000001, 0, 'c', 21, 0)
#else
#define NNR_FEATURE_ROWS(ROW)
#endif

/* A macro of the compiler's is 1, or undefined and so itself. */
#define NNR_TEXT_OF(word) #word
#define NNR_TEXT(word)    NNR_TEXT_OF(word)
#define NNR_FEATURE_BIT(bit, name, macro, ...) \
	(sizeof NNR_TEXT(macro) == sizeof "1" ? UINT64_C(1) << (bit) : 0) |
#define NNR_FEATURES (NNR_FEATURE_ROWS(NNR_FEATURE_BIT) UINT64_C(0))

#endif
