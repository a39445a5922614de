/* SPDX-License-Identifier: MIT */
/* PNG (ISO/IEC 15948): a signature and three chunks, or four with a palette; each row of the picture is filtered by
 * nothing. Base64 is that of RFC 4648. */
#include "runtime/host/png.h"
#include "runtime/host/die.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

typedef struct Bytes {
	uint8_t *at;
	size_t count;
} Bytes;

static void put_u32(uint8_t *to, uint32_t x)
{
	for (int i = 0; i < 4; i++)
		to[i] = (uint8_t)(x >> (24 - 8 * i));
}

/* Length, kind, data, CRC of kind and data. */
static void put_chunk(Bytes *b, const char kind[4], const uint8_t *data, size_t length)
{
	uint8_t *to = b->at + b->count;
	put_u32(to, (uint32_t)length);
	memcpy(to + 4, kind, 4);
	if (length > 0)
		memcpy(to + 8, data, length);
	put_u32(to + 8 + length, (uint32_t)crc32(0, to + 4, (uInt)(length + 4)));
	b->count += length + 12;
}

/* The rows, each with the number of its filter in front. */
static Bytes packed_rows(const uint8_t *pixels, size_t height, size_t row)
{
	uint8_t *rows = allocate((int64_t)height, (int64_t)row + 1, "a picture");
	for (size_t y = 0; y < height; y++)
		memcpy(rows + y * (row + 1) + 1, pixels + y * row, row);
	uLongf room = compressBound((uLong)(height * (row + 1)));
	Bytes packed = {allocate((int64_t)room, 1, "a picture"), 0};
	if (compress2(packed.at, &room, rows, (uLong)(height * (row + 1)), 9) != Z_OK)
		die(STATUS_MEMORY, "there is no memory for a picture");
	packed.count = room;
	free(rows);
	return packed;
}

static char *base64(const char *before, const uint8_t *bytes, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char *text = allocate((int64_t)(strlen(before) + (n + 2) / 3 * 4 + 1), 1, "a picture"), *out = text;
	out += strlen(strcpy(out, before));
	for (size_t i = 0; i < n; i += 3) {
		unsigned value = (unsigned)bytes[i] << 16 | (i + 1 < n ? (unsigned)bytes[i + 1] << 8 : 0) |
		                 (i + 2 < n ? bytes[i + 2] : 0);
		for (size_t k = 0; k < 4; k++)
			*out++ = i + k > n ? '=' : digits[value >> (18 - 6 * k) & 63];
	}
	return text;
}

enum { GREY = 0, RGB = 2, PALETTE = 3, COLOURS = 256 }; /* the first three: colour types */

/* Bits 0, 3 and 6 of a class are the highest of its red, bits 1, 4 and 7 those of green, bits 2 and 5 those of blue
 * (the development kit of PASCAL VOC 2012, VOClabelcolormap). */
static void put_palette(Bytes *b)
{
	uint8_t colours[COLOURS * 3] = {0};
	for (int i = 0; i < COLOURS; i++)
		for (int bit = 0; bit < 8; bit++)
			colours[i * 3 + bit % 3] |= (uint8_t)((i >> bit & 1) << (7 - bit / 3));
	put_chunk(b, "PLTE", colours, sizeof colours);
}

static uint8_t *file_of(const uint8_t *pixels, int64_t height, int64_t width, int type, int64_t *length)
{
	require(height > 0 && width > 0);
	Bytes packed = packed_rows(pixels, (size_t)height, (size_t)width * (type == RGB ? 3 : 1));
	Bytes b = {allocate((int64_t)packed.count + 128 + COLOURS * 3, 1, "a picture"), 8};
	uint8_t head[13] = {0};
	memcpy(b.at, "\x89PNG\r\n\x1a\n", 8);
	put_u32(head, (uint32_t)width);
	put_u32(head + 4, (uint32_t)height);
	head[8] = 8; /* bits of a channel */
	head[9] = (uint8_t)type;
	put_chunk(&b, "IHDR", head, sizeof head);
	if (type == PALETTE)
		put_palette(&b);
	put_chunk(&b, "IDAT", packed.at, packed.count);
	put_chunk(&b, "IEND", NULL, 0);
	free(packed.at);
	*length = (int64_t)b.count;
	return b.at;
}

uint8_t *png_file(const uint8_t *pixels, int64_t height, int64_t width, int channels, int64_t *length)
{
	require(channels == 1 || channels == 3);
	return file_of(pixels, height, width, channels == 1 ? GREY : RGB, length);
}

uint8_t *png_classes_file(const uint8_t *classes, int64_t height, int64_t width, int64_t *length)
{
	return file_of(classes, height, width, PALETTE, length);
}

char *png_data(const uint8_t *pixels, int64_t height, int64_t width, int channels)
{
	int64_t length;
	uint8_t *file = png_file(pixels, height, width, channels, &length);
	char *text = base64("data:image/png;base64,", file, (size_t)length);
	free(file);
	return text;
}
