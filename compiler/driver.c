/* The pipeline.
 *
 *   source -> elaborate -> two graphs, training and evaluation
 *   each graph -> the passes of passes/passes.def -> lower -> assign_buffers -> program
 *
 * The passes from `select` on run on three parts of the evaluation graph, by its outputs: the scores, what is
 * predicted, and what hoist has taken out to be prepared.
 *
 * At every joint the IR is verified, and can be printed and timed. */
#include "driver.h"

#include "base/writer.h"
#include "passes/loss_scale.h"
#include "passes/onchip.h"
#include "codegen/split_update.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- the instruments: time (of the processor: the compiler is one thread), verify, dump */

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Adds the time since `start` to `phase` and returns the time now. */
static double lap(Arena *a, Times *times, const char *phase, double start)
{
	double now = now_ms();
	if (!times)
		return now;
	for (int i = 0; i < times->rows.count; i++) {
		if (strcmp(times->rows.at[i].phase, phase) == 0) {
			times->rows.at[i].ms += now - start;
			return now;
		}
	}
	array_push(a, &times->rows, (TimeRow){phase, now - start});
	return now;
}

static char *times_text(Arena *a, const Times *times)
{
	Writer *w = writer_new(a);
	double total = 0;
	for (int i = 0; i < times->rows.count; i++)
		total += times->rows.at[i].ms;
	for (int i = 0; i < times->rows.count; i++)
		write_line(w, "%-16s %8.2f ms %5.1f %%", times->rows.at[i].phase, times->rows.at[i].ms,
		           100 * times->rows.at[i].ms / total);
	write_line(w, "%-16s %8.2f ms", "total", total);
	return arena_strdup(a, writer_text(w, NULL));
}

static void verify_graph(const Graph *g, const char *after)
{
	Arena *scratch = arena_new();
	const char *why = graph_verify(scratch, g);
	if (why)
		bug("the %s graph is not valid after `%s`: %s", g->training ? "training" : "evaluation",
		    after, why);
	arena_free(scratch);
}

/* `--dump=all` prints after each pass that changed something, `--dump=PASS` after that one. `what` says of which
 * graph. */
static void dump_graph(const Graph *before, const Graph *g, const char *what, const char *after,
                       const DriverOptions *o)
{
	if (!o->dump_pass)
		return;
	bool all = strcmp(o->dump_pass, "all") == 0;
	if (!all && strcmp(o->dump_pass, after) != 0)
		return;
	Arena *scratch = arena_new();
	const char *text = graph_text(scratch, g);
	if (!all || !before || strcmp(text, graph_text(scratch, before)) != 0)
		fprintf(o->dump_to, "# %s, after %s\n%s\n", what, after, text);
	arena_free(scratch);
}

/* ---- the pipeline */

static bool pass_runs(const Pass *pass, const Graph *g, const PassContext *ctx, const DriverOptions *o)
{
	if (pass->training_only && (!g->training || ctx->forward_only))
		return false;
	for (int i = 0; i < o->disabled_count; i++) {
		if (pass->optional && strcmp(pass->name, o->disabled_passes[i]) == 0)
			return false;
	}
	return true;
}

/* The passes from number `first` to the one before `end`. */
static const Graph *run_some(const Graph *g, const char *what, PassContext *ctx, const DriverOptions *o,
                             int first, int end)
{
	for (int i = first; i < end; i++) {
		if (!pass_runs(&passes[i], g, ctx, o))
			continue;
		double start = now_ms();
		const Graph *before = g;
		g = pass_run(&passes[i], ctx, g);
		start = lap(ctx->arena, ctx->times, passes[i].name, start);
		if (g != before && (o->verify || i == pass_count - 1))
			verify_graph(g, passes[i].name);
		lap(ctx->arena, ctx->times, "verify", start);
		dump_graph(before, g, what, passes[i].name, o);
	}
	return g;
}

static const Graph *begin_passes(const Graph *g, PassContext *ctx, const DriverOptions *o, int end)
{
	const char *what = g->training ? "training" : "evaluation";
	dump_graph(NULL, g, what, "elaborate", o);
	if (o->verify)
		verify_graph(g, "elaborate");
	return run_some(g, what, ctx, o, 0, end);
}

Graph *run_passes(Arena *a, const Graph *g, PassContext *ctx, const DriverOptions *o)
{
	return (Graph *)begin_passes(g, ctx, o, pass_count);
}

static Program *make_program(Arena *a, const Graph *scheduled, const Program *like, PassContext *ctx,
                             const DriverOptions *o)
{
	double start = now_ms();
	Program *p = lower(a, scheduled, like, o->target, ctx->onchip != NULL);
	if (ctx->onchip)
		onchip_place_program(p, ctx->onchip);
	else if (scheduled->training && o->target->split_update > 0)
		split_update(p, o->target->split_update);
	start = lap(a, ctx->times, "lower", start);
	assign_buffers(p);
	start = lap(a, ctx->times, "assign_buffers", start);
	const char *why = program_verify(a, p);
	if (why)
		bug("the %s program is not valid: %s", scheduled->training ? "training" : "evaluation", why);
	lap(a, ctx->times, "verify", start);
	return p;
}

/* The program of the outputs of these kinds (a set of 1 << OutputKind), or NULL where the graph has none. */
static Program *compile_part(Arena *a, const Graph *g, const char *what, unsigned kinds, const Program *like,
                             PassContext *ctx, const DriverOptions *o)
{
	Graph *part = graph_like(a, g);
	part->nodes = g->nodes;
	part->count = part->room = g->count;
	for (int i = 0; i < g->output_count; i++)
		if (kinds & 1u << g->outputs[i].kind)
			graph_output(part, g->outputs[i].kind, g->outputs[i].name, g->outputs[i].node);
	if (part->output_count == 0)
		return NULL;
	int select = (int)(pass_find("select") - passes);
	return make_program(a, run_some(pass_dce(ctx, part), what, ctx, o, select, pass_count), like, ctx, o);
}

static void compile_evaluation(Compiled *c, Arena *a, PassContext *ctx, const DriverOptions *o)
{
	enum {
		SCORES = 1u << OUTPUT_LOSS | 1u << OUTPUT_METRIC,
		VALUES = 1u << OUTPUT_VALUE,
		PREPARED = 1u << OUTPUT_STATE
	};
	const Graph *g = begin_passes(c->source->evaluation, ctx, o, (int)(pass_find("select") - passes));
	ctx->fused_before = !c->train->onchip;
	c->evaluate = compile_part(a, g, "evaluation", SCORES | VALUES, c->train, ctx, o);
	ctx->part = true;
	c->predict = compile_part(a, g, "prediction", VALUES, c->evaluate, ctx, o);
	c->prepare = compile_part(a, g, "preparation of weights", PREPARED, c->evaluate, ctx, o);
	if (!c->predict) /* there is nothing but the loss */
		c->predict = c->evaluate;
}

/* What the target can't do is done in the next wider way, and said. */
static void warn_of_precision(Diagnostics *d, const Recipe *recipe, const Target *target)
{
	const char *asked = recipe ? recipe->precision : NULL;
	if (target->dialect == DIALECT_C && asked &&
	    (strcmp(asked, "bf16") == 0 || strcmp(asked, "fp16") == 0))
		diag_warning(d, recipe->loc, "precision-widened", "the target `%s` computes %s as fp32",
		             target->name, asked);
}

/* A batch can be computed in chunks where no sample depends on another. */
static void check_chunk(Diagnostics *d, const Graph *training, const PassContext *ctx)
{
	const Recipe *recipe = ctx->recipe;
	if (!recipe || !recipe->chunk)
		return;
	static const char remedy[] = "leave `chunk` out of the recipe, or set `chunk none`";
	if (ctx->keep_gradients || loss_is_scaled(ctx)) {
		diag_error(d, recipe->chunk_loc, "chunk", "`chunk` does not go with %s",
		           ctx->keep_gradients ? "gradients as outputs: each would be that of one chunk"
		                               : "precision fp16, whose loss scale needs the whole gradient");
		diag_help(d, remedy);
	}
	for (int i = 0; i < training->count; i++) {
		const Node *n = training->nodes[i];
		if (!node_is(n, "batchnorm"))
			continue;
		diag_error(d, n->sites.count ? n->sites.at[0]->loc : recipe->chunk_loc, "chunk",
		           "`batchnorm` takes statistics of the whole batch, which is computed in chunks of "
		           "%lld",
		           (long long)recipe->chunk);
		diag_help(d, remedy);
		return;
	}
}

/* CUDA kernels count elements in int, and the last turn of a loop over them, of all threads of the GPU at the most,
 * goes beyond the end. */
enum { MOST_ELEMENTS = INT32_MAX - (1 << 24) };

/* Parameters and states have none; nor have gradients by them, but those come later in a graph. */
static bool has_batch(const Graph *g, const Node *n)
{
	return (!node_is_leaf(n) || node_is(n, "input")) && n->type.rank > 0 &&
	       n->type.dim[0] % g->batch == 0;
}

static void check_counts(Diagnostics *d, const Program *p, const PassContext *ctx)
{
	if (!p || ctx->target->dialect != DIALECT_CUDA || diag_error_count(d) > 0)
		return;
	for (int i = 0; i < p->graph->count; i++) {
		const Node *n = p->graph->nodes[i];
		int64_t elements = type_elements(n->type);
		if (elements <= MOST_ELEMENTS)
			continue;
		Loc loc = n->sites.count ? n->sites.at[0]->loc : ctx->recipe ? ctx->recipe->loc : (Loc){0};
		diag_error(d, loc, "tensor-count",
		           "a tensor of %lld elements is computed here; kernels on the GPU count to %d",
		           (long long)elements, MOST_ELEMENTS);
		if (has_batch(p->graph, n))
			diag_help(d, "take a smaller `batch`, or compute it in chunks (`chunk N`)");
		return;
	}
}

/* What was fused of the graph of a whole batch is not what runs where the step went on chip behind it. */
static void drop_replaced_remarks(PassContext *ctx)
{
	if (ctx->onchip)
		remarks_drop(ctx, (int)(pass_find("select") - passes), (int)(pass_find("onchip") - passes));
}

Compiled *compile(Arena *a, Diagnostics *d, const Source *source, const DriverOptions *o)
{
	double start = now_ms();
	Times times = {0};
	Compiled *c = NEW(a, Compiled);
	c->source = elaborate(a, d, source, &o->elaborate);
	if (!c->source || diag_error_count(d) > 0)
		return NULL;
	lap(a, &times, "elaborate", start);
	warn_of_precision(d, c->source->recipe, o->target);
	PassContext ctx = {
	        .arena = a,
	        .recipe = c->source->recipe,
	        .target = o->target,
	        .keep_gradients = o->keep_gradients,
	        .want_remarks = o->want_remarks,
	        .times = &times,
	};
	check_chunk(d, c->source->training, &ctx);
	if (diag_error_count(d) > 0)
		return NULL;
	c->train = make_program(a, run_passes(a, c->source->training, &ctx, o), NULL, &ctx, o);
	drop_replaced_remarks(&ctx);
	ctx.onchip = NULL;
	compile_evaluation(c, a, &ctx, o);
	c->remarks = remarks_text(&ctx);
	const Program *const programs[] = {c->train, c->evaluate, c->predict, c->prepare};
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		check_counts(d, programs[i], &ctx);
	if (diag_error_count(d) > 0)
		return NULL;
	if (o->time_report)
		c->time_report = times_text(a, &times);
	return c;
}
