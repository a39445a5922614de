/* SPDX-License-Identifier: MIT */
/* What a reader of one kind of picture is (image_readers.def lists them), and what they share. Readers never die, never
 * print, and are called from several threads at once. A reason why something can't be read is a text that stays. */
#ifndef NNR_IMAGE_READER_H
#define NNR_IMAGE_READER_H

#include "runtime/data/image.h"

#include <stddef.h>

/* What a file begins with; `?` stands for any byte. */
typedef struct Magic {
	const char *bytes;
	int length;
} Magic;
#define MAGIC(text)                   \
	{                             \
		text, sizeof text - 1 \
	}

typedef struct ImageReader {
	const char *kind;
	Magic magic[8]; /* any of them; up to one without bytes */
	/* As image_look and image_decode say, but of the pixels as they are stored, not turned. */
	const char *(*look)(const uint8_t *bytes, int64_t length, int64_t whole, Picture *out);
	const char *(*decode)(const uint8_t *bytes, int64_t length, int channels, int reduce, Picture *out);
	/* As image_decode_values; NULL: `no_values` says why there is none. */
	const char *(*decode_values)(const uint8_t *bytes, int64_t length, Picture *out);
	const char *no_values;
	/* EXIF's number of how a picture that was looked at is to be turned; NULL: the kind has none. */
	int (*orientation)(const uint8_t *bytes, int64_t length);
	int most_reduced; /* by decoding, of image_reduce */
} ImageReader;

#define IMAGE_READER(kind) extern const ImageReader image_reader_##kind;
#include "runtime/data/image_readers.def"
#undef IMAGE_READER

/* No image has more pixels. And pixels that a byte of a compressed file can stand for at most, so that a short file
 * can't ask for much memory: deflate makes of a byte no more than 1032, each of eight pixels. */
enum { MAX_PIXELS = 64 << 20, BYTE_PIXELS = 8 * 1032 };

extern const char image_cut_short[], image_too_few_bytes[];

bool magic_fits(Magic m, const uint8_t *bytes, int64_t length);
/* NULL, or why a picture can't be that large. */
const char *picture_check(int64_t height, int64_t width);
/* Its memory, of a picture in colour. NULL, or why not. */
const char *picture_allocate(Picture *p, int64_t height, int64_t width, int channels);
void picture_drop(Picture *p);
/* One pixel of 1 or 3 channels: grey by Rec. 601, as JPEG's own conversion. */
void put_pixel(uint8_t *to, int channels, uint8_t red, uint8_t green, uint8_t blue);
/* The same of a pixel that is so opaque: on black, blended in the values that the file stores. */
void put_blended(uint8_t *to, int channels, const uint8_t rgb[3], int opaque);
/* [height, width] of RGBA, to the picture of that size. */
void picture_blend(Picture *p, const uint8_t *rgba);

static inline int64_t le16(const uint8_t *b)
{
	return b[0] | b[1] << 8;
}

static inline int64_t le24(const uint8_t *b)
{
	return le16(b) | (int64_t)b[2] << 16;
}

static inline int64_t le32(const uint8_t *b) /* with its sign */
{
	return (int32_t)((uint32_t)le24(b) | (uint32_t)b[3] << 24);
}

static inline int64_t be32(const uint8_t *b)
{
	return (int64_t)b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3];
}

/* EXIF's number, 1 to 8, of the data that begin with a TIFF's header (Exif 2.32, 4.6.2 and 4.6.4: tag 0x112 of the
 * first directory); 1 where it is not there. */
int exif_orientation(const uint8_t *bytes, int64_t length);

#endif
