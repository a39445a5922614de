/* SPDX-License-Identifier: MIT */
#include "runtime/report/events.h"
#include "runtime/host/die.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct Events {
	FILE *file;
	char *path;
};

/* CRC-32C (Castagnoli), as TensorFlow masks it. */
static uint32_t events_masked_crc(const void *bytes, int64_t length)
{
	uint32_t crc = 0xffffffffu;
	for (int64_t i = 0; i < length; i++) {
		crc ^= ((const uint8_t *)bytes)[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
	}
	crc = ~crc;
	return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

/* ---- messages of protobuf: a field is its number and its form, then the value */

enum { VARINT, FIXED64, BYTES, FIXED32 = 5 };

typedef struct Message {
	uint8_t at[512];
	int length;
} Message;

static void put_varint(Message *m, uint64_t value)
{
	for (; value >= 128; value >>= 7)
		m->at[m->length++] = (uint8_t)(value | 128);
	m->at[m->length++] = (uint8_t)value;
}

static void put_key(Message *m, int field, int form)
{
	put_varint(m, (uint64_t)(field << 3 | form));
}

static void put_number(Message *m, int field, int64_t value)
{
	put_key(m, field, VARINT);
	put_varint(m, (uint64_t)value);
}

static void put_bytes(Message *m, int field, const void *bytes, int length)
{
	put_key(m, field, BYTES);
	put_varint(m, (uint64_t)length);
	memcpy(m->at + m->length, bytes, (size_t)length);
	m->length += length;
}

static void put_little(uint8_t *to, uint64_t bits, int bytes)
{
	for (int i = 0; i < bytes; i++)
		to[i] = (uint8_t)(bits >> 8 * i);
}

static void put_double(Message *m, int field, double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	put_key(m, field, FIXED64);
	put_little(m->at + m->length, bits, 8);
	m->length += 8;
}

static void put_float(Message *m, int field, float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	put_key(m, field, FIXED32);
	put_little(m->at + m->length, bits, 4);
	m->length += 4;
}

static void put_text(Message *m, int field, const char *text)
{
	size_t length = strlen(text);
	put_bytes(m, field, text, length < 200 ? (int)length : 200);
}

/* Event: 1 wall_time, 2 step, 3 file_version, 5 summary, 7 session_log. */
static Message event_at(int64_t step)
{
	struct timespec now;
	Message m = {.length = 0};
	require(clock_gettime(CLOCK_REALTIME, &now) == 0);
	put_double(&m, 1, (double)now.tv_sec + 1e-9 * (double)now.tv_nsec);
	if (step > 0)
		put_number(&m, 2, step);
	return m;
}

static void write_frame(Events *events, const Message *m)
{
	uint8_t head[12], foot[4];
	put_little(head, (uint64_t)m->length, 8);
	put_little(head + 8, events_masked_crc(head, 8), 4);
	put_little(foot, events_masked_crc(m->at, m->length), 4);
	fwrite(head, 1, sizeof head, events->file);
	fwrite(m->at, 1, (size_t)m->length, events->file);
	fwrite(foot, 1, sizeof foot, events->file);
}

/* Summary: 1 value; Value: 1 tag, 2 simple_value. */
static void write_scalar(Events *events, int64_t step, const char *tag, double value)
{
	Message scalar = {.length = 0}, summary = {.length = 0}, event = event_at(step);
	put_text(&scalar, 1, tag);
	put_float(&scalar, 2, (float)value);
	put_bytes(&summary, 1, scalar.at, scalar.length);
	put_bytes(&event, 5, summary.at, summary.length);
	write_frame(events, &event);
}

Events *events_open(const char *folder, bool resumed, int64_t step)
{
	Events *events = allocate(1, sizeof *events, "the events");
	char host[256] = "";
	int fd = -1;
	if (gethostname(host, sizeof host - 1) < 0 || !*host)
		strcpy(host, "localhost");
	for (int again = 0; fd < 0 && again < 1000; again++) {
		free(events->path);
		events->path = text_printf("%s/events.out.tfevents.%lld.%s.%ld.%d", folder,
		                           (long long)time(NULL), host, (long)getpid(), again);
		fd = open(events->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	events->file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!events->file)
		die(STATUS_DATA, "can't write `%s`: %s", events->path, strerror(errno));
	Message version = event_at(0);
	put_text(&version, 3, "brain.Event:2");
	write_frame(events, &version);
	if (resumed) { /* SessionLog: 1 status, of which 1 is START */
		Message start = event_at(step + 1), log = {.length = 0};
		put_number(&log, 1, 1);
		put_bytes(&start, 7, log.at, log.length);
		write_frame(events, &start);
	}
	fflush(events->file);
	return events;
}

static bool is_among(const char *key, const char *const *names, int count)
{
	for (int i = 0; i < count; i++)
		if (strcmp(key, names[i]) == 0)
			return true;
	return false;
}

/* Scores of a step and means of an epoch are two curves. */
void events_record(Events *events, const Record *r)
{
	static const char *const plain[] = {"rate",   "samples_per_second", "seconds",      "data_wait",
	                                    "memory", "param_norm",         "gradient_norm"};
	if (!events)
		return;
	const Field *at = record_find(r, "step");
	int64_t step = (int64_t)(at ? at->value : r->field[0].value);
	bool of_step = strcmp(r->field[0].key, "step") == 0;
	for (int i = 1; i < r->count; i++) {
		const char *key = r->field[i].key;
		char tag[256];
		if (strcmp(key, "step") == 0 || !isfinite(r->field[i].value))
			continue;
		if (strncmp(key, "eval_", 5) == 0)
			snprintf(tag, sizeof tag, "eval/%s", key + 5);
		else if (is_among(key, plain, sizeof plain / sizeof *plain) || strchr(key, '/'))
			snprintf(tag, sizeof tag, "%s", key);
		else
			snprintf(tag, sizeof tag, "%s/%s", of_step ? "step" : "train", key);
		write_scalar(events, step, tag, r->field[i].value);
	}
	fflush(events->file);
}

bool events_close(Events *events)
{
	if (!events)
		return true;
	bool whole = !ferror(events->file);
	whole = fclose(events->file) == 0 && whole;
	if (!whole)
		say_warning("`%s` is not whole", events->path);
	free(events->path);
	free(events);
	return whole;
}
