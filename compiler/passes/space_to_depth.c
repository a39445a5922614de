/* Folds the stride of a convolution into channels, where the image has few.
 *
 * A library's kernels for tensor cores take 4 or 8 channels at once, and pad fewer by copies. The first convolution of
 * ResNet-50, 7x7 with stride 2 on 3 channels, took 1548 us and 170 more of copies in bf16, and 1454 in tf32, at batch 256
 * and 224x224 pixels on an H200. With each block of 2x2 pixels as one pixel of 4 times the channels (ops/space_to_depth.c), of
 * the image and of the weights alike, it is a 4x4 window with stride 1 and computes the same sums. Pixels outside are the same
 * zeros as before, since the blocks divide the image; channels behind those that there are have zeros as weights.
 *
 * The image is folded before what is pointwise in front of the convolution, so that the bytes of a batch become a folded
 * image of the type that the convolution takes in one kernel. That of the weights runs on the branch, and the gradient's,
 * which only the update reads, as well. An image that has a gradient stays; so does an evaluation, which folds batchnorm into
 * its convolutions.
 *
 * Must run before differentiate; of what is known of types later it needs only the recipe's precision. */
#include "ops/conv.h"
#include "ops/space_to_depth.h"
#include "passes/pass.h"

#include <string.h>

enum { MOST_CHANNELS = 16 }; /* of the folded image */

typedef struct Fold {
	int64_t block, channels;
	int64_t image[2];           /* the folded one */
	int64_t taps[2], offset[2]; /* the folded window, and where the first block of the weights begins */
	int64_t pad[4];
} Fold;

typedef struct Folding {
	PassContext *ctx;
	bool *trained; /* by id: a parameter reaches it */
} Folding;

static int64_t floor_over(int64_t x, int64_t by)
{
	return x >= 0 ? x / by : -((-x + by - 1) / by);
}

/* The least channels of a pixel of which the folded ones are whole vectors of 16 bytes. */
static int64_t padded_channels(const PassContext *ctx, int64_t channels, int64_t pixels)
{
	const char *precision = ctx->recipe && ctx->recipe->precision ? ctx->recipe->precision : "";
	int64_t vector = strcmp(precision, "bf16") == 0 || strcmp(precision, "fp16") == 0 ? 8 : 4;
	while (channels * pixels % vector != 0)
		channels++;
	return channels;
}

/* Tap r of the window is row r - pad as seen from the block that the result stands for: block floor((r - pad)/stride). */
static bool fold_along(const Window *w, int d, Fold *f)
{
	int64_t first = floor_over(-w->pad[d], f->block),
	        last = floor_over(w->size[d] - 1 - w->pad[d], f->block);
	if (w->in[d] % f->block != 0 || w->size[d] <= f->block || w->dilation[d] != 1)
		return false;
	f->image[d] = w->in[d] / f->block;
	f->taps[d] = last - first + 1;
	f->offset[d] = -f->block * first - w->pad[d];
	f->pad[d] = -first;
	f->pad[2 + d] = w->out[d] + f->taps[d] - 1 - f->pad[d] - f->image[d];
	return true;
}

static bool find_fold(const PassContext *ctx, const Node *conv, Fold *f)
{
	ConvShape s;
	conv_shape(conv, &s);
	*f = (Fold){.block = s.win.stride[0]};
	if (s.groups > 1 || f->block < 2 || f->block != s.win.stride[1] ||
	    s.channels > MOST_CHANNELS / f->block / f->block)
		return false;
	f->channels = padded_channels(ctx, s.channels, f->block * f->block);
	return f->channels * f->block * f->block <= MOST_CHANNELS && fold_along(&s.win, 0, f) &&
	       fold_along(&s.win, 1, f);
}

/* Whether it acts on each element by itself, wherever that stands, or on one of the three colors. */
static bool passes_fold(const Node *n)
{
	bool place = (n->op->flags & (OP_INDEXED | OP_SEEDED)) && !node_is(n, "rgb_affine");
	return (n->op->flags & OP_POINTWISE) && n->operand_count == 1 && !place;
}

static Node *fold_image(Graph *to, Node *x, const Fold *f)
{
	Build b = {.graph = to, .sites = x->sites};
	if (!passes_fold(x))
		return build_space_to_depth(&b, x, f->block, (int64_t[]){0, 0}, f->image, f->channels);
	Attr *attrs = NEW_ARRAY(to->arena, Attr, x->attr_count);
	for (int i = 0; i < x->attr_count; i++) {
		attrs[i] = x->attrs[i];
		if (node_is(x, "rgb_affine") && strcmp(attrs[i].name, "channels") == 0)
			attrs[i] = attr_int("channels", f->channels);
	}
	Node *folded = fold_image(to, x->operands[0], f);
	return build(&b, x->op->name, 1, &folded, x->attr_count, attrs);
}

static Node *fold_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	const Folding *folding = data;
	Fold f;
	if (!node_is(n, "conv") || folding->trained[n->operands[0]->id] || !find_fold(folding->ctx, n, &f))
		return NULL;
	Build b = {.graph = to, .sites = n->sites};
	Node *x = fold_image(to, operands[0], &f);
	Node *w = build_space_to_depth(&b, operands[1], f.block, f.offset, f.taps, f.channels);
	Attr attrs[] = {attr_ints("stride", (int64_t[]){1, 1}, 2), attr_ints("pad", f.pad, 4),
	                *node_attr(n, "dilation"), *node_attr(n, "groups")};
	Node *y = build(&b, "conv", 2, (Node *[]){x, w}, 4, attrs);
	require(shape_equal(y->type, n->type));
	y->name = n->name;
	pass_remark(folding->ctx,
	            "%s: conv: stride %lld folded into channels: %lldx%lld taps of %lld channels",
	            sites_text(to->arena, n->sites, 3), (long long)f.block, (long long)f.taps[0],
	            (long long)f.taps[1], (long long)x->type.dim[3]);
	return y;
}

Graph *pass_space_to_depth(PassContext *ctx, const Graph *g)
{
	int64_t parameters = 0;
	Folding folding = {.ctx = ctx, .trained = NEW_ARRAY(ctx->arena, bool, g->count)};
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		folding.trained[i] = node_is(n, "param");
		parameters += node_is(n, "param") ? type_elements(n->type) : 0;
		for (int k = 0; k < n->operand_count; k++)
			folding.trained[i] = folding.trained[i] || folding.trained[n->operands[k]->id];
	}
	int64_t from = ctx->target->folds_strides_from;
	if (!g->training || from == 0 || parameters < from)
		return (Graph *)g;
	return graph_rewrite(ctx->arena, g, fold_rule, &folding);
}
