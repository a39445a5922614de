/* SPDX-License-Identifier: MIT */
/* The roster of implementations, and the one that is always there: the operator's own loops. */
#include "codegen/dialect.h"
#include "codegen/op_loops.h"
#include "codegen/implementations.h"

const Implementation *const implementations[] = {
#define IMPLEMENTATION(name) &implementation_##name,
#include "codegen/implementations.def"
#undef IMPLEMENTATION
};

const int implementation_count = sizeof implementations / sizeof *implementations;

CudaLaunch implementation_emit(KernelText *k, const Node *n)
{
	const bool emits = implementation_emits(n, k->target);
	return (emits ? implementation_of(n) : &implementation_loops)->emit(k, n);
}

static bool loops_fit(const Region *r)
{
	return true;
}

/* On CUDA a thread an element, without tiles or tensor cores: those multiply f32 factors, in tf32, 7 times as fast
 * (H200: 495 and 67 TFLOP/s), so that all others go first. */
static double loops_cost(const Region *r)
{
	return (r->target->gpu ? 7 : 1) * region_us(r);
}

/* A CUDA kernel of its own has 256 threads a block. */
static CudaLaunch emit_loops(KernelText *k, const Node *n)
{
	enum { THREADS = 256 };
	const OpLoops *loops = op_loops(n->op);
	k->target->dialect->write_operator(k, n);
	if (!k->target->dialect->kernels)
		return (CudaLaunch){0};
	require(k->units > 0);
	int64_t elements = 0, counters = 0;
	if (loops->cuda_parts)
		loops->cuda_parts(n, &elements, &counters);
	return (CudaLaunch){.blocks = (k->units + THREADS - 1) / THREADS,
	                    .threads = THREADS,
	                    .counters = counters,
	                    .any_size = n->op->flags & OP_ANY_SIZE};
}

const Implementation implementation_loops = {
        .name = "loops",
        .doc = "the operator's own loops, in C or CUDA",
        .fits = loops_fit,
        .cost = loops_cost,
        .emit = emit_loops,
};
