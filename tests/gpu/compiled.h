/* SPDX-License-Identifier: MIT */
/* Where compiled kernels are kept: `tests/gpu/run --pack` compiles on a machine without a GPU what one with a GPU
 * runs. */
#ifndef NNC_TESTS_GPU_COMPILED_H
#define NNC_TESTS_GPU_COMPILED_H

#include "base/arena.h"

/* The file of the images of `kernels` for `archs`, in $NNC_TEST_KERNELS; NULL without that variable. Its name is made
 * of all that the images depend on: the texts, with every header that they include from the folder `include`. */
const char *compiled_file(Arena *a, const char *kernels, const char *archs, const char *precision,
                          const char *include);

#endif
