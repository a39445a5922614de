/* SPDX-License-Identifier: MIT */
/* The loops of attention: attention_cpu.c, attention_cuda.c. */
#ifndef NNC_KERNELS_ATTENTION_H
#define NNC_KERNELS_ATTENTION_H

#include "codegen/kernel.h"
#include "codegen/op_loops.h"
#include "ops/attention.h"

/* attention_cpu.c */
/* The tensor of the logs that the kernel of `attention` writes beside y; NULL: there is none. */
const char *attention_logs_text(const KernelText *k);

#endif
