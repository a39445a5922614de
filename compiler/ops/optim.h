/* SPDX-License-Identifier: MIT */
/* Optimizers: records that write their update with pointwise nodes over flat tensors.
 *
 * All parameters are one flat f32[P], all gradients another; so one optimizer is a handful of pointwise nodes, and
 * the fuse pass makes one sweep over memory of them, whatever the optimizer is. */
#ifndef NNC_OPTIM_H
#define NNC_OPTIM_H

#include "ir/graph.h"

/* A trained parameter, for optimizers that look at a tensor as a whole. */
typedef struct OptimTensor {
	int64_t offset; /* of its elements in the flat tensors */
	Type type;
	bool is_weight; /* of a layer, or a `param` that is a matrix: no bias, no gain; these come first */
} OptimTensor;

typedef struct OptimStep {
	Build b;
	Node *p, *g; /* parameters and gradients, f32[P] */
	Node *rate;  /* f32[], or f32[P] where groups of parameters have rates of their own */
	Node *step;  /* f32[], from 1 */
	Node *decay; /* f32[] or f32[P]: the weight decay of each parameter; NULL: it is zero everywhere */
	const OptimTensor *tensors; /* in the order of the flat tensors */
	int tensor_count;
	double (*arg)(const struct OptimStep *s, const char *name);
	/* A state f32[P] named OPTIMIZER.role, zero at the start (or `value`); returns its value before the step. */
	Node *(*state)(struct OptimStep *s, const char *role, double value);
	/* The same of the last `n` elements alone. */
	Node *(*short_state)(struct OptimStep *s, const char *role, int64_t n);
	void (*set_state)(struct OptimStep *s, const char *role, Node *value);
	void *ctx;
} OptimStep;

/* An argument that makes sense only beside another one that is not 0, or that is 0. */
typedef struct OptimizerNeed {
	const char *given, *other;
	bool zero;
} OptimizerNeed;

/* What the real arguments of a name may be, in every optimizer that has one. */
typedef struct OptimizerRange {
	const char *argument;
	const char *text; /* "at least 0" */
	double least, below;
	bool above_least; /* `least` itself is outside */
} OptimizerRange;

typedef struct Optimizer {
	const char *name;
	const char *call;              /* "rate: real = 0.001, beta1: real = 0.9, ..." */
	const char *doc;               /* what it computes, with the paper */
	Node *(*update)(OptimStep *s); /* the new parameters */
	int state_count;               /* tensors of P elements it keeps */
	bool by_tensor;                /* it reads OptimStep.tensors */
	OptimizerNeed needs[2];        /* ends at `given` NULL, or when full */
} Optimizer;

const Optimizer *optimizer_find(const char *name);
int optimizer_count(void);
const Optimizer *optimizer_at(int i);
const OptimizerRange *optimizer_range(const char *argument); /* NULL: of an argument that is no number */

#endif
