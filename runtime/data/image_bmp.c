/* SPDX-License-Identifier: MIT */
/* BMP (BITMAPCOREHEADER to BITMAPV5HEADER): 1 to 8 bits by a palette, RLE4, RLE8, 16, 24 and 32 bits, by masks too. */
#include "runtime/host/file.h"
#include "runtime/data/image_reader.h"

#include <stdlib.h>
#include <string.h>

enum {
	FILE_HEADER = 14,
	CORE = 12,
	INFO = 40,
	WITH_MASKS = 52,
	WITH_ALPHA = 56,
	OS2 = 64 /* bytes of headers */
};
enum { RGB = 0, RLE8 = 1, RLE4 = 2, MASKS = 3, ALPHA_MASKS = 6 };
enum { RUN_PIXELS = 256 /* that a byte of a run stands for at most */, MOST_COLOURS = 256 };

typedef struct Bmp {
	const uint8_t *bytes;
	int64_t length; /* of them */
	int64_t height, width, start, row;
	int64_t palette, colours, entry; /* where it is; how many; bytes of one */
	int bits, compression;
	uint32_t mask[4]; /* red, green, blue, opacity; of 16 and 32 bits */
	bool top_down;
} Bmp;

static bool is_run(const Bmp *bmp)
{
	return bmp->compression == RLE8 || bmp->compression == RLE4;
}

static bool is_read(const Bmp *bmp, int64_t info)
{
	int bits = bmp->bits;
	if (info != CORE && info < INFO)
		return false;
	switch (bmp->compression) {
	case RGB:
		return bits == 1 || bits == 2 || bits == 4 || bits == 8 || bits == 16 || bits == 24 ||
		       bits == 32;
	case RLE8:
		return bits == 8;
	case RLE4:
		return bits == 4;
	case MASKS:
	case ALPHA_MASKS:
		return info != OS2 && (bits == 16 || bits == 32);
	default:
		return false;
	}
}

/* They stand in the header or, of the shortest that can have some, behind it. */
static const char *take_masks(Bmp *bmp, int64_t info)
{
	static const uint32_t usual[2][4] = {{0x7c00, 0x3e0, 0x1f, 0}, {0xff0000, 0xff00, 0xff, 0}};
	memcpy(bmp->mask, usual[bmp->bits == 32], sizeof bmp->mask);
	if (bmp->compression != MASKS && bmp->compression != ALPHA_MASKS)
		return NULL;
	int count = info >= WITH_ALPHA || bmp->compression == ALPHA_MASKS ? 4 : 3;
	if (bmp->length < FILE_HEADER + INFO + 4 * count)
		return image_cut_short;
	for (int i = 0; i < count; i++)
		bmp->mask[i] = (uint32_t)le32(bmp->bytes + FILE_HEADER + INFO + 4 * i);
	return NULL;
}

static const char *begin_bmp(Bmp *bmp, const uint8_t *b, int64_t length, int64_t whole)
{
	if (length < FILE_HEADER + INFO)
		return "it is no BMP";
	int64_t info = le32(b + FILE_HEADER);
	bool core = info == CORE;
	*bmp = (Bmp){.bytes = b,
	             .length = length,
	             .start = le32(b + 10),
	             .width = core ? le16(b + 18) : le32(b + 18),
	             .height = core ? le16(b + 20) : le32(b + 22),
	             .palette = FILE_HEADER + info,
	             .colours = core ? 0 : le32(b + 46),
	             .entry = core ? 3 : 4,
	             .bits = (int)le16(b + (core ? 24 : 28)),
	             .compression = core ? RGB : (int)le32(b + 30)};
	bmp->top_down = bmp->height < 0;
	bmp->height = llabs(bmp->height);
	if (!is_read(bmp, info))
		return "it is a BMP of a kind that is not read";
	const char *why = picture_check(bmp->height, bmp->width);
	if (!why)
		why = take_masks(bmp, info);
	if (why)
		return why;
	bmp->row = (bmp->width * bmp->bits + 31) / 32 * 4;
	if (bmp->start < FILE_HEADER + info || bmp->start > whole)
		return image_cut_short;
	if (!is_run(bmp) && bmp->row * bmp->height > whole - bmp->start)
		return image_cut_short;
	if (is_run(bmp) && bmp->height * bmp->width > (whole - bmp->start) * RUN_PIXELS)
		return image_too_few_bytes;
	if (bmp->colours == 0 && bmp->bits <= 8)
		bmp->colours = (int64_t)1 << bmp->bits;
	if (core && bmp->palette + 3 * bmp->colours > bmp->start)
		bmp->colours = (bmp->start - bmp->palette) / 3;
	if (bmp->bits <= 8 && (bmp->colours < 0 || bmp->colours > MOST_COLOURS ||
	                       bmp->palette + bmp->entry * bmp->colours > whole))
		return "its palette is cut short";
	return NULL;
}

/* As far as these bytes say it. */
static bool has_colour(const Bmp *bmp)
{
	bool colour = bmp->bits > 8;
	for (int64_t i = 0; !colour && i < bmp->colours; i++) {
		int64_t at = bmp->palette + bmp->entry * i;
		const uint8_t *c = bmp->bytes + at;
		colour = at + 2 < bmp->length && (c[0] != c[1] || c[1] != c[2]);
	}
	return colour;
}

static const char *look_at_bmp(const uint8_t *bytes, int64_t length, int64_t whole, Picture *out)
{
	Bmp bmp = {0};
	const char *why = begin_bmp(&bmp, bytes, length, whole);
	*out = (Picture){.height = bmp.height, .width = bmp.width, .colour = !why && has_colour(&bmp)};
	return why;
}

/* ---- runs */

/* [height, width] of indices, from the lowest row on; what no run reaches is 0. */
static const char *unpack_runs(const Bmp *bmp, uint8_t *to)
{
	enum { END_OF_LINE, END, MOVE };
	const uint8_t *at = bmp->bytes + bmp->start, *end = bmp->bytes + bmp->length;
	int64_t x = 0, y = 0;
	while (y < bmp->height) {
		if (end - at < 2)
			return image_cut_short;
		int count = at[0], what = at[1];
		bool literal = count == 0 && what > MOVE;
		at += 2;
		if (count == 0 && what == END)
			break;
		if (count == 0 && what == END_OF_LINE) {
			x = 0;
			y++;
			continue;
		}
		if (count == 0 && what == MOVE) {
			if (end - at < 2)
				return image_cut_short;
			x += at[0];
			y += at[1];
			at += 2;
			continue;
		}
		count = literal ? what : count;
		int64_t bytes = !literal ? 0 : bmp->bits == 8 ? count : (count + 1) / 2;
		if (end - at < bytes)
			return image_cut_short;
		for (int i = 0; i < count; i++, x++) {
			int byte = !literal ? what : bmp->bits == 8 ? at[i] : at[i / 2];
			if (x < bmp->width)
				to[y * bmp->width + x] = (uint8_t)(bmp->bits == 8 ? byte
				                                   : i % 2        ? byte & 15
				                                                  : byte >> 4);
		}
		at += bytes + bytes % 2;
	}
	return NULL;
}

/* ---- pixels */

static int index_at(const Bmp *bmp, const uint8_t *line, int64_t x)
{
	int64_t bit = x * bmp->bits;
	return line[bit / 8] >> (8 - bmp->bits - bit % 8) & ((1 << bmp->bits) - 1);
}

/* What the mask takes of a pixel, of 0 to 255. */
static uint8_t masked(uint32_t pixel, uint32_t mask)
{
	if (mask == 0)
		return 0;
	int shift = __builtin_ctz(mask);
	uint64_t most = mask >> shift, value = (pixel & mask) >> shift;
	return (uint8_t)((value * UINT8_MAX + most / 2) / most);
}

static uint32_t pixel_at(const Bmp *bmp, const uint8_t *line, int64_t x)
{
	return bmp->bits == 16 ? (uint32_t)le16(line + 2 * x) : (uint32_t)le32(line + 4 * x);
}

static const uint8_t *line_of(const Bmp *bmp, const uint8_t *rows, int64_t row, int64_t y)
{
	return rows + row * (bmp->top_down ? y : bmp->height - 1 - y);
}

/* Where all of them are 0 the opacities are none, as programs have it that write such files. */
static bool is_opaque(const Bmp *bmp)
{
	for (int64_t y = 0; bmp->mask[3] && y < bmp->height; y++) {
		const uint8_t *line = line_of(bmp, bmp->bytes + bmp->start, bmp->row, y);
		for (int64_t x = 0; x < bmp->width; x++)
			if (pixel_at(bmp, line, x) & bmp->mask[3])
				return false;
	}
	return true;
}

static void put_masked(const Bmp *bmp, Picture *out)
{
	bool opaque = is_opaque(bmp);
	uint8_t *to = out->pixels;
	for (int64_t y = 0; y < out->height; y++) {
		const uint8_t *line = line_of(bmp, bmp->bytes + bmp->start, bmp->row, y);
		for (int64_t x = 0; x < out->width; x++, to += out->channels) {
			uint32_t pixel = pixel_at(bmp, line, x);
			const uint8_t rgb[3] = {masked(pixel, bmp->mask[0]), masked(pixel, bmp->mask[1]),
			                        masked(pixel, bmp->mask[2])};
			put_blended(to, out->channels, rgb, opaque ? UINT8_MAX : masked(pixel, bmp->mask[3]));
		}
	}
}

/* `runs`: the indices that runs made, NULL where the file's rows have them. */
static const char *put_indexed(const Bmp *bmp, const uint8_t *runs, Picture *out)
{
	uint8_t *to = out->pixels;
	for (int64_t y = 0; y < out->height; y++) {
		const uint8_t *line = runs ? line_of(bmp, runs, bmp->width, y)
		                           : line_of(bmp, bmp->bytes + bmp->start, bmp->row, y);
		for (int64_t x = 0; x < out->width; x++, to += out->channels) {
			int index = runs ? line[x] : index_at(bmp, line, x);
			if (index >= bmp->colours)
				return "a pixel lies outside its palette";
			const uint8_t *c = bmp->bytes + bmp->palette + bmp->entry * index;
			put_pixel(to, out->channels, c[2], c[1], c[0]);
		}
	}
	return NULL;
}

static void put_bytes(const Bmp *bmp, Picture *out)
{
	uint8_t *to = out->pixels;
	for (int64_t y = 0; y < out->height; y++) {
		const uint8_t *from = line_of(bmp, bmp->bytes + bmp->start, bmp->row, y);
		for (int64_t x = 0; x < out->width; x++, to += out->channels, from += 3)
			put_pixel(to, out->channels, from[2], from[1], from[0]);
	}
}

static const char *put_rows(const Bmp *bmp, Picture *out)
{
	if (bmp->bits > 8) {
		(bmp->bits == 24 ? put_bytes : put_masked)(bmp, out);
		return NULL;
	}
	if (!is_run(bmp))
		return put_indexed(bmp, NULL, out);
	uint8_t *indices = calloc((size_t)(out->height * out->width), 1);
	const char *why = indices ? unpack_runs(bmp, indices) : machine_no_memory;
	if (!why)
		why = put_indexed(bmp, indices, out);
	free(indices);
	return why;
}

static const char *decode_bmp(const uint8_t *bytes, int64_t length, int channels, int reduce, Picture *out)
{
	Bmp bmp;
	const char *why = begin_bmp(&bmp, bytes, length, length);
	if (!why)
		why = picture_allocate(out, bmp.height, bmp.width, channels);
	if (why)
		return why;
	out->colour = has_colour(&bmp);
	why = put_rows(&bmp, out);
	if (why)
		picture_drop(out);
	return why;
}

static const char *decode_bmp_values(const uint8_t *bytes, int64_t length, Picture *out)
{
	Picture all;
	const char *why = decode_bmp(bytes, length, 3, 1, &all);
	bool colour = false;
	for (int64_t i = 0; !why && !colour && i < all.height * all.width; i++) {
		const uint8_t *pixel = all.pixels + 3 * i;
		colour = pixel[0] != pixel[1] || pixel[1] != pixel[2];
	}
	if (why)
		return why;
	picture_drop(&all);
	return colour ? "it is a BMP in colour: write a mask's classes as 8-bit grey"
	              : decode_bmp(bytes, length, 1, 1, out);
}

const ImageReader image_reader_bmp = {
        .kind = "bmp",
        .magic = {MAGIC("BM")},
        .look = look_at_bmp,
        .decode = decode_bmp,
        .decode_values = decode_bmp_values,
        .most_reduced = 1,
};
