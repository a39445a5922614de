/* SPDX-License-Identifier: MIT */
/* The formats of Netpbm: PBM, PGM and PPM, as text (P1 to P3) and in bytes (P4 to P6), of up to 16 bits. What has
 * another largest value than 255 is scaled to that. */
#include "runtime/data/image_reader.h"

#include <string.h>

typedef struct Pnm {
	const uint8_t *at, *end;
	int64_t height, width;
	int most;     /* the largest value */
	int channels; /* of the file */
	bool text, bitmap;
} Pnm;

static bool is_blank(int c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Blanks, and comments that end with the line. */
static void pass_blanks(Pnm *p)
{
	for (; p->at < p->end && (is_blank(*p->at) || *p->at == '#'); p->at++)
		if (*p->at == '#')
			while (p->at + 1 < p->end && *p->at != '\n')
				p->at++;
}

/* A number of up to `digits` digits, -1: there is none. */
static int64_t take_number(Pnm *p, int digits)
{
	int64_t value = -1;
	pass_blanks(p);
	for (; p->at < p->end && *p->at >= '0' && *p->at <= '9' && digits > 0; p->at++, digits--)
		value = (value < 0 ? 0 : value * 10) + (*p->at - '0');
	return value;
}

static int64_t file_row(const Pnm *p)
{
	return p->bitmap ? (p->width + 7) / 8 : p->width * p->channels * (p->most > UINT8_MAX ? 2 : 1);
}

static const char *begin_pnm(Pnm *p, const uint8_t *bytes, int64_t length, int64_t whole)
{
	enum { DIGITS = 9 };
	if (length < 3)
		return "it is no PNM";
	int kind = bytes[1] - '0';
	*p = (Pnm){.at = bytes + 2,
	           .end = bytes + length,
	           .channels = kind % 3 == 0 ? 3 : 1,
	           .text = kind <= 3,
	           .bitmap = kind % 3 == 1,
	           .most = 1};
	p->width = take_number(p, DIGITS);
	p->height = take_number(p, DIGITS);
	int64_t most = p->bitmap ? 1 : take_number(p, DIGITS);
	if (p->width < 0 || p->height < 0 || most < 1 || most > UINT16_MAX || p->at == p->end ||
	    !is_blank(*p->at))
		return p->at == p->end ? image_cut_short : "it is no PNM";
	p->most = (int)most;
	p->at++;
	const char *why = picture_check(p->height, p->width);
	if (why)
		return why;
	int64_t rest = whole - (p->at - bytes), least = p->text ? p->width * p->channels : file_row(p);
	return least * p->height > rest ? image_cut_short : NULL;
}

static const char *look_at_pnm(const uint8_t *bytes, int64_t length, int64_t whole, Picture *out)
{
	Pnm p = {0};
	const char *why = begin_pnm(&p, bytes, length, whole);
	*out = (Picture){.height = p.height, .width = p.width, .colour = p.channels == 3};
	return why;
}

/* Value `k` of the row that begins here; -1: there is none. In a bitmap 1 is black. */
static int64_t take_value(Pnm *p, int64_t k)
{
	if (p->text) {
		int64_t value = take_number(p, p->bitmap ? 1 : 5);
		return p->bitmap && value >= 0 ? !value : value;
	}
	if (p->bitmap)
		return !(p->at[k / 8] >> (7 - k % 8) & 1);
	return p->most > UINT8_MAX ? p->at[2 * k] << 8 | p->at[2 * k + 1] : p->at[k];
}

/* 16 bits whole: the high byte, as of a PNG. */
static uint8_t byte_of(int64_t value, int most)
{
	return (uint8_t)(most == UINT16_MAX ? value >> 8 : (value * UINT8_MAX + most / 2) / most);
}

/* `as_bytes`: values scaled to bytes. */
static const char *put_rows(Pnm *p, Picture *out, bool as_bytes)
{
	uint8_t *to = out->pixels;
	for (int64_t y = 0; y < p->height; y++) {
		for (int64_t x = 0; x < p->width; x++, to += out->channels) {
			uint8_t rgb[3];
			for (int i = 0; i < p->channels; i++) {
				int64_t value = take_value(p, x * p->channels + i);
				if (value < 0 || value > p->most)
					return value < 0 ? image_cut_short
					                 : "a value is larger than its header says";
				rgb[i] = as_bytes ? byte_of(value, p->most) : (uint8_t)value;
			}
			put_pixel(to, out->channels, rgb[0], rgb[p->channels == 3], rgb[p->channels - 1]);
		}
		if (!p->text)
			p->at += file_row(p);
	}
	return NULL;
}

static const char *decode(const uint8_t *bytes, int64_t length, int channels, bool as_bytes, Picture *out)
{
	Pnm p = {0};
	const char *why = begin_pnm(&p, bytes, length, length);
	if (!why)
		why = picture_allocate(out, p.height, p.width, channels);
	if (why)
		return why;
	out->colour = p.channels == 3;
	why = put_rows(&p, out, as_bytes);
	if (why)
		picture_drop(out);
	return why;
}

static const char *decode_pnm(const uint8_t *bytes, int64_t length, int channels, int reduce, Picture *out)
{
	return decode(bytes, length, channels, true, out);
}

static const char *decode_pnm_values(const uint8_t *bytes, int64_t length, Picture *out)
{
	Pnm p = {0};
	const char *why = begin_pnm(&p, bytes, length, length);
	if (!why && (p.channels != 1 || p.bitmap || p.most > UINT8_MAX))
		why = "it is no PGM of up to 255: write a mask's classes as 8-bit grey";
	return why ? why : decode(bytes, length, 1, false, out);
}

const ImageReader image_reader_pnm = {
        .kind = "pnm",
        .magic = {MAGIC("P1\n"), MAGIC("P2\n"), MAGIC("P3\n"), MAGIC("P4\n"), MAGIC("P5\n"), MAGIC("P6\n")},
        .look = look_at_pnm,
        .decode = decode_pnm,
        .decode_values = decode_pnm_values,
        .most_reduced = 1,
};
