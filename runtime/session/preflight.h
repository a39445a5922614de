/* SPDX-License-Identifier: MIT */
/* What can be known to fail before a sample is read. */
#ifndef NNR_PREFLIGHT_H
#define NNR_PREFLIGHT_H

#include "runtime/session/session.h"

/* --resume=auto becomes --resume where there is a checkpoint, and else none. */
void preflight_resume(Options *o);
/* After outputs_claim and before the device and the data are opened, either of which takes seconds: the weights that
 * are given are of this model, each output can be written to its place, and there is room for two checkpoints; or
 * the process dies with STATUS_DATA. What stands in their places stays. */
void preflight(const Session *s);

#endif
