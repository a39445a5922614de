/* SPDX-License-Identifier: MIT */
/* The whole pipeline: one source text to programs and generated C. What each step is: driver/driver.c, top to
 * bottom. */
#ifndef NNC_DRIVER_H
#define NNC_DRIVER_H

#include "emit/compiled.h"
#include "passes/pass.h"
#include "passes/rematerialize.h"

/* NULL after diagnostics in `d`. */
Compiled *compile(Arena *a, Diagnostics *d, const Source *source, const DriverOptions *options);
/* The same once, whatever memory that takes, but for what `goal` asks (passes/rematerialize.h); NULL: nothing. */
Compiled *compile_for(Arena *a, Diagnostics *d, const Source *source, const DriverOptions *options,
                      MemoryGoal *goal);
/* memory.c: that so many bytes may be alive, with the target's prices. */
MemoryGoal memory_goal(int64_t bytes, const Target *t);
/* So that the plans of all programs fit options->memory_bytes, or else it ends the process with EXIT_TOOL. */
Compiled *compile_in_memory(Arena *a, Diagnostics *d, const Source *source, const DriverOptions *options);
/* Compiles one graph as a batch, an operator at a time; for tests. `like`: PassContext.like. */
Program *compile_graph(const Graph *g, const Program *like, PassContext *ctx, const DriverOptions *options);

#endif
