/* SPDX-License-Identifier: MIT */
/* What a rule is applied to, for its proof (rules.c): leaves, numbers, masks and attributes by chance. */
#ifndef NNC_RULES_DRAW_H
#define NNC_RULES_DRAW_H

#include "rules/rules.h"

typedef struct Draw {
	Arena *arena;
	Build b;
	const Rule *rule;
	bool finite, untied, has_infinities;
	const char *seed; /* of this draw */
	int count;        /* of numbers drawn */
	Type shape;       /* what most leaves have */
	int64_t order[LIMIT_RANK];
	Attr axes;             /* the last attribute drawn */
	int64_t axis, both[2]; /* that and the first */
	Match m;               /* what the names of the pattern stand for */
	Map *leaves;
} Draw;

double draw_unit(Draw *d);      /* from 0 to 1 */
int draw_below(Draw *d, int n); /* from 0 to n - 1 */
Node *draw_leaf_of(Draw *d, Type t);
Node *draw_leaf(Draw *d);   /* of the shape that most have, or one that is broadcast to it */
Node *draw_labels(Draw *d); /* the class of each row of d->shape, of as many as it has columns */
Node *draw_there_and_back(Draw *d, Node *x); /* exp(-x/2), between two reshapes */
bool draw_is_of(const Draw *d, const char *rule);
/* The nodes of a pattern; `of`: the operator that reads them, or "". NULL: the types don't fit. */
Node *draw_pattern(Draw *d, const Formula *x, const char *of);
/* rules_whole.c: what the rule is applied to; NULL as above. */
Node *draw_whole(Draw *d);

#endif
