/* SPDX-License-Identifier: MIT */
/* Source text and places in it. */
#ifndef NNC_SOURCE_H
#define NNC_SOURCE_H

#include "base/arena.h"
#include <stdbool.h>

/* A .net file, or a piece of text given on the command line (-D, --set), held whole in memory. */
typedef struct Source {
	const char *path; /* as the user wrote it; printed in diagnostics */
	const char *text; /* NUL-terminated; holds no other NUL */
	int length;
	const int *line_starts; /* byte offset of each line */
	int line_count;
} Source;

/* A byte range [start, end) of one source; source == NULL: no place is known. */
typedef struct Loc {
	const Source *source;
	int start, end;
} Loc;

/* One place a node came from. `parent` is the call that instantiated the block the place is in, and so on
 * outwards; `scope` is the stable path of that instantiation ("layer1.0"), "" at the top of a model. */
typedef struct Site {
	Loc loc;
	const struct Site *parent;
	const char *block; /* name of the block entered at `parent`, NULL at the top */
	const char *scope;
} Site;

/* An immutable set of sites, in source order without repeats. Fusion and differentiation take unions. */
typedef struct Sites {
	const Site *const *at;
	int count;
} Sites;

/* NULL when the text is longer than the source limit or holds a NUL; *why then says so. */
Source *source_from_text(Arena *a, const char *path, const char *text, size_t length, const char **why);
/* NULL when the file can't be read; *why is a sentence with the reason. */
Source *source_read(Arena *a, const char *path, const char **why);

void loc_position(Loc loc, int *line, int *column); /* both from 1; columns count bytes */
int loc_line(Loc loc);                              /* 0 for no place */
Loc loc_join(Loc first, Loc last);
Loc loc_none(void);

Sites sites_one(Arena *a, const Site *site);
Sites sites_union(Arena *a, Sites x, Sites y);
/* "resnet50.net:9" or "resnet50.net:9,11,14" (one file's lines, sorted, at most `most`, then ",..."); file
 * names without their folder; the innermost place of each site. For comments and plans. */
char *sites_text(Arena *a, Sites s, int most);

#endif
