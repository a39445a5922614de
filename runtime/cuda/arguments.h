/* SPDX-License-Identifier: MIT */
/* What a kernel is launched with, by the driver or in emulation; `require` is that of whoever includes this. */
#ifndef NNR_CUDA_ARGUMENTS_H
#define NNR_CUDA_ARGUMENTS_H

#include "runtime/cuda/nnr_cuda.h"

/* The arguments, and the sizes of a kernel that serves several after them; these in `all`. */
static inline void *const *kernel_arguments(const NnrKernel *k, void *const *arguments,
                                            void *all[NNR_MOST_ARGUMENTS])
{
	if (!k->sizes)
		return arguments;
	int count = k->arguments;
	for (int i = 0; i < count; i++)
		all[i] = arguments[i];
	for (void *const *size = k->sizes; *size; size++) {
		require(count < NNR_MOST_ARGUMENTS);
		all[count++] = *size;
	}
	return all;
}

#endif
