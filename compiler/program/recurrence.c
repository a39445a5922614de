/* SPDX-License-Identifier: MIT */
/* Steps that recur become one kernel: see recurrence.h.
 *
 * A scan is unrolled in the graph. Its steps are small products, each of which waits for the one before it, and maps
 * between them: hundreds of launches of two microseconds that the device is idle for. Where steps follow one another
 * period by period, equal but for the buffers, one launch computes all of them.
 *
 *   - a period begins with a product [rows, k] x [k, n] by a matrix that no step of the recurrence writes
 *   - its other steps are such products, maps over [rows, columns], or columns put side by side; none draws random
 *     numbers or reads scalars of the host. What of the branch stands among them comes after them
 *   - of what the recurrence computes a step reads the same row alone, whichever of its columns
 *   - no step overwrites what one before it in the recurrence has read: the periods' results are all kept apart, as
 *     some rows may be in the last period while others are in the first (assign_buffers)
 *   - the blocks' shares of the matrices fit into shared memory, and the device has all groups of rows done in a few
 *     turns: with many rows the products by themselves fill it, and the launches no longer count
 *
 * Nothing asks what the steps compute: an lstm, a gru and a scan of the user's own are found alike, forward and
 * backward. For the CUDA target, where there are clusters. After all passes that change steps, ahead of
 * assign_buffers. */
#include "program/recurrence.h"

#include "base/checked.h"
#include "base/writer.h"
#include "passes/implementation.h"
#include "program/periods.h"
#include "codegen/step.h"
#include "ir/op.h"
#include "ir/domain.h"
#include "passes/pass.h"

#include <string.h>

enum {
	MOST_BLOCKS = 8, /* of a cluster, on every device that has them */
	TILE = 8,        /* columns of a product of the tensor cores */
	FEWEST_UNITS = 8,
	MOST_TURNS =
	        4, /* of the device's multiprocessors, for all groups of rows: launches of their own take as long */
};

bool recurs_as_product(const Step *s)
{
	return s->kind == STEP_LIBRARY;
}

bool recurs_as_concat(const Step *s)
{
	return s->kind == STEP_OP;
}

int64_t recurrence_owned_bytes(const RecurrenceShape *shape, Type t)
{
	const int64_t columns = type_elements(t) / shape->rows / shape->units * shape->own;
	return ceil_div(RECURRENCE_ROWS * columns * dtype_bytes(t.dtype), VECTOR_BYTES) * VECTOR_BYTES;
}

bool recurrent_tensor_cores(const Node *product, bool tf32)
{
	return dtype_on_tensor_cores(product->operands[0]->type.dtype, tf32);
}

int64_t recurrence_pitch(const Program *p, const Node *matrix, int64_t columns)
{
	const Buffer *b = buffer_of(p, matrix);
	return b && b->pitch ? b->pitch : columns;
}

static int64_t words_of_depth(const Node *product, bool tensor_cores)
{
	MatmulShape s;
	matmul_shape(product, &s);
	const int64_t word = tensor_cores ? 4 / dtype_bytes(product->operands[0]->type.dtype) : 1;
	return ceil_div(s.k, TILE * word) * TILE;
}

static int64_t word_bytes(const Node *product, bool tensor_cores)
{
	return tensor_cores ? 4 : dtype_bytes(product->operands[0]->type.dtype);
}

int64_t recurrent_rows_bytes(const Node *product, bool tensor_cores)
{
	return RECURRENCE_ROWS * (words_of_depth(product, tensor_cores) + 4) *
	       word_bytes(product, tensor_cores);
}

int64_t recurrent_product_bytes(const RecurrenceShape *shape, const Node *product, bool tensor_cores)
{
	MatmulShape s;
	matmul_shape(product, &s);
	const int64_t columns = s.n / shape->units * shape->own, tiles = columns / TILE,
	              split = tiles <= 1   ? 8
	                      : tiles <= 2 ? 4
	                      : tiles <= 4 ? 2
	                                   : 1;
	return words_of_depth(product, tensor_cores) * columns * word_bytes(product, tensor_cores) +
	       recurrent_rows_bytes(product, tensor_cores) +
	       (tensor_cores ? split * RECURRENCE_ROWS * (columns + TILE) * 4 : 0);
}

/* ---- rows and columns */

static int64_t columns_of(Type t, int64_t rows)
{
	return type_elements(t) / rows;
}

/* Columns over which the step's results run. */
static int64_t step_columns(const Step *s, int64_t rows)
{
	if (s->root)
		return columns_of(s->root->type, rows);
	const Domain *d = &s->shape->domain;
	return d->outer * d->middle * d->inner / rows;
}

static int64_t greatest_divisor(int64_t x, int64_t y)
{
	while (y) {
		int64_t rest = x % y;
		x = y;
		y = rest;
	}
	return x;
}

RecurrenceShape recurrence_shape(const Program *p, const Recurrence *r)
{
	RecurrenceShape shape = {.rows = product_rows(&p->steps[r->first]), .blocks = 1};
	for (int i = 0; i < r->period; i++)
		shape.units =
		        greatest_divisor(shape.units, step_columns(&p->steps[r->first + i], shape.rows));
	shape.own = ceil_div(ceil_div(shape.units, MOST_BLOCKS), TILE) * TILE;
	while (shape.blocks * shape.own < shape.units)
		shape.blocks *= 2;
	return shape;
}

const Buffer *recurrence_matrix(const Buffer *b, int64_t rows)
{
	while (b->inside && type_has_rows(b->inside->type, rows))
		b = b->inside;
	return b;
}

/* Where a step's node reads an operand; NULL: nowhere, as the step itself computes it, or each that reads it. */
static const Buffer *matrix_read(const Program *p, const Step *s, const Node *x, int64_t rows)
{
	if (step_has_node(s, x))
		return NULL;
	const Buffer *b = buffer_of(p, x);
	return b ? recurrence_matrix(b, rows) : NULL;
}

/* How the node of a map reads an operand that the recurrence computes. */
typedef enum { READS_ELSEWHERE, READS_SAME_ROW, READS_OWN } Reading;

static Reading reading_of(const Node *n, const Node *x, int64_t rows, int64_t units)
{
	Place place[LIMIT_RANK];
	if (!type_has_rows(n->type, rows) || !type_has_rows(x->type, rows))
		return READS_ELSEWHERE;
	node_places(n, place);
	if (!place_is_own(&place[0]))
		return READS_ELSEWHERE;
	if (columns_of(n->type, rows) == 1 || columns_of(x->type, rows) % units != 0)
		return READS_SAME_ROW;
	const Place *column = &place[1];
	const bool inside =
	        column->plus >= 0 && column->plus + columns_of(n->type, rows) <= columns_of(x->type, rows);
	return place_is_own(column) || (column->times == 1 && column->over == 1 &&
	                                column->plus % units == 0 && inside)
	               ? READS_OWN
	               : READS_SAME_ROW;
}

bool recurrence_strides(const RecurrenceShape *shape, const Node *n, const Node *x, int64_t *row,
                        int64_t *parts)
{
	int64_t dim[LIMIT_RANK], stride[LIMIT_RANK];
	Place place[LIMIT_RANK];
	if (squeeze(n->type, dim) != 2 || dim[0] != shape->rows || dim[1] % shape->units != 0)
		return false;
	node_places(n, place);
	operand_strides(n->type, x->type, stride);
	const Place *column = &place[1];
	if (!place_is_own(&place[0]) || stride[1] != 1 || column->times != 1 || column->over != 1 ||
	    column->plus < 0 || column->plus % shape->units != 0 ||
	    (column->count > 0 && column->plus + dim[1] > column->count) ||
	    (stride[0] != 0 && stride[0] < column->plus + dim[1]))
		return false;
	*row = stride[0];
	*parts = (column->plus + dim[1]) / shape->units;
	return true;
}

/* ---- where blocks meet */

const bool *recurrence_meetings(Arena *a, const Program *p, const Recurrence *r)
{
	enum { TURNS = 3 };
	const RecurrenceShape shape = recurrence_shape(p, r);
	bool *meets = NEW_ARRAY(a, bool, r->period);
	Arena *scratch = arena_new();
	/* of each buffer, the meeting after which it was last written */
	int *written = NEW_ARRAY(scratch, int, p->buffer_count), meeting = 1;
	for (int i = 0; i < r->period * (r->times < TURNS ? r->times : TURNS); i++) {
		const Step *s = &p->steps[r->first + i];
		bool needs = false;
		for (int k = 0; k < s->node_count; k++)
			for (int m = 0; m < s->nodes[k]->operand_count; m++) {
				const Node *n = s->nodes[k], *x = n->operands[m];
				const Buffer *b = matrix_read(p, s, x, shape.rows);
				const bool own = !recurs_as_product(s) &&
				                 reading_of(n, x, shape.rows, shape.units) == READS_OWN;
				needs = needs || (b && written[b->id] == meeting && !own);
			}
		meets[i % r->period] |= needs;
		meeting += meets[i % r->period];
		for (int k = 0; k < s->write_count; k++)
			written[recurrence_matrix(s->writes[k], shape.rows)->id] = meeting;
	}
	arena_free(scratch);
	return meets;
}

/* ---- which steps may recur */

static bool is_product(const Step *s)
{
	MatmulShape shape;
	if (s->kind != STEP_LIBRARY || s->node_count != 1 || s->root->op->gemm != GEMM_PRODUCT ||
	    s->root->type.rank != 2 || s->branch || s->rows.count > 0)
		return false;
	matmul_shape(s->root, &shape);
	return shape.batch == 1 && !shape.ta && shape.m > 1;
}

static bool is_concat(const Periods *f, const Step *s)
{
	return s->kind == STEP_OP && s->node_count == 1 && s->root->op->move == MOVE_CONCAT && !s->branch &&
	       s->rows.count == 0 && s->root->type.rank == 2 && s->root->type.dim[0] == f->rows &&
	       node_int(s->root, "axis") == 1;
}

static bool is_map(const Periods *f, const Step *s)
{
	if (s->kind != STEP_KERNEL || s->branch || s->range.count > 0 || s->rows.count > 0 ||
	    s->sums != SUMS_WITHIN || !s->shape || s->shape->domain.has_reduction)
		return false;
	const Domain *d = &s->shape->domain;
	if (d->rank < 2 || d->dim[0] != f->rows)
		return false;
	for (int i = 0; i < s->node_count; i++)
		if (f->p->of_node[s->nodes[i]->id] &&
		    type_elements(s->nodes[i]->type) != d->outer * d->middle * d->inner)
			return false;
	return true;
}

static const char *describe(const Periods *f, int step)
{
	Step *s = &f->p->steps[step];
	if (is_product(s)) {
		MatmulShape m;
		matmul_shape(s->root, &m);
		const Node *a = s->root->operands[0], *b = s->root->operands[1];
		const Buffer *matrix = buffer_of(f->p, b);
		if (m.m == f->rows && matrix && !matrix->pitch)
			return arena_printf(f->scratch, "%lld %lld %d %d %d %d %lld %lld", (long long)m.n,
			                    (long long)m.k, m.tb, matrix->id, a->type.dtype,
			                    s->root->type.dtype, (long long)recurrence_pitch(f->p, a, m.k),
			                    (long long)recurrence_pitch(f->p, s->root, m.n));
	} else if (is_concat(f, s)) {
		Writer *w = writer_new(f->scratch);
		write_text(w, "concat %lld",
		           (long long)recurrence_pitch(f->p, s->root, s->root->type.dim[1]));
		for (int i = 0; i < s->root->operand_count; i++) {
			const Node *x = s->root->operands[i];
			write_text(w, " %lld %lld", (long long)x->type.dim[1],
			           (long long)recurrence_pitch(f->p, x, x->type.dim[1]));
		}
		return writer_text(w, NULL);
	} else if (is_map(f, s)) {
		static const Recurrence alone = {0};
		s->recurrence = &alone;
		const char *text = periods_function_text(f, s);
		s->recurrence = NULL;
		return text ? text : "";
	}
	return "";
}

/* Whether the buffer has bytes of another one that is marked. */
static bool shares_written(const Program *p, Buffer *b, const bool *written)
{
	for (int i = 0; i < p->buffer_count; i++) {
		Buffer *other = p->buffers[i];
		if (written[i] && other != b && buffer_root(other) == buffer_root(b) &&
		    buffers_share_bytes(other, b))
			return true;
	}
	return false;
}

/* Whether the steps keep to what the head of this file says of rows and of what is overwritten. */
static bool keeps_to_rows(const Periods *f, const Recurrence *r, int64_t units)
{
	const Program *p = f->p;
	const int64_t rows = product_rows(&p->steps[r->first]);
	bool *written = NEW_ARRAY(f->scratch, bool, p->buffer_count),
	     *inside = NEW_ARRAY(f->scratch, bool, p->buffer_count), /* by root: a part of it is written */
	             *read = NEW_ARRAY(f->scratch, bool, p->buffer_count);
	const int end = r->first + r->period * r->times;
	for (int s = r->first; s < end; s++)
		for (int k = 0; k < p->steps[s].write_count; k++) {
			written[recurrence_matrix(p->steps[s].writes[k], rows)->id] = true;
			inside[buffer_root(p->steps[s].writes[k])->id] = true;
		}
	for (int s = r->first; s < end; s++) {
		const Step *step = &p->steps[s];
		for (int k = 0; k < step->node_count; k++)
			for (int m = 0; m < step->nodes[k]->operand_count; m++) {
				const Node *n = step->nodes[k], *x = n->operands[m];
				const Buffer *b = matrix_read(p, step, x, rows);
				if (!b || (!written[b->id] && !(inside[buffer_root((Buffer *)b)->id] &&
				                                shares_written(p, (Buffer *)b, written))))
					continue;
				if (!written[b->id])
					return false;
				if (recurs_as_product(step)
				            ? m == 1
				            : reading_of(n, x, rows, units) == READS_ELSEWHERE)
					return false;
				read[b->id] = true;
			}
		for (int k = 0; k < step->write_count; k++) {
			const Buffer *b = step->writes[k], *matrix = recurrence_matrix(b, rows);
			if (read[matrix->id] || buffer_root((Buffer *)b)->class != BUFFER_ACTIVATION ||
			    !b->node || !type_has_rows(b->node->type, rows) ||
			    columns_of(b->node->type, rows) % units != 0)
				return false;
		}
	}
	return true;
}

static int64_t product_bytes(const Periods *f, const Recurrence *r, const RecurrenceShape *shape)
{
	int64_t bytes = 0;
	for (int i = 0; i < r->period; i++) {
		const Step *s = &f->p->steps[r->first + i];
		if (recurs_as_product(s))
			bytes += recurrent_product_bytes(
			        shape, s->root, recurrent_tensor_cores(s->root, pass_in_tf32(f->ctx)));
	}
	return bytes;
}

static bool has_room(const Periods *f, const Recurrence *r, const RecurrenceShape *shape)
{
	const Arch arch = target_arch(f->ctx->target);
	const int64_t blocks = ceil_div(shape->rows, RECURRENCE_ROWS) * shape->blocks;
	return product_bytes(f, r, shape) <= arch.shared_bytes && blocks <= MOST_TURNS * arch.multiprocessors;
}

/* ---- what a period leaves on chip */

const bool *recurrence_exchanges(Arena *a, const Program *p, const Recurrence *r)
{
	const RecurrenceShape shape = recurrence_shape(p, r);
	bool *exchanges = NEW_ARRAY(a, bool, p->buffer_count);
	for (int s = r->first; s < r->first + r->period * r->times; s++) {
		const Step *step = &p->steps[s];
		for (int k = 0; k < step->node_count; k++)
			for (int m = 0; m < step->nodes[k]->operand_count; m++) {
				const Node *n = step->nodes[k], *x = n->operands[m];
				const Buffer *b = matrix_read(p, step, x, shape.rows);
				if (b && (recurs_as_product(step) ||
				          reading_of(n, x, shape.rows, shape.units) != READS_OWN))
					exchanges[b->id] = true;
			}
	}
	return exchanges;
}

/* Of each buffer the first and the last step that read it, and whether more of it is read than columns that a block
 * owns, or by the host. */
typedef struct Reads {
	int first, last;
	bool whole;
} Reads;

static Reads *reads_of(const Periods *f, const Recurrence *r)
{
	const Program *p = f->p;
	Reads *reads = NEW_ARRAY(f->scratch, Reads, p->buffer_count);
	const bool *exchanges = recurrence_exchanges(f->scratch, p, r);
	bool *holds = NEW_ARRAY(f->scratch, bool, p->buffer_count); /* others are inside of it */
	for (int i = 0; i < p->buffer_count; i++)
		if (p->buffers[i]->inside)
			holds[p->buffers[i]->inside->id] = true;
	for (int i = 0; i < p->buffer_count; i++)
		reads[i] = (Reads){p->step_count, -1, exchanges[i] || p->buffers[i]->inside || holds[i]};
	for (int s = 0; s < p->step_count; s++)
		for (int k = 0; k < p->steps[s].read_count; k++) {
			Reads *of = &reads[buffer_root(p->steps[s].reads[k])->id];
			of->first = s < of->first ? s : of->first;
			of->last = s > of->last ? s : of->last;
		}
	for (int i = 0; i < p->graph->output_count; i++)
		if (p->output_buffers[i])
			reads[buffer_root(p->output_buffers[i])->id].whole = true;
	return reads;
}

/* Whether only the period that begins at this step reads it, and only its owner. */
static bool stays_within(const Buffer *b, const Reads *of, int period, int steps)
{
	return b->class == BUFFER_ACTIVATION && !b->to_end && !b->pitch && !b->rows && !of->whole &&
	       of->first >= period && of->last < period + steps;
}

/* What a step leaves for the rest of its period alone is in shared memory, as far as there is room. */
static void keep_on_chip(const Periods *f, const Recurrence *r)
{
	const RecurrenceShape shape = recurrence_shape(f->p, r);
	const Reads *reads = reads_of(f, r);
	const int64_t most = target_arch(f->ctx->target).shared_bytes;
	int64_t bytes = product_bytes(f, r, &shape);
	for (int i = 0; i < r->period; i++)
		for (int k = 0; k < f->p->steps[r->first + i].write_count; k++) {
			const int64_t owned =
			        recurrence_owned_bytes(&shape, f->p->steps[r->first + i].writes[k]->type);
			bool all = bytes + owned <= most;
			for (int t = 0; t < r->times && all; t++) {
				const Buffer *b = f->p->steps[r->first + t * r->period + i].writes[k];
				all = stays_within(b, &reads[b->id], r->first + t * r->period, r->period);
			}
			for (int t = 0; t < r->times && all; t++)
				f->p->steps[r->first + t * r->period + i].writes[k]->class = BUFFER_CHIP;
			bytes += all ? owned : 0;
		}
}

/* The steps of the branch, which stand last, go back to where their numbers say, but for those among the steps of a
 * recurrence, which come after it. */
static void restore_order(Program *p)
{
	for (int s = 0; s < p->step_count; s++) {
		const Step moved = p->steps[s];
		int to = s;
		while (moved.branch && to > 0 && p->steps[to - 1].id > moved.id)
			to--;
		while (to < s && to > 0 && p->steps[to].recurrence &&
		       p->steps[to].recurrence == p->steps[to - 1].recurrence)
			to++;
		memmove(&p->steps[to + 1], &p->steps[to], (size_t)(s - to) * sizeof moved);
		p->steps[to] = moved;
	}
	for (int s = p->step_count - 1; s >= 0; s--)
		if (p->steps[s].recurrence)
			((Recurrence *)p->steps[s].recurrence)->first = s;
	program_set_steps(p, p->steps, p->step_count);
}

/* Whether the step writes bytes that one of the recurrence reads; of the parameters an update of a range writes that
 * alone. */
static bool writes_for(const Program *p, const Step *step, const Recurrence *r)
{
	for (int s = r->first; s < r->first + r->period * r->times; s++)
		for (int k = 0; k < p->steps[s].read_count; k++)
			for (int m = 0; m < step->write_count; m++) {
				Buffer *read = p->steps[s].reads[k], *written = step->writes[m];
				if (buffer_root(read) == buffer_root(written) &&
				    buffers_share_bytes(read, written))
					return true;
			}
	return false;
}

/* Whether a step of the branch that stands among those of the recurrence writes what one of these reads. */
static bool waits_for_branch(const Program *p, const Recurrence *r)
{
	const int last = r->first + r->period * r->times - 1;
	for (int s = last + 1; s < p->step_count; s++)
		if (p->steps[s].branch && p->steps[s].id > p->steps[r->first].id &&
		    p->steps[s].id < p->steps[last].id && writes_for(p, &p->steps[s], r))
			return true;
	return false;
}

static bool fits(const Periods *f, const Recurrence *r)
{
	const RecurrenceShape shape = recurrence_shape(f->p, r);
	return shape.units >= FEWEST_UNITS && has_room(f, r, &shape) && keeps_to_rows(f, r, shape.units) &&
	       !waits_for_branch(f->p, r);
}

Program *pass_recurrence(PassContext *ctx, const Program *before)
{
	if (!target_has_clusters(ctx->target))
		return (Program *)before;
	Program *p = program_copy(ctx->arena, before);
	Periods f = {ctx, p, arena_new(), is_product, describe, fits, 0, NULL};
	Step *to = NEW_ARRAY(p->arena, Step, p->step_count);
	/* The chain first: what of the branch stands in it may end after it. */
	for (int s = 0; s < 2 * p->step_count; s++)
		if (p->steps[s % p->step_count].branch == (s >= p->step_count))
			*to++ = p->steps[s % p->step_count];
	p->steps = to - p->step_count;
	const bool found = periods_find(&f, "are one kernel");
	for (int s = 0; s < p->step_count; s++)
		if (p->steps[s].recurrence && p->steps[s].recurrence->first == s)
			keep_on_chip(&f, p->steps[s].recurrence);
	restore_order(p);
	arena_free(f.scratch);
	return found ? p : (Program *)before;
}
