/* SPDX-License-Identifier: MIT */
/* The failures that end the process: see fail.h. */
#include "base/fail.h"

#include "base/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int utf8_character(const char *s)
{
	uint32_t code;
	return utf8_decode(s, UTF8_MOST, &code);
}

int show_character(const char *s, char *out, int *columns)
{
	uint32_t code = 0;
	int length = utf8_decode(s, UTF8_MOST, &code);
	if (length && !utf8_is_hidden(code)) {
		memcpy(out, s, (size_t)length);
		out[length] = 0;
		*columns = 1;
		return length;
	}
	if (!length)
		length = 1;
	for (int i = 0; i < length; i++)
		snprintf(out + (size_t)i * 4, 5, "\\x%02x", (unsigned char)s[i]);
	*columns = 4 * length;
	return length;
}

static void put_printable(const char *s)
{
	while (*s) {
		char shown[24];
		int columns, length = show_character(s, shown, &columns);
		if (*s == '\n' || *s == '\t')
			fputc(*s, stderr);
		else
			fputs(shown, stderr);
		s += length;
	}
}

static void __attribute__((format(printf, 1, 0))) put_sentence(const char *format, va_list args)
{
	char text[4096];
	vsnprintf(text, sizeof text, format, args);
	put_printable(text);
	fputc('\n', stderr);
}

void fail(int code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fputs("nnc: error: ", stderr);
	put_sentence(format, args);
	va_end(args);
	exit(code);
}

void require_printed(void)
{
	if (fflush(stdout) != 0 || ferror(stdout))
		fail(EXIT_TOOL, "can't write to standard output: %s", strerror(errno));
}

void bug_at(const char *file, int line, const char *format, ...)
{
	const char *slash = strrchr(file, '/');
	va_list args;
	va_start(args, format);
	fputs("nnc: internal error: ", stderr);
	put_sentence(format, args);
	va_end(args);
	fprintf(stderr,
	        "  at %s:%d. This is a mistake in nnc, not in your file. Please report it with the .net "
	        "file\n"
	        "  and the command line; `nnc --version` names the build.\n",
	        slash ? slash + 1 : file, line);
	exit(EXIT_BUG);
}
