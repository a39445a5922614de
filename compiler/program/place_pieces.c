/* SPDX-License-Identifier: MIT */
/* What is put side by side is computed there.
 *
 * A `concat` copies: of a recurrence the gradients of the gates at each step, then those of all steps, whose rows a
 * weight's gradient is summed from. Where each piece is a value that some step computes and nothing else holds in
 * place, its buffer moves into the concat's, and the concat is no step any more:
 *
 *   - along the first axis, but for 1s, a piece is a range of the whole; any step can write it, and any read it there
 *   - along the last axis it is columns: rows that are `pitch` elements apart. Kernels write and read those that go
 *     through the value by rows and columns, the values after a product are written there, each at its index, and what
 *     is left of an inner concat. A library's results are copied, and what a library or an operator's own loops read is
 *     dense. So of the features of a DenseNet's block each layer adds its own to one tensor, and reads those ahead of
 *     them there.
 *
 * And what a `slice` cuts out along the first axis is read where it lies.
 *
 * Of many pieces along the first axis a few may be copied by themselves, as the state that several recurrences begin
 * with; along the last, what can't be placed is what the concat's step still copies, if it is no more than half. Of
 * nested ones the outer comes first, so that the inner finds its place.
 *
 * After lower, ahead of all passes that change steps. */
#include "ir/op.h"
#include "ops/shape.h"
#include "ir/domain.h"
#include "passes/pass.h"

enum {
	ALIGNMENT = 64, /* bytes, of a buffer in the arena: what steps expect of one that they take whole */
	ROW_ALIGNMENT = 16, /* and of rows that a kernel writes by its longest vectors */
	PIECES_A_COPY = 8,  /* for each of so many pieces one may be copied */
	SHORTEST_READ =
	        64, /* bytes of a row, of what others read too: less of a line would be read for nothing */
	NEAR = 32   /* steps ahead of the concat that a piece of less than half of it may be written */
};

/* The steps that read a buffer. */
typedef struct Reader {
	int step;
	struct Reader *next;
} Reader;

typedef struct Pieces {
	Arena *scratch;
	Program *p;
	Reader **readers; /* by buffer: of it, or a view of it */
	int *writers;     /* by buffer: steps that write it */
	int *writer;      /* by buffer: the last step that writes it */
	bool *held;       /* by buffer: the host reads it, or it is the new value of a state */
	bool *viewed;     /* by buffer: others are inside it, past its first row */
	int *taken;       /* by buffer: 1 + the concat of which it was a piece when that was last asked */
	int *met,
	        *twice; /* by buffer: 1 + the last concat that has it as an operand, and that has it again */
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
	            .readers = NEW_ARRAY(scratch, Reader *, p->buffer_count),
	            .writers = NEW_ARRAY(scratch, int, p->buffer_count),
	            .writer = NEW_ARRAY(scratch, int, p->buffer_count),
	            .held = NEW_ARRAY(scratch, bool, p->buffer_count),
	            .viewed = NEW_ARRAY(scratch, bool, p->buffer_count),
	            .taken = NEW_ARRAY(scratch, int, p->buffer_count),
	            .met = NEW_ARRAY(scratch, int, p->buffer_count),
	            .twice = NEW_ARRAY(scratch, int, p->buffer_count)};
	for (int i = 0; i < p->step_count; i++) {
		const Step *step = &p->steps[i];
		for (int k = 0; k < step->read_count; k++) {
			Reader **first = &s.readers[buffer_root(step->reads[k])->id],
			       *reader = NEW(scratch, Reader);
			*reader = (Reader){i, *first};
			*first = reader;
		}
		for (int k = 0; k < step->write_count; k++) {
			int root = buffer_root(step->writes[k])->id;
			s.writers[root]++;
			s.writer[root] = i;
		}
	}
	for (int i = 0; i < p->buffer_count; i++)
		if (p->buffers[i]->inside && !buffer_in_first_row(p->buffers[i]))
			s.viewed[p->buffers[i]->inside->id] = true;
	for (int i = 0; i < p->graph->output_count; i++)
		if (p->output_buffers[i])
			s.held[buffer_root(p->output_buffers[i])->id] = true;
	return s;
}

static bool is_concat(const Step *s)
{
	return s->root && s->node_count == 1 && s->root->op->move == MOVE_CONCAT;
}

/* Whether the kernel goes through b by rows and columns, wherever it reads or writes it. */
static bool goes_by_rows(const Program *p, const Step *s, const Buffer *b)
{
	if (s->kind != STEP_KERNEL || !s->shape)
		return false;
	const Domain *d = &s->shape->domain;
	if (type_elements(b->type) != d->outer * d->middle * d->inner)
		return false;
	for (int i = 0; i < s->node_count; i++) {
		const Node *n = s->nodes[i];
		const bool views = n->op->flags & (OP_REDUCE | OP_ALIAS);
		if (p->of_node[n->id] == b && s->shape->level[i] != LEVEL_FULL)
			return false;
		for (int k = 0; k < n->operand_count; k++)
			if (p->of_node[n->operands[k]->id] == b &&
			    (n->op->place || (!views && !shape_equal(n->type, b->type))))
				return false;
	}
	return true;
}

/* Whether all that touches the operand, but for the concat of step `at`, finds its rows apart. */
static bool may_be_apart(const Pieces *s, const Buffer *b, const Buffer *whole, int at)
{
	const Program *p = s->p;
	const int64_t columns = b->type.dim[b->type.rank - 1] * dtype_bytes(b->type.dtype);
	const Step *writer = &p->steps[s->writer[b->id]];
	const bool late = writer->id + NEAR >= at || 2 * b->bytes >= whole->bytes;
	if (!is_concat(writer) && !(writer->kind == STEP_OP && writer->root != b->node) &&
	    !goes_by_rows(p, writer, b))
		return false;
	for (const Reader *r = s->readers[b->id]; r; r = r->next)
		if (r->step != at &&
		    (columns < SHORTEST_READ || !late || !goes_by_rows(p, &p->steps[r->step], b)))
			return false;
	return late;
}

/* Of a row of the operand, what its longest vectors are multiples of: shorter ones it has where it is dense, too. */
static int64_t row_alignment(const Buffer *b)
{
	const int64_t bytes = b->type.dim[b->type.rank - 1] * dtype_bytes(b->type.dtype);
	int64_t alignment = ROW_ALIGNMENT;
	while (bytes % alignment != 0)
		alignment /= 2;
	return alignment;
}

/* Whether the operand, `b`, can be there. */
static bool fits(const Pieces *s, const Buffer *b, const Buffer *whole, Spot spot, int at)
{
	const int64_t size = dtype_bytes(whole->type.dtype);
	if (b->inside || b->class != BUFFER_ACTIVATION || b->pitch || b->rows || b->to_end || !b->node ||
	    b->type.dtype != whole->type.dtype || s->held[b->id] || s->writers[b->id] != 1)
		return false;
	if (!spot.pitch)
		return spot.offset * size % ALIGNMENT == 0;
	if (b->type.rank != whole->type.rank || b->type.dim[b->type.rank - 1] <= 1 || s->viewed[b->id])
		return false;
	const int64_t alignment = row_alignment(b);
	return spot.offset * size % alignment == 0 && spot.pitch * size % alignment == 0 &&
	       may_be_apart(s, b, whole, at);
}

static void add_copy(Pieces *s, const Step *of, Buffer *from, Buffer *whole, int64_t offset)
{
	Buffer *to = program_add_buffer(s->p, BUFFER_ACTIVATION, from->name, from->type);
	to->node = from->node;
	to->inside = whole;
	to->offset = offset;
	array_push(s->scratch, &s->copies, step_copy(s->p, from, to, of->sites));
}

/* Of the concat's operands, those that fit into their places; NULL: the others. */
typedef struct Placing {
	Buffer **pieces;
	Spot *spots;
	int count, copied;
} Placing;

/* What is there twice can't be apart: the second is copied from the first. */
static void find_repeated(Pieces *s, const Step *step)
{
	for (int k = 0; k < step->root->operand_count; k++) {
		Buffer *b = s->p->of_node[step->root->operands[k]->id];
		if (!b)
			continue;
		const int root = buffer_root(b)->id;
		if (s->met[root] == step->id + 1)
			s->twice[root] = step->id + 1;
		s->met[root] = step->id + 1;
	}
}

static Placing find_places(Pieces *s, const Step *step, Buffer *whole)
{
	const Node *n = step->root;
	const int64_t axis = node_int(n, "axis");
	int64_t rows = 1, at = 0, below = 1;
	for (int i = 0; i < n->type.rank; i++) {
		rows *= i < axis ? n->type.dim[i] : 1;
		below *= i > axis ? n->type.dim[i] : 1;
	}
	Placing l = {.pieces = NEW_ARRAY(s->scratch, Buffer *, n->operand_count),
	             .spots = NEW_ARRAY(s->scratch, Spot, n->operand_count),
	             .count = n->operand_count};
	const int64_t pitch = whole->pitch ? whole->pitch : rows > 1 ? n->type.dim[axis] * below : 0;
	const bool apart = axis == n->type.rank - 1 && rows * pitch <= INT32_MAX;
	find_repeated(s, step);
	for (int k = 0; k < n->operand_count; k++) {
		Buffer *b = s->p->of_node[n->operands[k]->id], *root = b ? buffer_root(b) : NULL;
		l.spots[k] = (Spot){at, pitch};
		at += n->operands[k]->type.dim[axis] * below;
		if (b && b->bytes == root->bytes && s->taken[root->id] != step->id + 1 &&
		    (!pitch || (apart && s->twice[root->id] != step->id + 1)) &&
		    fits(s, root, whole, l.spots[k], step->id)) {
			l.pieces[k] = root;
			s->taken[root->id] = step->id + 1;
		} else {
			l.copied++;
		}
	}
	return l;
}

static int64_t bytes_copied(const Pieces *s, const Node *n, const Placing *l)
{
	int64_t bytes = 0;
	for (int k = 0; k < l->count; k++) {
		const Buffer *b = s->p->of_node[n->operands[k]->id];
		bytes += !l->pieces[k] && b ? b->bytes : 0;
	}
	return bytes;
}

/* The operands that the concat still copies are all that its step reads. */
static void leave_copies(Pieces *s, Step *step, const Placing *l)
{
	Buffer **reads = NEW_ARRAY(s->p->arena, Buffer *, l->copied);
	int count = 0;
	step->bytes = 0;
	for (int k = 0; k < l->count; k++) {
		Buffer *b = s->p->of_node[step->root->operands[k]->id];
		if (l->pieces[k])
			continue;
		step->bytes += 2 * (double)b->bytes;
		reads[count++] = b;
	}
	step->reads = reads;
	step->read_count = count;
}

/* Whether the concat is no step any more: its pieces are in their places then, but for those that s->copies moves
 * there. */
static bool place_pieces(Pieces *s, Step *step)
{
	const Node *n = step->root;
	Buffer *whole = s->p->of_node[n->id];
	s->copies.count = 0;
	if (!whole || whole->class != BUFFER_ACTIVATION)
		return false;
	const Placing l = find_places(s, step, whole);
	const bool apart = l.spots[0].pitch != 0;
	if (l.copied == l.count || (!apart && l.copied > l.count / PIECES_A_COPY) ||
	    2 * bytes_copied(s, n, &l) > whole->bytes)
		return false;
	for (int k = 0; k < n->operand_count; k++)
		if (!s->p->of_node[n->operands[k]->id])
			return false;
	for (int k = 0; k < n->operand_count; k++) {
		const int64_t offset = l.spots[k].offset * dtype_bytes(n->type.dtype);
		Buffer *piece = l.pieces[k];
		if (!piece && !apart)
			add_copy(s, step, s->p->of_node[n->operands[k]->id], whole, offset);
		if (!piece)
			continue;
		/* of rows that are apart the columns are of what those are of: no chain of many layers */
		piece->inside = whole->pitch ? whole->inside : whole;
		piece->offset = offset + (whole->pitch ? whole->offset : 0);
		piece->pitch = l.spots[k].pitch;
		piece->bytes = buffer_bytes(piece);
		s->viewed[whole->id] = s->viewed[piece->inside->id] = true;
	}
	if (apart && l.copied > 0)
		leave_copies(s, step, &l);
	return !apart || l.copied == 0;
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
	    !fits(s, to, from, (Spot){node_int(n, "start") * below, 0}, step->id))
		return false;
	to->inside = from;
	s->viewed[from->id] = true;
	to->offset = node_int(n, "start") * below * dtype_bytes(to->type.dtype);
	return true;
}

static bool is_slice(const Step *s)
{
	return s->kind == STEP_KERNEL && s->node_count == 1 && s->nodes[0]->op->move == MOVE_SLICE;
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
		Step *step = &p->steps[i];
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
