/* SPDX-License-Identifier: MIT */
/* Lines of text that come again and again but for numbers that grow by the same, as loops. */
#ifndef NNC_FOLD_LINES_H
#define NNC_FOLD_LINES_H

#include "base/arena.h"

/* The lines, *count of them before and after, with each such run written as
 *   repeat TIMES LENGTH
 * and the LENGTH lines of its first turn, in which a number that is another in each turn is "{60+34}": 60, then 94.
 * No line may have a brace, or begin with "repeat ". Runs of few turns stay. Takes time proportional to the text. */
const char **fold_lines(Arena *a, const char *const *lines, int *count);

#endif
