/* SPDX-License-Identifier: MIT */
/* Expressions. Chains like x -> f -> g, a + b + c, x.shape[0] nest to the left as deep as they are long, so the left
 * spine is walked with a loop and an explicit stack; recursion is left for what is nested in the text. */
#include "front/eval.h"
#include "base/nearest.h"
#include "front/library.h"

#include <ctype.h>

static Value eval_head(Elab *e, const Ast *x);
static Value eval_step(Elab *e, const Ast *x, Value left);
static Value eval_call(Elab *e, const Ast *call, const Argument *first);

static bool nests_left(const Ast *x)
{
	return x->kind == AST_BINARY || x->kind == AST_ARROW || x->kind == AST_MEMBER || x->kind == AST_INDEX;
}

Value eval(Elab *e, const Ast *x)
{
	if (!elab_enter(e, x->loc))
		return value_error();
	int base = e->spine.count;
	while (nests_left(x)) {
		array_push(e->arena, &e->spine, x);
		x = x->kids[0];
	}
	Value v = elab_charge(e, x->loc, 1) ? eval_head(e, x) : value_error();
	while (e->spine.count > base) {
		const Ast *step = e->spine.at[--e->spine.count];
		v = elab_charge(e, step->loc, 1) ? eval_step(e, step, v) : value_error();
	}
	elab_leave(e);
	return v;
}

/* ---- names */

static bool is_word(Elab *e, const char *name)
{
	for (int i = 0; e->hint && i < e->hint->word_count; i++) /* of what is no operator too */
		if (strcmp(e->hint->words[i], name) == 0)
			return true;
	if (!e->words) {
		e->words = map_new(e->arena);
		for (int i = 0; i < op_count(); i++) {
			const Op *op = op_at(i);
			const Signature *s = op->call ? signature_of_op(e, op) : NULL;
			for (int k = 0; s && k < s->count; k++) {
				for (int w = 0; w < s->params[k].word_count; w++)
					map_set(e->words, s->params[k].words[w], e);
			}
		}
	}
	return map_get(e->words, name);
}

static const char *callable_kind(Elab *e, const char *name)
{
	const Op *op = op_find(name);
	if (e->declared && map_get(e->declared->blocks, name))
		return "block";
	if (op && op->call)
		return "operator";
	return builtin_find(name) ? "function" : NULL;
}

static void unknown_name(Elab *e, const Ast *x)
{
	elab_error(e, x->loc, "unknown-name", "`%s` is not defined here", x->name);
	const char *kind = callable_kind(e, x->name);
	if (kind && kind[0] == 'f') {
		diag_help(e->diag, "`%s` is a function: %s", x->name, builtin_usage(builtin_find(x->name)));
		return;
	}
	if (kind) {
		diag_help(e->diag, "`%s` is %s %s; call it: x -> %s, or %s(x)", x->name,
		          kind[0] == 'o' ? "an" : "a", kind, x->name, x->name);
		return;
	}
	if (scan_would_carry(e, x->name)) {
		diag_help(e->diag,
		          "the first step needs it, too: give it a first value ahead of the scan, %s = "
		          "zeros(128)",
		          x->name);
		return;
	}
	ARRAY(const char *) known = {0};
	for (int i = 0; i < map_count(e->frame->bindings); i++) {
		const Binding *b = map_value(e->frame->bindings, i);
		if (b->bound)
			array_push(e->arena, &known, map_key(e->frame->bindings, i));
	}
	for (int i = 0; e->hint && i < e->hint->word_count; i++)
		array_push(e->arena, &known, e->hint->words[i]);
	if (elab_habit(e, HABIT_NAME, x->name, known.at, known.count))
		return;
	if (habit_is_comment(x->loc) && !nearest_word(x->name, known.at, known.count)) {
		diag_help(e->diag, "a comment begins with `#`");
		return;
	}
	if (e->hint && e->hint->word_count > 0 && !nearest_word(x->name, known.at, known.count))
		diag_help(e->diag, "`%s` takes %s", e->hint->name, expected_text(e->arena, e->hint));
	else
		elab_suggest(e, x->name, known.at, known.count);
}

static Value eval_name(Elab *e, const Ast *x)
{
	Binding *b = scope_find(e, x->name);
	if (b) {
		if (b->usage)
			b->usage->used = true;
		return b->value;
	}
	/* The model is run twice, and blocks of both know for what. */
	if (strcmp(x->name, "training") == 0 && e->graph)
		return value_bool(e->graph->training);
	/* Where an operator's parameter takes no words at all, `size` is a forgotten variable and not a word. */
	bool words_wanted = !e->hint || !e->hint->type || e->hint->word_count > 0;
	if (words_wanted && is_word(e, x->name) && (!callable_kind(e, x->name) || e->hint))
		return value_word(x->name);
	/* A block's argument can be what the block calls: act = relu. */
	const char *kind = e->hint && !e->hint->type ? callable_kind(e, x->name) : NULL;
	if (kind && *kind != 'f')
		return value_word(x->name);
	unknown_name(e, x);
	return value_error();
}

/* ---- what stands by itself */

static Value eval_literal(Elab *e, const Ast *x, Value v)
{
	if (!x->name)
		return v;
	if (!e->units_allowed) {
		elab_error(e, x->loc, "unexpected-unit",
		           "a number with the unit `%s` has a meaning in recipes only", x->name);
		return value_error();
	}
	v.unit = x->name;
	return v;
}

static Value eval_sequence(Elab *e, const Ast *x)
{
	if (x->count > LIMIT_LIST)
		return elab_error(e, x->loc, "list-limit", "this list has more than %d elements", LIMIT_LIST);
	Value *items = NEW_ARRAY(e->arena, Value, x->count);
	bool ok = true;
	for (int i = 0; i < x->count; i++) {
		items[i] = eval(e, x->kids[i]);
		ok = ok && !value_is_error(items[i]);
	}
	if (!ok)
		return value_error();
	Value v = value_sequence(x->kind == AST_TUPLE ? VALUE_TUPLE : VALUE_LIST, items, x->count);
	if (v.depth > LIMIT_NESTING)
		return elab_error(e, x->loc, "nesting-limit",
		                  "lists and tuples are nested more than %d deep here", LIMIT_NESTING);
	return v;
}

static Value eval_choice(Elab *e, const Ast *x)
{
	bool condition;
	if (!eval_condition(e, x->kids[0], "the condition of `if`", &condition))
		return value_error();
	return eval(e, x->kids[condition ? 1 : 2]);
}

static Value eval_head(Elab *e, const Ast *x)
{
	const Parameter *hint = e->hint;
	if (x->kind != AST_NAME && x->kind != AST_CHOICE)
		e->hint =
		        NULL; /* the words of a parameter are for the argument itself, not for parts of it */
	Value v = value_error();
	switch (x->kind) {
	case AST_INT:
		v = eval_literal(e, x, value_int(x->integer));
		break;
	case AST_REAL:
		v = eval_literal(e, x, value_real(x->real));
		break;
	case AST_BOOL:
		v = value_bool(x->integer);
		break;
	case AST_STRING:
		v = value_string(x->text);
		break;
	case AST_NAME:
		v = eval_name(e, x);
		break;
	case AST_TUPLE:
	case AST_LIST:
		v = eval_sequence(e, x);
		break;
	case AST_CALL:
		v = eval_call(e, x, NULL);
		break;
	case AST_SCAN:
		v = run_scan(e, x);
		break;
	case AST_UNARY:
		v = arith_unary(e, x->loc, x->name, eval(e, x->kids[0]));
		break;
	case AST_CHOICE:
		v = eval_choice(e, x);
		break;
	default:
		bug("a %s where an expression belongs", ast_kind_name(x->kind));
	}
	e->hint = hint;
	return v;
}

/* ---- what follows a left operand */

static Value eval_logic(Elab *e, const Ast *x, Value left)
{
	bool right;
	if (value_is_error(left))
		return left;
	if (left.kind != VALUE_BOOL) {
		elab_error(e, x->kids[0]->loc, "operand-type", "`%s` takes bools, not %s", x->name,
		           value_kind_text(e->arena, left));
		if (left.kind == VALUE_TENSOR)
			diag_help(e->diag,
			          "comparisons of tensors are 1 or 0: `a and b` is written a*b, `a or b` "
			          "1 - (1 - a)*(1 - b)");
		return value_error();
	}
	if (left.truth == (x->name[0] == 'o'))
		return left;
	if (!eval_condition(e, x->kids[1], x->name[0] == 'o' ? "what follows `or`" : "what follows `and`",
	                    &right))
		return value_error();
	return value_bool(right);
}

/* The tree has no parentheses: the text has one before what stands in them. */
static bool is_open_chain(const Ast *x)
{
	if (x->kind != AST_ARROW || !x->loc.source)
		return false;
	int at = x->loc.start;
	while (at > 0 && isspace((unsigned char)x->loc.source->text[at - 1]))
		at--;
	return at == 0 || x->loc.source->text[at - 1] != '(';
}

/* A mistake of shapes in h + g -> flatten is often one of precedence. */
/* y + x -> relu: most who write it mean the sum, which is what stands on one line with it. */
static void warn_of_sum(Elab *e, const Ast *x)
{
	static const char *const activations[] = {"relu",      "leaky_relu", "elu",     "gelu",
	                                          "gelu_tanh", "silu",       "sigmoid", "tanh"};
	const Ast *right = x->kids[1];
	if (!e->collecting || x->name[0] != '+' || !is_open_chain(right) ||
	    right->kids[0]->kind != AST_NAME || right->kids[1]->count > 0)
		return;
	for (size_t i = 0; i < sizeof activations / sizeof *activations; i++) {
		if (strcmp(right->kids[1]->name, activations[i]) != 0)
			continue;
		const char *act = activations[i], *name = right->kids[0]->name;
		diag_warning(e->diag, right->loc, "arrow-in-sum", "`%s` takes `%s` alone here, not the sum",
		             act, name);
		diag_help(e->diag, "write (a + %s) -> %s for the sum, or a + %s(%s)", name, act, act, name);
		return;
	}
}

static Value eval_binary(Elab *e, const Ast *x, Value left)
{
	Value right = eval(e, x->kids[1]);
	int errors = diag_error_count(e->diag);
	Value v = arith_binary(e, x->loc, x->name, left, right);
	if (left.kind == VALUE_TENSOR && v.kind == VALUE_TENSOR)
		warn_of_sum(e, x);
	bool arithmetic = strchr("+-*/", x->name[0]) && strcmp(x->name, "//") != 0;
	if (!arithmetic || left.kind != VALUE_TENSOR || right.kind != VALUE_TENSOR ||
	    diag_error_count(e->diag) == errors || !is_open_chain(x->kids[1]))
		return v;
	const Ast *first = x->kids[1];
	while (first->kids[0]->kind == AST_ARROW)
		first = first->kids[0];
	diag_help(e->diag, "an arrow binds tighter than arithmetic: (a %s b) -> %s", x->name,
	          first->kids[1]->name);
	return v;
}

static Value eval_step(Elab *e, const Ast *x, Value left)
{
	const Parameter *hint = e->hint;
	Value v;
	e->hint = NULL;
	switch (x->kind) {
	case AST_MEMBER:
		v = value_member(e, x, left);
		break;
	case AST_INDEX:
		v = value_index(e, x, left, eval(e, x->kids[1]));
		break;
	case AST_ARROW: {
		Argument first = {.loc = x->kids[0]->loc, .value = left, .by_arrow = true};
		v = eval_call(e, x->kids[1], &first);
		break;
	}
	default:
		if (strcmp(x->name, "and") == 0 || strcmp(x->name, "or") == 0)
			v = eval_logic(e, x, left);
		else
			v = eval_binary(e, x, left);
		break;
	}
	e->hint = hint;
	return v;
}

/* ---- calls */

static const Parameter *parameter_of(const Signature *s, const Ast *arg, int position)
{
	int i = arg->name ? signature_find(s, arg->name) : position;
	return i >= 0 && i < s->count ? &s->params[i] : NULL;
}

/* What every call takes: take_name. */
static bool names_call(const char *argument)
{
	return strcmp(argument, "name") == 0 || strcmp(argument, "shared") == 0 ||
	       strcmp(argument, "learns") == 0;
}

static bool may_be_given(const Signature *s, const char *name)
{
	return signature_find(s, name) >= 0 || names_call(name);
}

bool eval_arguments(Elab *e, const Ast *call, const Signature *signature, Arguments *out)
{
	const Parameter *hint = e->hint;
	bool ok = true;
	for (int i = 0; i < call->count; i++) {
		const Ast *arg = call->kids[i];
		/* First that there is no such argument: its value may be a word that means nothing here either. */
		if (signature && arg->name && !may_be_given(signature, arg->name)) {
			report_unknown_argument(e, signature, arg->name, arg->name_loc);
			ok = false;
			continue;
		}
		e->hint = signature ? parameter_of(signature, arg, out->count) : NULL;
		Argument a = {.name = arg->name, .loc = arg->kids[0]->loc, .name_loc = arg->name_loc};
		a.value = eval(e, arg->kids[0]);
		ok = ok && !value_is_error(a.value);
		array_push(e->arena, out, a);
	}
	e->hint = hint;
	return ok;
}

/* What is nearest of the blocks that come with nnc; NULL. */
static const char *near_library_block(Elab *e, const char *name)
{
	ARRAY(const char *) blocks = {0};
	for (LibraryBlock b = {0}; library_block_next(&b);)
		array_push(e->arena, &blocks, arena_strndup(e->arena, b.call, (size_t)b.name_length));
	return nearest_word(name, blocks.at, blocks.count);
}

static void unknown_callee(Elab *e, const Ast *call)
{
	ARRAY(const char *) known = {0};
	const char *near;
	LibraryBlock block;
	for (int i = 0; e->declared && i < map_count(e->declared->blocks); i++)
		array_push(e->arena, &known, map_key(e->declared->blocks, i));
	for (int i = 0; i < op_count(); i++) {
		if (op_at(i)->call)
			array_push(e->arena, &known, op_at(i)->name);
	}
	for (int i = 0; i < builtin_count(); i++)
		array_push(e->arena, &known, builtin_name(i));
	/* It may be of a file that can't be used, unless there is a name like it. */
	if (e->declared && e->declared->is_lost && !scope_find(e, call->name) &&
	    !nearest_word(call->name, known.at, known.count))
		return;
	elab_error(e, call->name_loc, "unknown-callee", "there is no block, operator or function `%s`",
	           call->name);
	if (scope_find(e, call->name))
		diag_help(e->diag, "`%s` is a variable", call->name);
	else if (elab_habit(e, HABIT_CALL, call->name, known.at, known.count))
		return;
	else if (nearest_word(call->name, known.at, known.count))
		elab_suggest(e, call->name, known.at, known.count);
	else if (library_block_find(call->name, &block))
		diag_help(e->diag, "it is a block that comes with nnc: use %s", block.file->name);
	else if ((near = near_library_block(e, call->name)) && library_block_find(near, &block))
		diag_help(e->diag, "did you mean `%s`? It is a block that comes with nnc: use %s", near,
		          block.file->name);
	else
		diag_help(e->diag, "`nnc --print=operators` lists the operators");
}

static bool has_tensor(const Arguments *args)
{
	for (int i = 0; i < args->count; i++) {
		Value v = args->at[i].value;
		if (v.kind == VALUE_TENSOR)
			return true;
		for (int k = 0; value_is_sequence(v) && k < v.count; k++) {
			if (v.items[k].kind == VALUE_TENSOR)
				return true;
		}
	}
	return false;
}

static bool take_learns(Elab *e, const Argument *a, bool *seen, LayerName *name)
{
	if (*seen)
		elab_error(e, a->name_loc, "duplicate-argument", "argument `learns` is given twice");
	else if (a->value.kind != VALUE_BOOL)
		elab_error(e, a->loc, "argument-type", "`learns` is true or false, not %s",
		           value_kind_text(e->arena, a->value));
	bool ok = !*seen && a->value.kind == VALUE_BOOL;
	*seen = true;
	name->fixed = ok && !a->value.truth;
	return ok;
}

/* Every call takes `name = "text"`, which fixes its part of the parameters' names, or `shared = "text"`; and `learns`:
 * taken out here. */
static bool take_name(Elab *e, const Signature *s, Arguments *args, LayerName *name)
{
	*name = (LayerName){value_error(), loc_none(), false, false};
	int kept = 0;
	bool learns = false;
	for (int i = 0; i < args->count; i++) {
		Argument a = args->at[i];
		if (!a.name || !names_call(a.name) || (s && signature_find(s, a.name) >= 0)) {
			args->at[kept++] = a;
			continue;
		}
		if (strcmp(a.name, "learns") == 0) {
			if (!take_learns(e, &a, &learns, name))
				return false;
			continue;
		}
		bool shared = strcmp(a.name, "shared") == 0;
		if (name->loc.source) {
			elab_error(e, a.name_loc, "duplicate-argument",
			           shared == name->shared
			                   ? "argument `%s` is given twice"
			                   : "argument `%s`: a call has a `name`, or is `shared`",
			           a.name);
			return false;
		}
		*name = (LayerName){a.value, a.loc, shared, name->fixed};
	}
	args->count = kept;
	return true;
}

/* A call can't be made for a mistake in an argument, or ahead of its arrow; the others are looked at all the same. Not
 * where the first ones are tensors: which those are depends on all. */
static void check_other_arguments(Elab *e, const Ast *call, const Signature *s, const Arguments *args)
{
	for (int i = 0; i < s->count; i++)
		if (s->params[i].accepts & ACCEPT_TENSORS)
			return;
	place_and_check(e, s, call->loc, args->at, args->count, NEW_ARRAY(e->arena, Bound, s->count));
}

/* What a call calls: its name or, where that is a variable's alone, the block or operator that the variable is. */
static const char *callee_of(Elab *e, const Ast *call)
{
	const Binding *b = callable_kind(e, call->name) ? NULL : scope_find(e, call->name);
	return b && b->value.kind == VALUE_WORD && callable_kind(e, b->value.text) ? b->value.text
	                                                                           : call->name;
}

/* `first` is what stands left of an arrow. */
static Value eval_call(Elab *e, const Ast *call, const Argument *first)
{
	const char *callee = callee_of(e, call);
	const Ast *block = e->declared ? map_get(e->declared->blocks, callee) : NULL;
	const Op *op = block ? NULL : op_find(callee);
	if (op && !op->call)
		op = NULL;
	const Builtin *builtin = block ? NULL : builtin_find(callee);
	const Signature *signature = block ? signature_of_block(e, block)
	                             : op  ? signature_of_op(e, op)
	                                   : NULL;
	Arguments args = {0};
	LayerName name;
	if (first)
		array_push(e->arena, &args, *first);
	bool ok = eval_arguments(e, call, signature, &args) && !(first && value_is_error(first->value));
	if (!block && !op && !builtin) {
		unknown_callee(e, call);
		return value_error();
	}
	if (!ok && signature && !builtin && !e->stop && take_name(e, signature, &args, &name))
		check_other_arguments(e, call, signature, &args);
	if (!ok || e->stop)
		return value_error();
	if (builtin && (!op || !has_tensor(&args)))
		return builtin_call(e, builtin, call->loc, &args);
	if (!e->graph)
		return elab_error(e, call->loc, "no-graph", "tensors have no place in this expression");
	if (!take_name(e, signature, &args, &name))
		return value_error();
	if (block)
		return instantiate_block(e, block, call->loc, &args, &name);
	return call_operator(e, op, call->loc, &args, &name);
}

/* ---- expressions of which a certain kind is wanted */

bool eval_condition(Elab *e, const Ast *x, const char *what, bool *out)
{
	Value v = eval(e, x);
	if (v.kind == VALUE_BOOL) {
		*out = v.truth;
		return true;
	}
	if (value_is_error(v))
		return false;
	elab_error(e, x->loc, "condition-type", "%s must be true or false, not %s", what,
	           value_kind_text(e->arena, v));
	if (v.kind == VALUE_TENSOR)
		diag_help(e->diag,
		          "the network's shape is decided at compile time, before tensors have values");
	return false;
}

bool eval_int(Elab *e, const Ast *x, const char *what, int64_t least, int64_t *out)
{
	Value v = eval(e, x);
	if (v.kind == VALUE_INT && !v.unit && v.integer >= least) {
		*out = v.integer;
		return true;
	}
	if (value_is_error(v))
		return false;
	elab_error(e, x->loc, v.kind == VALUE_INT ? "int-range" : "int-expected",
	           "%s must be an int of at least %lld, not %s", what, (long long)least,
	           value_text(e->arena, v));
	if (v.kind == VALUE_REAL)
		diag_help(e->diag, "`//` divides ints, and floor(x) and round(x) make an int of a number");
	return false;
}
