/* SPDX-License-Identifier: MIT */
/* Products of one tensor with several parameters, as one product with all of them (projections.c). */
#ifndef NNC_PROJECTIONS_H
#define NNC_PROJECTIONS_H

#include "ir/formula.h"

/* Whether b follows a in the flat tensor of parameters, as far as is known before they have their places: it is the
 * next of those that are trained alike. */
bool params_are_neighbours(const Graph *g, const Node *a, const Node *b);
/* Whether each of the values is x*w^T, or that with a bias, reshaped, of one x and parameters that the flat tensor will
 * have side by side in this order, and nothing else reads the products. `uses` is of the values' graph; `sum` is the
 * formula of a bias, x + y. */
bool projections_fit(const Graph *g, const Formula *sum, Node *const *values, int count, const int *uses);
/* Whether the values are such products as they stand, of whatever. */
bool projections_are(const Formula *sum, Node *const *values, int count);
/* [rows, all columns]: the values beside each other, which fit in the graph they come from; `values` are theirs in the
 * graph of b. */
Node *projections_join(Build *b, const Formula *sum, Node *const *values, int count);
/* The same of x with weights and biases of b's graph; biases NULL: there are none. */
Node *projections_product(Build *b, Node *x, Node *const *weights, Node *const *biases, int count);
/* The parts of one such value: the operand, the weight and the bias, or NULL; false: it is none. */
bool projection_parts(const Formula *sum, const Node *value, const Node **x, const Node **weight,
                      const Node **bias);

#endif
