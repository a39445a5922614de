/* SPDX-License-Identifier: MIT */
/* Every operator's gradient against central differences, in double: build the sample's graph, let the compiler
 * differentiate it, and evaluate both with the interpreter. An operator without a definition in the interpreter, or
 * with too few samples, is a failure: a gap here is a gap in the proof.
 *
 *     gradients [OPERATOR ...] */
#include "passes/pass.h"
#include "tests/interp/interp.h"
#include "tests/ops/samples.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double STEP = 1e-6, ATOL = 1e-5, RTOL = 1e-3;
enum { ELEMENTS_TRIED = 40 }; /* of one operand; spread over it */

static double *output_of(Arena *a, const Graph *g, Samples *s, OutputKind kind, const char *name)
{
	InterpInputs in = {.leaf = sample_leaf, .ctx = s, .seed = 7, .step = 1};
	const Node *n = graph_find_output(g, kind, name);
	return n ? interp(a, g, &in)[n->id] : NULL;
}

static double loss_of(const Graph *g, Samples *s)
{
	Arena *a = arena_new();
	double loss = *output_of(a, g, s, OUTPUT_LOSS, NULL);
	arena_free(a);
	return loss;
}

/* Number of elements that disagree; the first is reported. */
static int check_leaf(const Op *op, const char *line, const Graph *forward, Samples *s, SampleLeaf *leaf,
                      const double *gradient)
{
	int wrong = 0;
	int64_t stride = leaf->count > ELEMENTS_TRIED ? leaf->count / ELEMENTS_TRIED : 1;
	for (int64_t i = 0; i < leaf->count; i += stride) {
		double at = leaf->values[i];
		leaf->values[i] = at + STEP;
		double above = loss_of(forward, s);
		leaf->values[i] = at - STEP;
		double below = loss_of(forward, s);
		leaf->values[i] = at;
		double wanted = (above - below) / (2 * STEP), got = gradient ? gradient[i] : 0;
		if (fabs(got - wanted) <= ATOL + RTOL * fabs(wanted))
			continue;
		if (!wrong++)
			printf("FAIL %s: %s: gradient by %s[%lld] is %.9g, differences say %.9g\n", op->name,
			       line, leaf->name, (long long)i, got, wanted);
	}
	return wrong;
}

static bool check_sample(const Op *op, const char *line)
{
	Arena *a = arena_new();
	Samples *s = samples_new(a);
	Graph *g = graph_new(a, "sample", true, 1);
	graph_output(g, OUTPUT_LOSS, "loss", sample_build(s, g, op, line, "s"));
	PassContext ctx = {.arena = a, .target = &target_cpu, .keep_gradients = true};
	Graph *both = pass_differentiate(&ctx, g);
	char *problem = graph_verify(a, both);
	if (problem)
		printf("FAIL %s: %s: %s\n", op->name, line, problem);
	int wrong = problem != NULL;
	for (int i = 0; i < map_count(s->leaves); i++) {
		SampleLeaf *leaf = map_value(s->leaves, i);
		if (leaf->varied)
			wrong += check_leaf(op, line, g, s, leaf,
			                    output_of(a, both, s, OUTPUT_GRADIENT, leaf->name));
	}
	arena_free(a);
	return wrong == 0;
}

/* stop_gradient has a slope, which is not to count. */
static bool is_an_end(const Op *op)
{
	return strcmp(op->name, "stop_gradient") == 0;
}

int main(int argc, char **argv)
{
	int passed = 0, failed = 0;
	ops_must_be_sampled(argc - 1, argv + 1);
	for (int i = 0; i < op_count(); i++) {
		const Op *op = op_at(i);
		if (!op_is_sampled(op) || !op_is_asked_for(op, argc - 1, argv + 1))
			continue;
		int count = op_sample_count(op);
		if (!interp_knows(op->name)) {
			printf("FAIL %s: tests/interp has no definition of it\n", op->name);
			failed++;
			continue;
		}
		if (count < SAMPLES_WANTED) {
			printf("FAIL %s: has %d samples, needs %d\n", op->name, count, SAMPLES_WANTED);
			failed++;
		}
		for (int k = 0; k < count && op_passes_gradients(op) && !is_an_end(op); k++)
			*(check_sample(op, op->samples[k]) ? &passed : &failed) += 1;
	}
	printf("ops, gradients: %d passed, %d failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
