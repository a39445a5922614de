/* SPDX-License-Identifier: MIT */
/* Folds the batchnorm of an evaluation graph (Op.by_channel) into the convolution in front of it:
 *
 *     y = (conv(x, w) + b - mean)*s + beta,  s = gamma/sqrt(var + epsilon)
 *       = conv(x, w*s) + ((b - mean)*s + beta),  s along the filters of w
 *
 * What is left on each image is a bias; weights and bias are made of parameters and states alone, so that `hoist` takes
 * them out of the batch's program. Between the two a view may stand, as after conv1d. Where two such results are added,
 * their biases become one. Must run before expand, which knows no batchnorm any more. Not in training: there mean and
 * variance are the batch's. */
#include "passes/pass.h"

#include "ir/formula.h"
#include "ir/op.h"

typedef struct Folding {
	PassContext *ctx;
	const Formula *sum;
	const int *uses;
	const char *why; /* not folded */
} Folding;

static bool is_per_channel(const Node *x, const Node *conv)
{
	int64_t channels = conv->type.dim[conv->type.rank - 1];
	return x->type.rank >= 1 && x->type.dim[x->type.rank - 1] == channels &&
	       type_elements(x->type) == channels;
}

/* Whether x is something in another shape with the same channels, as a sequence is of the image that was convolved. */
static bool is_view(const Node *x)
{
	const Type *from = &x->operands[0]->type;
	return x->type.rank > 0 && from->rank > 0 &&
	       x->type.dim[x->type.rank - 1] == from->dim[from->rank - 1];
}

/* The convolution that `x` is, or is with a bias (*bias, else NULL), in any view of it, when nothing else reads it. */
static Node *folded_conv(Folding *f, const Node *x, Node *to, Node **bias)
{
	*bias = NULL;
	f->why = "something else reads the convolution";
	for (; (x->op->flags & OP_RESHAPES) && f->uses[x->id] == 1 && is_view(x); x = x->operands[0])
		to = to->operands[0];
	if (f->uses[x->id] == 1 && x->op->gemm == GEMM_FPROP)
		return to;
	const bool is_sum = formula_matches(f->sum, x, NULL);
	for (int k = 0; k < 2 && is_sum; k++) {
		const Node *conv = x->operands[k], *b = x->operands[1 - k];
		if (f->uses[x->id] == 1 && conv->op->gemm == GEMM_FPROP && f->uses[conv->id] == 1 &&
		    is_per_channel(b, conv)) {
			*bias = to->operands[1 - k];
			return to->operands[k];
		}
	}
	if (x->op->gemm != GEMM_FPROP)
		f->why = "only a convolution, with a bias or without, takes it in";
	return NULL;
}

static void remark(const Folding *f, const Node *n)
{
	Arena *a = f->ctx->arena;
	const Node *x = n->operands[0];
	if (f->why)
		pass_remark(f->ctx, "%s: not folded: %s after %s (%s): %s", sites_text(a, n->sites, 3),
		            n->op->name, x->op->name, sites_text(a, x->sites, 3), f->why);
	else
		pass_remark(f->ctx, "%s: folded in evaluation: %s into conv (%s)", sites_text(a, n->sites, 3),
		            n->op->name, sites_text(a, x->sites, 3));
}

/* (conv(x, w) + a) + (conv(z, v) + b) = (conv(x, w) + conv(z, v)) + (a + b): one shift on the image, not two; and what
 * follows the one convolution is then a residual and a bias. */
static Node *join_shifts(const Folding *f, Graph *to, const Node *n, Node **in)
{
	for (int k = 0; k < 2; k++)
		if (!formula_matches(f->sum, in[k], NULL) || f->uses[n->operands[k]->id] != 1 ||
		    in[k]->operands[0]->op->gemm != GEMM_FPROP || !type_equal(in[k]->type, n->type) ||
		    !is_per_channel(in[k]->operands[1], in[k]->operands[0]))
			return NULL;
	Build b = build_beside(to, n);
	b.real = n->type.dtype;
	Node *shift = build2(&b, "add", in[0]->operands[1], in[1]->operands[1]);
	Node *sum = build2(&b, "add", in[0]->operands[0], in[1]->operands[0]);
	shift->name = in[0]->operands[1]->name;
	shift->of = in[0]->operands[1]->of;
	shift->called = in[0]->operands[1]->called;
	b.of = "bias";
	return build2(&b, "add", sum, shift);
}

static Node *fold_rule(void *data, Graph *to, const Node *n, Node **in)
{
	Folding *f = data;
	if (formula_matches(f->sum, n, NULL))
		return join_shifts(f, to, n, in);
	Build b = build_parts(to, n, "folded");
	b.real = n->type.dtype;
	Node *centre, *scale, *beta;
	if (!n->op->by_channel || !n->op->by_channel(&b, n, in, &centre, &scale, &beta))
		return NULL;
	Node *bias, *conv = folded_conv(f, n->operands[0], in[0], &bias);
	if (conv)
		f->why = NULL;
	remark(f, n);
	if (!conv)
		return NULL;
	Node *weight = conv->operands[1];
	int64_t filters = conv->type.dim[conv->type.rank - 1], along[LIMIT_RANK];
	for (int i = 0; i < weight->type.rank; i++)
		along[i] = i == 0 ? filters : 1;
	Node *scaled = build2(&b, "mul", weight, build_reshape(&b, scale, weight->type.rank, along));
	centre = bias ? build2(&b, "sub", bias, centre) : build1(&b, "neg", centre);
	Node *shift = build2(&b, "add", build2(&b, "mul", centre, scale), beta);
	node_called(scaled, "scaled_weight");
	node_called(shift, "folded_bias");
	scaled->name = weight->name;
	shift->name = beta->name;
	Node *folded = graph_copy_node(to, conv, (Node *[]){conv->operands[0], scaled});
	b.of = "bias";
	Node *y = build2(&b, "add", folded, shift);
	return shape_equal(y->type, n->type) ? y : build_reshape(&b, y, n->type.rank, n->type.dim);
}

Graph *pass_fold(PassContext *ctx, const Graph *g)
{
	if (g->training)
		return (Graph *)g;
	Folding f = {.ctx = ctx,
	             .sum = formula_parse(ctx->arena, "x + y"),
	             .uses = graph_use_counts(ctx->arena, g)};
	return graph_rewrite(ctx->arena, g, fold_rule, &f);
}
