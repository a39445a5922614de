/* Optimizers: records that write their update with pointwise nodes over flat tensors.
 *
 * All parameters are one flat f32[P], all gradients another; so one optimizer is a handful of pointwise nodes, and
 * the fuse pass makes one sweep over memory of them, whatever the optimizer is. */
#ifndef NNC_OPTIM_H
#define NNC_OPTIM_H

#include "ir/graph.h"

typedef struct OptimStep {
	Build b;
	Node *p, *g;      /* parameters and gradients, f32[P] */
	Node *rate;       /* f32[] */
	Node *step;       /* f32[], from 1 */
	Node *decay_mask; /* f32[] or f32[P]: 1 where weight decay applies; NULL: decay is zero everywhere */
	double (*arg)(const struct OptimStep *s, const char *name);
	/* A state f32[P] named OPTIMIZER.role, zero at the start (or `value`); returns its value before the step. */
	Node *(*state)(struct OptimStep *s, const char *role, double value);
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
	OptimizerNeed needs[2];        /* ends at `given` NULL, or when full */
} Optimizer;

const Optimizer *optimizer_find(const char *name);
int optimizer_count(void);
const Optimizer *optimizer_at(int i);
const OptimizerRange *optimizer_range(const char *argument); /* NULL: of an argument that is no number */

#endif
