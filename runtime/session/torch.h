/* SPDX-License-Identifier: MIT */
/* The order in which PyTorch has a tensor's elements.
 *
 * nnc has images with the channels last, PyTorch with the channels first. So the weights of a convolution are
 * [out, height, width, in] here and [out, in, height, width] there; and the weights [out, in] of a dense layer that
 * reads a flattened image have their inputs in another order. NnrTensor.channels says of both how many channels a row
 * is made of: [rows][places][channels] here is [rows][channels][places] there. All else is the same. */
#ifndef NNR_TORCH_H
#define NNR_TORCH_H

#include "runtime/nnr.h"

/* The shape that PyTorch has it in; t->rank dimensions. */
void torch_shape(const NnrTensor *t, int64_t dim[NNR_MAX_RANK]);
/* Copies all elements, of `size` bytes each, from PyTorch's order to nnc's, and back. */
void torch_read(const NnrTensor *t, char *to, const char *from, int64_t size);
void torch_write(const NnrTensor *t, char *to, const char *from, int64_t size);

#endif
