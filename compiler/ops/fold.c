/* unfold and fold: what windows along an axis meet, side by side in the channels, and the sums of that the other way
 * round. Each is linear, and the gradient of the other. With them a convolution of volumes is one of images
 * (volume.c). */
#include "ops/fold.h"
#include "emit/onnx.h"
#include "ops/compose.h"
#include "ops/lanes.h"
#include "ops/window.h"

#include "base/checked.h"

enum { PLACES = 1, COLUMNS, CHANNELS, RANK };

Fold fold_of(const Node *n)
{
	const bool folds = n->op == op_find("fold");
	const int64_t *x = folds ? n->type.dim : n->operands[0]->type.dim,
	              *y = folds ? n->operands[0]->type.dim : n->type.dim;
	return (Fold){.places = x[PLACES],
	              .columns = x[COLUMNS],
	              .channels = x[CHANNELS],
	              .windows = y[PLACES],
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
	if (t.rank != RANK || size < 1 || size > limit || stride < 1 || stride > limit || dilation < 1 ||
	    dilation > limit || before < 0 || before > limit || count < 1)
		return infer_error(in, "bad-window", "`%s` has no such windows of %s", in->op->name,
		                   shape_text(in->graph->arena, t));
	if (folds && t.dim[CHANNELS] % size)
		return infer_error(in, "shape-mismatch", "%lld channels are not %lld times as many",
		                   (long long)t.dim[CHANNELS], (long long)size);
	t.dim[PLACES] = count;
	if (folds)
		t.dim[CHANNELS] /= size;
	else if (!checked_mul(t.dim[CHANNELS], size, &t.dim[CHANNELS]))
		return infer_error(in, "tensor-limit", "the result of `unfold` is too large");
	return infer_real(in, 0) && infer_result(in, t.dtype, RANK, t.dim);
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

/* ---- loops, over the rows [n, places, columns] of the result */

static void open_rows(KernelText *k, const Node *n)
{
	write_line(k->w, "#pragma omp parallel for");
	kernel_open(k, "for (int64_t r = 0; r < %lld; r++)",
	            (long long)(type_elements(n->type) / n->type.dim[CHANNELS]));
	write_line(k->w, "const int64_t at = %s;",
	           index_digit(k->arena, "r", n->type.dim[COLUMNS], n->type.dim[PLACES]));
}

/* Row `place` of the operand in the sample and the column of row r. */
static char *row_at(const KernelText *k, const Node *n, const char *place)
{
	const long long columns = (long long)n->type.dim[COLUMNS];
	return arena_printf(k->arena, "(%s * %lld + %s) * %lld + %s",
	                    index_over(k->arena, "r", n->type.dim[PLACES] * columns),
	                    (long long)n->operands[0]->type.dim[PLACES], place, columns,
	                    index_digit(k->arena, "r", 1, columns));
}

static void unfold_emit(KernelText *k, const Node *n)
{
	const Fold f = fold_of(n);
	open_rows(k, n);
	kernel_open(k, "for (int64_t i = 0; i < %lld; i++)", (long long)f.size);
	write_line(k->w, "const int64_t place = at * %lld + i * %lld - %lld;", (long long)f.stride,
	           (long long)f.dilation, (long long)f.before);
	write_line(k->w, "const bool inside = place >= 0 && place < %lld;", (long long)f.places);
	write_line(k->w, "const %s *const from = x + (inside ? %s : 0) * %lld;", k->real,
	           row_at(k, n, "place"), (long long)f.channels);
	write_line(k->w, "#pragma omp simd");
	kernel_open(k, "for (int64_t c = 0; c < %lld; c++)", (long long)f.channels);
	kernel_epilogue(k, "r", arena_printf(k->arena, "i * %lld + c", (long long)f.channels),
	                "(inside ? from[c] : 0)");
	kernel_close(k, 3);
}

static void fold_emit(KernelText *k, const Node *n)
{
	const Fold f = fold_of(n);
	open_rows(k, n);
	kernel_open(k, "for (int64_t c = 0; c < %lld; c++)", (long long)f.channels);
	write_line(k->w, "%s sum = 0;", k->real);
	kernel_open(k, "for (int64_t i = 0; i < %lld; i++)", (long long)f.size);
	write_line(k->w, "const int64_t place = at + %lld - i * %lld, window = place / %lld;",
	           (long long)f.before, (long long)f.dilation, (long long)f.stride);
	write_line(k->w, "if (place >= 0 && place == window * %lld && window < %lld)", (long long)f.stride,
	           (long long)f.windows);
	write_line(k->w, "\tsum += dy[(%s) * %lld + i * %lld + c];", row_at(k, n, "window"),
	           (long long)(f.size * f.channels), (long long)f.channels);
	kernel_close(k, 1);
	kernel_epilogue(k, "r", "c", "sum");
	kernel_close(k, 2);
}

/* ---- in ONNX: x with its border, and of that what is at each place of the windows */

static const char *unfold_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	const Fold f = fold_of(n);
	const int64_t end = (f.windows - 1) * f.stride + (f.size - 1) * f.dilation + 1,
	              after = end - f.before - f.places;
	const int64_t border[2 * RANK] = {[PLACES] = f.before, [RANK + PLACES] = after > 0 ? after : 0};
	const char *x[] = {onnx_plain(o, n->operands[0]), onnx_ints(o, border, 2 * RANK)},
	           *padded = onnx_call(o, "Pad", "", 2, x), *y = NULL;
	for (int64_t i = 0; i < f.size; i++) {
		const char *places = onnx_range(o, (double)(i * f.dilation), (double)f.stride, f.windows);
		places = onnx_call(o, "Cast", "to=7", 1, &places); /* whole numbers, of 64 bits */
		const char *place = onnx_call(o, "Gather", "axis=1", 2, (const char *[]){padded, places});
		y = y ? onnx_call(o, "Concat", "axis=3", 2, (const char *[]){y, place}) : place;
	}
	return y;
}

/* For each place of the windows what the one that has it at a row says of that row, or a row of zeros behind them; all
 * added up. */
static const char *fold_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	Arena *scratch = arena_new();
	const Fold f = fold_of(n);
	const int64_t more[2 * RANK] = {[RANK + PLACES] = 1}, last_axis = RANK - 1;
	int64_t *window = NEW_ARRAY(scratch, int64_t, f.places);
	const char *x[] = {onnx_plain(o, n->operands[0]), onnx_ints(o, more, 2 * RANK)},
	           *padded = onnx_call(o, "Pad", "", 2, x), *sum = NULL;
	for (int64_t i = 0; i < f.size; i++) {
		const int64_t channel = i * f.channels, end = channel + f.channels;
		for (int64_t row = 0; row < f.places; row++) {
			const int64_t at = row + f.before - i * f.dilation, of = at / f.stride;
			window[row] = at >= 0 && at % f.stride == 0 && of < f.windows ? of : f.windows;
		}
		const char *part[] = {padded, onnx_ints(o, &channel, 1), onnx_ints(o, &end, 1),
		                      onnx_ints(o, &last_axis, 1)},
		           *rows[] = {onnx_call(o, "Slice", "", 4, part),
		                      onnx_ints(o, window, (int)f.places)},
		           *added[] = {sum, onnx_call(o, "Gather", "axis=1", 2, rows)};
		sum = sum ? onnx_call(o, "Add", "", 2, added) : added[1];
	}
	arena_free(scratch);
	return sum;
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
         .onnx_node = unfold_onnx,
         .infer = unfold_infer,
         .grad = unfold_grad,
         .emit_cpu = unfold_emit,
         .emit_cuda = unfold_emit_cuda,
         .samples = unfold_samples},
        {.name = "fold",
         .signature = "dy -> dx",
         .doc = "The gradient of unfold: what windows have at each of `count` places, added up.",
         .flags = OP_EPILOGUE,
         .halves = HALVES_ALL,
         .onnx_node = fold_onnx,
         .infer = fold_infer,
         .grad = fold_grad,
         .emit_cpu = fold_emit,
         .emit_cuda = fold_emit_cuda,
         .samples = fold_samples},
        {0},
};
