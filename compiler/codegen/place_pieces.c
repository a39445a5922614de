/* What is put side by side is computed there.
 *
 * A `concat` copies: of a recurrence the gradients of the gates at each step, then those of all steps, whose rows a
 * weight's gradient is summed from. Where each piece is a value that some step computes and nothing else holds in
 * place, its buffer moves into the concat's, and the concat is no step any more:
 *
 *   - along the first axis, but for 1s, a piece is a range of the whole; any step can write it, and any read it there
 *   - along another axis it is columns of a matrix: rows that are `pitch` elements apart. A map writes those, and the
 *     values after a product, each at its index; nothing but the concat may read them.
 *
 * All pieces or none: a concat whose first operand is read by others as it is, as the features of a DenseNet are, stays
 * a copy. Of nested ones the outer comes first, so that the inner finds its place.
 *
 * After lower, ahead of all passes that change steps. */
#include "ops/op.h"
#include "passes/domain.h"
#include "passes/pass.h"

enum {
	ALIGNMENT = 64, /* bytes, of a buffer in the arena: what steps expect of one that they take whole */
	ROW_ALIGNMENT = 16, /* and of rows that a kernel writes by vectors */
};

typedef struct Pieces {
	Arena *scratch;
	Program *p;
	int *readers, *writers; /* by buffer: steps that read it, or a view of it, and write it */
	int *writer;            /* by buffer: the last step that writes it */
	bool *held;             /* by buffer: the host reads it, or it is the new value of a state */
} Pieces;

/* Where an operand would be in the whole, in elements. */
typedef struct Spot {
	int64_t offset, pitch; /* pitch 0: without gaps */
} Spot;

static Pieces pieces_of(Arena *scratch, Program *p)
{
	Pieces s = {.scratch = scratch,
	            .p = p,
	            .readers = NEW_ARRAY(scratch, int, p->buffer_count),
	            .writers = NEW_ARRAY(scratch, int, p->buffer_count),
	            .writer = NEW_ARRAY(scratch, int, p->buffer_count),
	            .held = NEW_ARRAY(scratch, bool, p->buffer_count)};
	for (int i = 0; i < p->step_count; i++) {
		const Step *step = &p->steps[i];
		for (int k = 0; k < step->read_count; k++)
			s.readers[buffer_root(step->reads[k])->id]++;
		for (int k = 0; k < step->write_count; k++) {
			int root = buffer_root(step->writes[k])->id;
			s.writers[root]++;
			s.writer[root] = i;
		}
	}
	for (int i = 0; i < p->graph->output_count; i++)
		if (p->output_buffers[i])
			s.held[buffer_root(p->output_buffers[i])->id] = true;
	return s;
}

static bool computes_by_element(const Step *s, const Node *n)
{
	bool map = s->kind == STEP_KERNEL && s->shape && !s->shape->domain.has_reduction;
	return map || (s->kind == STEP_OP && s->root != n);
}

/* Whether the operand, `b`, can be there. */
static bool fits(const Pieces *s, const Buffer *b, const Buffer *whole, Spot spot, int64_t rows)
{
	const int64_t size = dtype_bytes(whole->type.dtype);
	if (b->inside || b->class != BUFFER_ACTIVATION || b->pitch || b->rows || b->to_end || !b->node ||
	    b->type.dtype != whole->type.dtype || s->held[b->id] || s->writers[b->id] != 1)
		return false;
	if (!spot.pitch)
		return spot.offset * size % ALIGNMENT == 0;
	return b->type.rank == 2 && b->type.dim[0] == rows && b->type.dim[0] > 1 && b->type.dim[1] > 1 &&
	       s->readers[b->id] == 1 && spot.offset * size % ROW_ALIGNMENT == 0 &&
	       spot.pitch * size % ROW_ALIGNMENT == 0 &&
	       computes_by_element(&s->p->steps[s->writer[b->id]], b->node);
}

static void place_pieces(Pieces *s, const Step *step, bool *dissolved)
{
	const Node *n = step->root;
	Buffer *whole = s->p->of_node[n->id];
	const int64_t axis = node_int(n, "axis");
	int64_t rows = 1, at = 0, below = 1;
	if (!whole || whole->pitch || whole->class != BUFFER_ACTIVATION)
		return;
	for (int i = 0; i < n->type.rank; i++) {
		rows *= i < axis ? n->type.dim[i] : 1;
		below *= i > axis ? n->type.dim[i] : 1;
	}
	Buffer **pieces = NEW_ARRAY(s->scratch, Buffer *, n->operand_count);
	Spot *spots = NEW_ARRAY(s->scratch, Spot, n->operand_count);
	for (int k = 0; k < n->operand_count; k++) {
		Buffer *b = s->p->of_node[n->operands[k]->id];
		pieces[k] = b ? buffer_root(b) : NULL;
		spots[k] = (Spot){at, rows > 1 ? n->type.dim[axis] * below : 0};
		if (!b || b->bytes != pieces[k]->bytes || !fits(s, pieces[k], whole, spots[k], rows))
			return;
		for (int i = 0; i < k; i++)
			if (pieces[i] == pieces[k])
				return;
		at += n->operands[k]->type.dim[axis] * below;
	}
	for (int k = 0; k < n->operand_count; k++) {
		pieces[k]->inside = whole;
		pieces[k]->offset = spots[k].offset * dtype_bytes(whole->type.dtype);
		pieces[k]->pitch = spots[k].pitch;
		pieces[k]->bytes = buffer_bytes(pieces[k]);
	}
	dissolved[step->id] = true;
}

static bool is_concat(const Step *s)
{
	return s->root && s->node_count == 1 && node_is(s->root, "concat");
}

Program *pass_place_pieces(PassContext *ctx, const Program *before)
{
	bool any = false;
	for (int i = 0; i < before->step_count; i++)
		any = any || is_concat(&before->steps[i]);
	if (!any)
		return (Program *)before;
	Program *p = program_copy(ctx->arena, before);
	Arena *scratch = arena_new();
	Pieces s = pieces_of(scratch, p);
	bool *dissolved = NEW_ARRAY(scratch, bool, p->step_count);
	int count = 0;
	for (int i = p->step_count - 1; i >= 0; i--)
		if (is_concat(&p->steps[i]))
			place_pieces(&s, &p->steps[i], dissolved);
	for (int i = 0; i < p->step_count; i++)
		if (!dissolved[i])
			p->steps[count++] = p->steps[i];
	program_set_steps(p, p->steps, count);
	arena_free(scratch);
	return p;
}
