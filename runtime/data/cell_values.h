/* SPDX-License-Identifier: MIT */
/* What the text of a cell means: nothing, a number, a date or a time of day. Read so by trainers and by `nnc new`. */
#ifndef NNR_CELL_VALUES_H
#define NNR_CELL_VALUES_H

#include <stdbool.h>

typedef enum {
	CELL_MISSING, /* empty, or a word that stands for that: ? - NA n/a NaN null None */
	CELL_NUMBER,
	CELL_DATE, /* seconds since 1970-01-01, of UTC where no zone is given */
	CELL_TIME, /* of day: seconds since midnight */
	CELL_WORD
} CellKind;

/* `decimal_comma`: a comma may stand for the point, as commas separate nothing. *value of a number, a date or a time.
 * Dates are 2024-01-31, 2024/01/31 or 31.01.2024, and a time of day may follow after a blank or a T: 12:30, 12:30:59.5,
 * with Z, +01:00 or +0100. */
CellKind cell_kind(const char *text, bool decimal_comma, double *value);

/* Whether it reads as a date of which nobody knows which part is the day and which the month: 01/02/2024. */
bool cell_is_doubtful_date(const char *text);

#endif
