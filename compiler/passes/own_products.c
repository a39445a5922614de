/* Has a kernel of ours compiled for large products, which the trainer times beside the library's (ops/product.h).
 *
 * Under tf32, where code for sm_90 is made, a product by the library whose second factor is stored along the depth gets
 * the attribute `parts`: into how many parts our kernel cuts the depth. Which of the two runs the user's GPU decides,
 * when the trainer tunes. us on an H200, as it timed them (2026-11-23):
 *
 *                                              cuBLASLt    ours
 *     8000x1000x1000, a stored [k,m]               51.2    48.6
 *     8000x1000x1000, a stored [m,k]               50.2    49.1
 *     1000x1000x8000, a stored [k,m]               65.9    50.2, in 4 parts
 *     32000x1000x1000, a stored [k,m]             193.7   192.4
 *     1000x1000x32000, a stored [k,m]             179.9   169.9, in 4 parts
 *
 * In a steady load the larger ones run at the power limit (694 W, 1440 to 1740 MHz), and can't become much faster
 * there. Blocks that form clusters and share what they fetch gained nothing: clusters of 4 fill 120 of the 132
 * multiprocessors, and pairs were up to 5 % slower (bench/results/2026-11-23-gpu-singly.txt).
 *
 * Must run behind all that exchanges nodes or changes how their operands are stored: transpose_inputs. */
#include "ops/product.h"
#include "passes/pass.h"

typedef struct Marking {
	PassContext *ctx;
	int multiprocessors;
} Marking;

static Node *mark_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	const Marking *m = data;
	const bool large = node_is(n, "matmul") && node_by_library(n) &&
	                   node_cost(n).flops >= (double)m->ctx->target->products_from;
	const int64_t parts = large ? product_parts(n, m->multiprocessors) : 0;
	if (parts == 0)
		return NULL;
	pass_remark(m->ctx, "%s: %s %s is timed beside a kernel of nnc's own",
	            sites_text(to->arena, n->sites, 3), n->op->name, shape_text(to->arena, n->type));
	return graph_node_with(to, n, operands, attr_int("parts", parts));
}

Graph *pass_own_products(PassContext *ctx, const Graph *g)
{
	const Arch *arch = target_warpgroups(ctx->target);
	if (!arch || !pass_in_tf32(ctx) || ctx->target->products_from == 0)
		return (Graph *)g;
	Marking m = {ctx, arch->multiprocessors};
	return graph_rewrite(ctx->arena, g, mark_rule, &m);
}
