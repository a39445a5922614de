/* SPDX-License-Identifier: MIT */
/* Trainers of one network for several numbers of ranks. */
#ifndef NNR_VARIANT_H
#define NNR_VARIANT_H

#include "runtime/ranks/ranks.h"

/* Where the trainer was compiled for another number of ranks than there are, and trains: goes on as the one that was,
 * `EXE.rN` beside this file, with the same arguments; where that is missing or of another network, nnc makes it first,
 * once for a host. Returns where this trainer is the right one. Dies with STATUS_DEVICE and the command that makes it
 * where nnc is not found or fails. */
void variant_choose(const NnrModel *model, const Options *options, char **argv);
/* Of a training by one rank: a note on what the trainer was compiled with for several. */
void variant_note_alone(const NnrModel *model, const Options *options);
/* Dies with STATUS_USAGE where so many ranks can't share the trainer's batch equally, with the command that compiles it
 * for one that they can. */
void variant_check_batch(const NnrModel *model, const Options *options, int64_t ranks);

#endif
