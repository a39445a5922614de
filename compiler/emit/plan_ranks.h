/* SPDX-License-Identifier: MIT */
/* The part of the plan that is of several ranks. Private to codegen/. */
#ifndef NNC_PLAN_RANKS_H
#define NNC_PLAN_RANKS_H

#include "base/writer.h"
#include "target/target.h"
#include "ir/program.h"

/* Of a training program with all_reduce steps; for CUDA also times, of GPUs of one host. */
void write_ranks_plan(Arena *a, Writer *w, const Program *p, int64_t ranks, const Target *target);

#endif
