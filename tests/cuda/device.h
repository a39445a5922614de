/* SPDX-License-Identifier: MIT */
/* What nvcc gives a kernels.cu, for an ordinary C++ compiler: generated kernels and the headers of runtime/cuda/ as
 * they are, run on the CPU one thread at a time (emulation.c). Shared memory is static, since blocks run one after
 * another; that of the blocks of a cluster, which run together, takes turns in one section of the file. */
#ifndef NNC_TESTS_DEVICE_H
#define NNC_TESTS_DEVICE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <utility>

#define __CUDACC__
#define NNR_EMULATED
#define __global__
#define __grid_constant__
#define __host__
#define __device__
#define __shared__      static /* that all threads see: in .bss, which each block of a cluster has of its own */
#define __forceinline__ inline
#define __launch_bounds__(...)
#define NNR_CHIP(name, bytes) char *const name = emulated_chip(bytes)
#define __cluster_dims__(blocks)

struct EmulatedIndex {
	unsigned x, y, z;
};

extern "C" {
extern EmulatedIndex emulated_thread, emulated_block;
/* This thread of a kernel has called nnr_kernel_wait. */
void emulated_kernel_wait();
/* All threads of the block have arrived; the value is whether `vote` was true in any. */
int emulated_barrier(int vote);
/* All lanes of the mask have arrived; element i is what lane i brought. Valid until the warp's next exchange but
 * one. */
const uint64_t *emulated_exchange(unsigned mask, uint64_t mine);
/* mma.sync by all lanes of a warp, of operands as nnr_mma.h has them; `type` is what the words hold: "tf32", "bf16" or
 * "f16". */
void emulated_mma(float d[4], const uint32_t a[4], const uint32_t b[2], const char *type);
/* The two halves of a barrier of all threads of a cluster. */
void emulated_cluster_arrive();
void emulated_cluster_wait();
/* An mbarrier of a block, which the others' st.async count down: the bytes that it expects; one store to the block of
 * this rank; the wait until none is missing. A store ahead of its barrier, or to a block that has ended, is
 * reported. */
void emulated_expect(uint64_t *arrivals, unsigned bytes);
void emulated_send(void *to, uint64_t *arrivals, unsigned rank, const void *from, int bytes);
void emulated_await_arrivals(const uint64_t *arrivals);
/* cp.async, cp.async.commit_group and cp.async.wait_group: the bytes come as late as they may, and until then the
 * destination holds 0xff, which is NaN and no class. Those that no wait covers never come. */
void emulated_fetch(void *to, const void *from, int bytes);
void emulated_commit();
void emulated_await(int later);
/* The shared memory that the launch asks for, 0xff where the block has written nothing: NaN, and no class. A launch
 * that asks for less than `bytes`, and a write after them, are reported. */
char *emulated_chip(int64_t bytes);
/* Where the block of this rank in the cluster has what this one has at p there. */
void *emulated_chip_at(void *p, unsigned rank);
/* Around all shared variables of the file, by the linker: its .bss. A section of their own would miss those of
 * templates, whose attributes gcc forgets. */
extern char __bss_start[] __attribute__((visibility("hidden")));
extern char _end[] __attribute__((visibility("hidden")));
}

#define threadIdx emulated_thread
#define blockIdx  emulated_block

static inline void __syncthreads()
{
	emulated_barrier(0);
}

static inline int __syncthreads_or(int vote)
{
	return emulated_barrier(vote);
}

static inline void __syncwarp(unsigned mask = 0xffffffffu)
{
	emulated_exchange(mask, 0);
}

static inline void __threadfence()
{
}

static inline void __threadfence_block()
{
}

static inline void __cluster_barrier_arrive_relaxed()
{
	emulated_cluster_arrive();
}

static inline void __cluster_barrier_wait()
{
	emulated_cluster_wait();
}

template <typename T> static inline T __shfl_sync(unsigned mask, T x, int lane)
{
	static_assert(sizeof(T) <= sizeof(uint64_t), "a lane brings 8 bytes");
	uint64_t bits = 0;
	memcpy(&bits, &x, sizeof x);
	memcpy(&x, &emulated_exchange(mask, bits)[lane % 32], sizeof x);
	return x;
}

template <typename T> static inline T __shfl_xor_sync(unsigned mask, T x, int distance)
{
	return __shfl_sync(mask, x, (int)(threadIdx.x % 32) ^ distance);
}

/* A lane beyond the end keeps its own value. */
template <typename T> static inline T __shfl_down_sync(unsigned mask, T x, int distance)
{
	int from = (int)(threadIdx.x % 32) + distance;
	return __shfl_sync(mask, x, from < 32 ? from : (int)(threadIdx.x % 32));
}

/* ---- tensor cores (runtime/cuda/nnr_mma.h) */

static inline void emulated_load_matrices(uint32_t (&to)[4], const void *row)
{
	const uint64_t *all = emulated_exchange(0xffffffffu, (uint64_t)(uintptr_t)row);
	for (unsigned i = 0; i < 4; i++)
		memcpy(&to[i],
		       (const char *)(uintptr_t)all[8 * i + threadIdx.x % 32 / 4] + 4 * (threadIdx.x % 4), 4);
}

static inline void emulated_load_transposed(uint32_t (&to)[4], const void *row)
{
	const uint64_t *all = emulated_exchange(0xffffffffu, (uint64_t)(uintptr_t)row);
	const unsigned column = threadIdx.x % 32 / 4, first = threadIdx.x % 4 * 2;
	for (unsigned i = 0; i < 4; i++) {
		uint16_t pair[2];
		for (unsigned k = 0; k < 2; k++)
			memcpy(&pair[k], (const char *)(uintptr_t)all[8 * i + first + k] + 2 * column, 2);
		to[i] = pair[0] | (uint32_t)pair[1] << 16;
	}
}

static inline unsigned __ballot_sync(unsigned mask, int vote)
{
	const uint64_t *all = emulated_exchange(mask, vote != 0);
	unsigned votes = 0;
	for (unsigned i = 0; i < 32; i++)
		if (mask >> i & 1)
			votes |= (unsigned)all[i] << i;
	return votes;
}

/* The lanes that bring the same value. */
static inline unsigned __match_any_sync(unsigned mask, int x)
{
	const uint64_t *all = emulated_exchange(mask, (uint64_t)(int64_t)x);
	unsigned same = 0;
	for (unsigned i = 0; i < 32; i++)
		if (mask >> i & 1 && all[i] == (uint64_t)(int64_t)x)
			same |= 1u << i;
	return same;
}

static inline int __ffs(unsigned x)
{
	return __builtin_ffs((int)x);
}

/* By hand: the compiler's is a function of libgcc, which kernels are not linked with. */
static inline int __popc(unsigned x)
{
	x -= x >> 1 & 0x55555555;
	x = (x & 0x33333333) + (x >> 2 & 0x33333333);
	x = (x + (x >> 4)) & 0x0f0f0f0f;
	return (int)(x * 0x01010101 >> 24);
}

static inline uint32_t __umulhi(uint32_t x, uint32_t y)
{
	return (uint32_t)((uint64_t)x * y >> 32);
}

template <typename T> static inline T __ldcg(const T *p)
{
	return *p;
}

template <typename T> static inline T __ldcs(const T *p)
{
	return *p;
}

template <typename T> static inline T __ldg(const T *p)
{
	return *p;
}

static inline unsigned atomicInc(unsigned *counter, unsigned last)
{
	unsigned before = *counter;
	*counter = before >= last ? 0 : before + 1;
	return before;
}

template <typename T> static inline T atomicAdd(T *sum, T x)
{
	T before = *sum;
	*sum += x;
	return before;
}

template <typename T> static inline T min(T x, T y)
{
	return y < x ? y : x;
}

template <typename T> static inline T max(T x, T y)
{
	return x < y ? y : x;
}

/* Vectors, aligned as the device wants them. Their copies are functions, since clang looks at the alignment of what a
 * function is called for, and not at that of a struct which is copied. */
#define EMULATED_VECTOR2(name, type)                          \
	struct alignas(2 * sizeof(type)) name {               \
		type x, y;                                    \
		name() = default;                             \
		name(type x, type y) : x(x), y(y)             \
		{                                             \
		}                                             \
		name(const name &from) : x(from.x), y(from.y) \
		{                                             \
		}                                             \
		name &operator=(const name &from)             \
		{                                             \
			x = from.x, y = from.y;               \
			return *this;                         \
		}                                             \
	};                                                    \
	static inline name make_##name(type x, type y)        \
	{                                                     \
		return {x, y};                                \
	}
#define EMULATED_VECTOR4(name, type)                                                \
	struct alignas(4 * sizeof(type)) name {                                     \
		type x, y, z, w;                                                    \
		name() = default;                                                   \
		name(type x, type y, type z, type w) : x(x), y(y), z(z), w(w)       \
		{                                                                   \
		}                                                                   \
		name(const name &from) : x(from.x), y(from.y), z(from.z), w(from.w) \
		{                                                                   \
		}                                                                   \
		name &operator=(const name &from)                                   \
		{                                                                   \
			x = from.x, y = from.y, z = from.z, w = from.w;             \
			return *this;                                               \
		}                                                                   \
	};                                                                          \
	static inline name make_##name(type x, type y, type z, type w)              \
	{                                                                           \
		return {x, y, z, w};                                                \
	}

EMULATED_VECTOR2(float2, float)
EMULATED_VECTOR2(int2, int)
EMULATED_VECTOR2(uint2, unsigned)
EMULATED_VECTOR2(double2, double)
EMULATED_VECTOR2(uchar2, unsigned char)
EMULATED_VECTOR4(float4, float)
EMULATED_VECTOR4(int4, int)
EMULATED_VECTOR4(uint4, unsigned)
EMULATED_VECTOR4(uchar4, unsigned char)

/* The kernels of a file by name: `EmulatedKernel emulated_kernels[]`, which emulation.c appends to it. */
struct EmulatedKernel {
	const char *name;
	void (*run)(void *const *arguments);
	unsigned cluster = 0;
	char *shared = nullptr, *shared_end = nullptr;
};

template <typename... A, size_t... I>
static void emulated_unpack(void (*kernel)(A...), void *const *arguments, std::index_sequence<I...>)
{
	kernel(*(A *)arguments[I]...);
}

template <typename... A> static void emulated_apply(void (*kernel)(A...), void *const *arguments)
{
	emulated_unpack(kernel, arguments, std::make_index_sequence<sizeof...(A)>());
}

template <auto kernel> static void emulated_call(void *const *arguments)
{
	emulated_apply(kernel, arguments);
}

#endif
