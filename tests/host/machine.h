/* SPDX-License-Identifier: MIT */
/* Where a test runs the generated kernels of the CUDA target: by emulation on the CPU (tests/cuda/emulation.c) or on
 * this machine's GPU (tests/gpu/machine.c). A test program links one of the two.
 *
 * Networks are numbered from 0. Their kernels are loaded first; then their host sources, as `host` gives them, are
 * compiled by host_load. */
#ifndef NNC_TESTS_MACHINE_H
#define NNC_TESTS_MACHINE_H

#include "base/arena.h"
#include "runtime/nnr.h"

typedef struct MachineCode {
	const char *kernels;   /* the text of kernels.cu */
	const char *precision; /* of the recipe: what f32 arithmetic of the libraries may do */
} MachineCode;

typedef struct Machine {
	const char *name; /* "emulated", "on the GPU" */
	/* Each network must be run in a process of its own (isolate.h), which may crash; else all run in this one. */
	bool isolated;
	/* False, and a sentence on stdout, where the machine is missing. */
	bool (*possible)(void);
	/* The host source of network `i` as it must be given to host_load. */
	char *(*host)(Arena *a, int i, const char *source);
	/* Compiles the kernels of `count` networks in `folder`. Ends the test with the compiler's words. False: they
	 * are for another machine, and can't be run on this one. */
	bool (*load)(Arena *a, int count, const MachineCode *code, const char *folder);
	/* What `load` leaves to be done where another process has compiled the kernels, in that folder; NULL:
	 * nothing. */
	void (*open)(Arena *a, int count, const char *folder);
	/* Runs a program of `m` on the host's memory, and is done with it when it returns. */
	void (*run)(const NnrModel *m, const NnrProgram *p, const NnrMemory *memory,
	            const NnrScalars *scalars);
	/* Only compiles the kernels, for `archs` ("sm_90a,compute_80"), which needs no GPU: all for the first, of those
	 * that differ in sizes alone one for the others. How many networks' are refused, -1 where NVRTC is missing, and
	 * sentences on stdout. NULL where the machine has no such compiler. */
	int (*compile)(int count, const MachineCode *code, const char *archs);
	/* Precisions in which convolutions and products are calls of libraries, in one text. */
	const char *const *libraries;
	/* The order in which threads and blocks run from now on; NULL where nobody can choose. */
	void (*descend)(bool descend);
} Machine;

extern const Machine machine;

#endif
