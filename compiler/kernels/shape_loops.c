/* SPDX-License-Identifier: MIT */
/* Loops of what moves elements: neighbouring ones of the result. concat, pad and flip work along one axis of a tensor
 * seen as [outer, along, inner], by rows: the last dimension, so that elements are neighbours whatever the axis is. */
#include "codegen/lanes.h"
#include "codegen/op_loops.h"
#include "ir/view.h"
#include "ops/shape.h"

#include <string.h>

static void write_place(const Lanes *l, Type y)
{
	const int64_t columns = y.dim[y.rank - 1];
	lanes_open(l, "row", type_elements(y) / columns, columns);
}

/* ---- transpose */

static int transpose_width(const Node *n)
{
	int count;
	const int64_t *axes = node_ints(n, "axes", &count);
	return axes[count - 1] == count - 1 ? lanes_width(1, &n->type.dim[count - 1]) : 1;
}

static void transpose_emit(KernelText *k, const Node *n)
{
	Lanes l = lanes_new(k, n, transpose_width(n));
	const View v = view_of(n, 0);
	const Type y = n->type;
	const int last = y.rank - 1;
	int64_t below = 1;
	const char *at = index_times(k->arena, "c", v.stride[last]);
	for (int i = last - 1; i >= 0; below *= y.dim[i], i--)
		if (y.dim[i] > 1)
			at = arena_printf(k->arena, "%s + %s",
			                  index_times(k->arena, index_digit(k->arena, "row", below, y.dim[i]),
			                              v.stride[i]),
			                  at);
	write_place(&l, y);
	lanes_load(&l, "e", 0, at);
	lanes_finish(&l, "row", "c", "e@");
}

/* ---- a tensor along one axis, as rows */

typedef struct Rows {
	int64_t outer, along, cols; /* `along` rows of `cols` elements in each of `outer` blocks */
} Rows;

/* Along the last axis a row is the axis itself. */
static Rows rows_along(Type t, int64_t axis)
{
	Rows r = {.outer = 1, .along = 1, .cols = t.dim[t.rank - 1]};
	for (int i = 0; i < axis; i++)
		r.outer *= t.dim[i];
	for (int i = (int)axis; i < t.rank - 1; i++)
		r.along *= t.dim[i];
	return r;
}

static bool axis_is_last(const Node *n)
{
	return node_int(n, "axis") == n->type.rank - 1;
}

/* Elements of one step along the axis, in units of rows; only where the axis is not the last. */
static int64_t rows_per_step(Type t, int64_t axis)
{
	int64_t rows = 1;
	for (int i = (int)axis + 1; i < t.rank - 1; i++)
		rows *= t.dim[i];
	return rows;
}

/* ---- along one axis: `position` is the column or the row of the block `o` that decides which operand is read */

static const char *position(const Node *n)
{
	return axis_is_last(n) ? "c" : "r";
}

/* Declares what stands before the position: the block, or the row. */
static void write_position(const Lanes *l, const Node *n)
{
	write_place(l, n->type);
	if (axis_is_last(n))
		return;
	Rows to = rows_along(n->type, node_int(n, "axis"));
	lanes_index(l, "o", "%s", index_over(l->k->arena, "row", to.along));
	lanes_index(l, "r", "%s", index_digit(l->k->arena, "row", 1, to.along));
}

/* The steps along the axis, in units of the position. */
static long long steps(const Node *n, int64_t count)
{
	return (long long)(axis_is_last(n) ? count : count * rows_per_step(n->type, node_int(n, "axis")));
}

/* The index of the thread's element in operand i, whose position is by `shift` larger than that of the result. */
static const char *element(const Lanes *l, const Node *n, int i, long long shift)
{
	Rows from = rows_along(n->operands[i]->type, node_int(n, "axis"));
	Arena *a = l->k->arena;
	const char *moved = index_plus(a, position(n), shift);
	if (axis_is_last(n))
		return arena_printf(a, "row * %lld + %s", (long long)from.cols, moved);
	return arena_printf(a, "(o * %lld + %s) * %lld + c", (long long)from.along, moved,
	                    (long long)from.cols);
}

/* Vectors need the columns of the result, and on the last axis also where parts begin, to be multiples of four. */
static int axis_width(const Node *n, int count, const int64_t *starts)
{
	int width = lanes_width(1, &n->type.dim[n->type.rank - 1]);
	if (axis_is_last(n) && lanes_width(count, starts) == 1)
		width = 1;
	return width;
}

/* Whether vectors of so many columns end where rows do, and where operands beside each other do. */
static bool concat_fits(const Node *n, int width)
{
	const int last = n->type.rank - 1;
	bool fits = n->type.dim[last] % width == 0;
	for (int i = 0; i < n->operand_count && axis_is_last(n); i++)
		fits = fits && n->operands[i]->type.dim[last] % width == 0;
	return fits;
}

static int concat_width(const Node *n)
{
	int width = 4;
	while (!concat_fits(n, width))
		width /= 2;
	return width;
}

/* The operands that a kernel copies: all but those at both ends that are in their places already. */
typedef struct Copied {
	int first, end;
	int64_t begin, columns; /* along the axis */
} Copied;

static Copied copied_of(const Node *n, const ConcatPiece *pieces)
{
	Copied c = {.end = n->operand_count};
	while (c.first < c.end && pieces[c.first].in_place)
		c.first++;
	while (c.end > c.first && pieces[c.end - 1].in_place)
		c.end--;
	for (int i = c.first; i < c.end; i++)
		c.columns += pieces[i].count;
	c.begin = c.first < c.end ? pieces[c.first].start : n->type.dim[node_int(n, "axis")];
	return c;
}

/* Declares row and column of the thread, of those columns alone; on the last axis. */
static void write_copied_position(const Lanes *l, const Node *n, const Copied *c)
{
	Arena *a = l->k->arena;
	const int64_t units = c->columns / l->width;
	lanes_begin(l, type_elements(n->type) / n->type.dim[n->type.rank - 1] * units);
	lanes_index(l, "row", "%s", index_over(a, "i", units));
	lanes_index(l, "c", "%s",
	            index_plus(a, index_times(a, index_digit(a, "i", 1, units), l->width), c->begin));
}

static void concat_emit_cuda(KernelText *k, const Node *n)
{
	Lanes l = lanes_new(k, n, concat_width(n));
	const ConcatPiece *pieces = concat_pieces(k->arena, k->program, n);
	const Copied copied = copied_of(n, pieces);
	if (copied.columns < n->type.dim[node_int(n, "axis")])
		write_copied_position(&l, n, &copied);
	else
		write_position(&l, n);
	if (copied.end - copied.first == 1) {
		lanes_load(&l, "e", copied.first, element(&l, n, copied.first, -steps(n, copied.begin)));
	} else {
		lanes_value(&l, "e", "0");
		for (int i = copied.first; i < copied.end; i++) {
			const ConcatPiece *piece = &pieces[i];
			const char *at = element(&l, n, i, -steps(n, piece->start));
			const char *here = arena_printf(k->arena, "%s < %lld", position(n),
			                                steps(n, piece->start + piece->count));
			if (i == copied.first)
				code_if(k->code, "%s", here);
			else
				code_else(k->code, i + 1 < copied.end ? here : NULL);
			if (piece->in_place)
				code_leave(k->code, "return");
			else
				lanes_reload(&l, "e", i, at);
			code_close(k->code, 1);
		}
	}
	lanes_finish(&l, "row", "c", "e@");
}

/* Each operand that is not in its place is copied by loops of its own. */
static void concat_emit_cpu(KernelText *k, const Node *n)
{
	const Lanes l = lanes_new(k, n, 1);
	const ConcatPiece *pieces = concat_pieces(k->arena, k->program, n);
	const int64_t axis = node_int(n, "axis");
	const long long along = (long long)rows_along(n->type, axis).along;
	for (int i = 0; i < n->operand_count; i++) {
		const Rows from = rows_along(n->operands[i]->type, axis);
		const long long first = steps(n, pieces[i].start);
		const char *row = "row", *column = "c";
		if (pieces[i].in_place)
			continue;
		lanes_open(&l, "row", from.outer * from.along, from.cols);
		lanes_load(&l, "e", i, arena_printf(k->arena, "row * %lld + c", (long long)from.cols));
		if (axis_is_last(n))
			column = index_plus(k->arena, "c", first);
		else if (from.outer == 1)
			row = index_plus(k->arena, "row", first);
		else
			row = arena_printf(
			        k->arena, "%s * %lld + %s", index_over(k->arena, "row", from.along), along,
			        index_plus(k->arena, index_digit(k->arena, "row", 1, from.along), first));
		lanes_finish(&l, row, column, "e");
		lanes_close(&l);
	}
}

static int pad_width(const Node *n)
{
	int64_t starts[2] = {node_int(n, "before"), n->operands[0]->type.dim[node_int(n, "axis")]};
	return axis_width(n, 2, starts);
}

static void pad_emit(KernelText *k, const Node *n)
{
	Lanes l = lanes_new(k, n, pad_width(n));
	long long first = steps(n, node_int(n, "before"));
	long long end = first + steps(n, n->operands[0]->type.dim[node_int(n, "axis")]);
	const char *at = position(n);
	write_position(&l, n);
	lanes_value(&l, "e", "0");
	if (first > 0)
		code_if(k->code, "%s >= %lld && %s < %lld", at, first, at, end);
	else
		code_if(k->code, "%s < %lld", at, end);
	lanes_reload(&l, "e", 0, element(&l, n, 0, -first));
	code_close(k->code, 1);
	lanes_finish(&l, "row", "c", "e@");
}

/* The row `r`, or on the last axis the column `c`, of x that the one of that number is. */
static char *axis_reversed(Arena *a, const Node *n)
{
	long long last = (long long)n->type.dim[node_int(n, "axis")] - 1;
	if (axis_is_last(n))
		return arena_printf(a, "%lld - c", last);
	long long unit = (long long)rows_per_step(n->type, node_int(n, "axis"));
	return unit == 1 ? arena_printf(a, "%lld - r", last)
	                 : arena_printf(a, "%lld - r + r %% %lld * 2", last * unit, unit);
}

static int flip_width(const Node *n)
{
	return axis_is_last(n) ? 1 : lanes_width(1, &n->type.dim[n->type.rank - 1]);
}

static void flip_emit(KernelText *k, const Node *n)
{
	Lanes l = lanes_new(k, n, flip_width(n));
	Rows rows = rows_along(n->type, node_int(n, "axis"));
	const char *read = axis_reversed(k->arena, n);
	write_position(&l, n);
	if (axis_is_last(n))
		read = arena_printf(k->arena, "row * %lld + %s", (long long)rows.cols, read);
	else
		read = arena_printf(k->arena, "(o * %lld + %s) * %lld + c", (long long)rows.along, read,
		                    (long long)rows.cols);
	lanes_load(&l, "e", 0, read);
	lanes_finish(&l, "row", "c", "e@");
}

/* The row, or column, of x that row `row`, or column, of the result is; rows are of the last dimension. */
static char *roll_row(Arena *a, const Node *n, const char *row)
{
	const Type t = n->type;
	int count;
	const int64_t *by = node_ints(n, "by", &count);
	char *text = arena_strdup(a, row);
	int64_t below = 1; /* rows of an index */
	for (int i = t.rank - 2; i >= 0; below *= t.dim[i--])
		if (by[i] > 0)
			text = arena_printf(a, "%s + (%s < %lld ? %lld : %lld)", text,
			                    index_digit(a, row, below, t.dim[i]), (long long)by[i],
			                    (long long)((t.dim[i] - by[i]) * below),
			                    (long long)(-by[i] * below));
	return text;
}

static char *roll_column(Arena *a, const Node *n, const char *column)
{
	const int last = n->type.rank - 1;
	int count;
	const long long by = node_ints(n, "by", &count)[last];
	if (by == 0)
		return arena_strdup(a, column);
	return arena_printf(a, "%s + (%s < %lld ? %lld : %lld)", column, column, by,
	                    (long long)n->type.dim[last] - by, -by);
}

static void roll_emit(KernelText *k, const Node *n)
{
	const int64_t *columns = &n->type.dim[n->type.rank - 1];
	const char *column = roll_column(k->arena, n, "c");
	Lanes l = lanes_new(k, n, strcmp(column, "c") == 0 ? lanes_width(1, columns) : 1);
	write_place(&l, n->type);
	lanes_load(&l, "e", 0,
	           arena_printf(k->arena, "(%s) * %lld + %s", roll_row(k->arena, n, "row"),
	                        (long long)*columns, column));
	lanes_finish(&l, "row", "c", "e@");
}

const OpLoops shape_loops[] = {
        {.op = "concat", .emit_cpu = concat_emit_cpu, .emit_cuda = concat_emit_cuda},
        {.op = "pad", .emit = pad_emit},
        {.op = "flip", .emit = flip_emit},
        {.op = "transpose", .emit = transpose_emit},
        {.op = "roll", .emit = roll_emit},
        {0},
};
