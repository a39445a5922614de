/* SPDX-License-Identifier: MIT */
/* Reductions: sum and max are the primitives, which keep the reduced axes as 1; the rest is composed of them. So is
 * tile_sum, but where the pass `epilogues` puts it after a product: there it never is a kernel of its own.
 *
 * softmax, log_softmax and logsumexp subtract the maximum before exp, so that nothing overflows. Their gradients are
 * written over their results, the closed forms, and cost less than going through the expansion. */
#include "ops/compose.h"

#include "base/checked.h"

#include <string.h>

/* ---- primitives */

static bool reduce_infer(Infer *in)
{
	if (!infer_real(in, 0))
		return false;
	int count;
	const int64_t *axes = infer_ints(in, "axes", &count);
	Type t = in->operands[0]->type;
	for (int i = 0; i < count; i++) {
		if (axes[i] < 0 || axes[i] >= t.rank || (i > 0 && axes[i - 1] >= axes[i]))
			return infer_error(in, "bad-argument", "`axes` of `%s` are not axes of %s in order",
			                   in->op->name, operand_text(in, 0));
		t.dim[axes[i]] = 1;
	}
	return infer_result(in, dtype_is_half(t.dtype) ? DTYPE_F32 : t.dtype, t.rank, t.dim);
}

static Node *broadcast_like(Build *b, Node *x, Type like)
{
	return build_broadcast(b, x, like.rank, like.dim);
}

static void sum_grad(Grad *g)
{
	g->result[0] = broadcast_like(&g->b, g->dy, g->operands[0]->type);
}

static void max_grad(Grad *g)
{
	int count;
	const int64_t *axes = node_ints(g->node, "axes", &count);
	Node *hit = build2(&g->b, "eq", g->operands[0], g->y);
	Node *share = build2(&g->b, "div", g->dy, build_reduce(&g->b, "sum", hit, axes, count));
	g->result[0] = build3(&g->b, "select", hit, share, build_constant(&g->b, 0));
}

/* ---- sums of `width` neighbours of each row */

static bool tile_sum_infer(Infer *in)
{
	const int64_t width = infer_int(in, "width");
	Type t = in->operands[0]->type;
	if (!infer_real(in, 0))
		return false;
	if (t.rank != 2)
		return infer_error(in, "rank-mismatch", "`tile_sum` needs a tensor of 2 dimensions, not %s",
		                   shape_text(in->graph->arena, t));
	if (width < 1)
		return infer_error(in, "bad-argument", "`width` of `tile_sum` is not positive");
	t.dim[1] = ceil_div(t.dim[1], width);
	return infer_result(in, dtype_is_half(t.dtype) ? DTYPE_F32 : t.dtype, 2, t.dim);
}

static Node *tile_sum_expand(Expand *e)
{
	const int64_t columns = e->operands[0]->type.dim[1], width = node_int(e->node, "width"),
	              count = e->node->type.dim[1], axis = 1;
	Node **tiles = NEW_ARRAY(e->b.graph->arena, Node *, count);
	for (int64_t i = 0; i < count; i++) {
		const int64_t left = columns - i * width;
		Node *tile = build_slice(&e->b, e->operands[0], axis, i * width, left < width ? left : width);
		tiles[i] = reduce_last(&e->b, "sum", tile);
	}
	return build_concat(&e->b, axis, (int)count, tiles);
}

/* ---- softmax and its relatives, along attribute `axis` */

static bool softmax_infer(Infer *in)
{
	int64_t axis;
	return infer_real(in, 0) && infer_axis(in, "axis", &axis) && infer_like(in, 0);
}

static bool logsumexp_infer(Infer *in)
{
	int64_t axis;
	if (!infer_real(in, 0) || !infer_axis(in, "axis", &axis))
		return false;
	Type t = in->operands[0]->type;
	t.dim[axis] = 1;
	return infer_result(in, t.dtype, t.rank, t.dim);
}

static Node *sum_along(Build *b, const Node *n, Node *x)
{
	return reduce_axis(b, "sum", x, node_int(n, "axis"));
}

/* x less its maximum along the axis; the maximum itself through *top. */
static Node *below_max(Expand *e, Node **top)
{
	*top = reduce_axis(&e->b, "max", e->operands[0], node_int(e->node, "axis"));
	return node_called(build2(&e->b, "sub", e->operands[0], *top), "below_max");
}

static Node *softmax_expand(Expand *e)
{
	Node *top;
	Node *power = build1(&e->b, "exp", below_max(e, &top));
	/* the sum is 1 or more: its reciprocal, one for a row, is exact enough */
	return compose(&e->b, "power*(1/total)",
	               TERMS({"power", power}, {"total", sum_along(&e->b, e->node, power)}));
}

static void softmax_grad(Grad *g)
{
	Node *mean = sum_along(&g->b, g->node, build2(&g->b, "mul", g->dy, g->y));
	node_called(mean, "dy_mean"); /* weighed by y, which sums to 1 */
	g->result[0] = compose(&g->b, "y*(dy - mean)", TERMS({"y", g->y}, {"dy", g->dy}, {"mean", mean}));
}

static Node *log_softmax_expand(Expand *e)
{
	Node *top;
	Node *below = below_max(e, &top);
	Node *total = sum_along(&e->b, e->node, build1(&e->b, "exp", below));
	return compose(&e->b, "below - log(total)", TERMS({"below", below}, {"total", total}));
}

static void log_softmax_grad(Grad *g)
{
	Node *total = sum_along(&g->b, g->node, g->dy);
	g->result[0] =
	        compose(&g->b, "dy - exp(y)*total", TERMS({"y", g->y}, {"dy", g->dy}, {"total", total}));
}

static Node *logsumexp_expand(Expand *e)
{
	Node *top;
	Node *total = sum_along(&e->b, e->node, build1(&e->b, "exp", below_max(e, &top)));
	return compose(&e->b, "top + log(total)", TERMS({"top", top}, {"total", total}));
}

static void logsumexp_grad(Grad *g)
{
	g->result[0] =
	        compose(&g->b, "dy*exp(x - y)", TERMS({"x", g->operands[0]}, {"y", g->y}, {"dy", g->dy}));
}

static bool cumsum_infer(Infer *in)
{
	Type x = in->operands[0]->type;
	if (x.rank == LIMIT_RANK)
		return infer_error(in, "rank-limit", "`cumsum` is of at most %d dimensions", LIMIT_RANK - 1);
	return softmax_infer(in);
}

/* Sum over k of x[k] where k <= i: the triangle's rows against x along the axis. Exact as any sum, in n*n additions. */
static Node *cumsum_expand(Expand *e)
{
	Build *b = &e->b;
	Node *x = e->operands[0];
	int rank = x->type.rank;
	int64_t axis = node_int(e->node, "axis"), n = x->type.dim[axis];
	int64_t dim[LIMIT_RANK], square[LIMIT_RANK];
	for (int i = 0; i <= rank; i++) {
		dim[i] = i < axis ? x->type.dim[i] : i == axis ? 1 : x->type.dim[i - 1];
		square[i] = i == axis || i == axis + 1 ? n : 1;
	}
	Attr attrs[] = {attr_int("n", n), attr_ints("shape", (int64_t[]){1, n, n}, 3)};
	Node *mask = build_reshape(b, build(b, "lower_triangle", 0, NULL, 2, attrs), rank + 1, square);
	Node *terms = build2(b, "mul", build_reshape(b, x, rank + 1, dim), mask);
	return reshape_like(b, reduce_axis(b, "sum", terms, axis + 1), x->type);
}

/* ---- layers */

/* The axes of a reduction in a .net file: all of a sample unless given. False after a diagnostic. */
static bool call_axes(Call *c, Node *x, int64_t axes[LIMIT_RANK], int *count)
{
	int rank = x->type.rank;
	bool chosen[LIMIT_RANK] = {false};
	if (call_word(c, "axis")) {
		for (int i = 1; i < rank; i++)
			chosen[i] = true;
	} else {
		int given;
		const int64_t *list = call_ints(c, "axis", &given);
		for (int i = 0; i < given; i++) {
			int64_t axis;
			if (!call_axis(c, "axis", list[i], rank, &axis))
				return false;
			if (chosen[axis]) {
				call_error(c, "axis", "bad-argument", "axis %lld is named twice",
				           (long long)list[i]);
				return false;
			}
			chosen[axis] = true;
		}
	}
	*count = 0;
	for (int i = 0; i < rank; i++) {
		if (chosen[i])
			axes[(*count)++] = i;
	}
	return true;
}

/* `x` without the given axes, which are 1. */
static Node *drop_axes(Build *b, Node *x, const int64_t *axes, int count)
{
	if (!x)
		return NULL;
	int64_t dim[LIMIT_RANK];
	int rank = 0;
	for (int i = 0, k = 0; i < x->type.rank; i++) {
		if (k < count && axes[k] == i)
			k++;
		else
			dim[rank++] = x->type.dim[i];
	}
	return build_reshape(b, x, rank, dim);
}

typedef Node *Reduce(Build *b, Node *x, const int64_t *axes, int count);

static Node *reduce_call(Call *c, Node *x, Reduce *reduce)
{
	int64_t axes[LIMIT_RANK];
	int count;
	if (!x || !call_axes(c, x, axes, &count))
		return NULL;
	if (count == 0)
		return x;
	Node *y = reduce(call_build(c), x, axes, count);
	return call_bool(c, "keepdims") ? y : drop_axes(call_build(c), y, axes, count);
}

static Node *reduce_sum(Build *b, Node *x, const int64_t *axes, int count)
{
	return build_reduce(b, "sum", x, axes, count);
}

static Node *reduce_max(Build *b, Node *x, const int64_t *axes, int count)
{
	return build_reduce(b, "max", x, axes, count);
}

static Node *reduce_min(Build *b, Node *x, const int64_t *axes, int count)
{
	Node *most = build_reduce(b, "max", build1(b, "neg", x), axes, count);
	return build1(b, "neg", most);
}

static Node *build_sum(Call *c)
{
	return reduce_call(c, call_tensor(c, "x"), reduce_sum);
}

static Node *build_mean(Call *c)
{
	return reduce_call(c, call_tensor(c, "x"), reduce_mean);
}

/* One tensor is reduced; of several the extreme is taken element by element. */
static Node *extreme_call(Call *c, const char *pointwise, Reduce *reduce)
{
	int count;
	Node *const *x = call_tensors(c, "x", &count);
	if (count == 1)
		return reduce_call(c, x[0], reduce);
	if (call_given(c, "axis") || call_given(c, "keepdims"))
		return call_error(c, call_given(c, "axis") ? "axis" : "keepdims", "bad-argument",
		                  "`axis` and `keepdims` are for the reduction of one tensor");
	Node *extreme = x[0];
	for (int i = 1; i < count; i++)
		extreme = call_pointwise(c, pointwise, 2, (Node *[]){extreme, x[i]});
	return extreme;
}

static Node *build_max(Call *c)
{
	return extreme_call(c, "maximum", reduce_max);
}

static Node *build_min(Call *c)
{
	return extreme_call(c, "minimum", reduce_min);
}

static Node *build_cumsum(Call *c)
{
	Node *x = call_tensor(c, "x");
	if (x && x->type.rank == LIMIT_RANK)
		return call_error(c, "x", "rank-limit", "`cumsum` is of at most %d dimensions",
		                  LIMIT_RANK - 2);
	return call_along(c, "cumsum");
}

/* The least index of those with the largest value; where there is a NaN, as in NumPy, the least one of a NaN: then
 * no number equals the maximum, which is NaN. */
static Node *build_argmax(Call *c)
{
	Build *b = call_build(c);
	Node *x = call_tensor(c, "x");
	int64_t axis, line[LIMIT_RANK];
	if (!x || !call_axis(c, "axis", call_int(c, "axis"), x->type.rank, &axis))
		return NULL;
	int64_t n = x->type.dim[axis];
	for (int i = 0; i < x->type.rank; i++)
		line[i] = i == axis ? n : 1;
	Node *index = build_ramp(b, x->type.rank, line, 0, 1);
	Node *places = compose(b, "select(x == x, select(x == most, -index, -count), -index)",
	                       TERMS({"x", x}, {"most", reduce_axis(b, "max", x, axis)}, {"index", index},
	                             {"count", build_constant(b, (double)n)}));
	Node *first = build1(b, "neg", reduce_axis(b, "max", places, axis));
	return build_cast(b, drop_axes(b, first, &axis, 1), DTYPE_I32);
}

static bool is_learned(const Graph *g, const Node *x)
{
	Arena *scratch = arena_new();
	bool *of_batch = NEW_ARRAY(scratch, bool, g->count), *of_weights = NEW_ARRAY(scratch, bool, g->count);
	graph_sources(g, of_batch, of_weights);
	const bool learned = of_weights[x->id];
	arena_free(scratch);
	return learned;
}

static bool is_computed_of(const Graph *g, const Node *n, const Node *x)
{
	Arena *scratch = arena_new();
	bool *of_x = NEW_ARRAY(scratch, bool, g->count);
	of_x[x->id] = true;
	for (int i = x->id + 1; i <= n->id; i++)
		for (int k = 0; k < g->nodes[i]->operand_count; k++)
			of_x[i] = of_x[i] || of_x[g->nodes[i]->operands[k]->id];
	const bool computed = of_x[n->id];
	arena_free(scratch);
	return computed;
}

/* What is added to all scores of a row alike cancels out: a mask that lies across the axis masks nothing. Not of
 * weights: the bias of a layer before a softmax is often of no use, and no mistake. Nor of the scores themselves: their
 * maximum is subtracted from them to keep exponentials small. */
static void warn_of_mask_across(const Build *b, const Node *y)
{
	const Node *sum = y->operands[0];
	const int axis = (int)node_int(y, "axis");
	if ((!node_is(sum, "add") && !node_is(sum, "sub")) || sum->type.dim[axis] == 1 ||
	    sum->sites.count == 0)
		return;
	for (int i = 0; i < 2; i++) {
		const Node *mask = sum->operands[i], *scores = sum->operands[1 - i];
		const int at =
		        mask->type.rank - (sum->type.rank - axis); /* the axis, aligned at the last one */
		const bool across = at < 1 || mask->type.dim[at] == 1;
		if (!across || type_elements(mask->type) == 1 || !shape_equal(scores->type, sum->type) ||
		    is_learned(b->graph, mask) || is_computed_of(b->graph, mask, scores))
			continue;
		Diagnostics *d = b->graph->diag;
		Arena *a = b->graph->arena;
		Type row = sum->type;
		for (int k = 1; k < row.rank; k++)
			row.dim[k] = k == axis ? row.dim[k] : 1;
		diag_warning(d, sum->sites.at[0]->loc, "mask-across",
		             "`%s` takes no notice of what is added here: %s is the same for all %lld scores "
		             "of a row",
		             y->op->name, sample_shape(a, mask->type), (long long)sum->type.dim[axis]);
		diag_help(d, "a mask of what is looked at has the shape %s, or that of the scores, %s",
		          sample_shape(a, row), sample_shape(a, sum->type));
		return;
	}
}

static Node *softmax_call(Call *c, const char *op)
{
	Node *y = call_along(c, op);
	if (y)
		warn_of_mask_across(call_build(c), y);
	return y;
}

static Node *build_softmax(Call *c)
{
	return softmax_call(c, "softmax");
}

static Node *build_log_softmax(Call *c)
{
	return softmax_call(c, "log_softmax");
}

static Node *build_logsumexp(Call *c)
{
	Node *y = call_along(c, "logsumexp");
	if (!y)
		return NULL;
	int64_t axis = node_int(y, "axis");
	return drop_axes(call_build(c), y, &axis, 1);
}

/* ---- samples */

static const char *const reduce_samples[] = {
        "x=f32[1] axes=[0]",           "x=f32[7] axes=[0]",           "x=f32[64] axes=[0]",
        "x=f32[1,1] axes=[0,1]",       "x=f32[3,5] axes=[0]",         "x=f32[3,5] axes=[1]",
        "x=f32[3,5] axes=[0,1]",       "x=f32[5,1] axes=[0]",         "x=f32[5,1] axes=[1]",
        "x=f32[1,9] axes=[1]",         "x=f32[2,3,5] axes=[0]",       "x=f32[2,3,5] axes=[1]",
        "x=f32[2,3,5] axes=[2]",       "x=f32[2,3,5] axes=[0,2]",     "x=f32[2,3,5] axes=[1,2]",
        "x=f32[2,3,5] axes=[0,1,2]",   "x=f32[2,3,3,4] axes=[0,1,2]", "x=f32[2,3,3,4] axes=[1,2]",
        "x=f32[2,3,3,4] axes=[3]",     "x=f32[2,3,3,4] axes=[0]",     "x=f32[2,3,3,4] axes=[1,3]",
        "x=f32[2,1,5,3] axes=[0,1,2]", "x=f32[1025,3] axes=[1]",      "x=f32[1100,4] axes=[1]",
        "x=f32[1024,8] axes=[1]",      "x=f32[1024,2,3] axes=[1,2]",  "x=f32[1,1,1,1] axes=[0,1,2,3]",
        "x=f32[17,33] axes=[0]",       "x=f32[17,33] axes=[1]",       NULL,
};

static const char *const axis_samples[] = {
        "x=f32[1] axis=0",       "x=f32[2] axis=0",       "x=f32[7] axis=0",       "x=f32[1,1] axis=1",
        "x=f32[1,5] axis=1",     "x=f32[3,5] axis=1",     "x=f32[3,5] axis=0",     "x=f32[5,1] axis=1",
        "x=f32[5,1] axis=0",     "x=f32[4,10] axis=1",    "x=f32[2,33] axis=1",    "x=f32[2,3,5] axis=0",
        "x=f32[2,3,5] axis=1",   "x=f32[2,3,5] axis=2",   "x=f32[1,7,1] axis=1",   "x=f32[3,1,9] axis=2",
        "x=f32[2,3,3,4] axis=3", "x=f32[2,3,3,4] axis=1", "x=f32[2,3,3,4] axis=2", "x=f32[1,1,1,1] axis=3",
        "x=f32[2,1,5,3] axis=2", "x=f32[1025,3] axis=1",  "x=f32[1100,4] axis=1",  NULL,
};

static const char *const tile_samples[] = {
        "x=f32[1,1] width=1",      "x=f32[1,1] width=4",
        "x=f32[1,7] width=1",      "x=f32[1,7] width=2",
        "x=f32[1,7] width=3",      "x=f32[1,7] width=7",
        "x=f32[1,7] width=8",      "x=f32[5,1] width=3",
        "x=f32[5,4] width=4",      "x=f32[5,4] width=3",
        "x=f32[3,9] width=4",      "x=f32[2,16] width=8",
        "x=f32[2,17] width=8",     "x=f32[64,5] width=2",
        "x=f32[7,33] width=32",    "x=f32[7,32] width=32",
        "x=f32[4,1000] width=256", "x=f32[9,260] width=128",
        "x=f32[33,66] width=13",   "x=f32[2,600] width=256",
        "x=f32[13,3] width=2",     NULL,
};

const Op reduce_ops[] = {
        {.name = "sum",
         .signature = "x -> y",
         .call = "x, axis: ints|all = all, keepdims: bool = false",
         .doc = "Sum over the given axes of a sample, or over all of them; the axes are dropped, or "
                "kept as 1 with `keepdims`.",
         .flags = OP_REDUCE | OP_ADDS,
         .infer = reduce_infer,
         .grad = sum_grad,
         .build = build_sum,
         .samples = reduce_samples},
        {.name = "tile_sum",
         .signature = "x -> y",
         .doc = "Of each row the sums of `width` neighbours, of the last ones of as many as there are: a "
                "part of the row's sum, as a kernel for a matrix product has it of a tile.",
         .infer = tile_sum_infer,
         .expand = tile_sum_expand,
         .samples = tile_samples},
        {.name = "max",
         .signature = "x -> y",
         .call = "x: tensors|real, axis: ints|all = all, keepdims: bool = false",
         .doc = "Of one tensor the largest element over the given axes of a sample, or over all of them; "
                "of several tensors the larger of them, element by element. The gradient goes to the "
                "largest; equals share it.",
         .flags = OP_REDUCE,
         .infer = reduce_infer,
         .grad = max_grad,
         .build = build_max,
         .samples = reduce_samples},
        {.name = "min",
         .call = "x: tensors|real, axis: ints|all = all, keepdims: bool = false",
         .doc = "Of one tensor the smallest element over the given axes of a sample, or over all of them; "
                "of several tensors the smaller of them, element by element.",
         .build = build_min},
        {.name = "mean",
         .call = "x, axis: ints|all = all, keepdims: bool = false",
         .doc = "Mean over the given axes of a sample, or over all of them; the axes are dropped, or "
                "kept as 1 with `keepdims`.",
         .build = build_mean},
        {.name = "argmax",
         .call = "x, axis: int = -1",
         .doc = "Where along an axis, the last by default, the largest element is: an i32, the first of "
                "equals, or of the NaNs where there are any. No gradient passes.",
         .build = build_argmax},
        {.name = "cumsum",
         .signature = "x -> y",
         .call = "x, axis: int = -1",
         .doc = "Sums of all elements up to each one along an axis, the last by default.",
         .infer = cumsum_infer,
         .expand = cumsum_expand,
         .build = build_cumsum,
         .samples = axis_samples},
        {.name = "softmax",
         .signature = "x -> y",
         .call = "x, axis: int = -1",
         .doc = "exp(x)/sum(exp(x)) along an axis, the last by default.",
         .infer = softmax_infer,
         .grad = softmax_grad,
         .expand = softmax_expand,
         .build = build_softmax,
         .samples = axis_samples},
        {.name = "log_softmax",
         .signature = "x -> y",
         .call = "x, axis: int = -1",
         .doc = "log(softmax(x)) along an axis, exact where softmax rounds to 0.",
         .infer = softmax_infer,
         .grad = log_softmax_grad,
         .expand = log_softmax_expand,
         .build = build_log_softmax,
         .samples = axis_samples},
        {.name = "logsumexp",
         .signature = "x -> y",
         .call = "x, axis: int = -1",
         .doc = "log(sum(exp(x))) along an axis, which is dropped.",
         .infer = logsumexp_infer,
         .grad = logsumexp_grad,
         .expand = logsumexp_expand,
         .build = build_logsumexp,
         .samples = axis_samples},
        {0},
};
