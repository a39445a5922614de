/* The CUDA backend (core/backend.h): memory of the four blocks, and the host's part of training, evaluation, timing.
 *
 * Between two looks of the host everything is on the device: NnrControl says where the training stands, `rates` holds the
 * learning rate of every step asked for. The host writes both, enqueues, reads the control back and waits once. */
#include "runtime/core/backend.h"
#include "runtime/core/die.h"
#include "runtime/core/rng.h"
#include "runtime/cuda/plan.h"
#include "runtime/cuda/state.h"
#include "runtime/cuda/tune.h"

#include <math.h>
#include <string.h>

CudaState nnr_cuda;

CUdevice nnr_cuda_device(void)
{
	return nnr_cuda.device;
}

bool nnr_cuda_capturing(void)
{
	return nnr_cuda.capturing;
}

bool nnr_cuda_deterministic(void)
{
	return nnr_cuda.deterministic;
}

const char *nnr_cuda_precision(void)
{
	return ((const NnrCudaModel *)nnr_cuda.model->device)->precision;
}

/* ---- open and close */

static void find_device(CudaState *c)
{
	static const char help[] =
	        "nvidia-smi lists the GPUs that the driver sees; CUDA_VISIBLE_DEVICES hides "
	        "them; `nnc --target=cpu` makes a trainer for this machine";
	int count = 0;
	nnr_cuda_doing("starting the driver");
	CUresult status = cu.Init(0);
	if (status == CUDA_ERROR_NO_DEVICE)
		die_help(STATUS_DEVICE, help,
		         "there is a CUDA driver, but no GPU (cuInit: CUDA_ERROR_NO_DEVICE, %d)",
		         (int)status);
	nnr_cuda_check(status, "cuInit");
	CU(DeviceGetCount, &count);
	if (count == 0)
		die_help(STATUS_DEVICE, help, "there is a CUDA driver, but no GPU");
	CU(DeviceGet, &c->device, 0);
	CU(DeviceGetName, c->name, (int)sizeof c->name, c->device);
	CU(DeviceGetAttribute, &c->major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, c->device);
	CU(DeviceGetAttribute, &c->minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, c->device);
}

/* Refuses before anything is allocated, with the largest batch that would do: parameters and states stay, batch and
 * arena grow with the number of samples. */
static void check_plan(const NnrModel *m)
{
	static const double reserve = 64e6; /* the runtime's own, and the driver's for graphs */
	size_t left, total;
	nnr_cuda_doing("asking for its memory");
	CU(MemGetInfo, &left, &total);
	double fixed = (double)m->param_bytes + (double)m->state_bytes + reserve;
	double growing = (double)m->input_bytes + (double)session_arena_bytes(m);
	if (fixed + growing <= (double)left)
		return;
	double batch = floor(((double)left - fixed) / (growing / (double)m->batch));
	char *help =
	        batch >= 1
	                ? text_printf("a batch of about %.0f would fit: compile with `nnc --set batch=%.0f`",
	                              batch, batch)
	                : text_printf("nvidia-smi shows what else uses the GPU");
	die_help(STATUS_MEMORY, help, "the plan needs %s at batch %lld, the %s has %s left of %s",
	         human_bytes(fixed + growing), (long long)m->batch, nnr_cuda.name, human_bytes((double)left),
	         human_bytes((double)total));
}

static void *pinned(int64_t bytes)
{
	void *p;
	nnr_cuda_doing("making room on the host");
	CU(MemAllocHost, &p, (size_t)bytes);
	memset(p, 0, (size_t)bytes);
	return p;
}

static void cuda_open(Session *s)
{
	CudaState *c = &nnr_cuda;
	const NnrModel *m = s->model;
	*c = (CudaState){
	        .model = m, .no_graph = s->options.no_graph, .deterministic = s->options.deterministic};
	nnr_cuda_load_driver();
	find_device(c);
	nnr_cuda_doing("opening the GPU");
	CU(DevicePrimaryCtxRetain, &c->context, c->device);
	CU(CtxSetCurrent, c->context);
	CU(StreamCreate, &c->stream, CU_STREAM_NON_BLOCKING);
	CU(EventCreate, &c->begun, CU_EVENT_DEFAULT);
	CU(EventCreate, &c->ended, CU_EVENT_DEFAULT);
	cuda_load_module(m->device);
	check_plan(m);
	c->memory.params = cuda_allocate(m->param_bytes, "making room for the parameters");
	c->memory.state = cuda_allocate(m->state_bytes, "making room for the optimizer's state");
	c->memory.inputs = cuda_allocate(m->input_bytes, "making room for the batch");
	c->memory.arena = cuda_allocate(session_arena_bytes(m), "making room for the activations");
	c->control = cuda_allocate(sizeof *c->control, "making room for the control block");
	c->rates = cuda_allocate(MOST_ASKED * (int64_t)sizeof(double), "making room for the rates");
	c->host_control = pinned(sizeof *c->host_control);
	c->host_rates = pinned(MOST_ASKED * (int64_t)sizeof(double));
	if (s->options.tune || s->options.no_tune)
		tune_configure(s->options.tune, s->options.no_tune);
}

static void cuda_close(Session *s)
{
	CudaState *c = &nnr_cuda;
	nnr_cuda_doing("closing the GPU");
	CU(StreamSynchronize, c->stream);
	cuda_free_graphs();
	for (int i = 0; i < MAX_INPUTS; i++) {
		cuda_free(c->data[0][i]);
		cuda_free(c->data[1][i]);
	}
	void *const blocks[] = {c->memory.params, c->memory.state, c->memory.inputs, c->memory.arena,
	                        c->control,       c->rates,        c->workspace};
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
		cuda_free(blocks[i]);
	CU(MemFreeHost, c->host_control);
	CU(MemFreeHost, c->host_rates);
	CU(EventDestroy, c->begun);
	CU(EventDestroy, c->ended);
	CU(ModuleUnload, c->module);
	CU(StreamDestroy, c->stream);
	CU(DevicePrimaryCtxRelease, c->device);
	block_free(s->memory.inputs, s->model->input_bytes);
	block_free(s->memory.arena, session_arena_bytes(s->model));
}

static const char *cuda_device(const Session *s)
{
	return nnr_cuda.name;
}

/* ---- the control block */

/* Where the next work stands: behind `step` steps, in training `in_epoch` of them into `epoch`. */
static void write_control(const Session *s, int64_t step, int64_t epoch, int64_t in_epoch, int64_t first,
                          const double sums[1 + MAX_METRICS])
{
	CudaState *c = &nnr_cuda;
	NnrControl *to = c->host_control;
	*to = (NnrControl){.scalars = {.step = (double)step, .seed = s->seed},
	                   .step = step,
	                   .epoch = epoch,
	                   .in_epoch = in_epoch,
	                   .first = first};
	for (int64_t e = epoch; s->data.train.count > 0 && e < epoch + 2; e++) {
		Permutation p = permutation_new(s->seed, RNG_SHUFFLE, (uint64_t)e, s->data.train.count);
		memcpy(to->key[e % 2], p.key, sizeof p.key);
	}
	if (sums)
		memcpy(to->sums, sums, sizeof to->sums);
	CU(MemcpyHtoDAsync, (CUdeviceptr)c->control, to, sizeof *to, c->stream);
}

static void read_control(void)
{
	CudaState *c = &nnr_cuda;
	CU(MemcpyDtoHAsync, c->host_control, (CUdeviceptr)c->control, sizeof *c->host_control, c->stream);
	CU(StreamSynchronize, c->stream);
}

static void write_rates(const Session *s, int64_t step, int64_t count)
{
	CudaState *c = &nnr_cuda;
	for (int64_t i = 0; i < count; i++)
		c->host_rates[i] = rate_at(&s->rate, step + i, s->total_steps, s->steps_per_epoch);
	CU(MemcpyHtoDAsync, (CUdeviceptr)c->rates, c->host_rates, (size_t)count * sizeof(double), c->stream);
}

/* ---- load and download */

static void upload(void *to, const char *from, int64_t bytes)
{
	if (bytes > 0)
		CU(MemcpyHtoDAsync, (CUdeviceptr)to, from, (size_t)bytes, nnr_cuda.stream);
}

static void download(char *to, const void *from, int64_t bytes)
{
	if (bytes > 0)
		CU(MemcpyDtoHAsync, to, (CUdeviceptr)from, (size_t)bytes, nnr_cuda.stream);
}

/* Runs a program once, so that the libraries make their plans, and again to see how long a step is. What it does to
 * parameters, states and control is undone by what is uploaded afterwards. */
static void try_out(const Session *s, Work work)
{
	CudaState *c = &nnr_cuda;
	write_control(s, 0, 0, 0, 0, NULL);
	cuda_run_plainly(work);
	nnr_cuda_doing("running the first step");
	CU(StreamSynchronize, c->stream);
	nnr_cuda_tuning_done();
	if (c->no_graph)
		return;
	write_control(s, 0, 0, 0, 0, NULL);
	cuda_choose_length(work, work == WORK_TRAIN ? s->steps_per_epoch : 0);
}

static void cuda_load(Session *s)
{
	CudaState *c = &nnr_cuda;
	const Options *o = &s->options;
	const NnrModel *m = s->model;
	bool infers = o->command == COMMAND_BENCH && o->inference;
	cuda_load_data(s);
	if (!o->eval_only && !infers)
		try_out(s, WORK_TRAIN);
	if (o->command == COMMAND_TRAIN && s->data.held_out.count > 0 && !o->no_eval)
		try_out(s, WORK_EVALUATE);
	if (infers)
		try_out(s, WORK_INFER);
	nnr_cuda_doing("copying the parameters to the GPU");
	upload(c->memory.params, s->memory.params, m->param_bytes);
	upload(c->memory.state, s->memory.state, m->state_bytes);
	CU(StreamSynchronize, c->stream);
}

static void cuda_download(Session *s, bool all)
{
	CudaState *c = &nnr_cuda;
	const NnrModel *m = s->model;
	nnr_cuda_doing("copying the parameters from the GPU");
	download(s->memory.params, c->memory.params, m->param_bytes);
	download(s->memory.state, c->memory.state, m->state_bytes);
	if (all) {
		if (!s->memory.inputs)
			s->memory.inputs = block_new(m->input_bytes, "the batch");
		if (!s->memory.arena)
			s->memory.arena = block_new(session_arena_bytes(m), "the activations");
		download(s->memory.inputs, c->memory.inputs, m->input_bytes);
		download(s->memory.arena, c->memory.arena, session_arena_bytes(m));
	}
	CU(StreamSynchronize, c->stream);
}

/* ---- the work */

static void cuda_train(Session *s, int64_t most)
{
	CudaState *c = &nnr_cuda;
	int64_t count = most < MOST_ASKED ? most : MOST_ASKED, rest = s->steps_per_epoch - s->at.in_epoch;
	nnr_cuda_doing("running steps");
	write_rates(s, s->at.step, count);
	write_control(s, s->at.step, s->at.epoch, s->at.in_epoch, 0, s->at.sums);
	cuda_enqueue(WORK_TRAIN, count, rest);
	read_control();
	const NnrControl *now = c->host_control;
	int64_t done = now->bad_step > 0 ? now->bad_step - s->at.step : count;
	s->at.step += done;
	s->at.in_epoch += done;
	memcpy(s->at.sums, now->sums, sizeof s->at.sums);
	memcpy(s->last, now->last, sizeof s->last);
}

static int64_t cuda_evaluate(Session *s, int64_t first, int64_t most, double sums[1 + MAX_METRICS])
{
	int64_t batch = s->model->batch, left = s->data.held_out.count - first;
	int64_t batches = (left + batch - 1) / batch;
	if (batches > most)
		batches = most;
	nnr_cuda_doing("evaluating");
	write_control(s, s->at.step, 0, 0, first, sums);
	cuda_enqueue(WORK_EVALUATE, batches, 0);
	read_control();
	memcpy(sums, nnr_cuda.host_control->sums, sizeof nnr_cuda.host_control->sums);
	return batches * batch < left ? batches * batch : left;
}

/* Between two events in the stream. Inference is timed on one batch that stays. */
static double cuda_time(Session *s, int64_t steps, bool inference)
{
	CudaState *c = &nnr_cuda;
	Work work = inference ? WORK_INFER : WORK_TRAIN;
	double seconds = 0;
	while (steps > 0) {
		int64_t count = steps < MOST_ASKED ? steps : MOST_ASKED;
		float milliseconds;
		cuda_prepare(work, count, 0);
		nnr_cuda_doing("timing steps");
		write_rates(s, s->at.step, count);
		write_control(s, s->at.step, s->at.step / s->steps_per_epoch, s->at.step % s->steps_per_epoch,
		              0, NULL);
		if (inference)
			cuda_gather_once();
		CU(EventRecord, c->begun, c->stream);
		cuda_enqueue(work, count, 0);
		CU(EventRecord, c->ended, c->stream);
		read_control();
		CU(EventElapsedTime, &milliseconds, c->begun, c->ended);
		seconds += 1e-3 * (double)milliseconds;
		s->at.step += count;
		steps -= count;
	}
	return seconds;
}

const NnrBackend nnr_cuda_backend = {
        .name = "cuda",
        .open = cuda_open,
        .close = cuda_close,
        .train = cuda_train,
        .evaluate = cuda_evaluate,
        .time = cuda_time,
        .device = cuda_device,
        .load = cuda_load,
        .download = cuda_download,
};
