/* Takes zeros that stand around an image or a sequence into the border of the convolution that reads it.
 *
 *     conv(pad(x) {axis=1, before=4}, w) {pad=[0,0,0,0]}    ->    conv(x, w) {pad=[4,0,0,0]}
 *
 * So a causal convolution is written, zeros ahead of the first step alone, and a border of unlike sides. The
 * convolution reads x where it lies, and its gradient is that of x: otherwise x is copied in each direction. A sequence
 * is an image of width 1, by a reshape that stands between the two. Only of less than the window's extent on each side:
 * beyond that a window meets nothing but zeros, which libraries need not take.
 *
 * Must run before differentiate; needs nothing before it. */
#include "ops/compose.h"
#include "ir/op.h"
#include "passes/pass.h"

#include <string.h>

/* What is padded along height or width to become `image`, as an image, and that axis; NULL: nothing is. */
static Node *padded(Build *b, Node *image, int *axis, int64_t border[2])
{
	Node *pad = (Node *)node_unshaped(image);
	if (pad->op->move != MOVE_PAD)
		return NULL;
	*axis = (int)node_int(pad, "axis");
	border[0] = node_int(pad, "before");
	border[1] = node_int(pad, "after");
	const Type *t = &pad->type, *seen = &image->type;
	const bool sequence =
	        t->rank == 3 && seen->dim[0] == t->dim[0] && seen->dim[1] == t->dim[1] && seen->dim[2] == 1;
	if ((!shape_equal(*t, *seen) && !sequence) || *axis < 1 || *axis > (sequence ? 1 : 2))
		return NULL;
	int64_t dim[4] = {seen->dim[0], seen->dim[1], seen->dim[2], seen->dim[3]};
	dim[*axis] -= border[0] + border[1];
	return build_reshape(b, pad->operands[0], 4, dim);
}

static Node *fold_pads_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	if (n->op->gemm != GEMM_FPROP)
		return NULL;
	PassContext *ctx = data;
	Build b = build_beside(to, n);
	Node *image = operands[0], *inner;
	int axis, count;
	int64_t border[2], pad[4];
	const int64_t *dilation = node_ints(n, "dilation", &count);
	memcpy(pad, node_ints(n, "pad", &count), sizeof pad);
	while ((inner = padded(&b, image, &axis, border))) {
		const int i = axis - 1;
		const int64_t extent = (n->operands[1]->type.dim[axis] - 1) * dilation[i] + 1;
		if (pad[i] + border[0] >= extent || pad[i + 2] + border[1] >= extent)
			break;
		pad[i] += border[0];
		pad[i + 2] += border[1];
		image = inner;
	}
	if (image == operands[0])
		return NULL;
	pass_remark(ctx, "%s: conv: zeros around what it reads are its border",
	            sites_text(to->arena, n->sites, 3));
	Attr *attrs = NEW_ARRAY(to->arena, Attr, n->attr_count);
	for (int i = 0; i < n->attr_count; i++)
		attrs[i] = strcmp(n->attrs[i].name, "pad") == 0 ? attr_ints("pad", pad, 4) : n->attrs[i];
	Node *y = build(&b, n->op->name, 2, (Node *[]){image, operands[1]}, n->attr_count, attrs);
	y->name = n->name;
	return y;
}

Graph *pass_fold_pads(PassContext *ctx, const Graph *g)
{
	return graph_rewrite(ctx->arena, g, fold_pads_rule, ctx);
}
