/* SPDX-License-Identifier: MIT */
/* What a text defines, and where: found by its words alone, so that a text which is being written has names, too. */
#ifndef NNC_NAMES_H
#define NNC_NAMES_H

#include "base/array.h"
#include "base/source.h"

typedef enum {
	NAME_BLOCK,
	NAME_MODEL,
	NAME_ARGUMENT,
	NAME_INPUT,
	NAME_TARGET,
	NAME_PARAM,
	NAME_VARIABLE
} NameKind;

typedef struct Name {
	NameKind kind;
	const char *name;
	Loc loc;  /* of the name */
	Loc item; /* the block or model that knows it; of those themselves: the whole text */
} Name;

typedef ARRAY(Name) Names;

/* All definitions of the text, in order. */
Names names_of(Arena *a, const Source *source);
/* What `name` means at a place of the text: the last definition before it that is known there, else a block or model of
 * the text; NULL: none. */
const Name *names_find(const Names *names, const char *name, int offset);
/* Whether the place is inside a `train`, whose lines are settings. */
bool names_in_recipe(Arena *a, const Source *source, int offset);
/* The name or keyword at a place, or right before it; NULL: none is there. */
const char *names_word(Arena *a, const Source *source, int offset, Loc *loc);

#endif
