/* SPDX-License-Identifier: MIT */
/* gather_columns: the number of a column's source as arithmetic, or from a table; and its loops. */
#include "codegen/expr.h"
#include "codegen/lanes.h"
#include "codegen/op_loops.h"
#include "ops/gather_columns.h"

#include <string.h>

enum { MOST_DIGITS = 4, TABLE_WIDTH = 100 };

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
	const char *line = "";
	code_scope(k->code, ";", "static const short from[%d] =", count);
	for (int i = 0; i < count; i++) {
		line = arena_printf(k->arena, "%s%lld,", line, (long long)from[i]);
		if (i + 1 < count && strlen(line) + 1 < TABLE_WIDTH) {
			line = arena_printf(k->arena, "%s ", line);
			continue;
		}
		code_items(k->code, "%s", line);
		line = "";
	}
	code_close(k->code, 1);
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

static int gather_width(const Node *n)
{
	int width = 4;
	while (n->type.dim[n->type.rank - 1] % width != 0)
		width /= 2;
	return width;
}

static void gather_emit(KernelText *k, const Node *n)
{
	int count;
	node_ints(n, "from", &count);
	Lanes l = lanes_new(k, n, gather_width(n));
	const int width = l.width;
	const char *e = width > 1 ? "e[u]" : "e", *row, *column;
	place_in_result(k->arena, n, &row, &column);
	lanes_open(&l, "row", type_elements(n->type) / count, count);
	const char *source = source_of(k, n, width > 1 ? "c + u" : "c");
	lanes_value(&l, "e", "0");
	if (width > 1) {
		code_turns(k->code, TURNS_UNROLLED, "");
		code_loop(k->code, (CodeLoop){.type = "int", .var = "u", .count = width});
	}
	lanes_index(&l, "at", "%s", source);
	if (has_zeros(n))
		code_if_bare(k->code, "at >= 0");
	code_set(k->code, "%s", "%s", e, element(k, n));
	code_close(k->code, has_zeros(n));
	if (width > 1)
		code_close(k->code, 1);
	if (strcmp(column, "c") != 0) {
		lanes_index(&l, "line", "%s", row);
		lanes_index(&l, "column", "%s", column);
		row = "line";
		column = "column";
	}
	lanes_finish(&l, row, column, "e@");
}

const OpLoops gather_columns_loops[] = {
        {.op = "gather_columns", .emit = gather_emit},
        {0},
};
