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
	write_line(k->w, "static const int first[] = {%s}; /* row of each table */", text);
}

/* Of several tables declares the table of row `row` of what is looked up, and the place of its index; how many rows the
 * table has, as text. NULL: there is one table. */
static const char *write_table(KernelText *k, const Node *n, const char *row, long long rows)
{
	int tables;
	if (!embedding_counts(n, &tables))
		return NULL;
	write_line(k->w, "const int64_t table = %s %% %d, place = table * %lld + %s / %d;", row, tables,
	           rows / tables, row, tables);
	return "first[table + 1] - first[table]";
}

static void embedding_emit(KernelText *k, const Node *n)
{
	Type w = n->operands[0]->type;
	long long rows = (long long)type_elements(n->operands[1]->type), count = (long long)w.dim[0],
	          dim = (long long)w.dim[1];
	embedding_write_firsts(k, n);
	write_line(k->w, "#pragma omp parallel for");
	write_line(k->w, "for (int64_t row = 0; row < %lld; row++) {", rows);
	write_indent(k->w, 1);
	const char *table = write_table(k, n, "row", rows);
	write_line(k->w, "int64_t at = index[%s];", table ? "place" : "row");
	write_line(k->w, "bool inside = at >= 0 && at < %s;",
	           table ? table : arena_printf(k->arena, "%lld", count));
	if (table)
		write_line(k->w, "at += first[table];");
	write_line(k->w, "for (int64_t col = 0; col < %lld; col++) {", dim);
	write_indent(k->w, 1);
	kernel_epilogue(k, "row", "col", arena_printf(k->arena, "(inside ? w[at * %lld + col] : 0)", dim));
	write_indent(k->w, -1);
	write_line(k->w, "}");
	write_indent(k->w, -1);
	write_line(k->w, "}");
}

enum { COLUMNS = 16 }; /* of one thread's turn */

static void embedding_grad_emit(KernelText *k, const Node *n)
{
	long long rows = (long long)type_elements(n->operands[1]->type), count = (long long)n->type.dim[0],
	          dim = (long long)n->type.dim[1];
	embedding_write_firsts(k, n);
	write_line(k->w, "#pragma omp parallel for");
	write_line(k->w, "for (int64_t begin = 0; begin < %lld; begin += %d) {", dim, COLUMNS);
	write_indent(k->w, 1);
	write_line(k->w, "int64_t end = begin + %d < %lld ? begin + %d : %lld;", COLUMNS, dim, COLUMNS, dim);
	write_line(k->w, "for (int64_t row = 0; row < %lld; row++)", count);
	write_line(k->w, "\tfor (int64_t col = begin; col < end; col++)");
	write_line(k->w, "\t\ty[row * %lld + col] = 0;", dim);
	write_line(k->w, "for (int64_t i = 0; i < %lld; i++) {", rows);
	write_indent(k->w, 1);
	const char *table = write_table(k, n, "i", rows);
	write_line(k->w, "int64_t row = index[%s];", table ? "place" : "i");
	write_line(k->w, "if (row < 0 || row >= %s)", table ? table : arena_printf(k->arena, "%lld", count));
	write_line(k->w, "\tcontinue;");
	if (table)
		write_line(k->w, "row += first[table];");
	write_line(k->w, "for (int64_t col = begin; col < end; col++)");
	write_line(k->w, "\ty[row * %lld + col] += dy[i * %lld + col];", dim, dim);
	write_indent(k->w, -1);
	write_line(k->w, "}");
	write_indent(k->w, -1);
	write_line(k->w, "}");
}

const OpLoops embed_loops[] = {
        {.op = "embedding",
         .emit_cpu = embedding_emit,
         .emit_cuda = embedding_emit_cuda,
         .cuda_threads = embedding_cuda_threads},
        {.op = "embedding_grad",
         .emit_cpu = embedding_grad_emit,
         .emit_cuda = embedding_grad_emit_cuda,
         .cuda_threads = embedding_grad_cuda_threads,
         .cuda_parts = embedding_grad_parts},
        {0},
};
