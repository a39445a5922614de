/* Keeps of the residual sums after a relu their signs, in bytes, for the gradient.
 *
 * The gradient of y = relu(a + b) by its operands is dy where y > 0. Where the sum is a normalised convolution's
 * result, what computes the gradient reads that result anyway, and computes y again from it (recompute); but in a
 * residual block b is another block's y, which nothing there reads, so y itself is read for its signs alone: four bytes
 * of f32 an element. A byte that the kernel which computes y stores beside it saves three of them and costs one: at 4.3
 * TB/s, of a step of ResNet-50 at 224x224 and batch 256 in tf32 about 0.5 ms of 58. In 16 bits nothing would be saved,
 * and tensors that stay in the cache, 50 MB on an H200, gain nothing (target_cuda's signs_from).
 *
 * Must run after simplify, which would take the bytes for a value to compute again, and before fuse, which computes
 * them where y is computed. */
#include "ir/formula.h"
#include "ops/compose.h"
#include "passes/pass.h"

/* Where y is a relu of a sum that has the result of a relu in it. */
static const char pattern[] = "y: relu(sum: (z: relu(a) + b)) > 0";

typedef struct Signs {
	PassContext *ctx;
	const Formula *pattern;
} Signs;

static Node *keep_signs_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	const Signs *s = data;
	PassContext *ctx = s->ctx;
	Match m;
	if (!formula_matches(s->pattern, n, &m) ||
	    !shape_equal(matched(&m, "z")->type, matched(&m, "sum")->type))
		return NULL;
	const Node *y = matched(&m, "y");
	if (y->type.dtype != DTYPE_F32 || type_elements(y->type) < ctx->target->signs_from)
		return NULL;
	Build b = build_beside(to, n);
	pass_remark(ctx, "%s: relu: %s of signs, in bytes, are kept for the gradient",
	            sites_text(to->arena, y->sites, 3), shape_text(to->arena, y->type));
	return build_cast(&b, build1(&b, "positive", operands[0]), n->type.dtype);
}

Graph *pass_keep_signs(PassContext *ctx, const Graph *g)
{
	if (ctx->target->signs_from == 0)
		return (Graph *)g;
	Signs s = {ctx, formula_parse(ctx->arena, pattern)};
	return graph_rewrite(ctx->arena, g, keep_signs_rule, &s);
}
