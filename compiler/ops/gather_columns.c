/* gather_columns: columns of tensors side by side, in another order: what concats, slices, transpositions and paddings
 * after one another do to each row (passes/join_moves.c). Not for the language.
 *
 * Every tensor is rows of as many columns as it has elements for a row, whatever its shape. `from` has for each column
 * of the result its number among those of all operands, or ZERO_COLUMN. Where the numbers are those of digits of the
 * column, as a transposition has them, the loops compute them; else they are a table. */
#include "codegen/expr.h"
#include "codegen/kernel.h"
#include "ops/gather_columns.h"
#include "ops/lanes.h"

#include "base/checked.h"

#include <string.h>

enum { MOST_DIGITS = 4, TABLE_WIDTH = 100 };

/* Whether some of these columns are the operand's that begins there. */
static bool reads_operand(const int64_t *from, int count, int64_t begin, int64_t columns)
{
	for (int i = 0; i < count; i++)
		if (from[i] >= begin && from[i] < begin + columns)
			return true;
	return false;
}

static bool gather_infer(Infer *in)
{
	int count, rank;
	const int64_t *from = infer_ints(in, "from", &count), *dim = infer_ints(in, "shape", &rank);
	if (!infer_result(in, in->operands[0]->type.dtype, rank, dim))
		return false;
	const int64_t elements = type_elements(in->result), rows = count > 0 ? elements / count : 0;
	int64_t all = 0;
	bool fits = count > 0 && rows * count == elements && rank > 0 && count % dim[rank - 1] == 0;
	for (int i = 0; i < in->operand_count && fits; i++) {
		const Type t = in->operands[i]->type;
		const int64_t columns = type_elements(t) / rows, begin = all;
		fits = t.dtype == in->result.dtype && columns * rows == type_elements(t) &&
		       checked_add(all, columns, &all) && all <= MOST_GATHERED_COLUMNS &&
		       reads_operand(from, count, begin, columns);
	}
	for (int i = 0; i < count && fits; i++)
		fits = from[i] >= ZERO_COLUMN && from[i] < all;
	return fits || infer_error(in, "bad-argument",
	                           "`gather_columns` has for each column of a row one of its operands'");
}

/* ---- the number of a column's source */

typedef struct Digit {
	int64_t below, count, step; /* column / below % count adds that many steps */
} Digit;

/* Whether from[i] is from[0] and steps for each digit of i; sets them. */
static bool find_digits(const int64_t *from, int64_t count, Digit digits[MOST_DIGITS], int *found)
{
	*found = 0;
	for (int64_t below = 1; below < count;) {
		const int64_t step = from[below] - from[0];
		int64_t end = below;
		while (end < count && from[end] == from[end % below] + end / below * step)
			end++;
		const int64_t times = end / below;
		if (times < 2 || count % (times * below) != 0 || *found == MOST_DIGITS)
			return false;
		digits[(*found)++] = (Digit){below, times, step};
		below *= times;
	}
	for (int64_t i = 0; i < count; i++)
		if (from[i] == ZERO_COLUMN)
			return false;
	return true;
}

static char *digits_text(Arena *a, const char *column, int64_t first, const Digit *digits, int count,
                         int64_t columns)
{
	char *text = first || count == 0 ? arena_printf(a, "%lld", (long long)first) : NULL;
	for (int i = 0; i < count; i++) {
		const Digit *d = &digits[i];
		const char *digit = d->below * d->count == columns
		                            ? index_over(a, column, d->below)
		                            : index_digit(a, column, d->below, d->count);
		if (d->step == 0)
			continue;
		digit = index_times(a, digit, d->step);
		text = text ? arena_printf(a, "%s + %s", digit, text) : arena_strdup(a, digit);
	}
	return text ? text : arena_strdup(a, "0");
}

static void write_table(KernelText *k, const int64_t *from, int count)
{
	const char *line = "\t";
	write_line(k->w, "static const short from[%d] = {", count);
	for (int i = 0; i < count; i++) {
		line = arena_printf(k->arena, "%s%lld,", line, (long long)from[i]);
		if (i + 1 < count && strlen(line) < TABLE_WIDTH) {
			line = arena_printf(k->arena, "%s ", line);
			continue;
		}
		write_line(k->w, "%s", line);
		line = "\t";
	}
	write_line(k->w, "};");
}

/* The text of the source's number, of the column of that name. Declares what it reads. */
static const char *source_of(KernelText *k, const Node *n, const char *column)
{
	int count, found;
	const int64_t *from = node_ints(n, "from", &count);
	Digit digits[MOST_DIGITS];
	if (find_digits(from, count, digits, &found))
		return digits_text(k->arena,
		                   is_c_word(column) ? column : arena_printf(k->arena, "(%s)", column),
		                   from[0], digits, found, count);
	write_table(k, from, count);
	return arena_printf(k->arena, "from[%s]", column);
}

/* ---- the loops */

static bool has_zeros(const Node *n)
{
	int count;
	const int64_t *from = node_ints(n, "from", &count);
	for (int i = 0; i < count; i++)
		if (from[i] == ZERO_COLUMN)
			return true;
	return false;
}

/* What column `at` of the row is, which is not zero: one load, wherever it is from. */
static const char *element(KernelText *k, const Node *n)
{
	Arena *a = k->arena;
	int count;
	node_ints(n, "from", &count);
	const int64_t rows = type_elements(n->type) / count;
	const char *value = NULL;
	int64_t end = 0;
	for (int i = 0; i < n->operand_count; i++)
		end += type_elements(n->operands[i]->type) / rows;
	for (int i = n->operand_count - 1; i >= 0; i--) {
		const int64_t columns = type_elements(n->operands[i]->type) / rows, begin = end - columns;
		const char *name = op_operand_name(a, n->op, i), *row = index_times(a, "row", columns),
		           *at = index_plus(a, "at", -begin);
		if (n->operand_count == 1)
			return arena_printf(a, "%s[%s + %s]", name, row, at);
		const char *place = arena_printf(a, "%s + (%s + %s)", name, row, at);
		value = value ? arena_printf(a, "at < %lld ? %s : %s", (long long)end, place, value) : place;
		end = begin;
	}
	return arena_printf(a, "*(%s)", value);
}

/* Where column c of row `row` is in the result, seen as rows of its last dimension. */
static void place_in_result(Arena *a, const Node *n, const char **row, const char **column)
{
	int count;
	node_ints(n, "from", &count);
	const int64_t last = n->type.dim[n->type.rank - 1];
	*row = count == last ? "row"
	                     : arena_printf(a, "row * %lld + %s", (long long)(count / last),
	                                    index_over(a, "c", last));
	*column = count == last ? "c" : index_digit(a, "c", 1, last);
}

static void gather_emit(KernelText *k, const Node *n)
{
	int count;
	node_ints(n, "from", &count);
	const char *row, *column;
	place_in_result(k->arena, n, &row, &column);
	write_line(k->w, "#pragma omp parallel for");
	kernel_open(k, "for (int64_t row = 0; row < %lld; row++)",
	            (long long)(type_elements(n->type) / count));
	const char *source = source_of(k, n, "c");
	kernel_open(k, "for (int64_t c = 0; c < %d; c++)", count);
	write_line(k->w, "const int64_t at = %s;", source);
	const char *value = element(k, n);
	kernel_epilogue(k, row, column,
	                has_zeros(n) ? arena_printf(k->arena, "(at >= 0 ? %s : 0)", value) : value);
	kernel_close(k, 2);
}

static int gather_width(const Node *n)
{
	int width = 4;
	while (n->type.dim[n->type.rank - 1] % width != 0)
		width /= 2;
	return width;
}

static void gather_emit_cuda(KernelText *k, const Node *n)
{
	int count;
	node_ints(n, "from", &count);
	const int width = gather_width(n);
	Lanes l = lanes_new(k, n, width);
	const char *e = width > 1 ? "e[u]" : "e", *row, *column;
	place_in_result(k->arena, n, &row, &column);
	lanes_begin(&l, type_elements(n->type) / width);
	lanes_place(&l, "row", count);
	const char *source = source_of(k, n, width > 1 ? "c + u" : "c");
	lanes_value(&l, "e", "0");
	if (width > 1) {
		write_line(k->w, "#pragma unroll");
		kernel_open(k, "for (int u = 0; u < %d; u++)", width);
	}
	lanes_index(&l, "at", "%s", source);
	if (has_zeros(n))
		write_line(k->w, "if (at >= 0)");
	write_line(k->w, "%s%s = %s;", has_zeros(n) ? "\t" : "", e, element(k, n));
	if (width > 1)
		kernel_close(k, 1);
	if (strcmp(column, "c") != 0) {
		lanes_index(&l, "line", "%s", row);
		lanes_index(&l, "column", "%s", column);
		row = "line";
		column = "column";
	}
	lanes_finish(&l, row, column, "e@");
}

static const char *const gather_samples[] = {
        "x0=f32[1] from=[0] shape=[1]",
        "x0=f32[7] from=[6,5,4,3,2,1,0] shape=[7]",
        "x0=f32[7] from=[0,2,4,6] shape=[4]",
        "x0=f32[2,3] from=[2,-1,0] shape=[2,3]",
        "x0=f32[2,3] from=[-1,-1,0,1] shape=[2,4]",
        "x0=f32[2,3] x1=f32[2,3] from=[0,3,1,4,2,5] shape=[2,6]",
        "x0=f32[2,4] x1=f32[2,4] from=[0,4,1,5] shape=[2,4]",
        "x0=f32[2,4] x1=f32[2,4] from=[2,6,3,7] shape=[2,2,2]",
        "x0=f32[2,4] x1=f32[2,4] from=[0,2,4,6] shape=[2,4]",
        "x0=f32[3,8] from=[0,4,1,5,2,6,3,7] shape=[3,8]",
        "x0=f32[3,8] from=[0,4,1,5,2,6,3,7] shape=[3,2,4]",
        "x0=f32[3,2,4] from=[0,2,4,6,1,3,5,7] shape=[3,4,2]",
        "x0=f32[2,4,4] from=[4,8,9,12,13,14] shape=[2,6]",
        "x0=f32[2,3] x1=f32[2,3,3] from=[0,1,2,6,9,10] shape=[2,6]",
        "x0=f32[2,6] from=[-1,-1,-1,0,-1,-1,1,2,-1] shape=[2,3,3]",
        "x0=f32[5,2,2,6] from=[0,3,1,4,2,5] shape=[5,2,2,6]",
        "x0=f32[3,4] x1=f32[3,2] x2=f32[3,6] from=[11,4,0,5,-1,8] shape=[3,6]",
        "x0=f32[3,4] x1=f32[3,2] x2=f32[3,6] from=[11,4,0,1] shape=[3,4]",
        "x0=f32[2,3,4] from=[1,1,1,1] shape=[6,4]",
        "x0=f32[2,3,4] from=[3,-1] shape=[2,3,2]",
        "x0=f32[17,33] from=[0,32,16] shape=[17,3]",
        "x0=f32[2,12] from=[0,4,8,1,5,9,2,6,10,3,7,11] shape=[2,4,3]",
        "x0=f32[1,1,7] x1=f32[1,1,1] from=[7,0,1,2,3,4,5,6] shape=[1,1,8]",
        NULL,
};

const Op gather_columns_ops[] = {
        {.name = "gather_columns",
         .signature = "x... -> y",
         .doc = "Columns of tensors side by side in another order, row by row: column c of the result is "
                "column "
                "from[c] of all of them, or zero where that is -1.",
         .flags = OP_EPILOGUE,
         .infer = gather_infer,
         .emit_cpu = gather_emit,
         .emit_cuda = gather_emit_cuda,
         .samples = gather_samples},
        {0},
};
