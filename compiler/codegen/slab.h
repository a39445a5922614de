/* SPDX-License-Identifier: MIT */
/* A slab of columns: how a sum over columns is shared out, and what of it stays in registers. Private to codegen/. */
#ifndef NNC_SLAB_H
#define NNC_SLAB_H

#include "codegen/body.h"

enum { VECTOR = 4 /* columns of a thread */, MOST_STREAMS = 8 };

/* Operands as large as the loops, each once. */
typedef struct Streams {
	const Node *of[MOST_STREAMS];
	int count;
} Streams;

typedef struct Slab {
	Body *e;
	bool resident;
	int64_t slabs, blocks;    /* blocks that share a slab */
	int width, threads, rows; /* columns; threads of a block; rows that they take in a turn */
	int64_t turns;            /* rows of a thread; of a chunk, those whose loads are under way at once */
	int per_multiprocessor;   /* blocks that must be there at once; 0: no matter */
	const char *column;       /* the variable of a thread that finishes one */
	Streams raw;              /* of a resident slab: what stays in registers as it is in memory */
	/* by position, of values after sums: the scalar of the thread that computes it, its name in shared memory and
	 * in the threads that take it from there, and whether any does */
	const char **scalar, **shared, **taken;
	bool *handed;
} Slab;

Slab slab_of(const LoopNest *nest);
/* Of a resident slab, `s->e` being set: chooses what stays in registers, `s->raw` and the rows of the body, and
 * `s->per_multiprocessor`. */
void slab_choose_kept(Slab *s);

#endif
