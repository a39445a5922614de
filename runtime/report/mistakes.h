/* SPDX-License-Identifier: MIT */
/* Samples that were taken for another class than theirs: those of which the network was surest, as pictures. */
#ifndef NNR_MISTAKES_H
#define NNR_MISTAKES_H

#include "runtime/session/scored.h"
#include "runtime/session/session.h"

#include <stdio.h>

enum { MISTAKES_KEPT = 24 };

typedef struct Mistake {
	int64_t sample; /* of the held-out ones */
	int is, taken;
	double probability;
} Mistake;

typedef struct Mistakes {
	int count;
	Mistake at[MISTAKES_KEPT]; /* the surest first */
} Mistakes;

/* Keeps it where it is one of the surest. */
void mistakes_add(Mistakes *list, int64_t sample, int is, Choice taken);
/* The columns file, class, probability, truth, picture; the last is a PNG as "data:image/png;base64,...", empty where a
 * sample is none. nnc's page shows such a file too: --predictions. */
void mistakes_csv(const Mistakes *list, const Session *s, FILE *to);
/* The same as figures of a page. */
void mistakes_html(const Mistakes *list, const Session *s, FILE *to);

#endif
