/* SPDX-License-Identifier: MIT */
/* The loops of pooling: pool_cpu.c, pool_cuda.c. */
#ifndef NNC_KERNELS_POOL_H
#define NNC_KERNELS_POOL_H

#include "codegen/kernel.h"
#include "codegen/op_loops.h"
#include "ops/pool.h"

void maxpool_emit(KernelText *k, const Node *n);
void maxpool_grad_emit(KernelText *k, const Node *n);
void avgpool_emit(KernelText *k, const Node *n);
void avgpool_grad_emit(KernelText *k, const Node *n);
void unpool_emit(KernelText *k, const Node *n);

/* pool_cuda.c */
void maxpool_emit_cuda(KernelText *k, const Node *n);
void maxpool_grad_emit_cuda(KernelText *k, const Node *n);
void avgpool_emit_cuda(KernelText *k, const Node *n);
void avgpool_grad_emit_cuda(KernelText *k, const Node *n);
void unpool_emit_cuda(KernelText *k, const Node *n);
int64_t pool_cuda_threads(const Node *n);
int64_t maxpool_grad_cuda_threads(const Node *n);

#endif
