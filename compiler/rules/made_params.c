/* SPDX-License-Identifier: MIT */
/* What stands side by side in the flat tensor of parameters, computed with as one (projections.h): make_NAME is
 * `-> @NAME(...)`.
 *
 * Dense layers of one tensor that are put side by side, or read element by element as in a gated branch (Shazeer: GLU
 * variants improve transformer, 2020):
 *
 *     silu(x W^T)*(x V^T)    ->    y = x [W; V]^T;  silu(y[.., first half])*(y[.., second half])
 *
 * x is read once, its gradient is one product instead of two and a sum, and what is pointwise reads and writes its
 * columns where they are: so both values have nothing but pointwise readers, and columns that are a multiple of a
 * vector. An activation that a library's product has in its epilogue stays with its own product, unless it is of a
 * gate; so do products of an x that is small.
 *
 * Tables whose rows are put side by side:
 *
 *     concat(e(w1, i1), e(w2, i2), ..)    ->    e([w1; w2; ..], [i1; i2; ..], counts)
 *
 * A recommender, or a network over the columns of a table, has an embedding for each of its fields, dozens of kernels
 * of a few microseconds, and as many for the gradients. The operator looks up in several tables (ops/embed.c), so there
 * is one kernel in each direction, and where the indices are columns of one input, one that transposes them instead of
 * one that cuts each out. Joined are lookups of one row a sample, of tables of one width, in neighbouring operands. */
#include "base/checked.h"
#include "ir/op.h"
#include "ir/recipe.h"
#include "ops/compose.h"
#include "rules/projections.h"
#include "rules/rules.h"
#include "target/activation.h"
#include "target/target.h"

RuleMaker make_layers_beside, make_layers_of_one, make_tables_beside, make_aligned_product,
        make_range_of_params;

enum {
	LEAST_ELEMENTS = 1 << 14, /* of x */
	VECTOR = 8,               /* columns */
	MOST = 8,                 /* layers of one x */
	NEAR = 256                /* nodes between one and the next */
};

/* ---- dense layers */

Node *make_layers_beside(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	if (x[0].attr->i != n->type.rank - 1 ||
	    !projections_fit(r->graph, r->sum, n->operands, n->operand_count, r->uses))
		return NULL;
	Node **values = NEW_ARRAY(b->graph->arena, Node *, n->operand_count);
	for (int i = 0; i < n->operand_count; i++)
		values[i] = r->now[n->operands[i]->id];
	return reshape_like(b, projections_join(b, r->sum, values, n->operand_count), n->type);
}

/* Whether it is an activation that a library's product may compute: one kernel computes it with pointwise steps that
 * alone read it, as of a gate. */
static bool is_of_library(const Rules *r, const Node *n)
{
	const NodeList *users = &r->users[n->id];
	bool by_steps = users->count > 0;
	for (int i = 0; i < users->count; i++)
		by_steps = by_steps && node_is_by_element(users->at[i]) &&
		           !activation_in_cublas(users->at[i]->op);
	return activation_in_cublas(n->op) && !by_steps;
}

/* Whether n is a dense layer's value that pointwise steps alone read. */
static bool is_read_by_element(const Rules *r, const Node *n)
{
	const NodeList *readers = &r->users[n->id];
	const Node *x, *weight, *bias;
	if (n->type.rank < 2 || readers->count == 0 || !projection_parts(r->sum, n, &x, &weight, &bias))
		return false;
	const int64_t columns = weight->type.dim[0];
	for (int i = 0; i < readers->count; i++) {
		const Node *reader = readers->at[i];
		const bool adds_bias =
		        !bias && formula_matches(r->sum, reader, NULL) && node_is_param(reader->operands[1]);
		if (!node_is_by_element(reader) || is_of_library(r, reader) || adds_bias ||
		    !shape_equal(reader->type, n->type))
			return false;
	}
	return n->type.dim[n->type.rank - 1] == columns && columns % VECTOR == 0 &&
	       type_elements(x->type) >= LEAST_ELEMENTS;
}

/* The layer of which the parameters stand behind those of n, by 1, or ahead of them, by -1; NULL: there is none. */
static Node *next_layer(const Rules *r, Node *n, int by)
{
	for (int i = n->id + by; i >= 0 && i < r->graph->count && i != n->id + NEAR * by; i += by) {
		Node *other = r->graph->nodes[i], *const pair[2] = {by > 0 ? n : other, by > 0 ? other : n};
		if (shape_equal(other->type, n->type) &&
		    projections_fit(r->graph, r->sum, pair, 2, r->uses) && is_read_by_element(r, other))
			return other;
	}
	return NULL;
}

/* The parameter in the new graph, which has it earlier than the old one where it was not copied yet. */
static Node *leaf_of(Graph *to, const Node *param)
{
	Node *known = graph_find_leaf(to, "param", node_text(param, "name"));
	return known ? known : graph_copy_node(to, param, NULL);
}

/* n is a part of the product of all layers of its run, which the first one makes. */
Node *make_layers_of_one(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const int last = n->type.rank - 1;
	const int64_t columns = n->type.dim[last];
	if (!is_read_by_element(r, n))
		return NULL;
	const Node *before = next_layer(r, (Node *)n, -1), *made = before ? r->now[before->id] : NULL;
	if (made && made->op->move == MOVE_SLICE) {
		const int64_t start = node_int(made, "start") + columns;
		if (start < made->operands[0]->type.dim[last])
			return build_slice(b, made->operands[0], last, start, columns);
	}
	Node *weights[MOST], *biases[MOST];
	const Node *of, *weight, *bias = NULL;
	int count = 0;
	for (const Node *layer = n; layer && count < MOST; layer = next_layer(r, (Node *)layer, 1)) {
		require(projection_parts(r->sum, layer, &of, &weight, &bias));
		weights[count] = leaf_of(b->graph, weight);
		biases[count++] = bias ? leaf_of(b->graph, bias) : NULL;
	}
	if (count < 2)
		return NULL;
	require(projection_parts(r->sum, n, &of, &weight, &bias));
	Type all = n->type;
	all.dim[last] = columns * count;
	Node *whole = projections_product(b, r->now[of->id], weights, bias ? biases : NULL, count);
	return build_slice(b, reshape_like(b, whole, all), last, 0, columns);
}

/* A range of a parameter without other dimensions, a bias, is the same range of the flat tensor. */
Node *make_range_of_params(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Node *param = x[0].node;
	const Node *flat = graph_find_leaf((Graph *)r->graph, "state", "params");
	if (!flat || !node_is_flat(param) || type_elements(param->type) != param->type.dim[x[1].attr->i])
		return NULL;
	Node *known = graph_find_leaf(b->graph, "state", "params");
	return build_part(b, known ? known : graph_copy_node(b->graph, flat, NULL),
	                  node_int(param, "offset") + node_int(n, "start"), n->type.rank, n->type.dim);
}

/* ---- rows that vectors load */

/* Whether n is a parameter, or parts of some side by side. */
static bool is_of_params(const Node *n)
{
	while (n->op->flags & OP_RESHAPES || n->op->move != MOVE_NONE)
		n = n->operands[0];
	return node_is_param(n);
}

static Node *with_zeros(Build *b, Node *x, int64_t axis, int64_t extent)
{
	const int64_t more = extent - x->type.dim[axis];
	return more > 0 ? build_pad(b, x, axis, 0, more) : x;
}

/* Tensor cores are fed by loads of 16 bytes. Where a layer has 429 inputs, the rows of its weight and those of its
 * input begin at addresses that allow no more than an element at a time, in all three products of the layer: on an
 * H200 they run at 60 TFLOP/s, others at 400. The copies cost less where the product is large: of each matrix one,
 * at 1.5 TB/s and a launch of 2 us. What a product then has too much of is cut off, and is read in place. Only
 * where it is the inputs of a weight: a matrix of activations alone has its rows stored further apart instead,
 * without a copy (program/pad_rows.c), as the logits of 50257 classes. */
Node *make_aligned_product(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	enum { FOR_LAUNCHES = 136, FOR_AN_ELEMENT = 47 }; /* multiplications in the time of a copy */
	const Type of = x[0].node->type, weight = x[1].node->type;
	if (r->target->pads_from == 0 ||
	    !dtype_is_half(dtype_of_precision(r->recipe ? r->recipe->precision : NULL)) ||
	    n->type.rank != 2 || of.dim[1] == 1 || of.dim[1] % VECTOR == 0 || !is_of_params(x[1].node) ||
	    type_elements(n->type) * of.dim[1] <=
	            FOR_LAUNCHES * r->target->pads_from +
	                    FOR_AN_ELEMENT * (type_elements(of) + type_elements(weight)))
		return NULL;
	const int64_t inputs = ceil_div(of.dim[1], VECTOR) * VECTOR,
	              outputs = ceil_div(weight.dim[0], VECTOR) * VECTOR;
	Node *w = with_zeros(b, with_zeros(b, x[1].made, 1, inputs), 0, outputs);
	Node *y = build_product(b, with_zeros(b, x[0].made, 1, inputs), w, false, true);
	return outputs > weight.dim[0] ? build_slice(b, y, 1, 0, weight.dim[0]) : y;
}

/* ---- tables */

/* The lookup of one row for each sample that x is, reshaped, and that nothing else reads; NULL: it is none. */
static const Node *lookup_of(const Rules *r, const Node *x)
{
	const Node *n = node_unshaped(x);
	if (!node_is(n, "embedding") || node_attr(n, "counts"))
		return NULL;
	const Node *table = n->operands[0];
	const bool is_row = node_is_param(table) && !node_is_frozen(table) && r->uses[table->id] == 1 &&
	                    type_elements(n->operands[1]->type) == r->graph->batch;
	for (const Node *at = x; is_row && r->uses[at->id] == 1; at = at->operands[0])
		if (at == n)
			return n;
	return NULL;
}

/* Whether what stands side by side along the axis are whole rows of samples. */
static bool is_row_beside(const Node *concat, const Node *x)
{
	const int64_t axis = node_int(concat, "axis");
	bool is = axis > 0 && x->type.dim[0] == concat->type.dim[0];
	for (int i = 1; i < axis; i++)
		is = is && x->type.dim[i] == 1;
	return is;
}

/* How many operands of the concat from `first` on are lookups that can be one; below 2: none are. */
static int run_from(const Rules *r, const Node *concat, int first)
{
	const Node *before = NULL;
	int count = 0;
	for (int i = first; i < concat->operand_count; i++, count++) {
		const Node *x = concat->operands[i], *n = lookup_of(r, x);
		if (!n || !is_row_beside(concat, x))
			break;
		if (before && (!params_are_neighbours(r->graph, before->operands[0], n->operands[0]) ||
		               before->operands[0]->type.dim[1] != n->operands[0]->type.dim[1] ||
		               before->operands[1]->type.dtype != n->operands[1]->type.dtype))
			break;
		before = n;
	}
	return count;
}

/* The matrix of which the indices are neighbouring columns, from *start on; NULL: they are of no one. */
static Node *columns_of(Node *const *indices, int count, int64_t *start)
{
	const Node *first = node_unshaped(indices[0]);
	bool are = first->op->move == MOVE_SLICE && first->type.rank == 2;
	*start = are ? node_int(first, "start") : 0;
	for (int i = 0; are && i < count; i++) {
		const Node *n = node_unshaped(indices[i]);
		are = n->op == first->op && n->operands[0] == first->operands[0] &&
		      node_int(n, "axis") == 1 && n->type.dim[1] == 1 && node_int(n, "start") == *start + i;
	}
	return are ? first->operands[0] : NULL;
}

/* [tables, samples] */
static Node *index_of_all(Build *b, Node **indices, int count)
{
	int64_t start;
	Node *x = columns_of(indices, count, &start);
	if (x && x->type.dim[1] != count)
		x = build_slice(b, x, 1, start, count);
	if (x)
		return build_transpose(b, x, (int64_t[]){1, 0});
	for (int i = 0; i < count; i++)
		indices[i] = build_reshape(b, indices[i], 2, (int64_t[]){1, b->graph->batch});
	return build_concat(b, 0, count, indices);
}

/* Lookups as one, in the shape of what they are side by side. */
static Node *lookup_in_all(const Rules *r, Build *b, Node *const *x, int count, int64_t axis)
{
	Arena *a = b->graph->arena;
	Node **tables = NEW_ARRAY(a, Node *, count), **indices = NEW_ARRAY(a, Node *, count);
	int64_t *counts = NEW_ARRAY(a, int64_t, count);
	for (int i = 0; i < count; i++) {
		const Node *n = node_unshaped(x[i]);
		tables[i] = r->now[n->operands[0]->id];
		indices[i] = r->now[n->operands[1]->id];
		counts[i] = tables[i]->type.dim[0];
	}
	Node *all = build_concat(b, 0, count, tables);
	all->name = tables[0]->name;
	const Attr attr = attr_ints("counts", counts, count);
	Type t = x[0]->type;
	t.dim[axis] *= count;
	return reshape_like(
	        b, build(b, "embedding", 2, (Node *[]){all, index_of_all(b, indices, count)}, 1, &attr), t);
}

Node *make_tables_beside(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	Node **pieces = NEW_ARRAY(b->graph->arena, Node *, n->operand_count);
	const int64_t axis = x[0].attr->i;
	int count = 0;
	for (int i = 0, run; i < n->operand_count; i += run) {
		run = run_from(r, n, i);
		pieces[count++] = run > 1 ? lookup_in_all(r, b, n->operands + i, run, axis)
		                          : r->now[n->operands[i]->id];
		run = run > 1 ? run : 1;
	}
	if (count == n->operand_count)
		return NULL;
	return count == 1 ? pieces[0] : build_concat(b, axis, count, pieces);
}
