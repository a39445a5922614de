/* SPDX-License-Identifier: MIT */
/* nnc repro: one kernel of the training step as a program of its own (runtime/cpu/nnr_repro.h). */
#ifndef NNC_REPRO_H
#define NNC_REPRO_H

#include "emit/compiled.h"

/* The file beside the code that has what the kernel is expected to write. */
#define REPRO_EXPECTED "expected.h"

/* Its C, and its kernels for CUDA, in `alone`. `kernel`: the name of the step's function. False, and `why`: there is no
 * such step, or none that runs alone. */
bool repro_text(Arena *a, const Compiled *c, const Target *target, const Emitted *e, const char *kernel,
                Emitted *alone, const char **why);

#endif
