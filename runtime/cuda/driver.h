/* SPDX-License-Identifier: MIT */
/* The CUDA driver, loaded from libcuda.so.1, and what the library steps (plan.c, cudnn.c, cublas.c) need of the
 * backend. Entry points are reached as cu.StreamSynchronize(...); a new one is one more line of DRIVER_FUNCTIONS. */
#ifndef NNR_CUDA_DRIVER_H
#define NNR_CUDA_DRIVER_H

#include <cuda.h>
#include <stdbool.h>
#include <stdint.h>

/* The names of cuda.h without `cu`; cuda.h maps some to versioned symbols (cuGraphInstantiate is a macro). */
#define DRIVER_FUNCTIONS(F)          \
	F(Init)                      \
	F(DriverGetVersion)          \
	F(GetErrorName)              \
	F(GetErrorString)            \
	F(DeviceGetCount)            \
	F(DeviceGet)                 \
	F(DeviceGetName)             \
	F(DeviceGetPCIBusId)         \
	F(DeviceGetAttribute)        \
	F(DevicePrimaryCtxRetain)    \
	F(DevicePrimaryCtxRelease)   \
	F(CtxSetCurrent)             \
	F(CtxPushCurrent)            \
	F(CtxPopCurrent)             \
	F(ModuleLoadDataEx)          \
	F(ModuleUnload)              \
	F(ModuleGetFunction)         \
	F(FuncSetAttribute)          \
	F(LaunchKernel)              \
	F(LaunchKernelEx)            \
	F(MemGetInfo)                \
	F(MemAlloc)                  \
	F(MemFree)                   \
	F(MemAllocHost)              \
	F(MemFreeHost)               \
	F(MemcpyHtoDAsync)           \
	F(MemcpyDtoHAsync)           \
	F(MemcpyDtoDAsync)           \
	F(MemsetD8Async)             \
	F(CtxGetStreamPriorityRange) \
	F(StreamCreateWithPriority)  \
	F(StreamDestroy)             \
	F(StreamSynchronize)         \
	F(StreamBeginCapture)        \
	F(StreamGetCaptureInfo)      \
	F(StreamEndCapture)          \
	F(GraphNodeGetType)          \
	F(TensorMapEncodeTiled)      \
	F(GraphInstantiate)          \
	F(GraphLaunch)               \
	F(GraphExecDestroy)          \
	F(GraphDestroy)              \
	F(EventCreate)               \
	F(EventDestroy)              \
	F(EventRecord)               \
	F(StreamWaitEvent)           \
	F(EventSynchronize)          \
	F(EventElapsedTime)

typedef struct Driver {
#define DRIVER_FUNCTION(name) __typeof__(cu##name) *name;
	DRIVER_FUNCTIONS(DRIVER_FUNCTION)
#undef DRIVER_FUNCTION
} Driver;

extern Driver cu;

/* Loads libcuda.so.1, or what $NNR_LIBCUDA names, and fills `cu`; ends the process with STATUS_DEVICE and what to
 * install where it can't. */
void nnr_cuda_load_driver(void);
/* Ends the process with STATUS_DEVICE (STATUS_MEMORY where the device has none left) unless `status` is CUDA_SUCCESS;
 * `call` names the entry point. The message says what the process was doing. */
void nnr_cuda_check(CUresult status, const char *call);
/* The same around a call: CU(StreamSynchronize, stream). */
#define CU(name, ...) nnr_cuda_check(cu.name(__VA_ARGS__), "cu" #name)
/* ", in step 12 resnet.net:5 conv(...)" where generated code is enqueueing one (nnr_step), else "". */
const char *nnr_cuda_step(void);
/* The step's number, 0: none. */
int nnr_cuda_step_number(void);
/* From now on the listener is called at each nnr_step, and ahead of what is enqueued beside a step; NULL: none. */
void nnr_cuda_on_step(void (*listener)(void));
void nnr_cuda_aside(void); /* calls it */
/* What is being done, for that message: the kernel or step being enqueued ("add_relu_100352x64"). Kept, not copied. */
void nnr_cuda_doing(const char *what);
/* The help of a failure from now on; NULL: the usual one. */
void nnr_cuda_advise(const char *help);

struct NnrKernel; /* nnr_cuda.h */
/* Enqueues a kernel that has its handle; `early`: it may begin before the one before it in the stream has ended. */
void nnr_cuda_enqueue(const struct NnrKernel *k, CUstream stream, bool early, void *const *arguments);

CUdevice nnr_cuda_device(void);
CUstream nnr_cuda_stream(void); /* of the step; of the branch being enqueued, if it has any */
void *nnr_cuda_workspace(
        int64_t bytes);        /* device scratch of at least that size, 256-byte aligned, for that stream */
bool nnr_cuda_capturing(void); /* is a graph being captured on it? */
/* Is a program only looked through, for what it will ask of the libraries? Then nothing is enqueued. */
bool nnr_cuda_looking(void);
const char *nnr_cuda_precision(void); /* "tf32", "fp32", "bf16", "fp16" of the model */
bool nnr_cuda_deterministic(void);
/* Whether the kernels that were loaded may use what compute capability 9.0 alone has. */
bool nnr_cuda_has_warpgroups(void);

#endif
