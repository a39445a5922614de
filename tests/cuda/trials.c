/* SPDX-License-Identifier: MIT */
/* What plan_check.c lets through, on a fake driver: candidates are functions here, which say what they take. And what
 * a workspace that moves takes with it.
 *
 *     trials FAKE_LIBCUDA */
#include "runtime/cuda/plan_check.h"
#include "runtime/cuda/state.h"
#include "tests/unit/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 64 };

/* y = relu(x + bias), with x in bf16 or f32. */
typedef struct Candidate {
	const PlanTrials *trials;
	const char *us;
	float off;
	bool hides; /* NaN */
} Candidate;

static float of_bf16(uint16_t bits)
{
	uint32_t wide = (uint32_t)bits << 16;
	float v;
	memcpy(&v, &wide, sizeof v);
	return v;
}

static bool activate(void *context)
{
	const Candidate *c = context;
	const void *x = c->trials->tensor[0].at;
	const bool wide = c->trials->tensor[0].dtype == NNR_F32;
	const float *bias = c->trials->tensor[1].at;
	float *y = (float *)(uintptr_t)c->trials->tensor[2].at;
	for (int i = 0; i < COUNT; i++) {
		float v =
		        (wide ? ((const float *)x)[i] : of_bf16(((const uint16_t *)x)[i])) + bias[i] + c->off;
		y[i] = v < 0 || (isnan(v) && c->hides) ? 0 : v;
	}
	setenv("FAKE_CUDA_MICROSECONDS", c->us, 1);
	return true;
}

/* Candidates that are each faster than the one before; how many are let through. */
static int let_through_of(NnrDType dtype, bool passes_nan, const Candidate *candidates, int count)
{
	static float x[COUNT];
	static float bias[COUNT], y[COUNT];
	PlanTrials t = {.passes_nan = passes_nan};
	double best_us = INFINITY;
	int through = 0;
	t.tensor[0] = (PlanTensor){x, dtype, 1, COUNT, COUNT, PLAN_READ};
	t.tensor[1] = (PlanTensor){bias, NNR_F32, 1, COUNT, COUNT, PLAN_READ};
	t.tensor[2] = (PlanTensor){y, NNR_F32, 1, COUNT, COUNT, PLAN_RESULT};
	plan_trials_begin(&t);
	for (int i = 0; i < count; i++) {
		Candidate c = candidates[i];
		c.trials = &t;
		double us = plan_trial(&t, activate, &c, best_us);
		through += us < best_us;
		best_us = fmin(us, best_us);
	}
	CHECK(plan_trials_end(&t, "a test"));
	return through;
}

/* The types of the operands differ. */
static int let_through(bool passes_nan, const Candidate *candidates, int count)
{
	return let_through_of(NNR_BF16, passes_nan, candidates, count);
}

enum {
	NOISE = 1 << 18,
	LARGE = 3 * NOISE + 100
}; /* of f32 in what is made of noise, which a large tensor has again and again */

/* All of the first tensor is noise, with what is in front of it as it was. */
static bool looks(void *context)
{
	const PlanTrials *t = context;
	const float *x = t->tensor[0].at;
	float *y = (float *)(uintptr_t)t->tensor[2].at;
	int other = 0;
	for (int i = 0; i < LARGE; i++)
		other += !(fabsf(x[i]) >= 0.25f && fabsf(x[i]) <= 1) || (i >= NOISE && x[i] != x[i - NOISE]);
	for (int i = 0; i < COUNT; i++)
		y[i] = (float)other;
	setenv("FAKE_CUDA_MICROSECONDS", "1000000", 1);
	return other == 0;
}

static void fills_large_tensors(void)
{
	static float x[LARGE], y[COUNT];
	PlanTrials t = {.tensor = {[0] = {x, NNR_F32, 1, LARGE, LARGE, PLAN_READ},
	                           [2] = {y, NNR_F32, 1, COUNT, COUNT, PLAN_RESULT}}};
	plan_trials_begin(&t);
	CHECK(plan_trial(&t, looks, &t, INFINITY) < INFINITY);
	(void)plan_trials_end(&t, "a test");
}

static CUgraphExec captured(void)
{
	CUgraph graph;
	CUgraphExec exec;
	CU(StreamBeginCapture, nnr_cuda.stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
	CU(StreamEndCapture, nnr_cuda.stream, &graph);
	CU(GraphInstantiate, &exec, graph, 0);
	CU(GraphDestroy, graph);
	return exec;
}

/* Graphs of one kind of work do not outlive the workspace that they use, where another kind's plain step needs more. */
static void workspace_outlives_graphs(void)
{
	CUgraphExec *const training = &nnr_cuda.graphs[WORK_TRAIN].of[1][3];
	nnr_cuda_workspace(512);
	*training = captured();
	nnr_cuda_workspace(256);
	CHECK(*training);
	nnr_branch_begin();
	nnr_cuda_workspace(256); /* the branch's first: nothing moves */
	CHECK(*training);
	nnr_cuda_workspace(512);
	CHECK(!*training);
	nnr_branch_end(0);
	*training = captured();
	nnr_cuda_workspace(1024);
	CHECK(!*training);
}

int main(int argc, char **argv)
{
	static NnrCudaModel device = {.precision = "bf16"};
	static const NnrModel model = {.device = &device};
	static const Candidate right[] = {{.us = "3000"}, {.us = "2000"}, {.us = "1000"}},
	                       hiding[] = {{.us = "3000"}, {.us = "2000", .hides = true}, {.us = "1000"}},
	                       off[] = {{.us = "3000"}, {.us = "2000", .off = 0.5f}, {.us = "1000"}},
	                       rounding[] = {{.us = "3000"},
	                                     {.us = "2000", .off = 1e-3f},
	                                     {.us = "1000", .off = 1e-5f}};
	if (argc != 2)
		return 2;
	setenv("NNR_LIBCUDA", argv[1], 1);
	nnr_cuda_load_driver();
	cuda_open_streams();
	nnr_cuda.model = &model;
	nnr_cuda.modules[nnr_cuda.module_count++] = (CUmodule) ""; /* with all kernels */
	fills_large_tensors();
	CHECK(let_through(false, right, 3) == 3);
	CHECK(let_through(true, right, 3) == 3); /* the operands are the same again after a look at NaN */
	CHECK(let_through(true, hiding, 3) == 2);
	CHECK(let_through(false, hiding, 3) == 3);
	CHECK(let_through(false, off, 3) == 2);
	/* What rounds its operands as tf32 does is no fp32, however fast it is. */
	device.precision = "tf32";
	CHECK(let_through_of(NNR_F32, false, rounding, 3) == 3);
	device.precision = "fp32";
	CHECK(let_through_of(NNR_F32, false, rounding, 3) == 2);
	workspace_outlives_graphs();
	return check_report("cuda, trials of plans");
}
