/* SPDX-License-Identifier: MIT */
/* The values that tell the repeats of a block of generated code from one another (emit/emit_calls.c).
 *
 * A value is a column: an entry for each repeat. Where all are equal it is written as it is; numbers that grow by the
 * same step are a multiple of the repeat's number `i`; what is left is a member of the block's table, of which `at`
 * points to the repeat's row. Private to codegen/. */
#ifndef NNC_COLUMNS_H
#define NNC_COLUMNS_H

#include "base/map.h"
#include "base/writer.h"

#include <stdint.h>

typedef struct Columns Columns;

Columns *columns_new(Arena *a, int repeats);
/* C text of a value of any type, by its text in each repeat; a member that must be made is called `wanted`. The texts
 * stay the caller's, and must outlive the columns. */
const char *columns_text(Columns *c, const char *wanted, const char *type, const char *const *texts);
/* The same for integers. Those at a constant distance from a member's need no other: "at->weight + 256". */
const char *columns_number(Columns *c, const char *wanted, const char *type, const int64_t *numbers);
/* The same for offsets into the memory that is called `of`: what is said by a distance is in the same memory. */
const char *columns_offset(Columns *c, const char *wanted, const char *of, const int64_t *offsets);
int columns_count(const Columns *c); /* members of the table */
/* Whether what was asked for differs from repeat to repeat. */
bool columns_need_index(const Columns *c);
/* The type `struct name`, and the table; `paths`, by repeat, are for comments; NULL: there are none. */
void columns_write(Columns *c, Writer *w, const char *name, const char *table, const char *const *paths);

#endif
