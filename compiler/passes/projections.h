/* Products of one tensor with several parameters, as one product with all of them (projections.c). */
#ifndef NNC_PROJECTIONS_H
#define NNC_PROJECTIONS_H

#include "ir/formula.h"

/* Whether each of the values is x*w^T, or that with a bias, reshaped, of one x and parameters that the flat tensor will
 * have side by side in this order, and nothing else reads the products. `uses` is of the values' graph; `sum` is the
 * formula of a bias, x + y. */
bool projections_fit(const Graph *g, const Formula *sum, Node *const *values, int count, const int *uses);
/* Whether the values are such products as they stand, of whatever. */
bool projections_are(const Formula *sum, Node *const *values, int count);
/* [rows, all columns]: the values beside each other, which fit in the graph they come from; `values` are theirs in the
 * graph of b. */
Node *projections_join(Build *b, const Formula *sum, Node *const *values, int count);

#endif
