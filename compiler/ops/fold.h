/* SPDX-License-Identifier: MIT */
/* Windows along one axis of a volume, seen as [n, places, columns, channels]: what unfold and fold share. */
#ifndef NNC_FOLD_H
#define NNC_FOLD_H

#include "ir/op.h"

/* The dimensions. */
enum { FOLD_PLACES = 1, FOLD_COLUMNS, FOLD_CHANNELS, FOLD_RANK };

/* Window w has the places w*stride + i*dilation - before, i being 0 to size - 1. */
typedef struct Fold {
	int64_t places, columns, channels; /* of what is folded */
	int64_t windows, size, stride, dilation, before;
} Fold;

/* Of a node unfold or fold. */
Fold fold_of(const Node *n);
/* x [n, places, columns, channels] as [n, windows, columns, size*channels]: the places of each window, one after the
 * other in the channels; 0 where there is none. */
Node *build_unfold(Build *b, Node *x, const Fold *f);
/* The other way: y [n, windows, columns, size*channels] as [n, places, columns, channels]. What meets is added. */
Node *build_fold(Build *b, Node *y, const Fold *f);

#endif
