/* SPDX-License-Identifier: MIT */
/* The loop nest of a fused kernel for the threads of one block, its tensors in shared memory:
 *
 *   map       threads go over the elements, or over vectors of four
 *   rows      a warp, or the whole block where rows are long and few, for each outer index
 *   columns   a thread for each kept index after the reduced ones, and as many rows of those as the block has threads
 *
 * No thread leaves early: the steps after this one need them all at their barriers. */
#include "ir/op.h"
#include "codegen/body.h"
#include "codegen/forms.h"

enum { WARP = 32, VECTOR = 4, LONGEST_WARP_ROW = 1024, LONG_ROW = 128 };

typedef enum { FORM_MAP, FORM_ROWS, FORM_COLUMNS } Form;

static Form form_of(const LoopNest *nest)
{
	if (!nest->shape.domain.has_reduction)
		return FORM_MAP;
	return nest->inner > 1 ? FORM_COLUMNS : FORM_ROWS;
}

/* Threads of a row. */
static int row_lanes(const LoopNest *nest, int threads)
{
	bool few = nest->outer * 2 * WARP <= threads && nest->middle > LONG_ROW;
	return few || nest->middle > LONGEST_WARP_ROW ? threads : WARP;
}

bool block_takes_one_warp(const LoopNest *nest, int threads)
{
	return form_of(nest) == FORM_ROWS && nest->outer == 1 && row_lanes(nest, threads) == WARP;
}

int64_t workspace_block(const LoopNest *nest, const Target *t)
{
	const int threads = t->threads;
	switch (form_of(nest)) {
	case FORM_MAP:
		return 0;
	case FORM_ROWS:
		return row_lanes(nest, threads) > WARP ? threads / WARP : 0;
	default:
		return nest->inner < threads ? threads : 0;
	}
}

static void write_map(Body *e, int threads)
{
	const LoopNest *nest = &e->nest;
	int vector =
	        nest->loop_count > 0 && nest->loops[nest->loop_count - 1].count % VECTOR == 0 ? VECTOR : 1;
	code_strided(e->code, "i", "threadIdx.x", nest->outer * nest->middle * nest->inner / vector, threads);
	write_map_body(e, vector);
	code_close(e->code, 1);
}

static void write_rows(Body *e, int threads)
{
	const LoopNest *nest = &e->nest;
	const RowShape row = {.vector = 1, .lanes = row_lanes(nest, threads), .in_block = true};
	name_loop(e, "o", 0, nest->first_reduced);
	name_loop(e, "r", nest->first_reduced, nest->loop_count);
	body_choose_rows(e);
	code_let(e->code, "int", "lane", "threadIdx.x %% %d", row.lanes);
	code_strided(e->code, "o", arena_printf(e->arena, "threadIdx.x / %d", row.lanes), nest->outer,
	             threads / row.lanes);
	write_phases_of_row(e, &row);
	code_close(e->code, 1);
}

static void write_columns(Body *e, int threads)
{
	const LoopNest *nest = &e->nest;
	int end = nest->first_inner < nest->loop_count ? nest->first_inner : nest->loop_count;
	long long inner = (long long)nest->inner, middle = (long long)nest->middle;
	long long rows = inner < threads ? threads / inner : 1;
	if (rows > middle)
		rows = middle;
	name_loop(e, "o", 0, nest->first_reduced);
	name_loop(e, "r", nest->first_reduced, end);
	name_loop(e, "column", end, nest->loop_count);
	if (nest->outer > 1) {
		code_loop(e->code, (CodeLoop){.type = "int", .var = "o", .count = nest->outer});
		split_index(e, "o", 0, nest->first_reduced);
	}
	if (inner < threads) {
		code_let(e->code, "int", "column", "threadIdx.x %% %lld", inner);
		code_also(e->code, "row", "threadIdx.x / %lld", inner);
	} else {
		code_strided(e->code, "column", "threadIdx.x", inner, threads);
		code_let(e->code, "int", "row", "0");
	}
	split_index(e, "column", end, nest->loop_count);
	body_declare_accumulators(e, -1, NULL);
	code_turns(e->code, TURNS_UNROLLED, " 4");
	code_strided(e->code, "r", arena_printf(e->arena, "row < %lld ? row : %lld", rows, middle), middle,
	             rows);
	let_indices(e, NULL, "r", nest->first_reduced, end);
	body_phase(e, 0, NULL);
	code_close(e->code, 1);
	if (inner < threads)
		body_reduce(e, -1, "block", arena_printf(e->arena, "nnr_rows_@<%lld, %lld>", inner, rows),
		            ", partial");
	body_bind_accumulators(e, -1, NULL);
	code_if(e->code, "row == 0");
	body_reduced(e, -1);
	code_close(e->code, 1);
	if (inner >= threads)
		code_close(e->code, 1);
	if (nest->outer > 1)
		code_close(e->code, 1);
}

CudaLaunch write_loops_block(Body *e, const Target *t)
{
	const int threads = t->threads;
	body_scalars(e);
	body_name_accumulators(e);
	switch (form_of(&e->nest)) {
	case FORM_MAP:
		write_map(e, threads);
		break;
	case FORM_ROWS:
		write_rows(e, threads);
		break;
	default:
		write_columns(e, threads);
	}
	return (CudaLaunch){0};
}
