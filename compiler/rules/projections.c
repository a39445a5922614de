/* SPDX-License-Identifier: MIT */
/* Products of one tensor with several parameters, as one product with all of them.
 *
 * Queries, keys and values are often written as three dense layers. Their weights, and their biases, stand side by side
 * in the flat tensor of parameters, so that one matrix of all of them is there already: `concat` says which, and
 * add_update makes it a part of the flat tensor, which nothing copies. So x is read once, the gradient of x is one
 * product instead of three and two sums, and attention finds what it reads side by side. */
#include "rules/projections.h"

#include "ir/op.h"

/* One product, as it stands: [+ bias], reshaped. */
typedef struct Projection {
	const Node *product, *bias; /* bias: the parameter, or NULL */
	const Node *last;           /* the product, or the sum with the bias */
} Projection;

static bool is_trained(const Node *n)
{
	return node_is_param(n) && !node_is_frozen(n);
}

static bool find(const Formula *sum, const Node *value, Projection *p)
{
	const Node *n = node_unshaped(value);
	*p = (Projection){.last = n};
	if (formula_matches(sum, n, NULL) && is_trained(n->operands[1]) && n->operands[1]->type.rank == 1) {
		p->bias = n->operands[1];
		n = node_unshaped(n->operands[0]);
	}
	p->product = n;
	return n->op->gemm == GEMM_PRODUCT && n->type.rank == 2 && p->last->type.rank == 2 &&
	       !node_int(n, "ta") && node_int(n, "tb") && is_trained(n->operands[1]) &&
	       (!p->bias || p->bias->type.dim[0] == n->type.dim[1]);
}

static bool same_attr(const Node *a, const Node *b, const char *name)
{
	const Attr *x = node_attr(a, name), *y = node_attr(b, name);
	return (!x && !y) || (x && y && x->i == y->i);
}

/* One optimizer moves them alike: add_update lays them out by this, and by their order in the graph. */
static bool same_class(const Node *a, const Node *b)
{
	return same_attr(a, b, "decay") && same_attr(a, b, "group") && is_trained(b);
}

bool params_are_neighbours(const Graph *g, const Node *a, const Node *b)
{
	for (int i = a->id + 1; i < b->id; i++)
		if (node_is_param(g->nodes[i]) && same_class(a, g->nodes[i]))
			return false;
	return a->id < b->id && same_class(a, b);
}

/* From the value down to the product, each is read once. */
static bool is_read_once(const Node *value, const Node *product, const int *uses)
{
	for (const Node *n = value;; n = n->operands[0]) {
		if (uses[n->id] != 1)
			return false;
		if (n == product)
			return true;
	}
}

static bool fits_beside(const Graph *g, const Projection *a, const Projection *b)
{
	const Node *x = a->product->operands[0], *y = b->product->operands[0];
	return node_unshaped(x) == node_unshaped(y) && type_equal(x->type, y->type) &&
	       params_are_neighbours(g, a->product->operands[1], b->product->operands[1]) &&
	       !a->bias == !b->bias && (!a->bias || params_are_neighbours(g, a->bias, b->bias));
}

bool projections_fit(const Graph *g, const Formula *sum, Node *const *values, int count, const int *uses)
{
	Projection before = {0};
	for (int i = 0; i < count; i++) {
		Projection p;
		if (!find(sum, values[i], &p) || !is_read_once(values[i], p.product, uses) ||
		    (i > 0 && !fits_beside(g, &before, &p)))
			return false;
		before = p;
	}
	return count > 1;
}

bool projections_are(const Formula *sum, Node *const *values, int count)
{
	Projection p;
	for (int i = 0; i < count; i++)
		if (!find(sum, values[i], &p))
			return false;
	return true;
}

bool projection_parts(const Formula *sum, const Node *value, const Node **x, const Node **weight,
                      const Node **bias)
{
	Projection p;
	if (!find(sum, value, &p))
		return false;
	*x = p.product->operands[0], *weight = p.product->operands[1], *bias = p.bias;
	return true;
}

Node *projections_product(Build *b, Node *x, Node *const *weights, Node *const *biases, int count)
{
	Node *w = build_concat(b, 0, count, weights);
	w->name = weights[0]->name;
	Node *y = build_product(b, x, w, false, true);
	if (!biases)
		return y;
	Node *bias = build_concat(b, 0, count, biases);
	bias->name = biases[0]->name;
	return build2(b, "add", y, bias);
}

Node *projections_join(Build *b, const Formula *sum, Node *const *values, int count)
{
	Node **weights = NEW_ARRAY(b->graph->arena, Node *, count),
	     **biases = NEW_ARRAY(b->graph->arena, Node *, count);
	Projection p = {0};
	for (int i = 0; i < count; i++) {
		require(find(sum, values[i], &p));
		weights[i] = p.product->operands[1];
		biases[i] = (Node *)p.bias;
	}
	return projections_product(b, p.product->operands[0], weights, p.bias ? biases : NULL, count);
}
