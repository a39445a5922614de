/* SPDX-License-Identifier: MIT */
/* Completions for bash, zsh and fish; what they ask of a manual. */
#ifndef NNC_MANUAL_SHELLS_H
#define NNC_MANUAL_SHELLS_H

#include "manual.h"

#include <stdbool.h>

void print_bash(const Manual *m);
void print_zsh(const Manual *m);
void print_fish(const Manual *m);

typedef enum { MANUAL_NO_VALUE, MANUAL_TEXT, MANUAL_WORDS, MANUAL_FILE, MANUAL_FOLDER } ManualValue;

bool manual_takes(const ManualOption *o, int command);
ManualValue manual_value(const ManualOption *o);
/* Of an option whose value is one of MANUAL_WORDS. */
const char *manual_words(const ManualOption *o);
/* The first word of a list and its length, or NULL at its end; the next is found from after it. */
const char *manual_next_word(const char *at, int *length);
/* The text in single quotes, on one line; `escape` stands for a quote in it. */
void manual_quote(const char *text, const char *escape);
/* The name of the program's function, after an underscore. */
void manual_function(const Manual *m);

#endif
