/* SPDX-License-Identifier: MIT */
/* Rows of matrices that do not begin at a multiple of 16 bytes are stored further apart.
 *
 * Tensor cores are fed by loads of 16 bytes. Logits of 50257 classes have rows of 201028 bytes, in bf16, as their
 * gradient, of 100514: cuBLASLt then has kernels alone that load an element at a time. Where every step that touches
 * such a matrix names its rows, its buffer gets a `pitch`, the elements from row to row: 50272, or 50304. Those steps
 * are products by the library, which take it as a leading dimension, and kernels of rows, whose indices have it in the
 * place of the number of columns. A kernel that goes through all elements as one sequence, a view, an output that the
 * host reads: each of these wants dense rows, and the matrix stays as it is.
 *
 * In training and evaluation, for the CUDA target, where the library is. After all passes that change steps, before
 * assign_buffers. */
#include "base/checked.h"
#include "program/chunk_rows.h"
#include "ir/op.h"
#include "ir/domain.h"
#include "passes/pass.h"

enum {
	ALIGNMENT = 16, /* bytes, of a load; and of the addresses that TMA takes */
	LINE = 128,     /* of the caches: where it costs little, a row begins with one */
	MOST_SHARE = 16 /* of a row, that may be added for that: one part in so many */
};

/* What keeps the matrices of a program from it, by buffer. */
typedef struct Rows {
	const Program *p;
	bool *refused, *multiplied;
} Rows;

static int64_t pitch_of(Type t)
{
	const int64_t bytes = dtype_bytes(t.dtype), columns = t.dim[1];
	const int64_t line = ceil_div(columns * bytes, LINE) * LINE / bytes;
	return (line - columns) * MOST_SHARE <= columns
	               ? line
	               : ceil_div(columns * bytes, ALIGNMENT) * ALIGNMENT / bytes;
}

static bool may_be_padded(const Buffer *b, int64_t least)
{
	const Type t = b->type;
	return b->class == BUFFER_ACTIVATION && !b->inside && !b->to_end && t.rank == 2 && t.dim[0] > 1 &&
	       t.dim[1] > 1 && t.dim[1] * dtype_bytes(t.dtype) % ALIGNMENT != 0 &&
	       type_elements(t) >= least && t.dim[0] * pitch_of(t) <= INT32_MAX;
}

/* Whether the kernel goes through x by its rows and columns, at this node. */
static bool runs_through(const Step *s, int position, const Node *x)
{
	const Node *n = s->nodes[position];
	const Type reader = n == x || !(n->op->flags & OP_REDUCE) ? n->type : n->operands[0]->type;
	const bool full = s->shape->level[position] == LEVEL_FULL || (n->op->flags & OP_REDUCE);
	const Domain *d = &s->shape->domain;
	const int64_t rows = s->rows.count > 0 ? x->type.dim[0] : d->dim[0];
	return full && !n->op->place && shape_equal(reader, x->type) && x->type.dim[0] == rows &&
	       x->type.dim[1] == d->dim[1];
}

static void refuse_of_kernel(Rows *r, const Step *s)
{
	for (int i = 0; i < s->node_count; i++) {
		const Node *n = s->nodes[i];
		const Buffer *own = r->p->of_node[n->id];
		if (own && (!step_is_of_rows(s) || n->type.rank != 2 || !runs_through(s, i, n)))
			r->refused[buffer_root((Buffer *)own)->id] = true;
		for (int k = 0; k < n->operand_count; k++) {
			const Buffer *from = r->p->of_node[n->operands[k]->id];
			if (from && (!step_is_of_rows(s) || n->operands[k]->type.rank != 2 ||
			             !runs_through(s, i, n->operands[k])))
				r->refused[buffer_root((Buffer *)from)->id] = true;
		}
	}
}

static void look_at_step(Rows *r, const Step *s)
{
	const bool product = step_is_product(s);
	if (s->shape && !s->root) {
		refuse_of_kernel(r, s);
		return;
	}
	for (int i = 0; i < s->read_count + s->write_count; i++) {
		Buffer *b = i < s->read_count ? s->reads[i] : s->writes[i - s->read_count];
		r->refused[buffer_root(b)->id] |= !product;
		r->multiplied[buffer_root(b)->id] |= product;
	}
}

Program *pass_pad_rows(PassContext *ctx, const Program *before)
{
	bool any = false;
	for (int i = 0; i < before->buffer_count && ctx->target->pads_from > 0; i++)
		any = any || may_be_padded(before->buffers[i], ctx->target->pads_from);
	if (!any)
		return (Program *)before;
	Program *p = program_copy(ctx->arena, before);
	Arena *scratch = arena_new();
	Rows r = {.p = p,
	          .refused = NEW_ARRAY(scratch, bool, p->buffer_count),
	          .multiplied = NEW_ARRAY(scratch, bool, p->buffer_count)};
	for (int s = 0; s < p->step_count; s++)
		look_at_step(&r, &p->steps[s]);
	for (int i = 0; i < p->buffer_count; i++)
		if (p->buffers[i]->inside)
			r.refused[buffer_root(p->buffers[i])->id] = true;
	for (int i = 0; i < p->graph->output_count; i++)
		if (p->output_buffers[i])
			r.refused[buffer_root(p->output_buffers[i])->id] = true;
	for (int i = 0; i < p->buffer_count; i++) {
		Buffer *b = p->buffers[i];
		if (!may_be_padded(b, ctx->target->pads_from) || r.refused[i] || !r.multiplied[i])
			continue;
		b->pitch = pitch_of(b->type);
		b->bytes = buffer_bytes(b);
		pass_remark(ctx, "%s: rows of %s %s are stored %lld elements apart",
		            sites_text(ctx->arena, b->node->sites, 3), b->node->op->name,
		            shape_text(ctx->arena, b->type), (long long)b->pitch);
	}
	arena_free(scratch);
	return p;
}
