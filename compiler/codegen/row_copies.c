/* SPDX-License-Identifier: MIT */
/* Long rows on chip: see row_copies.h. */
#include "codegen/row_copies.h"
#include "base/array.h"
#include "codegen/expr.h"
#include "codegen/forms.h"
#include "codegen/vectors.h"
#include "ir/formula.h"
#include "ir/op.h"

enum {
	/* Of a row: the 8 blocks of each multiprocessor have 17 MB of them, which an L2 holds. */
	LEAST_BYTES = 16 << 10,
	BESIDE_BYTES = 2 << 10, /* of shared memory, for the sums of a block and what the hardware takes */
	ALIGNMENT = 16,
	FEWEST_THREADS = 256,
	MOST_THREADS = 1024,
	MOST_VECTOR = 8,
	MOST_PARTS = 8,
	SIDE_BY_SIDE = 2,   /* blocks of a multiprocessor, at least, if parts of rows can be had */
	MEETING_BYTES = 128 /* of nnr_parts_sum */
};

struct RowCopy {
	const Node *x;
	const char *name, *tensor; /* of the copy, and what it is one of */
	int64_t pitch, bytes;
	int piece; /* bytes that are copied at once; 0: an element */
};

static int64_t pitch_of(const Body *e, const Buffer *b)
{
	return b->pitch ? b->pitch : e->nest.middle;
}

/* Whether the node at `position` works in that phase, `need` being the FULL ones that do. */
static bool works_in(const Body *e, int position, int phase, const bool *need)
{
	return body_reduces_in(e, position, phase) || need[position];
}

static bool reads(const Node *n, const Node *x)
{
	for (int k = 0; k < n->operand_count; k++)
		if (n->operands[k] == x)
			return true;
	return false;
}

static int phases_that_read(const Body *e, const Node *x)
{
	int count = 0;
	for (int phase = 0; phase < e->nest.shape.phases; phase++) {
		bool *need = NEW_ARRAY(e->arena, bool, e->nest.node_count), found = false;
		body_needs(e, phase, need);
		for (int i = 0; i < e->nest.node_count && !found; i++)
			found = works_in(e, i, phase, need) && reads(e->nest.nodes[i], x) &&
			        loop_runs_through(&e->nest, i, x->type);
		count += found;
	}
	return count;
}

static const RowCopy *copy_of(const Body *e, const Node *x)
{
	for (int i = 0; i < e->copy_count; i++)
		if (e->copies[i].x == x)
			return &e->copies[i];
	return NULL;
}

/* The largest pieces that every row begins at a multiple of. */
static int piece_of(const Buffer *b, int64_t pitch)
{
	const int64_t element = dtype_bytes(b->type.dtype), row = pitch * element;
	const bool aligned =
	        buffer_root((Buffer *)b)->class == BUFFER_ACTIVATION && buffer_offset(b) % ALIGNMENT == 0;
	return aligned && row % ALIGNMENT == 0             ? ALIGNMENT
	       : element == 4 || (aligned && row % 4 == 0) ? 4
	                                                   : 0;
}

/* False: there is no room for it. */
static bool try_copy(Body *e, const Node *x, int position, int parts)
{
	const LoopNest *nest = &e->nest;
	if (nest_position(nest, x) >= 0 || node_is_inline(x) || copy_of(e, x) ||
	    !loop_runs_through(nest, position, x->type) || phases_that_read(e, x) < 2)
		return true;
	const Buffer *b = buffer_of(e->program, x);
	const int64_t pitch = pitch_of(e, b);
	int64_t bytes = 0, element = dtype_bytes(b->type.dtype);
	if (!checked_round_up(nest->middle / parts * element, 128, &bytes) ||
	    row_copies_bytes(e, parts) + bytes + BESIDE_BYTES > nest->arch.shared_bytes)
		return false;
	if (e->copy_count == e->copy_room)
		e->copies = array_grow(e->arena, e->copies, &e->copy_room, sizeof *e->copies);
	e->copies[e->copy_count++] =
	        (RowCopy){.x = x,
	                  .tensor = tensor_read_by(&e->tensors, e->program, nest->nodes[position], x),
	                  .pitch = pitch,
	                  .bytes = bytes,
	                  .piece = piece_of(b, pitch)};
	return true;
}

int64_t row_copies_bytes(const Body *e, int parts)
{
	int64_t bytes = parts > 1 ? MEETING_BYTES : 0;
	for (int i = 0; i < e->copy_count; i++)
		bytes += e->copies[i].bytes;
	return bytes;
}

/* Whether all that runs along a row in memory, beside the copies, takes vectors of that many elements. */
static bool takes_vectors(Body *e, int vector)
{
	const LoopNest *nest = &e->nest;
	bool all = true;
	e->vector = vector;
	for (int i = 0; i < nest->node_count; i++) {
		const Node *n = nest->nodes[i];
		all = all && !e->row[i];
		if (body_is_full(e, i) && body_stored(e, i))
			all = all && body_takes_vector(e, n, i);
		for (int k = 0; k < n->operand_count; k++) {
			const Node *x = n->operands[k];
			bool elsewhere = nest_position(nest, x) < 0 && !node_is_inline(x) &&
			                 !(copy_of(e, x) && loop_runs_through(nest, i, x->type));
			if (elsewhere && loop_runs_along(nest, i, x->type, true))
				all = all && body_takes_vector(e, x, i);
		}
	}
	e->vector = 0;
	return all;
}

/* 16 bytes of what has the fewest in an element. */
static int vector_of(Body *e)
{
	const LoopNest *nest = &e->nest;
	int64_t least = 4;
	for (int i = 0; i < e->copy_count; i++) {
		const int64_t bytes = dtype_bytes(e->copies[i].x->type.dtype);
		least = bytes < least ? bytes : least;
	}
	const int vector = least < 4 ? MOST_VECTOR : MOST_VECTOR / 2;
	return nest->loop_count == nest->first_reduced + 1 && takes_vectors(e, vector) ? vector : 1;
}

/* The one-hot vector of which a sum along rows takes one term; NULL: it is another sum. */
static const Node *point_of(const LoopNest *nest, const Formula *one_term, int position)
{
	const Node *n = nest->nodes[position], *choice = n->operands[0];
	Match m;
	if (!(n->op->flags & OP_REDUCE) || !(n->op->flags & OP_ADDS) ||
	    nest->loop_count != nest->first_reduced + 1 || nest_position(nest, choice) < 0 ||
	    !formula_matches(one_term, choice, &m))
		return NULL;
	const Node *hot = matched(&m, "hot"), *class = matched(&m, "class");
	bool within = nest_position(nest, hot) >= 0 && nest_position(nest, class) < 0 &&
	              node_int(hot, "classes") == nest->middle;
	return within ? hot : NULL;
}

static void choose_points(Body *e)
{
	const Formula *one_term = formula_parse(e->arena, "select(hot: one_hot(class), term, 0)");
	e->pointed = NEW_ARRAY(e->arena, const Node *, e->nest.node_count);
	for (int i = 0; i < e->nest.node_count; i++)
		e->pointed[i] = point_of(&e->nest, one_term, i);
}

static int64_t blocks_at_once(const Body *e, int parts)
{
	return e->nest.arch.shared_bytes / (row_copies_bytes(e, parts) + BESIDE_BYTES);
}

/* False: some have no room. */
static bool choose_copies(Body *e, int parts)
{
	const LoopNest *nest = &e->nest;
	bool all = true;
	e->copy_count = 0;
	for (int i = 0; i < nest->node_count; i++)
		for (int k = 0; k < nest->nodes[i]->operand_count; k++) {
			const Node *x = nest->nodes[i]->operands[k];
			if (nest->middle * dtype_bytes(x->type.dtype) >= LEAST_BYTES)
				all = try_copy(e, x, i, parts) && all;
		}
	return all;
}

/* By how many blocks a row is shared: as few as leave room for those that are wanted side by side; 1 where none do. One
 * operand that has room stays whole: to share it gained nothing (bench/results/2026-11-29-rows.txt). A part begins
 * where copies are aligned, also those of single bytes. */
static int choose_parts(Body *e)
{
	const int most = e->nest.arch.number >= 90 ? MOST_PARTS : 1;
	for (int parts = 1; parts <= most && (parts == 1 || e->nest.middle % (parts * ALIGNMENT) == 0);
	     parts *= 2)
		if (choose_copies(e, parts) &&
		    (blocks_at_once(e, parts) >= SIDE_BY_SIDE || (parts == 1 && e->copy_count == 1)))
			return parts;
	choose_copies(e, 1);
	return 1;
}

RowCopying row_copies_choose(Body *e)
{
	const LoopNest *nest = &e->nest;
	RowCopying copying = {0};
	if (nest->shape.phases < 2 || nest->first_reduced == 0)
		return copying;
	copying.parts = choose_parts(e);
	if (e->copy_count == 0)
		return copying;
	for (int i = 0; i < e->copy_count; i++)
		e->copies[i].name = tensors_local_of(&e->tensors, e->copies[i].tensor, "row");
	tensors_local(&e->tensors, "chip");
	/* all blocks of a multiprocessor together have a thousand or more */
	copying.threads = FEWEST_THREADS;
	copying.blocks = (int)blocks_at_once(e, copying.parts);
	while (copying.blocks * copying.threads < MOST_THREADS)
		copying.threads *= 2;
	if (copying.blocks > nest->arch.threads / copying.threads)
		copying.blocks = nest->arch.threads / copying.threads;
	copying.vector = vector_of(e);
	choose_points(e);
	return copying;
}

/* "first + ", of which copies and rows in memory begin; "" where a block has whole rows. */
static const char *plus_first(const RowCopying *c)
{
	return c->parts > 1 ? " + first" : "";
}

void row_copies_write(Body *e, const RowCopying *copying)
{
	const bool shared = copying->parts > 1;
	int64_t at = shared ? MEETING_BYTES : 0;
	code_do(e->code, "NNR_CHIP(chip, %lld)", (long long)row_copies_bytes(e, copying->parts));
	if (shared) {
		code_do(e->code, "nnr_cluster_leave()");
		code_var(e->code, "int", "%s", "0", "meetings");
	}
	for (int i = 0; i < e->copy_count; i++) {
		const RowCopy *c = &e->copies[i];
		const char *type = dtype_c_name(c->x->type.dtype);
		code_var(e->code, "%s *const", "%s", "(%s *)(chip + %lld)%s", type, c->name, type,
		         (long long)at, shared ? " - first" : "");
		at += c->bytes;
	}
	for (int i = 0; i < e->copy_count; i++) {
		const RowCopy *c = &e->copies[i];
		code_do(e->code, "nnr_row_copy<%d, %lld, %d>(%s%s, %s + (long long)o * %lld%s)",
		        copying->threads, (long long)(e->nest.middle / copying->parts), c->piece, c->name,
		        plus_first(copying), c->tensor, (long long)c->pitch, plus_first(copying));
	}
}

void row_copies_write_ahead(Body *e, const RowCopying *copying)
{
	const int64_t ahead = (int64_t)copying->blocks * e->nest.arch.multiprocessors / copying->parts;
	if (ahead >= e->nest.outer)
		return;
	code_if(e->code, "o < %lld", (long long)(e->nest.outer - ahead));
	for (int i = 0; i < e->copy_count; i++) {
		const RowCopy *c = &e->copies[i];
		code_do(e->code, "nnr_row_ahead<%d, %lld>(%s + (long long)(o + %lld) * %lld%s)",
		        copying->threads, (long long)(e->nest.middle / copying->parts), c->tensor,
		        (long long)ahead, (long long)c->pitch, plus_first(copying));
	}
	code_close(e->code, 1);
}

void row_copies_write_points(Body *e, const RowCopying *copying, int phase)
{
	const LoopNest *nest = &e->nest;
	for (int i = 0; i < nest->node_count; i++) {
		const Node *hot = e->pointed && body_reduces_in(e, i, phase) ? e->pointed[i] : NULL;
		bool known = !hot;
		for (int k = 0; k < i && !known; k++)
			known = body_reduces_in(e, k, phase) && e->pointed[k] == hot;
		if (known)
			continue;
		const char *class = body_operand(e, hot->operands[0], nest_position(nest, hot));
		code_if(e->code,
		        copying->parts > 1 ? "lane == 0 && (unsigned)(%s - first) < %lldu"
		                           : "lane == 0 && (unsigned)%s < %lldu",
		        class, (long long)(nest->middle / copying->parts));
		let_indices(e, class, "r", nest->first_reduced, nest->loop_count);
		e->at_point = hot;
		write_phase(e, phase);
		e->at_point = NULL;
		code_close(e->code, 1);
	}
}

/* The vector of a copy, of which the last loop's variable is the first element. */
static char *vector_text(Body *e, const RowCopy *c)
{
	return body_vector_at(e, c->name, arena_printf(e->arena, "%s + %s", c->name, e->vector_base), c->x);
}

char *row_copies_text(Body *e, const Node *x, int position)
{
	const LoopNest *nest = &e->nest;
	const RowCopy *c = copy_of(e, x);
	if (!c || !loop_runs_through(nest, position, x->type))
		return NULL;
	if (e->vector > 0 && nest->loop_count == nest->first_reduced + 1)
		return vector_text(e, c);
	return arena_printf(e->arena, "%s%s[%s]", dtype_is_half(x->type.dtype) ? "(float)" : "", c->name,
	                    loop_linear_index(e->arena, nest, nest->first_reduced));
}
