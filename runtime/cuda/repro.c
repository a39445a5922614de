/* SPDX-License-Identifier: MIT */
/* nnr_cuda_repro.h. */
#include "cuda/nnr_cuda_repro.h"

#include "runtime/cuda/cupti.h"
#include "runtime/cuda/state.h"
#include "runtime/host/program_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const void *nnr_cuda_repro_copy(const void *from, int64_t bytes)
{
	static void *copy; /* a kernel has one */
	if (!copy) {
		copy = cuda_allocate(bytes, "making room for scalars");
		cuda_copy(copy, from, bytes);
	}
	return copy;
}

void nnr_cuda_repro_touch(char *at, int64_t bytes, bool write)
{
	enum { SECTOR = 32, BLOCKS = 1024, THREADS = 256 };
	static NnrKernel kernel = {.name = "nnr_touch", .blocks = BLOCKS, .threads = THREADS};
	const int64_t before = (int64_t)((uintptr_t)at % SECTOR);
	at -= before;
	int64_t sectors = (before + bytes + SECTOR - 1) / SECTOR;
	int writes = write;
	nnr_launch(&kernel, (void *[]){&at, &sectors, &writes});
}

static char *allocate(int64_t bytes, const char *what)
{
	return cuda_allocate(bytes, what);
}

static int64_t cache_bytes(void)
{
	int bytes = 0;
	CU(DeviceGetAttribute, &bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, nnr_cuda.device);
	return bytes;
}

static void copy_back(char *to, const void *from, int64_t bytes)
{
	cuda_copy_back(to, from, bytes);
	CU(StreamSynchronize, nnr_cuda.stream);
}

/* Between two events, so that no launch is in it. */
static double seconds(const NnrRepro *r, char *const *at)
{
	CudaState *c = &nnr_cuda;
	float milliseconds;
	CU(EventRecord, c->begun, c->stream);
	r->call(at);
	CU(EventRecord, c->ended, c->stream);
	nnr_cuda_doing(r->kernel);
	CU(StreamSynchronize, c->stream);
	CU(EventElapsedTime, &milliseconds, c->begun, c->ended);
	return 1e-3 * (double)milliseconds;
}

/* ---- by CUPTI, as a profile has it; else the launch is in the times */

static bool recording;

static int no_tag(void)
{
	return CUPTI_NO_TAG;
}

static void begin(void)
{
	char *why = cupti_begin(no_tag);
	recording = !why;
	if (why)
		printf("%s: its launch is timed with it\n", why);
	free(why);
}

static int by_begin(const void *x, const void *y)
{
	const CuptiRecord *a = x, *b = y;
	return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Each call launches as many kernels. */
static void end(double *times, int calls)
{
	if (!recording)
		return;
	CuptiRecords all = cupti_end();
	int64_t count = 0;
	qsort(all.at, (size_t)all.count, sizeof *all.at, by_begin);
	for (int64_t i = 0; i < all.count; i++)
		count += strcmp(all.at[i].name, "nnr_touch") != 0 && strcmp(all.at[i].name, "copy") != 0;
	const int64_t each = count / calls;
	int64_t k = 0;
	for (int64_t i = 0; i < all.count && each * calls == count && all.dropped == 0; i++) {
		if (strcmp(all.at[i].name, "nnr_touch") == 0 || strcmp(all.at[i].name, "copy") == 0)
			continue;
		double *time = &times[k++ / each];
		*time = (k % each == 1 % each ? 0 : *time) + 1e-9 * (double)(all.at[i].end - all.at[i].begin);
	}
	cupti_free(&all);
}

int nnr_cuda_repro(const NnrRepro *r, const NnrCudaModel *images, int argc, char **argv)
{
	static const NnrReproMachine gpu = {allocate, cuda_copy, copy_back, cache_bytes, seconds, begin, end};
	NnrRepro on_gpu = *r;
	on_gpu.machine = &gpu;
	program_set_name(argv[0]);
	cuda_find_device();
	CU(CtxSetCurrent, nnr_cuda.context);
	cuda_open_streams();
	cuda_load_modules(images);
	return nnr_repro(&on_gpu, argc, argv);
}
