/* SPDX-License-Identifier: MIT */
/* What rules ask of numbers, attributes and nodes: rule_NAME is `if NAME(...)`. */
#include "rules/conditions.h"

#include "ir/known.h"
#include "ir/op.h"
#include "ir/recipe.h"
#include "ops/attention.h"
#include "target/target.h"
#include "rules/rules.h"

#include <math.h>

enum { DEEPEST = 12 /* steps from scores to their softmax */ };

CONDITION(finite, true);

/* The rule is no choice: -fno- does not leave it out. */
CONDITION(needed, true);

/* Of what is a part of an operator already, too. */
CONDITION(of_parts, true);
CONDITION(untied, true);

/* ---- numbers and attributes */

bool rule_is_power_of_two(const Rules *r, const RuleArgument *x)
{
	int exponent;
	return fabs(frexp(x[0].number, &exponent)) == 0.5 && isnormal((float)(1 / x[0].number));
}

CONDITION(is_zero, x[0].number == 0);
CONDITION(is_above_all, x[0].attr->f >= 1e30);
CONDITION(is_positive, x[0].number > 0);

/* A number that makes the mean of a sum over the axes. */
bool rule_is_mean(const Rules *r, const RuleArgument *x)
{
	double count = 1;
	for (int i = 0; i < x[1].attr->count; i++)
		count *= (double)x[2].node->type.dim[x[1].attr->ints[i]];
	return fabs(x[0].number * count - 1) < 1e-6;
}

/* A list of one axis. */
CONDITION(is_one, x[0].attr->count == 1);
CONDITION(is_only, x[0].attr->count == 1 && x[0].attr->ints[0] == x[1].attr->i);

/* The axis, or the list of one, is the last one of x. */
CONDITION(is_last, (x[0].attr->count == 1 ? x[0].attr->ints[0] : x[0].attr->i) == x[1].node->type.rank - 1);

/* The axis is not moved by a transposition. */
CONDITION(stays, x[1].attr->ints[x[0].attr->i] == x[0].attr->i);

/* ---- what is known */

typedef enum { CAUSAL, LATER, CAUSAL_BIAS } Triangle;

static bool is_as(Triangle kind, bool before, double x)
{
	if (kind == CAUSAL_BIAS)
		return before ? x == 0 : x <= ATTENTION_MASKED;
	return x == (before == (kind == CAUSAL));
}

/* Whether n, times a factor, is a matrix of places that has one number up to each row's own and another one after
 * it. */
static bool is_triangle(const Node *n, Triangle kind, double factor)
{
	const Type t = n->type;
	const int64_t places = t.rank < 2 ? 0 : t.dim[t.rank - 1];
	if (places < 2 || t.dim[t.rank - 2] != places || type_elements(t) != places * places)
		return false;
	Arena *scratch = arena_new();
	const double *x = known_values(scratch, n);
	bool is = x != NULL;
	for (int64_t i = 0; is && i < places * places; i++)
		is = is_as(kind, i % places <= i / places, factor * x[i]);
	arena_free(scratch);
	return is;
}

CONDITION(is_causal, is_triangle(x[0].node, CAUSAL, 1));
CONDITION(is_later, is_triangle(x[0].node, LATER, 1));
CONDITION(is_causal_bias, is_triangle(x[0].node, CAUSAL_BIAS, x[1].number));

bool known_number(const Node *n, double *number)
{
	Arena *scratch = arena_new();
	const double *x = known_values(scratch, n);
	bool same = x != NULL;
	for (int64_t i = 0; same && i < type_elements(n->type); i++)
		same = x[i] == x[0];
	*number = same ? x[0] : 0;
	arena_free(scratch);
	return same;
}

bool rule_is_all(const Rules *r, const RuleArgument *x)
{
	double number;
	return known_number(x[0].node, &number) && number == x[1].number;
}

CONDITION(is_constant, node_is_constant(x[0].node));

bool rule_is_identity(const Rules *r, const RuleArgument *x)
{
	const Type t = x[0].node->type;
	const int64_t n = t.dim[t.rank - 1];
	if (t.dim[t.rank - 2] != n)
		return false;
	Arena *scratch = arena_new();
	const double *value = known_values(scratch, x[0].node);
	bool is = value != NULL;
	for (int64_t i = 0; is && i < type_elements(t); i++)
		is = value[i] == (i % n == i / n % n);
	arena_free(scratch);
	return is;
}

/* One number everywhere, and not said as one. */
bool rule_is_number(const Rules *r, const RuleArgument *x)
{
	double number;
	return !node_is_constant(x[0].node) && known_number(x[0].node, &number);
}

/* An input of labels, each of which is one of the classes that the second node counts. */
bool rule_are_classes(const Rules *r, const RuleArgument *x)
{
	const Node *labels = node_unshaped(x[0].node);
	return node_is_input(labels) && node_int(labels, "classes") == node_int(x[1].node, "classes");
}

/* ---- where it stands */

/* Nothing else reads it. */
CONDITION(once, r->uses[x[0].node->id] == 1);

/* No rule without this condition applies any more: what they look for is not taken from them. */
CONDITION(settled, r->settled);

/* The last two axes, and no others. */
bool rule_swaps_last(const Rules *r, const RuleArgument *x)
{
	const int last = x[0].attr->count - 1;
	return last > 0 && axes_exchange(x[0].attr->ints, last + 1, last - 1, last);
}

/* A softmax alone reads it, by way of pointwise steps and reshapes alone: it is scores. */
bool rule_is_scored(const Rules *r, const RuleArgument *x)
{
	const Node *n = x[0].node;
	for (int i = 0; i < DEEPEST && r->uses[n->id] == 1 && r->users[n->id].count == 1; i++) {
		n = r->users[n->id].at[0];
		if (node_is(n, "softmax"))
			return true;
		if (!(n->op->flags & (OP_RESHAPES | OP_POINTWISE)))
			return false;
	}
	return false;
}

/* A sum alone reads it, or a view of it. */
bool rule_is_summand(const Rules *r, const RuleArgument *x)
{
	const Node *n = x[0].node;
	while (r->uses[n->id] == 1 && r->users[n->id].count == 1) {
		n = r->users[n->id].at[0];
		if (!(n->op->flags & OP_RESHAPES))
			return formula_matches(r->sum, n, NULL);
	}
	return false;
}

CONDITION(is_product, x[0].node->op->gemm == GEMM_PRODUCT);
CONDITION(is_as_large, shape_equal(x[0].node->type, x[1].node->type));

/* One number, in no more dimensions than the second node has. */
CONDITION(is_element, type_elements(x[0].node->type) == 1 && x[0].node->type.rank <= x[1].node->type.rank);
CONDITION(is_half, dtype_is_half(x[0].node->type.dtype));

/* ---- of the target and the recipe */

bool rule_is_worth_signs(const Rules *r, const RuleArgument *x)
{
	const Type t = x[0].node->type;
	const int64_t from = r->target->signs_from;
	return from > 0 && t.dtype == DTYPE_F32 && type_elements(t) >= from;
}

CONDITION(is_for_gpu, r->target->gpu);
CONDITION(is_training, r->graph->training);
CONDITION(is_evaluation, !r->graph->training);
CONDITION(has_ranks, r->recipe && r->recipe->ranks > 1);
