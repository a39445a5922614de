/* SPDX-License-Identifier: MIT */
/* The two kinds of failure that end the process: what a user can't mend in the text, and nnc's own mistakes. The third,
 * diagnostics of a text, is base/diag.h. What fails here uses no arena: it may be memory that ran out. */
#ifndef NNC_FAIL_H
#define NNC_FAIL_H

enum { EXIT_OK = 0, EXIT_SOURCE = 1, EXIT_USAGE = 2, EXIT_TOOL = 3, EXIT_BUG = 4 };

/* Process-wide: "nnc: error: ..." and exit(code). */
_Noreturn void fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Before the end of a process that printed: fail() where standard output did not take all of it. */
void require_printed(void);
_Noreturn void bug_at(const char *file, int line, const char *format, ...)
        __attribute__((format(printf, 3, 4)));
#define bug(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
#define require(condition)                                                   \
	do {                                                                 \
		if (!(condition))                                            \
			bug("the invariant `%s` does not hold", #condition); \
	} while (0)

/* Bytes of the well-formed UTF-8 character at s, 0 when there is none. */
int utf8_character(const char *s);
/* Writes the character at s fit for a terminal, control bytes and invalid UTF-8 as \xHH, to `out` (room for 24 bytes),
 * and how many columns that takes. Returns how many bytes of s it was. */
int show_character(const char *s, char *out, int *columns);

#endif
