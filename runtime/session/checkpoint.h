/* SPDX-License-Identifier: MIT */
/* Checkpoints: the whole state of a training in one safetensors file (runtime/README.md, "Checkpoints"). */
#ifndef NNR_CHECKPOINT_H
#define NNR_CHECKPOINT_H

#include "runtime/data/safetensors.h"
#include "runtime/session/session.h"

/* Before the first step: a checkpoint can be written where the user asked, and there is room for two, the one that is
 * resumed included, or the process dies. What stands at `path` stays. */
void checkpoint_probe(const Session *s, const char *path);
/* False with file_failure(); what stood at `path` is then still there. */
bool checkpoint_save(const Session *s, const char *path);
/* Restores weights, states, seed and position. Dies with STATUS_DATA when the file is damaged, of another model, or
 * (when `exact`) of other data or another batch than this run's. */
void checkpoint_load(Session *s, const char *path, bool exact);
/* The seed of the training that it belongs to. Dies with STATUS_DATA when the file is no checkpoint. */
uint64_t checkpoint_seed(const char *path);
/* Before the data is read: the file is a checkpoint of this model, or the process dies with STATUS_DATA. */
void checkpoint_preflight(const NnrModel *model, const char *path);
/* Of the format; 0: the file is no checkpoint. */
int checkpoint_version(const Safetensors *f);

#endif
