/* SPDX-License-Identifier: MIT */
/* Three kinds of failure, three families of functions.
 *
 *   the user's text is wrong      diag_error / diag_note / diag_help: collected, printed with place and caret
 *   the machine lacks something   fail(): one plain sentence, exit EXIT_TOOL (or the code given)
 *   nnc itself is wrong           bug(): says so and how to report, exit EXIT_BUG
 *
 * Messages start in lower case and end without a full stop. Every diagnostic has a stable id ("shape-mismatch")
 * that is printed after it in brackets and by --diagnostics=json. */
#ifndef NNC_DIAG_H
#define NNC_DIAG_H

#include "base/array.h"
#include "base/fail.h"
#include "base/source.h"
#include <stdio.h>

typedef enum { SEVERITY_ERROR, SEVERITY_WARNING } Severity;
typedef enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorMode;

/* A further place or fact of a diagnostic. */
typedef struct Note {
	Loc loc;
	const char *message;
} Note;

typedef struct Diagnostic {
	Severity severity;
	Loc loc;
	const char *id, *message;
	const char *help; /* sentences, one a line; NULL */
	ARRAY(Note) notes;
} Diagnostic;

typedef struct Diagnostics Diagnostics;

/* Collects up to max_errors (default 20) errors; printing happens at once, to stderr, or as one JSON array at
 * diagnostics_finish() when `json`. */
Diagnostics *diagnostics_new(Arena *a, ColorMode color, bool json, int max_errors);
/* -Werror: each warning is an error from now on, and says why it is one. */
void diagnostics_refuse_warnings(Diagnostics *d);

/* Begins a diagnostic. Attach notes to it before the next one begins. After max_errors a last line says that
 * there were more and diagnostics_full() turns true: callers stop as soon as is convenient. */
void diag_error(Diagnostics *d, Loc loc, const char *id, const char *format, ...)
        __attribute__((format(printf, 4, 5)));
void diag_warning(Diagnostics *d, Loc loc, const char *id, const char *format, ...)
        __attribute__((format(printf, 4, 5)));
/* A further place or fact for the diagnostic begun last; loc may be loc_none(). */
void diag_note(Diagnostics *d, Loc loc, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* What to do about it: a sentence without a place. */
void diag_help(Diagnostics *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* One note "in block `b`, instantiated here" for each parent of the site, innermost first. */
void diag_site_notes(Diagnostics *d, const Site *site);

/* Of those that `json` keeps: how many, and each. */
int diag_kept_count(const Diagnostics *d);
const Diagnostic *diag_kept(const Diagnostics *d, int i);

int diag_error_count(const Diagnostics *d);
bool diagnostics_full(const Diagnostics *d);
/* Prints what is pending: the last diagnostic, the JSON array, the closing count. Call once. */
void diagnostics_finish(Diagnostics *d);

/* User bytes made fit for a terminal: control bytes and invalid UTF-8 as \xHH. */
char *printable(Arena *a, const char *s);

#endif
