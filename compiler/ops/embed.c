/* SPDX-License-Identifier: MIT */
/* embedding: rows of a table by index, and its gradient, which adds rows up. gather: the rows of each sample's own
 * tensor, which follow one another as one table.
 *
 * With `counts` several tables stand below one another in w, so many rows each. The index, [tables, ..], has a row for
 * each of them, and what is looked up lies side by side, [.., tables, dim] (rules/made_params.c).
 *
 * The readers of a data set check that indices are in range (emit/emit_model.c tells them the range); a computed one
 * outside of the table reads a row of zeros and passes no gradient. The sums of the gradient run over the indices in
 * order, each thread having columns of its own: the result does not depend on the number of threads. */
#include "ops/compose.h"
#include "ops/embed.h"

#include <string.h>

static bool table_rank(Infer *in, Type t)
{
	if (t.rank == 2)
		return true;
	return infer_error(in, "shape-mismatch", "the table of an `embedding` is [count, dim], not %s",
	                   shape_text(in->graph->arena, t));
}

const int64_t *embedding_counts(const Node *n, int *tables)
{
	*tables = 1;
	return node_attr(n, "counts") ? node_ints(n, "counts", tables) : NULL;
}

/* Whether the tables have so many rows in all, and the index a row for each. */
static bool tables_fit(Infer *in, int64_t rows, Type index)
{
	int tables;
	int64_t sum = 0;
	const int64_t *counts = infer_ints(in, "counts", &tables);
	for (int i = 0; counts && i < tables; i++) {
		if (counts[i] < 1 || counts[i] > rows - sum)
			return infer_error(in, "bad-argument", "`counts` are not the rows of tables in %lld",
			                   (long long)rows);
		sum += counts[i];
	}
	if (!counts || sum != rows || index.rank < 2 || index.dim[0] != tables)
		return infer_error(in, "bad-argument",
		                   "`counts` of %d tables do not go with %lld rows and the indices %s",
		                   counts ? tables : 0, (long long)rows, shape_text(in->graph->arena, index));
	return true;
}

static bool embedding_infer(Infer *in)
{
	Type w = in->operands[0]->type, t = in->operands[1]->type;
	if (!infer_real(in, 0) || !infer_integer(in, 1) || !table_rank(in, w))
		return false;
	if (t.rank == LIMIT_RANK)
		return infer_error(in, "rank-limit", "`embedding` of %d dimensions of indices", t.rank);
	t.dim[t.rank] = w.dim[1];
	if (infer_attr(in, "counts")) {
		if (!tables_fit(in, w.dim[0], in->operands[1]->type))
			return false;
		memmove(t.dim, t.dim + 1, (size_t)(t.rank - 1) * sizeof *t.dim);
		t.dim[t.rank - 1] = in->operands[1]->type.dim[0];
	}
	return infer_result(in, w.dtype, t.rank + 1, t.dim);
}

static void embedding_grad(Grad *g)
{
	int tables;
	const int64_t *counts = embedding_counts(g->node, &tables);
	Attr attrs[] = {attr_int("count", g->operands[0]->type.dim[0]), attr_ints("counts", counts, tables)};
	if (g->wanted[0])
		g->result[0] = build(&g->b, "embedding_grad", 2, (Node *[]){g->dy, g->operands[1]},
		                     counts ? 2 : 1, attrs);
}

static Node *build_embedding(Call *c)
{
	Node *index = call_tensor(c, "index");
	int64_t dim[] = {call_int(c, "count"), call_int(c, "dim")};
	if (dim[0] < 1 || dim[1] < 1)
		return call_error(c, dim[0] < 1 ? "count" : "dim", "bad-argument",
		                  "an embedding has at least 1 row and column");
	InitKind kind = INIT_NORMAL;
	double scale = 1;
	if (call_given(c, "init"))
		call_init(c, "init", (double)dim[0], (double)dim[1], &kind, &scale);
	Node *w = call_word(c, "weight") ? call_param(c, "weight", 2, dim, kind, scale, true)
	                                 : call_weight(c, 2, dim);
	if (!w)
		return NULL;
	return build(call_build(c), "embedding", 2, (Node *[]){w, index}, 0, NULL);
}

static bool embedding_grad_infer(Infer *in)
{
	Type dy = in->operands[0]->type, index = in->operands[1]->type;
	if (!infer_real(in, 0) || !infer_integer(in, 1))
		return false;
	if (dy.rank != index.rank + 1)
		return infer_error(in, "shape-mismatch", "the gradient %s is not one row for each of %s",
		                   shape_text(in->graph->arena, dy), shape_text(in->graph->arena, index));
	int64_t dim[] = {infer_int(in, "count"), dy.dim[index.rank]};
	if (infer_attr(in, "counts") && !tables_fit(in, dim[0], index))
		return false;
	return infer_result(in, dy.dtype, 2, dim);
}

/* One addition for each element of dy. */
static void embedding_grad_cost(const Node *n, Cost *cost)
{
	cost->flops = (double)type_elements(n->operands[0]->type);
	cost->bytes = (double)type_bytes(n->operands[0]->type) + (double)type_bytes(n->operands[1]->type) +
	              (double)type_bytes(n->type);
}

/* Of the table only the rows that are looked up are read. */
static void embedding_cost(const Node *n, Cost *cost)
{
	cost->flops = 0;
	cost->bytes = 2 * (double)type_bytes(n->type) + (double)type_bytes(n->operands[1]->type);
}

#define LOOKUP(W, INDEX, COUNT) "w=f32[" W "] index=i32[" INDEX "]<" COUNT

static const char *const embedding_samples[] = {
        LOOKUP("1,1", "1", "1"),
        LOOKUP("1,5", "1", "1"),
        LOOKUP("5,1", "1", "5"),
        LOOKUP("5,3", "1", "5"),
        LOOKUP("5,3", "2", "5"),
        LOOKUP("5,3", "7", "5"),
        LOOKUP("2,7", "9", "2"),
        LOOKUP("10,16", "4", "10"),
        LOOKUP("10,17", "3", "10"),
        LOOKUP("3,33", "5", "3"),
        LOOKUP("100,2", "8", "100"),
        LOOKUP("7,4", "2,3", "7"),
        LOOKUP("7,4", "1,1", "7"),
        LOOKUP("7,4", "3,1", "7"),
        LOOKUP("7,4", "1,5", "7"),
        LOOKUP("4,8", "2,6", "4"),
        LOOKUP("9,5", "2,3,2", "9"),
        LOOKUP("6,3", "1,1,1", "6"),
        LOOKUP("11,1", "2,4", "11"),
        LOOKUP("50,20", "2,9", "50"),
        LOOKUP("8,6", "64", "8"),
        "w=f32[9,4] index=i32[3,5]<2 counts=[2,3,4]",
        "w=f32[9,3] index=i32[2,2,3]<4 counts=[3,6]",
        "w=f32[7,8] index=i32[1,9]<7 counts=[7]",
        NULL,
};

#define SCATTER(DY, INDEX, COUNT) "dy=f32[" DY "] index=i32[" INDEX "]<" COUNT " count=" COUNT

/* A CUDA kernel's blocks with all rows of the table and with some; all indices in one block and in parts, with one row
 * for all of them, a few that most name, the table's ends, rows that are not there, about one index for each. */
static const char *const embedding_grad_samples[] = {
        SCATTER("1,1", "1", "1"),
        SCATTER("1,5", "1", "1"),
        SCATTER("1,1", "1", "5"),
        SCATTER("1,3", "1", "5"),
        SCATTER("2,3", "2", "5"),
        SCATTER("7,3", "7", "5"),
        SCATTER("9,7", "9", "2"),
        SCATTER("4,16", "4", "10"),
        SCATTER("3,17", "3", "10"),
        SCATTER("5,33", "5", "3"),
        SCATTER("8,2", "8", "100"),
        SCATTER("2,3,4", "2,3", "7"),
        SCATTER("1,1,4", "1,1", "7"),
        SCATTER("3,1,4", "3,1", "7"),
        SCATTER("1,5,4", "1,5", "7"),
        SCATTER("2,6,8", "2,6", "4"),
        SCATTER("2,3,2,5", "2,3,2", "9"),
        SCATTER("1,1,1,3", "1,1,1", "6"),
        SCATTER("2,4,1", "2,4", "11"),
        SCATTER("2,9,20", "2,9", "50"),
        SCATTER("3,430,3", "3,430", "4099"),
        SCATTER("11,130,8", "11,130", "2050"),
        SCATTER("1200,4", "1200", "700"),
        "dy=f32[3000,5] index=i32[3000]<1 count=1000",
        "dy=f32[2100,36] index=i32[2100]<60^4 count=60",
        "dy=f32[1500,3] index=i32[1500]<2*399 count=400",
        "dy=f32[1300,33] index=i32[1300]<90 count=65",
        "dy=f32[5,3,4] index=i32[3,5]<2 count=9 counts=[2,3,4]",
        "dy=f32[2,3,2,3] index=i32[2,2,3]<4 count=9 counts=[3,6]",
        "dy=f32[1100,3,16] index=i32[3,1100]<300 count=1503 counts=[300,1200,3]",
        "dy=f32[2100,2,5] index=i32[2,2100]<60^4 count=120 counts=[60,60]",
        NULL,
};

/* ---- gather */

/* The index into the tables of all samples, `rows` each, for an index into a sample's own; -1 where it has no such
 * row. */
static Node *index_in_batch(Build *b, Node *index, int64_t rows)
{
	Type t = index->type;
	int64_t line[LIMIT_RANK] = {t.dim[0]};
	for (int i = 1; i < t.rank; i++)
		line[i] = 1;
	Node *first = build_ramp(b, t.rank, line, 0, (double)rows);
	Node *at = compose(b, "select((i >= 0)*(i < rows), i + first, -1)",
	                   TERMS({"i", build_cast(b, index, DTYPE_F32)}, {"first", first},
	                         {"rows", build_constant(b, (double)rows)}));
	return build_cast(b, at, DTYPE_I32);
}

/* dim[0..axis) then the `count` dimensions of the index, then the dimensions of x after the axis. */
static Node *axis_in_place(Build *b, Node *y, int axis, int count)
{
	int64_t axes[LIMIT_RANK] = {0};
	if (axis == 1)
		return y;
	for (int i = 1; i < y->type.rank; i++)
		axes[i] = i < axis ? i + count : i < axis + count ? i - axis + 1 : i;
	return build_transpose(b, y, axes);
}

static Node *axis_first(Build *b, Node *x, int axis)
{
	int64_t axes[LIMIT_RANK] = {0};
	if (axis == 1)
		return x;
	for (int i = 1; i < x->type.rank; i++)
		axes[i] = i == 1 ? axis : i <= axis ? i - 1 : i;
	return build_transpose(b, x, axes);
}

static Node *build_gather(Call *c)
{
	Build *b = call_build(c);
	Node *x = call_tensor(c, "x"), *index = call_tensor(c, "index");
	int64_t axis;
	if (!x || !index || !call_axis(c, "axis", call_int(c, "axis"), x->type.rank, &axis))
		return NULL;
	if (dtype_is_real(index->type.dtype))
		return call_error(c, "index", "dtype-mismatch",
		                  "`gather` takes whole numbers as `index`: an i32 or u8 input, what "
		                  "`argmax`, `round` or `floor` gives, or sums and products of these");
	int count = index->type.rank - 1;
	if (x->type.rank - 1 + count > LIMIT_RANK)
		return call_error(c, "index", "rank-limit", "a sample has at most %d dimensions",
		                  LIMIT_RANK - 1);
	if (x->type.dim[0] != 1)
		index = build_batch(b, index);
	int64_t batch = x->type.dim[0], rows = x->type.dim[axis];
	if ((double)batch * (double)rows >= 0x1p24)
		return call_error(c, "x", "tensor-limit",
		                  "`gather` counts the rows of a batch in f32: at most 2^24, and these are "
		                  "%lld times %lld",
		                  (long long)batch, (long long)rows);
	x = axis_first(b, x, (int)axis);
	int64_t dim[LIMIT_RANK], table[] = {batch * rows, type_elements(x->type) / (batch * rows)};
	int rank = 0;
	for (int i = 0; i <= count; i++)
		dim[rank++] = index->type.dim[i];
	for (int i = 2; i < x->type.rank; i++)
		dim[rank++] = x->type.dim[i];
	if (batch != 1)
		index = index_in_batch(b, index, rows);
	Node *operands[] = {build_reshape(b, x, 2, table), index};
	Node *y = build(b, "embedding", 2, operands, 0, NULL);
	return y ? axis_in_place(b, build_reshape(b, y, rank, dim), (int)axis, count) : NULL;
}

/* Of several tables each has its own count, and a row of the index. */
static const Node *embedding_picks(const Node *n, int k, int64_t *count)
{
	int tables = 1;
	const int64_t *counts = embedding_counts(n, &tables);
	const Node *index = n->operands[1];
	if (k == tables)
		return NULL;
	*count = counts ? counts[k] : n->operands[0]->type.dim[0];
	return index->op->move == MOVE_CONCAT && index->operand_count == tables ? index->operands[k] : index;
}

/* Rows and channels. */
static const char *embedding_layout(const Node *n, int *operand)
{
	*operand = 0;
	return "VC";
}

const Op embed_ops[] = {
        {.name = "embedding",
         .picks = embedding_picks,
         .weight_layout = embedding_layout,
         .halves = HALVES_LOOKED_UP,
         .signature = "w, index -> y",
         .call = "index: indices, count: int, dim: int, init: " INIT_WORDS
                 " = default, weight: tensor|own = own",
         .doc = "Row `index` of a trained table [count, dim], which starts normal with deviation 1, or "
                "as `init` says. The "
                "trainer refuses data with an index out of range; one that is computed gives zeros. `weight` "
                "is "
                "a `param` [count, dim] to use as the table.",
         .flags = OP_EPILOGUE,
         .infer = embedding_infer,
         .grad = embedding_grad,
         .build = build_embedding,
         .cost = embedding_cost,
         .samples = embedding_samples},
        {.name = "gather",
         .call = "x, index: indices, axis: int = 0",
         .doc = "The rows of x that `index` names, along an axis: of x [9, 4] and index [3] the rows [3, 4]. "
                "Each "
                "sample's index picks from its own x; a constant or a `param` as x is picked from by all. "
                "Where there "
                "is no such row, zeros.",
         .build = build_gather},
        {.name = "embedding_grad",
         .halves = HALVES_NONE,
         .signature = "dy, index -> y",
         .doc = "The gradient of `embedding` by its table: row r is the sum of the rows of dy whose index "
                "is r.",
         .flags = OP_EPILOGUE_GPU,
         .infer = embedding_grad_infer,
         .cost = embedding_grad_cost,
         .samples = embedding_grad_samples},
        {0},
};
