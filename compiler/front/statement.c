/* SPDX-License-Identifier: MIT */
/* Statements, and the instantiation of blocks. A body runs top to bottom, once per execution; loops and `if` share the
 * variables of the body they stand in. */
#include "front/eval.h"

#include "ops/compose.h"

enum { BLOCK_STEPS = 40 }; /* charged for each instantiation: what its frame costs in memory */

static bool run_statement(Elab *e, const Ast *s);

bool run_body(Elab *e, const Ast *body)
{
	if (!elab_enter(e, body->loc))
		return false;
	bool ok = true;
	for (int i = 0; i < body->count && !e->stop && !e->frame->returned; i++) {
		const Ast *s = body->kids[i];
		ok = elab_charge(e, s->loc, 1) && run_statement(e, s) && ok;
	}
	elab_leave(e);
	return ok && !e->stop;
}

/* ---- assignment */

static void name_node(Value v, const char *name)
{
	if (v.kind == VALUE_TENSOR && !v.node->name)
		v.node->name = name;
}

bool bind_names(Elab *e, const Ast *const *names, int count, Value v, Loc value_loc)
{
	if (value_is_error(v) || count == 1) {
		for (int i = 0; i < count; i++)
			scope_bind(e, names[i]->name, v, names[i]->loc);
		name_node(v, names[0]->name);
		return !value_is_error(v);
	}
	if (!value_is_sequence(v) || v.count != count) {
		elab_error(e, value_loc, "destructuring", "there are %d names for %s", count,
		           value_kind_text(e->arena, v));
		for (int i = 0; i < count; i++)
			scope_bind(e, names[i]->name, value_error(), names[i]->loc);
		return false;
	}
	for (int i = 0; i < count; i++) {
		scope_bind(e, names[i]->name, v.items[i], names[i]->loc);
		name_node(v.items[i], names[i]->name);
	}
	return true;
}

static bool run_assign(Elab *e, const Ast *s)
{
	Value v = eval(e, s->kids[0]);
	if (!s->name)
		return bind_names(e, (const Ast *const *)s->kids + 1, s->count - 1, v, s->kids[0]->loc);
	scope_bind(e, s->name, v, s->name_loc);
	name_node(v, s->name);
	return !value_is_error(v);
}

/* ---- control */

static bool run_if(Elab *e, const Ast *s)
{
	for (;;) {
		bool condition;
		if (!eval_condition(e, s->kids[0], "the condition of `if`", &condition))
			return false;
		if (condition)
			return run_body(e, s->kids[1]);
		if (s->count < 3)
			return true;
		s = s->kids[2];
		if (s->kind == AST_BODY)
			return run_body(e, s);
	}
}

/* Loop variables end with the loop; what had their names before is back then. */
static bool run_for(Elab *e, const Ast *s)
{
	Value list = eval(e, s->kids[0]);
	if (value_is_error(list))
		return false;
	if (!value_is_sequence(list)) {
		elab_error(e, s->kids[0]->loc, "operand-type", "`for` goes through a list or a tuple, not %s",
		           value_kind_text(e->arena, list));
		if (list.kind == VALUE_INT)
			diag_help(e->diag, "write range(%lld)", (long long)list.integer);
		if (list.kind == VALUE_TENSOR)
			diag_help(e->diag, "along the first axis of a tensor goes: states = scan x in rows { "
			                   "... yield y }");
		return false;
	}
	const Ast *const *names = (const Ast *const *)s->kids + 2;
	int count = s->count - 2;
	Binding *saved = NEW_ARRAY(e->arena, Binding, count);
	for (int i = 0; i < count; i++) {
		Binding *b = scope_find(e, names[i]->name);
		if (b)
			saved[i] = *b;
	}
	bool ok = true;
	for (int i = 0; i < list.count && ok && !e->frame->returned; i++) {
		ok = elab_charge(e, s->loc, 1) &&
		     bind_names(e, names, count, list.items[i], s->kids[0]->loc) && run_body(e, s->kids[1]);
	}
	for (int i = count - 1; i >= 0; i--) {
		Binding *b = map_get(e->frame->bindings, names[i]->name);
		if (b)
			*b = saved[i];
	}
	return ok;
}

static bool run_repeat(Elab *e, const Ast *s)
{
	int64_t count;
	if (!eval_int(e, s->kids[0], "the count of `repeat`", 0, &count))
		return false;
	bool ok = true;
	for (int64_t i = 0; i < count && ok && !e->frame->returned; i++)
		ok = elab_charge(e, s->loc, 1) && run_body(e, s->kids[1]);
	return ok;
}

static bool run_assert(Elab *e, const Ast *s)
{
	bool holds;
	if (!eval_condition(e, s->kids[0], "the condition of `assert`", &holds))
		return false;
	if (holds)
		return true;
	Value message = s->count > 1 ? eval(e, s->kids[1]) : value_error();
	if (s->count > 1 && message.kind != VALUE_STRING) {
		if (!value_is_error(message))
			elab_error(e, s->kids[1]->loc, "argument-type",
			           "the message of `assert` is a text, not %s",
			           value_kind_text(e->arena, message));
		return false;
	}
	if (message.kind == VALUE_STRING)
		elab_error(e, s->kids[0]->loc, "assertion-failed", "%s", printable(e->arena, message.text));
	else
		elab_error(e, s->kids[0]->loc, "assertion-failed", "this does not hold");
	const Ast *c = s->kids[0];
	if (c->kind == AST_BINARY && strcmp(c->name, "and") != 0 && strcmp(c->name, "or") != 0 && !e->stop) {
		/* Both sides evaluated without a mistake a moment ago, and have no effect. */
		Value left = eval(e, c->kids[0]), right = eval(e, c->kids[1]);
		diag_note(e->diag, c->loc, "the left side is %s, the right side is %s",
		          value_text(e->arena, left), value_text(e->arena, right));
	}
	e->stop = true; /* what stands after it relies on it */
	return false;
}

/* ---- what only a model has */

static bool in_model(Elab *e, const Ast *s, const char *what)
{
	bool block = e->frame->block->kind != AST_MODEL;
	if (!block && !e->frame->step)
		return true;
	elab_error(e, s->loc, "misplaced-statement", "`%s` belongs to a model, this is a %s", what,
	           block ? "block" : "step of a scan");
	return false;
}

/* What stands in a second pair of brackets: the shape of a class target. NULL: there is none. */
static const Ast *shape_behind(const Ast *type)
{
	const Ast *last = type->count > 0 ? type->kids[type->count - 1] : NULL;
	return last && last->kind == AST_TYPE ? last : NULL;
}

static bool sample_dims(Elab *e, const Ast *type, int64_t *dim, int *rank)
{
	if (shape_behind(type)) {
		elab_error(e, shape_behind(type)->loc, "input-type",
		           "`%s` has its shape in one pair of brackets; the second is for class[n][shape]",
		           type->name);
		return false;
	}
	dim[0] = e->graph->batch;
	*rank = type->count + 1;
	if (type->count + 1 > LIMIT_RANK) {
		elab_error(e, type->loc, "rank-limit", "a sample has at most %d dimensions", LIMIT_RANK - 1);
		return false;
	}
	bool ok = true;
	for (int i = 0; i < type->count; i++) {
		if (eval_int(e, type->kids[i], "a dimension", 1, &dim[i + 1]))
			continue;
		ok = false;
		if (type->kids[i]->kind == AST_UNARY) /* [-1, 28, 28] */
			diag_help(e->diag, "a shape is that of one sample, without the batch");
	}
	return ok;
}

/* class[n]: one class index per sample; class[n][shape]: one for each place. */
static bool class_type(Elab *e, const Ast *s, const Ast *type, int64_t *classes, int64_t *dim, int *rank)
{
	const Ast *shape = shape_behind(type);
	if (s->kind == AST_INPUT) {
		elab_error(e, type->loc, "input-type",
		           "class[n] is for targets; an input of indices is i32[...]");
		diag_help(e->diag,
		          "write `input %s: i32[%s]`: `embedding` and `one_hot` say how many classes there "
		          "are, and "
		          "the trainer refuses other indices",
		          s->name, shape ? "..." : "");
		return false;
	}
	if (type->count != 1 + (shape != NULL) || type->kids[0] == shape) {
		elab_error(e, type->loc, "input-type",
		           "a class target has the number of classes in brackets");
		diag_help(e->diag, "write class[10], or class[10][28, 28] for one at each place");
		return false;
	}
	if (!eval_int(e, type->kids[0], "the number of classes", 2, classes))
		return false;
	if (*classes > INT32_MAX) {
		elab_error(e, type->kids[0]->loc, "int-range", "the number of classes does not fit 32 bits");
		return false;
	}
	return !shape || sample_dims(e, shape, dim, rank);
}

static bool declared_type(Elab *e, const Ast *s, Type *t, int64_t *classes)
{
	static const char *const names[] = {"u8", "i32", "f32", "class"};
	const Ast *type = s->kids[0];
	int64_t dim[LIMIT_RANK] = {e->graph->batch};
	int rank = 1;
	*classes = 0;
	DType dtype = DTYPE_I32;
	if (strcmp(type->name, "class") == 0) {
		if (!class_type(e, s, type, classes, dim, &rank))
			return false;
	} else if (dtype_from_name(type->name, &dtype) &&
	           (dtype == DTYPE_U8 || dtype == DTYPE_I32 || dtype == DTYPE_F32)) {
		if (!sample_dims(e, type, dim, &rank))
			return false;
	} else {
		elab_error(e, type->name_loc.source ? type->name_loc : type->loc, "input-type",
		           "data is u8, i32 or f32, or class[n] for a target; `%s` is none of these",
		           type->name);
		if (!elab_habit(e, HABIT_TYPE, type->name, names, 4))
			elab_suggest(e, type->name, names, 4);
		return false;
	}
	if (type_make(dtype, rank, dim, t))
		return true;
	elab_error(e, type->loc, "tensor-limit",
	           "a batch of %lld of these is larger than the limit of 2^48 bytes",
	           (long long)e->graph->batch);
	return false;
}

static int count_leaves(const Graph *g, const char *op)
{
	int count = 0;
	for (int i = 0; i < g->count; i++)
		count += node_is(g->nodes[i], op);
	return count;
}

/* Whether the recipe's images, and so the targets, are mixtures of two samples. */
static bool mixes(const Elab *e)
{
	return e->graph->training && e->recipe && augment_mixes(&e->recipe->augment);
}

static bool run_input(Elab *e, const Ast *s)
{
	const char *role = s->kind == AST_INPUT ? "input" : "target";
	if (!in_model(e, s, role))
		return false;
	if (count_leaves(e->graph, "input") == LIMIT_INPUTS) {
		elab_error(e, s->loc, "input-limit", "a model has at most %d inputs and targets",
		           LIMIT_INPUTS);
		return false;
	}
	if (s->kind == AST_INPUT && mixes(e) && graph_find_output(e->graph, OUTPUT_LOSS, NULL)) {
		elab_error(e, s->loc, "augment-mixture",
		           "what `mixup` and `cutmix` mix is declared above the loss, and `%s` is below it",
		           s->name);
		scope_bind(e, s->name, value_error(), s->name_loc);
		return false;
	}
	char *key = arena_printf(e->arena, "input %s", s->name);
	const Ast *first = map_get(e->params, key);
	if (first) {
		elab_error(e, s->name_loc, "duplicate-name", "there is an input or target `%s` already",
		           s->name);
		diag_note(e->diag, first->name_loc, "the first one is here");
		return false;
	}
	map_set(e->params, key, (Ast *)s);
	Type t;
	int64_t classes;
	if (!declared_type(e, s, &t, &classes)) {
		scope_bind(e, s->name, value_error(), s->name_loc);
		return false;
	}
	Attr attrs[] = {attr_text("name", s->name), attr_text("role", role), attr_int("classes", classes)};
	Node *n = graph_leaf(e->graph, "input", t, attrs, 3, sites_one(e->arena, site_here(e, s->loc)));
	scope_bind(e, s->name, value_tensor(n), s->name_loc);
	return n;
}

static char *unique_output_name(Elab *e, const char *wanted)
{
	char *name = arena_strdup(e->arena, wanted);
	for (int i = 2; map_get(e->params, arena_printf(e->arena, "output %s", name)); i++)
		name = arena_printf(e->arena, "%s_%d", wanted, i);
	map_set(e->params, arena_printf(e->arena, "output %s", name), e);
	return name;
}

static const char *output_name(const Ast *s, const char *otherwise)
{
	const Ast *x = s->kids[0];
	if (x->kind == AST_ARROW)
		x = x->kids[1];
	if (s->name)
		return s->name;
	return x->kind == AST_NAME || x->kind == AST_CALL ? x->name : otherwise;
}

/* A metric over all samples is no tensor that anything else is computed of. */
static bool measures_alone(Elab *e, const Ast *s, const Node *n)
{
	const Measure *of = s->kind == AST_METRIC ? NULL : n->measure;
	bool *read = NEW_ARRAY(e->arena, bool, n->id + 1);
	read[n->id] = true;
	for (int i = n->id; i >= 0 && !of; i--) {
		const Node *x = e->graph->nodes[i];
		for (int k = 0; k < x->operand_count && read[i] && !of; k++) {
			of = x->operands[k]->measure;
			read[x->operands[k]->id] = true;
		}
	}
	if (!of)
		return true;
	elab_error(e, s->kids[0]->loc, "measure-alone",
	           "`%s` is computed of all samples at the end of an evaluation: it stands alone behind "
	           "`metric`",
	           of->function);
	if (s->kind == AST_LOSS)
		diag_help(
		        e->diag,
		        "a loss is one value per sample: mse(x, y), l1(x, y), cross_entropy(logits, label)");
	return false;
}

static bool tensor_wanted(Elab *e, const Ast *s, const char *what, Node **out)
{
	Value v = eval(e, s->kids[0]);
	*out = v.kind == VALUE_TENSOR ? v.node : NULL;
	if (*out || value_is_error(v))
		return *out && measures_alone(e, s, *out);
	elab_error(e, s->kids[0]->loc, "output-type", "a%s %s is a tensor, not %s", what[0] == 'o' ? "n" : "",
	           what, value_kind_text(e->arena, v));
	return false;
}

/* One value per sample: f32[batch]. Dimensions of 1 after the batch are dropped. */
static Node *per_sample(Elab *e, const Ast *s, const char *what, Node *n)
{
	Type t = n->type;
	if (t.rank >= 1 && type_elements(t) == t.dim[0]) {
		Build *b = build_here(e, s->kids[0]->loc);
		n = build_batch(b, as_real(b, n));
		t = n ? n->type : t;
		return t.rank == 1 || !n ? n : build_reshape(b, n, 1, t.dim);
	}
	elab_error(e, s->kids[0]->loc, "output-shape", "a %s is one value per sample, this has shape %s",
	           what, sample_shape(e->arena, t));
	if (n->sites.count)
		diag_note(e->diag, n->sites.at[0]->loc, "it is made here");
	diag_help(e->diag,
	          "the mean over the batch is taken by `%s`; mean(x) and sum(x) reduce the rest of a sample",
	          what);
	return NULL;
}

static bool run_loss(Elab *e, const Ast *s)
{
	Node *n;
	if (!in_model(e, s, "loss") || !tensor_wanted(e, s, "loss", &n) || !(n = per_sample(e, s, "loss", n)))
		return false;
	if (graph_find_output(e->graph, OUTPUT_LOSS, NULL)) {
		elab_error(e, s->loc, "duplicate-loss", "this model has a loss already");
		diag_note(e->diag, e->loss, "the first one is here");
		diag_help(e->diag, "losses are added with +");
		return false;
	}
	e->loss = s->loc;
	if (mixes(e) && !(n = mixture_loss(e, build_here(e, s->kids[0]->loc), n)))
		return false;
	graph_output(e->graph, OUTPUT_LOSS, "loss", n);
	return true;
}

Node *counted_samples(Build *b, const Node *n)
{
	Node *counted = NULL;
	bool *read = NEW_ARRAY(b->graph->arena, bool, n->id + 1);
	read[n->id] = true;
	for (int i = n->id; i >= 0; i--) {
		const Node *x = b->graph->nodes[i];
		const bool by_sample = (x->op->flags & (OP_POINTWISE | OP_ALIAS | OP_CONVERTS)) &&
		                       x->type.rank > 0 && type_elements(x->type) == x->type.dim[0];
		if (read[i] && x->counted)
			counted = counted ? build2(b, "mul", counted, x->counted) : x->counted;
		for (int k = 0; k < x->operand_count && read[i] && !x->counted && by_sample; k++)
			read[x->operands[k]->id] = true;
	}
	return counted;
}

static bool run_metric(Elab *e, const Ast *s)
{
	Node *n;
	if (!in_model(e, s, "metric") || !tensor_wanted(e, s, "metric", &n))
		return false;
	const Measure *measure = n->measure;
	if (!measure && !(n = per_sample(e, s, "metric", n)))
		return false;
	static const char *const taken[] = {"epoch", "step", "loss", "rate", "seconds", "samples_per_second"};
	const char *name = output_name(s, "metric");
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) /* the other keys of a line of the log */
		if (strcmp(name, taken[i]) == 0)
			name = arena_printf(e->arena, "%s_metric", taken[i]);
	Build *b = build_here(e, s->loc);
	Node *counted = measure ? NULL : counted_samples(b, n);
	int metrics = counted ? 2 : 1;
	for (int i = 0; i < e->graph->output_count; i++)
		metrics += e->graph->outputs[i].kind == OUTPUT_METRIC ||
		           e->graph->outputs[i].kind == OUTPUT_COUNT ||
		           e->graph->outputs[i].kind == OUTPUT_MEASURED;
	if (metrics > LIMIT_METRICS) {
		elab_error(e, s->loc, "metric-limit",
		           "a model has at most %d metrics, and one with `ignore` is two of them",
		           LIMIT_METRICS);
		return false;
	}
	name = unique_output_name(e, name);
	if (measure) {
		if (!e->graph->training)
			graph_output(e->graph, OUTPUT_MEASURED, name, n);
		return true;
	}
	graph_output(e->graph, OUTPUT_METRIC, name,
	             counted == n->counted ? n : build3(b, "select", counted, n, build_constant(b, 0)));
	if (counted)
		graph_output(e->graph, OUTPUT_COUNT, name, counted);
	return true;
}

static bool run_output(Elab *e, const Ast *s)
{
	Node *n;
	if (!in_model(e, s, "output") || !tensor_wanted(e, s, "output", &n))
		return false;
	n = build_batch(build_here(e, s->kids[0]->loc), n);
	if (!n)
		return false;
	graph_output(e->graph, OUTPUT_VALUE, unique_output_name(e, output_name(s, "output")), n);
	return true;
}

/* ---- blocks */

static bool run_return(Elab *e, const Ast *s)
{
	if (e->frame->step) {
		elab_error(e, s->loc, "misplaced-statement",
		           "`return` ends a block, and this is a step of a scan");
		diag_help(e->diag,
		          "`yield` gives what a step makes: states = scan x in rows { ... yield h }");
		return false;
	}
	if (e->frame->block->kind == AST_MODEL) {
		elab_error(e, s->loc, "misplaced-statement", "`return` belongs to a block, this is a model");
		return false;
	}
	e->frame->result = eval(e, s->kids[0]);
	e->frame->returned = true;
	return !value_is_error(e->frame->result);
}

/* Refuses a block that would contain itself, naming the way round. */
static bool may_instantiate(Elab *e, const Ast *block, Loc loc)
{
	int depth = 0;
	for (const Frame *f = e->frame; f && f->block; f = f->caller, depth++) {
		if (f->block != block)
			continue;
		const char *cycle = block->name;
		for (const Frame *g = e->frame; g != f; g = g->caller)
			cycle = arena_printf(e->arena, "%s -> %s", g->block->name, cycle);
		elab_error(e, loc, "recursive-block", "block `%s` would contain itself: %s -> %s",
		           block->name, block->name, cycle);
		return false;
	}
	if (depth <= LIMIT_NESTING) /* with the model, which is around them */
		return elab_charge(e, loc, BLOCK_STEPS);
	elab_error(e, loc, "nesting-limit", "blocks are nested more than %d deep here", LIMIT_NESTING);
	e->stop = true;
	return false;
}

static void report_missing_return(Elab *e, const Ast *block)
{
	const Ast *body = block->kids[1], *last = body->count > 0 ? body->kids[body->count - 1] : NULL;
	elab_error(e, block->name_loc, "missing-return", "block `%s` ends without `return`", block->name);
	if (last && last->kind == AST_ASSIGN && last->name)
		diag_help(e->diag, "what it gives back is its last statement: return %s", last->name);
	else
		diag_help(e->diag, "its last statement says what it gives back: return y");
}

/* Arguments, then defaults from left to right: a default can use the parameters before it. */
static bool bind_parameters(Elab *e, const Signature *s, const Bound *bound)
{
	bool ok = true;
	for (int i = 0; i < s->count; i++) {
		e->hint = &s->params[i];
		Value v = bound[i].given ? bound[i].value : eval(e, s->params[i].default_ast);
		e->hint = NULL;
		scope_bind(e, s->params[i].name, v, loc_none());
		ok = ok && !value_is_error(v);
	}
	return ok;
}

Value instantiate_block(Elab *e, const Ast *block, Loc loc, const Arguments *args, const LayerName *name)
{
	const Signature *s = signature_of_block(e, block);
	Bound *bound = NEW_ARRAY(e->arena, Bound, s->count);
	if (!bind_arguments(e, s, loc, args->at, args->count, bound) || !may_instantiate(e, block, loc))
		return value_error();
	/* name = "": what is in the block is called as if it stood here. */
	const bool open =
	        name->loc.source && !name->shared && name->value.kind == VALUE_STRING && !*name->value.text;
	const char *scope = open               ? e->frame->scope
	                    : name->loc.source ? scope_named_segment(e, name, block)
	                                       : scope_segment(e, block->name, loc);
	if (!scope)
		return value_error();
	const Site *site = site_here(e, loc);
	const Parameter *hint = e->hint;
	e->hint = NULL;
	Frame f;
	frame_push(e, &f, block, scope, site);
	if (open)
		f.segments = f.caller->segments;
	f.shared = name->shared || f.caller->shared;
	f.fixed = name->fixed || f.caller->fixed;
	bool ok = bind_parameters(e, s, bound) && run_body(e, block->kids[1]);
	if (ok && !f.returned)
		report_missing_return(e, block);
	if (open)
		f.caller->segments = f.segments;
	frame_pop(e);
	e->hint = hint;
	return ok && f.returned ? f.result : value_error();
}

/* ---- the table of statements */

static const struct {
	AstKind kind;
	bool (*run)(Elab *e, const Ast *s);
} statements[] = {
        {AST_ASSIGN, run_assign},   {AST_IF, run_if},         {AST_FOR, run_for},
        {AST_REPEAT, run_repeat},   {AST_ASSERT, run_assert}, {AST_INPUT, run_input},
        {AST_TARGET, run_input},    {AST_LOSS, run_loss},     {AST_METRIC, run_metric},
        {AST_OUTPUT, run_output},   {AST_RETURN, run_return}, {AST_LEARNED, run_learned},
        {AST_SCAN, run_scan_alone}, {AST_YIELD, run_yield},
};

static bool run_statement(Elab *e, const Ast *s)
{
	for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
		if (statements[i].kind == s->kind)
			return statements[i].run(e, s);
	}
	bug("a %s where a statement belongs", ast_kind_name(s->kind));
}
