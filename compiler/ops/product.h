/* Matrix products by a kernel of ours beside the library's (runtime/cuda/nnr_product.h): which have one, and how it is
 * cut. */
#ifndef NNC_PRODUCT_H
#define NNC_PRODUCT_H

#include "ops/op.h"
#include "codegen/forms.h"
#include "codegen/tensors.h"

/* Into how many parts the kernel cuts the depth of the product `n`, a matmul of f32, on a GPU of so many
 * multiprocessors; 0: the kernel can't compute it. */
int64_t product_parts(const Node *n, int multiprocessors);
/* The parts that `implement` has given a node; 0: it is the library's alone. */
int64_t product_parts_given(const Node *n);
/* Whether the kernel gathers a part of the next batch meanwhile (runtime/cuda/nnr_carry.h), by the pass
 * carry_gather. */
bool product_carries(const Node *n);
/* Of each row of a tile the columns, which a block can sum up; 0: the kernel has the depth in parts, and is for a
 * product so small that its result stays in the cache. (2000x1000x1000: 21.5 us, and 22.9 with its rows' sums.) */
int64_t product_sum_width(const Node *n);
/* f32 elements of workspace. */
int64_t product_workspace(const Node *n);
/* The line of kernels.cu that compares what this file knows of the kernel with its header. */
char *product_assumption(Arena *a);
char *product_extent(Arena *a, const Node *n); /* "8000x1000x1000", rows, columns, depth */
/* Writes the kernel's body. */
CudaLaunch product_emit(KernelText *k, const Node *n);
/* The body of the kernel that sums up the rows of the library's result; `t` are its tensors. */
CudaLaunch product_emit_row_sums(KernelText *k, const Node *n, const Tensors *t);
char *product_params(Arena *a, const Step *s); /* the kernel's parameters */

#endif
