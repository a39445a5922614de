/* SPDX-License-Identifier: MIT */
/* Building nodes that share one set of sites: what gradients, expansions and optimizers are written with.
 *
 * A NULL operand means that a diagnostic has been reported already; it makes the result NULL, so that a
 * builder in the front end can be written as one expression. Inside passes, where nothing reports, it is a
 * bug. */
#include "ir/graph.h"

#include "ir/op.h"

Build build_beside(Graph *to, const Node *n)
{
	return (Build){.graph = to, .sites = n->sites, .of = n->of};
}

Build build_parts(Graph *to, const Node *n, const char *part)
{
	const char *of = n->of ? n->of : n->op->name;
	if (part)
		of = arena_printf(to->arena, "%s.%s", of, part);
	return (Build){.graph = to, .sites = n->sites, .of = of};
}

Node *build(Build *b, const char *op, int operand_count, Node *const *operands, int attr_count,
            const Attr *attrs)
{
	const Op *record = op_find(op);
	if (!record)
		bug("no operator is called `%s`", op);
	for (int i = 0; i < operand_count; i++) {
		if (!operands[i]) {
			require(b->graph->diag);
			return NULL;
		}
	}
	Node *n = graph_node(b->graph, record, operands, operand_count, attrs, attr_count, b->sites, b->site);
	if (n)
		n->of = b->of;
	return n;
}

Node *build1(Build *b, const char *op, Node *x)
{
	return build(b, op, 1, &x, 0, NULL);
}

Node *build2(Build *b, const char *op, Node *x, Node *y)
{
	return build(b, op, 2, (Node *[]){x, y}, 0, NULL);
}

Node *build3(Build *b, const char *op, Node *x, Node *y, Node *z)
{
	return build(b, op, 3, (Node *[]){x, y, z}, 0, NULL);
}

Node *build_constant(Build *b, double value)
{
	Attr attr = attr_real("value", value);
	return graph_leaf(b->graph, "constant", type_scalar(b->real), &attr, 1, b->sites);
}

Node *build_reduce(Build *b, const char *op, Node *x, const int64_t *axes, int count)
{
	int64_t sorted[LIMIT_RANK];
	require(count <= LIMIT_RANK);
	for (int i = 0; i < count; i++) {
		int k = i;
		for (; k > 0 && sorted[k - 1] > axes[i]; k--)
			sorted[k] = sorted[k - 1];
		sorted[k] = axes[i];
	}
	Attr attr = attr_ints("axes", sorted, count);
	return build(b, op, 1, &x, 1, &attr);
}

Node *build_reshape(Build *b, Node *x, int rank, const int64_t *dim)
{
	Attr attr = attr_ints("shape", dim, rank);
	/* A function of the linear index alone is the same one in another shape; loops know the index by the shape. */
	if (x && x->operand_count == 0 && x->op->flags & OP_INDEXED && !(x->op->flags & OP_SEEDED)) {
		int count;
		Attr *attrs = node_attrs_with(b->graph->arena, x, attr, &count);
		return build(b, x->op->name, 0, NULL, count, attrs);
	}
	return build(b, "reshape", 1, &x, 1, &attr);
}

Node *build_along(Build *b, const char *op, Node *x, int64_t axis)
{
	const Attr attr = attr_int("axis", axis);
	return build(b, op, 1, &x, 1, &attr);
}

Node *build_broadcast(Build *b, Node *x, int rank, const int64_t *dim)
{
	const Attr attr = attr_ints("shape", dim, rank);
	return build(b, "broadcast", 1, &x, 1, &attr);
}

Node *build_transpose(Build *b, Node *x, const int64_t *axes)
{
	if (!x)
		return build1(b, "transpose", x);
	const Attr attr = attr_ints("axes", axes, x->type.rank);
	return build(b, "transpose", 1, &x, 1, &attr);
}

Node *build_concat(Build *b, int64_t axis, int count, Node *const *x)
{
	const Attr attr = attr_int("axis", axis);
	return build(b, "concat", count, x, 1, &attr);
}

Node *build_product(Build *b, Node *x, Node *y, bool tx, bool ty)
{
	const Attr attrs[] = {attr_int("ta", tx), attr_int("tb", ty)};
	return build(b, "matmul", 2, (Node *[]){x, y}, 2, attrs);
}

Node *build_ramp(Build *b, int rank, const int64_t *dim, double first, double by)
{
	const Attr attrs[] = {attr_ints("shape", dim, rank), attr_real("first", first), attr_real("by", by)};
	return build(b, "ramp", 0, NULL, 3, attrs);
}

Node *build_pad(Build *b, Node *x, int64_t axis, int64_t before, int64_t after)
{
	const Attr attrs[] = {attr_int("axis", axis), attr_int("before", before), attr_int("after", after)};
	return build(b, "pad", 1, &x, 3, attrs);
}

Node *build_slice(Build *b, Node *x, int64_t axis, int64_t start, int64_t count)
{
	const Attr attrs[] = {attr_int("axis", axis), attr_int("start", start), attr_int("count", count)};
	return build(b, "slice", 1, &x, 3, attrs);
}

Node *build_part(Build *b, Node *x, int64_t offset, int rank, const int64_t *dim)
{
	const Attr attrs[] = {attr_int("offset", offset), attr_ints("shape", dim, rank)};
	return build(b, "part", 1, &x, 2, attrs);
}

Node *build_sum_to(Build *b, Node *x, Type like)
{
	if (!x)
		return build1(b, "sum", x);
	int lead = x->type.rank - like.rank, count = 0;
	require(lead >= 0);
	int64_t axes[LIMIT_RANK];
	for (int i = 0; i < x->type.rank; i++) {
		int64_t to = i < lead ? 1 : like.dim[i - lead];
		require(to == 1 || to == x->type.dim[i]);
		if (to != x->type.dim[i])
			axes[count++] = i;
	}
	if (count > 0)
		x = build_reduce(b, "sum", x, axes, count);
	return lead > 0 ? build_reshape(b, x, like.rank, like.dim) : x;
}
