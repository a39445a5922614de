/* SPDX-License-Identifier: MIT */
/* Drops of loops what nothing reads: yields, what is carried for itself alone, and operands. */
#include "ir/loop.h"

#include "ir/op.h"

#include <string.h>

typedef struct Prune {
	const Graph *g;
	bool **read; /* by node of `g`, of loops: by result */
	int **index; /* likewise: what became of the result */
	int changed;
} Prune;

/* By node of the body: it is needed for the results that are read. What is carried is, where a period reads it. */
static bool *live_nodes(Arena *a, const Loop *l, bool *read)
{
	const Graph *body = l->body;
	bool *live = NEW_ARRAY(a, bool, body->count), changed = true;
	while (changed) {
		changed = false;
		for (int i = 0; i < body->output_count; i++)
			live[body->outputs[i].node->id] = live[body->outputs[i].node->id] || read[i];
		for (int i = body->count - 1; i >= 0; i--) {
			const Node *n = body->nodes[i];
			for (int k = 0; live[i] && k < n->operand_count; k++)
				live[n->operands[k]->id] = true;
			const int64_t carried =
			        node_is_argument(n) ? node_int(n, "index") - l->sequences : -1;
			if (live[i] && carried >= 0 && carried < l->carried && !read[carried])
				changed = read[carried] = true;
		}
	}
	return live;
}

static Node *reindexed(Graph *body, const Node *argument, int index)
{
	const Attr attr = attr_int("index", index);
	Node *x = graph_leaf(body, "argument", argument->type, &attr, 1, argument->sites);
	x->name = argument->name;
	return x;
}

static Graph *pruned_body(Arena *a, const Loop *l, const bool *live, const bool *read, const int *argument)
{
	Graph *to = graph_like(a, l->body);
	Node **now = NEW_ARRAY(a, Node *, l->body->count);
	for (int i = 0; i < l->body->count; i++) {
		const Node *n = l->body->nodes[i];
		if (!live[i])
			continue;
		Node **operands = NEW_ARRAY(a, Node *, n->operand_count);
		for (int k = 0; k < n->operand_count; k++)
			operands[k] = now[n->operands[k]->id];
		now[i] = node_is_argument(n) ? reindexed(to, n, argument[node_int(n, "index")])
		                             : graph_copy_node(to, n, operands);
	}
	for (int i = 0; i < l->body->output_count; i++)
		if (read[i])
			graph_output(to, l->body->outputs[i].kind, l->body->outputs[i].name,
			             now[l->body->outputs[i].node->id]);
	return to;
}

static Node *prune_loop(Prune *p, Graph *to, const Node *n, Node **operands)
{
	Arena *a = to->arena;
	const Loop l = loop_of(n);
	bool *read = p->read[n->id], *needed = NEW_ARRAY(a, bool, n->operand_count);
	const bool *live = live_nodes(a, &l, read);
	for (int i = 0; i < l.body->count; i++)
		if (live[i] && node_is_argument(l.body->nodes[i]))
			needed[node_int(l.body->nodes[i], "index")] = true;
	int count = 0, kept[2] = {0}, results = 0;
	int *argument = NEW_ARRAY(a, int, n->operand_count);
	Node **left = NEW_ARRAY(a, Node *, n->operand_count);
	for (int i = 0; i < n->operand_count; i++) {
		const int carried = i - l.sequences;
		const bool is_carried = carried >= 0 && carried < l.carried;
		if (is_carried ? !read[carried] : !needed[i])
			continue;
		kept[0] += i < l.sequences;
		kept[1] += is_carried;
		argument[i] = count;
		left[count++] = operands[i];
	}
	for (int i = 0; i < l.carried + l.yields; i++)
		p->index[n->id][i] = read[i] ? results++ : -1;
	if (count == n->operand_count && results == l.carried + l.yields)
		return NULL;
	p->changed++;
	Attr *attrs = arena_copy(a, n->attrs, (size_t)n->attr_count * sizeof *attrs);
	for (int i = 0; i < n->attr_count; i++) {
		if (attrs[i].kind == ATTR_BODY)
			attrs[i].body = pruned_body(a, &l, live, read, argument);
		else if (strcmp(attrs[i].name, "sequences") == 0)
			attrs[i].i = kept[0];
		else if (strcmp(attrs[i].name, "carried") == 0)
			attrs[i].i = kept[1];
	}
	return graph_node(to, n->op, left, count, attrs, n->attr_count, n->sites, NULL);
}

static Node *prune_node(void *ctx, Graph *to, const Node *n, Node **operands)
{
	Prune *p = ctx;
	if (node_is_loop(n))
		return prune_loop(p, to, n, operands);
	if (!node_is_loop_result(n))
		return NULL;
	return graph_node_with(to, n, operands,
	                       attr_int("index", p->index[n->operands[0]->id][node_int(n, "index")]));
}

const Graph *graph_loops_pruned(Arena *a, const Graph *g)
{
	for (int changed = 1; changed > 0;) {
		g = graph_rewrite(a, g, NULL, NULL);
		Prune p = {.g = g,
		           .read = NEW_ARRAY(a, bool *, g->count),
		           .index = NEW_ARRAY(a, int *, g->count)};
		for (int i = 0; i < g->count; i++) {
			const Node *n = g->nodes[i];
			if (node_is_loop(n)) {
				p.read[i] = NEW_ARRAY(a, bool, loop_of(n).body->output_count);
				p.index[i] = NEW_ARRAY(a, int, loop_of(n).body->output_count);
			} else if (node_is_loop_result(n)) {
				p.read[n->operands[0]->id][node_int(n, "index")] = true;
			}
		}
		g = graph_rewrite(a, g, prune_node, &p);
		changed = p.changed;
	}
	return g;
}
