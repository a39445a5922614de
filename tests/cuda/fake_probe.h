/* SPDX-License-Identifier: MIT */
/* What the fake driver tells the fake CUPTI. */
#ifndef NNC_TESTS_FAKE_PROBE_H
#define NNC_TESTS_FAKE_PROBE_H

typedef struct FakeProbe {
	void (*node_made)(void *node, void *original); /* captured; or cloned from `original` */
	void (*ran)(void *node, const char *name);     /* node NULL: in no graph */
} FakeProbe;

extern FakeProbe fake_cuda_probe;

/* Bytes of two images that are parts of one: the runtime's own kernels (nnr_...), and the others. Any other image has
 * all kernels. */
#define FAKE_OWN_KERNELS   "own"
#define FAKE_OTHER_KERNELS "others"

#endif
