/* Sums over columns in CUDA, four neighbouring columns a thread: see forms.h.
 *
 * A slab is some neighbouring columns, from 8 to 128; a row of it is what a few threads read in one vector each. The rows
 * go round the threads of a block, then round the blocks that share the slab. These are
 *
 *   chunks     for a single phase: each block leaves its sums in `partial`, and the block that arrives last adds the parts
 *              in their order and finishes the kernel. The rows are visited from the last to the first: what the kernel
 *              before wrote last and what the kernel behind reads first is then in the cache.
 *   a cluster  for several phases ("resident"): up to 8 blocks that give each other their sums through distributed shared
 *              memory. Every block then has the whole sums, in one order, and goes on with its own rows, whose values it
 *              has kept in registers: a tensor is read once, and there is one launch.
 *
 * What depends on the column alone is loaded ahead of everything, which also makes it safe to overwrite. */
#include "ops/op.h"
#include "target/expr.h"
#include "target/forms.h"
#include <string.h>

enum {
	VECTOR = 4,
	WARP = 32,
	WIDEST = VECTOR * WARP,
	CHUNK_THREADS = 256,
	CHUNK_BLOCKS = 2,     /* for each multiprocessor: loads enough under way from three tensors */
	CHUNK_TURNS = 8,      /* at least, for a thread */
	LEAST_ELEMENTS = 512, /* of a block in a cluster */
	LEAST_THREADS = 128,
	MOST_THREADS = 512,
	TURNS_WANTED = 4,
	MOST_KEPT = 96 /* registers of a thread for elements of operands */
};

typedef struct Slab {
	Body *e;
	bool resident;
	int64_t slabs, blocks;    /* blocks that share a slab */
	int width, threads, rows; /* columns; threads of a block; rows that they take in a turn */
	int64_t turns;            /* rows of a thread; of a chunk, those whose loads are under way at once */
} Slab;

static int64_t ceil_div(int64_t a, int64_t b)
{
	return (a + b - 1) / b;
}

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

/* As wide as leaves slabs enough for clusters of SLAB_BLOCKS on all multiprocessors; then as many blocks to each as there are
 * multiprocessors and work for. */
static Slab resident_slab(const LoopNest *nest)
{
	Slab s = {.resident = true, .width = narrowest(nest), .blocks = 1, .threads = LEAST_THREADS};
	int64_t widest = 4 * s.width, multiprocessors = nest->arch.multiprocessors;
	while (s.width < widest && nest->inner % (2 * s.width) == 0 &&
	       nest->inner / s.width > multiprocessors / SLAB_BLOCKS)
		s.width *= 2;
	s.slabs = nest->inner / s.width;
	while (s.blocks < SLAB_BLOCKS && 2 * s.blocks * s.slabs <= multiprocessors &&
	       nest->middle * s.width >= 2 * s.blocks * LEAST_ELEMENTS)
		s.blocks *= 2;
	int64_t vectors = ceil_div(nest->middle, s.blocks) * (s.width / VECTOR);
	while (s.threads < MOST_THREADS && vectors > (int64_t)TURNS_WANTED * s.threads)
		s.threads *= 2;
	return s;
}

/* Full-sized tensors among what the step reads. */
static int count_streams(const LoopNest *nest)
{
	enum { MANY = 4 };
	const Node *seen[MANY];
	int count = 0;
	for (int i = 0; i < nest->node_count; i++) {
		for (int k = 0; k < nest->nodes[i]->operand_count && count < MANY; k++) {
			const Node *x = nest->nodes[i]->operands[k];
			bool known =
			        nest_position(nest, x) >= 0 || node_is_inline(x) || !is_full_sized(nest, x);
			for (int s = 0; s < count; s++)
				known = known || seen[s] == x;
			if (!known)
				seen[count++] = x;
		}
	}
	return count;
}

static Slab chunked_slab(const LoopNest *nest)
{
	Slab s = {.width = SLAB_COLUMNS, .threads = CHUNK_THREADS};
	while (s.width < WIDEST && nest->inner % (2 * s.width) == 0)
		s.width *= 2;
	s.slabs = nest->inner / s.width;
	int streams = count_streams(nest);
	int64_t wanted = (streams <= 2 ? 2 : 1) * CHUNK_BLOCKS * nest->arch.multiprocessors;
	s.turns = streams <= 1 ? 8 : 4;
	int64_t most = ceil_div(nest->middle, (int64_t)CHUNK_TURNS * CHUNK_THREADS * VECTOR / s.width);
	s.blocks = wanted / s.slabs < 1 ? 1 : wanted / s.slabs;
	if (s.blocks > most)
		s.blocks = most;
	return s;
}

static Slab slab_of(const LoopNest *nest)
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
	       nest->inner % SLAB_COLUMNS == 0;
}

int64_t slab_workspace(const LoopNest *nest)
{
	Slab s = slab_of(nest);
	return s.resident || s.blocks == 1 ? 0 : s.blocks * nest->reductions * nest->inner;
}

/* ---- what stays in registers */

/* Values of the rows that later phases read and that are not merely computed again: stored ones too, since reading them
 * back would have to wait for the store. */
static void choose_rows(Slab *s)
{
	Body *e = s->e;
	const LoopNest *nest = &e->nest;
	for (int phase = 1; phase < nest->shape.phases; phase++) {
		bool *need = NEW_ARRAY(e->arena, bool, nest->node_count);
		for (int i = nest->node_count - 1; i >= 0; i--) {
			const Node *n = nest->nodes[i];
			bool reduces = n->op->flags & OP_REDUCE, here = nest->shape.phase[i] == phase;
			if (reduces ? !here : !body_is_full(e, i) || !(need[i] || here))
				continue;
			bool costly = !(n->op->flags & (OP_CHEAP | OP_ALIAS)) || body_stored(e, i);
			if (!reduces && nest->shape.phase[i] < phase && costly) {
				if (!e->row[i])
					e->row[i] = tensors_local(
					        &e->tensors, arena_printf(e->arena, "%s_row", n->op->name));
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

/* Whether the operands of the first phase can stay too; else later phases read them again, from the cache. */
static bool can_keep(const Slab *s)
{
	const Body *e = s->e;
	int tensors = 0;
	for (int i = 0; i < e->step->read_count; i++)
		tensors += type_elements(e->step->reads[i]->type) == e->nest.middle * e->nest.inner;
	return s->turns * VECTOR * tensors <= MOST_KEPT;
}

/* ---- text */

static bool is_sum(const Body *e, int i)
{
	return node_is(e->nest.nodes[i], "sum");
}

static bool in_phase(const Body *e, int i, int phase)
{
	return (e->nest.nodes[i]->op->flags & OP_REDUCE) && e->nest.shape.phase[i] == phase;
}

static const char *real_of(const Body *e, int i)
{
	return dtype_value_name(e->nest.nodes[i]->type.dtype);
}

static void start_sums(Body *e, int phase, bool declare)
{
	for (int i = 0; i < e->nest.node_count; i++) {
		if (!in_phase(e, i, phase))
			continue;
		if (declare)
			write_line(e->w, "%s %s[%d];", real_of(e, i), e->accumulator[i], VECTOR);
		write_line(e->w, "nnr_fill4(%s, %s);", e->accumulator[i], reduction_start(e->nest.nodes[i]));
	}
}

/* Turns the sums of each thread into those of the block, or, among the blocks of a cluster, of all of them. The first
 * exchange of a cluster waits until all its blocks have begun. */
static void combine_sums(Slab *s, int phase, int blocks, const char **parts)
{
	Body *e = s->e;
	int number = 0;
	for (int i = 0; i < e->nest.node_count; i++)
		if (in_phase(e, i, phase))
			write_line(e->w, "nnr_slab_leave<Nnr%s<%s>, %d>(%s_parts, %s);",
			           is_sum(e, i) ? "Sum" : "Max", real_of(e, i), s->width, parts[i],
			           e->accumulator[i]);
	if (blocks > 1 && phase == 0)
		write_line(e->w, "nnr_cluster_wait();");
	write_line(e->w, "__syncthreads();");
	for (int i = 0; i < e->nest.node_count; i++)
		if (in_phase(e, i, phase))
			write_line(e->w, "nnr_slab_add<Nnr%s<%s>, %d, %d, %d>(%s_all, %s_parts, %d);",
			           is_sum(e, i) ? "Sum" : "Max", real_of(e, i), s->width, s->threads, blocks,
			           parts[i], parts[i], number++ * s->width % s->threads);
	write_line(e->w, blocks > 1 ? "nnr_cluster_meet();" : "__syncthreads();");
	for (int i = 0; i < e->nest.node_count; i++)
		if (in_phase(e, i, phase))
			write_line(e->w, "nnr_slab_take<Nnr%s<%s>, %d, %d>(%s, %s_all);",
			           is_sum(e, i) ? "Sum" : "Max", real_of(e, i), s->width, blocks,
			           e->accumulator[i], parts[i]);
}

static const char **declare_shared(Slab *s, int phase, int blocks)
{
	Body *e = s->e;
	const char **parts = NEW_ARRAY(e->arena, const char *, e->nest.node_count);
	for (int i = 0; i < e->nest.node_count; i++) {
		if (!in_phase(e, i, phase))
			continue;
		parts[i] = e->accumulator[i];
		write_line(e->w, "__shared__ %s %s_parts[%d], %s_all[%d];", real_of(e, i), parts[i],
		           s->threads / WARP * s->width, parts[i], blocks * s->width);
	}
	return parts;
}

/* Sets the body up for four columns from the innermost variable on; returns that variable's name without `u`. */
static const char *begin_vector(Body *e)
{
	Loop *last = &e->nest.loops[e->nest.loop_count - 1];
	const char *base = last->var;
	e->vector = VECTOR;
	e->vector_base = base;
	last->var = arena_printf(e->arena, "(%s + u)", base);
	return base;
}

static void end_vector(Body *e, Writer *outer, const char *base)
{
	const char *text = writer_text(e->w, NULL);
	e->w = outer;
	body_vectors(e, text);
	e->nest.loops[e->nest.loop_count - 1].var = base;
}

static void write_row(Slab *s, int phase)
{
	Body *e = s->e;
	Writer *outer = e->w;
	e->w = writer_new(e->arena);
	const char *base = begin_vector(e);
	body_phase(e, phase, "u");
	end_vector(e, outer, base);
}

/* Values behind the sums, by every thread for its columns; `first` stores them. */
static void write_reduced(Slab *s, int phase, const char *first)
{
	Body *e = s->e;
	Writer *outer = e->w;
	body_bind_accumulators(e, phase, "u");
	e->w = writer_new(e->arena);
	e->reduced_arrays = outer;
	e->store_guard = first;
	const char *base = begin_vector(e);
	body_reduced(e, phase);
	end_vector(e, outer, base);
	e->reduced_arrays = NULL;
	e->store_guard = NULL;
}

/* Everything that stands ahead of the rows, once the rows have said what they need. */
static void write_columns_ahead(Slab *s)
{
	Body *e = s->e;
	for (int i = 0; i < e->vector_count; i++) {
		const VectorAccess *v = &e->vectors[i];
		if (v->kind == ACCESS_KEPT) {
			write_line(e->w, "%s %s[%lld];", v->type, v->local, (long long)s->turns * VECTOR);
			continue;
		}
		write_line(e->w, "%s %s[%d];", v->type, v->local, VECTOR);
		write_line(e->w, "nnr_load%s(%s, %s);", v->aligned ? "4" : "4_unaligned", v->local,
		           v->address);
	}
	for (int i = 0; i < e->nest.node_count; i++)
		if (e->row[i])
			write_line(e->w, "%s %s[%lld];", real_of(e, i), e->row[i],
			           (long long)s->turns * VECTOR);
	e->vector_count = 0;
}

static void write_resident_phases(Slab *s)
{
	Body *e = s->e;
	const LoopNest *nest = &e->nest;
	int64_t step = s->rows * s->blocks;
	const char *at = arena_printf(e->arena, "turn * %d", VECTOR);
	e->row_index = arena_printf(e->arena, "%s + u", at);
	e->kept_turn = can_keep(s) ? at : NULL;
	for (int phase = 0; phase < nest->shape.phases; phase++) {
		bool sums = phase + 1 < nest->shape.phases;
		for (int i = 0; i < nest->node_count; i++)
			sums = sums || in_phase(e, i, phase);
		const char **parts = sums ? declare_shared(s, phase, (int)s->blocks) : NULL;
		start_sums(e, phase, true);
		write_line(e->w, "#pragma unroll");
		open_block(e, arena_printf(e->arena, "for (int turn = 0; turn < %lld; turn++)",
		                           (long long)s->turns));
		write_line(e->w, "const int r = row + turn * %lld;", (long long)step);
		bool ragged = nest->middle % step != 0;
		if (ragged)
			open_block(e, arena_printf(e->arena, "if (r < %lld)", (long long)nest->middle));
		split_index(e, "r", 0, nest->first_inner);
		write_row(s, phase);
		if (ragged)
			close_block(e);
		close_block(e);
		if (!sums)
			continue;
		combine_sums(s, phase, (int)s->blocks, parts);
		write_reduced(s, phase, "row == 0");
	}
	e->row_index = e->kept_turn = NULL;
}

static void write_chunk(Slab *s)
{
	Body *e = s->e;
	const LoopNest *nest = &e->nest;
	const char **parts = declare_shared(s, 0, 1);
	start_sums(e, 0, true);
	long long step = (long long)s->rows * s->blocks;
	open_block(e, arena_printf(e->arena, "for (int last = %lld - row; last >= 0; last -= %lld)",
	                           (long long)nest->middle - 1, (long long)s->turns * step));
	Writer *outer = e->w;
	e->w = writer_new(e->arena);
	e->loads = writer_new(e->arena);
	e->kept_turn = arena_printf(e->arena, "k * %d", VECTOR);
	e->row_guard = arena_printf(e->arena, "last >= k * %lld", step);
	write_row(s, 0);
	const char *bodies[] = {writer_text(e->loads, NULL), writer_text(e->w, NULL)};
	e->w = outer;
	e->loads = NULL;
	e->kept_turn = e->row_guard = NULL;
	for (int i = 0; i < 2; i++) {
		write_line(e->w, "#pragma unroll");
		open_block(e, arena_printf(e->arena, "for (int k = 0; k < %d; k++)", (int)s->turns));
		write_line(e->w, "const int r = max(last - k * %lld, 0);", step);
		split_index(e, "r", 0, nest->first_inner);
		write_text(e->w, "%s", bodies[i]);
		close_block(e);
	}
	close_block(e);
	combine_sums(s, 0, 1, parts);
	const char *first = arena_printf(e->arena, "threadIdx.x < %d", s->width / VECTOR);
	const char *column = e->nest.loops[e->nest.loop_count - 1].var;
	long long stride = (long long)nest->reductions * nest->inner;
	if (s->blocks > 1) {
		int number = 0;
		open_block(e, arena_printf(e->arena, "if (%s)", first));
		for (int i = 0; i < nest->node_count; i++)
			if (in_phase(e, i, 0))
				write_line(e->w, "nnr_store4(partial + at * %lld + %lld + %s, %s);", stride,
				           (long long)number++ * nest->inner, column, e->accumulator[i]);
		close_block(e);
		write_line(e->w, "if (!nnr_last_block(&done[slab], %lld))", (long long)s->blocks);
		write_line(e->w, "\treturn;");
		start_sums(e, 0, false);
		write_line(e->w, "#pragma unroll 8");
		open_block(e, arena_printf(e->arena,
		                           "for (int part = threadIdx.x / %d; part < %lld; part += %d)",
		                           s->width / VECTOR, (long long)s->blocks, s->rows));
		number = 0;
		for (int i = 0; i < nest->node_count; i++)
			if (in_phase(e, i, 0))
				write_line(e->w,
				           "nnr_combine4<Nnr%s<%s>>(%s, partial + part * %lld + %lld + %s);",
				           is_sum(e, i) ? "Sum" : "Max", real_of(e, i), e->accumulator[i],
				           stride, (long long)number++ * nest->inner, column);
		close_block(e);
		combine_sums(s, 0, 1, parts);
	}
	write_reduced(s, 0, first);
}

CudaLaunch write_slab(Body *e)
{
	Slab s = slab_of(&e->nest);
	s.e = e;
	e->walk = WALK_REDUCED;
	int across = s.width / VECTOR;
	const char *column = e->nest.loops[e->nest.loop_count - 1].var;
	if (s.resident)
		choose_rows(&s);
	if (s.blocks > 1)
		write_line(e->w, "const int slab = blockIdx.x / %lld, at = blockIdx.x %% %lld;",
		           (long long)s.blocks, (long long)s.blocks);
	else
		write_line(e->w, "const int slab = blockIdx.x;");
	write_line(e->w, "const int %s = slab * %d + threadIdx.x %% %d * %d;", column, s.width, across,
	           VECTOR);
	write_line(e->w, "const int row = %sthreadIdx.x / %d;",
	           s.blocks > 1 ? arena_printf(e->arena, "at * %d + ", s.rows) : "", across);
	if (s.resident && s.blocks > 1)
		write_line(e->w, "nnr_cluster_arrive();");
	Writer *outer = e->w;
	e->w = writer_new(e->arena);
	if (s.resident)
		write_resident_phases(&s);
	else
		write_chunk(&s);
	const char *text = writer_text(e->w, NULL);
	e->w = outer;
	write_columns_ahead(&s);
	write_text(e->w, "%s", text);
	return (CudaLaunch){.blocks = s.slabs * s.blocks,
	                    .threads = s.threads,
	                    .cluster = s.resident && s.blocks > 1 ? (int)s.blocks : 0,
	                    .counters = !s.resident && s.blocks > 1 ? s.slabs : 0};
}
