/* What each dialect writes for a kernel's loop nest. Private to target/. */
#ifndef NNC_FORMS_H
#define NNC_FORMS_H

#include "target/body.h"

typedef struct CudaLaunch {
	int64_t blocks;
	int threads;
	int64_t counters; /* of blocks that have arrived, in device memory: the kernel's own `done[]`; 0: none */
} CudaLaunch;

void write_loops_cpu(Body *e);        /* loops_cpu.c: C with OpenMP, into e->w */
CudaLaunch write_loops_cuda(Body *e); /* loops_cuda.c: the body of a CUDA kernel */
int64_t workspace_cuda(const LoopNest *nest);

#endif
