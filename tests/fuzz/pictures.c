/* SPDX-License-Identifier: MIT */
/* Image files. A harness of one kind decodes the input to colour and to grey and resizes it; `jpegs` decodes several
 * files one after the other, each of which must come out as if it were alone, and makes one smaller. */
#include "runtime/data/resize.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

/* A checksum of what is decoded, 0 where the file is refused. */
static uint64_t decode(const char *kind, const uint8_t *bytes, size_t length, int channels, int reduce)
{
	Picture p = {0}, seen = {0};
	const char *why = image_decode(kind, bytes, (int64_t)length, channels, reduce, &p),
	           *unseen = image_look(kind, bytes, (int64_t)length, (int64_t)length, &seen);
	FUZZ_CHECK(!why == (p.pixels != NULL) && !seen.pixels);
	if (why)
		return 0;
	FUZZ_CHECK(p.height > 0 && p.width > 0 && p.channels == channels);
	FUZZ_CHECK(!unseen && p.height == (seen.height + reduce - 1) / reduce &&
	           p.width == (seen.width + reduce - 1) / reduce);
	uint64_t sum = 14695981039346656037u;
	int64_t n = p.height * p.width * channels;
	for (int64_t i = 0; i < n; i++)
		sum = (sum ^ p.pixels[i]) * 1099511628211u;
	uint8_t small[5 * 7 * 3];
	Window whole = {0, 0, (double)p.height, (double)p.width};
	image_resize(&p, whole, small, 5, 7);
	free(p.pixels);
	return sum | 1;
}

static void decode_values(const char *kind, const uint8_t *bytes, size_t length)
{
	Picture p = {0};
	const char *why = image_decode_values(kind, bytes, (int64_t)length, &p);
	FUZZ_CHECK(!why == (p.pixels != NULL) && (why || (p.height > 0 && p.width > 0)));
	free(p.pixels);
}

static void decode_all(const char *kind, const uint8_t *bytes, size_t length)
{
	decode(kind, bytes, length, 3, 1);
	decode(kind, bytes, length, 1, 1);
	decode_values(kind, bytes, length);
}

#define IMAGE_READER(kind)                                    \
	void fuzz_##kind(const uint8_t *bytes, size_t length) \
	{                                                     \
		decode_all(#kind, bytes, length);             \
	}
#include "runtime/data/image_readers.def"
#undef IMAGE_READER

/* What is no picture has a name, and nothing decodes it. */
void fuzz_magic(const uint8_t *bytes, size_t length)
{
	const char *kind = image_kind(bytes, (int64_t)length);
	Picture p = {0};
	FUZZ_CHECK(image_foreign(bytes, (int64_t)length) != NULL);
	if (!kind)
		FUZZ_CHECK(image_decode(kind, bytes, (int64_t)length, 3, 1, &p) && !p.pixels);
	else if (image_is_foreign(bytes, (int64_t)length))
		decode_all(kind, bytes, length);
}

/* The input is cut where a JPEG may begin. */
void fuzz_jpegs(const uint8_t *bytes, size_t length)
{
	enum { MOST = 4 };
	const uint8_t *at[MOST + 1] = {bytes}, *end = bytes + length;
	int count = 1;
	for (const uint8_t *p = bytes + 1; count < MOST && p + 2 < end; p++)
		if (p[0] == 0xff && p[1] == 0xd8 && p[2] == 0xff)
			at[count++] = p;
	at[count] = end;
	uint64_t sums[MOST];
	for (int i = 0; i < count; i++)
		sums[i] = decode("jpg", at[i], (size_t)(at[i + 1] - at[i]), 3, 1);
	for (int i = count - 1; i >= 0; i--)
		FUZZ_CHECK(decode("jpg", at[i], (size_t)(at[i + 1] - at[i]), 3, 1) == sums[i]);
	decode("jpg", at[0], (size_t)(at[1] - at[0]), 1, 1);
	for (int reduce = 2; reduce <= 8; reduce *= 2)
		decode("jpg", at[0], (size_t)(at[1] - at[0]), 3, reduce);
}
