/* SPDX-License-Identifier: MIT */
/* kernels.cu in parts that are compiled beside each other: most of the time that a trainer takes to be made is NVRTC's,
 * and goes with the number of kernels. */
#ifndef NNC_KERNEL_PARTS_H
#define NNC_KERNEL_PARTS_H

#include "emit/functions.h"

/* Translation units: each has the head of the text, and the kernels are shared out among them; the runtime's own
 * (nnr_device.h) are in the first. */
typedef struct KernelParts {
	const char *const *at;
	int count; /* 0: no kernels */
} KernelParts;

/* `places`: what in `text` can stand without the rest, in order; the head is ahead of the first. The
 * number of parts goes with the number of kernels alone, so that a trainer does not depend on the machine that made
 * it. */
KernelParts kernel_parts(Arena *a, const char *text, const FamilyPlace *places, int count);

#endif
