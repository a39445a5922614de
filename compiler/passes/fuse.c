/* SPDX-License-Identifier: MIT */
/* Groups nodes into kernels: after this pass, nodes with one group number become one loop nest.
 *
 * Four ideas carry it.
 *
 * 1. Recompute what is cheap. A cheap node that reads one full-sized tensor costs as many bytes to load as to compute
 *    again, so each user gets its own copy before anything is grouped ((x - mean) * rstd in a batchnorm's backward is
 *    never stored; fuse_copies.c). Copies that end in the same group are merged again at the end.
 * 2. Grow groups along edges, in topological order. Two groups join when their nodes fit one loop nest
 *    (ir/domain.h decides; there is no list of patterns) and joining makes no cycle among groups. A heavy
 *    operator computed by generated loops takes pointwise users of its own shape as its epilogue.
 * 3. On a GPU join what was copied for readers that repeat it, and so was taken in by none.
 * 4. Then join neighbours that reduce the same tensors over the same domain: both sums of a batchnorm's backward. And
 *    on a GPU those that map the same tensors.
 *
 * Must run after implement. Where it is switched off, every node is its own kernel. */
#include "base/array.h"
#include "passes/implementation.h"
#include "ir/op.h"
#include "ir/domain.h"
#include "passes/fuse.h"
#include "passes/pass.h"

#include <string.h>

enum { MOST_NODES = 128, MOST_TENSORS = 28, DEEPEST_CHAIN = 8 /* of followers */ };

/* ---- groups */

typedef struct Fusion {
	Arena *arena, *scratch;
	Graph *g;
	const Target *target;
	bool slabs;               /* and slabs of columns that stay on chip */
	const bool *follows_user; /* by node id */
	int *group;               /* by node id; NO_GROUP for leaves, aliases and inline nodes */
	NodeList *members;        /* by group, in topological order */
	NodeList *users;          /* by node id */
	int *order, *position;    /* units by position, -1: none; and back */
	int *later;               /* room for the units of a reordering */
	int *visited, mark;       /* by group (and count + node for ungrouped ones) */
	NodeList work[2];         /* nodes from which the two searches are to go on */
	PassContext *ctx;         /* for remarks; NULL: none are wanted */
	const Phase *phases;      /* by node id */
} Fusion;

static const Node *heavy_root(const NodeList *members)
{
	for (int i = 0; i < members->count; i++)
		if (!node_is_fusible(members->at[i]))
			return members->at[i];
	return NULL;
}

static int unit_of(const Fusion *f, const Node *n)
{
	return f->group[n->id] == NO_GROUP ? f->g->count + n->id : f->group[n->id];
}

/* Units are kept in a topological order, so that a path between two can only lead forward and only through units that
 * stand between them. The search goes from both ends at once, and ends with the one that is exhausted first: of the two
 * per-channel kernels of a batchnorm, one in the forward and one in the backward part, the second has few operands
 * after the first, while all of the network between them hangs on the first. */
typedef enum { FROM_FIRST, FROM_SECOND } Direction;

static void push_members(Fusion *f, Direction d, int unit)
{
	f->visited[unit] = f->mark + (int)d;
	for (int k = 0; k < f->members[unit].count; k++)
		array_push(f->scratch, &f->work[d], f->members[unit].at[k]);
}

/* One step on from `n`, a node of `start` or of a unit that a path leads to: whether the way from `start` to `goal` is
 * found. An edge that joins the two directly is none. */
static bool search_on(Fusion *f, Direction d, const Node *n, int start, int goal)
{
	bool inside = f->group[n->id] == start, ahead = d == FROM_FIRST;
	int count = ahead ? f->users[n->id].count : n->operand_count;
	Node *const *next = ahead ? f->users[n->id].at : n->operands;
	for (int i = 0; i < count; i++) {
		int unit = unit_of(f, next[i]);
		if (unit == goal && !inside)
			return true;
		bool beyond = ahead ? f->position[unit] >= f->position[goal]
		                    : f->position[unit] <= f->position[goal];
		if (beyond || f->visited[unit] == f->mark + (int)d)
			continue;
		if (f->visited[unit] == f->mark + !d) /* the other search was there */
			return true;
		if (unit < f->g->count) {
			push_members(f, d, unit);
			continue;
		}
		f->visited[unit] = f->mark + (int)d;
		array_push(f->scratch, &f->work[d], next[i]);
	}
	return false;
}

/* Whether a path leads from `first` to `second`, which follows it, through at least one unit outside both.
 * Without one, *exhausted is the search that saw all it can reach between them: its units carry the mark. */
static bool path_outside(Fusion *f, int first, int second, Direction *exhausted)
{
	f->mark += 2;
	f->work[FROM_FIRST].count = f->work[FROM_SECOND].count = 0;
	push_members(f, FROM_FIRST, first);
	push_members(f, FROM_SECOND, second);
	for (Direction d = FROM_FIRST;; d = !d) {
		if (f->work[d].count == 0) {
			*exhausted = d;
			return false;
		}
		const Node *n = f->work[d].at[--f->work[d].count];
		if (d == FROM_FIRST ? search_on(f, d, n, first, second) : search_on(f, d, n, second, first))
			return true;
	}
}

/* Puts the order right after `first` and `second`, after it, became the unit `joined`. What was reached from `first`
 * goes after it and what was not in front; or what reaches `second` goes in front of it and what does not after. */
static void reorder(Fusion *f, int first, int second, int joined, Direction exhausted)
{
	int lo = f->position[first], hi = f->position[second], at = lo, later = 0;
	for (int i = lo + 1; i < hi; i++) {
		int unit = f->order[i];
		if (unit < 0)
			continue;
		bool marked = f->visited[unit] == f->mark + (int)exhausted;
		if (marked == (exhausted == FROM_FIRST)) {
			f->later[later++] = unit;
			continue;
		}
		f->order[at] = unit;
		f->position[unit] = at++;
	}
	f->order[at] = joined;
	f->position[joined] = at++;
	for (int i = 0; i < later; i++, at++) {
		f->order[at] = f->later[i];
		f->position[f->later[i]] = at;
	}
	while (at <= hi)
		f->order[at++] = -1;
}

/* Tensors a kernel of these nodes reads and writes; too many starve the loop of registers. */
static int count_tensors(Fusion *f, const NodeList *members)
{
	int tensors = 0;
	f->mark += 2;
	for (int i = 0; i < members->count; i++)
		f->visited[members->at[i]->id] = f->mark;
	for (int i = 0; i < members->count; i++) {
		const Node *n = members->at[i];
		for (int k = 0; k < n->operand_count; k++) {
			int id = n->operands[k]->id;
			if (f->visited[id] != f->mark && !node_is_inline(n->operands[k])) {
				f->visited[id] = f->mark;
				tensors++;
			}
		}
	}
	return tensors;
}

static bool is_among(const NodeList *all, const Node *n)
{
	for (int i = 0; i < all->count; i++)
		if (all->at[i] == n)
			return true;
	return false;
}

/* Of the users of `n` outside of `all`: whether sums are among them, directly or after a pointwise step, and none that
 * needs a value in memory. */
static bool is_only_summed(const Fusion *f, const NodeList *all, const Node *n, bool *summed)
{
	for (int i = 0; i < f->users[n->id].count; i++) {
		const Node *user = f->users[n->id].at[i];
		if (is_among(all, user))
			continue;
		if (!node_is_fusible(user))
			return false;
		*summed = *summed || (user->op->flags & OP_REDUCE);
		for (int k = 0; k < f->users[user->id].count; k++) {
			const Node *next = f->users[user->id].at[k];
			if (!node_is_fusible(next))
				return false;
			*summed = *summed || (next->op->flags & OP_REDUCE);
		}
	}
	return true;
}

/* Whether n is in memory whatever its group computes of it. */
static bool is_stored(const Fusion *f, const NodeList *all, const Node *n)
{
	for (int i = 0; i < f->users[n->id].count; i++)
		if (!is_among(all, f->users[n->id].at[i]))
			return true;
	return false;
}

/* Whether an epilogue of `root` would read another tensor of its size for what nothing but sums needs. A batchnorm's
 * backward masks the gradient by what its sums read anyway: their kernel computes the mask and reads no more. */
static bool belongs_to_sum(const Fusion *f, const NodeList *all, const Node *root)
{
	bool reads = false, summed = false;
	for (int i = 0; i < all->count; i++) {
		const Node *n = all->at[i];
		if (n == root)
			continue;
		if (!is_only_summed(f, all, n, &summed))
			return false;
		for (int k = 0; k < n->operand_count; k++) {
			const Node *x = n->operands[k];
			bool inside =
			        f->group[x->id] == f->group[n->id] || f->group[x->id] == f->group[root->id];
			reads = reads || (!inside && type_elements(x->type) == type_elements(root->type));
		}
	}
	return reads && summed;
}

/* Whether n can be computed of an element of `root`, and what else it reads there: pointwise in root's shape but for
 * dimensions of 1, or a view of that which nothing else reads. */
static bool follows_element(const Fusion *f, const NodeList *all, const Node *n, const Node *root)
{
	int64_t dim[LIMIT_RANK], of_root[LIMIT_RANK];
	int count = squeeze(n->type, dim);
	if (count != squeeze(root->type, of_root) || memcmp(dim, of_root, sizeof *dim * (size_t)count) != 0)
		return false;
	for (int i = 0; i < f->users[n->id].count && !(n->op->flags & OP_POINTWISE); i++)
		if (!is_among(all, f->users[n->id].at[i]))
			return false;
	return (n->op->flags & OP_POINTWISE) || reshape_is_squeeze(n);
}

/* NULL when groups x and y joined, else the reason why not. */
static const char *try_join(Fusion *f, int x, int y)
{
	if (f->members[x].count + f->members[y].count > MOST_NODES)
		return "the kernel would be too long";
	const Node *root = heavy_root(&f->members[x]), *other = heavy_root(&f->members[y]);
	if (root && other)
		return "both hold an operator with loops of its own";
	NodeList all = nodes_merged(f->scratch, &f->members[x], &f->members[y]);
	KernelShape shape;
	const char *why;
	if (root || other) {
		root = root ? root : other;
		if (!fuse_takes_epilogue(root, f->target))
			return root->op->flags & OP_EPILOGUE ? "a library computes that one by itself"
			                                     : "the operator takes no epilogue";
		if (fuse_is_made_in_place(f->g, root, f->target) && is_stored(f, &all, root))
			return "what it reads is computed in its place";
		for (int i = 0; i < all.count; i++)
			for (int k = 0; k < root->operand_count; k++)
				if (root->operands[k] == all.at[i])
					return "the kernel reads its operands from memory as they are";
		for (int i = 0; i < all.count; i++)
			if (all.at[i] != root && !follows_element(f, &all, all.at[i], root))
				return "what is not element by element, in its shape, can't follow it in one "
				       "kernel";
		if (f->slabs && belongs_to_sum(f, &all, root))
			return "the sum that reads it reads its other operand too";
	} else if ((why = kernel_shape(f->scratch, all.at, all.count, &shape)) != NULL) {
		return why;
	} else if (shape.resident && !f->target->resident_rows) {
		return "it sums over other axes";
	} else if (shape.phases > 1 && shape.domain.inner > 1 && !f->slabs) {
		return "it needs a sum over the whole batch first";
	}
	if (count_tensors(f, &all) > MOST_TENSORS)
		return "the kernel would read too many tensors";
	int first = f->position[x] < f->position[y] ? x : y, second = first == x ? y : x;
	Direction exhausted;
	if (path_outside(f, first, second, &exhausted))
		return "another kernel must run between them";
	reorder(f, first, second, x, exhausted);
	for (int i = 0; i < all.count; i++)
		f->group[all.at[i]->id] = x;
	f->members[x] = all;
	f->members[y] = (NodeList){0};
	return NULL;
}

static void remark(Fusion *f, const Node *producer, const Node *user, const char *why)
{
	if (!f->ctx)
		return;
	if (!f->ctx->unjoined)
		f->ctx->unjoined = map_new(pass_kept(f->ctx));
	map_set(f->ctx->unjoined, unjoined_key(pass_kept(f->ctx), producer, user), (void *)why);
	if (f->ctx->want_all)
		pass_remark(f->ctx, "%s: %s: not joined: %s to %s (%s): %s",
		            sites_text(f->scratch, user->sites, 3),
		            graph_phase_name(f->g, f->phases[user->id]), user->op->name, producer->op->name,
		            sites_text(f->scratch, producer->sites, 3), why);
}

static void join_operands(Fusion *f, Node *n, bool last_try)
{
	for (int k = 0; k < n->operand_count; k++) {
		Node *x = n->operands[k];
		if (f->group[x->id] == NO_GROUP || f->group[x->id] == f->group[n->id])
			continue;
		const char *why = try_join(f, f->group[x->id], f->group[n->id]);
		if (why && last_try)
			remark(f, x, n, why);
	}
}

/* A node takes along the chain of followers that only it needs. */
static void join_followers(Fusion *f, Node *n, int depth)
{
	for (int k = 0; k < n->operand_count && depth < DEEPEST_CHAIN; k++) {
		Node *x = n->operands[k];
		if (f->group[x->id] == NO_GROUP || !f->follows_user[x->id])
			continue;
		if (f->group[x->id] == f->group[n->id] || !try_join(f, f->group[x->id], f->group[n->id]))
			join_followers(f, x, depth + 1);
	}
}

/* Joins the group of `n` to all that it reads, as far as they fit. */
static void take_in_operands(Fusion *f, const Node *n)
{
	for (int count = 0; count != f->members[f->group[n->id]].count;) {
		NodeList members = f->members[f->group[n->id]];
		count = members.count;
		for (int i = 0; i < members.count; i++)
			if (node_is_fusible(members.at[i]))
				join_operands(f, members.at[i], false);
	}
}

/* In a first round followers wait for their user: the mask `y > 0` of a backward kernel is not to be an output of the
 * forward one. Before a reduction takes a group in, that group takes in what it reads: dlogits belongs to the loop over
 * rows that computes the softmax, and not to the sum over the batch after it. */
static void grow_along_edges(Fusion *f)
{
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < f->g->count; i++) {
			Node *n = f->g->nodes[i];
			if (f->group[i] == NO_GROUP || !node_is_fusible(n) ||
			    (round == 0 && f->follows_user[i]))
				continue;
			join_followers(f, n, 0);
			if ((n->op->flags & OP_REDUCE) && f->group[n->operands[0]->id] != NO_GROUP &&
			    !f->follows_user[n->operands[0]->id])
				take_in_operands(f, n->operands[0]);
			join_operands(f, n, round == 1);
		}
	}
}

/* ---- twins */

/* Whether all that read n, through up to `views` views, have many times its elements: it is repeated there. */
static bool is_repeated_by_readers(const Fusion *f, const Node *n, int group, int views)
{
	enum { TIMES = 8 };
	for (int i = 0; i < f->users[n->id].count; i++) {
		const Node *user = f->users[n->id].at[i];
		if (f->group[user->id] == NO_GROUP && user->op->flags & OP_ALIAS) {
			if (views == 0 || !is_repeated_by_readers(f, user, group, views - 1))
				return false;
		} else if (f->group[user->id] != group &&
		           type_elements(n->type) * TIMES > type_elements(user->type)) {
			return false;
		}
	}
	return true;
}

/* Whether the group is a few cheap steps of which each value is repeated by what reads it, as 1 + the scale of a sample
 * by its rows: it joined none of its readers. */
static bool is_for_repeating(const Fusion *f, int group)
{
	enum { MOST_VIEWS = 8 };
	const NodeList *members = &f->members[group];
	for (int i = 0; i < members->count; i++) {
		const Node *n = members->at[i];
		const bool cheap = n->op->flags & (OP_CHEAP | OP_RESHAPES) || n->op->move == MOVE_SLICE;
		if (!node_is_fusible(n) || !cheap || !is_repeated_by_readers(f, n, group, MOST_VIEWS))
			return false;
	}
	return members->count > 0;
}

/* Whether group x begins with what y computes, node by node. */
static bool are_twins(const Fusion *f, int x, int y)
{
	const NodeList *a = &f->members[x], *b = &f->members[y];
	if (a->count < b->count)
		return false;
	for (int i = 0; i < b->count; i++) {
		Node *operands[MOST_TENSORS], probe = *b->at[i];
		if (probe.op != a->at[i]->op || probe.operand_count > MOST_TENSORS)
			return false;
		for (int k = 0; k < probe.operand_count; k++) {
			operands[k] = probe.operands[k];
			for (int m = 0; m < i; m++)
				operands[k] = probe.operands[k] == b->at[m] ? a->at[m] : operands[k];
		}
		probe.operands = operands;
		if (!nodes_same_value(a->at[i], &probe))
			return false;
	}
	return true;
}

/* What was copied for readers that it could not join is computed once: such groups join, and their nodes are merged. */
static void join_twins(Fusion *f)
{
	int *kinds = NEW_ARRAY(f->scratch, int, f->g->count), count = 0;
	for (int group = 0; group < f->g->count; group++) {
		if (!is_for_repeating(f, group))
			continue;
		int k = 0;
		while (k < count && !are_twins(f, kinds[k], group))
			k++;
		if (k == count)
			kinds[count++] = group;
		else
			try_join(f, kinds[k], group);
	}
}

/* ---- neighbours */

static bool reduces(const NodeList *members)
{
	for (int i = 0; i < members->count; i++)
		if (members->at[i]->op->flags & OP_REDUCE)
			return true;
	return false;
}

/* Whether the readers of x there may be joined to others of it: sums; or maps of a few elements that were put side by
 * side, which can't join what computes them as they would a sum. */
static bool may_be_beside(const Fusion *f, int group, const Node *x)
{
	enum { FEW = 4096 };
	const NodeList *members = &f->members[group];
	if (reduces(members))
		return true;
	for (int i = 0; i < members->count; i++)
		if (!node_is_fusible(members->at[i]) ||
		    type_elements(members->at[i]->type) != type_elements(x->type))
			return false;
	return x->op->move == MOVE_CONCAT && type_elements(x->type) <= FEW;
}

/* Whether a slice is read where it lies (program/place_pieces.c): nothing is copied. */
static bool is_view(const Node *slice)
{
	for (int i = 0; i < node_int(slice, "axis"); i++)
		if (slice->type.dim[i] != 1)
			return false;
	return true;
}

/* Whether the group computes each element of its own, of elements of what it reads. */
static bool is_map(const Fusion *f, int group)
{
	const NodeList *members = &f->members[group];
	for (int i = 0; i < members->count; i++) {
		const Node *n = members->at[i];
		const bool by_element = (n->op->flags & (OP_POINTWISE | OP_RESHAPES)) && !n->op->place;
		if (!node_is_fusible(n) || (!by_element && (n->op->move != MOVE_SLICE || is_view(n))))
			return false;
	}
	return true;
}

/* Tensors that the group reads, but for numbers that many of its elements share; at most `most` of them: returns how
 * many. */
static int large_reads(const Fusion *f, int group, const Node **reads, int most)
{
	enum { SHARED = 8 };
	const NodeList *members = &f->members[group];
	int count = 0;
	for (int i = 0; i < members->count; i++) {
		const Node *n = members->at[i];
		for (int k = 0; k < n->operand_count; k++) {
			const Node *x = node_viewed(n->operands[k]);
			const bool own = f->group[x->id] == group || node_is_inline(x);
			bool seen = own || type_elements(x->type) * SHARED <= type_elements(n->type);
			for (int s = 0; s < count && s < most; s++)
				seen = seen || reads[s] == x;
			if (!seen && count++ < most)
				reads[count - 1] = x;
		}
	}
	return count;
}

/* Whether both groups are maps of the same tensors in one phase, as the halves of a rotation, or the gradients of a
 * product by both of its factors: one kernel reads these once. */
static bool map_the_same(const Fusion *f, int x, int y)
{
	enum { MOST = 6 };
	const Node *of_x[MOST], *of_y[MOST];
	if (!f->target->gpu || !is_map(f, x) || !is_map(f, y) ||
	    f->phases[f->members[x].at[0]->id] != f->phases[f->members[y].at[0]->id])
		return false;
	const int count = large_reads(f, x, of_x, MOST);
	if (count > MOST || large_reads(f, y, of_y, MOST) != count)
		return false;
	for (int i = 0; i < count; i++) {
		bool both = false;
		for (int k = 0; k < count; k++)
			both = both || of_x[i] == of_y[k];
		if (!both)
			return false;
	}
	return count > 0;
}

/* Whether two groups that read x are to be one kernel. */
static bool are_beside(const Fusion *f, int a, int b, const Node *x)
{
	if (may_be_beside(f, a, x) && may_be_beside(f, b, x))
		return reduces(&f->members[a]) == reduces(&f->members[b]);
	return map_the_same(f, a, b);
}

static void join_neighbours(Fusion *f)
{
	enum { MOST_READERS = 8 };
	for (int i = 0; i < f->g->count; i++) {
		const Node *x = f->g->nodes[i];
		int readers[MOST_READERS], count = 0;
		if (type_elements(x->type) == 1)
			continue;
		for (int k = 0; k < f->users[i].count && count < MOST_READERS; k++) {
			int group = f->group[f->users[i].at[k]->id];
			bool seen = group == NO_GROUP || !(may_be_beside(f, group, x) || is_map(f, group));
			for (int s = 0; s < count; s++)
				seen = seen || readers[s] == group;
			if (!seen)
				readers[count++] = group;
		}
		for (int s = 1; s < count; s++)
			for (int t = 0; t < s; t++)
				if (f->members[readers[t]].count && f->members[readers[s]].count &&
				    are_beside(f, readers[t], readers[s], x))
					try_join(f, readers[t], readers[s]);
	}
}

/* ---- the pass */

/* A group of reshapes alone computes nothing: they stay views. */
static void drop_groups_of_views(Fusion *f)
{
	for (int i = 0; i < f->g->count; i++) {
		bool computes = false;
		for (int k = 0; k < f->members[i].count; k++)
			computes = computes || !(f->members[i].at[k]->op->flags & OP_ALIAS);
		for (int k = 0; k < f->members[i].count && !computes; k++)
			f->group[f->members[i].at[k]->id] = NO_GROUP;
	}
}

/* Its kernel's; what a kernel writes beside its value has that of the value, its operand 1: it depends on nothing that
 * the kernel does not read. */
static int group_of(const Fusion *f, const Node *n)
{
	return f->group[(n->op->flags & OP_BESIDE ? n->operands[1] : n)->id];
}

/* Copies the graph with group numbers 0, 1, ... in order of first member, merging equal nodes within a group. */
static Graph *number_groups(Fusion *f)
{
	const Graph *g = f->g;
	drop_groups_of_views(f);
	Graph *to = graph_like(f->arena, g);
	Node **copies = NEW_ARRAY(f->arena, Node *, g->count);
	int *number = NEW_ARRAY(f->arena, int, g->count), groups = 0;
	NodeList *copied = NEW_ARRAY(f->arena, NodeList, g->count);
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		Node **operands = NEW_ARRAY(f->arena, Node *, n->operand_count);
		for (int k = 0; k < n->operand_count; k++)
			operands[k] = copies[n->operands[k]->id];
		int group = group_of(f, n);
		Node *same = NULL;
		if (group != NO_GROUP) {
			if (number[group] == 0)
				number[group] = ++groups;
			Node probe = *n;
			probe.operands = operands;
			bool placed = f->users[i].count == 1 && (f->users[i].at[0]->op->flags & OP_PACK);
			for (int k = 0; k < copied[group].count && !same && !placed; k++)
				if (nodes_same_value(copied[group].at[k], &probe))
					same = copied[group].at[k];
		}
		if (same) {
			same->sites = sites_union(f->arena, same->sites, n->sites);
			copies[i] = same;
			continue;
		}
		copies[i] = graph_copy_node(to, n, operands);
		copies[i]->group = group == NO_GROUP ? NO_GROUP : number[group] - 1;
		if (group != NO_GROUP)
			array_push(f->arena, &copied[group], copies[i]);
	}
	graph_copy_outputs(to, g, copies);
	return to;
}

/* One line for each kernel of several nodes: its lines and what it computes. */
static void remark_kernels(Fusion *f, const Graph *g)
{
	if (!f->ctx || !f->ctx->want_all)
		return;
	const Phase *phases = node_phases(f->scratch, g);
	NodeList *nodes = NEW_ARRAY(f->scratch, NodeList, g->count + 1);
	int *members = NEW_ARRAY(f->scratch, int, g->count + 1);
	char **text = NEW_ARRAY(f->scratch, char *, g->count + 1);
	Sites *sites = NEW_ARRAY(f->scratch, Sites, g->count + 1);
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		if (n->group == NO_GROUP || (n->op->flags & OP_ALIAS))
			continue;
		text[n->group] = members[n->group]++
		                         ? arena_printf(f->scratch, "%s, %s", text[n->group], n->op->name)
		                         : arena_strdup(f->scratch, n->op->name);
		sites[n->group] = sites_union(f->scratch, sites[n->group], n->sites);
		array_push(f->scratch, &nodes[n->group], g->nodes[i]);
	}
	for (int i = 0; i < g->count; i++)
		if (members[i] > 1)
			pass_remark(f->ctx, "%s: %s: joined: %s", sites_text(f->scratch, sites[i], 3),
			            graph_phase_name(g, group_phase(phases, nodes[i].at, nodes[i].count)),
			            text[i]);
}

Graph *pass_fuse(PassContext *ctx, const Graph *g)
{
	Fusion f = {.arena = ctx->arena, .scratch = arena_new()};
	f.slabs = target_has_clusters(ctx->target);
	f.target = ctx->target;
	f.g = fuse_copy_cheap(ctx->arena, g, ctx->target);
	f.group = NEW_ARRAY(f.scratch, int, f.g->count);
	f.members = NEW_ARRAY(f.scratch, NodeList, f.g->count);
	f.users = graph_users(f.scratch, f.g);
	f.visited = NEW_ARRAY(f.scratch, int, 2 * f.g->count);
	f.order = NEW_ARRAY(f.scratch, int, f.g->count);
	f.later = NEW_ARRAY(f.scratch, int, f.g->count);
	f.position = NEW_ARRAY(f.scratch, int, 2 * f.g->count);
	f.ctx = ctx->want_remarks && !ctx->fuse_is_silent ? ctx : NULL;
	f.phases = node_phases(f.scratch, f.g);
	for (int i = 0; i < f.g->count; i++) {
		Node *n = f.g->nodes[i];
		bool apart = node_is_leaf(n) || node_is_inline(n) ||
		             (n->op->flags & OP_ALIAS && !reshape_is_squeeze(n)) ||
		             (n->op->flags & OP_PACK) ||
		             (reshape_is_squeeze(n) && node_is_leaf(n->operands[0]));
		f.group[i] = apart ? NO_GROUP : i;
		if (!apart)
			array_push(f.scratch, &f.members[i], n);
		f.order[i] = unit_of(&f, n);
		f.position[f.order[i]] = i;
	}
	f.follows_user = fuse_find_followers(f.scratch, f.g, ctx->target);
	grow_along_edges(&f);
	if (ctx->target->gpu)
		join_twins(&f);
	join_neighbours(&f);
	Graph *to = number_groups(&f);
	remark_kernels(&f, to);
	arena_free(f.scratch);
	return to;
}
