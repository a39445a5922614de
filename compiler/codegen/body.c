/* SPDX-License-Identifier: MIT */
/* The values of a loop body: see body.h. */
#include "codegen/body.h"
#include "base/array.h"
#include "ir/op.h"
#include "codegen/expr.h"
#include "codegen/index.h"
#include "codegen/row_copies.h"
#include "codegen/vectors.h"
#include <string.h>

enum { INLINE_TEXT = 56 };

/* An inline node of one element, computed in double ahead of the loops. */
static char *scalar_text(Body *e, const Node *n)
{
	n = node_unaliased(n);
	if (node_is_constant(n))
		return c_number(e->arena, node_real(n, "value"), true);
	if (node_is_scalar(n))
		return arena_printf(e->arena, "s->%s", node_text(n, "name"));
	const char *operands[OP_MAX_OPERANDS];
	for (int k = 0; k < n->operand_count; k++)
		operands[k] = scalar_text(e, n->operands[k]);
	return expr_text(e->arena, n,
	                 &(ExprWords){.operands = operands,
	                              .index = "0",
	                              .last = "0",
	                              .stream = stream_of_node(&e->tensors, n),
	                              .in_double = true});
}

static double scalar_flops(const Node *n)
{
	double flops = n->op->expr_flops;
	for (int k = 0; k < n->operand_count; k++)
		flops += scalar_flops(n->operands[k]);
	return flops;
}

static const char *hoisted_key(const Body *e, const Node *n)
{
	return arena_printf(e->arena, "%d", n->id);
}

/* The indices that the formula of n says, as the node at `position` reads it: a slice reads what it takes a part of by
 * the shape of that, from where the part begins. */
static void find_indices(Body *e, const Node *n, int position, ExprWords *words)
{
	const Node *reader = e->nest.nodes[position];
	bool moved = n != reader && reader->op->flags & OP_PLACED &&
	             type_elements(n->type) == type_elements(reader->operands[0]->type);
	const Type shape = moved ? reader->operands[0]->type : n->type;
	const int64_t offset = moved ? node_offset(reader, shape) : 0;
	if (n->op->flags & OP_BY_ELEMENT)
		words->index = loop_index(e->arena, &e->nest, position, shape);
	if (words->index && offset > 0)
		words->index = arena_printf(e->arena, "%s + %lld", words->index, (long long)offset);
	if (n->op->flags & OP_BY_COLUMN)
		words->last = loop_last_index(e->arena, &e->nest, position);
}

/* The text of an inline node read by the node at `position`. */
static char *inline_text(Body *e, const Node *n, int position)
{
	n = node_unaliased(n);
	bool in_double = n->type.dtype == DTYPE_F64;
	if (node_is_constant(n))
		return c_number(e->arena, node_real(n, "value"), in_double);
	if (type_elements(n->type) == 1 && !(n->op->flags & OP_SEEDED)) {
		const char *name = map_get(e->hoisted, hoisted_key(e, n));
		require(name != NULL);
		return arena_strdup(e->arena, name);
	}
	const char *operands[OP_MAX_OPERANDS];
	for (int k = 0; k < n->operand_count; k++)
		operands[k] = inline_text(e, n->operands[k], position);
	ExprWords words = {.operands = operands, .stream = stream_of_node(&e->tensors, n)};
	find_indices(e, n, position, &words);
	return expr_text(e->arena, n, &words);
}

void body_hoist(Body *e, const Node *n)
{
	if (!node_is_inline(n))
		return;
	n = node_unaliased(n);
	if (node_is_constant(n) || map_get(e->hoisted, hoisted_key(e, n)))
		return;
	if (type_elements(n->type) != 1 || (n->op->flags & OP_SEEDED)) {
		for (int k = 0; k < n->operand_count; k++)
			body_hoist(e, n->operands[k]);
		return;
	}
	const char *wanted = node_is_scalar(n) ? node_text(n, "name") : n->name ? n->name : node_word(n);
	const char *name = tensors_local(&e->tensors, wanted);
	const char *type = dtype_value_name(n->type.dtype);
	if (e->scalar_count == e->scalar_room)
		e->scalars = array_grow(e->arena, e->scalars, &e->scalar_room, sizeof *e->scalars);
	e->scalars[e->scalar_count++] =
	        (BodyScalar){.type = type,
	                     .name = name,
	                     .value = arena_printf(e->arena, "(%s)(%s)", type, scalar_text(e, n)),
	                     .flops = scalar_flops(n)};
	map_set(e->hoisted, hoisted_key(e, n), (void *)name);
}

void body_scalar(Body *e, const BodyScalar *x)
{
	code_let(e->code, "%s", "%s", "%s", x->type, x->name, x->value);
}

void body_scalars(Body *e)
{
	for (int i = 0; i < e->scalar_count; i++)
		body_scalar(e, &e->scalars[i]);
}

void body_scalars_if_read(Body *e)
{
	for (int i = 0; i < e->scalar_count; i++) {
		const BodyScalar *x = &e->scalars[i];
		code_let_if_read(e->code, "%s", "%s", "%s", x->type, x->name, x->value);
	}
}

bool body_is_full(const Body *e, int position)
{
	return e->nest.shape.level[position] == LEVEL_FULL;
}

bool body_reduces_in(const Body *e, int position, int phase)
{
	return (e->nest.nodes[position]->op->flags & OP_REDUCE) &&
	       (phase < 0 || e->nest.shape.phase[position] == phase);
}

bool body_stored(const Body *e, int position)
{
	return e->program->of_node[e->nest.nodes[position]->id] != NULL;
}

static const char *row_index(const Body *e)
{
	return e->row_index ? e->row_index : loop_linear_index(e->arena, &e->nest, e->nest.first_reduced);
}

/* The element of x, in memory, that the node at `position` reads; or its own place, to store to. */
static char *place_text(Body *e, const Node *x, int position, bool store)
{
	const char *name = store ? tensor_of(&e->tensors, e->program, x)
	                         : tensor_read_by(&e->tensors, e->program, e->nest.nodes[position], x);
	require(name != NULL);
	if (buffer_root(buffer_of(e->program, x))->class == BUFFER_HELD)
		return arena_printf(e->arena, "%s[j]", name);
	if (e->column && e->vector == 0 && !store)
		return arena_printf(e->arena, "%s[threadIdx.x]", body_fetched(e, name, x, position)->local);
	AccessKind kind = body_access_kind(e, x, position, store);
	bool column =
	        kind == ACCESS_COLUMN && e->vector > 0 && loop_last_stride(&e->nest, position, x->type) == 1;
	if (column || body_takes_vector(e, x, position))
		return body_vector_text(e, name, x, position, kind);
	const char *index = without_brackets(
	        e->arena, loop_place(e->arena, &e->nest, position, x->type, buffer_of(e->program, x)->pitch));
	/* a value of its own: in `p ? x[i] : 0` an element would be an int */
	const char *value = !store && dtype_is_half(x->type.dtype) ? "(float)" : "";
	return arena_printf(e->arena, "%s%s[%s]", value, name, index);
}

/* Whether x, outside the kernel, is one value for a row; the rows' sums then hide its latency. */
static bool reads_early(const Body *e, const Node *x, int position)
{
	return e->early_loads && loop_runs_along(&e->nest, position, x->type, false) &&
	       !loop_runs_along(&e->nest, position, x->type, true);
}

static char *early_text(Body *e, const Node *x, int position)
{
	char *place = place_text(e, x, position, false);
	const char *array = map_get(e->early, place);
	if (!array) {
		const char *name = tensor_read_by(&e->tensors, e->program, e->nest.nodes[position], x);
		array = tensors_local_of(&e->tensors, name, "in");
		map_set(e->early, place, (void *)array);
		code_array(e->early_arrays, "%s", "%s", "%d", dtype_value_name(x->type.dtype), array,
		           e->early_rows);
		code_set(e->early_loads, "%s[%s]", "%s", array, e->row_number, place);
	}
	return arena_printf(e->arena, "%s[%s]", array, e->row_number);
}

/* C text of operand x as the node at `position` reads it. */
char *body_operand(Body *e, const Node *x, int position)
{
	int at = nest_position(&e->nest, x);
	const char *given = e->given ? map_get(e->given, hoisted_key(e, x)) : NULL;
	if (given)
		return arena_strdup(e->arena, given);
	if (at >= 0 && e->used)
		e->used[at] = true;
	char *copied = at < 0 && e->copy_count > 0 ? row_copies_text(e, x, position) : NULL;
	if (copied)
		return copied;
	if (at < 0)
		return node_is_inline(x)             ? inline_text(e, x, position)
		       : reads_early(e, x, position) ? early_text(e, x, position)
		                                     : place_text(e, x, position, false);
	if (e->value[at])
		return arena_strdup(e->arena, e->value[at]);
	if (e->row[at])
		return arena_printf(e->arena, "%s[%s]", e->row[at], row_index(e));
	require(body_stored(e, at));
	return place_text(e, x, position, false);
}

static char *node_text_value(Body *e, int position)
{
	const Node *n = e->nest.nodes[position];
	if (node_is_leaf(n)) /* a constant that must be in memory */
		return inline_text(e, n, position);
	const char *operands[OP_MAX_OPERANDS];
	for (int k = 0; k < n->operand_count; k++)
		operands[k] = body_operand(e, n->operands[k], position);
	ExprWords words = {.operands = operands, .stream = stream_of_node(&e->tensors, n)};
	find_indices(e, n, position, &words);
	if (n->op->place)
		words.on = loop_on(e->arena, &e->nest, position);
	return expr_text(e->arena, n, &words);
}

/* Gives the node a value: a local when its text is needed more than once or has grown long. A view of what has a name
 * needs no other. */
void body_bind(Body *e, int position, int uses)
{
	const Node *n = e->nest.nodes[position];
	char *text = node_text_value(e, position);
	bool is_named = (n->op->flags & OP_ALIAS) && is_c_word(text);
	if (is_named || (uses <= 1 && strlen(text) <= INLINE_TEXT)) {
		e->value[position] = text;
		return;
	}
	const char *name =
	        tensors_local(&e->tensors, arena_printf(e->arena, "%s_", local_word(node_unaliased(n))));
	code_let(e->code, "%s", "%s", "%s", dtype_value_name(n->type.dtype), name, text);
	e->value[position] = name;
}

void body_store(Body *e, int position)
{
	const Node *n = e->nest.nodes[position];
	char *place = place_text(e, n, position, true);
	bool guarded = e->store_guard && !body_takes_vector(e, n, position); /* body_vectors guards its own */
	if (guarded)
		code_if_bare(e->code, "%s", e->store_guard);
	code_set(e->code, "%s", "%s", place, e->value[position]);
	code_close(e->code, guarded);
}

/* Whether a FULL value made in an earlier phase can be read back in `phase`. */
static bool kept(const Body *e, int position, int phase)
{
	return e->nest.shape.phase[position] < phase && (body_stored(e, position) || e->row[position]);
}

/* Whether a reduction of that phase gets its terms from the text that is being written. */
static bool sums_here(const Body *e, int position, int phase)
{
	return e->nest.shape.phase[position] == phase &&
	       (e->pointed ? e->pointed[position] : NULL) == e->at_point;
}

void body_needs(const Body *e, int phase, bool *need)
{
	const LoopNest *nest = &e->nest;
	for (int i = nest->node_count - 1; i >= 0; i--) {
		const Node *n = nest->nodes[i];
		bool reduces = n->op->flags & OP_REDUCE;
		if (reduces ? !sums_here(e, i, phase) : !body_is_full(e, i))
			continue;
		bool made_here =
		        !e->at_point && nest->shape.phase[i] == phase && (body_stored(e, i) || e->row[i]);
		if (!reduces && !(need[i] = need[i] || made_here))
			continue;
		for (int k = 0; k < n->operand_count; k++) {
			int at = nest_position(nest, n->operands[k]);
			if (at >= 0 && body_is_full(e, at) && !kept(e, at, phase))
				need[at] = true;
		}
	}
}

/* Decides which values later phases read from an array instead of computing them again. The last first: what it is
 * computed of is then needed no more for it. Also what is cheap and compared for equality, as by argmax with the
 * largest: computed again it may be rounded otherwise, since C compilers fuse multiplications and additions. */
void body_choose_rows(Body *e)
{
	const LoopNest *nest = &e->nest;
	static const char chosen[] = "";
	bool *compared =
	        NEW_ARRAY(e->arena, bool, nest->node_count + 1); /* by position, and one for what has none */
	for (int i = 0; i < 2 * nest->node_count; i++)
		if (node_is(nest->nodes[i / 2], "eq"))
			compared[1 + nest_position(nest, nest->nodes[i / 2]->operands[i % 2])] = true;
	for (int phase = 1; phase < nest->shape.phases && nest->middle <= LONGEST_KEPT_ROW; phase++) {
		bool *need = NEW_ARRAY(e->arena, bool, nest->node_count);
		body_needs(e, phase, need);
		for (int i = nest->node_count - 1; i >= 0; i--) {
			if (!need[i] || nest->shape.phase[i] >= phase ||
			    (nest->nodes[i]->op->flags & (compared[1 + i] ? OP_ALIAS : OP_CHEAP | OP_ALIAS)))
				continue;
			e->row[i] = chosen;
			memset(need, 0, sizeof *need * (size_t)nest->node_count);
			body_needs(e, phase, need);
		}
	}
	for (int i = 0; i < nest->node_count; i++)
		if (e->row[i] == chosen)
			e->row[i] = tensors_local_of(&e->tensors, local_word(nest->nodes[i]), "row");
}

void body_declare_rows(Body *e, int64_t count)
{
	for (int i = 0; i < e->nest.node_count; i++)
		if (e->row[i])
			code_array(e->code, "%s", "%s", "%lld",
			           dtype_value_name(e->nest.nodes[i]->type.dtype), e->row[i],
			           (long long)count);
}

int body_uses(const Body *e, int position, const bool *need, int phase)
{
	const LoopNest *nest = &e->nest;
	int uses = body_stored(e, position) || e->row[position] ? 2 : 0;
	for (int i = position + 1; i < nest->node_count; i++) {
		const Node *n = nest->nodes[i];
		bool reader = n->op->flags & OP_REDUCE ? nest->shape.phase[i] == phase : need[i];
		for (int k = 0; k < n->operand_count && reader; k++)
			uses += n->operands[k] == nest->nodes[position] ? expr_mentions(e->arena, n, k) : 0;
	}
	return uses;
}

void body_forget(Body *e, bool full_only)
{
	for (int i = 0; i < e->nest.node_count; i++)
		if (!full_only || body_is_full(e, i))
			e->value[i] = NULL;
}

/* Whether nothing but memory takes a value of 16 bits: that rounds it. */
static bool is_rounded_by_store(const Body *e, int position, int uses)
{
	const Node *n = e->nest.nodes[position];
	return (n->op->flags & OP_CONVERTS) && dtype_is_half(n->type.dtype) && uses == 2 &&
	       body_stored(e, position) && !e->row[position] &&
	       buffer_root(buffer_of(e->program, n))->class != BUFFER_HELD;
}

/* The innermost body of one phase: values, accumulation, stores. */
void body_phase(Body *e, int phase, const char *accumulator_index)
{
	const LoopNest *nest = &e->nest;
	bool *need = NEW_ARRAY(e->arena, bool, nest->node_count);
	body_needs(e, phase, need);
	body_forget(e, true);
	for (int i = 0; i < nest->node_count; i++) {
		const int uses = need[i] ? body_uses(e, i, need, phase) : 0;
		if (need[i] && is_rounded_by_store(e, i, uses))
			e->value[i] = body_operand(e, nest->nodes[i]->operands[0], i);
		else if (need[i])
			body_bind(e, i, uses);
	}
	for (int i = 0; i < nest->node_count; i++) {
		const Node *n = nest->nodes[i];
		Level level = nest->shape.level[i];
		if (!(n->op->flags & OP_REDUCE) || !sums_here(e, i, phase) || level == LEVEL_TOTAL)
			continue;
		char *into = accumulator_index && level == LEVEL_REDUCED
		                     ? arena_printf(e->arena, "%s[%s]", e->accumulator[i], accumulator_index)
		                     : arena_strdup(e->arena, e->accumulator[i]);
		body_combine(e, n, into, body_operand(e, n->operands[0], i));
	}
	for (int i = 0; i < nest->node_count; i++) {
		if (!body_is_full(e, i) || nest->shape.phase[i] != phase || e->at_point)
			continue;
		if (e->row[i])
			code_set(e->code, "%s[%s]", "%s", e->row[i], row_index(e), e->value[i]);
		if (body_stored(e, i))
			body_store(e, i);
	}
	body_forget(e, true);
}

/* A state that this kernel reads is updated in place. */
static bool overwrites(const Body *e, const Node *n)
{
	Buffer *to = e->program->of_node[n->id];
	for (int i = 0; i < e->step->read_count; i++)
		if (buffer_root(e->step->reads[i]) == buffer_root(to) &&
		    buffer_offset(e->step->reads[i]) == buffer_offset(to))
			return true;
	return false;
}

static bool is_reduced(const Body *e, int position, int phase)
{
	const KernelShape *s = &e->nest.shape;
	return s->level[position] == LEVEL_REDUCED && (phase < 0 || s->phase[position] == phase);
}

void body_needs_reduced(const Body *e, int phase, bool *need)
{
	const LoopNest *nest = &e->nest;
	if (phase < nest->shape.phases)
		body_needs(e, phase, need);
	for (int i = nest->node_count - 1; i >= 0; i--) {
		const Node *n = nest->nodes[i];
		bool ends = nest->shape.phase[i] == phase - 1; /* the sums before this phase */
		bool reduces = n->op->flags & OP_REDUCE;
		if (reduces ? nest->shape.level[i] == LEVEL_TOTAL && ends
		            : is_reduced(e, i, -1) && ends && body_stored(e, i))
			need[i] = true;
		for (int k = 0; k < n->operand_count && need[i]; k++) {
			int at = nest_position(nest, n->operands[k]);
			if (at >= 0 && is_reduced(e, at, -1))
				need[at] = true;
		}
	}
}

void body_bind_reduced(Body *e, int phase, const bool *need)
{
	for (int i = 0; i < e->nest.node_count; i++)
		if (is_reduced(e, i, phase) && !(e->nest.nodes[i]->op->flags & OP_REDUCE) &&
		    (!need || need[i]))
			body_bind(e, i, 2);
}

void body_store_reduced(Body *e, int phase)
{
	const LoopNest *nest = &e->nest;
	bool fenced = !e->store_fence;
	for (int i = 0; i < nest->node_count; i++) {
		if (!is_reduced(e, i, phase) || !body_stored(e, i))
			continue;
		if (!fenced && overwrites(e, nest->nodes[i])) {
			code_barrier(e->code, e->store_fence);
			fenced = true;
		}
		body_store(e, i);
	}
}

void body_reduced(Body *e, int phase)
{
	body_bind_reduced(e, phase, NULL);
	body_store_reduced(e, phase);
}

void body_total(Body *e, int phase)
{
	for (int i = 0; i < e->nest.node_count; i++)
		if (body_reduces_in(e, i, phase) && e->nest.shape.level[i] == LEVEL_TOTAL)
			code_add(e->code, "%s", "%s", e->accumulator[i],
			         body_operand(e, e->nest.nodes[i]->operands[0], i));
}

void body_final(Body *e, Level level)
{
	const LoopNest *nest = &e->nest;
	for (int i = 0; i < nest->node_count; i++) {
		if (nest->shape.level[i] != level)
			continue;
		if (nest->nodes[i]->op->flags & OP_REDUCE)
			e->value[i] = e->accumulator[i];
		else
			body_bind(e, i, 2);
	}
	for (int i = 0; i < nest->node_count; i++)
		if (nest->shape.level[i] == level && body_stored(e, i))
			body_store(e, i);
}

void body_combine(Body *e, const Node *n, const char *place, const char *value)
{
	if (n->op->flags & OP_ADDS)
		code_add(e->code, "%s", "%s", place, value);
	else
		code_max(e->code, "%s", "%s", "%s", dtype_c_name(n->type.dtype), place, value);
}

const char *reduction_start(const Node *n)
{
	return (n->op->flags & OP_ADDS) ? "0" : "-INFINITY";
}

static bool accumulates(const Body *e, int i, int phase)
{
	return (e->nest.nodes[i]->op->flags & OP_REDUCE) && is_reduced(e, i, phase);
}

void body_name_accumulators(Body *e)
{
	for (int i = 0; i < e->nest.node_count; i++)
		if (accumulates(e, i, -1))
			e->accumulator[i] = tensors_local(&e->tensors, local_word(e->nest.nodes[i]));
}

void body_declare_accumulators(Body *e, int phase, const char *array)
{
	for (int i = 0; i < e->nest.node_count; i++) {
		const Node *n = e->nest.nodes[i];
		if (!accumulates(e, i, phase))
			continue;
		if (!array)
			code_var(e->code, "%s", "%s", "%s", dtype_c_name(n->type.dtype), e->accumulator[i],
			         reduction_start(n));
		else
			code_array(e->code, "%s", "%s", "%s", dtype_c_name(n->type.dtype), e->accumulator[i],
			           array);
	}
}

void body_clear_accumulators(Body *e, int phase, const char *index)
{
	for (int i = 0; i < e->nest.node_count; i++)
		if (accumulates(e, i, phase))
			code_set(e->code, "%s[%s]", "%s", e->accumulator[i], index,
			         reduction_start(e->nest.nodes[i]));
}

void body_reduce(Body *e, int phase, const char *of, const char *function, const char *arguments)
{
	for (int i = 0; i < e->nest.node_count; i++)
		if (body_reduces_in(e, i, phase))
			code_reduce(e->code, "%s", "%s", "%s(%s%s)", of, e->accumulator[i],
			            text_at(e->arena, function, e->nest.nodes[i]->op->name),
			            e->accumulator[i], arguments);
}

void body_bind_accumulators(Body *e, int phase, const char *index)
{
	for (int i = 0; i < e->nest.node_count; i++)
		if (accumulates(e, i, phase))
			e->value[i] = index ? arena_printf(e->arena, "%s[%s]", e->accumulator[i], index)
			                    : e->accumulator[i];
}
