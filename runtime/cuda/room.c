/* SPDX-License-Identifier: MIT */
/* Instances of the library form on the GPU (session/backend.h, NnrRooms).
 *
 * An instance has blocks, scalars and graphs of its own. What does not depend on one is the process's: device, context,
 * stream, kernels, the libraries' plans and their workspace, which are made with the first instance and stay. So
 * `nnr_cuda` holds these alone, and one call at a time is on the stream: each ends by waiting for it.
 *
 * A batch comes from the host at each call. A training step takes it as it takes a streamed one (stream.c): whole
 * samples on the device, which the gather puts into slot 0, rounded and transposed where the step reads them so. */
#include "runtime/host/die.h"
#include "runtime/cuda/state.h"
#include "runtime/cuda/tuning.h"

#include <stdlib.h>
#include <string.h>

typedef enum { RUN_TRAIN, RUN_PREPARE, RUN_PREDICT, RUNS } Run;

struct NnrRoom {
	NnrMemory memory;
	char *samples; /* a batch as the host has it */
	NnrControl *control, *host_control;
	double *rates, *host_rates; /* one */
	NnrSupply supply;
	NnrKernel gather;
	CUgraphExec graphs[RUNS]; /* NULL: not captured */
};

static struct {
	bool found, opened, tried; /* the device; its kernels; the programs, each of which has run once */
} gpu;

/* ---- around each call: the caller may have a context of its own */

static void leave_quietly(void *what)
{
	CUcontext context;
	(void)what;
	cu.CtxPopCurrent(&context);
}

static void enter(const Session *s)
{
	nnr_cuda.session = s;
	nnr_cuda_doing("opening the GPU");
	CU(CtxPushCurrent, nnr_cuda.context);
	held_begin(&gpu, leave_quietly);
}

static void leave(void)
{
	CUcontext context;
	CU(StreamSynchronize, nnr_cuda.stream);
	held_end(&gpu);
	CU(CtxPopCurrent, &context);
}

/* ---- programs */

static void run_program(const NnrRoom *r, Run run)
{
	const NnrModel *m = nnr_cuda.model;
	const NnrProgram *const programs[] = {&m->train, &m->prepare, &m->predict};
	if (programs[run]->run)
		programs[run]->run(&r->memory, (const NnrScalars *)(const void *)r->control);
	nnr_step(0, NULL);
}

static void end_capture(void *what)
{
	CUgraph graph;
	(void)what;
	nnr_cuda.capturing = false;
	cu.StreamEndCapture(nnr_cuda.stream, &graph);
}

static void capture(NnrRoom *r, Run run)
{
	CudaState *c = &nnr_cuda;
	CUgraph graph;
	nnr_cuda_doing("capturing a graph");
	CU(StreamBeginCapture, c->stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
	held_begin(&c->capturing, end_capture);
	c->capturing = true;
	run_program(r, run);
	c->capturing = false;
	nnr_cuda_doing("capturing a graph");
	CU(StreamEndCapture, c->stream, &graph);
	held_end(&c->capturing);
	CU(GraphInstantiate, &r->graphs[run], graph, 0);
	CU(GraphDestroy, graph);
}

static void launch(NnrRoom *r, Run run)
{
	if (!r->graphs[run])
		capture(r, run);
	nnr_cuda_doing("running a step");
	CU(GraphLaunch, r->graphs[run], nnr_cuda.stream);
}

/* What a program is told: the device makes the scalars of a training step of it. */
static void write_control(NnrRoom *r, const Session *s, double rate)
{
	NnrScalars scalars = {.rate = rate, .step = (double)s->at.step, .seed = s->seed};
	*r->host_control = (NnrControl){.scalars = {scalars, scalars}, .step = s->at.step};
	*r->host_rates = rate;
	r->supply.seed = s->seed;
	nnr_cuda_doing("copying samples to the GPU");
	cuda_copy(r->control, (const char *)r->host_control, sizeof *r->control);
	cuda_copy(r->rates, (const char *)r->host_rates, sizeof *r->rates);
}

static void give_batch(NnrRoom *r, const Session *s, int chunk)
{
	cuda_copy(r->samples, s->memory.inputs, s->model->input_bytes);
	nnr_launch(&r->gather, (void *[]){&r->control, &r->supply, &chunk, &(int){0}});
}

/* ---- open and close */

/* Without a record of plans a library searches for none: a call would take minutes, and the record would be beside
 * whatever program uses it. */
static void open_gpu(const Session *s)
{
	CudaState *c = &nnr_cuda;
	const char *record = getenv("NNR_TUNE");
	if (!gpu.found) {
		*c = (CudaState){.model = s->model, .streams = true};
		tune_configure(record && *record ? record : NULL,
		               !record || !*record || !strcmp(record, "off"));
		tuning_configure(0, true);
		cuda_find_device();
	}
	gpu.found = true;
	enter(s);
	if (!gpu.opened) {
		cuda_open_streams();
		cuda_open_branch();
		cuda_load_modules(s->model->device);
	}
	gpu.opened = true;
}

/* Plainly, so that plans are made, with their workspace, before the first graph keeps its address. */
static void try_out(NnrRoom *r, const Session *s)
{
	write_control(r, s, 0);
	give_batch(r, s, 0);
	for (Run run = 0; run < RUNS; run++)
		run_program(r, run);
	nnr_cuda_doing("running the first step");
	CU(StreamSynchronize, nnr_cuda.stream);
}

static void room_open(Session *s, NnrRoom **made)
{
	CudaState *c = &nnr_cuda;
	const NnrModel *m = s->model;
	NnrRoom *r = *made = allocate(1, sizeof *r, "an instance");
	open_gpu(s);
	cuda_check_plan(s);
	c->slot_bytes = cuda_padded(m->input_bytes + m->transposed_bytes);
	c->supply_bytes = cuda_padded(m->input_bytes);
	r->memory.params = cuda_allocate(m->param_bytes, "making room for the parameters");
	r->memory.state = cuda_allocate(m->state_bytes, "making room for the optimizer's state");
	r->memory.inputs = cuda_allocate(c->slot_bytes, "making room for the batch");
	r->memory.arena = cuda_allocate(session_most_arena(m), "making room for the activations");
	r->samples = cuda_allocate(m->input_bytes, "making room for samples");
	r->control = cuda_allocate(sizeof *r->control, "making room for the control block");
	r->rates = cuda_allocate(sizeof *r->rates, "making room for the rate");
	r->host_control = cuda_pinned(sizeof *r->host_control);
	r->host_rates = cuda_pinned(sizeof *r->host_rates);
	s->memory.inputs = cuda_pinned(m->input_bytes);
	c->memory = r->memory;
	c->rates = r->rates;
	r->supply = cuda_given_batch(s, (uint8_t *)r->samples, &r->gather);
	if (!gpu.tried)
		try_out(r, s);
	gpu.tried = true;
	leave();
}

static void room_close(NnrRoom *r, Session *s)
{
	void *const blocks[] = {r->memory.params, r->memory.state, r->memory.inputs, r->memory.arena,
	                        r->samples,       r->control,      r->rates};
	void *const pinned[] = {r->host_control, r->host_rates, s->memory.inputs};
	if (gpu.opened) {
		enter(s);
		nnr_cuda_doing("freeing an instance");
		for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
			cuda_free(blocks[i]);
		for (size_t i = 0; i < sizeof pinned / sizeof *pinned; i++)
			if (pinned[i])
				CU(MemFreeHost, pinned[i]);
		for (Run run = 0; run < RUNS; run++)
			if (r->graphs[run])
				CU(GraphExecDestroy, r->graphs[run]);
		leave();
	}
	s->memory.inputs = NULL;
	free(r);
}

/* ---- the work */

static void room_upload(NnrRoom *r, Session *s)
{
	enter(s);
	cuda_copy_up(s, &r->memory);
	leave();
}

static void room_download(NnrRoom *r, Session *s)
{
	enter(s);
	nnr_cuda_doing("copying the parameters from the GPU");
	cuda_copy_back(s->memory.params, r->memory.params, s->model->param_bytes);
	cuda_copy_back(s->memory.state, r->memory.state, s->model->state_bytes);
	leave();
}

static void room_train(NnrRoom *r, const Session *s, double rate, int64_t chunk)
{
	enter(s);
	write_control(r, s, rate);
	give_batch(r, s, (int)chunk);
	launch(r, RUN_TRAIN);
	leave();
}

static void room_predict(NnrRoom *r, const Session *s, bool prepare)
{
	enter(s);
	write_control(r, s, 0);
	if (prepare && s->model->prepare.run)
		launch(r, RUN_PREPARE);
	cuda_copy(r->memory.inputs, s->memory.inputs, s->model->input_bytes);
	launch(r, RUN_PREDICT);
	leave();
}

static void room_bring(NnrRoom *r, Session *s, const NnrOutput *const *outputs, int count)
{
	enter(s);
	nnr_cuda_doing("copying outputs from the GPU");
	for (int i = 0; i < count; i++)
		cuda_copy_back(s->memory.arena + outputs[i]->offset, r->memory.arena + outputs[i]->offset,
		               output_batch_bytes(outputs[i]));
	leave();
}

const NnrRooms cuda_rooms = {
        .open = room_open,
        .close = room_close,
        .upload = room_upload,
        .download = room_download,
        .train = room_train,
        .predict = room_predict,
        .bring = room_bring,
};
