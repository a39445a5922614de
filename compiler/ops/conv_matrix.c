/* SPDX-License-Identifier: MIT */
/* conv_matrix: the weights of a convolution written out as one matrix, and its gradient, which folds such a matrix
 * back.
 *
 *     y[(p,q,k), (h,v,c)] = w[k,r,s,c] where h = p*stride + r*dilation - pad and v likewise with s;
 *                            0 where there is no such tap
 *
 * Then conv(x, w) is x y^T, x being [batch, H*W*C] as it lies in memory. A tap is in the matrix once for each pair of
 * pixels that it joins, so the gradient by the weights is a sum over those, in f32. Both compute each element of their
 * result by itself. Without groups: those would be blocks in a matrix of zeros. */
#include "ops/conv_matrix.h"

#include "base/checked.h"
#include "ops/compose.h"

#include <string.h>

Node *build_conv_matrix(Build *b, const Node *conv, Node *w)
{
	Attr attrs[4] = {attr_ints("image", conv->operands[0]->type.dim + 1, 2), *node_attr(conv, "stride"),
	                 *node_attr(conv, "pad"), *node_attr(conv, "dilation")};
	return build(b, "conv_matrix", 1, &w, 4, attrs);
}

/* The pairs along one dimension. */
static int64_t pairs_along(const Window *w, int i)
{
	int64_t pairs = 0;
	for (int64_t p = 0; p < w->out[i]; p++)
		for (int64_t tap = 0; tap < w->size[i]; tap++) {
			int64_t at = p * w->stride[i] + tap * w->dilation[i] - w->pad[i];
			pairs += at >= 0 && at < w->in[i];
		}
	return pairs;
}

int64_t conv_matrix_pairs(const Window *w)
{
	return pairs_along(w, 0) * pairs_along(w, 1);
}

ConvMatrixSizes conv_matrix_sizes(const Node *n)
{
	int count;
	const Type *w = node_is(n, "conv_matrix") ? &n->operands[0]->type : &n->type;
	const int64_t *image = node_ints(n, "image", &count);
	ConvMatrixSizes s = {.filters = w->dim[0], .channels = w->dim[3]};
	s.win = (Window){.in = {image[0], image[1]}, .size = {w->dim[1], w->dim[2]}};
	window_of(n, &s.win);
	return s;
}

/* The shape of the matrix for weights of shape `w`. */
static bool infer_matrix(Infer *in, const int64_t *w, int64_t dim[2])
{
	int count;
	const int64_t *image = infer_ints(in, "image", &count);
	if (count != 2 || image[0] < 1 || image[1] < 1)
		return infer_error(in, "bad-window", "`image` of `%s` is not a height and a width",
		                   in->op->name);
	Window win = {.in = {image[0], image[1]}, .size = {w[1], w[2]}};
	if (!window_infer(in, &win))
		return false;
	if (checked_mul(win.out[0], win.out[1], &dim[0]) && checked_mul(dim[0], w[0], &dim[0]) &&
	    checked_mul(image[0], image[1], &dim[1]) && checked_mul(dim[1], w[3], &dim[1]))
		return true;
	return infer_error(in, "tensor-limit", "the result of `%s` is too large", in->op->name);
}

static bool conv_matrix_infer(Infer *in)
{
	int64_t dim[2];
	Type w = in->operands[0]->type;
	if (!infer_real(in, 0))
		return false;
	if (w.rank != 4)
		return infer_error(in, "rank-mismatch",
		                   "`conv_matrix` needs a tensor of 4 dimensions, not %s",
		                   shape_text(in->graph->arena, w));
	return infer_matrix(in, w.dim, dim) && infer_result(in, w.dtype, 2, dim);
}

static void conv_matrix_grad(Grad *g)
{
	Attr attrs[5] = {attr_ints("dim", g->operands[0]->type.dim, 4), *node_attr(g->node, "image"),
	                 *node_attr(g->node, "stride"), *node_attr(g->node, "pad"),
	                 *node_attr(g->node, "dilation")};
	g->result[0] = build(&g->b, "conv_matrix_grad", 1, &g->dy, 5, attrs);
}

static bool conv_matrix_grad_infer(Infer *in)
{
	int count;
	const int64_t *w = infer_ints(in, "dim", &count);
	Type m = in->operands[0]->type, weights;
	int64_t dim[2];
	if (!infer_real(in, 0))
		return false;
	DType dtype = dtype_is_half(m.dtype) ? DTYPE_F32 : m.dtype; /* sums */
	if (count != 4 || !type_make(dtype, 4, w, &weights))
		return infer_error(in, "shape-mismatch",
		                   "`dim` of `conv_matrix_grad` is not a shape of 4 dimensions");
	if (!infer_matrix(in, w, dim))
		return false;
	if (m.rank != 2 || m.dim[0] != dim[0] || m.dim[1] != dim[1])
		return infer_error(in, "shape-mismatch", "the matrix of these weights is [%lld,%lld], not %s",
		                   (long long)dim[0], (long long)dim[1], shape_text(in->graph->arena, m));
	return infer_result(in, dtype, 4, w);
}

/* Of the weights only the taps that meet the image are read. */
static void conv_matrix_cost(const Node *n, Cost *cost)
{
	double written = (double)type_bytes(n->type), weights = (double)type_bytes(n->operands[0]->type);
	cost->flops = 0;
	cost->bytes = written + (weights < written ? weights : written);
}

/* An addition for each element of the matrix that is a tap. */
static void conv_matrix_grad_cost(const Node *n, Cost *cost)
{
	ConvMatrixSizes s = conv_matrix_sizes(n);
	cost->flops = (double)conv_matrix_pairs(&s.win) * (double)s.filters * (double)s.channels;
	cost->bytes = (double)type_bytes(n->operands[0]->type) + (double)type_bytes(n->type);
}

/* One list of shapes serves both: each line is w, the matrix, and the attributes. */
#define SHAPES(X)                                               \
	X("1,1,1,1", "1,1", "1,1", "1,1", "0,0,0,0", "1,1")     \
	X("1,3,3,1", "1,1", "1,1", "1,1", "1,1,1,1", "1,1")     \
	X("7,3,3,5", "7,5", "1,1", "1,1", "1,1,1,1", "1,1")     \
	X("4,3,3,8", "4,8", "1,1", "1,1", "1,1,1,1", "1,1")     \
	X("6,3,3,8", "24,32", "2,2", "1,1", "1,1,1,1", "1,1")   \
	X("3,3,3,5", "12,20", "2,2", "1,1", "1,1,1,1", "1,1")   \
	X("5,3,3,4", "5,16", "2,2", "2,2", "1,1,1,1", "1,1")    \
	X("2,3,3,3", "2,12", "2,2", "2,2", "1,1,1,1", "1,1")    \
	X("2,3,3,3", "2,27", "3,3", "1,1", "0,0,0,0", "1,1")    \
	X("2,3,3,4", "18,36", "3,3", "1,1", "1,1,1,1", "1,1")   \
	X("3,2,2,2", "12,8", "2,2", "1,1", "0,0,1,1", "1,1")    \
	X("3,2,2,2", "27,8", "2,2", "1,1", "1,1,1,1", "1,1")    \
	X("2,3,3,2", "8,8", "2,2", "1,1", "2,2,2,2", "2,2")     \
	X("2,3,2,4", "18,60", "3,5", "1,2", "1,1,1,1", "1,2")   \
	X("1,1,5,3", "3,9", "1,3", "1,1", "0,2,0,2", "1,1")     \
	X("1,5,1,3", "3,9", "3,1", "1,1", "2,0,2,0", "1,1")     \
	X("2,1,1,3", "8,12", "2,2", "1,1", "0,0,0,0", "1,1")    \
	X("2,1,1,3", "8,48", "4,4", "2,2", "0,0,0,0", "1,1")    \
	X("3,3,3,2", "12,32", "4,4", "2,2", "1,1,1,1", "1,1")   \
	X("2,2,2,3", "8,12", "2,2", "3,3", "3,3,2,2", "1,1")    \
	X("2,2,3,2", "4,20", "5,2", "3,4", "0,1,0,1", "1,1")    \
	X("16,3,3,12", "64,48", "2,2", "1,1", "1,1,1,1", "1,1") \
	X("3,5,5,4", "12,16", "2,2", "1,1", "2,2,2,2", "1,1")
#define WINDOW(image, stride, pad, dilation) \
	" image=[" image "] stride=[" stride "] pad=[" pad "] dilation=[" dilation "]",
#define MATRIX_SAMPLE(w, m, image, stride, pad, dilation) "w=f32[" w "]" WINDOW(image, stride, pad, dilation)
#define GRAD_SAMPLE(w, m, image, stride, pad, dilation) \
	"dy=f32[" m "] dim=[" w "]" WINDOW(image, stride, pad, dilation)

static const char *const matrix_samples[] = {SHAPES(MATRIX_SAMPLE) NULL};
static const char *const grad_samples[] = {SHAPES(GRAD_SAMPLE) NULL};

const Op conv_matrix_ops[] = {
        {.name = "conv_matrix",
         .halves = HALVES_ALL,
         .signature = "w -> y",
         .doc = "The weights of a convolution of images of the size `image` as a matrix: the convolution is "
                "the "
                "product of each image, as one row, with its transpose.",
         .infer = conv_matrix_infer,
         .grad = conv_matrix_grad,
         .cost = conv_matrix_cost,
         .samples = matrix_samples},
        {.name = "conv_matrix_grad",
         .halves = HALVES_NONE,
         .signature = "dy -> dw",
         .doc = "Gradient of conv_matrix: each weight's is the sum over its places in the matrix; dim is the "
                "weights' shape.",
         .infer = conv_matrix_grad_infer,
         .cost = conv_matrix_grad_cost,
         .samples = grad_samples},
        {0},
};
