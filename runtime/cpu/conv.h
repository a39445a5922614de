/* SPDX-License-Identifier: MIT */
/* Convolutions as matrix products, block by block (gemm.h; the code is in patch.h).
 *
 *            rows m                      k                          columns n
 *   fprop    pixels of y                 r, s, c of the patch       filters
 *   dgrad    pixels of x, one class      taps r, s and filters      channels
 *   wgrad    filters                     pixels of y                r, s, c of the patch
 *
 * With strides, the pixels of x fall into stride x stride classes by their remainders; all pixels of a class are
 * reached by the same taps, so each class is one product without wasted zeros. Groups are separate products. */
#ifndef NNR_CONV_H
#define NNR_CONV_H

#include "conv_shape.h"
#include "gemm.h"

/* One axis of a class of pixels of x: pixels start, start + stride, ...; the taps that reach them are first, first +
 * step, ... */
typedef struct NnrTaps {
	int64_t start, pixels, first, step, count;
} NnrTaps;

typedef struct NnrConvClass {
	NnrTaps h, w;
	int64_t rows;  /* pixels of the class in the whole batch */
	int64_t depth; /* k of its product */
} NnrConvClass;

/* Of a filter, in height and width. */
static inline int64_t nnr_conv_taps(const NnrConvShape *s)
{
	return s->size[0] * s->size[1];
}

/* The class of the pixels (h, w), (h, w + stride), ... of x. */
NnrConvClass nnr_conv_class(const NnrConvShape *s, int64_t h, int64_t w);

/* The index of a row of the class among the pixels of x. */
static inline int64_t nnr_conv_pixel(const NnrConvShape *s, const NnrConvClass *c, int64_t row)
{
	const int64_t n = row / (c->h.pixels * c->w.pixels), i = row / c->w.pixels % c->h.pixels,
	              j = row % c->w.pixels;
	return (n * s->in[0] + c->h.start + i * s->stride[0]) * s->in[1] + c->w.start + j * s->stride[1];
}

/* A block of the product of one group, as nnr_matmul_block. */
#define NNR_CONV_FPROP_BLOCK(real, name)                                                                \
	void nnr_conv_fprop_block_##name(int64_t mb, int64_t nb, const NnrConvShape *s, int64_t group,  \
	                                 const real *x, const real *w, int64_t k_first, int64_t k_last, \
	                                 int64_t m0, int64_t n0, real *y)
#define NNR_CONV_WGRAD_BLOCK(real, name)                                                                 \
	void nnr_conv_wgrad_block_##name(int64_t mb, int64_t nb, const NnrConvShape *s, int64_t group,   \
	                                 const real *x, const real *dy, int64_t k_first, int64_t k_last, \
	                                 int64_t m0, int64_t n0, real *dw)
#define NNR_CONV_DGRAD_BLOCK(real, name)                                                             \
	void nnr_conv_dgrad_block_##name(int64_t mb, int64_t nb, const NnrConvShape *s,              \
	                                 const NnrConvClass *c, int64_t group, const real *dy,       \
	                                 const real *w, int64_t k_first, int64_t k_last, int64_t m0, \
	                                 int64_t n0, real *dx)
#define NNR_CONV_BLOCKS(real, name)       \
	NNR_CONV_FPROP_BLOCK(real, name); \
	NNR_CONV_WGRAD_BLOCK(real, name); \
	NNR_CONV_DGRAD_BLOCK(real, name);
NNR_CONV_BLOCKS(float, f32)
NNR_CONV_BLOCKS(double, f64)

#endif
