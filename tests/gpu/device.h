/* SPDX-License-Identifier: MIT */
/* What machine.c asks of the runtime. */
#ifndef NNC_TESTS_GPU_DEVICE_H
#define NNC_TESTS_GPU_DEVICE_H

#include "runtime/nnr.h"

/* Writes the architecture of the first GPU ("sm_90") to `out` and exits with 0, or writes what is missing and exits
 * otherwise. In a child: a process that has opened the GPU can't have children that do. */
_Noreturn void gpu_look(int out);

typedef enum GpuWay {
	GPU_PLAIN, /* launch by launch */
	GPU_GRAPH, /* as a captured graph with its branches, kernels overlapping where the runtime lets them */
	GPU_GRAPH_APART, /* the same, but that no kernel begins before the one before it has ended */
} GpuWay;

/* Runs a program, host memory to host memory. A failing call ends the process. */
void gpu_run_program(const NnrModel *m, const NnrProgram *p, const NnrMemory *memory,
                     const NnrScalars *scalars, GpuWay way);

#endif
