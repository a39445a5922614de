/* SPDX-License-Identifier: MIT */
/* The language's words for editors: nnc --manual=vim and --manual=textmate. */
#ifndef NNC_GRAMMAR_H
#define NNC_GRAMMAR_H

#include "base/arena.h"

/* The grammar of that name, made of the tables of keywords, operators and settings; NULL: there is none. */
const char *grammar_text(Arena *a, const char *form);

#endif
