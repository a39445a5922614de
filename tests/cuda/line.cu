/* SPDX-License-Identifier: MIT */
/* The network of line.h as CUDA kernels. For trainer.c on a real GPU, tests/gpu/run compiles it by nvcc. */
#define NNR_TURNS_INPUTS
#include "cuda/nnr_device.h"
#include "cuda/nnr_wire.h"
#include "tests/cuda/line.h"

extern "C" __global__ void line_train_step(float *w, float *v, const char *inputs, char *arena,
                                           const NnrScalars *s, int transposed)
{
	nnr_kernel_wait();
	nnr_kernel_next();
	if (threadIdx.x == 0)
		line_train(w, v, inputs, arena, s, transposed);
}

extern "C" __global__ void line_gradient_step(const float *w, const char *inputs, char *arena,
                                              const NnrScalars *s, int transposed)
{
	nnr_kernel_wait();
	nnr_kernel_next();
	if (threadIdx.x == 0)
		line_gradient(w, inputs, arena, s, transposed);
}

extern "C" __global__ void line_update_step(float *w, float *v, const char *arena, const NnrScalars *s)
{
	nnr_kernel_wait();
	nnr_kernel_next();
	if (threadIdx.x == 0)
		line_update(w, v, arena, s);
}

/* With a size of the launch, as a kernel that serves several has. */
extern "C" __global__ void line_prepare_weights(const float *w, float *v, NnrDivisor weights)
{
	nnr_kernel_wait();
	nnr_kernel_next();
	if (threadIdx.x / weights == 0)
		v[LINE_PREPARED_AT + threadIdx.x % weights] = w[threadIdx.x];
}

/* Follows a convolution, in plans.c. */
extern "C" __global__ void line_nothing(float *y)
{
	if (threadIdx.x == 0)
		y[0] *= 1;
}

extern "C" __global__ void line_evaluate_batch(const float *v, const char *inputs, char *arena)
{
	if (threadIdx.x == 0)
		line_evaluate(v + LINE_PREPARED_AT, inputs, arena);
}
