/* SPDX-License-Identifier: MIT */
/* The activations that a library's call may compute after a convolution or a product: what each is called there. */
#ifndef NNC_ACTIVATION_H
#define NNC_ACTIVATION_H

#include "ir/op.h"

/* In which types cuBLASLt's products compute one. */
typedef enum { CUBLAS_NEVER, CUBLAS_HALVES, CUBLAS_ALWAYS } CublasHas;

typedef struct Activation {
	const char *op;
	const char *runtime; /* its name in NnrActivation (runtime/cuda/nnr_cuda.h) */
	const char *slope;   /* the attribute that is its slope; NULL: it has none */
	CublasHas cublas;
	bool cublas_keeps; /* such a product can store the operand, too, from which the gradient is computed */
} Activation;

const Activation *activation_of(const Op *op); /* NULL: no library computes it */
bool activation_in_cublas(const Op *op);       /* in some type */

#endif
