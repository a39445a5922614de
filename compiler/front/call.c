/* SPDX-License-Identifier: MIT */
/* Calls of operators: the Call API of ir/op.h over bound arguments, and what is made without a `build` function. */
#include "front/freeze.h"
#include "front/group.h"
#include "front/eval.h"
#include "ops/compose.h"

#include <math.h>
#include <stdarg.h>

struct Call {
	Elab *e;
	const Op *op;
	const Signature *signature;
	Bound *bound;
	Build *build;
	Loc loc;
	const LayerName *name;
	const char *path; /* of the parameters; NULL before the first is made */
	bool failed;
};

/* ---- reading arguments */

static Bound *bound_of(Call *c, const char *name)
{
	int i = signature_find(c->signature, name);
	if (i < 0)
		bug("operator `%s` asks for an argument `%s` that its signature has not", c->op->name, name);
	return &c->bound[i];
}

static Value argument(Call *c, const char *name, ValueKind kind)
{
	Value v = bound_of(c, name)->value;
	if (v.kind != kind)
		bug("operator `%s` asks for another type of argument `%s` than its signature names",
		    c->op->name, name);
	return v;
}

Build *call_build(Call *c)
{
	return c->build;
}

const char *call_op_name(Call *c)
{
	return c->op->name;
}

/* Whether all elements are whole numbers: integers, and what sums, differences, products and choices make of them. In
 * f32 they are exact up to 2^24, more rows than a table has. */
static bool is_whole(const Node *n, int *walked)
{
	static const char *const ops[] = {"add", "sub",     "mul",     "neg",    "abs", "square",
	                                  "sum", "maximum", "minimum", "select", "max", "relu",
	                                  "gt",  "ge",      "lt",      "le",     "eq",  "ne"};
	enum { WALKED = 64 };
	bool whole = n->op->move || (n->op->flags & OP_RESHAPES);
	if (!dtype_is_real(n->type.dtype) || ++*walked > WALKED)
		return *walked <= WALKED;
	if (n->begun)
		return is_whole(n->begun, walked);
	if (node_is_constant(n))
		return node_real(n, "value") == floor(node_real(n, "value"));
	if (node_is(n, "ramp"))
		return node_real(n, "first") == floor(node_real(n, "first")) &&
		       node_real(n, "by") == floor(node_real(n, "by"));
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		whole = whole || node_is(n, ops[i]);
	if (!whole && !(n->op->flags & OP_CONVERTS))
		return false;
	for (int i = node_is(n, "select"); i < n->operand_count; i++)
		if (!is_whole(n->operands[i], walked))
			return false;
	return n->operand_count > 0;
}

bool is_whole_tensor(const Node *n)
{
	int walked = 0;
	return is_whole(n, &walked);
}

Node *call_tensor(Call *c, const char *name)
{
	Bound *b = bound_of(c, name);
	unsigned accepts = c->signature->params[b - c->bound].accepts;
	if (value_is_number(b->value))
		b->value = value_tensor(build_constant(c->build, value_to_real(b->value)));
	if (b->value.kind != VALUE_TENSOR)
		return NULL;
	if (!(accepts & (ACCEPT_INDICES | ACCEPT_ELEMENTS)))
		b->value = value_tensor(as_real(c->build, b->value.node));
	if ((accepts & ACCEPT_INDICES) && !(accepts & ACCEPT_TENSOR) &&
	    dtype_is_real(b->value.node->type.dtype) && is_whole_tensor(b->value.node)) {
		c->e->counts_steps = true;
		b->value = value_tensor(build_cast(c->build, b->value.node, DTYPE_I32));
	}
	return b->value.kind == VALUE_TENSOR ? b->value.node : NULL;
}

Node *const *call_tensors(Call *c, const char *name, int *count)
{
	Value v = bound_of(c, name)->value;
	*count = v.kind == VALUE_TENSOR ? 1 : v.count;
	Node **nodes = NEW_ARRAY(c->e->arena, Node *, *count);
	for (int i = 0; i < *count; i++) {
		Value x = v.kind == VALUE_TENSOR ? v : v.items[i];
		nodes[i] = value_is_number(x) ? build_constant(c->build, value_to_real(x))
		                              : as_real(c->build, x.node);
	}
	return nodes;
}

Node *call_pointwise(Call *c, const char *op, int count, Node *const *x)
{
	Node **operands = arena_copy(c->e->arena, x, (size_t)count * sizeof *x);
	return build_pointwise(c->e, c->build, op_find(op), c->loc, count, operands, 0, NULL, c->signature);
}

int64_t call_int(Call *c, const char *name)
{
	return argument(c, name, VALUE_INT).integer;
}

double call_real(Call *c, const char *name)
{
	Value v = bound_of(c, name)->value;
	return value_is_number(v) ? value_to_real(v) : argument(c, name, VALUE_REAL).real;
}

bool call_bool(Call *c, const char *name)
{
	return argument(c, name, VALUE_BOOL).truth;
}

bool call_in_scan(const Call *c)
{
	const Frame *f = c->e->frame;
	while (f && !f->step)
		f = f->caller;
	return f;
}

int64_t call_ranks(Call *c)
{
	return c->e->recipe && c->e->recipe->ranks > 1 ? c->e->recipe->ranks : 1;
}

void call_pair(Call *c, const char *name, int64_t out[2])
{
	Value v = bound_of(c, name)->value;
	if (v.kind == VALUE_INT) {
		out[0] = out[1] = v.integer;
		return;
	}
	if (!value_is_sequence(v) || v.count != 2)
		bug("operator `%s` asks for a pair `%s` that is none", c->op->name, name);
	out[0] = v.items[0].integer;
	out[1] = v.items[1].integer;
}

const int64_t *call_ints(Call *c, const char *name, int *count)
{
	Value v = bound_of(c, name)->value;
	*count = v.kind == VALUE_INT ? 1 : v.count;
	int64_t *ints = NEW_ARRAY(c->e->arena, int64_t, *count);
	for (int i = 0; i < *count; i++)
		ints[i] = v.kind == VALUE_INT ? v.integer : v.items[i].integer;
	return ints;
}

const char *call_word(Call *c, const char *name)
{
	Value v = bound_of(c, name)->value;
	return v.kind == VALUE_WORD || v.kind == VALUE_STRING ? v.text : NULL;
}

bool call_given(Call *c, const char *name)
{
	return bound_of(c, name)->given;
}

bool call_in_order(Call *c, const char *name)
{
	const Bound *b = bound_of(c, name);
	return b->given && !b->by_name;
}

Node *call_error(Call *c, const char *name, const char *id, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *message = arena_vprintf(c->e->arena, format, args);
	va_end(args);
	Loc loc = c->loc;
	if (name && bound_of(c, name)->given && bound_of(c, name)->loc.source)
		loc = bound_of(c, name)->loc;
	elab_error(c->e, loc, id, "%s", message);
	c->failed = true;
	return NULL;
}

/* ---- parameters and states */

/* The path is taken when the first parameter is made, so that calls without any take no number. */
static const char *call_path(Call *c)
{
	if (!c->path && c->name->loc.source)
		c->path = scope_named_segment(c->e, c->name, c->op);
	else if (!c->path)
		c->path = scope_segment(c->e, c->op->name, c->loc);
	return c->path;
}

enum { LEAF_ATTRS = 16 };

Node *named_leaf(Elab *e, const char *op, const char *name, Type t, const Attr *attrs, int attr_count,
                 Loc loc, bool shared)
{
	Node *first = map_get(e->params, name);
	if (!first) {
		Attr all[LEAF_ATTRS + 2];
		require(attr_count <= LEAF_ATTRS);
		memcpy(all, attrs, (size_t)attr_count * sizeof *attrs);
		if (strcmp(op, "param") == 0 && elab_freezes(e, name))
			all[attr_count++] = attr_int("frozen", 1);
		int group = strcmp(op, "param") == 0 ? elab_group(e, name) : 0;
		if (group > 0)
			all[attr_count++] = attr_int("group", group);
		first = graph_leaf(e->graph, op, t, all, attr_count, sites_one(e->arena, site_here(e, loc)));
		map_set(e->params, name, first);
		return first;
	}
	if (shared && node_is(first, op) && shape_equal(first->type, t))
		return first;
	if (!shared || !node_is(first, op)) {
		elab_error(e, loc, "duplicate-name", "there is a parameter or state \"%s\" already", name);
		return NULL;
	}
	elab_error(e, loc, "shape-mismatch", "the shared \"%s\" is %s here, and it was made as %s", name,
	           shape_text(e->arena, t), shape_text(e->arena, first->type));
	diag_note(e->diag, first->sites.at[0]->loc, "it is made here");
	return NULL;
}

Node *param_as_read(Build *b, Node *param, bool fixed)
{
	return fixed && !node_is_frozen(param) ? build1(b, "stop_gradient", param) : param;
}

static Node *make_leaf(Call *c, const char *op, const char *role, int rank, const int64_t *dim, Attr *attrs,
                       int attr_count)
{
	Elab *e = c->e;
	Type t;
	if (c->failed || !call_path(c))
		return NULL;
	if (!type_make(DTYPE_F32, rank, dim, &t))
		return call_error(c, NULL, "tensor-limit",
		                  "the %s of this `%s` is larger than the limit of 2^48 bytes", role,
		                  c->op->name);
	char *name = arena_printf(e->arena, "%s.%s", c->path, role);
	attrs[attr_count++] = attr_text("name", name);
	Node *leaf =
	        named_leaf(e, op, name, t, attrs, attr_count, c->loc, c->name->shared || e->frame->shared);
	c->failed = c->failed || !leaf;
	return leaf;
}

static const char *const init_names[] = {"constant",   "uniform",  "normal", "truncated_normal",
                                         "orthogonal", "identity", "whiten"};

const char *init_name(InitKind kind)
{
	return init_names[kind];
}

Node *call_param_with(Call *c, const char *role, int rank, const int64_t *dim, InitKind init, double a,
                      bool decay, int more_count, const Attr *more)
{
	enum { OWN = 3, NAME = 1 };
	Attr *attrs = NEW_ARRAY(c->e->arena, Attr, OWN + more_count + NAME);
	attrs[0] = attr_text("init", init_names[init]);
	attrs[1] = attr_real("a", a);
	attrs[2] = attr_int("decay", decay);
	for (int i = 0; i < more_count; i++)
		attrs[OWN + i] = more[i];
	Node *leaf = make_leaf(c, "param", role, rank, dim, attrs, OWN + more_count);
	return leaf ? param_as_read(c->build, leaf, c->name->fixed || c->e->frame->fixed) : NULL;
}

Node *call_param(Call *c, const char *role, int rank, const int64_t *dim, InitKind init, double a, bool decay)
{
	return call_param_with(c, role, rank, dim, init, a, decay, 0, NULL);
}

Node *call_state(Call *c, const char *role, int rank, const int64_t *dim, double value)
{
	Attr attrs[2] = {attr_real("value", value)};
	return make_leaf(c, "state", role, rank, dim, attrs, 1);
}

/* a = factor / sqrt(what `fan` names); fan NONE: a = factor. */
typedef enum { FAN_NONE, FAN_IN, FAN_SUM } Fan;

static const struct {
	const char *word;
	InitKind kind;
	double square; /* of the factor */
	Fan fan;
} inits[] = {
        {"default", INIT_UNIFORM, 1, FAN_IN}, /* PyTorch's: kaiming_uniform with a = sqrt(5) */
        {"kaiming", INIT_UNIFORM, 6, FAN_IN}, /* variance 2/fan_in */
        {"kaiming_normal", INIT_NORMAL, 2, FAN_IN},
        {"xavier", INIT_UNIFORM, 6, FAN_SUM}, /* variance 2/(fan_in + fan_out) */
        {"xavier_normal", INIT_NORMAL, 2, FAN_SUM},
        {"normal", INIT_NORMAL, 0.0004, FAN_NONE}, /* deviation 0.02 */
        {"zeros", INIT_CONSTANT, 0, FAN_NONE},
        {"ones", INIT_CONSTANT, 1, FAN_NONE},
        {"orthogonal", INIT_ORTHOGONAL, 1, FAN_NONE},
        {"identity", INIT_IDENTITY, 1, FAN_IN},
        {"whiten", INIT_WHITEN, 1, FAN_IN},
};

/* normal(0.02): the word is a kind's, and the number its scale. */
static bool init_of_call(Value v, InitKind *kind, double *a)
{
	for (int i = INIT_CONSTANT; v.kind == VALUE_INIT && i <= INIT_ORTHOGONAL; i++) {
		if (strcmp(init_names[i], v.items[0].text) != 0)
			continue;
		*kind = (InitKind)i;
		*a = v.items[1].real;
		return true;
	}
	return false;
}

static bool init_of_word(const char *word, double fan_in, double fan_out, InitKind *kind, double *a)
{
	for (size_t i = 0; i < sizeof inits / sizeof *inits; i++) {
		if (strcmp(inits[i].word, word) != 0)
			continue;
		double fan = inits[i].fan == FAN_IN ? fan_in : inits[i].fan == FAN_SUM ? fan_in + fan_out : 1;
		*kind = inits[i].kind;
		*a = sqrt(inits[i].square / fan);
		return true;
	}
	return false;
}

bool init_of_value(Value v, double fan_in, double fan_out, InitKind *kind, double *a)
{
	return init_of_call(v, kind, a) ||
	       (v.kind == VALUE_WORD && init_of_word(v.text, fan_in, fan_out, kind, a));
}

void call_init(Call *c, const char *name, double fan_in, double fan_out, InitKind *kind, double *a)
{
	if (!init_of_value(bound_of(c, name)->value, fan_in, fan_out, kind, a))
		bug("operator `%s` has an unknown initialiser as `%s`", c->op->name, name);
}

/* ---- the call */

static Attr attr_of(Call *c, const Parameter *p, Value v)
{
	int count;
	switch (v.kind) {
	case VALUE_INT:
		if (p->accepts & (ACCEPT_PAIR | ACCEPT_INTS))
			break;
		return attr_int(p->name, v.integer);
	case VALUE_REAL:
		return attr_real(p->name, v.real);
	case VALUE_BOOL:
		return attr_int(p->name, v.truth);
	case VALUE_STRING:
	case VALUE_WORD:
		return attr_text(p->name, v.text);
	default:
		break;
	}
	if (p->accepts & ACCEPT_PAIR) {
		int64_t *pair = NEW_ARRAY(c->e->arena, int64_t, 2);
		call_pair(c, p->name, pair);
		return attr_ints(p->name, pair, 2);
	}
	const int64_t *ints = call_ints(c, p->name, &count);
	return attr_ints(p->name, ints, count);
}

/* Without a `build` function: tensors in order are the operands, the other arguments attributes. */
static Node *build_plainly(Call *c)
{
	ARRAY(Node *) operands = {0};
	ARRAY(Attr) attrs = {0};
	Arena *a = c->e->arena;
	for (int i = 0; i < c->signature->count; i++) {
		const Parameter *p = &c->signature->params[i];
		if (p->accepts & ACCEPT_TENSORS) {
			int count;
			Node *const *nodes = call_tensors(c, p->name, &count);
			for (int k = 0; k < count; k++)
				array_push(a, &operands, nodes[k]);
		} else if (p->accepts & ACCEPT_ONE_TENSOR) {
			array_push(a, &operands, call_tensor(c, p->name));
		} else {
			array_push(a, &attrs, attr_of(c, p, c->bound[i].value));
		}
	}
	if (c->op->flags & OP_POINTWISE)
		return build_pointwise(c->e, c->build, c->op, c->loc, operands.count, operands.at,
		                       attrs.count, attrs.at, NULL);
	return build(c->build, c->op->name, operands.count, operands.at, attrs.count, attrs.at);
}

static const Node *first_tensor(const Call *c)
{
	for (int i = 0; i < c->signature->count; i++) {
		Value v = c->bound[i].value;
		if (v.kind == VALUE_TENSOR)
			return v.node;
		for (int k = 0; value_is_sequence(v) && k < v.count; k++) {
			if (v.items[k].kind == VALUE_TENSOR)
				return v.items[k].node;
		}
	}
	return NULL;
}

Value call_operator(Elab *e, const Op *op, Loc loc, const Arguments *args, const LayerName *name)
{
	const Signature *s = signature_of_op(e, op);
	Call c = {.e = e, .op = op, .signature = s, .loc = loc, .name = name};
	c.bound = NEW_ARRAY(e->arena, Bound, s->count);
	if (!bind_arguments(e, s, loc, args->at, args->count, c.bound))
		return value_error();
	const Node *input = first_tensor(&c);
	if (!input)
		return elab_error(e, loc, "argument-type", "`%s` computes on tensors, and none is given",
		                  op->name);
	c.build = build_here(e, loc);
	int first = e->graph->count, errors = diag_error_count(e->diag);
	Node *y = op->build ? op->build(&c) : build_plainly(&c);
	for (int i = first; i < e->graph->count; i++) {
		Node *n = e->graph->nodes[i];
		if (!n->of && n->op != op && !(n->op->flags & (OP_LEAF | OP_HEAVY)))
			n->of = op->name;
	}
	node_called_from(y, first, op->name);
	if (diag_error_count(e->diag) > errors)
		y = NULL;
	else if (!y)
		bug("operator `%s` made no node and reported nothing", op->name);
	if (!y) {
		e->stop = e->stop || e->graph->count >= e->graph->limit || diagnostics_full(e->diag);
		return value_error();
	}
	/* A name of a call without parameters is checked all the same. */
	if (name->loc.source && !call_path(&c))
		return value_error();
	layer_add(e, c.path ? c.path : scope_join(e, op->name), loc, input, y, first);
	return value_tensor(y);
}
