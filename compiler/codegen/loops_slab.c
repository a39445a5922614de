/* SPDX-License-Identifier: MIT */
/* Sums over columns in CUDA, four neighbouring columns a thread: see forms.h.
 *
 * A slab is some neighbouring columns, from 8 to 128; a row of it is what a few threads read in one vector each. The
 * rows go round the threads of a block, then round the blocks that share the slab. These are
 *
 *   chunks     for a single phase: each block leaves its sums in `partial`, and the block that arrives last adds the
 *              parts in their order and finishes the kernel. The rows are visited from the last to the first: what the
 *              kernel before wrote last and what the kernel after reads first is then in the cache.
 *   a cluster  for several phases ("resident"): up to 8 blocks that give each other their sums through distributed
 *              shared memory. Every block then has the whole sums, in one order, and goes on with its own rows, which
 *              it has kept in registers: a tensor is read once, and there is one launch.
 *
 * One thread a column adds up the sums and computes what depends on them alone; shared memory hands that to the others.
 * What depends on the column alone is loaded ahead of the rows, which also makes it safe to overwrite. */
#include "codegen/index.h"
#include "ir/op.h"
#include "codegen/expr.h"
#include "codegen/forms.h"
#include "codegen/slab.h"
#include <string.h>

enum { WARP = 32 };

static const char *real_of(const Body *e, int i)
{
	return dtype_value_name(e->nest.nodes[i]->type.dtype);
}

/* "NnrSum<float>" */
static const char *kind_of(const Body *e, int i)
{
	return arena_printf(e->arena, "Nnr%s<%s>", (e->nest.nodes[i]->op->flags & OP_ADDS) ? "Sum" : "Max",
	                    real_of(e, i));
}

/* Reductions of the phase and kind of that at `i`, among the nodes before `end`. They go together, under the first's
 * name. */
static int count_alike(const Body *e, int i, int end)
{
	int count = 0;
	for (int k = 0; k < end; k++)
		count += body_reduces_in(e, k, e->nest.shape.phase[i]) &&
		         strcmp(kind_of(e, k), kind_of(e, i)) == 0;
	return count;
}

static int count_all_alike(const Body *e, int i)
{
	return count_alike(e, i, e->nest.node_count);
}

static bool leads(const Body *e, int i, int phase)
{
	return body_reduces_in(e, i, phase) && count_alike(e, i, i) == 0;
}

static const char *leader_of(const Body *e, int i)
{
	int k = 0;
	while (!body_reduces_in(e, k, e->nest.shape.phase[i]) || strcmp(kind_of(e, k), kind_of(e, i)) != 0)
		k++;
	return e->accumulator[k];
}

static void start_sums(Body *e, int phase, bool declare)
{
	for (int i = 0; i < e->nest.node_count; i++) {
		if (!body_reduces_in(e, i, phase))
			continue;
		if (declare)
			code_array(e->code, "%s", "%s", "%d", real_of(e, i), e->accumulator[i], VECTOR);
		code_do(e->code, "nnr_fill4(%s, %s)", e->accumulator[i], reduction_start(e->nest.nodes[i]));
	}
}

static void declare_shared(Slab *s, int phase, int blocks)
{
	Body *e = s->e;
	for (int i = 0; i < e->nest.node_count; i++) {
		if (!leads(e, i, phase))
			continue;
		int size = count_all_alike(e, i) * s->width;
		code_shared(e->code, "%s", "%s_parts", "%d", real_of(e, i), e->accumulator[i],
		            s->threads / WARP * size);
		if (blocks > 1)
			code_also_shared(e->code, "%s_all", "%d", e->accumulator[i], blocks * size);
	}
}

/* The sums of each warp. */
static void leave_sums(Slab *s, int phase)
{
	Body *e = s->e;
	for (int i = 0; i < e->nest.node_count; i++) {
		if (!leads(e, i, phase))
			continue;
		char *sums = "";
		for (int k = i; k < e->nest.node_count; k++)
			if (body_reduces_in(e, k, phase) && strcmp(kind_of(e, k), kind_of(e, i)) == 0)
				sums = arena_printf(e->arena, "%s, %s", sums, e->accumulator[k]);
		code_do(e->code, "nnr_slab_leave<%s, %d>(%s_parts%s)", kind_of(e, i), s->width,
		        e->accumulator[i], sums);
	}
}

/* The sum of this thread's column over the warps of the block, or over the blocks of a cluster. */
static char *taken_text(const Slab *s, int i, int blocks)
{
	const Body *e = s->e;
	int before = count_alike(e, i, i) * s->width;
	char *place = before ? arena_printf(e->arena, "%d + threadIdx.x", before) : "threadIdx.x";
	return arena_printf(e->arena, "nnr_slab_take<%s, %d, %d>(%s_%s + %s)", kind_of(e, i),
	                    count_all_alike(e, i) * s->width, blocks > 1 ? blocks : s->threads / WARP,
	                    leader_of(e, i), blocks > 1 ? "all" : "parts", place);
}

static void write_row(Body *e, int phase)
{
	body_phase(e, phase, "u");
}

static bool follows(const Slab *s, int i, int phase)
{
	const KernelShape *shape = &s->e->nest.shape;
	return shape->level[i] == LEVEL_REDUCED && shape->phase[i] == phase;
}

/* Values of earlier phases after sums: as the rows have them, or as a column's thread finds them. */
static void bind_handed(Slab *s, int phase, bool rows)
{
	Body *e = s->e;
	for (int i = 0; i < e->nest.node_count; i++) {
		if (!s->scalar[i] || e->nest.shape.phase[i] >= phase)
			continue;
		e->value[i] = arena_printf(e->arena, rows ? "%s[u]" : "%s[threadIdx.x]",
		                           rows ? s->taken[i] : s->shared[i]);
		e->used[i] = false;
	}
}

static void note_handed(Slab *s, int phase)
{
	for (int i = 0; i < s->e->nest.node_count; i++)
		if (s->scalar[i] && s->e->nest.shape.phase[i] < phase)
			s->handed[i] |= s->e->used[i];
}

/* What is after the sums of a phase, by the thread of the column: values to e->code, their stores to `stores`. */
static void write_column(Slab *s, int phase, int blocks, Code *stores)
{
	Body *e = s->e;
	Loop *last = &e->nest.loops[e->nest.loop_count - 1];
	const char *base = last->var;
	last->var = s->column;
	for (int i = 0; i < e->nest.node_count; i++) {
		if (!body_reduces_in(e, i, phase))
			continue;
		const char *total = tensors_local_of(&e->tensors, e->accumulator[i], "total");
		code_let(e->code, "%s", "%s", "%s", real_of(e, i), total, taken_text(s, i, blocks));
		e->value[i] = total;
	}
	body_bind_reduced(e, phase, NULL);
	Code *values = e->code;
	e->code = stores;
	body_store_reduced(e, phase);
	e->code = values;
	for (int i = 0; i < e->nest.node_count; i++) {
		if (!follows(s, i, phase))
			continue;
		s->scalar[i] = e->value[i];
		s->shared[i] = tensors_local_of(&e->tensors, e->value[i], "slab");
		s->taken[i] = tensors_local_of(&e->tensors, e->value[i], "in");
	}
	last->var = base;
}

/* The block of the threads that finish a column each, and the way of its values to the others. */
static void write_finish(Slab *s, int phase, Code *values, Code *stores)
{
	Body *e = s->e;
	const char *base = e->nest.loops[e->nest.loop_count - 1].var;
	for (int i = 0; i < e->nest.node_count; i++)
		if (follows(s, i, phase) && s->handed[i])
			code_shared(e->code, "%s", "%s", "%d", real_of(e, i), s->shared[i], s->width)
			        ->is_aligned = true;
	code_if(e->code, "threadIdx.x < %d", s->width);
	code_take(e->code, values);
	for (int i = 0; i < e->nest.node_count; i++)
		if (follows(s, i, phase) && s->handed[i])
			code_set(e->code, "%s[threadIdx.x]", "%s", s->shared[i], s->scalar[i]);
	bool shared = s->resident && s->blocks > 1 && !code_is_empty(stores);
	if (shared)
		code_if(e->code, "at == 0");
	code_take(e->code, stores);
	if (shared)
		code_close(e->code, 1);
	code_close(e->code, 1);
	if (phase + 1 >= e->nest.shape.phases)
		return;
	code_barrier(e->code, "block");
	for (int i = 0; i < e->nest.node_count; i++) {
		if (!follows(s, i, phase) || !s->handed[i])
			continue;
		code_array(e->code, "%s", "%s", "%d", real_of(e, i), s->taken[i], VECTOR);
		code_do(e->code, "nnr_load4(%s, %s + %s %% %d)", s->taken[i], s->shared[i], base, s->width);
	}
	for (int i = 0; i < e->vector_count && phase == 0; i++) {
		const VectorAccess *v = &e->vectors[i];
		if (v->kind != ACCESS_FETCHED || !v->row_local)
			continue;
		code_array(e->code, "%s", "%s", "%d", v->type, v->row_local, VECTOR);
		code_do(e->code, "nnr_load4(%s, %s + %s %% %d)", v->row_local, v->local, base, s->width);
	}
}

static void write_loads(Slab *s, Code *loads)
{
	Body *e = s->e;
	const LoopNest *nest = &e->nest;
	long long step = (long long)s->rows * s->blocks;
	if (code_is_empty(loads))
		return;
	code_turns(e->code, TURNS_UNROLLED, "");
	code_loop(e->code, (CodeLoop){.type = "int", .var = "turn", .count = s->turns});
	const char *row = arena_printf(e->arena, "row + turn * %lld", step);
	if (nest->middle % step)
		row = arena_printf(e->arena, "min(%s, %lld)", row, (long long)nest->middle - 1);
	let_indices(e, row, "r", 0, nest->first_inner);
	code_take(e->code, loads);
	code_close(e->code, 1);
}

/* Everything that stands ahead of the rows, once the rows have said what they need: loads of the rows that stay, of
 * columns, and of the rows that later phases alone read. What a column's thread will need goes to shared memory, so
 * that it has been read before the block's sums leave and another block overwrites it; last, since its stores wait for
 * the loads. */
static void write_ahead(Slab *s, Code *first, Code *later)
{
	Body *e = s->e;
	for (int i = 0; i < e->vector_count; i++) {
		const VectorAccess *v = &e->vectors[i];
		if (v->kind == ACCESS_RAW)
			code_array(e->code, "NnrRaw4<%s>", "%s_raw", "%lld", v->type, v->local,
			           (long long)s->turns);
		if (v->kind == ACCESS_KEPT)
			code_array(e->code, "%s", "%s", "%lld", v->type, v->local,
			           (long long)s->turns * VECTOR);
	}
	if (first)
		write_loads(s, first);
	int fetched = 0;
	for (int i = 0; i < e->vector_count; i++) {
		const VectorAccess *v = &e->vectors[i];
		if (v->kind == ACCESS_COLUMN) {
			code_array(e->code, "%s", "%s", "%d", v->type, v->local, VECTOR);
			code_do(e->code, "nnr_load%s(%s, %s)", v->aligned ? "4" : "4_unaligned", v->local,
			        v->address);
		}
		if (v->kind == ACCESS_FETCHED) {
			code_shared(e->code, "%s", "%s", "%d", v->type, v->local, s->width)->is_aligned =
			        true;
			fetched++;
		}
	}
	if (later)
		write_loads(s, later);
	if (fetched > 0)
		code_if(e->code, "threadIdx.x < %d", s->width);
	for (int i = 0; i < e->vector_count; i++)
		if (e->vectors[i].kind == ACCESS_FETCHED)
			code_set(e->code, "%s[threadIdx.x]", "(%s)*(%s)", e->vectors[i].local,
			         e->vectors[i].type, e->vectors[i].address);
	if (fetched > 0)
		code_close(e->code, 1);
	body_declare_rows(e, s->turns * VECTOR);
	e->vector_count = 0;
}

/* The rows of a phase, and its sums on their way. */
static void write_rows(Slab *s, int phase, bool sums, const char *arrivals)
{
	Body *e = s->e;
	const LoopNest *nest = &e->nest;
	int64_t step = s->rows * s->blocks;
	if (sums)
		declare_shared(s, phase, (int)s->blocks);
	start_sums(e, phase, true);
	code_turns(e->code, TURNS_UNROLLED, "");
	code_loop(e->code, (CodeLoop){.type = "int", .var = "turn", .count = s->turns});
	const char *row = arena_printf(e->arena, "row + turn * %lld", (long long)step);
	bool ragged = nest->middle % step != 0;
	if (ragged) {
		code_let(e->code, "int", "r", "%s", row);
		code_if(e->code, "r < %lld", (long long)nest->middle);
	}
	let_indices(e, ragged ? NULL : row, "r", 0, nest->first_inner);
	write_elements(e, VECTOR, write_row, phase);
	if (ragged)
		code_close(e->code, 1);
	code_close(e->code, 1);
	if (!sums)
		return;
	leave_sums(s, phase);
	if (s->blocks > 1 && phase == 0)
		code_do(e->code, "nnr_cluster_wait()");
	code_barrier(e->code, "block");
	for (int i = 0; s->blocks > 1 && i < nest->node_count; i++)
		if (leads(e, i, phase))
			code_do(e->code, "nnr_slab_send<%s, %d, %d, %d>(%s_all, &%s, %s_parts)",
			        kind_of(e, i), count_all_alike(e, i) * s->width, s->threads, (int)s->blocks,
			        e->accumulator[i], arrivals, e->accumulator[i]);
}

static int64_t sent_bytes(const Slab *s, int phase)
{
	int64_t bytes = 0;
	for (int i = 0; i < s->e->nest.node_count; i++)
		if (body_reduces_in(s->e, i, phase))
			bytes += s->blocks * s->width * dtype_bytes(s->e->nest.nodes[i]->type.dtype);
	return bytes;
}

static void write_resident_slab(Slab *s)
{
	Body *e = s->e;
	const LoopNest *nest = &e->nest;
	Code *outer = e->code;
	Code *loads[] = {code_new(e->arena), code_new(e->arena)};
	Code *(*all)[3]; /* rows; values of a column, and their stores: empty without sums */
	all = arena_alloc(e->arena, (size_t)nest->shape.phases * sizeof *all);
	e->row_index = arena_printf(e->arena, "turn * %d + u", VECTOR);
	e->raw_turn = "turn";
	e->raw = s->raw.of;
	e->raw_count = s->raw.count;
	for (int phase = 0; phase < nest->shape.phases; phase++) {
		Code **parts = all[phase];
		for (int i = 0; i < 3; i++)
			parts[i] = code_new(e->arena);
		bool sums = phase + 1 < nest->shape.phases;
		for (int i = 0; i < nest->node_count; i++)
			sums = sums || body_reduces_in(e, i, phase);
		const char *arrivals = NULL;
		if (sums && s->blocks > 1) {
			arrivals = tensors_local(&e->tensors, "arrivals");
			code_parts(outer, CODE_SHARED, "NnrArrivals" CODE_PART "%s", arrivals);
			code_do(outer, "nnr_cluster_expect(&%s, %lld)", arrivals,
			        (long long)sent_bytes(s, phase));
			code_do(parts[1], "nnr_cluster_await(&%s)", arrivals);
		}
		e->loads = loads[phase > 0];
		e->late = phase > 0;
		e->code = parts[0];
		bind_handed(s, phase, true);
		write_rows(s, phase, sums, arrivals);
		note_handed(s, phase);
		e->code = parts[1];
		bind_handed(s, phase, false);
		if (sums)
			write_column(s, phase, (int)s->blocks, parts[2]);
		note_handed(s, phase);
	}
	e->code = outer;
	e->row_index = e->raw_turn = NULL;
	e->raw_count = 0;
	e->loads = NULL;
	e->late = false;
	if (s->blocks > 1)
		code_do(e->code, "nnr_cluster_arrive()");
	Code *finished = code_new(e->arena);
	e->code = finished;
	for (int phase = 0; phase < nest->shape.phases; phase++) {
		code_take(e->code, all[phase][0]);
		if (!code_is_empty(all[phase][1]))
			write_finish(s, phase, all[phase][1], all[phase][2]);
	}
	e->code = outer;
	write_ahead(s, loads[0], loads[1]);
	code_take(e->code, finished);
}

static void write_chunk(Slab *s)
{
	Body *e = s->e;
	const LoopNest *nest = &e->nest;
	Code *ahead = e->code;
	e->code = code_new(e->arena);
	declare_shared(s, 0, 1);
	start_sums(e, 0, true);
	long long step = (long long)s->rows * s->blocks;
	code_loop(e->code,
	          (CodeLoop){.type = "int",
	                     .var = "last",
	                     .from = arena_printf(e->arena, "%lld - row", (long long)nest->middle - 1),
	                     .to = "0",
	                     .by = s->turns * step,
	                     .down = true});
	Code *outer = e->code;
	Code *const bodies[] = {code_new(e->arena), code_new(e->arena)}; /* the loads, and the rest */
	e->loads = bodies[0];
	e->code = bodies[1];
	e->kept_turn = arena_printf(e->arena, "k * %d", VECTOR);
	e->row_guard = arena_printf(e->arena, "last >= k * %lld", step);
	write_elements(e, VECTOR, write_row, 0);
	e->code = outer;
	e->loads = NULL;
	e->kept_turn = e->row_guard = NULL;
	for (int i = 0; i < 2; i++) {
		code_turns(e->code, TURNS_UNROLLED, "");
		code_loop(e->code, (CodeLoop){.type = "int", .var = "k", .count = s->turns});
		let_indices(e, arena_printf(e->arena, "max(last - k * %lld, 0)", step), "r", 0,
		            nest->first_inner);
		code_take(e->code, bodies[i]);
		code_close(e->code, 1);
	}
	code_close(e->code, 1);
	leave_sums(s, 0);
	code_barrier(e->code, "block");
	long long stride = (long long)nest->reductions * nest->inner;
	if (s->blocks > 1) {
		int number = 0;
		code_if(e->code, "threadIdx.x < %d", s->width);
		for (int i = 0; i < nest->node_count; i++)
			if (body_reduces_in(e, i, 0))
				code_set(e->code, "partial[%s + %s]", "%s",
				         index_plus(e->arena, arena_printf(e->arena, "at * %lld", stride),
				                    number++ * nest->inner),
				         s->column, taken_text(s, i, 1));
		code_close(e->code, 1);
		code_leave_if(e->code, "return", "!nnr_last_block(&done[slab], %lld)", (long long)s->blocks);
		start_sums(e, 0, false);
		code_turns(e->code, TURNS_UNROLLED, " 8");
		code_strided(e->code, "part", arena_printf(e->arena, "threadIdx.x / %d", s->width / VECTOR),
		             s->blocks, s->rows);
		number = 0;
		for (int i = 0; i < nest->node_count; i++)
			if (body_reduces_in(e, i, 0))
				code_do(e->code, "nnr_combine4<%s>(%s, partial + %s + %s)", kind_of(e, i),
				        e->accumulator[i],
				        index_plus(e->arena, arena_printf(e->arena, "part * %lld", stride),
				                   number++ * nest->inner),
				        nest->loops[nest->loop_count - 1].var);
		code_close(e->code, 1);
		leave_sums(s, 0);
		code_barrier(e->code, "block");
	}
	outer = e->code;
	Code *values = e->code = code_new(e->arena), *stores = code_new(e->arena);
	write_column(s, 0, 1, stores);
	e->code = outer;
	write_finish(s, 0, values, stores);
	e->code = ahead;
	write_ahead(s, NULL, NULL);
	code_take(e->code, outer);
}

CudaLaunch write_slab(Body *e)
{
	Slab s = slab_of(&e->nest);
	int count = e->nest.node_count;
	s.e = e;
	name_loop(e, "r", 0, e->nest.first_inner);
	e->walk = WALK_REDUCED;
	e->column = s.column = "column";
	e->used = NEW_ARRAY(e->arena, bool, count);
	s.handed = NEW_ARRAY(e->arena, bool, count);
	s.scalar = NEW_ARRAY(e->arena, const char *, count);
	s.shared = NEW_ARRAY(e->arena, const char *, count);
	s.taken = NEW_ARRAY(e->arena, const char *, count);
	int across = s.width / VECTOR;
	const char *column = e->nest.loops[e->nest.loop_count - 1].var;
	if (s.resident)
		slab_choose_kept(&s);
	if (s.blocks > 1) {
		code_let(e->code, "int", "slab", "blockIdx.x / %lld", (long long)s.blocks);
		code_also(e->code, "at", "blockIdx.x %% %lld", (long long)s.blocks);
	} else {
		code_let(e->code, "int", "slab", "blockIdx.x");
	}
	code_let(e->code, "int", "%s", "slab * %d + threadIdx.x %% %d * %d", column, s.width, across, VECTOR);
	code_let(e->code, "int", "%s", "slab * %d + threadIdx.x", s.column, s.width);
	code_let(e->code, "int", "row", "%sthreadIdx.x / %d",
	         s.blocks > 1 ? arena_printf(e->arena, "at * %d + ", s.rows) : "", across);
	if (s.resident)
		write_resident_slab(&s);
	else
		write_chunk(&s);
	return (CudaLaunch){.blocks = s.slabs * s.blocks,
	                    .threads = s.threads,
	                    .cluster = s.resident && s.blocks > 1 ? (int)s.blocks : 0,
	                    .per_multiprocessor = s.per_multiprocessor,
	                    .counters = !s.resident && s.blocks > 1 ? s.slabs : 0,
	                    .any_size = !s.resident};
}
