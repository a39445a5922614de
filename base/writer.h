/* SPDX-License-Identifier: MIT */
/* Text output into a growing buffer, with indentation by tabs and trailing comments aligned in a column. */
#ifndef NNC_WRITER_H
#define NNC_WRITER_H

#include "base/arena.h"
#include "base/map.h"

#include <stdbool.h>

typedef struct Writer Writer;

Writer *writer_new(Arena *a);
/* Appends formatted text; indentation is put in front of the first text of each line. */
void write_text(Writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* write_text and a newline. */
void write_line(Writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends whole lines as they are, each indented. */
void write_lines(Writer *w, const char *lines);
/* The head, and the lines of the body in braces. */
void write_braced(Writer *w, const char *head, const char *body);
/* A comment for the line that is being written: put after it at `column`, or one space further where the
 * line is longer. Tabs count 8. The text must hold no newline and no comment end; it is checked. */
void write_comment(Writer *w, int column, const char *format, ...) __attribute__((format(printf, 3, 4)));
void write_indent(Writer *w, int by); /* +1 / -1 */
const char *writer_text(Writer *w, size_t *length);

/* Writes text to `path` by a temporary name beside it, synced, renamed. On failure nothing at `path` has
 * changed and the sentence says what failed; NULL on success. */
const char *file_write(Arena *a, const char *path, const char *text, size_t length);

/* A C string literal for any bytes: quotes included; what could end it or mean something else in it, and everything
 * outside printable ASCII, as a three-digit octal escape, so that no user text can become code. */
char *c_string(Arena *a, const char *s);
/* An identifier made of `s`: letters, digits and _ kept, the rest as _, never a C or CUDA keyword. Not unique. */
char *c_identifier(Arena *a, const char *s);
/* That of "s_number"; of "s_" it is "s_number_". */
char *c_identifier_numbered(Arena *a, const char *s, int number);
/* c_identifier(s), or where `taken` has that, the first numbered one that it has not; taken from now on. */
const char *c_identifier_free(Arena *a, Map *taken, const char *s);
/* 1234567 -> "1.2 M"; bytes -> "4.9 MB" (10^6). For comments and tables. */
char *human_count(Arena *a, double n, const char *unit);
/* 25557032 -> "25,557,032". */
char *grouped_digits(Arena *a, double n);
/* Of a path: what is after the last slash; what is before it, "." where there is none. */
const char *base_name(const char *path);
const char *folder_of(Arena *a, const char *path);

#endif
