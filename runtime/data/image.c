/* SPDX-License-Identifier: MIT */
/* From the bytes of a file to its reader, and what readers share. Sizes are checked before anything of that size is
 * allocated. Pixels are what the file stores: neither a gamma nor a profile changes them, of 16 bits the high byte is
 * taken, and what is transparent is put on black. */
#include "runtime/data/image.h"
#include "runtime/host/file.h"
#include "runtime/data/image_reader.h"

#include <stdlib.h>
#include <string.h>

const char image_cut_short[] = "it is cut short";
const char image_too_few_bytes[] = "it has too few bytes for its size";

/* ---- for readers */

bool magic_fits(Magic m, const uint8_t *bytes, int64_t length)
{
	if (!m.bytes || length < m.length)
		return false;
	for (int i = 0; i < m.length; i++)
		if (m.bytes[i] != '?' && (uint8_t)m.bytes[i] != bytes[i])
			return false;
	return true;
}

const char *picture_check(int64_t height, int64_t width)
{
	if (height < 1 || width < 1)
		return "it has no pixels";
	if (height > MAX_PIXELS || width > MAX_PIXELS || height * width > MAX_PIXELS)
		return "it has more than 64 Mi pixels";
	return NULL;
}

const char *picture_allocate(Picture *p, int64_t height, int64_t width, int channels)
{
	const char *why = picture_check(height, width);
	if (why)
		return why;
	*p = (Picture){.height = height,
	               .width = width,
	               .channels = channels,
	               .colour = true,
	               .pixels = malloc((size_t)(height * width * channels))};
	return p->pixels ? NULL : machine_no_memory;
}

void picture_drop(Picture *p)
{
	free(p->pixels);
	p->pixels = NULL;
}

void put_pixel(uint8_t *to, int channels, uint8_t red, uint8_t green, uint8_t blue)
{
	if (channels == 1) {
		*to = (uint8_t)((19595 * red + 38470 * green + 7471 * blue + 32768) >> 16);
		return;
	}
	to[0] = red;
	to[1] = green;
	to[2] = blue;
}

static uint8_t on_black(int value, int opaque)
{
	return (uint8_t)((value * opaque + UINT8_MAX / 2) / UINT8_MAX);
}

void put_blended(uint8_t *to, int channels, const uint8_t rgb[3], int opaque)
{
	put_pixel(to, channels, on_black(rgb[0], opaque), on_black(rgb[1], opaque), on_black(rgb[2], opaque));
}

void picture_blend(Picture *p, const uint8_t *rgba)
{
	uint8_t *to = p->pixels;
	for (int64_t i = 0; i < p->height * p->width; i++, rgba += 4, to += p->channels)
		put_blended(to, p->channels, rgba, rgba[3]);
}

/* ---- which way is up */

static int64_t exif_number(const uint8_t *at, int bytes, bool little)
{
	int64_t value = 0;
	for (int i = 0; i < bytes; i++)
		value |= (int64_t)at[i] << 8 * (little ? i : bytes - 1 - i);
	return value;
}

int exif_orientation(const uint8_t *bytes, int64_t length)
{
	enum { TAG = 0x112, SHORT = 3, ENTRY = 12 };
	if (length < 8 || (memcmp(bytes, "II*\0", 4) != 0 && memcmp(bytes, "MM\0*", 4) != 0))
		return 1;
	bool little = bytes[0] == 'I';
	int64_t at = exif_number(bytes + 4, 4, little);
	if (at > length - 2)
		return 1;
	int64_t count = exif_number(bytes + at, 2, little);
	for (at += 2; count > 0 && at + ENTRY <= length; count--, at += ENTRY)
		if (exif_number(bytes + at, 2, little) == TAG &&
		    exif_number(bytes + at + 2, 2, little) == SHORT) {
			int64_t value = exif_number(bytes + at + 8, 2, little);
			return value >= 1 && value <= 8 ? (int)value : 1;
		}
	return 1;
}

/* From 5 on rows are columns. */
static bool is_transposed(int orientation)
{
	return orientation >= 5;
}

/* The picture as it is seen: of 2, 3, 4 mirrored, turned by a half, upside down; of 5 to 8 with rows for columns, and
 * mirrored then so that 6 is a quarter to the right and 8 one to the left (Exif 2.32, 4.6.4). */
static const char *turn(Picture *p, int orientation)
{
	if (orientation == 1)
		return NULL;
	bool across = is_transposed(orientation);
	bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
	bool from_below = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
	int64_t height = across ? p->width : p->height, width = across ? p->height : p->width;
	uint8_t *turned = malloc((size_t)(height * width * p->channels)), *to = turned;
	if (!turned) {
		picture_drop(p);
		return machine_no_memory;
	}
	for (int64_t y = 0; y < height; y++)
		for (int64_t x = 0; x < width; x++, to += p->channels) {
			int64_t row = across ? x : y, column = across ? y : x;
			row = from_below ? p->height - 1 - row : row;
			column = from_right ? p->width - 1 - column : column;
			memcpy(to, p->pixels + (row * p->width + column) * p->channels, (size_t)p->channels);
		}
	free(p->pixels);
	p->pixels = turned;
	p->height = height;
	p->width = width;
	return NULL;
}

/* ---- all */

#define IMAGE_READER(kind) &image_reader_##kind,
static const ImageReader *const readers[] = {
#include "runtime/data/image_readers.def"
};
#undef IMAGE_READER

enum { READERS = sizeof readers / sizeof *readers };

const char *image_kind(const uint8_t *bytes, int64_t length)
{
	for (int i = 0; i < READERS; i++)
		for (const Magic *m = readers[i]->magic; m->bytes; m++)
			if (magic_fits(*m, bytes, length))
				return readers[i]->kind;
	return NULL;
}

static const ImageReader *reader_of(const char *kind)
{
	for (int i = 0; kind && i < READERS; i++)
		if (strcmp(readers[i]->kind, kind) == 0)
			return readers[i];
	return NULL;
}

static int orientation_of(const ImageReader *r, const uint8_t *bytes, int64_t length)
{
	return r->orientation ? r->orientation(bytes, length) : 1;
}

const char *image_look(const char *kind, const uint8_t *bytes, int64_t length, int64_t whole, Picture *out)
{
	const ImageReader *r = reader_of(kind);
	const char *why = r ? r->look(bytes, length, whole, out) : image_foreign(bytes, length);
	if (!why && is_transposed(orientation_of(r, bytes, length))) {
		int64_t height = out->height;
		out->height = out->width;
		out->width = height;
	}
	return why;
}

const char *image_decode(const char *kind, const uint8_t *bytes, int64_t length, int channels, int reduce,
                         Picture *out)
{
	const ImageReader *r = reader_of(kind);
	const char *why = r ? r->decode(bytes, length, channels, reduce, out) : image_foreign(bytes, length);
	return why ? why : turn(out, orientation_of(r, bytes, length));
}

const char *image_decode_values(const char *kind, const uint8_t *bytes, int64_t length, Picture *out)
{
	const ImageReader *r = reader_of(kind);
	if (!r)
		return image_foreign(bytes, length);
	const char *why = r->decode_values ? r->decode_values(bytes, length, out) : r->no_values;
	return why ? why : turn(out, orientation_of(r, bytes, length));
}

int image_reduce(const char *kind, double height_ratio, double width_ratio)
{
	const ImageReader *r = reader_of(kind);
	int reduce = 1;
	double ratio = height_ratio < width_ratio ? height_ratio : width_ratio;
	while (r && 2 * reduce <= r->most_reduced && ratio >= 4.0 * reduce)
		reduce *= 2;
	return reduce;
}
