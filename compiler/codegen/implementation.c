/* The roster of implementations, and the one that is always there: the operator's own loops. */
#include "codegen/implementation.h"
#include "codegen/dialect.h"

#include <math.h>
#include <string.h>

const Implementation *const implementations[] = {
#define IMPLEMENTATION(name) &implementation_##name,
#include "codegen/implementations.def"
#undef IMPLEMENTATION
};

const int implementation_count = sizeof implementations / sizeof *implementations;

const Implementation *implementation_find(const char *name)
{
	for (int i = 0; i < implementation_count; i++)
		if (strcmp(implementations[i]->name, name) == 0)
			return implementations[i];
	return NULL;
}

const Implementation *implementation_of(const Node *n)
{
	const Attr *impl = node_attr(n, "impl");
	const char *name = impl ? impl->s : n->op->implementation;
	const Implementation *found = name ? implementation_find(name) : &implementation_loops;
	if (!found)
		bug("there is no implementation `%s`", name);
	return found;
}

const Implementation *implementation_beside(const Node *n)
{
	for (int i = 0; i < implementation_count; i++)
		if (implementations[i]->beside && implementations[i]->beside->is_offered(n))
			return implementations[i];
	return NULL;
}

static bool is_asked_for(const Implementation *m, const PassContext *ctx)
{
	bool left_out = (m->flags & IMPL_OPTIONAL) && pass_is_disabled(ctx, m->name);
	left_out = left_out || (m->flags & (ctx->target->gpu ? IMPL_ON_CPU : IMPL_ON_GPU));
	return !left_out && !((m->flags & IMPL_BATCH) && ctx->stage == PER_SAMPLE);
}

Region region_of(const PassContext *ctx, const Node *root, const Epilogue *e)
{
	return (Region){.root = root, .epilogue = e, .target = ctx->target, .tf32 = pass_in_tf32(ctx)};
}

const Implementation *implementation_choose(const PassContext *ctx, const Node *n)
{
	const Region r = region_of(ctx, n, NULL);
	const Implementation *best = NULL;
	double least = INFINITY;
	for (int i = 0; i < implementation_count; i++) {
		const Implementation *m = implementations[i];
		if (m->beside || !m->fits || !is_asked_for(m, ctx) || !m->fits(&r))
			continue;
		const double cost = m->cost ? m->cost(&r) : 1;
		if (cost < least) {
			least = cost;
			best = m;
		}
	}
	if (!best)
		bug("`%s` has no implementation", n->op->name);
	return best;
}

const char *region_refused(const Region *r)
{
	const Implementation *m = implementation_of(r->root), *beside = implementation_beside(r->root);
	if (beside && beside->takes && !beside->takes(r))
		return NULL;
	return m->takes ? m->takes(r) : "what computes it takes nothing along";
}

bool implementation_emits(const Node *n, const Target *t)
{
	const bool elsewhere = (implementation_of(n)->flags & IMPL_ON_GPU) && !t->gpu;
	return !elsewhere && !t->dialect->one_block;
}

CudaLaunch implementation_emit(KernelText *k, const Node *n)
{
	const bool emits = implementation_emits(n, k->target);
	return (emits ? implementation_of(n) : &implementation_loops)->emit(k, n);
}

int64_t implementation_sum_width(const Node *n)
{
	const Implementation *m = implementation_beside(n);
	return m ? m->beside->sum_width(n) : 0;
}

bool node_by_library(const Node *n)
{
	return (n->op->flags & OP_HEAVY) && (implementation_of(n)->flags & IMPL_CALL);
}

bool implementation_is_used(const Implementation *m, const Program *p)
{
	for (int s = 0; p && s < p->step_count; s++) {
		const Node *root = p->steps[s].root;
		if (root && (implementation_of(root) == m || implementation_beside(root) == m))
			return true;
	}
	return false;
}

/* ---- the pass */

/* sum over axes {0, 2} of a tensor whose axis 1 is larger than 1: the sum over 2, then over 0. */
static Node *split_reduction(Graph *to, const Node *n, Node **operands)
{
	int count;
	const int64_t *axes = node_ints(n, "axes", &count);
	Build b = build_beside(to, n);
	Node *x = operands[0];
	for (int end = count; end > 0;) {
		int start = end - 1;
		while (start > 0) {
			bool neighbours = true;
			for (int64_t i = axes[start - 1] + 1; i < axes[start]; i++)
				neighbours = neighbours && x->type.dim[i] == 1;
			if (!neighbours)
				break;
			start--;
		}
		x = build_reduce(&b, n->op->name, x, axes + start, end - start);
		end = start;
	}
	return x;
}

static Node *implement_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	PassContext *ctx = data;
	if ((n->op->flags & OP_REDUCE) && domain_of_reduction(n).separated)
		return split_reduction(to, n, operands);
	if (!(n->op->flags & OP_HEAVY))
		return NULL;
	const Implementation *m = implementation_choose(ctx, n);
	Node *by = graph_node_with(to, n, operands, attr_text("impl", m->name));
	if (m->offer)
		by = m->offer(ctx, to, by, operands);
	for (int i = 0; i < implementation_count; i++) {
		const Implementation *beside = implementations[i];
		const Region r = region_of(ctx, by, NULL);
		if (beside->beside && is_asked_for(beside, ctx) && beside->fits(&r))
			by = beside->offer(ctx, to, by, operands);
	}
	return by;
}

/* Chooses what computes each heavy operator, and cuts a reduction over separated axes into reductions over neighbouring
 * ones, which is all that kernels know.
 *
 * Must run after all that exchanges heavy nodes or changes how their operands are stored, and before fuse: whether a
 * node takes an epilogue depends on what computes it. */
Graph *pass_implement(PassContext *ctx, const Graph *g)
{
	return graph_rewrite(ctx->arena, g, implement_rule, ctx);
}

/* ---- loops */

static bool loops_fit(const Region *r)
{
	return true;
}

/* On CUDA a thread an element, without tiles or tensor cores: those multiply f32 factors, in tf32, 7 times as fast
 * (H200: 495 and 67 TFLOP/s), so that all others go first. */
static double loops_cost(const Region *r)
{
	return r->target->gpu ? 7 : 1;
}

/* A CUDA kernel of its own has 256 threads a block. */
static CudaLaunch emit_loops(KernelText *k, const Node *n)
{
	enum { THREADS = 256 };
	k->target->dialect->write_operator(k, n);
	if (!k->target->dialect->kernels)
		return (CudaLaunch){0};
	int64_t threads = k->units              ? k->units
	                  : n->op->cuda_threads ? n->op->cuda_threads(n)
	                                        : type_elements(n->type);
	int64_t elements = 0, counters = 0;
	if (n->op->cuda_parts)
		n->op->cuda_parts(n, &elements, &counters);
	return (CudaLaunch){.blocks = (threads + THREADS - 1) / THREADS,
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
