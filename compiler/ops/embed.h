/* The embedding operators; their CUDA kernels are in embed_cuda.c. */
#ifndef NNC_EMBED_H
#define NNC_EMBED_H

#include "ir/op.h"

/* The rows of each of several tables in one, and how many tables; NULL: it is one table. */
const int64_t *embedding_counts(const Node *n, int *tables);
/* Of several tables declares `first`: where each begins in all rows, and where the last ends. */
void embedding_write_firsts(KernelText *k, const Node *n);

void embedding_emit_cuda(KernelText *k, const Node *n);
void embedding_grad_emit_cuda(KernelText *k, const Node *n);
int64_t embedding_cuda_threads(const Node *n);
int64_t embedding_grad_cuda_threads(const Node *n);
void embedding_grad_parts(const Node *n, int64_t *elements, int64_t *counters);

#endif
