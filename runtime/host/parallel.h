/* SPDX-License-Identifier: MIT */
/* A loop over independent items on several threads, with an optional progress line. Used to make the data set;
 * the training step has its own threads. */
#ifndef NNR_PARALLEL_H
#define NNR_PARALLEL_H

#include <stdint.h>

/* Calls item(context, i) once for each i in [0, count), in no order, on `threads` threads (0: as many as processors may
 * be used). `item` must neither die nor print. `doing` ("reading images"): shows how far it is on stderr, when that is
 * a terminal; NULL: silent. */
void parallel_for(int64_t count, int threads, void (*item)(void *context, int64_t i), void *context,
                  const char *doing);

#endif
