/* SPDX-License-Identifier: MIT */
/* Orders the kernels. Operands come first; a kernel that overwrites a state comes after those that read it; among what
 * is ready, the kernel that leaves the least memory alive runs next. The graph's own order (forward, then backward in
 * reverse) is the fallback, and is kept when its peak is no higher.
 *
 * Must run after fuse. The result lists each group's nodes side by side, in the order of execution. */
#include "base/array.h"
#include "base/map.h"
#include "ir/op.h"
#include "ir/domain.h"
#include "passes/pass.h"

typedef ARRAY(int) IntList;
/* A unit runs as one step: a group, or a node without one that computes something. */
typedef struct Unit {
	NodeList nodes;
	IntList before, after;           /* units that must run earlier, later */
	IntList soft_before, soft_after; /* readers of a state this unit overwrites */
	IntList reads;                   /* storages, without repeats */
	IntList writes;
	int waiting, soft_waiting;
	int64_t growth; /* bytes that running it now adds to what is alive */
	bool done;
} Unit;

typedef struct Ordering {
	Arena *arena;
	const Graph *g;
	Unit *units;
	int count;
	int *unit;    /* by node id, -1: leaf, view or inline */
	int *storage; /* by node id: the node whose memory holds the value (through views) */
	int64_t *
	        bytes; /* by node id, of storages that schedule decides about; 0: in its own block, or never stored */
	int *readers; /* by node id: units still to read it */
} Ordering;

static void make_units(Ordering *s)
{
	const Graph *g = s->g;
	int *of_group = NEW_ARRAY(s->arena, int, g->count + 1);
	for (int i = 0; i < g->count; i++) {
		Node *n = g->nodes[i];
		bool view = n->group == NO_GROUP && (n->op->flags & OP_ALIAS);
		s->storage[i] = view ? s->storage[n->operands[0]->id] : i;
		s->unit[i] = -1;
		if (node_is_leaf(n) || view || (n->group == NO_GROUP && node_is_inline(n)))
			continue;
		int at = n->group == NO_GROUP ? 0 : of_group[n->group];
		if (at == 0) {
			at = ++s->count;
			if (n->group != NO_GROUP)
				of_group[n->group] = at;
		}
		s->unit[i] = at - 1;
		array_push(s->arena, &s->units[at - 1].nodes, n);
	}
}

/* `linked`, by unit, and `read`, by node id: 1 + the last unit to which they were linked, so that nothing is in a list
 * twice. */
static void link_unit(Ordering *s, int unit, int *linked, int *read)
{
	Unit *u = &s->units[unit];
	for (int i = 0; i < u->nodes.count; i++) {
		const Node *n = u->nodes.at[i];
		for (int k = 0; k < n->operand_count; k++) {
			int x = s->storage[n->operands[k]->id], from = s->unit[x];
			if (from < 0 || from == unit)
				continue;
			if (linked[from] != unit + 1) {
				linked[from] = unit + 1;
				array_push(s->arena, &u->before, from);
				array_push(s->arena, &s->units[from].after, unit);
			}
			if (read[x] == 0)
				array_push(s->arena, &s->units[from].writes, x);
			if (read[x] != unit + 1)
				array_push(s->arena, &u->reads, x);
			read[x] = unit + 1;
		}
	}
}

static void link_units(Ordering *s)
{
	const Graph *g = s->g;
	int *linked = NEW_ARRAY(s->arena, int, s->count), *read = NEW_ARRAY(s->arena, int, g->count);
	for (int u = 0; u < s->count; u++)
		link_unit(s, u, linked, read);
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		for (int k = 0; k < n->operand_count && s->unit[i] >= 0; k++) {
			int x = s->storage[n->operands[k]->id];
			if (s->unit[x] < 0 || s->unit[x] == s->unit[i])
				continue;
			/* what goes into a pack is computed in the pack's place */
			s->bytes[x] = (n->op->flags & OP_PACK) ? 0 : type_bytes(g->nodes[x]->type);
		}
	}
	for (int i = 0; i < g->output_count; i++) {
		int x = s->storage[g->outputs[i].node->id];
		if (s->unit[x] >= 0 && g->outputs[i].kind == OUTPUT_STATE)
			s->bytes[x] = 0;
		else if (s->unit[x] >= 0)
			s->readers[x]++; /* the host, after the last step */
	}
	for (int u = 0; u < s->count; u++)
		for (int i = 0; i < s->units[u].reads.count; i++)
			s->readers[s->units[u].reads.at[i]]++;
}

/* Marks every unit that must run after `from`. */
static bool *find_later(Ordering *s, int from)
{
	bool *later = NEW_ARRAY(s->arena, bool, s->count);
	IntList work = {0};
	array_push(s->arena, &work, from);
	while (work.count > 0) {
		const Unit *u = &s->units[work.at[--work.count]];
		for (int i = 0; i < u->after.count; i++) {
			if (!later[u->after.at[i]])
				array_push(s->arena, &work, u->after.at[i]);
			later[u->after.at[i]] = true;
		}
	}
	return later;
}

/* A unit that writes a state waits for the readers of its old value, where they do not wait for the unit. The flat
 * parameters need no such edge: their update depends on every gradient, and so on every reader. */
static void link_state_readers(Ordering *s)
{
	const Graph *g = s->g;
	Map *readers = map_new(s->arena); /* state -> IntList of units */
	for (int i = 0; i < g->count; i++) {
		for (int k = 0; k < g->nodes[i]->operand_count && s->unit[i] >= 0; k++) {
			const Node *x = g->nodes[s->storage[g->nodes[i]->operands[k]->id]];
			if (!node_is_state(x))
				continue;
			IntList *list = map_get(readers, node_text(x, "name"));
			if (!list)
				map_set(readers, node_text(x, "name"), list = NEW(s->arena, IntList));
			if (list->count == 0 || list->at[list->count - 1] != s->unit[i])
				array_push(s->arena, list, s->unit[i]);
		}
	}
	for (int o = 0; o < g->output_count; o++) {
		if (g->outputs[o].kind != OUTPUT_STATE || strcmp(g->outputs[o].name, "params") == 0)
			continue;
		int writer = s->unit[s->storage[g->outputs[o].node->id]];
		const IntList *list = map_get(readers, g->outputs[o].name);
		bool others = writer >= 0 && list && (list->count > 1 || list->at[0] != writer);
		bool *later = others ? find_later(s, writer) : NULL;
		for (int i = 0; others && i < list->count; i++) {
			if (list->at[i] == writer || later[list->at[i]])
				continue;
			array_push(s->arena, &s->units[writer].soft_before, list->at[i]);
			array_push(s->arena, &s->units[list->at[i]].soft_after, writer);
		}
	}
}

/* ---- the order */

typedef struct Ready {
	int64_t growth;
	int unit;
} Ready;

/* A heap of the units that may run, the first of the least growth on top. A unit whose growth has changed has one more
 * entry, and the one of before is passed over. */
typedef struct Queue {
	Arena *arena;
	ARRAY(Ready) heap;
} Queue;

static bool comes_first(Ready x, Ready y)
{
	return x.growth != y.growth ? x.growth < y.growth : x.unit < y.unit;
}

static void queue_push(Queue *q, Ready r)
{
	array_push(q->arena, &q->heap, r);
	int at = q->heap.count - 1;
	for (; at > 0 && comes_first(r, q->heap.at[(at - 1) / 2]); at = (at - 1) / 2)
		q->heap.at[at] = q->heap.at[(at - 1) / 2];
	q->heap.at[at] = r;
}

static Ready queue_pop(Queue *q)
{
	Ready top = q->heap.at[0], last = q->heap.at[--q->heap.count];
	int at = 0, child;
	while ((child = 2 * at + 1) < q->heap.count) {
		if (child + 1 < q->heap.count && comes_first(q->heap.at[child + 1], q->heap.at[child]))
			child++;
		if (!comes_first(q->heap.at[child], last))
			break;
		q->heap.at[at] = q->heap.at[child];
		at = child;
	}
	if (q->heap.count > 0)
		q->heap.at[at] = last;
	return top;
}

typedef struct Listing {
	Ordering *s;
	bool by_memory;
	int *readers; /* by node id: units still to read it, and the host */
	int64_t *
	        coming; /* by node id: the sum of 1 + their number over those units, so that of one it tells which */
	Queue queue;
} Listing;

static void offer(Listing *l, int unit)
{
	const Unit *u = &l->s->units[unit];
	if (!u->done && u->waiting == 0 && u->soft_waiting == 0)
		queue_push(&l->queue, (Ready){l->by_memory ? u->growth : 0, unit});
}

static void begin_listing(Listing *l)
{
	Ordering *s = l->s;
	for (int i = 0; i < s->count; i++) {
		Unit *u = &s->units[i];
		u->waiting = u->before.count;
		u->soft_waiting = u->soft_before.count;
		u->done = false;
		u->growth = 0;
		for (int k = 0; k < u->writes.count; k++)
			u->growth += s->bytes[u->writes.at[k]];
		for (int k = 0; k < u->reads.count; k++) {
			int x = u->reads.at[k];
			l->coming[x] += 1 + i;
			u->growth -= l->readers[x] == 1 ? s->bytes[x] : 0;
		}
	}
	for (int i = 0; i < s->count; i++)
		offer(l, i);
}

/* The unit to run next. Where all that are ready would overwrite a state that others have still to read, the first of
 * those. */
static int next_unit(Listing *l)
{
	Ordering *s = l->s;
	while (l->queue.heap.count > 0) {
		Ready r = queue_pop(&l->queue);
		const Unit *u = &s->units[r.unit];
		if (!u->done && (!l->by_memory || r.growth == u->growth))
			return r.unit;
	}
	int first = 0;
	while (s->units[first].done || s->units[first].waiting > 0)
		first++;
	return first;
}

static void finish(Listing *l, int unit)
{
	Ordering *s = l->s;
	Unit *u = &s->units[unit];
	u->done = true;
	for (int i = 0; i < u->reads.count; i++) {
		int x = u->reads.at[i];
		l->readers[x]--;
		l->coming[x] -= 1 + unit;
		if (l->readers[x] != 1 || l->coming[x] == 0)
			continue;
		int last = (int)l->coming[x] - 1;
		s->units[last].growth -= s->bytes[x];
		offer(l, last);
	}
	for (int i = 0; i < u->after.count; i++)
		if (--s->units[u->after.at[i]].waiting == 0)
			offer(l, u->after.at[i]);
	for (int i = 0; i < u->soft_after.count; i++)
		if (--s->units[u->soft_after.at[i]].soft_waiting == 0)
			offer(l, u->soft_after.at[i]);
}

/* Fills order[] and returns the peak of live bytes. */
static int64_t list_schedule(Ordering *s, bool by_memory, int *order)
{
	Listing l = {.s = s,
	             .by_memory = by_memory,
	             .readers = arena_copy(s->arena, s->readers, sizeof(int) * (size_t)s->g->count),
	             .coming = NEW_ARRAY(s->arena, int64_t, s->g->count),
	             .queue = {.arena = s->arena}};
	int64_t live = 0, peak = 0;
	begin_listing(&l);
	for (int step = 0; step < s->count; step++) {
		int next = order[step] = next_unit(&l);
		const Unit *u = &s->units[next];
		int64_t allocated = 0;
		for (int i = 0; i < u->writes.count; i++)
			allocated += s->bytes[u->writes.at[i]];
		peak = live + allocated > peak ? live + allocated : peak;
		live += u->growth;
		finish(&l, next);
	}
	return peak;
}

/* Copies n after its operands; what is no unit (leaves, views, inline nodes) comes where it is first needed. */
static Node *emit_node(Graph *to, const Graph *g, Node **copies, int id)
{
	IntList work = {0};
	array_push(to->arena, &work, id);
	while (work.count > 0) {
		const Node *n = g->nodes[work.at[work.count - 1]];
		bool ready = true;
		for (int k = 0; k < n->operand_count; k++) {
			if (!copies[n->operands[k]->id]) {
				array_push(to->arena, &work, n->operands[k]->id);
				ready = false;
			}
		}
		if (!ready)
			continue;
		work.count--;
		if (copies[n->id])
			continue;
		Node **operands = NEW_ARRAY(to->arena, Node *, n->operand_count);
		for (int k = 0; k < n->operand_count; k++)
			operands[k] = copies[n->operands[k]->id];
		copies[n->id] = graph_copy_node(to, n, operands);
	}
	return copies[id];
}

Graph *pass_schedule(PassContext *ctx, const Graph *g)
{
	Ordering s = {.arena = arena_new(), .g = g};
	s.units = NEW_ARRAY(s.arena, Unit, g->count);
	s.unit = NEW_ARRAY(s.arena, int, g->count);
	s.storage = NEW_ARRAY(s.arena, int, g->count);
	s.bytes = NEW_ARRAY(s.arena, int64_t, g->count);
	s.readers = NEW_ARRAY(s.arena, int, g->count);
	make_units(&s);
	link_units(&s);
	link_state_readers(&s);
	int *by_memory = NEW_ARRAY(s.arena, int, s.count), *by_order = NEW_ARRAY(s.arena, int, s.count);
	int64_t peak = list_schedule(&s, true, by_memory);
	int *order = list_schedule(&s, false, by_order) <= peak ? by_order : by_memory;

	Graph *to = graph_like(ctx->arena, g);
	Node **copies = NEW_ARRAY(ctx->arena, Node *, g->count);
	for (int i = 0; i < g->count; i++) /* the model's interface, used or not, in its own order */
		if (node_is_input(g->nodes[i]) || node_is_param(g->nodes[i]) || node_is_state(g->nodes[i]))
			emit_node(to, g, copies, i);
	for (int i = 0; i < s.count; i++) {
		const Unit *u = &s.units[order[i]];
		for (int k = 0; k < u->nodes.count; k++)
			for (int x = 0; x < u->nodes.at[k]->operand_count; x++)
				if (s.unit[u->nodes.at[k]->operands[x]->id] != order[i])
					emit_node(to, g, copies, u->nodes.at[k]->operands[x]->id);
		for (int k = 0; k < u->nodes.count; k++)
			emit_node(to, g, copies, u->nodes.at[k]->id);
	}
	for (int i = 0; i < g->output_count; i++)
		graph_output(to, g->outputs[i].kind, g->outputs[i].name,
		             emit_node(to, g, copies, g->outputs[i].node->id));
	arena_free(s.arena);
	return to;
}
