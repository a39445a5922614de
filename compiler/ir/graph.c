/* SPDX-License-Identifier: MIT */
/* Graphs and their nodes: making, copying, rewriting and asking. ir/graph.h.
 *
 * A node made from another shares its attributes, name and sites: a graph lives no longer than the graphs it
 * was made from. In the compiler all of them are in one arena. */
#include "ir/graph.h"

#include "base/array.h"
#include "ir/op.h"

#include <stdlib.h>
#include <string.h>

Graph *graph_new(Arena *a, const char *name, bool training, int64_t batch)
{
	Graph *g = NEW(a, Graph);
	g->arena = a;
	g->name = name;
	g->training = training;
	g->batch = batch;
	g->limit = LIMIT_NODES;
	return g;
}

Graph *graph_like(Arena *a, const Graph *g)
{
	Graph *like = graph_new(a, g->name, g->training, g->batch);
	like->full = g->full;
	like->limit = g->limit;
	return like;
}

void graph_repeats(Graph *g, int count)
{
	enum { ROOM = 8 }; /* nodes of a training step, for each that the network is written with */
	const int64_t limit = g->limit + (int64_t)ROOM * count;
	g->limit = limit < LIMIT_SCANNED_NODES ? (int)limit : LIMIT_SCANNED_NODES;
}

void graph_output(Graph *g, OutputKind kind, const char *name, Node *node)
{
	require(node && node->id < g->count && g->nodes[node->id] == node);
	if (g->output_count == g->output_room)
		g->outputs = array_grow(g->arena, g->outputs, &g->output_room, sizeof *g->outputs);
	g->outputs[g->output_count++] = (Output){kind, name, node};
}

Node *graph_find_output(const Graph *g, OutputKind kind, const char *name)
{
	for (int i = 0; i < g->output_count; i++) {
		const Output *o = &g->outputs[i];
		if (o->kind == kind && (!name || strcmp(o->name, name) == 0))
			return o->node;
	}
	return NULL;
}

Node *graph_find_leaf(Graph *g, const char *op, const char *name)
{
	if (!g->leaves)
		g->leaves = map_new(g->arena);
	for (; g->leaves_of < g->count; g->leaves_of++) {
		Node *n = g->nodes[g->leaves_of];
		const Attr *named = node_is_leaf(n) ? node_attr(n, "name") : NULL;
		const char *key = named ? arena_printf(g->arena, "%s %s", n->op->name, named->s) : NULL;
		if (key && !map_get(g->leaves, key))
			map_set(g->leaves, key, n);
	}
	return map_get(g->leaves, arena_printf(g->arena, "%s %s", op, name));
}

/* ---- making nodes */

static int attr_order(const void *x, const void *y)
{
	return strcmp(((const Attr *)x)->name, ((const Attr *)y)->name);
}

static const Attr *attrs_copy(Arena *a, const Attr *attrs, int count)
{
	if (count == 0)
		return NULL;
	Attr *copy = arena_copy(a, attrs, (size_t)count * sizeof *attrs);
	for (int i = 0; i < count; i++) {
		if (copy[i].kind == ATTR_TEXT)
			copy[i].s = arena_strdup(a, copy[i].s);
		if (copy[i].kind == ATTR_INTS)
			copy[i].ints = arena_copy(a, copy[i].ints, (size_t)copy[i].count * sizeof(int64_t));
	}
	qsort(copy, (size_t)count, sizeof *copy, attr_order);
	for (int i = 1; i < count; i++)
		require(strcmp(copy[i - 1].name, copy[i].name) != 0);
	return copy;
}

/* Inside passes a mistake of the user's is none to go on from, but the limit is still the user's to meet. Where the
 * node that is too many has no place, one that was made before it has. */
static _Noreturn void graph_is_full(const Graph *g, const Site *site)
{
	for (int i = g->count - 1; i >= 0 && !site; i--)
		site = g->nodes[i]->sites.count ? g->nodes[i]->sites.at[0] : NULL;
	const char *what = g->training ? "the training step" : "the evaluation";
	if (!g->full)
		fail(EXIT_SOURCE, "%s of model `%s` has more than %d operations", what, g->name, g->limit);
	diag_error(g->full, site ? site->loc : loc_none(), "too-many-nodes",
	           "%s of model `%s` has more than %d operations", what, g->name, g->limit);
	if (site)
		diag_site_notes(g->full, site);
	diag_help(g->full,
	          "that counts what layers are made of%s, at each step of a scan: take fewer layers or "
	          "steps, or simpler ones",
	          g->training ? ", and all gradients" : "");
	diagnostics_finish(g->full);
	exit(EXIT_SOURCE);
}

/* False, after a diagnostic, when the graph is full. */
static bool graph_has_room(Graph *g, const Site *site)
{
	if (g->count < g->limit)
		return true;
	if (!g->diag)
		graph_is_full(g, site);
	diag_error(g->diag, site ? site->loc : loc_none(), "too-many-nodes",
	           "model `%s` has more than %d operations once its blocks are expanded", g->name, g->limit);
	if (site)
		diag_site_notes(g->diag, site);
	return false;
}

static Node *graph_append(Graph *g, Node n, Node *const *operands)
{
	Node *node = NEW(g->arena, Node);
	*node = n;
	node->id = g->count;
	node->operands = NULL;
	if (n.operand_count > 0)
		node->operands = arena_copy(g->arena, operands, (size_t)n.operand_count * sizeof *operands);
	if (g->count == g->room)
		g->nodes = array_grow(g->arena, g->nodes, &g->room, sizeof *g->nodes);
	g->nodes[g->count++] = node;
	return node;
}

static void require_operands(const Graph *g, Node *const *operands, int count)
{
	for (int i = 0; i < count; i++) {
		const Node *x = operands[i];
		require(x && x->id < g->count && g->nodes[x->id] == x);
	}
}

Node *graph_node(Graph *g, const Op *op, Node *const *operands, int operand_count, const Attr *attrs,
                 int attr_count, Sites sites, const Site *site)
{
	require_operands(g, operands, operand_count);
	require(op_takes(op, operand_count));
	if (!op->infer)
		bug("operator `%s` has no shape rule, so no node can be made of it", op->name);
	const Attr *copied = attrs_copy(g->arena, attrs, attr_count);
	Infer in = {
	        .graph = g,
	        .op = op,
	        .operand_count = operand_count,
	        .operands = operands,
	        .attr_count = attr_count,
	        .attrs = copied,
	        .site = site,
	};
	if (!op->infer(&in) || !graph_has_room(g, site))
		return NULL;
	Node n = {
	        .op = op,
	        .type = in.result,
	        .operand_count = operand_count,
	        .attr_count = attr_count,
	        .attrs = copied,
	        .sites = sites,
	        .group = NO_GROUP,
	};
	return graph_append(g, n, operands);
}

Node *graph_leaf(Graph *g, const char *op, Type type, const Attr *attrs, int attr_count, Sites sites)
{
	const Op *record = op_find(op);
	if (!record || !(record->flags & OP_LEAF))
		bug("`%s` is not a leaf operator", op);
	if (!graph_has_room(g, sites.count ? sites.at[0] : NULL))
		return NULL;
	Node n = {
	        .op = record,
	        .type = type,
	        .attr_count = attr_count,
	        .attrs = attrs_copy(g->arena, attrs, attr_count),
	        .sites = sites,
	        .group = NO_GROUP,
	};
	const Attr *name = node_attr(&n, "name");
	if (name)
		n.name = name->s;
	return graph_append(g, n, NULL);
}

Node *graph_copy_node(Graph *g, const Node *n, Node *const *operands)
{
	require_operands(g, operands, n->operand_count);
	if (!graph_has_room(g, n->sites.count ? n->sites.at[0] : NULL))
		return NULL;
	Node copy = *n;
	copy.counted = NULL; /* nodes of the other graph */
	copy.begun = NULL;
	return graph_append(g, copy, operands);
}

/* ---- rewriting */

/* The interface of a step stays even where nothing reads it: the runtime fills every input, and every
 * parameter and state has a place in its block. */
static bool is_interface(const Node *n)
{
	return node_is_input(n) || node_is_param(n) || node_is_state(n);
}

void graph_keep(Graph *g, const bool *kept)
{
	int count = 0;
	for (int i = 0; i < g->count; i++) {
		if (!kept[i])
			continue;
		g->nodes[count] = g->nodes[i];
		g->nodes[count]->id = count;
		count++;
	}
	g->count = count;
	g->leaves = NULL;
	g->leaves_of = 0;
}

static void graph_sweep(Graph *g)
{
	Arena *scratch = arena_new();
	bool *live = NEW_ARRAY(scratch, bool, g->count);
	for (int i = 0; i < g->output_count; i++)
		live[g->outputs[i].node->id] = true;
	for (int i = g->count - 1; i >= 0; i--) {
		const Node *n = g->nodes[i];
		live[i] = live[i] || is_interface(n);
		for (int k = 0; live[i] && k < n->operand_count; k++)
			live[n->operands[k]->id] = true;
	}
	graph_keep(g, live);
	arena_free(scratch);
}

Graph *graph_rewrite(Arena *a, const Graph *g, RewriteRule *rule, void *ctx)
{
	Graph *to = graph_like(a, g);
	to->room = g->count + 1;
	to->nodes = NEW_ARRAY(a, Node *, to->room);
	Arena *scratch = arena_new();
	Node **now = NEW_ARRAY(scratch, Node *, g->count);
	int most = 1;
	for (int i = 0; i < g->count; i++) {
		if (g->nodes[i]->operand_count > most)
			most = g->nodes[i]->operand_count;
	}
	Node **operands = NEW_ARRAY(scratch, Node *, most);
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		for (int k = 0; k < n->operand_count; k++)
			operands[k] = now[n->operands[k]->id];
		const int made = to->count;
		Node *r = rule ? rule(ctx, to, n, operands) : NULL;
		if (!r &&
		    (node_is_param(n) || node_is_state(n))) /* a rule may have made it ahead of its place */
			r = graph_find_leaf(to, n->op->name, node_text(n, "name"));
		if (!r)
			r = graph_copy_node(to, n, operands);
		else if (!node_is_leaf(r)) {
			r->sites = sites_union(a, r->sites, n->sites);
			if (!r->name)
				r->name = n->name;
			if (r->id >= made && !r->of)
				r->of = n->of;
			if (r->id >= made && !r->called) {
				r->called = n->called;
				r->is_gradient = n->is_gradient;
			}
		}
		now[i] = r;
	}
	graph_copy_outputs(to, g, now);
	arena_free(scratch);
	graph_sweep(to);
	return to;
}

static const Attr *attrs_moved(Arena *a, const Node *n)
{
	const Attr *attrs = attrs_copy(a, n->attrs, n->attr_count);
	for (int i = 0; i < n->attr_count; i++)
		if (attrs[i].kind == ATTR_BODY)
			((Attr *)attrs)[i].body = graph_move(a, attrs[i].body);
	return attrs;
}

Graph *graph_move(Arena *a, const Graph *g)
{
	Graph *to = graph_like(a, g);
	to->room = g->count + 1;
	to->nodes = NEW_ARRAY(a, Node *, to->room);
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		Node *copy = arena_copy(a, n, sizeof *n);
		copy->operands = NEW_ARRAY(a, Node *, n->operand_count);
		for (int k = 0; k < n->operand_count; k++)
			copy->operands[k] = to->nodes[n->operands[k]->id];
		copy->attrs = attrs_moved(a, n);
		copy->name = n->name ? arena_strdup(a, n->name) : NULL;
		copy->of = n->of ? arena_strdup(a, n->of) : NULL;
		copy->called = n->called ? arena_strdup(a, n->called) : NULL;
		copy->sites.at = arena_copy(a, n->sites.at, (size_t)n->sites.count * sizeof *n->sites.at);
		to->nodes[to->count++] = copy;
	}
	for (int i = 0; i < g->output_count; i++)
		graph_output(to, g->outputs[i].kind, arena_strdup(a, g->outputs[i].name),
		             to->nodes[g->outputs[i].node->id]);
	return to;
}

void graph_copy_outputs(Graph *to, const Graph *g, Node *const *copies)
{
	for (int i = 0; i < g->output_count; i++)
		graph_output(to, g->outputs[i].kind, g->outputs[i].name, copies[g->outputs[i].node->id]);
}

/* ---- asking */

NodeList *graph_users(Arena *a, const Graph *g)
{
	NodeList *users = NEW_ARRAY(a, NodeList, g->count);
	for (int i = 0; i < g->count; i++)
		for (int k = 0; k < g->nodes[i]->operand_count; k++)
			array_push(a, &users[g->nodes[i]->operands[k]->id], g->nodes[i]);
	return users;
}

bool *graph_outputs(Arena *a, const Graph *g)
{
	bool *is_output = NEW_ARRAY(a, bool, g->count);
	for (int i = 0; i < g->output_count; i++)
		is_output[g->outputs[i].node->id] = true;
	return is_output;
}

NodeList nodes_merged(Arena *a, const NodeList *x, const NodeList *y)
{
	NodeList all = {0};
	for (int i = 0, k = 0; i < x->count || k < y->count;) {
		bool first = k == y->count || (i < x->count && x->at[i]->id < y->at[k]->id);
		array_push(a, &all, first ? x->at[i++] : y->at[k++]);
	}
	return all;
}

NodeList *graph_groups(Arena *a, const Graph *g)
{
	NodeList *groups = NEW_ARRAY(a, NodeList, g->count + 1);
	for (int i = 0; i < g->count; i++)
		if (g->nodes[i]->group != NO_GROUP)
			array_push(a, &groups[g->nodes[i]->group], g->nodes[i]);
	return groups;
}

int *graph_use_counts(Arena *a, const Graph *g)
{
	int *uses = NEW_ARRAY(a, int, g->count);
	for (int i = 0; i < g->count; i++) {
		for (int k = 0; k < g->nodes[i]->operand_count; k++)
			uses[g->nodes[i]->operands[k]->id]++;
	}
	for (int i = 0; i < g->output_count; i++)
		uses[g->outputs[i].node->id]++;
	return uses;
}

void graph_sources(const Graph *g, bool *of_batch, bool *of_weights)
{
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		of_batch[i] = node_is_input(n) || node_is_scalar(n) || (n->op->flags & OP_SEEDED);
		of_weights[i] = node_is_param(n) || node_is_state(n);
		for (int k = 0; k < n->operand_count; k++) {
			of_batch[i] = of_batch[i] || of_batch[n->operands[k]->id];
			of_weights[i] = of_weights[i] || of_weights[n->operands[k]->id];
		}
	}
}

const Attr *attr_find(const Attr *attrs, int count, const char *name)
{
	for (int i = 0; i < count; i++)
		if (strcmp(attrs[i].name, name) == 0)
			return &attrs[i];
	return NULL;
}

const Attr *node_attr(const Node *n, const char *name)
{
	return attr_find(n->attrs, n->attr_count, name);
}

Attr *node_attrs_with(Arena *a, const Node *n, Attr attr, int *count)
{
	Attr *attrs = NEW_ARRAY(a, Attr, n->attr_count + 1);
	*count = 0;
	for (int i = 0; i < n->attr_count; i++)
		if (strcmp(n->attrs[i].name, attr.name) != 0)
			attrs[(*count)++] = n->attrs[i];
	attrs[(*count)++] = attr;
	return attrs;
}

Node *graph_node_with(Graph *to, const Node *n, Node **operands, Attr attr)
{
	int count;
	Attr *attrs = node_attrs_with(to->arena, n, attr, &count);
	Node *copy = graph_node(to, n->op, operands, n->operand_count, attrs, count, n->sites, NULL);
	copy->name = n->name;
	copy->of = n->of;
	copy->called = n->called;
	copy->is_gradient = n->is_gradient;
	copy->group = n->group;
	return copy;
}

static const Attr *need_attr(const Node *n, const char *name, AttrKind kind)
{
	const Attr *attr = node_attr(n, name);
	if (!attr || attr->kind != kind)
		bug("node %%%d = %s has no attribute `%s` of the kind asked for", n->id, n->op->name, name);
	return attr;
}

int64_t node_int(const Node *n, const char *name)
{
	return need_attr(n, name, ATTR_INT)->i;
}

double node_real(const Node *n, const char *name)
{
	return need_attr(n, name, ATTR_REAL)->f;
}

const char *node_text(const Node *n, const char *name)
{
	return need_attr(n, name, ATTR_TEXT)->s;
}

const int64_t *node_ints(const Node *n, const char *name, int *count)
{
	const Attr *attr = need_attr(n, name, ATTR_INTS);
	*count = attr->count;
	return attr->ints;
}

bool node_is(const Node *n, const char *op_name)
{
	return strcmp(n->op->name, op_name) == 0;
}

bool node_is_leaf(const Node *n)
{
	return n->op->flags & OP_LEAF;
}

bool node_is_input(const Node *n)
{
	return n->op->leaf == LEAF_INPUT;
}

bool node_is_target(const Node *n)
{
	return node_is_input(n) && strcmp(node_text(n, "role"), "target") == 0;
}

bool node_is_param(const Node *n)
{
	return n->op->leaf == LEAF_PARAM;
}

bool node_is_state(const Node *n)
{
	return n->op->leaf == LEAF_STATE;
}

bool node_is_scalar(const Node *n)
{
	return n->op->leaf == LEAF_SCALAR;
}

bool node_is_constant(const Node *n)
{
	return n->op->leaf == LEAF_CONSTANT;
}

bool node_is_argument(const Node *n)
{
	return n->op->leaf == LEAF_ARGUMENT;
}

Node *node_called(Node *n, const char *called)
{
	if (n && !node_is_leaf(n) && !n->called)
		n->called = called;
	return n;
}

void node_called_from(Node *n, int first, const char *called)
{
	while (n && n->id >= first) {
		node_called(n, called);
		n = (n->op->flags & OP_ALIAS) ? n->operands[0] : NULL;
	}
}

const char *node_word(const Node *n)
{
	return n->called ? n->called : n->op->name;
}

bool node_is_frozen(const Node *param)
{
	return node_is_param(param) && node_attr(param, "frozen");
}

bool node_is_flat(const Node *param)
{
	if (param->op->flags & OP_ALIAS && node_attr(param, "offset") && node_is_state(param->operands[0]))
		return strcmp(node_text(param->operands[0], "name"), "params") == 0;
	return node_is_param(param) && node_attr(param, "offset") && !node_attr(param, "frozen");
}

bool node_is_placed(const Node *param)
{
	return node_is_flat(param) || (node_is_frozen(param) && node_attr(param, "offset"));
}

bool node_is_transposed(const Node *input)
{
	return node_attr(input, "transposed") != NULL;
}

const Node *node_viewed(const Node *n)
{
	while (n->group == NO_GROUP && (n->op->flags & OP_ALIAS))
		n = n->operands[0];
	return n;
}

const Node *node_whole(const Node *n)
{
	while (n->group == NO_GROUP && (n->op->flags & OP_ALIAS) &&
	       type_elements(n->type) == type_elements(n->operands[0]->type))
		n = n->operands[0];
	return n;
}

const Node *node_unaliased(const Node *n)
{
	while (n->op->flags & OP_ALIAS)
		n = n->operands[0];
	return n;
}

const Node *node_unshaped(const Node *n)
{
	while (n->op->flags & OP_RESHAPES)
		n = n->operands[0];
	return n;
}

bool axes_exchange(const int64_t *axes, int count, int i, int k)
{
	bool exchange = true;
	for (int d = 0; d < count; d++)
		exchange = exchange && axes[d] == (d == i ? k : d == k ? i : d);
	return exchange;
}

bool node_exchanges(const Node *n, int i, int k)
{
	const Attr *axes = n->op->move == MOVE_TRANSPOSE ? node_attr(n, "axes") : NULL;
	return axes && i >= 0 && i < axes->count && k < axes->count &&
	       axes_exchange(axes->ints, axes->count, i, k);
}

Node *node_turned_from(const Node *x)
{
	const Node *t = node_unshaped(x);
	const int end = t->type.rank - 1, last = x->type.rank - 1;
	return last > 0 && node_exchanges(t, end - 1, end) && t->type.dim[end] == x->type.dim[last] &&
	                       t->type.dim[end - 1] == x->type.dim[last - 1]
	               ? t->operands[0]
	               : NULL;
}

bool node_is_rounded(const Node *input)
{
	return node_attr(input, "rounded") != NULL;
}

/* Reals are compared by their bits: 0 and -0 differ, a NaN equals itself. */
bool attr_equal(const Attr *x, const Attr *y)
{
	if (x->kind != y->kind)
		return false;
	switch (x->kind) {
	case ATTR_INT:
		return x->i == y->i;
	case ATTR_REAL:
		return memcmp(&x->f, &y->f, sizeof x->f) == 0;
	case ATTR_TEXT:
		return strcmp(x->s, y->s) == 0;
	case ATTR_INTS:
		return x->count == y->count &&
		       (x->count == 0 || memcmp(x->ints, y->ints, (size_t)x->count * sizeof(int64_t)) == 0);
	case ATTR_BODY:
		return x->body == y->body;
	}
	return false;
}

bool nodes_alike(const Node *a, const Node *b)
{
	bool alike = a->op == b->op && a->operand_count == b->operand_count &&
	             a->attr_count == b->attr_count && type_equal(a->type, b->type);
	for (int i = 0; alike && i < a->attr_count; i++)
		alike = strcmp(a->attrs[i].name, b->attrs[i].name) == 0 &&
		        attr_equal(&a->attrs[i], &b->attrs[i]);
	return alike;
}

bool nodes_same_value(const Node *a, const Node *b)
{
	bool same = nodes_alike(a, b);
	for (int i = 0; same && i < a->operand_count; i++)
		same = a->operands[i]->id == b->operands[i]->id;
	return same;
}
