/* SPDX-License-Identifier: MIT */
/* Marks convolutions whose window has taps that never meet the image: of a 3x3 window with padding 1 on a 1x1 image
 * only the middle one does.
 *
 * The attribute `live` = [r, s, R', S'] says that of the window's R x S taps only those from (r, s) on, R' x S' of
 * them, are ever inside the image. Nothing else of the node changes: its filters keep their shape, the others' gradient
 * is zero. It is a fact that a lowering may use and every one may ignore; the library calls of the CUDA target use it,
 * and so the pass does nothing for another. Must run before select; needs nothing before it. */
#include "ops/conv.h"
#include "ir/op.h"
#include "passes/pass.h"

/* The first and last tap of one dimension that some output position reads inside of the image. */
static void live_taps(const Window *w, int i, int64_t *first, int64_t *last)
{
	*first = w->size[i];
	*last = -1;
	for (int64_t tap = 0; tap < w->size[i]; tap++) {
		int64_t at = tap * w->dilation[i] - w->pad[i]; /* read by the first output position */
		if (at < 0) {
			int64_t steps = (-at + w->stride[i] - 1) / w->stride[i];
			if (steps >= w->out[i])
				continue;
			at += steps * w->stride[i];
		}
		if (at >= w->in[i])
			continue;
		*first = tap < *first ? tap : *first;
		*last = tap;
	}
}

/* False where no tap is dead, or a smaller window would need negative padding. */
static bool find_live(const Window *w, int64_t live[4])
{
	bool smaller = false;
	for (int i = 0; i < 2; i++) {
		int64_t first, last;
		live_taps(w, i, &first, &last);
		if (last < 0 || w->pad[i] < first * w->dilation[i])
			return false;
		live[i] = first;
		live[2 + i] = last - first + 1;
		smaller = smaller || live[2 + i] < w->size[i];
	}
	return smaller;
}

static Node *trim_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	int64_t live[4];
	if (!(n->op->flags & OP_HEAVY) || n->op->gemm == GEMM_PRODUCT || node_attr(n, "live"))
		return NULL;
	ConvShape s;
	conv_shape(n, &s);
	if (!find_live(&s.win, live))
		return NULL;
	return graph_node_with(to, n, operands, attr_ints("live", live, 4));
}

Graph *pass_trim(PassContext *ctx, const Graph *g)
{
	return graph_rewrite(ctx->arena, g, trim_rule, ctx);
}
