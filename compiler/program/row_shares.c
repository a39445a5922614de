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
#include "program/periods.h"
#include "ops/matmul.h"
#include "ir/op.h"
#include "ir/domain.h"
#include "passes/pass.h"

#include <stdlib.h>

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

/* A tensor of one row after the other in the arena, or what it is some columns of. */
typedef struct Extent {
	int64_t first, end, pitch; /* in bytes */
} Extent;

/* Whether it is so many columns of each row of `of`. */
static bool is_columns_of(const Buffer *b, const Buffer *of, int64_t rows)
{
	return of->type.rank > 0 && of->type.dim[0] == rows &&
	       b->bytes == (rows - 1) * (of->bytes / rows) + type_bytes(b->type) / rows;
}

/* False: its rows are not one after the other. */
static bool extent_of(const Buffer *b, int64_t rows, Extent *extent)
{
	if (!type_has_rows(b->type, rows))
		return false;
	while (b->inside && is_columns_of(b, b->inside, rows))
		b = b->inside;
	*extent = (Extent){buffer_offset(b), buffer_offset(b) + b->bytes, b->bytes / rows};
	return b->bytes == type_bytes(b->type);
}

static int in_order(const void *a, const void *b)
{
	const Extent *x = a, *y = b;
	return (x->first > y->first) - (x->first < y->first);
}

/* What the recurrence writes, in order of addresses, each once; false: two of it share bytes of unlike rows. */
typedef ARRAY(Extent) Extents;
static bool find_written(const Periods *f, const Recurrence *r, Extents *written)
{
	Extents all = {0};
	for (int s = r->first; s < r->first + r->period * r->times; s++) {
		const Step *step = &f->p->steps[s];
		for (int k = 0; k < step->write_count; k++) {
			Extent extent;
			if (buffer_root(step->writes[k])->class != BUFFER_ACTIVATION ||
			    !extent_of(step->writes[k], f->rows, &extent))
				return false;
			array_push(f->scratch, &all, extent);
		}
	}
	qsort(all.at, (size_t)all.count, sizeof *all.at, in_order);
	for (int i = 0; i < all.count; i++) {
		const Extent x = all.at[i], *last = written->count ? &written->at[written->count - 1] : NULL;
		if (!last || x.first >= last->end)
			array_push(f->scratch, written, x);
		else if (x.first != last->first || x.end != last->end || x.pitch != last->pitch)
			return false;
	}
	return true;
}

/* The first that ends after `address`; NULL: none. */
static const Extent *written_after(const Extents *written, int64_t address)
{
	int low = 0, high = written->count;
	while (low < high) {
		const int middle = (low + high) / 2;
		if (written->at[middle].end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low < written->count ? &written->at[low] : NULL;
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

static bool reads_own_rows(const Periods *f, const Step *s, const Extents *written)
{
	for (int k = 0; k < s->node_count; k++)
		for (int m = 0; m < s->nodes[k]->operand_count; m++) {
			const Node *n = s->nodes[k], *x = n->operands[m];
			Buffer *b = step_has_node(s, x) ? NULL : buffer_of(f->p, x);
			if (!b || !buffer_in_arena(buffer_root(b)))
				continue;
			const int64_t first = buffer_offset(b);
			const Extent *shared = written_after(written, first);
			Extent own;
			if (!shared || shared->first >= first + b->bytes)
				continue;
			if (!extent_of(b, f->rows, &own) || own.first != shared->first ||
			    own.end != shared->end || own.pitch != shared->pitch ||
			    !reads_same_row(s, n, x, f->rows))
				return false;
		}
	return true;
}

/* Whether the steps keep to what the head of this file says of rows. */
static bool keeps_to_rows(const Periods *f, const Recurrence *r)
{
	Extents written = {0};
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
