/* SPDX-License-Identifier: MIT */
/* Losses of numbers: how far a prediction is from its target. Each gives one number per sample, f32[batch], composed
 * where it is called; the mean over the batch is the compiler's. */
#include "ops/loss.h"

Node *call_batch_tensor(Call *c, const char *name)
{
	return build_batch(call_build(c), call_tensor(c, name));
}

void loss_help_with_flatten(Diagnostics *d)
{
	diag_help(
	        d,
	        "`dense` works along the last dimension alone; with `flatten` before it a sample is one row");
}

/* The arguments of a distance, the target in the prediction's shape: one number per sample may be [1] or []. False
 * after a diagnostic. */
static bool call_pair_of(Call *c, const char *prediction, Node **p, Node **t)
{
	Build *b = call_build(c);
	*p = call_batch_tensor(c, prediction);
	*t = call_batch_tensor(c, "target");
	if (!*p || !*t)
		return false;
	if (shape_equal((*p)->type, (*t)->type))
		return true;
	int64_t batch = b->graph->batch;
	if (type_elements((*p)->type) != batch || type_elements((*t)->type) != batch) {
		call_error(c, NULL, "shape-mismatch",
		           "the prediction is %s and the target %s: they need the same shape",
		           sample_shape(b->graph->arena, (*p)->type),
		           sample_shape(b->graph->arena, (*t)->type));
		if (declared_classes(*t) > 0)
			diag_help(b->graph->diag, "a class target goes with cross_entropy(scores, %s)",
			          node_text(declared_input(*t), "name"));
		else if ((*p)->type.rank > (*t)->type.rank)
			loss_help_with_flatten(b->graph->diag);
		return false;
	}
	*t = build_reshape(b, *t, (*p)->type.rank, (*p)->type.dim);
	return *t;
}

static Node *difference(Call *c)
{
	Node *p, *t;
	return call_pair_of(c, "prediction", &p, &t)
	               ? node_called(build2(call_build(c), "sub", p, t), "error")
	               : NULL;
}

static Node *build_mse(Call *c)
{
	Node *d = difference(c);
	return d ? mean_per_sample(call_build(c),
	                           node_called(build1(call_build(c), "square", d), "squared_error"))
	         : NULL;
}

static Node *build_l1(Call *c)
{
	Node *d = difference(c);
	return d ? mean_per_sample(call_build(c), build1(call_build(c), "abs", d)) : NULL;
}

static Node *build_huber(Call *c)
{
	Build *b = call_build(c);
	double delta = call_real(c, "delta");
	if (!(delta > 0))
		return call_error(c, "delta", "bad-argument", "`delta` is more than 0, not %g", delta);
	Node *d = difference(c);
	if (!d)
		return NULL;
	/* with m = min(|d|, delta): m*(|d| - m/2) is d^2/2 inside and delta*(|d| - delta/2) outside */
	Node *size = build1(b, "abs", d), *inside = build2(b, "minimum", size, build_constant(b, delta));
	return mean_per_sample(
	        b, compose(b, "inside*(size - 0.5*inside)", TERMS({"inside", inside}, {"size", size})));
}

static Node *build_bce(Call *c)
{
	Build *b = call_build(c);
	Node *z, *t;
	if (!call_pair_of(c, "logits", &z, &t))
		return NULL;
	return mean_per_sample(b, compose(b, "softplus(z) - t*z", TERMS({"z", z}, {"t", t})));
}

static Node *build_hinge(Call *c)
{
	Build *b = call_build(c);
	Node *p, *t;
	if (!call_pair_of(c, "prediction", &p, &t))
		return NULL;
	return mean_per_sample(b, compose(b, "relu(1 - t*p)", TERMS({"t", t}, {"p", p})));
}

/* sum of t*(log t - log softmax(z)) over the last dimension; where t is 0, 0; where it is NaN, NaN. */
static Node *build_kl(Call *c)
{
	Build *b = call_build(c);
	Node *z, *t;
	if (!call_pair_of(c, "logits", &z, &t))
		return NULL;
	if (z->type.rank < 2)
		return call_error(c, "logits", "shape-mismatch", "`kl` needs a score for each class");
	Node *log_p = build_along(b, "log_softmax", z, z->type.rank - 1);
	Node *terms = compose(b, "select(t > 0, t*(log(select(t > 0, t, 1)) - q), select(t == t, 0, t))",
	                      TERMS({"t", t}, {"q", log_p}));
	return mean_per_sample(b, drop_last(b, reduce_last(b, "sum", terms)));
}

const Op distance_ops[] = {
        {.name = "mse",
         .call = "prediction, target",
         .doc = "Mean of the squared differences.",
         .build = build_mse},
        {.name = "l1",
         .call = "prediction, target",
         .doc = "Mean of the absolute differences.",
         .build = build_l1},
        {.name = "huber",
         .call = "prediction, target, delta: real = 1.0",
         .doc = "Mean of d*d/2 where the difference |d| is at most delta, and delta*(|d| - delta/2) beyond: "
                "squared near "
                "0, absolute far away.",
         .build = build_huber},
        {.name = "bce",
         .call = "logits, target",
         .doc = "Binary cross-entropy of scores, without a sigmoid: mean of softplus(z) - t*z. The targets "
                "are 0 or 1, or "
                "between.",
         .build = build_bce},
        {.name = "hinge",
         .call = "prediction, target",
         .doc = "Mean of max(0, 1 - t*x), for targets of -1 and 1.",
         .build = build_hinge},
        {.name = "kl",
         .call = "logits, target",
         .doc = "The Kullback-Leibler divergence of probabilities `target` from softmax(logits): the sum of "
                "t*(log t - log "
                "softmax(logits)) along the last dimension, the mean over all places of a sample.",
         .build = build_kl},
        {0},
};
