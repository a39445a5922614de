/* SPDX-License-Identifier: MIT */
/* Which class was taken for which, counted over the samples of an evaluation. */
#ifndef NNR_CONFUSION_H
#define NNR_CONFUSION_H

#include "runtime/report/mistakes.h"

#include <stdio.h>

typedef struct Confusion {
	int classes;
	int64_t *samples, *right; /* by class; places where each place of a sample has one (scored.h) */
	int64_t *taken;           /* [class that it is][class that it was taken for]; NULL: not counted */
	char *scores;             /* of a batch */
	Mistakes mistakes;        /* of several ranks, of those that this one evaluates */
} Confusion;

/* With a matrix where there are at most `most` classes. NULL: the model does not choose among the classes of a
 * target. */
Confusion *confusion_new(const Session *s, int most);
void confusion_free(Confusion *c);
/* Held-out samples [first, first + count), whose scores are in c->scores, each place of them. One whose scores are no
 * numbers is taken for no class; a place of the class that the loss leaves out is not counted. */
void confusion_add(Confusion *c, const Session *s, int64_t first, int64_t count);
/* The counts of all ranks together, on each. */
void confusion_sum(Confusion *c);
/* A line a class, to stdout. */
void confusion_print(const Confusion *c, const Session *s);
/* To `path`, by its suffix .txt, .csv or .svg; dies with STATUS_DATA where it can't be written or a file is there. */
void confusion_write(const Confusion *c, const Session *s, const char *path);
/* In the form of the suffix of that path. */
void confusion_put(const Confusion *c, const Session *s, const char *path, FILE *to);
/* confusion_svg.c: a picture that needs nothing else, for light and dark paper. */
void confusion_svg(const Confusion *c, const Session *s, FILE *to);

#endif
