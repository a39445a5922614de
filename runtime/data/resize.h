/* SPDX-License-Identifier: MIT */
/* A window of a picture, brought to a size. Called from several threads at once; never dies, never prints. */
#ifndef NNR_RESIZE_H
#define NNR_RESIZE_H

#include "runtime/data/image.h"

/* A part of a picture in pixels, not always whole ones: inside it and not empty. */
typedef struct Window {
	double top, left, height, width;
} Window;

/* Writes the window as [height, width, channels] to `to`. A triangle filter, whose support grows with the ratio of the
 * sizes: bilinear where the window is enlarged, antialiased where it is shrunk. Two passes of integers, rows first,
 * each rounded to bytes: bit for bit Pillow's Image.resize(size, BILINEAR, box). False where there is no memory for
 * it. */
bool image_resize(const Picture *from, Window window, uint8_t *to, int64_t height, int64_t width);

#endif
