/* SPDX-License-Identifier: MIT */
/* The loop nest of a fused kernel as a CUDA kernel: 256 threads a block, sizes as constants.
 *
 *   map       a thread for each element, or for four or eight neighbours: loops_cuda_map.c
 *   rows      a warp (short rows) or a block (long ones) for each outer index; sums by shuffles, so that every lane has
 *             them for the next phase; values kept between phases stay in the lane's registers. Rows of less than 128
 *             elements have fewer lanes, so that each loads a vector; of many rows of a few elements each is a
 *             thread's. Long ones, which several phases read, are copied to shared memory first, by one block or by
 *             those of a cluster: row_copies.h
 *   slab      sums over columns whose number is a multiple of 8: loops_slab.c
 *   columns   other sums over columns: 32 neighbouring ones by 8 rows a block, the reduced dimension cut into chunks
 *             over the grid
 *   whole     columns of which a block has one, for a sum to few elements: 256 threads along each
 *   resident  rows that stay on chip between their sums and what uses them: loops_cuda_resident.c
 *
 * In columns, whole and resident, each block leaves its sums in `partial`; the block that arrives last (a counter in
 * device memory, which it sets back to zero) adds the parts in their order and finishes the kernel. No sum depends on
 * the order in which blocks run. */
#include "ir/op.h"
#include "codegen/body.h"
#include "codegen/expr.h"
#include "codegen/forms.h"
#include "codegen/index.h"
#include "codegen/row_copies.h"
#include <string.h>

enum {
	THREADS = 256,
	WARP = 32,
	COLUMNS = 32,
	COLUMN_ROWS = THREADS / COLUMNS,
	LONGEST_WARP_ROW = 1024,
	LONGEST_THREAD_ROW = 8,
	THREAD_ROWS = 1024, /* at least, for that */
	BLOCKS_WANTED = 8,  /* for each multiprocessor */
	VECTOR = 4,
};

typedef enum { FORM_MAP, FORM_ROWS, FORM_SLAB, FORM_COLUMNS, FORM_RESIDENT } Form;

typedef struct CudaShape {
	Form form;
	int64_t chunks, blocks;
	RowShape row; /* of rows */
	int columns;  /* of a block; 1: of a whole */
	int threads;
	int per_multiprocessor; /* rows: blocks that should fit at once; 0: no matter */
} CudaShape;

static int64_t clamp(int64_t x, int64_t lo, int64_t hi)
{
	return x < lo ? lo : x > hi ? hi : x;
}

/* Lanes of a warp for a row that is too short to give each of them a vector: so many rows of a warp are side by side.
 * WARP: there are no vectors, or not as many rows as the blocks have. */
static int lanes_of_short_row(const LoopNest *nest)
{
	int lanes = WARP;
	if (nest->loops[nest->loop_count - 1].count % VECTOR != 0)
		return WARP;
	while (lanes > 2 && lanes / 2 * VECTOR >= nest->middle)
		lanes /= 2;
	return nest->outer % (THREADS / lanes) == 0 ? lanes : WARP;
}

static CudaShape shape_of(const LoopNest *nest)
{
	CudaShape s = {
	        .form = FORM_RESIDENT, .chunks = 1, .row = {.vector = 1, .lanes = WARP}, .threads = THREADS};
	int64_t elements = nest->outer * nest->middle * nest->inner,
	        wanted = (int64_t)BLOCKS_WANTED * nest->arch.multiprocessors;
	if (nest->shape.resident)
		return s;
	if (!nest->shape.domain.has_reduction) {
		s.form = FORM_MAP;
	} else if (slab_fits(nest)) {
		s.form = FORM_SLAB;
	} else if (nest->inner > 1) {
		require(nest->shape.phases == 1);
		int64_t tiles = ceil_div(nest->inner, COLUMNS) * nest->outer;
		s.form = FORM_COLUMNS;
		s.columns = COLUMNS;
		s.chunks = clamp(wanted / tiles, 1, ceil_div(nest->middle, 8 * COLUMN_ROWS));
		s.blocks = tiles * s.chunks;
	} else if (nest->shape.phases > 1 || nest->outer >= WARP || elements <= 16 * THREADS) {
		s.form = FORM_ROWS;
		s.row.lanes = nest->middle <= LONGEST_THREAD_ROW && nest->outer >= THREAD_ROWS ? 1
		              : nest->middle <= LONGEST_WARP_ROW && nest->outer > 1            ? WARP
		                                                                               : THREADS;
		if (s.row.lanes == WARP)
			s.row.lanes = lanes_of_short_row(nest);
		if (nest->loops[nest->loop_count - 1].count % VECTOR == 0 &&
		    (nest->middle >= VECTOR * s.row.lanes || (s.row.lanes > 1 && s.row.lanes < WARP)))
			s.row.vector = VECTOR;
		s.blocks = ceil_div(nest->outer, THREADS / s.row.lanes);
	} else {
		s.form = FORM_COLUMNS;
		s.columns = 1;
		s.chunks = clamp(wanted / 2 / nest->outer, 1, ceil_div(nest->middle, 4 * THREADS));
		s.blocks = nest->outer * s.chunks;
	}
	return s;
}

int64_t workspace_cuda(const LoopNest *nest, const Target *t)
{
	CudaShape s = shape_of(nest);
	if (s.form == FORM_RESIDENT)
		return workspace_resident(nest);
	if (s.form == FORM_SLAB)
		return slab_workspace(nest);
	return s.chunks > 1 ? nest->outer * s.chunks * nest->reductions * nest->inner : 0;
}

/* ---- indices */

void name_loop(Body *e, const char *linear, int first, int end)
{
	if (end - first == 1)
		e->nest.loops[first].var = linear;
}

static void declare_indices(Body *e, const char *linear, int first, int end, bool if_read)
{
	const LoopNest *nest = &e->nest;
	int64_t below = 1;
	for (int i = end - 1; i >= first; i--) {
		const Loop *l = &nest->loops[i];
		char *text = below == 1 ? arena_strdup(e->arena, linear)
		                        : arena_printf(e->arena, "%s / %lld", linear, (long long)below);
		if (i > first)
			text = arena_printf(e->arena, "%s %% %lld", text, (long long)l->count);
		if (strcmp(l->var, linear) != 0)
			code_let(e->code, "int", "%s", "%s", l->var, text)->if_read = if_read;
		below *= l->count;
	}
}

void split_index(Body *e, const char *linear, int first, int end)
{
	declare_indices(e, linear, first, end, false);
}

void let_indices(Body *e, const char *value, const char *linear, int first, int end)
{
	if (value)
		code_let_if_read(e->code, "int", "%s", "%s", linear, value);
	declare_indices(e, linear, first, end, true);
}

static int inner_end(const LoopNest *nest)
{
	return nest->first_inner < nest->loop_count ? nest->first_inner : nest->loop_count;
}

/* ---- accumulators */

/* Combines over the lanes of a warp or a block; every lane gets the result. */
static void combine_lanes(Body *e, int phase, const RowShape *s)
{
	const int lanes = s->lanes;
	if (lanes == WARP)
		body_reduce(e, phase, "warp", "nnr_warp_@", "");
	else if (s->copying.parts > 1)
		body_reduce(e, phase, "block",
		            arena_printf(e->arena, "nnr_parts_@<%d, %d>", lanes, s->copying.parts),
		            ", chip, meetings");
	else if (lanes == THREADS && !s->in_block)
		body_reduce(e, phase, "block", "nnr_block_@", "");
	else
		body_reduce(
		        e, phase, lanes < WARP ? "warp" : "block",
		        arena_printf(e->arena, lanes < WARP ? "nnr_lanes_@<%d>" : "nnr_wide_@<%d>", lanes),
		        s->in_block ? ", partial" : "");
}

void open_turns_loop(Body *e, int64_t turns, const char *unroll)
{
	if (turns == 1) {
		code_block(e->code);
		return;
	}
	code_turns(e->code, TURNS_UNROLLED, unroll);
	code_loop(e->code, (CodeLoop){.type = "int", .var = "turn", .count = turns});
}

/* ---- forms */

void write_elements(Body *e, int64_t vector, Elements *elements, int phase)
{
	if (vector == 1) {
		elements(e, phase);
		return;
	}
	Code *outer = e->code;
	Loop *last = &e->nest.loops[e->nest.loop_count - 1];
	const char *var = last->var;
	e->code = code_new(e->arena);
	e->vector = (int)vector;
	e->vector_base = var;
	last->var = arena_printf(e->arena, "(%s + u)", var);
	elements(e, phase);
	Code *body = e->code;
	e->code = outer;
	body_vectors(e, body);
	last->var = var;
}

void write_phase(Body *e, int phase)
{
	body_phase(e, phase, NULL);
}

/* Of a row, or of the part that the block has. */
static int64_t row_elements(const LoopNest *nest, const RowShape *s)
{
	return s->copying.parts > 1 ? nest->middle / s->copying.parts : nest->middle;
}

/* Opens the loop over the lane's elements of a row; returns whether the last turn has fewer lanes. */
static bool open_turns(Body *e, const RowShape *s, const char *unroll)
{
	const LoopNest *nest = &e->nest;
	const bool shared = s->copying.parts > 1;
	const int64_t whole = row_elements(nest, s) / s->vector * s->vector;
	const int64_t turns = ceil_div(whole, s->lanes * s->vector);
	open_turns_loop(e, turns, unroll);
	const bool sum = s->lanes > 1 && turns > 1;
	const char *element = sum            ? arena_printf(e->arena, "lane + turn * %d", s->lanes)
	                      : s->lanes > 1 ? "lane"
	                      : turns > 1    ? "turn"
	                                     : "0";
	if (s->vector > 1)
		element = arena_printf(e->arena, sum ? "(%s) * %d" : "%s * %d", element, s->vector);
	if (shared)
		element = arena_printf(e->arena, "first + %s", element);
	bool ragged = whole % (s->lanes * s->vector) != 0;
	if (ragged) {
		code_let(e->code, "int", "r", "%s", element);
		code_if(e->code, "r < %s%lld", shared ? "first + " : "", (long long)whole);
	}
	let_indices(e, ragged ? NULL : element, "r", nest->first_reduced, nest->loop_count);
	return ragged;
}

static void close_turns(Body *e, bool ragged)
{
	if (ragged)
		code_close(e->code, 1);
	code_close(e->code, 1);
}

/* The elements of a row that are left of its vectors. */
static void write_rest(Body *e, const RowShape *s, int phase)
{
	const LoopNest *nest = &e->nest;
	const int64_t rest = nest->middle % s->vector;
	if (rest == 0)
		return;
	code_if(e->code, "lane < %lld", (long long)rest);
	let_indices(e, arena_printf(e->arena, "%lld + lane", (long long)(nest->middle - rest)), "r",
	            nest->first_reduced, nest->loop_count);
	write_phase(e, phase);
	code_close(e->code, 1);
}

static void write_lane_and_row(Body *e, int lanes)
{
	code_let(e->code, "int", "lane", "threadIdx.x %% %d", lanes);
	code_let(e->code, "int", "o", "blockIdx.x * %d + threadIdx.x / %d", THREADS / lanes, lanes);
}

void write_phases_of_row(Body *e, const RowShape *s)
{
	const LoopNest *nest = &e->nest;
	const RowCopying *copying = &s->copying;
	const int64_t turns = ceil_div(row_elements(nest, s), s->lanes * s->vector);
	split_index(e, "o", 0, nest->first_reduced);
	body_declare_rows(e, turns * s->vector);
	e->row_index = turns == 1 ? (s->vector == 1 ? "0" : "u") : s->vector == 1 ? "turn" : "turn * 4 + u";
	for (int phase = 0; phase < nest->shape.phases; phase++) {
		body_declare_accumulators(e, phase, NULL);
		if (copying->threads > 0 && phase == nest->shape.phases - 1)
			row_copies_write_ahead(e, copying);
		bool ragged = open_turns(e, s, copying->vector > VECTOR ? " 2" : turns > 32 ? " 4" : "");
		write_elements(e, s->vector, write_phase, phase);
		close_turns(e, ragged);
		write_rest(e, s, phase);
		row_copies_write_points(e, copying, phase);
		if (s->lanes > 1) {
			combine_lanes(e, phase, s);
			e->store_guard = copying->parts > 1 ? "lane == 0 && first == 0" : "lane == 0";
			e->store_fence = s->lanes <= WARP ? "warp" : "block";
		}
		body_bind_accumulators(e, phase, NULL);
		body_reduced(e, phase);
		e->store_guard = e->store_fence = NULL;
	}
	e->row_index = NULL;
}

static void write_rows(Body *e, CudaShape *s)
{
	const LoopNest *nest = &e->nest;
	RowShape *row = &s->row;
	name_loop(e, "o", 0, nest->first_reduced);
	name_loop(e, "r", nest->first_reduced, nest->loop_count);
	body_choose_rows(e);
	if (row->lanes == THREADS)
		row->copying = row_copies_choose(e);
	const RowCopying *copying = &row->copying;
	if (copying->threads > 0) {
		row->lanes = s->threads = copying->threads;
		s->per_multiprocessor = copying->vector > 1 ? copying->blocks : 0;
		row->vector = copying->vector > row->vector ? copying->vector : row->vector;
	}
	if (row->lanes < THREADS) {
		if (row->lanes == 1)
			code_let(e->code, "int", "o", "blockIdx.x * %d + threadIdx.x", THREADS);
		else
			write_lane_and_row(e, row->lanes);
		if (nest->outer % (THREADS / row->lanes) != 0)
			code_leave_if(e->code, "return", "o >= %lld", (long long)nest->outer);
	} else {
		code_let(e->code, "int", "lane", "threadIdx.x");
		if (copying->parts > 1) {
			s->blocks *= copying->parts;
			code_let(e->code, "int", "o", "blockIdx.x / %d", copying->parts);
			code_let(e->code, "int", "first", "blockIdx.x %% %d * %lld", copying->parts,
			         (long long)row_elements(nest, row));
		} else if (nest->first_reduced > 0) {
			code_let(e->code, "int", "o", "blockIdx.x");
		}
	}
	if (copying->threads > 0)
		row_copies_write(e, copying);
	write_phases_of_row(e, row);
}

/* Where `partial` has a sum of a part of the rows: the `number`th of the thread's column. */
static const char *partial_at(const Body *e, const CudaShape *s, const char *part, int number)
{
	const LoopNest *nest = &e->nest;
	const int64_t inner = nest->inner, apart = inner * nest->reductions;
	const char *at = part;
	if (nest->outer > 1)
		at = arena_printf(e->arena, apart == 1 ? "o * %lld + %s" : "(o * %lld + %s)",
		                  (long long)s->chunks, part);
	at = index_times(e->arena, at, apart);
	return index_plus(e->arena, s->columns == 1 ? at : arena_printf(e->arena, "%s + column", at),
	                  number * inner);
}

/* Writes the block's sums to `partial`; what follows is run by the block that arrives last, with all parts added. */
static void write_last_block(Body *e, const CudaShape *s, const char *counter, const char *writes,
                             const char *first)
{
	int number = 0;
	code_if(e->code, "%s", writes);
	for (int i = 0; i < e->nest.node_count; i++)
		if (body_reduces_in(e, i, -1))
			code_set(e->code, "partial[%s]", "%s", partial_at(e, s, "at", number++),
			         e->accumulator[i]);
	code_close(e->code, 1);
	code_leave_if(e->code, "return", "!nnr_last_block(&done[%s], %lld)", counter, (long long)s->chunks);
	number = 0;
	for (int i = 0; i < e->nest.node_count; i++)
		if (body_reduces_in(e, i, -1))
			code_set(e->code, "%s", "%s", e->accumulator[i], reduction_start(e->nest.nodes[i]));
	code_strided(e->code, "chunk", first, s->chunks, THREADS / s->columns);
	for (int i = 0; i < e->nest.node_count; i++)
		if (body_reduces_in(e, i, -1))
			body_combine(e, e->nest.nodes[i], e->accumulator[i],
			             arena_printf(e->arena, "__ldcg(&partial[%s])",
			                          partial_at(e, s, "chunk", number++)));
	code_close(e->code, 1);
}

/* The rows of a block's part, whose number is `at`, begin with row at * middle / chunks. */
static CodeLoop rows_of_part(Body *e, const CudaShape *s, const char *row)
{
	const int64_t middle = e->nest.middle;
	const bool wide = middle * s->chunks > INT32_MAX;
	CodeLoop rows = {.type = "int", .var = "r", .from = row, .count = middle, .by = THREADS / s->columns};
	if (s->chunks > 1) {
		const char *part = arena_printf(e->arena, "%lld%s / %lld", (long long)middle,
		                                wide ? "LL" : "", (long long)s->chunks);
		rows.from = arena_printf(e->arena, wide ? "(int)(at * %s) + %s" : "at * %s + %s", part, row);
		rows.to = arena_printf(e->arena, "(at + 1) * %s", part);
	}
	return rows;
}

/* Columns, or the whole: then a block has one. */
static void write_columns(Body *e, const CudaShape *s)
{
	const LoopNest *nest = &e->nest;
	Arena *a = e->arena;
	const int end = inner_end(nest);
	const int64_t tiles = ceil_div(nest->inner, s->columns);
	const bool whole = s->columns == 1, cut = s->chunks > 1, ragged = nest->inner % s->columns != 0;
	const char *row = whole ? "threadIdx.x" : "row", *sums = whole ? "nnr_block_@" : "nnr_column_@";
	name_loop(e, "o", 0, nest->first_reduced);
	name_loop(e, "r", nest->first_reduced, end);
	name_loop(e, "column", end, nest->loop_count);
	if (!whole)
		code_let(e->code, "int", "tile", "%s",
		         cut || nest->outer > 1 ? arena_printf(a, "blockIdx.x %% %lld", (long long)tiles)
		                                : "blockIdx.x");
	if (cut)
		code_let(e->code, "int", "at", "%s", index_digit(a, "blockIdx.x", tiles, s->chunks));
	if (!whole) {
		code_let(e->code, "int", "column", "tile * %d + threadIdx.x %% %d", COLUMNS, COLUMNS);
		code_also(e->code, "row", "threadIdx.x / %d", COLUMNS);
	}
	if (nest->outer > 1) {
		code_let(e->code, "int", "o", "%s", index_over(a, "blockIdx.x", tiles * s->chunks));
		split_index(e, "o", 0, nest->first_reduced);
	}
	split_index(e, "column", end, nest->loop_count);
	body_declare_accumulators(e, -1, NULL);
	if (ragged)
		code_if(e->code, "column < %lld", (long long)nest->inner);
	code_turns(e->code, TURNS_UNROLLED, " 4");
	code_loop(e->code, rows_of_part(e, s, row));
	let_indices(e, NULL, "r", nest->first_reduced, end);
	body_phase(e, 0, NULL);
	code_close(e->code, 1 + ragged);
	body_reduce(e, -1, "block", sums, "");
	const char *first = arena_printf(a, "%s == 0", row);
	if (ragged)
		first = arena_printf(a, "%s && column < %lld", first, (long long)nest->inner);
	if (cut) {
		const bool outer = nest->outer > 1;
		const char *counter = outer ? index_times(a, "o", tiles) : whole ? "0" : "tile";
		write_last_block(e, s, outer && !whole ? arena_printf(a, "%s + tile", counter) : counter,
		                 first,
		                 ragged ? arena_printf(a, "column < %lld ? row : %lld",
		                                       (long long)nest->inner, (long long)s->chunks)
		                        : row);
		body_reduce(e, -1, "block", sums, "");
	}
	body_bind_accumulators(e, -1, NULL);
	code_if(e->code, "%s", first);
	body_reduced(e, -1);
	code_close(e->code, 1);
}

CudaLaunch write_loops_cuda(Body *e, const Target *t)
{
	CudaShape s = shape_of(&e->nest);
	if (s.form == FORM_MAP)
		return write_map_cuda(e);
	if (s.form == FORM_RESIDENT) {
		body_scalars_if_read(
		        e); /* sums that a step takes from another need not what the rows of that read */
		return write_resident(e);
	}
	body_scalars(e);
	body_name_accumulators(e);
	if (s.form == FORM_SLAB)
		return write_slab(e);
	if (s.form == FORM_ROWS)
		write_rows(e, &s);
	else
		write_columns(e, &s);
	CudaLaunch launch = {.blocks = s.blocks,
	                     .threads = s.threads,
	                     .per_multiprocessor = s.per_multiprocessor,
	                     .cluster = s.row.copying.parts > 1 ? s.row.copying.parts : 0,
	                     .shared_bytes = row_copies_bytes(e, s.row.copying.parts)};
	if (s.chunks > 1)
		launch.counters = e->nest.outer * ceil_div(e->nest.inner, s.columns);
	return launch;
}
