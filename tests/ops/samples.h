/* SPDX-License-Identifier: MIT */
/* Test graphs out of the samples in the operators' records: operands become leaves with drawn values, and the loss is
 * the sum of the result times fixed random weights. The weights are parameters too, and the gradient by them is the
 * operator's value: so one comparison of gradients checks values and gradients both. */
#ifndef NNC_TESTS_SAMPLES_H
#define NNC_TESTS_SAMPLES_H

#include "base/map.h"
#include "ir/op.h"
#include <string.h>

enum { SAMPLES_WANTED = 20 };

typedef struct SampleLeaf {
	char *name;
	int64_t count;
	double *values;
	bool varied; /* real valued, and its gradient is to be checked */
} SampleLeaf;

typedef struct Samples {
	Arena *arena;
	Map *leaves; /* name -> SampleLeaf */
	/* Operands have nine values from the least to the largest that they may have: many are equal, and many are 0,
	 * which is where relu, abs, maxima, orders and comparisons have their corners. */
	bool coarse;
} Samples;

/* True for operators that tests can call: in graphs, and neither leaves nor aliases of leaves. */
bool op_is_sampled(const Op *op);
/* True when the operator is one of `names`, or there are none. */
bool op_is_asked_for(const Op *op, int count, char **names);
/* Ends the test with status 2 and a message when one of `names` is no such operator: nothing would be tested. */
void ops_must_be_sampled(int count, char **names);
/* True when gradients pass through the operator to some operand. */
bool op_has_gradient(const Op *op);
/* True when it says what its gradient is, be it 0 everywhere. All others are made once gradients are, and stand in
 * those of other operators; their operands are parameters that are not trained. */
bool op_passes_gradients(const Op *op);
int op_sample_count(const Op *op);
Samples *samples_new(Arena *a);
/* Appends one sample to `g` (batch 1); its leaves are named PREFIX.OPERAND. Returns its loss, f32[1]. Ends the test
 * with a message when the line cannot be read. */
Node *sample_build(Samples *s, Graph *g, const Op *op, const char *line, const char *prefix);
/* What the operator computes, without a loss, for `batch` samples: an operand that has as many rows as the first one is
 * an input of so many rows then, and the others are parameters. Where the operator refuses that, all are parameters,
 * and *of_batch is false. */
Node *sample_value(Samples *s, Graph *g, const Op *op, const char *line, const char *prefix, int64_t batch,
                   bool *of_batch);
const double *sample_leaf(void *samples, const Node *leaf); /* for InterpInputs */

/* Uniform in [0, 1), a function of the text and the counter alone. */
double drawn(const char *text, int64_t i);

#endif
