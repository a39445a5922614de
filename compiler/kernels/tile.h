/* SPDX-License-Identifier: MIT */
/* Matrix products and convolutions by nnc's own kernels on the tensor cores of warps (runtime/cuda/nnr_tile.h): which
 * nodes have one, how it is cut, and its text.
 *
 * A convolution and its two gradients are products whose sides are gathered from images:
 *
 *                       rows             columns                           depth
 *     conv              pixels of y      filters of a group                (r, s, channel of a group)
 *     conv_dgrad        pixels of x      channels of a group               (r, s, filter of a group)
 *     conv_wgrad        filters          (r, s, channel of a group)        pixels of y
 *
 * `outer` products of one kind are one kernel: the groups of a convolution, the batch of a matmul. The gradient by an
 * image after a stride is one product for each remainder of a pixel's row and column by the strides: these meet other
 * taps, and together each tap once. */
#ifndef NNC_TILE_H
#define NNC_TILE_H

#include "codegen/kernel.h"
#include "target/launch.h"

/* A tile of the result, by down times across warps. */
typedef struct TileForm {
	int rows, columns, down, across;
	int blocks; /* of a multiprocessor, that the kernel is compiled for */
} TileForm;

/* Writes the kernel's body. */
CudaLaunch tile_emit(KernelText *k, const Node *n);
/* The same without tensor cores: what runs in double, in f32 and where tiles would be mostly air. */
void product_emit_by_threads(KernelText *k, const Node *n);

#endif
