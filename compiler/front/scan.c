/* Recurrence: states = scan x in rows { h = f(x, h) yield h }.
 *
 * A body runs once for each place along an axis of a tensor. What it assigns of the variables around it is carried from
 * one step to the next, what it yields is stacked along that axis, and all else that it makes ends with the step. All
 * steps have the same layers: each step but the first finds the parameters there by their names.
 *
 * A step is the same text with other tensors, so that the steps' graphs are alike: nothing that is known at compile
 * time may change from step to step, and what is carried keeps its shape. The graph has them one after the other; so
 * gradients and passes need to know nothing of it. */
#include "front/eval.h"

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
	ARRAY(const Ast *) carried; /* the assignments, or names in them: one for each variable */
	Node **start;               /* each before the first step */
	bool *bound;                /* for each of the frame's first bindings: there before the scan */
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

/* What the i-th name is in step t; NULL after a diagnostic. */
static Node *slice_at(Scan *s, int i, int64_t t)
{
	Build *b = build_here(s->e, s->ast->kids[0]->loc);
	Node *from = s->sequence[i];
	Node *x = build_slice(b, from, s->axis, t, 1);
	int64_t dim[LIMIT_RANK];
	for (int k = 0, to = 0; k < from->type.rank; k++)
		if (k != s->axis)
			dim[to++] = from->type.dim[k];
	return x ? build_reshape(b, x, from->type.rank - 1, dim) : NULL;
}

static bool bind_step(Scan *s, int64_t t)
{
	for (int i = 0; i < s->name_count; i++) {
		Node *x = slice_at(s, i, t);
		if (!x || !bind_names(s->e, &s->names[i], 1, value_tensor(x), s->names[i]->loc))
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

/* What is carried begins as each step leaves it: real, and with the batch where the sequence has it. So the first step
 * is like the others. */
static bool begin_carried(Scan *s, int i, Binding *b)
{
	Build *build = build_here(s->e, s->ast->loc);
	Node *x = as_real(build, b->value.node);
	if (s->sequence[0]->type.dim[0] != 1)
		x = build_batch(build, x);
	if (!x)
		return false;
	b->value = value_tensor(x);
	s->start[i] = x;
	return true;
}

static bool carries_tensors(Scan *s)
{
	Elab *e = s->e;
	s->start = NEW_ARRAY(e->arena, Node *, s->carried.count);
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
		if (v.kind == VALUE_TENSOR && same_sample(s->start[i]->type, v.node->type))
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

static bool run_step(Scan *s, int64_t t, Step *step)
{
	Elab *e = s->e;
	Frame *f = e->frame;
	struct Step *around = f->step;
	f->step = step;
	step->body = s->ast->kids[2];
	bool ok = elab_charge(e, s->ast->loc, 1) && bind_step(s, t) && run_body(e, step->body);
	f->step = around;
	end_bindings(s);
	return ok && keeps_shapes(s);
}

/* All steps, of which the first makes the parameters and takes the names. */
static bool run_steps(Scan *s, bool reverse, Step *steps)
{
	Elab *e = s->e;
	Frame *f = e->frame;
	bool shared = f->shared, repeating = e->repeating;
	Map *before = scope_segments(e), *after = NULL;
	int first_row = e->rows.count;
	bool ok = true;
	const int before_steps = e->graph->count;
	int made = 0; /* nodes, by a step */
	for (int64_t i = 0; i < s->steps && ok; i++) {
		int64_t t = reverse ? s->steps - 1 - i : i;
		if (i > 0)
			graph_repeats(e->graph, made);
		ok = run_step(s, t, &steps[t]);
		if (i == 0) {
			made = e->graph->count - before_steps;
			after = f->segments;
			for (int r = first_row; r < e->rows.count; r++)
				e->rows.at[r].times *= s->steps;
		}
		f->segments = before;
		before = scope_segments(e);
		f->shared = e->repeating = true;
	}
	f->segments = after;
	f->shared = shared;
	e->repeating = repeating;
	return ok;
}

/* ---- what is yielded */

/* Element k of what each step yields, along the axis of the scan. */
static Value stack_of(Scan *s, const Step *steps, int k)
{
	Elab *e = s->e;
	Loc loc = steps[0].yield->loc;
	Value *items = NEW_ARRAY(e->arena, Value, s->steps);
	for (int64_t t = 0; t < s->steps; t++)
		items[t] = value_is_sequence(steps[t].value) ? steps[t].value.items[k] : steps[t].value;
	int64_t rank = items[0].node->type.rank, axis = s->axis <= rank ? s->axis - 1 : rank - 1;
	Arguments args = {0};
	Argument tensors = {.loc = loc, .value = value_sequence(VALUE_LIST, items, (int)s->steps)};
	Argument along = {.name = "axis", .loc = loc, .name_loc = loc, .value = value_int(axis)};
	array_push(e->arena, &args, tensors);
	array_push(e->arena, &args, along);
	return call_operator(e, op_find("stack"), loc, &args, &(LayerName){.value = value_error()});
}

static Value stack_all(Scan *s, const Step *steps)
{
	Elab *e = s->e;
	Value v = steps[0].value;
	if (!value_is_sequence(v))
		return stack_of(s, steps, 0);
	Value *items = NEW_ARRAY(e->arena, Value, v.count);
	for (int k = 0; k < v.count; k++) {
		items[k] = stack_of(s, steps, k);
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

/* The steps that ran, with what they yielded; NULL after a diagnostic. */
static Step *scan(Scan *s)
{
	Elab *e = s->e;
	const Bound *options = read_options(e, s->ast);
	if (!options || !names_differ(s) || !read_sequences(s, &options[AXIS]))
		return NULL;
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
	Step *steps = NEW_ARRAY(e->arena, Step, s->steps);
	bool ok = run_steps(s, options[REVERSE].value.truth, steps);
	restore(s, saved);
	return ok ? steps : NULL;
}

static Scan scan_of(Elab *e, const Ast *ast)
{
	return (Scan){
	        .e = e, .ast = ast, .names = (const Ast *const *)ast->kids + 3, .name_count = ast->count - 3};
}

Value run_scan(Elab *e, const Ast *ast)
{
	Scan s = scan_of(e, ast);
	const Step *steps = scan(&s);
	if (!steps)
		return value_error();
	if (steps[0].yield)
		return stack_all(&s, steps);
	elab_error(e, ast->loc, "missing-yield", "this scan has no value: its steps yield nothing");
	diag_help(e->diag, "`yield h` at the end of the body stacks what is `h` after each step");
	return value_error();
}

bool run_scan_alone(Elab *e, const Ast *ast)
{
	Scan s = scan_of(e, ast);
	const Step *steps = scan(&s);
	if (steps && steps[0].yield && e->collecting && !e->repeating) {
		diag_warning(e->diag, steps[0].yield->loc, "unused-value",
		             "nothing keeps what this scan yields");
		diag_help(e->diag, "write states = scan ..., or leave the `yield` out");
	}
	return steps;
}
