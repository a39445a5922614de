/* SPDX-License-Identifier: MIT */
/* Compiling kernels.cu by NVRTC, loaded when it is first needed: nnc itself needs no CUDA, and this no GPU. */
#ifndef NNC_NVRTC_H
#define NNC_NVRTC_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct CudaKernels {
	const char *const *parts; /* of kernels.cu (emit/kernel_parts.h) */
	int part_count;
	const char *archs; /* "sm_90", or several with commas */
	const char *precision, *include;
	bool own_features; /* they use what an architecture has alone, the warpgroups of sm_90a */
	bool edited;       /* by a user: what NVRTC refuses is the user's mistake, else it is a bug() */
} CudaKernels;

/* C text that defines nnr_cuda_model (runtime/cuda/nnr_cuda.h): each part as one cubin for each of the architectures
 * and as PTX for what comes after the last, unless a comma ends the list; by as many threads as there are processors.
 * Ends the process with a sentence where NVRTC is missing or does not know an architecture. */
char *cuda_images(Arena *a, const CudaKernels *k);
/* The kernels for the first of `archs`, with their lines. */
typedef struct CudaCode {
	const char *ptx, *cubin; /* cubin NULL: not wanted */
	size_t cubin_size;
} CudaCode;
/* As cuda_images where NVRTC is missing. */
CudaCode cuda_code(Arena *a, const char *kernels, const char *archs, const char *include, bool own_features,
                   bool wants_cubin);
/* Only compiles them, for each of `archs` ("sm_90,compute_80"), without optimisation, or `syntax` alone, which makes no
 * code: whether NVRTC takes them. */
void cuda_check(Arena *a, const char *kernels, const char *archs, const char *include, bool syntax);

/* The file of NVRTC that would be loaded; NULL, and `why`, where there is none. */
const char *nvrtc_found(Arena *a, const char **why);

#endif
