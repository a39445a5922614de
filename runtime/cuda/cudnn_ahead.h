/* SPDX-License-Identifier: MIT */
/* Plans of convolutions that are made before their first call, several at a time. Private to the cudnn files.
 *
 * Ahead of the first run the programs are looked through (nnr_cuda_looking). What each convolution asks is noted here;
 * then threads, each with a handle of its own, as cuDNN wants it, ask and make plans. Nothing runs meanwhile. What
 * fails there is tried again where the plan is needed, and says there what is wrong. */
#ifndef NNR_CUDA_CUDNN_AHEAD_H
#define NNR_CUDA_CUDNN_AHEAD_H

#include "runtime/cuda/cudnn_search.h"

/* A plan, the graph it stands on, and the answer that it was made of. `none`: there is no plan for the question, with
 * an epilogue, that would be taken. */
typedef struct Made {
	bool none;
	Answer answer;
	Graph graph;
	Plan plan;
} Made;

/* Notes a question once; its shape and epilogue must outlive nnr_cuda_make_ahead. `known`: the answer of the record, or
 * NULL for the first of the heuristics' that a plan can be made of. Where that is compiled nothing is made. */
void ahead_note(const Question *q, const Answer *known);
/* Hands over what was made for the key; false where nothing was. */
bool ahead_take(const char *key, Made *out);

#endif
