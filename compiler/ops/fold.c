/* SPDX-License-Identifier: MIT */
/* unfold and fold: what windows along an axis meet, side by side in the channels, and the sums of that the other way
 * round. Each is linear, and the gradient of the other. With them a convolution of volumes is one of images
 * (volume.c). */
#include "ops/fold.h"
#include "ops/compose.h"
#include "ops/window.h"

#include "base/checked.h"

Fold fold_of(const Node *n)
{
	const bool folds = n->op == op_find("fold");
	const int64_t *x = folds ? n->type.dim : n->operands[0]->type.dim,
	              *y = folds ? n->operands[0]->type.dim : n->type.dim;
	return (Fold){.places = x[FOLD_PLACES],
	              .columns = x[FOLD_COLUMNS],
	              .channels = x[FOLD_CHANNELS],
	              .windows = y[FOLD_PLACES],
	              .size = node_int(n, "size"),
	              .stride = node_int(n, "stride"),
	              .dilation = node_int(n, "dilation"),
	              .before = node_int(n, "before")};
}

static Node *build_with(Build *b, const char *op, Node *x, const Fold *f, int64_t count)
{
	const Attr attrs[] = {attr_int("size", f->size), attr_int("stride", f->stride),
	                      attr_int("dilation", f->dilation), attr_int("before", f->before),
	                      attr_int("count", count)};
	return build(b, op, 1, &x, 5, attrs);
}

Node *build_unfold(Build *b, Node *x, const Fold *f)
{
	return build_with(b, "unfold", x, f, f->windows);
}

Node *build_fold(Build *b, Node *y, const Fold *f)
{
	return build_with(b, "fold", y, f, f->places);
}

/* Of both: the attribute `count` is the result's extent along the axis. */
static bool infer_folded(Infer *in, bool folds)
{
	const int64_t limit = WINDOW_LIMIT;
	const int64_t size = infer_int(in, "size"), stride = infer_int(in, "stride"),
	              dilation = infer_int(in, "dilation"), before = infer_int(in, "before"),
	              count = infer_int(in, "count");
	Type t = in->operands[0]->type;
	if (t.rank != FOLD_RANK || size < 1 || size > limit || stride < 1 || stride > limit || dilation < 1 ||
	    dilation > limit || before < 0 || before > limit || count < 1)
		return infer_error(in, "bad-window", "`%s` has no such windows of %s", in->op->name,
		                   shape_text(in->graph->arena, t));
	if (folds && t.dim[FOLD_CHANNELS] % size)
		return infer_error(in, "shape-mismatch", "%lld channels are not %lld times as many",
		                   (long long)t.dim[FOLD_CHANNELS], (long long)size);
	t.dim[FOLD_PLACES] = count;
	if (folds)
		t.dim[FOLD_CHANNELS] /= size;
	else if (!checked_mul(t.dim[FOLD_CHANNELS], size, &t.dim[FOLD_CHANNELS]))
		return infer_error(in, "tensor-limit", "the result of `unfold` is too large");
	return infer_real(in, 0) && infer_result(in, t.dtype, FOLD_RANK, t.dim);
}

static bool unfold_infer(Infer *in)
{
	return infer_folded(in, false);
}

static bool fold_infer(Infer *in)
{
	return infer_folded(in, true);
}

static void unfold_grad(Grad *g)
{
	const Fold f = fold_of(g->node);
	g->result[0] = build_fold(&g->b, g->dy, &f);
}

static void fold_grad(Grad *g)
{
	const Fold f = fold_of(g->node);
	g->result[0] = build_unfold(&g->b, g->dy, &f);
}

/* ---- samples */

/* x, y, and the rest */
#define SHAPES(X)                                               \
	X("1,1,1,1", "1,1,1,1", "1", "1", "1", "0", "1", "1")   \
	X("1,3,1,1", "1,3,1,3", "3", "1", "1", "1", "3", "3")   \
	X("2,5,3,4", "2,5,3,12", "3", "1", "1", "1", "5", "5")  \
	X("2,5,3,4", "2,3,3,12", "3", "1", "1", "0", "5", "3")  \
	X("2,6,2,3", "2,3,2,9", "3", "2", "1", "1", "6", "3")   \
	X("2,7,2,8", "2,3,2,16", "2", "2", "1", "0", "7", "3")  \
	X("1,7,1,5", "1,4,1,5", "1", "2", "1", "0", "7", "4")   \
	X("2,6,4,2", "2,6,4,6", "3", "1", "2", "2", "6", "6")   \
	X("1,9,2,4", "1,3,2,12", "3", "3", "2", "1", "9", "3")  \
	X("3,2,2,1", "3,2,2,5", "5", "1", "1", "2", "2", "2")   \
	X("1,4,5,3", "1,2,5,6", "2", "2", "1", "0", "4", "2")   \
	X("1,2,1,4", "1,1,1,8", "2", "1", "1", "0", "2", "1")   \
	X("2,3,1,2", "2,5,1,4", "2", "1", "3", "3", "3", "5")   \
	X("1,5,3,16", "1,3,3,48", "3", "2", "1", "1", "5", "3") \
	X("2,8,1,6", "2,2,1,24", "4", "4", "1", "0", "8", "2")  \
	X("1,8,2,7", "1,3,2,14", "2", "4", "2", "1", "8", "3")  \
	X("1,3,7,12", "1,1,7,36", "3", "1", "1", "0", "3", "1") \
	X("4,2,3,4", "4,2,3,4", "1", "1", "1", "0", "2", "2")   \
	X("1,6,1,4", "1,3,1,4", "1", "2", "1", "1", "6", "3")   \
	X("2,10,2,2", "2,4,2,6", "3", "2", "2", "0", "10", "4") \
	X("1,4,2,32", "1,4,2,96", "3", "1", "1", "1", "4", "4")
#define WINDOWS(size, stride, dilation, before, count) \
	" size=" size " stride=" stride " dilation=" dilation " before=" before " count=" count
#define UNFOLD_SAMPLE(x, y, size, stride, dilation, before, places, windows) \
	"x=f32[" x "]" WINDOWS(size, stride, dilation, before, windows),
#define FOLD_SAMPLE(x, y, size, stride, dilation, before, places, windows) \
	"dy=f32[" y "]" WINDOWS(size, stride, dilation, before, places),
static const char *const unfold_samples[] = {SHAPES(UNFOLD_SAMPLE) NULL};
static const char *const fold_samples[] = {SHAPES(FOLD_SAMPLE) NULL};

const Op fold_ops[] = {
        {.name = "unfold",
         .signature = "x -> y",
         .doc = "What `count` windows along axis 1 of x meet, side by side in the channels: "
                "y[n,w,p,i*channels + c] = x[n, w*stride + i*dilation - before, p, c], or 0 outside of x.",
         .flags = OP_EPILOGUE,
         .halves = HALVES_ALL,
         .infer = unfold_infer,
         .grad = unfold_grad,
         .samples = unfold_samples},
        {.name = "fold",
         .signature = "dy -> dx",
         .doc = "The gradient of unfold: what windows have at each of `count` places, added up.",
         .flags = OP_EPILOGUE,
         .halves = HALVES_ALL,
         .infer = fold_infer,
         .grad = fold_grad,
         .samples = fold_samples},
        {0},
};
