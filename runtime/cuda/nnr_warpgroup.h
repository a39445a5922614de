/* SPDX-License-Identifier: MIT */
/* What PTX has for a warpgroup of sm_90a: barriers that count bytes, boxes of a tensor by the copy engine, and the
 * product of two tiles (wgmma). In code for other architectures there is none of it. */
#ifndef NNR_WARPGROUP_H
#define NNR_WARPGROUP_H

#include "cuda/nnr_reduce.h" /* nnr_shared_address */

struct alignas(64) NnrTensorMap { /* CUtensorMap */
	uint64_t word[16];
};

/* Of a kernel that is launched otherwise where it is no code for warpgroups. */
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#define NNR_WARPGROUP_BOUNDS NNR_WARPGROUP_THREADS, 1
#else
#define NNR_WARPGROUP_BOUNDS NNR_ATTENTION_THREADS
#endif

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

NNR_FUNCTION void nnr_barrier_init(uint64_t *barrier, unsigned arrivals)
{
	asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(nnr_shared_address(barrier)),
	             "r"(arrivals)
	             : "memory");
}

NNR_FUNCTION void nnr_barrier_arrive(uint64_t *barrier)
{
	asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(nnr_shared_address(barrier))
	             : "memory");
}

NNR_FUNCTION void nnr_barrier_expect(uint64_t *barrier, unsigned bytes)
{
	asm volatile(
	        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(nnr_shared_address(barrier)),
	        "r"(bytes)
	        : "memory");
}

/* Waits for the end of the barrier's phase of that parity. */
NNR_FUNCTION void nnr_barrier_wait(uint64_t *barrier, unsigned parity)
{
	unsigned done;
	do {
		asm volatile("{\n"
		             ".reg .pred p;\n"
		             "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
		             "selp.u32 %0, 1, 0, p;\n"
		             "}"
		             : "=r"(done)
		             : "r"(nnr_shared_address(barrier)), "r"(parity)
		             : "memory");
	} while (!done);
}

/* Asks the copy engine for a box of the tensor, from element (column, row) on. */
NNR_FUNCTION void nnr_fetch_box(float *to, const NnrTensorMap &from, uint64_t *barrier, int column, int row)
{
	asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, "
	             "{%3, %4}], [%2];" ::"r"(nnr_shared_address(to)),
	             "l"(&from), "r"(nnr_shared_address(barrier)), "r"(column), "r"(row)
	             : "memory");
}

/* The descriptor of a matrix in shared memory: rows of 128 bytes, swizzled, eight of them 1024 bytes after the eight
 * before (PTX ISA, "Matrix descriptor"). LEADING: of a matrix that is read turned, bytes from 64 of its columns to the
 * next 64. */
template <int LEADING = 16> NNR_FUNCTION uint64_t nnr_descriptor(const void *p)
{
	const uint64_t swizzle_128 = (uint64_t)1 << 62, stride = (uint64_t)(1024 >> 4) << 32,
	               leading = (uint64_t)(LEADING >> 4) << 16;
	return swizzle_128 | stride | leading | nnr_shared_address(p) >> 4;
}

NNR_FUNCTION void nnr_wgmma_fence() /* registers and shared memory written so far are operands from here on */
{
	asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

NNR_FUNCTION void nnr_wgmma_commit() /* makes a group of the products so far */
{
	asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int LATER> NNR_FUNCTION void nnr_wgmma_await() /* all groups but the last LATER */
{
	asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LATER) : "memory");
}

/* Sums as operands, sixteen at a time, and as PTX counts them. */
#define NNR_FOUR(i)    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define NNR_SIXTEEN(i) NNR_FOUR(i), NNR_FOUR(i + 4), NNR_FOUR(i + 8), NNR_FOUR(i + 12)
#define NNR_SUMS_32    NNR_SIXTEEN(0)
#define NNR_SUMS_64    NNR_SUMS_32, NNR_SIXTEEN(16)
#define NNR_SUMS_96    NNR_SUMS_64, NNR_SIXTEEN(32)
#define NNR_SUMS_128   NNR_SUMS_96, NNR_SIXTEEN(48)
#define NNR_SUMS_256   NNR_SUMS_128, NNR_SIXTEEN(64), NNR_SIXTEEN(80), NNR_SIXTEEN(96), NNR_SIXTEEN(112)
#define NNR_NAMES_32   "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
#define NNR_NAMES_64 \
	NNR_NAMES_32 ", %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define NNR_NAMES_96 \
	NNR_NAMES_64 ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47"
#define NNR_NAMES_128 \
	NNR_NAMES_96 ", %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define NNR_NAMES_256                                                                           \
	NNR_NAMES_128                                                                           \
	", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "    \
	"%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, " \
	"%97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, "     \
	"%111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, "  \
	"%125, %126, %127"

/* d = a b^T, or where `add` is not 0 d + a b^T, of 8 of the depth: a [64,8] as its descriptor or in registers, b
 * [256,8]. */
NNR_FUNCTION void nnr_wgmma(float (&d)[128], uint64_t a, uint64_t b, int add)
{
	asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
	             "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 {" NNR_NAMES_256
	             "}, %128, %129, p, 1, 1;\n}"
	             : NNR_SUMS_256
	             : "l"(a), "l"(b), "r"(add));
}

NNR_FUNCTION void nnr_wgmma(float (&d)[128], const uint32_t *a, uint64_t b, int add)
{
	asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %133, 0;\n"
	             "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 {" NNR_NAMES_256
	             "}, {%128, %129, %130, %131}, %132, p, 1, 1;\n}"
	             : NNR_SUMS_256
	             : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}

/* The same of 16 of the depth, of elements of 16 bits: d [64,N], of a thread N/2 elements; with TURNED b is [16,N] in
 * shared memory. */
template <typename T, int N, int TURNED> struct NnrWgmma;

#define NNR_WGMMA(T, type, N, i0, i1, i2, i3, i4, i5, i6)                                                    \
	template <int TURNED> struct NnrWgmma<T, N, TURNED> {                                                \
		static __device__ __forceinline__ void add(float *d, uint64_t a, uint64_t b, int add)        \
		{                                                                                            \
			asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %" #i2 ", 0;\n"                       \
			             "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32." type "." type         \
			             " {" NNR_NAMES_##N "}, %" #i0 ", %" #i1 ", p, 1, 1, 0, %" #i3 ";\n}"    \
			             : NNR_SUMS_##N                                                          \
			             : "l"(a), "l"(b), "r"(add), "n"(TURNED));                               \
		}                                                                                            \
		static __device__ __forceinline__ void add(float *d, const uint32_t (&a)[4], uint64_t b,     \
		                                           int add)                                          \
		{                                                                                            \
			asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %" #i5 ", 0;\n"                       \
			             "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32." type "." type         \
			             " {" NNR_NAMES_##N "}, {%" #i0 ", %" #i1 ", %" #i2 ", %" #i3 "}, %" #i4 \
			                                ", p, 1, 1, %" #i6 ";\n}"                            \
			             : NNR_SUMS_##N                                                          \
			             : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add),         \
			               "n"(TURNED));                                                         \
		}                                                                                            \
	};
#define NNR_WGMMAS(T, type)                                \
	NNR_WGMMA(T, type, 32, 16, 17, 18, 19, 20, 21, 22) \
	NNR_WGMMA(T, type, 64, 32, 33, 34, 35, 36, 37, 38) \
	NNR_WGMMA(T, type, 96, 48, 49, 50, 51, 52, 53, 54) \
	NNR_WGMMA(T, type, 128, 64, 65, 66, 67, 68, 69, 70)
NNR_WGMMAS(NnrBf16, "bf16")
NNR_WGMMAS(NnrF16, "f16")

#undef NNR_FOUR
#undef NNR_SIXTEEN
#undef NNR_SUMS_32
#undef NNR_SUMS_64
#undef NNR_SUMS_96
#undef NNR_SUMS_128
#undef NNR_SUMS_256
#undef NNR_NAMES_32
#undef NNR_NAMES_64
#undef NNR_NAMES_96
#undef NNR_NAMES_128
#undef NNR_NAMES_256
#undef NNR_WGMMA
#undef NNR_WGMMAS

#endif
#endif
