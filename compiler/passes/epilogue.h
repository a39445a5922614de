/* SPDX-License-Identifier: MIT */
/* What a library call can compute after a convolution, or a matrix product, in the order in which it does: the pass
 * that looks for it and the call that names it read the same table. */
#ifndef NNC_EPILOGUE_H
#define NNC_EPILOGUE_H

#include "ir/graph.h"

typedef struct Epilogue {
	const Node *residual; /* added; of the convolution's type; or NULL */
	/* Added; one f32 for each filter, or for each column of a product, also of the product's type; or NULL. */
	const Node *bias;
	const Node *activation; /* the node; or NULL */
	const Node *rounded;    /* of products: round_tf32 after them; or NULL */
	/* Of products: instead of the result sums along its rows, of all that times its column's weight. Or both NULL.
	 */
	const Node *weight, *row_sum;
	/* Of products: the slope of gelu_tanh at a tensor that is not the product, which the product is multiplied
	 * with; or NULL. */
	const Node *slope;
	const Node *last; /* whose value is the call's result */
	/* Of a product, too: the sums of the columns of its first operand, or its second, f32; and the last of the
	 * views of them, which is stored. */
	const Node *operand_sum, *summed;
	bool of_b;
} Epilogue;

/* Reads `nodes` (in topological order, with `conv` or without) as the epilogue of `conv`, or of a matmul. False where
 * they are more, or nothing at all. Whether a value in between is read elsewhere is the caller's to know. */
bool epilogue_read(const Node *conv, Node *const *nodes, int count, Epilogue *e);
/* The same where it ends in a `sum` of whole rows, which would be a tile_sum after a product. */
bool epilogue_read_rows(const Node *product, Node *const *nodes, int count, Epilogue *e);
/* The parameter that the bias is, in f32, of a product in 16 bits: of those there are copies in these
 * (passes/precision.c). NULL: it is none. */
const Node *epilogue_copied_bias(const Node *product, const Epilogue *e);
#define EPILOGUE_COPY \
	"params16" /* the state that is the copy of all that are trained: the update writes it */
#define EPILOGUE_FROZEN \
	"frozen16" /* and of all that are frozen, from the attribute `first` on: nothing does */
bool epilogue_is_copy(const Node *n);
/* The copy in g that has the parameter; NULL: there is none. */
Node *epilogue_copy_of(const Graph *g, const Node *param);
/* Whether there is one ahead of `reader`: what trains other parameters than `param`, or none, may come first. */
bool epilogue_has_copy(const Graph *g, const Node *param, const Node *reader);
/* The part of that copy which is the parameter, in this shape. */
Node *epilogue_copied(Build *b, Node *copy, const Node *param, Type shape);
/* A copy of `n`, with these operands, as a part of the group. Of a sum with the parameter `param` as its bias it reads
 * the part of that copy which is the parameter: there is one in `to`. NULL: it reads its operands. */
Node *epilogue_take(Graph *to, const Node *n, Node **operands, const Node *param, int group);
/* C text of an activation for NnrEpilogue: ".activation = NNR_ELU, .slope = 1.0f"; NULL: there is none. */
char *epilogue_activation_text(Arena *a, const Node *activation);

#endif
