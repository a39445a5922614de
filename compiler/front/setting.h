/* SPDX-License-Identifier: MIT */
/* One line of a recipe: what front/recipe.c and front/setting.c share. */
#ifndef NNC_SETTING_H
#define NNC_SETTING_H

#include "front/eval.h"
#include "ops/optim.h"

enum { LEVEL_DEFAULT = -1, LEVEL_COMMAND_LINE = 1000 };

extern const Recipe recipe_defaults;

/* One line being read: the kids of a SETTING from left to right. */
typedef struct Reader {
	Elab *e;
	Recipe *recipe;
	const Ast *setting;
	const char *usage;
	int at;    /* next kid */
	int lines; /* of a setting that repeats, this one of them */
	int level; /* 0 for the first base, one more for each heir, LEVEL_COMMAND_LINE for --set */
	int rate_level, optimizer_rate_level; /* who gave the rate */
	double rate;                          /* of `rate` */
	const Ast *rate_ast;
	Loc warmup_loc; /* where the schedule has one */
	const Definition *optimizer_overrides;
	int override_count;
} Reader;

typedef struct SettingRow {
	const char *key, *usage;
	const char *doc;         /* a sentence for `nnc help` */
	bool (*read)(Reader *r); /* reads r->setting into r->recipe; false after a diagnostic */
	const char *instead_of;  /* another key that says the same thing otherwise */
	bool repeats;            /* lines of one recipe are read as one */
} SettingRow;

enum { SETTINGS = 25, KEY_OPTIMIZER = 3 };

extern const SettingRow setting_rows[SETTINGS];
extern const char *const schedule_names[]; /* by ScheduleKind */

/* Whether its kids are lines of their own: of a setting that repeats. */
bool setting_has_lines(const Ast *setting);
/* Reads a setting by its row, line by line; false after a diagnostic. */
bool read_setting(Reader *r, const SettingRow *row, const Ast *setting, int level);
/* The default optimizer with what --set says of it, for a recipe without an `optimizer` line. */
bool read_default_optimizer(Reader *r, Loc loc);

/* ---- reading a line, for the functions of the rows */

/* Reports with the line's usage; false. */
bool setting_error(Reader *r, Loc loc, const char *id, const char *message);
const Ast *setting_peek(Reader *r); /* the next item, NULL at the end */
Loc setting_here(Reader *r);
/* Takes the next item when it is the bare word `word`. */
bool setting_take_word(Reader *r, const char *word);
/* Takes the next item, a number of `least` or more; else a diagnostic about `what`. */
bool setting_take_span(Reader *r, const char *what, Span *out); /* likewise, 5ep or 500it */
bool setting_take_number(Reader *r, const char *what, double least, bool least_allowed, double *out);
/* Takes the next item, an optimizer with arguments. `is_own`: of a group, and more may follow. */
bool setting_take_optimizer(Reader *r, bool is_own, OptimizerUse *use);
/* That nothing is left, else a diagnostic. */
bool setting_end(Reader *r);
void setting_suggest(Reader *r, HabitPlace place, const char *word, const char *const *words, int count);

/* columns.c: what is said of the columns of a table, and of what is held out. */
bool read_missing(Reader *r);
bool read_ignore(Reader *r);
bool read_pass(Reader *r);
bool read_holdout(Reader *r);
bool read_balance(Reader *r);
/* "; missing age,income flag; pass Id": as the recipe's one-line text goes on. */
char *column_rules_text(Arena *a, const Recipe *r);

/* augment.c: how images become samples. */
bool read_augment_list(Reader *r);
bool read_resize(Reader *r);
/* One item: in a line of `data` more may follow. */
bool read_resize_item(Reader *r);
/* As in a recipe: "augment flip, crop(pad = 4)". */
const char *augment_text(Arena *arena, const Augment *a);
/* As Recipe.augment_members has it. */
const char *augment_members(Arena *arena, const Augment *a);

#endif
