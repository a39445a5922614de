/* SPDX-License-Identifier: MIT */
/* PKWARE's APPNOTE: the directory of all members is at the end, and each has a header of its own ahead of its bytes. */
#include "runtime/host/zip.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/host/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum {
	END_BYTES = 22,
	ENTRY_BYTES = 46,
	HEADER_BYTES = 30,
	COMMENT_MOST = 65535,
	MEMBERS_MOST = 4096,
	STORED = 0,
	DEFLATED = 8,
	DEFLATE_MOST = 1032 /* bytes of one byte that is packed */
};

static uint32_t number(const unsigned char *at, int bytes)
{
	uint32_t value = 0;
	for (int i = 0; i < bytes; i++)
		value |= (uint32_t)at[i] << 8 * i;
	return value;
}

static _Noreturn void die_of(const Zip *z, const char *why)
{
	die(STATUS_DATA, "`%s` can't be used: %s", z->path, why);
}

static void read_at(const Zip *z, void *to, int64_t length, int64_t at)
{
	if (at < 0 || length > z->length - at || !file_read_at(z->fd, to, length, at))
		die_of(z, "it is cut short or damaged");
}

/* The record of the end, which only a comment follows. */
static void read_end(const Zip *z, unsigned char end[END_BYTES])
{
	const int64_t most = END_BYTES + COMMENT_MOST, length = z->length < most ? z->length : most;
	unsigned char *tail = allocate(length, 1, "the end of an archive");
	read_at(z, tail, length, z->length - length);
	for (int64_t at = length - END_BYTES; at >= 0; at--)
		if (memcmp(tail + at, "PK\5\6", 4) == 0 &&
		    number(tail + at + 20, 2) == length - at - END_BYTES) {
			memcpy(end, tail + at, END_BYTES);
			free(tail);
			return;
		}
	die_of(z, "it is no zip archive, as a .npz is, or is cut short");
}

static int64_t read_entry(Zip *z, const unsigned char *at, int64_t left)
{
	if (left < ENTRY_BYTES || memcmp(at, "PK\1\2", 4) != 0)
		die_of(z, "its directory is damaged");
	const int64_t name = number(at + 28, 2),
	              bytes = ENTRY_BYTES + name + number(at + 30, 2) + number(at + 32, 2);
	const uint32_t method = number(at + 10, 2);
	ZipMember *m = &z->members[z->count];
	*m = (ZipMember){.header = number(at + 42, 4),
	                 .packed = number(at + 20, 4),
	                 .size = number(at + 24, 4),
	                 .crc = number(at + 16, 4),
	                 .deflated = method == DEFLATED,
	                 .encrypted = number(at + 8, 2) & 1};
	if (bytes > left)
		die_of(z, "its directory is damaged");
	if (m->packed == UINT32_MAX || m->size == UINT32_MAX || m->header == UINT32_MAX)
		die_of(z, "it has more than 4 GiB: save its arrays as .npy files");
	m->name = text_printf("%.*s", (int)name, (const char *)at + ENTRY_BYTES);
	z->count++;
	if (method != STORED && method != DEFLATED)
		die_of(z,
		       text_printf("`%s` is packed by method %u: numpy.savez_compressed packs it otherwise",
		                   m->name, method));
	return bytes;
}

Zip zip_open(const char *path)
{
	Zip z = {.path = path};
	unsigned char end[END_BYTES];
	z.fd = file_open_or_die(path, &z.length);
	read_end(&z, end);
	const int count = (int)number(end + 10, 2);
	const int64_t bytes = number(end + 12, 4), at = number(end + 16, 4);
	if (number(end + 4, 2) != 0 || at == UINT32_MAX)
		die_of(&z, "it has more than 4 GiB, or several parts: save its arrays as .npy files");
	if (count > MEMBERS_MOST)
		die_of(&z, text_printf("it has more than %d members", MEMBERS_MOST));
	if (bytes > z.length)
		die_of(&z, "its directory is damaged");
	unsigned char *directory = allocate(bytes, 1, "the directory of an archive");
	read_at(&z, directory, bytes, at);
	z.members = allocate(count, sizeof *z.members, "the directory of an archive");
	for (int64_t done = 0; z.count < count;)
		done += read_entry(&z, directory + done, bytes - done);
	free(directory);
	return z;
}

const ZipMember *zip_find(const Zip *z, const char *name)
{
	for (int i = 0; i < z->count; i++)
		if (strcmp(z->members[i].name, name) == 0)
			return &z->members[i];
	return NULL;
}

/* Below 4 GiB, all at once. */
static bool inflate_all(const unsigned char *from, int64_t length, unsigned char *to, int64_t size)
{
	z_stream s = {0};
	if (inflateInit2(&s, -15) != Z_OK)
		die(STATUS_MEMORY, "not enough memory for an archive");
	s.next_in = (unsigned char *)(uintptr_t)from;
	s.avail_in = (unsigned)length;
	s.next_out = to;
	s.avail_out = (unsigned)size;
	const int code = inflate(&s, Z_FINISH);
	const bool all = code == Z_STREAM_END && s.total_out == (unsigned long)size;
	inflateEnd(&s);
	return all;
}

static uint32_t checksum(const unsigned char *bytes, int64_t length)
{
	return (uint32_t)crc32_z(crc32_z(0, NULL, 0), bytes, (size_t)length);
}

unsigned char *zip_read(const Zip *z, const ZipMember *m)
{
	unsigned char header[HEADER_BYTES];
	read_at(z, header, sizeof header, m->header);
	const bool fits = m->deflated ? m->size / DEFLATE_MOST <= m->packed : m->size == m->packed;
	if (memcmp(header, "PK\3\4", 4) != 0 || m->packed > z->length || !fits)
		die_of(z, text_printf("`%s` in it is damaged", m->name));
	if (m->encrypted)
		die_of(z, text_printf("`%s` in it is encrypted", m->name));
	const double needed = (double)m->size + (m->deflated ? (double)m->packed : 0);
	if (needed > memory_available() / 2)
		die(STATUS_MEMORY,
		    "`%s` in `%s` needs %s, more than half of the memory that is left: save it as a .npy "
		    "file",
		    m->name, z->path, human_bytes(needed));
	unsigned char *bytes = allocate(m->size + 1, 1, "an array of an archive");
	unsigned char *packed = m->deflated ? allocate(m->packed + 1, 1, "an array of an archive") : bytes;
	read_at(z, packed, m->packed,
	        m->header + HEADER_BYTES + number(header + 26, 2) + number(header + 28, 2));
	if ((m->deflated && !inflate_all(packed, m->packed, bytes, m->size)) ||
	    checksum(bytes, m->size) != m->crc)
		die_of(z, text_printf("`%s` in it is damaged", m->name));
	if (m->deflated)
		free(packed);
	return bytes;
}

void zip_close(Zip *z)
{
	for (int i = 0; i < z->count; i++)
		free(z->members[i].name);
	free(z->members);
	close(z->fd);
	*z = (Zip){0};
}
