/* SPDX-License-Identifier: MIT */
/* What a recipe says of the columns of a table, and of what is held out. */
#include "base/writer.h"
#include "front/setting.h"

#include <string.h>

/* As models write them, by ColumnRuleKind. */
static const char *const rule_words[] = {
        [COLUMN_MEDIAN] = "median", [COLUMN_MEAN] = "mean", [COLUMN_MODE] = "mode",
        [COLUMN_FLAG] = "flag",     [COLUMN_DROP] = "drop", [COLUMN_IGNORED] = "ignore",
        [COLUMN_PASSED] = "pass",
};

enum { MISSING_WORDS = COLUMN_DROP + 1 };

/* Names in quotes, a rule for each; returns how many. */
static int add_names(Reader *r, ColumnRuleKind kind)
{
	int count = 0;
	for (const Ast *next = setting_peek(r); next && next->kind == AST_STRING; next = setting_peek(r)) {
		array_push(r->e->arena, &r->recipe->columns, ((ColumnRule){next->text, kind}));
		r->at++;
		count++;
	}
	return count;
}

bool read_missing(Reader *r)
{
	Loc loc = setting_here(r);
	if (setting_take_word(r, "none"))
		return r->lines > 1 ? setting_error(r, loc, "setting-syntax",
		                                    "there are other lines: `none` stands alone")
		                    : setting_end(r);
	const int first = r->recipe->columns.count;
	if (add_names(r, COLUMN_MEDIAN) == 0)
		array_push(r->e->arena, &r->recipe->columns, ((ColumnRule){"*", COLUMN_MEDIAN}));
	for (int i = 0; i < MISSING_WORDS; i++) {
		if (!setting_take_word(r, rule_words[i]))
			continue;
		for (int k = first; k < r->recipe->columns.count; k++)
			r->recipe->columns.at[k].kind = (ColumnRuleKind)i;
		return setting_end(r);
	}
	const Ast *next = setting_peek(r);
	setting_error(r, setting_here(r), "setting-type",
	              next ? "this is no way to treat missing values"
	                   : "what becomes of them is missing here");
	if (next && next->kind == AST_NAME)
		setting_suggest(r, HABIT_VALUE, next->name, rule_words, MISSING_WORDS);
	return false;
}

static bool read_names(Reader *r, ColumnRuleKind kind)
{
	if (setting_take_word(r, "none"))
		return setting_end(r);
	return add_names(r, kind) > 0
	               ? setting_end(r)
	               : setting_error(r, setting_here(r), "setting-type",
	                               "the name of a column, or a pattern of names, stands in quotes");
}

bool read_ignore(Reader *r)
{
	return read_names(r, COLUMN_IGNORED);
}

bool read_pass(Reader *r)
{
	return read_names(r, COLUMN_PASSED);
}

/* By SplitKind. */
static const char *const split_words[] = {"", "stratified", "column", "group", "time"};

static bool takes_share(const Reader *r)
{
	const Ast *next = r->at < r->setting->count ? r->setting->kids[r->at] : NULL;
	return next && next->kind != AST_NAME && next->kind != AST_STRING;
}

bool read_holdout(Reader *r)
{
	enum { KINDS = sizeof split_words / sizeof *split_words };
	Recipe *recipe = r->recipe;
	recipe->split = SPLIT_SHARE;
	recipe->holdout = 0;
	const Loc loc = setting_here(r);
	if (takes_share(r) && !setting_take_number(r, "the share", 0, false, &recipe->holdout))
		return false;
	if (recipe->holdout > 0.9)
		return setting_error(r, loc, "setting-range", "the share is at most 0.9");
	for (int i = SPLIT_STRATIFIED; i < KINDS && recipe->split == SPLIT_SHARE; i++)
		if (setting_take_word(r, split_words[i]))
			recipe->split = (SplitKind)i;
	const Ast *next = setting_peek(r);
	if (recipe->split >= SPLIT_COLUMN) {
		if (!next || next->kind != AST_STRING || !*next->text)
			return setting_error(r, setting_here(r), "setting-type",
			                     "the name of a column stands in quotes");
		recipe->split_column = next->text;
		r->at++;
	} else if (recipe->split == SPLIT_SHARE && (next || recipe->holdout == 0)) {
		setting_error(r, setting_here(r), "setting-type", "this says not what is held out");
		if (next && next->kind == AST_NAME)
			setting_suggest(r, HABIT_VALUE, next->name, split_words + 1, KINDS - 1);
		return false;
	}
	if (recipe->split == SPLIT_COLUMN && recipe->holdout > 0)
		return setting_error(r, loc, "setting-syntax",
		                     "the column says what is held out, and no share");
	return setting_end(r);
}

bool read_balance(Reader *r)
{
	static const char *const words[] = {"classes"};
	const Ast *next = setting_peek(r);
	r->recipe->balance = false;
	if (setting_take_word(r, "none"))
		return setting_end(r);
	if (setting_take_word(r, words[0])) {
		r->recipe->balance = true;
		return setting_end(r);
	}
	setting_error(r, setting_here(r), "setting-type",
	              next ? "this can't be balanced" : "what is balanced is missing here");
	if (next && next->kind == AST_NAME)
		setting_suggest(r, HABIT_VALUE, next->name, words, 1);
	return false;
}

char *column_rules_text(Arena *a, const Recipe *r)
{
	Writer *w = writer_new(a);
	for (int i = 0; i < r->columns.count; i++) {
		const ColumnRule *rule = &r->columns.at[i];
		if (rule->kind <= COLUMN_DROP)
			write_text(w, "; missing %s %s", rule->pattern, rule_words[rule->kind]);
		else
			write_text(w, "; %s %s", rule_words[rule->kind], rule->pattern);
	}
	if (r->holdout > 0 || r->split != SPLIT_SHARE)
		write_text(w, "; holdout");
	if (r->holdout > 0)
		write_text(w, " %s", number_text(a, r->holdout));
	if (r->split != SPLIT_SHARE)
		write_text(w, " %s", split_words[r->split]);
	if (r->split_column)
		write_text(w, " %s", r->split_column);
	if (r->balance)
		write_text(w, "; balance classes");
	return arena_strdup(a, writer_text(w, NULL));
}
