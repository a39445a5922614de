/* SPDX-License-Identifier: MIT */
/* The network of line.h as a model written by hand, for either target: what nnc would generate. */
#ifndef NNC_TESTS_LINE_MODEL_H
#define NNC_TESTS_LINE_MODEL_H

#include "runtime/session/backend.h"
#include "runtime/cuda/nnr_cuda.h"
#include "runtime/nnr_math.h"
#include "tests/cuda/line.h"

extern bool transposes; /* the training kernel reads the reals' transposed copy */
extern bool scores;     /* the same numbers as scores of two classes */
extern bool shared;     /* two share a batch */
extern bool narrow;     /* and send one another 16 bits */
extern bool sharded;    /* each has the mean of a share of the gradient, and they put them together */
extern int branches;    /* of a step; the last has a kernel */
extern bool
        fetches; /* the training program, of two kernels then, leaves the data set alone, and learns nothing */

extern NnrInput inputs[5];
extern NnrImage images[2];
extern NnrModel model;

/* Makes it a model of that target. */
void line_model_for(bool cuda);

static inline float *floats(char *at)
{
	return (float *)(void *)at;
}

#endif
