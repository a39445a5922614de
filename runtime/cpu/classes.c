/* SPDX-License-Identifier: MIT */
/* Which taps reach which pixels of an image, for the gradient of a convolution (conv.h). */
#include "conv.h"

static NnrTaps conv_taps(const NnrConvShape *s, int axis, int64_t start)
{
	const int64_t stride = s->stride[axis], size = s->size[axis], dilation = s->dilation[axis];
	NnrTaps t = {.start = start, .pixels = (s->in[axis] - start + stride - 1) / stride, .step = 1};
	while ((dilation * t.step) % stride)
		t.step++;
	while (t.first < t.step && (start + s->pad[axis] - t.first * dilation) % stride)
		t.first++;
	t.count = t.first < t.step && t.first < size ? (size - t.first + t.step - 1) / t.step : 0;
	/* On small images, taps that meet nothing but the border from every pixel are left out. */
	const int64_t top = start + s->pad[axis], bottom = top + (t.pixels - 1) * stride;
	for (; t.count > 0 && top - t.first * dilation >= s->out[axis] * stride; t.count--)
		t.first += t.step;
	while (t.count > 0 && bottom - (t.first + (t.count - 1) * t.step) * dilation < 0)
		t.count--;
	return t;
}

NnrConvClass nnr_conv_class(const NnrConvShape *s, int64_t h, int64_t w)
{
	NnrConvClass c = {conv_taps(s, 0, h), conv_taps(s, 1, w), 0, 0};
	c.rows = s->batch * c.h.pixels * c.w.pixels;
	c.depth = c.h.count * c.w.count * (s->filters / s->groups);
	return c;
}
