/* SPDX-License-Identifier: MIT */
/* The GPU's counter of energy, by NVML, which comes with the driver: opened when somebody asks. What its header would
 * have said stands here; these calls are the same since NVML 9. NVML counts GPUs otherwise than CUDA, so that ours is
 * looked for by its place on the bus. */
#include "runtime/cuda/driver.h"
#include "runtime/cuda/state.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct NvmlDevice NvmlDevice;

static struct {
	bool looked;
	NvmlDevice *device; /* NULL: no counter */
	int (*energy)(NvmlDevice *device, unsigned long long *millijoules);
} nvml;

static void look(void)
{
	const char *named = getenv("NNR_LIBNVML"), *file = named && *named ? named : "libnvidia-ml.so.1";
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	int (*init)(void);
	int (*by_place)(const char *place, NvmlDevice **device);
	const struct {
		const char *name;
		void *at;
	} symbols[] = {{"nvmlInit_v2", &init},
	               {"nvmlDeviceGetHandleByPciBusId_v2", &by_place},
	               {"nvmlDeviceGetTotalEnergyConsumption", &nvml.energy}};
	char place[32];
	nvml.looked = true;
	for (size_t i = 0; library && i < sizeof symbols / sizeof *symbols; i++) {
		void *function = dlsym(library, symbols[i].name);
		if (!function)
			return;
		memcpy(symbols[i].at, &function, sizeof function);
	}
	if (library && init() == 0 &&
	    cu.DeviceGetPCIBusId(place, sizeof place, nnr_cuda_device()) == CUDA_SUCCESS &&
	    by_place(place, &nvml.device) != 0)
		nvml.device = NULL;
}

double cuda_joules(const Session *s)
{
	unsigned long long millijoules;
	if (!nvml.looked)
		look();
	return nvml.device && nvml.energy(nvml.device, &millijoules) == 0 ? 1e-3 * (double)millijoules : NAN;
}
