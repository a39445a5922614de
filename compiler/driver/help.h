/* SPDX-License-Identifier: MIT */
/* nnc help: what an operator, an optimizer, a setting of a recipe or a word of the language does. */
#ifndef NNC_HELP_H
#define NNC_HELP_H

#include "driver/options.h"

/* Pages for the names given, or what there are pages of; the exit status. */
int command_help(Arena *a, const Options *o);
/* The page of a name; NULL: there is none. */
const char *help_text(Arena *a, const char *name);
/* All that has a page, with blanks between. */
const char *help_names(Arena *a);

#endif
