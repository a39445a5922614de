/* SPDX-License-Identifier: MIT */
/* How a sum over columns is shared out among blocks and threads, and what a thread keeps in registers: see slab.h, and
 * loops_slab.c for what is written of it. */
#include "codegen/slab.h"

#include "ir/op.h"
#include "codegen/forms.h"

enum {
	WARP = 32,
	WIDEST = WARP * VECTOR, /* columns */
	CHUNK_THREADS = 256,
	CHUNK_BLOCKS = 2,     /* for each multiprocessor: loads enough under way from three tensors */
	CHUNK_TURNS = 8,      /* at least, for a thread */
	SUMS_BYTES = 40960,   /* of the 49152 that a kernel may declare */
	LEAST_ELEMENTS = 512, /* of a block in a cluster */
	LONE_ELEMENTS = 2048, /* of a slab that one block takes sooner than several that have to meet */
	LEAST_THREADS = 128,
	MOST_THREADS = 512,
	TURNS_WANTED = 4,
	REGISTERS = 65536, /* of a multiprocessor */
	MOST_REGISTERS = 255,
	OTHER_REGISTERS = 20 /* of a thread, beside rows, columns and sums */
};

static bool is_full_sized(const LoopNest *nest, const Node *x)
{
	return type_elements(x->type) == nest->middle * nest->inner;
}

/* Columns that fill 32 bytes, the least that device memory gives. */
static int narrowest(const LoopNest *nest)
{
	bool half = false;
	for (int i = 0; i < nest->node_count; i++)
		for (int k = 0; k < nest->nodes[i]->operand_count; k++) {
			const Node *x = nest->nodes[i]->operands[k];
			half = half || (is_full_sized(nest, x) && dtype_is_half(x->type.dtype));
		}
	return half && nest->inner % (2 * SLAB_COLUMNS) == 0 ? 2 * SLAB_COLUMNS : SLAB_COLUMNS;
}

/* As wide as leaves slabs enough for clusters of SLAB_BLOCKS on all multiprocessors; then as many blocks to each as
 * there are multiprocessors and work for. Short slabs are a block's each. */
static Slab resident_slab(const LoopNest *nest)
{
	Slab s = {.resident = true, .width = narrowest(nest), .blocks = 1, .threads = LEAST_THREADS};
	int64_t widest = 4 * s.width, multiprocessors = nest->arch.multiprocessors;
	bool lone = nest->middle * s.width <= LONE_ELEMENTS;
	while (s.width < widest && nest->inner % (2 * s.width) == 0 &&
	       nest->inner / s.width > multiprocessors / (lone ? 1 : SLAB_BLOCKS))
		s.width *= 2;
	s.slabs = nest->inner / s.width;
	while (!lone && s.blocks < SLAB_BLOCKS && 2 * s.blocks * s.slabs <= multiprocessors &&
	       nest->middle * s.width >= 2 * s.blocks * LEAST_ELEMENTS)
		s.blocks *= 2;
	int64_t vectors = ceil_div(nest->middle, s.blocks) * (s.width / VECTOR);
	while (s.threads < MOST_THREADS && vectors > (int64_t)TURNS_WANTED * s.threads)
		s.threads *= 2;
	return s;
}

static void add_stream(Streams *s, const LoopNest *nest, const Node *x)
{
	bool known = nest_position(nest, x) >= 0 || node_is_inline(x) || !is_full_sized(nest, x);
	for (int i = 0; i < s->count; i++)
		known = known || s->of[i] == x;
	if (!known && s->count < MOST_STREAMS)
		s->of[s->count++] = x;
}

static int count_streams(const LoopNest *nest)
{
	Streams s = {0};
	for (int i = 0; i < nest->node_count; i++)
		for (int k = 0; k < nest->nodes[i]->operand_count; k++)
			add_stream(&s, nest, nest->nodes[i]->operands[k]);
	return s.count;
}

/* Of shared memory: each warp of a block leaves its sums there. */
static int64_t bytes_of_sums(const LoopNest *nest, int width)
{
	int64_t element = 0;
	for (int i = 0; i < nest->node_count; i++) {
		int64_t bytes = dtype_bytes(nest->nodes[i]->type.dtype);
		element = bytes > element ? bytes : element;
	}
	return CHUNK_THREADS / WARP * element * width * nest->reductions;
}

static int64_t blocks_of_slab(const LoopNest *nest, int width, int64_t wanted)
{
	const int64_t most = ceil_div(nest->middle, (int64_t)CHUNK_TURNS * CHUNK_THREADS * VECTOR / width),
	              share = wanted * width / nest->inner;
	return share < 1 ? 1 : share < most ? share : most;
}

/* Nanoseconds of a kernel whose slabs are so wide, but for what any width takes: what narrow rows lose of reading, and
 * the turns in which one block adds up the parts of a slab. On an H200 batchnorm's statistics of 50176x128 in 16 bits
 * took 26 us in one slab, those of 50176x160 in five 8; in slabs of 64 bytes large tensors are read a sixth slower. */
static double cost_of_width(const LoopNest *nest, int width, int64_t wanted)
{
	static const double READ = 23 /* bytes a nanosecond, of a multiprocessor */, PARTS_TURN = 270,
	                    NARROW = 64 /* bytes of a row */, NARROW_LOSS = 1.0 / 6;
	double lost = 0; /* bytes that could have been read meanwhile */
	for (int i = 0; i < nest->node_count; i++)
		for (int k = 0; k < nest->nodes[i]->operand_count; k++) {
			const Node *x = nest->nodes[i]->operands[k];
			const double size = (double)dtype_bytes(x->type.dtype),
			             narrow = NARROW / (width * size);
			if (nest_position(nest, x) < 0 && !node_is_inline(x) &&
			    type_elements(x->type) >= nest->middle * nest->inner)
				lost += NARROW_LOSS * narrow * narrow * size *
				        (double)(nest->middle * nest->inner);
		}
	const int64_t turns = ceil_div(blocks_of_slab(nest, width, wanted), CHUNK_THREADS * VECTOR / width);
	return lost / (READ * nest->arch.multiprocessors) + PARTS_TURN * (double)turns;
}

static Slab chunked_slab(const LoopNest *nest)
{
	Slab s = {.width = SLAB_COLUMNS, .threads = CHUNK_THREADS};
	const int streams = count_streams(nest);
	const int64_t wanted = (streams <= 2 ? 2 : 1) * CHUNK_BLOCKS * nest->arch.multiprocessors;
	double least = cost_of_width(nest, s.width, wanted);
	for (int width = 2 * s.width;
	     width <= WIDEST && nest->inner % width == 0 && bytes_of_sums(nest, width) <= SUMS_BYTES;
	     width *= 2) {
		const double cost = cost_of_width(nest, width, wanted);
		if (cost <= least) {
			least = cost;
			s.width = width;
		}
	}
	s.slabs = nest->inner / s.width;
	s.turns = streams <= 1 ? 8 : 4;
	s.blocks = blocks_of_slab(nest, s.width, wanted);
	return s;
}

Slab slab_of(const LoopNest *nest)
{
	Slab s = nest->shape.phases > 1 ? resident_slab(nest) : chunked_slab(nest);
	s.rows = s.threads / (s.width / VECTOR);
	if (s.resident)
		s.turns = ceil_div(nest->middle, s.rows * s.blocks);
	return s;
}

bool slab_fits(const LoopNest *nest)
{
	return nest->first_reduced == 0 && nest->inner > 1 && nest->loop_count == nest->first_inner + 1 &&
	       nest->inner % SLAB_COLUMNS == 0 &&
	       (nest->shape.phases > 1 || bytes_of_sums(nest, SLAB_COLUMNS) <= SUMS_BYTES);
}

int64_t slab_workspace(const LoopNest *nest)
{
	Slab s = slab_of(nest);
	return s.resident || s.blocks == 1 ? 0 : s.blocks * nest->reductions * nest->inner;
}

/* ---- what stays in registers */

/* How many a value in full size is made of. */
static int count_streams_of(Arena *a, const LoopNest *nest, int position)
{
	Streams s = {0};
	bool *wanted = NEW_ARRAY(a, bool, nest->node_count);
	wanted[position] = true;
	for (int i = position; i >= 0; i--) {
		const Node *n = nest->nodes[i];
		if (!wanted[i] || nest->shape.level[i] != LEVEL_FULL)
			continue;
		for (int k = 0; k < n->operand_count; k++) {
			int at = nest_position(nest, n->operands[k]);
			if (at >= 0)
				wanted[at] = true;
			else
				add_stream(&s, nest, n->operands[k]);
		}
	}
	return s.count;
}

/* Values of the rows that later phases read and that are not merely computed again: stored ones too, since reading them
 * back would have to wait for the store. `sparing`: and those, computed ahead anyway, that stand for several streams,
 * in whose place others that were chosen before may be read no more. Named once all are chosen. */
static const char chosen[] = "";

static void choose_rows(Slab *s, bool sparing)
{
	Body *e = s->e;
	const LoopNest *nest = &e->nest;
	bool *ahead = NEW_ARRAY(e->arena, bool, nest->node_count);
	body_needs(e, 0, ahead);
	for (int i = 0; i < nest->node_count; i++)
		e->row[i] = NULL;
	for (int phase = 1; phase < nest->shape.phases; phase++) {
		bool *need = NEW_ARRAY(e->arena, bool, nest->node_count);
		for (int i = nest->node_count - 1; i >= 0; i--) {
			const Node *n = nest->nodes[i];
			bool reduces = n->op->flags & OP_REDUCE, here = nest->shape.phase[i] == phase;
			if (reduces ? !here : !body_is_full(e, i) || !(need[i] || here))
				continue;
			bool stays = !(n->op->flags & (OP_CHEAP | OP_ALIAS)) || body_stored(e, i);
			if (sparing && ahead[i])
				stays = stays || count_streams_of(e->arena, nest, i) > 1;
			if (!reduces && nest->shape.phase[i] < phase && stays) {
				e->row[i] = chosen;
				continue;
			}
			for (int k = 0; k < n->operand_count; k++) {
				int at = nest_position(nest, n->operands[k]);
				if (at >= 0)
					need[at] = true;
			}
		}
	}
}

static void name_rows(Body *e)
{
	for (int i = 0; i < e->nest.node_count; i++)
		if (e->row[i])
			e->row[i] = tensors_local_of(&e->tensors, local_word(e->nest.nodes[i]), "row");
}

/* Adds the streams, or the columns, that the rows of a phase read. */
static void add_reads(const Slab *s, int phase, Streams *streams, int *columns)
{
	const Body *e = s->e;
	const LoopNest *nest = &e->nest;
	bool *need = NEW_ARRAY(e->arena, bool, nest->node_count);
	body_needs(e, phase, need);
	for (int i = 0; i < nest->node_count; i++)
		for (int k = 0;
		     (need[i] || body_reduces_in(e, i, phase)) && k < nest->nodes[i]->operand_count; k++) {
			const Node *x = nest->nodes[i]->operands[k];
			add_stream(streams, nest, x);
			*columns +=
			        nest_position(nest, x) < 0 && !node_is_inline(x) && !is_full_sized(nest, x);
		}
}

static bool is_raw(const Slab *s, const Node *x)
{
	for (int i = 0; i < s->raw.count; i++)
		if (s->raw.of[i] == x)
			return true;
	return false;
}

/* Registers of a thread at the end of the first phase, when all is there; `in_use`: and a row as it is worked on, which
 * is loaded if it does not stay and widened if it has 16 bits. */
static int64_t registers(const Slab *s, bool in_use)
{
	const Body *e = s->e;
	Streams first = {0};
	int columns = 0;
	int64_t rows = 0, sums = 0;
	add_reads(s, 0, &first, &columns);
	for (int i = 0; i < e->nest.node_count; i++) {
		rows += e->row[i] != NULL;
		sums += body_reduces_in(e, i, 0);
	}
	int64_t kept = s->turns * VECTOR * rows;
	for (int i = 0; i < s->raw.count; i++)
		kept += s->turns * dtype_bytes(s->raw.of[i]->type.dtype);
	for (int i = 0; in_use && i < first.count; i++) {
		bool stays = is_raw(s, first.of[i]), half = dtype_is_half(first.of[i]->type.dtype);
		kept += (stays ? 0 : dtype_bytes(first.of[i]->type.dtype)) + (half ? VECTOR : 0);
	}
	return OTHER_REGISTERS + VECTOR * (columns + sums) + kept;
}

/* Keeps all that later phases read if that leaves room for all clusters at once, or else for one block a
 * multiprocessor; and if not even that, values instead of the streams they are made of, and as many streams as there is
 * room for. Fewer clusters than N come with N blocks: a group of multiprocessors has 16 to 18, and some are left
 * over. */
void slab_choose_kept(Slab *s)
{
	const LoopNest *nest = &s->e->nest;
	bool crowded = s->slabs * s->blocks > nest->arch.multiprocessors * 7 / 8;
	int64_t alone = REGISTERS / s->threads, both = alone / 2;
	choose_rows(s, false);
	for (int attempt = 0;; attempt++) {
		int columns = 0;
		s->raw.count = 0;
		for (int phase = 1; phase < nest->shape.phases; phase++)
			add_reads(s, phase, &s->raw, &columns);
		if (attempt > 0 || registers(s, true) <= alone)
			break;
		choose_rows(s, true);
	}
	name_rows(s->e);
	while (s->raw.count > 0 && registers(s, true) > alone)
		s->raw.count--;
	if (crowded && both < MOST_REGISTERS && registers(s, false) <= both)
		s->per_multiprocessor = 2;
}
