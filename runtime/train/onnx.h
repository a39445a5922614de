/* SPDX-License-Identifier: MIT */
/* The network of a prediction as a file of ONNX. */
#ifndef NNR_ONNX_H
#define NNR_ONNX_H

#include "runtime/session/session.h"

/* Writes the model's graph (NnrModel.onnx) with the weights of s->memory to `path`, by ONNX's own schema, of operator
 * set 15; the batch is a dimension without a number. Dies with STATUS_DATA where the network has an operator that is
 * not known there, where the file would pass 2 GiB, the limit of the format, or can't be written. */
void onnx_write(const Session *s, const char *path);

#endif
