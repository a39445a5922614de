/* SPDX-License-Identifier: MIT */
/* The loops of embedding: embed_cpu.c, embed_cuda.c. */
#ifndef NNC_KERNELS_EMBED_H
#define NNC_KERNELS_EMBED_H

#include "codegen/kernel.h"
#include "codegen/op_loops.h"
#include "ops/embed.h"

/* Of several tables declares `first`: where each begins in all rows, and where the last ends. */
void embedding_write_firsts(KernelText *k, const Node *n);

void embedding_emit(KernelText *k, const Node *n);
void embedding_grad_emit_cuda(KernelText *k, const Node *n);
void embedding_grad_parts(const Node *n, int64_t *elements, int64_t *counters);

#endif
