/* SPDX-License-Identifier: MIT */
/* One line of the log as numbers with names. */
#ifndef NNR_RECORD_H
#define NNR_RECORD_H

#include <stdint.h>

typedef struct Field {
	char *key;
	double value;
} Field;

/* The first field says what the line is of: "epoch", "step" or "evaluation", each with its number. */
typedef struct Record {
	Field *field;
	int count, room;
} Record;

/* Empties it for a new line. */
void record_begin(Record *r, const char *kind, int64_t number);
/* Adds PREFIXkey. */
void record_add(Record *r, const char *prefix, const char *key, double value);
/* NULL: there is no such field. */
const Field *record_find(const Record *r, const char *key);
void record_free(Record *r);

#endif
