/* What machine.c asks of the runtime. */
#ifndef NNC_TESTS_GPU_DEVICE_H
#define NNC_TESTS_GPU_DEVICE_H

#include "runtime/nnr.h"

/* Writes the architecture of the first GPU ("sm_90") to `out` and exits with 0, or writes what is missing and exits
 * otherwise. In a child: a process that has opened the GPU can't have children that do. */
_Noreturn void gpu_look(int out);

/* Runs a program twice from the same state, host memory to host memory: launch by launch on `memory`, as a captured graph
 * with its branches on `captured`, which holds the same values. A failing call ends the process. */
void gpu_run_program(const NnrModel *m, const NnrProgram *p, const NnrMemory *memory,
                     const NnrMemory *captured, const NnrScalars *scalars);

#endif
