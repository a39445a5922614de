/* SPDX-License-Identifier: MIT */
/* What `nnc --memory` asks of the pass `rematerialize`, and what that gives up for it. */
#ifndef NNC_REMATERIALIZE_H
#define NNC_REMATERIALIZE_H

#include "base/array.h"
#include "ir/program.h"

struct Device; /* target/device.h */

/* Values of one place of the network, dropped and computed again. */
typedef struct GivenUp {
	const char *what; /* "gelu_tanh of transformer" */
	int count;
	double bytes; /* less alive at the peak */
	double us;    /* of computing, more */
} GivenUp;

typedef struct MemoryGoal {
	int64_t bytes; /* of values that may be alive at once */
	/* The price of a kernel (program/price.h), which reads kind, nodes, root, flops and bytes. */
	double (*step_us)(const Step *s, const struct Device *d);
	const struct Device *device;
	/* What the pass sets. */
	int64_t peak; /* bytes alive at once, as the pass counts them */
	ARRAY(GivenUp) given_up;
} MemoryGoal;

#endif
