/* SPDX-License-Identifier: MIT */
/* PNG through libpng, in all its kinds. */
#include "runtime/host/file.h"
#include "runtime/data/image_libraries.h"
#include "runtime/data/image_reader.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#ifdef NNR_PNG
typedef struct PngReader {
	const uint8_t *bytes;
	int64_t left;
	png_structp png;
	png_infop info;
	png_uint_32 width, height;
	int bits, colour;
	uint8_t *rows; /* of a picture: [height, width] pixels of the file's channels, of 8 bits */
	int channels;
	jmp_buf failed;
} PngReader;

static _Noreturn void png_failed(png_structp png, png_const_charp message)
{
	(void)message;
	longjmp(((PngReader *)libpng()->context(png))->failed, 1);
}

static void png_warned(png_structp png, png_const_charp message)
{
	(void)png, (void)message;
}

static void png_more(png_structp png, png_bytep to, size_t count)
{
	PngReader *r = libpng()->context(png);
	if ((int64_t)count > r->left)
		png_failed(png, image_cut_short);
	memcpy(to, r->bytes, count);
	r->bytes += count;
	r->left -= (int64_t)count;
}

/* What is to be done with a PNG whose header has been read. libpng returns to png_run's setjmp from any of its
 * functions that fails, so that what is to be freed is in the reader and in `out`. */
typedef const char *PngTask(PngReader *r, int64_t length, int channels, Picture *out);

/* Chunks that are no pixels are not looked at: none of them may change a pixel, or take memory. */
static const char *png_run(PngReader *r, PngTask *task, int64_t length, int channels, Picture *out)
{
	const LibPng *l = libpng();
	if (setjmp(r->failed))
		return out->pixels ? "its PNG data is damaged" : "it is no PNG";
	r->png = l->create(PNG_LIBPNG_VER_STRING, r, png_failed, png_warned);
	r->info = r->png ? l->create_info(r->png) : NULL;
	if (!r->info)
		return machine_no_memory;
	l->keep_chunks(r->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
	l->set_source(r->png, r, png_more);
	l->read_info(r->png, r->info);
	l->header(r->png, r->info, &r->width, &r->height, &r->bits, &r->colour, NULL, NULL, NULL);
	return task(r, length, channels, out);
}

/* `length` of the file's bytes, which has `whole`. */
static const char *png_read(PngTask *task, const uint8_t *bytes, int64_t length, int64_t whole, int channels,
                            Picture *out)
{
	PngReader reader = {.bytes = bytes, .left = length};
	if (!libpng())
		return machine_no_library[LIBRARY_PNG];
	*out = (Picture){0};
	const char *why = png_run(&reader, task, whole, channels, out);
	libpng()->destroy(&reader.png, &reader.info, NULL);
	free(reader.rows);
	if (why)
		picture_drop(out);
	return why;
}

static bool is_too_short(const PngReader *r, int64_t length)
{
	return (int64_t)r->height * r->width > length * BYTE_PIXELS;
}

static const char *png_size(PngReader *r, int64_t length, int channels, Picture *out)
{
	(void)channels;
	*out = (Picture){
	        .height = r->height, .width = r->width, .colour = (r->colour & PNG_COLOR_MASK_COLOR) != 0};
	return is_too_short(r, length) ? image_cut_short : picture_check(out->height, out->width);
}

/* An interlaced PNG comes in seven passes over its rows. */
static void png_rows(PngReader *r, uint8_t *to, int64_t row_bytes)
{
	for (int passes = libpng()->passes(r->png); passes > 0; passes--)
		for (int64_t y = 0; y < (int64_t)r->height; y++)
			libpng()->read_row(r->png, to + y * row_bytes, NULL);
}

/* Transparency is blended in the values that the file stores. */
static const char *png_picture(PngReader *r, int64_t length, int channels, Picture *out)
{
	const LibPng *l = libpng();
	const char *why = is_too_short(r, length) ? image_cut_short
	                                          : picture_allocate(out, r->height, r->width, channels);
	if (why)
		return why;
	out->colour = (r->colour & PNG_COLOR_MASK_COLOR) != 0;
	l->expand(
	        r->png); /* a palette to its colours, 1, 2 and 4 bits to 8, a transparent colour to opacity */
	l->high_bytes(r->png);
	(void)l->passes(r->png); /* ahead of `update`, which it changes */
	l->update(r->png, r->info);
	r->channels = l->channels(r->png, r->info);
	r->rows = malloc((size_t)(out->height * out->width * r->channels));
	if (!r->rows)
		return machine_no_memory;
	png_rows(r, r->rows, out->width * r->channels);
	const bool is_grey = r->channels < 3, has_opacity = r->channels % 2 == 0;
	const uint8_t *from = r->rows;
	uint8_t *to = out->pixels;
	for (int64_t i = 0; i < out->height * out->width; i++, from += r->channels, to += channels) {
		const uint8_t rgb[3] = {from[0], from[is_grey ? 0 : 1], from[is_grey ? 0 : 2]};
		put_blended(to, channels, rgb, has_opacity ? from[r->channels - 1] : UINT8_MAX);
	}
	return NULL;
}

/* Why a PNG of this kind has no byte a pixel that could be a class. */
static const char *check_values(int bits, int colour)
{
	if (bits == 16)
		return "it is a PNG of 16 bits: write a mask's classes as 8-bit grey";
	if (colour == PNG_COLOR_TYPE_GRAY_ALPHA)
		return "it is a PNG of grey with transparency: write a mask's classes as 8-bit grey";
	if (colour == PNG_COLOR_TYPE_RGB || colour == PNG_COLOR_TYPE_RGB_ALPHA)
		return "it is an RGB PNG: write a mask's classes as 8-bit grey or as indices of a palette";
	return NULL;
}

static const char *png_values(PngReader *r, int64_t length, int channels, Picture *out)
{
	const char *why = check_values(r->bits, r->colour);
	if (!why)
		why = is_too_short(r, length) ? image_cut_short
		                              : picture_allocate(out, r->height, r->width, channels);
	if (why)
		return why;
	libpng()->one_a_byte(r->png); /* 1, 2 and 4 bits, unscaled */
	png_rows(r, out->pixels, out->width);
	out->colour = false;
	out->palette = r->colour == PNG_COLOR_TYPE_PALETTE;
	return NULL;
}
#define READ_PNG(...) png_read(__VA_ARGS__)
#else
#define READ_PNG(...) machine_no_png
#endif

static const char *look_at_png(const uint8_t *bytes, int64_t length, int64_t whole, Picture *out)
{
	return READ_PNG(png_size, bytes, length, whole, 0, out);
}

static const char *decode_png(const uint8_t *bytes, int64_t length, int channels, int reduce, Picture *out)
{
	return READ_PNG(png_picture, bytes, length, length, channels, out);
}

static const char *decode_png_values(const uint8_t *bytes, int64_t length, Picture *out)
{
	return READ_PNG(png_values, bytes, length, length, 1, out);
}

/* The chunk eXIf, where it stands before the pixels; libpng is not asked for any. */
static int orientation_of_png(const uint8_t *bytes, int64_t length)
{
	enum { SIGNATURE = 8, AROUND = 12 /* length, name, checksum */ };
	for (int64_t at = SIGNATURE; at + 8 <= length;) {
		int64_t chunk = be32(bytes + at);
		const uint8_t *name = bytes + at + 4;
		if (memcmp(name, "IDAT", 4) == 0 || chunk > length - at - AROUND)
			return 1;
		if (memcmp(name, "eXIf", 4) == 0)
			return exif_orientation(name + 4, chunk);
		at += AROUND + chunk;
	}
	return 1;
}

const ImageReader image_reader_png = {
        .kind = "png",
        .magic = {MAGIC("\x89PNG\r\n\x1a\n")},
        .look = look_at_png,
        .decode = decode_png,
        .decode_values = decode_png_values,
        .orientation = orientation_of_png,
        .most_reduced = 1,
};
