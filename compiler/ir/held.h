/* SPDX-License-Identifier: MIT */
/* Values of an on-chip step that never leave the registers of the threads that compute and use them.
 *
 * A convolution whose result is pooled without overlap: each thread owns a few strips of neighbouring pooled elements
 * of one filter, in every step the same. It keeps of each window the pooled value and the number of the place that won,
 * so that the value in front of the pool is never stored; and backward, where only winners have a gradient, sums the
 * weight gradient of its filter. Where the pooled value's only reader is a product with few columns, the thread keeps
 * the columns of its own elements too, and the pooled value itself and its gradient are in registers as well.
 * runtime/cuda/nnr_held.h has the steps. */
#ifndef NNC_HOLD_H
#define NNC_HOLD_H

#include "ir/program.h"
#include "ir/onchip.h"

/* What a step has of a Held, by its root. */
typedef enum {
	HELD_CONV,     /* convolution, its epilogue at the winners, and the pool */
	HELD_GRADIENT, /* the pool's gradient and the epilogue's, at the winners */
	HELD_FILTERS,  /* the weight gradient of the convolution, from the winners */
	HELD_PRODUCT,  /* matmul of the pooled value and the weights */
	HELD_BACK,     /* its gradient by the pooled value */
	HELD_STEPS,
} HeldStep;

typedef struct Held {
	const Node *root[HELD_STEPS]; /* NULL: that step is a plain one */
	const Node *pool;
	int64_t strip, turns, elements; /* of a thread; elements = strip * turns */
	int64_t tile;                   /* of the strip: convolved at a time */
	bool monotone;                  /* the epilogue: the largest convolution has the largest result */
	int64_t window[2];              /* of the pool */
	int64_t filters, rows, columns; /* the pooled value */
	int winner;           /* the buffer's id; [1, rows, columns, filters], held: the place that won */
	int winners_per_word; /* NnrHeld::per_word */
	const Node *before;   /* the pooled operand; its place is that of the pooled value */
	const Node *after;    /* the gradient of the convolution's result */
} Held;

/* Which step of its Held a step is. */
HeldStep held_step(const Step *s);
/* Whether its function is given the winners. */
bool held_uses_winner(const Step *s);
/* Whether the gradient in front of the pool is in shared memory, for others than its weight gradient's sums. */
bool held_scatters(const Held *h);
#endif
