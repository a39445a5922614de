/* SPDX-License-Identifier: MIT */
/* Every limit of the compiler; each ends in a diagnostic. Documented in models/README.md, "Limits". */
#ifndef NNC_LIMITS_H
#define NNC_LIMITS_H

enum {
	LIMIT_SOURCE_BYTES = 1 << 20, /* one file */
	LIMIT_TOKEN_BYTES = 4096,
	LIMIT_NESTING = 100, /* expressions, statements, block instantiations, each */
	LIMIT_TREE = 500,    /* height of a syntax tree: each operator or arrow of a chain is one level */
	LIMIT_USES = 16,     /* files reached by `use` */
	LIMIT_NODES =
	        65536, /* of a graph, whichever pass makes it; such a one takes seconds and less than 1 GiB */
	LIMIT_SCANNED_NODES = 8 * LIMIT_NODES, /* of one with scans */
	LIMIT_STEPS_EVALUATED = 1000000,       /* statements and expressions elaborated */
	LIMIT_LIST = 65536,                    /* elements of a compile-time list */
	LIMIT_RANK = 8,
	LIMIT_INPUTS = 16, /* inputs and targets of a model */
	LIMIT_METRICS = 8,
	LIMIT_ERRORS = 20,      /* default of --max-errors */
	LIMIT_NAME_BYTES = 200, /* an identifier */
};

/* The first GPUs with what our kernels take for granted, sm_80: copies past the registers (cp.async), bf16, tf32. The
 * runtime refuses older ones too. */
enum { LEAST_ARCH = 80 };

#endif
