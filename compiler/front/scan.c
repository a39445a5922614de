/* SPDX-License-Identifier: MIT */
/* Recurrence: states = scan x in rows { h = f(x, h) yield h }.
 *
 * A body stands for each place along an axis of a tensor. What it assigns of the variables around it is carried from
 * one step to the next, what it yields is stacked along that axis, and all else that it makes ends with the step. All
 * steps have the same layers.
 *
 * A step is the same text with other tensors: nothing that is known at compile time may change from step to step, and
 * what is carried keeps its shape. So the body runs once, over arguments in the place of what is carried and of parts
 * of the sequences, and what it has made becomes a loop of the graph (ir/loop.h). It runs again where the first run
 * shows that what is carried does not begin as a step leaves it: then it begins so. */
#include "front/eval.h"

#include "ir/loop.h"
#include "ops/compose.h"

/* What a step yields. */
typedef struct Step {
	const Ast *body, *yield; /* yield: NULL: nothing so far */
	Value value;
} Step;

typedef struct Scan {
	Elab *e;
	const Ast *ast;
	const Ast *const *names; /* of what a step reads along the axis */
	int name_count;
	Node **sequence; /* for each name */
	int64_t axis;    /* of the graph */
	int64_t steps;
	bool reverse;
	ARRAY(const Ast *) carried; /* the assignments, or names in them: one for each variable */
	Node **start, **next;       /* each before the first step, and after a step */
	/* Of each that is a number per sample of those that count (Node.counted): which do before the first step, and
	 * after a step; NULL: all do. It is carried beside it. */
	Node **counted, **counted_next;
	bool *is_fraction; /* of each: steps make it no whole number, so that it never counts as one */
	bool *bound;       /* for each of the frame's first bindings: there before the scan */
	int binding_count;
} Scan;

/* ---- along what */

static const Signature *options_of(Elab *e)
{
	static const char key[] = "statement scan"; /* no callee has a blank in its name */
	const Signature *s = map_get(e->signatures, key);
	if (!s) {
		s = signature_parse(e->arena, "statement", "scan", "axis: int = 0, reverse: bool = false",
		                    false);
		map_set(e->signatures, key, (void *)s);
	}
	return s;
}

static bool add_sequence(Scan *s, int i, Value v, const Bound *along)
{
	Elab *e = s->e;
	Loc loc = s->ast->kids[0]->loc;
	if (v.kind != VALUE_TENSOR) {
		elab_error(e, loc, "operand-type", "`scan` goes along an axis of a tensor, not %s",
		           value_kind_text(e->arena, v));
		diag_help(e->diag, "through a list goes `for name in list { ... }`");
		return false;
	}
	int64_t axes = v.node->type.rank - 1, axis = along->value.integer;
	if (axis < -axes || axis >= axes) {
		elab_error(e, along->given ? along->loc : loc, "axis-range",
		           "`scan` has no axis %lld to go along: a sample is %s here", (long long)axis,
		           sample_shape(e->arena, v.node->type));
		return false;
	}
	int64_t at = axis < 0 ? axis + axes + 1 : axis + 1, steps = v.node->type.dim[at];
	if (i > 0 && (steps != s->steps || at != s->axis)) {
		elab_error(e, loc, "shape-mismatch",
		           "what a scan reads side by side is of one length along the axis: %s and %s",
		           sample_shape(e->arena, s->sequence[0]->type),
		           sample_shape(e->arena, v.node->type));
		return false;
	}
	s->sequence[i] = v.node;
	s->axis = at;
	s->steps = steps;
	return s->sequence[i];
}

/* A name for each of what is read side by side; `_` is none. */
static bool names_differ(Scan *s)
{
	for (int i = 0; i < s->name_count; i++)
		for (int k = 0; k < i; k++) {
			const char *name = s->names[i]->name;
			if (strcmp(name, "_") == 0 || strcmp(name, s->names[k]->name) != 0)
				continue;
			elab_error(s->e, s->names[i]->loc, "destructuring",
			           "`%s` is a name of this scan already", name);
			diag_help(
			        s->e->diag,
			        "each tensor has a name of its own in a step: scan (a, b) in (x, y) { ... }");
			return false;
		}
	return true;
}

static bool read_sequences(Scan *s, const Bound *axis)
{
	Elab *e = s->e;
	Value v = eval(e, s->ast->kids[0]);
	if (value_is_error(v))
		return false;
	s->sequence = NEW_ARRAY(e->arena, Node *, s->name_count);
	if (s->name_count == 1)
		return add_sequence(s, 0, v, axis);
	if (!value_is_sequence(v) || v.count != s->name_count) {
		elab_error(e, s->ast->kids[0]->loc, "destructuring", "there are %d names for %s",
		           s->name_count, value_kind_text(e->arena, v));
		diag_help(e->diag, "tensors that are read side by side: scan (a, b) in (x, y) { ... }");
		return false;
	}
	for (int i = 0; i < v.count; i++)
		if (!add_sequence(s, i, v.items[i], axis))
			return false;
	return true;
}

/* What stands for a part of a sequence, or for what is carried; NULL after a diagnostic. */
static Node *argument_for(Scan *s, int index, Node *begun, Type type, Loc loc, const char *name)
{
	Node *argument = loop_argument(build_here(s->e, loc), index, type);
	if (argument) {
		argument->name = name;
		argument->begun = begun;
	}
	return argument;
}

static bool bind_sequences(Scan *s)
{
	const Loop l = {.axis = s->axis};
	for (int i = 0; i < s->name_count; i++) {
		const Ast *name = s->names[i];
		Node *x = argument_for(s, i, s->sequence[i], loop_part(&l, s->sequence[i]->type),
		                       s->ast->kids[0]->loc, name->name);
		if (!x || !bind_names(s->e, &s->names[i], 1, value_tensor(x), name->loc))
			return false;
	}
	return true;
}

/* ---- what is carried */

static bool is_name_of_step(const Scan *s, const char *name)
{
	for (int i = 0; i < s->name_count; i++)
		if (strcmp(s->names[i]->name, name) == 0)
			return true;
	return false;
}

static void add_carried(Scan *s, const Ast *assigned)
{
	if (is_name_of_step(s, assigned->name) || !scope_find(s->e, assigned->name))
		return;
	for (int i = 0; i < s->carried.count; i++)
		if (strcmp(s->carried.at[i]->name, assigned->name) == 0)
			return;
	array_push(s->e->arena, &s->carried, assigned);
}

static bool is_loop(AstKind kind)
{
	return kind == AST_FOR || kind == AST_REPEAT || kind == AST_SCAN || kind == AST_ASSIGN;
}

/* Calls `found` for each name that the body assigns, in its loops (and scans, which are values) too or at its own
 * levels alone, until it says true: as deep as statements nest. */
static bool walk_assigned(const Ast *body, bool loops, bool (*found)(void *data, const Ast *assigned),
                          void *data)
{
	for (int i = 0; i < body->count; i++) {
		const Ast *kid = body->kids[i];
		const bool assigns = kid->kind == AST_ASSIGN;
		if (assigns && kid->name && found(data, kid))
			return true;
		for (int k = 1; assigns && k < kid->count; k++)
			if (kid->kids[k]->name && found(data, kid->kids[k]))
				return true;
		const bool own = kid->kind == AST_BODY || kid->kind == AST_IF;
		if ((own || (loops && is_loop(kid->kind))) && walk_assigned(kid, loops, found, data))
			return true;
	}
	return false;
}

/* Of the variables around the scan those that its body assigns. */
static bool carry(void *data, const Ast *assigned)
{
	add_carried(data, assigned);
	return false;
}

static bool is_named(void *data, const Ast *assigned)
{
	return strcmp(assigned->name, data) == 0;
}

bool scan_would_carry(const Elab *e, const char *name)
{
	return e->frame->step && walk_assigned(e->frame->step->body, false, is_named, (void *)name);
}

/* What is carried begins as each step leaves it: real, and with the batch where the sequence has it. */
static bool begin_carried(Scan *s, int i, Binding *b)
{
	Build *build = build_here(s->e, s->ast->loc);
	Node *x = as_real(build, b->value.node);
	if (s->sequence[0]->type.dim[0] != 1)
		x = build_batch(build, x);
	if (!x)
		return false;
	s->start[i] = x;
	s->counted[i] = counted_samples(build, x);
	return true;
}

static bool carries_tensors(Scan *s)
{
	Elab *e = s->e;
	s->start = NEW_ARRAY(e->arena, Node *, s->carried.count);
	s->next = NEW_ARRAY(e->arena, Node *, s->carried.count);
	s->counted = NEW_ARRAY(e->arena, Node *, s->carried.count);
	s->counted_next = NEW_ARRAY(e->arena, Node *, s->carried.count);
	s->is_fraction = NEW_ARRAY(e->arena, bool, s->carried.count);
	for (int i = 0; i < s->carried.count; i++) {
		const Ast *a = s->carried.at[i];
		Binding *b = scope_find(e, a->name);
		Value v = b->value;
		if (value_is_error(v) || (v.kind == VALUE_TENSOR && !begin_carried(s, i, b)))
			return false;
		if (v.kind == VALUE_TENSOR)
			continue;
		elab_error(e, a->loc, "scan-carries",
		           "the steps of a scan are alike but for their tensors, and `%s` is %s before it",
		           a->name, value_kind_text(e->arena, v));
		if (value_is_number(v))
			diag_help(e->diag,
			          "what is carried from step to step begins as a tensor: %s = zeros(128)",
			          a->name);
		else if (value_is_sequence(v))
			diag_help(
			        e->diag,
			        "what the steps make is stacked by: states = scan x in rows { ... yield h }");
		return false;
	}
	return true;
}

static bool bind_carried(Scan *s)
{
	for (int i = 0; i < s->carried.count; i++) {
		const char *name = s->carried.at[i]->name;
		Node *start = s->start[i], *x;
		x = argument_for(s, s->name_count + i, s->is_fraction[i] ? NULL : start, start->type,
		                 s->ast->loc, name);
		if (!x)
			return false;
		scope_find(s->e, name)->value = value_tensor(x);
	}
	for (int i = 0, index = s->name_count + s->carried.count; i < s->carried.count; i++) {
		if (!s->counted[i])
			continue;
		Node *x = scope_find(s->e, s->carried.at[i]->name)->value.node;
		x->counted = argument_for(s, index++, NULL, s->counted[i]->type, s->ast->loc, "counted");
		if (!x->counted)
			return false;
	}
	return true;
}

static bool same_sample(Type a, Type b)
{
	if (a.rank != b.rank || a.dtype != b.dtype)
		return false;
	for (int i = 1; i < a.rank; i++)
		if (a.dim[i] != b.dim[i])
			return false;
	return true;
}

static bool keeps_shapes(Scan *s)
{
	Elab *e = s->e;
	for (int i = 0; i < s->carried.count; i++) {
		const Ast *a = s->carried.at[i];
		Binding *b = scope_find(e, a->name);
		Value v = b->value;
		if (value_is_error(v))
			return false;
		s->next[i] = v.kind == VALUE_TENSOR ? v.node : NULL;
		if (s->next[i] && same_sample(s->start[i]->type, v.node->type))
			continue;
		elab_error(e, a->loc, "scan-carries",
		           "`%s` is %s before a step of this scan, and %s after it", a->name,
		           sample_shape(e->arena, s->start[i]->type),
		           v.kind == VALUE_TENSOR ? sample_shape(e->arena, v.node->type)
		                                  : value_kind_text(e->arena, v));
		diag_note(e->diag, s->ast->loc, "what is carried from step to step keeps its shape");
		b->value = value_tensor(s->start[i]); /* what follows has a mistake less */
		return false;
	}
	return true;
}

/* ---- steps */

static void note_bindings(Scan *s)
{
	const Map *bindings = s->e->frame->bindings;
	s->binding_count = map_count(bindings);
	s->bound = NEW_ARRAY(s->e->arena, bool, s->binding_count);
	for (int i = 0; i < s->binding_count; i++)
		s->bound[i] = ((const Binding *)map_value(bindings, i))->bound;
}

/* What a step has made beside what is carried ends with it. */
static void end_bindings(const Scan *s)
{
	const Map *bindings = s->e->frame->bindings;
	for (int i = 0; i < map_count(bindings); i++) {
		Binding *b = map_value(bindings, i);
		b->bound = b->bound && i < s->binding_count && s->bound[i];
	}
}

static bool run_step(Scan *s, Step *step)
{
	Elab *e = s->e;
	Frame *f = e->frame;
	struct Step *around = f->step;
	*step = (Step){.body = s->ast->kids[2]};
	f->step = step;
	bool ok = elab_charge(e, s->ast->loc, 1) && bind_sequences(s) && bind_carried(s) &&
	          run_body(e, step->body);
	f->step = around;
	end_bindings(s);
	return ok && keeps_shapes(s);
}

/* Whether all that is carried begins as a step leaves it; where it does not, it will. The sequence may be the same for
 * all samples, and what is carried get the batch from what the step reads beside it. A count of steps is an index;
 * what begins as 0 alone is none. */
static bool begins_right(Scan *s)
{
	bool right = true;
	for (int i = 0; i < s->carried.count; i++) {
		const Node *start = s->start[i], *next = s->next[i];
		const bool fraction = s->e->counts_steps && !s->is_fraction[i] && is_whole_tensor(start) &&
		                      !is_whole_tensor(next);
		s->counted_next[i] = counted_samples(build_here(s->e, s->ast->loc), next);
		right = right && !fraction && type_equal(start->type, next->type) &&
		        (s->counted[i] || !s->counted_next[i]);
		s->is_fraction[i] = s->is_fraction[i] || fraction;
	}
	return right;
}

/* All samples count. */
static Node *all_counted(Build *b)
{
	return build_broadcast(b, build_constant(b, 1), 1, &b->graph->batch);
}

static bool begin_again(Scan *s)
{
	Build *b = build_here(s->e, s->ast->loc);
	bool ok = true;
	for (int i = 0; i < s->carried.count && ok; i++) {
		if (!type_equal(s->start[i]->type, s->next[i]->type))
			ok = (s->start[i] = build_batch(b, s->start[i]));
		if (s->counted_next[i] && !s->counted[i])
			ok = ok && (s->counted[i] = all_counted(b));
	}
	return ok;
}

/* The nodes of the step are the last ones of the graph; `first` is where they begin. */
static bool run_steps(Scan *s, Step *step, int *first)
{
	Elab *e = s->e;
	Frame *f = e->frame;
	const bool shared = f->shared;
	const int first_row = e->rows.count;
	Map *before = scope_segments(e);
	*first = e->graph->count;
	bool ok = run_step(s, step);
	while (ok && !begins_right(s)) {
		loop_drop(e->graph, *first);
		ok = begin_again(s);
		e->rows.count = first_row;
		f->segments = before;
		before = scope_segments(e);
		f->shared = true;
		*first = e->graph->count;
		ok = ok && run_step(s, step);
	}
	f->shared = shared;
	for (int r = first_row; r < e->rows.count; r++)
		e->rows.at[r].times *= s->steps;
	return ok;
}

/* ---- what is yielded */

/* What a step yields, as real tensors; NULL after a diagnostic. */
static Node **yielded_nodes(Scan *s, const Step *step, int *count)
{
	Elab *e = s->e;
	const bool several = value_is_sequence(step->value);
	Build *b = build_here(e, step->yield->loc);
	*count = several ? step->value.count : 1;
	Node **nodes = NEW_ARRAY(e->arena, Node *, *count);
	for (int i = 0; i < *count; i++) {
		nodes[i] = as_real(b, several ? step->value.items[i].node : step->value.node);
		if (!nodes[i])
			return NULL;
		if (nodes[i]->type.rank < LIMIT_RANK)
			continue;
		elab_error(e, step->yield->loc, "bad-argument",
		           "`yield` takes tensors of at most %d dimensions", LIMIT_RANK - 2);
		return NULL;
	}
	return nodes;
}

/* Result `index` of the loop, at the end of the scan. */
static Value stack_of(Scan *s, const Step *step, Node *loop, int index, const Node *yielded)
{
	Elab *e = s->e;
	const int first = e->graph->count;
	Node *y = loop_result(build_here(e, step->yield->loc), loop, index);
	if (y)
		layer_add(e, scope_join(e, "stack"), step->yield->loc, yielded, y, first);
	return value_tensor(y);
}

static Value stack_all(Scan *s, const Step *step, Node *loop, Node *const *yielded)
{
	Elab *e = s->e;
	Value v = step->value;
	const int carried = loop_of(loop).carried;
	if (!value_is_sequence(v))
		return stack_of(s, step, loop, carried, yielded[0]);
	Value *items = NEW_ARRAY(e->arena, Value, v.count);
	for (int k = 0; k < v.count; k++) {
		items[k] = stack_of(s, step, loop, carried + k, yielded[k]);
		if (value_is_error(items[k]))
			return value_error();
	}
	return value_sequence(VALUE_TUPLE, items, v.count);
}

static bool yields_tensors(Value v)
{
	bool all = v.kind == VALUE_TENSOR || (value_is_sequence(v) && v.count > 0);
	for (int i = 0; value_is_sequence(v) && i < v.count; i++)
		all = all && v.items[i].kind == VALUE_TENSOR;
	return all;
}

bool run_yield(Elab *e, const Ast *s)
{
	Step *step = e->frame->step;
	if (!step) {
		elab_error(e, s->loc, "misplaced-statement", "`yield` belongs to a scan");
		diag_help(e->diag, "a block ends with `return`");
		return false;
	}
	if (step->yield) {
		elab_error(e, s->loc, "duplicate-yield", "this step of the scan has yielded already");
		diag_note(e->diag, step->yield->loc, "it did so here");
		diag_help(e->diag, "several tensors are yielded together: yield (h, c)");
		return false;
	}
	Value v = eval(e, s->kids[0]);
	if (value_is_error(v))
		return false;
	if (!yields_tensors(v)) {
		elab_error(e, s->kids[0]->loc, "argument-type",
		           "`yield` gives a tensor, or several: (h, c), not %s",
		           value_kind_text(e->arena, v));
		return false;
	}
	step->yield = s;
	step->value = v;
	return true;
}

/* ---- the whole */

enum { AXIS, REVERSE };

/* NULL after a diagnostic. */
static const Bound *read_options(Elab *e, const Ast *ast)
{
	const Signature *options = options_of(e);
	Bound *bound = NEW_ARRAY(e->arena, Bound, options->count);
	Arguments args = {0};
	bool ok = eval_arguments(e, ast->kids[1], options, &args) &&
	          bind_arguments(e, options, ast->kids[1]->loc, args.at, args.count, bound);
	return ok ? bound : NULL;
}

/* The variables of the header end with the scan; what had their names before is back then. */
static void restore(Scan *s, const Binding *saved)
{
	for (int i = s->name_count - 1; i >= 0; i--) {
		Binding *b = map_get(s->e->frame->bindings, s->names[i]->name);
		if (b)
			*b = saved[i];
	}
}

/* A loop of more periods than a graph may have nodes is refused here, whatever computes it. */
static bool steps_fit(Scan *s, int first)
{
	Elab *e = s->e;
	const int64_t most = LIMIT_SCANNED_NODES, nodes = e->graph->count - first;
	if (s->steps <= most)
		return true;
	elab_error(e, s->ast->loc, "too-many-nodes",
	           "the %lld steps of this scan, of %lld operations each, are more than %lld",
	           (long long)s->steps, (long long)nodes, (long long)most);
	e->stop = true;
	return false;
}

/* What is carried is, after the scan, what the last step left. */
static bool bind_results(Scan *s, Node *loop)
{
	Build *b = build_here(s->e, s->ast->loc);
	bool whole = true;
	for (int i = 0; i < s->carried.count; i++)
		whole = whole && (!is_whole_tensor(s->start[i]) || is_whole_tensor(s->next[i]));
	for (int i = 0; i < s->carried.count; i++) {
		Node *x = loop_result(b, loop, i);
		if (!x)
			return false;
		x->name = s->next[i]->name;
		x->begun = whole ? s->start[i] : NULL;
		scope_find(s->e, s->carried.at[i]->name)->value = value_tensor(x);
	}
	for (int i = 0, index = s->carried.count; i < s->carried.count; i++) {
		if (!s->counted[i])
			continue;
		Node *counted = loop_result(b, loop, index++);
		scope_find(s->e, s->carried.at[i]->name)->value.node->counted = counted;
		if (!counted)
			return false;
	}
	return true;
}

/* What is carried, and what is carried beside it. */
static bool add_carried_parts(Scan *s, LoopParts *parts)
{
	const int most = 2 * s->carried.count;
	Arena *a = s->e->arena;
	Build *b = build_here(s->e, s->ast->loc);
	Node **start = NEW_ARRAY(a, Node *, most), **next = NEW_ARRAY(a, Node *, most);
	const char **names = NEW_ARRAY(a, const char *, most);
	int count = s->carried.count;
	for (int i = 0; i < s->carried.count; i++) {
		start[i] = s->start[i];
		next[i] = s->next[i];
		names[i] = s->carried.at[i]->name;
		if (!s->counted[i])
			continue;
		start[count] = s->counted[i];
		next[count] = s->counted_next[i] ? s->counted_next[i] : all_counted(b);
		names[count] = arena_printf(a, "%s counted", names[i]);
		if (!next[count++])
			return false;
	}
	parts->carried = count;
	parts->start = start;
	parts->next = next;
	parts->names = names;
	return true;
}

static Node *make_loop(Scan *s, const Step *step, int first, Node ***yielded)
{
	Elab *e = s->e;
	int yields = 0;
	if (step->yield && !(*yielded = yielded_nodes(s, step, &yields)))
		return NULL;
	LoopParts parts = {.count = s->steps,
	                   .axis = s->axis,
	                   .reverse = s->reverse,
	                   .sequences = s->name_count,
	                   .sequence = s->sequence,
	                   .yields = yields,
	                   .yielded = *yielded};
	if (!add_carried_parts(s, &parts) || !steps_fit(s, first))
		return NULL;
	Node *loop = loop_cut(build_here(e, s->ast->loc), first, &parts);
	return loop && bind_results(s, loop) ? loop : NULL;
}

/* The loop, with its step and what that yields; NULL after a diagnostic. */
static Node *scan(Scan *s, Step *step, Node ***yielded)
{
	Elab *e = s->e;
	const Bound *options = read_options(e, s->ast);
	if (!options || !names_differ(s) || !read_sequences(s, &options[AXIS]))
		return NULL;
	s->reverse = options[REVERSE].value.truth;
	walk_assigned(s->ast->kids[2], true, carry, s);
	if (!carries_tensors(s))
		return NULL;
	Binding *saved = NEW_ARRAY(e->arena, Binding, s->name_count);
	for (int i = 0; i < s->name_count; i++) {
		const Binding *b = scope_find(e, s->names[i]->name);
		if (b)
			saved[i] = *b;
	}
	note_bindings(s);
	int first;
	bool ok = run_steps(s, step, &first);
	restore(s, saved);
	return ok ? make_loop(s, step, first, yielded) : NULL;
}

static Scan scan_of(Elab *e, const Ast *ast)
{
	return (Scan){
	        .e = e, .ast = ast, .names = (const Ast *const *)ast->kids + 3, .name_count = ast->count - 3};
}

Value run_scan(Elab *e, const Ast *ast)
{
	Scan s = scan_of(e, ast);
	Step step;
	Node **yielded = NULL, *loop = scan(&s, &step, &yielded);
	if (!loop)
		return value_error();
	if (step.yield)
		return stack_all(&s, &step, loop, yielded);
	elab_error(e, ast->loc, "missing-yield", "this scan has no value: its steps yield nothing");
	diag_help(e->diag, "`yield h` at the end of the body stacks what is `h` after each step");
	return value_error();
}

bool run_scan_alone(Elab *e, const Ast *ast)
{
	Scan s = scan_of(e, ast);
	Step step;
	Node **yielded = NULL, *loop = scan(&s, &step, &yielded);
	if (loop && step.yield && e->collecting) {
		diag_warning(e->diag, step.yield->loc, "unused-value", "nothing keeps what this scan yields");
		diag_help(e->diag, "write states = scan ..., or leave the `yield` out");
	}
	return loop;
}
