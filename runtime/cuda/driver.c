/* SPDX-License-Identifier: MIT */
/* Loading the driver, and what is said when one of its calls fails. */
#include "runtime/cuda/driver.h"
#include "runtime/host/die.h"
#include "runtime/cuda/nnr_cuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Driver cu;

static const char *doing, *step, *advice;
static const char *block;
static int step_number;
static void (*on_step)(void);

#define TEXT_OF(symbol)       #symbol
#define SYMBOL_NAME(function) TEXT_OF(function) /* what cuda.h makes of it: "cuMemAlloc_v2" */

void nnr_cuda_load_driver(void)
{
	static const char *const names[] = {
#define DRIVER_FUNCTION(name) SYMBOL_NAME(cu##name),
	        DRIVER_FUNCTIONS(DRIVER_FUNCTION)
#undef DRIVER_FUNCTION
	};
	_Static_assert(sizeof cu == sizeof names, "the table is one pointer per function");
	const char *named = getenv("NNR_LIBCUDA"), *file = named && *named ? named : "libcuda.so.1";
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		die_help(
		        STATUS_DEVICE,
		        "install NVIDIA's driver, or run on a machine with a GPU; `nnc --target=cpu` makes a "
		        "trainer for this one",
		        "no CUDA driver: %s", dlerror());
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		void *function = dlsym(library, names[i]);
		if (!function)
			die_help(STATUS_DEVICE, "install a driver for CUDA 13 (580 or newer)",
			         "%s has no function %s: the driver is too old", file, names[i]);
		memcpy((char *)&cu + i * sizeof function, &function, sizeof function);
	}
}

void nnr_step(int number, const char *what)
{
	nnr_step_of(NULL, number, what);
}

void nnr_step_of(const char *of, int number, const char *what)
{
	block = of;
	step_number = number;
	step = what;
	if (on_step)
		on_step();
}

int nnr_cuda_step_number(void)
{
	return step_number;
}

void nnr_cuda_on_step(void (*listener)(void))
{
	on_step = listener;
}

void nnr_cuda_aside(void)
{
	if (on_step)
		on_step();
}

const char *nnr_cuda_step(void)
{
	static char text[256];
	if (!step)
		return "";
	snprintf(text, sizeof text, ", in step %d%s%s  %s", step_number, block ? " of " : "",
	         block ? block : "", step);
	return text;
}

void nnr_cuda_doing(const char *what)
{
	doing = what;
}

void nnr_cuda_advise(const char *help)
{
	advice = help;
}

void nnr_cuda_check(CUresult status, const char *call)
{
	if (status == CUDA_SUCCESS)
		return;
	const char *name = NULL, *text = NULL;
	if (cu.GetErrorName(status, &name) != CUDA_SUCCESS || !name)
		name = "unknown error";
	if (cu.GetErrorString(status, &text) != CUDA_SUCCESS || !text)
		text = "the driver has no text for it";
	bool is_memory = status == CUDA_ERROR_OUT_OF_MEMORY;
	die_help(is_memory ? STATUS_MEMORY : STATUS_DEVICE,
	         is_memory
	                 ? "another process may use the GPU (nvidia-smi shows it); or compile with a smaller "
	                   "batch: `nnc --set batch=N`"
	         : advice ? advice
	                  : "CUDA_LAUNCH_BLOCKING=1 with --no-graph names the step that failed; nvidia-smi "
	                    "shows the state of the GPU",
	         "%s failed (%s%s): %s (%s, %d)", call, doing ? doing : "starting", nnr_cuda_step(), text,
	         name, (int)status);
}

void nnr_cuda_enqueue(const NnrKernel *k, CUstream stream, bool early, void *const *arguments)
{
	CUlaunchAttribute attributes[2];
	unsigned count = 0;
	if (early)
		attributes[count++] =
		        (CUlaunchAttribute){.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
		                            .value = {.programmaticStreamSerializationAllowed = 1}};
	if (k->together)
		attributes[count++] = (CUlaunchAttribute){.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
		                                          .value = {.cooperative = 1}};
	CUlaunchConfig launch = {.gridDimX = (unsigned)k->blocks,
	                         .gridDimY = 1,
	                         .gridDimZ = 1,
	                         .blockDimX = (unsigned)k->threads,
	                         .blockDimY = 1,
	                         .blockDimZ = 1,
	                         .sharedMemBytes = (unsigned)k->shared_bytes,
	                         .hStream = stream,
	                         .attrs = attributes,
	                         .numAttrs = count};
	CU(LaunchKernelEx, &launch, (CUfunction)k->handle, (void **)(uintptr_t)arguments, NULL);
}
