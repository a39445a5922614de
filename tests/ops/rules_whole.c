/* SPDX-License-Identifier: MIT */
/* What no pattern says: what a maker looks for behind the names. */
#include "ops/compose.h"
#include "tests/interp/interp.h"
#include "tests/ops/rules_draw.h"
#include "tests/ops/samples.h"

#include <math.h>
#include <stdlib.h>

static int extent(Draw *d)
{
	return 1 + draw_below(d, 4);
}

static Node *leaf_like(Draw *d, int rank, const int64_t *dim)
{
	Type t;
	require(type_make(DTYPE_F32, rank, dim, &t));
	return draw_leaf_of(d, t);
}

#define DIMS(...)                                                            \
	(int)(sizeof(int64_t[]){__VA_ARGS__} / sizeof(int64_t)), (int64_t[]) \
	{                                                                    \
		__VA_ARGS__                                                  \
	}

/* Part of a dimension of two of a tensor that was seen with three in their place. */
static Node *slice_of_reshape(Draw *d)
{
	const int64_t rows = extent(d), parts = extent(d), inner = extent(d), last = extent(d);
	Node *x = build_reshape(&d->b, leaf_like(d, DIMS(rows, parts * inner, last)),
	                        DIMS(rows, parts, inner, last));
	const int axis = draw_below(d, 4), start = draw_below(d, (int)x->type.dim[axis]);
	return build_slice(&d->b, x, axis, start, 1 + draw_below(d, (int)x->type.dim[axis] - start));
}

static Node *turned_ones(Draw *d)
{
	const int64_t rows = extent(d), columns = extent(d), last = extent(d);
	int64_t axes[4] = {0, 1, 2, 3};
	Node *x = build_slice(&d->b, leaf_like(d, DIMS(rows, 3, columns, last)), 1, draw_below(d, 3), 1);
	for (int i = 3; i > 0; i--) {
		const int k = draw_below(d, i + 1);
		const int64_t was = axes[i];
		axes[i] = axes[k], axes[k] = was;
	}
	x = build_transpose(&d->b, x, axes);
	int64_t dim[4];
	int rank = 0;
	for (int i = 0; i < 4; i++)
		if (axes[i] != 1)
			dim[rank++] = x->type.dim[i];
	return build_reshape(&d->b, x, rank, dim);
}

/* Steps that disjoint slices alone read; at times they have elements in common. */
static Node *steps_cut_apart(Draw *d)
{
	Build *b = &d->b;
	const int64_t rows = extent(d), each = extent(d),
	              apart = draw_unit(d) < 0.2 && each > 1 ? each - 1 : each;
	const int count = 2 + draw_below(d, 2);
	Node *x = leaf_like(d, DIMS(rows, each * count)), *sum = NULL;
	x = build2(b, "mul", build1(b, "tanh", x), leaf_like(d, DIMS(each * count)));
	x = build2(b, "add", x, leaf_like(d, DIMS(rows, 1)));
	for (int i = 0; i < count; i++) {
		Node *y = build1(b, "exp", build_slice(b, x, 1, i * apart, each));
		sum = sum ? build2(b, "mul", sum, y) : y;
	}
	return sum;
}

/* A part of a step of a sequence. */
static Node *part_of_step(Draw *d)
{
	const int64_t rows = extent(d), places = extent(d), parts = extent(d), each = extent(d);
	Node *x = leaf_like(d, DIMS(rows, places, parts * each, 2));
	x = build_slice(&d->b, x, 1, draw_below(d, (int)places), 1);
	x = build_reshape(&d->b, x, DIMS(rows, parts * each, 2));
	return build_slice(&d->b, x, 1, draw_below(d, (int)parts) * each, each);
}

/* Some of a bias that lies in the flat tensor. */
static Node *range_of_bias(Draw *d)
{
	const int64_t before = extent(d), count = extent(d);
	Node *all = leaf_like(d, DIMS(before + count));
	map_set(d->leaves, "params", map_get(d->leaves, node_text(all, "name")));
	const Attr attrs[] = {attr_text("name", "params"), attr_real("value", 0)};
	Node *flat = graph_leaf(d->b.graph, "state", all->type, attrs, 2, (Sites){0});
	Node *bias = build_part(&d->b, flat, before, DIMS(1, count));
	const int start = draw_below(d, (int)count);
	return build_slice(&d->b, bias, 1, start, 1 + draw_below(d, (int)count - start));
}

/* A product over the batch, or along it, of an input; at times a view of that. */
static Node *product_of_input(Draw *d)
{
	Build *b = &d->b;
	const int64_t batch = b->graph->batch = 4, inputs = 2 * extent(d), outputs = extent(d);
	Node *values = leaf_like(d, DIMS(batch, inputs / 2, 2));
	const Attr attrs[] = {attr_int("classes", 0), attr_text("name", "batch"), attr_text("role", "input")};
	map_set(d->leaves, "batch", map_get(d->leaves, node_text(values, "name")));
	Node *x = graph_leaf(b->graph, "input", values->type, attrs, 3, (Sites){0});
	x = build_reshape(b, x, DIMS(batch, inputs));
	Node *along = build_product(b, x, leaf_like(d, DIMS(outputs, inputs)), false, true);
	Node *over = draw_unit(d) < 0.5 ? build_product(b, along, x, true, false)
	                                : build_product(b, x, along, true, false);
	return draw_unit(d) < 0.2 ? along : over;
}

/* The distance from the first place, of what is f32 of 16 bits. */
static Node *from_first(Draw *d)
{
	Node *half = build_cast(&d->b, draw_leaf_of(d, d->shape), DTYPE_BF16),
	     *x = build_cast(&d->b, half, DTYPE_F32);
	return build2(&d->b, "sub", draw_unit(d) < 0.5 ? x : draw_leaf_of(d, d->shape),
	              build1(&d->b, "first_place", x));
}

static Node *groups_turned(Draw *d)
{
	Build *b = &d->b;
	const int64_t n = extent(d), h = extent(d), groups = extent(d), channels = extent(d),
	              row = h * 2 * channels;
	Node *x = build_reshape(b, leaf_like(d, DIMS(n, h, 2, groups * channels)),
	                        DIMS(n, h * 2, groups, channels));
	x = build_transpose(b, x, (int64_t[]){0, 2, 1, 3});
	Node *of[] = {build_reshape(b, x, DIMS(n, groups, row)),
	              build_broadcast(b, build_constant(b, 1), 1, &row),
	              build_broadcast(b, build_constant(b, draw_unit(d) < 0.9 ? 0 : 1), 1, &row)};
	const Attr epsilon = attr_real("epsilon", 1e-3);
	x = build_reshape(b, build(b, "layernorm", 3, of, 1, &epsilon), DIMS(n, groups, h * 2, channels));
	return build_transpose(b, x, (int64_t[]){0, 2, 1, 3});
}

/* A row that has one number for the first columns, and another one for the others. */
static Node *table(Draw *d, int64_t first, int64_t others)
{
	Node *of[] = {
	        build_broadcast(&d->b, build_constant(&d->b, -1), DIMS(1, first)),
	        build_broadcast(&d->b, build_constant(&d->b, draw_unit(d) < 0.5 ? 1 : 2), DIMS(1, others))};
	return build_concat(&d->b, 1, 2, of);
}

static Node *columns_by_product(Draw *d)
{
	Build *b = &d->b;
	const int64_t half = extent(d), rows = extent(d), matrix[] = {half, half};
	const Attr attrs[] = {attr_int("n", half), attr_ints("shape", matrix, 2)};
	Node *one = build(b, draw_unit(d) < 0.9 ? "diagonal" : "lower_triangle", 0, NULL, 2, attrs);
	Node *none = build2(b, "mul", one, build_constant(b, 0)), *minus = build1(b, "neg", one);
	Node *above = build_concat(b, 1, 2, (Node *[]){draw_unit(d) < 0.5 ? none : minus, one}),
	     *under = build_concat(b, 1, 2, (Node *[]){one, none});
	return build_product(b, leaf_like(d, DIMS(rows, 2 * half)),
	                     build_concat(b, 0, 2, (Node *[]){above, under}), false, false);
}

static Node *rolled_by_product(Draw *d)
{
	const int64_t rows = extent(d), first = extent(d), others = extent(d);
	const Attr attr = attr_ints("by", (int64_t[]){draw_below(d, 2) % rows, first}, 2);
	Node *x = leaf_like(d, DIMS(rows, first + others));
	return build2(&d->b, "mul", build(&d->b, "roll", 1, &x, 1, &attr), table(d, first, others));
}

static Node *product_of_one(Draw *d)
{
	const int64_t n = extent(d), rows = extent(d), inner = extent(d), columns = extent(d);
	const bool turned = draw_unit(d) < 0.5;
	Node *x = leaf_like(d, DIMS(n, rows, inner)),
	     *y = turned ? leaf_like(d, DIMS(1, columns, inner)) : leaf_like(d, DIMS(1, inner, columns));
	y = build_broadcast(&d->b, y, DIMS(n, y->type.dim[1], y->type.dim[2]));
	return build_product(&d->b, x, y, false, turned);
}

/* Shares of several heads of queries for one of keys, in dimensions of their own for a while. */
static Node *shares_of_groups(Draw *d)
{
	Build *b = &d->b;
	const int64_t groups = 2, times = 3, n = 1 + extent(d), all = groups * times;
	Node *keys = build_broadcast(b, leaf_like(d, DIMS(groups, 1, n, 2)), DIMS(groups, times, n, 2));
	Node *x = build_product(b, leaf_like(d, DIMS(all, n, 2)), build_reshape(b, keys, DIMS(all, n, 2)),
	                        false, true);
	x = build_reshape(b, x, DIMS(groups, times, n, n));
	x = build2(b, "mul", x,
	           draw_unit(d) < 0.5 ? leaf_like(d, DIMS(1, 1, n, n)) : leaf_like(d, DIMS(1, times, n, n)));
	return build_reshape(b, build_along(b, "softmax", x, 3), DIMS(all, n, n));
}

/* Steps with the places of an image in a row, or with what they were before split. */
static Node *steps_in_a_row(Draw *d)
{
	Build *b = &d->b;
	const int64_t n = extent(d), h = extent(d), w = extent(d), c = extent(d);
	const int kind = draw_below(d, 4);
	Node *x = build_reshape(b, leaf_like(d, DIMS(n, h, w, c)), DIMS(n, h * w, c));
	if (kind == 0) {
		x = build2(b, "mul", x, leaf_like(d, DIMS(n, 1, c)));
		x = build2(b, "add", build1(b, "tanh", x), leaf_like(d, DIMS(c)));
	} else if (kind == 1) {
		Node *of[] = {x, leaf_like(d, DIMS(1, 1, c)), build1(b, "exp", leaf_like(d, DIMS(1, 1, c))),
		              leaf_like(d, DIMS(c)), leaf_like(d, DIMS(c))};
		const Attr attrs[] = {attr_real("epsilon", 1e-3), attr_int("batch_statistics", 0)};
		x = build(b, "batchnorm", 5, of, 2, attrs);
	} else if (kind == 2) {
		Node *of[] = {build_slice(b, x, 2, 0, 1), build1(b, "neg", x)};
		x = build_concat(b, 2, 2, of);
	} else {
		x = build2(b, "mul", x, leaf_like(d, DIMS(n, h * w, 1)));
	}
	return build_reshape(b, x, DIMS(n, h, w, x->type.dim[2]));
}

static Node *reshaped_steps(Draw *d)
{
	return draw_unit(d) < 0.3   ? draw_there_and_back(d, draw_leaf(d))
	       : draw_unit(d) < 0.3 ? shares_of_groups(d)
	                            : steps_in_a_row(d);
}

/* A sum of what was joined, or split. */
static Node *reduced(Draw *d)
{
	const int64_t n = extent(d), h = extent(d), w = extent(d), c = extent(d);
	const bool joined = draw_unit(d) < 0.7;
	Node *x = joined ? build_reshape(&d->b, leaf_like(d, DIMS(n, h, w, c)), DIMS(n, h * w, c))
	                 : build_reshape(&d->b, leaf_like(d, DIMS(n, h * w, c)), DIMS(n, h, w, c));
	const int count = 1 + draw_below(d, x->type.rank), first = draw_below(d, x->type.rank - count + 1);
	int64_t axes[4];
	for (int i = 0; i < count; i++)
		axes[i] = first + i;
	return build_reduce(&d->b, "sum", x, axes, count);
}

static Node *pool(Draw *d)
{
	const int64_t h = extent(d), w = extent(d), side = h > 1 && w > 1 && draw_unit(d) < 0.2,
	              whole[] = {h, w}, pads[] = {side, side, side, side};
	Node *x = leaf_like(d, DIMS(extent(d), h, w, extent(d)));
	const Attr attrs[] = {attr_ints("size", whole, 2), attr_ints("stride", whole, 2),
	                      attr_ints("pad", pads, 4)};
	return build(&d->b, "avgpool", 1, &x, 3, attrs);
}

/* Shifted parts of an image or a sequence, each times a weight, of one tensor or of several; in any order, at times
 * with one twice. */
static Node *shifted(Draw *d)
{
	Build *b = &d->b;
	const int64_t n = extent(d), h = extent(d), w = extent(d), c = extent(d), high = 1 + draw_below(d, 3),
	              wide = 1 + draw_below(d, 3);
	const bool sequence = draw_unit(d) < 0.3, one = draw_unit(d) < 0.5;
	const int64_t across = sequence ? 1 : wide, taps = high * across, from = draw_below(d, 2);
	Node *image = sequence ? leaf_like(d, DIMS(n, h + high + from, c))
	                       : leaf_like(d, DIMS(n, h + high + from, w + wide, c));
	Node *weight = leaf_like(d, DIMS(taps, c)), *sum = NULL;
	const int64_t turn = draw_unit(d) < 0.3, twice = draw_unit(d) < 0.1 ? taps - 1 : -1;
	for (int64_t i = 0; i < taps; i++) {
		const int64_t at = i == twice ? 0 : (i + turn) % taps;
		Node *x = build_slice(b, image, 1, from + at / across, h);
		x = sequence ? x : build_slice(b, x, 2, at % across, w);
		Node *tap = one ? build_slice(b, weight, 0, at, 1) : leaf_like(d, DIMS(1, c));
		tap = build_reshape(b, tap, x->type.rank,
		                    sequence ? (int64_t[]){1, 1, c} : (int64_t[]){1, 1, 1, c});
		x = draw_unit(d) < 0.5 ? build2(b, "mul", x, tap) : build2(b, "mul", tap, x);
		sum = !sum ? x : draw_unit(d) < 0.5 ? build2(b, "add", sum, x) : build2(b, "add", x, sum);
	}
	return node_is(sum, "add") ? sum : NULL;
}

/* A convolution of an image, or of a sequence as one, with zeros around it along one axis. */
static Node *conv_of_pad(Draw *d)
{
	Build *b = &d->b;
	const int64_t n = extent(d), h = 2 + extent(d), w = 2 + extent(d), c = extent(d),
	              high = 1 + draw_below(d, 3), wide = 1 + draw_below(d, 2);
	const bool sequence = draw_unit(d) < 0.4;
	Node *x = sequence ? leaf_like(d, DIMS(n, h, c)) : leaf_like(d, DIMS(n, h, w, c));
	x = build_pad(b, x, draw_unit(d) < 0.9 ? 1 + (!sequence && draw_unit(d) < 0.5) : 0, draw_below(d, 4),
	              draw_below(d, 3));
	if (sequence)
		x = build_reshape(b, x, DIMS(x->type.dim[0], x->type.dim[1], 1, c));
	Node *of[] = {x, leaf_like(d, DIMS(2, high, sequence ? 1 : wide, c))};
	const Attr attrs[] = {attr_ints("stride", (int64_t[]){1 + draw_below(d, 2), 1}, 2),
	                      attr_ints("pad", (int64_t[]){high - 1, 0, 0, 0}, 4),
	                      attr_ints("dilation", (int64_t[]){1, 1}, 2), attr_int("groups", 1)};
	return build(b, "conv", 2, of, 4, attrs);
}

/* Dense layers of one tensor side by side, or one of another tensor among them. */
static Node *layers_beside(Draw *d)
{
	Build *b = &d->b;
	const int64_t rows = extent(d), inner = extent(d);
	const int count = 2 + draw_below(d, 2);
	const bool biased = draw_unit(d) < 0.5;
	Node *x = leaf_like(d, DIMS(rows, inner)), *other = leaf_like(d, DIMS(rows, inner)), *weight[3],
	     *y[3];
	for (int i = 0; i < count; i++)
		weight[i] = leaf_like(d, DIMS(extent(d), inner));
	for (int i = 0; i < count; i++) {
		y[i] = build_product(b, i == 1 && draw_unit(d) < 0.1 ? other : x, weight[i], false, true);
		y[i] = biased ? build2(b, "add", y[i], leaf_like(d, DIMS(weight[i]->type.dim[0]))) : y[i];
	}
	return build_concat(b, 1, count, y);
}

/* Dense layers of one large tensor, of which steps alone read the values. */
static Node *layers_in_steps(Draw *d)
{
	Build *b = &d->b;
	const int64_t rows = 256, inner = 64, columns = 8 * extent(d);
	const bool biased = draw_is_of(d, "layers_of_one_biased"),
	           seen = draw_is_of(d, "layers_of_one_reshaped");
	const int count = 2 + draw_below(d, 2);
	Node *x = leaf_like(d, DIMS(rows, inner)), *weight[3], *bias[3], *all = NULL;
	for (int i = 0; i < count; i++)
		weight[i] = leaf_like(d, DIMS(columns, inner));
	for (int i = 0; i < count && biased; i++)
		bias[i] = leaf_like(d, DIMS(columns));
	for (int i = 0; i < count; i++) {
		Node *y = build_product(b, x, weight[i], false, true);
		y = biased ? build2(b, "add", y, bias[i])
		    : seen ? build_reshape(b, y, DIMS(rows / 4, 4, columns))
		           : y;
		y = build1(b, "tanh", y);
		all = all ? build2(b, "mul", all, y) : y;
	}
	return all;
}

/* A row of each of several tables side by side, by inputs of their own or by columns of one. */
static Node *rows_beside(Draw *d)
{
	Build *b = &d->b;
	const int64_t n = 1 + extent(d), width = extent(d), rows = extent(d);
	const int count = 2 + draw_below(d, 2);
	require(type_make(DTYPE_F32, 3, (int64_t[]){n, count, rows}, &d->shape));
	Node *all = draw_unit(d) < 0.5 ? build_reshape(b, draw_labels(d), DIMS(n, count)) : NULL, *y[3],
	     *table[3];
	for (int i = 0; i < count; i++)
		table[i] = leaf_like(
		        d, DIMS(all ? rows : 1 + extent(d), draw_unit(d) < 0.1 ? width + 1 : width));
	for (int i = 0; i < count; i++) {
		require(type_make(DTYPE_F32, 2, (int64_t[]){n, table[i]->type.dim[0]}, &d->shape));
		Node *index = all ? build_slice(b, all, 1, i, 1) : draw_labels(d);
		y[i] = build_reshape(b, build2(b, "embedding", table[i], index),
		                     DIMS(n, table[i]->type.dim[1]));
	}
	return build_concat(b, 1, count, y);
}

/* A layer of which the inputs, and at times the outputs, are no whole vectors. */
static Node *odd_rows(Draw *d)
{
	const int64_t rows = 150 + extent(d), inputs = 2 + extent(d), outputs = 120 + draw_below(d, 9);
	return build_product(&d->b, leaf_like(d, DIMS(rows, inputs)), leaf_like(d, DIMS(outputs, inputs)),
	                     false, true);
}

/* Parts of a tensor, each through a product, steps and views of its own, side by side; at times in another order. */
static Node *equal_pieces(Draw *d)
{
	Build *b = &d->b;
	const int64_t n = extent(d), h = extent(d), w = extent(d), c = extent(d), k = extent(d),
	              axis = 1 + draw_below(d, 2), order[] = {0, 2, 1, 3};
	const int count = 2 + draw_below(d, 2);
	const bool turned = draw_unit(d) < 0.5, swapped = draw_unit(d) < 0.1;
	int64_t dim[] = {n, h, w, c};
	const int64_t each = dim[axis];
	dim[axis] = each * count + draw_below(d, 2);
	if (draw_unit(d) < 0.5)
		b->graph->batch = n;
	Node *x = leaf_like(d, 4, dim), *weight = leaf_like(d, DIMS(k, c)), *bias = leaf_like(d, DIMS(k)),
	     *y[3];
	for (int i = 0; i < count; i++) {
		y[i] = build_slice(b, x, axis, (swapped ? count - 1 - i : i) * each, each);
		y[i] = build_reshape(b, y[i], DIMS(n * h * w, c));
		y[i] = build2(b, "add", build_product(b, y[i], weight, false, true), bias);
		y[i] = build2(b, "mul", build1(b, "tanh", y[i]), build_constant(b, 0.5));
		y[i] = build_reshape(b, y[i], DIMS(n, h, w, k));
		y[i] = turned ? build_transpose(b, y[i], order) : y[i];
		y[i] = build_along(b, "softmax", y[i], 3);
	}
	return build_concat(b, 1 + draw_below(d, 3), count, y);
}

static Node *bias_behind_view(Draw *d)
{
	Build *b = &d->b;
	const int64_t n = extent(d), rows = extent(d), inner = extent(d), columns = 2 * extent(d);
	const bool parted = draw_unit(d) < 0.2;
	Node *y = build_product(b, leaf_like(d, DIMS(n * rows, inner)), leaf_like(d, DIMS(columns, inner)),
	                        false, true);
	y = parted ? build_reshape(b, y, DIMS(n * rows, 2, columns / 2))
	           : build_reshape(b, y, DIMS(n, rows, columns));
	return build2(b, "add", y, leaf_like(d, DIMS(y->type.dim[2])));
}

/* A product of a narrow matrix, times a number and added to something. */
static Node *scaled_branch(Draw *d)
{
	Build *b = &d->b;
	const int64_t rows = extent(d), inner = 1 + draw_below(d, 2), columns = 8 * inner + draw_below(d, 4);
	Node *x = build1(b, "tanh", leaf_like(d, DIMS(rows, inner))), *y = leaf_like(d, DIMS(columns, inner)),
	     *c = build_constant(b, draw_unit(d) < 0.5 ? 0.3 : -2);
	Node *product = build_reshape(b, build_product(b, x, y, false, true), DIMS(1, rows, columns));
	product = build2(b, draw_unit(d) < 0.5 ? "mul" : "div", product, c);
	return build2(b, "add", leaf_like(d, DIMS(1, rows, columns)), product);
}

static Node *residual_signs(Draw *d)
{
	Build *b = &d->b;
	const int64_t dim[] = {extent(d), extent(d)};
	Node *sum = build2(b, "add", build1(b, "relu", leaf_like(d, 2, dim)), leaf_like(d, 2, dim));
	return build2(b, "gt", build1(b, "relu", sum), build_constant(b, draw_unit(d) < 0.9 ? 0 : 1));
}

static Node *uniform(Draw *d)
{
	const Attr attrs[] = {attr_ints("shape", d->shape.dim, d->shape.rank),
	                      attr_int("stream", draw_below(d, 3))};
	return build(&d->b, "uniform", 0, NULL, 2, attrs);
}

/* A convolution of windows [high, wide] over an image of [h, w]; `apart` is its dilation along the height. */
static Node *convolved(Draw *d, const int64_t image[4], int64_t filters, const int64_t window[2],
                       const int64_t stride[2], const int64_t pad[4], int64_t apart)
{
	Node *of[] = {leaf_like(d, 4, image), leaf_like(d, DIMS(filters, window[0], window[1], image[3]))};
	const Attr attrs[] = {attr_ints("stride", stride, 2), attr_ints("pad", pad, 4),
	                      attr_ints("dilation", (int64_t[]){apart, 1}, 2), attr_int("groups", 1)};
	return build(&d->b, "conv", 2, of, 4, attrs);
}

static const int64_t no_border[4], by_one[2] = {1, 1};

static Node *conv_of_patches(Draw *d)
{
	const int64_t high = 2 * extent(d), wide = 4, channels = 1 + 2 * draw_below(d, 4),
	              window[] = {high, wide};
	return convolved(d, (int64_t[]){extent(d), high * extent(d), wide * extent(d), channels}, extent(d),
	                 window, window, no_border, 1);
}

static Node *conv_of_steps(Draw *d)
{
	return convolved(d, (int64_t[]){extent(d), 1 + extent(d), 1, extent(d)}, extent(d), by_one, by_one,
	                 no_border, 1);
}

static Node *conv_of_steps_apart(Draw *d)
{
	const int64_t taps = 2 + draw_below(d, 3), pad[] = {draw_below(d, 4), 0, draw_below(d, 4), 0},
	              window[] = {taps, 1}, stride[] = {1 + draw_below(d, 2), 1};
	return convolved(d, (int64_t[]){extent(d), 12 + extent(d), 1, 8}, extent(d), window, stride, pad,
	                 2 + draw_below(d, 2));
}

static Node *conv_of_tiny_image(Draw *d)
{
	const int64_t size = 1 + draw_below(d, 2), border = draw_unit(d) < 0.8,
	              pad[] = {border, border, border, border}, image = size + 1 - border,
	              window[] = {size + 1, draw_unit(d) < 0.5 ? size + 1 : image + border};
	return convolved(d, (int64_t[]){extent(d), image, image, extent(d)}, extent(d), window, by_one, pad,
	                 1);
}

/* With a bias of its channels, or one that is more. */
static Node *biased_conv(Draw *d, Node *conv)
{
	const int64_t channels = conv->type.dim[3];
	Node *bias = draw_unit(d) < 0.9 ? leaf_like(d, 1, &channels) : leaf_like(d, DIMS(1, 1, channels));
	return build2(&d->b, "add", conv, bias);
}

static Node *conv_of_width_1(Draw *d, int64_t batch, int64_t h, int64_t filters)
{
	return convolved(d, (int64_t[]){batch, h, 1, extent(d)}, filters, (int64_t[]){2, 1}, by_one,
	                 (int64_t[]){1, 0, 0, 0}, 1);
}

static Node *batchnorm_of_conv(Draw *d)
{
	Build *b = &d->b;
	const int64_t batch = extent(d), h = extent(d), channels = extent(d);
	Node *x = conv_of_width_1(d, batch, h, channels), *vector[4];
	x = draw_unit(d) < 0.5 ? biased_conv(d, x) : x;
	x = draw_unit(d) < 0.5 ? build_reshape(b, x, DIMS(batch, h, channels)) : x;
	for (int i = 0; i < 4; i++)
		vector[i] = leaf_like(d, 1, &channels);
	Node *of[] = {x, vector[0], build1(b, "exp", vector[1]), vector[2], vector[3]};
	const Attr attrs[] = {attr_real("epsilon", 1e-3), attr_int("batch_statistics", draw_unit(d) < 0.1)};
	return build(b, "batchnorm", 5, of, 2, attrs);
}

static Node *sum_of_convs(Draw *d)
{
	const int64_t batch = extent(d), h = extent(d), channels = extent(d);
	Node *x = biased_conv(d, conv_of_width_1(d, batch, h, channels));
	return build2(&d->b, "add", x, biased_conv(d, conv_of_width_1(d, batch, h, channels)));
}

static Node *strided_dgrad(Draw *d)
{
	const int64_t n = extent(d), h = extent(d), w = extent(d), c = extent(d), filters = extent(d),
	              stride[] = {1 + draw_below(d, 3), 1 + draw_below(d, 3)},
	              dim[] = {n, (h - 1) * stride[0] + 1, (w - 1) * stride[1] + 1, c};
	Node *of[] = {leaf_like(d, DIMS(n, h, w, filters)), leaf_like(d, DIMS(filters, 1, 1, c))};
	const Attr attrs[] = {attr_ints("dim", dim, 4), attr_ints("stride", stride, 2),
	                      attr_ints("pad", no_border, 4), attr_ints("dilation", by_one, 2),
	                      attr_int("groups", 1)};
	return build(&d->b, "conv_dgrad", 2, of, 5, attrs);
}

/* A statistic of a tensor, and of what it is a piece of, in either order. */
static Node *statistics(Draw *d)
{
	Build *b = &d->b;
	const char *statistic = draw_is_of(d, "mean_of_pieces") ? "batch_mean" : "batch_var";
	const int64_t n = extent(d), h = extent(d);
	Node *of[] = {leaf_like(d, DIMS(n, h, extent(d))), leaf_like(d, DIMS(n, h, extent(d)))};
	Node *whole = build_concat(b, 2, 2, of);
	const bool first = draw_unit(d) < 0.5;
	Node *x = build1(b, statistic, first ? of[0] : whole),
	     *y = build1(b, statistic, first ? whole : of[0]);
	return build_concat(b, 2, 2, (Node *[]){x, y});
}

/* A tensor in another shape and back, or, through 16 bits, in them. */
static Node *there_and_back(Draw *d)
{
	Build *b = &d->b;
	const int64_t rows = extent(d), columns = extent(d);
	Node *x = leaf_like(d, DIMS(rows, columns));
	if (draw_is_of(d, "reshape_back"))
		return build_reshape(b, build_reshape(b, x, DIMS(rows * columns)), DIMS(rows, columns));
	const Attr wide = attr_text("to", "f32");
	if (draw_is_of(d, "drop_cast"))
		return build(b, "cast", 1, &x, 1, &wide);
	x = build_reshape(b, build_cast(b, build_cast(b, x, DTYPE_BF16), DTYPE_F32), DIMS(rows * columns));
	return build_cast(b, build_cast(b, x, DTYPE_BF16), DTYPE_F32);
}

/* One number everywhere. */
static Node *repeated_element(Draw *d)
{
	Build *b = &d->b;
	const int64_t rows = extent(d), columns = extent(d);
	Node *x = leaf_like(d, DIMS(1));
	if (draw_is_of(d, "reshape_of_element"))
		return build_reshape(b, build_broadcast(b, x, DIMS(rows, columns)), DIMS(columns, rows));
	return build_broadcast(b, build_reshape(b, x, DIMS(1, 1)), DIMS(rows, columns));
}

static const struct {
	const char *rule;
	Node *(*make)(Draw *);
} drawn_whole[] = {
        {"slice_of_reshape", slice_of_reshape},
        {"turned_ones", turned_ones},
        {"groups_by_turning", groups_turned},
        {"columns_by_product", columns_by_product},
        {"rolled_by_product", rolled_by_product},
        {"product_of_one", product_of_one},
        {"reshaped_steps", reshaped_steps},
        {"reshaped_sum", reduced},
        {"mean_by_pool", pool},
        {"depthwise_by_slices", shifted},
        {"conv_of_pad", conv_of_pad},
        {"factor_of_small_operand", scaled_branch},
        {"signs_of_residual", residual_signs},
        {"share_of_uniform", uniform},
        {"layers_by_concat", layers_beside},
        {"reshape_back", there_and_back},
        {"drop_cast", there_and_back},
        {"cast_back", there_and_back},
        {"reshape_of_element", repeated_element},
        {"broadcast_of_element", repeated_element},
        {"mean_of_pieces", statistics},
        {"var_of_pieces", statistics},
        {"layers_of_one", layers_in_steps},
        {"layers_of_one_biased", layers_in_steps},
        {"layers_of_one_reshaped", layers_in_steps},
        {"tables_by_concat", rows_beside},
        {"product_of_odd_rows", odd_rows},
        {"bias_ahead_of_view", bias_behind_view},
        {"pieces_as_batch", equal_pieces},
        {"conv_of_patches", conv_of_patches},
        {"conv_of_steps", conv_of_steps},
        {"conv_of_steps_apart", conv_of_steps_apart},
        {"conv_of_tiny_image", conv_of_tiny_image},
        {"batchnorm_into_conv", batchnorm_of_conv},
        {"biases_of_convs", sum_of_convs},
        {"strided_dgrad", strided_dgrad},
        {"push_slices", steps_cut_apart},
        {"first_of_stored", from_first},
        {"transpose_inputs", product_of_input},
        {"slice_of_place", part_of_step},
        {"slice_of_params", range_of_bias},
};

Node *draw_whole(Draw *d)
{
	for (size_t i = 0; i < sizeof drawn_whole / sizeof *drawn_whole; i++)
		if (draw_is_of(d, drawn_whole[i].rule))
			return drawn_whole[i].make(d);
	return draw_pattern(d, formula_parse(d->arena, d->rule->pattern), "");
}
