/* SPDX-License-Identifier: MIT */
/* Attention and its gradient as operation graphs of cuDNN. Private to the cudnn files.
 *
 * cuDNN knows attention by its graph: it compares what it is given with patterns, those that NVIDIA's cudnn-frontend
 * makes (scaled_dot_product_flash_attention.h there), and refuses what differs, down to a factor of 1. So the graphs
 * are those, operation by operation, in its order. */
#ifndef NNR_CUDA_CUDNN_ATTENTION_H
#define NNR_CUDA_CUDNN_ATTENTION_H

#include "runtime/cuda/cudnn_graph.h"

/* Unique ids: the tensors of the step, numbers, and what cuDNN needs of workspace beside a plan's. */
enum {
	UID_QUERY = 'q',
	UID_KEY = 'k',
	UID_VALUE = 'v',
	UID_OUT = 'o',
	UID_LOGS = 'l',
	UID_DOUT = 'd',
	UID_DQUERY = 'e',
	UID_DKEY = 'f',
	UID_DVALUE = 'g',
	UID_SCALE = 'a',
	UID_LOW = 'b',
	UID_ONE = 'c',
	UID_TAKEN = 't',
	UID_PARTS = 'p',
	UID_MASK = 'm'
};

/* Without a graph where cuDNN refuses it. `logs`: they are written. */
Graph attention_graph(const NnrAttentionShape *s, bool logs);
/* With `parts` sums of dquery are in f32, to which blocks add in any order; else shares and their gradients are in
 * memory, all places with all, and each sum is one block's. */
Graph attention_grad_graph(const NnrAttentionShape *s, bool parts);
#endif
