/* SPDX-License-Identifier: MIT */
/* Loop domains: how a set of pointwise and reduction nodes can share one loop nest.
 *
 * A domain is the shape of the largest nodes of a kernel without its dimensions of size 1, each dimension marked kept
 * or reduced. Every node of the kernel has a level:
 *
 *   FULL     computed at each point of the domain
 *   REDUCED  computed at each point of the kept dimensions: the reductions, and pointwise nodes after them
 *   ACROSS   computed at each point of the reduced dimensions: sums of FULL values over all rows
 *   TOTAL    computed once: sums of REDUCED values over all rows
 *
 * and a phase: the number of reductions that must have ended before it. softmax has three phases (maximum, sum of
 * exponentials, quotient) in one loop over rows. More than one phase is possible where the kept dimensions are the
 * outer loop, that is where the reduced ones come last ("rows"); and, on a target that can hold slabs of columns on
 * chip, where the columns are short enough for that (a batchnorm's sums and what is after them).
 *
 * The last two levels exist in "resident rows" alone: a row stays on chip while its sums are taken and then used, and
 * what is summed over all rows gathers beside it, to be finished after the last row. The loss, its gradient by a layer
 * and that layer's bias and weight gradients are one pass over the activations so. */
#ifndef NNC_DOMAIN_H
#define NNC_DOMAIN_H

#include "ir/op.h"

typedef enum { LEVEL_FULL, LEVEL_REDUCED, LEVEL_ACROSS, LEVEL_TOTAL } Level;

typedef struct Domain {
	int rank; /* dimensions larger than 1 */
	int64_t dim[LIMIT_RANK];
	bool reduced[LIMIT_RANK];
	bool has_reduction;
	int64_t outer, middle, inner; /* kept before, reduced, kept after; middle = 1 without reduction */
	bool separated;               /* reduced dimensions are not neighbours: no kernel for it */
} Domain;

/* A kernel's nodes, seen as one loop nest. */
typedef struct KernelShape {
	Domain domain;
	int count;    /* of the node list */
	Level *level; /* by position in it */
	int *phase;
	int phases;    /* 1 + the largest phase of a FULL node */
	bool resident; /* has nodes ACROSS or TOTAL */
} KernelShape;

/* Whether values of a level run along the dimensions that are kept (or reduced). */
static inline bool level_runs_along(Level level, bool reduced)
{
	return level == LEVEL_FULL || level == (reduced ? LEVEL_ACROSS : LEVEL_REDUCED);
}

/* Whether values of a level are there only after the last row. */
static inline bool level_is_final(Level level)
{
	return level == LEVEL_ACROSS || level == LEVEL_TOTAL;
}

bool node_is_fusible(const Node *n); /* pointwise, sum, max, or a reshape that only adds or drops 1s */
/* No storage of its own: constants, scalars, index and random values, and scalar arithmetic on those, of INLINE_NODES
 * nodes at most; written out again in every kernel that needs it. Whoever walks through an inline node may recurse. */
enum { INLINE_NODES = 64 };
bool node_is_inline(const Node *n);
bool reshape_is_squeeze(const Node *n);

/* Dimensions larger than 1 of a shape; returns their count. */
int squeeze(Type t, int64_t dim[LIMIT_RANK]);
/* A matrix of so many rows, or a vector that long, dimensions of 1 aside. */
bool type_has_rows(Type t, int64_t rows);
Domain domain_of_reduction(const Node *reduction);
/* Strides, in elements, with which `operand` is read along the squeezed dimensions of a node of type `user`; 0 where
 * it is broadcast. */
void operand_strides(Type user, Type operand, int64_t stride[LIMIT_RANK]);
#define OWN_PLACE ((Place){.times = 1, .over = 1})
/* The places of the indices along the squeezed dimensions of a node: their own, but where its operator has others
 * (Op.place). */
void node_places(const Node *n, Place place[LIMIT_RANK]);
/* Of a node with places, whose operands have its rank: where its only index along dimensions of 1 is in an operand, in
 * elements from the operand's begin. */
int64_t node_offset(const Node *n, Type operand);
/* Whether that is the index itself, for all indices. */
bool place_is_own(const Place *p);

/* Whether `nodes` (in topological order) fit one loop nest. NULL and *shape set, or the reason why not. */
const char *kernel_shape(Arena *a, Node *const *nodes, int count, KernelShape *shape);
enum { RESIDENT_SHORTEST = 128, RESIDENT_LONGEST = 4096 }; /* rows, in elements */
/* Elements of a row that a kernel keeps from one phase to the next; of longer ones each computes its own again. */
enum { LONGEST_KEPT_ROW = 4096 };
/* By node id: what is compared for equality, as by argmax with the largest of its row, and adds a product that others
 * read too. Compilers make one operation of such an addition, or not, by what stands around: computed a second time it
 * may be rounded otherwise. So nothing computes it again, nor the product. */
bool *graph_compared(Arena *a, const Graph *g);
/* Whether columns are short enough, and enough alike, that a few multiprocessors hold a slab of SLAB_COLUMNS of them
 * between its sums and what is computed from these. */
enum { SLAB_COLUMNS = 8, SLAB_BLOCKS = 8 };
/* How the emitter will run a reduction domain: 0 when each outer index is one unit of work (several phases allowed),
 * else the fixed number of chunks the reduced dimension is cut into, summed in order: independent of threads. */
int domain_chunks(const Domain *d);

#endif
