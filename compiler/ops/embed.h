/* CUDA kernels of the embedding operators: embed_cuda.c. */
#ifndef NNC_EMBED_H
#define NNC_EMBED_H

#include "ops/op.h"

void embedding_emit_cuda(KernelText *k, const Node *n);
void embedding_grad_emit_cuda(KernelText *k, const Node *n);
int64_t embedding_cuda_threads(const Node *n);
int64_t embedding_grad_cuda_threads(const Node *n);
void embedding_grad_parts(const Node *n, int64_t *elements, int64_t *counters);

#endif
