/* SPDX-License-Identifier: MIT */
/* What oneDNN would compute, by nnc's own products: for machines without it. Compiled with OpenMP. */
#ifndef NNR_DNN_LOOPS_H
#define NNR_DNN_LOOPS_H

#include "runtime/cpu/nnr_dnn.h"

void dnn_loops_fprop(const NnrConvShape *s, const float *x, const float *w, float *y);
void dnn_loops_dgrad(const NnrConvShape *s, const float *dy, const float *w, float *dx);
void dnn_loops_wgrad(const NnrConvShape *s, const float *x, const float *dy, float *dw);
void dnn_loops_matmul(const NnrMatmulShape *s, const float *a, const float *b, float *y);

#endif
