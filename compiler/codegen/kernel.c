/* SPDX-License-Identifier: MIT */
/* The text after the value of an operator's element: the pointwise nodes that are fused to it, and the stores. */
#include "codegen/kernel.h"
#include "codegen/body.h"
#include "codegen/expr.h"

#include <string.h>

const char *kernel_number(const KernelText *k, double value)
{
	return c_number(k->arena, value, strcmp(k->real, "double") == 0);
}

/* Gives the root and the nodes after it values: all of them, or what `wanted` is made of. */
static void bind_epilogue(KernelText *k, const char *row, const char *col, const char *value,
                          const Node *wanted)
{
	Body *e = k->state;
	e->nest = loops_of_epilogue(k->arena, k->step, row, col);
	body_forget(e, false);
	int root = nest_position(&e->nest, k->step->root);
	bool *need = NEW_ARRAY(e->arena, bool, e->nest.node_count);
	for (int i = e->nest.node_count - 1; i >= 0; i--) {
		const Node *n = e->nest.nodes[i];
		need[i] = need[i] || !wanted || n == wanted;
		for (int m = 0; m < n->operand_count && need[i] && i != root; m++)
			if (nest_position(&e->nest, n->operands[m]) >= 0)
				need[nest_position(&e->nest, n->operands[m])] = true;
	}
	int uses = body_uses(e, root, need, 0);
	e->value[root] = value;
	if (uses > 1) {
		const char *name =
		        tensors_local(&e->tensors, arena_printf(e->arena, "%s_", local_word(k->step->root)));
		code_let(k->code, "%s", "%s", "%s", k->real, name, value);
		e->value[root] = name;
	}
	for (int i = 0; i < e->nest.node_count; i++)
		if (i != root && need[i])
			body_bind(e, i, body_uses(e, i, need, 0));
}

char *kernel_value(KernelText *k, const char *row, const char *col, const char *value, const Node *wanted)
{
	bind_epilogue(k, row, col, value, wanted);
	return arena_strdup(k->arena, k->state->value[nest_position(&k->state->nest, wanted)]);
}

void kernel_epilogue(KernelText *k, const char *row, const char *col, const char *value)
{
	bind_epilogue(k, row, col, value, NULL);
	Body *e = k->state;
	for (int i = 0; i < e->nest.node_count; i++)
		if (body_stored(e, i))
			body_store(e, i);
}

void kernel_vector_epilogue(KernelText *k, int count, const char *row, const char *col, const char *value)
{
	Body *e = k->state;
	LoopNest first = loops_of_epilogue(k->arena, k->step, row, col);
	Code *outer = k->code;
	e->vector = count;
	e->vector_base = first.loops[first.loop_count - 1].var;
	e->code = k->code = code_new(k->arena);
	kernel_epilogue(k, row, arena_printf(k->arena, "%s + u", col), value);
	Code *inside = k->code;
	e->code = k->code = outer;
	body_vectors(e, inside);
}

bool kernel_operand_aligned(const KernelText *k, int operand, int elements)
{
	const Buffer *b = buffer_of(k->program, k->step->root->operands[operand]);
	return buffer_offset(b) % (elements * dtype_bytes(b->type.dtype)) == 0;
}
