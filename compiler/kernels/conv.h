/* SPDX-License-Identifier: MIT */
/* The loops of convolutions, and the sizes that a library gets. */
#ifndef NNC_KERNELS_CONV_H
#define NNC_KERNELS_CONV_H

#include "codegen/kernel.h"
#include "codegen/op_loops.h"
#include "ops/conv.h"

/* depthwise_cpu.c: what conv_cpu.c hands over */
bool conv_is_depthwise(const ConvShape *c);
void depthwise_fprop_emit(KernelText *k, const ConvShape *c);
void depthwise_dgrad_emit(KernelText *k, const ConvShape *c);
void depthwise_wgrad_emit(KernelText *k, const ConvShape *c);

/* conv_block.c */
void conv_fprop_emit_block(KernelText *k, const Node *n);
void conv_dgrad_emit_block(KernelText *k, const Node *n);
/* The C++ type that does the sums of a weight gradient, and of dy over the pixels, in registers ("NnrConvWgrad<...>" of
 * runtime/cuda/nnr_block.h); false where there is none: groups, or more filters than a block has registers for. */
bool conv_wgrad_block_form(Arena *a, const Node *n, int threads, const char **form);
int64_t conv_wgrad_block_scratch(const Node *n, int threads); /* elements, to end the sums in */

#endif
