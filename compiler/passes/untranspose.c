/* Lets a product read a matrix as it lies, where it is given the transpose of it.
 *
 *     matmul(x, transpose(table))    ->    matmul(x, table) {tb=1}
 *
 * So a table scores what it has looked up, and a network asks how alike its rows are. Every kernel and library reads
 * either order at the same cost; the transpose is a copy in each direction, of the matrix and of its gradient. The
 * matrix may have dimensions ahead of its two, which stay, and be seen through a reshape of those.
 *
 * Must run after attention, which knows its products by the transposed keys, and before differentiate. */
#include "ops/compose.h"
#include "ir/op.h"
#include "passes/pass.h"

/* Whether it exchanges the last two dimensions and no others. */
static bool turns_matrix(const Node *n)
{
	if (n->op->move != MOVE_TRANSPOSE)
		return false;
	int count;
	const int64_t *axes = node_ints(n, "axes", &count);
	bool turns = count >= 2 && axes[count - 1] == count - 2 && axes[count - 2] == count - 1;
	for (int i = 0; i < count - 2; i++)
		turns = turns && axes[i] == i;
	return turns;
}

/* The matrix whose transpose x is, of x's rank; NULL: x is none. */
static Node *turned(Build *b, Node *x)
{
	const Node *t = node_unshaped(x);
	const int last = t->type.rank - 1, end = x->type.rank - 1;
	if (!turns_matrix(t) || x->type.dim[end] != t->type.dim[last] ||
	    x->type.dim[end - 1] != t->type.dim[last - 1])
		return NULL;
	Type lies = x->type;
	lies.dim[end] = x->type.dim[end - 1];
	lies.dim[end - 1] = x->type.dim[end];
	return reshape_like(b, t->operands[0], lies);
}

static Node *untranspose_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	if (n->op->gemm != GEMM_PRODUCT)
		return NULL;
	PassContext *ctx = data;
	Build b = build_beside(to, n);
	Node *a = turned(&b, operands[0]), *c = turned(&b, operands[1]);
	if (!a && !c)
		return NULL;
	pass_remark(ctx, "%s: matmul: reads the matrix as it lies, and not a transposed copy",
	            sites_text(to->arena, n->sites, 3));
	const bool ta = node_int(n, "ta") != 0, tb = node_int(n, "tb") != 0;
	Node *y = build_product(&b, a ? a : operands[0], c ? c : operands[1], a ? !ta : ta, c ? !tb : tb);
	y->name = n->name;
	return y;
}

Graph *pass_untranspose(PassContext *ctx, const Graph *g)
{
	return graph_rewrite(ctx->arena, g, untranspose_rule, ctx);
}
