/* SPDX-License-Identifier: MIT */
/* Asking a loop that one kernel computes: see loop_kernel.h. */
#include "ir/loop_kernel.h"

#include "ir/op.h"

bool node_is_loop_kernel(const Node *n)
{
	return node_is_loop(n) && node_is(n, "loop_kernel");
}

LoopKernel loop_kernel_of(const Node *n)
{
	LoopKernel k = {.l = loop_of(n), .begun = (int)node_int(n, "begun")};
	k.kept = node_ints(n, "kept", &k.kept_count);
	return k;
}

int loop_kernel_operand(const LoopKernel *k, int64_t index)
{
	const int begun = k->l.sequences + k->begun;
	if (index < begun)
		return (int)index;
	const int captured = (int)index - k->l.sequences - k->l.carried;
	return captured < 0 ? -1 : begun + captured;
}

Type loop_kernel_result(const Loop *l, int64_t i)
{
	const Type t = l->body->outputs[i].node->type;
	return i < l->carried ? t : loop_stacked(l, t);
}

int64_t loop_kernel_offset(const LoopKernel *k, int i)
{
	int64_t at = 0;
	for (int j = 0; j < i; j++) {
		const int64_t elements = type_elements(loop_kernel_result(&k->l, k->kept[j]));
		at += (elements + LOOP_KERNEL_ALIGNED - 1) / LOOP_KERNEL_ALIGNED * LOOP_KERNEL_ALIGNED;
	}
	return at;
}
