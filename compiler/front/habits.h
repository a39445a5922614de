/* SPDX-License-Identifier: MIT */
/* What those who come from other frameworks and languages write, and what to write here: one table for everything that
 * looks names up. A message that knows no name asks it before it guesses by spelling. */
#ifndef NNC_HABITS_H
#define NNC_HABITS_H

#include "base/arena.h"
#include "base/source.h"

#include <stdbool.h>

typedef enum {
	HABIT_STATEMENT, /* the first word of a statement or an item */
	HABIT_CALL,
	HABIT_ARGUMENT, /* of calls, blocks and optimizers */
	HABIT_NAME,     /* an expression */
	HABIT_TYPE,
	HABIT_SETTING,
	HABIT_UNIT, /* after a number */
	HABIT_DATA,
	HABIT_AUGMENT,
	HABIT_SCHEDULE,
	HABIT_PRECISION,
	HABIT_OPTION, /* of nnc, without dashes */
	HABIT_LIBRARY,
	HABIT_TARGET,
	HABIT_ARCH,
	HABIT_TABLE, /* of --print */
	HABIT_EMIT,
	HABIT_PASS,  /* of -fno-, --dump and --pass */
	HABIT_VALUE, /* of any other option */
} HabitPlace;

/* What to write instead of `word`, as a sentence, or NULL. Upper and lower case are the same, `_` and `-` nothing. What
 * is one of several words here is said only where it is among the `count` that are `possible`; NULL: anywhere. */
const char *habit_help(Arena *a, HabitPlace place, const char *word, const char *const *possible, int count);

/* Whether `//` stands ahead of `at` on its line, after a blank, as comments of other languages begin. */
bool habit_is_comment(Loc at);
/* embedding(50, 16)(x): the callee, by the `)` that `close` is: the first or, with `second`, the last. NULL: there are
 * no two pairs of parentheses, or nothing is called. */
const char *habit_called_twice(Arena *a, Loc close, bool second);
/* Whether the bracket `[` takes a part of a value: it is no list, and not the shape in a type. */
bool habit_takes_part(Loc bracket);

#endif
