/* SPDX-License-Identifier: MIT */
/* Kernels that begin before the one before them has ended: CUDA's programmatic dependent launch (NnrKernel.overlaps).
 * The two of an on-chip step do; for those of other steps it was measured and did not pay (bench/notes/runtime.md,
 * "Library plans").
 *
 * Launched so, a kernel may begin once every block of the kernel before it in its stream has called nnr_kernel_next or
 * ended; its own nnr_kernel_wait then waits until that kernel has ended and what it wrote can be seen. So setting up a
 * launch, about a microsecond, costs nothing, and nothing but that may be ahead of the wait: arguments, indices, shared
 * memory.
 *
 *   - Every thread waits ahead of its first access to global memory, of its first write too: the kernel before may
 *     still read what this one overwrites. (An on-chip step reads ahead of its wait what no kernel of a graph writes.)
 *   - One wait is for all kernels before: a kernel whose threads have waited for the one before it can't end earlier
 *     than that one, which can't have ended earlier than the one before that. This holds as long as no kernel that is
 *     launched so ends without waiting; one that is launched plainly depends on everything before it.
 *   - nnr_kernel_next follows the wait: what begins then finds all but one kernel before it ended, and all blocks of
 *     that one on the device, so that a block that waits takes no room from one that works. At most one kernel waits.
 *   - What a kernel reads is not constant for its lifetime, since that begins while it is written. A pointer that is
 *     const and __restrict__ would say so, and let the compiler load ahead of the wait, past the caches that it makes
 *     valid: parameters of such a kernel are neither, and none of its loads is ld.global.nc.
 *
 * Where it may be used is nnr_launch's to say (module.c). Before sm_90 both are empty, and launches plain. */
#ifndef NNR_OVERLAP_H
#define NNR_OVERLAP_H

#include "cuda/nnr_control.h"

/* From here on, what the kernels before this one wrote can be read, and what they read overwritten. */
NNR_FUNCTION void nnr_kernel_wait()
{
#ifdef NNR_EMULATED
	emulated_kernel_wait();
#elif __CUDA_ARCH__ >= 900
	asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* The next kernel may begin, as far as there is room beside this one. */
NNR_FUNCTION void nnr_kernel_next()
{
#if !defined NNR_EMULATED && __CUDA_ARCH__ >= 900
	asm volatile("griddepcontrol.launch_dependents;");
#endif
}

#endif
