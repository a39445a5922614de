/* One image file to pixels. Called from several threads at once; never dies, never prints. */
#ifndef NNR_IMAGE_H
#define NNR_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Picture {
	int64_t height, width;
	int channels;    /* 1 or 3, as asked */
	bool colour;     /* the file's own pixels */
	uint8_t *pixels; /* [height, width, channels], malloc'd */
} Picture;

/* "jpg", "png", "bmp" by the name's suffix in any case, NULL for others. */
const char *image_kind(const char *name);
/* NULL, or why the bytes are no image that can be decoded. */
const char *image_decode(const char *kind, const uint8_t *bytes, int64_t length, int channels, Picture *out);

#endif
