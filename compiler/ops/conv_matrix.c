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
#include "ops/lanes.h"

#include <string.h>

typedef struct Sizes {
	Window win;
	int64_t filters, channels;
} Sizes;

/* ---- the nodes */

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

static Sizes sizes_of(const Node *n)
{
	int count;
	const Type *w = node_is(n, "conv_matrix") ? &n->operands[0]->type : &n->type;
	const int64_t *image = node_ints(n, "image", &count);
	Sizes s = {.filters = w->dim[0], .channels = w->dim[3]};
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
	Sizes s = sizes_of(n);
	cost->flops = (double)conv_matrix_pairs(&s.win) * (double)s.filters * (double)s.channels;
	cost->bytes = (double)type_bytes(n->operands[0]->type) + (double)type_bytes(n->type);
}

/* ---- text, the same for C and CUDA except for the loops around it */

/* Dimension i of the window: pixel `at` of the image seen from pixel `from` of the result, in steps of which `dilation`
 * are a tap; and pixel `tap` steps of the window further. */
static const char *distance(Arena *a, const Window *w, int i, const char *at, const char *from)
{
	const char *moved = strcmp(at, "0") == 0 ? arena_printf(a, "%lld", (long long)w->pad[i])
	                                         : index_plus(a, at, w->pad[i]);
	return strcmp(from, "0") == 0 ? moved
	                              : arena_printf(a, "%s - %s", moved, index_times(a, from, w->stride[i]));
}

static const char *pixel(Arena *a, const Window *w, int i, const char *from, const char *tap)
{
	return index_plus(a,
	                  arena_printf(a, "%s + %s", index_times(a, from, w->stride[i]),
	                               index_times(a, tap, w->dilation[i])),
	                  -w->pad[i]);
}

/* Whether the distances `r` and `s` are of taps. */
static const char *is_tap(Arena *a, const Window *w)
{
	static const char *const name[2] = {"r", "s"};
	const char *text = NULL;
	for (int i = 0; i < 2; i++) {
		const char *divides = w->dilation[i] == 1 ? ""
		                                          : arena_printf(a, " && %s %% %lld == 0", name[i],
		                                                         (long long)w->dilation[i]);
		text = arena_printf(a, "%s%s%s >= 0 && %s < %lld%s", text ? text : "", text ? " && " : "",
		                    name[i], name[i], (long long)(w->size[i] * w->dilation[i]), divides);
	}
	return text;
}

/* The place in w of filter k's tap at these distances, in channel `channel`. */
static const char *weight_at(Arena *a, const Sizes *s, const char *channel)
{
	const Window *w = &s->win;
	return arena_printf(a, "((k * %lld + %s) * %lld + %s) * %lld + %s", (long long)w->size[0],
	                    index_over(a, "r", w->dilation[0]), (long long)w->size[1],
	                    index_over(a, "s", w->dilation[1]), (long long)s->channels, channel);
}

/* Whether pixel (h, v) is inside of the image. */
static const char *is_inside(Arena *a, const Window *w)
{
	return arena_printf(a, "h >= 0 && h < %lld && v >= 0 && v < %lld", (long long)w->in[0],
	                    (long long)w->in[1]);
}

/* The place in the matrix of the pair (p, q), (h, v), filter k and channel c. */
static const char *element_at(Arena *a, const Sizes *s)
{
	const Window *w = &s->win;
	return arena_printf(a, "(((p * %lld + q) * %lld + k) * %lld + h * %lld + v) * %lld + c",
	                    (long long)w->out[1], (long long)s->filters, (long long)(w->in[0] * w->in[1]),
	                    (long long)w->in[1], (long long)s->channels);
}

/* ---- loops */

static void declare(KernelText *k, const char *name, const char *value)
{
	write_line(k->w, "int64_t %s = %s;", name, value);
}

static void conv_matrix_emit(KernelText *k, const Node *n)
{
	Sizes s = sizes_of(n);
	const Window *w = &s.win;
	Arena *a = k->arena;
	write_line(k->w, "#pragma omp parallel for");
	kernel_loop(k, "row", "0", kernel_literal(k, n->type.dim[0]), 1);
	declare(k, "p", index_over(a, "row", s.filters * w->out[1]));
	declare(k, "q", index_digit(a, "row", s.filters, w->out[1]));
	declare(k, "k", index_digit(a, "row", 1, s.filters));
	kernel_loop(k, "h", "0", kernel_literal(k, w->in[0]), 1);
	kernel_loop(k, "v", "0", kernel_literal(k, w->in[1]), 1);
	declare(k, "r", distance(a, w, 0, "h", "p"));
	declare(k, "s", distance(a, w, 1, "v", "q"));
	write_line(k->w, "bool tap = %s;", is_tap(a, w));
	kernel_loop(k, "c", "0", kernel_literal(k, s.channels), 1);
	declare(k, "col",
	        arena_printf(a, "(h * %lld + v) * %lld + c", (long long)w->in[1], (long long)s.channels));
	kernel_epilogue(k, "row", "col", arena_printf(a, "(tap ? w[%s] : 0)", weight_at(a, &s, "c")));
	kernel_close(k, 4);
}

static void conv_matrix_grad_emit(KernelText *k, const Node *n)
{
	Sizes s = sizes_of(n);
	const Window *w = &s.win;
	Arena *a = k->arena;
	write_line(k->w, "#pragma omp parallel for");
	kernel_loop(k, "row", "0", kernel_literal(k, s.filters * w->size[0] * w->size[1]), 1);
	declare(k, "k", index_over(a, "row", w->size[0] * w->size[1]));
	declare(k, "r", index_digit(a, "row", w->size[1], w->size[0]));
	declare(k, "s", index_digit(a, "row", 1, w->size[1]));
	kernel_loop(k, "c", "0", kernel_literal(k, s.channels), 1);
	write_line(k->w, "%s sum = 0;", k->real);
	kernel_loop(k, "p", "0", kernel_literal(k, w->out[0]), 1);
	kernel_loop(k, "q", "0", kernel_literal(k, w->out[1]), 1);
	declare(k, "h", pixel(a, w, 0, "p", "r"));
	declare(k, "v", pixel(a, w, 1, "q", "s"));
	write_line(k->w, "if (%s)", is_inside(a, w));
	write_line(k->w, "\tsum += dy[%s];", element_at(a, &s));
	kernel_close(k, 2);
	kernel_epilogue(k, "row", "c", "sum");
	kernel_close(k, 2);
}

/* ---- CUDA: one to four neighbouring channels of the result a thread */

static int width_of(const Node *n)
{
	int64_t channels = sizes_of(n).channels;
	return lanes_width(1, &channels);
}

static int64_t cuda_threads(const Node *n)
{
	return type_elements(n->type) / width_of(n);
}

static void conv_matrix_emit_cuda(KernelText *k, const Node *n)
{
	Lanes l = lanes_new(k, n, width_of(n));
	Sizes s = sizes_of(n);
	const Window *w = &s.win;
	Arena *a = k->arena;
	lanes_begin(&l, cuda_threads(n));
	lanes_place(&l, "row", n->type.dim[1]);
	lanes_index(&l, "k", "%s", index_digit(a, "row", 1, s.filters));
	const char *p = index_digit(a, "row", s.filters * w->out[1], w->out[0]);
	const char *q = index_digit(a, "row", s.filters, w->out[1]);
	const char *h = index_digit(a, "c", s.channels * w->in[1], w->in[0]);
	const char *v = index_digit(a, "c", s.channels, w->in[1]);
	lanes_index(&l, "r", "%s", distance(a, w, 0, h, p));
	lanes_index(&l, "s", "%s", distance(a, w, 1, v, q));
	lanes_value(&l, "e", "0");
	kernel_open(k, "if (%s)", is_tap(a, w));
	lanes_reload(&l, "e", 0, weight_at(a, &s, index_digit(a, "c", 1, s.channels)));
	kernel_close(k, 1);
	lanes_finish(&l, "row", "c", "e@");
}

static void conv_matrix_grad_emit_cuda(KernelText *k, const Node *n)
{
	Lanes l = lanes_new(k, n, width_of(n));
	Sizes s = sizes_of(n);
	const Window *w = &s.win;
	Arena *a = k->arena;
	lanes_begin(&l, cuda_threads(n));
	lanes_place(&l, "row", s.channels);
	lanes_index(&l, "k", "%s", index_over(a, "row", w->size[0] * w->size[1]));
	lanes_index(&l, "r", "%s", index_digit(a, "row", w->size[1], w->size[0]));
	lanes_index(&l, "s", "%s", index_digit(a, "row", 1, w->size[1]));
	lanes_value(&l, "sum", "0");
	kernel_open(k, "for (%s p = 0; p < %lld; p++)", l.index, (long long)w->out[0]);
	kernel_open(k, "for (%s q = 0; q < %lld; q++)", l.index, (long long)w->out[1]);
	lanes_index(&l, "h", "%s", pixel(a, w, 0, "p", "r"));
	lanes_index(&l, "v", "%s", pixel(a, w, 1, "q", "s"));
	kernel_open(k, "if (%s)", is_inside(a, w));
	lanes_load(&l, "e", 0, element_at(a, &s));
	lanes_each(&l, "sum@ += e@;");
	kernel_close(k, 3);
	lanes_finish(&l, "row", "c", "sum@");
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
         .emit_cpu = conv_matrix_emit,
         .emit_cuda = conv_matrix_emit_cuda,
         .cuda_threads = cuda_threads,
         .samples = matrix_samples},
        {.name = "conv_matrix_grad",
         .halves = HALVES_NONE,
         .signature = "dy -> dw",
         .doc = "Gradient of conv_matrix: each weight's is the sum over its places in the matrix; dim is the "
                "weights' shape.",
         .infer = conv_matrix_grad_infer,
         .cost = conv_matrix_grad_cost,
         .emit_cpu = conv_matrix_grad_emit,
         .emit_cuda = conv_matrix_grad_emit_cuda,
         .cuda_threads = cuda_threads,
         .samples = grad_samples},
        {0},
};
