/* SPDX-License-Identifier: MIT */
/* The loop nest of a fused kernel in C with OpenMP.
 *
 * A kernel takes one of three forms, chosen by its domain (outer, reduced, inner; see ir/domain.h):
 *
 *   map      no reduction: loops over everything, the innermost vectorised; of a recurrence over the thread's rows
 *   rows     for each outer index: loops over the reduced dimensions, one per phase; sums in scalars, or, where kept
 *            dimensions lie inside the reduced ones, in a small array
 *   chunks   few outer indices and a long reduction (a batchnorm's sums): the reduced dimension is cut into a fixed
 *            number of chunks, each summed into its own part of `partial`, and the parts are added in order. The number
 *            depends on the shape alone, so the result does not depend on the number of threads. */
#include "codegen/body.h"
#include "codegen/forms.h"
#include "codegen/index.h"
#include "ir/op.h"
#include "codegen/expr.h"
#include <string.h>

enum { PARALLEL_ELEMENTS = 16384, INNER_ARRAY = 2048 };

static void open_loop(Body *e, int i)
{
	const Loop *l = &e->nest.loops[i];
	code_loop(e->code, (CodeLoop){.type = "int64_t", .var = l->var, .count = l->count});
}

/* The first loop, over the rows that the calling thread has of those that it runs over. */
static void open_share(Body *e, int64_t rows)
{
	const Loop *loop = &e->nest.loops[0];
	const char *times =
	        loop->count == rows ? "" : arena_printf(e->arena, " * %lld", (long long)(loop->count / rows));
	code_loop(e->code, (CodeLoop){.type = "int64_t",
	                              .var = loop->var,
	                              .from = arena_printf(e->arena, "share.first%s", times),
	                              .to = arena_printf(e->arena, "share.end%s", times)});
}

static void write_map(Body *e)
{
	const LoopNest *nest = &e->nest;
	const int64_t elements = nest->outer * nest->middle * nest->inner,
	              shared = shared_rows(e->program, e->step);
	const bool parallel = elements >= PARALLEL_ELEMENTS && !shared;
	if (shared)
		code_let(e->code, "NnrRows", "share", "nnr_rows(%lld)", (long long)shared);
	for (int i = 0; i < nest->loop_count; i++) {
		bool last = i == nest->loop_count - 1;
		if (i == 0 && parallel)
			code_turns(e->code, last ? TURNS_THREADS_SIMD : TURNS_THREADS,
			           nest->loops[0].count < 16 && nest->loop_count > 2 ? " collapse(2)" : "");
		else if (last)
			code_turns(e->code, TURNS_SIMD, "");
		if (i == 0 && shared)
			open_share(e, shared);
		else
			open_loop(e, i);
	}
	body_phase(e, 0, NULL);
	code_close(e->code, nest->loop_count);
}

static char *reduction_clause(Body *e, int phase)
{
	char *sums = NULL, *maxima = NULL;
	for (int i = 0; i < e->nest.node_count; i++) {
		const Node *n = e->nest.nodes[i];
		if (!(n->op->flags & OP_REDUCE) || e->nest.shape.phase[i] != phase)
			continue;
		char **list = (n->op->flags & OP_ADDS) ? &sums : &maxima;
		*list = *list ? arena_printf(e->arena, "%s, %s", *list, e->accumulator[i])
		              : arena_strdup(e->arena, e->accumulator[i]);
	}
	return arena_printf(e->arena, "%s%s%s%s%s%s", sums ? " reduction(+ : " : "", sums ? sums : "",
	                    sums ? ")" : "", maxima ? " reduction(max : " : "", maxima ? maxima : "",
	                    maxima ? ")" : "");
}

/* Sums in scalars: the reduced dimensions are the innermost. */
static void write_row_phases(Body *e)
{
	const LoopNest *nest = &e->nest;
	body_declare_rows(e, nest->middle);
	for (int phase = 0; phase < nest->shape.phases; phase++) {
		body_declare_accumulators(e, phase, NULL);
		for (int i = nest->first_reduced; i < nest->loop_count; i++) {
			if (i == nest->loop_count - 1)
				code_turns(e->code, TURNS_SIMD, reduction_clause(e, phase));
			open_loop(e, i);
		}
		body_phase(e, phase, NULL);
		code_close(e->code, nest->loop_count - nest->first_reduced);
		body_bind_accumulators(e, phase, NULL);
		body_reduced(e, phase);
	}
}

/* The loops from `first` on, which are inside of the reduced ones; `block`: only from there to `end`. */
static void open_inner(Body *e, int first, const char *block)
{
	const LoopNest *nest = &e->nest;
	for (int i = first; i < nest->loop_count; i++) {
		if (i == nest->loop_count - 1)
			code_turns(e->code, TURNS_SIMD, "");
		if (block)
			code_loop(e->code, (CodeLoop){.type = "int64_t",
			                              .var = nest->loops[i].var,
			                              .from = block,
			                              .to = "end"});
		else
			open_loop(e, i);
	}
}

/* Sums in an array over the loops from `first` on, `count` elements; a long one in blocks. */
static void write_inner_sums(Body *e, int first, int64_t count, bool blocked)
{
	const LoopNest *nest = &e->nest;
	const int inner_loops = nest->loop_count - first;
	const long long size = blocked ? INNER_ARRAY / 2 : count;
	char *index = loop_linear_index(e->arena, nest, first);
	if (blocked) {
		code_let(e->code, "int64_t", "end", "block + %lld < %lld ? block + %lld : %lld", size,
		         (long long)count, size, (long long)count);
		index = arena_printf(e->arena, "%s - block", index);
	}
	const char *block = blocked ? "block" : NULL;
	body_declare_accumulators(e, -1, arena_printf(e->arena, "%lld", size));
	open_inner(e, first, block);
	body_clear_accumulators(e, -1, index);
	code_close(e->code, inner_loops);
	for (int i = nest->first_reduced; i < nest->first_inner; i++)
		open_loop(e, i);
	open_inner(e, first, block);
	body_phase(e, 0, index);
	code_close(e->code, inner_loops + nest->first_inner - nest->first_reduced);
	open_inner(e, first, block);
	body_bind_accumulators(e, -1, index);
	body_reduced(e, -1);
	code_close(e->code, inner_loops);
}

/* Where the dimensions inside of the reduced ones are too many for an array, it has those of the last loop alone, or of
 * a block of them: the blocks then run in parallel. */
static void write_rows(Body *e)
{
	const LoopNest *nest = &e->nest;
	const bool parallel = nest->outer * nest->middle * nest->inner >= PARALLEL_ELEMENTS,
	           is_long = nest->inner > INNER_ARRAY;
	const int first = is_long ? nest->loop_count - 1 : nest->first_inner,
	          outer_loops = nest->first_reduced + first - nest->first_inner;
	const int64_t count = is_long ? nest->loops[first].count : nest->inner;
	const bool blocked = count > INNER_ARRAY;
	for (int i = 0; i < outer_loops; i++) {
		const int at = i < nest->first_reduced ? i : i - nest->first_reduced + nest->first_inner;
		if (i == 0 && parallel)
			code_turns(e->code, TURNS_THREADS,
			           nest->loops[at].count < 16 && outer_loops > 1 ? " collapse(2)" : "");
		open_loop(e, at);
	}
	if (blocked) {
		if (outer_loops == 0 && parallel)
			code_turns(e->code, TURNS_THREADS, "");
		code_loop(
		        e->code,
		        (CodeLoop){.type = "int64_t", .var = "block", .count = count, .by = INNER_ARRAY / 2});
	}
	if (nest->inner == 1)
		write_row_phases(e);
	else
		write_inner_sums(e, first, count, blocked);
	code_close(e->code, outer_loops + blocked);
}

/* Each chunk's sums, to its part of `parts`, which begins at `chunk`. */
static void sum_chunks(Body *e, const char *real, const char *parts, const char *chunk)
{
	const LoopNest *nest = &e->nest;
	const int inner_loops = nest->loop_count - nest->first_inner;
	const int64_t inner = nest->inner;
	const Loop *cut = &nest->loops[nest->first_reduced];
	int number = 0;
	code_turns(e->code, TURNS_THREADS, "");
	code_loop(e->code, (CodeLoop){.type = "int64_t", .var = "chunk", .count = nest->chunks});
	char *index = loop_linear_index(e->arena, nest, nest->first_inner);
	if (inner == 1) {
		body_declare_accumulators(e, -1, NULL);
		index = NULL;
	} else {
		for (int i = 0; i < nest->node_count; i++)
			if (nest->nodes[i]->op->flags & OP_REDUCE)
				code_var(e->code, "%s *restrict", "%s", "%s + %s", real, e->accumulator[i],
				         parts, index_plus(e->arena, chunk, number++ * inner));
		open_inner(e, nest->first_inner, NULL);
		body_clear_accumulators(e, -1, index);
		code_close(e->code, inner_loops);
	}
	if (inner == 1 && nest->first_reduced == nest->loop_count - 1)
		code_turns(e->code, TURNS_SIMD, reduction_clause(e, 0));
	const long long count = cut->count;
	code_loop(e->code,
	          (CodeLoop){.type = "int64_t",
	                     .var = cut->var,
	                     .from = arena_printf(e->arena, "chunk * %lld / %d", count, nest->chunks),
	                     .to = arena_printf(e->arena, "(chunk + 1) * %lld / %d", count, nest->chunks)});
	int reduced_end = inner == 1 ? nest->loop_count : nest->first_inner;
	for (int i = nest->first_reduced + 1; i < reduced_end; i++) {
		if (inner == 1 && i == nest->loop_count - 1)
			code_turns(e->code, TURNS_SIMD, reduction_clause(e, 0));
		open_loop(e, i);
	}
	if (inner != 1)
		open_inner(e, nest->first_inner, NULL);
	body_phase(e, 0, index);
	code_close(e->code, reduced_end - nest->first_reduced + (inner != 1 ? inner_loops : 0));
	if (inner == 1) {
		for (int i = 0; i < nest->node_count; i++)
			if (nest->nodes[i]->op->flags & OP_REDUCE)
				code_set(e->code, "%s[%s]", "%s", parts,
				         index_plus(e->arena, chunk, number++), e->accumulator[i]);
	}
	code_close(e->code, 1);
}

/* The sums of all chunks, and what is computed of them. */
static void add_chunks(Body *e, const char *parts, const char *chunk)
{
	const LoopNest *nest = &e->nest;
	const int64_t inner = nest->inner;
	const char *index = inner == 1 ? NULL : loop_linear_index(e->arena, nest, nest->first_inner);
	int number = 0;
	if (inner != 1)
		open_inner(e, nest->first_inner, NULL);
	body_declare_accumulators(e, -1, NULL);
	code_loop(e->code, (CodeLoop){.type = "int64_t", .var = "chunk", .count = nest->chunks});
	for (int i = 0; i < nest->node_count; i++) {
		const Node *n = nest->nodes[i];
		if (!(n->op->flags & OP_REDUCE))
			continue;
		char *from = arena_printf(e->arena, "%s[%s%s%s]", parts,
		                          index_plus(e->arena, chunk, number++ * inner), index ? " + " : "",
		                          index ? index : "");
		body_combine(e, n, e->accumulator[i], from);
	}
	code_close(e->code, 1);
	body_bind_accumulators(e, -1, NULL);
	body_reduced(e, -1);
	code_close(e->code, inner != 1 ? nest->loop_count - nest->first_inner : 0);
}

/* Long reductions over few outer indices, cut into chunks. */
static void write_chunks(Body *e)
{
	const LoopNest *nest = &e->nest;
	const char *real = dtype_c_name(e->tensors.at[e->tensors.count - 1].dtype);
	const long long part = (long long)nest->inner * nest->reductions;
	char *outer = arena_strdup(e->arena, "");
	for (int i = 0; i < nest->first_reduced; i++) {
		open_loop(e, i);
		outer = arena_printf(e->arena, "(%s%s)",
		                     *outer ? arena_printf(e->arena, "%s * %lld + ", outer,
		                                           (long long)nest->loops[i].count)
		                            : "",
		                     nest->loops[i].var);
	}
	if (*outer)
		code_var(e->code, "%s *", "parts", "partial + %s * %lld", real, outer, part * nest->chunks);
	const char *parts = *outer ? "parts" : "partial",
	           *chunk = arena_printf(e->arena, "chunk * %lld", part);
	sum_chunks(e, real, parts, chunk);
	add_chunks(e, parts, chunk);
	code_close(e->code, nest->first_reduced);
}

CudaLaunch write_loops_cpu(Body *e, const Target *t)
{
	body_scalars(e);
	body_name_accumulators(e);
	body_choose_rows(e);
	if (!e->nest.shape.domain.has_reduction)
		write_map(e);
	else if (e->nest.chunks)
		write_chunks(e);
	else
		write_rows(e);
	return (CudaLaunch){0};
}
