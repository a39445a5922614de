/* Products of libraries.c: by cuBLASLt, and by our own kernels where the device has them. */
#ifndef NNC_TESTS_GPU_PRODUCTS_H
#define NNC_TESTS_GPU_PRODUCTS_H

/* All of them in gpu.arithmetic: by cuBLASLt, tuned; by our kernels, of which there are some in tf32. */
void test_products(void);
void test_own_products(void);

#endif
