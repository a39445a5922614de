/* SPDX-License-Identifier: MIT */
/* Elements of a result, one to four of a thread, or each a turn of loops in C: see lanes.h. */
#include "codegen/lanes.h"
#include "codegen/dialect.h"

#include <string.h>

int lanes_width(int count, const int64_t *sizes)
{
	for (int i = 0; i < count; i++)
		if (sizes[i] % 4 != 0)
			return 1;
	return 4;
}

Lanes lanes_new(KernelText *k, const Node *n, int width)
{
	const bool in_loops = !k->target->dialect->kernels && !k->target->one_block;
	Lanes l = {.k = k, .width = in_loops ? 1 : width, .in_loops = in_loops, .index = "int"};
	bool large = type_elements(n->type) > INT32_MAX;
	for (int i = 0; i < n->operand_count; i++)
		large = large || type_elements(n->operands[i]->type) > INT32_MAX;
	if (large || in_loops)
		l.index = "int64_t";
	return l;
}

Lanes lanes_of_blocks(KernelText *k, const Node *n, int64_t columns, int64_t block)
{
	Lanes l = lanes_new(k, n, lanes_width(1, &columns));
	l.columns = columns;
	l.block = !l.in_loops ? 0 : columns < block ? columns : block;
	return l;
}

void lanes_begin(const Lanes *l, int64_t units)
{
	l->k->units = units;
	if (l->k->target->one_block) /* the loop over the units is around it: codegen/dialect.c */
		return;
	const char *block = strcmp(l->index, "int") == 0 ? "blockIdx.x" : "(int64_t)blockIdx.x";
	code_let(l->k->code, "%s", "i", "%s * %d + threadIdx.x", l->index, block, CUDA_THREADS);
	if (units % CUDA_THREADS == 0)
		return;
	code_leave_if(l->k->code, "return", "i >= %lld", (long long)units);
}

void lanes_index(const Lanes *l, const char *name, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	code_let(l->k->code, "%s", "%s", "%s", l->index, name, arena_vprintf(l->k->arena, format, args));
	va_end(args);
}

static const char *lane_text(const Lanes *l, const char *text)
{
	return text_at(l->k->arena, text, l->width > 1 ? "[u]" : l->block > 0 ? "[c]" : "");
}

static const char *columns_of_block(const Lanes *l)
{
	return l->columns % l->block ? "cn" : kernel_literal(l->k, l->block);
}

void lanes_each(const Lanes *l, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const char *statement = lane_text(l, arena_vprintf(l->k->arena, format, args));
	va_end(args);
	if (l->block > 0) {
		code_turns(l->k->code, TURNS_SIMD, "");
		code_for_bare(l->k->code, "c", "%s", columns_of_block(l));
	} else if (l->width > 1) {
		code_turns(l->k->code, TURNS_UNROLLED, "");
		code_loop_bare(l->k->code, (CodeLoop){.type = "int", .var = "u", .count = l->width});
	}
	code_do(l->k->code, "%s", statement);
	code_close(l->k->code, l->block > 0 || l->width > 1);
}

static void declare(const Lanes *l, const char *type, const char *name)
{
	code_array(l->k->code, "%s", "%s", "%lld", type, name,
	           (long long)(l->block > 0 ? l->block : l->width));
}

void lanes_value(const Lanes *l, const char *name, const char *start)
{
	if (l->width > 1 || l->block > 0) {
		declare(l, l->k->real, name);
		lanes_each(l, "%s@ = %s", name, start);
	} else {
		code_var(l->k->code, "%s", "%s", "%s", l->k->real, name, start);
	}
}

void lanes_load_typed(const Lanes *l, const char *type, const char *name, int operand, const char *at)
{
	const char *from = op_operand_name(l->k->arena, l->k->step->root->op, operand);
	if (l->width > 1) {
		declare(l, type, name);
		lanes_reload(l, name, operand, at);
	} else if (l->block > 0) {
		code_let(l->k->code, "%s *", "%s", "%s + %s", type, name, from, at);
	} else {
		code_var(l->k->code, "%s", "%s", "%s[%s]", type, name, from, at);
	}
}

void lanes_load(const Lanes *l, const char *name, int operand, const char *at)
{
	lanes_load_typed(l, l->k->real, name, operand, at);
}

void lanes_reload(const Lanes *l, const char *name, int operand, const char *at)
{
	const char *from = op_operand_name(l->k->arena, l->k->step->root->op, operand);
	if (l->width > 1 && kernel_operand_aligned(l->k, operand, l->width))
		code_do(l->k->code, "nnr_load%d(%s, %s + %s)", l->width, name, from, at);
	else if (l->width > 1)
		lanes_each(l, "%s@ = %s[%s + u]", name, from, at);
	else
		code_set(l->k->code, "%s", "%s[%s]", name, from, at);
}

void lanes_finish(const Lanes *l, const char *row, const char *col, const char *value)
{
	const char *text = lane_text(l, value);
	if (l->block > 0) {
		code_turns(l->k->code, TURNS_SIMD, "");
		code_for(l->k->code, "c", "%s", columns_of_block(l));
		kernel_epilogue(l->k, row, strcmp(col, "c") == 0 && lanes_block_loops(l) ? "c0 + c" : col,
		                text);
		code_close(l->k->code, 1);
	} else if (l->width > 1)
		kernel_vector_epilogue(l->k, l->width, row, col, text);
	else
		kernel_epilogue(l->k, row, col, text);
}

void lanes_open(const Lanes *l, const char *row, int64_t rows, int64_t cols)
{
	Arena *a = l->k->arena;
	const int64_t units = cols / l->width;
	if (l->in_loops) {
		code_turns(l->k->code, TURNS_THREADS, "");
		code_for(l->k->code, row, "%lld", (long long)rows);
		if (cols > 1) /* what is fused to it may be an exp or a tanh */
			code_turns(l->k->code, TURNS_SIMD, "");
		code_for(l->k->code, "c", "%lld", (long long)cols);
		l->k->open = 2;
		return;
	}
	lanes_begin(l, rows * units);
	lanes_index(l, row, "%s", index_over(a, "i", units));
	lanes_index(l, "c", "%s", index_times(a, index_digit(a, "i", 1, units), l->width));
}

int lanes_block_loops(const Lanes *l)
{
	return l->block < l->columns;
}

int lanes_open_blocks(const Lanes *l)
{
	const long long columns = (long long)l->columns, block = (long long)l->block;
	if (!lanes_block_loops(l))
		return 0;
	code_loop(l->k->code, (CodeLoop){.type = "int64_t", .var = "c0", .count = columns, .by = block});
	if (columns % block)
		code_let(l->k->code, "int64_t", "cn", "%lld - c0 < %lld ? %lld - c0 : %lld", columns, block,
		         columns, block);
	return 1;
}

void lanes_open_grid(const Lanes *l, int64_t samples, const char *const names[2], const int64_t counts[2])
{
	Arena *a = l->k->arena;
	const int64_t units = l->columns / l->width;
	if (l->in_loops) {
		code_turns(l->k->code, TURNS_THREADS, " collapse(2)");
		code_for(l->k->code, "n", "%lld", (long long)samples);
		for (int i = 0; i < 2; i++)
			code_for(l->k->code, names[i], "%lld", (long long)counts[i]);
		l->k->open = 3 + lanes_open_blocks(l);
		return;
	}
	lanes_begin(l, samples * counts[0] * counts[1] * units);
	lanes_index(l, "c", "%s", index_times(a, index_digit(a, "i", 1, units), l->width));
	lanes_index(l, names[1], "%s", index_digit(a, "i", units, counts[1]));
	lanes_index(l, names[0], "%s", index_digit(a, "i", units * counts[1], counts[0]));
	lanes_index(l, "n", "%s", index_over(a, "i", units * counts[1] * counts[0]));
}

const char *lanes_first(const Lanes *l)
{
	return l->block == 0 ? " + c" : lanes_block_loops(l) ? " + c0" : "";
}

const char *lanes_at(const Lanes *l, const char *row)
{
	return arena_printf(l->k->arena, "(%s) * %lld%s", row, (long long)l->columns, lanes_first(l));
}

void lanes_close(const Lanes *l)
{
	code_close(l->k->code, l->k->open);
	l->k->open = 0;
}

void kernel_loop(KernelText *k, const char *name, const char *from, const char *to, int64_t by)
{
	code_loop(k->code,
	          (CodeLoop){.type = "int64_t", .var = name, .from = from, .to = to, .by = by > 1 ? by : 0});
}

const char *kernel_literal(const KernelText *k, int64_t value)
{
	return arena_printf(k->arena, "%lld", (long long)value);
}
