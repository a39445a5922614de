/* SPDX-License-Identifier: MIT */
/* GIF (87a and 89a, CompuServe 1990): its first frame on the canvas, which is black where the frame is not. */
#include "runtime/host/file.h"
#include "runtime/data/image_reader.h"

#include <stdlib.h>
#include <string.h>

enum { SCREEN = 13, TABLE = 0x80, INTERLACED = 0x40, MOST_CODES = 1 << 12 };

/* LZW makes of a code of 12 bits no more than as many pixels as there are codes. */
enum { GIF_PIXELS = MOST_CODES };

typedef struct Gif {
	const uint8_t *bytes;
	int64_t length, at;
	int64_t height, width;                        /* of the canvas */
	int64_t top, left, frame_height, frame_width; /* of the frame, which lies on it */
	const uint8_t *colours;                       /* of the frame: three bytes each */
	int colour_count, transparent;                /* -1: none */
	bool interlaced;
} Gif;

static int64_t left_of(const Gif *g)
{
	return g->length - g->at;
}

/* A table of colours, which begins here; false: it is cut short. */
static bool take_colours(Gif *g, int flags)
{
	int count = 2 << (flags & 7);
	if (left_of(g) < 3 * count)
		return false;
	g->colours = g->bytes + g->at;
	g->colour_count = count;
	g->at += 3 * count;
	return true;
}

static bool pass_blocks(Gif *g)
{
	while (left_of(g) > 0) {
		int size = g->bytes[g->at];
		g->at += 1 + size;
		if (size == 0)
			return true;
	}
	return false;
}

/* What an extension says of the next frame. */
static bool take_extension(Gif *g)
{
	enum { CONTROL = 0xf9, TRANSPARENT = 1 };
	if (left_of(g) < 8)
		return false;
	const uint8_t *e = g->bytes + g->at;
	if (e[1] == CONTROL && e[2] >= 4)
		g->transparent = e[3] & TRANSPARENT ? e[6] : -1;
	g->at += 2;
	return pass_blocks(g);
}

/* To the data of the first frame. */
static const char *find_frame(Gif *g)
{
	enum { EXTENSION = 0x21, FRAME = 0x2c, FRAME_BYTES = 10 };
	while (left_of(g) > 0 && g->bytes[g->at] == EXTENSION)
		if (!take_extension(g))
			return image_cut_short;
	if (left_of(g) < FRAME_BYTES)
		return image_cut_short;
	const uint8_t *f = g->bytes + g->at;
	if (f[0] != FRAME)
		return "it is a GIF without a picture";
	g->left = le16(f + 1);
	g->top = le16(f + 3);
	g->frame_width = le16(f + 5);
	g->frame_height = le16(f + 7);
	g->interlaced = f[9] & INTERLACED;
	g->at += FRAME_BYTES;
	if (f[9] & TABLE && !take_colours(g, f[9]))
		return image_cut_short;
	if (!g->colours)
		return "it is a GIF without colours";
	return NULL;
}

static const char *begin_gif(Gif *g, int64_t whole)
{
	if (g->length < SCREEN)
		return "it is no GIF";
	const uint8_t *b = g->bytes;
	g->width = le16(b + 6);
	g->height = le16(b + 8);
	g->at = SCREEN;
	g->transparent = -1;
	if (b[10] & TABLE && !take_colours(g, b[10]))
		return image_cut_short;
	const char *why = find_frame(g);
	if (why)
		return why;
	/* A canvas that is smaller than the frame, or is none, is as large as that, as browsers have it. */
	if (g->width < g->left + g->frame_width)
		g->width = g->left + g->frame_width;
	if (g->height < g->top + g->frame_height)
		g->height = g->top + g->frame_height;
	why = picture_check(g->frame_height, g->frame_width);
	if (!why)
		why = picture_check(g->height, g->width);
	return why ? why : g->height * g->width > whole * GIF_PIXELS ? image_too_few_bytes : NULL;
}

static bool has_colour(const Gif *g)
{
	for (int i = 0; i < g->colour_count; i++) {
		const uint8_t *c = g->colours + 3 * i;
		if (c[0] != c[1] || c[1] != c[2])
			return true;
	}
	return false;
}

static const char *look_at_gif(const uint8_t *bytes, int64_t length, int64_t whole, Picture *out)
{
	Gif g = {.bytes = bytes, .length = length};
	const char *why = begin_gif(&g, whole);
	*out = (Picture){.height = g.height, .width = g.width, .colour = !why && has_colour(&g)};
	return why;
}

/* ---- LZW */

typedef struct Codes {
	Gif *g;
	int block;     /* bytes that are left of the block of data */
	uint32_t bits; /* that have been read and are not used, from the lowest on */
	int bit_count;
	uint16_t before[MOST_CODES]; /* the code whose string a code's goes on */
	uint8_t last[MOST_CODES];    /* its last index */
	uint8_t string[MOST_CODES];  /* of a code, from its end */
} Codes;

/* -1: there is none. */
static int take_code(Codes *c, int width)
{
	while (c->bit_count < width) {
		if (left_of(c->g) < 1)
			return -1;
		int byte = c->g->bytes[c->g->at++];
		if (c->block == 0) {
			if (byte == 0)
				return -1;
			c->block = byte;
			continue;
		}
		c->block--;
		c->bits |= (uint32_t)byte << c->bit_count;
		c->bit_count += 8;
	}
	int code = (int)(c->bits & ((1u << width) - 1));
	c->bits >>= width;
	c->bit_count -= width;
	return code;
}

/* The string of a code to c->string, from its end; returns its length, and its first index. */
static int spell(Codes *c, int code, int clear, uint8_t *first)
{
	int n = 0;
	while (code >= clear) {
		c->string[n++] = c->last[code];
		code = c->before[code];
	}
	c->string[n++] = (uint8_t)code;
	*first = (uint8_t)code;
	return n;
}

/* The indices of the frame's pixels, in the order of the file. */
static const char *unpack(Gif *g, Codes *c, uint8_t *to, int64_t count)
{
	static const char damaged[] = "its GIF data is damaged";
	if (left_of(g) < 1)
		return image_cut_short;
	int smallest = g->bytes[g->at++];
	if (smallest < 1 || smallest > 8)
		return damaged;
	const int clear = 1 << smallest, end = clear + 1;
	int next = end + 1, width = smallest + 1, before = -1;
	uint8_t first = 0;
	c->g = g;
	while (count > 0) {
		int code = take_code(c, width);
		if (code < 0 || code == end)
			return image_cut_short;
		if (code == clear) {
			next = end + 1;
			width = smallest + 1;
			before = -1;
			continue;
		}
		if (code > next || (code == next && before < 0) || (before < 0 && code > clear))
			return damaged;
		int n;
		if (code == next) { /* the string before, and its first index once more */
			n = spell(c, before, clear, &first);
			memmove(c->string + 1, c->string, (size_t)n);
			c->string[0] = first;
			n++;
		} else {
			n = spell(c, code, clear, &first);
		}
		if (before >= 0 && next < MOST_CODES) {
			c->before[next] = (uint16_t)before;
			c->last[next] = first;
			next++;
			width += next == 1 << width && width < 12;
		}
		before = code;
		for (; n > 0 && count > 0; count--)
			*to++ = c->string[--n];
	}
	return NULL;
}

/* ---- pixels */

/* The frame's row that comes as number `k`: every eighth, those between them, and so on. */
static int64_t interlaced_row(int64_t k, int64_t height)
{
	static const int first[] = {0, 4, 2, 1}, step[] = {8, 8, 4, 2};
	for (int pass = 0;; pass++) {
		int64_t rows =
		        height > first[pass] ? (height - first[pass] + step[pass] - 1) / step[pass] : 0;
		if (k < rows)
			return first[pass] + k * step[pass];
		k -= rows;
	}
}

static const char *put_frame(const Gif *g, const uint8_t *indices, Picture *out)
{
	memset(out->pixels, 0, (size_t)(out->height * out->width * out->channels));
	for (int64_t k = 0; k < g->frame_height; k++) {
		int64_t row = g->interlaced ? interlaced_row(k, g->frame_height) : k;
		uint8_t *to = out->pixels + ((g->top + row) * out->width + g->left) * out->channels;
		for (int64_t x = 0; x < g->frame_width; x++, to += out->channels) {
			int index = *indices++;
			if (index == g->transparent)
				continue;
			if (index >= g->colour_count)
				return "a pixel lies outside its palette";
			const uint8_t *colour = g->colours + 3 * index;
			put_pixel(to, out->channels, colour[0], colour[1], colour[2]);
		}
	}
	return NULL;
}

static const char *decode_gif(const uint8_t *bytes, int64_t length, int channels, int reduce, Picture *out)
{
	Gif g = {.bytes = bytes, .length = length};
	const char *why = begin_gif(&g, length);
	if (!why)
		why = picture_allocate(out, g.height, g.width, channels);
	if (why)
		return why;
	int64_t count = g.frame_height * g.frame_width;
	Codes *codes = calloc(1, sizeof *codes);
	uint8_t *indices = malloc((size_t)count);
	why = codes && indices ? unpack(&g, codes, indices, count) : machine_no_memory;
	if (!why)
		why = put_frame(&g, indices, out);
	if (why)
		picture_drop(out);
	else
		out->colour = has_colour(&g);
	free(codes);
	free(indices);
	return why;
}

const ImageReader image_reader_gif = {
        .kind = "gif",
        .magic = {MAGIC("GIF87a"), MAGIC("GIF89a")},
        .look = look_at_gif,
        .decode = decode_gif,
        .no_values = "it is a GIF: write a mask's classes as PNG of 8-bit grey",
        .most_reduced = 1,
};
