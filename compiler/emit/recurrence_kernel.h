/* SPDX-License-Identifier: MIT */
/* The kernel of a recurrence while it is being written. Private to emit/emit_recurrence.c and recurrence_stage.c. */
#ifndef NNC_RECURRENCE_KERNEL_H
#define NNC_RECURRENCE_KERNEL_H

#include "base/array.h"
#include "emit/columns.h"
#include "emit/emitter.h"
#include "program/recurrence.h"
#include "codegen/tensors.h"

/* A tensor of which each thread has its elements in shared memory, while those in memory are not waited for. */
typedef struct Staged {
	const char *type, *name;
	int position, tensor; /* whose it is */
	int64_t row, parts;   /* elements from row to row; parts of `units` columns */
	int64_t at;           /* bytes into shared memory */
} Staged;

/* A part of the rows that the first product of the next period multiplies, which a step of this one writes. */
typedef struct Sent {
	int position, tensor;
	int64_t column, parts; /* where it begins, and how many times `units` there are */
	int64_t at;            /* of the elements of this block: bytes into shared memory */
} Sent;

typedef struct RecurrenceKernel {
	Emitter *e;
	Arena *arena;
	const Program *p;
	const Recurrence *r;
	RecurrenceShape shape;
	Writer *w; /* the loop over the periods */
	Columns *columns;
	int64_t shared_bytes,
	        first_product;   /* bytes that are taken; where those of the first product begin */
	Tensors *tensors;        /* by position: of the step in the first period */
	const Buffer ***buffers; /* by position: of its tensor t in period i number t * times + i */
	Map *blocks;             /* of NnrMemory, that it has tensors in */
	Map *on_chip; /* id of a buffer of the first period -> where it is in shared memory, as text */
	/* Of maps: what they read is loaded ahead of a period's first meeting, where it does not come of that period;
	 * what no other block waits for is stored after the others have been told that the rest is there. */
	ARRAY(Staged) early;
	ARRAY(Staged) late;
	/* Where the rows of the first product are all of the period before, blocks write them into one another's shared
	 * memory, instead of waiting until they are in memory and back. */
	ARRAY(Sent) sent;
	Writer *once; /* loads of what is the same in all periods */
	const char **
	        *staged; /* by position and tensor: where that is for a thread of a map; NULL: in memory */
	const bool *exchanges, *meets;
	int64_t room; /* bytes of shared memory that nothing else needs */
	bool tf32;
} RecurrenceKernel;

static inline const Step *step_of(const RecurrenceKernel *k, int period, int position)
{
	return &k->p->steps[k->r->first + period * k->r->period + position];
}

/* C text of where tensor number `tensor` of the step at `position` is, in period `i`. */
const char *address(const RecurrenceKernel *k, int position, int tensor, const char *name);
/* Tensor number `tensor` of the step at `position`, in each period. */
const Buffer **buffers_of(const RecurrenceKernel *k, int position, int tensor);
/* The loop over the elements that a thread owns, in k->w, and its end. */
void open_elements(RecurrenceKernel *k);
void close_elements(RecurrenceKernel *k);
int64_t turns_of(const RecurrenceKernel *k); /* of that loop */

/* Decides of the maps' tensors which are loaded early, stored late or loaded once, in the order of the steps. */
void stage_all(RecurrenceKernel *k);
/* Variables of the early loads, and the loads, into `to`; then, in k->w and ahead of the first map, what brings them to
 * their places. */
void write_early(RecurrenceKernel *k, Writer *to);
void write_arrival(RecurrenceKernel *k);
void write_late(RecurrenceKernel *k, Writer *to); /* the stores of a period */

#endif
