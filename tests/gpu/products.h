/* SPDX-License-Identifier: MIT */
/* Products of libraries.c: by cuBLASLt, and by our own kernels where the device has them. */
#ifndef NNC_TESTS_GPU_PRODUCTS_H
#define NNC_TESTS_GPU_PRODUCTS_H

/* All of them in gpu.arithmetic: by cuBLASLt, tuned; by our kernels, which there are in tf32 alone; some with an
 * epilogue, too. */
void test_products(void);
void test_own_products(void);
/* The batches that our kernels gather while they multiply. */
void test_own_gathers(void);
/* By cuBLASLt in 16 bits, with a tensor beside the result. */
void test_beside(void);
/* Two of our kernels at once whose blocks wait for each other. */
void test_own_beside(void);

#endif
