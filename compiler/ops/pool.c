/* SPDX-License-Identifier: MIT */
/* Maximum and average over windows of an image, and their gradients. */
#include "ops/pool.h"
#include "ops/compose.h"

#include <string.h>

bool pool_infer_image(Infer *in, int i)
{
	Type t = in->operands[i]->type;
	if (t.rank == 4 && dtype_is_real(t.dtype))
		return true;
	infer_error(in, t.rank == 4 ? "dtype-mismatch" : "rank-mismatch",
	            "`%s` needs a batch of images of real numbers, not %s", in->op->name,
	            type_text(in->graph->arena, t));
	infer_note_operand(in, i);
	return false;
}

bool pool_window_infer(Infer *in, const int64_t image[2], Window *w)
{
	int count;
	const int64_t *size = infer_ints(in, "size", &count);
	if (count != 2)
		return infer_error(in, "bad-window", "`size` of `%s` needs 2 numbers, not %d", in->op->name,
		                   count);
	*w = (Window){.in = {image[0], image[1]}, .size = {size[0], size[1]}};
	if (!window_infer(in, w))
		return false;
	for (int i = 0; i < 4; i++) {
		if (w->pad[i] >= size[i % 2])
			return infer_error(
			        in, "bad-window",
			        "padding %lld of `%s` must be smaller than the window, %lld, so that "
			        "each window meets the image",
			        (long long)w->pad[i], in->op->name, (long long)size[i % 2]);
	}
	return true;
}

/* The shape of the result for an image `x`, which need not be an operand. */
static bool infer_pooled(Infer *in, Type x, int64_t y[4])
{
	Window w;
	if (!pool_window_infer(in, x.dim + 1, &w))
		return false;
	y[0] = x.dim[0];
	y[1] = w.out[0];
	y[2] = w.out[1];
	y[3] = x.dim[3];
	return true;
}

Window pool_window(const Node *n, Type x)
{
	int count;
	Window w = {.in = {x.dim[1], x.dim[2]}};
	memcpy(w.size, node_ints(n, "size", &count), sizeof w.size);
	window_of(n, &w);
	return w;
}

static bool pool_infer(Infer *in)
{
	int64_t y[4];
	return pool_infer_image(in, 0) && infer_pooled(in, in->operands[0]->type, y) &&
	       infer_result(in, in->operands[0]->type.dtype, 4, y);
}

/* dy must have the shape of the pooled image `x`. */
static bool infer_gradient(Infer *in, Type x)
{
	int64_t y[4];
	if (!pool_infer_image(in, 0) || !infer_pooled(in, x, y))
		return false;
	Type dy = in->operands[0]->type;
	if (memcmp(dy.dim, y, sizeof y) != 0) {
		infer_error(in, "shape-mismatch",
		            "the gradient of `%s` is %s, but the result is [%lld,%lld,%lld,%lld]",
		            in->op->name, shape_text(in->graph->arena, dy), (long long)y[0], (long long)y[1],
		            (long long)y[2], (long long)y[3]);
		infer_note_operand(in, 0);
		return false;
	}
	return infer_result(in, dy.dtype, 4, x.dim);
}

static bool maxpool_grad_infer(Infer *in)
{
	if (!pool_infer_image(in, 1))
		return false;
	if (!type_equal(in->operands[0]->type, in->operands[2]->type) ||
	    in->operands[0]->type.dtype != in->operands[1]->type.dtype)
		return infer_error(in, "shape-mismatch", "`dy` and `y` of `%s` differ", in->op->name);
	return infer_gradient(in, in->operands[1]->type);
}

/* A gradient whose attribute `dim` is the image's shape. */
static bool infer_sized_gradient(Infer *in)
{
	int count;
	Type x;
	const int64_t *dim = infer_ints(in, "dim", &count);
	if (count != 4 || !type_make(in->operands[0]->type.dtype, 4, dim, &x))
		return infer_error(in, "shape-mismatch", "`dim` of `%s` is not a shape of 4 dimensions",
		                   in->op->name);
	return infer_gradient(in, x);
}

static bool unpool_infer(Infer *in)
{
	Type place = in->operands[1]->type;
	if (!infer_sized_gradient(in))
		return false;
	int count;
	const int64_t *size = infer_ints(in, "size", &count);
	if (size[0] * size[1] > UNPOOL_NOWHERE)
		return infer_error(in, "bad-window", "a window of `%s` has more elements than a byte counts",
		                   in->op->name);
	if (place.dtype != DTYPE_U8 || !shape_equal(place, in->operands[0]->type))
		return infer_error(in, "shape-mismatch", "the places of %s are not %s", operand_text(in, 0),
		                   operand_text(in, 1));
	return true;
}

static void maxpool_grad(Grad *g)
{
	Attr attrs[3] = {*node_attr(g->node, "size"), *node_attr(g->node, "stride"),
	                 *node_attr(g->node, "pad")};
	if (g->wanted[0])
		g->result[0] =
		        build(&g->b, "maxpool_grad", 3, (Node *[]){g->dy, g->operands[0], g->y}, 3, attrs);
}

static void avgpool_grad(Grad *g)
{
	Attr attrs[4] = {attr_ints("dim", g->operands[0]->type.dim, 4), *node_attr(g->node, "size"),
	                 *node_attr(g->node, "stride"), *node_attr(g->node, "pad")};
	if (g->wanted[0])
		g->result[0] = build(&g->b, "avgpool_grad", 1, &g->dy, 4, attrs);
}

/* One operation for each element of each window. */
static void pool_cost(const Node *n, Cost *cost)
{
	bool grad = node_is(n, "maxpool_grad") || node_is(n, "avgpool_grad") || node_is(n, "unpool");
	const Node *y = grad ? n->operands[0] : n;
	int count;
	const int64_t *size = node_ints(n, "size", &count);
	cost->flops = (double)type_elements(y->type) * (double)size[0] * (double)size[1];
	cost->bytes = (double)type_bytes(n->type);
	for (int i = 0; i < n->operand_count; i++)
		cost->bytes += (double)type_bytes(n->operands[i]->type);
}

/* Pads below and to the right, by less than a window, until the last window that begins in the image, or in the padding
 * above and to the left of it, is whole: the rule of PyTorch's and Caffe's ceil mode. */
static void pad_to_windows(Window *w)
{
	for (int i = 0; i < 2; i++) {
		const int64_t stride = w->stride[i], room = w->in[i] + w->pad[i] + w->pad[i + 2] - w->size[i];
		const int64_t left = (room % stride + stride) % stride, begin = room - left + stride;
		if (left > 0 && begin >= 0 && begin < w->in[i] + w->pad[i])
			w->pad[i + 2] += stride - left;
	}
}

static Node *pool_build(Call *c, const char *op)
{
	Node *x = call_tensor(c, "x");
	Window w;
	if (!x || !window_call(c, x, false, &w))
		return NULL;
	if (strcmp(op, "maxpool") == 0 && call_bool(c, "ceil"))
		pad_to_windows(&w);
	Attr attrs[3] = {attr_ints("size", w.size, 2), attr_ints("stride", w.stride, 2),
	                 attr_ints("pad", w.pad, 4)};
	return build(call_build(c), op, 1, &x, 3, attrs);
}

static Node *maxpool_build(Call *c)
{
	return pool_build(c, "maxpool");
}

/* The mean over height and width, [channels] for each sample: a sum, which fuses with its neighbours. */
static Node *global_average(Call *c, Node *x)
{
	Build *b = call_build(c);
	if (!window_image(c, x))
		return NULL;
	double pixels = (double)x->type.dim[1] * (double)x->type.dim[2];
	int64_t dim[2] = {x->type.dim[0], x->type.dim[3]};
	Node *sum = build_reduce(b, "sum", x, (int64_t[]){1, 2}, 2);
	Node *mean = build2(b, "mul", sum, build_constant(b, 1 / pixels));
	return mean ? build_reshape(b, mean, 2, dim) : NULL;
}

static Node *avgpool_build(Call *c)
{
	Node *x = call_tensor(c, "x");
	if (!x || !call_word(c, "size"))
		return pool_build(c, "avgpool");
	static const char *const unused[] = {"stride", "pad"};
	for (int i = 0; i < 2; i++)
		if (call_given(c, unused[i]))
			return call_error(c, unused[i], "bad-argument",
			                  "`avgpool(global)` takes the whole image, and no `%s`", unused[i]);
	return global_average(c, x);
}

#define SHAPES(X)                                          \
	X("1,2,2,1", "1,1,1,1", "2,2", "2,2", "0,0,0,0")   \
	X("1,1,1,1", "1,1,1,1", "1,1", "1,1", "0,0,0,0")   \
	X("2,4,4,3", "2,2,2,3", "2,2", "2,2", "0,0,0,0")   \
	X("2,6,4,16", "2,3,2,16", "2,2", "2,2", "0,0,0,0") \
	X("2,5,5,3", "2,2,2,3", "2,2", "2,2", "0,0,0,0")   \
	X("1,6,6,4", "1,2,2,4", "3,3", "3,3", "0,0,0,0")   \
	X("2,8,8,5", "2,4,4,5", "3,3", "2,2", "1,1,1,1")   \
	X("1,7,7,2", "1,4,4,2", "3,3", "2,2", "1,1,1,1")   \
	X("1,7,5,2", "1,3,2,2", "3,3", "2,2", "0,0,0,0")   \
	X("2,5,5,3", "2,5,5,3", "3,3", "1,1", "1,1,1,1")   \
	X("1,5,5,17", "1,4,4,17", "2,2", "1,1", "0,0,0,0") \
	X("1,6,6,1", "1,5,5,1", "2,2", "1,1", "0,0,0,0")   \
	X("3,3,3,2", "3,1,1,2", "3,3", "3,3", "0,0,0,0")   \
	X("1,9,9,3", "1,2,2,3", "2,2", "4,4", "0,0,0,0")   \
	X("1,8,6,2", "1,4,2,2", "2,3", "2,3", "0,0,0,0")   \
	X("1,8,6,2", "1,7,3,2", "2,1", "1,2", "0,0,0,0")   \
	X("1,1,8,4", "1,1,4,4", "1,2", "1,2", "0,0,0,0")   \
	X("1,8,1,4", "1,4,1,4", "2,1", "2,1", "0,0,0,0")   \
	X("1,4,4,2", "1,3,3,2", "2,2", "2,2", "1,1,1,1")   \
	X("1,5,4,2", "1,6,5,2", "4,4", "1,1", "2,2,2,2")   \
	X("1,2,2,33", "1,2,2,33", "3,3", "1,1", "1,1,1,1") \
	X("2,7,7,70", "2,2,2,70", "5,5", "2,2", "0,0,0,0") \
	X("2,6,6,4", "2,3,3,4", "3,3", "2,2", "0,0,1,1")   \
	X("1,8,7,3", "1,4,3,3", "3,3", "2,2", "0,0,1,0")   \
	X("1,5,2,8", "1,2,1,8", "3,3", "3,2", "0,0,1,1")   \
	X("1,5,5,2", "1,3,3,2", "2,2", "2,2", "0,0,1,1")
#define WINDOW_ATTRS(size, stride, pad)          " size=[" size "] stride=[" stride "] pad=[" pad "]"
#define POOL_SAMPLE(x, y, size, stride, pad)     "x=f32[" x "]" WINDOW_ATTRS(size, stride, pad),
#define AVG_GRAD_SAMPLE(x, y, size, stride, pad) "dy=f32[" y "] dim=[" x "]" WINDOW_ATTRS(size, stride, pad),
#define MAX_GRAD_SAMPLE(x, y, size, stride, pad) \
	"dy=f32[" y "] x=f32[" x "] y=f32[" y "]" WINDOW_ATTRS(size, stride, pad),

#define UNPOOL_SAMPLE(x, y, size, stride, pad) \
	"dy=f32[" y "] place=u8[" y "]<10 dim=[" x "]" WINDOW_ATTRS(size, stride, pad),

static const char *const pool_samples[] = {SHAPES(POOL_SAMPLE) NULL};
static const char *const maxpool_grad_samples[] = {SHAPES(MAX_GRAD_SAMPLE) NULL};
static const char *const unpool_samples[] = {SHAPES(UNPOOL_SAMPLE) NULL};
static const char *const avgpool_grad_samples[] = {SHAPES(AVG_GRAD_SAMPLE) NULL};

const Op pool_ops[] = {
        {.name = "maxpool",
         .signature = "x -> y",
         .call = "x, size: pair, stride: size|pair = size, pad: same|valid|pair = valid, ceil: bool = false",
         .doc = "Maximum over windows of an image, channel by channel. The stride is the window's size "
                "unless given; the border added by pad never wins. pad as in conv. With ceil = true the last "
                "window may reach beyond the border, as in Caffe: it is there if it begins in the image or "
                "in "
                "the padding before it.",
         .flags = OP_EPILOGUE | OP_UNITS,
         .infer = pool_infer,
         .grad = maxpool_grad,
         .build = maxpool_build,
         .cost = pool_cost,
         .samples = pool_samples},
        {.name = "maxpool_grad",
         .signature = "dy, x, y -> dx",
         .doc = "Gradient of maxpool: dy goes to the first maximum of each window in scan order, as in "
                "PyTorch.",
         .flags = OP_EPILOGUE | OP_UNITS,
         .infer = maxpool_grad_infer,
         .cost = pool_cost,
         .samples = maxpool_grad_samples},
        {.name = "unpool",
         .signature = "dy, place -> dx",
         .doc = "dy of each window at the element of the window that `place` says, counted along rows, or "
                "nowhere where "
                "it says 255; dim is the image's shape. The gradient of maxpool, with the maxima's places "
                "kept "
                "(pass pool_taps).",
         .flags = OP_EPILOGUE | OP_UNITS,
         .infer = unpool_infer,
         .cost = pool_cost,
         .samples = unpool_samples},
        {.name = "avgpool",
         .signature = "x -> y",
         .call = "x, size: global|pair, stride: size|pair = size, pad: same|valid|pair = valid",
         .doc = "Average over windows of an image, channel by channel; the zeros added by pad count, as in "
                "PyTorch. "
                "avgpool(global) averages over the whole image and leaves [channels].",
         .flags = OP_EPILOGUE | OP_UNITS,
         .infer = pool_infer,
         .grad = avgpool_grad,
         .build = avgpool_build,
         .cost = pool_cost,
         .samples = pool_samples},
        {.name = "avgpool_grad",
         .signature = "dy -> dx",
         .doc = "Gradient of avgpool; dim is the image's shape.",
         .flags = OP_EPILOGUE | OP_UNITS,
         .infer = infer_sized_gradient,
         .cost = pool_cost,
         .samples = avgpool_grad_samples},
        {0},
};
