/* SPDX-License-Identifier: MIT */
/* The three dialects; their loops are in loops_*.c. */
#include "codegen/dialect.h"
#include "codegen/op_loops.h"
#include "codegen/body.h"
#include "codegen/held.h"
#include "ir/op.h"

/* ---- C */

static int64_t workspace_c(const LoopNest *nest, const Target *t)
{
	return nest->chunks ? nest->outer * nest->chunks * nest->reductions * nest->inner : 0;
}

static void write_operator_in_c(KernelText *k, const Node *n)
{
	const OpLoops *loops = op_loops(n->op);
	require(loops->emit_cpu || loops->emit);
	(loops->emit_cpu ? loops->emit_cpu : loops->emit)(k, n);
	code_close(k->code, k->open);
}

const Dialect dialect_c = {
        .qualifier = "restrict ",
        .workspace = workspace_c,
        .write_loops = write_loops_cpu,
        .write_operator = write_operator_in_c,
};

/* ---- CUDA */

static void write_operator_in_cuda(KernelText *k, const Node *n)
{
	const OpLoops *loops = op_loops(n->op);
	require(loops->emit_cuda || loops->emit);
	(loops->emit_cuda ? loops->emit_cuda : loops->emit)(k, n);
}

const Dialect dialect_cuda = {
        .kernels = true,
        .qualifier = "",
        .kernel_qualifier = "__restrict__ ",
        .workspace = workspace_cuda,
        .write_loops = write_loops_cuda,
        .write_operator = write_operator_in_cuda,
};

/* ---- the threads of one block */

/* The operator's own form, or the units of its CUDA kernel shared out among the threads. */
static void write_operator_in_block(KernelText *k, const Node *n)
{
	if (k->step->held) {
		write_held(k);
		return;
	}
	const OpLoops *loops = op_loops(n->op);
	if (loops->emit_block) {
		loops->emit_block(k, n);
		return;
	}
	Code *outer = k->code;
	k->code = k->state->code = code_new(k->arena);
	write_operator_in_cuda(k, n);
	Code *unit = k->code;
	k->code = k->state->code = outer;
	code_strided(k->code, "i", "threadIdx.x", k->units, k->target->threads);
	code_take(k->code, unit);
	code_close(k->code, 1);
}

static const char *const taken_in_block[] = {"control", "supply", "turn",    "inputs", "params",
                                             "arena",   "chip",   "sample",  "sums",   "indices",
                                             "slot",    "round",  "scalars", NULL};

const Dialect dialect_block = {
        .qualifier = "",
        .kernel_qualifier = "__restrict__ ",
        .taken = taken_in_block,
        .workspace = workspace_block,
        .write_loops = write_loops_block,
        .write_operator = write_operator_in_block,
};
