/* SPDX-License-Identifier: MIT */
/* Tensors on the GPU whose values the test knows, for libraries.c. */
#ifndef NNC_TESTS_GPU_TENSOR_H
#define NNC_TESTS_GPU_TENSOR_H

#include "runtime/cuda/driver.h"
#include "runtime/cuda/nnr_cuda.h"

enum { GUARD = 1024 }; /* bytes after each that nothing may write */

typedef struct Tensor {
	NnrDType dtype;
	int64_t count;
	double *value;  /* as the device sees it, rounded to dtype */
	CUdeviceptr at; /* `shift` bytes into its memory; 0: there is no such tensor */
	int64_t shift;
} Tensor;

int64_t tensor_element(NnrDType dtype); /* bytes */
double random_unit(void);               /* of [0, 1) */
/* The i-th element of raw data. */
double tensor_load(NnrDType dtype, const void *from, int64_t i);
/* Random numbers of [-1, 1]: all bits of f32, so that what tf32 loses is seen; of the 16-bit types what they hold. */
Tensor tensor_new(NnrDType dtype, int64_t count);
/* One that is not written yet; its values are not known. */
Tensor tensor_new_result(NnrDType dtype, int64_t count);
/* Moves what is there to memory in which it begins after so many other elements. Of no tensor: nothing. */
void tensor_shift(Tensor *t, int64_t elements);
/* Makes all of it NaN, and of the guard 0xff. */
void tensor_spoil(const Tensor *t);
/* Its bytes and the guard's, to be freed. */
unsigned char *tensor_download(const Tensor *t);
void tensor_free(Tensor *t);

#endif
