/* SPDX-License-Identifier: MIT */
/* One step of a block of calls as C: the pointers to its buffers, what it computes, and the call. Private to
 * emit/emit_calls.c, which makes the blocks. */
#ifndef NNC_BLOCK_STEP_H
#define NNC_BLOCK_STEP_H

#include "emit/columns.h"
#include "emit/emit_calls.h"

typedef struct Block {
	Emitter *e;
	Arena *arena;
	const Part *part;
	Writer *w;         /* for the calls */
	const int *firsts; /* by repeat: its first step */
	int repeats;
	const char *const *scopes; /* by repeat: the block of the network that it is; "": none */
	const char *name;          /* C text of its scope, for messages; NULL: there are none */
	Map *locals;               /* the buffers of all repeats -> name of the pointer */
	Map *taken;                /* names of pointers */
	Columns *columns;
} Block;

static inline const Step *step_at(const Block *b, int repeat, int position)
{
	return &b->part->p->steps[b->firsts[repeat] + position];
}

static inline const StepCall *call_at(const Block *b, int repeat, int position)
{
	return &b->part->calls[b->firsts[repeat] + position];
}

/* The step at `position` of each repeat. */
void write_step(Block *b, int position);

#endif
