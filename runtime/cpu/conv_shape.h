/* SPDX-License-Identifier: MIT */
/* The sizes of a convolution, as generated code states them: x [batch,H,W,channels], w [filters,R,S,channels/groups],
 * y [batch,P,Q,filters]. */
#ifndef NNR_CONV_SHAPE_H
#define NNR_CONV_SHAPE_H

#include <stdint.h>

typedef struct NnrConvShape {
	int64_t batch, channels, filters, groups;
	int64_t in[2], out[2], size[2];         /* H W, P Q, R S */
	int64_t stride[2], pad[4], dilation[2]; /* pad: top, left, bottom, right */
	int64_t live
	        [4]; /* the first r and s, and how many of each, that ever meet the image; all 0: not stated */
} NnrConvShape;

#endif
