/* SPDX-License-Identifier: MIT */
/* Kernels from text, compiled for the device at hand; what nnr_launch starts in the tests of the libraries. */
#ifndef NNC_TESTS_GPU_KERNEL_H
#define NNC_TESTS_GPU_KERNEL_H

#include "runtime/cuda/nnr_cuda.h"

/* The kernels of `source` are then those that nnr_launch finds; the ones before are gone. */
void kernel_load(const char *source);

#endif
