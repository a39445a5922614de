/* The shape of a matrix product; for the code generators of every target. */
#ifndef NNC_MATMUL_H
#define NNC_MATMUL_H

#include "ir/op.h"

typedef struct MatmulShape {
	int64_t batch, m, n, k; /* y[m,n] = sum over k, `batch` times */
	bool ta, tb;            /* a is stored [k,m]; b is stored [n,k] */
} MatmulShape;

void matmul_shape(const Node *n, MatmulShape *s);

/* matmul_cpu.c */
void matmul_emit(KernelText *k, const Node *n);
void matmul_write_shape(KernelText *k, const Node *n);

/* gemm_cuda.c */
void matmul_emit_cuda(KernelText *k, const Node *n);
int64_t matmul_cuda_threads(const Node *n);

/* matmul_block.c */
void matmul_emit_block(KernelText *k, const Node *n);
int64_t matmul_block_workspace(const Node *n, int threads);

#endif
