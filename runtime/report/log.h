/* SPDX-License-Identifier: MIT */
/* The log: JSON lines, each written as it ends. Fields: runtime/README.md. */
#ifndef NNR_LOG_H
#define NNR_LOG_H

#include "runtime/host/record.h"

#include <stdbool.h>

typedef struct Log Log;

/* Of what the lines hold, in the first field of the line that each process begins with ("run"). 1 had no such line. */
enum { LOG_FORMAT = 2 };
/* What a line on a file begins with that is left out. */
#define LOG_LEFT_OUT "left_out"

/* Up to where a log is that of a training: lines of later steps and epochs are none of it. */
typedef struct LogEnd {
	int64_t step, epoch;
} LogEnd;

/* Opens `path` to write lines at its end. Without `resumed` it is a new file (outputs_set_aside). With it the log is
 * reconciled with the checkpoint that the training goes on from: each epoch, step and evaluation has one line, none
 * later than `resumed`, and each is whole. What is cut is said, and the log as it was keeps a name, FILE.N, where whole
 * lines were cut. Dies with STATUS_DATA when it can't be read or written. NULL for a NULL path; the functions below do
 * nothing on a NULL log. `digits`: significant digits of numbers, 9 keep an f32, 17 an f64. */
Log *log_open(const char *path, const LogEnd *resumed, int digits);
void log_begin(Log *log, const char *kind, int64_t number);
void log_number(Log *log, const char *key, double value); /* NaN and infinities as null */
void log_text(Log *log, const char *key, const char *value);
void log_now(Log *log, const char *key); /* "2026-11-25T00:38:10Z" */
/* The line is complete, and written. Where it can't be, on a full disk, that is a warning, once, and what is not yet
 * in the file waits for the next line: no line is lost or mixed with another. */
void log_end(Log *log);
/* A whole line. */
void log_record(Log *log, const Record *r);
void log_sync(Log *log);  /* what is written is on disk, so that no checkpoint is ahead of its log */
bool log_close(Log *log); /* whether all of it was written */

#endif
