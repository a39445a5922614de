/* SPDX-License-Identifier: MIT */
/* Convolutions as matrix products, and what folds into them: make_NAME is `-> @NAME(...)`.
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
 * Of tiny images: on one of 2x2 pixels most of what a 3x3 window reads is padding, and its depth of 9 times the
 * channels is worked off by few blocks: on an H200, at batch 128 and 256 channels, cuDNN took 9.4 us in bf16 and 12.4
 * in tf32, 11.7 and 16.1 for the gradient by the image. As one product of [batch, 4*256] with a matrix of the weights
 * (ops/conv_matrix.c) it is about 5 us in bf16 and 7 to 8 in tf32, in either direction. The matrix is made of the
 * weights alone, beside what runs before it is read (program/lower.c), and its gradient is folded back. It is written
 * in every step, read twice, and its gradient with it: so only where it is not much more than the weights are. A 1x1
 * window of an image, and the one tap that an image of one pixel meets, is a product as it lies, and the runtime takes
 * it for one. */
#include "base/array.h"
#include "ir/op.h"
#include "ir/recipe.h"
#include "ops/compose.h"
#include "ops/conv_matrix.h"
#include "ops/fold.h"
#include "rules/rules.h"
#include "target/target.h"

#include <string.h>

RuleMaker make_product_of_patches, make_product_of_steps, make_product_of_steps_apart,
        make_product_with_matrix, make_folded_conv, make_spread_product, make_sum_of_convs, make_bias_ahead,
        make_product_of_transposed;

/* Elements that are loaded together, of the narrowest type that products read; taps of steps that are apart; and times
 * the weights' elements that a matrix has, 16/9 of them for 3x3 on 2x2 pixels. */
enum { VECTOR = 8, MOST_APART = 4, MOST_GROWTH = 2 };

/* rows, [n, k] of any shape with these elements, times the filters as they lie, [filters, k]. */
static Node *filtered(Build *b, const Node *n, Node *rows, Node *filters, int64_t count, int64_t inner)
{
	const int64_t columns = n->type.dim[3];
	Node *x = build_reshape(b, rows, 2, (int64_t[]){count, inner}),
	     *w = build_reshape(b, filters, 2, (int64_t[]){columns, inner});
	Node *y = build_reshape(b, build_product(b, x, w, false, true), 4, n->type.dim);
	y->name = n->name;
	return y;
}

Node *make_product_of_patches(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const ConvShape s = conv_shape(n);
	const Window *w = &s.win;
	const int64_t taps = w->size[0] * w->size[1];
	for (int i = 0; i < 2; i++)
		if (w->stride[i] != w->size[i] || w->pad[i] != 0 || w->in[i] != w->out[i] * w->size[i] ||
		    (w->size[i] > 1 && w->dilation[i] != 1))
			return NULL;
	if (s.groups > 1 || s.channels % VECTOR == 0 || taps == 1 || taps * s.channels % VECTOR != 0)
		return NULL;
	const int64_t rows = s.batch * w->out[0], along = w->size[1] * s.channels;
	Node *cut = build_reshape(b, x[0].made, 4, (int64_t[]){rows, w->size[0], w->out[1], along});
	cut = build_transpose(b, cut, (int64_t[]){0, 2, 1, 3});
	return filtered(b, n, cut, x[1].made, rows * w->out[1], taps * s.channels);
}

Node *make_product_of_steps(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const ConvShape s = conv_shape(n);
	const Window *w = &s.win;
	if (s.groups > 1 || w->in[1] != 1 || w->in[0] == 1 || w->out[0] != w->in[0] || w->size[0] != 1 ||
	    w->size[1] != 1 || w->pad[0] != 0 || w->out[1] != 1 || w->pad[1] != 0)
		return NULL;
	return filtered(b, n, x[0].made, x[1].made, s.batch * w->in[0], s.channels);
}

Node *make_product_of_steps_apart(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const ConvShape s = conv_shape(n);
	const Window *w = &s.win;
	if (s.groups > 1 || w->in[1] != 1 || w->out[1] != 1 || w->size[0] == 1 || w->size[0] > MOST_APART ||
	    w->size[1] != 1 || w->dilation[0] == 1 || w->pad[1] != 0 || s.channels % VECTOR != 0)
		return NULL;
	const Fold f = {.places = w->in[0],
	                .columns = 1,
	                .channels = s.channels,
	                .windows = w->out[0],
	                .size = w->size[0],
	                .stride = w->stride[0],
	                .dilation = w->dilation[0],
	                .before = w->pad[0]};
	return filtered(b, n, build_unfold(b, x[0].made, &f), x[1].made, s.batch * w->out[0],
	                w->size[0] * s.channels);
}

/* Whether each pixel of the image is joined with the one of the result by its own tap, in their order: the matrix is
 * the weights as they lie. */
static bool covers_image(const Window *w)
{
	for (int i = 0; i < 2; i++)
		if (w->out[i] != 1 || w->in[i] != w->size[i] || w->pad[i] != 0 ||
		    (w->size[i] > 1 && w->dilation[i] != 1))
			return false;
	return true;
}

Node *make_product_with_matrix(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const ConvShape s = conv_shape(n);
	const Window *w = &s.win;
	const int64_t taps = w->size[0] * w->size[1], least = r->target->conv_matrices_from;
	int64_t pairs = w->in[0] * w->in[1];
	if (least == 0 || s.groups > 1 || taps == 1 || s.filters * s.channels * taps < least ||
	    !checked_mul(pairs, w->out[0] * w->out[1], &pairs) || pairs > MOST_GROWTH * taps || pairs == 1 ||
	    2 * conv_matrix_pairs(w) < pairs) /* more than half of it would be zeros */
		return NULL;
	if (covers_image(w))
		return filtered(b, n, x[0].made, x[1].made, s.batch, taps * s.channels);
	Node *rows = build_reshape(b, x[0].made, 2, (int64_t[]){s.batch, w->in[0] * w->in[1] * s.channels});
	Node *matrix = build_conv_matrix(b, n, x[1].made);
	Node *y = build_reshape(b, build_product(b, rows, matrix, false, true), 4, n->type.dim);
	y->name = n->name;
	return y;
}

/* The bias of a product that is seen in another shape, added to the product: under the name that the sum has. */
Node *make_bias_ahead(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	Node *sum = build2(b, "add", x[0].made, x[1].made);
	sum->name = n->name;
	return reshape_like(b, node_called(sum, n->called), n->type);
}

/* ---- batchnorm into the convolution ahead of it */

static bool is_of_channels(const Node *x, const Node *conv)
{
	const int64_t channels = conv->type.dim[conv->type.rank - 1];
	return x->type.rank >= 1 && x->type.dim[x->type.rank - 1] == channels &&
	       type_elements(x->type) == channels;
}

CONDITION(is_of_channels, is_of_channels(x[0].node, x[1].node));

/* Whether x is something in another shape with the same channels, as a sequence is of the image that was convolved. */
static bool keeps_channels(const Node *x)
{
	if (!(x->op->flags & OP_RESHAPES))
		return false;
	const Type *from = &x->operands[0]->type;
	return x->type.rank > 0 && from->rank > 0 &&
	       x->type.dim[x->type.rank - 1] == from->dim[from->rank - 1];
}

/* The convolution that `x` is, or is with a bias (*bias, else NULL), in any view of it, when nothing else reads it;
 * NULL: it is none. */
static const Node *conv_behind(const Rules *r, const Node *x, const Node **bias)
{
	*bias = NULL;
	while (r->uses[x->id] == 1 && keeps_channels(x))
		x = x->operands[0];
	for (int k = 0; k < 2 && r->uses[x->id] == 1 && formula_matches(r->sum, x, NULL); k++) {
		const Node *conv = x->operands[k];
		if (conv->op->gemm == GEMM_FPROP && is_of_channels(x->operands[1 - k], conv)) {
			*bias = x->operands[1 - k];
			x = conv;
		}
	}
	return r->uses[x->id] == 1 && x->op->gemm == GEMM_FPROP ? x : NULL;
}

Node *make_folded_conv(const Rules *r, Build *made, const Node *n, const RuleArgument *x)
{
	const Node *bias, *behind = conv_behind(r, x[0].node, &bias),
	                  *conv = behind ? r->now[behind->id] : NULL;
	Node *centre, *scale, *beta, *operands[OP_MAX_OPERANDS];
	if (!conv || conv->op->gemm != GEMM_FPROP)
		return NULL;
	Build b = build_parts(made->graph, n, "folded");
	b.real = n->type.dtype;
	for (int i = 0; i < n->operand_count; i++)
		operands[i] = r->now[n->operands[i]->id];
	if (!n->op->by_channel(&b, n, operands, &centre, &scale, &beta))
		return NULL;
	Node *weight = conv->operands[1];
	int64_t along[LIMIT_RANK] = {conv->type.dim[conv->type.rank - 1]};
	for (int i = 1; i < weight->type.rank; i++)
		along[i] = 1;
	Node *scaled = build2(&b, "mul", weight, build_reshape(&b, scale, weight->type.rank, along));
	centre = bias ? build2(&b, "sub", r->now[bias->id], centre) : build1(&b, "neg", centre);
	Node *shift = build2(&b, "add", build2(&b, "mul", centre, scale), beta);
	node_called(scaled, "scaled_weight");
	node_called(shift, "folded_bias");
	scaled->name = weight->name;
	shift->name = beta->name;
	Node *folded = graph_copy_node(b.graph, conv, (Node *[]){conv->operands[0], scaled});
	b.of = "bias";
	return reshape_like(&b, build2(&b, "add", folded, shift), n->type);
}

/* (x + b) + (y + c) = (x + y) + (b + c). */
Node *make_sum_of_convs(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	Node *shift = build2(b, "add", x[2].made, x[3].made), *sum = build2(b, "add", x[0].made, x[1].made);
	shift->name = x[2].made->name;
	shift->of = x[2].made->of;
	shift->called = x[2].made->called;
	b->of = "bias";
	return build2(b, "add", sum, shift);
}

/* ---- inputs with the batch last */

enum { ROW_BYTES = 16 /* rows of other lengths are not all aligned as cuBLASLt's vectors are */ };

/* The input that x is as a matrix [batch, elements of a sample], where there may be a copy of it with the batch last;
 * NULL: something else. */
static const Node *copied_input(const Rules *r, const Node *x)
{
	const int64_t batch = r->graph->batch, least = r->target->transposes_from;
	const bool rows = x->type.rank == 2 && x->type.dim[0] == batch;
	const Node *input = node_unshaped(x);
	if (least == 0 || batch < least || batch * dtype_bytes(x->type.dtype) % ROW_BYTES != 0 ||
	    (r->recipe && r->recipe->chunk)) /* a chunk saves memory, which the copies would take */
		return NULL;
	return rows && node_is_input(input) && !node_is_transposed(input) && dtype_is_real(x->type.dtype)
	               ? input
	               : NULL;
}

/* Whether operand `k` of a product lies across its depth. */
static bool lies_across(const Node *n, int k)
{
	return node_int(n, k == 0 ? "ta" : "tb") == (k == 0);
}

/* Whether products are all that reads x, an input, or a view of it; and one of them does so across its depth. */
static bool is_read_by_products(const Rules *r, const Node *x)
{
	ARRAY(const Node *) views = {0};
	array_push(r->arena, &views, x);
	bool across = false;
	for (int v = 0; v < views.count; v++) {
		const NodeList *users = &r->users[views.at[v]->id];
		if (r->uses[views.at[v]->id] > users->count) /* an output */
			return false;
		for (int i = 0; i < users->count; i++) {
			const Node *n = users->at[i];
			if (n->op->flags & OP_RESHAPES) {
				array_push(r->arena, &views, n);
				continue;
			}
			if (n->op->gemm != GEMM_PRODUCT || n->type.rank != 2 || !copied_input(r, views.at[v]))
				return false;
			for (int k = 0; k < 2; k++)
				across = across || (n->operands[k] == views.at[v] && lies_across(n, k));
		}
	}
	return across;
}

/* The leaf for the copy, made once. */
static Node *transposed_leaf(Graph *to, const Node *x)
{
	for (int i = 0; i < to->count; i++)
		if (node_is_input(to->nodes[i]) && node_is_transposed(to->nodes[i]) &&
		    strcmp(node_text(to->nodes[i], "name"), node_text(x, "name")) == 0)
			return to->nodes[i];
	int count;
	Attr *attrs = node_attrs_with(to->arena, x, attr_int("transposed", 1), &count);
	Type type;
	require(type_make(x->type.dtype, 2, (int64_t[]){type_elements(x->type) / to->batch, to->batch},
	                  &type));
	return graph_leaf(to, "input", type, attrs, count, x->sites);
}

Node *make_product_of_transposed(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	Node *of[2] = {x[0].made, x[1].made};
	bool turned[2];
	for (int k = 0; k < 2; k++) {
		const Node *input = n->type.rank == 2 ? copied_input(r, n->operands[k]) : NULL;
		turned[k] = input && (lies_across(n, k) || is_read_by_products(r, input));
		of[k] = turned[k] ? transposed_leaf(b->graph, input) : of[k];
	}
	if (!turned[0] && !turned[1])
		return NULL;
	return build_product(b, of[0], of[1], node_int(n, "ta") != turned[0], node_int(n, "tb") != turned[1]);
}

/* ---- gradients */

Node *make_spread_product(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const ConvShape s = conv_shape(n);
	const Window *w = &s.win;
	bool fewer = false;
	for (int i = 0; i < 2; i++) {
		if (s.groups > 1 || w->size[i] > 1 || w->pad[i] != 0 || w->pad[i + 2] != 0)
			return NULL;
		fewer = fewer || w->out[i] < w->in[i];
	}
	if (!fewer)
		return NULL;
	const Attr product[5] = {attr_ints("dim", (int64_t[]){s.batch, w->out[0], w->out[1], s.channels}, 4),
	                         attr_ints("stride", (int64_t[]){1, 1}, 2), *node_attr(n, "pad"),
	                         *node_attr(n, "dilation"), *node_attr(n, "groups")};
	Node *dx = build(b, "conv_dgrad", 2, (Node *[]){x[0].made, x[1].made}, 5, product);
	const Attr places[2] = {attr_ints("image", w->in, 2), *node_attr(n, "stride")};
	Node *spread = build(b, "spread", 1, &dx, 2, places);
	spread->name = n->name;
	return spread;
}
