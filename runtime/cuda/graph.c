/* SPDX-License-Identifier: MIT */
/* Enqueueing steps: plainly, or as captured graphs of many.
 *
 * A graph holds from 1 to LONGEST_LAUNCH steps in a row, as many as make 8 ms of work: a launch costs the host some
 * microseconds, and what it costs the device is lost in that. The same functions enqueue in both cases, so both compute
 * the same. Lengths are the usual one, cut to divide an epoch evenly; what an epoch leaves over; and powers of two for
 * everything else. A graph keeps the addresses it was captured with: nothing is allocated or moved after.
 *
 * Beside training step u, on the side stream, the scores of step u - 1 are counted and step u + 1 is prepared: its
 * batch gathered, its scalars set, in the slot that step u does not use. So a step is the program and nothing else. The
 * step after a launch is prepared in it too; `ready_step` remembers which one that is.
 *
 * What is left of a gather that products do (carry.c) begins with the first branch of the step. A product fills each
 * multiprocessor that it has: beside the forward one, a few samples wait for its last blocks, and then for places that
 * the kernel after it needs. */
#include "runtime/session/freeze.h"
#include "runtime/cuda/nccl.h"
#include "runtime/cuda/state.h"
#include "runtime/ranks/ranks.h"

#include <math.h>

/* ---- the streams; run plainly, all goes to the first in the same order */

void cuda_open_streams(void)
{
	CudaState *c = &nnr_cuda;
	int least;
	CU(CtxGetStreamPriorityRange, &least, &c->priority);
	CU(StreamCreateWithPriority, &c->stream, CU_STREAM_NON_BLOCKING, c->priority);
	CU(StreamCreateWithPriority, &c->side, CU_STREAM_NON_BLOCKING, least);
	CU(EventCreate, &c->begun, CU_EVENT_DEFAULT);
	CU(EventCreate, &c->ended, CU_EVENT_DEFAULT);
	CUevent *const orders[] = {&c->forked, &c->counted, &c->prepared};
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
		CU(EventCreate, orders[i], CU_EVENT_DISABLE_TIMING);
}

void cuda_close_streams(void)
{
	CudaState *c = &nnr_cuda;
	const CUevent events[] = {c->begun, c->ended, c->forked, c->counted, c->prepared};
	for (size_t i = 0; i < sizeof events / sizeof *events; i++)
		CU(EventDestroy, events[i]);
	CU(StreamDestroy, c->side);
	CU(StreamDestroy, c->stream);
}

static void wait_for(CUstream stream, CUevent event)
{
	if (nnr_cuda.capturing)
		CU(StreamWaitEvent, stream, event, 0);
}

static void note(CUevent event, CUstream stream)
{
	if (nnr_cuda.capturing)
		CU(EventRecord, event, stream);
}

void nnr_scores_wait(void)
{
	if (!nnr_cuda.counting)
		return;
	nnr_cuda_doing("waiting for the scores to be counted");
	wait_for(nnr_cuda.stream, nnr_cuda.counted);
	nnr_cuda.counting = false;
}

/* The step whose batch and scalars are to be prepared beside this one. */
static struct {
	bool due;
	int unit, slot;
} next;

/* What is enqueued until `beside` is false goes on beside what follows on the step's stream. */
static void begin_beside(void)
{
	CudaState *c = &nnr_cuda;
	nnr_cuda_doing("preparing a step");
	note(c->forked, c->stream);
	wait_for(c->side, c->forked);
	c->beside = true;
	nnr_cuda_aside();
}

static void launch_next(void)
{
	CudaState *c = &nnr_cuda;
	nnr_launch(&c->prepare_step, (void *[]){&c->control, &c->rest, &next.unit, &next.slot});
	note(c->prepared, c->side);
	next.due = false;
}

static void enqueue_beside(int u, int slot)
{
	CudaState *c = &nnr_cuda;
	next.due = true;
	next.unit = u + 1;
	next.slot = 1 - slot;
	begin_beside();
	if (u > 0) {
		nnr_launch(&c->count_step, (void *[]){&c->control, &c->training, &(int){u - 1}});
		note(c->counted, c->side);
		c->counting = true;
	}
	if (!cuda_carry_shared())
		launch_next();
	c->beside = false;
}

void cuda_prepare_next(void)
{
	if (!next.due)
		return;
	begin_beside();
	launch_next();
	nnr_cuda.beside = false;
}

/* ---- steps */

void cuda_copy_frozen(bool keep)
{
	const struct Frozen *f = nnr_cuda.session->frozen;
	char *kept = nnr_cuda.frozen;
	for (int i = 0; f && i < f->count; kept += f->ranges[i++].bytes) {
		char *place = freeze_place(&f->ranges[i], &nnr_cuda.memory);
		nnr_copy(keep ? kept : place, keep ? place : kept, f->ranges[i].bytes);
	}
}

static const NnrScalars *device_scalars(int slot)
{
	return (const NnrScalars *)(const void *)nnr_cuda.control + slot;
}

static void run_program(const NnrProgram *program, const NnrMemory *memory, int slot)
{
	program->run(memory, device_scalars(slot));
	nnr_step(0, NULL);
}

bool cuda_fetches(void)
{
	return nnr_cuda.model->train.fetches && !nnr_cuda.streams;
}

/* Without feeds, a program takes the batch that is prepared for it. */
void *nnr_step_supply(void)
{
	static NnrSupply none;
	return cuda_fetches() ? &nnr_cuda.training : &none;
}

void *nnr_step_turn(void)
{
	return &nnr_cuda.turn;
}

/* The program does what else is enqueued beside it. */
static void enqueue_fetching(int steps)
{
	CudaState *c = &nnr_cuda;
	for (c->turn = 0; c->turn < steps; c->turn++) {
		run_program(&c->model->train, &c->memory, 0);
		cuda_copy_frozen(false);
	}
	nnr_launch(&c->end_steps, (void *[]){&c->control, &c->training, &steps});
}

static void enqueue_training(int slot, int steps)
{
	CudaState *c = &nnr_cuda;
	if (cuda_fetches()) {
		enqueue_fetching(steps);
		return;
	}
	c->counting = false; /* an event of another capture is none of this one */
	for (int u = 0; u < steps * (int)c->model->chunks; u++, slot = 1 - slot) {
		NnrMemory memory = c->memory;
		memory.inputs += slot * c->slot_bytes;
		enqueue_beside(u, slot);
		cuda_carry_begin(next.unit, next.slot);
		run_program(&c->model->train, &memory, slot);
		if ((u + 1) % c->model->chunks == 0)
			nccl_end_step();
		cuda_copy_frozen(false);
		cuda_prepare_next(); /* it has no branch */
		cuda_carry_end();
		wait_for(c->stream, c->prepared);
	}
	nnr_launch(&c->end_steps, (void *[]){&c->control, &c->training, &steps});
}

static void enqueue_evaluation(int slot, int batches)
{
	CudaState *c = &nnr_cuda;
	NnrMemory memory = c->memory;
	memory.inputs += slot * c->slot_bytes;
	for (int u = 0; u < batches; u++) {
		nnr_launch(&c->begin_samples, (void *[]){&c->control, &c->evaluation, &slot});
		run_program(&c->model->evaluate, &memory, 0);
		nnr_launch(&c->end_samples, (void *[]){&c->control, &c->evaluation});
	}
}

static void keep_predictions(char *to)
{
	const NnrProgram *p = &nnr_cuda.model->predict;
	for (int i = 0; i < p->output_count; i++) {
		const NnrOutput *o = &p->outputs[i];
		nnr_copy(to, nnr_cuda.memory.arena + o->offset, output_batch_bytes(o));
		to += output_batch_bytes(o);
	}
}

static void enqueue_inference(int requests)
{
	CudaState *c = &nnr_cuda;
	for (int u = 0; u < requests; u++)
		for (int64_t k = 0; k < c->request_batches; k++) {
			NnrMemory memory = c->memory;
			memory.inputs += k * c->slot_bytes;
			run_program(&c->model->predict, &memory, 0);
			if (c->predictions)
				keep_predictions(c->predictions + k * c->prediction_bytes);
		}
}

static void enqueue_steps(Work work, int slot, int steps)
{
	if (work == WORK_TRAIN)
		enqueue_training(slot, steps);
	else if (work == WORK_EVALUATE)
		enqueue_evaluation(slot, steps);
	else
		enqueue_inference(steps);
	nnr_cuda_doing("running steps");
}

bool cuda_streams(Work work)
{
	return nnr_cuda.streams && work != WORK_INFER;
}

/* Whether the slots of this work take turns: those of others stay in slot 0. */
static bool takes_turns(Work work)
{
	return (work == WORK_TRAIN && !cuda_fetches()) || cuda_streams(work);
}

/* The slot after some steps of work whose slots take turns: each chunk has the next. */
static int slot_behind(Work work, int slot, int steps)
{
	int64_t chunks = work == WORK_TRAIN ? nnr_cuda.model->chunks : 1;
	return (int)((slot + steps * chunks) % 2);
}

/* The slot of the first of some steps that are about to be enqueued; moves on to that of the step after them. */
static int take_slot(Work work, int steps)
{
	CudaState *c = &nnr_cuda;
	int slot = takes_turns(work) ? c->slot : 0;
	if (takes_turns(work))
		c->slot = slot_behind(work, c->slot, steps);
	if (work == WORK_TRAIN && takes_turns(work))
		c->ready_step += steps;
	else /* its batch is overwritten */
		c->ready_step = -1;
	return slot;
}

bool cuda_prepare_first(int64_t step)
{
	CudaState *c = &nnr_cuda;
	if (c->ready_step == step)
		return true;
	if (c->streams && !cuda_supply_training(0, c->slot))
		return false;
	nnr_launch(&c->prepare_first, (void *[]){&c->control, &c->training, &(int){0}, &c->slot});
	if (c->streams)
		cuda_supply_used(c->slot);
	c->ready_step = step;
	return true;
}

void cuda_prepare_weights(void)
{
	CudaState *c = &nnr_cuda;
	if (c->model->prepare.run)
		run_program(&c->model->prepare, &c->memory, 0);
}

void cuda_look_through(Work work)
{
	const NnrModel *m = nnr_cuda.model;
	const NnrProgram *programs[] = {&m->train, &m->evaluate, &m->predict};
	if (work != WORK_TRAIN)
		cuda_prepare_weights();
	run_program(programs[work], &nnr_cuda.memory, 0);
}

void cuda_run_plainly(Work work)
{
	enqueue_steps(work, take_slot(work, 1), 1);
}

static CUgraphExec graph_of(Work work, int slot, int steps)
{
	CudaState *c = &nnr_cuda;
	CUgraphExec *exec = &c->graphs[work].of[slot][steps];
	if (*exec)
		return *exec;
	CUgraph graph;
	nnr_cuda_doing("capturing a graph");
	CU(StreamBeginCapture, c->stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
	c->capturing = true;
	enqueue_steps(work, slot, steps);
	c->capturing = false;
	nnr_cuda_doing("capturing a graph");
	CU(StreamEndCapture, c->stream, &graph);
	CU(GraphInstantiate, exec, graph, 0);
	CU(GraphDestroy, graph);
	return *exec;
}

/* Milliseconds of a step, from `turns` graphs of one; the longest of all ranks where these meet in it, and launch as
 * many at once. They do the work of real steps; the caller sets parameters, states and control afresh. */
static double milliseconds_of_one(Work work, int turns)
{
	CudaState *c = &nnr_cuda;
	CUgraphExec one[2] = {graph_of(work, 0, 1), work == WORK_TRAIN ? graph_of(work, 1, 1) : NULL};
	float took;
	double each;
	nnr_cuda_doing("timing a step");
	CU(EventRecord, c->begun, c->stream);
	for (int i = 0; i < turns; i++)
		CU(GraphLaunch, one[take_slot(work, 1)], c->stream);
	CU(EventRecord, c->ended, c->stream);
	CU(EventSynchronize, c->ended);
	CU(EventElapsedTime, &took, c->begun, c->ended);
	each = (double)took / turns;
	if (work == WORK_TRAIN || c->model->couples)
		ranks_max(&each, 1);
	return each;
}

void cuda_choose_length(Work work, int64_t epoch)
{
	static const double enough = 8; /* milliseconds of a launch */
	double one = milliseconds_of_one(
	        work, 1); /* a slow step is seen at once; a fast one is timed again, warm */
	if (one < enough)
		one = milliseconds_of_one(work, 8);
	double longest = one > 0 ? ceil(enough / one) : LONGEST_LAUNCH;
	if (longest > LONGEST_LAUNCH)
		longest = LONGEST_LAUNCH;
	if (epoch > 0) { /* as many launches, but of equal length */
		double launches = ceil((double)epoch / longest);
		longest = ceil((double)epoch / launches);
	}
	nnr_cuda.graphs[work].longest = (int)longest;
}

void cuda_time_ranks(void)
{
	enum { STEPS = 16 };
	milliseconds_of_one(WORK_TRAIN, 2); /* warm */
	double with = milliseconds_of_one(WORK_TRAIN, STEPS);
	cuda_free_graphs();
	nccl_keep_silent(true);
	milliseconds_of_one(WORK_TRAIN, 2);
	double alone = milliseconds_of_one(WORK_TRAIN, STEPS);
	nccl_keep_silent(false);
	cuda_free_graphs();
	nccl_report(with, alone);
}

/* Steps of the next launch, when `count` are asked for and `rest` are left of the epoch. */
static int next_length(Work work, int64_t count, int64_t rest)
{
	if (nnr_cuda.no_graph || nnr_cuda.afresh[work] || cuda_streams(work))
		return 1;
	int longest = nnr_cuda.graphs[work].longest;
	if (count >= longest || count == rest)
		return count < longest ? (int)count : longest;
	int length = 1;
	while (2 * length <= count)
		length *= 2;
	return length;
}

void cuda_prepare(Work work, int64_t count, int64_t rest)
{
	int slot = takes_turns(work) ? nnr_cuda.slot : 0;
	while (count > 0 && !nnr_cuda.no_graph) {
		int length = next_length(work, count, rest);
		graph_of(work, slot, length);
		slot = takes_turns(work) ? slot_behind(work, slot, length) : 0;
		count -= length;
		rest -= length;
	}
}

void cuda_begin_afresh(void)
{
	cuda_free_graphs();
	cuda_carry_forget();
	for (Work work = 0; work < WORK_KINDS; work++)
		nnr_cuda.afresh[work] = true;
}

/* The kernels of products that gather may have run never: a second plain step loads them. */
static void run_plainly(Work work)
{
	const bool shared = cuda_carry_shared();
	cuda_run_plainly(work);
	nnr_cuda.afresh[work] = nnr_cuda.afresh[work] && work == WORK_TRAIN && !shared && cuda_carry_share();
}

/* Where the GPU's queue is full it waits for room, and so for the other ranks, whom the sums in it need. */
static void launch(Work work, int length)
{
	ranks_wait_begin();
	if (nnr_cuda.no_graph || nnr_cuda.afresh[work])
		run_plainly(work);
	else
		CU(GraphLaunch, graph_of(work, take_slot(work, length), length), nnr_cuda.stream);
	ranks_wait_end();
}

/* One step. Training step u prepares step u + 1: the samples it waits for are that one's. Returns 1; 0 where this
 * step's samples can't be decoded. Where the next one's can't, there is nothing to prepare it from. */
static int launch_streamed(Work work, int64_t u)
{
	CudaState *c = &nnr_cuda;
	bool trains = work == WORK_TRAIN;
	int slot = trains ? 1 - c->slot : c->slot;
	bool supplied = trains ? cuda_supply_training(u + 1, slot) : cuda_supply_held_out(u, slot);
	if (!supplied && !trains)
		return 0;
	launch(work, 1);
	cuda_supply_used(slot);
	if (!supplied)
		c->ready_step = -1;
	return 1;
}

int64_t cuda_enqueue(Work work, int64_t count, int64_t rest)
{
	int64_t u = 0;
	while (u < count) {
		int length = next_length(work, count - u, rest - u);
		if (!cuda_streams(work))
			launch(work, length);
		else if (work == WORK_TRAIN && u > 0 && nnr_cuda.ready_step < 0)
			return u;
		else if (!launch_streamed(work, u))
			return u;
		u += length;
	}
	return u;
}

void cuda_free_graphs(void)
{
	for (int work = 0; work < WORK_KINDS; work++)
		for (int i = 0; i < 2 * (LONGEST_LAUNCH + 1); i++) {
			CUgraphExec exec = nnr_cuda.graphs[work].of[i % 2][i / 2];
			if (exec)
				CU(GraphExecDestroy, exec);
			nnr_cuda.graphs[work].of[i % 2][i / 2] = NULL;
		}
}
