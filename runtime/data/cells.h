/* SPDX-License-Identifier: MIT */
/* Rows of text separated by commas, semicolons or tabs: RFC 4180, with blanks around a cell left out and empty lines
 * skipped. Packed by gzip and UTF-16 are read too (plain_text.h).
 *
 * Whatever the file holds, a mistake ends the process with the file, the line and, where it is known, the column. */
#ifndef NNR_CELLS_H
#define NNR_CELLS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Cells {
	const char *path;
	char separator;
	unsigned char *bytes; /* of the whole file */
	int64_t length, place;
	int64_t line;     /* that comes next, from 1 */
	int64_t row_line; /* where the row begins */
	char *text;       /* of the row: its cells, each with a NUL */
	char **at;
	int count, room;
} Cells;

/* Whether a path ends in .csv or .tsv, or in one of these and .gz. */
bool cells_named(const char *path);
/* ".tsv" is separated by tabs; any other by semicolons where its first line has these and no commas, else by commas. */
Cells cells_open(const char *path);
/* The next row into at[0..count); false: there is none. The cells stay until the next call. */
bool cells_row(Cells *c);
/* Whether the column counts the rows that follow, each by one more than the one before; of many the first hundred are
 * looked at. Goes on with the first row of the file. */
bool cells_count(Cells *c, int column);
/* Back to the first row. */
void cells_rewind(Cells *c);
void cells_close(Cells *c);

#endif
