/* SPDX-License-Identifier: MIT */
/* What stands beside a kernel of nnc repro: memory is touched ahead of it as a training step touches it. */
#ifndef NNR_TOUCH_H
#define NNR_TOUCH_H

/* Reads, and writes as they are, the first four bytes of each of so many sectors of the cache. */
extern "C" __global__ void nnr_touch(volatile int *at, long long sectors, int write)
{
	for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < sectors;
	     i += (long long)gridDim.x * blockDim.x) {
		const int was = at[8 * i];
		if (write)
			at[8 * i] = was;
	}
}

#endif
