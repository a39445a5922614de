/* SPDX-License-Identifier: MIT */
/* One case of libraries.c: an operation on a GPU through the runtime's calls, compared with plain loops in double. What
 * the backend gives to the libraries' files is here too, with the end of a case in place of the end of the process. */
#ifndef NNC_TESTS_GPU_CASE_H
#define NNC_TESTS_GPU_CASE_H

#include "tests/gpu/tensor.h"

typedef struct Arithmetic {
	const char *name, *precision; /* as selected; what the model says */
	NnrDType dtype;
	double rounding, noise; /* rounding: of a result in the data's type */
} Arithmetic;

typedef struct Gpu {
	CUdevice device;
	CUstream stream;
	CUdeviceptr workspace;
	int64_t workspace_bytes;
	const Arithmetic *arithmetic;
	bool deterministic;
	bool small; /* of our products those that racecheck has memory for */
} Gpu;

extern Gpu gpu;
extern int passed, failed;

typedef struct Case Case;
struct Case {
	const char *name;
	Tensor x, w, y; /* operands and result of the convolution or the product; one of them is the result */
	Tensor residual, bias, weight, sum;
	const NnrEpilogue *epilogue;
	Tensor *result;
	int64_t terms; /* of each sum of the result */
	int64_t work;  /* multiply-adds of an element, where that is not its terms; else 0 */
	double flops;
	void (*run)(Case *c, NnrPlan **plan);      /* enqueues it */
	double (*exact)(const Case *c, int64_t i); /* the i-th element of the result */
	/* How far it moves where the sum before an epilogue is rounded; NULL: there is none. */
	double (*carried)(const Case *c, int64_t i);
	bool in_two; /* it is rounded on the way, whatever ran */
	const void *shape;
	int kind;
};

/* Takes the first GPU, and says what it is. */
void start_gpu(void);
/* Tunes it, runs it again, compares and reports. A library that refuses ends the case as failed. */
void run_case(Case *c);
/* Counts what was found beside that; `why` is printed where it is not fine. */
void judge_case(bool fine, const Case *c, const char *why);
void free_case(Case *c);

#endif
