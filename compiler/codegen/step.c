/* SPDX-License-Identifier: MIT */
/* The C function of a step: its scalars, then a fused kernel's loops, an operator's own loops with their epilogue, or a
 * library call. */
#include "codegen/step.h"
#include "codegen/expr.h"
#include "codegen/body.h"
#include "codegen/dialect.h"
#include "codegen/held.h"
#include "codegen/implementations.h"
#include "codegen/label.h"
#include "codegen/library.h"
#include "codegen/print.h"
#include "codegen/op_loops.h"
#include "ir/onchip.h"

#include <string.h>

static int64_t workspace_of_loops(const Node *n, const Target *target)
{
	const Dialect *d = target->dialect;
	int64_t elements = 0, counters;
	const OpLoops *loops = op_loops(n->op);
	if (target->one_block)
		return loops->block_workspace ? loops->block_workspace(n, target->threads) : 0;
	if (d->kernels && loops->cuda_parts)
		loops->cuda_parts(n, &elements, &counters);
	return elements;
}

int64_t step_workspace(Arena *a, const Step *s, const Target *target)
{
	if (s->root && implementation_of(s->root)->workspace)
		return implementation_of(s->root)->workspace(s->root);
	if (s->root)
		return workspace_of_loops(s->root, target);
	LoopNest nest = loops_of_step(a, s, target);
	return target->dialect->workspace(&nest, target);
}

static void name_arrays(Body *e)
{
	int count = e->step->node_count;
	e->value = NEW_ARRAY(e->arena, const char *, count);
	e->row = NEW_ARRAY(e->arena, const char *, count);
	e->accumulator = NEW_ARRAY(e->arena, const char *, count);
	e->hoisted = map_new(e->arena);
	for (int i = 0; i < count; i++)
		for (int k = 0; k < e->step->nodes[i]->operand_count; k++)
			if (e->step->nodes[i] != e->step->root)
				body_hoist(e, e->step->nodes[i]->operands[k]);
	for (int i = 0; i < count; i++)
		if (node_is_leaf(e->step->nodes[i]))
			body_hoist(e, e->step->nodes[i]);
	for (int i = 0; i < count; i++)
		if (node_is_inline(e->step->nodes[i]))
			for (int k = 0; k < e->step->nodes[i]->operand_count; k++)
				body_hoist(e, e->step->nodes[i]->operands[k]);
}

static char *stem_of(Arena *a, const Step *s)
{
	char *label = step_label(a, s);
	bool pools = s->held && held_step(s) == HELD_CONV;
	return pools ? arena_printf(a, "%s_%s", label, s->held->pool->op->name) : label;
}

static char *extent_text(Arena *a, const Step *s, const LoopNest *nest)
{
	char *text = arena_strdup(a, "");
	if (s->root) {
		for (int i = 0; i < s->root->type.rank; i++)
			text = arena_printf(a, "%s%s%lld", text, i ? "x" : "",
			                    (long long)(i == 0 && s->rows.count > 0 ? s->rows.count
			                                                            : s->root->type.dim[i]));
		return text;
	}
	for (int i = 0; i < nest->loop_count; i++)
		text = arena_printf(a, "%s%s%lld", text, i ? "x" : "", (long long)nest->loops[i].count);
	return text;
}

/* `qualifier`, a restrict, is for all but the workspace: in that threads leave each other values, and where nothing but
 * one pointer may change what it points to, a value that was read before a barrier is as good as one after it. nvcc
 * 13.0 so read the parts of a sum in front of the barrier that waits for them. */
static const char *params_text(Arena *a, const Tensors *t, const char *qualifier)
{
	const char *params = "";
	for (int i = 0; i < t->count; i++) {
		bool shared = t->at[i].buffer->class == BUFFER_WORKSPACE;
		params = arena_listed(a, params, "%s%s *%s%s", t->at[i].written ? "" : "const ",
		                      dtype_c_name(t->at[i].dtype), shared ? "" : qualifier, t->at[i].name);
	}
	if (t->scalars)
		params = arena_listed(a, params, "const NnrScalars *s");
	for (int i = 0; i < t->stream_count && t->takes_streams; i++)
		params = arena_listed(a, params, "int %s", stream_name(a, i));
	return params;
}

static Code *finished(Code *c)
{
	code_finish(c);
	return c;
}

static const char *text_of(Code *c, const CodeWords *words)
{
	return code_text(c->arena, finished(c), words);
}

const char *step_text(Arena *a, const StepFunction *f)
{
	return code_text(a, f->code, f->words);
}

/* Our kernel for what a library computes. */
static StepFunction function_beside(Arena *a, const Program *p, const Step *s, const Target *target,
                                    const Tensors *tensors)
{
	KernelText k = {.arena = a, .code = code_new(a), .target = target, .program = p, .step = s};
	const Implementation *m = implementation_beside(s->root);
	StepFunction f = {.tensors = *tensors,
	                  .device_params = m->beside->params(a, s),
	                  .apart = true,
	                  .label = m->name};
	f.launch = m->emit(&k, s->root);
	f.code = finished(k.code);
	f.words = &words_cuda;
	f.stem = arena_printf(a, "%s_%s", m->name, m->beside->extent(a, s->root));
	return f;
}

/* The kernel after the call that sums up the rows of its result. */
static StepFunction row_sums_function(Arena *a, const Program *p, const Step *s, const Step *after,
                                      const Target *target)
{
	KernelText k = {.arena = a, .code = code_new(a), .target = target, .program = p, .step = s};
	StepFunction f = {.tensors = tensors_of_step(a, p, after)};
	const Beside *beside = implementation_beside(s->root)->beside;
	f.launch = beside->emit_row_sums(&k, s->root, &f.tensors);
	f.code = finished(k.code);
	f.words = &words_cuda;
	f.label = stem_of(a, after);
	f.stem = arena_printf(a, "%s_%s", f.label, beside->extent(a, s->root));
	f.device_params = params_text(a, &f.tensors, "__restrict__ ");
	return f;
}

/* Where a library stands beside the kernel. */
static void name_launcher(StepFunction *f, Body *e, const Step *s, const Target *target)
{
	if (!s->root || !implementation_of(s->root)->launch || !implementation_emits(s->root, target))
		return;
	KernelText k = {.arena = e->arena,
	                .code = code_new(e->arena),
	                .target = target,
	                .program = e->program,
	                .step = s,
	                .real = dtype_value_name(s->root->type.dtype),
	                .state = e};
	f->launcher = implementation_of(s->root)->launch(&k, s->root);
	f->launcher_needs = finished(k.code);
}

StepFunction step_function(Arena *a, const Program *p, const Step *s, const Target *target)
{
	Body e = {.arena = a, .code = code_new(a), .program = p, .step = s};
	e.tensors = tensors_of_step(a, p, s);
	e.tensors.takes_streams = !target->one_block;
	name_arrays(&e);
	if (s->root)
		body_scalars(&e);
	CudaLaunch launch = {0};
	StepFunction *after = NULL, *own = NULL;
	if (s->kind == STEP_LIBRARY && s->node_count > 1) {
		Step kernel = library_kernel_after(a, s);
		after = NEW(a, StepFunction);
		*after = library_weight(s) ? row_sums_function(a, p, s, &kernel, target)
		                           : step_function(a, p, &kernel, target);
	}
	if (s->root && implementation_beside(s->root)) {
		require(s->kind == STEP_LIBRARY);
		own = NEW(a, StepFunction);
		*own = function_beside(a, p, s, target, &e.tensors);
	}
	if (s->root) {
		KernelText k = {.arena = a,
		                .code = e.code,
		                .target = target,
		                .program = p,
		                .step = s,
		                .real = dtype_value_name(s->root->type.dtype),
		                .state = &e};
		if (after)
			library_body_with_epilogue(&k, s->root, &after->tensors);
		else
			launch = implementation_emit(&k, s->root);
	} else {
		e.nest = loops_of_step(a, s, target);
		launch = target->dialect->write_loops(&e, target);
	}
	const CodeWords *words = launch.threads > 0 || target->one_block ? &words_cuda : &words_c;
	StepFunction f = {.launch = launch,
	                  .tensors = e.tensors,
	                  .code = finished(e.code),
	                  .words = words,
	                  .after = after,
	                  .own = own};
	name_launcher(&f, &e, s, target);
	f.label = stem_of(a, s);
	f.stem = arena_printf(a, "%s_%s", f.label, extent_text(a, s, &e.nest));
	const Dialect *d = target->dialect;
	f.params = params_text(a, &e.tensors, d->qualifier);
	f.device_params = d->kernel_qualifier ? params_text(a, &e.tensors, d->kernel_qualifier) : NULL;
	return f;
}

UpdateText step_update(Arena *a, const Program *p, const Step *s, const Node *gradient)
{
	Code *ahead = code_new(a), *keep = code_new(a), *load = code_new(a), *body = code_new(a);
	Body e = {.arena = a, .code = ahead, .program = p, .step = s, .given = map_new(a)};
	UpdateText t = {.old = "", .old_values = ""};
	e.tensors = tensors_of_step(a, p, s);
	map_set(e.given, arena_printf(a, "%d", gradient->id), "gradient");
	for (int i = 0; i < s->node_count; i++) {
		for (int k = 0; k < s->nodes[i]->operand_count; k++) {
			const Node *x = s->nodes[i]->operands[k];
			char *key = arena_printf(a, "%d", x->id);
			if (!node_is_state(x) || map_get(e.given, key))
				continue;
			const char *name = tensor_of(&e.tensors, p, x);
			map_set(e.given, key, arena_printf(a, "old.%s", name));
			t.old = arena_listed(a, t.old, "%s", name);
			t.old_values = arena_listed(a, t.old_values, "nnr_load_old(%s + i0)", name);
		}
	}
	name_arrays(&e);
	require(e.scalar_count <= ONCHIP_SCALARS);
	for (int i = 0; i < e.scalar_count; i++) {
		code_declare(ahead, "%s", "%s", e.scalars[i].type, e.scalars[i].name);
		code_set(keep, "kept[%d]", "%s", i, e.scalars[i].value);
		code_set(load, "%s", "kept[%d]", e.scalars[i].name, i);
	}
	e.nest = loops_of_step(a, s, &target_block);
	require(!e.nest.shape.domain.has_reduction && e.nest.loop_count == 1);
	e.code = body;
	body_phase(&e, 0, NULL);
	t.tensors = e.tensors;
	t.ahead = text_of(ahead, &words_cuda);
	t.keep = text_of(keep, &words_cuda);
	t.load = text_of(load, &words_cuda);
	t.body = text_of(body, &words_cuda);
	return t;
}
