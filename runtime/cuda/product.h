/* Launching our kernels for matrix products (nnr_product.h). Private to the cublas files. */
#ifndef NNR_CUDA_PRODUCT_H
#define NNR_CUDA_PRODUCT_H

#include "runtime/cuda/plan.h"

#include "runtime/cuda/nnr_control.h" /* behind nnr.h, with which it has a struct in common */

/* Whether the kernel computes this product here: of f32 in tf32, from addresses that divide by `alignment`. NULL: there
 * is none. */
bool product_fits(const NnrProductKernel *own, const NnrProductShape *s, NnrDType dtype, int alignment);
/* Enqueues one run; false where the driver can't describe the tensors. In a step it may gather a part of the next
 * batch. */
bool product_run(const NnrProductKernel *own, const NnrProductShape *s, const void *a, const void *b, void *y,
                 bool in_step);

/* Whether, as far as one knows when plans are made, a kernel that carries will gather in a product of so much work,
 * m n k. */
bool nnr_cuda_may_carry(double work);
/* The part of the next batch that a product of so much work, m n k, gathers (carry.c); none outside of training
 * steps. */
NnrCarried nnr_cuda_carried(double work);

#endif
