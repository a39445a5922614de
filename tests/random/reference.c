/* SPDX-License-Identifier: MIT */
#include "tests/random/reference.h"
#include "base/map.h"
#include "ir/loop.h"
#include "passes/pass.h"
#include "tests/interp/interp.h"
#include "tests/interp/optim.h"
#include "tests/random/generate.h"
#include <math.h>
#include <string.h>

typedef struct Held {
	const Node *leaf;
	int64_t count;
	double *values;
	double *state[REFERENCE_STATES]; /* of the optimizer, for parameters */
	double *average; /* of a trained parameter, which evaluation reads; NULL: the recipe keeps none */
} Held;

struct Reference {
	Arena *arena;
	const Elaborated *source;
	uint64_t seed;
	const Graph *training, *evaluation; /* the former with gradients */
	Map *held;
	const Graph *ran;
	double **values;       /* of the last run, by node */
	const Graph *expanded; /* of reference_run_rounded: what it ran */
	double **rounded;      /* of its nodes */
	double samples;        /* of an evaluation's batch that are real */
	Arena *run;            /* holds them: every value of the network, so only the last run's are kept */
};

static void hold(Reference *r, const Graph *g)
{
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		if (!node_is_leaf(n) || node_is_constant(n) || node_is_scalar(n))
			continue;
		const char *name = node_text(n, "name");
		if (map_get(r->held, name))
			continue;
		Held *h = NEW(r->arena, Held);
		*h = (Held){.leaf = n, .count = type_elements(n->type)};
		h->values = NEW_ARRAY(r->arena, double, h->count);
		for (int k = 0; k < REFERENCE_STATES; k++)
			h->state[k] = NEW_ARRAY(r->arena, double, h->count);
		if (node_is_param(n) && !node_is_frozen(n) && r->source->recipe->ema > 0)
			h->average = NEW_ARRAY(r->arena, double, h->count);
		map_set(r->held, name, h);
	}
}

Reference *reference_new(Arena *a, const Elaborated *e, uint64_t seed)
{
	Reference *r = NEW(a, Reference);
	PassContext ctx = {.arena = a, .recipe = e->recipe, .target = &target_cpu, .keep_gradients = true};
	*r = (Reference){.arena = a, .source = e, .seed = seed, .held = map_new(a)};
	r->training = pass_differentiate(&ctx, graph_unrolled(a, e->training));
	r->evaluation = pass_predict(&ctx, graph_unrolled(a, e->evaluation));
	hold(r, r->training);
	hold(r, r->evaluation);
	Dice dice = {seed ^ 0x51ed270b};
	for (int i = 0; i < map_count(r->held); i++) {
		Held *h = map_value(r->held, i);
		bool scale = h->leaf->type.rank == 1 && node_is_param(h->leaf);
		for (int64_t k = 0; k < h->count; k++) {
			if (node_is_state(h->leaf))
				h->values[k] = node_real(h->leaf, "value");
			else if (node_is_param(h->leaf))
				h->values[k] = (scale && k % 2 ? 0.8 : 0) + 0.5 * roll_real(&dice);
			if (h->average)
				h->average[k] = h->values[k];
		}
	}
	return r;
}

void reference_free(Reference *r)
{
	arena_free(r->run);
}

/* The number of classes of a target: what it is compared with says it; labels below every dimension of the graph's
 * logits are drawn from the input record instead, so the leaf carries it. */
static double draw(Dice *dice, const Node *leaf)
{
	if (leaf->type.dtype == DTYPE_U8)
		return roll(dice, 256);
	if (leaf->type.dtype == DTYPE_I32)
		return roll(dice,
		            int_or(leaf, "classes", 0) > 0 ? (int)int_or(leaf, "classes", 0) : RANDOM_WORDS);
	return roll_real(dice);
}

void reference_draw_inputs(Reference *r, int step)
{
	Dice dice = {r->seed * 31 + (uint64_t)step};
	for (int i = 0; i < map_count(r->held); i++) {
		Held *h = map_value(r->held, i);
		for (int64_t k = 0; node_is_input(h->leaf) && k < h->count; k++)
			h->values[k] = draw(&dice, h->leaf);
	}
}

double *reference_average(Reference *r, const char *name)
{
	Held *h = map_get(r->held, name);
	return h ? h->average : NULL;
}

double *reference_values(Reference *r, const char *name)
{
	Held *h = map_get(r->held, name);
	return h ? h->values : NULL;
}

static const double *leaf_values(void *ctx, const Node *leaf)
{
	Reference *r = ctx;
	if (node_is_scalar(leaf)) /* the one of an evaluation */
		return &r->samples;
	Held *h = map_get(r->held, node_text(leaf, "name"));
	return h->average && r->ran == r->evaluation ? h->average : h->values;
}

double reference_samples(Reference *r)
{
	const int64_t batch = r->evaluation->batch;
	return r->samples = (double)(1 + (int64_t)(r->seed % (uint64_t)batch));
}

void reference_run(Reference *r, bool training, int step)
{
	InterpInputs in = {.leaf = leaf_values, .ctx = r, .seed = r->seed, .step = step};
	r->ran = training ? r->training : r->evaluation;
	arena_free(r->run);
	r->run = arena_new();
	r->values = interp(r->run, r->ran, &in);
}

void reference_run_rounded(Reference *r, int step, int bits, int draw)
{
	PassContext ctx = {.arena = r->run, .recipe = r->source->recipe, .target = &target_cpu};
	InterpInputs in = {
	        .leaf = leaf_values, .ctx = r, .seed = r->seed, .step = step, .bits = bits, .draw = draw};
	r->expanded = pass_expand(&ctx, r->ran);
	r->rounded = interp(r->run, r->expanded, &in);
}

static const OutputKind output_kinds[] = {OUTPUT_LOSS, OUTPUT_METRIC, OUTPUT_COUNT, OUTPUT_GRADIENT,
                                          OUTPUT_VALUE};

const double *reference_output(const Reference *r, NnrOutputKind kind, const char *name, int64_t count)
{
	const Node *n = graph_find_output(r->ran, output_kinds[kind], name);
	return n && type_elements(n->type) == count ? r->values[n->id] : NULL;
}

const double *reference_rounded(const Reference *r, NnrOutputKind kind, const char *name)
{
	return r->rounded[graph_find_output(r->expanded, output_kinds[kind], name)->id];
}

double reference_largest_term(const Reference *r, NnrOutputKind kind, const char *name)
{
	const Node *n = graph_find_output(r->ran, output_kinds[kind], name);
	double largest = 0;
	while (n && (node_is(n, "reshape") || node_is(n, "sum")))
		n = n->operands[0];
	for (int64_t k = 0; n && k < type_elements(n->type); k++)
		largest = fmax(largest, fabs(r->values[n->id][k]));
	return largest;
}

static double *gradient(const Reference *r, const char *name)
{
	const Node *n = graph_find_output(r->training, OUTPUT_GRADIENT, name);
	return n ? r->values[n->id] : NULL;
}

void reference_take_gradient(Reference *r, const char *name, const double *values)
{
	const Node *n = graph_find_output(r->training, OUTPUT_GRADIENT, name);
	if (n)
		r->values[n->id] =
		        arena_copy(r->run, values, (size_t)type_elements(n->type) * sizeof *values);
}

void reference_step(Reference *r, double rate, int step)
{
	Tuned *tuned = NEW_ARRAY(r->arena, Tuned, map_count(r->held));
	int count = 0;
	for (int i = 0; i < map_count(r->held); i++) {
		Held *h = map_value(r->held, i);
		if (!node_is_param(h->leaf) || node_is_frozen(h->leaf))
			continue;
		double *g = gradient(r, map_key(r->held, i));
		Tuned *t = &tuned[count++];
		*t = (Tuned){.count = h->count, .p = h->values, .g = NEW_ARRAY(r->arena, double, h->count)};
		t->rows = h->leaf->type.rank > 0 ? h->leaf->type.dim[0] : 1;
		t->is_weight = int_or(h->leaf, "decay", 1);
		int group = int_or(h->leaf, "group", 0);
		t->group = group > 0 ? &r->source->recipe->groups.at[group - 1] : NULL;
		if (g)
			memcpy(t->g, g, (size_t)h->count * sizeof *g);
		memcpy(t->state, h->state, sizeof t->state);
		t->decays = !r->source->recipe->decay_exempt || int_or(h->leaf, "decay", 1);
	}
	reference_clip(tuned, count, r->source->recipe->clip_norm);
	for (int i = 0; i < count; i++)
		if (!reference_update(r->source->recipe, &tuned[i], rate, step))
			fail(EXIT_SOURCE, "the reference has no optimizer %s",
			     r->source->recipe->optimizer.name);
	const double stays = fmin(r->source->recipe->ema, (1.0 + step) / (10.0 + step));
	for (int i = 0; i < map_count(r->held); i++) {
		Held *h = map_value(r->held, i);
		for (int64_t k = 0; h->average && k < h->count; k++)
			h->average[k] = stays * h->average[k] + (1 - stays) * h->values[k];
	}
	for (int i = 0; i < r->training->output_count; i++) {
		const Output *o = &r->training->outputs[i];
		double *to = o->kind == OUTPUT_STATE ? reference_values(r, o->name) : NULL;
		if (to)
			memcpy(to, r->values[o->node->id], (size_t)type_elements(o->node->type) * sizeof *to);
	}
}

/* Whether the graph and its loops' periods one after the other have the same outputs, to the bit. */
static bool loops_agree(Reference *r, const Graph *g, int step)
{
	InterpInputs in = {.leaf = leaf_values, .ctx = r, .seed = r->seed, .step = step};
	Arena *a = arena_new();
	const Graph *apart = graph_unrolled(a, g);
	double **x = apart == g ? NULL : interp(a, g, &in), **y = x ? interp(a, apart, &in) : NULL;
	bool agree = true;
	for (int i = 0; x && i < g->output_count; i++) {
		const Node *n = g->outputs[i].node, *same = apart->outputs[i].node;
		agree = agree && type_equal(n->type, same->type) &&
		        memcmp(x[n->id], y[same->id], (size_t)type_elements(n->type) * sizeof **x) == 0;
	}
	arena_free(a);
	return agree;
}

static bool has_loops(const Graph *g)
{
	for (int i = 0; i < g->count; i++)
		if (node_is_loop(g->nodes[i]))
			return true;
	return false;
}

/* Whether the gradient of loops is that of their periods, but for the order in which it is summed up. */
static bool gradients_agree(Reference *r, int step)
{
	InterpInputs in = {.leaf = leaf_values, .ctx = r, .seed = r->seed, .step = step};
	Arena *a = arena_new();
	PassContext ctx = {
	        .arena = a, .recipe = r->source->recipe, .target = &target_cpu, .keep_gradients = true};
	const Graph *g = pass_differentiate(&ctx, r->source->training);
	const char *why = graph_verify(a, g);
	if (why)
		bug("the gradient is no graph: %s", why);
	double **x = interp(a, g, &in), **y = interp(a, r->training, &in);
	bool agree = true;
	for (int i = 0; i < r->training->output_count; i++) {
		const Output *o = &r->training->outputs[i];
		if (o->kind != OUTPUT_GRADIENT)
			continue;
		const double *here = x[graph_find_output(g, o->kind, o->name)->id], *there = y[o->node->id];
		double largest = 0, difference = 0;
		for (int64_t k = 0; k < type_elements(o->node->type); k++) {
			largest = fmax(largest, fabs(there[k]));
			difference = fmax(difference, fabs(here[k] - there[k]));
		}
		agree = agree && difference <= 1e-9 * largest + 1e-14;
	}
	arena_free(a);
	return agree;
}

bool reference_loops_agree(Reference *r, int step)
{
	r->ran = r->training; /* whose parameters are read */
	return loops_agree(r, r->source->training, step) && loops_agree(r, r->source->evaluation, step) &&
	       (!has_loops(r->source->training) || gradients_agree(r, step));
}

static double loss_at(Reference *r, double **direction, double by, int step)
{
	for (int i = 0; i < map_count(r->held); i++) {
		Held *h = map_value(r->held, i);
		for (int64_t k = 0; direction[i] && k < h->count; k++)
			h->values[k] += by * direction[i][k];
	}
	reference_run(r, true, step);
	double loss = *reference_output(r, NNR_LOSS, NULL, 1);
	for (int i = 0; i < map_count(r->held); i++) {
		Held *h = map_value(r->held, i);
		for (int64_t k = 0; direction[i] && k < h->count; k++)
			h->values[k] -= by * direction[i][k];
	}
	return loss;
}

bool reference_direction_agrees(Reference *r, int step)
{
	double **direction = NEW_ARRAY(r->arena, double *, map_count(r->held)), slope = 0, size = 0;
	Dice dice = {r->seed + 77};
	reference_run(r, true, step);
	for (int i = 0; i < map_count(r->held); i++) {
		Held *h = map_value(r->held, i);
		double *g = node_is_param(h->leaf) ? gradient(r, map_key(r->held, i)) : NULL;
		if (!node_is_param(h->leaf) || node_is_frozen(h->leaf))
			continue;
		direction[i] = NEW_ARRAY(r->arena, double, h->count);
		for (int64_t k = 0; k < h->count; k++) {
			direction[i][k] = roll_real(&dice);
			slope += g ? g[k] * direction[i][k] : 0;
			size += g ? fabs(g[k] * direction[i][k]) : 0;
		}
	}
	/* A kink (relu, maxpool, l1) inside the interval spoils one difference; smaller intervals miss it. */
	for (double by = 1e-5; by >= 1e-8; by /= 10) {
		double difference =
		        (loss_at(r, direction, by, step) - loss_at(r, direction, -by, step)) / (2 * by);
		if (fabs(difference - slope) <= 1e-6 + 1e-4 * size)
			return true;
	}
	return false;
}
