/* The CUDA driver, loaded from libcuda.so.1, and what the library steps (plan.c, cudnn.c, cublas.c) need of the
 * backend. Entry points are reached as cu.StreamSynchronize(...); a new one is one more line of DRIVER_FUNCTIONS. */
#ifndef NNR_CUDA_DRIVER_H
#define NNR_CUDA_DRIVER_H

#include <cuda.h>
#include <stdbool.h>
#include <stdint.h>

/* The names of cuda.h without `cu`; cuda.h maps some to versioned symbols (cuGraphInstantiate is a macro). */
#define DRIVER_FUNCTIONS(F)                                                                              \
	F(DeviceGetName)                                                                                 \
	F(DeviceGetAttribute)                                                                            \
	F(DriverGetVersion)                                                                              \
	F(StreamSynchronize)                                                                             \
	F(StreamBeginCapture)                                                                            \
	F(StreamEndCapture)                                                                              \
	F(GraphInstantiate)                                                                              \
	F(GraphLaunch)                                                                                   \
	F(GraphExecDestroy)                                                                              \
	F(GraphDestroy)                                                                                  \
	F(EventCreate)                                                                                   \
	F(EventRecord)                                                                                   \
	F(EventSynchronize)                                                                              \
	F(EventElapsedTime)

typedef struct Driver {
#define DRIVER_FUNCTION(name) __typeof__(cu##name) *name;
	DRIVER_FUNCTIONS(DRIVER_FUNCTION)
#undef DRIVER_FUNCTION
} Driver;

extern Driver cu;

/* Ends the process with STATUS_DEVICE-like exit unless `status` is CUDA_SUCCESS; `call` names the entry point. */
void nnr_cuda_check(CUresult status, const char *call);

CUdevice nnr_cuda_device(void);
CUstream nnr_cuda_stream(void);            /* the stream of the step; of the branch being enqueued, if it has any */
void *nnr_cuda_workspace(int64_t bytes);   /* device scratch of at least that size, 256-byte aligned, for that stream */
bool nnr_cuda_capturing(void);             /* is a graph being captured on it? */
const char *nnr_cuda_precision(void);      /* "tf32", "fp32", "bf16", "fp16" of the model */
bool nnr_cuda_deterministic(void);

#endif
