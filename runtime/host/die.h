/* SPDX-License-Identifier: MIT */
/* How the trainer speaks and ends: messages on stderr, documented exit statuses (runtime/README.md).
 *
 * A message is one line. Its bytes are made fit for a terminal as a whole: control bytes and invalid UTF-8, which can
 * only come from file names and file contents, appear as \xHH. */
#ifndef NNR_DIE_H
#define NNR_DIE_H

#include "runtime/host/program_name.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	STATUS_OK = 0,
	STATUS_USAGE = 2,
	STATUS_DATA = 3, /* a data, checkpoint or log file is missing, damaged, foreign or can't be written */
	STATUS_MEMORY = 4,   /* the plan or the data set does not fit into memory */
	STATUS_DIVERGED = 5, /* the loss became NaN or infinite */
	STATUS_DEVICE = 6,   /* no GPU, no driver, a library is missing, or a call to one failed */
	STATUS_RANKS = 7,    /* ranks that train together differ, or one of them can't be reached any more */
	STATUS_INTERNAL = 70,
	STATUS_SIGNAL = 128, /* plus the signal: 129 for SIGHUP, 130 for SIGINT, 143 for SIGTERM */
};

/* From now on errors begin with whose they are ("rank 1 on HOST"); warnings and notes are said only where `all` is. The
 * text stays. */
void die_speaks_for(const char *whose, bool all);

_Noreturn void die(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same with a second line that says what to do about it. */
_Noreturn void die_help(int status, const char *help, const char *format, ...)
        __attribute__((format(printf, 3, 4)));
/* From any thread, while the main thread is stuck: nothing is called or written but the message. */
_Noreturn void die_at_once(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
void say_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* At the end of what the user asked to see on standard output: STATUS_OK, or the end with STATUS_DATA where not all of
 * it was written (by SIGPIPE where nobody reads it any more). */
int output_end(void);

/* A contract broken by generated code or by the runtime itself. */
_Noreturn void broken_at(const char *file, int line, const char *condition);
#define require(condition)                                         \
	do {                                                       \
		if (!(condition))                                  \
			broken_at(__FILE__, __LINE__, #condition); \
	} while (0)

/* Called before a message is printed, so that a progress line can be taken away. NULL: none. */
void die_set_clear(void (*clear)(void));

/* Called once when the process ends with a message, the last one given first, to remove what must not stay behind, or
 * to keep what must not be lost; it must not end the process itself. */
void die_at_end(void (*act)(void));
void die_not_at_end(void (*act)(void));

/* For what runs inside a program of others (library/): calls act(context), and what would end the process comes back
 * here instead: the message, with its help, in `why`; false. Nothing is printed then, not even notes. Of the calling
 * thread alone: act starts no others that die. What a function holds besides memory while it may die it says by
 * held_begin. */
bool die_caught(void (*act)(void *context), void *context, char *why, int64_t room);
/* Until held_end(what), a message that comes back has release(what) called first, the last one begun first. Where
 * messages end the process nothing is kept. */
void held_begin(void *what, void (*release)(void *what));
void held_end(void *what);

/* Zeroed memory for `what` ("the training images"), or the end with STATUS_MEMORY. */
void *allocate(int64_t count, int64_t size, const char *what);
void *reallocate(void *old, int64_t count, int64_t size, const char *what);
char *text_printf(const char *format, ...) __attribute__((format(printf, 1, 2))); /* malloc'd */
/* Puts more at the end of a malloc'd text. */
void text_append(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The first character of `text`, which is not empty, or its first byte as \xHH where it is unfit for a terminal, with a
 * NUL, to `to`; returns what comes after it. */
enum { SHOWN_BYTES = 5 };
const char *text_shown(const char *text, char to[SHOWN_BYTES]);
/* Copies `text` with everything unfit for a terminal as \xHH; always ends in NUL. */
void text_printable(char *out, int64_t room, const char *text);

/* The characters of UTF-8 text: its columns in a table of what text_printable gave. */
int text_columns(const char *text);

/* 1234567 -> "1.2 MB" (10^6), in one of eight buffers used in turn; main thread only. */
const char *human_bytes(double bytes);

#endif
