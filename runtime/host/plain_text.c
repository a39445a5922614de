/* SPDX-License-Identifier: MIT */
#include "runtime/host/plain_text.h"
#include "base/utf8.h"
#include "runtime/host/die.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const char what[] = "the text of a file";

/* ---- gzip: one member after the other, each with a checksum; zeros that fill a block up may follow the last */

typedef struct Unpacked {
	unsigned char *bytes;
	int64_t length, room;
} Unpacked;

static bool begins_member(const unsigned char *bytes, int64_t length)
{
	return length > 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

/* The member at `bytes`; how many bytes it takes. */
static int64_t unpack_member(const char *path, const unsigned char *bytes, int64_t length, int64_t limit,
                             Unpacked *to)
{
	enum { PIECE = 1 << 16 };
	z_stream z = {0};
	int code = inflateInit2(&z, 15 + 16); /* gzip only */
	if (code != Z_OK)
		die(STATUS_MEMORY, "not enough memory for %s", what);
	int64_t given = 0;
	while (code != Z_STREAM_END) {
		if (to->room - to->length < PIECE) {
			to->room = 2 * to->room + 4 * PIECE;
			to->bytes = reallocate(to->bytes, to->room, 1, what);
		}
		const int64_t left = length - given, some = left < 1 << 30 ? left : 1 << 30;
		const int64_t space = to->room - to->length, most = space < 1 << 30 ? space : 1 << 30;
		z.next_in = (unsigned char *)bytes + given;
		z.avail_in = (unsigned)some;
		z.next_out = to->bytes + to->length;
		z.avail_out = (unsigned)most;
		code = inflate(&z, Z_NO_FLUSH);
		given += some - z.avail_in;
		to->length += most - z.avail_out;
		if (code == Z_BUF_ERROR || (code == Z_OK && given == length && z.avail_out > 0))
			die(STATUS_DATA, "`%s` is cut short: its gzip data have no end", path);
		if (code != Z_OK && code != Z_STREAM_END)
			die(STATUS_DATA, "`%s` is damaged: %s", path, z.msg ? z.msg : "it is no gzip data");
		if (to->length > limit)
			die(STATUS_DATA, "`%s` unpacks to more than %s", path, human_bytes((double)limit));
	}
	inflateEnd(&z);
	return given;
}

static unsigned char *unpack(const char *path, unsigned char *bytes, int64_t limit, int64_t *length)
{
	Unpacked to = {0};
	for (int64_t at = 0; begins_member(bytes + at, *length - at);)
		at += unpack_member(path, bytes + at, *length - at, limit, &to);
	free(bytes);
	*length = to.length;
	return to.bytes;
}

/* ---- UTF-16 */

static uint32_t unit_at(const unsigned char *bytes, int64_t at, bool big)
{
	return big ? (uint32_t)(bytes[at] << 8 | bytes[at + 1]) : (uint32_t)(bytes[at + 1] << 8 | bytes[at]);
}

/* Behind the mark. No unit of 2 bytes becomes more than 3. */
static unsigned char *from_utf16(const char *path, unsigned char *bytes, bool big, int64_t *length)
{
	if (*length % 2 != 0)
		die(STATUS_DATA, "`%s` is UTF-16 by its first bytes, and has an odd number of them", path);
	unsigned char *text = allocate(*length / 2 * 3 + 1, 1, what);
	int64_t count = 0;
	for (int64_t at = 2; at < *length; at += 2) {
		uint32_t code = unit_at(bytes, at, big);
		const bool first = code >= 0xd800 && code < 0xdc00, second = code >= 0xdc00 && code < 0xe000;
		const uint32_t next = first && at + 2 < *length ? unit_at(bytes, at + 2, big) : 0;
		if (second || (first && (next < 0xdc00 || next >= 0xe000)))
			die(STATUS_DATA,
			    "`%s` is UTF-16 by its first bytes, and byte %lld begins half a character", path,
			    (long long)at);
		if (first) {
			code = 0x10000 + ((code - 0xd800) << 10) + (next - 0xdc00);
			at += 2;
		}
		count += utf8_encode(code, (char *)text + count);
	}
	free(bytes);
	*length = count;
	return text;
}

unsigned char *plain_text(const char *path, unsigned char *bytes, int64_t limit, int64_t *length)
{
	if (begins_member(bytes, *length))
		bytes = unpack(path, bytes, limit, length);
	const bool little = *length >= 2 && bytes[0] == 0xff && bytes[1] == 0xfe,
	           big = *length >= 2 && bytes[0] == 0xfe && bytes[1] == 0xff;
	return little || big ? from_utf16(path, bytes, big, length) : bytes;
}
