/* SPDX-License-Identifier: MIT */
/* Attention and its gradients in C: calls of runtime/cpu/attention.h, and how rows and scores are cut for it. */
#include "kernels/attention.h"

#include "base/checked.h"
#include "codegen/body.h"
#include "codegen/expr.h"

enum {
	KEY_BLOCK = 256,
	ROWS = 84,              /* a multiple of every machine's tile of rows: 6, 12, 14 */
	LEAST_ROWS = 10,        /* of a strip, however many keys there are */
	STRIP_ELEMENTS = 96000, /* of a strip that stays in a core's cache */
};

const char *attention_logs_text(const KernelText *k)
{
	for (int i = 0; i < k->step->node_count; i++)
		if (k->step->nodes[i] != k->step->root && (k->step->nodes[i]->op->flags & OP_BESIDE))
			return tensor_of(&k->state->tensors, k->program, k->step->nodes[i]);
	return NULL;
}

static int64_t block_columns(int64_t columns)
{
	return columns >= KEY_BLOCK ? KEY_BLOCK : ceil_div(columns, 16) * 16;
}

static int64_t rows_of_strip(const AttentionShape *s)
{
	int64_t rows = ROWS;
	while (rows * s->keys > STRIP_ELEMENTS && rows / 2 >= LEAST_ROWS)
		rows /= 2;
	return rows < s->queries ? rows : s->queries;
}

static void write_shape(KernelText *k, const AttentionShape *s)
{
	const char *mask = "", *drops = "";
	if (s->mask)
		mask = arena_printf(k->arena,
		                    ", .mask_sample = %lld, .mask_head = %lld, .mask_row = %lld, "
		                    ".mask_samples = %lld, .hides = %d, .stops = %d",
		                    (long long)s->mask_sample, (long long)s->mask_head,
		                    (long long)s->mask_row, (long long)s->mask_samples,
		                    s->hides != HIDES_NONE, s->hides == HIDES_ALL);
	if (s->rate > 0)
		drops = arena_printf(k->arena, ", .rate = %s", c_number(k->arena, s->rate, true));
	code_object(
	        k->code, "const NnrStrips", "shape",
	        "{.batch = %lld, .queries = %lld, .keys = %lld, .heads = %lld, .groups = %lld, .size = %lld, "
	        ".query_row = %lld, .key_row = %lld, .keys_at = %lld, .values_at = %lld, .causal = %d, "
	        ".scale = %s%s%s, .rows = %lld, .columns = %lld, .block = %lld}",
	        (long long)s->batch, (long long)s->queries, (long long)s->keys, (long long)s->heads,
	        (long long)s->groups, (long long)s->size, (long long)s->query_row, (long long)s->key_row,
	        (long long)s->keys_at, (long long)s->values_at, s->causal, c_number(k->arena, s->scale, true),
	        drops, mask, (long long)rows_of_strip(s), (long long)block_columns(s->keys),
	        (long long)block_columns(s->size));
}

/* The call of a function of the runtime, which is called as the operator: x and the mask, and then `others`. */
static void write_call(KernelText *k, const Node *n, const char *others, bool drops)
{
	const AttentionShape s = attention_shape(n);
	const char *drawn = "";
	if (drops)
		drawn = s.rate > 0 ? arena_printf(k->arena, ", s, %s", stream_of_node(&k->state->tensors, n))
		                   : ", NULL, 0";
	write_shape(k, &s);
	code_do(k->code, "nnr_%s_%s(&shape, x, %s, %s%s)", n->op->name, k->real[0] == 'f' ? "f32" : "f64",
	        s.mask ? "mask" : "NULL", others, drawn);
}

static void attention_emit(KernelText *k, const Node *n)
{
	const char *logs = attention_logs_text(k);
	write_call(k, n, arena_printf(k->arena, "y, %s", logs ? logs : "NULL"), true);
}

static void attention_logs_emit(KernelText *k, const Node *n)
{
	code_do(k->code, "(void)y");
	write_call(k, n, "logs", false);
}

static void attention_grad_emit(KernelText *k, const Node *n)
{
	code_do(k->code, "(void)y");
	write_call(k, n, "dy, logs, taken, dx", true);
}

static void attention_mask_grad_emit(KernelText *k, const Node *n)
{
	write_call(k, n, "dy, logs, taken, dmask", true);
}

const OpLoops attention_loops[] = {
        {.op = "attention", .emit_cpu = attention_emit, .header = "cpu/attention.h"},
        {.op = "attention_logs", .emit_cpu = attention_logs_emit, .header = "cpu/attention.h"},
        {.op = "attention_grad", .emit_cpu = attention_grad_emit, .header = "cpu/attention.h"},
        {.op = "attention_mask_grad", .emit_cpu = attention_mask_grad_emit, .header = "cpu/attention.h"},
        {0},
};
