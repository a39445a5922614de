/* SPDX-License-Identifier: MIT */
/* cuDNN's plans work on tensors that begin at multiples of FULLY_ALIGNED bytes, and on copies of the others; products
 * by cuBLASLt, and the generated kernel after a convolution, on the tensors as they are. Private to the cudnn
 * files. */
#ifndef NNR_CUDA_CUDNN_COPIES_H
#define NNR_CUDA_CUDNN_COPIES_H

#include "runtime/cuda/cudnn_graph.h"

/* The tensors of one call that have a copy. */
typedef struct Copies {
	struct Copied {
		const void *tensor; /* NULL: it has none */
		char *at;
		int64_t bytes;
		bool is_result;
	} of[TENSORS];
} Copies;

/* Bytes of workspace for the copies of a call's tensors, `bytes` long each; 0: it needs none. */
int64_t copies_bytes(const void *const tensor[TENSORS], const int64_t bytes[TENSORS]);
/* Places the copies in the workspace from `at` on, and puts their addresses in place of the tensors'. */
void copies_place(Copies *c, char *at, const void *tensor[TENSORS], const int64_t bytes[TENSORS],
                  const bool is_result[TENSORS]);
/* Enqueue the copying: of what is read, ahead of the plan; of results, after it. */
void copies_fetch(const Copies *c);
void copies_return(const Copies *c);

#endif
