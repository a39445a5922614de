/* Images in another size: upsample, nearest or bilinear, and adaptive_avgpool. All are written with simpler operators
 * along one axis at a time. */
#include "ops/compose.h"

#include "base/checked.h"

/* ---- upsample */

static bool upsample_infer(Infer *in)
{
	Type x = in->operands[0]->type;
	int count;
	const int64_t *by = infer_ints(in, "factor", &count);
	if (x.rank != 4)
		return infer_error(in, "rank-mismatch", "`upsample` is for images [height, width, channels]");
	if (count != 2 || by[0] < 1 || by[1] < 1)
		return infer_error(in, "bad-argument", "`factor` must be at least 1");
	int64_t dim[] = {x.dim[0], 0, 0, x.dim[3]};
	if (!checked_mul(x.dim[1], by[0], &dim[1]) || !checked_mul(x.dim[2], by[1], &dim[2]))
		return infer_error(in, "tensor-limit", "the result of `upsample` is too large");
	return infer_real(in, 0) && infer_result(in, x.dtype, 4, dim);
}

/* Each pixel becomes a block: repeated along new axes of h and w, which join those of the image. */
static Node *upsample_expand(Expand *e)
{
	Build *b = &e->b;
	int count;
	const int64_t *by = node_ints(e->node, "factor", &count), *d = e->operands[0]->type.dim;
	int64_t wide[6] = {d[0], d[1], by[0], d[2], by[1], d[3]};
	Node *y = build_reshape(b, e->operands[0], 6, (int64_t[]){d[0], d[1], 1, d[2], 1, d[3]});
	y = build_broadcast(b, y, 6, wide);
	return y ? reshape_like(b, y, e->node->type) : NULL;
}

/* The pixel before each one along an axis, or the one after: the border's own at the border. */
static Node *neighbours(Build *b, Node *x, int axis, bool before)
{
	int64_t n = x->type.dim[axis];
	if (n == 1)
		return x;
	Node *edge = build_slice(b, x, axis, before ? 0 : n - 1, 1);
	Node *rest = build_slice(b, x, axis, before ? 0 : 1, n - 1);
	return build_concat(b, axis, 2, before ? (Node *[]){edge, rest} : (Node *[]){rest, edge});
}

/* x with a dimension of 1 put in at `axis`. */
static Node *with_axis(Build *b, Node *x, int axis)
{
	int64_t dim[LIMIT_RANK];
	for (int i = 0; i <= x->type.rank; i++)
		dim[i] = i < axis ? x->type.dim[i] : i == axis ? 1 : x->type.dim[i - 1];
	return build_reshape(b, x, x->type.rank + 1, dim);
}

/* first, first + by ... `count` of them along `axis` of `rank`. */
static Node *line(Build *b, int rank, int axis, int64_t count, double first, double by)
{
	int64_t dim[LIMIT_RANK] = {0};
	for (int i = 0; i < rank; i++)
		dim[i] = i == axis ? count : 1;
	return build_ramp(b, rank, dim, first, by);
}

/* Pixel i becomes `by` of them, the k-th (k + 1/2)/by - 1/2 from its middle: that much of the neighbour on its side,
 * and of pixel i the rest. */
static Node *stretched(Build *b, Node *x, int axis, int64_t by)
{
	if (by == 1)
		return x;
	Type wide = x->type;
	wide.dim[axis] *= by;
	Node *before = neighbours(b, x, axis, true), *after = neighbours(b, x, axis, false);
	/* as whole numbers, which are exact in any precision, and one division */
	Node *twice = line(b, x->type.rank + 1, axis + 1, by, (double)(1 - by), 2);
	Node *from = build2(b, "div", twice, build_constant(b, 2 * (double)by));
	Node *y = compose(b, "x + maximum(from, 0)*(after - x) + maximum(-from, 0)*(before - x)",
	                  TERMS({"x", with_axis(b, x, axis + 1)}, {"from", from},
	                        {"after", with_axis(b, after, axis + 1)},
	                        {"before", with_axis(b, before, axis + 1)}));
	return reshape_like(b, y, wide);
}

static Node *bilinear_expand(Expand *e)
{
	int count;
	const int64_t *by = node_ints(e->node, "factor", &count);
	return stretched(&e->b, stretched(&e->b, e->operands[0], 1, by[0]), 2, by[1]);
}

static Node *build_upsample(Call *c)
{
	Node *x = call_tensor(c, "x");
	int64_t by[2];
	call_pair(c, "factor", by);
	if (x && x->type.rank != 4)
		return call_error(c, "x", "rank-mismatch",
		                  "`upsample` is for images [height, width, channels]");
	Attr factor = attr_ints("factor", by, 2);
	bool smooth = call_word(c, "kind")[0] == 'b';
	return x ? build(call_build(c), smooth ? "bilinear" : "upsample", 1, &x, 1, &factor) : NULL;
}

/* ---- adaptive_avgpool: row o of `out` is the mean of the rows floor(o*in/out) to ceil((o + 1)*in/out) - 1 */

static bool adaptive_infer(Infer *in)
{
	Type x = in->operands[0]->type;
	int count;
	const int64_t *size = infer_ints(in, "size", &count);
	if (x.rank != 4)
		return infer_error(in, "rank-mismatch",
		                   "`adaptive_avgpool` is for images [height, width, channels]");
	if (count != 2 || size[0] < 1 || size[1] < 1)
		return infer_error(in, "bad-argument", "`size` must be at least 1");
	return infer_real(in, 0) &&
	       infer_result(in, x.dtype, 4, (int64_t[]){x.dim[0], size[0], size[1], x.dim[3]});
}

/* Pixel i is in window o where i > o*in/out - 1 and i < (o + 1)*in/out; compared as whole numbers. */
static Node *averaged(Build *b, Node *x, int axis, int64_t out)
{
	const double in = (double)x->type.dim[axis], windows = (double)out;
	const int rank = x->type.rank + 1, pixel_axis = axis + 1;
	Type small = x->type;
	small.dim[axis] = out;
	if (x->type.dim[axis] == out)
		return x;
	Node *pixel = line(b, rank, pixel_axis, x->type.dim[axis], 0, windows);
	Node *window = line(b, rank, axis, out, 0, in);
	Node *inside = compose(b, "(pixel + windows > window)*(pixel < window + in)",
	                       TERMS({"pixel", pixel}, {"window", window},
	                             {"windows", build_constant(b, windows)}, {"in", build_constant(b, in)}));
	Node *terms = build2(b, "mul", with_axis(b, x, axis), inside);
	Node *mean = build2(b, "div", reduce_axis(b, "sum", terms, pixel_axis),
	                    reduce_axis(b, "sum", inside, pixel_axis));
	return reshape_like(b, mean, small);
}

static Node *adaptive_expand(Expand *e)
{
	int count;
	const int64_t *size = node_ints(e->node, "size", &count);
	return averaged(&e->b, averaged(&e->b, e->operands[0], 1, size[0]), 2, size[1]);
}

/* Windows that tile the image are those of avgpool. */
static Node *build_adaptive(Call *c)
{
	Build *b = call_build(c);
	Node *x = call_tensor(c, "x");
	int64_t size[2], window[2], none[4] = {0};
	call_pair(c, "size", size);
	if (!x)
		return NULL;
	Attr attr = attr_ints("size", size, 2);
	bool tiles = x->type.rank == 4 && size[0] >= 1 && size[1] >= 1 && x->type.dim[1] % size[0] == 0 &&
	             x->type.dim[2] % size[1] == 0;
	if (!tiles)
		return build(b, "adaptive_avgpool", 1, &x, 1, &attr);
	window[0] = x->type.dim[1] / size[0];
	window[1] = x->type.dim[2] / size[1];
	Attr attrs[] = {attr_ints("size", window, 2), attr_ints("stride", window, 2),
	                attr_ints("pad", none, 4)};
	return build(b, "avgpool", 1, &x, 3, attrs);
}

/* ---- samples */

static const char *const upsample_samples[] = {
        "x=f32[1,1,1,1] factor=[1,1]", "x=f32[1,1,1,1] factor=[2,2]", "x=f32[1,1,1,3] factor=[3,1]",
        "x=f32[2,1,1,5] factor=[1,4]", "x=f32[1,2,2,1] factor=[2,2]", "x=f32[2,3,3,4] factor=[2,2]",
        "x=f32[2,3,5,1] factor=[2,2]", "x=f32[1,5,3,2] factor=[3,2]", "x=f32[3,1,7,2] factor=[2,3]",
        "x=f32[1,7,1,3] factor=[2,2]", "x=f32[2,2,2,8] factor=[4,4]", "x=f32[1,4,4,16] factor=[2,2]",
        "x=f32[4,3,2,5] factor=[1,2]", "x=f32[4,3,2,5] factor=[2,1]", "x=f32[1,1,9,1] factor=[5,1]",
        "x=f32[5,2,3,7] factor=[2,2]", "x=f32[2,6,6,3] factor=[1,1]", "x=f32[1,2,1,33] factor=[3,3]",
        "x=f32[2,5,5,6] factor=[2,2]", "x=f32[1,3,4,2] factor=[7,5]", NULL,
};

static const char *const adaptive_samples[] = {
        "x=f32[1,1,1,1] size=[1,1]", "x=f32[1,2,2,1] size=[1,1]",   "x=f32[1,1,1,3] size=[3,1]",
        "x=f32[2,3,1,5] size=[2,1]", "x=f32[1,5,5,1] size=[2,3]",   "x=f32[2,7,7,4] size=[3,3]",
        "x=f32[2,3,5,1] size=[2,2]", "x=f32[1,5,3,2] size=[3,2]",   "x=f32[3,1,7,2] size=[1,4]",
        "x=f32[1,7,1,3] size=[5,1]", "x=f32[2,2,2,8] size=[3,3]",   "x=f32[1,4,4,16] size=[3,3]",
        "x=f32[4,3,2,5] size=[2,2]", "x=f32[4,3,2,5] size=[1,2]",   "x=f32[1,1,9,1] size=[1,7]",
        "x=f32[5,2,3,7] size=[2,2]", "x=f32[2,6,6,3] size=[4,4]",   "x=f32[1,2,1,33] size=[3,1]",
        "x=f32[2,5,5,6] size=[5,3]", "x=f32[1,13,11,2] size=[7,5]", NULL,
};

const Op resample_ops[] = {
        {.name = "upsample",
         .signature = "x -> y",
         .call = "x, factor: pair = 2, kind: nearest|bilinear = nearest",
         .doc = "Images made larger, `factor` times in height and width. `nearest` repeats each pixel; "
                "`bilinear` "
                "goes from the middle of each to the middle of the next in a line, as PyTorch does with "
                "align_corners=False.",
         .infer = upsample_infer,
         .expand = upsample_expand,
         .build = build_upsample,
         .samples = upsample_samples},
        {.name = "bilinear",
         .signature = "x -> y",
         .doc = "Images made `factor` times larger, in lines from the middle of a pixel to that of the next.",
         .infer = upsample_infer,
         .expand = bilinear_expand,
         .samples = upsample_samples},
        {.name = "adaptive_avgpool",
         .signature = "x -> y",
         .call = "x, size: pair",
         .doc = "The average of windows that cut an image into `size` rows and columns, whatever its size: "
                "row o is "
                "the mean of the rows floor(o*height/rows) to ceil((o + 1)*height/rows) - 1, so that windows "
                "may "
                "overlap by one.",
         .infer = adaptive_infer,
         .expand = adaptive_expand,
         .build = build_adaptive,
         .samples = adaptive_samples},
        {0},
};
