/* SPDX-License-Identifier: MIT */
/* One network's whole training done by the interpreter and the reference optimizers. */
#ifndef NNC_TESTS_REFERENCE_H
#define NNC_TESTS_REFERENCE_H

#include "front/elaborate.h"
#include "runtime/nnr.h"

typedef struct Reference Reference;

/* Parameters are drawn small around zero (scales of normalisations around one), states start as their leaves say. */
Reference *reference_new(Arena *a, const Elaborated *e, uint64_t seed);
/* Gives back what the last run computed; the rest is the arena's. */
void reference_free(Reference *r);
void reference_draw_inputs(Reference *r, int step);
/* Values of a parameter, state or input; NULL when the model has none of that name. */
double *reference_values(Reference *r, const char *name);
/* The average that evaluation reads in place of a parameter; NULL where the recipe keeps none of it. */
double *reference_average(Reference *r, const char *name);

/* How many samples of an evaluation's batch are real: drawn, and what the runs from now on take. */
double reference_samples(Reference *r);

/* Evaluates the training graph with its gradients, or the evaluation graph. */
void reference_run(Reference *r, bool training, int step);
/* The same again, what is composite written out as for kernels, with each result rounded to a significand of so many
 * bits, of which reference_rounded gives the outputs. `draw`: 0, to the nearest; else by chance (InterpInputs). */
void reference_run_rounded(Reference *r, int step, int bits, int draw);
/* What the last run computed; NULL when there is no such output or it has another number of elements. */
const double *reference_output(const Reference *r, NnrOutputKind kind, const char *name, int64_t count);
const double *reference_rounded(const Reference *r, NnrOutputKind kind, const char *name);
/* The largest magnitude among the terms that an output sums up; of the output itself where it is no sum. A sum is known
 * as exactly as its terms: the gradient of a convolution's bias before a batchnorm is 0, and what is computed is their
 * rounding. */
double reference_largest_term(const Reference *r, NnrOutputKind kind, const char *name);
/* Puts a gradient in the place of the last run's, for the steps that follow. After a normalisation a bias has no
 * gradient but rounding noise, which optimizers blow up to any size: only from the same noise two of them go the same
 * way. */
void reference_take_gradient(Reference *r, const char *name, const double *values);
/* After a training run: states and parameters take their new values. */
void reference_step(Reference *r, double rate, int step);
/* Whether the interpreter has the same of the network's loops and of their periods one after the other. */
bool reference_loops_agree(Reference *r, int step);
/* The compiler's gradient, dotted with a random direction, is the slope of the loss along it. */
bool reference_direction_agrees(Reference *r, int step);

#endif
