/* Between the fake libraries and the fake driver. */
#ifndef NNC_TESTS_FAKE_WORK_H
#define NNC_TESTS_FAKE_WORK_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* What the fake libraries enqueue: floats that depend on the pattern and the place, all NaN where the first of
 * `operand` is; or what `run` does. After it the device's clock stands that much later. fake_cuda_work fails where the
 * driver would. */
typedef struct FakeWork {
	void *stream; /* CUstream */
	float *result;
	size_t count;
	unsigned pattern;
	const float *operand;             /* or NULL */
	void (*run)(const void *context); /* or NULL */
	const void *context;
	double us;
} FakeWork;
int fake_cuda_work(const FakeWork *work);

/* The same from a library, which finds the driver by $NNR_LIBCUDA; false where it fails. */
static inline bool fake_enqueue(const FakeWork *work)
{
	void *driver = dlopen(getenv("NNR_LIBCUDA"), RTLD_NOW);
	__typeof__(fake_cuda_work) *run = (__typeof__(run))(uintptr_t)dlsym(driver, "fake_cuda_work");
	return run(work) == 0;
}

#endif
