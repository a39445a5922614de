/* nnc help: what an operator, an optimizer, a setting of a recipe or a word of the language does. */
#ifndef NNC_HELP_H
#define NNC_HELP_H

#include "options.h"

/* Pages for the names given, or what there are pages of; the exit status. */
int command_help(Arena *a, const Options *o);
/* All that has a page, with blanks between. */
const char *help_names(Arena *a);

#endif
