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
	int64_t rows; /* of the products that are looked at */
	bool (*is_product)(const Step *s);
	/* What the step computes, but for its buffers, for products of `rows`; in `scratch`. "": it is of no
	 * recurrence. */
	const char *(*describe)(const struct Periods *f, int step);
	const char **texts; /* by step: as described; NULL: not yet for these rows */
} Periods;

/* `describe` and `is_product` are the caller's; `scratch` is freed by periods_free. */
Periods periods_new(PassContext *ctx, Program *p, bool (*is_product)(const Step *s),
                    const char *(*describe)(const Periods *f, int step));
void periods_free(Periods *f);
/* The next product by the same matrix as this one's; 0: there is none near, or it is no product. */
int next_product_alike(const Program *p, int step, bool (*is_product)(const Step *s));
/* The equal periods that begin at this step; of no times where there are none. */
Recurrence periods_at(Periods *f, int first);
/* Steps of them belong to a recurrence from now on; it is returned. */
const Recurrence *periods_mark(Periods *f, const Recurrence *like);
/* A step's function without its name, and the classes of its buffers. NULL: it takes random numbers, or scalars of the
 * host. In `scratch`. */
const char *periods_function_text(const Periods *f, const Step *s);

#endif
