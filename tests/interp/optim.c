#include "tests/interp/optim.h"
#include <math.h>
#include <string.h>

static double arg(const Recipe *r, const char *name)
{
	for (int i = 0; i < r->optimizer_arg_count; i++)
		if (!strcmp(r->optimizer_args[i].name, name))
			return r->optimizer_args[i].value;
	return 0;
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
	return p - rate * mean / (sqrt(square) + arg(r, "eps"));
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
	double move = g / (sqrt(spread) + arg(r, "eps"));
	*s[1] = momentum * *s[1] + move;
	return p - rate * *s[1];
}

static double adagrad(const Recipe *r, double p, double g, double *s[], double rate, double step)
{
	if (step == 1)
		*s[0] = arg(r, "initial");
	*s[0] += g * g;
	return p - rate / (1 + (step - 1) * arg(r, "rate_decay")) * g / (sqrt(*s[0]) + arg(r, "eps"));
}

static double adadelta(const Recipe *r, double p, double g, double *s[], double rate, double step)
{
	double rho = arg(r, "rho"), eps = arg(r, "eps");
	*s[0] = rho * *s[0] + (1 - rho) * g * g;
	double move = sqrt(*s[1] + eps) / sqrt(*s[0] + eps) * g;
	*s[1] = rho * *s[1] + (1 - rho) * move * move;
	return p - rate * move;
}

static const struct {
	const char *name;
	Rule *rule;
	bool decoupled; /* weight decay shrinks the parameter instead of joining the gradient */
} rules[] = {
        {"sgd", sgd, false},         {"adam", adam, false},       {"adamw", adam, true},
        {"rmsprop", rmsprop, false}, {"adagrad", adagrad, false}, {"adadelta", adadelta, false},
};

bool reference_update(const Recipe *r, Tuned *t, double rate, double step)
{
	size_t k = 0;
	while (k < sizeof rules / sizeof *rules && strcmp(rules[k].name, r->optimizer))
		k++;
	if (k == sizeof rules / sizeof *rules)
		return false;
	double decay = t->decays ? arg(r, "decay") : 0;
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
