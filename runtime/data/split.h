/* SPDX-License-Identifier: MIT */
/* Which samples are held out of data that has no part for it: by share, by classes, by a column of a table, by groups,
 * by time; or one of several folds. Samples are never on both sides, and what decides is the seed and the data
 * alone. */
#ifndef NNR_SPLIT_H
#define NNR_SPLIT_H

#include "runtime/data/data.h"

/* --holdout: "0.2", "stratified", "0.2,group=COLUMN", "0.2,time=COLUMN", "column=COLUMN". What the text does not say
 * stays. False: it is none of these. */
bool split_parse(const char *text, NnrSplit *split);
/* In words, as messages have it: "0.2 by groups of `patient`"; malloc'd. */
char *split_text(const NnrSplit *split);
/* Whether the column of that split is there to divide and for nothing else. */
bool split_takes_column(const NnrSplit *split);
/* What a cell of the column of NNR_SPLIT_COLUMN says: 0 to train on, 1 held out, -1 neither. */
int split_side(const char *text);

/* Divides the training part, which has all samples, as r->split and r->fold say. keys[sample], of the splits by a
 * column: 0 or 1, the number of a group, or the time; NULL: there are none. Dies with STATUS_DATA where one side is
 * left empty. */
void split_data(Dataset *d, const DataRequest *r, const double *keys);

/* Has samples of rare classes in the training part several times, so that each class has as many as the largest; which
 * of them come once more is chosen by (seed). */
void split_balance(DataPart *train, const NnrModel *m, uint64_t seed);

#endif
