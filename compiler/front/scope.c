/* SPDX-License-Identifier: MIT */
/* Frames: the variables of one execution of a body, the stable names it gives out, and errors with their block path.
 *
 * Names are stable because they depend only on the path of calls: the first `conv` of a scope is "conv", the next
 * one "conv_2". A call that makes no parameter takes no number, so that adding a relu renames nothing. */
#include "front/eval.h"

#include "base/nearest.h"
#include "base/writer.h"

#include <ctype.h>
#include <stdarg.h>

enum {
	DEPTH_MOST = 12 * LIMIT_NESTING, /* of all recursion together, so that the stack suffices */
	PATH_BYTES = 1000,               /* of a parameter's name */
};

Elab *elab_new(Arena *a, Diagnostics *d, const Declarations *declared)
{
	Elab *e = NEW(a, Elab);
	e->arena = a;
	e->diag = d;
	e->declared = declared;
	e->budget = LIMIT_STEPS_EVALUATED;
	e->signatures = map_new(a);
	e->usages = map_new(a);
	e->params = map_new(a);
	return e;
}

/* ---- diagnostics and limits */

Value elab_error(Elab *e, Loc loc, const char *id, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *message = arena_vprintf(e->arena, format, args);
	va_end(args);
	diag_error(e->diag, loc, id, "%s", message);
	if (e->frame)
		diag_site_notes(e->diag, site_here(e, loc));
	if (diagnostics_full(e->diag))
		e->stop = true;
	return value_error();
}

/* A name with a colon can only be a text. */
static const char *as_written(Elab *e, const char *word)
{
	return strchr(word, ':') ? arena_printf(e->arena, "\"%s\"", word) : word;
}

void elab_suggest(Elab *e, const char *word, const char *const *candidates, int count)
{
	const char *near = nearest_word(word, candidates, count);
	if (near)
		diag_help(e->diag, "did you mean `%s`?", as_written(e, near));
}

bool elab_habit(Elab *e, HabitPlace place, const char *word, const char *const *candidates, int count)
{
	const char *help = habit_help(e->arena, place, word, candidates, count);
	if (help)
		diag_help(e->diag, "%s", help);
	return help;
}

void elab_list(Elab *e, const char *what, const char *const *candidates, int count)
{
	enum { MOST = 20 };
	Writer *w = writer_new(e->arena);
	for (int i = 0; i < count && i < MOST; i++)
		write_text(w, "%s`%s`", i ? ", " : "", as_written(e, candidates[i]));
	diag_help(e->diag, "the %s%s %s%s", what, count > 1 ? "s are" : " is", writer_text(w, NULL),
	          count > MOST ? ", .." : "");
}

void elab_suggest_or_list(Elab *e, const char *word, const char *what, const char *const *candidates,
                          int count)
{
	if (count == 0 || nearest_word(word, candidates, count))
		elab_suggest(e, word, candidates, count);
	else
		elab_list(e, what, candidates, count);
}

bool elab_charge(Elab *e, Loc loc, int64_t n)
{
	if (e->stop)
		return false;
	e->budget -= n;
	if (e->budget >= 0)
		return true;
	elab_error(e, loc, "evaluation-limit", "this model takes more than %d steps to elaborate",
	           LIMIT_STEPS_EVALUATED);
	e->stop = true;
	return false;
}

bool elab_enter(Elab *e, Loc loc)
{
	if (e->stop)
		return false;
	if (e->depth < DEPTH_MOST) {
		e->depth++;
		return true;
	}
	elab_error(e, loc, "nesting-limit",
	           "expressions, statements and blocks are nested more than %d deep here", DEPTH_MOST);
	e->stop = true;
	return false;
}

void elab_leave(Elab *e)
{
	e->depth--;
}

/* ---- frames */

void frame_push(Elab *e, Frame *f, const Ast *block, const char *scope, const Site *site)
{
	*f = (Frame){
	        .caller = e->frame,
	        .block = block,
	        .scope = scope,
	        .site = site,
	        .bindings = map_new(e->arena),
	        .segments = map_new(e->arena),
	};
	e->frame = f;
}

void frame_pop(Elab *e)
{
	e->frame = e->frame->caller;
}

const Site *site_here(Elab *e, Loc loc)
{
	const Frame *f = e->frame;
	Site *site = NEW(e->arena, Site);
	*site = (Site){
	        .loc = loc,
	        .parent = f->site,
	        .block = f->site && f->block ? f->block->name : NULL,
	        .scope = f->scope,
	};
	return site;
}

Build *build_here(Elab *e, Loc loc)
{
	const Site *site = site_here(e, loc);
	Build *b = NEW(e->arena, Build);
	*b = (Build){.graph = e->graph, .sites = sites_one(e->arena, site), .site = site};
	return b;
}

static Usage *usage_of(Elab *e, const char *name, Loc loc)
{
	char key[64];
	snprintf(key, sizeof key, "%p:%d", (const void *)loc.source, loc.start);
	Usage *usage = map_get(e->usages, key);
	if (!usage) {
		usage = NEW(e->arena, Usage);
		*usage = (Usage){.name = name, .loc = loc};
		map_set(e->usages, key, usage);
	}
	return usage;
}

void scope_bind(Elab *e, const char *name, Value v, Loc loc)
{
	Binding *b = map_get(e->frame->bindings, name);
	if (!b) {
		b = NEW(e->arena, Binding);
		map_set(e->frame->bindings, name, b);
	}
	bool watched = v.kind == VALUE_TENSOR && loc.source && name[0] != '_' && e->collecting;
	*b = (Binding){.value = v, .usage = watched ? usage_of(e, name, loc) : NULL, .bound = true};
}

Binding *scope_find(Elab *e, const char *name)
{
	Binding *b = map_get(e->frame->bindings, name);
	return b && b->bound ? b : NULL;
}

static void warn_unused_values(Elab *e)
{
	for (int i = 0; i < map_count(e->usages); i++) {
		const Usage *u = map_value(e->usages, i);
		if (u->used)
			continue;
		diag_warning(e->diag, u->loc, "unused-value", "nothing reads this value of `%s`", u->name);
		diag_help(e->diag, "a name that starts with _ is never reported");
	}
}

/* Whether `x` reads the variable; what a tuple or a loop binds is no reading. */
static bool reads(const Ast *x, const char *name)
{
	if ((x->kind == AST_NAME || x->kind == AST_CALL) && strcmp(x->name, name) == 0)
		return true;
	int count = x->kind == AST_ASSIGN ? 1 : x->kind == AST_FOR ? 2 : x->kind == AST_SCAN ? 3 : x->count;
	for (int i = 0; i < count; i++) {
		if (reads(x->kids[i], name))
			return true;
	}
	return false;
}

/* By the text alone: what a size leaves out in this elaboration, another one may read. Of that file: a library's blocks
 * are not its user's to change. */
static void warn_unused_parameters(Elab *e, const Map *callees, const Source *file)
{
	for (int i = 0; i < map_count(callees); i++) {
		const Ast *callee = map_value(callees, i), *params = callee->kids[0];
		for (int k = 0; callee->loc.source == file && k < params->count; k++) {
			const Ast *p = params->kids[k];
			bool read = p->name[0] == '_' || reads(callee->kids[1], p->name);
			for (int n = k + 1; n < params->count && !read; n++)
				read = reads(params->kids[n], p->name);
			if (read)
				continue;
			diag_warning(e->diag, p->name_loc, "unused-argument",
			             "nothing reads the argument `%s` of `%s`", p->name, callee->name);
			diag_help(e->diag, "remove it here, and where it is given");
		}
	}
}

void warn_unused(Elab *e, const Source *file)
{
	warn_unused_values(e);
	warn_unused_parameters(e, e->declared->models, file);
	warn_unused_parameters(e, e->declared->blocks, file);
}

/* ---- stable names */

typedef struct Segment {
	int next;           /* number of the next call that would be called so */
	Loc loc;            /* of the call, or of its name */
	const void *shared; /* NULL, or the block or operator whose calls share it */
} Segment;

Map *scope_segments(Elab *e)
{
	Map *copy = map_new(e->arena);
	for (int i = 0; i < map_count(e->frame->segments); i++) {
		Segment *segment = NEW(e->arena, Segment);
		*segment = *(const Segment *)map_value(e->frame->segments, i);
		map_set(copy, map_key(e->frame->segments, i), segment);
	}
	return copy;
}

static char *join_in(Elab *e, const Frame *f, const char *segment)
{
	return *f->scope ? arena_printf(e->arena, "%s.%s", f->scope, segment)
	                 : arena_strdup(e->arena, segment);
}

char *scope_join(Elab *e, const char *segment)
{
	return join_in(e, e->frame, segment);
}

/* What is shared has its name in the model, whichever block it is called in. */
static Frame *frame_of_name(Elab *e, const LayerName *name)
{
	Frame *f = e->frame;
	while (name->shared && f->block->kind != AST_MODEL)
		f = f->caller;
	return f;
}

static char *take_segment(Elab *e, Frame *f, const char *segment, Loc loc, const void *shared)
{
	char *path = join_in(e, f, segment);
	if (strlen(path) > PATH_BYTES) {
		elab_error(e, loc, "name-limit", "the name of what this call makes is longer than %d bytes",
		           PATH_BYTES);
		e->stop = true;
		return NULL;
	}
	Segment *taken = NEW(e->arena, Segment);
	*taken = (Segment){.next = 2, .loc = loc, .shared = shared};
	map_set(f->segments, segment, taken);
	return path;
}

char *scope_segment(Elab *e, const char *wanted, Loc loc)
{
	Segment *first = map_get(e->frame->segments, wanted);
	if (!first)
		return take_segment(e, e->frame, wanted, loc, NULL);
	for (;;) {
		char *numbered = arena_printf(e->arena, "%s_%d", wanted, first->next++);
		if (!map_get(e->frame->segments, numbered))
			return take_segment(e, e->frame, numbered, loc, NULL);
	}
}

/* Letters, digits and _, in parts separated by single dots. */
static bool segment_valid(const char *s)
{
	bool part = false;
	for (; *s; s++) {
		if (*s == '.') {
			if (!part)
				return false;
			part = false;
		} else if (isascii(*s) && (isalnum((unsigned char)*s) || *s == '_')) {
			part = true;
		} else {
			return false;
		}
	}
	return part;
}

char *scope_named_segment(Elab *e, const LayerName *name, const void *callee)
{
	Loc loc = name->loc;
	Value v = name->value;
	if (v.kind != VALUE_STRING) {
		elab_error(e, loc, "argument-type", "`%s` is a text, not %s",
		           name->shared ? "shared" : "name", value_kind_text(e->arena, v));
		diag_help(e->diag, "write %s = \"layer1\"", name->shared ? "shared" : "name");
		return NULL;
	}
	if (!segment_valid(v.text) || strlen(v.text) > LIMIT_NAME_BYTES) {
		elab_error(e, loc, "invalid-name", "%s is no name for a layer", value_source(e->arena, v));
		diag_help(e->diag,
		          "a name is letters, digits and _, in parts separated by dots: \"layer1.0\"");
		return NULL;
	}
	Frame *f = frame_of_name(e, name);
	const Segment *first = map_get(f->segments, v.text);
	if (!first)
		return take_segment(e, f, v.text, loc, name->shared ? callee : NULL);
	if (name->shared && first->shared == callee)
		return join_in(e, f, v.text);
	elab_error(e, loc, "duplicate-name", "another call of %s is called \"%s\" already",
	           name->shared ? "the model" : "this scope", v.text);
	bool around = first->loc.source == loc.source && first->loc.start == loc.start;
	if (around)
		diag_help(e->diag,
		          "a loop comes here each time around: give each a name of its own, by "
		          "`for i in range(n) { ... }` and name = \"%s\" + str(i)",
		          v.text);
	else
		diag_note(e->diag, first->loc, "the first one is here");
	if (first->shared && name->shared)
		diag_help(e->diag, "what shares a name calls the same block or operator");
	else
		diag_help(e->diag, "two calls have the same parameters where both say shared = \"%s\"",
		          v.text);
	return NULL;
}
