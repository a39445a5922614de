/* SPDX-License-Identifier: MIT */
/* What every text of kernels includes when it is compiled for the emulation: that which every kernels.cu includes,
 * ahead of it, so that it can be compiled once. Of the other headers each text has to name its own. The runtime's own
 * kernels, which no test of the compiler launches, would be most of what a small text compiles: cuda/line_kernels.cpp
 * has them. */
#define NNR_WITHOUT_STEP_KERNELS
#include "tests/cuda/device.h"
#include "cuda/nnr_device.h"
