/* SPDX-License-Identifier: MIT */
/* Tables whose rows are put side by side, as one lookup in all of them.
 *
 *     concat(e(w1, i1), e(w2, i2), ..)    ->    e([w1; w2; ..], [i1; i2; ..], counts)
 *
 * A recommender, or a network over the columns of a table, has an embedding for each of its fields, dozens of kernels
 * of a few microseconds, and as many for the gradients. The tables stand side by side in the flat tensor of parameters,
 * so that one of all of them is there already (projections.h), and the operator looks up in several (ops/embed.c). So
 * there is one kernel in each direction, and where the indices are columns of one input, one that transposes them
 * instead of one that cuts each out.
 *
 * Joined are lookups of one row a sample, of tables of one width, in neighbouring operands of a concat of these rows.
 * What the data is checked for is lost with the single lookups, so an input that is looked up as it is keeps how many
 * rows there are. Must run before differentiate. */
#include "ir/op.h"
#include "passes/pass.h"
#include "rules/projections.h"

typedef struct Tables {
	const Op *lookup;
	const Graph *g;
	const int *uses;
	int64_t *
	        below; /* by id of an input: the rows of the smallest table that joined lookups read by it; 0: none */
} Tables;

/* The lookup of one row for each sample that x is, reshaped, and that nothing else reads; NULL: it is none. */
static const Node *lookup_of(const Tables *t, const Node *x)
{
	const Node *n = node_unshaped(x);
	if (n->op != t->lookup || node_attr(n, "counts"))
		return NULL;
	const Node *table = n->operands[0];
	const bool is_row = node_is_param(table) && !node_is_frozen(table) && t->uses[table->id] == 1 &&
	                    type_elements(n->operands[1]->type) == t->g->batch;
	for (const Node *at = x; is_row && t->uses[at->id] == 1; at = at->operands[0])
		if (at == n)
			return n;
	return NULL;
}

/* Whether what stands side by side along the axis are whole rows of samples. */
static bool is_row_beside(const Node *concat, const Node *x)
{
	const int64_t axis = node_int(concat, "axis");
	if (axis < 1 || x->type.dim[0] != concat->type.dim[0])
		return false;
	for (int i = 1; i < axis; i++)
		if (x->type.dim[i] != 1)
			return false;
	return true;
}

/* How many operands of the concat from `first` on are lookups that can be one; below 2: none are. */
static int run_from(const Tables *t, const Node *concat, int first)
{
	const Node *before = NULL;
	int count = 0;
	for (int i = first; i < concat->operand_count; i++, count++) {
		const Node *x = concat->operands[i], *n = lookup_of(t, x);
		if (!n || !is_row_beside(concat, x))
			break;
		if (before && (!params_are_neighbours(t->g, before->operands[0], n->operands[0]) ||
		               before->operands[0]->type.dim[1] != n->operands[0]->type.dim[1] ||
		               before->operands[1]->type.dtype != n->operands[1]->type.dtype))
			break;
		before = n;
	}
	return count;
}

static void note_rows(const Tables *t, const Node *lookup)
{
	const Node *input = node_unshaped(lookup->operands[1]);
	const int64_t rows = lookup->operands[0]->type.dim[0], known = t->below[input->id];
	if (node_is_input(input))
		t->below[input->id] = known == 0 || rows < known ? rows : known;
}

/* The matrix of which the indices are neighbouring columns, from *start on; NULL: they are of no one. */
static Node *columns_of(Node *const *indices, int count, int64_t *start)
{
	Node *x = NULL;
	for (int i = 0; i < count; i++) {
		const Node *n = node_unshaped(indices[i]);
		if (n->op->move != MOVE_SLICE || n->type.rank != 2 || node_int(n, "axis") != 1 ||
		    n->type.dim[1] != 1)
			return NULL;
		if (i == 0)
			*start = node_int(n, "start"), x = n->operands[0];
		if (n->operands[0] != x || node_int(n, "start") != *start + i)
			return NULL;
	}
	return x;
}

/* [tables, samples] */
static Node *index_of_all(Build *b, Node **indices, int count)
{
	int64_t start = 0;
	Node *x = columns_of(indices, count, &start);
	if (x) {
		if (x->type.dim[1] != count)
			x = build_slice(b, x, 1, start, count);
		return build_transpose(b, x, (int64_t[]){1, 0});
	}
	for (int i = 0; i < count; i++)
		indices[i] = build_reshape(b, indices[i], 2, (int64_t[]){1, b->graph->batch});
	return build_concat(b, 0, count, indices);
}

/* The lookups x[0] to x[count - 1] of the new graph as one, in the shape of what they are side by side. */
static Node *joined(Build *b, Node *const *x, int count, int64_t axis)
{
	Arena *a = b->graph->arena;
	Node **tables = NEW_ARRAY(a, Node *, count), **indices = NEW_ARRAY(a, Node *, count);
	int64_t *counts = NEW_ARRAY(a, int64_t, count);
	for (int i = 0; i < count; i++) {
		const Node *n = node_unshaped(x[i]);
		tables[i] = n->operands[0];
		indices[i] = n->operands[1];
		counts[i] = tables[i]->type.dim[0];
	}
	Node *all = build_concat(b, 0, count, tables);
	all->name = tables[0]->name;
	Attr attr = attr_ints("counts", counts, count);
	Node *y = build(b, "embedding", 2, (Node *[]){all, index_of_all(b, indices, count)}, 1, &attr);
	Type t = x[0]->type;
	t.dim[axis] *= count;
	return build_reshape(b, y, t.rank, t.dim);
}

/* The input, which says what its values are below. */
static Node *bounded(Graph *to, const Node *input, int64_t below)
{
	int count;
	const int64_t declared = node_int(input, "classes");
	const Attr attr = attr_int("classes", declared > 0 && declared < below ? declared : below);
	Attr *attrs = node_attrs_with(to->arena, input, attr, &count);
	return graph_leaf(to, "input", input->type, attrs, count, input->sites);
}

static Node *join_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	const Tables *t = data;
	if (node_is_input(n) && t->below[n->id] > 0)
		return bounded(to, n, t->below[n->id]);
	if (n->op->move != MOVE_CONCAT)
		return NULL;
	Build b = build_beside(to, n);
	const int64_t axis = node_int(n, "axis");
	Node **pieces = NEW_ARRAY(to->arena, Node *, n->operand_count);
	int count = 0;
	for (int i = 0, run; i<n->operand_count; i += run> 1 ? run : 1) {
		run = run_from(t, n, i);
		pieces[count++] = run > 1 ? joined(&b, operands + i, run, axis) : operands[i];
	}
	if (count == n->operand_count)
		return NULL;
	Node *y = count == 1 ? pieces[0] : build_concat(&b, axis, count, pieces);
	y->name = n->name;
	return y;
}

Graph *pass_join_tables(PassContext *ctx, const Graph *g)
{
	Tables t = {.lookup = op_find("embedding"),
	            .g = g,
	            .uses = graph_use_counts(ctx->arena, g),
	            .below = NEW_ARRAY(ctx->arena, int64_t, g->count)};
	bool any = false;
	for (int i = 0; i < g->count; i++)
		for (int k = 0, run;
		     g->nodes[i]->op->move == MOVE_CONCAT && k<g->nodes[i]->operand_count; k += run> 1 ? run
		                                                                                       : 1) {
			run = run_from(&t, g->nodes[i], k);
			for (int j = k; run > 1 && j < k + run; j++)
				note_rows(&t, lookup_of(&t, g->nodes[i]->operands[j]));
			if (run > 1)
				pass_remark(ctx, "%s: %d tables are one",
				            sites_text(ctx->arena, g->nodes[i]->sites, 3), run);
			any = any || run > 1;
		}
	return any ? graph_rewrite(ctx->arena, g, join_rule, &t) : (Graph *)g;
}
