/* SPDX-License-Identifier: MIT */
/* Weights from safetensors files: --init, --init-skip, and the tensors of a checkpoint. */
#ifndef NNR_WEIGHTS_H
#define NNR_WEIGHTS_H

#include "runtime/data/safetensors.h"
#include "runtime/session/session.h"

/* In the metadata of a file: "torch" where its elements are in PyTorch's order (torch.h). */
extern const char order_key[];

/* --init: parameters by name, running statistics where the file has them; not the optimizer's state. What --init-skip
 * matches keeps its initial values, and may be missing, of another shape, or in the file alone; all else must be in
 * both. Dies with STATUS_DATA, with STATUS_USAGE where a pattern of --init-skip matches nothing. */
void weights_load(Session *s, const char *path);

/* The same before the data is read, without reading a tensor. */
void weights_preflight(const Session *s, const char *path);

/* Keeps what the file says of the data that its weights were trained on, for whoever names classes, reads a table or
 * writes the weights again: the names of classes and how a table's columns are read. Dies with STATUS_DATA where the
 * session's data has other classes (classes_check), or what the file says is damaged. */
void keep_description(Session *s, const Safetensors *f);

/* For checkpoints, whose names and shapes are the model's own: reads all parameters to `block`, or looks at them alone
 * where it is NULL; dies with STATUS_DATA. `help`: what to do where a shape is another. */
void params_load(const NnrModel *m, const Safetensors *f, char *block, const char *help);
/* The same of one tensor: f32 becomes f64 and f64 f32; every other type must be the same. `torch`: its elements are in
 * PyTorch's order. */
void tensor_load(const Safetensors *f, const StoredTensor *stored, const NnrTensor *t, bool torch,
                 char *block, const char *help);
/* A file must fit the model. */
void refuse_extra(const NnrModel *m, const Safetensors *f);

#endif
