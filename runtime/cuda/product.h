/* SPDX-License-Identifier: MIT */
/* Launching our kernels for matrix products (nnr_product.h). Private to the cublas files. */
#ifndef NNR_CUDA_PRODUCT_H
#define NNR_CUDA_PRODUCT_H

#include "runtime/cuda/plan.h"

#include "runtime/cuda/nnr_control.h" /* after nnr.h, with which it has a struct in common */

/* Whether the kernel computes this product here: of f32 in tf32, from addresses that divide by `alignment`. NULL: there
 * is none. */
bool product_fits(const NnrProductKernel *own, const NnrProductShape *s, NnrDType dtype, int alignment);
/* Enqueues one run; false where the driver can't describe the tensors. A kernel that carries gathers that part of a
 * batch meanwhile. What follows the product reads bias and weight; NULL: it reads none. With weights y are the
 * sums along its rows. */
bool product_run(const NnrProductKernel *own, const NnrProductShape *s, const void *a, const void *b,
                 const void *bias, const void *weight, void *y, const NnrCarried *carried);

/* A product of so much work, m n k, whose kernel could gather is enqueued; that kernel takes `slower_us` longer than
 * the library's, 0 where it is the faster. True where the step's products gather: then take it, with *part of
 * the next batch. Outside of training steps none do. (carry.c) */
bool nnr_cuda_carry(double work, double slower_us, NnrCarried *part);

#endif
