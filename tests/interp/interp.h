/* SPDX-License-Identifier: MIT */
/* A second opinion on what a Graph means: every operator evaluated in double from its mathematical definition, with
 * plain nested loops, one node at a time, nothing fused, nothing reused. It shares no formula with compiler/ops and
 * takes composites (batchnorm, softmax, cross_entropy ...) whole, so that it can judge the compiler's expansions,
 * gradients, passes and generated code. Slow on purpose. */
#ifndef NNC_TESTS_INTERP_H
#define NNC_TESTS_INTERP_H

#include "ir/op.h"
#include <string.h>

typedef struct InterpInputs {
	/* The values of an input, param or state, row-major, or of a scalar. NULL ends the test with a message. */
	const double *(*leaf)(void *ctx, const Node *leaf);
	void *ctx;
	uint64_t seed; /* keys `uniform`, together with the step */
	double step;
	int bits; /* every real result is rounded to a significand of so many; 0: it is not */
	int draw; /* 0: to the nearest; else a seed: up or down by chance, to the nearer value more likely */
} InterpInputs;

/* values[id] = the elements of node id, row-major; NULL of a loop, whose results have theirs. An operator without a
 * definition here ends the process. */
double **interp(Arena *a, const Graph *g, const InterpInputs *in);
bool interp_knows(const char *op_name);

/* ---- between the files of the interpreter */

typedef struct Eval {
	Arena *arena;
	const Graph *graph;
	const InterpInputs *in;
	const Node *n;
	double *const *x; /* values of the operands */
	double *y;        /* to be filled */
	int64_t streams;  /* of random numbers, that periods of loops before this one have taken */
} Eval;

typedef struct Meaning {
	const char *name;
	void (*eval)(Eval *e);
} Meaning;

extern const Meaning tensor_meanings[], network_meanings[], attention_meanings[]; /* end in a NULL name */
bool pointwise_eval(Eval *e); /* false: no pointwise operator of that name */
bool pointwise_knows(const char *name);

static inline const Type *operand_type(const Eval *e, int i)
{
	return &e->n->operands[i]->type;
}
/* Row-major strides of t. */
void type_strides(const Type *t, int64_t *stride);
/* The next index in row-major order; false after the last. */
bool next_index(const Type *t, int64_t *index);
/* Offset in a tensor of type `t` of the element that broadcasts to `index` of `over`. */
int64_t broadcast_offset(const Type *t, const Type *over, const int64_t *index);
/* Integer attribute, or `otherwise` where the node has none. */
int64_t int_or(const Node *n, const char *name, int64_t otherwise);

#endif
