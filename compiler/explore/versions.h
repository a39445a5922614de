/* SPDX-License-Identifier: MIT */
/* The IR of a training step after each pass, as lines whose nodes keep their numbers from pass to pass, so that two
 * versions differ in what a pass changed and in nothing else. */
#ifndef NNC_VERSIONS_H
#define NNC_VERSIONS_H

#include "emit/compiled.h"
#include "emit/step_table.h"
#include "explore/sets.h"

typedef struct IrLine {
	const char *text;
	int number; /* of the node that it defines; -1: it is no node */
	int set;    /* of its places */
	int phase;  /* of its node; -1 */
} IrLine;

/* A rule of compiler/rules/ that a pass applied. */
typedef struct IrRule {
	const char *name, *text, *why; /* "x*1 -> x"; NULL where the rule gives no reason */
	int times;
} IrRule;

typedef struct IrVersion {
	const char *pass, *doc;
	ARRAY(IrRule) rules;
	ARRAY(int) lines; /* of Versions.lines */
} IrVersion;

typedef ARRAY(const char *) Keys;

/* The nodes of a graph: their numbers, and by number what each says. */
typedef struct Numbered {
	const int *numbers; /* by id */
	int count;
	ARRAY(int) at;
	Keys exact, loose; /* of those */
} Numbered;

typedef struct Versions {
	Arena *arena;
	NetPlaces *places;
	ARRAY(IrLine) lines; /* each once */
	Map *line_numbers;
	IntSets *sets;         /* of places */
	ARRAY(IrVersion) at;   /* those that differ from the one before */
	Numbered last, whole;  /* of the last; of the last one ahead of the strategies */
	int whole_count, next; /* versions ahead of the strategies; the number of the next new node */
	unsigned stage;        /* of the last */
	PassWatch watch;       /* fills it, of what is called "training" */
} Versions;

Versions *versions_new(Arena *a, NetPlaces *places);
/* The number of a set of places. */
int versions_set(Versions *v, Sites sites);

#endif
