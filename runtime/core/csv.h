/* Comma-separated values as RFC 4180 has them. */
#ifndef NNR_CSV_H
#define NNR_CSV_H

#include <stdio.h>

/* One field; in quotes where it holds a comma, a quote or an end of line. */
void csv_put(FILE *to, const char *text);

#endif
