/* SPDX-License-Identifier: MIT */
/* Metrics over all samples of an evaluation: what no mean of numbers per sample is. Each batch's scores and targets
 * come to the host; of most metrics some sums for each column are kept, of those that rank samples (auc,
 * average_precision) every score and target, of all ranks on each of them. */
#ifndef NNR_MEASURES_H
#define NNR_MEASURES_H

#include "runtime/session/session.h"

typedef struct Measures Measures;

/* Dies with STATUS_MEMORY where what an evaluation keeps of the held-out samples takes more than half of the memory
 * that is left. Nothing where the model has no such metric. */
void measures_check(const Session *s);
/* For one evaluation. NULL: the model has no such metric. */
Measures *measures_new(const Session *s);
void measures_free(Measures *m); /* NULL: nothing */
/* The first `count` samples of the batch just evaluated. */
void measures_add(Measures *m, const Session *s, int64_t count);
/* The values, one a metric, of all ranks' samples: NaN where they have none. All ranks call it. Of `m` stay the values
 * of the columns. */
void measures_end(Measures *m, double *values);
/* A metric's value of each column after measures_end; NULL: it has none of its own. */
const double *measures_columns(const Measures *m, int metric);
/* measures_text.c: s->measures to stdout, a line a column, of metrics with more than one. */
void measures_print(const Session *s);

#endif
