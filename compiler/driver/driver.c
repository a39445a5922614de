/* SPDX-License-Identifier: MIT */
/* The pipeline.
 *
 *   source -> elaborate -> two graphs, training and evaluation
 *   each graph -> the passes for all of it, then those of a strategy (passes/passes.def): of the graph, and of the
 *                 program that `lower` makes of it
 *
 * A training step is computed a sample at a time where that fits on chip, else an operator at a time. So is the
 * evaluation, whose graph is first parted by its outputs: the scores, what is predicted, and what hoist has taken out
 * to be prepared.
 *
 * At every joint the IR is verified, and can be printed and timed. */
#include "driver/driver.h"

#include "ir/loop.h"
#include "ir/op.h"
#include "passes/loss_scale.h"
#include "emit/meaning.h"
#include "emit/story.h"
#include "onchip/onchip.h"
#include "rules/rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the instruments: verify, dump, watch */

/* `why`: what graph_verify or program_verify found after a pass; NULL: nothing. */
static void require_valid(const char *why, const Graph *g, const char *form, const char *after)
{
	if (why)
		bug("the %s %s is not valid after `%s`: %s", g->training ? "training" : "evaluation", form,
		    after, why);
}

static void verify_graph(const Graph *g, const char *after)
{
	Arena *scratch = arena_new();
	require_valid(graph_verify(scratch, g), g, "graph", after);
	arena_free(scratch);
}

static void verify_program(const Program *p, const char *after)
{
	Arena *scratch = arena_new();
	require_valid(program_verify(scratch, p), p->graph, "program", after);
	arena_free(scratch);
}

/* `--dump=all` prints after each pass that changed something, `--dump=PASS` after that one. */
static bool dumps_after(const DriverOptions *o, const char *after)
{
	return o->dump_pass && (strcmp(o->dump_pass, "all") == 0 || strcmp(o->dump_pass, after) == 0);
}

/* `before`: the text before the pass, NULL: there was none. `what` says of which graph, `by` by which rules; NULL: by
 * none. */
static void dump_text(const char *before, const char *text, const char *what, const char *after,
                      const char *by, const DriverOptions *o)
{
	if (strcmp(o->dump_pass, "all") != 0 || !before || strcmp(text, before) != 0)
		fprintf(o->dump_to, "# %s, after %s%s%s\n%s\n", what, after, by ? ": " : "", by ? by : "",
		        text);
}

static void show_graph(const Graph *before, const Graph *g, PassStage stage, const char *what,
                       const char *after, const Rules *rules, const DriverOptions *o)
{
	if (o->watch)
		o->watch->graph(o->watch->data, g, stage, what, after, rules);
	if (!dumps_after(o, after))
		return;
	Arena *scratch = arena_new();
	dump_text(before ? graph_text(scratch, before) : NULL, graph_text(scratch, g), what, after,
	          rules ? rules_applied(scratch, rules) : NULL, o);
	arena_free(scratch);
}

static void show_program(const Program *before, const Program *p, PassStage stage, const char *what,
                         const char *after, const DriverOptions *o)
{
	if (o->watch)
		o->watch->program(o->watch->data, p, stage, what, after);
	if (!dumps_after(o, after))
		return;
	Arena *scratch = arena_new();
	dump_text(before ? program_text(scratch, before) : NULL, program_text(scratch, p), what, after, NULL,
	          o);
	arena_free(scratch);
}

/* ---- the pipeline */

static bool pass_runs(const Pass *pass, const Graph *g, const PassContext *ctx)
{
	if ((pass->flags & TRAINING) && (!g->training || ctx->forward_only))
		return false;
	if (!pass_is_for(pass, ctx->target))
		return false;
	return !(pass->flags & OPTIONAL) || !pass_is_disabled(ctx, pass->name);
}

/* Each pass leaves its graph behind, and all of a deep network together are more than there is room for: what passes
 * left is freed whenever it has grown to this, and what the last ones of a stage left stays only if it is little. */
enum { MOST_LEFT_BEHIND = 64 << 20, MOST_KEPT = 8 << 20 };

static const Graph *free_what_was_passed(const Graph *g, PassContext *ctx, size_t most)
{
	double start = times_now();
	if (arena_bytes(ctx->arena) < most)
		return g;
	Arena *fresh = arena_new();
	g = graph_move(fresh, g);
	arena_free(ctx->arena);
	ctx->arena = fresh;
	times_lap(ctx->times, "(freed)", start);
	return g;
}

/* Of PER_SAMPLE the result is the form in the context; without one the graph is none to go on with. */
static const Graph *run_stage(const Graph *g, PassStage stage, const char *what, PassContext *ctx,
                              const DriverOptions *o)
{
	const char *last = NULL;
	ctx->stage = stage;
	ctx->kept = ctx->arena;
	ctx->arena = arena_new();
	for (int i = 0; i < pass_count; i++) {
		if (!passes[i].run || !(passes[i].stages & stage) || !pass_runs(&passes[i], g, ctx))
			continue;
		double start = times_now();
		const Graph *before = g;
		ctx->rules = NULL;
		g = pass_apply(&passes[i], ctx, g);
		last = passes[i].name;
		start = times_lap(ctx->times, last, start);
		if (g != before && o->verify)
			verify_graph(g, last);
		times_lap(ctx->times, "verify", start);
		show_graph(before, g, stage, what, last, ctx->rules, o);
		if (stage != PER_SAMPLE) /* whose form points at its graph */
			g = free_what_was_passed(g, ctx, MOST_LEFT_BEHIND);
	}
	if (last && !o->verify)
		verify_graph(g, last);
	if (stage != PER_SAMPLE)
		g = free_what_was_passed(g, ctx, MOST_KEPT);
	if (stage == PER_SAMPLE && !ctx->onchip) {
		arena_free(ctx->arena);
		g = NULL;
	} else {
		arena_adopt(ctx->kept, ctx->arena);
	}
	ctx->arena = ctx->kept;
	ctx->kept = NULL;
	return g;
}

/* What all strategies begin with. */
static const Graph *begin_passes(const Graph *g, PassContext *ctx, const DriverOptions *o)
{
	const char *what = g->training ? "training" : "evaluation";
	show_graph(NULL, g, WHOLE, what, "elaborate", NULL, o);
	if (o->verify)
		verify_graph(g, "elaborate");
	return run_stage(g, WHOLE, what, ctx, o);
}

/* `lower` and the passes of programs; of the stage SAMPLE there is a program to begin with. */
static Program *run_program_stage(const Graph *g, Program *p, PassStage stage, const char *what,
                                  PassContext *ctx, const DriverOptions *o)
{
	const char *last = NULL;
	ctx->stage = stage;
	for (int i = 0; i < pass_count; i++) {
		const Pass *pass = &passes[i];
		if (pass->run || !(pass->stages & stage) || !pass_runs(pass, g, ctx))
			continue;
		double start = times_now();
		const Program *before = p;
		p = pass->lower ? pass->lower(ctx, g) : pass->run_program(ctx, p);
		last = pass->name;
		start = times_lap(ctx->times, last, start);
		if (o->verify)
			verify_program(p, last);
		times_lap(ctx->times, "verify", start);
		show_program(before, p, stage, what, last, o);
	}
	double start = times_now();
	if (!o->verify)
		verify_program(p, last);
	times_lap(ctx->times, "verify", start);
	return p;
}

/* ---- the strategies */

/* A way to compile a whole training step, by passes of its own (passes.def). What computes a region is chosen within
 * one, by implementations; a strategy is asked ahead of all of them, of the graph. */
typedef struct Strategy {
	/* Whether it may take a training graph that no strategy has touched; it remarks why not. */
	bool (*fits)(PassContext *ctx, const Graph *g);
	/* NULL, after a remark: it does not fit after all, which shows when nodes are in groups. */
	Program *(*compile)(const Graph *g, PassContext *ctx, const DriverOptions *o);
} Strategy;

static Program *compile_batch(const Graph *g, const char *what, const Program *like, PassContext *ctx,
                              const DriverOptions *o)
{
	g = run_stage(g, BATCH, what, ctx, o);
	ctx->like = like;
	return run_program_stage(g, NULL, BATCH, what, ctx, o);
}

Program *compile_graph(const Graph *g, const Program *like, PassContext *ctx, const DriverOptions *o)
{
	const char *what = g->training ? "training" : "evaluation";
	return compile_batch(begin_passes(g, ctx, o), what, like, ctx, o);
}

static bool per_sample_fits(PassContext *ctx, const Graph *g)
{
	return !ctx->memory && pass_runs(pass_find("onchip"), g, ctx) && !onchip_refuses(ctx, g);
}

static Program *compile_per_sample(const Graph *g, PassContext *ctx, const DriverOptions *o)
{
	ctx->fuse_is_silent = true; /* its kernels become two */
	g = run_stage(g, PER_SAMPLE, "training", ctx, o);
	ctx->fuse_is_silent = false;
	if (ctx->onchip)
		run_program_stage(ctx->onchip->sample->graph, ctx->onchip->sample, SAMPLE,
		                  "a sample of training", ctx, o);
	ctx->like = NULL;
	return ctx->onchip ? run_program_stage(g, NULL, PER_SAMPLE, "training", ctx, o) : NULL;
}

static bool batch_fits(PassContext *ctx, const Graph *g)
{
	return true;
}

static Program *compile_whole_batch(const Graph *g, PassContext *ctx, const DriverOptions *o)
{
	return compile_batch(g, "training", NULL, ctx, o);
}

/* The first that takes the graph. A sample that fits on chip leaves no activation in memory, and two launches of a
 * step: no estimate decides between them. */
static const Strategy strategies[] = {
        {per_sample_fits, compile_per_sample}, /* a sample at a time, on chip */
        {batch_fits, compile_whole_batch},     /* an operator at a time */
};

static Program *compile_training(const Graph *g, PassContext *ctx, const DriverOptions *o)
{
	g = begin_passes(g, ctx, o);
	for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
		Program *p = strategies[i].fits(ctx, g) ? strategies[i].compile(g, ctx, o) : NULL;
		if (p)
			return p;
	}
	bug("no strategy takes the training step");
}

enum { VALUES = 1u << OUTPUT_VALUE, PREPARED = 1u << OUTPUT_STATE };

/* By node id: an output of these kinds (a set of 1 << OutputKind) depends on it. */
static bool *reached_by(Arena *a, const Graph *g, unsigned kinds)
{
	bool *reached = NEW_ARRAY(a, bool, g->count);
	for (int i = 0; i < g->output_count; i++)
		if (kinds & 1u << g->outputs[i].kind)
			reached[g->outputs[i].node->id] = true;
	for (int i = g->count - 1; i >= 0; i--)
		for (int k = 0; k < g->nodes[i]->operand_count && reached[i]; k++)
			reached[g->nodes[i]->operands[k]->id] = true;
	return reached;
}

/* By output: the evaluation's program computes it. Loss and metrics; of the values what scores the classes, which are
 * counted, and what loss and metrics are made of anyway, so that evaluation and prediction begin alike. Other values,
 * as what is drawn from a model step by step, may cost many times what the loss does, and are read from prediction. */
static bool *evaluated_outputs(Arena *a, const Graph *g, const char *scored)
{
	const bool *reached = reached_by(a, g, OUTPUTS_SCORES);
	bool *evaluated = NEW_ARRAY(a, bool, g->output_count);
	for (int i = 0; i < g->output_count; i++) {
		const Output *o = &g->outputs[i];
		bool scores = scored && strcmp(o->name, scored) == 0;
		evaluated[i] = (OUTPUTS_SCORES & 1u << o->kind) ||
		               (o->kind == OUTPUT_VALUE && (scores || reached[node_unaliased(o->node)->id]));
	}
	return evaluated;
}

static bool *outputs_of_kinds(Arena *a, const Graph *g, unsigned kinds)
{
	bool *chosen = NEW_ARRAY(a, bool, g->output_count);
	for (int i = 0; i < g->output_count; i++)
		chosen[i] = kinds & 1u << g->outputs[i].kind;
	return chosen;
}

/* The program of the chosen outputs, or NULL where there are none. */
static Program *compile_part(Arena *a, const Graph *g, const char *what, const bool *chosen,
                             const Program *like, PassContext *ctx, const DriverOptions *o)
{
	Graph *part = graph_like(a, g);
	part->nodes = g->nodes;
	part->count = part->room = g->count;
	for (int i = 0; i < g->output_count; i++)
		if (chosen[i])
			graph_output(part, g->outputs[i].kind, g->outputs[i].name, g->outputs[i].node);
	if (part->output_count == 0)
		return NULL;
	return compile_batch(graph_rewrite(ctx->arena, part, NULL, NULL), what, like, ctx, o);
}

static void compile_evaluation(Compiled *c, Arena *a, PassContext *ctx, const DriverOptions *o)
{
	const char *scored = meaning_scored(a, c->one_period).output;
	const Graph *g = begin_passes(c->source->evaluation, ctx, o);
	ctx->fuse_is_silent = !c->train->onchip; /* it has said the same of the training graph */
	c->evaluate = compile_part(a, g, "evaluation", evaluated_outputs(a, g, scored), c->train, ctx, o);
	ctx->part = true;
	c->predict = compile_part(a, g, "prediction", outputs_of_kinds(a, g, VALUES), c->evaluate, ctx, o);
	c->prepare = compile_part(a, g, "preparation of weights", outputs_of_kinds(a, g, PREPARED),
	                          c->evaluate, ctx, o);
	if (!c->predict) /* there is nothing but the loss */
		c->predict = c->evaluate;
}

/* What the target can't do is done in the next wider way, and said. */
static void warn_of_precision(Diagnostics *d, const Recipe *recipe, const Target *target)
{
	const char *asked = recipe ? recipe->precision : NULL;
	if (!target->halves && dtype_is_half(dtype_of_precision(asked)))
		diag_warning(d, recipe->loc, "precision-widened", "the target `%s` computes %s as fp32",
		             target->name, asked);
}

static Loc place_of_node(const Node *n, Loc otherwise)
{
	return n->sites.count ? n->sites.at[0]->loc : otherwise;
}

/* What is written in a network is a double; it is computed with in fp32. */
static void warn_of_numbers(Diagnostics *d, const Graph *training, const Recipe *recipe)
{
	if (recipe && recipe->precision && strcmp(recipe->precision, "fp64") == 0)
		return;
	for (int i = 0; i < training->count; i++) {
		const Node *n = training->nodes[i];
		for (int k = 0; k < n->attr_count; k++) {
			double value = n->attrs[k].f;
			if (n->attrs[k].kind != ATTR_REAL || !isfinite(value) || value == 0)
				continue;
			bool large = isinf((float)value), small = (float)value == 0;
			if (large || small)
				diag_warning(d, place_of_node(n, recipe ? recipe->loc : loc_none()),
				             "fp-range", "%g is too %s for fp32, and becomes %s", value,
				             large ? "large" : "small", large ? "infinity" : "0");
		}
	}
}

/* The variance of one value is 0, whatever the value: such a layer learns nothing and passes nothing on. */
static void check_statistics(Diagnostics *d, const Graph *training, const Recipe *recipe)
{
	for (int i = 0; i < training->count; i++) {
		const Node *n = training->nodes[i];
		const Node *x = node_couples(n) ? n->operands[0] : NULL;
		if (!x || type_elements(x->type) > x->type.dim[x->type.rank - 1])
			continue;
		Loc loc = place_of_node(n, recipe ? recipe->loc : loc_none());
		if (n->type.rank == 1)
			diag_error(d, loc, "one-value",
			           "`%s` compares the samples of a batch, and the batch is 1", n->op->name);
		else
			diag_error(d, loc, "one-value",
			           "`%s` has one value a channel to take statistics of: the batch is 1%s",
			           n->op->name, x->type.rank > 2 ? ", and the image one pixel" : "");
		diag_help(d, "take a larger `batch`");
		return;
	}
}

/* A batch can be computed in chunks where no sample depends on another. */
static void check_chunk(Diagnostics *d, const Graph *training, const PassContext *ctx)
{
	const Recipe *recipe = ctx->recipe;
	if (!recipe || !recipe->chunk)
		return;
	const char *key = recipe->accumulates ? "accumulate" : "chunk";
	static const char remedy[] = "leave `%s` out of the recipe, or set `%s none`";
	if (ctx->keep_gradients || loss_is_scaled(ctx)) {
		diag_error(d, recipe->chunk_loc, "chunk", "`%s` does not go with %s", key,
		           ctx->keep_gradients ? "gradients as outputs: each would be that of one chunk"
		                               : "precision fp16, whose loss scale needs the whole gradient");
		diag_help(d, remedy, key, key);
	}
	for (int i = 0; i < training->count; i++) {
		const Node *n = training->nodes[i];
		if (!node_couples(n))
			continue;
		diag_error(d, place_of_node(n, recipe->chunk_loc), "chunk",
		           "`%s` reads the whole batch, which is computed in chunks of %lld: of parts it has "
		           "another "
		           "value",
		           n->op->name, (long long)recipe->chunk);
		diag_help(d, remedy, key, key);
		return;
	}
}

/* Parameters and states have none; nor have gradients by them, but those come later in a graph. */
static bool has_batch(const Graph *g, const Node *n)
{
	return (!node_is_leaf(n) || node_is_input(n)) && n->type.rank > 0 && n->type.dim[0] % g->batch == 0;
}

static void check_counts(Diagnostics *d, const Program *p, const PassContext *ctx)
{
	const int64_t most = ctx->target->most_elements;
	if (!p || most == 0 || diag_error_count(d) > 0)
		return;
	for (int i = 0; i < p->graph->count; i++) {
		const Node *n = p->graph->nodes[i];
		int64_t elements = type_elements(n->type);
		if (elements <= most)
			continue;
		Loc loc = place_of_node(n, ctx->recipe ? ctx->recipe->loc : loc_none());
		diag_error(d, loc, "tensor-count",
		           "a tensor of %lld elements is computed here; kernels on the GPU count to %lld",
		           (long long)elements, (long long)most);
		if (has_batch(p->graph, n))
			diag_help(d, "take a smaller `batch`, or compute it in chunks (`chunk N`)");
		return;
	}
}

/* The story of the programs, or with -Rfusion=all each pair of nodes; then what other passes say. */
static char *remarks_of(const Compiled *c, PassContext *ctx)
{
	char *remarks = remarks_text(ctx);
	if (!ctx->want_remarks || ctx->want_all)
		return remarks;
	const Program *p = c->train->onchip ? c->evaluate : c->train;
	const char *story =
	        fusion_story(ctx->arena, p, p == c->train ? "training" : "evaluation", ctx->unjoined);
	return arena_printf(ctx->arena, "%s%s", story, remarks ? remarks : "");
}

Compiled *compile(Arena *a, Diagnostics *d, const Source *source, const DriverOptions *o)
{
	return o->memory_bytes > 0 ? compile_in_memory(a, d, source, o) : compile_for(a, d, source, o, NULL);
}

Compiled *compile_for(Arena *a, Diagnostics *d, const Source *source, const DriverOptions *o,
                      MemoryGoal *goal)
{
	double start = times_now();
	const Pass *early = passes_find_disorder(passes, pass_count);
	if (early)
		bug("the pass `%s` stands ahead of one that it must run after: %s", early->name,
		    early->after);
	Times *times = o->time_report ? times_new(a) : NULL;
	Compiled *c = NEW(a, Compiled);
	c->file = source;
	c->source = elaborate(a, d, source, &o->elaborate);
	if (!c->source || diag_error_count(d) > 0)
		return NULL;
	times_lap(times, "elaborate", start);
	warn_of_precision(d, c->source->recipe, o->target);
	PassContext ctx = {
	        .arena = a,
	        .recipe = c->source->recipe,
	        .target = o->target,
	        .keep_gradients = o->keep_gradients,
	        .want_remarks = o->want_remarks,
	        .want_all = o->want_all,
	        .disabled = o->disabled_passes,
	        .disabled_count = o->disabled_count,
	        .memory = goal,
	        .times = times,
	};
	const Graph *training = graph_of_one_period(a, c->source->training);
	c->one_period = graph_of_one_period(a, c->source->evaluation);
	warn_of_numbers(d, training, c->source->recipe);
	check_statistics(d, training, c->source->recipe);
	check_chunk(d, training, &ctx);
	if (diag_error_count(d) > 0)
		return NULL;
	c->train = compile_training(c->source->training, &ctx, o);
	compile_evaluation(c, a, &ctx, o);
	c->remarks = remarks_of(c, &ctx);
	const Program *const programs[] = {c->train, c->evaluate, c->predict, c->prepare};
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		check_counts(d, programs[i], &ctx);
	if (diag_error_count(d) > 0)
		return NULL;
	c->times = times;
	return c;
}
