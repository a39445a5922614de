/* SPDX-License-Identifier: MIT */
/* TIFF (6.0, and BigTIFF), through libtiff: its first page, of up to 16 bits a sample. */
#include "runtime/host/file.h"
#include "runtime/data/image_libraries.h"
#include "runtime/data/image_reader.h"

#include <stdlib.h>
#include <string.h>

/* ---- a file in memory, as libtiff reads it */

typedef struct TiffBytes {
	const uint8_t *bytes;
	uint64_t length, at;
} TiffBytes;

static int64_t read_some(void *context, void *to, int64_t count)
{
	TiffBytes *f = context;
	uint64_t left = f->at < f->length ? f->length - f->at : 0;
	if (count < 0)
		return -1;
	if ((uint64_t)count > left)
		count = (int64_t)left;
	memcpy(to, f->bytes + (left ? f->at : 0), (size_t)count);
	f->at += (uint64_t)count;
	return count;
}

static int64_t write_none(void *context, void *from, int64_t count)
{
	(void)context, (void)from, (void)count;
	return -1;
}

static uint64_t seek(void *context, uint64_t at, int from)
{
	enum { BEGIN, HERE, END };
	TiffBytes *f = context;
	f->at = from == BEGIN ? at : from == HERE ? f->at + at : f->length + at;
	return f->at;
}

static int close_none(void *context)
{
	(void)context;
	return 0;
}

static uint64_t size_of(void *context)
{
	return ((TiffBytes *)context)->length;
}

static int map_none(void *context, void **at, uint64_t *length)
{
	(void)context, (void)at, (void)length;
	return 0;
}

static void unmap_none(void *context, void *at, uint64_t length)
{
	(void)context, (void)at, (void)length;
}

/* ---- */

typedef struct TiffHead {
	uint32_t height, width, kind; /* kind: tag 254 */
	uint16_t colours;             /* tag 262 */
	uint16_t orientation, bits;
} TiffHead;

static TiffHead head_of(const LibTiff *l, Tiff *tiff)
{
	enum { KIND = 254, WIDTH = 256, HEIGHT = 257, BITS = 258, COLOURS = 262, ORIENTATION = 274 };
	TiffHead h = {0};
	l->field(tiff, KIND, &h.kind);
	l->field(tiff, WIDTH, &h.width);
	l->field(tiff, HEIGHT, &h.height);
	l->field(tiff, BITS, &h.bits);
	l->field(tiff, COLOURS, &h.colours);
	l->field(tiff, ORIENTATION, &h.orientation);
	return h;
}

/* What the library would allocate is compared with the file: tiles may be larger than the picture. */
static const char *check_head(const LibTiff *l, Tiff *tiff, const TiffHead *h, int64_t length)
{
	enum { THUMBNAIL = 1, BYTES_A_PIXEL = 8 };
	uint64_t most = (uint64_t)length * BYTE_PIXELS, part;
	char ignored[1024];
	const char *why = picture_check(h->height, h->width);
	if (why)
		return why;
	if (h->kind & THUMBNAIL)
		return "its first picture is a thumbnail, as in a camera's raw file: convert it by "
		       "`darktable-cli FILE NAME.jpg` (Debian: darktable)";
	part = l->is_tiled(tiff) ? l->tile_bytes(tiff) : l->strip_bytes(tiff);
	if ((uint64_t)h->height * h->width > most || part / BYTES_A_PIXEL > most ||
	    part / BYTES_A_PIXEL > MAX_PIXELS)
		return image_too_few_bytes;
	if (!l->can_decode(tiff, ignored))
		return h->bits > 16 ? "it is a TIFF of more than 16 bits a sample: write it as PNG"
		                    : "it is a TIFF of a kind that is not read: write it as PNG";
	return NULL;
}

/* [height, width] of RGBA in the order of the file's rows, whose opacity is multiplied in; malloc'd, NULL with *why. */
static uint32_t *pixels_of(const LibTiff *l, Tiff *tiff, const TiffHead *h, const char **why)
{
	uint32_t *rgba = malloc((size_t)h->height * h->width * sizeof *rgba);
	*why = rgba ? NULL : machine_no_memory;
	/* The orientation of the file itself: the library then moves no row. */
	if (rgba && !l->decode(tiff, h->width, h->height, rgba, h->orientation, 1)) {
		*why = "its TIFF data is damaged";
		free(rgba);
		return NULL;
	}
	return rgba;
}

static const char *read_tiff(const uint8_t *bytes, int64_t length, int channels, Picture *out)
{
	enum { MIN_IS_WHITE, MIN_IS_BLACK };
	const LibTiff *l = libtiff();
	if (!l)
		return machine_no_library[LIBRARY_TIFF];
	TiffBytes file = {.bytes = bytes, .length = (uint64_t)length};
	Tiff *tiff = l->open("a picture", "rm", &file, read_some, write_none, seek, close_none, size_of,
	                     map_none, unmap_none);
	if (!tiff)
		return "its TIFF header is damaged";
	TiffHead h = head_of(l, tiff);
	bool colour = h.colours != MIN_IS_WHITE && h.colours != MIN_IS_BLACK;
	const char *why = check_head(l, tiff, &h, length);
	if (!why && channels == 0)
		*out = (Picture){.height = h.height, .width = h.width, .colour = colour};
	else if (!why)
		why = picture_allocate(out, h.height, h.width, channels);
	if (!why && channels > 0) {
		uint32_t *rgba = pixels_of(l, tiff, &h, &why);
		uint8_t *to = out->pixels;
		for (int64_t i = 0; rgba && i < out->height * out->width; i++, to += channels)
			put_pixel(to, channels, (uint8_t)rgba[i], (uint8_t)(rgba[i] >> 8),
			          (uint8_t)(rgba[i] >> 16));
		out->colour = colour;
		free(rgba);
		if (why)
			picture_drop(out);
	}
	l->close(tiff);
	return why;
}

/* Its directory may stand anywhere. */
static const char *look_at_tiff(const uint8_t *bytes, int64_t length, int64_t whole, Picture *out)
{
	return length < whole ? image_cut_short : read_tiff(bytes, length, 0, out);
}

static const char *decode_tiff(const uint8_t *bytes, int64_t length, int channels, int reduce, Picture *out)
{
	return read_tiff(bytes, length, channels, out);
}

const ImageReader image_reader_tiff = {
        .kind = "tiff",
        .magic = {MAGIC("II*\0"), MAGIC("MM\0*"), MAGIC("II+\0"), MAGIC("MM\0+")},
        .look = look_at_tiff,
        .decode = decode_tiff,
        .no_values = "it is a TIFF: write a mask's classes as PNG of 8-bit grey",
        .orientation = exif_orientation,
        .most_reduced = 1,
};
