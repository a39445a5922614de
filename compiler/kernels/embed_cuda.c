/* SPDX-License-Identifier: MIT */
/* CUDA kernels of embedding and its gradient.
 *
 * In the gradient a block has some rows of the table and a slab of its columns, and adds up the rows of dy that some
 * of the indices name (runtime/cuda/nnr_row_sums.h). Slabs are narrow, so that a row which many indices name is
 * shared by many blocks; and the threads of a block share what there is to add evenly, whichever rows it is for. So
 * the time depends little on the data: all indices may be the same. Where the table alone has too few blocks to fill
 * a device, the indices are in parts: of the blocks that have the same place in the table, the one that arrives last
 * adds the sums of all. Of several tables in one, a block has rows of one of them, and goes through its indices
 * alone. */
#include "kernels/embed.h"
#include "codegen/lanes.h"

static int width_of(const Node *n)
{
	return lanes_width(1, &n->type.dim[n->type.rank - 1]);
}

void embedding_emit(KernelText *k, const Node *n)
{
	Lanes l = lanes_new(k, n, width_of(n));
	long long count = n->operands[0]->type.dim[0], dim = n->operands[0]->type.dim[1];
	lanes_open(&l, "row", type_elements(n->type) / dim, dim);
	int tables;
	const bool several = embedding_counts(n, &tables);
	const long long places = (long long)type_elements(n->operands[1]->type) / tables;
	embedding_write_firsts(k, n);
	if (several)
		lanes_index(&l, "table", "row %% %d", tables);
	lanes_index(&l, "at", "%s",
	            several ? arena_printf(k->arena, "index[table * %lld + row / %d]", places, tables)
	                    : "index[row]");
	lanes_value(&l, "e", "0");
	if (several)
		code_if(k->code, "at >= 0 && at < first[table + 1] - first[table]");
	else
		code_if(k->code, "at >= 0 && at < %lld", count);
	lanes_reload(&l, "e", 0,
	             arena_printf(k->arena, "%s * %lld + c", several ? "(first[table] + at)" : "at", dim));
	code_close(k->code, 1);
	lanes_finish(&l, "row", "c", "e@");
}

/* What a block has. */
typedef struct Share {
	int tables;             /* that one index each looks up in */
	const int64_t *counts;  /* rows of each; NULL: there is one table */
	int64_t rows, groups;   /* rows of a table, and how many groups of so many all have */
	int64_t columns, slabs; /* the same of columns */
	int lanes, width;       /* threads for the columns of a row, and columns of each */
	int64_t part, parts;    /* indices, and parts of so many */
} Share;

static int64_t largest_table(const Node *n, const Share *s)
{
	int64_t most = s->counts ? 0 : n->type.dim[0];
	for (int i = 0; s->counts && i < s->tables; i++)
		most = s->counts[i] > most ? s->counts[i] : most;
	return most;
}

/* Of table i. */
static int64_t groups_of(const Share *s, int i)
{
	return (s->counts[i] + s->rows - 1) / s->rows;
}

/* Each part's sums are written and read again, so a part has four indices for each row of the table, and 512 at least;
 * and there are no more parts than fill a device, four blocks for each of its multiprocessors. */
static Share share_of(const Node *n)
{
	enum {
		SUM_BYTES = 24 << 10,
		BLOCKS = 4 * 132,
		LEAST = 512,
		FOR_A_ROW = 4,
		LANES = 8,
		MOST_LANES = 32
	};
	Share s = {.width = width_of(n), .lanes = LANES};
	s.counts = embedding_counts(n, &s.tables);
	const int64_t table = largest_table(n, &s), dim = n->type.dim[1],
	              indices = type_elements(n->operands[1]->type) / s.tables;
	while (s.width == 1 && s.lanes < MOST_LANES && s.lanes < dim)
		s.lanes *= 2;
	s.columns = (int64_t)s.lanes * s.width;
	s.slabs = (dim + s.columns - 1) / s.columns;
	int64_t most = SUM_BYTES / (s.columns * dtype_bytes(n->type.dtype));
	most = most < CUDA_THREADS ? most : CUDA_THREADS;
	s.groups = (table + most - 1) / most;
	s.rows = (table + s.groups - 1) / s.groups;
	for (int i = 0; s.counts && i < s.tables; i++)
		s.groups = (i ? s.groups : 0) + groups_of(&s, i);
	const int64_t least = FOR_A_ROW * table > LEAST ? FOR_A_ROW * table : LEAST,
	              fill = BLOCKS / (s.groups * s.slabs);
	s.parts = indices / least < fill ? indices / least : fill;
	s.parts = s.parts > indices >> 30 ? s.parts
	                                  : (indices >> 30) + 1; /* whose places are counted in 32 bits */
	s.part = (indices + s.parts - 1) / s.parts;
	return s;
}

void embedding_grad_parts(const Node *n, int64_t *elements, int64_t *counters)
{
	const Share s = share_of(n);
	*counters = s.parts > 1 ? s.groups * s.slabs : 0;
	*elements = *counters * s.parts * s.rows * s.columns;
}

/* Leaves the sums of this part; what follows is run by the block that has those of all parts. */
static void leave_part(const Lanes *l, const Share *s)
{
	KernelText *k = l->k;
	code_let(k->code, "int", "tile", "blockIdx.x / %lld", (long long)s->parts);
	code_do(k->code, "nnr_rows_leave(shared, partial + blockIdx.x * %lld)",
	        (long long)(s->rows * s->columns));
	code_leave_if(k->code, "return", "!nnr_last_block(&done[tile], %lld)", (long long)s->parts);
}

static void add_parts(const Lanes *l, const Share *s)
{
	KernelText *k = l->k;
	lanes_value(l, "sum", "0");
	code_turns(k->code, TURNS_UNROLLED, " 8");
	code_loop_bare(k->code, (CodeLoop){.type = "int", .var = "part", .count = s->parts});
	code_do(k->code, "nnr_rows_add(sum, partial + (tile * %lld + part) * %lld + %s)", (long long)s->parts,
	        (long long)(s->rows * s->columns), index_times(k->arena, "i", l->width));
	code_close(k->code, 1);
}

/* Of several tables declares the one that the block has rows of, and its first row there, as `first_row`; moves dy and
 * the index to what is looked up in it. */
static void find_table(const Lanes *l, const Node *n, const Share *s)
{
	KernelText *k = l->k;
	int64_t group = 0;
	char *text = arena_strdup(k->arena, "0");
	for (int i = 0; i < s->tables; i++)
		text = arena_printf(k->arena, "%s, %lld", text, (long long)(group += groups_of(s, i)));
	embedding_write_firsts(k, n);
	code_var(k->code, "static const int", "first_group[]", "{%s}", text)->note =
	        "of blocks, for each table";
	lanes_index(l, "group", "%s", index_over(k->arena, "blockIdx.x", s->parts * s->slabs));
	code_var(k->code, "int", "table", "0");
	code_call(k->code, "while (group >= first_group[table + 1])");
	code_do(k->code, "table++");
	code_close(k->code, 1);
	lanes_index(l, "first_row", "(group - first_group[table]) * %lld", (long long)s->rows);
	code_add(k->code, "index", "table * %lld",
	         (long long)type_elements(n->operands[1]->type) / s->tables);
	code_add(k->code, "dy", "table * %lld", (long long)n->type.dim[1]);
}

void embedding_grad_emit_cuda(KernelText *k, const Node *n)
{
	const Share s = share_of(n);
	const Lanes l = lanes_new(k, n, s.width);
	Arena *a = k->arena;
	k->units = s.groups * s.slabs * s.parts * CUDA_THREADS;
	const long long table = n->type.dim[0], dim = n->type.dim[1], stride = dim * s.tables, rows = s.rows,
	                indices = type_elements(n->operands[1]->type) / s.tables;
	code_note(k->code, "rows of the block; threads for each, and their columns");
	code_parts(k->code, CODE_SHARED, "NnrRowSums<%s, %lld, %d, %d>" CODE_PART "shared", k->real, rows,
	           s.lanes, s.width);
	if (s.counts)
		find_table(&l, n, &s);
	else
		lanes_index(&l, "first_row", "%s",
		            index_times(a, index_over(a, "blockIdx.x", s.parts * s.slabs), rows));
	lanes_index(&l, "slab", "%s",
	            index_times(a, index_digit(a, "blockIdx.x", s.parts, s.slabs), s.columns));
	const char *count = arena_printf(a, "%lld", (long long)s.part), *dy = "dy + slab", *index = "index";
	if (s.parts > 1) {
		lanes_index(&l, "part", "%s",
		            index_times(a, index_digit(a, "blockIdx.x", 1, s.parts), s.part));
		dy = arena_printf(a, "dy + part * %lld + slab", stride);
		index = "index + part";
		if (indices % s.part != 0)
			count = arena_printf(a, "min(%s, %lld - part)", count, indices);
	}
	code_do(k->code, "nnr_rows_sum<%s>(shared, %s, %lld, %lld - slab, %s, %s, first_row)",
	        kernel_operand_aligned(k, 0, 4) ? "true" : "false", dy, stride, dim, index, count);
	if (s.parts > 1)
		leave_part(&l, &s);
	code_turns(k->code, TURNS_UNROLLED, " 4");
	code_strided(k->code, "i", "threadIdx.x", rows * s.lanes, CUDA_THREADS);
	lanes_index(&l, "row", "first_row + i / %d", s.lanes);
	lanes_index(&l, "c", "slab + %s", index_times(a, arena_printf(a, "i %% %d", s.lanes), s.width));
	const bool ragged_rows = s.counts || table % rows != 0, ragged = dim % s.columns != 0;
	const char *end = s.counts ? "first[table + 1] - first[table]" : arena_printf(a, "%lld", table);
	if (ragged_rows || ragged)
		code_leave_if(
		        k->code, "continue", "%s%s%s", ragged_rows ? arena_printf(a, "row >= %s", end) : "",
		        ragged_rows && ragged ? " || " : "", ragged ? arena_printf(a, "c >= %lld", dim) : "");
	if (s.parts > 1)
		add_parts(&l, &s);
	else
		lanes_value(&l, "sum",
		            arena_printf(a, "shared.sums[%s%s]", index_times(a, "i", s.width),
		                         s.width > 1 ? " + u" : ""));
	lanes_finish(&l, s.counts ? "(first[table] + row)" : "row", "c", "sum@");
	code_close(k->code, 1);
}
