/* SPDX-License-Identifier: MIT */
/* The whole pipeline: one source text to programs and generated C. What each step is: driver/driver.c, top to
 * bottom. */
#ifndef NNC_DRIVER_H
#define NNC_DRIVER_H

#include "emit/compiled.h"
#include "passes/pass.h"

/* NULL after diagnostics in `d`. */
Compiled *compile(Arena *a, Diagnostics *d, const Source *source, const DriverOptions *options);
/* Compiles one graph as a batch, an operator at a time; for tests. `like`: PassContext.like. */
Program *compile_graph(const Graph *g, const Program *like, PassContext *ctx, const DriverOptions *options);

#endif
