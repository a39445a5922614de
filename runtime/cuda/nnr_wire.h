/* SPDX-License-Identifier: MIT */
/* Gradients in 16 bits on their way to other ranks, and back: kernels of a module whose recipe says `wire bf16`, which
 * nccl.c launches around the mean of each bucket. */
#ifndef NNR_WIRE_H
#define NNR_WIRE_H

#include "cuda/nnr_element.h"

#ifndef NNR_WITHOUT_STEP_KERNELS

enum { NNR_WIRE_EACH = 4 }; /* elements of a thread of blocks of NNR_BLOCK */

extern "C" __global__ void nnr_wire_round(const float *from, NnrBf16 *to, int64_t count)
{
	const int64_t first = (int64_t)blockIdx.x * (NNR_BLOCK * NNR_WIRE_EACH) + threadIdx.x;
	for (int64_t k = 0, i = first; k < NNR_WIRE_EACH && i < count; k++, i += NNR_BLOCK)
		to[i] = from[i];
}

extern "C" __global__ void nnr_wire_widen(const NnrBf16 *from, float *to, int64_t count)
{
	const int64_t first = (int64_t)blockIdx.x * (NNR_BLOCK * NNR_WIRE_EACH) + threadIdx.x;
	for (int64_t k = 0, i = first; k < NNR_WIRE_EACH && i < count; k++, i += NNR_BLOCK)
		to[i] = from[i];
}

#endif /* NNR_WITHOUT_STEP_KERNELS */

#endif
