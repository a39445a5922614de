/* SPDX-License-Identifier: MIT */
/* Tables with commas, RFC 4180: cells in quotes have commas and line ends, and quotes doubled. */
#ifndef NNC_CSV_H
#define NNC_CSV_H

#include "base/array.h"

typedef ARRAY(const char *) Cells;

/* The cells of the next row; `*at` goes to the one after it. */
Cells csv_row(Arena *a, const char **at);

#endif
