/* SPDX-License-Identifier: MIT */
/* What an operator is computed by on each target: its loops in C and CUDA, its form for a step on chip, and the calls
 * of libraries. An operator means the same without any of it (ir/op.h). The records are beside the functions that they
 * name, in kernels/; here is what the rest of codegen/ and those above ask of them. */
#ifndef NNC_OP_LOOPS_H
#define NNC_OP_LOOPS_H

#include "ir/op.h"

typedef struct KernelText KernelText; /* codegen/kernel.h */

typedef struct OpLoops {
	const char *op;
	/* For all targets: computes one element, or a few, and finishes each (codegen/lanes.h). NULL: those below. */
	void (*emit)(KernelText *k, const Node *n);
	void (*emit_cpu)(KernelText *k, const Node *n); /* body of its C function: plain loops, the oracle */
	/* Body of its CUDA kernel: computes one element, or a few, and finishes each through kernel_epilogue. Sets
	 * KernelText.units. */
	void (*emit_cuda)(KernelText *k, const Node *n);
	/* Of an emit_cuda whose blocks leave sums of parts, to be added by the one that arrives last: elements of
	 * `partial`, and how many counters `done[]` of those that have arrived. NULL: there are none. */
	void (*cuda_parts)(const Node *n, int64_t *elements, int64_t *counters);
	/* Body of the function that all threads of a block call, for a step that stays on chip (onchip/onchip.c): the
	 * node is of one sample. NULL: there is none, or the units of emit_cuda. And the elements of workspace that it
	 * needs. */
	void (*emit_block)(KernelText *k, const Node *n);
	int64_t (*block_workspace)(const Node *n, int threads);
	/* Whether the result can be written over operand i there: each unit has read all of it that any unit reads at
	 * the places which the unit writes. NULL: never. */
	bool (*block_overwrites)(const Node *n, int operand);
	const char *header, *cuda_header; /* of the runtime, that these texts need: "cpu/gemm.h"; or NULL */
	/* The runtime's oneDNN step for this node ("nnr_dnn_conv_fprop"; runtime/cpu/nnr_dnn.h), and what writes its
	 * sizes as a constant named `shape`; both NULL: there is none. Which nodes take it: codegen/cpu.c. */
	const char *dnn;
	void (*dnn_shape)(KernelText *k, const Node *n);
	/* The same for CUDA ("nnr_cudnn_conv_fprop"; runtime/cuda/nnr_cuda.h), of the same shape; and with an epilogue
	 * (passes/epilogue.h). NULL: there is none. */
	const char *cuda, *cuda_epilogue;
} OpLoops;

/* Those of an operator; an empty record where it has none: it is pointwise, a reduction, an alias or a leaf, or is
 * expanded. (kernels/roster.c) */
const OpLoops *op_loops(const Op *op);

#endif
