/* SPDX-License-Identifier: MIT */
/* The windows of pooling operators. */
#ifndef NNC_POOL_H
#define NNC_POOL_H

#include "ops/window.h"

/* The window of a pooling node; the image's shape is `x`. */
Window pool_window(const Node *n, Type x);

/* Shape rules: operand i is a batch of images; the window of attributes size, stride and pad over an image of that
 * height and width. False after a diagnostic. */
bool pool_infer_image(Infer *in, int i);
bool pool_window_infer(Infer *in, const int64_t image[2], Window *w);
/* Of unpool: the place of a maximum that gets no gradient. */
enum { UNPOOL_NOWHERE = 255 };

#endif
