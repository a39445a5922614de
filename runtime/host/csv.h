/* SPDX-License-Identifier: MIT */
/* Comma-separated values as RFC 4180 has them. */
#ifndef NNR_CSV_H
#define NNR_CSV_H

#include <stdio.h>

/* One field, in quotes where it holds a comma, a quote or an end of line. What a terminal does not show as it is
 * (other control characters, of a file's name say, and bytes that are no UTF-8) is \xHH: the file is text, whatever
 * is named in it. */
void csv_put(FILE *to, const char *text);

#endif
