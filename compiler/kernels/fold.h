/* SPDX-License-Identifier: MIT */
/* The loops of unfold and fold: fold_cpu.c, fold_cuda.c. */
#ifndef NNC_KERNELS_FOLD_H
#define NNC_KERNELS_FOLD_H

#include "codegen/kernel.h"
#include "codegen/op_loops.h"
#include "ops/fold.h"

/* fold_cuda.c */
void unfold_emit_cuda(KernelText *k, const Node *n);
void fold_emit_cuda(KernelText *k, const Node *n);

#endif
