/* SPDX-License-Identifier: MIT */
#include "program/price.h"

#include "ir/op.h"
#include "passes/implementation.h"

/* Whether what computes the step multiplies on tensor cores. */
static bool step_on_tensor_cores(const Step *s)
{
	return s->kind == STEP_LIBRARY || (s->root && implementation_of(s->root)->flags & IMPL_TENSOR_CORES);
}

static Arithmetic arithmetic_of(const Step *s, bool tensor_cores)
{
	const Node *any = s->root ? s->root : s->nodes[0];
	if (tensor_cores)
		return any->operand_count > 0 && dtype_is_half(any->operands[0]->type.dtype) ? TENSOR_HALF
		                                                                             : TENSOR_TF32;
	return any->type.dtype == DTYPE_F64 ? WIDE : SCALAR;
}

Work step_work(const Step *s, bool tensor_cores)
{
	return (Work){.bytes = s->bytes,
	              .flops = s->node_count > 0 ? s->flops : 0,
	              .arithmetic = s->node_count > 0 ? arithmetic_of(s, tensor_cores) : SCALAR,
	              .call = tensor_cores,
	              .beside = s->branch};
}

double step_us(const Step *s, const Device *d)
{
	const Work w = step_work(s, step_on_tensor_cores(s));
	const bool sends = s->kind == STEP_ALL_REDUCE || step_is_mean(s) || step_gathers(s);
	return sends || !d ? 0 : price_us(&d->reached, &w);
}

Forecast program_forecast(const Program *p, const Device *d)
{
	Forecast f = {0};
	for (int i = 0; i < p->step_count; i++) {
		const Step *s = &p->steps[i];
		const Work w = step_work(s, step_on_tensor_cores(s));
		const double us = step_us(s, d);
		f.us += us;
		f.by[price_bound(&d->reached, &w)] += us;
		f.beside += s->branch ? us : 0;
	}
	return f;
}
