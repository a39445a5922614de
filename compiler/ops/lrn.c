/* SPDX-License-Identifier: MIT */
/* Local response normalisation across channels, and its gradient.
 *
 * With s the sum of the squares of the `size` channels around each and D = k + alpha/size*s,
 *     y = x*D^-beta                                                 (Caffe's LRN layer; PyTorch's LocalResponseNorm)
 *     dx = dy*D^-beta - 2*alpha*beta/size*x*t,   t the sum of dy*x*D^(-beta-1) over the same channels.
 * Both are one kernel each, with loops of their own (kernels/lrn_loops.c): D is computed again from x where it is
 * needed, also for the neighbours, so that no tensor but x is kept for the gradient. As a composite of windowed sums
 * the forward kernel would have to write D, and the backward one to read it. */
#include "ops/lrn.h"

#include "ops/compose.h"

enum { SIZE_MOST = 1023 };

int64_t lrn_reach(const Node *n)
{
	return node_int(n, "size") / 2;
}

double lrn_factor(const Node *n)
{
	return node_real(n, "alpha") / (double)node_int(n, "size");
}

static bool lrn_infer(Infer *in)
{
	Type x = in->operands[0]->type;
	int64_t size = infer_int(in, "size");
	if (!infer_real(in, 0))
		return false;
	if (x.rank < 2)
		return infer_error(in, "shape-mismatch",
		                   "`%s` needs channels, and x is one number per sample", in->op->name);
	if (size < 1 || size > SIZE_MOST || size % 2 == 0)
		return infer_error(in, "bad-window",
		                   "`size` of `%s` must be odd and from 1 to %d, not %lld: a channel and as "
		                   "many on each side",
		                   in->op->name, (int)SIZE_MOST, (long long)size);
	return infer_like(in, 0);
}

static bool lrn_grad_infer(Infer *in)
{
	Type dy = in->operands[0]->type, x = in->operands[1]->type;
	if (!shape_equal(dy, x) || !infer_same_dtype(in, 0, 1))
		return infer_error(in, "shape-mismatch", "`dy` and `x` of `%s` differ", in->op->name);
	return lrn_infer(in);
}

static void lrn_grad(Grad *g)
{
	const Node *n = g->node;
	Attr attrs[] = {*node_attr(n, "size"), *node_attr(n, "alpha"), *node_attr(n, "beta"),
	                *node_attr(n, "k")};
	g->result[0] = build(&g->b, "lrn_grad", 2, (Node *[]){g->dy, g->operands[0]}, 4, attrs);
}

static Node *lrn_build(Call *c)
{
	Node *x = call_tensor(c, "x");
	if (!x)
		return NULL;
	if (call_real(c, "k") <= 0)
		return call_error(c, "k", "bad-argument", "`k` must be above 0, not %g: x may be all zeros",
		                  call_real(c, "k"));
	if (call_real(c, "alpha") < 0)
		return call_error(c, "alpha", "bad-argument", "`alpha` must not be negative, and it is %g",
		                  call_real(c, "alpha"));
	Attr attrs[] = {attr_int("size", call_int(c, "size")), attr_real("alpha", call_real(c, "alpha")),
	                attr_real("beta", call_real(c, "beta")), attr_real("k", call_real(c, "k"))};
	return build(call_build(c), "lrn", 1, &x, 4, attrs);
}

/* Of an element: the squares of its window, and a power as four operations; of the gradient also a quotient, and the
 * products of the window. */
static void lrn_cost(const Node *n, Cost *cost)
{
	bool grad = n->operand_count == 2;
	double size = (double)node_int(n, "size"), elements = (double)type_elements(n->type);
	cost->flops = elements * (grad ? 3 * size + 12 : 2 * size + 7);
	cost->bytes = (double)type_bytes(n->type) * (grad ? 3 : 2);
}

#define SHAPES(X)                                 \
	X("1,1", "1", "1.0", "0.75", "1.0")       \
	X("1,1", "5", "1.0", "0.75", "2.0")       \
	X("3,7", "1", "0.5", "0.75", "1.0")       \
	X("3,7", "3", "0.5", "0.5", "1.0")        \
	X("2,5", "3", "1.0", "1.0", "1.0")        \
	X("2,5", "5", "1.0", "0.25", "1.0")       \
	X("2,5", "9", "1.0", "0.75", "1.0")       \
	X("2,2", "5", "1.0", "0.75", "0.5")       \
	X("4,8", "5", "2.0", "0.75", "1.0")       \
	X("1,3,8", "5", "2.0", "0.6", "1.0")      \
	X("2,3,3,4", "5", "1.0", "0.75", "1.0")   \
	X("2,3,3,4", "3", "1.0", "0.75", "2.0")   \
	X("2,2,3,12", "5", "1e-4", "0.75", "1.0") \
	X("2,2,3,12", "5", "3.0", "0.75", "1.0")  \
	X("1,2,2,16", "7", "3.0", "0.75", "1.0")  \
	X("1,2,2,16", "9", "3.0", "0.9", "1.0")   \
	X("1,2,2,16", "11", "3.0", "0.75", "1.0") \
	X("1,1,2,17", "5", "3.0", "0.75", "1.0")  \
	X("1,1,1,33", "13", "3.0", "1.5", "1.0")  \
	X("1,2,1,257", "5", "3.0", "0.75", "1.0") \
	X("1,1,2,516", "5", "3.0", "0.75", "1.0") \
	X("2,2,2,20", "39", "3.0", "0.75", "1.0")
#define ATTRS(size, alpha, beta, k)       " size=" size " alpha=" alpha " beta=" beta " k=" k
#define LRN(x, size, alpha, beta, k)      "x=f32[" x "]" ATTRS(size, alpha, beta, k),
#define LRN_GRAD(x, size, alpha, beta, k) "dy=f32[" x "] x=f32[" x "]" ATTRS(size, alpha, beta, k),

static const char *const lrn_samples[] = {SHAPES(LRN) NULL};
static const char *const lrn_grad_samples[] = {SHAPES(LRN_GRAD) NULL};

const Op lrn_ops[] = {
        {.name = "lrn",
         .signature = "x -> y",
         .call = "x, size: int = 5, alpha: real = 1e-4, beta: real = 0.75, k: real = 1.0",
         .doc = "Local response normalisation across channels (the last dimension): x/(k + "
                "alpha/size*s)**beta, "
                "s being "
                "the sum of x**2 over the `size` channels around each, fewer at the first and the last. "
                "`size` is "
                "odd. As in Caffe and PyTorch; of the paper's alpha (Krizhevsky et al., 2012) theirs is "
                "`size` "
                "times as much.",
         .flags = OP_EPILOGUE | OP_UNITS,
         .infer = lrn_infer,
         .grad = lrn_grad,
         .build = lrn_build,
         .cost = lrn_cost,
         .samples = lrn_samples},
        {.name = "lrn_grad",
         .signature = "dy, x -> dx",
         .doc = "Gradient of lrn.",
         .flags = OP_EPILOGUE | OP_UNITS,
         .infer = lrn_grad_infer,
         .cost = lrn_cost,
         .samples = lrn_grad_samples},
        {0},
};
