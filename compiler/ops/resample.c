/* SPDX-License-Identifier: MIT */
/* Images in another size: upsample, nearest or bilinear, and adaptive_avgpool. All are written with simpler operators
 * along one axis at a time. */
#include "ops/compose.h"

#include "base/checked.h"

#include <math.h>

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

/* ---- pick: x's row i*times + plus, divided by `over`, for each row i of the result, and columns likewise */

typedef struct Pick {
	int64_t count[2], times[2], plus[2], over[2];
} Pick;

static Node *pick(Build *b, Node *x, const Pick *p)
{
	Attr attrs[] = {attr_ints("count", p->count, 2), attr_ints("over", p->over, 2),
	                attr_ints("plus", p->plus, 2), attr_ints("times", p->times, 2)};
	return build(b, "pick", 1, &x, 4, attrs);
}

static bool pick_infer(Infer *in)
{
	static const char *const names[] = {"count", "over", "plus", "times"};
	const int64_t *of[4];
	Type x = in->operands[0]->type;
	bool fits = x.rank == 4, moves = false;
	for (int k = 0; k < 4; k++) {
		int count;
		of[k] = infer_ints(in, names[k], &count);
		fits = fits && count == 2;
	}
	for (int i = 0; i < 2 && fits; i++) {
		const int64_t rows = of[0][i], over = of[1][i], plus = of[2][i], times = of[3][i],
		              size = x.dim[1 + i];
		fits = rows >= 1 && over >= 1 && over <= SIZE_LIMIT / size && plus >= -SIZE_LIMIT &&
		       plus <= SIZE_LIMIT && times >= 1 && times <= SIZE_LIMIT / rows &&
		       (rows == 1) == (size == 1);
		moves = moves || rows != size;
	}
	/* a kernel's loops leave out dimensions of 1, and take a tensor of the result's shape for one that is read at
	 * the same index */
	if (!fits || !moves)
		return infer_error(in, "bad-window", "`pick` finds no such pixels in %s",
		                   shape_text(in->graph->arena, x));
	return infer_result(in, x.dtype, 4, (int64_t[]){x.dim[0], of[0][0], of[0][1], x.dim[3]});
}

static void pick_place(const Node *n, int axis, Place *p)
{
	int count;
	if (axis != 1 && axis != 2)
		return;
	p->times = node_ints(n, "times", &count)[axis - 1];
	p->plus = node_ints(n, "plus", &count)[axis - 1];
	p->over = node_ints(n, "over", &count)[axis - 1];
	p->count = n->operands[0]->type.dim[axis];
}

/* ---- bilinear: pixel j of the result is at (2*j + 1 - by)/(2*by) of x, between two of its pixels, or beyond the last
 * one, which it then is */

/* first, first + by ... along an axis of y, in y's shape: computed where it is read. */
static Node *along(Build *b, const Type *y, int axis, double first, double by)
{
	return build_broadcast(b, line(b, y->rank, axis, y->dim[axis], first, by), y->rank, y->dim);
}

/* How far along an axis of y, the result, its pixels are from the first of the two to the second. */
static Node *shares(Build *b, const Type *y, int axis, int64_t by)
{
	/* as whole numbers, which are exact in any precision, and one division */
	Node *twice = along(b, y, axis, (double)(1 - by), 2);
	Node *at = build2(b, "div", twice, build_constant(b, 2 * (double)by));
	return build2(b, "sub", at, build1(b, "floor", at));
}

/* Between x, the first, and y along an axis; y itself where there is no first. */
static Node *between(Build *b, Node *x, Node *y, int axis, int64_t by)
{
	return !x ? y
	          : compose(b, "x + share*(y - x)",
	                    TERMS({"x", x}, {"y", y}, {"share", shares(b, &y->type, axis, by)}));
}

/* One loop, which reads the four pixels around each of the result. */
static Node *bilinear_expand(Expand *e)
{
	Build *b = &e->b;
	Node *x = e->operands[0], *y = NULL;
	int count;
	const int64_t *by = node_ints(e->node, "factor", &count), *size = x->type.dim + 1;
	Pick p = {.count = {size[0], size[1]}, .times = {1, 1}, .over = {1, 1}};
	bool moves[2];
	for (int i = 0; i < 2; i++) {
		moves[i] = size[i] > 1 && by[i] > 1;
		if (!moves[i])
			continue;
		p.count[i] = size[i] * by[i];
		p.times[i] = 2;
		p.over[i] = 2 * by[i];
	}
	for (int row = 0; row <= moves[0] && (moves[0] || moves[1]); row++) {
		Node *of_row = NULL;
		for (int column = 0; column <= moves[1]; column++) {
			p.plus[0] = moves[0] ? 1 - by[0] + row * 2 * by[0] : 0;
			p.plus[1] = moves[1] ? 1 - by[1] + column * 2 * by[1] : 0;
			of_row = between(b, of_row, pick(b, x, &p), 2, by[1]);
		}
		y = between(b, y, of_row, 1, by[0]);
	}
	y = y ? y : x;
	return shape_equal(y->type, e->node->type) ? y : build_broadcast(b, y, 4, e->node->type.dim);
}

/* Element `place` of the `by` of dy that each pixel became along an axis; from -by on those of the pixel before it, to
 * 2*by - 1 those of the one after it. Where there is no such pixel, any. */
static Node *element(Build *b, Node *dy, int axis, int64_t by, int64_t place)
{
	Pick p = {.count = {dy->type.dim[1], dy->type.dim[2]}, .times = {1, 1}, .over = {1, 1}};
	p.count[axis - 1] /= by;
	p.times[axis - 1] = by;
	p.plus[axis - 1] = place;
	return pick(b, dy, &p);
}

/* The gradient of one pixel along an axis, which became all that there are. */
static Node *added_up(Build *b, Node *dy, int axis)
{
	return dy->type.dim[axis] == 1 ? dy : reduce_axis(b, "sum", dy, axis);
}

/* The gradient along one axis: of each pixel its own elements, of which the neighbours have a share, and of the
 * neighbours' as much. Its k-th is shared with the neighbour on that side, whose opposite one, by - 1 - k, is shared
 * with it as well; where there is no neighbour, it is all its own. One loop, which reads dy where it lies. */
static Node *gathered(Build *b, Node *dy, int axis, int64_t by)
{
	const int64_t pixels = dy->type.dim[axis] / by;
	Type small = dy->type;
	small.dim[axis] = pixels;
	if (by == 1)
		return dy;
	if (pixels == 1)
		return added_up(b, dy, axis);
	Node *pixel = along(b, &small, axis, 0, 1), *sum = NULL;
	Node *has_before = build2(b, "ne", pixel, build_constant(b, 0)),
	     *has_after = build2(b, "ne", pixel, build_constant(b, (double)pixels - 1));
	for (int64_t k = 0; k < by; k++) {
		const int64_t twice = 2 * k + 1 - by; /* from the middle, of 2*by */
		Node *own = element(b, dy, axis, by, k);
		if (twice != 0) {
			Node *share = build_constant(b, fabs((double)twice) / (2 * (double)by));
			Node *other = element(b, dy, axis, by, (twice < 0 ? -by : by) + by - 1 - k);
			own = compose(b, "own + share*has*(other - own)",
			              TERMS({"own", own}, {"share", share}, {"other", other},
			                    {"has", twice < 0 ? has_before : has_after}));
		}
		sum = sum ? build2(b, "add", sum, own) : own;
	}
	return sum;
}

/* Of nearest: the sum of each pixel's elements, in one loop, or one for each axis where these are many. */
static Node *blocks_added(Build *b, Node *dy, const int64_t by[2])
{
	enum { MANY = 16 };
	const bool apart = by[0] > 1 && by[1] > 1 && by[0] > MANY / by[1];
	if (apart)
		return blocks_added(b, blocks_added(b, dy, (int64_t[]){1, by[1]}), (int64_t[]){by[0], 1});
	Pick p = {.count = {dy->type.dim[1] / by[0], dy->type.dim[2] / by[1]},
	          .times = {by[0], by[1]},
	          .over = {1, 1}};
	Node *sum = NULL;
	for (int64_t k = 0; k < by[0] * by[1]; k++) {
		p.plus[0] = k / by[1];
		p.plus[1] = k % by[1];
		Node *x = pick(b, dy, &p);
		sum = sum ? build2(b, "add", sum, x) : x;
	}
	return sum;
}

static void upsample_grad(Grad *g)
{
	int count;
	const int64_t *given = node_ints(g->node, "factor", &count);
	int64_t by[2] = {given[0], given[1]};
	Node *dy = g->dy;
	for (int i = 0; i < 2; i++) {
		if (g->operands[0]->type.dim[1 + i] > 1)
			continue;
		dy = g->wanted[0] ? added_up(&g->b, dy, 1 + i) : dy;
		by[i] = 1;
	}
	if (g->wanted[0])
		g->result[0] = by[0] * by[1] == 1 ? dy : blocks_added(&g->b, dy, by);
}

static void bilinear_grad(Grad *g)
{
	int count;
	const int64_t *by = node_ints(g->node, "factor", &count);
	if (g->wanted[0])
		g->result[0] = gathered(&g->b, gathered(&g->b, g->dy, 2, by[1]), 1, by[0]);
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

static const char *const pick_samples[] = {
        "x=f32[1,2,2,1] count=[3,3] over=[1,1] plus=[0,0] times=[1,1]",
        "x=f32[2,4,4,3] count=[2,4] over=[1,1] plus=[1,0] times=[2,1]",
        "x=f32[2,4,4,3] count=[4,2] over=[1,1] plus=[0,-1] times=[1,2]",
        "x=f32[2,6,4,8] count=[2,4] over=[1,1] plus=[-3,0] times=[3,1]",
        "x=f32[2,6,4,8] count=[2,4] over=[1,1] plus=[5,0] times=[3,1]",
        "x=f32[1,3,5,4] count=[6,10] over=[4,4] plus=[-1,-1] times=[2,2]",
        "x=f32[1,3,5,4] count=[6,10] over=[4,4] plus=[3,3] times=[2,2]",
        "x=f32[1,3,5,4] count=[6,10] over=[4,4] plus=[3,-1] times=[2,2]",
        "x=f32[2,3,2,7] count=[9,2] over=[6,1] plus=[4,0] times=[2,1]",
        "x=f32[2,3,2,7] count=[9,2] over=[6,1] plus=[-2,0] times=[2,1]",
        "x=f32[1,1,9,2] count=[1,3] over=[1,1] plus=[0,0] times=[1,3]",
        "x=f32[3,9,1,2] count=[3,1] over=[1,1] plus=[2,0] times=[3,1]",
        "x=f32[1,1,2,5] count=[1,8] over=[1,8] plus=[0,5] times=[1,2]",
        "x=f32[2,5,1,16] count=[25,1] over=[10,1] plus=[6,0] times=[2,1]",
        "x=f32[2,8,8,8] count=[4,4] over=[1,1] plus=[0,1] times=[2,2]",
        "x=f32[1,7,5,33] count=[3,2] over=[2,3] plus=[1,2] times=[3,4]",
        "x=f32[4,2,3,1] count=[2,5] over=[1,2] plus=[0,0] times=[1,1]",
        "x=f32[1,12,12,4] count=[3,3] over=[1,1] plus=[-4,7] times=[4,4]",
        "x=f32[2,4,6,2] count=[4,5] over=[1,1] plus=[0,1] times=[1,1]",
        "x=f32[5,2,2,3] count=[4,4] over=[4,4] plus=[-1,3] times=[2,2]",
        NULL,
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
         .grad = upsample_grad,
         .build = build_upsample,
         .samples = upsample_samples},
        {.name = "bilinear",
         .signature = "x -> y",
         .doc = "Images made `factor` times larger, in lines from the middle of a pixel to that of the next.",
         .infer = upsample_infer,
         .expand = bilinear_expand,
         .grad = bilinear_grad,
         .samples = upsample_samples},
        {.name = "pick",
         .signature = "x -> y",
         .doc = "The pixels of x at rows and columns that are counted otherwise, or the nearest ones: of row "
                "i "
                "of the `count` of the result row (i*times + plus)/over of x, and columns likewise.",
         .flags = OP_POINTWISE | OP_PLACED,
         .infer = pick_infer,
         .place = pick_place,
         .expr = "x",
         .samples = pick_samples},
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
