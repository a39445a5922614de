/* SPDX-License-Identifier: MIT */
/* CUDA text of values in one to four lanes: see lanes.h. */
#include "codegen/lanes.h"

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
	Lanes l = {.k = k, .width = width, .index = "int"};
	bool large = type_elements(n->type) > INT32_MAX;
	for (int i = 0; i < n->operand_count; i++)
		large = large || type_elements(n->operands[i]->type) > INT32_MAX;
	if (large)
		l.index = "int64_t";
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

const char *text_at(Arena *a, const char *text, const char *by)
{
	const char *out = "";
	for (const char *at; (at = strchr(text, '@')); text = at + 1)
		out = arena_printf(a, "%s%.*s%s", out, (int)(at - text), text, by);
	return arena_printf(a, "%s%s", out, text);
}

static const char *lane_text(const Lanes *l, const char *text)
{
	return text_at(l->k->arena, text, l->width > 1 ? "[u]" : "");
}

void lanes_each(const Lanes *l, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const char *statement = lane_text(l, arena_vprintf(l->k->arena, format, args));
	va_end(args);
	if (l->width > 1) {
		code_turns(l->k->code, TURNS_UNROLLED, "");
		code_loop_bare(l->k->code, (CodeLoop){.type = "int", .var = "u", .count = l->width});
	}
	code_do(l->k->code, "%s", statement);
	code_close(l->k->code, l->width > 1);
}

static void declare(const Lanes *l, const char *name)
{
	code_array(l->k->code, "%s", "%s", "%d", l->k->real, name, l->width);
}

void lanes_value(const Lanes *l, const char *name, const char *start)
{
	if (l->width > 1) {
		declare(l, name);
		lanes_each(l, "%s@ = %s", name, start);
	} else {
		code_var(l->k->code, "%s", "%s", "%s", l->k->real, name, start);
	}
}

void lanes_load(const Lanes *l, const char *name, int operand, const char *at)
{
	if (l->width > 1) {
		declare(l, name);
		lanes_reload(l, name, operand, at);
	} else {
		code_var(l->k->code, "%s", "%s", "%s[%s]", l->k->real, name,
		         op_operand_name(l->k->arena, l->k->step->root->op, operand), at);
	}
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
	if (l->width > 1)
		kernel_vector_epilogue(l->k, l->width, row, col, text);
	else
		kernel_epilogue(l->k, row, col, text);
}

void lanes_place(const Lanes *l, const char *row, int64_t cols)
{
	Arena *a = l->k->arena;
	int64_t units = cols / l->width;
	lanes_index(l, row, "%s", index_over(a, "i", units));
	lanes_index(l, "c", "%s", index_times(a, index_digit(a, "i", 1, units), l->width));
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
