/* SPDX-License-Identifier: MIT */
/* Long rows on chip. A kernel of several phases goes through each row several times; where the rows in progress at once
 * are more than the device's cache holds, it would read them from memory in each phase. So the rows of operands that
 * several phases read are copied to shared memory first, and a block has the more threads, the fewer blocks have room
 * side by side. Of cross entropy over 50257 classes that is one read instead of three.
 *
 * A thread takes 16 bytes of a copy at once where all else that runs along the row can be taken so, and what is left of
 * a row's vectors singly. Such kernels are bound by their instructions, so a sum whose terms are 0 but at the class
 * that a one-hot vector names takes that one (Body.pointed), and ahead of the last phase the row is brought to the
 * cache that the next block will copy.
 *
 * A row of which a multiprocessor has no room for two side by side, one that is copied while the other is computed, is
 * shared by the blocks of a cluster, where there are such: each has a part, and they give one another their sums.
 * Private to codegen/. */
#ifndef NNC_ROW_COPIES_H
#define NNC_ROW_COPIES_H

#include "codegen/body.h"

typedef struct RowCopying {
	int threads; /* of a block; 0: nothing is copied */
	int blocks;  /* of a multiprocessor */
	int vector;  /* neighbouring elements that a thread takes at once; the last ones of a row singly */
	int parts;   /* blocks of a row, a cluster, each with neighbours from `first` on; 1: no cluster */
} RowCopying;

/* Chooses what a block copies, and how it goes through a row. */
RowCopying row_copies_choose(Body *e);
/* The copies, for the row `o` and, of several blocks, the elements of it from `first` on. */
void row_copies_write(Body *e, const RowCopying *c);
/* Has the row brought to the cache that the block after this one will copy. */
void row_copies_write_ahead(Body *e, const RowCopying *c);
/* The terms of the sums of a phase that have but one, by the thread whose `lane` is 0: a class that is none has
 * none. */
void row_copies_write_points(Body *e, const RowCopying *c, int phase);
int64_t row_copies_bytes(const Body *e,
                         int parts); /* of shared memory, of a block that has one of the parts */
/* Its element that the node at `position` reads of x; NULL: it does not read a copy. */
char *row_copies_text(Body *e, const Node *x, int position);

#endif
