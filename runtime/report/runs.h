/* SPDX-License-Identifier: MIT */
/* The command `runs`: the trainings of a folder side by side. */
#ifndef NNR_RUNS_H
#define NNR_RUNS_H

#include "runtime/host/options.h"

/* A table of the logs of DIR/X/log.jsonl to stdout and, with --out, their curves as SVG. Returns the exit status; dies
 * with STATUS_DATA where there is none, or where a file of that name is there already. */
int runs_compare(const Options *o);

#endif
