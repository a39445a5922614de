/* SPDX-License-Identifier: MIT */
/* Reductions, shapes, lookups, random numbers: operators on tensors as such. */
#include "tests/interp/interp.h"
#include "ops/compose.h"
#include "runtime/nnr_math.h"
#include <math.h>

/* ---- reductions: y keeps the reduced axes as 1, so y's element of an index of x is where y broadcasts to it */

static void reduce(Eval *e, double start, double (*join)(double, double))
{
	const Type *t = operand_type(e, 0);
	for (int64_t i = 0; i < type_elements(e->n->type); i++)
		e->y[i] = start;
	int64_t index[LIMIT_RANK] = {0}, i = 0;
	do {
		double *y = &e->y[broadcast_offset(&e->n->type, t, index)];
		*y = join(*y, e->x[0][i++]);
	} while (next_index(t, index));
}

static double join_sum(double a, double b)
{
	return a + b;
}

static double join_max(double a, double b)
{
	return a > b ? a : b;
}

static void sum_eval(Eval *e)
{
	reduce(e, 0, join_sum);
}

static void max_eval(Eval *e)
{
	reduce(e, -INFINITY, join_max);
}

static void tile_sum_eval(Eval *e)
{
	const int64_t columns = operand_type(e, 0)->dim[1], width = node_int(e->n, "width"),
	              tiles = e->n->type.dim[1];
	for (int64_t i = 0; i < type_elements(*operand_type(e, 0)); i++)
		e->y[i / columns * tiles + i % columns / width] += e->x[0][i];
}

/* Of the rows along `axis`: the largest, and the sum of exp of what is below it. Rows of which a mask hides everything
 * have no larger one. */
typedef struct RowSums {
	Type shape; /* the operand's, with 1 for the axis */
	double *most, *sums;
} RowSums;

static RowSums row_sums(Eval *e)
{
	const Type *t = operand_type(e, 0);
	RowSums r = {.shape = *t};
	r.shape.dim[node_int(e->n, "axis")] = 1;
	const int64_t count = type_elements(r.shape);
	r.most = NEW_ARRAY(e->arena, double, count), r.sums = NEW_ARRAY(e->arena, double, count);
	for (int64_t i = 0; i < count; i++)
		r.most[i] = -INFINITY;
	int64_t index[LIMIT_RANK] = {0}, i = 0;
	do {
		double *most = &r.most[broadcast_offset(&r.shape, t, index)];
		*most = join_max(*most, e->x[0][i++]);
	} while (next_index(t, index));
	i = 0;
	do {
		const int64_t row = broadcast_offset(&r.shape, t, index);
		r.sums[row] += exp(e->x[0][i++] - r.most[row]);
	} while (next_index(t, index));
	return r;
}

static void logsumexp_eval(Eval *e)
{
	const RowSums r = row_sums(e);
	for (int64_t i = 0; i < type_elements(r.shape); i++)
		e->y[i] = r.most[i] + log(r.sums[i]);
}

static void softmax_eval(Eval *e)
{
	const RowSums r = row_sums(e);
	int64_t index[LIMIT_RANK] = {0}, i = 0;
	do {
		const int64_t row = broadcast_offset(&r.shape, &e->n->type, index);
		e->y[i] = exp(e->x[0][i] - r.most[row]) / r.sums[row];
		i++;
	} while (next_index(&e->n->type, index));
}

static void log_softmax_eval(Eval *e)
{
	softmax_eval(e);
	for (int64_t i = 0; i < type_elements(e->n->type); i++)
		e->y[i] = log(e->y[i]);
}

static void cumsum_eval(Eval *e)
{
	const Type *t = &e->n->type;
	int64_t axis = node_int(e->n, "axis"), stride = 1;
	for (int k = (int)axis + 1; k < t->rank; k++)
		stride *= t->dim[k];
	for (int64_t i = 0; i < type_elements(*t); i++)
		e->y[i] = e->x[0][i] + (i / stride % t->dim[axis] > 0 ? e->y[i - stride] : 0);
}

/* ---- values of the index */

typedef double IndexValue(const Eval *e, int64_t i, int64_t last, const double *x);

/* y = value(linear index, index in the last dimension, operands broadcast there). */
static void each_index(Eval *e, IndexValue *value)
{
	int64_t index[LIMIT_RANK] = {0}, i = 0;
	do {
		double x[3] = {0};
		for (int k = 0; k < e->n->operand_count; k++)
			x[k] = e->x[k][broadcast_offset(operand_type(e, k), &e->n->type, index)];
		e->y[i] = value(e, i, e->n->type.rank ? index[e->n->type.rank - 1] : 0, x);
		i++;
	} while (next_index(&e->n->type, index));
}

static double index_below_value(const Eval *e, int64_t i, int64_t last, const double *x)
{
	return i < node_int(e->n, "n");
}

static double ramp_value(const Eval *e, int64_t i, int64_t last, const double *x)
{
	return node_real(e->n, "first") + (double)i * node_real(e->n, "by");
}

static double diagonal_value(const Eval *e, int64_t i, int64_t last, const double *x)
{
	return i / node_int(e->n, "n") == i % node_int(e->n, "n");
}

static double lower_triangle_value(const Eval *e, int64_t i, int64_t last, const double *x)
{
	return i % node_int(e->n, "n") <= i / node_int(e->n, "n");
}

static double one_hot_value(const Eval *e, int64_t i, int64_t last, const double *x)
{
	return x[0] == (double)last;
}

/* Operands: the scores, the score of the label, the label. */
static double outranks_value(const Eval *e, int64_t i, int64_t last, const double *x)
{
	return x[0] > x[1] || (x[0] == x[1] && (double)last < x[2]);
}

static double rgb_affine_value(const Eval *e, int64_t i, int64_t last, const double *x)
{
	static const char *const scale[] = {"scale_r", "scale_g", "scale_b"}, *const shift[] = {"shift_r",
	                                                                                        "shift_g",
	                                                                                        "shift_b"};
	return x[0] * node_real(e->n, scale[last]) + node_real(e->n, shift[last]);
}

static double uniform_value(const Eval *e, int64_t i, int64_t last, const double *x)
{
	return nnr_uniform(e->in->seed, (uint64_t)e->in->step,
	                   (uint64_t)(node_int(e->n, "stream") + e->streams), i);
}

static double dropout_value(const Eval *e, int64_t i, int64_t last, const double *x)
{
	double rate = dropout_share(node_real(e->n, "rate"));
	if (!e->graph->training)
		return x[0];
	return uniform_value(e, i, last, x) < rate ? 0 : x[0] / (1 - rate);
}

#define INDEXED(NAME)                        \
	static void NAME##_eval(Eval *e)     \
	{                                    \
		each_index(e, NAME##_value); \
	}
INDEXED(index_below)
INDEXED(one_hot)
INDEXED(ramp)
INDEXED(diagonal)
INDEXED(lower_triangle)
INDEXED(outranks)
INDEXED(rgb_affine)
INDEXED(uniform)
INDEXED(dropout)

/* ---- shapes */

static void reshape_eval(Eval *e)
{
	memcpy(e->y, e->x[0], (size_t)type_elements(e->n->type) * sizeof(double));
}

/* Elements of x that follow one another, from an offset on. */
static void part_eval(Eval *e)
{
	const double *from = e->x[0] + node_int(e->n, "offset");
	memcpy(e->y, from, (size_t)type_elements(e->n->type) * sizeof(double));
}

/* y[i] = x[i permuted]: dimension k of y is dimension axes[k] of x. */
static void transpose_eval(Eval *e)
{
	int count;
	const int64_t *axes = node_ints(e->n, "axes", &count);
	int64_t stride[LIMIT_RANK], index[LIMIT_RANK] = {0}, i = 0;
	type_strides(operand_type(e, 0), stride);
	do {
		int64_t offset = 0;
		for (int k = 0; k < count; k++)
			offset += index[k] * stride[axes[k]];
		e->y[i++] = e->x[0][offset];
	} while (next_index(&e->n->type, index));
}

static void concat_eval(Eval *e)
{
	int axis = (int)node_int(e->n, "axis");
	int64_t stride[LIMIT_RANK], start = 0;
	type_strides(&e->n->type, stride);
	for (int k = 0; k < e->n->operand_count; k++) {
		const Type *t = operand_type(e, k);
		int64_t index[LIMIT_RANK] = {0}, i = 0;
		do {
			int64_t offset = start * stride[axis];
			for (int d = 0; d < t->rank; d++)
				offset += index[d] * stride[d];
			e->y[offset] = e->x[k][i++];
		} while (next_index(t, index));
		start += t->dim[axis];
	}
}

static void slice_eval(Eval *e)
{
	int axis = (int)node_int(e->n, "axis");
	int64_t start = node_int(e->n, "start"), stride[LIMIT_RANK], index[LIMIT_RANK] = {0}, i = 0;
	type_strides(operand_type(e, 0), stride);
	do {
		int64_t offset = start * stride[axis];
		for (int d = 0; d < e->n->type.rank; d++)
			offset += index[d] * stride[d];
		e->y[i++] = e->x[0][offset];
	} while (next_index(&e->n->type, index));
}

static void pad_eval(Eval *e)
{
	int axis = (int)node_int(e->n, "axis");
	const Type *t = operand_type(e, 0);
	int64_t stride[LIMIT_RANK], index[LIMIT_RANK] = {0}, i = 0;
	type_strides(&e->n->type, stride);
	do {
		int64_t offset = node_int(e->n, "before") * stride[axis];
		for (int d = 0; d < t->rank; d++)
			offset += index[d] * stride[d];
		e->y[offset] = e->x[0][i++];
	} while (next_index(t, index));
}

static void roll_eval(Eval *e)
{
	const Type *t = operand_type(e, 0);
	int64_t stride[LIMIT_RANK], index[LIMIT_RANK] = {0}, i = 0;
	int count;
	const int64_t *by = node_ints(e->n, "by", &count);
	type_strides(t, stride);
	do {
		int64_t offset = 0;
		for (int d = 0; d < t->rank; d++)
			offset += (index[d] + by[d]) % t->dim[d] * stride[d];
		e->y[offset] = e->x[0][i++];
	} while (next_index(t, index));
}

/* Calls `move` with the indices of each element that windows share with x [n, places, columns, channels], and of the
 * windows' [n, windows, columns, size*channels]. */
static void each_of_windows(const Node *n, const Type *x, const Type *y,
                            void (*move)(Eval *, int64_t, int64_t), Eval *e)
{
	const int64_t size = node_int(n, "size"), channels = x->dim[3];
	for (int64_t i = 0; i < type_elements(*y); i++) {
		const int64_t column = i / y->dim[3] % y->dim[2],
		              window = i / y->dim[3] / y->dim[2] % y->dim[1],
		              sample = i / y->dim[3] / y->dim[2] / y->dim[1], tap = i % y->dim[3] / channels;
		const int64_t place = window * node_int(n, "stride") + tap * node_int(n, "dilation") -
		                      node_int(n, "before");
		require(tap < size);
		if (place >= 0 && place < x->dim[1])
			move(e, ((sample * x->dim[1] + place) * x->dim[2] + column) * channels + i % channels,
			     i);
	}
}

static void to_window(Eval *e, int64_t of_x, int64_t of_y)
{
	e->y[of_y] = e->x[0][of_x];
}

static void add_to_place(Eval *e, int64_t of_x, int64_t of_y)
{
	e->y[of_x] += e->x[0][of_y];
}

static void unfold_eval(Eval *e)
{
	memset(e->y, 0, (size_t)type_elements(e->n->type) * sizeof *e->y);
	each_of_windows(e->n, operand_type(e, 0), &e->n->type, to_window, e);
}

static void fold_eval(Eval *e)
{
	memset(e->y, 0, (size_t)type_elements(e->n->type) * sizeof *e->y);
	each_of_windows(e->n, &e->n->type, operand_type(e, 0), add_to_place, e);
}

static void gather_columns_eval(Eval *e)
{
	int count;
	const int64_t *from = node_ints(e->n, "from", &count), rows = type_elements(e->n->type) / count;
	for (int64_t i = 0; i < rows * count; i++) {
		int64_t at = from[i % count];
		for (int k = 0; k < e->n->operand_count; k++) {
			const int64_t columns = type_elements(*operand_type(e, k)) / rows;
			if (at >= 0 && at < columns)
				e->y[i] = e->x[k][i / count * columns + at];
			at -= columns;
		}
	}
}

static void flip_eval(Eval *e)
{
	int axis = (int)node_int(e->n, "axis");
	const Type *t = operand_type(e, 0);
	int64_t stride[LIMIT_RANK], index[LIMIT_RANK] = {0}, i = 0;
	type_strides(t, stride);
	do {
		int64_t offset = 0;
		for (int d = 0; d < t->rank; d++)
			offset += (d == axis ? t->dim[d] - 1 - index[d] : index[d]) * stride[d];
		e->y[offset] = e->x[0][i++];
	} while (next_index(t, index));
}

static void spread_eval(Eval *e)
{
	const Type *t = operand_type(e, 0);
	int count;
	const int64_t *stride = node_ints(e->n, "stride", &count);
	int64_t place[LIMIT_RANK], index[LIMIT_RANK] = {0}, i = 0;
	type_strides(&e->n->type, place);
	do {
		int64_t row = index[1] * stride[0], column = index[2] * stride[1];
		e->y[index[0] * place[0] + row * place[1] + column * place[2] + index[3] * place[3]] =
		        e->x[0][i++];
	} while (next_index(t, index));
}

/* The tap `at` of window (p, q): its row and column, which may be outside. */
static void tap_place(const Eval *e, const int64_t index[LIMIT_RANK], int64_t at[2])
{
	int count;
	for (int i = 0; i < 2; i++)
		at[i] = index[1 + i] * node_ints(e->n, "stride", &count)[i] +
		        node_ints(e->n, "at", &count)[i] - node_ints(e->n, "pad", &count)[i];
}

static void tap_eval(Eval *e)
{
	const Type *x = operand_type(e, 0);
	int64_t stride[LIMIT_RANK], index[LIMIT_RANK] = {0}, at[2], i = 0;
	type_strides(x, stride);
	do {
		tap_place(e, index, at);
		for (int k = 0; k < 2; k++)
			at[k] = at[k] < 0 ? 0 : at[k] >= x->dim[1 + k] ? x->dim[1 + k] - 1 : at[k];
		e->y[i++] = e->x[0][index[0] * stride[0] + at[0] * stride[1] + at[1] * stride[2] + index[3]];
	} while (next_index(&e->n->type, index));
}

static void pick_eval(Eval *e)
{
	static const char *const names[] = {"times", "plus", "over"};
	const Type *x = operand_type(e, 0);
	int64_t stride[LIMIT_RANK], index[LIMIT_RANK] = {0}, i = 0;
	const int64_t *of[3];
	int count;
	for (int k = 0; k < 3; k++)
		of[k] = node_ints(e->n, names[k], &count);
	type_strides(x, stride);
	do {
		int64_t from = index[0] * stride[0] + index[3];
		for (int k = 0; k < 2; k++) {
			const double at =
			        floor((double)(index[1 + k] * of[0][k] + of[1][k]) / (double)of[2][k]);
			from += (int64_t)fmin(fmax(at, 0), (double)x->dim[1 + k] - 1) * stride[1 + k];
		}
		e->y[i++] = e->x[0][from];
	} while (next_index(&e->n->type, index));
}

static void mask_border_eval(Eval *e)
{
	int count;
	const int64_t *image = node_ints(e->n, "image", &count);
	int64_t index[LIMIT_RANK] = {0}, at[2], i = 0;
	do {
		tap_place(e, index, at);
		bool inside = at[0] >= 0 && at[0] < image[0] && at[1] >= 0 && at[1] < image[1];
		e->y[i] = inside ? e->x[0][i] : -INFINITY;
		i++;
	} while (next_index(&e->n->type, index));
}

static void unpool_eval(Eval *e)
{
	int count;
	const int64_t *size = node_ints(e->n, "size", &count), *stride = node_ints(e->n, "stride", &count),
	              *pad = node_ints(e->n, "pad", &count);
	int64_t place[LIMIT_RANK], index[LIMIT_RANK] = {0}, i = 0;
	type_strides(&e->n->type, place);
	memset(e->y, 0, (size_t)type_elements(e->n->type) * sizeof *e->y);
	do {
		int64_t tap = (int64_t)e->x[1][i], at[2] = {tap / size[1], tap % size[1]};
		bool inside = at[0] < size[0];
		for (int k = 0; k < 2; k++) {
			at[k] += index[1 + k] * stride[k] - pad[k];
			inside = inside && at[k] >= 0 && at[k] < e->n->type.dim[1 + k];
		}
		if (inside)
			e->y[index[0] * place[0] + at[0] * place[1] + at[1] * place[2] + index[3]] +=
			        e->x[0][i];
		i++;
	} while (next_index(operand_type(e, 0), index));
}

static void pack_eval(Eval *e)
{
	double *y = e->y;
	for (int k = 0; k < e->n->operand_count; k++) {
		size_t count = (size_t)type_elements(*operand_type(e, k));
		memcpy(y, e->x[k], count * sizeof *y);
		y += count;
	}
}

/* ---- tables: w [count, dim] looked up by any number of indices; rows that are not there are zeros. With `counts`
 * several tables below one another: the index is [tables, ..], and what is looked up [.., tables, dim] */

/* The row of w for row i of what is looked up; -1: it is not there. */
static int64_t table_row(const Eval *e, int64_t i, int64_t rows)
{
	int tables = 1;
	const int64_t *counts = node_attr(e->n, "counts") ? node_ints(e->n, "counts", &tables) : NULL;
	const int64_t places = type_elements(*operand_type(e, 1)) / tables;
	const double row = e->x[1][i % tables * places + i / tables];
	int64_t first = 0;
	for (int k = 0; counts && k < i % tables; k++)
		first += counts[k];
	rows = counts ? counts[i % tables] : rows;
	return row >= 0 && row < (double)rows ? first + (int64_t)row : -1;
}

static void embedding_eval(Eval *e)
{
	const Type *w = operand_type(e, 0);
	for (int64_t i = 0; i < type_elements(e->n->type); i++) {
		int64_t row = table_row(e, i / w->dim[1], w->dim[0]);
		if (row >= 0)
			e->y[i] = e->x[0][row * w->dim[1] + i % w->dim[1]];
	}
}

/* Operands dy and index. */
static void embedding_grad_eval(Eval *e)
{
	const Type *w = &e->n->type;
	for (int64_t i = 0; i < type_elements(*operand_type(e, 0)); i++) {
		int64_t row = table_row(e, i / w->dim[1], w->dim[0]);
		if (row >= 0)
			e->y[row * w->dim[1] + i % w->dim[1]] += e->x[0][i];
	}
}

const Meaning tensor_meanings[] = {
        {"sum", sum_eval},
        {"tile_sum", tile_sum_eval},
        {"max", max_eval},
        {"softmax", softmax_eval},
        {"log_softmax", log_softmax_eval},
        {"cumsum", cumsum_eval},
        {"logsumexp", logsumexp_eval},
        {"reshape", reshape_eval},
        {"part", part_eval},
        {"all_reduce", reshape_eval}, /* of one rank */
        {"rank_share", reshape_eval},
        {"all_gather", reshape_eval},
        {"transpose", transpose_eval},
        {"concat", concat_eval},
        {"slice", slice_eval},
        {"pad", pad_eval},
        {"flip", flip_eval},
        {"roll", roll_eval},
        {"unfold", unfold_eval},
        {"fold", fold_eval},
        {"gather_columns", gather_columns_eval},
        {"spread", spread_eval},
        {"tap", tap_eval},
        {"mask_border", mask_border_eval},
        {"pick", pick_eval},
        {"unpool", unpool_eval},
        {"pack", pack_eval},
        {"embedding", embedding_eval},
        {"embedding_grad", embedding_grad_eval},
        {"index_below", index_below_eval},
        {"index_below_share", index_below_eval}, /* of the first rank */
        {"one_hot", one_hot_eval},
        {"ramp", ramp_eval},
        {"diagonal", diagonal_eval},
        {"lower_triangle", lower_triangle_eval},
        {"outranks", outranks_eval},
        {"rgb_affine", rgb_affine_eval},
        {"uniform", uniform_eval},
        {"uniform_share", uniform_eval}, /* of the first rank */
        {"dropout", dropout_eval},
        {0},
};
