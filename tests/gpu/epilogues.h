/* SPDX-License-Identifier: MIT */
/* Epilogues of convolutions for libraries.c: what they compute, in double and as the kernel that runs where cuDNN has
 * no plan. */
#ifndef NNC_TESTS_GPU_EPILOGUES_H
#define NNC_TESTS_GPU_EPILOGUES_H

#include "runtime/cuda/driver.h"
#include "runtime/cuda/nnr_cuda.h"
#include "runtime/cuda/tune.h"

extern const NnrEpilogue epilogues[];
extern const int epilogue_count;

double epilogue_activate(const NnrEpilogue *e, double x);
/* How far the result of `sum` + `added` may move where `sum` is rounded before: |sum| * rounding either way. */
double epilogue_moves(const NnrEpilogue *e, double sum, double added, double rounding);
const char *epilogue_name(const NnrEpilogue *e);
/* Makes the kernel of `e`, which nnr_launch then starts, for a result of `count` elements; the one before is gone. */
void epilogue_load_kernel(const NnrEpilogue *e, NnrDType dtype, int64_t count, int64_t filters);
/* Whether the sum is rounded before the epilogue by the plan in the record: a kernel of its own comes after it, or
 * cuBLASLt's, which adds up the parts of a split k. */
bool epilogue_takes_rounded_sum(const TuneEntry *e);

#endif
