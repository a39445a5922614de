/* SPDX-License-Identifier: MIT */
#include "runtime/data/cells.h"
#include "base/utf8.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/host/memory.h"
#include "runtime/host/plain_text.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS_MOST = 65536 };
static const int64_t bytes_most = (int64_t)1 << 36;

/* Of a path that may go on with .gz. */
static bool is_named(const char *path, const char *suffix)
{
	size_t n = strlen(path), end = strlen(suffix);
	n -= n > 3 && strcmp(path + n - 3, ".gz") == 0 ? 3 : 0;
	return n > end && memcmp(path + n - end, suffix, end) == 0;
}

bool cells_named(const char *path)
{
	return is_named(path, ".csv") || is_named(path, ".tsv");
}

/* By the first line, outside of quotes. */
static bool has_semicolons(const Cells *c)
{
	bool found = false, quoted = false;
	int64_t at = c->place;
	while (at < c->length && strchr("\r\n", c->bytes[at]))
		at++;
	for (; at < c->length && (quoted || !strchr("\r\n", c->bytes[at])); at++) {
		quoted = quoted != (c->bytes[at] == '"');
		if (!quoted && c->bytes[at] == ',')
			return false;
		found = found || (!quoted && c->bytes[at] == ';');
	}
	return found;
}

Cells cells_open(const char *path)
{
	const char *why = NULL;
	Cells c = {.path = path, .separator = is_named(path, ".tsv") ? '\t' : ','};
	c.bytes = file_read(path, bytes_most, &c.length, &why);
	if (!c.bytes)
		die(machine_status(why) ? machine_status(why) : STATUS_DATA, "can't read `%s`: %s", path,
		    why);
	const double room = memory_available() / 2; /* what is unpacked may be a thousand times as large */
	c.bytes =
	        plain_text(path, c.bytes, room < (double)bytes_most ? (int64_t)room : bytes_most, &c.length);
	/* a row is no longer than the file, with a NUL for each separator and for its end */
	c.text = allocate(c.length + 1, 1, "a line of the table");
	cells_rewind(&c);
	if (c.separator == ',' && has_semicolons(&c))
		c.separator = ';';
	return c;
}

bool cells_count(Cells *c, int column)
{
	enum { LOOKED_AT = 100, LEAST = 3 };
	int rows = 0;
	long long last = 0;
	bool counts = true;
	for (; counts && rows < LOOKED_AT && cells_row(c); rows++) {
		const char *text = column < c->count ? c->at[column] : "";
		char *end;
		long long value = strtoll(text, &end, 10);
		counts = end != text && !*end && strlen(text) < 18 && (rows == 0 || value == last + 1);
		last = value;
	}
	cells_rewind(c);
	return counts && rows >= LEAST;
}

void cells_rewind(Cells *c)
{
	c->place = utf8_mark((const char *)c->bytes, c->length);
	c->line = 1;
}

void cells_close(Cells *c)
{
	free(c->bytes);
	free(c->text);
	free(c->at);
	*c = (Cells){0};
}

static int here(const Cells *c)
{
	return c->place < c->length ? c->bytes[c->place] : -1;
}

static bool is_blank(const Cells *c, int byte)
{
	return byte == ' ' || (byte == '\t' && c->separator != '\t');
}

static bool ends_cell(const Cells *c, int byte)
{
	return byte == c->separator || byte == '\n' || byte == '\r' || byte < 0;
}

static void skip_blanks(Cells *c)
{
	while (is_blank(c, here(c)))
		c->place++;
}

static _Noreturn void die_in_cell(const Cells *c, int64_t line, const char *why)
{
	die(STATUS_DATA, "`%s`, line %lld, column %d: %s", c->path, (long long)line, c->count + 1, why);
}

static char *put(const Cells *c, char *to, int byte)
{
	if (byte == 0)
		die_in_cell(c, c->line, "there is a zero byte: the file is no text");
	*to = (char)byte;
	return to + 1;
}

/* After its first quote. */
static char *read_quoted(Cells *c, char *to)
{
	const int64_t begun = c->line;
	for (;; c->place++) {
		int byte = here(c);
		if (byte < 0)
			die_in_cell(c, begun, "the quote that is opened here is not closed");
		if (byte == '"') {
			c->place++;
			if (here(c) != '"')
				break;
		}
		c->line += byte == '\n';
		to = put(c, to, byte);
	}
	skip_blanks(c);
	if (!ends_cell(c, here(c)))
		die_in_cell(c, c->line,
		            "there is text after a closing quote; a quote inside is written twice");
	return to;
}

static char *read_plain(Cells *c, char *to)
{
	char *const first = to;
	for (; !ends_cell(c, here(c)); c->place++)
		to = put(c, to, here(c));
	while (to > first && is_blank(c, (unsigned char)to[-1]))
		to--;
	return to;
}

static char *read_cell(Cells *c, char *to)
{
	if (c->count == CELLS_MOST)
		die_in_cell(c, c->line, "there are more than 65536 columns");
	if (c->count == c->room) {
		c->room = 2 * c->room + 16;
		c->at = reallocate(c->at, c->room, sizeof *c->at, "a line of the table");
	}
	char *const first = to;
	skip_blanks(c);
	if (here(c) == '"') {
		c->place++;
		to = read_quoted(c, to);
	} else {
		to = read_plain(c, to);
	}
	*to = 0;
	c->at[c->count++] = first;
	return to + 1;
}

/* One of the three, or the end of the file. */
static void take_line_end(Cells *c)
{
	if (here(c) == '\r')
		c->place++;
	if (here(c) == '\n')
		c->place++;
	c->line++;
}

static void skip_empty_lines(Cells *c)
{
	for (;;) {
		int64_t at = c->place;
		skip_blanks(c);
		if (here(c) != '\n' && here(c) != '\r') {
			c->place = here(c) < 0 ? c->place : at;
			return;
		}
		take_line_end(c);
	}
}

bool cells_row(Cells *c)
{
	skip_empty_lines(c);
	c->count = 0;
	c->row_line = c->line;
	if (here(c) < 0)
		return false;
	for (char *to = read_cell(c, c->text); here(c) == c->separator;) {
		c->place++;
		to = read_cell(c, to);
	}
	take_line_end(c);
	return true;
}
