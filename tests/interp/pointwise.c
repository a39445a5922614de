/* SPDX-License-Identifier: MIT */
/* Pointwise operators by their textbook definitions, one row each. */
#include "tests/interp/interp.h"
#include <math.h>

typedef struct Args {
	double x, y, z; /* operands in order */
	const Node *n;
} Args;

/* x in so many binary digits, half away from zero. */
static double significant(double x, int digits)
{
	int exponent;
	double fraction = frexp(x, &exponent);
	return ldexp(round(ldexp(fraction, digits)), exponent - digits);
}

/* The plain forms, which lose digits far from zero; test values stay near it. */
#define ROW(NAME, VALUE)                \
	static double NAME##_of(Args a) \
	{                               \
		return VALUE;           \
	}
ROW(add, a.x + a.y)
ROW(sub, a.x - a.y)
ROW(mul, a.x *a.y)
ROW(divide, a.x / a.y)
ROW(neg, -a.x)
ROW(power, pow(a.x, a.y))
ROW(maximum, a.x >= a.y ? a.x : a.y)
ROW(minimum, a.x <= a.y ? a.x : a.y)
ROW(exponential, exp(a.x))
ROW(exponential_less_1, expm1(a.x))
ROW(logarithm, log(a.x))
ROW(logarithm_of_1_and, log1p(a.x))
ROW(sine, sin(a.x))
ROW(cosine, cos(a.x))
ROW(root, sqrt(a.x))
ROW(one_over_root, 1 / sqrt(a.x))
ROW(square, a.x *a.x)
ROW(magnitude, fabs(a.x))
ROW(sign, (a.x > 0) - (a.x < 0))
ROW(error_function, erf(a.x))
ROW(relu, a.x > 0 ? a.x : 0)
ROW(leaky_relu, a.x > 0 ? a.x : a.x * node_real(a.n, "slope"))
ROW(elu, a.x > 0 ? a.x : node_real(a.n, "alpha") * (exp(a.x) - 1))
ROW(logistic, 1 / (1 + exp(-a.x)))
ROW(tangent, tanh(a.x))
ROW(softplus, log(1 + exp(a.x)))
ROW(silu, a.x / (1 + exp(-a.x)))
ROW(gelu, a.x *erfc(-a.x / sqrt(2.0)) / 2)
ROW(gelu_tanh, a.x *(1 + tanh(sqrt(2 / acos(-1.0)) * (a.x + 0.044715 * a.x * a.x * a.x))) / 2)
ROW(gelu_slope, erfc(-a.x / sqrt(2.0)) / 2 + a.x * exp(-a.x * a.x / 2) / sqrt(2 * acos(-1.0)))
static double gelu_tanh_slope_of(Args a)
{
	const double root = sqrt(2 / acos(-1.0)), t = tanh(root * (a.x + 0.044715 * a.x * a.x * a.x));
	return (1 + t) / 2 + a.x / 2 * (1 - t * t) * root * (1 + 3 * 0.044715 * a.x * a.x);
}
ROW(scale, a.x *node_real(a.n, "factor") + node_real(a.n, "shift"))
ROW(clip, fmin(fmax(a.x, node_real(a.n, "lo")), node_real(a.n, "hi")))
ROW(greater, a.x > a.y)
ROW(greater_or_equal, a.x >= a.y)
ROW(less, a.x < a.y)
ROW(less_or_equal, a.x <= a.y)
ROW(equal, a.x == a.y)
ROW(not_equal, a.x != a.y)
ROW(positive, a.x > 0)
ROW(tf32, significant(a.x, 11))
ROW(choice, a.x != 0 ? a.y : a.z)
ROW(floor, floor(a.x))
ROW(same, a.x)

static const struct {
	const char *name;
	double (*value)(Args a);
} rows[] = {
        {"add", add_of},
        {"sub", sub_of},
        {"mul", mul_of},
        {"div", divide_of},
        {"neg", neg_of},
        {"pow", power_of},
        {"maximum", maximum_of},
        {"minimum", minimum_of},
        {"exp", exponential_of},
        {"expm1", exponential_less_1_of},
        {"log", logarithm_of},
        {"log1p", logarithm_of_1_and_of},
        {"sin", sine_of},
        {"cos", cosine_of},
        {"sqrt", root_of},
        {"rsqrt", one_over_root_of},
        {"square", square_of},
        {"abs", magnitude_of},
        {"sign", sign_of},
        {"floor", floor_of},
        {"erf", error_function_of},
        {"stop_gradient", same_of},
        {"f32", same_of},
        {"relu", relu_of},
        {"leaky_relu", leaky_relu_of},
        {"elu", elu_of},
        {"sigmoid", logistic_of},
        {"tanh", tangent_of},
        {"softplus", softplus_of},
        {"silu", silu_of},
        {"gelu", gelu_of},
        {"gelu_tanh", gelu_tanh_of},
        {"gelu_slope", gelu_slope_of},
        {"gelu_tanh_slope", gelu_tanh_slope_of},
        {"scale", scale_of},
        {"clip", clip_of},
        {"gt", greater_of},
        {"ge", greater_or_equal_of},
        {"lt", less_of},
        {"le", less_or_equal_of},
        {"eq", equal_of},
        {"ne", not_equal_of},
        {"positive", positive_of},
        {"select", choice_of},
        {"round_tf32", tf32_of},
        {"cast", same_of},
        {"broadcast", same_of},
};

static int row_find(const char *name)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!strcmp(rows[i].name, name))
			return (int)i;
	return -1;
}

bool pointwise_knows(const char *name)
{
	return row_find(name) >= 0;
}

/* By how much an operand's offset grows with each of the result's indices: 0 along what it is repeated along. */
static void steps_of(const Type *x, const Type *over, int64_t *step)
{
	int64_t stride[LIMIT_RANK];
	type_strides(x, stride);
	for (int i = 0; i < over->rank; i++) {
		int own = i - (over->rank - x->rank);
		step[i] = own >= 0 && x->dim[own] > 1 ? stride[own] : 0;
	}
}

bool pointwise_eval(Eval *e)
{
	int row = row_find(e->n->op->name), count = e->n->operand_count < 3 ? e->n->operand_count : 3;
	if (row < 0)
		return false;
	const Type *t = &e->n->type;
	Type outer = *t; /* without the last index, along which a row is computed at a time */
	outer.rank = t->rank > 0 ? t->rank - 1 : 0;
	int64_t step[3][LIMIT_RANK] = {0}, index[LIMIT_RANK] = {0}, i = 0;
	int64_t length = t->rank > 0 ? t->dim[outer.rank] : 1;
	for (int k = 0; k < count; k++)
		steps_of(operand_type(e, k), t, step[k]);
	do {
		int64_t first[3] = {0};
		for (int k = 0; k < count; k++)
			for (int d = 0; d < outer.rank; d++)
				first[k] += step[k][d] * index[d];
		for (int64_t j = 0; j < length; j++) {
			double v[3] = {0};
			for (int k = 0; k < count; k++)
				v[k] = e->x[k][first[k] + j * step[k][outer.rank]];
			e->y[i++] = rows[row].value((Args){v[0], v[1], v[2], e->n});
		}
	} while (next_index(&outer, index));
	return true;
}
