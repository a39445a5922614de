/* SPDX-License-Identifier: MIT */
/* Leaves: where values enter a graph. They are made by graph_leaf() with their type, so they have no shape rule to
 * speak of, and nothing is computed for them. */
#include "ir/op.h"

static bool leaf_infer(Infer *in)
{
	bug("a `%s` is made by graph_leaf()", in->op->name);
}

#define LEAF(KIND, NAME, DOC)                                                                  \
	{                                                                                      \
		.name = NAME, .leaf = KIND, .signature = "-> y", .doc = DOC, .flags = OP_LEAF, \
		.infer = leaf_infer                                                            \
	}

const Op leaf_ops[] = {
        LEAF(LEAF_INPUT, "input", "A batch of samples or labels, filled in by the runtime before each step."),
        LEAF(LEAF_PARAM, "param", "A trained tensor."),
        LEAF(LEAF_STATE, "state",
             "A tensor that lives from step to step: running statistics, optimizer state."),
        LEAF(LEAF_SCALAR, "scalar",
             "A number given by the host each step: the rate, the step (from 1), whether this is "
             "the last chunk of a batch, or how many samples of an evaluation's batch are real."),
        LEAF(LEAF_CONSTANT, "constant", "A number known at compile time."),
        LEAF(LEAF_ARGUMENT, "argument", "In the body of a loop: what it is given in a period."),
        {0},
};
