/* What one of our kernels can compute in front of a matrix product, of what it fetches in the operand's place: the pass
 * that looks for it and the call that names it read it here. */
#ifndef NNC_PROLOGUE_H
#define NNC_PROLOGUE_H

#include "base/writer.h"
#include "ir/graph.h"

enum { PROLOGUE_SUMS = 2 };

/* The first operand of matmul(operand, b) {ta=1}, [k,m], is computed element by element, and sums over k of what is
 * computed on the way are wanted too. All f32. */
typedef struct Prologue {
	const Node *from; /* [k,m] */
	const Node *rows; /* [k,1] */
	/* Of m elements. The operand is a multiple of them, each element of its column's: that can be multiplied behind
	 * the product, once for each row of the result, not for each element of the operand. */
	const Node *columns;
	/* Multiples of the rows: those beyond k are 0, and what they give shall be. */
	const Node *sum[PROLOGUE_SUMS];
	bool scaled[PROLOGUE_SUMS]; /* whether the sum is a multiple of the columns too */
	int sums;
} Prologue;

/* Reads `nodes` (in topological order, with `product` or without) as the prologue of `product`. False where they are
 * anything else. Whether a value in between is read elsewhere is the caller's to know. */
bool prologue_read(const Node *product, Node *const *nodes, int count, Prologue *p);
/* Writes the statements of the kernel's lambda: they set terms[], one for each sum, and return the element, from `x`
 * and `row`; the columns are left out. */
void prologue_write(Writer *w, Arena *a, const Node *product, Node *const *nodes, int count);

#endif
