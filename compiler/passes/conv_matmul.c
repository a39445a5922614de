/* SPDX-License-Identifier: MIT */
/* Writes convolutions of tiny images, those into patches, and those of single steps of a sequence, or of steps that are
 * apart, as matrix products.
 *
 * Of single steps: a 1x1 window over an image of width 1, as conv1d makes one of a sequence, is a dense layer of each
 * step. Written as one it has all that stands around products: bias, residual and activation with them, layers of one
 * tensor as one product.
 *
 * Of steps that are apart, as a dilation has them: what a window meets, side by side (ops/fold.h), is a row of a
 * matrix, and the filters are the other as they lie. The matrix is as many times the sequence as a window has taps, and
 * stays until the gradient of the filters reads it: so only of a few. Of 8 sequences of 2048 steps, 64 channels to 128
 * over 2 steps 256 apart, cuDNN's first choice for the weight gradient took 3.3 ms on an H200.
 *
 * Into patches: the windows neither overlap nor leave a gap, as where a vision transformer cuts an image into tokens.
 * Each pixel is in one window, so that the image with the windows' rows beside each other is a matrix [places, taps *
 * channels], made where the image is converted anyway, and the filters are one as they lie. Libraries do well on
 * channels that are whole vectors; on an image's three they read one element at a time: on an H200 the first layer of
 * ViT-Tiny (batch 256, 16x16 windows, bf16) took 0.69 ms and its weight gradient 0.38 of a step of 13.2.
 *
 * Tiny images:
 * On an image of 2x2 pixels most of what a 3x3 window reads is padding, and its depth of 9 times the channels is worked
 * off by few blocks: on an H200, at batch 128 and 256 channels, cuDNN took 9.4 us in bf16 and 12.4 in tf32, 11.7 and
 * 16.1 for the gradient by the image. As one product of [batch, 4*256] with a matrix of the weights (ops/conv_matrix.c)
 * it is about 5 us in bf16 and 7 to 8 in tf32, in either direction. The matrix is made of the weights alone, beside
 * what runs before it is read (program/lower.c); differentiate finds the gradients: products again, and the matrix's
 * folded back.
 *
 * Only where the matrix is not much more than the weights are: it is written in every step, read twice, and its
 * gradient with it. In training alone: an evaluation folds batchnorm into its convolutions, once for all batches. A 1x1
 * window of an image, and the one tap that an image of one pixel meets (trim.c), is a product as it lies, and the
 * runtime takes it for one.
 *
 * Must run before differentiate; needs nothing before it. */
#include "base/checked.h"
#include "ir/op.h"
#include "base/writer.h"
#include "ops/conv_matrix.h"
#include "ops/fold.h"
#include "passes/pass.h"

/* The matrix has at most so many times the elements of the weights: 16/9 of them for 3x3 on 2x2 pixels. */
enum { MOST_GROWTH = 2 };

/* Each pixel of the image is joined with the one of the result by its own tap, in their order: the matrix is the
 * weights as they lie. */
static bool covers_image(const Window *w)
{
	for (int i = 0; i < 2; i++)
		if (w->out[i] != 1 || w->in[i] != w->size[i] || w->pad[i] != 0 ||
		    (w->size[i] > 1 && w->dilation[i] != 1))
			return false;
	return true;
}

static bool is_worth_it(const PassContext *ctx, const ConvShape *s)
{
	const Window *w = &s->win;
	int64_t taps = w->size[0] * w->size[1], pairs = w->in[0] * w->in[1];
	if (s->groups > 1 || taps == 1 || s->filters * s->channels * taps < ctx->target->conv_matrices_from)
		return false;
	if (!checked_mul(pairs, w->out[0] * w->out[1], &pairs) || pairs > MOST_GROWTH * taps || pairs == 1)
		return false;
	return 2 * conv_matrix_pairs(w) >= pairs; /* the others are zeros */
}

/* Elements that are loaded together, of the narrowest type that products read. */
enum { VECTOR = 8 };

static bool makes_patches(const ConvShape *s)
{
	const Window *w = &s->win;
	for (int i = 0; i < 2; i++)
		if (w->stride[i] != w->size[i] || w->pad[i] != 0 || w->in[i] != w->out[i] * w->size[i] ||
		    (w->size[i] > 1 && w->dilation[i] != 1))
			return false;
	return s->groups == 1 && s->channels % VECTOR != 0 && w->size[0] * w->size[1] > 1 &&
	       w->size[0] * w->size[1] * s->channels % VECTOR == 0;
}

static bool takes_single_steps(const ConvShape *s)
{
	const Window *w = &s->win;
	return s->groups == 1 && w->in[1] == 1 && w->in[0] > 1 && w->out[0] == w->in[0] && w->size[0] == 1 &&
	       w->size[1] == 1 && w->pad[0] == 0 && w->out[1] == 1 && w->pad[1] == 0;
}

enum { MOST_APART = 4 /* taps */ };

static bool takes_steps_apart(const ConvShape *s)
{
	const Window *w = &s->win;
	return s->groups == 1 && w->in[1] == 1 && w->out[1] == 1 && w->size[0] > 1 &&
	       w->size[0] <= MOST_APART && w->size[1] == 1 && w->dilation[0] > 1 && w->pad[1] == 0 &&
	       s->channels % VECTOR == 0;
}

/* What the windows meet as a matrix [batch * windows, taps * channels]. */
static Node *build_apart(Build *b, Node *x, const ConvShape *s)
{
	const Window *w = &s->win;
	const Fold f = {.places = w->in[0],
	                .columns = 1,
	                .channels = s->channels,
	                .windows = w->out[0],
	                .size = w->size[0],
	                .stride = w->stride[0],
	                .dilation = w->dilation[0],
	                .before = w->pad[0]};
	return build_reshape(b, build_unfold(b, x, &f), 2,
	                     (int64_t[]){s->batch * w->out[0], w->size[0] * s->channels});
}

/* The image as a matrix [batch * places, taps * channels]. */
static Node *build_patches(Build *b, Node *x, const ConvShape *s)
{
	const Window *w = &s->win;
	int64_t rows = s->batch * w->out[0], along = w->size[1] * s->channels;
	Node *cut = build_reshape(b, x, 4, (int64_t[]){rows, w->size[0], w->out[1], along});
	Node *turned = build_transpose(b, cut, (int64_t[]){0, 2, 1, 3});
	return build_reshape(b, turned, 2, (int64_t[]){rows * w->out[1], w->size[0] * along});
}

static Node *conv_matmul_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	PassContext *ctx = data;
	if (n->op->gemm != GEMM_FPROP)
		return NULL;
	ConvShape s;
	conv_shape(n, &s);
	const bool patches = makes_patches(&s), steps = takes_single_steps(&s), apart = takes_steps_apart(&s);
	const bool by_taps = patches || steps || apart; /* all filters of a window's taps, in their order */
	if (!by_taps && !is_worth_it(ctx, &s))
		return NULL;
	Build b = build_beside(to, n);
	const Window *w = &s.win;
	const int64_t rows = steps ? s.batch * w->in[0] : s.batch,
	              columns = (by_taps ? w->size[0] * w->size[1] : w->in[0] * w->in[1]) * s.channels;
	Node *x = patches ? build_patches(&b, operands[0], &s)
	          : apart ? build_apart(&b, operands[0], &s)
	                  : build_reshape(&b, operands[0], 2, (int64_t[]){rows, columns});
	Node *m = by_taps || covers_image(w)
	                  ? build_reshape(&b, operands[1], 2, (int64_t[]){s.filters, columns})
	                  : build_conv_matrix(&b, n, operands[1]);
	Node *y = build_reshape(&b, build_product(&b, x, m, false, true), 4, n->type.dim);
	y->name = n->name;
	const char *of = steps   ? "single steps"
	                 : apart ? "steps apart"
	                         : arena_printf(to->arena, "%s%lldx%lld pixels", patches ? "patches of " : "",
	                                        (long long)(patches ? w->size[0] : w->in[0]),
	                                        (long long)(patches ? w->size[1] : w->in[1]));
	pass_remark(ctx, "%s: conv: a product with its weights as a matrix [%lld, %lld], of %s",
	            sites_text(to->arena, n->sites, 3), (long long)m->type.dim[0], (long long)m->type.dim[1],
	            of);
	return y;
}

Graph *pass_conv_matmul(PassContext *ctx, const Graph *g)
{
	if (!g->training || ctx->target->conv_matrices_from == 0)
		return (Graph *)g;
	return graph_rewrite(ctx->arena, g, conv_matmul_rule, ctx);
}
