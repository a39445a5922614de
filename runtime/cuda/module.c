/* SPDX-License-Identifier: MIT */
/* The compiled kernels: choosing images for the device, finding and launching what is in them. */
#include "base/limits.h"
#include "runtime/host/die.h"
#include "runtime/cuda/arguments.h"
#include "runtime/cuda/nnr_sizes.h"
#include "runtime/cuda/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first whose code waits for the kernel before it (nnr_kernel_wait); a device that runs it can overlap kernels. */
enum { OVERLAP_ARCH = 90 };
/* The one whose own code has nnr_product.h's kernels: sm_90a. */
enum { WARPGROUP_ARCH = 90 };

/* 90 of "sm_90", "compute_90", "sm_90a". `exact`: with a letter, code for this architecture alone. */
static int arch_number(const char *arch, bool *exact)
{
	const char *digits = strchr(arch, '_');
	char *end = NULL;
	long number = digits ? strtol(digits + 1, &end, 10) : 0;
	require(number > 0 && number < 10000);
	*exact = *end != 0;
	return (int)number;
}

/* A cubin runs on its own major version from its minor version on, PTX on everything newer; code of an architecture's
 * own letter only there. */
static bool image_runs(const NnrImage *image, int device)
{
	bool exact, ptx = strncmp(image->arch, "compute_", 8) == 0;
	int arch = arch_number(image->arch, &exact);
	if (exact)
		return arch == device;
	return arch <= device && (ptx || arch / 10 == device / 10);
}

/* Of several parts of the kernels the first: all have the same architectures. */
static const NnrImage *choose_image(const NnrCudaModel *m, int device)
{
	const NnrImage *best = NULL;
	for (int i = 0; i < m->image_count; i++) {
		const NnrImage *image = &m->images[i];
		bool exact, ptx = strncmp(image->arch, "compute_", 8) == 0;
		if (!image_runs(image, device))
			continue;
		bool best_ptx = best && strncmp(best->arch, "compute_", 8) == 0;
		if (!best || (best_ptx && !ptx) ||
		    (best_ptx == ptx && arch_number(image->arch, &exact) > arch_number(best->arch, &exact)))
			best = image;
	}
	return best;
}

static void load_image(const NnrImage *image)
{
	CudaState *c = &nnr_cuda;
	static char log[4096];
	CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
	void *values[] = {log, (void *)(uintptr_t)sizeof log};
	require(c->module_count < MOST_MODULES);
	CUresult status = cu.ModuleLoadDataEx(&c->modules[c->module_count], image->bytes, 2, options, values);
	if (status == CUDA_ERROR_UNSUPPORTED_PTX_VERSION || status == CUDA_ERROR_NO_BINARY_FOR_GPU)
		die_help(STATUS_DEVICE,
		         "install a newer driver, or compile nnc's kernels with the CUDA of this one",
		         "the driver can't load the kernels for %s%s%s", image->arch, *log ? ": " : "", log);
	nnr_cuda_check(status, "cuModuleLoadDataEx");
	c->module_count++;
}

void cuda_unload_modules(void)
{
	CudaState *c = &nnr_cuda;
	while (c->module_count > 0)
		CU(ModuleUnload, c->modules[--c->module_count]);
}

void cuda_load_modules(const NnrCudaModel *m)
{
	CudaState *c = &nnr_cuda;
	int device = 10 * c->major + c->minor;
	const NnrImage *image = choose_image(m, device);
	if (!image) {
		char archs[256] = "";
		for (int i = 0; i < m->image_count; i++)
			snprintf(archs + strlen(archs), sizeof archs - strlen(archs), "%s%s", i ? ", " : "",
			         m->images[i].arch);
		const char *help = device < LEAST_ARCH
		                           ? "nnc's kernels need a GPU of compute capability 8.0 or newer"
		                           : text_printf("compile with --target=cuda:sm_%d", device);
		die_help(STATUS_DEVICE, help,
		         "the %s has compute capability %d.%d, this trainer has code for %s", c->name,
		         c->major, c->minor, archs);
	}
	nnr_cuda_doing("loading the kernels");
	for (int i = 0; i < m->image_count; i++)
		if (strcmp(m->images[i].arch, image->arch) == 0)
			load_image(&m->images[i]);
	bool exact;
	const int arch = arch_number(image->arch, &exact);
	c->kernels_wait = arch >= OVERLAP_ARCH;
	c->has_warpgroups = exact && arch == WARPGROUP_ARCH;
}

void cuda_find_kernel(NnrKernel *k)
{
	const CudaState *c = &nnr_cuda;
	CUfunction function;
	CUresult status = CUDA_ERROR_NOT_FOUND;
	nnr_cuda_doing(k->name);
	for (int i = 0; i < c->module_count && status == CUDA_ERROR_NOT_FOUND; i++)
		status = cu.ModuleGetFunction(&function, c->modules[i], k->name);
	nnr_cuda_check(status, "cuModuleGetFunction");
	k->handle = function;
	if (k->warpgroups.blocks > 0 && c->has_warpgroups) {
		k->blocks = k->warpgroups.blocks;
		k->threads = NNR_WARPGROUP_THREADS;
		k->shared_bytes = k->warpgroups.shared_bytes;
	}
	if (k->shared_bytes > 0)
		CU(FuncSetAttribute, function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
		   k->shared_bytes);
}

/* Whether what is enqueued next on the step's stream depends on one kernel alone, the one before it on that stream:
 * between nothing else may a graph's dependency be programmatic. It is a full one at the beginning of a graph, after a
 * copy or a memset, where the stream has waited for an event, and on the streams beside the step, which begin after an
 * event. */
static bool follows_a_kernel(CUstream stream)
{
	CUstreamCaptureStatus status;
	CUgraphNodeType type;
	const CUgraphNode *before;
	size_t count;
	if (stream != nnr_cuda.stream)
		return false;
#if CUDA_VERSION >= 13000
	const CUgraphEdgeData *edges;
	CU(StreamGetCaptureInfo, stream, &status, NULL, NULL, &before, &edges, &count);
#else
	CU(StreamGetCaptureInfo, stream, &status, NULL, NULL, &before, &count);
#endif
	if (count != 1)
		return false;
	CU(GraphNodeGetType, before[0], &type);
	return type == CU_GRAPH_NODE_TYPE_KERNEL;
}

/* Within a graph alone: a kernel that moves the base of a launch is no kernel to overlap with. Nor where the steps are
 * given their samples, which they would otherwise fetch ahead of their wait. */
static bool begins_early(const NnrKernel *k, CUstream stream)
{
	const CudaState *c = &nnr_cuda;
	return k->overlaps && c->kernels_wait && c->capturing && cuda_fetches() && follows_a_kernel(stream);
}

void nnr_launch(NnrKernel *k, void *const *arguments)
{
	if (nnr_cuda.looking)
		return;
	nnr_cuda_doing(k->name);
	if (!k->handle)
		cuda_find_kernel(k);
	require(k->blocks > 0 && k->blocks <= INT32_MAX);
	void *all[NNR_MOST_ARGUMENTS];
	arguments = kernel_arguments(k, arguments, all);
	CUstream stream = nnr_cuda_stream();
	nnr_cuda_enqueue(k, stream, begins_early(k, stream), arguments);
}

void nnr_copy(void *to, const void *from, int64_t bytes)
{
	if (nnr_cuda.looking)
		return;
	nnr_cuda_doing("copying a tensor");
	CU(MemcpyDtoDAsync, (CUdeviceptr)to, (CUdeviceptr)from, (size_t)bytes, nnr_cuda_stream());
}
