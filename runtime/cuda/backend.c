/* SPDX-License-Identifier: MIT */
/* The CUDA backend (session/backend.h): memory of the four blocks, and the host's part of training, evaluation,
 * prediction, timing.
 *
 * Between two looks of the host everything is on the device: NnrControl says where the training stands, `rates` holds
 * the learning rate of every step asked for. The host writes both, enqueues, reads the control back and waits once. */
#include "runtime/session/backend.h"
#include "runtime/host/die.h"
#include "runtime/session/freeze.h"
#include "runtime/session/loader.h"
#include "runtime/host/rng.h"
#include "runtime/report/start.h"
#include "runtime/cuda/nccl.h"
#include "runtime/cuda/plan.h"
#include "runtime/cuda/state.h"
#include "runtime/cuda/tuning.h"
#include "runtime/nnr_half.h"
#include "runtime/ranks/ranks.h"

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

bool nnr_cuda_looking(void)
{
	return nnr_cuda.looking;
}

bool nnr_cuda_deterministic(void)
{
	return nnr_cuda.deterministic;
}

bool nnr_cuda_has_warpgroups(void)
{
	return nnr_cuda.has_warpgroups;
}

const char *nnr_cuda_precision(void)
{
	return ((const NnrCudaModel *)nnr_cuda.model->device)->precision;
}

size_t cuda_memory_left(size_t *total)
{
	size_t left, most = (size_t)nnr_cuda.session->options.memory << 20;
	nnr_cuda_doing("asking for its memory");
	CU(MemGetInfo, &left, total);
	if (most == 0)
		return left;
	size_t taken = *total - left, rest = most > taken ? most - taken : 0;
	return rest < left ? rest : left;
}

/* ---- open and close */

/* Of several ranks on this host each has the device of its number there, unless it sees no other than its own. */
static int own_device(int count)
{
	const RankPlace *place = ranks_place();
	if (count > 1 && place->local >= count)
		die_help(STATUS_DEVICE, "nvidia-smi lists the GPUs; CUDA_VISIBLE_DEVICES hides them",
		         "there are %d GPUs, none for rank %d, number %d of this host", count, place->rank,
		         place->local + 1);
	return count > 1 ? place->local : 0;
}

static int count_devices(void)
{
	static const char help[] =
	        "nvidia-smi lists the GPUs that the driver sees; CUDA_VISIBLE_DEVICES hides "
	        "them; `nnc --target=cpu` makes a trainer for this machine";
	int count = 0;
	nnr_cuda_load_driver();
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
	return count;
}

static void cuda_check_devices(int64_t ranks)
{
	int count = count_devices();
	if (ranks > count)
		die_help(STATUS_DEVICE, "nvidia-smi lists the GPUs; CUDA_VISIBLE_DEVICES hides them",
		         "--gpus %lld: there %s %d GPU%s", (long long)ranks, count == 1 ? "is" : "are", count,
		         count == 1 ? "" : "s");
}

void cuda_find_device(void)
{
	CudaState *c = &nnr_cuda;
	int count = count_devices();
	CU(DeviceGet, &c->device, own_device(count));
	CU(DeviceGetName, c->name, (int)sizeof c->name, c->device);
	CU(DeviceGetAttribute, &c->major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, c->device);
	CU(DeviceGetAttribute, &c->minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, c->device);
	nnr_cuda_doing("opening the GPU");
	CU(DevicePrimaryCtxRetain, &c->context, c->device);
}

/* What to do where not even one sample fits. */
static const char *help_for_none(const Options *o, size_t left, size_t total)
{
	if (o->memory)
		return text_printf("--memory %lld leaves no room even for one sample; of the driver's memory "
		                   "it counts all that is taken",
		                   (long long)o->memory);
	if (left < total - total / 4)
		return "nvidia-smi shows what else uses the GPU";
	return "not even one sample fits: the network is too large for this GPU";
}

void cuda_check_plan(const Session *s)
{
	const NnrModel *m = s->model;
	/* the runtime's own, and the driver's for graphs */
	const double reserve = 64e6 + (s->frozen ? (double)s->frozen->bytes : 0);
	size_t total, left = cuda_memory_left(&total);
	double need = session_plan_bytes(m, &s->options) + reserve;
	if (need <= (double)left)
		return;
	char *fitting = session_what_fits(m, &s->options, (double)left - reserve);
	die_help(STATUS_MEMORY, fitting ? fitting : help_for_none(&s->options, left, total),
	         "the plan needs %s at %s, %s of them for the driver, the %s has %s left of %s",
	         human_bytes(need), session_size_text(m, &s->options), human_bytes(reserve), nnr_cuda.name,
	         human_bytes((double)left), human_bytes((double)total));
}

static void cuda_open(Session *s)
{
	CudaState *c = &nnr_cuda;
	const NnrModel *m = s->model;
	*c = (CudaState){.model = m,
	                 .session = s,
	                 .no_graph = s->options.no_graph,
	                 .deterministic = s->options.deterministic};
	cuda_find_device();
	CU(CtxSetCurrent, c->context);
	cuda_open_streams();
	cuda_open_branch();
	start_part(START_KERNELS);
	cuda_load_modules(m->device);
	start_part(START_DEVICE);
	if (ranks_many() && (trains(&s->options) || m->couples))
		nccl_open();
	cuda_check_plan(s);
	c->memory.params = cuda_allocate(m->param_bytes, "making room for the parameters");
	c->memory.state = cuda_allocate(m->state_bytes, "making room for the optimizer's state");
	c->slot_bytes = cuda_padded(session_input_bytes(m, &s->options));
	c->memory.inputs = cuda_allocate(session_input_batches(m, &s->options) * c->slot_bytes,
	                                 "making room for the batches");
	c->prediction_bytes = session_prediction_bytes(m, &s->options);
	c->request_batches = session_request_batches(m, &s->options);
	if (c->prediction_bytes > 0)
		c->predictions = cuda_allocate(c->request_batches * c->prediction_bytes,
		                               "making room for the predictions");
	if (s->frozen)
		c->frozen = cuda_allocate(s->frozen->bytes, "making room for the frozen tensors");
	c->ready_step = -1;
	c->memory.arena =
	        cuda_allocate(session_arena_bytes(m, &s->options), "making room for the activations");
	c->control = cuda_allocate(sizeof *c->control, "making room for the control block");
	c->rates = cuda_allocate((MOST_ASKED + 1) * (int64_t)sizeof(double), "making room for the rates");
	c->host_control = cuda_pinned(sizeof *c->host_control);
	c->host_rates = cuda_pinned((MOST_ASKED + 1) * (int64_t)sizeof(double));
	if (s->options.tune || s->options.no_tune)
		tune_configure(s->options.tune, s->options.no_tune);
	/* What goes on from a checkpoint has the plans that it began with, where the record has them. */
	tuning_configure(s->options.tune_seconds, keeps_plans(&s->options) || takes_weights(&s->options));
}

static void cuda_close(Session *s)
{
	CudaState *c = &nnr_cuda;
	nnr_cuda_doing("closing the GPU");
	CU(StreamSynchronize, c->stream);
	tuning_end();
	cuda_free_graphs();
	nccl_close();
	cuda_close_supply(s);
	loader_free(s->loader);
	cuda_close_branch();
	for (int i = 0; i < MAX_INPUTS; i++) {
		cuda_free(c->data[0][i]);
		cuda_free(c->data[1][i]);
	}
	void *const blocks[] = {c->memory.params, c->memory.state, c->memory.inputs,
	                        c->memory.arena,  c->control,      c->rates,
	                        c->workspace,     c->predictions,  c->frozen};
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
		cuda_free(blocks[i]);
	CU(MemFreeHost, c->host_control);
	CU(MemFreeHost, c->host_rates);
	cuda_unload_modules();
	cuda_close_streams();
	CU(DevicePrimaryCtxRelease, c->device);
	block_free(s->memory.inputs, s->model->input_bytes);
	block_free(s->memory.arena, session_arena_bytes(s->model, &s->options));
}

static const char *cuda_device(const Session *s)
{
	return nnr_cuda.name;
}

static double cuda_memory_used(const Session *s)
{
	size_t left, total;
	nnr_cuda_doing("asking for its memory");
	CU(MemGetInfo, &left, &total);
	return (double)(total - left);
}

/* ---- the control block */

/* Where the next work stands: after `step` steps, in training `in_epoch` of them into `epoch`. The scalars of a step
 * that is prepared already are what they were. `seed` keys the random numbers of what does not train, and `rank` says
 * which of a batch's: of all ranks' in training, else of this rank's batch alone. */
static void write_control(const Session *s, uint64_t seed, int rank, int64_t step, int64_t epoch,
                          int64_t in_epoch, int64_t first, const double sums[1 + MAX_METRICS])
{
	CudaState *c = &nnr_cuda;
	NnrControl *to = c->host_control;
	NnrScalars scalars = {.rate = session_rate(s, step),
	                      .step = (double)(step + 1),
	                      .last = s->model->chunks == 1,
	                      .seed = seed,
	                      .rank = rank};
	*to = (NnrControl){.scalars = {scalars, scalars},
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
	ranks_wait_begin();
	CU(StreamSynchronize, c->stream);
	ranks_wait_end();
}

/* Of `count` steps and of the one after them, which the last of them prepares. */
static void write_rates(const Session *s, int64_t step, int64_t count)
{
	CudaState *c = &nnr_cuda;
	for (int64_t i = 0; i <= count; i++)
		c->host_rates[i] = session_rate(s, step + i);
	CU(MemcpyHtoDAsync, (CUdeviceptr)c->rates, c->host_rates, (size_t)(count + 1) * sizeof(double),
	   c->stream);
}

/* ---- load and download */

void cuda_copy(void *to, const char *from, int64_t bytes)
{
	if (bytes > 0)
		CU(MemcpyHtoDAsync, (CUdeviceptr)to, from, (size_t)bytes, nnr_cuda.stream);
}

void cuda_copy_back(char *to, const void *from, int64_t bytes)
{
	if (bytes > 0)
		CU(MemcpyDtoHAsync, to, (CUdeviceptr)from, (size_t)bytes, nnr_cuda.stream);
}

static void stand_at_start(const Session *s, Work work)
{
	write_control(s, s->seed, ranks_own(), 0, 0, 0, 0, NULL);
	if (work == WORK_TRAIN && !cuda_prepare_first(0))
		loader_die(s->loader);
	if (work != WORK_TRAIN)
		cuda_prepare_weights();
}

static void run_plainly(const Session *s, const bool needed[WORK_KINDS])
{
	for (Work work = 0; work < WORK_KINDS; work++) {
		if (!needed[work])
			continue;
		stand_at_start(s, work);
		cuda_run_plainly(work);
		nnr_cuda_doing("running the first step");
		ranks_wait_begin();
		CU(StreamSynchronize, nnr_cuda.stream);
		ranks_wait_end();
	}
}

/* Whether it is so on any rank: all run as many steps while they try out. */
static bool agreed(bool here)
{
	double any = here;
	ranks_max(&any, 1);
	return any > 0;
}

/* What the libraries will be asked by the programs is known before any of it is needed, and made by several threads. */
static void make_plans_ahead(const bool needed[WORK_KINDS])
{
	if (ranks_many()) /* a program speaks to others while it is enqueued */
		return;
	nnr_cuda.looking = true;
	for (Work work = 0; work < WORK_KINDS; work++)
		if (needed[work])
			cuda_look_through(work);
	nnr_cuda.looking = false;
	nnr_cuda_make_ahead();
}

/* Runs every program that will be needed once, so that the libraries' operations are known, and again with the plans
 * that tuning found; and then in graphs, to see how long a step is. All of them plainly first: a plan may move the
 * libraries' workspace, whose address a graph keeps. What this does to parameters, states and control is undone by what
 * is uploaded afterwards. */
static void try_out(const Session *s, const bool needed[WORK_KINDS])
{
	CudaState *c = &nnr_cuda;
	start_part(START_STEPS);
	tuning_collect();
	make_plans_ahead(needed);
	run_plainly(s, needed);
	start_part(START_TUNING);
	bool changed = cuda_tune_first(s);
	start_part(START_STEPS);
	if (agreed(changed))
		run_plainly(s, needed);
	if (needed[WORK_TRAIN] && agreed(cuda_carry_share())) /* by other kernels than before, perhaps */
		run_plainly(s, (bool[WORK_KINDS]){[WORK_TRAIN] = true});
	start_part(START_GRAPHS);
	for (Work work = 0; work < WORK_KINDS && !c->no_graph; work++) {
		if (!needed[work] || cuda_streams(work))
			continue;
		stand_at_start(s, work);
		cuda_choose_length(work, work == WORK_TRAIN ? s->steps_per_epoch : 0);
		if (work == WORK_TRAIN && nccl_is_open()) {
			stand_at_start(s, work);
			cuda_time_ranks();
		}
	}
	c->ready_step = -1;
}

/* The batch of held-out samples from `first` on; false where it can't be made. Each sample is predicted for once, so
 * that to keep them on the device would gain nothing. */
static bool upload_held_out(Session *s, int64_t first)
{
	bool made = batch_evaluate(s, first);
	nnr_cuda_doing("copying samples to the GPU");
	cuda_copy(nnr_cuda.memory.inputs, s->memory.inputs, s->model->input_bytes);
	return made;
}

/* The samples of a request, which stay: no other data is on the device then. */
static void load_request(const Session *s)
{
	CudaState *c = &nnr_cuda;
	const NnrModel *m = s->model;
	char *batch = cuda_pinned(m->input_bytes);
	for (int64_t k = 0; k < c->request_batches; k++) {
		batch_rows_train(s, 0, k % (s->steps_per_epoch * m->chunks) * m->batch, m->batch, batch);
		nnr_cuda_doing("copying samples to the GPU");
		cuda_copy(c->memory.inputs + k * c->slot_bytes, batch, m->input_bytes);
		CU(StreamSynchronize, c->stream);
	}
	CU(MemFreeHost, batch);
}

void cuda_copy_up(const Session *s, const NnrMemory *to)
{
	const NnrModel *m = s->model;
	const NnrCopy copies[] = {m->copy, m->frozen_copy};
	for (int i = 0; i < 2; i++)
		nnr_halve((uint16_t *)(void *)(s->memory.state + copies[i].offset),
		          (const float *)(const void *)s->memory.params + copies[i].first, copies[i].elements,
		          copies[i].dtype == NNR_BF16);
	nnr_cuda_doing("copying the parameters to the GPU");
	cuda_copy(to->params, s->memory.params, m->param_bytes);
	cuda_copy(to->state, s->memory.state, m->state_bytes);
}

static void cuda_upload(Session *s)
{
	CudaState *c = &nnr_cuda;
	cuda_copy_up(s, &c->memory);
	if (freeze_enter(s))
		cuda_begin_afresh();
	cuda_copy_frozen(true);
	CU(StreamSynchronize, c->stream);
	c->ready_step = -1; /* the step that is prepared may be another's */
}

static void cuda_load(Session *s)
{
	const Options *o = &s->options;
	const NnrModel *m = s->model;
	bool infers = predicts_only(o);
	start_part(START_DATA);
	if (infers && takes_weights(o)) {
		s->memory.inputs = block_new(m->input_bytes, "the batch");
		if (loader_is_needed(s))
			s->loader = loader_new(s, loader_host_memory, false, 1);
		upload_held_out(s, 0);
	} else if (infers) {
		load_request(s);
	} else {
		cuda_load_data(s);
	}
	cuda_carry_open();
	bool held_out = s->data.held_out.count > 0 && !o->no_eval;
	try_out(s, (bool[WORK_KINDS]){
	                   [WORK_TRAIN] = trains(o),
	                   [WORK_EVALUATE] = o->command != COMMAND_BENCH && o->command != COMMAND_PROFILE &&
	                                     !infers && held_out,
	                   [WORK_INFER] = infers,
	           });
	cuda_upload(s);
}

/* The batch that a step had, as the host has one: what it had of an input transposed alone is turned back. `from`: its
 * slot. */
static void download_batch(const Session *s, const char *from)
{
	const NnrModel *m = s->model;
	cuda_copy_back(s->memory.inputs, from, m->input_bytes);
	for (int i = 0; i < NNR_BATCH_INPUTS(m); i++) {
		const NnrInput *in = &m->inputs[i];
		size_t size = (size_t)dtype_bytes(in->dtype), each = (size_t)sample_elements(in),
		       batch = (size_t)m->batch;
		if (!in->transposed_alone)
			continue;
		char *turned = allocate(m->batch * sample_bytes(in), 1, "the batch"),
		     *to = s->memory.inputs + in->offset;
		cuda_copy_back(turned, from + in->transposed, m->batch * sample_bytes(in));
		CU(StreamSynchronize, nnr_cuda.stream);
		for (size_t k = 0; k < batch * each; k++)
			memcpy(to + k * size, turned + (k % each * batch + k / each) * size, size);
		free(turned);
	}
}

static void cuda_download(Session *s, bool all)
{
	CudaState *c = &nnr_cuda;
	const NnrModel *m = s->model;
	const Options *o = &s->options;
	nnr_cuda_doing("copying the parameters from the GPU");
	cuda_copy_back(s->memory.params, c->memory.params, m->param_bytes);
	cuda_copy_back(s->memory.state, c->memory.state, m->state_bytes);
	if (all) {
		if (!s->memory.inputs)
			s->memory.inputs = block_new(m->input_bytes, "the batch");
		if (!s->memory.arena)
			s->memory.arena = block_new(session_arena_bytes(m, o), "the activations");
		download_batch(s,
		               c->memory.inputs + (cuda_fetches() ? c->slot : 1 - c->slot) * c->slot_bytes);
		cuda_copy_back(s->memory.arena, c->memory.arena, session_arena_bytes(m, o));
	}
	CU(StreamSynchronize, c->stream);
}

/* ---- the work */

/* Scores become the means over all ranks, and the first bad step that of any: after it the loss of all is none. */
static void meet_control(void)
{
	NnrControl *now = nnr_cuda.host_control;
	double bad = now->bad_step > 0 ? -(double)now->bad_step : -INFINITY;
	if (!ranks_many())
		return;
	ranks_max(&bad, 1);
	now->bad_step = isfinite(bad) ? (int64_t)-bad : 0;
	ranks_mean(now->sums, NNR_SCORES);
	ranks_mean(now->last, NNR_SCORES);
}

static void cuda_train(Session *s, int64_t most)
{
	CudaState *c = &nnr_cuda;
	int64_t count = most < MOST_ASKED ? most : MOST_ASKED, rest = s->steps_per_epoch - s->at.in_epoch;
	if (freeze_enter(s)) { /* graphs have the other phase's copies */
		cuda_begin_afresh();
		cuda_copy_frozen(true);
	}
	if (count > freeze_steps_left(s))
		count = freeze_steps_left(s);
	nnr_cuda_doing("running steps");
	write_rates(s, s->at.step, count);
	write_control(s, s->seed, ranks_own(), s->at.step, s->at.epoch, s->at.in_epoch, 0, s->at.sums);
	if ((!cuda_fetches() || s->options.dump) && !cuda_prepare_first(s->at.step))
		return;
	count = cuda_enqueue(WORK_TRAIN, count, rest);
	read_control();
	cuda_supply_waits(s);
	meet_control();
	const NnrControl *now = c->host_control;
	int64_t done = now->bad_step > 0 ? now->bad_step - s->at.step : count;
	s->at.step += done;
	s->at.in_epoch += done;
	memcpy(s->at.sums, now->sums, sizeof s->at.sums);
	memcpy(s->last, now->last, sizeof s->last);
}

static struct {
	void (*look)(int step, const char *arena);
	Session *s;
	int step; /* that is enqueued now */
} traced;

static void trace_step(void)
{
	int number = nnr_cuda_step_number();
	if (number == traced.step)
		return;
	if (traced.step > 0) {
		cuda_copy_back(traced.s->memory.arena, nnr_cuda.memory.arena,
		               traced.s->model->train.arena_bytes);
		CU(StreamSynchronize, nnr_cuda.stream);
		traced.look(traced.step, traced.s->memory.arena);
	}
	traced.step = number;
}

/* Launch by launch: what a graph runs can't be looked at between. */
static void cuda_trace(Session *s, void (*look)(int step, const char *arena))
{
	CudaState *c = &nnr_cuda;
	bool no_graph = c->no_graph;
	if (!s->memory.arena)
		s->memory.arena = block_new(session_arena_bytes(s->model, &s->options), "the activations");
	nnr_cuda_doing("looking into a step");
	CU(MemsetD8Async, (CUdeviceptr)c->memory.arena, 0, (size_t)s->model->train.arena_bytes, c->stream);
	traced.look = look;
	traced.s = s;
	traced.step = 0;
	c->no_graph = true;
	nnr_cuda_on_step(trace_step);
	cuda_train(s, 1);
	nnr_cuda_on_step(NULL);
	c->no_graph = no_graph;
}

static int64_t cuda_evaluate(Session *s, int64_t first, int64_t most, double sums[1 + MAX_METRICS])
{
	int64_t batch = held_out_batch(s), left = s->data.held_out.count - first;
	int64_t batches = (left + batch - 1) / batch;
	if (batches > most)
		batches = most;
	nnr_cuda_doing("evaluating");
	write_control(s, s->seed, 0, s->at.step, 0, 0, first, sums);
	if (first == 0)
		cuda_prepare_weights();
	if (cuda_enqueue(WORK_EVALUATE, batches, 0) < batches)
		return 0;
	read_control();
	memcpy(sums, nnr_cuda.host_control->sums, sizeof nnr_cuda.host_control->sums);
	return batches * batch < left ? batches * batch : left;
}

static void cuda_evaluated(Session *s, const NnrOutput *o, char *to)
{
	nnr_cuda_doing("evaluating");
	cuda_copy_back(to, nnr_cuda.memory.arena + o->offset, output_batch_bytes(o));
	CU(StreamSynchronize, nnr_cuda.stream);
}

static int64_t cuda_predict(Session *s, int64_t first, char *to)
{
	const NnrProgram *p = &s->model->predict;
	if (!upload_held_out(s, first))
		return 0;
	nnr_cuda_doing("predicting");
	write_control(s, chunk_seed(s->seed, first / s->model->batch), 0, s->at.step, 0, 0, first, NULL);
	if (first / s->model->batch < ranks_count()) /* its first */
		cuda_prepare_weights();
	cuda_enqueue(WORK_INFER, 1, 0);
	for (int i = 0; i < p->output_count; i++) {
		cuda_copy_back(to, nnr_cuda.memory.arena + p->outputs[i].offset,
		               output_batch_bytes(&p->outputs[i]));
		to += output_batch_bytes(&p->outputs[i]);
	}
	CU(StreamSynchronize, nnr_cuda.stream);
	return batch_real(s, first, s->model->batch);
}

double cuda_run_timed(Session *s, Work work, int64_t count)
{
	CudaState *c = &nnr_cuda;
	float milliseconds;
	cuda_prepare(work, count, 0);
	nnr_cuda_doing("timing steps");
	write_rates(s, s->at.step, count);
	write_control(s, s->seed, ranks_own(), s->at.step, s->at.step / s->steps_per_epoch,
	              s->at.step % s->steps_per_epoch, 0, NULL);
	if (work == WORK_INFER)
		cuda_prepare_weights();
	else if (!cuda_prepare_first(s->at.step))
		loader_die(s->loader);
	CU(EventRecord, c->begun, c->stream);
	if (cuda_enqueue(work, count, 0) < count)
		loader_die(s->loader);
	CU(EventRecord, c->ended, c->stream);
	read_control();
	CU(EventElapsedTime, &milliseconds, c->begun, c->ended);
	s->at.step += count;
	return 1e-3 * (double)milliseconds;
}

static double cuda_time(Session *s, int64_t steps, bool inference)
{
	double seconds = 0;
	for (int64_t count; steps > 0; steps -= count) {
		count = steps < MOST_ASKED ? steps : MOST_ASKED;
		seconds += cuda_run_timed(s, inference ? WORK_INFER : WORK_TRAIN, count);
	}
	return seconds;
}

const NnrBackend nnr_cuda_backend = {
        .name = "cuda",
        .check_devices = cuda_check_devices,
        .open = cuda_open,
        .close = cuda_close,
        .train = cuda_train,
        .between = cuda_tune_between,
        .trace = cuda_trace,
        .evaluate = cuda_evaluate,
        .evaluated = cuda_evaluated,
        .predict = cuda_predict,
        .time = cuda_time,
        .profile = cuda_profile,
        .peaks = cuda_peaks,
        .put_tuned = cuda_put_tuned,
        .device = cuda_device,
        .memory_used = cuda_memory_used,
        .joules = cuda_joules,
        .load = cuda_load,
        .upload = cuda_upload,
        .download = cuda_download,
        .rooms = &cuda_rooms,
};
