/* The pipeline.
 *
 *   source -> elaborate -> two graphs, training and evaluation
 *   each graph -> the passes of passes/passes.def -> lower -> assign_buffers -> program
 *
 * At every joint the IR is verified, and can be printed and timed. */
#include "driver.h"

#include "base/writer.h"

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

/* `--dump=all` prints after each pass that changed something, `--dump=PASS` after that one. */
static void dump_graph(const Graph *before, const Graph *g, const char *after, const DriverOptions *o)
{
	if (!o->dump_pass)
		return;
	bool all = strcmp(o->dump_pass, "all") == 0;
	if (!all && strcmp(o->dump_pass, after) != 0)
		return;
	Arena *scratch = arena_new();
	const char *text = graph_text(scratch, g);
	if (!all || !before || strcmp(text, graph_text(scratch, before)) != 0)
		fprintf(o->dump_to, "# after %s\n%s\n", after, text);
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

Graph *run_passes(Arena *a, const Graph *g, PassContext *ctx, const DriverOptions *o)
{
	dump_graph(NULL, g, "elaborate", o);
	if (o->verify)
		verify_graph(g, "elaborate");
	for (int i = 0; i < pass_count; i++) {
		if (!pass_runs(&passes[i], g, ctx, o))
			continue;
		double start = now_ms();
		const Graph *before = g;
		g = passes[i].run(ctx, g);
		start = lap(a, ctx->times, passes[i].name, start);
		if (g != before && (o->verify || i == pass_count - 1))
			verify_graph(g, passes[i].name);
		lap(a, ctx->times, "verify", start);
		dump_graph(before, g, passes[i].name, o);
	}
	return (Graph *)g;
}

static Program *compile_graph(Arena *a, const Graph *g, const Program *like, PassContext *ctx,
                              const DriverOptions *o)
{
	const Graph *scheduled = run_passes(a, g, ctx, o);
	double start = now_ms();
	Program *p = lower(a, scheduled, like, o->target);
	start = lap(a, ctx->times, "lower", start);
	assign_buffers(p);
	start = lap(a, ctx->times, "assign_buffers", start);
	const char *why = program_verify(a, p);
	if (why)
		bug("the %s program is not valid: %s", g->training ? "training" : "evaluation", why);
	lap(a, ctx->times, "verify", start);
	return p;
}

/* What the target can't do is done in the next wider way, and said. */
static void warn_of_precision(Diagnostics *d, const Recipe *recipe, const Target *target)
{
	const char *asked = recipe ? recipe->precision : NULL;
	if (asked && (strcmp(asked, "bf16") == 0 || strcmp(asked, "fp16") == 0))
		diag_warning(d, recipe->loc, "precision-widened", "the target `%s` computes %s as fp32",
		             target->name, asked);
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
	c->train = compile_graph(a, c->source->training, NULL, &ctx, o);
	c->remarks = ctx.remarks;
	ctx.want_remarks = false;
	c->evaluate = compile_graph(a, c->source->evaluation, c->train, &ctx, o);
	if (o->time_report)
		c->time_report = times_text(a, &times);
	return c;
}
