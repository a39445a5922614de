/* SPDX-License-Identifier: MIT */
/* Messages and the end of the process. */
#include "runtime/host/die.h"
#include "base/checked.h"
#include "base/utf8.h"
#include "runtime/host/signals.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char name[64] = "trainer";
static void (*clear_line)(void);
static const char *speaker; /* whose errors these are; NULL: of a process on its own */
static bool errors_alone;   /* another one says the rest */

enum { ACTS = 8 };
static void (*at_end[ACTS])(void);
static int at_end_count;

void die_speaks_for(const char *whose, bool all)
{
	speaker = whose;
	errors_alone = !all;
}

void die_set_clear(void (*clear)(void))
{
	clear_line = clear;
}

const char *text_shown(const char *text, char to[SHOWN_BYTES])
{
	uint32_t code;
	const int n = utf8_decode(text, UTF8_MOST, &code);
	if (n == 0 || utf8_is_hidden(code)) {
		snprintf(to, SHOWN_BYTES, "\\x%02X", (unsigned char)*text);
		return text + 1;
	}
	memcpy(to, text, (size_t)n);
	to[n] = 0;
	return text + n;
}

void text_printable(char *out, int64_t room, const char *text)
{
	char *at = out, *end = out + room - 1, shown[SHOWN_BYTES];
	while (*text) {
		text = text_shown(text, shown);
		size_t n = strlen(shown);
		if (at + n > end)
			break;
		memcpy(at, shown, n);
		at += n;
	}
	*at = 0;
}

int text_columns(const char *text)
{
	int columns = 0;
	for (; *text; text++)
		columns += (*text & 0xc0) != 0x80; /* the first byte of a character */
	return columns;
}

void program_set_name(const char *argv0)
{
	const char *slash = strrchr(argv0, '/');
	const char *base = slash ? slash + 1 : argv0;
	if (*base)
		text_printable(name, sizeof name, base);
}

const char *program_name(void)
{
	return name;
}

/* ---- where a message comes back to */

enum { HELD = 8 };
typedef struct Caught {
	jmp_buf back;
	char *why;
	int64_t room;
	struct {
		void *what;
		void (*release)(void *what);
	} held[HELD];
	int held_count;
} Caught;

static _Thread_local Caught *caught;

bool die_caught(void (*act)(void *context), void *context, char *why, int64_t room)
{
	Caught here = {.why = why, .room = room}, *const before = caught;
	if (setjmp(here.back) != 0) {
		caught = before;
		return false;
	}
	caught = &here;
	act(context);
	caught = before;
	return true;
}

void held_begin(void *what, void (*release)(void *what))
{
	if (!caught)
		return;
	require(caught->held_count < HELD);
	caught->held[caught->held_count].what = what;
	caught->held[caught->held_count++].release = release;
}

void held_end(void *what)
{
	int kept = 0;
	for (int i = 0; caught && i < caught->held_count; i++)
		if (caught->held[i].what != what)
			caught->held[kept++] = caught->held[i];
	if (caught)
		caught->held_count = kept;
}

/* Nothing where messages end the process. */
__attribute__((format(printf, 2, 0))) static void come_back(const char *help, const char *format,
                                                            va_list args)
{
	Caught *to = caught;
	if (!to)
		return;
	char raw[2048];
	int n = vsnprintf(raw, sizeof raw, format, args);
	if (help && n >= 0 && n < (int)sizeof raw)
		snprintf(raw + n, sizeof raw - (size_t)n, "; %s", help);
	text_printable(to->why, to->room, raw);
	while (to->held_count > 0) {
		int last = --to->held_count;
		to->held[last].release(to->held[last].what);
	}
	longjmp(to->back, 1);
}

__attribute__((format(printf, 2, 0))) static void say(const char *kind, const char *format, va_list args)
{
	char raw[2048], fit[4096];
	if (caught)
		return;
	vsnprintf(raw, sizeof raw, format, args);
	text_printable(fit, sizeof fit, raw);
	if (clear_line)
		clear_line();
	fflush(stdout);
	bool named = speaker && strcmp(kind, "error") == 0;
	fprintf(stderr, "%s: %s%s%s: %s\n", name, named ? speaker : "", named ? ": " : "", kind, fit);
}

void die_at_end(void (*act)(void))
{
	require(at_end_count < ACTS);
	at_end[at_end_count++] = act;
}

void die_not_at_end(void (*act)(void))
{
	int kept = 0;
	for (int i = 0; i < at_end_count; i++)
		if (at_end[i] != act)
			at_end[kept++] = at_end[i];
	at_end_count = kept;
}

static void run_acts(void)
{
	while (at_end_count > 0) /* one that ends in a message itself is not called again */
		at_end[--at_end_count]();
}

/* Without exit handlers: the threads of the computation may still be running. */
static _Noreturn void end(int status)
{
	run_acts();
	fflush(NULL);
	_exit(status);
}

void die(int status, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	come_back(NULL, format, args);
	say("error", format, args);
	va_end(args);
	end(status);
}

void die_at_once(int status, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	say("error", format, args);
	va_end(args);
	_exit(status);
}

void die_help(int status, const char *help, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	come_back(help, format, args);
	say("error", format, args);
	va_end(args);
	char fit[4096];
	text_printable(fit, sizeof fit, help);
	fprintf(stderr, "%s: help: %s\n", name, fit);
	end(status);
}

void say_warning(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	if (!errors_alone)
		say("warning", format, args);
	va_end(args);
}

void say_note(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	if (!errors_alone)
		say("note", format, args);
	va_end(args);
}

int output_end(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return STATUS_OK;
	const int why = errno;
	if (why == EPIPE) {
		run_acts();
		signals_end_of_pipe();
	}
	die(STATUS_DATA, "can't write to standard output: %s", strerror(why));
}

static void come_back_with(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void come_back_with(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	come_back(NULL, format, args);
	va_end(args);
}

void broken_at(const char *file, int line, const char *condition)
{
	come_back_with("internal error: the invariant `%s` does not hold (%s:%d); this is a mistake in nnc, "
	               "please report it",
	               condition, file, line);
	if (clear_line)
		clear_line();
	fprintf(stderr,
	        "%s: internal error: the invariant `%s` does not hold (%s:%d)\n"
	        "%s: help: this is a mistake in nnc, not in your data; please report it with the command "
	        "line\n",
	        name, condition, file, line, name);
	end(STATUS_INTERNAL);
}

void *reallocate(void *old, int64_t count, int64_t size, const char *what)
{
	int64_t bytes;
	if (count < 0 || !checked_mul(count, size, &bytes) || bytes > SIZE_LIMIT)
		die(STATUS_MEMORY, "%s would need more memory than any machine has", what);
	void *p = realloc(old, bytes ? (size_t)bytes : 1);
	if (!p)
		die(STATUS_MEMORY, "not enough memory for %s (%s)", what, human_bytes((double)bytes));
	return p;
}

void *allocate(int64_t count, int64_t size, const char *what)
{
	int64_t bytes;
	if (count < 0 || !checked_mul(count, size, &bytes) || bytes > SIZE_LIMIT)
		die(STATUS_MEMORY, "%s would need more memory than any machine has", what);
	void *p = calloc(bytes ? (size_t)bytes : 1, 1);
	if (!p)
		die(STATUS_MEMORY, "not enough memory for %s (%s)", what, human_bytes((double)bytes));
	return p;
}

__attribute__((format(printf, 1, 0))) static char *text_vprintf(const char *format, va_list args)
{
	char *text;
	if (vasprintf(&text, format, args) < 0)
		die(STATUS_MEMORY, "not enough memory for a message");
	return text;
}

char *text_printf(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = text_vprintf(format, args);
	va_end(args);
	return text;
}

void text_append(char **text, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *more = text_vprintf(format, args);
	va_end(args);
	const size_t length = strlen(*text), added = strlen(more) + 1;
	*text = reallocate(*text, (int64_t)(length + added), 1, "a message");
	memcpy(*text + length, more, added);
	free(more);
}

const char *human_bytes(double bytes)
{
	static char buffers[8][32];
	static int turn;
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
	int unit = 0;
	while (bytes >= 999.5 && unit < 4) {
		bytes /= 1000;
		unit++;
	}
	char *out = buffers[turn++ % 8];
	snprintf(out, sizeof buffers[0], unit && bytes < 100 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
	return out;
}
