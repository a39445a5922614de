/* SPDX-License-Identifier: MIT */
/* `nnc --memory`: what to give up so that the whole plan fits.
 *
 * Two things can be given up for memory: values are computed again in the backward pass (passes/rematerialize.c), and
 * a batch is computed in chunks. Both cost time, which the forecast tells (program/price.h, whose device is an H200).
 * So this file compiles the source in silence, a fraction of a second each time: as it is; then with fewer bytes
 * alive, until what the program needs is what there is room for, since buffers in place of one another, workspace and
 * gaps show in the program alone; and so for each number of chunks for which the step would still be faster than the
 * best found. The fastest that fits is compiled once more, and that is what comes out. */
#include "driver/driver.h"

#include "base/writer.h"
#include "passes/rematerialize.h"
#include "program/price.h"

#include <math.h>
#include <stdlib.h>

enum {
	MOST_ROUNDS = 5,   /* of one number of chunks */
	SLACK_SHARE = 50,  /* of the room: as little may be left over */
	TENSORS_SHOWN = 4, /* of those that hold the peak */
};

/* One way to compile the source. */
typedef struct Way {
	int64_t chunk;  /* samples at once, where the recipe says nothing of it; 0: as the recipe says */
	int64_t chunks; /* of a batch, by that */
	int64_t goal;   /* MemoryGoal.bytes; ANY: no value is computed again */
	bool compiles;
	int64_t total, fixed; /* bytes of the largest program; of the training's without its arena */
	bool trains;          /* the largest is the training step's */
	double us;            /* forecast of a step, all chunks of it */
	bool met;             /* the goal, as the pass counts */
	int64_t batch;        /* that may be cut into chunks; 0: it is already, or there is no recipe */
	const char *peak;     /* what is alive there, as text */
	int64_t samples;      /* that would fit, where this does not; 0: none */
} Way;

static const int64_t ANY = INT64_MAX;

typedef struct Planner {
	Arena *arena;
	const Source *source;
	const DriverOptions *options;
} Planner;

/* Of the CPU no rates are known: what counts is which way is the faster, and an H200's say that as well. */
static const Device *priced_device(const Target *t)
{
	const Device *known = target_device(t);
	return known ? known : target_device(&target_cuda);
}

MemoryGoal memory_goal(int64_t bytes, const Target *t)
{
	return (MemoryGoal){.bytes = bytes, .step_us = step_us, .device = priced_device(t)};
}

static int64_t program_total(const Program *p)
{
	return p->param_bytes + p->state_bytes + p->input_bytes + p->arena_bytes;
}

static const Program *largest_program(const Compiled *c)
{
	const Program *most = c->train;
	if (program_total(c->evaluate) > program_total(most))
		most = c->evaluate;
	return program_total(c->predict) > program_total(most) ? c->predict : most;
}

static int larger_first(const void *x, const void *y)
{
	const Buffer *a = *(Buffer *const *)x, *b = *(Buffer *const *)y;
	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	return a->id - b->id;
}

/* The largest tensors that are alive at the program's peak, with the lines that they are of. */
static const char *peak_text(Arena *a, const Program *p)
{
	Arena *scratch = arena_new();
	Writer *w = writer_new(scratch);
	Buffer **alive = NEW_ARRAY(scratch, Buffer *, p->buffer_count);
	int count = 0;
	for (int i = 0; i < p->buffer_count; i++) {
		Buffer *b = p->buffers[i];
		if (!b->inside && buffer_in_arena(b) && b->first <= p->peak_step && b->last >= p->peak_step)
			alive[count++] = b;
	}
	qsort(alive, (size_t)count, sizeof *alive, larger_first);
	for (int i = 0; i < count && i < TENSORS_SHOWN; i++) {
		const Buffer *b = alive[i];
		write_text(w, "%s%s %s, %s%s%s", i ? "; " : "", b->name, shape_text(scratch, b->type),
		           human_count(scratch, (double)b->bytes, "B"),
		           b->node && b->node->sites.count ? ", " : "",
		           b->node ? sites_text(scratch, b->node->sites, 3) : "");
	}
	const char *text = arena_strdup(a, writer_text(w, NULL));
	arena_free(scratch);
	return text;
}

/* As the trainer estimates it (session_what_fits): parameters, states and gradients are the same for any batch. */
static int64_t samples_that_fit(const Program *p, int64_t room)
{
	int64_t fixed = p->param_bytes + p->state_bytes;
	for (int i = 0; i < p->buffer_count; i++)
		if (p->buffers[i]->class == BUFFER_GRADIENT && !p->buffers[i]->inside)
			fixed += p->buffers[i]->bytes;
	const double each = (double)(program_total(p) - fixed) / (double)p->graph->batch;
	return room > fixed && each > 0 ? (int64_t)((double)(room - fixed) / each) : 0;
}

/* The options with `--set chunk=N` besides. */
static DriverOptions options_of(Arena *a, Diagnostics *d, const DriverOptions *o, int64_t chunk)
{
	DriverOptions with = *o;
	if (chunk == 0)
		return with;
	const int count = o->elaborate.setting_count;
	const char *why, *text = arena_printf(a, "chunk=%lld", (long long)chunk);
	const Source *source = source_from_text(a, "--memory", text, strlen(text), &why);
	with.elaborate.settings = NEW_ARRAY(a, Definition, count + 1);
	for (int i = 0; i < count; i++)
		with.elaborate.settings[i] = o->elaborate.settings[i];
	with.elaborate.settings[count].arg = parse_definition(a, d, source);
	with.elaborate.setting_count = count + 1;
	return with;
}

/* Compiles it, and forgets what was compiled. */
static void try_way(const Planner *p, Way *w)
{
	Arena *a = arena_new();
	Diagnostics *silent = diagnostics_new(a, COLOR_NEVER, true, 1);
	DriverOptions o = options_of(a, silent, p->options, w->chunk);
	MemoryGoal goal = memory_goal(w->goal, o.target);
	o.dump_pass = NULL;
	o.watch = NULL;
	o.time_report = o.want_remarks = o.verify = false;
	const Compiled *c = compile_for(a, silent, p->source, &o, w->goal == ANY ? NULL : &goal);
	w->compiles = c != NULL;
	if (c) {
		const Recipe *r = c->source->recipe;
		w->batch = r && r->chunk == 0 ? r->batch : 0;
		const Program *most = largest_program(c);
		w->total = program_total(most);
		w->fixed = program_total(c->train) - c->train->arena_bytes;
		w->trains = most == c->train;
		w->us = program_forecast(c->train, goal.device).us * (double)w->chunks;
		w->met = goal.peak <= goal.bytes;
		w->peak = peak_text(p->arena, most);
		w->samples = samples_that_fit(most, p->options->memory_bytes);
	}
	arena_free(a);
}

/* The goal of the next round: by as many bytes less, or more, as the program needed too many, or too few; 0 at the
 * least. */
static int64_t next_goal(int64_t goal, int64_t total, int64_t room)
{
	const int64_t to = goal + (room - total);
	return to > 0 ? to : 0;
}

/* Looks for the fastest way that fits with so many chunks; `free` is the one that computes nothing again. What needs
 * least is kept in *least. */
static Way fit(const Planner *p, const Way *free, Way *least)
{
	const int64_t room = p->options->memory_bytes;
	Way best = {.us = INFINITY}, at = *free;
	if (free->total < least->total)
		*least = *free;
	if (free->total <= room)
		return *free;
	at.goal = room - free->fixed;
	for (int round = 0; round < MOST_ROUNDS && at.goal >= 0; round++) {
		const int64_t asked = at.goal;
		try_way(p, &at);
		if (!at.compiles)
			break;
		if (at.total < least->total)
			*least = at;
		const bool fits = at.total <= room;
		if (fits && at.us < best.us)
			best = at;
		if ((!fits && (!at.met || !at.trains || asked == 0)) ||
		    (fits && room - at.total <= room / SLACK_SHARE))
			break;
		at.goal = next_goal(asked, at.total, room);
		if (isfinite(best.us) && !fits) /* it went too far back */
			at.goal = (asked + best.goal) / 2;
	}
	return best;
}

/* The least number of chunks, of twice as many at least, that the batch is a multiple of; 0: there is none. */
static int64_t next_chunks(int64_t batch, int64_t chunks)
{
	for (int64_t n = 2 * chunks; n <= batch; n++)
		if (batch % n == 0)
			return n;
	return 0;
}

static Way choose(const Planner *p, const Way *free, Way *least)
{
	Way best = fit(p, free, least);
	for (int64_t n = next_chunks(free->batch, 1); n > 0; n = next_chunks(free->batch, n)) {
		Way way = {.chunk = free->batch / n, .chunks = n, .goal = ANY};
		try_way(p, &way);
		if (!way.compiles || way.us >= best.us)
			break;
		const Way found = fit(p, &way, least);
		best = found.us < best.us ? found : best;
	}
	return best;
}

static void refuse(const Planner *p, const Way *free, const Way *least)
{
	Arena *a = p->arena;
	Way all[] = {*free, *least};
	const Way *smallest = least;
	for (int i = 0; i < 2; i++) {
		all[i].goal = 0;
		try_way(p, &all[i]);
		smallest = all[i].compiles && all[i].total < smallest->total ? &all[i] : smallest;
	}
	const char *fewer = smallest->samples > 0 && smallest->chunks == 1
	                            ? arena_printf(a, "; a batch of about %lld would fit: --set batch=%lld",
	                                           (long long)smallest->samples, (long long)smallest->samples)
	                            : "";
	const char *chunks =
	        smallest->chunks > 1 ? arena_printf(a, " in %lld chunks", (long long)smallest->chunks) : "";
	fail(EXIT_TOOL,
	     "--memory: %s are too little: the plan needs %lld MiB at least%s, by computing again what can "
	     "be "
	     "(--memory=%lldMiB)%s; at the peak %s there are %s",
	     human_count(a, (double)p->options->memory_bytes, "B"),
	     (long long)((smallest->total + (1 << 20) - 1) >> 20), chunks,
	     (long long)((smallest->total + (1 << 20) - 1) >> 20), fewer,
	     smallest->trains ? "of the training step" : "of the evaluation", smallest->peak);
}

static const char *story(Arena *a, const Compiled *c, const DriverOptions *o, const Way *free,
                         const Way *chosen, const MemoryGoal *goal)
{
	Writer *w = writer_new(a);
	write_text(w, "%s of the %s of --memory",
	           human_count(a, (double)program_total(largest_program(c)), "B"),
	           human_count(a, (double)o->memory_bytes, "B"));
	if (chosen->goal == ANY && chosen->chunks == 1) {
		write_line(w, "%s", ", nothing given up");
		return writer_text(w, NULL);
	}
	write_line(w, ", %s without it; predicted time %.3f of that",
	           human_count(a, (double)free->total, "B"), chosen->us / free->us);
	if (chosen->chunks > 1)
		write_line(w, "  computes the batch in %lld chunks of %lld", (long long)chosen->chunks,
		           (long long)chosen->chunk);
	for (int i = 0; i < goal->given_up.count; i++) {
		const GivenUp *x = &goal->given_up.at[i];
		write_line(w, "  recomputes %d x %s (%s saved, +%.1f %% time)", x->count, x->what,
		           human_count(a, x->bytes, "B"), 100 * x->us * (double)chosen->chunks / free->us);
	}
	return writer_text(w, NULL);
}

Compiled *compile_in_memory(Arena *a, Diagnostics *d, const Source *source, const DriverOptions *o)
{
	Planner p = {.arena = a, .source = source, .options = o};
	Way free = {.chunks = 1, .goal = ANY}, least, chosen;
	try_way(&p, &free);
	if (!free.compiles) /* once more, for what there is to say */
		return compile_for(a, d, source, o, NULL);
	least = free;
	chosen = choose(&p, &free, &least);
	if (isinf(chosen.us))
		refuse(&p, &free, &least);
	DriverOptions *with = NEW(a, DriverOptions);
	*with = options_of(a, d, o, chosen.chunk);
	MemoryGoal goal = memory_goal(chosen.goal, o->target);
	Compiled *c = compile_for(a, d, source, with, chosen.goal == ANY ? NULL : &goal);
	if (!c)
		return NULL;
	c->memory = story(a, c, o, &free, &chosen, &goal);
	if (o->want_remarks)
		c->remarks = arena_printf(a, "%s%s", c->remarks ? c->remarks : "", c->memory);
	return c;
}
