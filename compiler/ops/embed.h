/* SPDX-License-Identifier: MIT */
/* The embedding operators. */
#ifndef NNC_EMBED_H
#define NNC_EMBED_H

#include "ir/op.h"

/* The rows of each of several tables in one, and how many tables; NULL: it is one table. */
const int64_t *embedding_counts(const Node *n, int *tables);
#endif
