/* SPDX-License-Identifier: MIT */
/* C loops of what moves elements. concat, pad and flip work along one axis of a tensor seen as [outer, along, inner],
 * and their loops run over rows: the last dimension, so that the inner loop is contiguous whatever the axis is. */
#include "base/writer.h"
#include "codegen/expr.h"
#include "codegen/lanes.h"
#include "kernels/shape.h"

#include <string.h>

/* ---- a tensor along one axis, as rows */

Rows rows_along(Type t, int64_t axis)
{
	Rows r = {.outer = 1, .along = 1, .cols = t.dim[t.rank - 1]};
	for (int i = 0; i < axis; i++)
		r.outer *= t.dim[i];
	for (int i = (int)axis; i < t.rank - 1; i++)
		r.along *= t.dim[i];
	return r;
}

bool axis_is_last(const Node *n)
{
	return node_int(n, "axis") == n->type.rank - 1;
}

int64_t rows_per_step(Type t, int64_t axis)
{
	int64_t rows = 1;
	for (int i = (int)axis + 1; i < t.rank - 1; i++)
		rows *= t.dim[i];
	return rows;
}

/* Loops over the `cols` columns of `along` rows in `outer` blocks; the variables are o, row_of and c. */
static void open_rows(KernelText *k, Rows r)
{
	code_turns(k->code, TURNS_THREADS, r.along > 1 ? " collapse(2)" : "");
	code_for(k->code, "o", "%lld", (long long)r.outer);
	if (r.along > 1)
		code_for(k->code, "r", "%lld", (long long)r.along);
	if (r.cols > 1) /* what is fused to a slice may be an exp or a tanh */
		code_turns(k->code, TURNS_SIMD, "");
	code_for(k->code, "c", "%lld", (long long)r.cols);
}

static const char *row_of(Rows r)
{
	return r.along > 1 ? "r" : "0";
}

static void close_rows(KernelText *k, Rows r)
{
	code_close(k->code, r.along > 1 ? 3 : 2);
}

/* The number of row `row` of block o among all of a tensor. */
static const char *row_number(Arena *a, Rows r, const char *row)
{
	const char *block = index_times(a, "o", r.along);
	return strcmp(row, "0") == 0 ? block : arena_printf(a, "%s + %s", block, row);
}

/* The index of its column `col`. */
static char *element(Arena *a, Rows r, const char *row, const char *col)
{
	const char *number = row_number(a, r, row);
	return arena_printf(a, is_c_word(number) ? "%s * %lld + %s" : "(%s) * %lld + %s", number,
	                    (long long)r.cols, col);
}

/* ---- concat */

static void concat_emit(KernelText *k, const Node *n)
{
	const int64_t axis = node_int(n, "axis");
	const ConcatPiece *pieces = concat_pieces(k->arena, k->program, n);
	const Rows to = rows_along(n->type, axis);
	for (int i = 0; i < n->operand_count; i++) {
		if (pieces[i].in_place)
			continue;
		const int64_t start = pieces[i].start;
		const bool last = axis_is_last(n);
		Rows from = rows_along(n->operands[i]->type, axis);
		const char *row = index_plus(k->arena, row_of(from),
		                             last ? 0 : start * rows_per_step(n->type, axis)),
		           *col = index_plus(k->arena, "c", last ? start : 0);
		open_rows(k, from);
		kernel_epilogue(k, row_number(k->arena, to, row), col,
		                arena_printf(k->arena, "%s[%s]", op_operand_name(k->arena, n->op, i),
		                             element(k->arena, from, row_of(from), "c")));
		close_rows(k, from);
	}
}

/* ---- pad */

static void pad_emit(KernelText *k, const Node *n)
{
	int64_t axis = node_int(n, "axis"), before = node_int(n, "before");
	bool last = axis_is_last(n);
	Rows to = rows_along(n->type, axis), from = rows_along(n->operands[0]->type, axis);
	int64_t first = last ? before : before * rows_per_step(n->type, axis);
	int64_t end = first + (last ? from.cols : from.along);
	const char *row = row_of(to), *var = last ? "c" : row;
	char *read = element(k->arena, from, last ? row : index_plus(k->arena, row, -first),
	                     last ? index_plus(k->arena, "c", -first) : "c");
	open_rows(k, to);
	kernel_epilogue(k, row_number(k->arena, to, row), "c",
	                arena_printf(k->arena, "(%s >= %lld && %s < %lld ? x[%s] : 0)", var, (long long)first,
	                             var, (long long)end, read));
	close_rows(k, to);
}

/* ---- flip */

char *axis_reversed(Arena *a, const Node *n)
{
	long long last = (long long)n->type.dim[node_int(n, "axis")] - 1;
	if (axis_is_last(n))
		return arena_printf(a, "%lld - c", last);
	long long unit = (long long)rows_per_step(n->type, node_int(n, "axis"));
	return unit == 1 ? arena_printf(a, "%lld - r", last)
	                 : arena_printf(a, "%lld - r + r %% %lld * 2", last * unit, unit);
}

static void flip_emit(KernelText *k, const Node *n)
{
	Rows rows = rows_along(n->type, node_int(n, "axis"));
	const bool last = axis_is_last(n);
	const char *row = last || rows.along == 1 ? row_of(rows) : axis_reversed(k->arena, n),
	           *col = last ? axis_reversed(k->arena, n) : "c";
	open_rows(k, rows);
	kernel_epilogue(k, row_number(k->arena, rows, row_of(rows)), "c",
	                arena_printf(k->arena, "x[%s]", element(k->arena, rows, row, col)));
	close_rows(k, rows);
}

/* ---- transpose */

static void transpose_emit(KernelText *k, const Node *n)
{
	Type from = n->operands[0]->type, y = n->type;
	int count;
	const int64_t *axes = node_ints(n, "axes", &count);
	int64_t stride[LIMIT_RANK], s = 1;
	for (int i = from.rank - 1; i >= 0; i--) {
		stride[i] = s;
		s *= from.dim[i];
	}
	int last = y.rank - 1;
	int64_t rows = type_elements(y) / y.dim[last], above = rows;
	code_turns(k->code, TURNS_THREADS, "");
	code_for(k->code, "row", "%lld", (long long)rows);
	const char *from_row = "0";
	for (int i = 0; i < last; i++) {
		above /= y.dim[i];
		if (y.dim[i] > 1)
			from_row = arena_printf(k->arena, "%s + row / %lld %% %lld * %lld", from_row,
			                        (long long)above, (long long)y.dim[i],
			                        (long long)stride[axes[i]]);
	}
	code_var(k->code, "int64_t", "from", "%s", from_row);
	code_for(k->code, "col", "%lld", (long long)y.dim[last]);
	kernel_epilogue(k, "row", "col",
	                arena_printf(k->arena, "x[from + col * %lld]", (long long)stride[axes[last]]));
	code_close(k->code, 2);
}

/* ---- roll, over the rows of the last dimension */

char *roll_row(Arena *a, const Node *n, const char *row)
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

char *roll_column(Arena *a, const Node *n, const char *column)
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
	const long long columns = (long long)n->type.dim[n->type.rank - 1],
	                rows = (long long)type_elements(n->type) / columns;
	code_turns(k->code, TURNS_THREADS, "");
	code_for(k->code, "r", "%lld", rows);
	code_let(k->code, "%s *const", "from", "x + (%s) * %lld", k->real, roll_row(k->arena, n, "r"),
	         columns);
	code_turns(k->code, TURNS_SIMD, "");
	code_for(k->code, "c", "%lld", columns);
	kernel_epilogue(k, "r", "c", arena_printf(k->arena, "from[%s]", roll_column(k->arena, n, "c")));
	code_close(k->code, 2);
}

const OpLoops shape_loops[] = {
        {.op = "concat", .emit_cpu = concat_emit, .emit_cuda = concat_emit_cuda},
        {.op = "pad", .emit_cpu = pad_emit, .emit_cuda = pad_emit_cuda},
        {.op = "flip", .emit_cpu = flip_emit, .emit_cuda = flip_emit_cuda},
        {.op = "transpose", .emit_cpu = transpose_emit, .emit_cuda = transpose_emit_cuda},
        {.op = "roll", .emit_cpu = roll_emit, .emit_cuda = roll_emit_cuda},
        {0},
};
