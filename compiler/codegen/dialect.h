/* SPDX-License-Identifier: MIT */
/* What a target's steps are written in. With Target it is the seam between nnc and a machine: all else that codegen/
 * does is the same for every dialect. Private to codegen/. */
#ifndef NNC_DIALECT_H
#define NNC_DIALECT_H

#include "codegen/forms.h"
#include "codegen/kernel.h"

struct Dialect {
	/* Steps are kernels in a text of their own, kernels.cu, and the host has a function that launches each. */
	bool kernels;
	/* Qualifiers of a step's tensors: as parameters of the host's function, and of the kernel; NULL: there is none.
	 */
	const char *qualifier, *kernel_qualifier;
	const char *const
	        *taken; /* names that its functions have beside those of all; NULL-terminated, or NULL */
	/* Of a fused kernel: elements of its partial sums; and its body. */
	int64_t (*workspace)(const LoopNest *nest, const Target *t);
	CudaLaunch (*write_loops)(Body *e, const Target *t);
	/* Of an operator with loops of its own. */
	void (*write_operator)(KernelText *k, const Node *n);
};

extern const Dialect dialect_c;     /* C with OpenMP */
extern const Dialect dialect_cuda;  /* a CUDA kernel for each step */
extern const Dialect dialect_block; /* CUDA too, of the steps of one sample on chip */

#endif
