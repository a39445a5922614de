/* SPDX-License-Identifier: MIT */
/* CUDA without a GPU: generated kernels.cu compiled by the C++ compiler, and run on the CPU thread by thread.
 *
 * A block's threads are fibers that change over where one waits: at a barrier, or in an exchange among the lanes of a
 * warp. The blocks of a cluster run together, each with its own copy of the shared variables. A wait that cannot end is
 * reported, and so is an address that a vector cannot be loaded from. Threads and blocks run in ascending or in
 * descending order: results must be the same bits.
 *
 * Device memory is host memory: the host side of a network, compiled by tests/host, launches straight into the kernels.
 * Test programs use it as their `machine` (tests/host/machine.h); threads and blocks run in ascending order, or
 * descending. */
#ifndef NNC_TESTS_EMULATION_H
#define NNC_TESTS_EMULATION_H

#include "tests/host/machine.h"
#include <stdbool.h>
#include <stdint.h>

/* A kernel of a file that was compiled with tests/cuda/device.h. */
typedef struct EmulatedKernel {
	const char *name;
	void (*run)(void *const *arguments);
	unsigned cluster;          /* blocks of a cluster; 0: as 1 */
	char *shared, *shared_end; /* around the file's shared variables; needed for clusters */
} EmulatedKernel;

/* One launch, of a kernel from anywhere, with so many bytes of dynamic shared memory. `overlaps`: as
 * NnrKernel.overlaps, so that each thread must call nnr_kernel_wait once. */
void emulated_run(const EmulatedKernel *kernel, int64_t blocks, int threads, int chip_bytes, bool overlaps,
                  void *const *arguments);

/* Whether blocks and threads of later launches begin with the last ones. */
void emulated_descend(bool descend);

/* Calls of a network's host code that have to know its kernels. */
struct NnrKernel; /* runtime/cuda/nnr_cuda.h */
void emulated_launch(int network, struct NnrKernel *k, void *const *arguments, unsigned long bytes);
/* In front of what a library computes, which is not put off: on the branch all that was before it has ended. */
void emulated_library(void);

/* Precisions in which libraries.c computes convolutions and products. */
extern const char *const emulated_libraries;

#endif
