/* SPDX-License-Identifier: MIT */
/* C text of an index that is made of another. */
#ifndef NNC_INDEX_H
#define NNC_INDEX_H

#include "base/arena.h"

#include <stdint.h>

/* "c", "c + 3", "c - 3". In those below, `index` is a word or a product, quotient or remainder. */
const char *index_plus(Arena *a, const char *index, int64_t by);
const char *index_times(Arena *a, const char *index, int64_t by);
/* index / below % count: the place in a dimension of `count`, `below` being the product of those after it. */
const char *index_digit(Arena *a, const char *index, int64_t below, int64_t count);
/* The same of the first dimension: index / below. */
const char *index_over(Arena *a, const char *index, int64_t below);
/* The text with `by` in the place of every @. */
const char *text_at(Arena *a, const char *text, const char *by);

#endif
