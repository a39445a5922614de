/* SPDX-License-Identifier: MIT */
/* Sliding windows over the height and width of an image: what convolution and pooling share.
 *
 * Attributes of the nodes: stride = [h, w], pad = [top, left, bottom, right], dilation = [h, w] (convolution only). */
#ifndef NNC_WINDOW_H
#define NNC_WINDOW_H

#include "base/checked.h"
#include "ir/op.h"

/* Any size, stride, padding or dilation above this is a mistake; below it no sum of windows can overflow. */
enum { WINDOW_LIMIT = 1 << 24 };

typedef struct Window {
	int64_t in[2], out[2]; /* height and width of the image, and of the result */
	int64_t size[2], stride[2], pad[4], dilation[2];
} Window;

/* Completes `w` (in and size given) from the node's attributes. False after a diagnostic when an attribute is out of
 * range or the window is larger than the padded image. */
bool window_infer(Infer *in, Window *w);
/* The same for a node that has passed window_infer. */
void window_of(const Node *n, Window *w);

/* Whether `x` is an image; false after a diagnostic at argument `x` of the call. */
bool window_image(Call *c, const Node *x);
/* Reads size, stride, pad and, where the layer has it, dilation of a call for an image `x`: `same`, `valid`, a number
 * or a pair for pad; stride = size when the word `size` stands there. False after a diagnostic. */
bool window_call(Call *c, const Node *x, bool has_dilation, Window *w);

#endif
