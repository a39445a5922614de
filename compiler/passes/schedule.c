/* Orders the kernels. Operands come first; a kernel that overwrites a state comes after those that read it; among what
 * is ready, the kernel that leaves the least memory alive runs next. The graph's own order (forward, then backward in
 * reverse) is the fallback, and is kept when its peak is no higher.
 *
 * Must run after fuse. The result lists each group's nodes side by side, in the order of execution. */
#include "base/array.h"
#include "base/map.h"
#include "ops/op.h"
#include "passes/domain.h"
#include "passes/pass.h"

typedef ARRAY(int) IntList;
typedef ARRAY(Node *) NodeList;

/* A unit runs as one step: a group, or a node without one that computes something. */
typedef struct Unit {
	NodeList nodes;
	IntList before, after;           /* units that must run earlier, later */
	IntList soft_before, soft_after; /* readers of a state this unit overwrites */
	IntList reads;                   /* storages, without repeats */
	IntList writes;
	int waiting, soft_waiting;
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

static void add_once(Arena *a, IntList *list, int value)
{
	for (int i = 0; i < list->count; i++)
		if (list->at[i] == value)
			return;
	array_push(a, list, value);
}

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

static void link_units(Ordering *s)
{
	const Graph *g = s->g;
	for (int i = 0; i < g->count; i++) {
		Node *n = g->nodes[i];
		for (int k = 0; k < n->operand_count && s->unit[i] >= 0; k++) {
			int x = s->storage[n->operands[k]->id];
			int from = s->unit[x];
			if (from < 0 || from == s->unit[i])
				continue;
			add_once(s->arena, &s->units[s->unit[i]].before, from);
			add_once(s->arena, &s->units[from].after, s->unit[i]);
			add_once(s->arena, &s->units[s->unit[i]].reads, x);
			add_once(s->arena, &s->units[from].writes, x);
			/* what goes into a pack is computed in the pack's place */
			s->bytes[x] = node_is(n, "pack") ? 0 : type_bytes(g->nodes[x]->type);
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
			if (!node_is(x, "state"))
				continue;
			IntList *list = map_get(readers, node_text(x, "name"));
			if (!list)
				map_set(readers, node_text(x, "name"), list = NEW(s->arena, IntList));
			add_once(s->arena, list, s->unit[i]);
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
			add_once(s->arena, &s->units[writer].soft_before, list->at[i]);
			add_once(s->arena, &s->units[list->at[i]].soft_after, writer);
		}
	}
}

/* Bytes that running unit u now adds to what is alive. */
static int64_t growth(const Ordering *s, const Unit *u, const int *readers)
{
	int64_t bytes = 0;
	for (int i = 0; i < u->writes.count; i++)
		bytes += s->bytes[u->writes.at[i]];
	for (int i = 0; i < u->reads.count; i++)
		if (readers[u->reads.at[i]] == 1)
			bytes -= s->bytes[u->reads.at[i]];
	return bytes;
}

/* Fills order[] and returns the peak of live bytes. */
static int64_t list_schedule(Ordering *s, bool by_memory, int *order)
{
	int *readers = arena_copy(s->arena, s->readers, sizeof(int) * (size_t)s->g->count);
	int64_t live = 0, peak = 0;
	for (int u = 0; u < s->count; u++) {
		s->units[u].waiting = s->units[u].before.count;
		s->units[u].soft_waiting = s->units[u].soft_before.count;
		s->units[u].done = false;
	}
	for (int step = 0; step < s->count; step++) {
		int best = -1, fallback = -1;
		int64_t least = 0;
		for (int u = 0; u < s->count; u++) {
			if (s->units[u].done || s->units[u].waiting > 0)
				continue;
			if (fallback < 0)
				fallback = u;
			if (s->units[u].soft_waiting > 0)
				continue;
			int64_t more = by_memory ? growth(s, &s->units[u], readers) : 0;
			if (best < 0 || more < least) {
				best = u;
				least = more;
			}
			if (!by_memory)
				break;
		}
		Unit *u = &s->units[best >= 0 ? best : fallback];
		int64_t allocated = 0;
		for (int i = 0; i < u->writes.count; i++)
			allocated += s->bytes[u->writes.at[i]];
		peak = live + allocated > peak ? live + allocated : peak;
		live += growth(s, u, readers);
		for (int i = 0; i < u->reads.count; i++)
			readers[u->reads.at[i]]--;
		for (int i = 0; i < u->after.count; i++)
			s->units[u->after.at[i]].waiting--;
		for (int i = 0; i < u->soft_after.count; i++)
			s->units[u->soft_after.at[i]].soft_waiting--;
		u->done = true;
		order[step] = (int)(u - s->units);
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
		if (node_is(g->nodes[i], "input") || node_is(g->nodes[i], "param") ||
		    node_is(g->nodes[i], "state"))
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
