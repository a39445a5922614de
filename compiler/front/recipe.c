/* SPDX-License-Identifier: MIT */
/* Recipes: the settings of a `train` block and of what it begins from, put together and checked as a whole.
 *
 * A recipe is the settings of its base (`from`), replaced line by line by its own, replaced by those of --set. Where
 * two settings say the same thing (epochs and steps; the rate of `rate` and of the optimizer), the later level wins,
 * and within one level they must agree. */
#include "ir/recipe.h"

#include "base/nearest.h"
#include "base/writer.h"
#include "front/freeze.h"
#include "front/setting.h"

enum { BASES_MOST = 100 };

/* What holds of each row, after bases, heirs and the command line. */
typedef struct Effective {
	const Ast *setting; /* NULL: the default */
	int level;
} Effective;

static int find_key(const char *name, size_t length)
{
	for (int i = 0; i < SETTINGS; i++) {
		if (strncmp(setting_rows[i].key, name, length) == 0 && !setting_rows[i].key[length])
			return i;
	}
	return -1;
}

static const char *list_of_keys(Arena *a)
{
	Writer *w = writer_new(a);
	for (int i = 0; i < SETTINGS; i++)
		write_text(w, "%s%s", i == 0 ? "" : i + 1 < SETTINGS ? ", " : " and ", setting_rows[i].key);
	return writer_text(w, NULL);
}

static bool unknown_setting(Elab *e, const char *name, Loc loc)
{
	const char *keys[SETTINGS];
	for (int i = 0; i < SETTINGS; i++)
		keys[i] = setting_rows[i].key;
	elab_error(e, loc, "unknown-setting", "recipes have no setting `%s`", name);
	if (elab_habit(e, HABIT_SETTING, name, keys, SETTINGS))
		return false;
	if (nearest_word(name, keys, SETTINGS))
		elab_suggest(e, name, keys, SETTINGS);
	else
		diag_help(e->diag, "the settings are %s", list_of_keys(e->arena));
	return false;
}

/* Lines of a setting that repeats as one, whose kids are the lines. */
static const Ast *joined(Elab *e, const Ast *first, const Ast *second)
{
	Ast *lines = ast_new(e->arena, AST_SETTING, first->loc);
	lines->name = first->name;
	lines->name_loc = first->name_loc;
	for (int i = 0; setting_has_lines(first) && i < first->count; i++)
		ast_add(e->arena, lines, first->kids[i]);
	if (!setting_has_lines(first))
		ast_add(e->arena, lines, (Ast *)first);
	return ast_add(e->arena, lines, (Ast *)second);
}

static bool enter_setting(Elab *e, Effective *all, int key, const Ast *setting, int level)
{
	Effective *old = &all[key];
	if (old->setting && old->level == level && setting_rows[key].repeats) {
		old->setting = joined(e, old->setting, setting);
		return true;
	}
	if (old->setting && old->level == level && level != LEVEL_COMMAND_LINE) {
		elab_error(e, setting->name_loc, "duplicate-setting", "`%s` is set twice",
		           setting_rows[key].key);
		diag_note(e->diag, old->setting->name_loc, "the first one is here");
		return false;
	}
	*old = (Effective){setting, level};
	if (!setting_rows[key].instead_of)
		return true;
	Effective *rival = &all[find_key(setting_rows[key].instead_of, strlen(setting_rows[key].instead_of))];
	if (rival->setting && rival->level == level) {
		elab_error(e, setting->name_loc, "conflicting-settings",
		           "a recipe has `%s` or `%s`, not both", setting_rows[key].key,
		           setting_rows[key].instead_of);
		diag_note(e->diag, rival->setting->name_loc, "the other one is here");
		return false;
	}
	rival->setting = NULL;
	return true;
}

/* ---- inheritance */

const char *recipe_name(const Ast *train)
{
	return train->text ? train->text : train->name;
}

const Ast *recipe_base(Elab *e, const Ast *train)
{
	if (!train->other)
		return NULL;
	ARRAY(const char *) names = {0};
	for (int i = 0; i < e->declared->trains.count; i++) {
		const Ast *t = e->declared->trains.at[i];
		if (strcmp(t->name, train->name) != 0)
			continue;
		if (strcmp(recipe_name(t), train->other) == 0)
			return t;
		array_push(e->arena, &names, recipe_name(t));
	}
	elab_error(e, train->name_loc, "unknown-recipe", "model `%s` has no recipe `%s` to begin from",
	           train->name, train->other);
	elab_suggest(e, train->other, names.at, names.count);
	return NULL;
}

/* The recipe and its bases, the last base first. Returns how many; -1 after a diagnostic. */
static int chain_of(Elab *e, const Ast *train, const Ast *chain[BASES_MOST])
{
	int count = 0;
	for (const Ast *t = train; t; t = recipe_base(e, t)) {
		for (int i = 0; i < count; i++) {
			if (chain[i] == t || count == BASES_MOST) {
				elab_error(e, t->name_loc, "recursive-recipe",
				           "recipe `%s` begins from itself", recipe_name(t));
				return -1;
			}
		}
		chain[count++] = t;
		if (t->other && !recipe_base(e, t))
			return -1;
	}
	for (int i = 0; i < count / 2; i++) {
		const Ast *t = chain[i];
		chain[i] = chain[count - 1 - i];
		chain[count - 1 - i] = t;
	}
	return count;
}

static bool enter_recipes(Elab *e, const Ast *train, Effective *all)
{
	const Ast *chain[BASES_MOST];
	int count = train ? chain_of(e, train, chain) : 0;
	bool ok = count >= 0;
	for (int level = 0; level < count; level++) {
		const Ast *body = chain[level]->kids[1];
		for (int i = 0; i < body->count; i++) {
			const Ast *s = body->kids[i];
			int key = find_key(s->name, strlen(s->name));
			ok = (key >= 0 ? enter_setting(e, all, key, s, level)
			               : unknown_setting(e, s->name, s->name_loc)) &&
			     ok;
		}
	}
	return ok;
}

/* --set KEY=VALUE is a line of one item; --set optimizer.ARG=VALUE is kept for the optimizer. */
static bool enter_definitions(Elab *e, Definition *set, int count, Effective *all, Reader *r)
{
	bool ok = true;
	Definition *overrides = NEW_ARRAY(e->arena, Definition, count);
	for (int i = 0; i < count; i++) {
		const Ast *arg = set[i].arg;
		if (!arg)
			continue;
		size_t length = strcspn(arg->name, ".");
		int key = find_key(arg->name, length);
		set[i].used = true;
		if (key < 0 || (arg->name[length] && key != KEY_OPTIMIZER)) {
			ok = unknown_setting(e, arg->name, arg->name_loc);
			continue;
		}
		if (arg->name[length]) {
			overrides[r->override_count++] = set[i];
			continue;
		}
		Ast *line = ast_new(e->arena, AST_SETTING, arg->loc);
		line->name = setting_rows[key].key;
		line->name_loc = arg->name_loc;
		for (int k = 0; k < arg->count; k++)
			ast_add(e->arena, line, arg->kids[k]);
		/* A number given here leaves the recipe's schedule, a schedule its number: both lines are read. */
		if (strcmp(line->name, "rate") == 0 && all[key].setting)
			ok = read_setting(r, &setting_rows[key], all[key].setting, all[key].level) && ok;
		if (strcmp(line->name, "freeze") == 0 && all[key].setting)
			warn_of_lost_freezes(e, all[key].setting, line);
		ok = enter_setting(e, all, key, line, LEVEL_COMMAND_LINE) && ok;
	}
	r->optimizer_overrides = overrides;
	return ok;
}

/* ---- the whole recipe */

static bool settle_rate(Reader *r)
{
	OptimizerArg *args = (OptimizerArg *)r->recipe->optimizer.args, *own = NULL;
	for (int i = 0; i < r->recipe->optimizer.arg_count; i++) {
		if (strcmp(args[i].name, "rate") == 0)
			own = &args[i];
	}
	bool both = r->rate_level != LEVEL_DEFAULT && own && r->optimizer_rate_level == r->rate_level;
	if (both && own->value != r->rate) {
		elab_error(r->e, r->rate_ast->loc, "conflicting-settings",
		           "the rate is %s here and %s in the optimizer", number_text(r->e->arena, r->rate),
		           number_text(r->e->arena, own->value));
		diag_note(r->e->diag, r->recipe->optimizer.loc, "the optimizer is here");
		return false;
	}
	bool by_setting = r->rate_level > r->optimizer_rate_level || both;
	r->recipe->schedule.rate = by_setting || !own ? r->rate : own->value;
	if (own)
		own->value = r->recipe->schedule.rate;
	return true;
}

/* Of two lengths in different units only the trainer knows which is longer, and says it too. */
static void warn_of_warmup(const Reader *r)
{
	const Schedule *s = &r->recipe->schedule;
	Span length = r->recipe->length;
	if (s->warmup.amount == 0 || s->warmup.in_epochs != length.in_epochs ||
	    s->warmup.amount < length.amount)
		return;
	Arena *a = r->e->arena;
	diag_warning(r->e->diag, r->warmup_loc, "long-warmup",
	             "the warm-up does not end within the training of %s %s: the rate stays below %s",
	             number_text(a, length.amount),
	             length.amount == 1 ? length.in_epochs ? "epoch" : "step"
	             : length.in_epochs ? "epochs"
	                                : "steps",
	             number_text(a, s->rate));
}

static char *span_text(Arena *a, Span s)
{
	return arena_printf(a, "%s%s", number_text(a, s.amount), s.in_epochs ? "ep" : "it");
}

static void write_optimizer(Arena *a, Writer *w, const OptimizerUse *o)
{
	write_text(w, "optimizer %s(", o->name);
	for (int i = 0; i < o->arg_count; i++)
		write_text(w, "%s%s = %s", i ? ", " : "", o->args[i].name, number_text(a, o->args[i].value));
	write_text(w, ")");
}

static void write_group(Arena *a, Writer *w, const ParamGroup *g)
{
	for (int i = 0; i < g->patterns.count; i++)
		write_text(w, "%s%s", i ? "," : "; group ", g->patterns.at[i].text);
	if (g->optimizer.name) {
		write_text(w, " ");
		write_optimizer(a, w, &g->optimizer);
	}
	if (g->rate > 0)
		write_text(w, " rate %s", number_text(a, g->rate));
	if (g->decay >= 0)
		write_text(w, " decay %s", number_text(a, g->decay));
}

static char *canonical_text(Arena *a, const Recipe *r)
{
	const Schedule *s = &r->schedule;
	Writer *w = writer_new(a);
	if (r->data)
		write_text(w, "data %s; ", r->data);
	if (r->shorter_side)
		write_text(w, "resize keep_aspect(shorter = %lld); ", (long long)r->shorter_side);
	if (*r->augment_members)
		write_text(w, "%s; ", augment_text(a, &r->augment));
	write_optimizer(a, w, &r->optimizer);
	write_text(w, "; rate %s", number_text(a, s->rate));
	if (s->warmup.amount > 0)
		write_text(w, " warmup %s", span_text(a, s->warmup));
	write_text(w, " %s", schedule_names[s->kind]);
	if (s->kind == SCHEDULE_STEP)
		write_text(w, "(every = %s, gamma = %s)", span_text(a, s->every), number_text(a, s->gamma));
	if (s->final_rate > 0)
		write_text(w, " to %s", number_text(a, s->final_rate));
	write_text(w, "; batch %lld", (long long)r->batch);
	if (r->chunk)
		write_text(w, "; chunk %lld", (long long)r->chunk);
	write_text(w, "; %s %s; precision %s; seed %llu", r->length.in_epochs ? "epochs" : "steps",
	           number_text(a, r->length.amount), r->precision, (unsigned long long)r->seed);
	if (r->clip_norm > 0)
		write_text(w, "; clip %s", number_text(a, r->clip_norm));
	if (r->wire_bf16)
		write_text(w, "; wire bf16");
	if (r->shards)
		write_text(w, "; shard optimizer");
	write_text(w, "; decay %s", r->decay_exempt ? "weights" : "all");
	for (int i = 0; i < r->freeze.count; i++)
		write_text(w, "%s%s", i ? "," : "; freeze ", r->freeze.at[i].text);
	if (r->phase.amount > 0)
		write_text(w, "; phase %s", span_text(a, r->phase));
	for (int i = 0; r->phase.amount > 0 && i < r->phase_freeze.count; i++)
		write_text(w, "%s%s", i ? "," : " freeze ", r->phase_freeze.at[i].text);
	if (r->phase_rate > 0)
		write_text(w, " rate %s", number_text(a, r->phase_rate));
	for (int i = 0; i < r->groups.count; i++)
		write_group(a, w, &r->groups.at[i]);
	if (r->ema > 0)
		write_text(w, "; ema %s", number_text(a, r->ema));
	write_text(w, "%s", column_rules_text(a, r));
	return arena_strdup(a, writer_text(w, NULL));
}

double optimizer_use_arg(const OptimizerUse *o, const char *name)
{
	for (int i = 0; i < o->arg_count; i++)
		if (strcmp(o->args[i].name, name) == 0)
			return o->args[i].value;
	return 0;
}

static bool has_own_optimizers(const Recipe *r)
{
	for (int i = 0; i < r->groups.count; i++)
		if (r->groups.at[i].optimizer.name)
			return true;
	return false;
}

/* What needs the whole of the flat tensors where a rank has a share. */
static bool check_shard(const Reader *r)
{
	const Recipe *recipe = r->recipe;
	const char *why = NULL;
	if (!recipe->shards)
		return true;
	if (optimizer_find(recipe->optimizer.name)->by_tensor)
		why = arena_printf(r->e->arena, "`%s` looks at each tensor as a whole",
		                   recipe->optimizer.name);
	else if (has_own_optimizers(recipe))
		why = "a group has an optimizer of its own";
	else if (recipe->ema > 0)
		why = "evaluation reads the average of all parameters that `ema` keeps";
	else if (strcmp(recipe->precision, "fp16") == 0)
		why = "the loss scale of fp16 follows the gradients of all parameters";
	if (!why)
		return true;
	elab_error(r->e, recipe->shard_loc, "conflicting-settings", "the optimizer can't be shared out: %s",
	           why);
	diag_help(r->e->diag, "leave the line out, or give --set shard=none");
	return false;
}

static bool read_settings(Elab *e, const Ast *train, Definition *set, int set_count, Recipe *recipe)
{
	Effective all[SETTINGS] = {0};
	Reader r = {
	        .e = e, .recipe = recipe, .rate_level = LEVEL_DEFAULT, .optimizer_rate_level = LEVEL_DEFAULT};
	bool ok = enter_recipes(e, train, all);
	ok = enter_definitions(e, set, set_count, all, &r) && ok;
	for (int i = 0; i < SETTINGS; i++) {
		if (!all[i].setting)
			continue;
		array_push(e->arena, &recipe->places,
		           (SettingPlace){setting_rows[i].key, all[i].setting->loc});
		ok = read_setting(&r, &setting_rows[i], all[i].setting, all[i].level) && ok;
	}
	if (ok && !all[KEY_OPTIMIZER].setting)
		ok = read_default_optimizer(&r, train ? train->name_loc : loc_none());
	ok = ok && settle_rate(&r) && check_shard(&r);
	if (ok)
		warn_of_warmup(&r);
	return ok;
}

Recipe *recipe_new(Elab *e, const Ast *train, const char *model, Definition *set, int set_count)
{
	Recipe *recipe = NEW(e->arena, Recipe);
	*recipe = recipe_defaults;
	recipe->name = train ? recipe_name(train) : model;
	recipe->model = model;
	recipe->loc = train ? train->name_loc : loc_none();
	Frame f;
	frame_push(e, &f, NULL, "", NULL);
	e->units_allowed = true;
	bool ok = read_settings(e, train, set, set_count, recipe);
	e->units_allowed = false;
	frame_pop(e);
	if (!ok)
		return NULL;
	recipe->augment_members = augment_members(e->arena, &recipe->augment);
	recipe->text = canonical_text(e->arena, recipe);
	return recipe;
}
