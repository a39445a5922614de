/* SPDX-License-Identifier: MIT */
/* What fuse computes again for each that reads it: cheap nodes that read one full-sized tensor cost as many bytes to
 * load as to compute. */
#include "passes/fuse.h"

#include "ir/domain.h"
#include "passes/implementation.h"
#include "ir/op.h"

enum { MOST_COPIES = 6, COPY_DEPTH = 8 };

bool fuse_takes_epilogue(const Node *n, const Target *target)
{
	return n->op->flags & target->epilogues && !node_by_library(n);
}

bool fuse_is_made_in_place(const Graph *g, const Node *n, const Target *target)
{
	int64_t bytes = 0, whole = type_bytes(n->type);
	for (int k = 0; n->op->move == MOVE_CONCAT && k < n->operand_count; k++) {
		const Node *piece = n->operands[k];
		if (piece->op->move == MOVE_CONCAT || (node_is_fusible(piece) && !node_is_leaf(piece)))
			bytes += type_bytes(piece->type);
	}
	const bool large = g->training && target->pieces_from > 0 && bytes >= target->pieces_from;
	return bytes == whole || (large && 2 * bytes >= whole);
}

/* Whether n reads its operand x from memory: so does a slice what it takes a part of, and whatever reads x at other
 * places than its own, in no kernel that computes x. */
static bool reads_memory(const Node *n, const Node *x)
{
	return !node_is_fusible(n) || ((n->op->flags & OP_PLACED) && !shape_equal(n->type, x->type));
}

/* Cheap nodes that take at most one full-sized tensor to compute again. Where rows are resident, what follows from a
 * sum alone is none: its kernel stores it instead of the sum, and who reads it, a layernorm's backward, needs no step
 * ahead of its own sums. */
static bool *find_copyable(Arena *a, const Graph *g, const Target *target)
{
	bool *copyable = NEW_ARRAY(a, bool, g->count);
	const bool *compared = graph_compared(a, g);
	bool *stored = graph_outputs(a, g); /* or has a user that needs it in memory */
	int *uses = graph_use_counts(a, g);
	int *depth = NEW_ARRAY(a, int, g->count), *loads = NEW_ARRAY(a, int, g->count);
	for (int i = 0; i < g->count; i++)
		for (int k = 0; k < g->nodes[i]->operand_count; k++)
			stored[g->nodes[i]->operands[k]->id] |=
			        reads_memory(g->nodes[i], g->nodes[i]->operands[k]);
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		if (!(n->op->flags & OP_POINTWISE) || !(n->op->flags & OP_CHEAP) || stored[i] ||
		    compared[i] || uses[i] > MOST_COPIES || node_is_inline(n))
			continue;
		bool epilogue = false, of_sum = false;
		for (int k = 0; k < n->operand_count; k++) {
			const Node *x = n->operands[k];
			of_sum = of_sum || (target->resident_rows && (x->op->flags & OP_REDUCE) &&
			                    shape_equal(x->type, n->type));
			if (node_is_inline(x) || (k > 0 && n->operands[k - 1] == x))
				continue;
			epilogue = epilogue || (fuse_takes_epilogue(x, target) && uses[x->id] == 1 &&
			                        !fuse_is_made_in_place(g, x, target));
			if (type_elements(x->type) == type_elements(n->type))
				loads[i] += copyable[x->id] ? loads[x->id] : 1;
			if (copyable[x->id] && depth[x->id] + 1 > depth[i])
				depth[i] = depth[x->id] + 1;
		}
		copyable[i] = !epilogue && !of_sum && loads[i] <= 1 && depth[i] < COPY_DEPTH &&
		              type_elements(n->type) > 1;
	}
	return copyable;
}

bool *fuse_find_followers(Arena *a, const Graph *g, const Target *target)
{
	bool *follows = find_copyable(a, g, target);
	int *uses = graph_use_counts(a, g);
	bool *feeds_sum = NEW_ARRAY(a, bool, g->count);
	for (int i = g->count - 1; i >= 0; i--) {
		const Node *n = g->nodes[i];
		for (int k = 0; k < n->operand_count; k++) {
			int x = n->operands[k]->id;
			bool alone = uses[x] == 1 && (n->operands[k]->op->flags & OP_POINTWISE);
			if (alone && ((n->op->flags & OP_REDUCE) || feeds_sum[i]))
				feeds_sum[x] = follows[x] = true;
		}
	}
	return follows;
}

typedef struct Copier {
	const bool *copyable;
	Graph *to;
	Node **kept;   /* by id: the one copy of a node that is not copyable */
	int *made_for; /* by id: the user the latest copy was made for */
	Node **latest;
} Copier;

/* `n` for `user`: the shared node, or a copy of this user's own; chains of copyable nodes are at most COPY_DEPTH. */
static Node *copy_for(Copier *c, const Node *n, int user)
{
	if (!c->copyable[n->id])
		return c->kept[n->id];
	if (c->made_for[n->id] == user + 1)
		return c->latest[n->id];
	Node **operands = NEW_ARRAY(c->to->arena, Node *, n->operand_count);
	for (int k = 0; k < n->operand_count; k++)
		operands[k] = copy_for(c, n->operands[k], user);
	c->made_for[n->id] = user + 1;
	return c->latest[n->id] = graph_copy_node(c->to, n, operands);
}

/* A gradient that two parameters share, as the shifts of two batchnorms that are added: the kernel can store it twice,
 * each in its place of the pack, where a view of it is a node of its own. */
static Node *own_place(Copier *c, const Node *pack, int k, Node *copy)
{
	for (int i = 0; i < k; i++)
		if (pack->operands[i] == pack->operands[k] && reshape_is_squeeze(copy))
			return graph_copy_node(c->to, copy, copy->operands);
	return copy;
}

Graph *fuse_copy_cheap(Arena *a, const Graph *g, const Target *target)
{
	Copier c = {.copyable = find_copyable(a, g, target), .to = graph_like(a, g)};
	c.kept = NEW_ARRAY(a, Node *, g->count);
	c.latest = NEW_ARRAY(a, Node *, g->count);
	c.made_for = NEW_ARRAY(a, int, g->count);
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		if (c.copyable[i])
			continue;
		Node **operands = NEW_ARRAY(a, Node *, n->operand_count);
		for (int k = 0; k < n->operand_count; k++)
			operands[k] = copy_for(&c, n->operands[k], i);
		for (int k = 0; k < n->operand_count && (n->op->flags & OP_PACK); k++)
			operands[k] = own_place(&c, n, k, operands[k]);
		c.kept[i] = graph_copy_node(c.to, n, operands);
	}
	graph_copy_outputs(c.to, g, c.kept);
	return c.to;
}
