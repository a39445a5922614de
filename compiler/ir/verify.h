/* SPDX-License-Identifier: MIT */
/* What the checks of both IRs share: ir/verify.c, ir/program.c. */
#ifndef NNC_IR_VERIFY_H
#define NNC_IR_VERIFY_H

#include "ir/program.h"

typedef struct Verify {
	Arena *arena;
	const Graph *g;
	const Program *p; /* of that graph; NULL while the graph itself is checked */
	bool is_body;     /* the graph is a loop's */
	char *why;        /* of the first invariant that fails */
} Verify;

/* Notes what is broken, unless something was before; false, so that a check can return it. */
bool broken(Verify *v, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
