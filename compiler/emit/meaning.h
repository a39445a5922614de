/* SPDX-License-Identifier: MIT */
/* What a model's numbers mean to people, for the tables of generated C: which output scores the classes, and what the
 * dimensions of a weight are. Both are read off a graph as it was elaborated, before any pass. */
#ifndef NNC_MEANING_H
#define NNC_MEANING_H

#include "base/map.h"
#include "ir/graph.h"

/* An output of prediction, [batch, classes] or [batch, ..., classes], and the target whose class cross_entropy compares
 * it with. */
typedef struct Scored {
	const char *output; /* NULL: there is none */
	const char *target; /* NULL: the target is a probability for each class */
	bool softmaxed;     /* the output is softmax of what is compared */
	int64_t uncounted;  /* a class and 1: places of that class do not count in the loss; 0: all do */
} Scored;

/* Of the evaluation graph. One class a sample comes before one at each place of it, what is compared before its
 * softmax, the first output before later ones. */
Scored meaning_scored(Arena *a, const Graph *evaluation);
/* By the name of a parameter, a letter for each of its dimensions: "OHWI" of a convolution's filters, "OI" of a dense
 * layer's, "VC" of an embedding's table (rows, channels). NULL: it is none of these. */
Map *meaning_layouts(Arena *a, const Graph *evaluation);

#endif
