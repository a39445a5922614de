/* SPDX-License-Identifier: MIT */
/* One image file to pixels. What a file is its first bytes say, and not its name. Called from several threads at once;
 * never dies, never prints. */
#ifndef NNR_DATA_IMAGE_H
#define NNR_DATA_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Picture {
	int64_t height, width;
	int channels;    /* 1 or 3, as asked */
	bool colour;     /* the file's own pixels */
	bool palette;    /* of image_decode_values: the values are indices of one */
	uint8_t *pixels; /* [height, width, channels], malloc'd */
} Picture;

enum { IMAGE_MAGIC = 1024 }; /* bytes of a file that say what it is, where it has so many */

/* "jpg", "png" and so on of what begins so; NULL: it is none that is read. */
const char *image_kind(const uint8_t *bytes, int64_t length);
/* Why what begins so is no picture that is read, with the program that converts it where there is one. */
const char *image_foreign(const uint8_t *bytes, int64_t length);
/* Whether what begins so is a picture of a kind that is not read. */
bool image_is_foreign(const uint8_t *bytes, int64_t length);
/* Whether a file that is called so should be a picture, by its suffix in any case. */
bool image_is_named(const char *name);

/* Height, width and, as far as its header says it, colour of the file that begins with these bytes and has `whole` of
 * them; no pixels. NULL, or why it can't be decoded, or that the header is longer than `length`. Both are as EXIF turns
 * the picture. */
const char *image_look(const char *kind, const uint8_t *bytes, int64_t length, int64_t whole, Picture *out);
/* NULL, or why the bytes are no image that can be decoded. `reduce`, of image_reduce: height and width are divided by
 * it and rounded up. */
const char *image_decode(const char *kind, const uint8_t *bytes, int64_t length, int channels, int reduce,
                         Picture *out);
/* One channel of values as the file has them, for masks: of a PNG its grey samples or the indices into its palette, of
 * 1, 2, 4 or 8 bits; of a BMP and a PGM its grey. NULL, or why not: what has no such values (16 bits, colour,
 * transparency, JPEG) is refused, and never converted. */
const char *image_decode_values(const char *kind, const uint8_t *bytes, int64_t length, Picture *out);
/* By how much decoding may make the picture smaller, 1, 2, 4 or 8, where its part is then shrunk by these ratios: at
 * least twice the pixels that are wanted stay, so that the filter of image_resize decides what is seen. JPEG alone does
 * so, in its cosine transform, which is also faster. */
int image_reduce(const char *kind, double height_ratio, double width_ratio);

#endif
