/* SPDX-License-Identifier: MIT */
/* Resident rows as a CUDA kernel (ir/domain.h): one pass over tensors of rows for sums along the rows, what depends
 * on those, and sums over all rows.
 *
 * A block of up to 256 threads is teams of as many warps as a row keeps busy: one of 256 threads for 1000 elements,
 * eight of a warp for 128. A team holds several rows at once in registers: a thread has the same few columns of each. A
 * row's sums are taken over the team; the next phase uses them on the elements that are still there. The sums over all
 * rows are the thread's own, column by column, in `sums`, from its first row to its last; nnr_blocks_sum adds them over
 * the teams and blocks in a fixed order, and the block that ends last finishes what is after them. Where a step of its
 * own does that (split_sums.c), each block leaves its sums, and that step's kernel begins with nnr_sums_take.
 *
 * A team fetches all that memory has of its rows at once, as it is there, and each phase takes it from registers; what
 * all rows share is loaded ahead of the loop. Rows are "pipelined" where registers allow it: the next ones are on their
 * way while the block works on these. A tensor that is overwritten in place can be loaded so early because no row
 * belongs to two turns or two blocks; it is one parameter, so that the loads and the stores stay in order and every
 * `restrict` holds. */
#include "base/array.h"
#include "codegen/index.h"
#include "ir/op.h"
#include "codegen/body.h"
#include "codegen/expr.h"
#include "codegen/forms.h"
#include "codegen/vectors.h"
#include "runtime/cuda/nnr_sizes.h"

enum {
	THREADS = 256, /* of a block, at most */
	WARP = 32,
	VECTOR = 4,
	HALF_VECTOR = 8, /* where rows in memory have 16 bits */
	HELD = 16,       /* elements a thread holds, over all rows */
	MOST_ROWS = 4,   /* rows a team holds */
	ENOUGH_BLOCKS = 128,
	MOST_BLOCKS = 4, /* for each multiprocessor; more rows are more turns of each */
	SCRATCH = 28,    /* registers of a thread besides what it holds and sums up */
	WIDENED = 16,    /* and where it works on elements of 16 bits as on floats */
	GRAIN = 8,       /* registers are given to threads in such numbers */
	QUARTERS = 4,    /* of a multiprocessor */
	PIPELINED = 2,   /* blocks of a multiprocessor, at least, where rows are fetched ahead */
};

typedef struct Residence {
	int64_t team, teams;         /* threads of a row; rows side by side in a block */
	int64_t rows;                /* a team holds at once */
	int64_t vector, turns, held; /* a row in a thread: held = turns * vector elements */
	int64_t blocks, sums;
	bool pipelined;
	bool late;              /* phases after the first read rows from memory, too */
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

static bool runs_through_rows(const LoopNest *nest, int position, const Node *x)
{
	return nest_position(nest, x) < 0 && !node_is_inline(x) &&
	       loop_runs_along(nest, position, x->type, true) &&
	       loop_runs_along(nest, position, x->type, false);
}

static int64_t vector_of(const LoopNest *nest)
{
	int64_t last = nest->loops[nest->loop_count - 1].count;
	bool half = false;
	for (int i = 0; i < nest->node_count; i++)
		for (int k = 0; k < nest->nodes[i]->operand_count; k++) {
			const Node *x = nest->nodes[i]->operands[k];
			half = half || (dtype_is_half(x->type.dtype) && runs_through_rows(nest, i, x));
		}
	return half && last % HALF_VECTOR == 0 ? HALF_VECTOR : last % VECTOR == 0 ? VECTOR : 1;
}

static Residence residence_of(const LoopNest *nest)
{
	Residence s = {.vector = vector_of(nest)};
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

/* Where the elements of turn `turn` begin in what a thread holds of a row; NULL: there is one turn. */
static const char *turn_of(const Body *e, const Residence *s)
{
	return s->turns == 1 ? NULL : index_times(e->arena, "turn", s->vector);
}

/* The index of an element among a thread's of a row: "turn * 4 + u". */
static const char *element_of(const Body *e, const Residence *s)
{
	const char *turn = turn_of(e, s);
	return s->vector == 1 ? (turn ? turn : "0") : turn ? arena_printf(e->arena, "%s + u", turn) : "u";
}

/* Of the rows that the team holds. */
static const char *row_number(const Residence *s)
{
	return s->rows > 1 ? "q" : "0";
}

/* The index of this turn among those of all rows: "q * 2 + turn". */
static const char *raw_turn_of(const Body *e, const Residence *s)
{
	if (s->turns == 1)
		return row_number(s);
	return s->rows == 1 ? "turn" : arena_printf(e->arena, "q * %lld + turn", (long long)s->turns);
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
			e->accumulator[i] = arena_printf(e->arena, "sums[%s]",
			                                 index_plus(e->arena, element_of(e, s), at));
			at += s->held;
		}
	}
}

static void write_row_phase(Body *e, int phase)
{
	body_phase(e, phase, e->row_number);
}

static void write_across(Body *e, int phase)
{
	body_final(e, LEVEL_ACROSS);
}

static bool is_ragged(const Body *e, const Residence *s)
{
	return e->nest.middle % (s->team * s->vector) != 0;
}

/* Opens the loop over the thread's elements of a row, turn by turn; of one turn a block, unless it stands in one by
 * itself. */
static void open_turns(Body *e, const Residence *s, bool by_itself)
{
	const LoopNest *nest = &e->nest;
	const bool ragged = is_ragged(e, s);
	const char *at = lane_of(e, s);
	if (s->turns > 1) {
		open_turns_loop(e, s->turns, "");
		at = arena_printf(e->arena, s->vector > 1 ? "(%s + turn * %lld)" : "%s + turn * %lld", at,
		                  (long long)s->team);
	}
	const char *element = index_times(e->arena, at, s->vector);
	if (ragged)
		code_if_let(e->code, "r", "%s; r < %lld", element, (long long)nest->middle);
	else if (s->turns == 1 && !by_itself)
		open_turns_loop(e, 1, "");
	let_indices(e, ragged ? NULL : element, "r", nest->first_reduced, nest->loop_count);
}

static void close_turns(Body *e, const Residence *s, bool by_itself)
{
	const bool ragged = is_ragged(e, s);
	if (ragged && s->turns > 1)
		code_close(e->code, 1);
	if (ragged || s->turns > 1 || !by_itself)
		code_close(e->code, 1);
}

/* In vectors where it can be. */
static void write_turns(Body *e, const Residence *s, Elements *elements, int phase, bool by_itself)
{
	open_turns(e, s, by_itself);
	write_elements(e, s->vector, elements, phase);
	close_turns(e, s, by_itself);
}

/* Opens the loop over the rows that the team holds, of the block's from row `first` on; of one alone a block. */
static void open_rows(Body *e, const Residence *s, int sums_phase)
{
	const bool ragged = e->nest.outer % rows_of_block(s) != 0;
	const char *row = "first";
	if (s->teams > 1)
		row = arena_printf(e->arena, "%s + %s", row, index_times(e->arena, "team", s->rows));
	if (s->rows > 1) {
		code_turns(e->code, TURNS_UNROLLED, "");
		code_loop(e->code, (CodeLoop){.type = "int", .var = "q", .count = s->rows});
		row = arena_printf(e->arena, "%s + q", row);
	} else {
		open_turns_loop(e, 1, "");
	}
	if (sums_phase >= 0)
		body_clear_accumulators(e, sums_phase, row_number(s));
	if (ragged)
		code_if_let(e->code, "o", "%s; o < %lld", row, (long long)e->nest.outer);
	let_indices(e, ragged ? NULL : row, "o", 0, e->nest.first_reduced);
}

static void close_rows(Body *e, const Residence *s)
{
	if (e->nest.outer % rows_of_block(s) != 0)
		code_close(e->code, 1);
	code_close(e->code, 1);
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
		code_reduce(e->code, "block", "", "nnr_team_%ss%s(%s%s%s)", of->name, team_arguments(e, s),
		            e->accumulator[i], both ? ", " : "", both ? e->accumulator[second] : "");
		i = both ? second : i;
	}
}

/* The block's next rows: as the first thing of a turn, or, where only the first phase reads what is there of these,
 * after it, so that both take turns in the same registers. */
static void write_fetch_ahead(Body *e, const Residence *s)
{
	const long long step = s->blocks * rows_of_block(s);
	code_if_bare(e->code, "first + %lld < %lld", step, (long long)e->nest.outer);
	code_do(e->code, "fetch(ahead, first + %lld)", step);
	code_close(e->code, 1);
}

/* The loads of what memory has of the rows go to e->loads. */
static void write_rows_of_block(Body *e, const Residence *s)
{
	const LoopNest *nest = &e->nest;
	body_declare_rows(e, s->rows * s->held);
	e->raw_turn = raw_turn_of(e, s);
	const char *turn =
	        s->turns > 1 && s->rows > 1 ? arena_printf(e->arena, "(%s)", e->raw_turn) : e->raw_turn;
	e->row_index = s->vector == 1 ? e->raw_turn
	               : s->held * s->rows == s->vector
	                       ? "u"
	                       : arena_printf(e->arena, "%s * %lld + u", turn, (long long)s->vector);
	const char *rows = arena_printf(e->arena, "%lld", (long long)s->rows);
	/* after the last phase is one more turn over the rows where it takes sums of them */
	int turns = nest->shape.phases;
	for (int i = 0; i < nest->node_count && turns == nest->shape.phases; i++)
		turns += sums_rows(e, i, nest->shape.phases - 1);
	for (int phase = 0; phase < turns; phase++) {
		body_declare_accumulators(e, phase, rows);
		open_rows(e, s, phase);
		bool *need = NEW_ARRAY(e->arena, bool, nest->node_count);
		body_needs_reduced(e, phase, need);
		for (int before = 0; before < phase; before++) {
			body_bind_accumulators(e, before, row_number(s));
			body_bind_reduced(e, before, need);
		}
		if (phase > 0) {
			body_total(e, phase - 1);
			e->store_guard = arena_printf(e->arena, "%s == 0", lane_of(e, s));
			body_store_reduced(e, phase - 1);
			e->store_guard = NULL;
		}
		if (phase < nest->shape.phases)
			write_turns(e, s, write_row_phase, phase, true);
		close_rows(e, s);
		body_forget(e, false);
		if (phase == 0 && s->pipelined && !s->late)
			write_fetch_ahead(e, s);
		combine_rows(e, s, phase);
	}
	e->row_index = e->raw_turn = NULL;
}

/* What all rows share, ahead of the loop over them, once that has said what it needs. */
static void write_columns(Body *e, const Residence *s)
{
	Code *loads = code_new(e->arena);
	for (int i = 0; i < e->vector_count; i++) {
		const VectorAccess *v = &e->vectors[i];
		if (v->kind != ACCESS_COLUMN)
			continue;
		code_array(e->code, "%s", "%s", "%lld", v->type, v->local, (long long)s->held);
		code_do(loads, "nnr_load%lld%s(%s%s%s, %s)", (long long)s->vector,
		        v->aligned ? "" : "_unaligned", v->local, e->column_turn ? " + " : "",
		        e->column_turn ? e->column_turn : "", v->address);
	}
	if (code_is_empty(loads))
		return;
	open_turns(e, s, false);
	code_take(e->code, loads);
	close_turns(e, s, false);
}

/* What memory has of the rows that a team holds: a struct, and a function that fills one from row `first` of the block
 * on. Returns the names of its members; NULL: there is nothing to fetch. */
static const char *write_fetch(Body *e, const Residence *s, Code *loads, Code *early)
{
	const char *names = NULL;
	Code *members = code_new(e->arena);
	for (int i = 0; i < e->vector_count; i++) {
		const VectorAccess *v = &e->vectors[i];
		if (v->kind != ACCESS_RAW)
			continue;
		code_array(members, "NnrRaw%lld<%s>", "%s_raw", "%lld", (long long)s->vector, v->type,
		           v->local, (long long)(s->rows * s->turns));
		names = arena_printf(e->arena, names ? "%s, %s_raw" : "%s%s_raw", names ? names : "",
		                     v->local);
	}
	code_take(members, e->early_arrays);
	for (int i = 0; i < map_count(e->early); i++)
		names = arena_printf(e->arena, names ? "%s, %s" : "%s%s", names ? names : "",
		                     (const char *)map_value(e->early, i));
	if (!names)
		return NULL;
	code_scope(e->code, ";", "struct Rows");
	code_take(e->code, members);
	code_close(e->code, 1);
	code_scope(e->code, ";", "const auto fetch = [&](Rows &to, int first)");
	code_var(e->code, "auto &", "[%s]", "to", names);
	open_rows(e, s, -1);
	code_take(e->code, early);
	if (!code_is_empty(loads)) {
		open_turns(e, s, true);
		code_take(e->code, loads);
		close_turns(e, s, true);
	}
	close_rows(e, s);
	code_close(e->code, 1);
	return names;
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

/* The operands that a team fetches as they are in memory: those of full size that take vectors. */
static void choose_raw(Body *e, const Residence *s)
{
	const LoopNest *nest = &e->nest;
	int room = 0;
	e->vector = s->vector > 1 ? (int)s->vector : 0;
	for (int i = 0; i < nest->node_count; i++)
		for (int k = 0; k < nest->nodes[i]->operand_count; k++) {
			const Node *x = nest->nodes[i]->operands[k];
			if (!runs_through_rows(nest, i, x) || !body_takes_vector(e, x, i))
				continue;
			if (e->raw_count == room)
				e->raw = array_grow(e->arena, e->raw, &room, sizeof *e->raw);
			e->raw[e->raw_count++] = x;
		}
	e->vector = 0;
}

/* Whether a phase after the first reads what the team has fetched. */
static bool reads_raw_late(const Body *e)
{
	const LoopNest *nest = &e->nest;
	for (int phase = 1; phase < nest->shape.phases; phase++) {
		bool *need = NEW_ARRAY(e->arena, bool, nest->node_count);
		body_needs(e, phase, need);
		for (int i = 0; i < nest->node_count; i++)
			for (int k = 0; k < nest->nodes[i]->operand_count; k++)
				for (int r = 0; r < e->raw_count; r++)
					if ((need[i] || body_reduces_in(e, i, phase)) &&
					    nest->nodes[i]->operands[k] == e->raw[r])
						return true;
	}
	return false;
}

/* Registers of a thread: its sums, what it keeps of rows between phases, what all rows share, and what it reads of
 * rows, of the next ones too where they are fetched ahead. */
static int64_t registers_of(const Body *e, const Residence *s, bool pipelined)
{
	const LoopNest *nest = &e->nest;
	int64_t values = s->sums, words = SCRATCH + (s->vector == HALF_VECTOR ? WIDENED : 0);
	for (int i = 0; i < nest->node_count; i++)
		if (e->row[i])
			values += s->rows * s->held;
	for (int i = 0; i < nest->node_count && s->vector > 1; i++)
		for (int k = 0; k < nest->nodes[i]->operand_count; k++) {
			const Node *x = nest->nodes[i]->operands[k];
			if (nest_position(nest, x) >= 0 || node_is_inline(x) || read_before(e, i, k))
				continue;
			if (!loop_runs_along(nest, i, x->type, true))
				continue;
			if (loop_runs_along(nest, i, x->type, false))
				words += (pipelined && s->late ? 2 : 1) *
				         ceil_div(s->rows * s->held * dtype_bytes(x->type.dtype), 4);
			else
				values += s->held;
		}
	return words + (step_sum_dtype(e->step) == DTYPE_F64 ? 2 : 1) * values;
}

/* Loads in flight hide each other's latency: as many blocks as the registers should allow. Each quarter of a
 * multiprocessor has a quarter of them, for whole warps. */
static int blocks_at_once(const Body *e, const Residence *s, bool pipelined)
{
	const int64_t registers = ceil_div(registers_of(e, s, pipelined), GRAIN) * GRAIN;
	int blocks = MOST_BLOCKS;
	while (blocks > 1 && ceil_div(blocks * threads_of(s), QUARTERS * WARP) * WARP * registers >
	                             e->nest.arch.registers / QUARTERS)
		blocks--;
	return blocks;
}

/* Decides on what is kept of rows and on fetching them ahead, and takes no more blocks than run at once. Two steps of
 * the same nodes decide alike. */
static Residence choose_residence(Body *e)
{
	Residence s = residence_of(&e->nest);
	body_choose_rows(e);
	choose_raw(e, &s);
	s.late = reads_raw_late(e);
	s.pipelined = e->raw_count > 0 && s.blocks * rows_of_block(&s) < e->nest.outer &&
	              blocks_at_once(e, &s, true) >= PIPELINED;
	s.per_multiprocessor = blocks_at_once(e, &s, s.pipelined);
	if (s.blocks > s.per_multiprocessor * e->nest.arch.multiprocessors)
		s.blocks = s.per_multiprocessor * e->nest.arch.multiprocessors;
	return s;
}

static void write_loop(Body *e, const Residence *s)
{
	Code *outer = e->code;
	Code *early = code_new(e->arena), *loads = code_new(e->arena);
	e->code = code_new(e->arena);
	e->early = map_new(e->arena);
	e->early_arrays = code_new(e->arena);
	e->early_loads = early;
	e->early_rows = (int)s->rows;
	e->row_number = row_number(s);
	e->loads = loads;
	if (s->vector > 1) {
		e->walk = WALK_KEPT;
		e->column_turn = turn_of(e, s);
	}
	write_rows_of_block(e, s);
	Code *body = e->code;
	e->code = outer;
	e->walk = WALK_NONE;
	e->raw_count = 0;
	e->loads = NULL;
	write_columns(e, s);
	const char *names = write_fetch(e, s, loads, early);
	const long long rows = rows_of_block(s), step = s->blocks * rows, all = e->nest.outer;
	if (names && s->pipelined) {
		code_declare(e->code, "Rows", "ahead");
		code_do(e->code, "fetch(ahead, %s)", index_times(e->arena, "blockIdx.x", rows));
	}
	code_strided(e->code, "first", index_times(e->arena, "blockIdx.x", rows), all, step);
	if (names) {
		if (s->pipelined) {
			code_var(e->code, "Rows", "now", "ahead");
		} else {
			code_declare(e->code, "Rows", "now");
			code_do(e->code, "fetch(now, first)");
		}
		if (s->pipelined && s->late)
			write_fetch_ahead(e, s);
		code_var(e->code, "auto &", "[%s]", "now", names);
	}
	code_take(e->code, body);
	code_close(e->code, 1);
	e->vector_count = 0;
	e->early_arrays = NULL;
	e->early_loads = NULL;
}

/* What is computed of the sums over all rows, by the threads that have them: of one team, or, where they are a
 * kernel's of its own, of all its blocks. `thread` is their number. */
static void write_final(Body *e, const Residence *s, const char *thread)
{
	const bool first = s->teams > 1 && e->step->sums != SUMS_TAKEN;
	if (has_level(e, LEVEL_ACROSS)) {
		if (first)
			code_if(e->code, "team == 0");
		write_turns(e, s, write_across, 0, first);
		if (first)
			code_close(e->code, 1);
	}
	if (has_level(e, LEVEL_TOTAL)) {
		code_if(e->code, "%s == 0", thread);
		body_final(e, LEVEL_TOTAL);
		code_close(e->code, 1);
	}
}

static CudaLaunch write_sums(Body *e, const Residence *s)
{
	code_array(e->code, "%s", "sums", "%lld", dtype_c_name(step_sum_dtype(e->step)), (long long)s->sums);
	const int64_t groups = ceil_div(s->blocks, NNR_GROUP), parts = groups * s->sums * NNR_SUM_LANES;
	code_let(e->code, "int", "lane", "blockIdx.x * %d + threadIdx.x", NNR_SUM_LANES);
	code_leave_if(e->code, "return", "!nnr_sums_take<%lld, %lld, %lld>(sums, partial, %lld)",
	              (long long)s->team, (long long)threads_of(s), (long long)groups, (long long)s->blocks);
	write_final(e, s, "lane");
	return (CudaLaunch){
	        .blocks = s->team / NNR_SUM_LANES,
	        .threads = (int)(parts < NNR_SUM_THREADS ? ceil_div(parts, WARP) * WARP : NNR_SUM_THREADS)};
}

CudaLaunch write_resident(Body *e)
{
	static const char *const words[] = {"sums", "team", "Rows", "fetch", "ahead", "now"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		tensors_local(&e->tensors, words[i]);
	name_loop(e, "o", 0, e->nest.first_reduced);
	name_loop(e, "r", e->nest.first_reduced, e->nest.loop_count);
	body_name_accumulators(e);
	Residence s = choose_residence(e);
	CudaLaunch launch = {.blocks = s.blocks,
	                     .threads = (int)threads_of(&s),
	                     .per_multiprocessor = s.per_multiprocessor};
	place_sums(e, &s);
	if (s.teams > 1 && e->step->sums != SUMS_TAKEN) {
		code_let(e->code, "int", "lane", "threadIdx.x %% %lld", (long long)s.team);
		code_let(e->code, "int", "team", "threadIdx.x / %lld", (long long)s.team);
	}
	if (e->step->sums == SUMS_TAKEN)
		return write_sums(e, &s);
	code_var(e->code, "%s", "sums[%lld]", "{0}", dtype_c_name(step_sum_dtype(e->step)),
	         (long long)s.sums);
	write_loop(e, &s);
	if (e->step->sums == SUMS_LEFT) {
		code_do(e->code, "nnr_sums_leave%s(sums, partial)", team_arguments(e, &s));
		return launch;
	}
	code_leave_if(e->code, "return", "!nnr_blocks_sum%s(sums, partial, done, %lld)",
	              team_arguments(e, &s), (long long)s.blocks);
	write_final(e, &s, "threadIdx.x");
	launch.counters = 1 + ceil_div(s.blocks, NNR_GROUP);
	return launch;
}
