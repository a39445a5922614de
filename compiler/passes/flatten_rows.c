/* SPDX-License-Identifier: MIT */
/* Computes pointwise steps and sums over [.., n, c] as over [rows, c], where matrices stand around them.
 *
 * A product over the last dimension has rows: `dense` makes a matrix of [8,1024,768], and what follows, a
 * residual sum or a normalisation, takes the result as [8,1024,768] again. Such a view costs nothing, but no kernel
 * goes on across it: the bias was a kernel of its own between product and residual sum, and a gradient of logits was
 * stored in f32 before a cast to 16 bits. Where all that stands between the views acts alike on every row, it is
 * computed on the rows:
 *
 *     %3 = matmul(%0, %1) : f32[8192,768]             %3 = matmul(%0, %1) : f32[8192,768]
 *     %4 = reshape(%3) : f32[8,1024,768]       ->     %4 = reshape(%2) : f32[8192,768]
 *     %5 = add(%2, %4) : f32[8,1024,768]              %5 = add(%4, %3) : f32[8192,768]
 *     %6 = sum(%5) {axes=[2]}                         %6 = sum(%5) {axes=[1]}
 *
 * Nodes that can be are linked where one reads another, in this shape or in one that has the same rows (a step of a
 * sequence is a pixel of an image of width 1, where it is convolved), and such a region becomes flat as a whole, if
 * that takes more elements out of views than it puts into them: at its edge a value that is fused into its reader,
 * x + positions[n, c], is read through a view then. What a reduction over some of the rows reads, as the maximum over
 * the points of a set, is never stored where it is computed in the kernel of that: such an edge counts for the store
 * and for the load.
 *
 * Before simplify and cse, which merge what has become equal, after precision. */
#include "ir/op.h"
#include "ir/domain.h"
#include "ir/view.h"
#include "passes/pass.h"

#include <string.h>

typedef struct Regions {
	const Graph *g;
	int *parent; /* by node id: union-find; -1: not of a region */
	double *gained; /* by node id, of a region's root: elements that leave a view, less those that come to one */
	bool *edged;  /* by node id: it was counted as read across an edge */
	bool *others; /* by node id: something else reads it than regions, convolutions and products */
} Regions;

static Type flat_type(Type t)
{
	Type flat = t;
	flat.rank = 2;
	flat.dim[1] = t.rank ? t.dim[t.rank - 1] : 1;
	flat.dim[0] = flat.dim[1] ? type_elements(t) / flat.dim[1] : 0;
	return flat;
}

/* Repeats one number along each row, as the gradient of a sum along the rows does. */
static bool repeats_along_rows(const Node *n)
{
	return n->op->move == MOVE_BROADCAST && n->operands[0]->type.rank == n->type.rank;
}

/* Acts on each row alike, or adds rows up. */
static bool acts_on_rows(const Node *n)
{
	if (n->type.rank < 3 || n->operand_count == 0 || n->op->place || node_is_leaf(n))
		return false;
	int64_t dim[LIMIT_RANK];
	if (n->op->flags & OP_REDUCE) {
		const Type flat = flat_type(n->operands[0]->type);
		return shape_beside(n->type, n->operands[0]->type, flat, dim) &&
		       (dim[0] < flat.dim[0] ||
		        dim[1] < flat.dim[1]); /* of axes of one element nothing is gone */
	}
	if (node_is(n, "first_place"))
		return true;
	if (!(n->op->flags & OP_POINTWISE))
		return false;
	for (int i = 0; i < n->attr_count; i++)
		if (n->attrs[i].kind == ATTR_INTS && !repeats_along_rows(n))
			return false;
	bool rows = false;
	for (int i = 0; i < n->operand_count; i++) {
		if (!shape_beside(n->operands[i]->type, n->type, flat_type(n->type), dim))
			return false;
		rows = rows || dim[0] > 1;
	}
	return rows;
}

static int root_of(const Regions *r, int id)
{
	while (r->parent[id] != id)
		id = r->parent[id] = r->parent[r->parent[id]];
	return id;
}

/* A neighbour that shares a kernel with what it is next to; a function of the index alone has any shape. */
static bool is_fused(const Node *n)
{
	return (node_is_fusible(n) || n->op->flags & OP_EPILOGUE) && n->operand_count > 0 &&
	       !node_is_inline(n);
}

/* Of a value that is seen in other leading dimensions the value itself: kernels go on across such a view. */
static const Node *same_rows(const Node *x)
{
	while ((x->op->flags & OP_RESHAPES) && x->type.rank >= 3 && x->operands[0]->type.rank >= 3 &&
	       type_equal(flat_type(x->operands[0]->type), flat_type(x->type)))
		x = x->operands[0];
	return x;
}

/* What one operand of a node means for a region that has the node, the operand, or both. */
static void count_edge(Regions *r, const Node *n, const Node *x)
{
	if (same_rows(n) != n && !r->others[n->id])
		return; /* those that read the view count it */
	if (r->parent[n->id] >= 0)
		x = same_rows(x);
	const bool in = r->parent[n->id] >= 0, from = r->parent[x->id] >= 0;
	const double elements = (double)type_elements(x->type);
	if (in && (x->op->flags & OP_RESHAPES) && x->type.rank >= 3) {
		const Node *source = x->operands[0];
		if (type_equal(source->type, flat_type(x->type)) && !node_is_leaf(source))
			r->gained[root_of(r, n->id)] += elements;
		return;
	}
	if (from && (n->op->flags & OP_RESHAPES) && type_equal(n->type, flat_type(x->type)))
		r->gained[root_of(r, x->id)] += elements;
	if (in == from || r->edged[x->id] || elements == 1 || x->type.rank < 3)
		return;
	if (in ? is_fused(x) : is_fused(n)) {
		const bool reduced = from && n->op->flags & OP_REDUCE;
		r->gained[root_of(r, in ? n->id : x->id)] -= reduced ? 2 * elements : elements;
		r->edged[x->id] = true;
	}
}

static void find_regions(Regions *r)
{
	const Graph *g = r->g;
	for (int i = 0; i < g->count; i++)
		r->parent[i] = acts_on_rows(g->nodes[i]) ? i : -1;
	for (int i = 0; i < g->count; i++)
		for (int k = 0; r->parent[i] >= 0 && k < g->nodes[i]->operand_count; k++) {
			const int x = same_rows(g->nodes[i]->operands[k])->id;
			if (r->parent[x] >= 0)
				r->parent[root_of(r, x)] = root_of(r, i);
		}
	for (int i = g->count - 1; i >= 0; i--) {
		const Node *n = g->nodes[i];
		const bool view = same_rows(n) != n,
		           other = view ? r->others[i] : r->parent[i] < 0 && !n->op->gemm;
		for (int k = 0; k < n->operand_count; k++)
			r->others[n->operands[k]->id] = r->others[n->operands[k]->id] || other;
	}
	for (int i = 0; i < g->count; i++)
		for (int k = 0; k < g->nodes[i]->operand_count; k++)
			count_edge(r, g->nodes[i], g->nodes[i]->operands[k]);
}

static bool is_flat(const Regions *r, const Node *n)
{
	return r->parent[n->id] >= 0 && r->gained[root_of(r, n->id)] > 0;
}

/* Vectors and numbers are broadcast as they are. Random numbers are by the linear index: the same ones in any shape. */
static Node *flat_operand(Build *b, Node *x)
{
	Type flat = flat_type(x->type);
	if (x->type.rank < 3)
		return x;
	if ((x->op->flags & OP_RESHAPES) && type_equal(x->operands[0]->type, flat))
		return x->operands[0];
	if (x->operand_count == 0 && node_attr(x, "shape") && x->op->flags & OP_SEEDED)
		return graph_node_with(b->graph, x, NULL, attr_ints("shape", flat.dim, 2));
	return build_reshape(b, x, 2, flat.dim);
}

/* Those that are gone. */
static Attr flat_axes(const Node *n, int64_t axes[LIMIT_RANK])
{
	const Type from = n->operands[0]->type, flat = flat_type(from);
	int64_t dim[LIMIT_RANK];
	int count = 0;
	require(shape_beside(n->type, from, flat, dim));
	for (int i = 0; i < 2; i++)
		if (dim[i] < flat.dim[i])
			axes[count++] = i;
	return attr_ints("axes", axes, count);
}

/* An attribute of n as the flat node has it; the numbers of a list in `dim`. */
static Attr flat_attr(const Node *n, Attr attr, int64_t dim[LIMIT_RANK])
{
	if (strcmp(attr.name, "axes") == 0)
		return flat_axes(n, dim);
	if (attr.kind != ATTR_INTS)
		return attr;
	const Type flat = flat_type(n->type); /* the shape of a broadcast */
	memcpy(dim, flat.dim, sizeof flat.dim);
	return attr_ints(attr.name, dim, 2);
}

static Node *flatten_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	const Regions *r = data;
	if (!is_flat(r, n))
		return NULL;
	Build b = build_beside(to, n);
	Node **flat_operands = NEW_ARRAY(to->arena, Node *, n->operand_count);
	for (int i = 0; i < n->operand_count; i++)
		flat_operands[i] = flat_operand(&b, operands[i]);
	Attr *attrs = NEW_ARRAY(to->arena, Attr, n->attr_count + 1);
	int64_t dim[LIMIT_RANK];
	for (int i = 0; i < n->attr_count; i++)
		attrs[i] = flat_attr(n, n->attrs[i], dim);
	Node *flat =
	        graph_node(to, n->op, flat_operands, n->operand_count, attrs, n->attr_count, n->sites, NULL);
	flat->of = n->of;
	flat->called = n->called;
	flat->is_gradient = n->is_gradient;
	flat->name = n->name;
	return build_reshape(&b, flat, n->type.rank, n->type.dim);
}

Graph *pass_flatten_rows(PassContext *ctx, const Graph *g)
{
	Arena *scratch = arena_new();
	Regions r = {.g = g,
	             .parent = NEW_ARRAY(scratch, int, g->count),
	             .gained = NEW_ARRAY(scratch, double, g->count),
	             .edged = NEW_ARRAY(scratch, bool, g->count),
	             .others = NEW_ARRAY(scratch, bool, g->count)};
	find_regions(&r);
	bool any = false;
	for (int i = 0; i < g->count; i++)
		any = any || is_flat(&r, g->nodes[i]);
	Graph *to = any ? graph_rewrite(ctx->arena, g, flatten_rule, &r) : (Graph *)g;
	arena_free(scratch);
	return to;
}
