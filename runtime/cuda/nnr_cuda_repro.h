/* SPDX-License-Identifier: MIT */
/* What a kernel of nnc repro --target=cuda is run by: cpu/nnr_repro.h, on the first GPU. */
#ifndef NNR_CUDA_REPRO_H
#define NNR_CUDA_REPRO_H

#include "cpu/nnr_repro.h"
#include "cuda/nnr_cuda.h"

/* A copy in device memory, made at the first call: the scalars of a step, say. */
const void *nnr_cuda_repro_copy(const void *from, int64_t bytes);
/* NnrRepro.touch. */
void nnr_cuda_repro_touch(char *at, int64_t bytes, bool write);
/* As nnr_repro, whose `machine` is not to be set; ends the process as a trainer does where there is no GPU, or none
 * that the images are for. */
int nnr_cuda_repro(const NnrRepro *r, const NnrCudaModel *images, int argc, char **argv);

#endif
