/* SPDX-License-Identifier: MIT */
/* Products by the tensor cores of one warp: mma.sync of PTX, of f32 operands in tf32 and of 16-bit operands, sums in
 * f32.
 *
 * Both are seen in words of 32 bits along the depth, a word being one f32 or two neighbours of 16 bits: a warp
 * multiplies a [16, 8 words] by b [8 words, 8] and adds it to d [16, 8]. Lane 4g + t holds (PTX ISA, "Matrix fragments
 * for mma.m16n8k8" and "mma.m16n8k16")
 *
 *     a[0], a[1]  word t of rows g and g + 8        b[0]        word t of column g
 *     a[2], a[3]  word t + 4 of the same            b[1]        word t + 4
 *     d[0], d[1]  columns 2t and 2t + 1 of row g    d[2], d[3]  the same of row g + 8
 *
 * The tensor cores leave out the lower 13 bits of an f32; nnr_tf32_bits (nnr_element.h) rounds instead, to nearest.
 * From sm_80 on. */
#ifndef NNR_MMA_H
#define NNR_MMA_H

#include "cuda/nnr_element.h"

/* The first argument, a null pointer, says of which type the words are. */
#ifdef NNR_EMULATED
NNR_FUNCTION void nnr_mma(const float *, float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2])
{
	emulated_mma(d, a, b, "tf32");
}

#define NNR_MMA(Name, name, type)                                                                           \
	NNR_FUNCTION void nnr_mma(const Name *, float(&d)[4], const uint32_t(&a)[4], const uint32_t(&b)[2]) \
	{                                                                                                   \
		emulated_mma(d, a, b, type);                                                                \
	}
#else
NNR_FUNCTION void nnr_mma(const float *, float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2])
{
	asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
	    "{%8, %9}, {%0, %1, %2, %3};"
	    : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
	    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

#define NNR_MMA(Name, name, type)                                                                           \
	NNR_FUNCTION void nnr_mma(const Name *, float(&d)[4], const uint32_t(&a)[4], const uint32_t(&b)[2]) \
	{                                                                                                   \
		asm("mma.sync.aligned.m16n8k16.row.col.f32." type "." type ".f32 {%0, %1, %2, %3}, "        \
		    "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                                         \
		    : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                        \
		    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));                    \
	}
#endif
NNR_MMA(NnrBf16, bf16, "bf16")
NNR_MMA(NnrF16, f16, "f16")
#undef NNR_MMA

/* Four matrices of 8 rows of four words from shared memory: lane 8i + j brings the address of row j of matrix i, 16
 * bytes, and to[i] gets of matrix i word t of row g. */
NNR_FUNCTION void nnr_load_matrices(uint32_t (&to)[4], const void *row)
{
#ifdef NNR_EMULATED
	emulated_load_matrices(to, row);
#else
	const unsigned at = (unsigned)__cvta_generic_to_shared(row);
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
	             : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
	             : "r"(at)
	             : "memory");
#endif
}

/* Four matrices of 8x8 elements of 16 bits from shared memory, transposed: lane 8i + j brings the address of row j of
 * matrix i, 16 bytes, and to[i] gets of matrix i the elements of column g in rows 2t and 2t + 1. */
NNR_FUNCTION void nnr_load_transposed(uint32_t (&to)[4], const void *row)
{
#ifdef NNR_EMULATED
	emulated_load_transposed(to, row);
#else
	const unsigned at = (unsigned)__cvta_generic_to_shared(row);
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
	             : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
	             : "r"(at)
	             : "memory");
#endif
}

#endif
