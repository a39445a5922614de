/* SPDX-License-Identifier: MIT */
/* `model resnet18 from resnet with (depth = 18)`: a model that is another one with other defaults.
 *
 * Such an item is replaced, before anything is elaborated, by what it stands for: a model of its own name with the
 * body of its base, and its base's recipes but those that it has of the same name. So nothing else knows of it. */
#include "front/elaborate.h"
#include "base/nearest.h"
#include "front/eval.h"

typedef struct Deriving {
	Arena *arena;
	Diagnostics *diag;
	Declarations *declared;
	Map *open; /* names of the models whose bases are being looked for */
} Deriving;

static void help_nearest(Deriving *d, const char *word, const char *const *names, int count)
{
	const char *nearest = nearest_word(word, names, count);
	if (nearest)
		diag_help(d->diag, "did you mean `%s`?", nearest);
}

/* NULL after a diagnostic. */
static const Ast *base_of(Deriving *d, const Ast *model)
{
	const Map *models = d->declared->models;
	const Ast *base = map_get(models, model->other);
	if (!base && d->declared->is_lost)
		return NULL;
	if (!base) {
		const char **names = NEW_ARRAY(d->arena, const char *, map_count(models));
		for (int i = 0; i < map_count(models); i++)
			names[i] = map_key(models, i);
		diag_error(d->diag, model->name_loc, "unknown-model", "there is no model `%s` to begin from",
		           model->other);
		help_nearest(d, model->other, names, map_count(models));
		return NULL;
	}
	return base;
}

/* The argument of `with` that replaces the parameter; NULL. */
static const Ast *given(const Ast *with, const char *name)
{
	for (int i = 0; i < with->count; i++)
		if (with->kids[i]->name && strcmp(with->kids[i]->name, name) == 0)
			return with->kids[i];
	return NULL;
}

/* Every argument of `with` has a name, which is one of the parameters', and only once. */
static bool check_with(Deriving *d, const Ast *with, const Ast *base)
{
	const Ast *params = base->kids[0];
	const char **names = NEW_ARRAY(d->arena, const char *, params->count);
	for (int i = 0; i < params->count; i++)
		names[i] = params->kids[i]->name;
	bool ok = true;
	for (int i = 0; i < with->count; i++) {
		const Ast *arg = with->kids[i];
		bool known = false;
		for (int k = 0; arg->name && k < params->count; k++)
			known = known || strcmp(names[k], arg->name) == 0;
		if (!arg->name) {
			diag_error(d->diag, arg->loc, "argument-name",
			           "the arguments of `with` are written NAME = VALUE");
		} else if (!known) {
			diag_error(d->diag, arg->name_loc, "unknown-argument",
			           "model `%s` has no argument `%s`", base->name, arg->name);
			help_nearest(d, arg->name, names, params->count);
		} else if (given(with, arg->name) != arg) {
			diag_error(d->diag, arg->name_loc, "duplicate-argument", "`%s` is given twice",
			           arg->name);
			diag_note(d->diag, given(with, arg->name)->name_loc, "the first one is here");
		} else {
			continue;
		}
		ok = false;
	}
	return ok;
}

/* The parameters of the base, where `with` names one with its value as the default. */
static Ast *replace_defaults(Deriving *d, const Ast *with, const Ast *params)
{
	Ast *result = ast_new(d->arena, AST_PARAMS, params->loc);
	for (int i = 0; i < params->count; i++) {
		Ast *param = params->kids[i];
		const Ast *arg = given(with, param->name);
		if (arg) {
			Ast *changed = ast_new(d->arena, AST_PARAM, arg->loc);
			changed->name = param->name;
			changed->name_loc = arg->name_loc;
			ast_add(d->arena, changed, arg->kids[0]);
			ast_add(d->arena, changed, param);
			changed->loc = arg->loc;
			param = changed;
		}
		ast_add(d->arena, result, param);
	}
	result->loc = params->loc;
	return result;
}

static bool has_recipe(const Declarations *declared, const char *model, const char *recipe)
{
	for (int i = 0; i < declared->trains.count; i++)
		if (strcmp(declared->trains.at[i]->name, model) == 0 &&
		    strcmp(recipe_name(declared->trains.at[i]), recipe) == 0)
			return true;
	return false;
}

/* The base's recipes as the model's; those of a model of the main file are the main file's. A recipe without a name of
 * its own keeps the base's. */
static void inherit_recipes(Deriving *d, const Ast *model, const Ast *base, bool own)
{
	Declarations *declared = d->declared;
	const int count = declared->trains.count;
	for (int i = 0; i < count; i++) {
		const Ast *train = declared->trains.at[i];
		if (strcmp(train->name, base->name) != 0 ||
		    has_recipe(declared, model->name, recipe_name(train)))
			continue;
		Ast *copy = NEW(d->arena, Ast);
		*copy = *train;
		copy->text = recipe_name(train);
		copy->name = model->name;
		copy->loc = model->loc;
		copy->name_loc = model->name_loc;
		array_push(d->arena, &declared->trains, copy);
		if (own)
			array_push(d->arena, &declared->own, copy);
	}
}

/* What the model stands for, of a base that has none; NULL after a diagnostic. */
static const Ast *derive_from(Deriving *d, const Ast *model, const Ast *base)
{
	if (!check_with(d, model->kids[0], base))
		return NULL;
	Ast *result = ast_new(d->arena, AST_MODEL, model->loc);
	result->name = model->name;
	result->name_loc = model->name_loc;
	ast_add(d->arena, result, replace_defaults(d, model->kids[0], base->kids[0]));
	ast_add(d->arena, result, base->kids[1]);
	result->loc = model->loc;
	map_set(d->declared->models, model->name, result);
	bool own = false;
	for (int i = 0; i < d->declared->own.count; i++) {
		if (d->declared->own.at[i] == model) {
			d->declared->own.at[i] = result;
			own = true;
		}
	}
	inherit_recipes(d, result, base, own);
	return result;
}

/* Replaces the model, and all that it begins from, the last base first. False after a diagnostic. */
static bool derive(Deriving *d, const Ast *model)
{
	ARRAY(const Ast *) chain = {0};
	const Ast *base = model;
	while (base && base->other) {
		if (map_get(d->open, base->name)) {
			diag_error(d->diag, base->name_loc, "recursive-model",
			           "model `%s` begins from itself", base->name);
			return false;
		}
		map_set(d->open, base->name, d);
		array_push(d->arena, &chain, base);
		base = base_of(d, base);
	}
	for (int i = chain.count - 1; i >= 0 && base; i--)
		base = derive_from(d, chain.at[i], base);
	return base != NULL;
}

bool derive_models(Arena *a, Diagnostics *diag, Declarations *declared)
{
	Deriving d = {a, diag, declared, map_new(a)};
	for (int i = 0; i < map_count(declared->models); i++)
		if (!derive(&d, map_value(declared->models, i)))
			return false;
	return true;
}
