/* SPDX-License-Identifier: MIT */
/* Convolutions and matrix products through oneDNN: libnnr_dnn.a, which opens libdnnl (2.x or 3.x) when it is called.
 *
 * Generated code states the sizes as a constant and keeps one plan for each step:
 *
 *     static const NnrConvShape s = {.batch = 32, ...};
 *     static NnrDnn *plan;
 *     nnr_dnn_conv_fprop(&plan, &s, x, w, y);
 *
 * The first call makes the plan: the primitive, and reorders where oneDNN prefers other layouts than ours; later calls
 * only run it. Tensors are laid out as everywhere in nnr: x and y NHWC, w KRSC, matrices by rows; single precision.
 * Not for use from several threads at once; oneDNN itself runs on OpenMP's threads. A failure ends the process with a
 * sentence that names the call. */
#ifndef NNR_DNN_H
#define NNR_DNN_H

#include <stdbool.h>

#include "conv_shape.h"

typedef struct NnrDnn NnrDnn; /* a plan; lives as long as the process */

typedef struct NnrMatmulShape {
	int64_t batch, m, n, k; /* y[m,n], `batch` times */
	bool ta, tb;            /* a is stored [k,m]; b is stored [n,k] */
} NnrMatmulShape;

void nnr_dnn_conv_fprop(NnrDnn **plan, const NnrConvShape *s, const float *x, const float *w, float *y);
void nnr_dnn_conv_dgrad(NnrDnn **plan, const NnrConvShape *s, const float *dy, const float *w, float *dx);
void nnr_dnn_conv_wgrad(NnrDnn **plan, const NnrConvShape *s, const float *x, const float *dy, float *dw);
void nnr_dnn_matmul(NnrDnn **plan, const NnrMatmulShape *s, const float *a, const float *b, float *y);

#endif
