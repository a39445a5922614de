/* What nvcc gives a kernels.cu, for an ordinary C++ compiler: generated kernels and runtime/cuda/nnr_device.h as they are,
 * run on the CPU one thread at a time (emulation.c). Shared memory is static, since blocks run one after another. */
#ifndef NNC_TESTS_DEVICE_H
#define NNC_TESTS_DEVICE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <utility>

#define __CUDACC__
#define __global__
#define __device__
#define __shared__      static
#define __forceinline__ inline
#define __launch_bounds__(threads)

struct EmulatedIndex {
	unsigned x, y, z;
};

extern "C" {
extern EmulatedIndex emulated_thread, emulated_block;
/* All threads of the block have arrived; the value is whether `vote` was true in any. */
int emulated_barrier(int vote);
/* All lanes of the mask have arrived; element i is what lane i brought. Valid until the warp's next exchange but one. */
const uint64_t *emulated_exchange(unsigned mask, uint64_t mine);
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

static inline unsigned __ballot_sync(unsigned mask, int vote)
{
	const uint64_t *all = emulated_exchange(mask, vote != 0);
	unsigned votes = 0;
	for (unsigned i = 0; i < 32; i++)
		if (mask >> i & 1)
			votes |= (unsigned)all[i] << i;
	return votes;
}

static inline int __ffs(unsigned x)
{
	return __builtin_ffs((int)x);
}

static inline int __popc(unsigned x)
{
	return __builtin_popcount(x);
}

static inline uint32_t __umulhi(uint32_t x, uint32_t y)
{
	return (uint32_t)((uint64_t)x * y >> 32);
}

template <typename T> static inline T __ldcg(const T *p)
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

/* Vectors, aligned as the device wants them. */
#define EMULATED_VECTOR2(name, type)                   \
	struct alignas(2 * sizeof(type)) name {        \
		type x, y;                             \
	};                                             \
	static inline name make_##name(type x, type y) \
	{                                              \
		return {x, y};                         \
	}
#define EMULATED_VECTOR4(name, type)                                   \
	struct alignas(4 * sizeof(type)) name {                        \
		type x, y, z, w;                                       \
	};                                                             \
	static inline name make_##name(type x, type y, type z, type w) \
	{                                                              \
		return {x, y, z, w};                                   \
	}

EMULATED_VECTOR2(float2, float)
EMULATED_VECTOR2(double2, double)
EMULATED_VECTOR4(float4, float)
EMULATED_VECTOR4(int4, int)
EMULATED_VECTOR4(uint4, unsigned)
EMULATED_VECTOR4(uchar4, unsigned char)

/* The kernels of a file by name: `EmulatedKernel emulated_kernels[]`, which emulation.c appends to it. */
struct EmulatedKernel {
	const char *name;
	void (*run)(void *const *arguments);
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
