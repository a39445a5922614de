/* SPDX-License-Identifier: MIT */
#include "front/group.h"

#include "front/freeze.h"

/* An optimizer of its own brings its rate and decay, where the line says no others. */
static void settle_numbers(ParamGroup *group)
{
	if (group->optimizer.name && group->rate <= 0)
		group->rate = optimizer_use_arg(&group->optimizer, "rate");
	if (group->optimizer.name && group->decay < 0)
		group->decay = optimizer_use_arg(&group->optimizer, "decay");
}

/* PATTERNS, then what holds of them. */
static bool read_one(Reader *r, ParamGroup *group)
{
	const Ast *next = setting_peek(r);
	Loc loc = setting_here(r);
	for (; next && next->kind == AST_STRING; next = setting_peek(r)) {
		add_patterns(r->e->arena, next->text, next->loc, &group->patterns);
		r->at++;
	}
	if (group->patterns.count == 0)
		return setting_error(r, loc, "setting-type",
		                     "a pattern of the names of parameters stands in quotes");
	bool any = false;
	for (;; any = true) {
		if (setting_take_word(r, "optimizer")) {
			if (!setting_take_optimizer(r, true, &group->optimizer))
				return false;
		} else if (setting_take_word(r, "rate")) {
			if (!setting_take_number(r, "the rate", 0, false, &group->rate))
				return false;
		} else if (setting_take_word(r, "decay")) {
			if (!setting_take_number(r, "the decay", 0, true, &group->decay))
				return false;
		} else {
			break;
		}
	}
	next = setting_peek(r);
	if (next && next->kind == AST_BINARY && next->kids[0]->kind == AST_NAME)
		return setting_error(r, next->loc, "setting-range", "a rate or a decay is not negative");
	if (!any)
		return setting_error(
		        r, setting_here(r), "setting-syntax",
		        "what these parameters have of their own is missing: an optimizer, a rate "
		        "or a decay");
	settle_numbers(group);
	return true;
}

bool read_group(Reader *r)
{
	Loc loc = setting_here(r);
	if (setting_take_word(r, "none"))
		return r->lines > 1 ? setting_error(r, loc, "setting-syntax",
		                                    "there are other groups: `none` stands alone")
		                    : setting_end(r);
	do {
		ParamGroup group = {.decay = -1};
		if (!read_one(r, &group))
			return false;
		array_push(r->e->arena, &r->recipe->groups, group);
	} while (setting_peek(r));
	return true;
}

int elab_group(Elab *e, const char *name)
{
	int first = 0;
	for (int i = e->recipe ? e->recipe->groups.count : 0; i > 0; i--)
		if (patterns_match(&e->recipe->groups.at[i - 1].patterns, name))
			first = i;
	return first;
}

void check_groups(Elab *e, const Graph *g)
{
	for (int i = 0; e->recipe && i < e->recipe->groups.count; i++)
		check_patterns(e, g, &e->recipe->groups.at[i].patterns);
}
