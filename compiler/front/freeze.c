/* SPDX-License-Identifier: MIT */
#include "front/freeze.h"

#include "base/array.h"
#include "base/nearest.h"

#include <fnmatch.h>
#include <string.h>

void add_patterns(Arena *a, const char *text, Loc loc, ParamPatterns *to)
{
	for (const char *at = text; *at;) {
		at += strspn(at, ", ");
		size_t length = strcspn(at, ","), kept = length;
		while (kept > 0 && at[kept - 1] == ' ')
			kept--;
		if (kept > 0)
			array_push(a, to,
			           ((ParamPattern){arena_printf(a, "%.*s", (int)kept, at), loc, false}));
		at += length;
	}
}

/* Patterns, up to a word. */
static bool take_patterns(Reader *r, ParamPatterns *to)
{
	for (const Ast *next = setting_peek(r); next && next->kind != AST_NAME; next = setting_peek(r)) {
		if (next->kind != AST_STRING)
			return setting_error(r, next->loc, "setting-type",
			                     "a pattern of the names of parameters stands in quotes");
		add_patterns(r->e->arena, next->text, next->loc, to);
		r->at++;
	}
	return to->count > 0 ||
	       setting_error(r, setting_peek(r) ? setting_here(r) : r->setting->loc,
	                     setting_peek(r) ? "setting-type" : "setting-syntax",
	                     setting_peek(r) ? "a pattern of the names of parameters stands in quotes"
	                                     : "a pattern is missing here");
}

bool read_freeze(Reader *r)
{
	r->recipe->freeze = (ParamPatterns){0};
	if (setting_take_word(r, "none"))
		return setting_end(r);
	return take_patterns(r, &r->recipe->freeze) && setting_end(r);
}

bool read_phase(Reader *r)
{
	Recipe *recipe = r->recipe;
	recipe->phase = (Span){0};
	recipe->phase_freeze = (ParamPatterns){0};
	recipe->phase_rate = 0;
	recipe->phase_loc = setting_here(r);
	if (setting_take_word(r, "none"))
		return setting_end(r);
	if (!setting_take_span(r, "the first phase", &recipe->phase))
		return false;
	if (!setting_take_word(r, "freeze"))
		return setting_error(r, setting_here(r), "setting-syntax",
		                     "what the first phase leaves as it is follows: freeze \"conv*\"");
	return take_patterns(r, &recipe->phase_freeze) &&
	       (!setting_take_word(r, "rate") ||
	        setting_take_number(r, "the rate", 0, false, &recipe->phase_rate)) &&
	       setting_end(r);
}

static ParamPatterns patterns_of(Arena *a, const Ast *line)
{
	ParamPatterns found = {0};
	for (int i = 0; i < line->count; i++)
		if (line->kids[i]->kind == AST_STRING)
			add_patterns(a, line->kids[i]->text, line->kids[i]->loc, &found);
	return found;
}

void warn_of_lost_freezes(Elab *e, const Ast *own, const Ast *line)
{
	ParamPatterns before = patterns_of(e->arena, own), now = patterns_of(e->arena, line);
	const char *lost = "", *both = "";
	for (int i = 0; i < now.count; i++)
		both = arena_printf(e->arena, "%s%s%s", both, *both ? "," : "", now.at[i].text);
	for (int i = 0; i < before.count; i++) {
		bool stays = false;
		for (int k = 0; k < now.count; k++)
			stays = stays || fnmatch(now.at[k].text, before.at[i].text, 0) == 0;
		if (!stays)
			lost = arena_printf(e->arena, "%s%s%s", lost, *lost ? "," : "", before.at[i].text);
	}
	if (!*lost || now.count == 0)
		return;
	diag_warning(e->diag, line->loc, "freeze-replaced",
	             "this replaces the recipe's `freeze`: what `%s` names is trained now", lost);
	diag_help(e->diag, "for both: --set freeze='%s,%s'", both, lost);
}

bool patterns_match(ParamPatterns *patterns, const char *name)
{
	bool any = false;
	for (int i = 0; i < patterns->count; i++) {
		ParamPattern *p = &patterns->at[i];
		bool matches = fnmatch(p->text, name, 0) == 0;
		p->used = p->used || matches;
		any = any || matches;
	}
	return any;
}

bool elab_freezes(Elab *e, const char *name)
{
	if (e->recipe) /* what a phase freezes is trained in the next one */
		patterns_match(&e->recipe->phase_freeze, name);
	return e->recipe && patterns_match(&e->recipe->freeze, name);
}

typedef ARRAY(const char *) Names;

static void add_name(Arena *a, Names *names, const char *name, int length)
{
	for (int i = 0; i < names->count; i++)
		if ((int)strlen(names->at[i]) == length && strncmp(names->at[i], name, (size_t)length) == 0)
			return;
	array_push(a, names, arena_printf(a, "%.*s", length, name));
}

static bool matches_any(const Graph *g, const char *pattern)
{
	for (int i = 0; i < g->count; i++)
		if (node_is_param(g->nodes[i]) && fnmatch(pattern, node_text(g->nodes[i], "name"), 0) == 0)
			return true;
	return false;
}

/* Names the layer that is meant, else all layers; of a layer that there is, its parameters. */
static void report_unused(Elab *e, const Graph *g, const ParamPattern *p)
{
	Names layers = {0}, own = {0};
	const char *word = arena_printf(e->arena, "%.*s", (int)strcspn(p->text, ".*?["), p->text);
	for (int i = 0; i < g->count; i++) {
		if (!node_is_param(g->nodes[i]))
			continue;
		const char *name = node_text(g->nodes[i], "name");
		int length = (int)strcspn(name, ".");
		add_name(e->arena, &layers, name, length);
		if ((int)strlen(word) == length && strncmp(name, word, (size_t)length) == 0)
			add_name(e->arena, &own, name, (int)strlen(name));
	}
	elab_error(e, p->loc, "parameter-pattern", "`%s` matches no parameter of model `%s`", p->text,
	           g->name);
	const char *near = nearest_word(word, layers.at, layers.count);
	const char *rest = p->text + strlen(word),
	           *meant = arena_printf(e->arena, "%s%s", near ? near : "", *rest ? rest : ".*");
	if (own.count > 0 && *rest)
		elab_list(e, "parameter", own.at, own.count);
	else if (near && matches_any(g, meant))
		diag_help(e->diag, "did you mean `%s`?", meant);
	else if (near)
		diag_help(e->diag, "there is `%s`", near);
	else
		elab_list(e, "layer", layers.at, layers.count);
}

void check_patterns(Elab *e, const Graph *g, const ParamPatterns *patterns)
{
	for (int i = 0; i < patterns->count; i++)
		if (!patterns->at[i].used)
			report_unused(e, g, &patterns->at[i]);
}

void check_freeze(Elab *e, const Graph *g)
{
	bool learns = false, first = false;
	if (!e->recipe)
		return;
	ParamPatterns *phase = &e->recipe->phase_freeze;
	check_patterns(e, g, &e->recipe->freeze);
	check_patterns(e, g, phase);
	for (int i = 0; i < g->count; i++) {
		const bool trained = node_is_param(g->nodes[i]) && !node_is_frozen(g->nodes[i]);
		learns = learns || trained;
		first = first || (trained && !patterns_match(phase, node_text(g->nodes[i], "name")));
	}
	if (e->recipe->freeze.count > 0 && !learns)
		elab_error(e, e->recipe->freeze.at[0].loc, "no-parameters",
		           "`freeze` leaves model `%s` nothing to train", g->name);
	else if (phase->count > 0 && learns && !first)
		elab_error(e, e->recipe->phase_loc, "no-parameters",
		           "the first phase leaves model `%s` nothing to train", g->name);
}
