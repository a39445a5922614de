/* SPDX-License-Identifier: MIT */
/* Convolutions of images with few channels by kernels of our own on tensor cores, the implementation `image`: how they
 * are cut, and the operator that a weight gradient becomes.
 *
 * A tile is `rows` neighbouring rows of the output of one image. The tiles are numbered image by image, ceil(P / rows)
 * of them in each, and tile j belongs to block j % blocks. A weight gradient has as many parts as blocks:
 *
 *     part i of conv_wgrad_parts(x, dy) = the terms of conv_wgrad(x, dy) from the output rows of the tiles j
 *                                         with j % parts == i */
#ifndef NNC_CONV_IMAGE_H
#define NNC_CONV_IMAGE_H

#include "ops/conv.h"
#include "target/target.h"

typedef struct ConvImagePlan {
	int64_t rows;   /* of the output in a tile; the last one of an image may have fewer */
	int64_t blocks; /* of 256 threads, for each 16, 32 or 64 filters; of a weight gradient, its parts */
} ConvImagePlan;

/* The tiles of one image. */
int64_t conv_image_tiles(const ConvShape *s, int64_t rows);

/* `n`, a convolution or its gradient, with its implementation and how it is cut: `rows`, and `blocks`. A weight
 * gradient is the sum of conv_wgrad_parts, whose `parts` these are. */
Node *conv_in_tiles(Graph *to, const Node *n, Node **operands, int64_t rows, int64_t blocks);

#endif
