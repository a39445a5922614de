/* The loop nest of a fused kernel, and the epilogue of a heavy operator.
 *
 * A kernel takes one of three forms, chosen by its domain (outer, reduced, inner; see passes/domain.h):
 *
 *   map      no reduction: loops over everything, the innermost vectorised
 *   rows     for each outer index: loops over the reduced dimensions, one per phase; sums in scalars, or, where kept
 *            dimensions lie inside the reduced ones, in a small array
 *   chunks   few outer indices and a long reduction (a batchnorm's sums): the reduced dimension is cut into a fixed
 *            number of chunks, each summed into its own part of `partial`, and the parts are added in order. The number
 *            depends on the shape alone, so the result does not depend on the number of threads.
 *
 * Within a loop body every node is a C expression; it becomes a named local where it is used more than once or has
 * grown long. Stores stand last, so that a tensor overwritten in place has been read before. */
#include "target/kernel.h"
#include "base/array.h"
#include "ops/op.h"
#include "target/expr.h"
#include "target/library.h"
#include "target/loops.h"
#include "target/step.h"
#include "target/tensors.h"

enum { PARALLEL_ELEMENTS = 16384, INLINE_TEXT = 56, ROW_ARRAY = 4096, INNER_ARRAY = 2048 };

typedef struct KernelState {
	Arena *arena;
	Writer *w;
	const Program *program;
	const Step *step;
	Tensors tensors;
	LoopNest nest;
	const char **value;       /* by position: C text in the current scope, NULL outside */
	const char **hoisted;     /* by node id of the graph: name of a scalar computed ahead of the loops */
	const char **row;         /* by position: array that keeps a value for a later phase */
	const char **accumulator; /* by position, of reductions */
	bool reduced_scope;       /* the nodes behind the reductions are being written */
} KernelState;

int64_t kernel_workspace(Arena *a, const Step *s)
{
	LoopNest nest = loops_of_step(a, s);
	return nest.chunks ? nest.outer * nest.chunks * nest.reductions * nest.inner : 0;
}

const char *kernel_number(const KernelText *k, double value)
{
	return c_number(k->arena, value, strcmp(k->real, "double") == 0);
}

/* ---- values */

static const Node *through_views(const Node *n)
{
	while (n->op->flags & OP_ALIAS)
		n = n->operands[0];
	return n;
}

/* An inline node of one element, computed in double ahead of the loops. */
static char *scalar_text(KernelState *e, const Node *n)
{
	n = through_views(n);
	if (node_is(n, "constant"))
		return c_number(e->arena, node_real(n, "value"), true);
	if (node_is(n, "scalar"))
		return arena_printf(e->arena, "s->%s", node_text(n, "name"));
	const char *operands[OP_MAX_OPERANDS];
	for (int k = 0; k < n->operand_count; k++)
		operands[k] = scalar_text(e, n->operands[k]);
	return expr_text(e->arena, n,
	                 &(ExprWords){.operands = operands, .index = "0", .last = "0", .in_double = true});
}

/* The text of an inline node read by the node at `position`. */
static char *inline_text(KernelState *e, const Node *n, int position)
{
	n = through_views(n);
	bool in_double = n->type.dtype == DTYPE_F64;
	if (node_is(n, "constant"))
		return c_number(e->arena, node_real(n, "value"), in_double);
	if (type_elements(n->type) == 1 && !(n->op->flags & OP_SEEDED)) {
		require(e->hoisted[n->id] != NULL);
		return arena_strdup(e->arena, e->hoisted[n->id]);
	}
	const char *operands[OP_MAX_OPERANDS];
	for (int k = 0; k < n->operand_count; k++)
		operands[k] = inline_text(e, n->operands[k], position);
	ExprWords words = {.operands = operands,
	                   .index = loop_index(e->arena, &e->nest, position, n->type),
	                   .last = loop_last_index(e->arena, &e->nest, position)};
	return expr_text(e->arena, n, &words);
}

static void hoist(KernelState *e, const Node *n)
{
	if (!node_is_inline(n))
		return;
	n = through_views(n);
	if (node_is(n, "constant") || e->hoisted[n->id])
		return;
	if (type_elements(n->type) != 1 || (n->op->flags & OP_SEEDED)) {
		for (int k = 0; k < n->operand_count; k++)
			hoist(e, n->operands[k]);
		return;
	}
	const char *wanted = node_is(n, "scalar") ? node_text(n, "name") : n->name ? n->name : n->op->name;
	const char *name = tensors_local(&e->tensors, wanted);
	const char *type = dtype_c_name(n->type.dtype);
	write_line(e->w, "const %s %s = (%s)(%s);", type, name, type, scalar_text(e, n));
	e->hoisted[n->id] = name;
}

static bool is_full(const KernelState *e, int position)
{
	return e->nest.shape.level[position] == LEVEL_FULL;
}

static bool stored(const KernelState *e, int position)
{
	return e->program->of_node[e->nest.nodes[position]->id] != NULL;
}

static char *load_text(KernelState *e, const Node *x, int position)
{
	const char *name = tensor_of(&e->tensors, e->program, x);
	require(name != NULL);
	return arena_printf(e->arena, "%s[%s]", name, loop_index(e->arena, &e->nest, position, x->type));
}

/* C text of operand x as the node at `position` reads it. */
static char *operand_value(KernelState *e, const Node *x, int position)
{
	int at = nest_position(&e->nest, x);
	if (at < 0)
		return node_is_inline(x) ? inline_text(e, x, position) : load_text(e, x, position);
	if (e->value[at])
		return arena_strdup(e->arena, e->value[at]);
	if (e->row[at])
		return arena_printf(e->arena, "%s[%s]", e->row[at],
		                    loop_linear_index(e->arena, &e->nest, e->nest.first_reduced));
	require(stored(e, at));
	return load_text(e, x, position);
}

static char *node_text_value(KernelState *e, int position)
{
	const Node *n = e->nest.nodes[position];
	if (node_is_leaf(n)) /* a constant that must be in memory */
		return inline_text(e, n, position);
	const char *operands[OP_MAX_OPERANDS];
	for (int k = 0; k < n->operand_count; k++)
		operands[k] = operand_value(e, n->operands[k], position);
	ExprWords words = {.operands = operands};
	if (n->op->flags & OP_INDEXED) {
		words.index = loop_index(e->arena, &e->nest, position, n->type);
		words.last = loop_last_index(e->arena, &e->nest, position);
	}
	return expr_text(e->arena, n, &words);
}

/* Gives the node a value: a local when its text is needed more than once or has grown long. */
static void bind_value(KernelState *e, int position, int uses)
{
	const Node *n = e->nest.nodes[position];
	char *text = node_text_value(e, position);
	if (uses <= 1 && strlen(text) <= INLINE_TEXT) {
		e->value[position] = text;
		return;
	}
	const char *name = tensors_local(&e->tensors, arena_printf(e->arena, "%s_", n->op->name));
	write_line(e->w, "const %s %s = %s;", dtype_c_name(n->type.dtype), name, text);
	e->value[position] = name;
}

static void store_value(KernelState *e, int position)
{
	const Node *n = e->nest.nodes[position];
	write_line(e->w, "%s[%s] = %s;", tensor_of(&e->tensors, e->program, n),
	           loop_index(e->arena, &e->nest, position, n->type), e->value[position]);
}

/* Whether a FULL value made in an earlier phase can be read back in `phase`. */
static bool kept(const KernelState *e, int position, int phase)
{
	return e->nest.shape.phase[position] < phase && (stored(e, position) || e->row[position]);
}

/* Marks the FULL nodes a phase must compute: its reductions' operands, its stores, and what these read. */
static void mark_phase(const KernelState *e, int phase, bool *need)
{
	const LoopNest *nest = &e->nest;
	for (int i = nest->node_count - 1; i >= 0; i--) {
		const Node *n = nest->nodes[i];
		bool reduces = n->op->flags & OP_REDUCE;
		if (reduces ? nest->shape.phase[i] != phase : !is_full(e, i))
			continue;
		bool made_here = nest->shape.phase[i] == phase && (stored(e, i) || e->row[i]);
		if (!reduces && !(need[i] = need[i] || made_here))
			continue;
		for (int k = 0; k < n->operand_count; k++) {
			int at = nest_position(nest, n->operands[k]);
			if (at >= 0 && is_full(e, at) && !kept(e, at, phase))
				need[at] = true;
		}
	}
}

/* Decides which values later phases read from an array instead of computing them again. */
static void choose_rows(KernelState *e)
{
	const LoopNest *nest = &e->nest;
	for (int phase = 1; phase < nest->shape.phases; phase++) {
		bool *need = NEW_ARRAY(e->arena, bool, nest->node_count);
		mark_phase(e, phase, need);
		for (int i = 0; i < nest->node_count; i++)
			if (need[i] && nest->shape.phase[i] < phase &&
			    !(nest->nodes[i]->op->flags & (OP_CHEAP | OP_ALIAS)) && nest->middle <= ROW_ARRAY)
				e->row[i] =
				        tensors_local(&e->tensors, arena_printf(e->arena, "%s_row",
				                                                nest->nodes[i]->op->name));
	}
}

static int count_uses(const KernelState *e, int position, const bool *need, int phase)
{
	const LoopNest *nest = &e->nest;
	int uses = stored(e, position) || e->row[position] ? 2 : 0;
	for (int i = position + 1; i < nest->node_count; i++) {
		const Node *n = nest->nodes[i];
		bool reader = n->op->flags & OP_REDUCE ? nest->shape.phase[i] == phase : need[i];
		for (int k = 0; k < n->operand_count && reader; k++)
			if (n->operands[k] == nest->nodes[position])
				uses += expr_mentions(e->arena, n, k);
	}
	return uses;
}

static void forget_values(KernelState *e, bool full_only)
{
	for (int i = 0; i < e->nest.node_count; i++)
		if (!full_only || is_full(e, i))
			e->value[i] = NULL;
}

/* The innermost body of one phase: values, accumulation, stores. */
static void write_phase_body(KernelState *e, int phase, const char *accumulator_index)
{
	const LoopNest *nest = &e->nest;
	bool *need = NEW_ARRAY(e->arena, bool, nest->node_count);
	mark_phase(e, phase, need);
	forget_values(e, true);
	for (int i = 0; i < nest->node_count; i++)
		if (need[i])
			bind_value(e, i, count_uses(e, i, need, phase));
	for (int i = 0; i < nest->node_count; i++) {
		const Node *n = nest->nodes[i];
		if (!(n->op->flags & OP_REDUCE) || nest->shape.phase[i] != phase)
			continue;
		char *into = accumulator_index
		                     ? arena_printf(e->arena, "%s[%s]", e->accumulator[i], accumulator_index)
		                     : arena_strdup(e->arena, e->accumulator[i]);
		char *x = operand_value(e, n->operands[0], i);
		if (node_is(n, "sum"))
			write_line(e->w, "%s += %s;", into, x);
		else
			write_line(e->w, "%s = nnr_max%s(%s, %s);", into,
			           n->type.dtype == DTYPE_F64 ? "" : "f", into, x);
	}
	for (int i = 0; i < nest->node_count; i++) {
		if (!is_full(e, i) || nest->shape.phase[i] != phase)
			continue;
		if (e->row[i])
			write_line(e->w, "%s[%s] = %s;", e->row[i],
			           loop_linear_index(e->arena, nest, nest->first_reduced), e->value[i]);
		if (stored(e, i))
			store_value(e, i);
	}
	forget_values(e, true);
}

/* Nodes behind the reductions of one phase (-1: of all phases): scalars at one kept index. */
static void write_reduced_body(KernelState *e, int phase)
{
	const LoopNest *nest = &e->nest;
	for (int i = 0; i < nest->node_count; i++) {
		const Node *n = nest->nodes[i];
		if (is_full(e, i) || (phase >= 0 && nest->shape.phase[i] != phase))
			continue;
		if (!(n->op->flags & OP_REDUCE))
			bind_value(e, i, 2);
	}
	for (int i = 0; i < nest->node_count; i++)
		if (!is_full(e, i) && (phase < 0 || nest->shape.phase[i] == phase) && stored(e, i))
			store_value(e, i);
}

/* ---- loops */

static void open_loop(KernelState *e, int i)
{
	write_line(e->w, "for (int64_t %s = 0; %s < %lld; %s++) {", e->nest.loops[i].var,
	           e->nest.loops[i].var, (long long)e->nest.loops[i].count, e->nest.loops[i].var);
	write_indent(e->w, 1);
}

static void close_loops(KernelState *e, int count)
{
	for (int i = 0; i < count; i++) {
		write_indent(e->w, -1);
		write_line(e->w, "}");
	}
}

static void write_map(KernelState *e)
{
	const LoopNest *nest = &e->nest;
	int64_t elements = nest->outer * nest->middle * nest->inner;
	bool parallel = elements >= PARALLEL_ELEMENTS;
	for (int i = 0; i < nest->loop_count; i++) {
		bool last = i == nest->loop_count - 1;
		if (i == 0 && parallel)
			write_line(e->w, "#pragma omp parallel for%s%s", last ? " simd" : "",
			           nest->loops[0].count < 16 && nest->loop_count > 2 ? " collapse(2)" : "");
		else if (last)
			write_line(e->w, "#pragma omp simd");
		open_loop(e, i);
	}
	write_phase_body(e, 0, NULL);
	close_loops(e, nest->loop_count);
}

static const char *start_value(const Node *n)
{
	return node_is(n, "sum") ? "0" : "-INFINITY";
}

static void name_accumulators(KernelState *e)
{
	for (int i = 0; i < e->nest.node_count; i++)
		if (e->nest.nodes[i]->op->flags & OP_REDUCE)
			e->accumulator[i] = tensors_local(&e->tensors, e->nest.nodes[i]->op->name);
}

static void declare_accumulators(KernelState *e, int phase, const char *array)
{
	for (int i = 0; i < e->nest.node_count; i++) {
		const Node *n = e->nest.nodes[i];
		if (!(n->op->flags & OP_REDUCE) || (phase >= 0 && e->nest.shape.phase[i] != phase))
			continue;
		if (!array)
			write_line(e->w, "%s %s = %s;", dtype_c_name(n->type.dtype), e->accumulator[i],
			           start_value(n));
		else
			write_line(e->w, "%s %s[%s];", dtype_c_name(n->type.dtype), e->accumulator[i], array);
	}
}

static char *reduction_clause(KernelState *e, int phase)
{
	char *sums = NULL, *maxima = NULL;
	for (int i = 0; i < e->nest.node_count; i++) {
		const Node *n = e->nest.nodes[i];
		if (!(n->op->flags & OP_REDUCE) || e->nest.shape.phase[i] != phase)
			continue;
		char **list = node_is(n, "sum") ? &sums : &maxima;
		*list = *list ? arena_printf(e->arena, "%s, %s", *list, e->accumulator[i])
		              : arena_strdup(e->arena, e->accumulator[i]);
	}
	return arena_printf(e->arena, "%s%s%s%s%s%s", sums ? " reduction(+ : " : "", sums ? sums : "",
	                    sums ? ")" : "", maxima ? " reduction(max : " : "", maxima ? maxima : "",
	                    maxima ? ")" : "");
}

static void bind_accumulators(KernelState *e, int phase, const char *index)
{
	for (int i = 0; i < e->nest.node_count; i++)
		if ((e->nest.nodes[i]->op->flags & OP_REDUCE) &&
		    (phase < 0 || e->nest.shape.phase[i] == phase))
			e->value[i] = index ? arena_printf(e->arena, "%s[%s]", e->accumulator[i], index)
			                    : e->accumulator[i];
}

/* Sums in scalars: the reduced dimensions are the innermost. */
static void write_row_phases(KernelState *e)
{
	const LoopNest *nest = &e->nest;
	for (int i = 0; i < nest->node_count; i++)
		if (e->row[i])
			write_line(e->w, "%s %s[%lld];", dtype_c_name(nest->nodes[i]->type.dtype), e->row[i],
			           (long long)nest->middle);
	for (int phase = 0; phase < nest->shape.phases; phase++) {
		declare_accumulators(e, phase, NULL);
		for (int i = nest->first_reduced; i < nest->loop_count; i++) {
			if (i == nest->loop_count - 1)
				write_line(e->w, "#pragma omp simd%s", reduction_clause(e, phase));
			open_loop(e, i);
		}
		write_phase_body(e, phase, NULL);
		close_loops(e, nest->loop_count - nest->first_reduced);
		bind_accumulators(e, phase, NULL);
		write_reduced_body(e, phase);
	}
}

static void open_inner(KernelState *e, const char *block)
{
	const LoopNest *nest = &e->nest;
	for (int i = nest->first_inner; i < nest->loop_count; i++) {
		if (i == nest->loop_count - 1)
			write_line(e->w, "#pragma omp simd");
		if (block) {
			write_line(e->w, "for (int64_t %s = %s; %s < end; %s++) {", nest->loops[i].var, block,
			           nest->loops[i].var, nest->loops[i].var);
			write_indent(e->w, 1);
		} else {
			open_loop(e, i);
		}
	}
}

/* Sums in an array over the inner dimensions; long ones in blocks, which then run in parallel. */
static void write_inner_sums(KernelState *e, bool blocked)
{
	const LoopNest *nest = &e->nest;
	int inner_loops = nest->loop_count - nest->first_inner;
	int64_t size = blocked ? INNER_ARRAY / 2 : nest->inner;
	char *index = loop_linear_index(e->arena, nest, nest->first_inner);
	if (blocked) {
		write_line(e->w, "const int64_t end = block + %lld < %lld ? block + %lld : %lld;",
		           (long long)size, (long long)nest->inner, (long long)size, (long long)nest->inner);
		index = arena_printf(e->arena, "%s - block", index);
	}
	const char *block = blocked ? "block" : NULL;
	declare_accumulators(e, -1, arena_printf(e->arena, "%lld", (long long)size));
	open_inner(e, block);
	for (int i = 0; i < nest->node_count; i++)
		if (nest->nodes[i]->op->flags & OP_REDUCE)
			write_line(e->w, "%s[%s] = %s;", e->accumulator[i], index,
			           start_value(nest->nodes[i]));
	close_loops(e, inner_loops);
	for (int i = nest->first_reduced; i < nest->first_inner; i++)
		open_loop(e, i);
	open_inner(e, block);
	write_phase_body(e, 0, index);
	close_loops(e, inner_loops + nest->first_inner - nest->first_reduced);
	open_inner(e, block);
	bind_accumulators(e, -1, index);
	write_reduced_body(e, -1);
	close_loops(e, inner_loops);
}

static void write_rows(KernelState *e)
{
	const LoopNest *nest = &e->nest;
	int64_t elements = nest->outer * nest->middle * nest->inner;
	bool parallel = elements >= PARALLEL_ELEMENTS;
	bool blocked = nest->inner > INNER_ARRAY && nest->loop_count - nest->first_inner == 1;
	int outer_loops = nest->first_reduced;
	for (int i = 0; i < outer_loops; i++) {
		if (i == 0 && parallel)
			write_line(e->w, "#pragma omp parallel for%s",
			           nest->loops[0].count < 16 && outer_loops > 1 ? " collapse(2)" : "");
		open_loop(e, i);
	}
	if (blocked) {
		if (outer_loops == 0 && parallel)
			write_line(e->w, "#pragma omp parallel for");
		write_line(e->w, "for (int64_t block = 0; block < %lld; block += %d) {",
		           (long long)nest->inner, INNER_ARRAY / 2);
		write_indent(e->w, 1);
	}
	if (nest->inner == 1)
		write_row_phases(e);
	else
		write_inner_sums(e, blocked);
	close_loops(e, outer_loops + blocked);
}

/* Long reductions over few outer indices, cut into chunks. */
static void write_chunks(KernelState *e)
{
	const LoopNest *nest = &e->nest;
	int inner_loops = nest->loop_count - nest->first_inner, number = 0;
	const char *real = dtype_c_name(e->tensors.at[e->tensors.count - 1].dtype);
	long long inner = (long long)nest->inner, part = inner * nest->reductions;
	const Loop *cut = &nest->loops[nest->first_reduced];
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
		write_line(e->w, "%s *parts = partial + %s * %lld;", real, outer, part * nest->chunks);
	const char *parts = *outer ? "parts" : "partial";
	write_line(e->w, "#pragma omp parallel for");
	write_line(e->w, "for (int64_t chunk = 0; chunk < %d; chunk++) {", nest->chunks);
	write_indent(e->w, 1);
	char *index = loop_linear_index(e->arena, nest, nest->first_inner);
	if (inner == 1) {
		declare_accumulators(e, -1, NULL);
		index = NULL;
	} else {
		for (int i = 0; i < nest->node_count; i++)
			if (nest->nodes[i]->op->flags & OP_REDUCE)
				write_line(e->w, "%s *restrict %s = %s + chunk * %lld + %lld;", real,
				           e->accumulator[i], parts, part, number++ * inner);
		open_inner(e, NULL);
		for (int i = 0; i < nest->node_count; i++)
			if (nest->nodes[i]->op->flags & OP_REDUCE)
				write_line(e->w, "%s[%s] = %s;", e->accumulator[i], index,
				           start_value(nest->nodes[i]));
		close_loops(e, inner_loops);
	}
	if (inner == 1 && nest->first_reduced == nest->loop_count - 1)
		write_line(e->w, "#pragma omp simd%s", reduction_clause(e, 0));
	write_line(e->w, "for (int64_t %s = chunk * %lld / %d; %s < (chunk + 1) * %lld / %d; %s++) {",
	           cut->var, (long long)cut->count, nest->chunks, cut->var, (long long)cut->count,
	           nest->chunks, cut->var);
	write_indent(e->w, 1);
	int reduced_end = inner == 1 ? nest->loop_count : nest->first_inner;
	for (int i = nest->first_reduced + 1; i < reduced_end; i++) {
		if (inner == 1 && i == nest->loop_count - 1)
			write_line(e->w, "#pragma omp simd%s", reduction_clause(e, 0));
		open_loop(e, i);
	}
	if (inner != 1)
		open_inner(e, NULL);
	write_phase_body(e, 0, index);
	close_loops(e, reduced_end - nest->first_reduced + (inner != 1 ? inner_loops : 0));
	if (inner == 1) {
		for (int i = 0; i < nest->node_count; i++)
			if (nest->nodes[i]->op->flags & OP_REDUCE)
				write_line(e->w, "%s[chunk * %lld + %d] = %s;", parts, part, number++,
				           e->accumulator[i]);
	}
	close_loops(e, 1);
	if (inner != 1)
		open_inner(e, NULL);
	declare_accumulators(e, -1, NULL);
	number = 0;
	write_line(e->w, "for (int64_t chunk = 0; chunk < %d; chunk++) {", nest->chunks);
	write_indent(e->w, 1);
	for (int i = 0; i < nest->node_count; i++) {
		const Node *n = nest->nodes[i];
		if (!(n->op->flags & OP_REDUCE))
			continue;
		char *from = arena_printf(e->arena, "%s[chunk * %lld + %lld%s%s]", parts, part,
		                          number++ * inner, index ? " + " : "", index ? index : "");
		if (node_is(n, "sum"))
			write_line(e->w, "%s += %s;", e->accumulator[i], from);
		else
			write_line(e->w, "%s = nnr_max%s(%s, %s);", e->accumulator[i],
			           n->type.dtype == DTYPE_F64 ? "" : "f", e->accumulator[i], from);
	}
	close_loops(e, 1);
	bind_accumulators(e, -1, NULL);
	write_reduced_body(e, -1);
	close_loops(e, nest->first_reduced + (inner != 1 ? inner_loops : 0));
}

/* ---- the whole function */

static void name_arrays(KernelState *e, int graph_nodes)
{
	int count = e->step->node_count;
	e->value = NEW_ARRAY(e->arena, const char *, count);
	e->row = NEW_ARRAY(e->arena, const char *, count);
	e->accumulator = NEW_ARRAY(e->arena, const char *, count);
	e->hoisted = NEW_ARRAY(e->arena, const char *, graph_nodes);
	for (int i = 0; i < count; i++)
		for (int k = 0; k < e->step->nodes[i]->operand_count; k++)
			if (e->step->nodes[i] != e->step->root)
				hoist(e, e->step->nodes[i]->operands[k]);
	for (int i = 0; i < count; i++)
		if (node_is_leaf(e->step->nodes[i]))
			hoist(e, e->step->nodes[i]);
	for (int i = 0; i < count; i++)
		if (node_is_inline(e->step->nodes[i]))
			for (int k = 0; k < e->step->nodes[i]->operand_count; k++)
				hoist(e, e->step->nodes[i]->operands[k]);
}

static void write_loops(KernelState *e)
{
	e->nest = loops_of_step(e->arena, e->step);
	name_accumulators(e);
	choose_rows(e);
	if (!e->nest.shape.domain.has_reduction)
		write_map(e);
	else if (e->nest.chunks)
		write_chunks(e);
	else
		write_rows(e);
}

bool kernel_has_epilogue(const KernelText *k)
{
	return k->step->node_count > 1;
}

void kernel_epilogue(KernelText *k, const char *row, const char *col, const char *value)
{
	KernelState *e = k->state;
	e->nest = loops_of_epilogue(k->arena, k->step, row, col);
	forget_values(e, false);
	int root = nest_position(&e->nest, k->step->root);
	bool *need = NEW_ARRAY(e->arena, bool, e->nest.node_count);
	for (int i = 0; i < e->nest.node_count; i++)
		need[i] = true;
	int uses = count_uses(e, root, need, 0);
	e->value[root] = value;
	if (uses > 1) {
		const char *name =
		        tensors_local(&e->tensors, arena_printf(e->arena, "%s_", k->step->root->op->name));
		write_line(k->w, "const %s %s = %s;", k->real, name, value);
		e->value[root] = name;
	}
	for (int i = 0; i < e->nest.node_count; i++)
		if (i != root)
			bind_value(e, i, count_uses(e, i, need, 0));
	for (int i = 0; i < e->nest.node_count; i++)
		if (stored(e, i))
			store_value(e, i);
}

/* "bias, relu" of the nodes -> the part of the function's name that says what it computes. */
static char *stem_of(Arena *a, const Step *s)
{
	enum { LONGEST = 40 };
	char *stem = arena_strdup(a, "");
	const char *last = "";
	for (int i = 0; i < s->node_count; i++) {
		const char *name = s->nodes[i]->op->name;
		if (strcmp(name, last) == 0 || (s->nodes[i]->op->flags & OP_ALIAS))
			continue;
		if (strlen(stem) + strlen(name) > LONGEST)
			break;
		stem = arena_printf(a, "%s%s%s", stem, *stem ? "_" : "", name);
		last = name;
	}
	return stem;
}

static char *extent_text(Arena *a, const Step *s, const LoopNest *nest)
{
	char *text = arena_strdup(a, "");
	if (s->root) {
		for (int i = 0; i < s->root->type.rank; i++)
			text = arena_printf(a, "%s%s%lld", text, i ? "x" : "",
			                    (long long)s->root->type.dim[i]);
		return text;
	}
	for (int i = 0; i < nest->loop_count; i++)
		text = arena_printf(a, "%s%s%lld", text, i ? "x" : "", (long long)nest->loops[i].count);
	return text;
}

StepFunction step_function(Arena *a, const Program *p, const Step *s, const Target *target)
{
	KernelState e = {.arena = a, .w = writer_new(a), .program = p, .step = s};
	e.tensors = tensors_of_step(a, p, s);
	name_arrays(&e, p->graph->count);
	if (s->root) {
		DType real = dtype_is_real(s->root->type.dtype) ? s->root->type.dtype : DTYPE_F32;
		KernelText k = {.arena = a,
		                .w = e.w,
		                .target = target,
		                .program = p,
		                .step = s,
		                .real = dtype_c_name(real),
		                .state = &e};
		if (s->kind == STEP_LIBRARY) {
			library_body(&k, s->root);
		} else {
			require(s->root->op->emit_cpu != NULL);
			s->root->op->emit_cpu(&k, s->root);
		}
	} else {
		write_loops(&e);
	}
	StepFunction f = {.tensors = e.tensors, .body = writer_text(e.w, NULL)};
	f.stem = arena_printf(a, "%s_%s", stem_of(a, s), extent_text(a, s, &e.nest));
	char *params = arena_strdup(a, "");
	for (int i = 0; i < e.tensors.count; i++) {
		const Tensor *t = &e.tensors.at[i];
		params = arena_printf(a, "%s%s%s%s *restrict %s", params, i ? ", " : "",
		                      t->written ? "" : "const ", dtype_c_name(t->dtype), t->name);
	}
	if (e.tensors.scalars)
		params = arena_printf(a, "%s%sconst NnrScalars *s", params, *params ? ", " : "");
	f.params = params;
	return f;
}
