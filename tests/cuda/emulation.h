/* CUDA without a GPU: generated kernels.cu compiled by the C++ compiler, and run on the CPU thread by thread.
 *
 * A block's threads are fibers that change over where one waits: at a barrier, or in an exchange among the lanes of a
 * warp. A wait that cannot end is reported, and so is an address that a vector cannot be loaded from. Threads and blocks
 * run in ascending or in descending order: results must be the same bits.
 *
 * Device memory is host memory: the host side of a network, compiled by tests/host, launches straight into the kernels. */
#ifndef NNC_TESTS_EMULATION_H
#define NNC_TESTS_EMULATION_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

/* A kernel of a file that was compiled with tests/cuda/device.h. */
typedef struct EmulatedKernel {
	const char *name;
	void (*run)(void *const *arguments);
} EmulatedKernel;

/* False, and a sentence on stdout, where there is no C++ compiler. */
bool emulation_possible(void);
/* The host source of network `i`, as it must be given to host_load, so that it launches the kernels of that number. */
char *emulation_host(Arena *a, int i, const char *source);
/* Compiles and loads the kernels of `count` networks in `folder`. Ends the test with the compiler's words. */
void emulation_load(Arena *a, int count, const char *const *kernels, const char *folder);
/* One launch, of a kernel from anywhere. */
void emulated_run(const EmulatedKernel *kernel, int64_t blocks, int threads, void *const *arguments);
/* The order in which threads and blocks run from now on. */
void emulation_descend(bool descend);

#endif
