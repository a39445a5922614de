/* The log: JSON lines, each flushed as it is written. Fields: runtime/README.md. */
#ifndef NNR_LOG_H
#define NNR_LOG_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Log Log;

/* Opens `path` at its end when `append`; else anew, and what is there is renamed to `path`.old. Dies when it can't be
 * written. NULL for a NULL path. The functions below do nothing on a NULL log. `digits`: significant digits of numbers,
 * 9 keep an f32, 17 an f64. */
Log *log_open(const char *path, bool append, int digits);
void log_begin(Log *log);
void log_number(Log *log, const char *key, double value); /* NaN and infinities as null */
void log_prefixed(Log *log, const char *prefix, const char *key, double value);
void log_end(Log *log);   /* the line is complete: written and flushed; a full disk is a warning, once */
bool log_close(Log *log); /* whether all of it was written */

#endif
