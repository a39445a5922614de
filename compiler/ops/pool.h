/* Loops of the pooling operators: pool_cpu.c. */
#ifndef NNC_POOL_H
#define NNC_POOL_H

#include "ops/window.h"

/* The window of a pooling node; the image's shape is `x`. */
void pool_window(const Node *n, Type x, Window *w);

void maxpool_emit(KernelText *k, const Node *n);
void maxpool_grad_emit(KernelText *k, const Node *n);
void avgpool_emit(KernelText *k, const Node *n);
void avgpool_grad_emit(KernelText *k, const Node *n);

/* pool_cuda.c */
void maxpool_emit_cuda(KernelText *k, const Node *n);
void maxpool_grad_emit_cuda(KernelText *k, const Node *n);
void avgpool_emit_cuda(KernelText *k, const Node *n);
void avgpool_grad_emit_cuda(KernelText *k, const Node *n);
int64_t pool_cuda_threads(const Node *n);
int64_t maxpool_grad_cuda_threads(const Node *n);

#endif
