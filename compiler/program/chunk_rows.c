/* SPDX-License-Identifier: MIT */
/* A matrix that only the kernel after its product reads is computed and read a few rows at a time.
 *
 * The logits of 8192 places over 50257 classes are 1.6 GB in f32, and all that is wanted of them is a number for each
 * place and a gradient of half the size: with both in memory they are the peak of a training step. Where a product by
 * the library writes such a matrix, and one kernel reads it, row by row, the two become pairs of steps of some rows
 * each, one pair after another, and the matrix has room for the rows of one pair:
 *
 *     step 220 library ... writes=[802]        step 220 library ... writes=[802] rows=0..1024
 *     step 221 kernel ... reads=[802,...]  ->  step 221 kernel ... reads=[802,...] rows=0..1024
 *                                              step 222 library ... writes=[802] rows=1024..2048
 *                                              ...
 *
 * The pairs call the same functions, with pointers that are so many rows further on (step_rows_from). Every row is
 * computed as before, so the results are the same bits where the library takes the same plan.
 *
 * For the CUDA target. After the passes that look for steps to run beside others, before pad_rows. */
#include "program/chunk_rows.h"
#include "passes/implementation.h"
#include "ops/matmul.h"
#include "ir/op.h"
#include "ir/domain.h"
#include "passes/pass.h"

enum { SMALLER = 2 /* parts are at least so many times smaller than what is not divided */ };

bool step_is_product(const Step *s)
{
	if (s->kind != STEP_LIBRARY || s->node_count != 1 || implementation_beside(s->root))
		return false;
	const Implementation *m = implementation_of(s->root);
	return m->by_rows && m->by_rows(s->root);
}

bool step_is_of_rows(const Step *s)
{
	if (s->kind != STEP_KERNEL || s->range.count > 0 || s->sums != SUMS_WITHIN)
		return false;
	const Domain *d = &s->shape->domain;
	return d->rank == 2 && !d->reduced[0] && d->reduced[1];
}

/* Whether an element knows its place in the whole tensor, and not in its row alone. */
static bool counts_rows(const Node *n)
{
	if ((n->op->flags & OP_SEEDED) || n->op->place ||
	    ((n->op->flags & OP_INDEXED) && !(n->op->flags & OP_BY_COLUMN)))
		return true;
	for (int k = 0; k < n->operand_count; k++)
		if (node_is_inline(n->operands[k]) && type_elements(n->operands[k]->type) > 1 &&
		    counts_rows(n->operands[k]))
			return true;
	return false;
}

static bool is_kernel_for_it(const Step *s, const Buffer *x)
{
	if (!step_is_of_rows(s) || s->shape->resident || s->shape->domain.dim[0] != x->type.dim[0] ||
	    s->shape->domain.dim[1] != x->type.dim[1])
		return false;
	for (int i = 0; i < s->node_count; i++)
		if (counts_rows(s->nodes[i]))
			return false;
	for (int i = 0; i < s->write_count; i++)
		if (s->writes[i]->class == BUFFER_WORKSPACE)
			return false;
	return true;
}

static bool may_be_chunked(const Buffer *b, int64_t least)
{
	return b->class == BUFFER_ACTIVATION && !b->inside && !b->to_end && b->type.rank == 2 && !b->rows &&
	       b->bytes >= least;
}

/* Rows of a part: the most that are a share of all, and small enough. 0: there are none.
 *
 * Each part of the product's first operand begins at a multiple of 16 bytes, as the whole does. Parts of other
 * alignments would need plans of their own: the first part would be computed by another kernel when the plan of a later
 * one is there, and a step repeated would give other bits. */
static int64_t rows_of_part(const Buffer *b, const Type *operand, int64_t least, int64_t most)
{
	enum { ALIGNMENT = 16 };
	const int64_t all = b->type.dim[0], row = type_elements(*operand) / all * dtype_bytes(operand->dtype);
	for (int64_t parts = 2; all / parts >= least; parts++)
		if (all % parts == 0 && b->bytes / parts <= most && all / parts * row % ALIGNMENT == 0)
			return all / parts;
	return 0;
}

static bool touches(Buffer *const *list, int count, const Buffer *b)
{
	for (int i = 0; i < count; i++)
		if (buffer_root(list[i]) == b)
			return true;
	return false;
}

/* The one step that writes x, and the one that reads it; false: there are others, or one between them writes what the
 * first reads. */
static bool find_pair(const Program *p, const Buffer *x, int *product, int *kernel)
{
	*product = *kernel = -1;
	for (int s = 0; s < p->step_count; s++) {
		const Step *step = &p->steps[s];
		const bool writes = touches(step->writes, step->write_count, x),
		           reads = touches(step->reads, step->read_count, x);
		if ((writes && (reads || *product >= 0)) || (reads && (*product < 0 || *kernel >= 0)))
			return false;
		*product = writes ? s : *product;
		*kernel = reads ? s : *kernel;
	}
	if (*kernel < 0)
		return false;
	const Step *first = &p->steps[*product];
	for (int s = *product + 1; s < *kernel; s++)
		for (int i = 0; i < first->read_count; i++)
			if (touches(p->steps[s].writes, p->steps[s].write_count,
			            buffer_root(first->reads[i])))
				return false;
	return true;
}

static Step part_of(Arena *a, const Step *whole, StepRange rows, int64_t all)
{
	Step part = *whole;
	part.rows = rows;
	part.flops = whole->flops * (double)rows.count / (double)all;
	part.bytes = whole->bytes * (double)rows.count / (double)all;
	if (part.shape)
		step_decide_shape(a, &part);
	return part;
}

static void chunk(Program *p, int product, int kernel, int64_t rows)
{
	const int64_t all = p->steps[product].root->type.dim[0];
	Step *steps = NEW_ARRAY(p->arena, Step, p->step_count + 2 * (int)(all / rows));
	int count = 0;
	for (int s = 0; s < p->step_count; s++) {
		if (s == product)
			continue;
		for (int64_t first = 0; s == kernel && first < all; first += rows) {
			const StepRange range = {.first = first, .count = rows};
			steps[count++] = part_of(p->arena, &p->steps[product], range, all);
			steps[count++] = part_of(p->arena, &p->steps[kernel], range, all);
		}
		if (s != kernel)
			steps[count++] = p->steps[s];
	}
	program_set_steps(p, steps, count);
}

/* How a step of rows takes a buffer: its own rows, the whole with each of them, or both, by two operands. */
typedef struct Ways {
	bool rows, whole;
} Ways;

static Ways ways_of(const Program *p, const Step *s, const LoopNest *nest, const Buffer *b)
{
	Ways w = {0};
	for (int i = 0; i < s->node_count; i++) {
		const Node *n = s->nodes[i];
		w.rows |= p->of_node[n->id] == b;
		for (int k = 0; k < n->operand_count; k++) {
			if (nest_position(nest, n->operands[k]) >= 0 || buffer_of(p, n->operands[k]) != b)
				continue;
			const bool rows =
			        s->root ? k == 0 : loop_runs_along(nest, i, n->operands[k]->type, false);
			w.rows |= rows;
			w.whole |= !rows;
		}
	}
	return w;
}

static LoopNest nest_of(Arena *a, const Step *s, const Target *target)
{
	return s->root ? (LoopNest){0} : loops_of_step(a, s, target);
}

/* A call takes one pointer for each buffer: it can't stand at the first row and further on. */
static bool one_way_each(Arena *a, const Program *p, const Step *s, const Target *target)
{
	const LoopNest nest = nest_of(a, s, target);
	for (int i = 0; i < s->read_count; i++) {
		const Ways w = ways_of(p, s, &nest, s->reads[i]);
		if (w.rows && w.whole)
			return false;
	}
	return true;
}

int64_t step_rows_from(Arena *a, const Program *p, const Step *s, const Target *target, const Buffer *b)
{
	if (s->rows.count == 0 || b->rows)
		return 0;
	const int64_t all = s->root ? s->root->type.dim[0] : s->nodes[0]->type.dim[0];
	const int64_t row = b->pitch ? b->pitch : type_elements(b->type) / all;
	const LoopNest nest = nest_of(a, s, target);
	const Ways w = ways_of(p, s, &nest, b);
	if (w.rows == w.whole)
		bug("step %d takes buffer %d in %s", s->id, b->id, w.rows ? "two ways" : "no node");
	return w.rows ? s->rows.first * row : 0;
}

Program *pass_chunk_rows(PassContext *ctx, const Program *before)
{
	const int64_t least = ctx->target->chunks_from;
	bool any = false;
	for (int i = 0; i < before->buffer_count && least > 0; i++)
		any = any || may_be_chunked(before->buffers[i], least);
	if (!any)
		return (Program *)before;
	Program *p = program_copy(ctx->arena, before);
	for (int i = 0; i < p->buffer_count; i++) {
		Buffer *b = p->buffers[i];
		int product, kernel;
		if (!may_be_chunked(b, least) || program_has_inside(p, b) ||
		    !find_pair(p, b, &product, &kernel))
			continue;
		MatmulShape shape;
		if (!step_is_product(&p->steps[product]) || !is_kernel_for_it(&p->steps[kernel], b) ||
		    p->steps[product].branch != p->steps[kernel].branch ||
		    !one_way_each(ctx->arena, p, &p->steps[product], ctx->target) ||
		    !one_way_each(ctx->arena, p, &p->steps[kernel], ctx->target))
			continue;
		const Node *root = p->steps[product].root;
		matmul_shape(root, &shape);
		const int64_t rows = shape.ta ? 0
		                              : rows_of_part(b, &root->operands[0]->type,
		                                             ctx->target->chunk_rows, least / SMALLER);
		if (rows == 0)
			continue;
		chunk(p, product, kernel, rows);
		b->rows = rows;
		b->bytes = buffer_bytes(b);
		pass_remark(ctx, "%s: %s %s is computed, and read, %lld rows at a time",
		            sites_text(ctx->arena, b->node->sites, 3), b->node->op->name,
		            shape_text(ctx->arena, b->type), (long long)rows);
	}
	return p;
}
