/* SPDX-License-Identifier: MIT */
/* What a node gather_columns can name: see gather_columns.c. */
#ifndef NNC_GATHER_COLUMNS_H
#define NNC_GATHER_COLUMNS_H

enum {
	ZERO_COLUMN = -1,              /* in `from`: zero */
	MOST_GATHERED_COLUMNS = 32767, /* of all operands: a table has their numbers in 16 bits */
};

#endif
