/* SPDX-License-Identifier: MIT */
/* nnc repro: one kernel of the training step for the CPU as a program of its own (runtime/cpu/nnr_repro.h). */
#ifndef NNC_REPRO_H
#define NNC_REPRO_H

#include "emit/compiled.h"

/* The file beside the code that has what the kernel is expected to write. */
#define REPRO_EXPECTED "expected.h"

/* The C of it. `kernel`: the name of the step's function. NULL, and `why`: there is no such step, or none that runs
 * alone. */
const char *repro_text(Arena *a, const Compiled *c, const Emitted *e, const char *kernel, const char **why);

#endif
