/* SPDX-License-Identifier: MIT */
/* WebP (RFC 9649), through libwebp: lossy and lossless, with transparency; of an animation its first frame. */
#include "runtime/host/file.h"
#include "runtime/data/image_libraries.h"
#include "runtime/data/image_reader.h"

#include <stdlib.h>
#include <string.h>

enum {
	HEADER = 12,
	CHUNK = 8,
	EXTENDED = 10 /* bytes of VP8X */,
	FRAME = 16 /* bytes ahead of a frame's chunks */
};

/* What the container says. */
typedef struct WebpFile {
	int64_t height, width; /* of the canvas; 0: there is none, the one picture says it */
	bool has_exif;
	const uint8_t *exif, *frame; /* the data of their chunks; NULL: there is none */
	int64_t exif_bytes, frame_bytes;
} WebpFile;

/* As far as whole chunks go. */
static WebpFile walk_webp(const uint8_t *bytes, int64_t length)
{
	enum { EXIF = 8 };
	WebpFile file = {0};
	for (int64_t at = HEADER; at + CHUNK <= length;) {
		const uint8_t *name = bytes + at, *data = name + CHUNK;
		int64_t size = (uint32_t)le32(name + 4);
		if (size > length - at - CHUNK)
			break;
		if (memcmp(name, "VP8X", 4) == 0 && size >= EXTENDED) {
			file.has_exif = data[0] & EXIF;
			file.width = le24(data + 4) + 1;
			file.height = le24(data + 7) + 1;
		} else if (memcmp(name, "EXIF", 4) == 0 && !file.exif) {
			file.exif = data;
			file.exif_bytes = size;
		} else if (memcmp(name, "ANMF", 4) == 0 && size > FRAME && !file.frame) {
			file.frame = data;
			file.frame_bytes = size;
		}
		at += CHUNK + size + size % 2;
	}
	return file;
}

static int orientation_of_webp(const uint8_t *bytes, int64_t length)
{
	WebpFile file = walk_webp(bytes, length);
	if (!file.exif)
		return 1;
	int64_t prefix = file.exif_bytes > 6 && memcmp(file.exif, "Exif\0", 6) == 0 ? 6 : 0; /* of JPEG's */
	return exif_orientation(file.exif + prefix, file.exif_bytes - prefix);
}

static const char *size_of(const uint8_t *bytes, int64_t length, int *height, int *width)
{
	return libwebp()->size(bytes, (size_t)length, width, height) ? NULL : "it is no WebP";
}

static const char *look_at_webp(const uint8_t *bytes, int64_t length, int64_t whole, Picture *out)
{
	int height = 0, width = 0;
	WebpFile file = walk_webp(bytes, length);
	if (!libwebp())
		return machine_no_library[LIBRARY_WEBP];
	if (length < whole && file.has_exif && !file.exif) /* it stands at the end */
		return image_cut_short;
	const char *why = file.width ? NULL : size_of(bytes, length, &height, &width);
	if (why)
		return why;
	*out = (Picture){.height = file.width ? file.height : height,
	                 .width = file.width ? file.width : width,
	                 .colour = true};
	return out->height * out->width > whole * BYTE_PIXELS ? image_too_few_bytes
	                                                      : picture_check(out->height, out->width);
}

static const char damaged[] = "its WebP data is damaged";

/* The pictures of a WebP that is none but one, to `rgba` of that size. */
static const char *decode_one(const uint8_t *bytes, int64_t length, uint8_t *rgba, int64_t height,
                              int64_t width)
{
	int own_height = 0, own_width = 0;
	const char *why = size_of(bytes, length, &own_height, &own_width);
	if (why || own_height != height || own_width != width)
		return damaged;
	size_t size = (size_t)(height * width * 4);
	return libwebp()->decode(bytes, (size_t)length, rgba, size, (int)width * 4) ? NULL : damaged;
}

/* A file of the first frame alone: its chunks behind a header, and a VP8X where transparency stands apart. */
static const char *decode_frame(const WebpFile *file, uint8_t *rgba)
{
	enum { ALPHA = 0x10, AHEAD = HEADER + CHUNK + EXTENDED };
	const uint8_t *f = file->frame, *chunks = f + FRAME;
	int64_t left = 2 * le24(f), top = 2 * le24(f + 3), width = le24(f + 6) + 1, height = le24(f + 9) + 1,
	        bytes = file->frame_bytes - FRAME;
	if (left + width > file->width || top + height > file->height)
		return damaged;
	bool apart = bytes >= 4 && memcmp(chunks, "ALPH", 4) == 0;
	int64_t ahead = apart ? AHEAD : HEADER;
	uint8_t *one = calloc(1, (size_t)(ahead + bytes)), *pixels = malloc((size_t)(height * width * 4));
	const char *why = one && pixels ? NULL : machine_no_memory;
	if (!why) {
		memcpy(one, "RIFF\0\0\0\0WEBP", HEADER);
		for (int i = 0; i < 4; i++)
			one[4 + i] = (uint8_t)((ahead + bytes - 8) >> 8 * i);
		if (apart) {
			memcpy(one + HEADER, "VP8X\x0a", 5);
			one[HEADER + CHUNK] = ALPHA;
			memcpy(one + HEADER + CHUNK + 4, f + 6, 6); /* width and height, less one */
		}
		memcpy(one + ahead, chunks, (size_t)bytes);
		why = decode_one(one, ahead + bytes, pixels, height, width);
	}
	for (int64_t y = 0; !why && y < height; y++)
		memcpy(rgba + ((top + y) * file->width + left) * 4, pixels + y * width * 4,
		       (size_t)(width * 4));
	free(one);
	free(pixels);
	return why;
}

static const char *decode_webp(const uint8_t *bytes, int64_t length, int channels, int reduce, Picture *out)
{
	WebpFile file = walk_webp(bytes, length);
	Picture whole;
	const char *why = look_at_webp(bytes, length, length, &whole);
	if (!why)
		why = picture_allocate(out, whole.height, whole.width, channels);
	if (why)
		return why;
	uint8_t *rgba = calloc((size_t)(out->height * out->width), 4);
	why = !rgba        ? machine_no_memory
	      : file.frame ? decode_frame(&file, rgba)
	                   : decode_one(bytes, length, rgba, out->height, out->width);
	if (why)
		picture_drop(out);
	else
		picture_blend(out, rgba);
	free(rgba);
	return why;
}

const ImageReader image_reader_webp = {
        .kind = "webp",
        .magic = {MAGIC("RIFF????WEBP")},
        .look = look_at_webp,
        .decode = decode_webp,
        .no_values = "a WebP may keep no value as it was: write a mask's classes as PNG of 8-bit grey",
        .orientation = orientation_of_webp,
        .most_reduced = 1,
};
