/* Enqueueing steps: plainly, or as captured graphs of many.
 *
 * A graph holds from 1 to LONGEST_LAUNCH steps in a row, as many as make half a millisecond of work: a launch costs the
 * host some microseconds, and what it costs the device is lost in that. The same functions enqueue in both cases, so
 * both compute the same. Lengths are the usual one, cut to divide an epoch evenly; what an epoch leaves over; and powers
 * of two for everything else. A graph keeps the addresses it was captured with: nothing is allocated or moved after. */
#include "runtime/core/die.h"
#include "runtime/cuda/state.h"

#include <math.h>

static const NnrScalars *device_scalars(void)
{
	return (const NnrScalars *)(const void *)nnr_cuda.control;
}

static void enqueue_steps(Work work, int steps)
{
	CudaState *c = &nnr_cuda;
	const NnrModel *m = c->model;
	for (int u = 0; u < steps; u++) {
		switch (work) {
		case WORK_TRAIN:
			nnr_launch(&c->begin_step, (void *[]){&c->control, &c->training, &u});
			m->train.run(&c->memory, device_scalars());
			break;
		case WORK_EVALUATE:
			nnr_launch(&c->begin_samples, (void *[]){&c->control, &c->evaluation});
			m->evaluate.run(&c->memory, device_scalars());
			nnr_launch(&c->end_samples, (void *[]){&c->control, &c->evaluation});
			break;
		default:
			m->evaluate.run(&c->memory, device_scalars());
		}
	}
	if (work == WORK_TRAIN)
		nnr_launch(&c->end_steps, (void *[]){&c->control, &c->training, &steps});
	nnr_cuda_doing("running steps");
}

void cuda_run_plainly(Work work)
{
	enqueue_steps(work, 1);
}

void cuda_gather_once(void)
{
	CudaState *c = &nnr_cuda;
	nnr_launch(&c->begin_step, (void *[]){&c->control, &c->training, &(int){0}});
}

static CUgraphExec graph_of(Work work, int steps)
{
	CudaState *c = &nnr_cuda;
	CUgraphExec *exec = &c->graphs[work].of[steps];
	if (*exec)
		return *exec;
	CUgraph graph;
	nnr_cuda_doing("capturing a graph");
	CU(StreamBeginCapture, c->stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
	c->capturing = true;
	enqueue_steps(work, steps);
	c->capturing = false;
	nnr_cuda_doing("capturing a graph");
	CU(StreamEndCapture, c->stream, &graph);
	CU(GraphInstantiate, exec, graph, 0);
	CU(GraphDestroy, graph);
	return *exec;
}

/* Milliseconds of a step, from `turns` graphs of one. They do the work of real steps; the caller sets parameters, states
 * and control afresh. */
static double milliseconds_of_one(Work work, int turns)
{
	CudaState *c = &nnr_cuda;
	CUgraphExec one = graph_of(work, 1);
	float took;
	nnr_cuda_doing("timing a step");
	CU(EventRecord, c->begun, c->stream);
	for (int i = 0; i < turns; i++)
		CU(GraphLaunch, one, c->stream);
	CU(EventRecord, c->ended, c->stream);
	CU(EventSynchronize, c->ended);
	CU(EventElapsedTime, &took, c->begun, c->ended);
	return (double)took / turns;
}

void cuda_choose_length(Work work, int64_t epoch)
{
	static const double enough = 0.5; /* milliseconds of a launch */
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

/* Steps of the next launch, when `count` are asked for and `rest` are left of the epoch. */
static int next_length(Work work, int64_t count, int64_t rest)
{
	int longest = nnr_cuda.graphs[work].longest;
	if (count >= longest || count == rest)
		return count < longest ? (int)count : longest;
	int length = 1;
	while (2 * length <= count)
		length *= 2;
	return length;
}

/* Where no launch is, the graph is captured only. */
static void walk(Work work, int64_t count, int64_t rest, bool launch)
{
	CudaState *c = &nnr_cuda;
	while (count > 0) {
		int length = next_length(work, count, rest);
		CUgraphExec exec = graph_of(work, length);
		if (launch)
			CU(GraphLaunch, exec, c->stream);
		count -= length;
		rest -= length;
	}
}

void cuda_prepare(Work work, int64_t count, int64_t rest)
{
	if (!nnr_cuda.no_graph)
		walk(work, count, rest, false);
}

void cuda_enqueue(Work work, int64_t count, int64_t rest)
{
	if (!nnr_cuda.no_graph)
		walk(work, count, rest, true);
	else
		for (int64_t i = 0; i < count; i++)
			enqueue_steps(work, 1);
}

void cuda_free_graphs(void)
{
	for (int work = 0; work < WORK_KINDS; work++)
		for (int i = 0; i <= LONGEST_LAUNCH; i++)
			if (nnr_cuda.graphs[work].of[i])
				CU(GraphExecDestroy, nnr_cuda.graphs[work].of[i]);
}
