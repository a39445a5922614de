/* Gives convolutions of images with few channels to kernels of our own: the first layer of a network on pictures.
 *
 * Of an image with 3 channels the libraries' kernels read 4 or 8, and their tiles along the depth of 7x7x3 are mostly
 * air. Times of ResNet-50's first layer, 64 filters of 7x7 with stride 2, in us (H200, 2026-11-22), without the sum of
 * the parts; those of the small images are of a prototype, with which a step at batch 128 took 2.4 % less in tf32 and
 * 7.3 % in bf16:
 *
 *                                        cuDNN: tf32   bf16    ours: tf32   bf16
 *     256x224x224x3, forward                    1646   1759           611    280
 *         weight gradient                       3042   1101           767    265
 *     128x32x32x3, forward                      26.3   27.6          12.0    9.2
 *         weight gradient                       34.7   29.5            15     11
 *
 * Their arithmetic is that of tensor cores, so fp32 stays what it is; dgrad too, which nothing asks for at the
 * first layer.
 *
 * A weight gradient becomes conv_wgrad_parts (ops/conv_image.h) and a plain sum of the parts, which fuses as sums do.
 *
 * Must run after select, whose choice it overrules, and before fuse. */
#include "ops/conv_image.h"
#include "passes/pass.h"

#include <string.h>

enum { MOST_CHANNELS = 4 };

/* Whether the factors of a product of `dtype` may be rounded as tensor cores take them. */
static bool takes_tensor_cores(const PassContext *ctx, DType dtype)
{
	return dtype_is_half(dtype) || (dtype == DTYPE_F32 && pass_in_tf32(ctx));
}

static bool is_image(const PassContext *ctx, const ConvShape *s)
{
	const Window *w = &s->win;
	int64_t from = ctx->target->conv_images_from, pixels = s->batch * w->out[0] * w->out[1];
	return s->groups == 1 && w->dilation[0] == 1 && w->dilation[1] == 1 && s->channels <= MOST_CHANNELS &&
	       pixels >= from;
}

/* The attributes of `n` that both have, and room for three more; `live` is of the library's calls alone. */
static Attr *kept_attrs(Arena *a, const Node *n, int *count)
{
	Attr *attrs = NEW_ARRAY(a, Attr, n->attr_count + 3);
	*count = 0;
	for (int i = 0; i < n->attr_count; i++)
		if (strcmp(n->attrs[i].name, "impl") != 0 && strcmp(n->attrs[i].name, "live") != 0)
			attrs[(*count)++] = n->attrs[i];
	return attrs;
}

static Node *forward(Graph *to, const Node *n, Node **operands, const ConvImagePlan *plan)
{
	int count;
	Attr *attrs = kept_attrs(to->arena, n, &count);
	attrs[count++] = attr_text("impl", "image");
	attrs[count++] = attr_int("rows", plan->rows);
	attrs[count++] = attr_int("blocks", plan->blocks);
	return graph_node(to, n->op, operands, 2, attrs, count, n->sites, NULL);
}

static Node *gradient(Graph *to, const Node *n, Node **operands, const ConvImagePlan *plan)
{
	int count;
	Build b = build_beside(to, n);
	Attr *attrs = kept_attrs(to->arena, n, &count);
	attrs[count++] = attr_int("rows", plan->rows);
	attrs[count++] = attr_int("parts", plan->blocks);
	Node *parts = build(&b, "conv_wgrad_parts", 2, operands, count, attrs);
	return build_reshape(&b, build_reduce(&b, "sum", parts, (int64_t[]){0}, 1), 4, n->type.dim);
}

static Node *conv_image_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	PassContext *ctx = data;
	bool wgrad = node_is(n, "conv_wgrad");
	DType dtype = n->operand_count > 0 ? operands[0]->type.dtype : n->type.dtype;
	if ((!wgrad && !node_is(n, "conv")) || !node_attr(n, "impl") || !takes_tensor_cores(ctx, dtype))
		return NULL;
	ConvShape s;
	ConvImagePlan plan;
	conv_shape(n, &s);
	if (!is_image(ctx, &s) || !conv_image_plan(&s, dtype, wgrad, ctx->target, &plan))
		return NULL;
	const char *cut = wgrad ? arena_printf(to->arena, "%lld parts", (long long)plan.blocks)
	                        : arena_printf(to->arena, "%lld blocks", (long long)plan.blocks);
	pass_remark(ctx, "%s: %s: a kernel of our own for %s: %lld rows at a time, in %s",
	            sites_text(to->arena, n->sites, 3),
	            graph_phase_name(to, wgrad ? PHASE_BACKWARD : PHASE_FORWARD), n->op->name,
	            (long long)plan.rows, cut);
	return (wgrad ? gradient : forward)(to, n, operands, &plan);
}

Graph *pass_conv_image(PassContext *ctx, const Graph *g)
{
	if (ctx->target->conv_images_from == 0)
		return (Graph *)g;
	return graph_rewrite(ctx->arena, g, conv_image_rule, ctx);
}
