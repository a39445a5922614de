/* SPDX-License-Identifier: MIT */
/* A product as it is asked of cuBLASLt, and the plan that was chosen for it. Private to the cublas files. */
#ifndef NNR_CUDA_CUBLAS_CHOICE_H
#define NNR_CUDA_CUBLAS_CHOICE_H

#include "runtime/cuda/cublas_algo.h"
#include "runtime/cuda/epilogue.h"
#include "runtime/cuda/product.h"

/* Ways to ask for a product: as y' = b' a', as it stands, and as the first with an epilogue, after the others a
 * kernel. */
enum { TURNED, STRAIGHT, FUSED, FORMS };

/* d = op(a) op(b), column-major; in the transposed form a is our b. */
typedef struct Form {
	bool exists, transposed;
	int64_t leading_a, leading_b, leading_d;
	cublasLtMatmulDesc_t operation;
	cublasLtMatrixLayout_t a, b, d;
} Form;

typedef struct Question {
	const NnrProductShape *shape; /* with `own` only where our kernel fits */
	const NnrEpilogue *epilogue;  /* NULL: there is none */
	NnrDType dtype;
	cudaDataType_t type, result; /* of a and b; of y */
	cublasComputeType_t compute;
	int64_t workspace_cap;
	int alignment; /* of a, b and y, bytes */
	/* Fully, and what the epilogue has beside; else cuBLASLt is not shown it, as cuDNN (cudnn_copies.c). */
	bool aligned_bias;
	int element, result_element; /* bytes */
	/* Of partial sums of a split k, CUBLASLT_REDUCTION_SCHEME_*: never in 16 bits; and where runs are to be equal,
	 * never in place: a graph and plain launches differed, but part of that was a mistake of our own, found since,
	 * and which part is not measured. */
	uint32_t reductions;
	char key[TUNE_KEY_BYTES];
} Question;

/* The plan, one per operation and shape: the library's fastest, and beside it our kernel. Which of the two a step takes
 * may depend on all its products: see carry.c. */
typedef struct Choice {
	PlanChoice base; /* its times are the library's */
	NnrProductShape shape;
	Form form[FORMS]; /* all there are */
	bool fails;       /* cuBLASLt has no algorithm that works */
	int used;         /* a form */
	cublasLtMatmulAlgo_t algo;
	int64_t workspace;
	double own_us; /* of our kernel, as TUNE_OWN_TIME; 0: it was not timed, or does not work */
} Choice;

typedef struct Call {
	const Choice *choice;
	/* NULL, or by this kernel: equal steps may have one each, with counters of its own. */
	const NnrProductKernel *own;
	NnrCarried carried; /* the part of a gather that it does meanwhile */
	const NnrEpilogue *epilogue;
	const void *a, *b, *bias, *weight; /* the last two of the epilogue, or NULL */
	const void *at;                    /* of NNR_SLOPE, or NULL */
	const void *residual;              /* of the epilogue, or NULL */
	void *beside, *partial;            /* of the epilogue, or NULL */
	void *y, *sums;                    /* sums: along the rows of what would be y, or NULL */
	bool adds;                         /* to what is in y; never in a trial, nor with an epilogue */
	cublasStatus_t status;
} Call;

/* Of a matrix as stored: what the shape says, 0 for dense rows. */
int64_t cublas_leading(int64_t given, int64_t dense);
/* A PlanRun: enqueues a Call; false where it is refused, `status` says why. */
bool cublas_run(void *context);
/* Makes the algorithm c's; false when cuBLASLt refuses it for this product, which it may still do when it is called. */
bool cublas_install(Choice *c, const Question *q, int form, const cublasLtMatmulAlgo_t *algo);
/* What was chosen, as settings of c's entry. */
void cublas_write_entry(Choice *c);

/* ---- cublas_parts.c */

/* A product in two: the part whose extents are multiples of 16 bytes, and what is left. */
typedef struct Parts {
	NnrProductShape main, rest;
	int64_t a, b,
	        y; /* bytes from the tensors of the one, which are the product's, to those of the other */
	bool sums; /* the rest is computed first, and main adds to it; else they are places of y */
} Parts;

/* Multiply-adds of the least product in two; a test sets it. */
extern double cublas_parts_from;
/* False: the product is computed whole. Elements are of so many bytes; `alignment` is that of all addresses. */
bool cublas_parts(const NnrProductShape *s, int element, int result_element, int alignment, Parts *p);

/* ---- cublas_search.c */

/* Makes the first algorithm that works c's: one that runs, on the step's own tensors. */
void cublas_take_first(Choice *c, const Question *q, Call *call);
/* Hands the choice over to the tuning, with the call of its first step. */
void cublas_wait_for_search(Choice *c, const Question *q, const Call *first);

#endif
