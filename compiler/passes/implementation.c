/* SPDX-License-Identifier: MIT */
/* What is asked of the roster of implementations, whatever is in it (codegen/implementations.c). */
#include "passes/implementation.h"
#include "target/device.h"

#include <math.h>
#include <string.h>

/* NULL */
static const Implementation *implementation_find(const char *name)
{
	for (int i = 0; i < implementation_count; i++)
		if (strcmp(implementations[i]->name, name) == 0)
			return implementations[i];
	return NULL;
}

const Implementation *implementation_of_operator(const Op *op)
{
	static OpTable table;
	for (int i = 0; !table.is_filled && i < implementation_count; i++)
		for (const char *const *name = implementations[i]->operators; name && *name; name++)
			op_table_put(&table, *name, implementations[i]);
	table.is_filled = true;
	return op_table_get(&table, op);
}

const Implementation *implementation_of(const Node *n)
{
	const Attr *impl = node_attr(n, "impl");
	const Implementation *found = impl ? implementation_find(impl->s) : implementation_of_operator(n->op);
	if (impl && !found)
		bug("there is no implementation `%s`", impl->s);
	return found ? found : &implementation_loops;
}

const Implementation *implementation_beside(const Node *n)
{
	for (int i = 0; i < implementation_count; i++)
		if (implementations[i]->beside && implementations[i]->beside->is_offered(n))
			return implementations[i];
	return NULL;
}

bool implementation_is_offered(const Implementation *m, const PassContext *ctx)
{
	bool left_out = (m->flags & IMPL_OPTIONAL) && pass_is_disabled(ctx, m->name);
	left_out = left_out || (m->flags & (ctx->target->gpu ? IMPL_ON_CPU : IMPL_ON_GPU));
	return !left_out && !((m->flags & IMPL_BATCH) && ctx->stage == PER_SAMPLE);
}

Region region_of(const PassContext *ctx, const Node *root, const Epilogue *e)
{
	return (Region){.root = root, .epilogue = e, .target = ctx->target, .tf32 = pass_in_tf32(ctx)};
}

double region_us(const Region *r)
{
	const Device *d = target_device(r->target);
	const Cost cost = node_cost(r->root);
	const Node *x = r->root->operand_count > 0 ? r->root->operands[0] : r->root;
	const Work w = {.bytes = cost.bytes,
	                .flops = cost.flops,
	                .arithmetic = x->type.dtype == DTYPE_F64     ? WIDE
	                              : dtype_is_half(x->type.dtype) ? TENSOR_HALF
	                                                             : TENSOR_TF32,
	                .call = true};
	return d ? price_us(&d->reached, &w) : 1;
}

const Implementation *implementation_choose(const PassContext *ctx, const Node *n)
{
	const Region r = region_of(ctx, n, NULL);
	const Implementation *best = NULL;
	double least = INFINITY;
	for (int i = 0; i < implementation_count; i++) {
		const Implementation *m = implementations[i];
		if (m->beside || !m->fits || !implementation_is_offered(m, ctx) || !m->fits(&r))
			continue;
		const double cost = m->cost ? m->cost(&r) : region_us(&r);
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
	return !elsewhere && !t->one_block;
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
