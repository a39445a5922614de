/* SPDX-License-Identifier: MIT */
/* Equal periods of steps: where recurrences are looked for, on a GPU (recurrence.c) and on the CPU (row_shares.c).
 *
 * A scan is unrolled in the graph. A period begins with a product, and ends where the next one by the same matrix
 * begins; periods are equal whose steps differ in their buffers alone. Private to codegen/. */
#ifndef NNC_PROGRAM_PERIODS_H
#define NNC_PROGRAM_PERIODS_H

#include "ir/program.h"
#include "passes/pass.h"

typedef struct Periods {
	PassContext *ctx;
	Program *p;
	Arena *scratch;
	bool (*is_product)(const Step *s);
	/* What the step computes, but for its buffers, for products of `rows`; in `scratch`. "": it is of no
	 * recurrence. */
	const char *(*describe)(const struct Periods *f, int step);
	bool (*fits)(const struct Periods *f, const Recurrence *r); /* whether equal periods are one */
	int64_t rows;                                               /* of the products that are looked at */
	const char **texts; /* by step: as described; NULL: not yet for these rows */
} Periods;

/* Marks the steps of all recurrences. False: there are none. The members up to `fits` are the caller's; `what` is what
 * is done to "5 periods of 2 steps". */
bool periods_find(Periods *f, const char *what);
/* A step's function without its name, and the classes of its buffers. NULL: it takes random numbers, or scalars of the
 * host. In `scratch`. */
const char *periods_function_text(const Periods *f, const Step *s);

#endif
