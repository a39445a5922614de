/* What a convolution's library call can compute behind it, in the order in which it does: the pass that looks for it
 * and the call that names it read the same table. */
#ifndef NNC_CONV_EPILOGUE_H
#define NNC_CONV_EPILOGUE_H

#include "ir/graph.h"

typedef struct ConvEpilogue {
	const Node *residual;   /* added; of the convolution's type; or NULL */
	const Node *bias;       /* added; one f32 for each filter; or NULL */
	const Node *activation; /* the node; or NULL */
	const Node *last;       /* whose value is the call's result */
	/* Instead of all these, beside the result, which is the convolution's: its sums and those of its square, f32,
	 * over all but the filters; or both NULL. */
	const Node *sum, *squares;
} ConvEpilogue;

/* Reads `nodes` (in topological order, with `conv` or without) as the epilogue of `conv`. False where they are more, or
 * nothing at all. Whether a value in between is read elsewhere is the caller's to know. */
bool conv_epilogue(const Node *conv, Node *const *nodes, int count, ConvEpilogue *e);
/* C text of an activation for NnrConvEpilogue: ".activation = NNR_ELU, .slope = 1.0f"; NULL: there is none. */
char *conv_activation_text(Arena *a, const Node *activation);

#endif
