/* Products of libraries.c: by cuBLASLt, and by our own kernels where the device has them. */
#ifndef NNC_TESTS_GPU_PRODUCTS_H
#define NNC_TESTS_GPU_PRODUCTS_H

/* All of them in gpu.arithmetic. */
void test_products(void);

#endif
