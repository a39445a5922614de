/* SPDX-License-Identifier: MIT */
/* The kernels that the fake driver finds in any image. */
#ifndef NNC_TESTS_FAKE_CUDA_H
#define NNC_TESTS_FAKE_CUDA_H

#ifndef __CUDACC__
#include "tests/cuda/emulation.h"
#endif

enum { FAKE_ARGUMENTS = 6 };

typedef struct FakeKernel {
	struct EmulatedKernel kernel;
	int count;
	int bytes[FAKE_ARGUMENTS]; /* of each argument: a graph keeps copies */
} FakeKernel;

#endif
