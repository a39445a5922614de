/* SPDX-License-Identifier: MIT */
/* A libcuda.so.1 without a GPU: host memory as device memory, kernels run by emulation.c, graphs as lists of launches.
 *
 *   FAKE_CUDA_FAIL=K    the K-th call fails with FAKE_CUDA_STATUS (700, an illegal address); K+: and all after it
 *   FAKE_CUDA_FAIL_IN=NAME      every call of that function does
 *   FAKE_CUDA_LOG=FILE  one line per call, and per kernel that runs: "run line_train_step"; "overlap ..." where it may
 *                       begin before the one before it has ended
 *   FAKE_CUDA_MICROSECONDS=N    between any two events; "clock": what fake_cuda_work was said to take
 *   FAKE_CUDA_MEMORY=B, FAKE_CUDA_ARCH=NN, FAKE_CUDA_DEVICES=N,
 *   FAKE_CUDA_MULTIPROCESSORS=N                                   what the device says of itself
 *
 * What may not be called while a graph is captured fails as in the driver. A captured launch that asks for a
 * programmatic dependency fails unless it depends on one kernel of its stream alone. */
#include "tests/cuda/fake_cuda.h"
#include "tests/cuda/fake_probe.h"
#include "tests/cuda/fake_work.h"

#include <cuda.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

extern const FakeKernel fake_kernels[];

enum { MOST_NODES = 4096, ARGUMENT_ROOM = 4096, MOST_BEFORE = 16 };

typedef struct Node {
	const FakeKernel *kernel; /* NULL: a copy, or work of a library */
	FakeWork work;
	unsigned blocks, threads;
	int chip_bytes;
	bool overlaps;
	CUstream stream;
	char *arguments[FAKE_ARGUMENTS];
	void *to;
	const void *from;
	size_t bytes;
} Node;

/* Most have a few nodes. While one is captured, pages that no node is on take no memory; ready to run, its nodes alone
 * do. */
struct CUgraph_st {
	int count;
	Node nodes[MOST_NODES];
};

/* On which nodes of a capture depends what is enqueued next on a stream, or after an event. */
typedef struct Before {
	int capture; /* its number; of another: on none */
	size_t count;
	CUgraphNode nodes[MOST_BEFORE];
} Before;

struct CUstream_st {
	Before before;
};

struct CUevent_st {
	Before before;
	double us; /* when it was recorded */
};

FakeProbe fake_cuda_probe;

static CUgraph capture;
static int captures;
static atomic_long calls;
static size_t used;
static double clock_us;

static long setting(const char *name, long otherwise)
{
	const char *value = getenv(name);
	return value ? atol(value) : otherwise;
}

static void note(const char *kind, const char *what)
{
	const char *path = getenv("FAKE_CUDA_LOG");
	FILE *f = path ? fopen(path, "a") : NULL;
	if (f) {
		fprintf(f, "%s %s\n", kind, what);
		fclose(f);
	}
}

static CUresult enter(const char *name)
{
	const char *failing = getenv("FAKE_CUDA_FAIL_IN");
	note("call", name);
	if (fake_fails("FAKE_CUDA_FAIL", ++calls) || (failing && strcmp(failing, name) == 0))
		return (CUresult)setting("FAKE_CUDA_STATUS", CUDA_ERROR_ILLEGAL_ADDRESS);
	return CUDA_SUCCESS;
}

#define ENTER                                       \
	do {                                        \
		CUresult status_ = enter(__func__); \
		if (status_ != CUDA_SUCCESS)        \
			return status_;             \
	} while (0)
/* Not while a graph is captured. */
#define ENTER_PLAIN                                                   \
	do {                                                          \
		ENTER;                                                \
		if (capture)                                          \
			return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED; \
	} while (0)

/* ---- the device */

CUresult cuInit(unsigned flags)
{
	ENTER;
	return setting("FAKE_CUDA_DEVICES", 1) > 0 ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}

CUresult cuDriverGetVersion(int *version)
{
	ENTER;
	*version = CUDA_VERSION;
	return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
	*name = error == CUDA_ERROR_OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_FAKE";
	return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
	*text = "an error that was asked for";
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
	ENTER;
	*count = (int)setting("FAKE_CUDA_DEVICES", 1);
	return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	ENTER;
	*device = ordinal;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int room, CUdevice device)
{
	ENTER;
	snprintf(name, (size_t)room, "Fake GPU");
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *place, int room, CUdevice device)
{
	ENTER;
	snprintf(place, (size_t)room, "0000:%02x:00.0", 7 + device);
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute what, CUdevice device)
{
	ENTER;
	int arch = (int)setting("FAKE_CUDA_ARCH", 90);
	if (what == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
		*value = (int)setting("FAKE_CUDA_MULTIPROCESSORS", 132);
	else
		*value = what == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? arch / 10 : arch % 10;
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
	ENTER;
	*context = NULL;
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
	ENTER;
	return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
	ENTER;
	return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext context)
{
	ENTER;
	return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *context)
{
	ENTER_PLAIN;
	return CUDA_SUCCESS;
}

/* ---- memory */

CUresult cuMemGetInfo(size_t *left, size_t *total)
{
	ENTER_PLAIN;
	*total = (size_t)setting("FAKE_CUDA_MEMORY", 1000000000);
	*left = *total - used;
	return CUDA_SUCCESS;
}

/* Filled with what no program should read. */
CUresult cuMemAlloc(CUdeviceptr *at, size_t bytes)
{
	ENTER_PLAIN;
	size_t length = (bytes + 255) / 256 * 256;
	if (used + length > (size_t)setting("FAKE_CUDA_MEMORY", 1000000000))
		return CUDA_ERROR_OUT_OF_MEMORY;
	char *p = aligned_alloc(256, length);
	memset(p, 0xab, length);
	used += length;
	*at = (CUdeviceptr)p;
	return CUDA_SUCCESS;
}

CUresult cuMemFree(CUdeviceptr at)
{
	ENTER_PLAIN;
	free((void *)at);
	return CUDA_SUCCESS;
}

CUresult cuMemAllocHost(void **at, size_t bytes)
{
	ENTER_PLAIN;
	*at = malloc(bytes);
	return CUDA_SUCCESS;
}

CUresult cuMemFreeHost(void *at)
{
	ENTER_PLAIN;
	free(at);
	return CUDA_SUCCESS;
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
	ENTER_PLAIN;
	memcpy((void *)to, from, bytes);
	return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
	ENTER_PLAIN;
	memcpy(to, (const void *)from, bytes);
	return CUDA_SUCCESS;
}

/* ---- work */

/* `in_graph`: n is a node of one. */
static CUresult run_node(const Node *n, bool in_graph)
{
	if (fake_cuda_probe.ran)
		fake_cuda_probe.ran(in_graph ? (void *)(uintptr_t)n : NULL,
		                    n->kernel ? n->kernel->kernel.name : "library");
	for (size_t i = 0; i < n->work.count; i++)
		n->work.result[i] = n->work.operand && isnan(*n->work.operand)
		                            ? NAN
		                            : (float)((i * 2654435761u ^ n->work.pattern) % 251) - 125;
	if (n->work.run)
		n->work.run(n->work.context);
	clock_us += n->work.us;
	if (!n->kernel) {
		if (n->bytes > 0)
			memcpy(n->to, n->from, n->bytes);
		return CUDA_SUCCESS;
	}
	note(n->overlaps ? "overlap" : "run", n->kernel->kernel.name);
	emulated_run(&n->kernel->kernel, n->blocks, (int)n->threads, n->chip_bytes, n->overlaps,
	             (void *const *)n->arguments);
	return CUDA_SUCCESS;
}

static Before *current(Before *b)
{
	if (b->capture != captures)
		*b = (Before){.capture = captures};
	return b;
}

static bool behind_one_kernel(CUstream stream)
{
	const Before *b = current(&stream->before);
	const Node *before = b->count == 1 ? (const Node *)(const void *)b->nodes[0] : NULL;
	return before && before->kernel && before->stream == stream;
}

static CUresult run_or_keep(const Node *n, CUstream stream)
{
	if (!capture)
		return run_node(n, false);
	if (capture->count == MOST_NODES)
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (n->overlaps && !behind_one_kernel(stream))
		return CUDA_ERROR_INVALID_VALUE;
	Node *kept = &capture->nodes[capture->count++];
	*kept = *n;
	kept->stream = stream;
	stream->before = (Before){captures, 1, {(CUgraphNode)(void *)kept}};
	if (fake_cuda_probe.node_made)
		fake_cuda_probe.node_made(kept, NULL);
	for (int i = 0; n->kernel && i < n->kernel->count; i++) {
		kept->arguments[i] = malloc((size_t)n->kernel->bytes[i]);
		memcpy(kept->arguments[i], n->arguments[i], (size_t)n->kernel->bytes[i]);
	}
	return CUDA_SUCCESS;
}

int fake_cuda_work(const FakeWork *work)
{
	static const double call_us = 28; /* what the host's call adds where it is not captured */
	Node n = {.work = *work};
	clock_us += capture ? 0 : call_us;
	return (int)run_or_keep(&n, work->stream);
}

typedef struct Clearing {
	CUdeviceptr at;
	unsigned char value;
	size_t bytes;
} Clearing;

static void run_clearing(const void *context)
{
	const Clearing *c = context;
	memset((void *)c->at, c->value, c->bytes);
}

CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char value, size_t bytes, CUstream stream)
{
	ENTER;
	Clearing clearing = {at, value, bytes}, *kept = &clearing;
	if (!capture) {
		run_clearing(kept);
		return CUDA_SUCCESS;
	}
	kept = malloc(sizeof *kept); /* a graph may run it again and again */
	*kept = clearing;
	Node n = {.work = {.run = run_clearing, .context = kept}};
	return run_or_keep(&n, stream);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
	ENTER;
	Node n = {.to = (void *)to, .from = (const void *)from, .bytes = bytes};
	return run_or_keep(&n, stream);
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *options,
                            void **values)
{
	ENTER_PLAIN;
	*module = (CUmodule)(uintptr_t)image;
	return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module)
{
	ENTER_PLAIN;
	return CUDA_SUCCESS;
}

static bool has_kernel(CUmodule module, const char *name)
{
	const char *image = (const char *)module;
	const bool own = strncmp(name, "nnr_", 4) == 0;
	if (strcmp(image, FAKE_OWN_KERNELS) == 0)
		return own;
	return strcmp(image, FAKE_OTHER_KERNELS) != 0 || !own;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
	ENTER_PLAIN;
	const FakeKernel *k = fake_kernels;
	while (k->kernel.name && strcmp(k->kernel.name, name) != 0)
		k++;
	*function = (CUfunction)(uintptr_t)k;
	return k->kernel.name && has_kernel(module, name) ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
	ENTER;
	return CUDA_SUCCESS;
}

/* Address, columns and rows: what the fake kernels of products read. */
CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                const cuuint64_t *size, const cuuint64_t *pitch, const cuuint32_t *box,
                                const cuuint32_t *step, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill)
{
	ENTER;
	*map = (CUtensorMap){.opaque = {(cuuint64_t)(uintptr_t)address, size[0], size[1]}};
	return rank == 2 && pitch[0] == size[0] * sizeof(float) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLaunchKernel(CUfunction function, unsigned x, unsigned y, unsigned z, unsigned threads,
                        unsigned ty, unsigned tz, unsigned shared, CUstream stream, void **arguments,
                        void **extra)
{
	ENTER;
	Node n = {.kernel = (const FakeKernel *)(const void *)function,
	          .blocks = x,
	          .threads = threads,
	          .chip_bytes = (int)shared};
	for (int i = 0; i < n.kernel->count; i++)
		n.arguments[i] = arguments[i];
	return run_or_keep(&n, stream);
}

static bool has_attribute(const CUlaunchConfig *config, CUlaunchAttributeID id)
{
	for (unsigned i = 0; i < config->numAttrs; i++)
		if (config->attrs[i].id == id)
			return true;
	return false;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **arguments, void **extra)
{
	ENTER;
	Node n = {.kernel = (const FakeKernel *)(const void *)function,
	          .blocks = config->gridDimX,
	          .threads = config->blockDimX,
	          .chip_bytes = (int)config->sharedMemBytes,
	          .overlaps = has_attribute(config, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)};
	for (int i = 0; i < n.kernel->count; i++)
		n.arguments[i] = arguments[i];
	return run_or_keep(&n, config->hStream);
}

/* ---- streams, graphs, events */

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
	ENTER;
	*least = 0;
	*greatest = -5;
	return CUDA_SUCCESS;
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority)
{
	ENTER_PLAIN;
	*stream = calloc(1, sizeof **stream);
	return CUDA_SUCCESS;
}

CUresult cuStreamDestroy(CUstream stream)
{
	ENTER_PLAIN;
	free(stream);
	return CUDA_SUCCESS;
}

CUresult cuStreamSynchronize(CUstream stream)
{
	ENTER_PLAIN;
	return CUDA_SUCCESS;
}

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode)
{
	ENTER_PLAIN;
	void *graph = mmap(NULL, sizeof *capture, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (graph == MAP_FAILED)
		return CUDA_ERROR_OUT_OF_MEMORY;
	capture = graph;
	captures++;
	return CUDA_SUCCESS;
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
	ENTER;
	*graph = capture;
	capture = NULL;
	return CUDA_SUCCESS;
}

static CUresult capture_info(CUstream stream, CUstreamCaptureStatus *status, const CUgraphNode **nodes,
                             size_t *count)
{
	const Before *b = current(&stream->before);
	*status = capture ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
	*nodes = b->nodes;
	*count = b->count;
	return CUDA_SUCCESS;
}

#if CUDA_VERSION >= 13000
CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *number,
                                CUgraph *graph, const CUgraphNode **nodes, const CUgraphEdgeData **edges,
                                size_t *count)
#else
CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *number,
                                CUgraph *graph, const CUgraphNode **nodes, size_t *count)
#endif
{
	ENTER;
	return capture_info(stream, status, nodes, count);
}

CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type)
{
	ENTER;
	*type = ((const Node *)(const void *)node)->kernel ? CU_GRAPH_NODE_TYPE_KERNEL
	                                                   : CU_GRAPH_NODE_TYPE_MEMCPY;
	return CUDA_SUCCESS;
}

CUresult cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
	ENTER_PLAIN;
	size_t bytes = offsetof(struct CUgraph_st, nodes) + sizeof(Node) * (size_t)graph->count;
	CUgraph copy = malloc(bytes);
	memcpy(copy, graph, bytes);
	for (int i = 0; i < copy->count && fake_cuda_probe.node_made; i++)
		fake_cuda_probe.node_made(&copy->nodes[i], &graph->nodes[i]);
	*exec = (CUgraphExec)(void *)copy;
	return CUDA_SUCCESS;
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
	ENTER_PLAIN;
	const struct CUgraph_st *graph = (const struct CUgraph_st *)(const void *)exec;
	for (int i = 0; i < graph->count; i++)
		run_node(&graph->nodes[i], true);
	return CUDA_SUCCESS;
}

CUresult cuGraphDestroy(CUgraph graph)
{
	ENTER_PLAIN;
	munmap(graph, sizeof *graph);
	return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec exec)
{
	ENTER_PLAIN;
	struct CUgraph_st *graph = (struct CUgraph_st *)(void *)exec;
	for (int i = 0; i < graph->count; i++)
		for (int k = 0; graph->nodes[i].kernel && k < graph->nodes[i].kernel->count; k++)
			free(graph->nodes[i].arguments[k]);
	free(graph);
	return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent *event, unsigned flags)
{
	ENTER_PLAIN;
	*event = calloc(1, sizeof **event);
	return CUDA_SUCCESS;
}

CUresult cuEventDestroy(CUevent event)
{
	ENTER_PLAIN;
	free(event);
	return CUDA_SUCCESS;
}

/* Everything runs in the order in which it is enqueued, so that no stream ever has to wait for another. */
CUresult cuEventRecord(CUevent event, CUstream stream)
{
	ENTER;
	event->before = *current(&stream->before);
	event->us = clock_us;
	return CUDA_SUCCESS;
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
	ENTER;
	Before *to = current(&stream->before);
	const Before *from = current(&event->before);
	for (size_t i = 0; i < from->count; i++) {
		size_t k = 0;
		while (k < to->count && to->nodes[k] != from->nodes[i])
			k++;
		if (k == MOST_BEFORE)
			return CUDA_ERROR_OUT_OF_MEMORY;
		to->nodes[k] = from->nodes[i];
		to->count += k == to->count;
	}
	return CUDA_SUCCESS;
}

CUresult cuEventSynchronize(CUevent event)
{
	ENTER_PLAIN;
	return CUDA_SUCCESS;
}

/* A quarter of a millisecond, or what FAKE_CUDA_MICROSECONDS says. */
CUresult cuEventElapsedTime(float *milliseconds, CUevent begun, CUevent ended)
{
	ENTER_PLAIN;
	const char *pace = getenv("FAKE_CUDA_MICROSECONDS");
	bool by_clock = pace && strcmp(pace, "clock") == 0;
	*milliseconds = (float)((by_clock ? ended->us - begun->us : pace ? atof(pace) : 250) / 1000);
	return CUDA_SUCCESS;
}
