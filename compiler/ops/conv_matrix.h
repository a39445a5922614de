/* SPDX-License-Identifier: MIT */
/* The weights of a convolution as the matrix that takes a whole image to a whole result; for the pass that makes
 * them, and for their loops. */
#ifndef NNC_CONV_MATRIX_H
#define NNC_CONV_MATRIX_H

#include "ops/conv.h"

typedef struct ConvMatrixSizes {
	Window win;
	int64_t filters, channels;
} ConvMatrixSizes;

/* Of a node conv_matrix, or of its gradient. */
ConvMatrixSizes conv_matrix_sizes(const Node *n);
/* conv_matrix of the weights `w` of the convolution `conv`: [P*Q*filters, H*W*channels]. */
Node *build_conv_matrix(Build *b, const Node *conv, Node *w);
/* Pairs of a pixel of the image and one of the result that a tap joins: the rest of the matrix is zeros. */
int64_t conv_matrix_pairs(const Window *w);

#endif
