/* Resident rows as a CUDA kernel (passes/domain.h): one pass over tensors of rows for sums along the rows, what depends on
 * those, and sums over all rows.
 *
 * A block of 256 threads holds several rows at once in registers: a thread has the same few columns of each. A row's sums
 * are taken over the block; the next phase uses them on the elements that are still there. The sums over all rows are the
 * thread's own, column by column, in `sums`, from its first row to its last; nnr_blocks_sum adds them over the blocks in a
 * fixed order, and the block that ends last finishes what is behind them. */
#include "ops/op.h"
#include "target/body.h"
#include "target/expr.h"
#include "target/forms.h"

enum {
	THREADS = 256,
	VECTOR = 4,
	HELD = 16,     /* elements a thread holds, over all rows */
	MOST_ROWS = 4, /* rows a block holds */
	ENOUGH_BLOCKS = 128,
	MOST_BLOCKS = 4, /* for each multiprocessor; more rows are more turns of each */
	GROUP = 24,      /* blocks whose sums are added together first: as in nnr_blocks_sum */
	SCRATCH = 28,    /* registers of a thread besides what it holds and sums up */
};

typedef struct Residence {
	int64_t rows;                /* a block holds at once */
	int64_t vector, turns, held; /* a row in a thread: held = turns * vector elements */
	int64_t blocks, sums;
} Residence;

static int64_t ceil_div(int64_t a, int64_t b)
{
	return (a + b - 1) / b;
}

static Residence residence_of(const LoopNest *nest)
{
	Residence s = {.vector = nest->loops[nest->loop_count - 1].count % VECTOR == 0 ? VECTOR : 1};
	s.turns = ceil_div(nest->middle, THREADS * s.vector);
	s.held = s.turns * s.vector;
	s.rows = HELD / s.held < MOST_ROWS ? HELD / s.held : MOST_ROWS;
	while (s.rows > 1 && nest->outer / s.rows < ENOUGH_BLOCKS)
		s.rows /= 2;
	/* each block's sums cost as much as a turn: two turns at least, where that leaves enough blocks */
	int64_t all = ceil_div(nest->outer, s.rows), half = ceil_div(all, 2);
	s.blocks = half >= ENOUGH_BLOCKS ? half : all < ENOUGH_BLOCKS ? all : ENOUGH_BLOCKS;
	if (s.blocks > MOST_BLOCKS * nest->arch.multiprocessors)
		s.blocks = MOST_BLOCKS * nest->arch.multiprocessors;
	for (int i = 0; i < nest->node_count; i++)
		if (nest->nodes[i]->op->flags & OP_REDUCE)
			s.sums += nest->shape.level[i] == LEVEL_ACROSS  ? s.held
			          : nest->shape.level[i] == LEVEL_TOTAL ? 1
			                                                : 0;
	return s;
}

int64_t workspace_resident(const LoopNest *nest)
{
	Residence s = residence_of(nest);
	return (s.blocks + ceil_div(s.blocks, GROUP)) * s.sums * THREADS;
}

/* Where each sum over all rows stands: `sums[8 + turn * 4 + u]`. */
static void place_sums(Body *e, const Residence *s)
{
	long long at = 0;
	for (int i = 0; i < e->nest.node_count; i++) {
		if (!(e->nest.nodes[i]->op->flags & OP_REDUCE))
			continue;
		if (e->nest.shape.level[i] == LEVEL_TOTAL) {
			e->accumulator[i] = arena_printf(e->arena, "sums[%lld]", at++);
		} else if (e->nest.shape.level[i] == LEVEL_ACROSS) {
			e->accumulator[i] = arena_printf(e->arena, "sums[%s%s]",
			                                 at ? arena_printf(e->arena, "%lld + ", at) : "",
			                                 s->vector > 1 ? "turn * 4 + u" : "turn");
			at += s->held;
		}
	}
}

static void write_row_phase(Body *e, int phase)
{
	body_phase(e, phase, "q");
}

static void write_across(Body *e, int phase)
{
	body_final(e, LEVEL_ACROSS);
}

/* The thread's elements of a row, turn by turn, in vectors where it can be. */
static void write_turns(Body *e, const Residence *s, Elements *elements, int phase)
{
	const LoopNest *nest = &e->nest;
	write_line(e->w, "#pragma unroll");
	open_block(e, arena_printf(e->arena, "for (int turn = 0; turn < %lld; turn++)", (long long)s->turns));
	write_line(e->w, "const int r = %sthreadIdx.x + turn * %d%s;", s->vector > 1 ? "(" : "", THREADS,
	           s->vector > 1 ? ") * 4" : "");
	bool ragged = nest->middle % (THREADS * s->vector) != 0;
	if (ragged)
		open_block(e, arena_printf(e->arena, "if (r < %lld)", (long long)nest->middle));
	split_index(e, "r", nest->first_reduced, nest->loop_count);
	write_elements(e, s->vector, elements, phase);
	if (ragged)
		close_block(e);
	close_block(e);
}

/* Opens the loop over the rows that the block holds. */
static void open_rows(Body *e, const Residence *s, int phase)
{
	write_line(e->w, "#pragma unroll");
	open_block(e, arena_printf(e->arena, "for (int q = 0; q < %lld; q++)", (long long)s->rows));
	body_clear_accumulators(e, phase, "q");
	write_line(e->w, "const int o = first + q;");
	if (e->nest.outer % s->rows != 0) {
		write_line(e->w, "if (o >= %lld)", (long long)e->nest.outer);
		write_line(e->w, "\tcontinue;");
	}
	split_index(e, "o", 0, e->nest.first_reduced);
}

static bool has_level(const Body *e, Level level)
{
	for (int i = 0; i < e->nest.node_count; i++)
		if (e->nest.shape.level[i] == level)
			return true;
	return false;
}

static bool sums_rows(const Body *e, int i, int phase)
{
	return (e->nest.nodes[i]->op->flags & OP_REDUCE) && e->nest.shape.level[i] == LEVEL_REDUCED &&
	       e->nest.shape.phase[i] == phase;
}

/* The sums of the rows of one phase, over the block. */
static void combine_rows(Body *e, const Residence *s, int phase)
{
	for (int i = 0; i < e->nest.node_count; i++)
		if (sums_rows(e, i, phase))
			write_line(e->w, "nnr_block_%ss(%s);",
			           node_is(e->nest.nodes[i], "sum") ? "sum" : "max", e->accumulator[i]);
}

static void write_rows_of_block(Body *e, const Residence *s)
{
	const LoopNest *nest = &e->nest;
	for (int i = 0; i < nest->node_count; i++)
		if (e->row[i])
			write_line(e->w, "%s %s[%lld];", dtype_value_name(nest->nodes[i]->type.dtype),
			           e->row[i], (long long)(s->rows * s->held));
	e->row_index = arena_printf(e->arena, s->vector > 1 ? "(q * %lld + turn) * 4 + u" : "q * %lld + turn",
	                            (long long)s->turns);
	const char *rows = arena_printf(e->arena, "%lld", (long long)s->rows);
	/* behind the last phase is one more turn over the rows where it takes sums of them */
	int turns = nest->shape.phases;
	for (int i = 0; i < nest->node_count && turns == nest->shape.phases; i++)
		turns += sums_rows(e, i, nest->shape.phases - 1);
	for (int phase = 0; phase < turns; phase++) {
		body_declare_accumulators(e, phase, rows);
		open_rows(e, s, phase);
		for (int before = 0; before < phase; before++) {
			body_bind_accumulators(e, before, "q");
			body_bind_reduced(e, before);
		}
		if (phase > 0) {
			body_total(e, phase - 1);
			e->store_guard = "threadIdx.x == 0";
			body_store_reduced(e, phase - 1);
			e->store_guard = NULL;
		}
		if (phase < nest->shape.phases)
			write_turns(e, s, write_row_phase, phase);
		close_block(e);
		body_forget(e, false);
		combine_rows(e, s, phase);
	}
	e->row_index = NULL;
}

/* Loads in flight hide each other's latency: as many blocks as the registers should allow. */
static int blocks_at_once(const Body *e, const Residence *s)
{
	int64_t registers = s->sums + SCRATCH, most;
	for (int i = 0; i < e->nest.node_count; i++)
		if (e->row[i])
			registers += s->rows * s->held;
	most = e->nest.arch.registers / (THREADS * registers);
	return most < 1 ? 1 : most > 4 ? 4 : (int)most;
}

CudaLaunch write_resident(Body *e)
{
	const LoopNest *nest = &e->nest;
	Residence s = residence_of(nest);
	tensors_local(&e->tensors, "sums");
	body_name_accumulators(e);
	place_sums(e, &s);
	body_choose_rows(e);
	write_line(e->w, "%s sums[%lld] = {0};", dtype_c_name(step_sum_dtype(e->step)), (long long)s.sums);
	open_block(e,
	           arena_printf(e->arena, "for (int first = blockIdx.x * %lld; first < %lld; first += %lld)",
	                        (long long)s.rows, (long long)nest->outer, (long long)(s.blocks * s.rows)));
	write_rows_of_block(e, &s);
	close_block(e);
	write_line(e->w, "if (!nnr_blocks_sum(sums, partial, done, %lld))", (long long)s.blocks);
	write_line(e->w, "\treturn;");
	if (has_level(e, LEVEL_ACROSS))
		write_turns(e, &s, write_across, 0);
	if (has_level(e, LEVEL_TOTAL)) {
		open_block(e, "if (threadIdx.x == 0)");
		body_final(e, LEVEL_TOTAL);
		close_block(e);
	}
	return (CudaLaunch){.blocks = s.blocks,
	                    .threads = THREADS,
	                    .per_multiprocessor = blocks_at_once(e, &s),
	                    .counters = 1 + ceil_div(s.blocks, GROUP)};
}
