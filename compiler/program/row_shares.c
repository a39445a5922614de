/* SPDX-License-Identifier: MIT */
/* Threads share out the rows of a recurrence: see row_shares.h.
 *
 * A scan is unrolled in the graph: small products, each of which waits for the one before it, and maps between them. If
 * each of them were shared out among the threads by itself, these would meet twice a period, for some microseconds of
 * work, and on a busy machine wait for one that is not running. Where steps follow one another period by period, equal
 * but for their buffers, and go row by row, a thread takes its rows through all periods and meets the others last.
 *
 *   - a period begins with a product [rows, k] x [k, n], in loops, by a matrix that no step of the recurrence writes
 *   - its other steps are such products or maps over [rows, columns], without random numbers and scalars of the host
 *   - of what the recurrence writes a step reads the same row alone, whichever of its columns
 *   - where tensors share bytes, rows share those of the same row: one thread is in another period than the next, so
 *     the plan of the arena, which is by periods, holds for each row by itself
 *   - matrices of a period are small: each thread reads all of them, from its own cache
 *
 * Nothing asks what the steps compute. After assign_buffers, whose offsets it looks at. */

#include "base/array.h"
#include "program/buffer_marks.h"
#include "program/periods.h"
#include "ops/matmul.h"
#include "ir/op.h"
#include "ir/domain.h"
#include "passes/pass.h"

enum {
	FEWEST_ROWS = 16,        /* below, threads would have too few */
	MOST_ELEMENTS = 1 << 18, /* of the matrices of a period */
};

/* ---- steps that go row by row */

static bool is_product(const Step *s)
{
	MatmulShape shape;
	if (s->kind != STEP_OP || s->root->op->gemm != GEMM_PRODUCT || s->root->type.rank != 2 ||
	    s->rows.count > 0)
		return false;
	matmul_shape(s->root, &shape);
	return shape.batch == 1 && !shape.ta && shape.m >= FEWEST_ROWS;
}

static bool is_map(const Step *s, int64_t rows)
{
	return s->kind == STEP_KERNEL && s->rows.count == 0 && s->shape && !s->shape->domain.has_reduction &&
	       s->shape->domain.rank >= 2 && s->shape->domain.dim[0] == rows;
}

static const char *describe(const Periods *f, int step)
{
	const Step *s = &f->p->steps[step];
	const bool fits = is_product(s) ? product_rows(s) == f->rows : is_map(s, f->rows);
	const char *text = fits ? periods_function_text(f, s) : NULL;
	return text ? text : "";
}

/* ---- the bytes of a row */

/* Whether it is so many columns of each row of `of`. */
static bool is_columns_of(const Buffer *b, const Buffer *of, int64_t rows)
{
	return of->type.rank > 0 && of->type.dim[0] == rows &&
	       b->bytes == (rows - 1) * (of->bytes / rows) + type_bytes(b->type) / rows;
}

/* The tensor of one row after the other that it is, or is some columns of; NULL: its rows are not one after the other.
 */
static Buffer *matrix_of(Buffer *b, int64_t rows)
{
	if (!type_has_rows(b->type, rows))
		return NULL;
	while (b->inside && is_columns_of(b, b->inside, rows))
		b = b->inside;
	return b->bytes == type_bytes(b->type) ? b : NULL;
}

/* What the recurrence writes. */
typedef struct Written {
	BufferMarks *marks;       /* the number of the matrix that has the bytes */
	ARRAY(Buffer *) matrices; /* which are the same bytes, or have none in common */
} Written;

/* Whether what is written of the bytes of `b` is of the very rows of `matrix`; so where nothing is. */
static bool shares_rows(const Written *w, Buffer *b, Buffer *matrix)
{
	const int mark = buffer_largest_mark(w->marks, b);
	return mark < 0 || (matrix && buffer_offset(w->matrices.at[mark]) == buffer_offset(matrix) &&
	                    w->matrices.at[mark]->bytes == matrix->bytes);
}

/* False: two of what is written share bytes of unlike rows. */
static bool find_written(const Periods *f, const Recurrence *r, Written *w)
{
	w->marks = buffer_marks_new(f->scratch, f->p);
	for (int s = r->first; s < r->first + r->period * r->times; s++)
		for (int k = 0; k < f->p->steps[s].write_count; k++) {
			Buffer *b = f->p->steps[s].writes[k], *matrix = matrix_of(b, f->rows);
			if (buffer_root(b)->class != BUFFER_ACTIVATION || !matrix ||
			    !shares_rows(w, matrix, matrix))
				return false;
			buffer_mark(w->marks, matrix, w->matrices.count);
			array_push(f->scratch, &w->matrices, matrix);
		}
	return true;
}

/* Whether element [row, ...] of n reads x in the same row. */
static bool reads_same_row(const Step *s, const Node *n, const Node *x, int64_t rows)
{
	Place place[LIMIT_RANK];
	if (!type_has_rows(n->type, rows) || !type_has_rows(x->type, rows))
		return false;
	if (n == s->root)
		return x == n->operands[0];
	node_places(n, place);
	return place_is_own(&place[0]);
}

static bool reads_own_rows(const Periods *f, const Step *s, const Written *w)
{
	for (int k = 0; k < s->node_count; k++)
		for (int m = 0; m < s->nodes[k]->operand_count; m++) {
			const Node *n = s->nodes[k], *x = n->operands[m];
			Buffer *b = step_has_node(s, x) ? NULL : buffer_of(f->p, x);
			if (b && buffer_in_arena(buffer_root(b)) && buffer_largest_mark(w->marks, b) >= 0 &&
			    (!shares_rows(w, b, matrix_of(b, f->rows)) || !reads_same_row(s, n, x, f->rows)))
				return false;
		}
	return true;
}

/* Whether the steps keep to what the head of this file says of rows. */
static bool keeps_to_rows(const Periods *f, const Recurrence *r)
{
	Written written = {0};
	if (!find_written(f, r, &written))
		return false;
	for (int s = r->first; s < r->first + r->period * r->times; s++)
		if (!reads_own_rows(f, &f->p->steps[s], &written))
			return false;
	return true;
}

static bool fits(const Periods *f, const Recurrence *r)
{
	const Program *p = f->p;
	int64_t elements = 0;
	for (int s = r->first; s < r->first + r->period; s++)
		if (is_product(&p->steps[s]))
			elements += type_elements(p->steps[s].root->operands[1]->type);
	return elements <= MOST_ELEMENTS && keeps_to_rows(f, r);
}

/* ---- the pass */

Program *pass_row_shares(PassContext *ctx, const Program *before)
{
	if (ctx->target->gpu)
		return (Program *)before;
	Program *p = program_copy(ctx->arena, before);
	Periods f = {ctx, p, arena_new(), is_product, describe, fits, 0, NULL};
	const bool found = periods_find(&f, "have their rows shared out among the threads");
	arena_free(f.scratch);
	return found ? p : (Program *)before;
}
