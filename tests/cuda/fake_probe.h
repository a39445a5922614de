/* What the fake driver tells the fake CUPTI. */
#ifndef NNC_TESTS_FAKE_PROBE_H
#define NNC_TESTS_FAKE_PROBE_H

typedef struct FakeProbe {
	void (*node_made)(void *node, void *original); /* captured; or cloned from `original` */
	void (*ran)(void *node, const char *name);     /* node NULL: in no graph */
} FakeProbe;

extern FakeProbe fake_cuda_probe;

#endif
