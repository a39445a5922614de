/* SPDX-License-Identifier: MIT */
/* What a syntax error says. Private to compiler/front. */
#ifndef NNC_SYNTAX_ERROR_H
#define NNC_SYNTAX_ERROR_H

#include "front/tree.h"

enum { TOKENS = 400 }; /* above every token kind of parser.h */

/* Reports that a token of the kind `found` stands at loc, where one of the kinds `expected` could. */
void syntax_error(Parser *p, const bool expected[TOKENS], int found, Loc loc);

/* A token's kind as it is written, or what it is: "(", "a name". Defined in parser.y. */
const char *token_name(int kind);

#endif
