/* SPDX-License-Identifier: MIT */
/* What follows a library's call (NnrEpilogue), as far as it is the same for all libraries. */
#ifndef NNR_CUDA_EPILOGUE_H
#define NNR_CUDA_EPILOGUE_H

#include "runtime/cuda/nnr_cuda.h"

enum { EPILOGUE_TEXT = 96 };

/* The tensors of NnrEpilogue.arguments; NULL: there is none. */
typedef struct EpilogueTensors {
	const void *y, *bias, *residual, *weight, *row_sums, *sum, *partial, *kept, *operand;
} EpilogueTensors;

bool epilogue_has(const NnrEpilogue *e, char letter);
/* Is there one, with an activation? */
bool epilogue_activates(const NnrEpilogue *e);
/* Its part of a key: " + residual + bias + elu 0.5". */
void epilogue_text(const NnrEpilogue *e, char text[EPILOGUE_TEXT]);
/* Launches the generated kernel on these tensors. */
void epilogue_launch(const NnrEpilogue *e, const EpilogueTensors *t);

#endif
