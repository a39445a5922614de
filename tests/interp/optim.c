/* SPDX-License-Identifier: MIT */
#include "tests/interp/optim.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double arg(const Recipe *r, const char *name)
{
	return optimizer_use_arg(&r->optimizer, name);
}

void reference_clip(Tuned *t, int count, double limit)
{
	double norm = 0;
	for (int k = 0; k < count; k++)
		for (int64_t i = 0; i < t[k].count; i++)
			norm += t[k].g[i] * t[k].g[i];
	norm = sqrt(norm);
	double factor = limit / (norm + 1e-6); /* as torch.nn.utils.clip_grad_norm_ */
	if (limit <= 0 || factor >= 1)
		return;
	for (int k = 0; k < count; k++)
		for (int64_t i = 0; i < t[k].count; i++)
			t[k].g[i] *= factor;
}

/* Each rule moves one element: parameter p, gradient g, its own state s. */
typedef double Rule(const Recipe *r, double p, double g, double *s[], double rate, double step);

static double sgd(const Recipe *r, double p, double g, double *s[], double rate, double step)
{
	double momentum = arg(r, "momentum");
	if (momentum == 0)
		return p - rate * g;
	*s[0] = step == 1 ? g : momentum * *s[0] + (1 - arg(r, "dampening")) * g;
	return p - rate * (arg(r, "nesterov") != 0 ? g + momentum * *s[0] : *s[0]);
}

static double adam(const Recipe *r, double p, double g, double *s[], double rate, double step)
{
	double beta1 = arg(r, "beta1"), beta2 = arg(r, "beta2");
	*s[0] = beta1 * *s[0] + (1 - beta1) * g;
	*s[1] = beta2 * *s[1] + (1 - beta2) * g * g;
	double mean = *s[0] / (1 - pow(beta1, step)), square = *s[1] / (1 - pow(beta2, step));
	return p - rate * mean / (sqrt(square) + arg(r, "epsilon"));
}

static double rmsprop(const Recipe *r, double p, double g, double *s[], double rate, double step)
{
	double alpha = arg(r, "alpha"), momentum = arg(r, "momentum");
	*s[0] = alpha * *s[0] + (1 - alpha) * g * g;
	double spread = *s[0];
	if (arg(r, "centered") != 0) {
		*s[2] = alpha * *s[2] + (1 - alpha) * g;
		spread -= *s[2] * *s[2];
	}
	double move = g / (sqrt(spread) + arg(r, "epsilon"));
	*s[1] = momentum * *s[1] + move;
	return p - rate * *s[1];
}

static double adagrad(const Recipe *r, double p, double g, double *s[], double rate, double step)
{
	if (step == 1)
		*s[0] = arg(r, "initial");
	*s[0] += g * g;
	return p - rate / (1 + (step - 1) * arg(r, "rate_decay")) * g / (sqrt(*s[0]) + arg(r, "epsilon"));
}

static double adadelta(const Recipe *r, double p, double g, double *s[], double rate, double step)
{
	double rho = arg(r, "rho"), epsilon = arg(r, "epsilon");
	*s[0] = rho * *s[0] + (1 - rho) * g * g;
	double move = sqrt(*s[1] + epsilon) / sqrt(*s[0] + epsilon) * g;
	*s[1] = rho * *s[1] + (1 - rho) * move * move;
	return p - rate * move;
}

static double sign(double x)
{
	return (x > 0) - (x < 0);
}

static double lion(const Recipe *r, double p, double g, double *s[], double rate, double step)
{
	double beta1 = arg(r, "beta1"), beta2 = arg(r, "beta2"), m = *s[0];
	*s[0] = beta2 * m + (1 - beta2) * g;
	return p - rate * sign(beta1 * m + (1 - beta1) * g);
}

/* Those of a whole tensor write the step that the rate is multiplied with. */
typedef void TensorRule(const Recipe *r, Tuned *t, double decay, double step, double *to);

static double norm(const double *x, int64_t n)
{
	double sum = 0;
	for (int64_t i = 0; i < n; i++)
		sum += x[i] * x[i];
	return sqrt(sum);
}

/* You and others, algorithm 2. */
static void lamb(const Recipe *r, Tuned *t, double decay, double step, double *to)
{
	for (int64_t i = 0; i < t->count; i++) {
		double *s[] = {&t->state[0][i], &t->state[1][i]};
		to[i] = decay * t->p[i] - adam(r, 0, t->g[i], s, 1, step);
	}
	double length = norm(t->p, t->count), own = norm(to, t->count);
	for (int64_t i = 0; i < t->count && length > 0 && own > 0; i++)
		to[i] *= length / own;
}

/* x = x y of [rows, columns] and [columns, columns] */
static void multiply(double *x, const double *y, int64_t rows, int64_t columns)
{
	double *row = calloc((size_t)columns, sizeof *row);
	for (int64_t i = 0; i < rows; i++) {
		memcpy(row, x + i * columns, (size_t)columns * sizeof *row);
		for (int64_t k = 0; k < columns; k++) {
			x[i * columns + k] = 0;
			for (int64_t j = 0; j < columns; j++)
				x[i * columns + k] += row[j] * y[j * columns + k];
		}
	}
	free(row);
}

/* As `zeropower_via_newtonschulz5` of Jordan's muon.py, here of X^T X alone: (aI + bA + cA^2) on either side is the
 * same polynomial of X. */
static void newton_schulz(double *x, int64_t rows, int64_t columns, int steps)
{
	double *a = calloc((size_t)(columns * columns), sizeof *a),
	       *p = calloc((size_t)(columns * columns), sizeof *p);
	double length = norm(x, rows * columns) + 1e-7;
	for (int64_t i = 0; i < rows * columns; i++)
		x[i] /= length;
	for (int times = 0; times < steps; times++) {
		for (int64_t i = 0; i < columns * columns; i++) {
			a[i] = 0;
			for (int64_t k = 0; k < rows; k++)
				a[i] += x[k * columns + i / columns] * x[k * columns + i % columns];
		}
		memcpy(p, a, (size_t)(columns * columns) * sizeof *p);
		multiply(p, a, columns, columns);
		for (int64_t i = 0; i < columns * columns; i++)
			p[i] = 2.0315 * p[i] - 4.7750 * a[i] + (i % (columns + 1) == 0 ? 3.4445 : 0);
		multiply(x, p, rows, columns);
	}
	free(a);
	free(p);
}

static void muon(const Recipe *r, Tuned *t, double decay, double step, double *to)
{
	double momentum = arg(r, "momentum"), beta2 = arg(r, "beta2");
	for (int64_t i = 0; i < t->count; i++) {
		double *m = &t->state[0][i], *v = &t->state[1][i], g = t->g[i];
		*m = momentum * *m + (1 - momentum) * g;
		*v = beta2 * *v + (1 - beta2) * g * g;
		double mean = *m / (1 - pow(momentum, step)), square = *v / (1 - pow(beta2, step));
		if (t->is_weight)
			to[i] = arg(r, "nesterov") != 0 ? (1 - momentum) * g + momentum * *m : *m;
		else
			to[i] = arg(r, "others") * mean / (sqrt(square) + arg(r, "epsilon"));
	}
	int64_t columns = t->count / t->rows;
	double length = norm(t->p, t->count);
	for (int64_t i = 0; i < t->count && t->is_weight && arg(r, "normalize") != 0 && length > 0; i++)
		t->p[i] *= sqrt((double)t->rows) / length;
	if (t->is_weight)
		newton_schulz(to, t->rows, columns, (int)arg(r, "steps"));
	for (int64_t i = 0; i < t->count; i++) {
		if (t->is_weight)
			to[i] *= sqrt(fmax(1, (double)t->rows / (double)columns));
		to[i] += decay * t->p[i];
	}
}

static const struct {
	const char *name;
	TensorRule *rule;
} tensor_rules[] = {{"lamb", lamb}, {"muon", muon}};

static bool update_whole(const Recipe *r, Tuned *t, double decay, double rate, double step)
{
	for (size_t k = 0; k < sizeof tensor_rules / sizeof *tensor_rules; k++) {
		if (strcmp(tensor_rules[k].name, r->optimizer.name))
			continue;
		double *by = calloc((size_t)t->count, sizeof *by);
		tensor_rules[k].rule(r, t, decay, step, by);
		for (int64_t i = 0; i < t->count; i++)
			t->p[i] -= rate * by[i];
		free(by);
		return true;
	}
	return false;
}

static const struct {
	const char *name;
	Rule *rule;
	bool decoupled; /* weight decay shrinks the parameter instead of joining the gradient */
} rules[] = {
        {"sgd", sgd, false},         {"adam", adam, false},       {"adamw", adam, true},
        {"rmsprop", rmsprop, false}, {"adagrad", adagrad, false}, {"adadelta", adadelta, false},
        {"lion", lion, true},
};

bool reference_update(const Recipe *r, Tuned *t, double rate, double step)
{
	Recipe own = *r;
	if (t->group && t->group->optimizer.name)
		own.optimizer = t->group->optimizer;
	r = &own;
	double decay = arg(r, "decay");
	if (t->group && t->group->decay >= 0)
		decay = t->group->decay;
	if (t->group && t->group->rate > 0)
		rate *= t->group->rate / r->schedule.rate;
	decay = t->decays ? decay : 0;
	if (update_whole(r, t, decay, rate, step))
		return true;
	size_t k = 0;
	while (k < sizeof rules / sizeof *rules && strcmp(rules[k].name, r->optimizer.name))
		k++;
	if (k == sizeof rules / sizeof *rules)
		return false;
	for (int64_t i = 0; i < t->count; i++) {
		double p = t->p[i], g = t->g[i];
		double *s[REFERENCE_STATES] = {&t->state[0][i], &t->state[1][i], &t->state[2][i]};
		if (rules[k].decoupled)
			p *= 1 - rate * decay;
		else
			g += decay * p;
		t->p[i] = rules[k].rule(r, p, g, s, rate, step);
	}
	return true;
}
