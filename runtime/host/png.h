/* SPDX-License-Identifier: MIT */
/* Pictures as PNG. */
#ifndef NNR_PNG_H
#define NNR_PNG_H

#include <stdint.h>

/* Of [height, width, channels] bytes, 1 channel or 3: the file; malloc'd. */
uint8_t *png_file(const uint8_t *pixels, int64_t height, int64_t width, int channels, int64_t *length);
/* Of [height, width] classes, one byte each: a picture whose palette has a colour for each, those of PASCAL VOC, so
 * that it can be looked at, and read as the same numbers. */
uint8_t *png_classes_file(const uint8_t *classes, int64_t height, int64_t width, int64_t *length);
/* The first as text for a page: "data:image/png;base64,..."; malloc'd. */
char *png_data(const uint8_t *pixels, int64_t height, int64_t width, int channels);

#endif
