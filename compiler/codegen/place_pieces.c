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
 * And what a `slice` cuts out along the first axis is read where it lies.
 *
 * Of many pieces along the first axis a few may be copied, as the state that several recurrences begin with; else all
 * or none: a concat whose first operand is read by others as it is, as the features of a DenseNet are, stays
 * a copy. Of nested ones the outer comes first, so that the inner finds its place.
 *
 * After lower, ahead of all passes that change steps. */
#include "ops/op.h"
#include "passes/domain.h"
#include "passes/pass.h"

enum {
	ALIGNMENT = 64, /* bytes, of a buffer in the arena: what steps expect of one that they take whole */
	ROW_ALIGNMENT = 16, /* and of rows that a kernel writes by vectors */
	PIECES_A_COPY = 8,  /* for each of so many pieces one may be copied */
};

typedef struct Pieces {
	Arena *scratch;
	Program *p;
	int *readers, *writers; /* by buffer: steps that read it, or a view of it, and write it */
	int *writer;            /* by buffer: the last step that writes it */
	bool *held;             /* by buffer: the host reads it, or it is the new value of a state */
	int *taken;         /* by buffer: 1 + the concat of which it was a piece when that was last asked */
	ARRAY(Step) copies; /* of the concat at hand */
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
	            .held = NEW_ARRAY(scratch, bool, p->buffer_count),
	            .taken = NEW_ARRAY(scratch, int, p->buffer_count)};
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

static void add_copy(Pieces *s, const Step *of, Buffer *from, Buffer *whole, int64_t offset)
{
	Buffer *to = program_add_buffer(s->p, BUFFER_ACTIVATION, from->name, from->type);
	to->node = from->node;
	to->inside = whole;
	to->offset = offset;
	array_push(s->scratch, &s->copies, step_copy(s->p, from, to, of->sites));
}

/* Whether the concat's pieces are in their places then, but for those that s->copies moves there. */
static bool place_pieces(Pieces *s, const Step *step)
{
	const Node *n = step->root;
	Buffer *whole = s->p->of_node[n->id];
	const int64_t axis = node_int(n, "axis"), size = dtype_bytes(n->type.dtype);
	int64_t rows = 1, at = 0, below = 1;
	int copied = 0;
	s->copies.count = 0;
	if (!whole || whole->pitch || whole->class != BUFFER_ACTIVATION)
		return false;
	for (int i = 0; i < n->type.rank; i++) {
		rows *= i < axis ? n->type.dim[i] : 1;
		below *= i > axis ? n->type.dim[i] : 1;
	}
	Buffer **pieces = NEW_ARRAY(s->scratch, Buffer *, n->operand_count); /* NULL: copied */
	Spot *spots = NEW_ARRAY(s->scratch, Spot, n->operand_count);
	for (int k = 0; k < n->operand_count; k++) {
		Buffer *b = s->p->of_node[n->operands[k]->id], *root = b ? buffer_root(b) : NULL;
		spots[k] = (Spot){at, rows > 1 ? n->type.dim[axis] * below : 0};
		at += n->operands[k]->type.dim[axis] * below;
		if (!b)
			return false;
		if (b->bytes == root->bytes && s->taken[root->id] != step->id + 1 &&
		    fits(s, root, whole, spots[k], rows)) {
			pieces[k] = root;
			s->taken[root->id] = step->id + 1;
		} else if (spots[k].pitch || ++copied > n->operand_count / PIECES_A_COPY) {
			return false;
		}
	}
	for (int k = 0; k < n->operand_count; k++) {
		if (!pieces[k]) {
			add_copy(s, step, s->p->of_node[n->operands[k]->id], whole, spots[k].offset * size);
			continue;
		}
		pieces[k]->inside = whole;
		pieces[k]->offset = spots[k].offset * size;
		pieces[k]->pitch = spots[k].pitch;
		pieces[k]->bytes = buffer_bytes(pieces[k]);
	}
	return true;
}

/* A range of a value along its first axis but for 1s is read there, as a piece is. */
static bool place_range(Pieces *s, const Step *step)
{
	const Node *n = step->nodes[0], *of = n->operands[0];
	Buffer *to = s->p->of_node[n->id], *from = s->p->of_node[of->id];
	const int64_t axis = node_int(n, "axis");
	int64_t below = 1;
	for (int i = 0; i < n->type.rank; i++) {
		if (i < axis && n->type.dim[i] != 1)
			return false;
		below *= i > axis ? n->type.dim[i] : 1;
	}
	if (!to || !from || from->class != BUFFER_ACTIVATION || from->pitch ||
	    !fits(s, to, from, (Spot){node_int(n, "start") * below, 0}, 1))
		return false;
	to->inside = from;
	to->offset = node_int(n, "start") * below * dtype_bytes(to->type.dtype);
	return true;
}

static bool is_slice(const Step *s)
{
	return s->kind == STEP_KERNEL && s->node_count == 1 && node_is(s->nodes[0], "slice");
}

static bool is_concat(const Step *s)
{
	return s->root && s->node_count == 1 && node_is(s->root, "concat");
}

Program *pass_place_pieces(PassContext *ctx, const Program *before)
{
	bool any = false;
	for (int i = 0; i < before->step_count; i++)
		any = any || is_concat(&before->steps[i]) || is_slice(&before->steps[i]);
	if (!any)
		return (Program *)before;
	Program *p = program_copy(ctx->arena, before);
	Arena *scratch = arena_new();
	Pieces s = pieces_of(scratch, p);
	ARRAY(Step) kept = {0}; /* the last first */
	for (int i = p->step_count - 1; i >= 0; i--) {
		const Step *step = &p->steps[i];
		const bool dissolved = is_concat(step)  ? place_pieces(&s, step)
		                       : is_slice(step) ? place_range(&s, step)
		                                        : false;
		for (int k = 0; dissolved && is_concat(step) && k < s.copies.count; k++)
			array_push(scratch, &kept, s.copies.at[k]);
		if (!dissolved)
			array_push(scratch, &kept, *step);
	}
	Step *steps = NEW_ARRAY(p->arena, Step, kept.count);
	for (int i = 0; i < kept.count; i++)
		steps[i] = kept.at[kept.count - 1 - i];
	program_set_steps(p, steps, kept.count);
	arena_free(scratch);
	return p;
}
