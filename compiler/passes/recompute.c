/* SPDX-License-Identifier: MIT */
/* Reads less by computing again: within a kernel, values of other kernels that follow from what it reads anyway.
 *
 * A batchnorm's backward reads the convolution's result for its sums; the mask relu(...) > 0 of the same layer follows
 * from that result and a few numbers per channel, so that the activation need not be read as well. And where a value is
 * stored for one later kernel alone, and follows from one other tensor in memory instead, that kernel reads the other
 * tensor and nothing is stored: the masked gradient, which the sums compute for themselves and dx computes again.
 *
 * Cheap pointwise chains are computed again (as in fuse), and on a GPU an activation that is stored for one other
 * kernel alone, as that of a gate (silu(x)*y, whose gradient by y needs silu(x)). The arithmetic is that of the first
 * time. Groups stay acyclic: a chain begins at ancestors of the value that it replaces. Must run after fuse. */
#include "base/array.h"
#include "base/map.h"
#include "ir/op.h"
#include "ir/domain.h"
#include "passes/pass.h"

enum { LONGEST_CHAIN = 16, SMALL_SHARE = 32, MOST_NODES = 128, FAILED = 1000 };

/* Of an element, which a GPU computes while it waits for memory: as many as an exponential and a few more. */
enum { MOST_FLOPS = 24 };

typedef struct Recompute {
	Arena *scratch;
	const Graph *g;
	bool gpu;
	NodeList *members; /* by group */
	NodeList *again;   /* by group: nodes of other groups that it computes again, in topological order */
	NodeList *users;   /* by node id */
	bool *output;      /* by node id */
	bool *compared;    /* by node id: graph_compared */
	int *read_by;      /* by node id: 1 + the last group that was found to read it */
	int *made_in;      /* by node id: 1 + the last group that computes it again */
	Graph *to;
	Node **copies;
	Map *clones; /* "group node" -> the node's clone in that group */
} Recompute;

/* Whether x is in memory whatever happens to `group`: another kernel reads it, or the host. */
static bool stays_stored(const Recompute *r, const Node *x, int group)
{
	if (r->output[x->id] || x->group == NO_GROUP)
		return true;
	for (int i = 0; i < r->users[x->id].count; i++) {
		int reader = r->users[x->id].at[i]->group;
		if (reader != x->group && reader != group)
			return true;
	}
	return false;
}

static bool is_small(const Node *x, const Node *beside)
{
	return type_elements(x->type) * SMALL_SHARE <= type_elements(beside->type);
}

/* Whether a GPU computes it while it waits for memory: a function of one number. What is stored in a smaller type than
 * it is of, as signs, is read. */
static bool is_activation(const Recompute *r, const Node *n)
{
	return r->gpu && n->operand_count == 1 && n->type.dtype == n->operands[0]->type.dtype &&
	       n->op->expr_flops <= MOST_FLOPS && !n->op->place &&
	       !(n->op->flags & (OP_INDEXED | OP_SEEDED | OP_PLACED));
}

/* The only tensor in memory of its size of which x is computed by cheap steps, `root` ahead of them; NULL: there are
 * more, or none. */
static const Node *only_source(const Node *x, const Node *root, int depth)
{
	const bool stored = !(x->op->flags & OP_POINTWISE) || node_is_leaf(x);
	if (stored || depth == LONGEST_CHAIN || (x != root && !(x->op->flags & OP_CHEAP)))
		return stored && depth > 0 ? x : NULL;
	const Node *found = NULL;
	for (int k = 0; k < x->operand_count; k++) {
		const Node *y = x->operands[k];
		if (node_is_inline(y) || is_small(y, root))
			continue;
		const Node *source = only_source(y, root, depth + 1);
		if (!source || (found && source != found))
			return NULL;
		found = source;
	}
	return found;
}

/* Whether all kernels that read an activation may compute it again of one tensor that is no larger: of the exponentials
 * of scores those that need a sum over the batch first, and that of a bias. Where one does not, nothing is lost. */
static bool is_for_all_again(const Recompute *r, const Node *x)
{
	if (!is_activation(r, x) || r->output[x->id] || x->group == NO_GROUP)
		return false;
	for (int i = 0; i < r->users[x->id].count; i++) {
		const int group = r->users[x->id].at[i]->group;
		for (int k = 0; group != NO_GROUP && k < r->members[group].count; k++)
			if (!node_is_fusible(r->members[group].at[k]))
				return false;
		if (group == NO_GROUP)
			return false;
	}
	const Node *source = only_source(x, x, 0);
	return source && source->group != x->group && type_bytes(source->type) <= type_bytes(x->type);
}

/* On a GPU an activation is computed again, too, where that leaves nothing of it to be stored. */
static bool in_cheap_chain(const Recompute *r, const Node *n, int group)
{
	if (!(n->op->flags & OP_POINTWISE) || node_is_inline(n) || r->compared[n->id])
		return false;
	return n->op->flags & OP_CHEAP ||
	       (is_activation(r, n) && (!stays_stored(r, n, group) || is_for_all_again(r, n)));
}

/* Whether `group` has x, or reads it, or need not care. */
static bool is_at_hand(const Recompute *r, const Node *x, const Node *value, int group)
{
	return x != value && (x->group == group || r->read_by[x->id] == group + 1 ||
	                      r->made_in[x->id] == group + 1 || node_is_inline(x) || is_small(x, value));
}

/* Full-sized tensors that `group` would have to read, besides those it reads already, to compute x again; FAILED when
 * it cannot. `value` is what is to be replaced: itself it cannot be read. */
static int extra_reads(const Recompute *r, const Node *x, const Node *value, int group, int depth)
{
	if (is_at_hand(r, x, value, group))
		return 0;
	int read = x != value && stays_stored(r, x, group) ? 1 : FAILED, again = 0;
	if (!in_cheap_chain(r, x, group) || depth == LONGEST_CHAIN)
		return read;
	for (int k = 0; k < x->operand_count; k++)
		if (k == 0 || x->operands[k] != x->operands[k - 1])
			again += extra_reads(r, x->operands[k], value, group, depth + 1);
	return again < read ? again : read;
}

/* Appends to `chain` what has to be computed for x, by the same choices. */
static void find_chain(const Recompute *r, const Node *x, const Node *value, int group, int depth,
                       NodeList *chain)
{
	if (is_at_hand(r, x, value, group))
		return;
	for (int i = 0; i < chain->count; i++)
		if (chain->at[i] == x)
			return;
	if (x != value && stays_stored(r, x, group) && extra_reads(r, x, value, group, depth) == 1)
		return;
	for (int k = 0; k < x->operand_count; k++)
		find_chain(r, x->operands[k], value, group, depth + 1, chain);
	array_push(r->scratch, chain, (Node *)x);
}

/* The kernel with what it computes again must still be one loop nest of as many phases. */
static bool still_fits(const Recompute *r, const NodeList *own, const NodeList *again)
{
	NodeList all = nodes_merged(r->scratch, own, again);
	KernelShape before, after;
	return all.count <= MOST_NODES && !kernel_shape(r->scratch, own->at, own->count, &before) &&
	       !kernel_shape(r->scratch, all.at, all.count, &after) && before.phases == after.phases;
}

/* Replaces `value`, which the group reads, where that pays. */
static void try_value(Recompute *r, Node *value, int group)
{
	r->read_by[value->id] = 0;
	int extra = extra_reads(r, value, value, group, 0);
	if (extra == 0 || (extra == 1 && (!stays_stored(r, value, group) || is_for_all_again(r, value)))) {
		NodeList chain = {0};
		find_chain(r, value, value, group, 0, &chain);
		NodeList again = nodes_merged(r->scratch, &r->again[group], &chain);
		if (still_fits(r, &r->members[group], &again)) {
			r->again[group] = again;
			for (int i = 0; i < chain.count; i++)
				r->made_in[chain.at[i]->id] = group + 1;
			return;
		}
	}
	r->read_by[value->id] = group + 1;
}

static void plan_group(Recompute *r, int group)
{
	const NodeList *own = &r->members[group];
	NodeList reads = {0};
	for (int i = 0; i < own->count; i++) {
		if (!node_is_fusible(own->at[i]))
			return;
		for (int k = 0; k < own->at[i]->operand_count; k++) {
			Node *x = own->at[i]->operands[k];
			if (x->group == group || node_is_inline(x) || r->read_by[x->id] == group + 1)
				continue;
			r->read_by[x->id] = group + 1;
			array_push(r->scratch, &reads, x);
		}
	}
	for (int i = 0; i < reads.count; i++)
		if (reads.at[i]->group != NO_GROUP && in_cheap_chain(r, reads.at[i], group) &&
		    type_elements(reads.at[i]->type) > 1)
			try_value(r, reads.at[i], group);
}

/* ---- the new graph */

/* The recursion goes through what the group computes again, MOST_NODES at most. */
static Node *operand_in(Recompute *r, const Node *x, int group)
{
	bool again = false;
	for (int i = 0; group != NO_GROUP && i < r->again[group].count; i++)
		again = again || r->again[group].at[i] == x;
	if (!again)
		return r->copies[x->id];
	const char *key = arena_printf(r->scratch, "%d %d", group, x->id);
	Node *clone = map_get(r->clones, key);
	if (clone)
		return clone;
	Node **operands = NEW_ARRAY(r->to->arena, Node *, x->operand_count);
	for (int k = 0; k < x->operand_count; k++)
		operands[k] = operand_in(r, x->operands[k], group);
	clone = graph_copy_node(r->to, x, operands);
	clone->group = group;
	map_set(r->clones, key, clone);
	return clone;
}

Graph *pass_recompute(PassContext *ctx, const Graph *g)
{
	Recompute r = {
	        .scratch = arena_new(), .g = g, .gpu = ctx->target->gpu, .to = graph_like(ctx->arena, g)};
	r.members = graph_groups(r.scratch, g);
	r.users = graph_users(r.scratch, g);
	r.output = graph_outputs(r.scratch, g);
	r.compared = graph_compared(r.scratch, g);
	r.read_by = NEW_ARRAY(r.scratch, int, g->count);
	r.again = NEW_ARRAY(r.scratch, NodeList, g->count + 1);
	r.made_in = NEW_ARRAY(r.scratch, int, g->count);
	r.copies = NEW_ARRAY(r.scratch, Node *, g->count);
	r.clones = map_new(r.scratch);
	bool any = false;
	for (int group = 0; group < g->count; group++) {
		plan_group(&r, group);
		any = any || r.again[group].count > 0;
	}
	for (int i = 0; i < g->count && any; i++) {
		const Node *n = g->nodes[i];
		Node **operands = NEW_ARRAY(ctx->arena, Node *, n->operand_count);
		for (int k = 0; k < n->operand_count; k++)
			operands[k] = operand_in(&r, n->operands[k], n->group);
		r.copies[i] = graph_copy_node(r.to, n, operands);
	}
	if (any)
		graph_copy_outputs(r.to, g, r.copies);
	arena_free(r.scratch);
	return any ? graph_rewrite(ctx->arena, r.to, NULL, NULL)
	           : (Graph *)g; /* without what was for these alone */
}
