/* SPDX-License-Identifier: MIT */
/* Comparing keys of a tune record, word by word: see tune_alike.h. */
#include "runtime/cuda/tune_alike.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Numbers that may differ in the word after this one: all of "256x56x56x64", one of "64x3x3" or "256". */
static int sizes_after(const char *word, size_t length)
{
	static const struct {
		const char *word;
		int sizes;
	} names[] = {{"x", 4}, {"w", 1}, {"batch", 1}, {"m", 1}, {"n", 1}, {"k", 1}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i].word) == length && strncmp(names[i].word, word, length) == 0)
			return names[i].sizes;
	return 0;
}

/* Takes a positive number at both; false where there is none. */
static bool take_sizes(const char **x, const char **y, double *distance)
{
	char *x_end, *y_end;
	if (!isdigit((unsigned char)**x) || !isdigit((unsigned char)**y))
		return false;
	const double a = strtod(*x, &x_end), b = strtod(*y, &y_end);
	if (!(a > 0 && b > 0))
		return false;
	*distance += fabs(log(a / b));
	*x = x_end;
	*y = y_end;
	return true;
}

double tune_distance(const char *key, const char *other)
{
	const char *x = key, *y = other;
	double distance = 0;
	int sizes = 0;
	while (*x || *y) {
		const size_t length = strcspn(x, " ");
		const int sizes_next = sizes_after(x, length);
		for (; sizes > 0; sizes--) {
			if (!take_sizes(&x, &y, &distance))
				return INFINITY;
			if (sizes > 1 && (*x != 'x' || *y != 'x'))
				return INFINITY;
			x += sizes > 1;
			y += sizes > 1;
		}
		const size_t rest = strcspn(x, " ");
		if (rest != strcspn(y, " ") || strncmp(x, y, rest) != 0)
			return INFINITY;
		x += rest;
		y += rest;
		if (*x != *y)
			return INFINITY;
		x += *x == ' ';
		y += *y == ' ';
		sizes = sizes_next;
	}
	return distance;
}
