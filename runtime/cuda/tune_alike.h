/* SPDX-License-Identifier: MIT */
/* How far two operations of a tune record are from each other: of one kind in two sizes the fastest plan is often the
 * same, or near it (bench/tune_rule.py has how often). */
#ifndef NNR_CUDA_TUNE_ALIKE_H
#define NNR_CUDA_TUNE_ALIKE_H

/* The sum of |ln| of what their sizes differ by, each by a factor: 0 for equal keys, ln 4 where one batch is 4 times
 * the other. INFINITY where they differ in anything else than sizes: those of a convolution are batch, height, width,
 * channels and filters (not its window), of a product batch, m, n and k. */
double tune_distance(const char *key, const char *other);

#endif
