/* Has a kernel of ours compiled for large products, which the trainer times beside the library's (ops/product.h).
 *
 * Under tf32, where code for sm_90 is made, a product by the library whose second factor is stored along the depth gets the
 * attribute `parts`: into how many parts our kernel cuts the depth. Which of the two runs the user's GPU decides, when the
 * trainer tunes. us on an H200 in the steady state of half a second, cuBLASLt's fastest of its heuristic's 16 beside it:
 *
 *                                              cuBLASLt    ours
 *     8000x1000x1000, a stored [k,m]               57.9    54.1
 *     1000x1000x8000, a stored [k,m]               64.1    57.9, in 4 parts
 *     32000x1000x1000, a stored [k,m]             220.4   214.1
 *     1000x1000x32000, a stored [k,m]             200.6   189.9, in 4 parts
 *
 * The larger ones run at the power limit (694 W, 1440 to 1740 MHz), and so can't become much faster. Blocks that form clusters
 * and share what they fetch gained nothing: clusters of 4 fill 120 of the 132 multiprocessors, and pairs were 0 to 5 % slower.
 *
 * Must run behind all that exchanges nodes or changes how their operands are stored: transpose_inputs. */
#include "ops/product.h"
#include "passes/pass.h"

#include <string.h>

typedef struct Marking {
	PassContext *ctx;
	int multiprocessors;
} Marking;

static Node *mark_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	const Marking *m = data;
	const int64_t parts =
	        node_is(n, "matmul") && node_by_library(n) ? product_parts(n, m->multiprocessors) : 0;
	if (parts == 0)
		return NULL;
	Attr *attrs = NEW_ARRAY(to->arena, Attr, n->attr_count + 1);
	memcpy(attrs, n->attrs, sizeof *attrs * (size_t)n->attr_count);
	attrs[n->attr_count] = attr_int("parts", parts);
	Node *copy =
	        graph_node(to, n->op, operands, n->operand_count, attrs, n->attr_count + 1, n->sites, NULL);
	copy->name = n->name;
	copy->group = n->group;
	pass_remark(m->ctx, "%s: %s %s is timed beside a kernel of nnc's own",
	            sites_text(to->arena, n->sites, 3), n->op->name, shape_text(to->arena, n->type));
	return copy;
}

Graph *pass_own_products(PassContext *ctx, const Graph *g)
{
	const char *precision = ctx->recipe ? ctx->recipe->precision : NULL;
	if (ctx->onchip || !precision || strcmp(precision, "tf32") != 0 || !target_warpgroups(ctx->target))
		return (Graph *)g;
	Marking m = {ctx, target_warpgroups(ctx->target)->multiprocessors};
	return graph_rewrite(ctx->arena, g, mark_rule, &m);
}
