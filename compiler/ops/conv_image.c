/* SPDX-License-Identifier: MIT */
/* conv_wgrad_parts: the weight gradient of a convolution in parts, each of the output rows that one block goes through,
 * whose sum over axis 0 is conv_wgrad. Which rows those are, and its loops:
 * kernels/conv_image.h. */
#include "ops/conv.h"

#include <string.h>

static bool parts_infer(Infer *in)
{
	static const char *const counts[] = {"rows", "parts"};
	int count;
	if (!conv_wgrad_infer(in))
		return false;
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		if (infer_int(in, counts[i]) < 1)
			return infer_error(in, "bad-argument", "`%s` of `%s` must be at least 1", counts[i],
			                   in->op->name);
	const int64_t *dilation = infer_ints(in, "dilation", &count);
	const int64_t *w = in->result.dim, groups = infer_int(in, "groups");
	const bool depthwise = groups == w[0] && w[3] == 1;
	if ((groups != 1 && !depthwise) || dilation[0] != 1 || dilation[1] != 1)
		return infer_error(in, "bad-window",
		                   "`%s` has one group, or a filter for each channel, and no dilation",
		                   in->op->name);
	int64_t dim[5] = {infer_int(in, "parts"), w[0], w[1], w[2], w[3]};
	return infer_result(in, in->result.dtype, 5, dim);
}

/* Each line is x, w, dy, stride, pad, rows and parts; those below with a filter for each channel. */
#define SHAPES(X)                                                          \
	X("1,4,4,1", "16,1,1,1", "1,4,4,16", "1,1", "0,0,0,0", "1", "1")   \
	X("1,4,4,1", "16,3,3,1", "1,4,4,16", "1,1", "1,1,1,1", "1", "3")   \
	X("2,4,4,1", "16,3,3,1", "2,4,4,16", "1,1", "1,1,1,1", "2", "3")   \
	X("2,6,8,3", "16,3,3,3", "2,6,8,16", "1,1", "1,1,1,1", "1", "5")   \
	X("2,6,8,3", "32,3,3,3", "2,6,8,32", "1,1", "1,1,1,1", "4", "3")   \
	X("2,6,8,3", "16,3,3,3", "2,4,6,16", "1,1", "0,0,0,0", "3", "2")   \
	X("3,5,4,2", "16,3,3,2", "3,5,4,16", "1,1", "1,1,1,1", "2", "4")   \
	X("3,5,4,4", "48,3,3,4", "3,5,4,48", "1,1", "1,1,1,1", "5", "3")   \
	X("2,9,12,3", "64,7,7,3", "2,5,6,64", "2,2", "3,3,3,3", "1", "4")  \
	X("1,14,16,3", "64,7,7,3", "1,7,8,64", "2,2", "3,3,3,3", "2", "2") \
	X("2,8,12,1", "16,5,5,1", "2,8,12,16", "1,1", "2,2,2,2", "3", "2") \
	X("2,8,12,2", "16,3,5,2", "2,4,12,16", "2,1", "1,2,1,2", "1", "3") \
	X("2,8,12,2", "32,5,3,2", "2,8,4,32", "1,3", "2,1,2,1", "2", "8")  \
	X("1,7,10,2", "16,2,4,2", "1,7,10,16", "1,1", "0,1,1,2", "1", "7") \
	X("1,7,10,2", "16,4,2,2", "1,4,5,16", "2,2", "1,0,2,0", "4", "1")  \
	X("4,3,4,4", "16,3,3,4", "4,1,2,16", "1,1", "0,0,0,0", "1", "4")   \
	X("4,3,4,1", "80,3,3,1", "4,3,4,80", "1,1", "1,1,1,1", "3", "2")   \
	X("1,1,4,1", "16,3,3,1", "1,1,4,16", "1,1", "1,1,1,1", "1", "1")   \
	X("1,3,4,1", "16,3,3,1", "1,3,4,16", "1,1", "1,1,1,1", "2", "5")   \
	X("1,12,4,3", "16,4,4,3", "1,3,1,16", "4,4", "0,0,0,0", "2", "2")  \
	X("2,5,6,3", "128,3,3,3", "2,5,6,128", "1,1", "1,1,1,1", "2", "6") \
	X("1,3,20,2", "16,1,7,2", "1,3,10,16", "1,2", "0,3,0,3", "1", "2") \
	X("1,20,4,2", "16,7,1,2", "1,10,4,16", "2,1", "3,0,3,0", "4", "2")
#define SAMPLE(x, w, y, stride, pad, rows, parts)                              \
	"x=f32[" x "] dy=f32[" y "] dim=[" w "] stride=[" stride "] pad=[" pad \
	"] dilation=[1,1] groups=1 rows=" rows " parts=" parts,

static const char *const parts_samples[] = {
        SHAPES(SAMPLE) "x=f32[3,5,6,4] dy=f32[3,5,6,4] dim=[4,3,3,1] stride=[1,1] pad=[1,1,1,1] "
                       "dilation=[1,1] "
                       "groups=4 impl=depthwise rows=2 parts=4",
        "x=f32[2,7,4,12] dy=f32[2,4,2,12] dim=[12,5,3,1] stride=[2,2] pad=[2,1,2,1] dilation=[1,1] groups=12 "
        "impl=depthwise rows=4 parts=2",
        "x=f32[2,6,5,58] dy=f32[2,3,3,58] dim=[58,3,3,1] stride=[2,2] pad=[1,1,1,1] dilation=[1,1] groups=58 "
        "impl=depthwise rows=2 parts=3",
        "x=f32[2,5,6,3] dy=f32[2,5,6,3] dim=[3,3,3,1] stride=[1,1] pad=[1,1,1,1] dilation=[1,1] groups=3 "
        "impl=depthwise rows=2 parts=2",
        "x=f32[3,6,5,1] dy=f32[3,3,3,1] dim=[1,3,3,1] stride=[2,2] pad=[1,1,1,1] dilation=[1,1] groups=1 "
        "impl=depthwise rows=2 parts=2",
        "x=f32[2,40,1,8] dy=f32[2,40,1,8] dim=[8,31,1,1] stride=[1,1] pad=[15,0,15,0] dilation=[1,1] "
        "groups=8 "
        "impl=depthwise rows=8 parts=3",
        "x=f32[2,37,1,12] dy=f32[2,19,1,12] dim=[12,9,1,1] stride=[2,1] pad=[4,0,4,0] dilation=[1,1] "
        "groups=12 "
        "impl=depthwise rows=4 parts=2",
        NULL};

const Op conv_image_ops[] = {
        {.name = "conv_wgrad_parts",
         .halves = HALVES_ALL,
         .signature = "x, dy -> dw",
         .doc = "Gradient of conv by its filters in parts, which add up to conv_wgrad: of the tiles of "
                "`rows` rows of dy, counted through all images, part i has those whose number is i modulo "
                "`parts`; dim is the filters' shape.",
         .gemm = GEMM_WGRAD_PARTS,
         .infer = parts_infer,
         .cost = conv_cost,
         .samples = parts_samples},
        {0},
};
