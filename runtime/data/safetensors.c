/* SPDX-License-Identifier: MIT */
#include "runtime/data/safetensors.h"
#include "base/checked.h"
#include "runtime/data/data.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/host/json.h"
#include "runtime/host/writer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum {
	HEADER_LIMIT = 16 << 20,
	TENSOR_LIMIT = 65536,
	METADATA_LIMIT = 4096,
	CHUNK = 1 << 20,
	DIGITS = 8, /* of the checksum */
};

static const char checksum_key[] = "crc32";

/* The types of the format; those that nnc has come with their number. */
static const struct {
	const char *name;
	int dtype, bytes;
} types[] = {
        {"F32", NNR_F32, 4}, {"F64", NNR_F64, 8}, {"BF16", NNR_BF16, 2}, {"F16", NNR_F16, 2},
        {"I32", NNR_I32, 4}, {"U8", NNR_U8, 1},   {"BOOL", -1, 1},       {"I8", -1, 1},
        {"I16", -1, 2},      {"U16", -1, 2},      {"U32", -1, 4},        {"I64", -1, 8},
        {"U64", -1, 8},      {"F8_E4M3", -1, 1},  {"F8_E5M2", -1, 1},
};

enum { TYPES = sizeof types / sizeof *types };

/* ---- reading */

/* The checksum is found again in the file by the place of its raw text: eight hexadecimal digits, not escaped. */
static bool parse_metadata(Json *j, Safetensors *f, const char *header)
{
	if (!json_expect(j, '{'))
		return false;
	if (json_take(j, '}'))
		return true;
	do {
		if (f->metadata_count == METADATA_LIMIT)
			return json_fail(j, "the metadata has too many keys");
		if (f->metadata_count % 64 == 0)
			f->metadata = reallocate(f->metadata, f->metadata_count + 64, sizeof *f->metadata,
			                         "the header");
		Metadata *m = &f->metadata[f->metadata_count];
		*m = (Metadata){.key = json_text(j)};
		f->metadata_count += m->key != NULL;
		if (!m->key || !json_expect(j, ':') || !(m->value = json_text(j)))
			return false;
		for (int i = 0; i < f->metadata_count - 1; i++)
			if (strcmp(f->metadata[i].key, m->key) == 0)
				return json_fail(j, "a key of the metadata stands twice");
		if (strcmp(m->key, checksum_key) == 0) {
			const char *raw = j->at - 1 - DIGITS;
			if (strlen(m->value) != DIGITS || raw < header || memcmp(raw, m->value, DIGITS) != 0)
				return json_fail(j, "the checksum is not eight digits");
			f->checksum_at = 8 + (raw - header);
		}
	} while (json_take(j, ','));
	return json_expect(j, '}');
}

static bool parse_list(Json *j, int64_t *out, int most, int *count)
{
	*count = 0;
	if (!json_expect(j, '['))
		return false;
	if (json_take(j, ']'))
		return true;
	do {
		if (*count == most)
			return json_fail(j, "a list is too long");
		if (!json_integer(j, &out[(*count)++]))
			return false;
	} while (json_take(j, ','));
	return json_expect(j, ']');
}

static bool parse_type(Json *j, StoredTensor *t, int *element)
{
	char name[JSON_STRING_BYTES];
	if (!json_string(j, name))
		return false;
	for (int i = 0; i < TYPES; i++) {
		if (strcmp(types[i].name, name) == 0) {
			t->dtype = types[i].dtype;
			*element = types[i].bytes;
			return true;
		}
	}
	t->dtype = -1; /* of a tensor that nobody may ask for */
	*element = 0;
	return true;
}

/* {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, the keys in any order, each once. */
static bool parse_tensor(Json *j, StoredTensor *t)
{
	char key[JSON_STRING_BYTES];
	int64_t range[2] = {0, 0};
	int element = 0, range_count = 0, seen = 0;
	if (!json_expect(j, '{'))
		return false;
	do {
		static const char *const keys[] = {"dtype", "shape", "data_offsets"};
		int which = 0;
		if (!json_string(j, key) || !json_expect(j, ':'))
			return false;
		while (which < 3 && strcmp(keys[which], key) != 0)
			which++;
		if (which == 3)
			return json_fail(j, "a tensor has an unknown key");
		if (seen & 1 << which)
			return json_fail(j, "a key of a tensor stands twice");
		seen |= 1 << which;
		bool ok = which == 0   ? parse_type(j, t, &element)
		          : which == 1 ? parse_list(j, t->dim, NNR_MAX_RANK, &t->rank)
		                       : parse_list(j, range, 2, &range_count);
		if (!ok)
			return false;
	} while (json_take(j, ','));
	if (!json_expect(j, '}'))
		return false;
	if (seen != 7 || range_count != 2)
		return json_fail(j, "a tensor lacks its dtype, shape or data_offsets");
	int64_t bytes = element;
	for (int i = 0; i < t->rank; i++)
		if (!checked_mul(bytes, t->dim[i], &bytes))
			return json_fail(j, "a shape is too large");
	t->begin = range[0];
	t->end = range[1];
	if (t->begin > t->end)
		return json_fail(j, "a tensor ends before it begins");
	if (element && t->end - t->begin != bytes)
		return json_fail(j, "a tensor's bytes do not fit its shape");
	return true;
}

static bool parse_header(Json *j, Safetensors *f, const char *header)
{
	bool seen_metadata = false;
	if (!json_expect(j, '{'))
		return false;
	if (json_take(j, '}'))
		return json_finish(j);
	do {
		char *name = json_text(j);
		if (!name || !json_expect(j, ':')) {
			free(name);
			return false;
		}
		if (strcmp(name, "__metadata__") == 0) {
			free(name);
			if (seen_metadata)
				return json_fail(j, "the metadata stands twice");
			seen_metadata = true;
			if (!parse_metadata(j, f, header))
				return false;
			continue;
		}
		if (f->count == TENSOR_LIMIT)
			return json_fail(j, "there are more than 65536 tensors");
		if (f->count % 256 == 0)
			f->tensors = reallocate(f->tensors, f->count + 256, sizeof *f->tensors, "the header");
		StoredTensor *t = &f->tensors[f->count++];
		*t = (StoredTensor){.name = name};
		if (!parse_tensor(j, t))
			return false;
	} while (json_take(j, ','));
	return json_expect(j, '}') && json_finish(j);
}

static int by_begin(const void *a, const void *b)
{
	const StoredTensor *x = a, *y = b;
	int64_t first = x->begin != y->begin ? x->begin : x->end,
	        second = x->begin != y->begin ? y->begin : y->end;
	return (first > second) - (first < second);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const StoredTensor *)a)->name, ((const StoredTensor *)b)->name);
}

static const char *check_ranges(Safetensors *f)
{
	int64_t end = 0;
	if (f->count)
		qsort(f->tensors, (size_t)f->count, sizeof *f->tensors, by_begin);
	for (int i = 0; i < f->count; i++) {
		if (f->tensors[i].begin != end)
			return f->tensors[i].begin < end ? "two tensors overlap"
			                                 : "there is a hole between two tensors";
		end = f->tensors[i].end;
	}
	if (end > f->data_bytes)
		die_help(STATUS_DATA, "copy it again from where it is whole",
		         "`%s` is cut short: its tensors need %lld bytes, and it has %lld", f->path,
		         (long long)(f->data_start + end), (long long)(f->data_start + f->data_bytes));
	if (end < f->data_bytes)
		return "bytes follow the last tensor";
	if (f->count)
		qsort(f->tensors, (size_t)f->count, sizeof *f->tensors, by_name);
	for (int i = 1; i < f->count; i++)
		if (strcmp(f->tensors[i - 1].name, f->tensors[i].name) == 0)
			return "a tensor's name stands twice";
	return NULL;
}

static _Noreturn void die_read(const char *path)
{
	die(STATUS_DATA, "can't read `%s`: %s", path, errno ? strerror(errno) : "it is cut short");
}

static void free_scratch(Safetensors *f)
{
	free(f->scratch);
	f->scratch = NULL;
}

/* Files of nnc have one; those of others need not. */
static void check_checksum(Safetensors *f)
{
	const char *format = safetensors_metadata(f, "format");
	if (!f->checksum_at && format && strncmp(format, "nnc ", 4) == 0)
		die(STATUS_DATA, "`%s` is damaged: its checksum is missing", f->path);
	if (!f->checksum_at)
		return;
	unsigned char *chunk = f->scratch = allocate(1, CHUNK, "a buffer");
	uint32_t sum = 0;
	int64_t size = f->data_start + f->data_bytes;
	for (int64_t at = 0; at < size; at += CHUNK) {
		int64_t n = size - at < CHUNK ? size - at : CHUNK;
		if (!file_read_at(f->fd, chunk, n, at))
			die_read(f->path);
		for (int64_t i = f->checksum_at; i < f->checksum_at + DIGITS; i++)
			if (i >= at && i < at + n)
				chunk[i - at] = '0';
		sum = (uint32_t)crc32(sum, chunk, (unsigned)n);
	}
	free_scratch(f);
	char digits[DIGITS + 1];
	snprintf(digits, sizeof digits, "%08x", sum);
	if (strcmp(digits, safetensors_metadata(f, checksum_key)) != 0)
		die(STATUS_DATA, "`%s` is damaged: its checksum does not match", f->path);
}

static void release(void *f)
{
	safetensors_close(f);
}

Safetensors *safetensors_open(const char *path)
{
	int64_t size, length = 0;
	Safetensors *f = allocate(1, sizeof *f, "a file");
	f->fd = -1;
	held_begin(f, release);
	f->path = text_printf("%s", path);
	f->fd = file_open_or_die(path, &size);
	unsigned char bytes[8];
	if (size < 8)
		die(STATUS_DATA, "`%s` is no safetensors file: it has %lld bytes", path, (long long)size);
	if (!file_read_at(f->fd, bytes, 8, 0))
		die_read(path);
	if (bytes[4] || bytes[5] || bytes[6] || bytes[7])
		die(STATUS_DATA, "`%s` is no safetensors file: its header would be too long", path);
	for (int i = 0; i < 4; i++)
		length |= (int64_t)bytes[i] << 8 * i;
	if (length > HEADER_LIMIT)
		die(STATUS_DATA, "`%s` has a header of %lld bytes; at most 16 MiB are read", path,
		    (long long)length);
	if (length > size - 8)
		die(STATUS_DATA, "`%s` is cut short: its header alone has %lld bytes", path,
		    (long long)length);
	char *header = f->scratch = allocate(length, 1, "the header");
	if (!file_read_at(f->fd, header, length, 8))
		die_read(path);
	if (length < 2 || header[0] != '{')
		die(STATUS_DATA, "`%s` is no safetensors file: its header does not begin with {", path);
	f->data_start = 8 + length;
	f->data_bytes = size - f->data_start;
	Json j = json_new(header, length);
	if (!parse_header(&j, f, header))
		die(STATUS_DATA, "`%s` has a broken header: %s", path,
		    j.error ? j.error : "it can't be read");
	free_scratch(f);
	const char *why = check_ranges(f);
	if (why)
		die(STATUS_DATA, "`%s` has a broken header: %s", path, why);
	check_checksum(f);
	return f;
}

const StoredTensor *safetensors_find(const Safetensors *f, const char *name)
{
	StoredTensor key = {.name = name};
	return f->count ? bsearch(&key, f->tensors, (size_t)f->count, sizeof key, by_name) : NULL;
}

const char *safetensors_metadata(const Safetensors *f, const char *key)
{
	for (int i = 0; i < f->metadata_count; i++)
		if (strcmp(f->metadata[i].key, key) == 0)
			return f->metadata[i].value;
	return NULL;
}

void safetensors_read(const Safetensors *f, const StoredTensor *t, void *to)
{
	if (!file_read_at(f->fd, to, t->end - t->begin, f->data_start + t->begin))
		die_read(f->path);
}

void safetensors_close(Safetensors *f)
{
	held_end(f);
	if (f->fd >= 0)
		close(f->fd);
	for (int i = 0; i < f->count; i++)
		free((char *)f->tensors[i].name);
	for (int i = 0; i < f->metadata_count; i++) {
		free((char *)f->metadata[i].key);
		free((char *)f->metadata[i].value);
	}
	free_scratch(f);
	free(f->tensors);
	free(f->metadata);
	free((char *)f->path);
	free(f);
}

/* ---- writing */

typedef struct Text {
	char *at;
	int64_t length, room;
} Text;

static void text_add(Text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void text_add(Text *t, const char *format, ...)
{
	va_list args;
	for (;;) {
		va_start(args, format);
		int n = vsnprintf(t->at + t->length, (size_t)(t->room - t->length), format, args);
		va_end(args);
		require(n >= 0);
		if (t->length + n < t->room) {
			t->length += n;
			return;
		}
		t->room = 2 * t->room + n + 1;
		t->at = reallocate(t->at, t->room, 1, "the header");
	}
}

static void text_add_string(Text *t, const char *s)
{
	char *quoted = json_quoted(s);
	text_add(t, "%s", quoted);
	free(quoted);
}

static int64_t stored_bytes(const StoredTensor *t)
{
	int64_t bytes = dtype_bytes((NnrDType)t->dtype);
	for (int i = 0; i < t->rank; i++)
		require(checked_mul(bytes, t->dim[i], &bytes));
	return bytes;
}

/* The header with the checksum's digits as zeros; *digits: where they are. */
static Text make_header(const StoredTensor *tensors, int count, const Metadata *metadata, int metadata_count,
                        int64_t *digits)
{
	Text t = {allocate(4096, 1, "the header"), 0, 4096};
	int64_t offset = 0;
	text_add(&t, "{\"__metadata__\":{");
	for (int i = 0; i < metadata_count; i++) {
		text_add_string(&t, metadata[i].key);
		text_add(&t, ":");
		text_add_string(&t, metadata[i].value);
		text_add(&t, ",");
	}
	text_add(&t, "\"%s\":\"00000000\"}", checksum_key);
	*digits = t.length - 2 - DIGITS;
	for (int i = 0; i < count; i++) {
		int64_t bytes = stored_bytes(&tensors[i]);
		text_add(&t, ",");
		text_add_string(&t, tensors[i].name);
		text_add(&t, ":{\"dtype\":\"%s\",\"shape\":[", types[tensors[i].dtype].name);
		for (int k = 0; k < tensors[i].rank; k++)
			text_add(&t, "%s%" PRId64, k ? "," : "", tensors[i].dim[k]);
		text_add(&t, "],\"data_offsets\":[%" PRId64 ",%" PRId64 "]}", offset, offset + bytes);
		offset += bytes;
	}
	text_add(&t, "}");
	while ((8 + t.length) % 64) /* the data begins aligned, for readers that map the file */
		text_add(&t, " ");
	return t;
}

static uint32_t checksum_add(uint32_t sum, const void *bytes, int64_t length)
{
	return (uint32_t)crc32_z(sum, bytes, (size_t)length);
}

static void abandon(void *file)
{
	file_abandon(file);
}

static bool write_whole(FileWriter *w, const StoredTensor *given, int count, const Metadata *metadata,
                        int metadata_count)
{
	if (!w)
		return false;
	held_begin(w, abandon);
	StoredTensor *tensors = allocate(count, sizeof *tensors, "the header");
	int placed = 0;
	for (int64_t element = 8; element >= 1; element /= 2)
		for (int i = 0; i < count; i++)
			if (dtype_bytes((NnrDType)given[i].dtype) == element)
				tensors[placed++] = given[i];
	require(placed == count);
	int64_t digits;
	Text header = make_header(tensors, count, metadata, metadata_count, &digits);
	unsigned char length[8];
	for (int i = 0; i < 8; i++)
		length[i] = (unsigned char)((uint64_t)header.length >> 8 * i);
	uint32_t sum = checksum_add(checksum_add(0, length, 8), header.at, header.length);
	for (int i = 0; i < count; i++)
		sum = checksum_add(sum, tensors[i].data, stored_bytes(&tensors[i]));
	char text[DIGITS + 1];
	snprintf(text, sizeof text, "%08x", sum);
	memcpy(header.at + digits, text, DIGITS);
	bool ok = file_write(w, length, 8) && file_write(w, header.at, header.length);
	for (int i = 0; ok && i < count; i++)
		ok = file_write(w, tensors[i].data, stored_bytes(&tensors[i]));
	held_end(w);
	if (ok)
		ok = file_commit(w);
	else
		file_abandon(w);
	free(header.at);
	free(tensors);
	return ok;
}

bool safetensors_write(const char *path, const StoredTensor *tensors, int count, const Metadata *metadata,
                       int metadata_count)
{
	return write_whole(file_begin(path), tensors, count, metadata, metadata_count);
}

bool safetensors_write_new(const char *path, const StoredTensor *tensors, int count, const Metadata *metadata,
                           int metadata_count)
{
	return write_whole(file_begin_new(path), tensors, count, metadata, metadata_count);
}
