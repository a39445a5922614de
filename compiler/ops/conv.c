/* SPDX-License-Identifier: MIT */
/* Convolution of channels-last images and its two gradients; spread, for the places of a gradient. The loops are in
 * kernels/.
 *
 * x [N,H,W,C], w [K,R,S,C/groups], y [N,P,Q,K]:
 *     y[n,p,q,k] = sum over r,s,c of x[n, p*stride + r*dilation - pad, q*stride + s*dilation - pad, c] w[k,r,s,c]
 * The gradients are operators of their own, because each is a different loop nest and a different library call. */
#include "ops/compose.h"
#include "ops/conv.h"
#include "ops/whiten.h"

#include "base/checked.h"

/* The three tensors of a convolution seen from any of its three nodes, in `in->operands` or the attribute `dim`. */
static bool infer_images(Infer *in)
{
	for (int i = 0; i < 2; i++) {
		Type t = in->operands[i]->type;
		if (t.rank != 4) {
			infer_error(in, "rank-mismatch", "`%s` needs tensors of 4 dimensions, not %s",
			            in->op->name, shape_text(in->graph->arena, t));
			infer_note_operand(in, i);
			return false;
		}
		if (!dtype_is_real(t.dtype)) {
			infer_error(
			        in, "dtype-mismatch",
			        "`%s` needs real numbers, not %s; `scale` or `normalize` converts an image",
			        in->op->name, dtype_name(t.dtype));
			infer_note_operand(in, i);
			return false;
		}
	}
	if (in->operands[0]->type.dtype != in->operands[1]->type.dtype)
		return infer_error(in, "dtype-mismatch", "the operands of `%s` are %s and %s", in->op->name,
		                   dtype_name(in->operands[0]->type.dtype),
		                   dtype_name(in->operands[1]->type.dtype));
	return true;
}

/* Checks that x and w belong together and computes the shape of y. */
static bool infer_shape(Infer *in, const int64_t *x, const int64_t *w, int64_t y[4])
{
	Arena *a = in->graph->arena;
	int64_t groups = infer_int(in, "groups");
	if (groups < 1 || x[3] % groups || w[0] % groups)
		return infer_error(in, "bad-groups",
		                   "%lld channels in and %lld filters can't be divided into %lld groups",
		                   (long long)x[3], (long long)w[0], (long long)groups);
	if (w[3] != x[3] / groups) {
		infer_error(in, "shape-mismatch", "the image has %s, but each filter takes %lld",
		            arena_printf(a, groups > 1 ? "%lld channels in %lld groups" : "%lld channels",
		                         (long long)x[3], (long long)groups),
		            (long long)w[3]);
		infer_note_operand(in, 0);
		infer_note_operand(in, 1);
		return false;
	}
	Window win = {.in = {x[1], x[2]}, .size = {w[1], w[2]}};
	if (!window_infer(in, &win))
		return false;
	y[0] = x[0];
	y[1] = win.out[0];
	y[2] = win.out[1];
	y[3] = w[0];
	return true;
}

static bool conv_infer(Infer *in)
{
	int64_t y[4];
	return infer_images(in) && infer_shape(in, in->operands[0]->type.dim, in->operands[1]->type.dim, y) &&
	       infer_result(in, in->operands[0]->type.dtype, 4, y);
}

/* The attribute `dim` of a gradient, read before anything trusts it. */
static bool check_dim(Infer *in, int count)
{
	Type t;
	if (count == 4 && type_make(DTYPE_F64, 4, infer_ints(in, "dim", &count), &t))
		return true;
	return infer_error(in, "shape-mismatch", "`dim` of `%s` is not a shape of 4 dimensions",
	                   in->op->name);
}

/* For the gradients: the attribute `dim` is the shape of the result; dy's shape must be what conv would give. */
static bool gradient_infer(Infer *in, const int64_t *x, const int64_t *w, const Node *dy)
{
	int count;
	const int64_t *dim = infer_ints(in, "dim", &count);
	Type like;
	int64_t y[4];
	if (!infer_shape(in, x, w, y))
		return false;
	if (!type_make(dy->type.dtype, 4, y, &like) || !shape_equal(like, dy->type))
		return infer_error(in, "shape-mismatch",
		                   "the gradient of `%s` is %s, but the convolution's result is %s",
		                   in->op->name, shape_text(in->graph->arena, dy->type),
		                   shape_text(in->graph->arena, like));
	return infer_result(in, dy->type.dtype, 4, dim);
}

static bool dgrad_infer(Infer *in)
{
	int count;
	const int64_t *dim = infer_ints(in, "dim", &count);
	return infer_images(in) && check_dim(in, count) &&
	       gradient_infer(in, dim, in->operands[1]->type.dim, in->operands[0]);
}

bool conv_wgrad_infer(Infer *in)
{
	int count;
	const int64_t *dim = infer_ints(in, "dim", &count);
	if (!infer_images(in) || !check_dim(in, count) ||
	    !gradient_infer(in, in->operands[0]->type.dim, dim, in->operands[1]))
		return false;
	if (dtype_is_half(in->result.dtype)) /* a sum over the batch */
		in->result = type_with_dtype(in->result, DTYPE_F32);
	return true;
}

static void conv_grad(Grad *g)
{
	for (int i = 0; i < 2; i++) {
		if (!g->wanted[i])
			continue;
		Attr attrs[5] = {attr_ints("dim", g->operands[i]->type.dim, 4), *node_attr(g->node, "stride"),
		                 *node_attr(g->node, "pad"), *node_attr(g->node, "dilation"),
		                 *node_attr(g->node, "groups")};
		if (i == 0)
			g->result[0] =
			        build(&g->b, "conv_dgrad", 2, (Node *[]){g->dy, g->operands[1]}, 5, attrs);
		else
			g->result[1] =
			        build(&g->b, "conv_wgrad", 2, (Node *[]){g->operands[0], g->dy}, 5, attrs);
	}
}

/* conv_dgrad is linear in dy and w as conv is in x and w: the same three tensors, in other roles. */
static void dgrad_grad(Grad *g)
{
	Attr attrs[5] = {*node_attr(g->node, "stride"), *node_attr(g->node, "pad"),
	                 *node_attr(g->node, "dilation"), *node_attr(g->node, "groups"),
	                 attr_ints("dim", g->operands[1]->type.dim, 4)};
	if (g->wanted[0])
		g->result[0] = build(&g->b, "conv", 2, (Node *[]){g->dy, g->operands[1]}, 4, attrs);
	if (g->wanted[1])
		g->result[1] = build(&g->b, "conv_wgrad", 2, (Node *[]){g->dy, g->operands[0]}, 5, attrs);
}

/* spread: x's pixels at the rows and columns of `image` that the strides divide. */
static bool spread_infer(Infer *in)
{
	int count[2];
	const int64_t *image = infer_ints(in, "image", &count[0]),
	              *stride = infer_ints(in, "stride", &count[1]);
	Type x = in->operands[0]->type;
	bool fits = x.rank == 4 && count[0] == 2 && count[1] == 2;
	for (int i = 0; fits && i < 2; i++)
		fits = image[i] >= 1 && stride[i] >= 1 && x.dim[1 + i] == (image[i] - 1) / stride[i] + 1;
	if (!fits)
		return infer_error(in, "shape-mismatch", "%s can't be spread over an image by these strides",
		                   shape_text(in->graph->arena, x));
	return infer_result(in, x.dtype, 4, (int64_t[]){x.dim[0], image[0], image[1], x.dim[3]});
}

static void spread_place(const Node *n, int axis, Place *p)
{
	int count;
	if (axis != 1 && axis != 2)
		return;
	p->over = node_ints(n, "stride", &count)[axis - 1];
	p->count = n->operands[0]->type.dim[axis];
}

ConvShape conv_shape(const Node *n)
{
	const int64_t *x = n->op->gemm == GEMM_DGRAD ? n->type.dim : n->operands[0]->type.dim;
	const int64_t *w = n->op->gemm == GEMM_WGRAD         ? n->type.dim
	                   : n->op->gemm == GEMM_WGRAD_PARTS ? n->type.dim + 1
	                                                     : n->operands[1]->type.dim;
	ConvShape s = {.batch = x[0],
	               .channels = x[3],
	               .filters = w[0],
	               .groups = node_int(n, "groups"),
	               .win = {.in = {x[1], x[2]}, .size = {w[1], w[2]}}};
	window_of(n, &s.win);
	return s;
}

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

bool conv_live_taps(const Window *w, int64_t live[4])
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

void conv_cost(const Node *n, Cost *cost)
{
	const ConvShape s = conv_shape(n);
	double pixels = (double)s.batch * (double)s.win.out[0] * (double)s.win.out[1];
	int64_t live[4];
	const int64_t *size = conv_live_taps(&s.win, live) ? live + 2 : s.win.size;
	double taps = (double)size[0] * (double)size[1] * (double)(s.channels / s.groups);
	cost->flops = 2 * pixels * taps * (double)s.filters;
	cost->bytes = (double)type_bytes(n->type) + (double)type_bytes(n->operands[0]->type) +
	              (double)type_bytes(n->operands[1]->type);
}

/* Elsewhere the channels come first: conv(1, 16, 3). Here that is one filter of 16x16 with stride 3, and computes. */
static void warn_of_order(Call *c, const Window *win, int64_t filters, int64_t channels)
{
	enum { CHANNELS_OF_IMAGE = 4, FILTERS_LEAST = 6 };
	int64_t size = win->size[0], stride = win->stride[0];
	if (filters != channels || channels > CHANNELS_OF_IMAGE || size < FILTERS_LEAST || size <= stride ||
	    stride == 1 || !call_in_order(c, "stride"))
		return;
	Build *b = call_build(c);
	diag_warning(b->graph->diag, b->site->loc, "argument-order",
	             "this is %lld filter%s of %lldx%lld with stride %lld", (long long)filters,
	             filters == 1 ? "" : "s", (long long)size, (long long)win->size[1], (long long)stride);
	diag_help(b->graph->diag,
	          "the channels are known from the tensor: %lld filters of %lldx%lld are x -> conv(%lld, "
	          "%lld); "
	          "if it is meant, write stride = %lld",
	          (long long)size, (long long)stride, (long long)stride, (long long)size, (long long)stride,
	          (long long)stride);
}

/* Elsewhere an image is [channels, height, width]. Here that is one of 3 rows with many channels, and computes. */
static void warn_of_channels_first(Build *b, const Node *x)
{
	const int64_t *dim = x->type.dim + 1;
	while (x->op->flags & OP_POINTWISE && x->operand_count == 1)
		x = x->operands[0];
	if (!node_is_input(x) || (dim[0] != 1 && dim[0] != 3) || dim[1] != dim[2] || dim[1] < 8)
		return;
	diag_warning(
	        b->graph->diag, b->site->loc, "channels-first",
	        "this is an image of %lld row%s with %lld channels: images are [height, width, channels]",
	        (long long)dim[0], dim[0] == 1 ? "" : "s", (long long)dim[2]);
	diag_help(b->graph->diag,
	          "declare %s[%lld, %lld, %lld]; of data that has the channels first: x -> transpose((1, 2, "
	          "0))",
	          dtype_name(x->type.dtype), (long long)dim[1], (long long)dim[2], (long long)dim[0]);
}

bool conv_init_fits(Call *c, InitKind kind, int64_t groups, int64_t deep)
{
	if ((kind != INIT_IDENTITY && kind != INIT_WHITEN) || (groups == 1 && deep == 1))
		return true;
	if (deep > 1) /* the middle of the window would be in the channels */
		call_error(c, "init", "bad-argument",
		           "`init = %s` is for windows over the depth alone, or over height and width alone",
		           call_word(c, "init"));
	else
		call_error(c, "init", "bad-argument", "`init = %s` is for one group, not %lld",
		           call_word(c, "init"), (long long)groups);
	return false;
}

bool conv_call_groups(Call *c, int64_t channels, int64_t filters, int64_t groups)
{
	if (filters < 1)
		call_error(c, "filters", "bad-argument", "`filters` must be at least 1, not %lld",
		           (long long)filters);
	else if (groups < 1 || channels % groups || filters % groups)
		call_error(c, "groups", "bad-groups",
		           "%lld channels in and %lld filters can't be divided into %lld groups",
		           (long long)channels, (long long)filters, (long long)groups);
	else
		return true;
	return false;
}

Node *conv_call(Call *c, Node *x, int64_t deep, Window win, bool weight_given)
{
	if (!x)
		return NULL;
	Build *b = call_build(c);
	int64_t filters = call_int(c, "filters"), groups = call_int(c, "groups"), channels = x->type.dim[3];
	if (!conv_call_groups(c, channels, filters, groups))
		return NULL;
	warn_of_order(c, &win, filters, channels);
	warn_of_channels_first(b, x);
	int64_t taps, fan_in, fan_out;
	if (!checked_mul(win.size[0], win.size[1], &taps) || !checked_mul(taps, channels / groups, &fan_in) ||
	    !checked_mul(taps, filters, &fan_out) || !checked_mul(fan_out, deep, &fan_out))
		return call_error(c, "size", "tensor-limit", "the filters would be larger than the limit");
	InitKind kind;
	double scale;
	call_init(c, "init", (double)fan_in, (double)fan_out, &kind, &scale);
	int64_t dim[4] = {filters, win.size[0], win.size[1], channels / groups};
	if (!conv_init_fits(c, kind, groups, deep))
		return NULL;
	Attr of_images[WHITEN_ATTRS];
	int of_image_count = kind == INIT_WHITEN ? whiten_attrs(c, x, &win, of_images) : 0;
	if (kind == INIT_WHITEN && of_image_count == 0)
		return NULL;
	Node *w = weight_given ? call_weight(c, 4, dim)
	                       : call_param_with(c, "weight", 4, dim, kind, scale, true, of_image_count,
	                                         of_images);
	Attr attrs[4] = {attr_ints("stride", win.stride, 2), attr_ints("pad", win.pad, 4),
	                 attr_ints("dilation", win.dilation, 2), attr_int("groups", groups)};
	return call_with_bias(c, w ? build(b, "conv", 2, (Node *[]){x, w}, 4, attrs) : NULL, fan_in);
}

static Node *conv_build(Call *c)
{
	Node *x = call_tensor(c, "x");
	Window win;
	return x && window_call(c, x, true, &win) ? conv_call(c, x, 1, win, !call_word(c, "weight")) : NULL;
}

/* A sequence is an image of width 1. */
static Node *conv1d_build(Call *c)
{
	Build *b = call_build(c);
	Node *x = call_tensor(c, "x");
	Window win;
	if (!x)
		return NULL;
	if (x->type.rank != 3)
		return call_error(
		        c, "x", "rank-mismatch",
		        "a sequence [steps, channels] is needed here, not a sample of %d dimension%s",
		        x->type.rank - 1, x->type.rank == 2 ? "" : "s");
	const int64_t *dim = x->type.dim;
	Node *image = build_reshape(b, x, 4, (int64_t[]){dim[0], dim[1], 1, dim[2]});
	if (!image || !window_call(c, image, true, &win))
		return NULL;
	win.size[1] = win.stride[1] = win.dilation[1] = 1;
	win.pad[1] = win.pad[3] = 0;
	Node *y = conv_call(c, image, 1, win, !call_word(c, "weight"));
	return y ? build_reshape(b, y, 3, (int64_t[]){y->type.dim[0], y->type.dim[1], y->type.dim[3]}) : NULL;
}

/* One list of shapes serves all three operators: each line is x, w, and the attributes. */
#define SHAPES(X)                                                                \
	X("1,4,4,1", "1,1,1,1", "1,4,4,1", "1,1", "0,0,0,0", "1,1", "1")         \
	X("2,5,5,3", "4,3,3,3", "2,3,3,4", "1,1", "0,0,0,0", "1,1", "1")         \
	X("2,5,5,3", "4,3,3,3", "2,5,5,4", "1,1", "1,1,1,1", "1,1", "1")         \
	X("2,5,7,3", "4,3,3,3", "2,3,4,4", "2,2", "1,1,1,1", "1,1", "1")         \
	X("1,1,1,1", "1,1,1,1", "1,1,1,1", "1,1", "0,0,0,0", "1,1", "1")         \
	X("1,1,1,5", "7,3,3,5", "1,1,1,7", "1,1", "1,1,1,1", "1,1", "1")         \
	X("3,2,2,8", "6,3,3,8", "3,2,2,6", "1,1", "1,1,1,1", "1,1", "1")         \
	X("1,7,5,2", "3,1,5,2", "1,7,1,3", "1,1", "0,0,0,0", "1,1", "1")         \
	X("1,7,5,2", "3,5,1,2", "1,3,5,3", "1,1", "0,0,0,0", "1,1", "1")         \
	X("2,6,6,4", "8,2,2,4", "2,3,3,8", "2,2", "0,0,0,0", "1,1", "1")         \
	X("1,8,8,3", "5,4,4,3", "1,8,8,5", "1,1", "1,1,2,2", "1,1", "1")         \
	X("1,9,9,2", "3,3,3,2", "1,5,5,3", "1,1", "0,0,0,0", "2,2", "1")         \
	X("1,9,8,2", "3,3,2,2", "1,4,7,3", "2,1", "1,1,1,1", "2,3", "1")         \
	X("2,5,5,4", "4,3,3,2", "2,5,5,4", "1,1", "1,1,1,1", "1,1", "2")         \
	X("1,6,6,6", "9,3,3,2", "1,3,3,9", "2,2", "1,1,1,1", "1,1", "3")         \
	X("2,6,5,5", "5,3,3,1", "2,6,5,5", "1,1", "1,1,1,1", "1,1", "5")         \
	X("1,5,5,3", "6,3,3,1", "1,3,3,6", "2,2", "1,1,1,1", "1,1", "3")         \
	X("2,7,9,3", "3,3,2,1", "2,3,4,3", "2,2", "1,1,1,1", "2,3", "3")         \
	X("1,4,3,70", "70,3,3,1", "1,4,3,70", "1,1", "1,1,1,1", "1,1", "70")     \
	X("2,2,2,2", "2,2,2,1", "2,2,2,2", "3,3", "3,3,2,2", "1,1", "2")         \
	X("2,7,7,17", "33,1,1,17", "2,7,7,33", "1,1", "0,0,0,0", "1,1", "1")     \
	X("2,7,7,17", "9,1,1,17", "2,4,4,9", "2,2", "0,0,0,0", "1,1", "1")       \
	X("1,3,3,2", "2,3,3,2", "1,7,7,2", "1,1", "3,3,3,3", "1,1", "1")         \
	X("1,3,4,2", "2,2,2,2", "1,3,3,2", "3,4", "3,4,2,3", "1,1", "1")         \
	X("1,11,11,3", "4,7,7,3", "1,6,6,4", "2,2", "3,3,3,3", "1,1", "1")       \
	X("1,10,4,1", "16,3,3,1", "1,10,4,16", "1,1", "1,1,1,1", "1,1", "1")     \
	X("2,7,6,3", "20,3,2,3", "2,2,2,20", "3,4", "0,0,0,0", "1,1", "1")       \
	X("3,6,5,40", "72,3,3,40", "3,6,5,72", "1,1", "1,1,1,1", "1,1", "1")     \
	X("3,7,6,48", "80,3,3,24", "3,4,3,80", "2,2", "1,1,1,1", "1,1", "2")     \
	X("1,4,3,128", "128,3,2,1", "1,4,4,128", "1,1", "1,1,1,1", "1,1", "128") \
	X("2,9,7,36", "36,3,3,1", "2,9,7,36", "1,1", "1,1,1,1", "1,1", "36")     \
	X("3,8,10,8", "8,3,3,1", "3,4,5,8", "2,2", "1,1,1,1", "1,1", "8")        \
	X("2,9,6,12", "12,5,5,1", "2,5,3,12", "2,2", "2,2,2,2", "1,1", "12")     \
	X("1,6,11,4", "4,7,7,1", "1,6,11,4", "1,1", "3,3,3,3", "1,1", "4")       \
	X("2,5,9,20", "20,4,2,1", "2,2,8,20", "2,1", "1,0,0,0", "1,1", "20")     \
	X("2,5,6,58", "58,3,3,1", "2,5,6,58", "1,1", "1,1,1,1", "1,1", "58")     \
	X("1,7,5,58", "58,3,3,1", "1,4,3,58", "2,2", "1,1,1,1", "1,1", "58")     \
	X("2,6,5,3", "3,3,5,1", "2,6,5,3", "1,1", "1,2,1,2", "1,1", "3")         \
	X("2,7,6,3", "3,3,3,1", "2,4,3,3", "2,2", "1,1,1,1", "1,1", "3")         \
	X("2,5,9,1", "1,3,3,1", "2,5,9,1", "1,1", "1,1,1,1", "1,1", "1")         \
	X("3,8,6,1", "1,3,2,1", "3,4,3,1", "2,2", "1,0,0,0", "1,1", "1")         \
	X("2,40,1,8", "8,31,1,1", "2,40,1,8", "1,1", "15,0,15,0", "1,1", "8")    \
	X("3,20,1,6", "6,4,1,1", "3,20,1,6", "1,1", "3,0,0,0", "1,1", "6")       \
	X("2,37,1,12", "12,9,1,1", "2,19,1,12", "2,1", "4,0,4,0", "1,1", "12")   \
	X("1,50,1,3", "3,45,1,1", "1,50,1,3", "1,1", "22,0,22,0", "1,1", "3")
#define WINDOW_ATTRS(stride, pad, dilation, groups) \
	" stride=[" stride "] pad=[" pad "] dilation=[" dilation "] groups=" groups
#define FPROP_SAMPLE(x, w, y, stride, pad, dilation, groups) \
	"x=f32[" x "] w=f32[" w "]" WINDOW_ATTRS(stride, pad, dilation, groups),
#define DGRAD_SAMPLE(x, w, y, stride, pad, dilation, groups) \
	"dy=f32[" y "] w=f32[" w "] dim=[" x "]" WINDOW_ATTRS(stride, pad, dilation, groups),
#define WGRAD_SAMPLE(x, w, y, stride, pad, dilation, groups) \
	"x=f32[" x "] dy=f32[" y "] dim=[" w "]" WINDOW_ATTRS(stride, pad, dilation, groups),

static const char *const spread_samples[] = {
        "x=f32[1,1,1,1] image=[1,1] stride=[1,1]",
        "x=f32[1,1,1,1] image=[2,2] stride=[2,2]",
        "x=f32[2,1,1,5] image=[2,2] stride=[2,2]",
        "x=f32[2,2,2,8] image=[4,4] stride=[2,2]",
        "x=f32[2,2,2,8] image=[3,3] stride=[2,2]",
        "x=f32[3,4,4,16] image=[7,7] stride=[2,2]",
        "x=f32[2,7,7,4] image=[14,14] stride=[2,2]",
        "x=f32[1,2,3,1] image=[4,6] stride=[2,2]",
        "x=f32[1,2,4,1] image=[4,8] stride=[2,2]",
        "x=f32[2,3,5,1] image=[5,5] stride=[2,1]",
        "x=f32[2,5,3,1] image=[5,5] stride=[1,2]",
        "x=f32[2,3,2,3] image=[9,4] stride=[3,2]",
        "x=f32[2,3,2,3] image=[7,4] stride=[3,3]",
        "x=f32[1,5,1,7] image=[5,3] stride=[1,4]",
        "x=f32[1,1,5,7] image=[3,5] stride=[4,1]",
        "x=f32[4,1,3,2] image=[1,6] stride=[2,2]",
        "x=f32[4,3,1,2] image=[6,1] stride=[2,2]",
        "x=f32[5,2,2,9] image=[4,3] stride=[2,2]",
        "x=f32[2,4,4,12] image=[4,4] stride=[1,1]",
        "x=f32[1,3,3,64] image=[6,6] stride=[2,2]",
        "x=f32[7,1,1,4] image=[3,5] stride=[5,5]",
        "x=f32[1,1,2,4] image=[1,1000] stride=[999,999]",
        NULL,
};
static const char *const fprop_samples[] = {SHAPES(FPROP_SAMPLE) NULL};
static const char *const dgrad_samples[] = {SHAPES(DGRAD_SAMPLE) NULL};
static const char *const wgrad_samples[] = {SHAPES(WGRAD_SAMPLE) NULL};

static const char *conv_layout(const Node *n, int *operand)
{
	*operand = 1;
	return "OHWI";
}

const Op conv_ops[] = {
        {.name = "conv",
         .halves = HALVES_ALL,
         .weight_layout = conv_layout,
         .signature = "x, w -> y",
         .call = "x, filters: int, size: pair, stride: pair = 1, pad: same|valid|pair = valid, dilation: "
                 "pair = 1, "
                 "groups: int = 1, bias: bool = true, init: " INIT_WORDS
                 "|whiten = default, weight: tensor|own = own",
         .doc = "Convolution of an image [height, width, channels] with `filters` filters of the given size, "
                "plus a "
                "bias: y[p,q,k] = b[k] + sum over r,s,c of x[p*stride + r*dilation - pad, ...] w[k,r,s,c]. "
                "pad = valid adds no border; a number or pair adds that much on both sides; same makes the "
                "result "
                "ceil(size/stride) by a border of (extent - 1)/2 on both sides (one more below and right "
                "where the "
                "extent is even), extent being (size - 1)*dilation + 1, which for odd extents is PyTorch's "
                "padding = extent/2 at every stride. groups splits channels and filters into independent "
                "convolutions; groups = channels is depthwise. By default weight and bias start uniform in "
                "+-1/sqrt(fan_in), as in PyTorch; with another init the bias starts at zero. "
                "`weight` is a tensor [filters, height, width, channels/groups], the same for all samples, "
                "to use "
                "instead of one of its own: a `param`, or what is computed of it.",
         .flags = OP_HEAVY | OP_EPILOGUE,
         .gemm = GEMM_FPROP,
         .infer = conv_infer,
         .grad = conv_grad,
         .build = conv_build,
         .cost = conv_cost,
         .samples = fprop_samples},
        {.name = "conv1d",
         .call = "x, filters: int, size: int, stride: int = 1, pad: same|valid|int = valid, dilation: int = "
                 "1, "
                 "groups: int = 1, bias: bool = true, init: " INIT_WORDS
                 " = default, weight: tensor|own = own",
         .doc = "Convolution of a sequence [steps, channels] with `filters` filters over `size` steps, to "
                "[steps, "
                "filters]; all else is as with `conv`. The weight is [filters, size, 1, channels/groups].",
         .build = conv1d_build},
        {.name = "conv_dgrad",
         .halves = HALVES_ALL,
         .signature = "dy, w -> dx",
         .doc = "Gradient of conv by its image; dim is the image's shape.",
         .flags = OP_HEAVY | OP_EPILOGUE,
         .gemm = GEMM_DGRAD,
         .infer = dgrad_infer,
         .grad = dgrad_grad,
         .cost = conv_cost,
         .samples = dgrad_samples},
        {.name = "conv_wgrad",
         .halves = HALVES_ALL,
         .signature = "x, dy -> dw",
         .doc = "Gradient of conv by its filters; dim is the filters' shape.",
         .flags = OP_HEAVY,
         .gemm = GEMM_WGRAD,
         .infer = conv_wgrad_infer,
         .cost = conv_cost,
         .samples = wgrad_samples},
        {.name = "spread",
         .signature = "x -> y",
         .doc = "x's pixels at the rows and columns of `image` that the strides divide, zeros elsewhere: "
                "y[n,h,w,c] = x[n,h/s,w/t,c] where s divides h and t divides w. So the gradient of a 1x1 "
                "convolution with a stride is that of one without, spread.",
         .flags = OP_POINTWISE | OP_PLACED | OP_CHEAP,
         .infer = spread_infer,
         .place = spread_place,
         .expr = "on ? x : 0",
         .samples = spread_samples},
        {0},
};
