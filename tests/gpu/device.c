/* SPDX-License-Identifier: MIT */
/* The runtime's side of machine.c: memory, module, launches, branches and library calls are the runtime's own code. A
 * shared library that keeps its names to itself, since the compiler, which the tests link, has functions of the same
 * names. */
#include "tests/gpu/device.h"
#include "runtime/host/die.h"
#include "runtime/cuda/nccl.h"
#include "runtime/cuda/state.h"
#include "runtime/cuda/tune.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Noreturn void gpu_look(int out)
{
	int count = 0, major, minor;
	CUdevice device;
	dup2(out, STDERR_FILENO);
	nnr_cuda_load_driver();
	CU(Init, 0);
	CU(DeviceGetCount, &count);
	if (count == 0)
		die(STATUS_DEVICE, "there is a CUDA driver, but no GPU");
	CU(DeviceGet, &device, 0);
	CU(DeviceGetAttribute, &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
	CU(DeviceGetAttribute, &minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
	dprintf(out, "sm_%d%d", major, minor);
	_exit(0);
}

typedef struct Sizes {
	int64_t params, state, inputs, arena;
} Sizes;

static Sizes sizes_of(const NnrModel *m)
{
	const NnrProgram *const programs[] = {&m->train, &m->evaluate, &m->predict, &m->prepare};
	Sizes sizes = {m->param_bytes, m->state_bytes, m->input_bytes + m->transposed_bytes, 0};
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		if (programs[i]->arena_bytes > sizes.arena)
			sizes.arena = programs[i]->arena_bytes;
	return sizes;
}

static void open_device(void)
{
	CudaState *c = &nnr_cuda;
	if (c->context)
		return;
	nnr_cuda_load_driver();
	CU(Init, 0);
	CU(DeviceGet, &c->device, 0);
	CU(DeviceGetAttribute, &c->major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, c->device);
	CU(DeviceGetAttribute, &c->minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, c->device);
	CU(DeviceGetName, c->name, (int)sizeof c->name, c->device);
	CU(DevicePrimaryCtxRetain, &c->context, c->device);
	CU(CtxSetCurrent, c->context);
	cuda_open_streams();
	cuda_open_branch();
	nccl_keep_silent(true);  /* the mean of one rank */
	c->deterministic = true; /* the two runs are compared bit for bit */
	tune_configure(NULL, true);
	c->control = cuda_allocate(sizeof *c->control, "the control block");
}

/* For initcheck: the arena is memory that nobody has written, and only outputs are read back. Otherwise it comes from
 * the test, full of NaN. */
static bool is_fresh(void)
{
	return getenv("NNC_TEST_FRESH") != NULL;
}

static int64_t output_bytes(const NnrOutput *o)
{
	int64_t bytes = dtype_bytes(o->dtype);
	for (int k = 0; k < o->rank; k++)
		bytes *= o->dim[k];
	return bytes;
}

/* The last vector of a gradient may reach after it: up to the next 64 bytes, to which the plan pads it, what is there
 * is read, and no matter what it is. */
static void clear_padding(const NnrProgram *p, int64_t arena)
{
	enum { PADDED = 64 };
	for (int i = 0; i < p->output_count; i++) {
		int64_t end = p->outputs[i].offset + output_bytes(&p->outputs[i]);
		int64_t padded = (end + PADDED - 1) / PADDED * PADDED;
		padded = padded < arena ? padded : arena;
		if (padded > end)
			CU(MemsetD8Async, (CUdeviceptr)(nnr_cuda.memory.arena + end), 0,
			   (size_t)(padded - end), nnr_cuda.stream);
	}
}

/* Instead of the one before. */
static void take_model(const NnrModel *m)
{
	CudaState *c = &nnr_cuda;
	Sizes sizes = sizes_of(m);
	if (c->model == m)
		return;
	if (c->model) {
		void *const blocks[] = {c->memory.params, c->memory.state, c->memory.inputs, c->memory.arena};
		for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
			cuda_free(blocks[i]);
		cuda_unload_modules();
	}
	c->model = m;
	cuda_load_modules(m->device);
	c->memory.params = cuda_allocate(sizes.params, "the parameters");
	c->memory.state = cuda_allocate(sizes.state, "the states");
	c->memory.inputs = cuda_allocate(sizes.inputs, "the batch");
	if (is_fresh()) {
		CUdeviceptr at;
		CU(MemAlloc, &at, (size_t)sizes.arena + 1);
		c->memory.arena = (char *)at;
		clear_padding(&m->train, sizes.arena);
	} else {
		c->memory.arena = cuda_allocate(sizes.arena, "the activations");
	}
}

static void to_device(void *to, const void *from, int64_t bytes)
{
	if (bytes > 0)
		CU(MemcpyHtoDAsync, (CUdeviceptr)to, from, (size_t)bytes, nnr_cuda.stream);
}

static void from_device(void *to, const void *from, int64_t bytes)
{
	if (bytes > 0)
		CU(MemcpyDtoHAsync, to, (CUdeviceptr)from, (size_t)bytes, nnr_cuda.stream);
}

static void upload(const NnrModel *m, const NnrMemory *memory)
{
	Sizes sizes = sizes_of(m);
	to_device(nnr_cuda.memory.params, memory->params, sizes.params);
	to_device(nnr_cuda.memory.state, memory->state, sizes.state);
	to_device(nnr_cuda.memory.inputs, memory->inputs, sizes.inputs);
	if (!is_fresh())
		to_device(nnr_cuda.memory.arena, memory->arena, sizes.arena);
}

static void download(const NnrModel *m, const NnrProgram *p, const NnrMemory *memory)
{
	Sizes sizes = sizes_of(m);
	from_device(memory->params, nnr_cuda.memory.params, sizes.params);
	from_device(memory->state, nnr_cuda.memory.state, sizes.state);
	for (int i = 0; i < p->output_count && is_fresh(); i++) {
		const NnrOutput *o = &p->outputs[i];
		from_device(memory->arena + o->offset, nnr_cuda.memory.arena + o->offset, output_bytes(o));
	}
	if (!is_fresh())
		from_device(memory->arena, nnr_cuda.memory.arena, sizes.arena);
	CU(StreamSynchronize, nnr_cuda.stream);
}

static void run_as_graph(const NnrProgram *p, const NnrScalars *scalars, bool overlap)
{
	CudaState *c = &nnr_cuda;
	CUgraph graph;
	CUgraphExec exec;
	bool kernels_wait = c->kernels_wait;
	CU(StreamBeginCapture, c->stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
	c->capturing = true;
	c->kernels_wait = kernels_wait && overlap;
	p->run(&c->memory, scalars);
	c->kernels_wait = kernels_wait;
	c->capturing = false;
	CU(StreamEndCapture, c->stream, &graph);
	CU(GraphInstantiate, &exec, graph, 0);
	CU(GraphLaunch, exec, c->stream);
	CU(StreamSynchronize, c->stream);
	CU(GraphExecDestroy, exec);
	CU(GraphDestroy, graph);
}

void gpu_run_program(const NnrModel *m, const NnrProgram *p, const NnrMemory *memory,
                     const NnrScalars *scalars, GpuWay way)
{
	open_device();
	take_model(m);
	NnrControl control = {.scalars = {*scalars}, .step = (int64_t)scalars->step - 1};
	const NnrScalars *there = nnr_cuda.control->scalars;
	to_device(nnr_cuda.control, &control, sizeof control);
	upload(m, memory);
	if (way == GPU_PLAIN)
		p->run(&nnr_cuda.memory, there);
	else
		run_as_graph(p, there, way == GPU_GRAPH);
	download(m, p, memory);
}
