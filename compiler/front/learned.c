/* SPDX-License-Identifier: MIT */
/* param cls: f32[1, width] init normal(0.02): a trained tensor that belongs to no layer.
 *
 * In the graph it is a parameter of the declared shape, seen through a reshape as a batch of one, [1, 1, width]: axes
 * count as for any tensor of samples, and the first dimension, 1, broadcasts against the batch. What does not broadcast
 * by itself (concat, products, what looks across the batch) calls build_batch (ops/compose.h). */
#include "front/eval.h"

static const Signature *init_signature(Elab *e)
{
	static const char key[] = "statement param"; /* no callee has a blank in its name */
	const Signature *s = map_get(e->signatures, key);
	if (!s) {
		s = signature_parse(e->arena, "statement", "param",
		                    "init: zeros|ones|normal|orthogonal|normal(deviation) = zeros", false);
		map_set(e->signatures, key, (void *)s);
	}
	return s;
}

static bool read_init(Elab *e, const Ast *s, InitKind *kind, double *a)
{
	const Signature *signature = init_signature(e);
	Bound given = {.value = signature->params->fallback, .loc = s->loc};
	if (s->count > 1) {
		const Parameter *hint = e->hint;
		e->hint = signature->params;
		given.value = eval(e, s->kids[1]);
		given.loc = s->kids[1]->loc;
		e->hint = hint;
		if (!check_argument(e, signature, signature->params, &given))
			return false;
	}
	return init_of_value(given.value, 1, 1, kind, a);
}

static bool read_type(Elab *e, const Ast *type, Type *t)
{
	int64_t dim[LIMIT_RANK];
	if (strcmp(type->name, "f32") != 0) {
		elab_error(e, type->name_loc.source ? type->name_loc : type->loc, "param-type",
		           "a learned tensor is of f32, not `%s`", type->name);
		if (!elab_habit(e, HABIT_TYPE, type->name, (const char *const[]){"f32"}, 1))
			diag_help(e->diag, "write f32[...]; the arithmetic is the recipe's: precision bf16");
		return false;
	}
	if (type->count + 1 > LIMIT_RANK) {
		elab_error(e, type->loc, "rank-limit", "a sample has at most %d dimensions", LIMIT_RANK - 1);
		return false;
	}
	for (int i = 0; i < type->count; i++)
		if (!eval_int(e, type->kids[i], "a dimension", 1, &dim[i]))
			return false;
	if (type_make(DTYPE_F32, type->count, dim, t))
		return true;
	elab_error(e, type->loc, "tensor-limit", "this tensor is larger than the limit of 2^48 bytes");
	return false;
}

/* Weight decay is for matrices: of two dimensions or more that are not 1. */
static bool is_matrix(Type t)
{
	int wide = 0;
	for (int i = 0; i < t.rank; i++)
		wide += t.dim[i] > 1;
	return wide >= 2;
}

bool run_learned(Elab *e, const Ast *s)
{
	Type t;
	InitKind kind;
	double a;
	scope_bind(e, s->name, value_error(), s->name_loc);
	bool ok = read_type(e, s->kids[0], &t);
	if (!read_init(e, s, &kind, &a) || !ok)
		return false;
	char *path = scope_segment(e, s->name, s->name_loc);
	if (!path)
		return false;
	Build *b = build_here(e, s->loc);
	int first = e->graph->count;
	Attr attrs[] = {attr_text("name", path), attr_text("init", init_name(kind)), attr_real("a", a),
	                attr_int("decay", is_matrix(t))};
	Node *leaf = named_leaf(e, "param", path, t, attrs, 4, s->name_loc, e->frame->shared);
	if (!leaf)
		return false;
	int64_t dim[LIMIT_RANK] = {1};
	for (int i = 0; i < t.rank; i++)
		dim[i + 1] = t.dim[i];
	Node *y = build_reshape(b, param_as_read(b, leaf, e->frame->fixed), t.rank + 1, dim);
	if (!y)
		return false;
	scope_bind(e, s->name, value_tensor(y), s->name_loc);
	layer_add(e, path, s->loc, NULL, y, first);
	return true;
}
