/* SPDX-License-Identifier: MIT */
/* The loops of matrix products, and the sizes that a library gets. */
#ifndef NNC_KERNELS_MATMUL_H
#define NNC_KERNELS_MATMUL_H

#include "codegen/kernel.h"
#include "codegen/op_loops.h"
#include "ops/matmul.h"

/* matmul_block.c */
void matmul_emit_block(KernelText *k, const Node *n);
int64_t matmul_block_workspace(const Node *n, int threads);

#endif
