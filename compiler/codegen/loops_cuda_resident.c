/* Resident rows as a CUDA kernel (passes/domain.h): one pass over tensors of rows for sums along the rows, what depends
 * on those, and sums over all rows.
 *
 * A block of up to 256 threads is teams of as many warps as a row keeps busy: one of 256 threads for 1000 elements,
 * eight of a warp for 128. A team holds several rows at once in registers: a thread has the same few columns of each. A
 * row's sums are taken over the team; the next phase uses them on the elements that are still there. The sums over all
 * rows are the thread's own, column by column, in `sums`, from its first row to its last; nnr_blocks_sum adds them over
 * the teams and blocks in a fixed order, and the block that ends last finishes what is after them. Where a step of its
 * own does that (split_sums.c), each block leaves its sums, and that step's kernel begins with nnr_groups_sum.
 *
 * Rows are "pipelined" where registers allow it: what the first phase reads of a block's next rows is on its way while
 * the block takes the sums of these, and what all rows share is loaded ahead of the loop. A tensor that is overwritten
 * in place can be loaded so early because no row belongs to two turns or two blocks; it is one parameter, so that the
 * loads and the stores stay in order and every `restrict` holds. */
#include "ops/op.h"
#include "codegen/body.h"
#include "codegen/expr.h"
#include "codegen/forms.h"
#include "runtime/cuda/nnr_sizes.h"

enum {
	THREADS = 256, /* of a block, at most */
	WARP = 32,
	VECTOR = 4,
	HELD = 16,     /* elements a thread holds, over all rows */
	MOST_ROWS = 4, /* rows a team holds */
	ENOUGH_BLOCKS = 128,
	MOST_BLOCKS = 4, /* for each multiprocessor; more rows are more turns of each */
	SCRATCH = 28,    /* registers of a thread besides what it holds and sums up */
	GRAIN = 8,       /* registers are given to threads in such numbers */
	MOST_THREADS = 1024, /* of a block that adds up what others have left */
	PIPELINED = 2,   /* blocks of a multiprocessor, at least, where rows are fetched ahead */
};

typedef struct Residence {
	int64_t team, teams;         /* threads of a row; rows side by side in a block */
	int64_t rows;                /* a team holds at once */
	int64_t vector, turns, held; /* a row in a thread: held = turns * vector elements */
	int64_t blocks, sums;
	bool pipelined;
	int per_multiprocessor; /* blocks that the registers should allow */
} Residence;

static int64_t threads_of(const Residence *s)
{
	return s->team * s->teams;
}

static int64_t rows_of_block(const Residence *s)
{
	return s->teams * s->rows;
}

static Residence residence_of(const LoopNest *nest)
{
	Residence s = {.vector = nest->loops[nest->loop_count - 1].count % VECTOR == 0 ? VECTOR : 1};
	s.turns = ceil_div(nest->middle, THREADS * s.vector);
	s.held = s.turns * s.vector;
	s.team = ceil_div(ceil_div(nest->middle, s.turns * s.vector), WARP) * WARP;
	s.teams = THREADS / s.team;
	s.rows = HELD / s.held < MOST_ROWS ? HELD / s.held : MOST_ROWS;
	while (s.rows > 1 && nest->outer / (s.teams * s.rows) < ENOUGH_BLOCKS)
		s.rows /= 2;
	/* each block's sums cost as much as a turn: two turns at least, where that leaves enough blocks */
	int64_t all = ceil_div(nest->outer, rows_of_block(&s)), half = ceil_div(all, 2);
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

/* These are of the most blocks: choose_residence may take fewer, once it knows the registers. */
int64_t resident_groups(const LoopNest *nest)
{
	return ceil_div(residence_of(nest).blocks, NNR_GROUP);
}

int64_t workspace_resident(const LoopNest *nest)
{
	Residence s = residence_of(nest);
	return (s.blocks + ceil_div(s.blocks, NNR_GROUP)) * s.sums * s.team;
}

static const char *lane_of(const Body *e, const Residence *s)
{
	return s->teams > 1 || e->step->sums == SUMS_TAKEN ? "lane" : "threadIdx.x";
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

static bool is_ragged(const Body *e, const Residence *s)
{
	return e->nest.middle % (s->team * s->vector) != 0;
}

/* Opens the loop over the thread's elements of a row, turn by turn. */
static void open_turns(Body *e, const Residence *s)
{
	const LoopNest *nest = &e->nest;
	write_line(e->w, "#pragma unroll");
	open_block(e, arena_printf(e->arena, "for (int turn = 0; turn < %lld; turn++)", (long long)s->turns));
	const char *element =
	        arena_printf(e->arena, "const int r = %s%s + turn * %lld%s;", s->vector > 1 ? "(" : "",
	                     lane_of(e, s), (long long)s->team, s->vector > 1 ? ") * 4" : "");
	if (is_ragged(e, s)) {
		write_line(e->w, "%s", element);
		open_block(e, arena_printf(e->arena, "if (r < %lld)", (long long)nest->middle));
	}
	open_indices(e, is_ragged(e, s) ? NULL : element, "r", nest->first_reduced, nest->loop_count);
}

static void close_turns(Body *e, const Residence *s)
{
	close_indices(e);
	if (is_ragged(e, s))
		close_block(e);
	close_block(e);
}

/* In vectors where it can be. */
static void write_turns(Body *e, const Residence *s, Elements *elements, int phase)
{
	open_turns(e, s);
	write_elements(e, s->vector, elements, phase);
	close_turns(e, s);
}

/* Opens the loop over the rows that the team holds, of the block's from row `first` on. */
static void open_rows(Body *e, const Residence *s, const char *first, int sums_phase)
{
	write_line(e->w, "#pragma unroll");
	open_block(e, arena_printf(e->arena, "for (int q = 0; q < %lld; q++)", (long long)s->rows));
	if (sums_phase >= 0)
		body_clear_accumulators(e, sums_phase, "q");
	const char *team = s->teams > 1 ? arena_printf(e->arena, "team * %lld + ", (long long)s->rows) : "",
	           *row = arena_printf(e->arena, "const int o = %s + %sq;", first, team);
	bool ragged = e->nest.outer % rows_of_block(s) != 0;
	if (ragged) {
		write_line(e->w, "%s", row);
		write_line(e->w, "if (o >= %lld)", (long long)e->nest.outer);
		write_line(e->w, "\tcontinue;");
	}
	open_indices(e, ragged ? NULL : row, "o", 0, e->nest.first_reduced);
}

static void close_rows(Body *e)
{
	close_indices(e);
	close_block(e);
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

/* The arguments that runtime/cuda/nnr_reduce.h takes: threads of a team and of a block. */
static const char *team_arguments(const Body *e, const Residence *s)
{
	return arena_printf(e->arena, "<%lld, %lld>", (long long)s->team, (long long)threads_of(s));
}

/* The sums of the rows of one phase, over the team: two of a kind together, so that the threads wait once for both. */
static void combine_rows(Body *e, const Residence *s, int phase)
{
	for (int i = 0; i < e->nest.node_count; i++) {
		if (!sums_rows(e, i, phase))
			continue;
		int second = i + 1;
		while (second < e->nest.node_count && !sums_rows(e, second, phase))
			second++;
		const Op *of = e->nest.nodes[i]->op;
		bool both = second < e->nest.node_count && e->nest.nodes[second]->op == of;
		write_line(e->w, "nnr_team_%ss%s(%s%s%s);", of->name, team_arguments(e, s), e->accumulator[i],
		           both ? ", " : "", both ? e->accumulator[second] : "");
		i = both ? second : i;
	}
}

/* Loads what the first phase reads of the block's rows from row `first` on. */
static void write_row_loads(Body *e, const Residence *s, const char *first, const BodyLoads *loads)
{
	open_rows(e, s, first, -1);
	open_turns(e, s);
	e->reads = loads->reads;
	write_lines(e->w, writer_text(loads->w, NULL));
	close_turns(e, s);
	close_rows(e);
}

static bool are_none(const BodyLoads *loads)
{
	return !*writer_text(loads->w, NULL);
}

/* The loads that the rows ahead are to have go to `loads`. */
static void write_rows_of_block(Body *e, const Residence *s, BodyLoads *loads)
{
	const LoopNest *nest = &e->nest;
	for (int i = 0; i < nest->node_count; i++)
		if (e->row[i])
			write_line(e->w, "%s %s[%lld];", dtype_value_name(nest->nodes[i]->type.dtype),
			           e->row[i], (long long)(s->rows * s->held));
	e->row_index = arena_printf(e->arena, s->vector > 1 ? "(q * %lld + turn) * 4 + u" : "q * %lld + turn",
	                            (long long)s->turns);
	const char *rows = arena_printf(e->arena, "%lld", (long long)s->rows);
	/* after the last phase is one more turn over the rows where it takes sums of them */
	int turns = nest->shape.phases;
	for (int i = 0; i < nest->node_count && turns == nest->shape.phases; i++)
		turns += sums_rows(e, i, nest->shape.phases - 1);
	for (int phase = 0; phase < turns; phase++) {
		body_declare_accumulators(e, phase, rows);
		open_rows(e, s, "first", phase);
		bool *need = NEW_ARRAY(e->arena, bool, nest->node_count);
		body_needs_reduced(e, phase, need);
		for (int before = 0; before < phase; before++) {
			body_bind_accumulators(e, before, "q");
			body_bind_reduced(e, before, need);
		}
		if (phase > 0) {
			body_total(e, phase - 1);
			e->store_guard = arena_printf(e->arena, "%s == 0", lane_of(e, s));
			body_store_reduced(e, phase - 1);
			e->store_guard = NULL;
		}
		if (s->pipelined && phase == 0) {
			e->kept_turn = arena_printf(e->arena, "(q * %lld + turn) * 4", (long long)s->turns);
			e->loads = loads;
		}
		if (phase < nest->shape.phases)
			write_turns(e, s, write_row_phase, phase);
		close_rows(e);
		body_forget(e, false);
		if (e->loads) {
			e->kept_turn = NULL;
			e->loads = NULL;
			if (!are_none(loads)) {
				write_line(e->w, "const int next = first + %lld;",
				           (long long)(s->blocks * rows_of_block(s)));
				open_block(e, arena_printf(e->arena, "if (next < %lld)",
				                           (long long)nest->outer));
				write_row_loads(e, s, "next", loads);
				close_block(e);
			}
		}
		combine_rows(e, s, phase);
	}
	e->row_index = NULL;
}

/* What stands ahead of the loop over rows, once that has said what it needs: the arrays, what all rows share, and the
 * loads of the first rows. */
static void write_ahead(Body *e, const Residence *s, const BodyLoads *loads)
{
	BodyLoads columns = {writer_new(e->arena), 0};
	for (int i = 0; i < e->vector_count; i++) {
		const VectorAccess *v = &e->vectors[i];
		bool column = v->kind == ACCESS_COLUMN;
		write_line(e->w, "%s %s[%lld];", v->type, v->local,
		           (long long)(column ? s->held : s->rows * s->held));
		if (!column)
			continue;
		write_line(columns.w, "nnr_load4%s(%s + %s, %s);", v->aligned ? "" : "_unaligned", v->local,
		           e->column_turn, v->address);
		columns.reads |= v->reads;
	}
	if (!are_none(&columns)) {
		open_turns(e, s);
		e->reads = columns.reads;
		write_lines(e->w, writer_text(columns.w, NULL));
		close_turns(e, s);
	}
	if (!are_none(loads))
		write_row_loads(e, s,
		                arena_printf(e->arena, "blockIdx.x * %lld", (long long)rows_of_block(s)),
		                loads);
	e->vector_count = 0;
}

/* Whether an operand in front of this one is the same tensor. */
static bool read_before(const Body *e, int position, int operand)
{
	Node *const *nodes = e->nest.nodes;
	const Buffer *b = buffer_of(e->program, nodes[position]->operands[operand]);
	for (int i = 0; i <= position; i++)
		for (int k = 0; k < (i < position ? nodes[i]->operand_count : operand); k++)
			if (nest_position(&e->nest, nodes[i]->operands[k]) < 0 &&
			    buffer_of(e->program, nodes[i]->operands[k]) == b)
				return true;
	return false;
}

/* Registers of a thread: what it holds of rows, its sums and, with rows fetched ahead, what it reads of rows and what
 * all rows share. */
static int64_t registers_of(const Body *e, const Residence *s, bool pipelined)
{
	const LoopNest *nest = &e->nest;
	int64_t registers = s->sums + SCRATCH, held = 0;
	for (int i = 0; i < nest->node_count; i++)
		if (e->row[i])
			held += s->rows * s->held;
	for (int i = 0; i < nest->node_count && pipelined; i++)
		for (int k = 0; k < nest->nodes[i]->operand_count; k++) {
			const Node *x = nest->nodes[i]->operands[k];
			if (nest_position(nest, x) >= 0 || node_is_inline(x) || read_before(e, i, k) ||
			    !loop_runs_along(nest, i, x->type, true))
				continue;
			held += loop_runs_along(nest, i, x->type, false) ? s->rows * s->held : s->held;
		}
	return step_sum_dtype(e->step) == DTYPE_F64 ? registers + held + s->sums + held : registers + held;
}

/* Loads in flight hide each other's latency: as many blocks as the registers should allow. */
static int blocks_at_once(const Body *e, const Residence *s, bool pipelined)
{
	int64_t registers = ceil_div(registers_of(e, s, pipelined), GRAIN) * GRAIN;
	int64_t most = e->nest.arch.registers / (threads_of(s) * registers);
	return most < 1 ? 1 : most > MOST_BLOCKS ? MOST_BLOCKS : (int)most;
}

/* Decides on what is kept of rows and on fetching them ahead, and takes no more blocks than run at once. Two steps of
 * the same nodes decide alike. */
static Residence choose_residence(Body *e)
{
	Residence s = residence_of(&e->nest);
	body_choose_rows(e);
	s.pipelined = s.vector > 1 && s.blocks * rows_of_block(&s) < e->nest.outer &&
	              blocks_at_once(e, &s, true) >= PIPELINED;
	s.per_multiprocessor = blocks_at_once(e, &s, s.pipelined);
	if (s.blocks > s.per_multiprocessor * e->nest.arch.multiprocessors)
		s.blocks = s.per_multiprocessor * e->nest.arch.multiprocessors;
	return s;
}

static void write_loop(Body *e, const Residence *s)
{
	Writer *outer = e->w;
	BodyLoads early = {writer_new(e->arena), 0}, loads = {writer_new(e->arena), 0};
	e->w = writer_new(e->arena);
	e->early = map_new(e->arena);
	e->early_arrays = writer_new(e->arena);
	e->early_loads = &early;
	e->early_rows = (int)s->rows;
	if (s->pipelined) {
		e->walk = WALK_KEPT;
		e->column_turn = "turn * 4";
	}
	write_rows_of_block(e, s, &loads);
	const char *body = writer_text(e->w, NULL);
	e->w = outer;
	e->walk = WALK_NONE;
	write_ahead(e, s, &loads);
	open_block(e,
	           arena_printf(e->arena, "for (int first = blockIdx.x * %lld; first < %lld; first += %lld)",
	                        (long long)rows_of_block(s), (long long)e->nest.outer,
	                        (long long)(s->blocks * rows_of_block(s))));
	if (map_count(e->early) > 0) {
		write_lines(e->w, writer_text(e->early_arrays, NULL));
		open_rows(e, s, "first", -1);
		e->reads = early.reads;
		write_lines(e->w, writer_text(early.w, NULL));
		close_rows(e);
	}
	write_lines(e->w, body);
	close_block(e);
	e->early_arrays = NULL;
	e->early_loads = NULL;
}

/* What is computed of the sums over all rows, by the threads that have them: of one team, or, where they are a kernel's of
 * its own, of all its blocks. `thread` is their number. */
static void write_final(Body *e, const Residence *s, const char *thread)
{
	const bool first = s->teams > 1 && e->step->sums != SUMS_TAKEN;
	if (has_level(e, LEVEL_ACROSS)) {
		if (first)
			open_block(e, "if (team == 0)");
		write_turns(e, s, write_across, 0);
		if (first)
			close_block(e);
	}
	if (has_level(e, LEVEL_TOTAL)) {
		open_block(e, arena_printf(e->arena, "if (%s == 0)", thread));
		body_final(e, LEVEL_TOTAL);
		close_block(e);
	}
}

static CudaLaunch write_sums(Body *e, const Residence *s)
{
	write_line(e->w, "%s sums[%lld];", dtype_c_name(step_sum_dtype(e->step)), (long long)s->sums);
	const int64_t groups = ceil_div(s->blocks, NNR_GROUP), parts = groups * s->sums * NNR_SUM_LANES;
	write_line(e->w, "const int lane = blockIdx.x * %d + threadIdx.x;", NNR_SUM_LANES);
	write_line(e->w, "if (!nnr_sums_take<%lld, %lld, %lld>(sums, partial, %lld))", (long long)s->team,
	           (long long)threads_of(s), (long long)groups, (long long)s->blocks);
	write_line(e->w, "\treturn;");
	write_final(e, s, "lane");
	return (CudaLaunch){.blocks = s->team / NNR_SUM_LANES,
	                    .threads = (int)(parts < MOST_THREADS ? ceil_div(parts, WARP) * WARP : MOST_THREADS)};
}

CudaLaunch write_resident(Body *e)
{
	tensors_local(&e->tensors, "sums");
	tensors_local(&e->tensors, "team");
	body_name_accumulators(e);
	Residence s = choose_residence(e);
	CudaLaunch launch = {.blocks = s.blocks,
	                     .threads = (int)threads_of(&s),
	                     .per_multiprocessor = s.per_multiprocessor};
	place_sums(e, &s);
	if (s.teams > 1 && e->step->sums != SUMS_TAKEN) {
		write_line(e->w, "const int lane = threadIdx.x %% %lld;", (long long)s.team);
		write_line(e->w, "const int team = threadIdx.x / %lld;", (long long)s.team);
	}
	if (e->step->sums == SUMS_TAKEN)
		return write_sums(e, &s);
	write_line(e->w, "%s sums[%lld] = {0};", dtype_c_name(step_sum_dtype(e->step)), (long long)s.sums);
	write_loop(e, &s);
	if (e->step->sums == SUMS_LEFT) {
		write_line(e->w, "nnr_sums_leave%s(sums, partial);", team_arguments(e, &s));
		return launch;
	}
	write_line(e->w, "if (!nnr_blocks_sum%s(sums, partial, done, %lld))", team_arguments(e, &s),
	           (long long)s.blocks);
	write_line(e->w, "\treturn;");
	write_final(e, &s, "threadIdx.x");
	launch.counters = 1 + ceil_div(s.blocks, NNR_GROUP);
	return launch;
}
