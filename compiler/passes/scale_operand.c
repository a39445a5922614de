/* Multiplies the small operand of a product by a number, where a network multiplies the large result by it and adds
 * that to something.
 *
 *     y + (x A^T B^T)*c    ->    y + ((x A^T)*c) B^T
 *
 * as of a low-rank branch that is added to a layer (Hu and others: LoRA, 2021). The sum is then in the epilogue of the
 * product's call; and the gradient of the product is the sum's, which no kernel multiplies by c. Where something else
 * reads the result, one kernel computes that and the factor, forward and backward.
 *
 * Must run before differentiate, and after attention, which knows factors of scores. */
#include "ir/formula.h"
#include "ops/compose.h"
#include "ir/op.h"
#include "passes/pass.h"

enum { TIMES = 8 /* the result's elements, of the operand's */ };

typedef struct Scaling {
	const Formula *multiplied, *divided, *sum;
	const int *uses; /* by id of the old graph */
	const NodeList *users;
} Scaling;

/* The product of which x is a view, where nothing else reads it; NULL. */
static const Node *product_of(const Scaling *s, const Node *x)
{
	for (; s->uses[x->id] == 1; x = x->operands[0])
		if (!(x->op->flags & OP_RESHAPES))
			return x->op->gemm == GEMM_PRODUCT ? x : NULL;
	return NULL;
}

/* Whether a sum alone reads n, or a view of it. */
static bool is_summand(const Scaling *s, const Node *n)
{
	while (s->uses[n->id] == 1 && s->users[n->id].count == 1) {
		n = s->users[n->id].at[0];
		if (!(n->op->flags & OP_RESHAPES))
			return formula_matches(s->sum, n, NULL);
	}
	return false;
}

/* Which operand of the product is small, and computed; -1: neither. A weight is read as it is. */
static int small_operand(const Node *product)
{
	for (int i = 0; i < 2; i++) {
		const Node *x = product->operands[i];
		if (type_elements(x->type) * TIMES <= type_elements(product->type) &&
		    !node_is_leaf(node_unshaped(x)))
			return i;
	}
	return -1;
}

static Node *scale_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	const Scaling *s = data;
	Match m;
	const bool divided = formula_matches(s->divided, n, &m);
	if (!divided && !formula_matches(s->multiplied, n, &m))
		return NULL;
	const Node *x = matched(&m, "x"), *product = product_of(s, x);
	const int small = product ? small_operand(product) : -1;
	if (small < 0 || !type_equal(x->type, n->type) || !is_summand(s, n))
		return NULL;
	const double c = divided ? 1 / matched_value(&m, "c") : matched_value(&m, "c");
	const Node *now = node_unshaped(operands[n->operands[0] == x ? 0 : 1]);
	Build b = build_beside(to, n);
	Node *of[2] = {now->operands[0], now->operands[1]};
	of[small] = build2(&b, "mul", of[small], build_constant(&b, c));
	Node *y = graph_node(to, now->op, of, 2, now->attrs, now->attr_count, now->sites, NULL);
	y = build_reshape(&b, y, n->type.rank, n->type.dim);
	y->name = n->name;
	return y;
}

Graph *pass_scale_operand(PassContext *ctx, const Graph *g)
{
	Scaling s = {formula_parse(ctx->arena, "x*c"), formula_parse(ctx->arena, "x/c"),
	             formula_parse(ctx->arena, "x + y"), graph_use_counts(ctx->arena, g),
	             graph_users(ctx->arena, g)};
	return graph_rewrite(ctx->arena, g, scale_rule, &s);
}
