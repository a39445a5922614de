/* SPDX-License-Identifier: MIT */
/* The names of a data set's classes, which are numbered by them: a number means nothing under other names. */
#ifndef NNR_CLASSES_H
#define NNR_CLASSES_H

#include "runtime/data/data.h"

/* As a checkpoint keeps them, a JSON array in order, what a terminal can't show as \xHH; malloc'd. Where the data does
 * not name its classes, those that the weights were trained on; NULL: these are not known either. */
char *classes_text(const Dataset *d);
/* Dies with STATUS_DATA where the data names its classes otherwise than `stored`, of the checkpoint at `path`, does,
 * and says which. Nothing where one of the two has no names: `stored` NULL.
 * Keeps `stored` as d->trained, instead of what was kept before. */
void classes_check(Dataset *d, const char *stored, const char *path);

#endif
