/* SPDX-License-Identifier: MIT */
/* Between the fake libraries and the fake driver. */
#ifndef NNC_TESTS_FAKE_WORK_H
#define NNC_TESTS_FAKE_WORK_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Whether call number `call` of a library, counted from 1, is to fail, as `setting` in the environment says: "K" the
 * K-th, "K+" that and all after it. The file that $FAKE_FAULT names is made with the first. */
static inline bool fake_fails(const char *setting, long call)
{
	const char *text = getenv(setting), *made = getenv("FAKE_FAULT");
	long first = text ? atol(text) : 0;
	FILE *f = call == first && made ? fopen(made, "w") : NULL;
	if (f)
		fclose(f);
	return first > 0 && (call == first || (call > first && text[strlen(text) - 1] == '+'));
}

/* fake_cuda_work from a library, which finds the driver by $NNR_LIBCUDA; false where it fails. */
static inline bool fake_enqueue(const FakeWork *work)
{
	void *driver = dlopen(getenv("NNR_LIBCUDA"), RTLD_NOW);
	__typeof__(fake_cuda_work) *run = (__typeof__(run))(uintptr_t)dlsym(driver, "fake_cuda_work");
	return run(work) == 0;
}

#endif
