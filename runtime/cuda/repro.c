/* SPDX-License-Identifier: MIT */
/* nnr_cuda_repro.h. */
#include "cuda/nnr_cuda_repro.h"

#include "runtime/host/program_name.h"
#include "runtime/cuda/state.h"

const void *nnr_cuda_repro_copy(const void *from, int64_t bytes)
{
	static void *copy; /* a kernel has one */
	if (!copy) {
		copy = cuda_allocate(bytes, "making room for scalars");
		cuda_copy(copy, from, bytes);
	}
	return copy;
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

int nnr_cuda_repro(const NnrRepro *r, const NnrCudaModel *images, int argc, char **argv)
{
	static const NnrReproMachine gpu = {cuda_allocate, cuda_copy, copy_back, seconds};
	NnrRepro on_gpu = *r;
	on_gpu.machine = &gpu;
	program_set_name(argv[0]);
	cuda_find_device();
	CU(CtxSetCurrent, nnr_cuda.context);
	cuda_open_streams();
	cuda_load_modules(images);
	return nnr_repro(&on_gpu, argc, argv);
}
