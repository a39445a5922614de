/* SPDX-License-Identifier: MIT */
/* Reads the log of a trainer back: of each line its numbers, and of the one on the run its words. */
#ifndef NNR_LOG_READ_H
#define NNR_LOG_READ_H

#include "runtime/host/record.h"

#include <stdbool.h>

/* A line of the log. Numbers go to `record`, null as NaN; words to `words`, one pair of key and value after the other,
 * each with its NUL, an empty key after the last. */
typedef struct LogLine {
	Record record;
	char *words;
	int64_t length, room;
} LogLine;

/* "": it has no such word. */
const char *log_line_word(const LogLine *line, const char *key);

/* Calls `see` for each line of the file that can be read. False, with errno, where the file can't be. */
bool log_read(const char *path, void (*see)(void *context, const LogLine *line), void *context);

#endif
