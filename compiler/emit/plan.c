/* SPDX-License-Identifier: MIT */
/* The memory plan as text: what --plan prints and plan.txt holds. */
#include "base/map.h"
#include "base/writer.h"
#include "emit/compiled.h"
#include "ir/onchip.h"
#include "emit/describe.h"
#include "codegen/library.h"
#include "emit/plan_ranks.h"
#include "program/price.h"
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 10 };

static int larger(const void *x, const void *y)
{
	const Buffer *a = *(Buffer *const *)x, *b = *(Buffer *const *)y;
	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	return a->id - b->id;
}

static double bytes_of_class(const Program *p, BufferClass class)
{
	double bytes = 0;
	for (int i = 0; i < p->buffer_count; i++)
		if (p->buffers[i]->class == class && !p->buffers[i]->inside)
			bytes += (double)p->buffers[i]->bytes;
	return bytes;
}

static void write_row(Arena *a, Writer *w, const char *what, double bytes)
{
	write_line(w, "  %-28s %12s", what, human_count(a, bytes, "B"));
}

/* The `.net` lines of what a buffer holds; what the step on chip hands on between its kernels is of no node of the
 * graph. */
static const char *lines_of(Arena *a, const Program *p, const Buffer *b)
{
	const OnChip *o = p->onchip;
	if (o && b->id == o->partial)
		return "what each block has added up of the sums over the batch";
	if (o && b->id == o->scalars)
		return "numbers of the update";
	const Node *n = b->node;
	const char *what = "";
	for (int i = 0; o && i < o->export_count && !n; i++) {
		if (o->exports[i].to != b->id)
			continue;
		n = o->sample->graph->outputs[o->exports[i].output].node;
		what = ", operand of a product over the batch";
	}
	return n ? arena_printf(a, "%s%s", comment_text(a, sites_text(a, n->sites, 3)), what) : "";
}

static bool is_in_memory(const Buffer *b)
{
	return !b->inside && b->class != BUFFER_CHIP && b->class != BUFFER_HELD;
}

/* What the runtime allows the library calls at most (runtime/cuda/plan.c); how much of it the plans need is known on
 * the user's GPU alone. The branch has its own. */
static void write_library_workspace(Writer *w, const Program *p, const Target *target)
{
	bool branch = false;
	for (int s = 0; s < p->step_count; s++)
		branch = branch || p->steps[s].branch;
	if (target->library_mib > 0 && !p->onchip && program_uses_library(p))
		write_line(w, "  %-28s %12s  (NNR_WORKSPACE_MIB; less where the GPU has not enough left)",
		           "libraries, beside, at most",
		           arena_printf(p->arena, "%s%d MiB", branch ? "2 x " : "", target->library_mib));
}

static void write_program_plan(Arena *a, Writer *w, const Program *p, const Target *target, const char *title)
{
	const OnChip *o = p->onchip;
	if (o)
		write_line(
		        w, "%s, on chip: 2 kernels; %lld blocks of %d threads, each with %s of shared memory",
		        title, (long long)o->blocks, o->threads, human_count(a, (double)o->chip_bytes, "B"));
	else
		write_line(w, "%s, %d steps", title, p->step_count);
	write_row(a, w, "parameters", (double)p->param_bytes);
	write_row(a, w, "gradients", bytes_of_class(p, BUFFER_GRADIENT));
	write_row(a, w, "states", (double)p->state_bytes);
	write_row(a, w, "inputs", (double)p->input_bytes);
	write_row(a, w, "activations, no sharing",
	          bytes_of_class(p, BUFFER_ACTIVATION) + bytes_of_class(p, BUFFER_OUTPUT));
	write_row(a, w, "workspace, no sharing", bytes_of_class(p, BUFFER_WORKSPACE));
	write_row(a, w, "arena, as planned", (double)p->arena_bytes);
	write_row(a, w, "arena, lower bound", (double)p->lower_bound);
	write_row(a, w, "total",
	          (double)p->param_bytes + (double)p->state_bytes + (double)p->input_bytes +
	                  (double)p->arena_bytes);
	write_library_workspace(w, p, target);
	if (p->step_count > 0 && !o) {
		const Step *s = &p->steps[p->peak_step];
		write_line(w, "  peak at step %d, %s: %s", p->peak_step + 1,
		           comment_text(a, sites_text(a, s->sites, 3)), step_formula(a, p, s, NULL, 64));
	}
	Buffer **order = NEW_ARRAY(a, Buffer *, p->buffer_count);
	int count = 0;
	for (int i = 0; i < p->buffer_count; i++)
		if (is_in_memory(p->buffers[i]))
			order[count++] = p->buffers[i];
	qsort(order, (size_t)count, sizeof *order, larger);
	write_line(w, "  largest tensors");
	for (int i = 0; i < count && i < LARGEST; i++)
		write_line(w, "    %-28s %-20s %10s  %s", order[i]->name, shape_text(a, order[i]->type),
		           human_count(a, (double)order[i]->bytes, "B"), lines_of(a, p, order[i]));
}

/* Steps of the same lines. */
typedef struct LinePrice {
	const char *lines;
	double us;
	int steps;
} LinePrice;

static int dearer(const void *x, const void *y)
{
	const LinePrice *a = x, *b = y;
	if (a->us != b->us)
		return a->us > b->us ? -1 : 1;
	return strcmp(a->lines, b->lines);
}

/* What a step of training takes, by the device's record, and of which lines. */
static void write_forecast(Arena *a, Writer *w, const Program *p, const Device *d)
{
	enum { DEAREST = 20 };
	const Forecast f = program_forecast(p, d);
	LinePrice *all = NEW_ARRAY(a, LinePrice, p->step_count);
	Map *by_lines = map_new(a);
	int count = 0;
	for (int i = 0; i < p->step_count; i++) {
		const char *lines = comment_text(a, sites_text(a, p->steps[i].sites, 3));
		LinePrice *of = map_get(by_lines, lines);
		if (!of) {
			of = &all[count++];
			of->lines = lines;
			map_set(by_lines, lines, of);
		}
		of->us += step_us(&p->steps[i], d);
		of->steps++;
	}
	qsort(all, (size_t)count, sizeof *all, dearer);
	write_line(
	        w,
	        "predicted, on one %s: %.0f us a step; bound by memory %.0f, by arithmetic %.0f, by latency "
	        "%.0f; of the side stream %.0f. Lines, and in how many steps:",
	        d->name, f.us, f.by[BY_MEMORY], f.by[BY_ARITHMETIC], f.by[BY_LATENCY], f.beside);
	for (int i = 0; i < count && i < DEAREST; i++)
		write_line(w, "  %10.1f us %5.1f %%  in %d: %s", all[i].us, 100 * all[i].us / f.us,
		           all[i].steps, all[i].lines);
	if (count > DEAREST)
		write_line(w, "  and %d lines more", count - DEAREST);
	write_line(w, "%s", "");
}

char *plan_text(Arena *a, const Compiled *c, const DriverOptions *options)
{
	Writer *w = writer_new(a);
	write_line(w, "Memory plan of %s, batch %lld", c->train->graph->name,
	           (long long)c->train->graph->batch);
	if (c->memory)
		write_text(w, "%s", c->memory);
	write_line(w, "%s", "");
	write_program_plan(a, w, c->train, options->target, "training step");
	write_line(w, "%s", "");
	const Device *device = target_device(options->target);
	if (device && !c->train->onchip)
		write_forecast(a, w, c->train, device);
	int64_t ranks = c->source->recipe->ranks;
	if (ranks > 1) {
		write_ranks_plan(a, w, c->train, ranks, options->target);
		write_line(w, "%s", "");
	}
	write_program_plan(a, w, c->evaluate, options->target, "evaluation");
	write_line(w, "%s", "");
	write_program_plan(a, w, c->predict, options->target, "inference");
	return (char *)writer_text(w, NULL);
}
