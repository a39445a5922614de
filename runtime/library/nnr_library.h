/* SPDX-License-Identifier: MIT */
/* What the library form of a model calls (`nnc --emit=lib`): the trainer's parts without its command line.
 *
 * An instance is a model with weights, states and memory of its own; nothing that it computes with is shared. Each
 * function returns NULL, or why it failed: a text of the instance, which stays until its next call; of nnr_create
 * one of the thread. Nothing is printed, no signal is touched, and the process is never ended, with one exception:
 * OpenMP itself ends it where it can't have its threads.
 *
 * How that is done: the parts were written for a program, and end it with a message (host/die.h). Here the message
 * comes back to the call instead, by longjmp within the runtime alone: no frame of the caller, of generated code or
 * of OpenMP is jumped over. What was open then is closed (held_begin), and the instance owns its blocks; what is
 * left is the memory of a few short texts. A refused file leaves the instance as it was.
 *
 * Instances may be used by several threads at once, one instance by one thread at a time. Making, loading and saving
 * wait for one another; those of a GPU, which share its stream, at every call. */
#ifndef NNR_LIBRARY_H
#define NNR_LIBRARY_H

#include "../nnr.h"

typedef struct NnrInstance NnrInstance;

/* Weights and states as their tables say, drawn by `seed` as a trainer's --seed does. *made is NULL on failure. */
const char *nnr_create(const NnrModel *model, uint64_t seed, NnrInstance **made);
/* A checkpoint of the model: weights, states and the number of steps; or weights by name from any safetensors file.
 * With them come, where the file has them, the names of classes and how a table's columns are read; nnr_save writes
 * these again. */
const char *nnr_load(NnrInstance *instance, const char *path);
/* A checkpoint, written whole or not at all. It replaces a safetensors file, and nothing else that has bytes in it.
 * Weights that are infinite or NaN are a failure: what was saved before stays. */
const char *nnr_save(NnrInstance *instance, const char *path);
/* Where the instance has weights that were trained on a table, by nnr_load, both functions below take its columns as
 * they are, and standardise real inputs as the reader of tables does. Of a series nnr_forward gives what is foretold in
 * the units of its columns; targets of a training step are standardised by the caller.
 *
 * inputs: of each NnrInput of the model `samples` of them, one after the other; NULL for a target that no output
 * depends on. outputs: room for as many of each output of NnrModel.predict; NULL: not wanted. Any number. */
const char *nnr_forward(NnrInstance *instance, int64_t samples, const void *const *inputs,
                        void *const *outputs);
/* One optimizer step over batch * chunks samples. scores: of the loss, then of each metric, their mean; NULL: not
 * wanted. A loss that is no finite number is a failure, which comes after the step. */
const char *nnr_train_step(NnrInstance *instance, const void *const *inputs, double rate,
                           double *const *scores);
/* The same with real inputs, but no targets, in double: for columns whose numbers single precision can't tell apart. */
const char *nnr_forward_columns(NnrInstance *instance, int64_t samples, const void *const *inputs,
                                void *const *outputs);
const char *nnr_train_step_columns(NnrInstance *instance, const void *const *inputs, double rate,
                                   double *const *scores);
void nnr_free(NnrInstance *instance); /* NULL: nothing */

#endif
