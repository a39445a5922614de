/* SPDX-License-Identifier: MIT */
/* A libnvidia-ml.so.1 for one GPU, at the fake driver's place on the bus, which takes 2.5 J from one question to the
 * next; FAKE_NVML=none: it has no counter. */
#include "tests/cuda/fake_work.h"

int nvmlInit_v2(void);
int nvmlInit_v2(void)
{
	return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *place, void **device);
int nvmlDeviceGetHandleByPciBusId_v2(const char *place, void **device)
{
	static int only;
	*device = &only;
	return strcmp(place, "0000:07:00.0") == 0 ? 0 : 6;
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules);
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules)
{
	static unsigned long long taken;
	*millijoules = taken += 2500;
	return getenv("FAKE_NVML") ? 3 : 0;
}
