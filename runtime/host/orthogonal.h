/* SPDX-License-Identifier: MIT */
/* Weights that begin orthogonal: Saxe, McClelland, Ganguli: Exact solutions to the nonlinear dynamics of learning in
 * deep linear neural networks (2014). */
#ifndef NNR_ORTHOGONAL_H
#define NNR_ORTHOGONAL_H

#include <stdint.h>

/* Makes the rows of x [rows, columns] orthonormal, or its columns where these are fewer, in place; of independent
 * normal numbers every such matrix is then equally likely. What stays of a row when those above it are taken away must
 * not be 0. */
void orthogonal(double *x, int64_t rows, int64_t columns);

#endif
