/* One image file to pixels. Called from several threads at once; never dies, never prints. */
#ifndef NNR_IMAGE_H
#define NNR_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Picture {
	int64_t height, width;
	int channels;    /* 1 or 3, as asked */
	bool colour;     /* the file's own pixels */
	bool palette;    /* of image_decode_values: the values are indices of one */
	uint8_t *pixels; /* [height, width, channels], malloc'd */
} Picture;

/* "jpg", "png", "bmp" by the name's suffix in any case, NULL for others. */
const char *image_kind(const char *name);
/* Height, width and, as far as its header says it, colour of the file that begins with these bytes and has `whole` of
 * them; no pixels. NULL, or why it can't be decoded, or that the header is longer than `length`. */
const char *image_look(const char *kind, const uint8_t *bytes, int64_t length, int64_t whole, Picture *out);
/* NULL, or why the bytes are no image that can be decoded. `reduce`, of image_reduce: height and width are divided by
 * it and rounded up. */
const char *image_decode(const char *kind, const uint8_t *bytes, int64_t length, int channels, int reduce,
                         Picture *out);
/* One channel of values as the file has them, for masks: of a PNG its grey samples or the indices into its palette, of
 * 1, 2, 4 or 8 bits; of a BMP its grey. NULL, or why not: what has no such values (16 bits, colour, transparency, JPEG)
 * is refused, and never converted. */
const char *image_decode_values(const char *kind, const uint8_t *bytes, int64_t length, Picture *out);
/* By how much decoding may make the picture smaller, 1, 2, 4 or 8, where its part is then shrunk by these ratios: at
 * least twice the pixels that are wanted stay, so that the filter of image_resize decides what is seen. JPEG alone does
 * so, in its cosine transform, which is also faster. */
int image_reduce(const char *kind, double height_ratio, double width_ratio);

#endif
