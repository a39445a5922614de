/* SPDX-License-Identifier: MIT */
/* The invariants of a graph, as code. ir/README.md lists them in the same order, with the reason of each. */
#include "ir/verify.h"

#include "base/map.h"
#include "ir/loop_kernel.h"
#include "ir/op.h"

#include <string.h>

bool broken(Verify *v, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	if (!v->why)
		v->why = arena_vprintf(v->arena, format, args);
	va_end(args);
	return false;
}

static bool broken_node(Verify *v, const Node *n, const char *what)
{
	return broken(v, "%%%d = %s: %s", n->id, n->op->name, what);
}

/* ---- one node */

static bool check_operands(Verify *v, const Node *n)
{
	for (int i = 0; i < n->operand_count; i++) {
		const Node *x = n->operands[i];
		if (!x || x->id < 0 || x->id >= v->g->count || v->g->nodes[x->id] != x)
			return broken_node(v, n, arena_printf(v->arena, "operand %d is of another graph", i));
		if (x->id >= n->id)
			return broken_node(v, n,
			                   arena_printf(v->arena, "operand %d does not stand above it", i));
		if (node_is_loop(x) && !node_is_loop_kernel(x) && !node_is(n, "result"))
			return broken_node(v, n, "a loop is read by `result` alone");
	}
	if (!op_takes(n->op, n->operand_count))
		return broken_node(v, n,
		                   arena_printf(v->arena, "it has %d operand%s", n->operand_count,
		                                n->operand_count == 1 ? "" : "s"));
	return true;
}

/* The kind of an attribute's value as a record's sample writes it: "3", "0.5", "[1,2]", "f64". */
static AttrKind sample_kind(const char *value)
{
	if (*value == '[')
		return ATTR_INTS;
	const char *end = value + (*value == '-');
	size_t digits = strspn(end, "0123456789");
	if (digits == 0)
		return ATTR_TEXT;
	return end[digits] == '.' || end[digits] == 'e' ? ATTR_REAL : ATTR_INT;
}

/* Shape rules read attributes without asking whether they are there. A sample of the record, "x=f32[2,3]
 * axis=1", says which these are: all words that don't stand for an operand. */
static bool check_attrs_complete(Verify *v, const Node *n)
{
	const char *sample = n->op->samples ? n->op->samples[0] : NULL;
	int operands = op_operand_count(n->op), skip = operands < 0 ? 1 : operands;
	for (const char *at = sample; at && *at; skip--) {
		size_t length = strcspn(at, " "), name = strcspn(at, "=");
		bool found = skip > 0;
		for (int i = 0; !found && i < n->attr_count; i++) {
			const Attr *attr = &n->attrs[i];
			found = strncmp(attr->name, at, name) == 0 && !attr->name[name] &&
			        attr->kind == sample_kind(at + name + 1);
		}
		if (!found)
			return broken_node(v, n,
			                   arena_printf(v->arena, "an attribute like `%.*s` is missing",
			                                (int)length, at));
		at += length + strspn(at + length, " ");
	}
	return true;
}

static bool check_attrs(Verify *v, const Node *n)
{
	for (int i = 1; i < n->attr_count; i++) {
		if (strcmp(n->attrs[i - 1].name, n->attrs[i].name) >= 0)
			return broken_node(v, n, "its attributes are not sorted by name, without repeats");
	}
	return check_attrs_complete(v, n);
}

static char *verify_part(Arena *a, const Graph *g, bool is_body);

static bool check_body(Verify *v, const Node *n, const Graph *body)
{
	if (body->batch != v->g->batch || body->training != v->g->training)
		return broken_node(v, n, "its body is of another batch");
	const char *why = verify_part(v->arena, body, true);
	return !why || broken_node(v, n, arena_printf(v->arena, "in its body: %s", why));
}

static bool check_type(Verify *v, const Node *n)
{
	Type t;
	if (!type_make(n->type.dtype, n->type.rank, n->type.dim, &t))
		return broken_node(v, n, "its type is not valid");
	if (node_is_leaf(n))
		return true;
	const char *why;
	if (node_is_loop(n) && !check_body(v, n, node_attr(n, "body")->body))
		return false;
	if (!op_infer(v->g, n->op, n->operand_count, n->operands, n->attr_count, n->attrs, &t, &why))
		return broken_node(v, n, why);
	if (!type_equal(t, n->type))
		return broken_node(v, n,
		                   arena_printf(v->arena, "its type is %s, but its operands give %s",
		                                type_text(v->arena, n->type), type_text(v->arena, t)));
	return true;
}

/* What leaves are made with, and passes and emitters ask for. */
static const struct {
	const char *op, *attr;
	AttrKind kind;
} leaf_attrs[] = {
        {"input", "name", ATTR_TEXT},  {"input", "role", ATTR_TEXT},     {"input", "classes", ATTR_INT},
        {"param", "name", ATTR_TEXT},  {"param", "init", ATTR_TEXT},     {"param", "a", ATTR_REAL},
        {"param", "decay", ATTR_INT},  {"state", "name", ATTR_TEXT},     {"state", "value", ATTR_REAL},
        {"scalar", "name", ATTR_TEXT}, {"constant", "value", ATTR_REAL}, {"argument", "index", ATTR_INT},
};

static bool check_leaf_attrs(Verify *v, const Node *n)
{
	for (size_t i = 0; i < sizeof leaf_attrs / sizeof *leaf_attrs; i++) {
		const Attr *attr = node_attr(n, leaf_attrs[i].attr);
		if (node_is(n, leaf_attrs[i].op) && (!attr || attr->kind != leaf_attrs[i].kind))
			return broken_node(v, n,
			                   arena_printf(v->arena, "it has no `%s`, or one of another kind",
			                                leaf_attrs[i].attr));
	}
	return true;
}

static bool check_leaf(Verify *v, Map *names, const Node *n)
{
	if (!check_leaf_attrs(v, n))
		return false;
	if (node_is_constant(n))
		return n->type.rank == 0 || broken_node(v, n, "a constant is a scalar");
	if (node_is_argument(n) != v->is_body)
		return broken_node(v, n,
		                   v->is_body ? "it belongs outside of the body"
		                              : "it belongs in the body of a loop");
	if (v->is_body) /* the loop's shape rule compares an argument with the operand */
		return true;
	const Attr *attr = node_attr(n, "name");
	if (node_is_scalar(n) && n->type.rank != 0)
		return broken_node(v, n, "a scalar given by the host has rank 0");
	bool transposed = node_is_transposed(n);
	if (transposed && (!node_is_input(n) || n->type.rank != 2 || n->type.dim[1] != v->g->batch))
		return broken_node(v, n, "dimension 1 of two of a transposed input is the batch");
	if (node_is_input(n) && !transposed && (n->type.rank == 0 || n->type.dim[0] != v->g->batch))
		return broken_node(v, n, "dimension 0 of an input is the batch");
	if (node_is_rounded(n) && (!node_is_input(n) || n->type.dtype != DTYPE_F32))
		return broken_node(v, n, "only an input of f32 is rounded");
	const char *key =
	        arena_printf(v->arena, "%s%s %s", n->op->name, transposed ? " transposed" : "", attr->s);
	if (map_get(names, key))
		return broken_node(v, n, arena_printf(v->arena, "there are two named `%s`", attr->s));
	map_set(names, key, (void *)n);
	return true;
}

static bool check_nodes(Verify *v, Map *leaves)
{
	for (int i = 0; i < v->g->count; i++) {
		const Node *n = v->g->nodes[i];
		if (n->id != i)
			return broken(v, "node %d has the id %d", i, n->id);
		if (!check_operands(v, n) || !check_attrs(v, n) || !check_type(v, n))
			return false;
		if (node_is_leaf(n) && !check_leaf(v, leaves, n))
			return false;
	}
	return true;
}

/* ---- outputs */

/* An OUTPUT_STATE or OUTPUT_GRADIENT belongs to a leaf of its name and shape. */
static bool check_belongs(Verify *v, Map *leaves, const Output *o, const char *leaf_op)
{
	const Node *leaf = map_get(leaves, arena_printf(v->arena, "%s %s", leaf_op, o->name));
	if (!leaf)
		return broken(v, "there is no %s `%s` for an output of that name", leaf_op, o->name);
	if (!type_equal(leaf->type, o->node->type))
		return broken(v, "the output for %s `%s` is %s, the %s itself %s", leaf_op, o->name,
		              type_text(v->arena, o->node->type), leaf_op, type_text(v->arena, leaf->type));
	return true;
}

/* Per sample, or the mean over the batch that differentiate makes of it in a training graph. */
static bool check_mean(Verify *v, const Output *o)
{
	Type t = o->node->type;
	bool mean = t.rank == 0 && v->g->training, per_sample = t.rank == 1 && t.dim[0] == v->g->batch;
	if (!dtype_is_real(t.dtype) || (!mean && !per_sample))
		return broken(v, "the loss or metric `%s` is %s, not a number per sample%s", o->name,
		              type_text(v->arena, t), v->g->training ? " or their mean" : "");
	return true;
}

static bool check_output(Verify *v, Map *leaves, const Output *o)
{
	const Node *n = o->node;
	if (!n || n->id < 0 || n->id >= v->g->count || v->g->nodes[n->id] != n)
		return broken(v, "the output `%s` is a node of another graph", o->name);
	if ((o->kind == OUTPUT_CARRIED || o->kind == OUTPUT_YIELD) != v->is_body)
		return broken(v, "the output `%s` is not of the kinds that a %s has", o->name,
		              v->is_body ? "loop's body" : "graph");
	if (node_is_loop(n) && !node_is_loop_kernel(n))
		return broken(v, "the output `%s` is a loop, of which the results are read", o->name);
	switch (o->kind) {
	case OUTPUT_LOSS:
	case OUTPUT_METRIC:
		return check_mean(v, o);
	case OUTPUT_COUNT:
		if (!graph_find_output(v->g, OUTPUT_METRIC, o->name))
			return broken(v, "there is no metric `%s` for a count of that name", o->name);
		return check_mean(v, o);
	case OUTPUT_STATE:
		return check_belongs(v, leaves, o, "state");
	case OUTPUT_GRADIENT:
		return check_belongs(v, leaves, o, "param");
	case OUTPUT_MEASURED:
		if (n->type.rank != 2 || n->type.dim[0] != v->g->batch || !dtype_is_real(n->type.dtype))
			return broken(v, "what `%s` measures is %s, not a row of numbers per sample", o->name,
			              type_text(v->arena, n->type));
		return true;
	case OUTPUT_VALUE:
	case OUTPUT_CARRIED:
	case OUTPUT_YIELD:
		return true;
	}
	return broken(v, "the output `%s` is of no known kind", o->name);
}

static bool check_outputs(Verify *v, Map *leaves)
{
	Map *seen = map_new(v->arena);
	for (int i = 0; i < v->g->output_count; i++) {
		const Output *o = &v->g->outputs[i];
		if (!check_output(v, leaves, o))
			return false;
		const char *key =
		        arena_printf(v->arena, "%d %s", (int)o->kind, o->kind == OUTPUT_LOSS ? "" : o->name);
		if (map_get(seen, key))
			return broken(v, "there are two outputs `%s` of one kind", o->name);
		map_set(seen, key, (void *)o);
	}
	return true;
}

/* ---- groups: with each group contracted to one vertex the graph must still have no cycle, or no order of
 * kernels exists. A vertex is taken at its last node when everything it reads from outside is taken. Passes
 * leave groups nearly in order, so a few sweeps take all. */

static bool check_groups(Verify *v)
{
	const Graph *g = v->g;
	int count = 0, progress;
	for (int i = 0; i < g->count; i++) {
		int group = g->nodes[i]->group;
		if (group < NO_GROUP || group > LIMIT_SCANNED_NODES)
			return broken_node(v, g->nodes[i], "its group is out of range");
		count = group >= count ? group + 1 : count;
	}
	if (count == 0)
		return true;
	int *vertex = NEW_ARRAY(v->arena, int, g->count), *last = NEW_ARRAY(v->arena, int, count + g->count);
	for (int i = 0; i < g->count; i++) {
		vertex[i] = g->nodes[i]->group == NO_GROUP ? count + i : g->nodes[i]->group;
		last[vertex[i]] = i;
	}
	bool *taken = NEW_ARRAY(v->arena, bool, count + g->count);
	bool *blocked = NEW_ARRAY(v->arena, bool, count + g->count);
	do {
		memset(blocked, 0, (size_t)(count + g->count) * sizeof *blocked);
		progress = 0;
		for (int i = 0; i < g->count; i++) {
			for (int k = 0; k < g->nodes[i]->operand_count; k++) {
				int from = vertex[g->nodes[i]->operands[k]->id];
				if (from != vertex[i] && !taken[from])
					blocked[vertex[i]] = true;
			}
			if (last[vertex[i]] == i && !blocked[vertex[i]] && !taken[vertex[i]]) {
				taken[vertex[i]] = true;
				progress++;
			}
		}
	} while (progress > 0);
	for (int i = 0; i < g->count; i++) {
		if (!taken[vertex[i]] && g->nodes[i]->group != NO_GROUP)
			return broken_node(v, g->nodes[i],
			                   "its group is not convex: a value leaves it and comes back");
	}
	return true;
}

static char *verify_part(Arena *a, const Graph *g, bool is_body)
{
	Verify v = {.arena = a, .g = g, .is_body = is_body};
	Map *leaves = map_new(a);
	if (check_nodes(&v, leaves) && check_outputs(&v, leaves))
		check_groups(&v);
	return v.why;
}

char *graph_verify(Arena *a, const Graph *g)
{
	return verify_part(a, g, false);
}
