/* SPDX-License-Identifier: MIT */
/* Each kind of advice is a function that looks at the steps and adds what it finds. A forecast is what data.c says of a
 * step on an H200, and not less than a launch. On the CPU there is none, and parts alone are said. */
#include "explore/advice.h"
#include "codegen/implementations.h"
#include "codegen/label.h"
#include "emit/describe.h"

#include "emit/emitter.h"
#include "ir/op.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Adviser {
	Arena *arena;
	const ExploreData *d;
	const Program *p;
	const Recipe *recipe;
	AdviceList *to;
} Adviser;

static bool on_gpu(const ExploreData *d)
{
	return d->of->options->target->gpu;
}

/* us; of a GPU alone. */
static double launch_us(const ExploreData *d)
{
	return target_device(d->of->options->target)->launch;
}

static double bound_us(const ExploreData *d, int i)
{
	return on_gpu(d) ? fmax(d->steps[i].least_us, launch_us(d)) : 0;
}

static double gain_of(const ExploreData *d, const Advice *advice)
{
	double all = 0, saved = 0;
	for (int i = 0; i < d->step_count; i++)
		all += bound_us(d, i);
	for (int i = 0; i < advice->saves.count; i++)
		if (advice->saves.at[i].step >= 0)
			saved += bound_us(d, advice->saves.at[i].step) * advice->saves.at[i].part;
	return all > 0 ? saved / all : 0;
}

static void add(const Adviser *x, Advice advice)
{
	advice.gain = gain_of(x->d, &advice);
	if (advice.saves.count > 0)
		array_push(x->arena, x->to, advice);
}

/* The line of the recipe; on the command line there is none. */
static void find_setting(const Adviser *x, const char *key, Advice *advice)
{
	for (int i = 0; i < x->recipe->places.count; i++) {
		const SettingPlace *at = &x->recipe->places.at[i];
		if (strcmp(at->key, key) != 0 || at->loc.source->path[0] == '-')
			continue;
		advice->file = base_name(at->loc.source->path);
		advice->line = loc_line(at->loc);
	}
}

/* ---- a larger batch */

/* Bytes that a step moves for any batch: parameters, their gradients and states. */
static double fixed_bytes(const Step *s)
{
	double bytes = 0;
	for (int i = 0; i < s->read_count + s->write_count; i++) {
		const Buffer *b = i < s->read_count ? s->reads[i] : s->writes[i - s->read_count];
		const BufferClass of = buffer_root((Buffer *)b)->class;
		bytes += of == BUFFER_PARAMETER || of == BUFFER_GRADIENT || of == BUFFER_STATE
		                 ? (double)b->bytes
		                 : 0;
	}
	return s->bytes > 0 ? fmin(bytes, s->bytes) : bytes;
}

static double part_fixed(const Step *s)
{
	return s->bytes > 0 ? fixed_bytes(s) / s->bytes : 1;
}

/* FLOP that a processor computes while it reads a byte of memory; bytes that stay in its cache from one use to the
 * next, and cost nothing beside the work. */
static const double CPU_BALANCE = 8, CPU_CACHE = 1 << 20;

/* The part of a step's time on the CPU that is the same for any batch: weights wait for memory beside few samples. */
static double part_waiting(const Step *s)
{
	const double fixed = fixed_bytes(s), rest = fmax(s->flops / CPU_BALANCE, s->bytes - fixed);
	return fixed > CPU_CACHE ? fixed / (fixed + rest) : 0;
}

enum { MULTIPROCESSORS = 132, TILE = 128 };

/* How many times the multiprocessors are filled with tiles of a product whose rows are those of the batch; 0: it
 * is none. */
static double waves(const Program *p, const Step *s, double times)
{
	const int64_t batch = p->graph->batch;
	const Type *t = s->root ? &s->root->type : NULL;
	const Buffer *to = s->root ? p->of_node[s->root->id] : NULL;
	if (!t || t->rank < 2 || t->dim[0] % batch != 0 || !step_is_heavy(s) ||
	    (to && buffer_root((Buffer *)to)->class == BUFFER_GRADIENT))
		return 0;
	const double columns = (double)t->dim[t->rank - 1],
	             rows = times * (double)type_elements(*t) / columns;
	return ceil(rows / TILE) * ceil(columns / TILE) / MULTIPROCESSORS;
}

/* What a step takes of `times` as large a batch, of what it takes now, for a sample each. */
static double part_left(const Adviser *x, int i, double times)
{
	const Step *s = &x->p->steps[i];
	const ExploreStep *e = &x->d->steps[i];
	if (e->row.phase == PHASE_UPDATE)
		return 1 / times;
	if (!on_gpu(x->d))
		return 1 - part_waiting(s) * (1 - 1 / times);
	const double fixed = part_fixed(s), full = waves(x->p, s, 1);
	double us = e->least_us * (e->by_memory ? fixed + (1 - fixed) * times : times);
	if (full > 0 && !e->by_memory) {
		const double then = waves(x->p, s, times);
		us *= (ceil(then) / then) / (ceil(full) / full);
	}
	return fmin(1, fmax(us, launch_us(x->d)) / (times * bound_us(x->d, i)));
}

/* The product of the longest forecast whose last wave is less than three quarters full. */
static const char *worst_wave(const Adviser *x)
{
	int worst = -1;
	for (int i = 0; i < x->d->step_count; i++) {
		const double full = waves(x->p, &x->p->steps[i], 1);
		if (full > 0 && full / ceil(full) < 0.75 &&
		    (worst < 0 || x->d->steps[i].least_us > x->d->steps[worst].least_us))
			worst = i;
	}
	return worst < 0 ? ""
	                 : arena_printf(x->arena, "; %s fills %.1f waves of %d multiprocessors",
	                                x->d->steps[worst].row.name, waves(x->p, &x->p->steps[worst], 1),
	                                (int)MULTIPROCESSORS);
}

static void advise_batch(const Adviser *x)
{
	static const double sizes[] = {1.25, 1.5, 2};
	Advice best = {.gain = -1};
	for (size_t k = on_gpu(x->d) ? 0 : 2; k < sizeof sizes / sizeof *sizes; k++) {
		const double batch = (double)x->recipe->batch * sizes[k];
		Advice advice = {.change = arena_printf(x->arena, "batch %.0f", batch)};
		if (batch != floor(batch) || x->recipe->chunk > 0)
			continue;
		for (int i = 0; i < x->d->step_count; i++) {
			const double left = part_left(x, i, sizes[k]);
			if (left < 1)
				array_push(x->arena, &advice.saves, (Saving){i, 1 - left});
		}
		advice.gain = gain_of(x->d, &advice);
		if (advice.gain > best.gain)
			best = advice;
	}
	best.what = arena_printf(
	        x->arena,
	        "the update and %s take as long for any batch, which more samples would share%s. It "
	        "changes what is learnt: the rate goes with it",
	        on_gpu(x->d) ? "short launches" : "reading the weights", on_gpu(x->d) ? worst_wave(x) : "");
	find_setting(x, "batch", &best);
	add(x, best);
}

/* ---- clipping, precision, libraries, data */

static bool has_label(const Adviser *x, int i, const char *word)
{
	return strstr(x->d->steps[i].row.name, word) != NULL;
}

/* The norm is a pass over all gradients of its own: the update has to wait for it. */
static void advise_clip(const Adviser *x)
{
	Advice advice = {
	        .what = "its norm is a pass over all gradients ahead of the update: leave it out where "
	                "the norm stays below it, as the log says",
	        .change = "no clip"};
	if (x->recipe->clip_norm <= 0)
		return;
	for (int i = 0; i < x->d->step_count; i++)
		if (strcmp(x->d->steps[i].row.what, "clip") == 0)
			array_push(x->arena, &advice.saves, (Saving){i, 1});
	find_setting(x, "clip", &advice);
	add(x, advice);
}

static void advise_precision(const Adviser *x)
{
	Advice advice = {
	        .what = "activations are f32: in bf16 they are half the bytes, and products twice as fast",
	        .change = "precision bf16"};
	if (!on_gpu(x->d) || strcmp(x->recipe->precision, "bf16") == 0 ||
	    strcmp(x->recipe->precision, "fp16") == 0 || strcmp(x->recipe->precision, "fp64") == 0)
		return;
	for (int i = 0; i < x->d->step_count; i++) {
		const ExploreStep *e = &x->d->steps[i];
		const double part = e->by_memory     ? 0.5 * (1 - part_fixed(&x->p->steps[i]))
		                    : e->row.library ? 0.5
		                                     : 0;
		const double most = 1 - launch_us(x->d) / bound_us(x->d, i);
		if (e->row.phase != PHASE_UPDATE && fmin(part, most) > 0)
			array_push(x->arena, &advice.saves, (Saving){i, fmin(part, most)});
	}
	find_setting(x, "precision", &advice);
	add(x, advice);
}

/* A tensor whose scores are in memory: what stands on the line of such a remark, and is a softmax. */
static void advise_scores(const Adviser *x)
{
	static const char said[] = ": attention keeps its scores: ";
	enum { PART = 3 }; /* quarters: a kernel of attention reads and writes none of the scores */
	const char *remarks = x->d->of->compiled->remarks;
	for (const char *at = remarks; at && (at = strstr(at, said)) != NULL; at += strlen(said)) {
		const char *line = at;
		while (line > remarks && line[-1] != '\n')
			line--;
		const char *why = at + strlen(said);
		Advice advice = {.what = arena_printf(x->arena, "attention keeps its scores in memory: %.*s",
		                                      (int)strcspn(why, "\n"), why),
		                 .change = "a form that nnc help attention names"};
		char *file = arena_strndup(x->arena, line, strcspn(line, ":"));
		advice.file = file;
		advice.line = atoi(line + strlen(file) + 1);
		for (int i = 0; i < x->d->step_count; i++)
			if (has_label(x, i, "softmax") &&
			    strstr(sites_text(x->arena, x->p->steps[i].sites, 8), file))
				array_push(x->arena, &advice.saves, (Saving){i, PART / 4.0});
		add(x, advice);
	}
}

static void advise_library(const Adviser *x)
{
	enum { PART = 2 }; /* quarters, of what oneDNN's convolutions save */
	const Target *t = x->d->of->options->target;
	Advice advice = {
	        .what = t->library_present
	                        ? "convolutions are nnc's own loops: the trainer may time oneDNN's beside "
	                          "them"
	                        : "this nnc was built without oneDNN, whose convolutions are faster than "
	                          "its own loops: Debian's libdnnl-dev",
	        .change = t->library_present ? "--library=auto" : "nnc built with oneDNN"};
	if (t->gpu || (t->library_present && t->library != LIBRARY_NONE))
		return;
	for (int i = 0; i < x->d->step_count; i++)
		if (x->p->steps[i].root && strncmp(x->p->steps[i].root->op->name, "conv", 4) == 0 &&
		    !x->d->steps[i].row.library)
			array_push(x->arena, &advice.saves, (Saving){i, PART / 4.0});
	add(x, advice);
}

/* The first of the places that a step is of, where it is a product. */
static int product_place(const Adviser *x, int i)
{
	const StepShares *of = &x->d->steps[i].row.shares;
	const Node *root = x->p->steps[i].root;
	const bool is =
	        root && (strncmp(root->op->name, "conv", 4) == 0 || strcmp(root->op->name, "matmul") == 0);
	return is && of->count > 0 ? of->at[0].place : NO_PLACE;
}

/* What the data decide. */
static bool counts_classes(const Program *p, int64_t columns)
{
	for (int i = 0; i < p->graph->count; i++)
		if (node_is_input(p->graph->nodes[i]) && values_below(p, p->graph->nodes[i]) == columns)
			return true;
	return false;
}

/* Columns of a product, the channels of its line, are computed so many at a time: a few more than a multiple take as
 * long as many more. */
static void advise_channels(const Adviser *x)
{
	const int64_t at_a_time = 8; /* 16 bytes of bf16; the vectors of a processor */
	for (int i = 0; i < x->d->step_count; i++) {
		const Step *s = &x->p->steps[i];
		const int place = product_place(x, i);
		const Type *t = s->root ? &s->root->type : NULL;
		const int64_t columns = t && t->rank > 1 ? t->dim[t->rank - 1] : 0,
		              over = columns % at_a_time;
		if (place == NO_PLACE || x->d->steps[i].row.phase != PHASE_FORWARD || over == 0 ||
		    2 * over > at_a_time || columns < at_a_time || counts_classes(x->p, columns))
			continue;
		const NetPlace *at = &x->d->places->at.at[place];
		Advice advice = {
		        .what = arena_printf(x->arena,
		                             "%lld channels take as long as %lld, computed %lld at a "
		                             "time. It changes what can be learnt",
		                             (long long)columns, (long long)(columns - over + at_a_time),
		                             (long long)at_a_time),
		        .change = arena_printf(x->arena, "%lld channels", (long long)(columns - over)),
		        .file = base_name(x->d->places->files.at[at->file]->path),
		        .line = at->line};
		for (int k = 0; k < x->d->step_count; k++)
			if (product_place(x, k) == place)
				array_push(x->arena, &advice.saves,
				           (Saving){k, (double)at_a_time /
				                               (double)(columns - over + at_a_time)});
		add(x, advice);
	}
}

/* Of steps bound by memory half: threads share its rate. */
static void advise_threads(const Adviser *x)
{
	Advice advice = {.what = "processors are idle: a step is shared among the threads that there are",
	                 .change = "--threads N, of the trainer",
	                 .of_idle = true};
	for (int i = 0; i < x->d->step_count && !on_gpu(x->d); i++) {
		const Step *s = &x->p->steps[i];
		array_push(x->arena, &advice.saves, (Saving){i, s->flops > CPU_BALANCE * s->bytes ? 1 : 0.5});
	}
	add(x, advice);
}

static void advise_data(const Adviser *x)
{
	Advice advice = {
	        .what = "a step waits for its batch: keep decoded data in memory, or give more threads",
	        .change = "--resident, or --workers N, of the trainer"};
	array_push(x->arena, &advice.saves, (Saving){OF_DATA, 1});
	find_setting(x, "data", &advice);
	add(x, advice);
}

static void (*const kinds[])(const Adviser *) = {advise_batch,   advise_clip,    advise_precision,
                                                 advise_scores,  advise_library, advise_channels,
                                                 advise_threads, advise_data};

static int by_gain(const void *one, const void *other)
{
	const double x = ((const Advice *)one)->gain, y = ((const Advice *)other)->gain;
	return (x < y) - (x > y);
}

AdviceList advice_of(Arena *a, const ExploreData *d)
{
	AdviceList list = {0};
	const Adviser x = {a, d, d->of->compiled->train, d->of->compiled->source->recipe, &list};
	if (x.p->onchip)
		return list; /* a step is two kernels, of all samples */
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		kinds[i](&x);
	if (on_gpu(d))
		qsort(list.at, (size_t)list.count, sizeof *list.at, by_gain);
	return list;
}
