/* SPDX-License-Identifier: MIT */
/* What the values of options are. A setter reads one into Options, or ends with EXIT_USAGE and says what it may be;
 * `words` are all that it may be, apart by blanks, in the arena. */
#ifndef NNC_OPTION_VALUES_H
#define NNC_OPTION_VALUES_H

#include "driver/options.h"
#include "front/habits.h"

/* Which of the words the value is; none: EXIT_USAGE, with the nearest one. */
int option_choose(const Options *o, const char *option, HabitPlace place, const char *value,
                  const char *const *words, int count);

void set_emit(Options *o, const char *value);
void set_save_temps(Options *o, const char *value);
void set_check(Options *o, const char *value);
void set_print(Options *o, const char *value);
void set_define(Options *o, const char *value);
void set_setting(Options *o, const char *value);
void set_remarks(Options *o, const char *value);
void set_precision(Options *o, const char *value);
void set_target(Options *o, const char *value);
void set_march(Options *o, const char *value);
void set_library(Options *o, const char *value);
void set_disabled_pass(Options *o, const char *value);
void set_dump(Options *o, const char *value);
void set_opt_passes(Options *o, const char *value);
void set_color(Options *o, const char *value);
void set_diagnostics(Options *o, const char *value);
void set_ranks(Options *o, const char *value);
void set_bucket(Options *o, const char *value);
void set_memory(Options *o, const char *value);
void set_max_errors(Options *o, const char *value);

const char *emit_words(Arena *a);
const char *print_words(Arena *a);
const char *optional_pass_words(Arena *a);
const char *pass_words(Arena *a);
const char *dump_words(Arena *a);

#endif
