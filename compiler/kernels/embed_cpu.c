/* SPDX-License-Identifier: MIT */
/* C loops of embedding and its gradient. */
#include "kernels/embed.h"

/* Declares where each table begins in all rows. */
void embedding_write_firsts(KernelText *k, const Node *n)
{
	int tables;
	const int64_t *counts = embedding_counts(n, &tables);
	if (!counts)
		return;
	int64_t first = 0;
	char *text = arena_strdup(k->arena, "0");
	for (int i = 0; i < tables; i++)
		text = arena_printf(k->arena, "%s, %lld", text, (long long)(first += counts[i]));
	code_var(k->code, "static const int", "first[]", "{%s}", text)->note = "row of each table";
}

/* Of several tables declares the table of row `row` of what is looked up, and the place of its index; how many rows the
 * table has, as text. NULL: there is one table. */
static const char *write_table(KernelText *k, const Node *n, const char *row, long long rows)
{
	int tables;
	if (!embedding_counts(n, &tables))
		return NULL;
	code_let(k->code, "int64_t", "table", "%s %% %d", row, tables);
	code_also(k->code, "place", "table * %lld + %s / %d", rows / tables, row, tables);
	return "first[table + 1] - first[table]";
}

enum { COLUMNS = 16 }; /* of one thread's turn */

static void embedding_grad_emit(KernelText *k, const Node *n)
{
	long long rows = (long long)type_elements(n->operands[1]->type), count = (long long)n->type.dim[0],
	          dim = (long long)n->type.dim[1];
	embedding_write_firsts(k, n);
	code_turns(k->code, TURNS_THREADS, "");
	code_loop(k->code, (CodeLoop){.type = "int64_t", .var = "begin", .count = dim, .by = COLUMNS});
	code_var(k->code, "int64_t", "end", "begin + %d < %lld ? begin + %d : %lld", COLUMNS, dim, COLUMNS,
	         dim);
	const CodeLoop columns = {.type = "int64_t", .var = "col", .from = "begin", .to = "end"};
	code_for_bare(k->code, "row", "%lld", count);
	code_loop_bare(k->code, columns);
	code_set(k->code, "y[row * %lld + col]", "0", dim);
	code_close(k->code, 2);
	code_for(k->code, "i", "%lld", rows);
	const char *table = write_table(k, n, "i", rows);
	code_var(k->code, "int64_t", "row", "index[%s]", table ? "place" : "i");
	code_leave_if(k->code, "continue", "row < 0 || row >= %s",
	              table ? table : arena_printf(k->arena, "%lld", count));
	if (table)
		code_add(k->code, "row", "first[table]");
	code_loop_bare(k->code, columns);
	code_add(k->code, "y[row * %lld + col]", "dy[i * %lld + col]", dim, dim);
	code_close(k->code, 1);
	code_close(k->code, 1);
	code_close(k->code, 1);
}

const OpLoops embed_loops[] = {
        {.op = "embedding", .emit = embedding_emit},
        {.op = "embedding_grad",
         .emit_cpu = embedding_grad_emit,
         .emit_cuda = embedding_grad_emit_cuda,
         .cuda_parts = embedding_grad_parts},
        {0},
};
