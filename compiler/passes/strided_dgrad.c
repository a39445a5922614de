/* SPDX-License-Identifier: MIT */
/* Writes the image gradient of a 1x1 convolution with a stride as that of one without, spread over the image.
 *
 * Only the pixels that the stride meets have a gradient, and it is a product: dx[n,h*s,w*t,:] = dy[n,h,w,:] times w.
 * cuDNN works off all pixels instead: on an H200, in tf32 at batch 256, the three of ResNet-50 at 224x224 take 756, 498
 * and 393 us, and the products that the gradients without a stride are (runtime/cuda/cudnn.c) about 140, 75 and 40.
 * What reads the gradient, the sum with the other branch's, reads it through `spread`: a quarter of the bytes, and no
 * zero is stored. For a reader that takes no prologue `spread` is a kernel of its own; at 4.3 TB/s that and the product
 * are 380 us in place of the 756.
 *
 * For the CUDA target's library calls, and its own kernels on tensor cores (`tiles`). Must run before implement and
 * fuse, after precision, which knows no `spread`. */
#include "ops/conv.h"
#include "ir/op.h"
#include "passes/implementation.h"
#include "passes/pass.h"
#include <string.h>

static bool is_product_without_stride(const ConvShape *s)
{
	const Window *w = &s->win;
	bool whole = s->groups == 1, fewer = false;
	for (int i = 0; i < 2; i++) {
		whole = whole && w->size[i] == 1 && w->pad[i] == 0 && w->pad[i + 2] == 0;
		fewer = fewer || w->out[i] < w->in[i];
	}
	return whole && fewer;
}

static Node *strided_dgrad_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	PassContext *ctx = data;
	if (n->op->gemm != GEMM_DGRAD || !(implementation_choose(ctx, n)->flags & IMPL_TENSOR_CORES))
		return NULL;
	ConvShape s;
	conv_shape(n, &s);
	if (!is_product_without_stride(&s))
		return NULL;
	Build b = build_beside(to, n);
	const Window *w = &s.win;
	Attr product[5] = {attr_ints("dim", (int64_t[]){s.batch, w->out[0], w->out[1], s.channels}, 4),
	                   attr_ints("stride", (int64_t[]){1, 1}, 2), *node_attr(n, "pad"),
	                   *node_attr(n, "dilation"), *node_attr(n, "groups")};
	Node *dx = build(&b, "conv_dgrad", 2, operands, 5, product);
	Attr places[2] = {attr_ints("image", w->in, 2), *node_attr(n, "stride")};
	Node *spread = build(&b, "spread", 1, &dx, 2, places);
	spread->name = n->name;
	pass_remark(ctx,
	            "%s: conv_dgrad: a product for %lldx%lld of %lldx%lld pixels, spread where it is read",
	            sites_text(to->arena, n->sites, 3), (long long)w->out[0], (long long)w->out[1],
	            (long long)w->in[0], (long long)w->in[1]);
	return spread;
}

Graph *pass_strided_dgrad(PassContext *ctx, const Graph *g)
{
	return graph_rewrite(ctx->arena, g, strided_dgrad_rule, ctx);
}
