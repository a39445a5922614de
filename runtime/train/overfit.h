/* SPDX-License-Identifier: MIT */
/* --overfit-batch: training on one batch alone, whose loss must fall to nearly nothing where network and recipe are
 * sound. */
#ifndef NNR_OVERFIT_H
#define NNR_OVERFIT_H

#include "runtime/session/session.h"

/* Before the data is brought to the backend: the training part becomes the samples of the first step of the first
 * epoch, again and again in the same order, as many times as an epoch had steps or as fit into 64 MiB; the held-out
 * part becomes these samples once. Images are as --no-augment has them. Ends the process with STATUS_DATA where one
 * can't be decoded. */
void overfit_batch(Session *s);

#endif
