/* SPDX-License-Identifier: MIT */
/* Walking along operands: see walk.h. */
#include "ir/walk.h"
#include "base/array.h"

typedef struct Visit {
	const Node *node;
	int next; /* operand */
} Visit;

void walk_operands(Arena *scratch, const Node *root, bool (*enter)(void *ctx, const Node *n),
                   void (*leave)(void *ctx, const Node *n), void *ctx)
{
	ARRAY(Visit) stack = {0};
	if (enter(ctx, root))
		array_push(scratch, &stack, (Visit){root, 0});
	while (stack.count > 0) {
		Visit *top = &stack.at[stack.count - 1];
		if (top->next == top->node->operand_count) {
			leave(ctx, top->node);
			stack.count--;
			continue;
		}
		const Node *x = top->node->operands[top->next++];
		if (enter(ctx, x))
			array_push(scratch, &stack, (Visit){x, 0});
	}
}
