/* SPDX-License-Identifier: MIT */
/* Kernels from text, by NVRTC as a network's: see kernel.h. */
#include "tests/gpu/kernel.h"
#include "tests/cuda/image_text.h"
#include "base/arena.h"
#include "toolchain/nvrtc.h"
#include "runtime/cuda/driver.h"
#include "runtime/cuda/nnr_sizes.h"

#include <stdlib.h>
#include <string.h>

static CUmodule module;

static int capability(void)
{
	int major, minor;
	CU(DeviceGetAttribute, &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, nnr_cuda_device());
	CU(DeviceGetAttribute, &minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, nnr_cuda_device());
	return 10 * major + minor;
}

bool nnr_cuda_has_warpgroups(void)
{
	return capability() == 90;
}

/* The last folder of $NNC_RUNTIME has the headers. */
static const char *headers(void)
{
	const char *folders = getenv("NNC_RUNTIME"), *last = folders ? strrchr(folders, ':') : NULL;
	return last ? last + 1 : folders ? folders : "runtime";
}

void kernel_load(const char *source)
{
	Arena *a = arena_new();
	if (module)
		CU(ModuleUnload, module);
	char *text = cuda_images(a, &(CudaKernels){.parts = &source,
	                                           .part_count = 1,
	                                           .archs = arena_printf(a, "sm_%d,", capability()),
	                                           .precision = "tf32",
	                                           .include = headers(),
	                                           .own_features = true});
	char *bytes = NEW_ARRAY(a, char, strlen(text));
	image_bytes(text, bytes);
	CU(ModuleLoadDataEx, &module, bytes, 0, NULL, NULL);
	arena_free(a);
}

void nnr_launch(NnrKernel *k, void *const *arguments)
{
	CUfunction function;
	if (!k->handle) {
		CU(ModuleGetFunction, &function, module, k->name);
		if (k->warpgroups.blocks > 0 && capability() == 90) {
			k->blocks = k->warpgroups.blocks;
			k->threads = NNR_WARPGROUP_THREADS;
			k->shared_bytes = k->warpgroups.shared_bytes;
		}
		CU(FuncSetAttribute, function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
		   k->shared_bytes);
		k->handle = function;
	}
	nnr_cuda_enqueue(k, nnr_cuda_stream(), false, arguments);
}
