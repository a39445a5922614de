/* SPDX-License-Identifier: MIT */
/* The shape of a matrix product; for the code generators of every target. */
#ifndef NNC_MATMUL_H
#define NNC_MATMUL_H

#include "ir/op.h"

typedef struct MatmulShape {
	int64_t batch, m, n, k; /* y[m,n] = sum over k, `batch` times */
	bool ta, tb;            /* a is stored [k,m]; b is stored [n,k] */
} MatmulShape;

void matmul_shape(const Node *n, MatmulShape *s);

#endif
