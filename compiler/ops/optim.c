/* SPDX-License-Identifier: MIT */
/* Optimizers, with the defaults and the formulas of PyTorch 2.
 *
 * All states start at zero, so that "m + (g - m)*(1 - beta)" needs no first step of its own. 1 - beta^step is
 * -expm1(step*log(beta)) with the logarithm taken in double: beta^step itself, rounded to float, has lost five digits
 * of its distance to 1 for beta = 0.999. Numbers of the whole step (rates, corrections) are rank 0 and cost nothing. */
#include "ops/optim.h"

#include "ops/compose.h"

#include <math.h>
#include <string.h>

static Node *number(OptimStep *s, double value)
{
	return build_constant(&s->b, value);
}

static Node *arg_node(OptimStep *s, const char *name)
{
	return number(s, s->arg(s, name));
}

static Node *times(OptimStep *s, Node *x, Node *y)
{
	return build2(&s->b, "mul", x, y);
}

/* decay*p, for the parameters that decay; NULL when none does. */
static Node *decay_of(OptimStep *s)
{
	return s->decay ? times(s, s->decay, s->p) : NULL;
}

/* The gradient with weight decay as an L2 penalty. */
static Node *decayed_gradient(OptimStep *s)
{
	Node *decay = decay_of(s);
	return decay ? node_called(build2(&s->b, "add", s->g, decay), "decayed_gradient") : s->g;
}

/* p - rate*direction */
static Node *moved(OptimStep *s, Node *p, Node *rate, Node *direction)
{
	return build2(&s->b, "sub", p, times(s, rate, direction));
}

/* The running mean of x kept in state `role`: m + (x - m)*(1 - keep). */
static Node *running_mean(OptimStep *s, const char *role, Node *x, double keep)
{
	Node *m = s->state(s, role, 0);
	Node *now = compose(&s->b, "m + (x - m)*share",
	                    TERMS({"m", m}, {"x", x}, {"share", number(s, 1 - keep)}));
	s->set_state(s, role, node_called(now, role));
	return now;
}

/* x; NaN where it is infinite. By a root of infinity a step would be 0, and the parameter would never move again,
 * without a word: a NaN is noticed (runtime/train/rescue.h). */
static Node *or_nan(OptimStep *s, Node *x)
{
	return compose(&s->b, "x + x*0", TERMS({"x", node_called(x, "squares")}));
}

/* The running mean of g*g: keep*v + (1 - keep)*g*g. */
static Node *running_square(OptimStep *s, const char *role, Node *g, double keep)
{
	Node *v = s->state(s, role, 0);
	Node *now =
	        compose(&s->b, "v*keep + g*g*share",
	                TERMS({"v", v}, {"g", g}, {"keep", number(s, keep)}, {"share", number(s, 1 - keep)}));
	now = or_nan(s, now);
	s->set_state(s, role, node_called(now, role));
	return now;
}

static Node *sgd_update(OptimStep *s)
{
	Node *g = decayed_gradient(s);
	double momentum = s->arg(s, "momentum"), dampening = s->arg(s, "dampening");
	if (momentum == 0)
		return moved(s, s->p, s->rate, g);
	Node *keep = number(s, momentum);
	Node *m = s->state(s, "momentum", 0);
	Node *now = compose(&s->b, "keep*m + g*share",
	                    TERMS({"keep", keep}, {"m", m}, {"g", g}, {"share", number(s, 1 - dampening)}));
	if (dampening != 0) /* the first step is not dampened */
		now = compose(&s->b, "select(step == 1, g, now)",
		              TERMS({"step", s->step}, {"g", g}, {"now", now}));
	s->set_state(s, "momentum", node_called(now, "momentum"));
	if (s->arg(s, "nesterov") != 0)
		now = compose(&s->b, "g + keep*now", TERMS({"g", g}, {"keep", keep}, {"now", now}));
	return moved(s, s->p, s->rate, now);
}

/* 1 - beta^step, f32[]. */
static Node *bias_correction(OptimStep *s, double beta)
{
	if (beta == 0)
		return number(s, 1);
	return node_called(compose(&s->b, "-expm1(step*power)",
	                           TERMS({"step", s->step}, {"power", number(s, log(beta))})),
	                   "bias_correction");
}

/* rate/(1 - beta1^t) * m / (sqrt(v)/sqrt(1 - beta2^t) + epsilon), taken from p. */
static Node *adam_step(OptimStep *s, Node *p, Node *g)
{
	double beta1 = s->arg(s, "beta1"), beta2 = s->arg(s, "beta2");
	Node *m = running_mean(s, "m", g, beta1), *v = running_square(s, "v", g, beta2);
	Node *size = build2(&s->b, "div", s->rate, bias_correction(s, beta1));
	Node *correction = build1(&s->b, "rsqrt", bias_correction(s, beta2));
	node_called(size, "step_size");
	node_called(correction, "v_correction");
	return compose(&s->b, "p - size*(m/(sqrt(v)*correction + epsilon))",
	               TERMS({"p", p}, {"size", size}, {"m", m}, {"v", v}, {"correction", correction},
	                     {"epsilon", arg_node(s, "epsilon")}));
}

static Node *adam_update(OptimStep *s)
{
	return adam_step(s, s->p, decayed_gradient(s));
}

static Node *adamw_update(OptimStep *s)
{
	Node *decay = decay_of(s);
	return adam_step(s, decay ? moved(s, s->p, s->rate, decay) : s->p, s->g);
}

/* m keeps more of the past than the step, which is m with more of g: Chen and others, algorithm 2. */
static Node *lion_update(OptimStep *s)
{
	Node *m = s->state(s, "m", 0), *decay = decay_of(s);
	Node *direction = compose(&s->b, "sign(m + (g - m)*share)",
	                          TERMS({"m", m}, {"g", s->g}, {"share", number(s, 1 - s->arg(s, "beta1"))}));
	s->set_state(s, "m",
	             compose(&s->b, "m + (g - m)*share",
	                     TERMS({"m", m}, {"g", s->g}, {"share", number(s, 1 - s->arg(s, "beta2"))})));
	return moved(s, s->p, s->rate, decay ? build2(&s->b, "add", direction, decay) : direction);
}

static Node *rmsprop_update(OptimStep *s)
{
	Node *g = decayed_gradient(s);
	double alpha = s->arg(s, "alpha"), momentum = s->arg(s, "momentum");
	Node *spread = running_square(s, "v", g, alpha);
	if (s->arg(s, "centered") != 0) {
		Node *mean = running_mean(s, "mean", g, alpha);
		spread = compose(&s->b, "v - mean*mean", TERMS({"v", spread}, {"mean", mean}));
	}
	Node *step = compose(&s->b, "g/(sqrt(v) + epsilon)",
	                     TERMS({"g", g}, {"v", spread}, {"epsilon", arg_node(s, "epsilon")}));
	if (momentum != 0) {
		Node *m = s->state(s, "momentum", 0);
		step = compose(&s->b, "keep*m + step",
		               TERMS({"keep", number(s, momentum)}, {"m", m}, {"step", step}));
		s->set_state(s, "momentum", step);
	}
	return moved(s, s->p, s->rate, step);
}

static Node *adagrad_update(OptimStep *s)
{
	Node *g = decayed_gradient(s);
	Node *v = s->state(s, "v", s->arg(s, "initial"));
	Node *now = or_nan(s, compose(&s->b, "v + g*g", TERMS({"v", v}, {"g", g})));
	s->set_state(s, "v", now);
	Node *rate = s->rate;
	if (s->arg(s, "rate_decay") != 0)
		rate = compose(
		        &s->b, "rate/(1 + (step - 1)*decay)",
		        TERMS({"rate", rate}, {"step", s->step}, {"decay", arg_node(s, "rate_decay")}));
	return compose(&s->b, "p - rate*(g/(sqrt(v) + epsilon))",
	               TERMS({"p", s->p}, {"rate", rate}, {"g", g}, {"v", now},
	                     {"epsilon", arg_node(s, "epsilon")}));
}

static Node *adadelta_update(OptimStep *s)
{
	Node *g = decayed_gradient(s);
	double rho = s->arg(s, "rho");
	Node *v = running_square(s, "v", g, rho), *moves = s->state(s, "moves", 0);
	Node *step =
	        compose(&s->b, "sqrt(moves + epsilon)/sqrt(v + epsilon)*g",
	                TERMS({"moves", moves}, {"v", v}, {"g", g}, {"epsilon", arg_node(s, "epsilon")}));
	Node *now = compose(&s->b, "moves*keep + step*step*share",
	                    TERMS({"moves", moves}, {"step", step}, {"keep", number(s, rho)},
	                          {"share", number(s, 1 - rho)}));
	s->set_state(s, "moves", now);
	return moved(s, s->p, s->rate, step);
}

/* ---- of each tensor as a whole */

static Node *part_of(OptimStep *s, Node *flat, const OptimTensor *t, int rank, const int64_t *dim)
{
	return build_part(&s->b, flat, t->offset, rank, dim);
}

static Node *norm_of(OptimStep *s, Node *x)
{
	Node *squares = build_sum_to(&s->b, times(s, x, x), type_scalar(x->type.dtype));
	return node_called(build1(&s->b, "sqrt", or_nan(s, squares)), "norm");
}

/* m/(1 - beta1^t)/(sqrt(v/(1 - beta2^t)) + epsilon) */
static Node *adam_direction(OptimStep *s, Node *m, Node *v, double beta1)
{
	Node *correction = build1(&s->b, "rsqrt", bias_correction(s, s->arg(s, "beta2")));
	node_called(correction, "v_correction");
	return compose(&s->b, "m/first/(sqrt(v)*correction + epsilon)",
	               TERMS({"m", m}, {"first", bias_correction(s, beta1)}, {"v", v},
	                     {"correction", correction}, {"epsilon", arg_node(s, "epsilon")}));
}

/* The step of each tensor as long as the tensor is; 1 times the step where one of them is all zero. */
static Node *lamb_update(OptimStep *s)
{
	double beta1 = s->arg(s, "beta1");
	Node *m = running_mean(s, "m", s->g, beta1), *v = running_square(s, "v", s->g, s->arg(s, "beta2"));
	Node *step = adam_direction(s, m, v, beta1), *decay = decay_of(s);
	Node **parts = NEW_ARRAY(s->b.graph->arena, Node *, s->tensor_count);
	if (decay)
		step = build2(&s->b, "add", step, decay);
	for (int i = 0; i < s->tensor_count; i++) {
		const OptimTensor *t = &s->tensors[i];
		Node *own = part_of(s, step, t, t->type.rank, t->type.dim);
		Node *length = norm_of(s, part_of(s, s->p, t, t->type.rank, t->type.dim));
		parts[i] = compose(&s->b, "step*select(p*d > 0, p/d, 1)",
		                   TERMS({"step", own}, {"p", length}, {"d", norm_of(s, own)}));
	}
	return moved(s, s->p, s->rate, build(&s->b, "pack", s->tensor_count, parts, 0, NULL));
}

/* Nearly the orthogonal matrix that is nearest to x: a few steps of Newton and Schulz for the sign of its singular
 * values, with the coefficients of Jordan and others (2024). The Gram matrix is that of the shorter side. */
static Node *orthogonal(OptimStep *s, Node *x)
{
	bool wide = x->type.dim[0] <= x->type.dim[1];
	x = compose(&s->b, "x/(norm + 1e-7)", TERMS({"x", x}, {"norm", norm_of(s, x)}));
	const int times = (int)s->arg(s, "steps");
	for (int i = 0; i < times; i++) {
		Node *gram = build_product(&s->b, x, x, !wide, wide);
		Node *square = build_product(&s->b, gram, gram, false, false);
		Node *factor = compose(&s->b, "2.0315*square - 4.775*gram",
		                       TERMS({"square", square}, {"gram", gram}));
		Node *more = build_product(&s->b, wide ? factor : x, wide ? x : factor, false, false);
		x = compose(&s->b, "3.4445*x + more", TERMS({"x", x}, {"more", more}));
	}
	return x;
}

static int64_t weight_elements(const OptimStep *s)
{
	int64_t elements = 0;
	for (int i = 0; i < s->tensor_count && s->tensors[i].is_weight; i++)
		elements += type_elements(s->tensors[i].type);
	return elements;
}

/* adam of what is no weight, the end of the flat tensors, at its own share of the rate. */
static Node *muon_others(OptimStep *s, Node *m, int64_t first)
{
	OptimTensor all = {.offset = first};
	int64_t n = type_elements(s->p->type) - first;
	Node *g = part_of(s, s->g, &all, 1, &n);
	double beta2 = s->arg(s, "beta2");
	Node *v = compose(&s->b, "v*keep + g*g*share",
	                  TERMS({"v", s->short_state(s, "v", n)}, {"g", g}, {"keep", number(s, beta2)},
	                        {"share", number(s, 1 - beta2)}));
	v = or_nan(s, v);
	s->set_state(s, "v", v);
	Node *step = adam_direction(s, part_of(s, m, &all, 1, &n), v, s->arg(s, "momentum"));
	return times(s, step, arg_node(s, "others"));
}

/* Each weight scaled to a norm of the root of its rows, the norm of as many orthonormal ones; all else as it is. */
static Node *with_unit_rows(OptimStep *s)
{
	Node **parts = NEW_ARRAY(s->b.graph->arena, Node *, s->tensor_count + 1);
	int count = 0;
	for (; count < s->tensor_count && s->tensors[count].is_weight; count++) {
		const OptimTensor *t = &s->tensors[count];
		Node *p = part_of(s, s->p, t, t->type.rank, t->type.dim);
		parts[count] = compose(&s->b, "p*select(norm > 0, root/norm, 1)",
		                       TERMS({"p", p}, {"norm", norm_of(s, p)},
		                             {"root", number(s, sqrt((double)t->type.dim[0]))}));
	}
	OptimTensor rest = {.offset = weight_elements(s)};
	int64_t n = type_elements(s->p->type) - rest.offset;
	if (n > 0)
		parts[count++] = part_of(s, s->p, &rest, 1, &n);
	return build(&s->b, "pack", count, parts, 0, NULL);
}

static Node *muon_update(OptimStep *s)
{
	double momentum = s->arg(s, "momentum");
	Node *m = running_mean(s, "m", s->g, momentum), *ahead = m;
	if (s->arg(s, "nesterov") != 0)
		ahead = compose(&s->b, "g + (m - g)*keep",
		                TERMS({"g", s->g}, {"m", m}, {"keep", number(s, momentum)}));
	Node **parts = NEW_ARRAY(s->b.graph->arena, Node *, s->tensor_count + 1);
	int count = 0;
	for (; count < s->tensor_count && s->tensors[count].is_weight; count++) {
		const OptimTensor *t = &s->tensors[count];
		int64_t rows = t->type.dim[0], dim[] = {rows, type_elements(t->type) / rows};
		double scale = dim[0] > dim[1] ? sqrt((double)dim[0] / (double)dim[1]) : 1;
		parts[count] = times(s, orthogonal(s, part_of(s, ahead, t, 2, dim)), number(s, scale));
	}
	if (count < s->tensor_count)
		parts[count++] = muon_others(s, m, weight_elements(s));
	Node *step = build(&s->b, "pack", count, parts, 0, NULL);
	Node *p = s->arg(s, "normalize") != 0 ? with_unit_rows(s) : s->p;
	if (s->decay)
		step = build2(&s->b, "add", step, times(s, s->decay, p));
	return moved(s, p, s->rate, step);
}

static const Optimizer optimizers[] = {
        {.name = "sgd",
         .call = "rate: real = 0.001, momentum: real = 0.0, dampening: real = 0.0, nesterov: bool = false, "
                 "decay: real = 0.0",
         .doc = "Stochastic gradient descent: m = momentum*m + (1 - dampening)*g, at the first step m = g, p "
                "= p - rate*m; with "
                "`nesterov` the step is g + momentum*m, which needs a momentum and no dampening (Sutskever "
                "et al. 2013). Weight decay adds decay*p to g.",
         .update = sgd_update,
         .state_count = 1,
         .needs = {{"nesterov", "momentum", false}, {"nesterov", "dampening", true}}},
        {.name = "adam",
         .call = "rate: real = 0.001, beta1: real = 0.9, beta2: real = 0.999, epsilon: real = 1e-8, decay: "
                 "real = 0.0",
         .doc = "Running means m of g and v of g*g, both corrected for their start at zero: p = p - "
                "rate*m/(sqrt(v) + epsilon) (Kingma and Ba 2015). Weight decay adds decay*p to g.",
         .update = adam_update,
         .state_count = 2},
        {.name = "adamw",
         .call = "rate: real = 0.001, beta1: real = 0.9, beta2: real = 0.999, epsilon: real = 1e-8, decay: "
                 "real = 0.01",
         .doc = "adam with decoupled weight decay: p shrinks by rate*decay*p, outside of the running means "
                "(Loshchilov and Hutter 2019).",
         .update = adamw_update,
         .state_count = 2},
        {.name = "rmsprop",
         .call = "rate: real = 0.01, alpha: real = 0.99, epsilon: real = 1e-8, momentum: real = 0.0, "
                 "centered: "
                 "bool = false, decay: real = 0.0",
         .doc = "The running mean v of g*g scales the step: p = p - rate*g/(sqrt(v) + epsilon); `centered` "
                "subtracts the square of the running mean of g, `momentum` averages the steps (Hinton "
                "2012, Graves 2013).",
         .update = rmsprop_update,
         .state_count = 3},
        {.name = "adagrad",
         .call = "rate: real = 0.01, rate_decay: real = 0.0, initial: real = 0.0, epsilon: real = 1e-10, "
                 "decay: real = 0.0",
         .doc = "The sum v of all g*g scales the step: p = p - rate*g/(sqrt(v) + epsilon) (Duchi et al. "
                "2011). "
                "The rate falls as rate/(1 + (step - 1)*rate_decay); `initial` is where v starts.",
         .update = adagrad_update,
         .state_count = 1},
        {.name = "adadelta",
         .call = "rate: real = 1.0, rho: real = 0.9, epsilon: real = 1e-6, decay: real = 0.0",
         .doc = "The step is g by the ratio of the running root mean squares of past steps and of "
                "gradients (Zeiler 2012).",
         .update = adadelta_update,
         .state_count = 2},
        {.name = "lion",
         .call = "rate: real = 0.0001, beta1: real = 0.9, beta2: real = 0.99, decay: real = 0.0",
         .doc = "The sign of a running mean is the step: p = p - rate*(sign(beta1*m + (1 - beta1)*g) + "
                "decay*p), "
                "then m = beta2*m + (1 - beta2)*g (Chen et al. 2023). Rates are a third to a tenth of "
                "adamw's.",
         .update = lion_update,
         .state_count = 1},
        {.name = "lamb",
         .call = "rate: real = 0.001, beta1: real = 0.9, beta2: real = 0.999, epsilon: real = 1e-6, decay: "
                 "real = 0.01",
         .doc = "adam for large batches: the step of each tensor, decay*p included, is made as long as the "
                "tensor, and then goes by the rate (You et al. 2020).",
         .update = lamb_update,
         .by_tensor = true,
         .state_count = 2},
        {.name = "muon",
         .call = "rate: real = 0.02, momentum: real = 0.95, nesterov: bool = true, decay: real = 0.0, "
                 "others: real = 0.015, beta2: real = 0.95, epsilon: real = 1e-10, steps: int = 5, "
                 "normalize: "
                 "bool = false",
         .doc = "The momentum of each weight, as a matrix of its outputs by all else, is made nearly "
                "orthogonal: "
                "p = p - rate*(sqrt(max(1, rows/columns))*O + decay*p) (Jordan et al. 2024). What is no "
                "weight, a "
                "bias or a gain, goes by adam at `others` times the rate, with the momentum as its beta1. "
                "`steps` of Newton and Schulz make O, less nearly where they are fewer; `normalize` scales "
                "each weight to a norm of the root of its rows ahead of its step.",
         .update = muon_update,
         .by_tensor = true,
         .state_count = 2},
};

#define MORE_THAN_0 "more than 0", 0, INFINITY, true
#define AT_LEAST_0  "at least 0", 0, INFINITY, false
#define SHARE       "at least 0 and less than 1", 0, 1, false

static const OptimizerRange ranges[] = {
        {"rate", MORE_THAN_0},
        {"momentum", SHARE},
        {"dampening", SHARE},
        {"beta1", SHARE},
        {"beta2", SHARE},
        {"alpha", SHARE},
        {"rho", SHARE},
        {"epsilon", AT_LEAST_0},
        {"decay", AT_LEAST_0},
        {"initial", AT_LEAST_0},
        {"rate_decay", AT_LEAST_0},
        {"others", AT_LEAST_0},
        {"steps", "from 1 to 20", 1, 21, false},
};

int optimizer_count(void)
{
	return (int)(sizeof optimizers / sizeof *optimizers);
}

const Optimizer *optimizer_at(int i)
{
	return &optimizers[i];
}

const Optimizer *optimizer_find(const char *name)
{
	for (int i = 0; i < optimizer_count(); i++) {
		if (strcmp(optimizers[i].name, name) == 0)
			return &optimizers[i];
	}
	return NULL;
}

const OptimizerRange *optimizer_range(const char *argument)
{
	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
		if (strcmp(ranges[i].argument, argument) == 0)
			return &ranges[i];
	}
	return NULL;
}
