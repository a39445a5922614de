/* Chooses the element type of every tensor, by the recipe's `precision`.
 *
 * The elaborated graph computes in f32. fp64 turns every f32 into f64, leaves and results alike: the
 * generated code of the loops target then serves as the oracle of the tests. The CPU target computes all
 * others as f32. An operator whose result is f32 whatever its operands are (`one_hot`, `uniform`) is followed
 * by a cast. Runs after expand. */
#include "passes/pass.h"

#include "ops/op.h"

#include <string.h>

static Node *widen_leaf(Graph *to, const Node *n)
{
	if (n->type.dtype != DTYPE_F32)
		return NULL;
	return graph_leaf(to, n->op->name, type_with_dtype(n->type, DTYPE_F64), n->attrs, n->attr_count,
	                  n->sites);
}

static Node *widen(void *ctx, Graph *to, const Node *n, Node **operands)
{
	if (node_is_leaf(n))
		return widen_leaf(to, n);
	Attr *attrs = NEW_ARRAY(to->arena, Attr, n->attr_count);
	for (int i = 0; i < n->attr_count; i++) {
		attrs[i] = n->attrs[i];
		if (node_is(n, "cast") && strcmp(attrs[i].name, "to") == 0 && strcmp(attrs[i].s, "f32") == 0)
			attrs[i].s = "f64";
	}
	Node *wide = graph_node(to, n->op, operands, n->operand_count, attrs, n->attr_count, n->sites, NULL);
	if (wide->type.dtype != DTYPE_F32) {
		wide->name = n->name;
		return wide;
	}
	Build b = {.graph = to, .sites = n->sites};
	Attr attr = attr_text("to", "f64");
	return build(&b, "cast", 1, &wide, 1, &attr);
}

Graph *pass_precision(PassContext *ctx, const Graph *g)
{
	if (!ctx->recipe || !ctx->recipe->precision || strcmp(ctx->recipe->precision, "fp64") != 0)
		return (Graph *)g;
	return graph_rewrite(ctx->arena, g, widen, NULL);
}
