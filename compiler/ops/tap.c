/* SPDX-License-Identifier: MIT */
/* Pooling by single elements of the windows, its taps: pieces of which a pool can be composed, so that fuse joins it
 * with what stands in front (passes/pool_taps.c). Not for the language. */
#include "ops/compose.h"
#include "ops/pool.h"

/* The window over `image`, whose element `at` is meant. An image and its windows have several rows and columns, and
 * different shapes: a kernel's loops leave out dimensions of 1, and take a tensor of the result's shape for one that is
 * read at the same index. */
static bool infer_tap(Infer *in, const int64_t image[2], Window *w)
{
	int count;
	const int64_t *at = infer_ints(in, "at", &count);
	if (!pool_window_infer(in, image, w))
		return false;
	bool fits = count == 2 && (w->in[0] != w->out[0] || w->in[1] != w->out[1]);
	for (int i = 0; i < 2 && fits; i++)
		fits = w->in[i] > 1 && w->out[i] > 1 && at[i] >= 0 && at[i] < w->size[i];
	return fits || infer_error(in, "bad-window", "`%s` has no such window", in->op->name);
}

static bool tap_infer(Infer *in)
{
	Type x = in->operands[0]->type;
	Window w;
	if (!pool_infer_image(in, 0) || !infer_tap(in, x.dim + 1, &w))
		return false;
	return infer_result(in, x.dtype, 4, (int64_t[]){x.dim[0], w.out[0], w.out[1], x.dim[3]});
}

static bool border_infer(Infer *in)
{
	int count;
	const int64_t *image = infer_ints(in, "image", &count);
	Type t = in->operands[0]->type;
	Window w;
	if (count != 2)
		return infer_error(in, "shape-mismatch", "`image` of `%s` is not a height and a width",
		                   in->op->name);
	if (!pool_infer_image(in, 0) || !infer_tap(in, image, &w))
		return false;
	if (t.dim[1] != w.out[0] || t.dim[2] != w.out[1])
		return infer_error(in, "shape-mismatch", "%s are no windows of %lldx%lld pixels",
		                   operand_text(in, 0), (long long)image[0], (long long)image[1]);
	return infer_like(in, 0);
}

/* Of the pixel that is the tap `at` of a window. */
static void pixel_place(const Node *n, int axis, Place *p)
{
	int count;
	if (axis != 1 && axis != 2)
		return;
	p->times = node_ints(n, "stride", &count)[axis - 1];
	p->plus = node_ints(n, "at", &count)[axis - 1] - node_ints(n, "pad", &count)[axis - 1];
	p->count = node_is(n, "mask_border") ? node_ints(n, "image", &count)[axis - 1]
	                                     : n->operands[0]->type.dim[axis];
}

#define TAP_SAMPLE(x, image, y, window, at)    "x=f32[" x "] " window " at=[" at "]",
#define BORDER_SAMPLE(x, image, y, window, at) "x=f32[" y "] image=[" image "] " window " at=[" at "]",
#define SAMPLES(X)                                                                        \
	X("2,4,4,3", "4,4", "2,2,2,3", "size=[2,2] stride=[2,2] pad=[0,0,0,0]", "0,0")    \
	X("2,4,4,4", "4,4", "2,2,2,4", "size=[2,2] stride=[2,2] pad=[0,0,0,0]", "1,1")    \
	X("2,6,4,16", "6,4", "2,3,2,16", "size=[2,2] stride=[2,2] pad=[0,0,0,0]", "0,1")  \
	X("2,5,5,3", "5,5", "2,2,2,3", "size=[2,2] stride=[2,2] pad=[0,0,0,0]", "1,0")    \
	X("1,6,6,4", "6,6", "1,2,2,4", "size=[3,3] stride=[3,3] pad=[0,0,0,0]", "2,1")    \
	X("2,8,8,5", "8,8", "2,4,4,5", "size=[3,3] stride=[2,2] pad=[1,1,1,1]", "0,0")    \
	X("2,8,8,8", "8,8", "2,4,4,8", "size=[3,3] stride=[2,2] pad=[1,1,1,1]", "0,2")    \
	X("2,8,6,8", "8,6", "2,4,3,8", "size=[3,3] stride=[2,2] pad=[1,1,1,1]", "2,0")    \
	X("1,7,7,2", "7,7", "1,4,4,2", "size=[3,3] stride=[2,2] pad=[1,1,1,1]", "2,2")    \
	X("1,7,5,2", "7,5", "1,3,2,2", "size=[3,3] stride=[2,2] pad=[0,0,0,0]", "1,2")    \
	X("1,5,5,17", "5,5", "1,4,4,17", "size=[2,2] stride=[1,1] pad=[0,0,0,0]", "1,0")  \
	X("2,5,5,3", "5,5", "2,5,3,3", "size=[3,3] stride=[1,2] pad=[1,1,1,1]", "0,1")    \
	X("1,9,9,3", "9,9", "1,2,2,3", "size=[2,2] stride=[4,4] pad=[0,0,0,0]", "1,1")    \
	X("1,8,6,2", "8,6", "1,4,2,2", "size=[2,3] stride=[2,3] pad=[0,0,0,0]", "1,2")    \
	X("1,8,6,2", "8,6", "1,7,3,2", "size=[2,1] stride=[1,2] pad=[0,0,0,0]", "1,0")    \
	X("1,4,4,2", "4,4", "1,3,3,2", "size=[2,2] stride=[2,2] pad=[1,1,1,1]", "0,1")    \
	X("1,5,4,2", "5,4", "1,6,5,2", "size=[4,4] stride=[1,1] pad=[2,2,2,2]", "3,0")    \
	X("2,7,7,70", "7,7", "2,2,2,70", "size=[5,5] stride=[2,2] pad=[0,0,0,0]", "4,3")  \
	X("3,9,9,4", "9,9", "3,6,6,4", "size=[3,3] stride=[2,2] pad=[2,2,2,2]", "0,2")    \
	X("1,20,3,1", "20,3", "1,10,2,1", "size=[2,2] stride=[2,1] pad=[0,0,0,0]", "1,1") \
	X("4,2,12,8", "2,12", "4,3,4,8", "size=[2,3] stride=[1,3] pad=[1,0,1,0]", "1,1")

static const char *const tap_samples[] = {SAMPLES(TAP_SAMPLE) NULL};
static const char *const border_samples[] = {SAMPLES(BORDER_SAMPLE) NULL};

const Op tap_ops[] = {
        {.name = "tap",
         .signature = "x -> y",
         .doc = "The element `at` of every window of an image, or where that is in the border the nearest "
                "pixel: "
                "y[n,p,q,c] = x[n,p*s+r-pad,q*t+k-pad,c].",
         .flags = OP_POINTWISE | OP_PLACED,
         .infer = tap_infer,
         .place = pixel_place,
         .expr = "x",
         .samples = tap_samples},
        {.name = "mask_border",
         .signature = "x -> y",
         .doc = "x, a number for every window of an image, where the window's element `at` is a pixel of it; "
                "-inf where it is in the border.",
         .flags = OP_POINTWISE | OP_CHEAP,
         .infer = border_infer,
         .place = pixel_place,
         .expr = "on ? x : -INFINITY",
         .samples = border_samples},
        {0},
};
