/* Random numbers of a batch that several ranks share.
 *
 * A rank's program computes rows [rank*b, (rank+1)*b) of the batch. What it draws for them is what one rank alone would
 * draw: the element's number is its place in the tensor of the whole batch (or chunk), so that a dropout's mask is the
 * same for any number of ranks. Runs after expand, which makes `uniform` of dropout and noise. */
#include "ir/op.h"
#include "passes/pass.h"

static Node *share(void *unused, Graph *to, const Node *n, Node **operands)
{
	if (!n->op->shared)
		return NULL;
	Build b = build_beside(to, n);
	Attr attrs[] = {attr_int("stream", node_int(n, "stream")), attr_int("n", type_elements(n->type)),
	                attr_ints("shape", n->type.dim, n->type.rank)};
	return build(&b, n->op->shared, 0, NULL, 3, attrs);
}

Graph *pass_share_random(PassContext *ctx, const Graph *g)
{
	bool shared = ctx->recipe && ctx->recipe->ranks > 1;
	return shared ? graph_rewrite(ctx->arena, g, share, NULL) : (Graph *)g;
}
