/* SPDX-License-Identifier: MIT */
/* Each rule of compiler/rules/ proves itself: leaves, numbers, masks and attributes are drawn for what its pattern
 * names, the rule is applied, and the interpreter says what the pattern and what took its place are. Of rules ahead of
 * `differentiate` their gradients are compared too.
 *
 *     rules [DRAWS [SEED [RULE]]]
 *
 * A draw to which the rule does not apply, for the types or the conditions, is drawn again; a rule that applies to too
 * few fails. Corners are among what is drawn: extents of 1, zeros and equal operands unless the rule says untied(x),
 * infinities unless it says finite(x). */
#include "base/diag.h"
#include "passes/pass.h"
#include "rules/conditions.h"
#include "rules/rules.h"
#include "tests/interp/interp.h"
#include "tests/ops/rules_draw.h"
#include "tests/ops/samples.h"

#include <math.h>
#include <stdlib.h>
enum { TRIES = 200 /* for a draw that applies */ };

static const double RTOL = 2e-6, GRADIENT_RTOL = 2e-5;

/* Of an input with the batch last, those of the input in that order. */
static const double *leaf_values(void *draw, const Node *n)
{
	const Draw *d = draw;
	const double *values = map_get(d->leaves, node_text(n, "name"));
	require(values);
	if (!node_is_input(n) || !node_is_transposed(n))
		return values;
	const int64_t rows = n->type.dim[0], columns = n->type.dim[1];
	double *turned = NEW_ARRAY(d->arena, double, rows *columns);
	for (int64_t i = 0; i < rows * columns; i++)
		turned[i] = values[i % columns * rows + i / columns];
	return turned;
}

/* Number of elements that differ by more than rounding. */
static int differ(const double *x, const double *y, int64_t count, double rtol)
{
	double most = 1;
	int wrong = 0;
	for (int64_t i = 0; i < count; i++)
		if (isfinite(x[i]) && fabs(x[i]) > most)
			most = fabs(x[i]);
	for (int64_t i = 0; i < count; i++)
		wrong += !(x[i] == y[i] || (isnan(x[i]) && isnan(y[i])) || fabs(x[i] - y[i]) <= rtol * most);
	return wrong;
}

/* The graph of y and the sum of its products with drawn weights, as a loss. */
static void finish(Draw *d, Node *y)
{
	Type keep = d->shape;
	d->shape = y->type;
	const bool untied = d->untied, finite = d->finite;
	d->untied = d->finite = true;
	Build *b = &d->b;
	Node *weights = draw_leaf(d);
	d->shape = keep, d->untied = untied, d->finite = finite;
	int64_t axes[LIMIT_RANK], one = 1;
	for (int i = 0; i < y->type.rank; i++)
		axes[i] = i;
	Node *sum = build_reduce(b, "sum", build2(b, "mul", y, weights), axes, y->type.rank);
	sum = build_reshape(b, sum, 1, &one);
	if (b->graph->batch > 1)
		sum = build_broadcast(b, sum, 1, &b->graph->batch);
	graph_output(b->graph, OUTPUT_LOSS, "loss", sum);
	graph_output(b->graph, OUTPUT_VALUE, "y", y);
}

static Node *apply(void *data, Graph *to, const Node *n, Node **operands)
{
	const Rule *applied;
	return rules_apply(data, to, n, operands, &applied);
}

static int differ_in_gradients(Draw *d, const Graph *g, const Graph *now, const InterpInputs *in)
{
	PassContext ctx = {.arena = d->arena, .target = &target_cpu, .keep_gradients = true};
	const Graph *before = pass_differentiate(&ctx, g), *after = pass_differentiate(&ctx, now);
	double **x = interp(d->arena, before, in), **y = interp(d->arena, after, in);
	int wrong = 0;
	for (int i = 0; i < before->output_count; i++) {
		const Output *o = &before->outputs[i];
		const Node *n = o->kind == OUTPUT_GRADIENT
		                        ? graph_find_output(after, OUTPUT_GRADIENT, o->name)
		                        : NULL;
		if (n)
			wrong += differ(x[o->node->id], y[n->id], type_elements(n->type), GRADIENT_RTOL);
	}
	return wrong;
}

/* -1: the rule does not apply; else how many elements differ. */
static int try_draw(Arena *a, const RuleSet *set, int rule, const char *seed)
{
	Graph *g = graph_new(a, "rule", true, 1);
	Draw d = {.arena = a,
	          .b = {.graph = g, .real = DTYPE_F32},
	          .rule = &set->rules[rule],
	          .seed = seed,
	          .leaves = map_new(a)};
	for (const RuleIf *c = d.rule->conditions; c->holds; c++) {
		d.finite = d.finite || c->holds == rule_finite;
		d.untied = d.untied || c->holds == rule_untied;
	}
	d.finite = d.finite || draw_unit(&d) < 0.5;
	for (const RuleIf *c = d.rule->conditions; c->holds; c++)
		g->training = g->training && c->holds != rule_is_evaluation;
	int64_t dim[LIMIT_RANK];
	const bool matrices = strstr(d.rule->pattern, "matmul") || draw_is_of(&d, "turned_product");
	const int rank = 2 + draw_below(&d, matrices ? 2 : 3) +
	                 (strstr(d.rule->name, "groups_by") && draw_unit(&d) < 0.5),
	          last = 1 + draw_below(&d, 4);
	for (int i = 0; i < rank; i++)
		dim[i] = i >= rank - 2 ? last : 1 + draw_below(&d, 3);
	if (!matrices && draw_unit(&d) < 0.2)
		dim[rank - 2] = 1 + draw_below(&d, 4);
	require(type_make(DTYPE_F32, rank, dim, &d.shape));
	d.axis = draw_unit(&d) < 0.7 ? rank - 1 : draw_below(&d, rank);
	Node *y = draw_whole(&d);
	if (!y || !dtype_is_real(y->type.dtype))
		return -1;
	for (const RuleIf *c = d.rule->conditions; c->holds; c++)
		if (c->holds == rule_is_scored && !c->negated)
			y = build_along(&d.b, "softmax", y, y->type.rank - 1);
	finish(&d, y);
	Rules *rules = rules_new(a, set->name);
	Target target = target_cuda;
	const Recipe recipe = {.ranks = 2, .precision = "bf16"};
	target.signs_from = target.pieces_from = target.pads_from = 1;
	target.conv_matrices_from = target.transposes_from = 1;
	rules->target = &target;
	rules->recipe = &recipe;
	const bool ahead = strcmp(set->name, "raise") == 0 && g->training;
	if (strcmp(set->name, "simplify") != 0)
		rules_read(rules, g);
	Graph *now = graph_rewrite(a, g, apply, rules);
	if (rules->fired[rule] == 0)
		return -1;
	const char *problem = graph_verify(a, now);
	if (problem) {
		printf("FAIL %s: %s\n", d.rule->name, problem);
		return 1;
	}
	const InterpInputs in = {.leaf = leaf_values, .ctx = &d, .seed = 7, .step = 1};
	const Node *before = graph_find_output(g, OUTPUT_VALUE, "y"),
	           *after = graph_find_output(now, OUTPUT_VALUE, "y");
	int wrong = differ(interp(a, g, &in)[before->id], interp(a, now, &in)[after->id],
	                   type_elements(before->type), RTOL);
	if (ahead && !d.has_infinities)
		wrong += differ_in_gradients(&d, g, now, &in);
	if (wrong)
		printf("FAIL %s, drawn from %s: %d elements differ\n%s\n%s\n", d.rule->name, seed, wrong,
		       graph_text(a, g), graph_text(a, now));
	return wrong;
}

static bool prove(const RuleSet *set, int rule, int draws, const char *seed)
{
	int applied = 0;
	for (int i = 0; applied < draws && i < draws * TRIES; i++) {
		Arena *a = arena_new();
		const int wrong =
		        try_draw(a, set, rule, arena_printf(a, "%s.%s.%d", set->rules[rule].name, seed, i));
		arena_free(a);
		applied += wrong >= 0;
		if (wrong > 0)
			return false;
	}
	if (applied < draws)
		printf("FAIL %s: applied to %d of %d draws\n", set->rules[rule].name, applied, draws * TRIES);
	return applied >= draws;
}

int main(int argc, char **argv)
{
	const int draws = argc > 1 ? atoi(argv[1]) : 50;
	const char *seed = argc > 2 ? argv[2] : "1", *only = argc > 3 ? argv[3] : NULL;
	int passed = 0, failed = 0;
	for (const RuleSet *set = rule_sets; set->name; set++)
		for (int i = 0; i < set->count; i++)
			if (!only || !strcmp(only, set->rules[i].name))
				*(prove(set, i, draws, seed) ? &passed : &failed) += 1;
	if (only && passed + failed == 0) {
		fprintf(stderr, "`%s` is no rule: `rule NAME:` in compiler/rules/*.rules\n", only);
		return 2;
	}
	printf("rules: %d passed, %d failed, 0 skipped\n", passed, failed);
	return failed > 0;
}
