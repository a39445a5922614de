/* SPDX-License-Identifier: MIT */
/* Attention by nnr_cudnn_attention, for libraries.c. */
#ifndef NNC_TESTS_GPU_ATTENTION_H
#define NNC_TESTS_GPU_ATTENTION_H

/* In the arithmetic of `gpu`; those of 16 bits alone have it. */
void test_attention(void);

#endif
