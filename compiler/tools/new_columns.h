/* SPDX-License-Identifier: MIT */
/* What is in the columns of a table, for `nnc new`. */
#ifndef NNC_NEW_COLUMNS_H
#define NNC_NEW_COLUMNS_H

#include "base/arena.h"
#include "base/map.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum {
	SEEN_NOTHING, /* no cell has a value */
	SEEN_ONE,     /* one value in all rows */
	SEEN_NUMBERS,
	SEEN_TIMES, /* dates, or times of day */
	SEEN_WORDS,
	SEEN_TEXTS, /* words of which most occur once: nothing is learnt of such a one */
	SEEN_NAMES, /* each row has another: a number of the row, a key */
} SeenKind;

typedef struct SeenColumn {
	const char *name; /* as the file has it */
	SeenKind kind;
	int64_t missing;
	int64_t values;         /* that are not missing */
	int64_t least_rows;     /* of words: how many rows the rarest has */
	double least, most;     /* of numbers */
	double mean, deviation; /* of numbers */
	bool whole;             /* of numbers: all are */
	Map *words;             /* the different texts of cells, as long as these are MOST_WORDS at most */
	const char *odd, *odd_among; /* a cell that is no number, where others are; and one of these; NULL */
} SeenColumn;

typedef struct SeenTable {
	const char *path;
	SeenColumn *columns;
	int count;
	int64_t rows;
} SeenTable;

enum { MOST_WORDS = 4096 };

/* Reads all of it; ends the process with a sentence where it is no table. */
SeenTable *table_look(Arena *a, const char *path);

#endif
