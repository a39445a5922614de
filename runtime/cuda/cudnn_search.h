/* SPDX-License-Identifier: MIT */
/* The search for the fastest plan of one operation. Private to the cudnn files. */
#ifndef NNR_CUDA_CUDNN_SEARCH_H
#define NNR_CUDA_CUDNN_SEARCH_H

#include "runtime/cuda/cudnn_answer.h"

typedef struct Search {
	const Graph *graphs; /* by form; a form without a graph is left out */
	Form other; /* the form that is not one plan of cuDNN's: PRODUCT, PLAIN, FORMS where there is none */
	cudnnDataType_t type;
	const char *key; /* of the progress line */
	/* Microseconds of one run; INFINITY: it does not work, or computes something else than the first that did. What
	 * is clearly slower than best_us may be measured roughly. */
	double (*time)(void *context, const Answer *a, double best_us);
	void *context;
	double until;         /* clock_seconds: the end, once something works */
	double compiles_from; /* microseconds: what takes longer is worth plans that are compiled */
	const Answer *known;  /* NULL, or what an earlier search found: tried first */
	const Answer *alike;  /* NULL, or that of an operation like this one: tried next */
	int next;             /* candidates of the list that it tried; afterwards: this one too */
	bool partial;         /* afterwards: there was no time for all that would have been tried */
	/* found; best_us is INFINITY where nothing works */
	Answer best;
	double best_us, second_us, first_us; /* first: of the first answer that works */
	int tried;                           /* answers that work */
} Search;

/* Times the heuristics' answers and changes the fastest knob by knob. */
void search_fastest(Search *s);
/* The heuristics' first answer that works, without timing: `time` returns 0 for one that does. Where `other` is PLAIN,
 * only one that is not compiled when the plan is made; best_us is INFINITY where there is none. Allocates nothing. */
void search_first(Search *s);
/* After search_fastest: what it measured, and how far it came. Not `settled`: the next one begins anew. */
void search_to_entry(const Search *s, bool settled, TuneEntry *e);

#endif
