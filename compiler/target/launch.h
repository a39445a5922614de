/* SPDX-License-Identifier: MIT */
/* What a CUDA kernel is launched with, beside its arguments. */
#ifndef NNC_LAUNCH_H
#define NNC_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

/* Of a kernel by warpgroups, of sm_90a, instead of its sizes elsewhere: blocks of NNR_WARPGROUP_THREADS. 0 blocks: it
 * has no such code. */
typedef struct WarpgroupLaunch {
	int64_t blocks, shared_bytes;
} WarpgroupLaunch;

typedef struct CudaLaunch {
	int64_t blocks;
	int threads;
	int cluster;            /* blocks of a cluster; 0: none */
	int per_multiprocessor; /* blocks that should fit at once: bounds the registers; 0: no matter */
	int64_t shared_bytes; /* of shared memory, beside what the kernel declares by itself: NNR_CHIP; 0: none */
	bool together;        /* blocks wait for each other: all of them must have their place at once */
	bool tensor_cores; /* it multiplies by them */
	int64_t counters; /* of blocks that have arrived, in device memory: the kernel's own `done[]`; 0: none */
	WarpgroupLaunch warpgroups;
	bool any_size; /* sizes may be arguments: no loop is unrolled by them, and no address is a constant for them */
} CudaLaunch;

#endif
