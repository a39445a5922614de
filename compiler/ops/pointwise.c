/* SPDX-License-Identifier: MIT */
/* Pointwise operators: arithmetic, activations, comparisons. Most are one row: the C text of the value, the gradients
 * as formulas, and a sentence; shape rule, differentiation, lowering and cost follow from the row.
 *
 * In an `expr` stand the operands by their names, the node's attributes by theirs, and the functions of
 * runtime/nnr_math.h; an OP_BY_ELEMENT formula also reads `i`, the linear index of the element, an OP_BY_COLUMN one
 * `c`, its index in the last dimension; an OP_SEEDED one `seed`, `step`, `rank`. A NaN must come out where one goes in:
 * comparisons are turned so that the NaN takes the branch that keeps it. */
#include "ops/whiten.h"
#include "ops/compose.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- the shape rule and the gradient of every row */

static bool infer_broadcast(Infer *in, int count, DType dtype)
{
	Type all = type_with_dtype(in->operands[0]->type, dtype);
	for (int i = 1; i < count; i++) {
		Type t = type_with_dtype(in->operands[i]->type, dtype), joined;
		if (!type_broadcast(all, t, &joined)) {
			Arena *a = in->graph->arena;
			infer_error(in, "shape-mismatch", "`%s` of %s and %s: the shapes do not broadcast",
			            in->op->name, shape_text(a, all), shape_text(a, t));
			for (int k = 0; k <= i; k++)
				infer_note_operand(in, k);
			return false;
		}
		all = joined;
	}
	return infer_result(in, all.dtype, all.rank, all.dim);
}

bool pointwise_infer(Infer *in)
{
	DType dtype;
	return infer_mixed(in, &dtype) && infer_broadcast(in, in->operand_count, dtype);
}

/* Whether `name` stands in `formula` as a word of its own. */
static bool mentions(const char *formula, const char *name)
{
	size_t n = strlen(name);
	for (const char *p = formula; (p = strstr(p, name)); p += n) {
		bool starts = p == formula || !(isalnum((unsigned char)p[-1]) || p[-1] == '_');
		if (starts && !isalnum((unsigned char)p[n]) && p[n] != '_')
			return true;
	}
	return false;
}

static Node *grad_formula(Grad *g, const char *formula)
{
	const Node *n = g->node;
	Arena *a = g->b.graph->arena;
	Term terms[COMPOSE_TERMS + 1] = {{"y", g->y}, {"dy", g->dy}};
	int count = 2;
	require(n->operand_count + n->attr_count <= COMPOSE_TERMS - 2);
	for (int i = 0; i < n->operand_count; i++)
		terms[count++] = (Term){op_operand_name(a, n->op, i), g->operands[i]};
	for (int i = 0; i < n->attr_count; i++) {
		const Attr *attr = &n->attrs[i];
		if (mentions(formula, attr->name)) {
			double value = attr->kind == ATTR_INT ? (double)attr->i : attr->f;
			terms[count++] = (Term){attr->name, build_constant(&g->b, value)};
		}
	}
	return compose(&g->b, formula, terms);
}

/* Whether the derivative is a product with something that may be infinite or NaN. */
static bool may_be_undefined(const Grad *g, const char *formula)
{
	const Node *n = g->node;
	if (!strpbrk(formula, "*/"))
		return false;
	bool may = mentions(formula, "y");
	for (int i = 0; i < n->operand_count; i++)
		may = may || (!node_is_constant(n->operands[i]) &&
		              mentions(formula, op_operand_name(g->b.graph->arena, n->op, i)));
	return may;
}

void pointwise_grad(Grad *g)
{
	for (int i = 0; i < g->node->operand_count; i++) {
		const char *formula = i < 3 ? g->node->op->grads[i] : NULL;
		if (!g->wanted[i] || !formula)
			continue;
		Node *part = grad_formula(g, formula);
		if (g->chosen && may_be_undefined(g, formula))
			part = compose(&g->b, "select(dy == 0, 0, part)",
			               TERMS({"dy", g->dy}, {"part", part}));
		g->result[i] = build_sum_to(&g->b, part, g->operands[i]->type);
	}
}

/* ---- rows that need more than a formula */

static bool clip_infer(Infer *in)
{
	double lo = infer_attr(in, "lo")->f, hi = infer_attr(in, "hi")->f;
	if (lo > hi)
		return infer_error(in, "bad-argument", "`clip` from %g up to %g leaves no value", lo, hi);
	return pointwise_infer(in);
}

static bool cast_infer(Infer *in)
{
	const Attr *to = infer_attr(in, "to");
	DType dtype;
	if (!to || to->kind != ATTR_TEXT || !dtype_from_name(to->s, &dtype))
		return infer_error(in, "bad-argument", "`to` of `cast` names no element type");
	Type from = in->operands[0]->type;
	/* A batch of bytes may be within the limit that is not as numbers. */
	if (type_make(dtype, from.rank, from.dim, &in->result))
		return true;
	if (in->why || in->graph->diag)
		return infer_error(in, "tensor-limit",
		                   "a tensor %s of %s elements is larger than the limit of 2^48 bytes",
		                   shape_text(in->graph->arena, from), dtype_name(dtype));
	in->result = type_with_dtype(from, dtype); /* of a pass, which has no place: ends with a sentence */
	return true;
}

static bool positive_infer(Infer *in)
{
	in->result = type_with_dtype(in->operands[0]->type, DTYPE_U8);
	return true;
}

static void cast_grad(Grad *g)
{
	DType from = g->operands[0]->type.dtype;
	if (dtype_is_real(from) && dtype_is_real(g->y->type.dtype))
		g->result[0] = build_cast(&g->b, g->dy, from);
}

static bool broadcast_infer(Infer *in)
{
	int rank;
	const int64_t *dim = infer_ints(in, "shape", &rank);
	Type from = in->operands[0]->type, joined;
	if (!infer_result(in, from.dtype, rank, dim))
		return false;
	if (type_broadcast(from, in->result, &joined) && shape_equal(joined, in->result))
		return true;
	Arena *a = in->graph->arena;
	return infer_error(in, "shape-mismatch", "%s does not broadcast to %s", shape_text(a, from),
	                   shape_text(a, in->result));
}

static void broadcast_grad(Grad *g)
{
	g->result[0] = build_sum_to(&g->b, g->dy, g->operands[0]->type);
}

static bool one_hot_infer(Infer *in)
{
	if (!infer_integer(in, 0))
		return false;
	Type t = in->operands[0]->type;
	if (t.rank < 1 || t.dim[t.rank - 1] != 1)
		return infer_error(in, "shape-mismatch", "`one_hot` needs a column of classes, not %s",
		                   shape_text(in->graph->arena, t));
	t.dim[t.rank - 1] = infer_int(in, "classes");
	return infer_result(in, DTYPE_F32, t.rank, t.dim);
}

static bool outranks_infer(Infer *in)
{
	if (!infer_real(in, 0) || !infer_same_dtype(in, 0, 1) || !infer_integer(in, 2))
		return false;
	Type z = in->operands[0]->type, index = type_with_dtype(in->operands[2]->type, z.dtype), joined;
	if (!type_broadcast(z, in->operands[1]->type, &joined) || !type_equal(joined, z) ||
	    !type_broadcast(z, index, &joined) || !type_equal(joined, z))
		return infer_error(in, "shape-mismatch", "`outranks` needs columns beside its rows %s",
		                   shape_text(in->graph->arena, z));
	return infer_like(in, 0);
}

/* ---- where, one_hot */

static Node *build_where(Call *c)
{
	Node *x[] = {call_tensor(c, "condition"), call_tensor(c, "a"), call_tensor(c, "b")};
	return call_pointwise(c, "select", 3, x);
}

static const Node *one_hot_picks(const Node *n, int k, int64_t *count)
{
	*count = node_int(n, "classes");
	return k == 0 ? n->operands[0] : NULL;
}

/* x, whole numbers that `formula` makes of it, in 32 bits; integers are what they are. */
static Node *build_whole(Call *c, const char *formula)
{
	Build *b = call_build(c);
	Node *x = call_tensor(c, "x");
	if (!x || !dtype_is_real(x->type.dtype))
		return x;
	Node *y = compose(b, formula, TERMS({"x", x}));
	y = compose(b, "select(y == y, minimum(maximum(y, least), most), 0)",
	            TERMS({"y", y}, {"least", build_constant(b, -0x1p31)},
	                  {"most", build_constant(b, 0x1p31 - 128)})); /* as f32 has it */
	return build_cast(b, y, DTYPE_I32);
}

static Node *build_floor(Call *c)
{
	return build_whole(c, "floor(x)");
}

static Node *build_ceil(Call *c)
{
	return build_whole(c, "-floor(-x)");
}

static Node *build_round(Call *c)
{
	return build_whole(c, "sign(x)*(floor(abs(x)) + (abs(x) - floor(abs(x)) >= 0.5))");
}

static Node *build_one_hot(Call *c)
{
	Node *x = call_tensor(c, "x");
	if (!x)
		return NULL;
	if (x->type.rank == LIMIT_RANK)
		return call_error(c, "x", "rank-limit", "a sample has at most %d dimensions", LIMIT_RANK - 1);
	return one_hot(call_build(c), x, call_int(c, "classes"));
}

/* ---- samples: by arity, every pair of broadcasting shapes, odd and size-1 dimensions */

#define UNARY_SHAPES(ATTRS)                                                                                  \
	"x=f32[]" ATTRS, "x=f32[1]" ATTRS, "x=f32[2]" ATTRS, "x=f32[3]" ATTRS, "x=f32[7]" ATTRS,             \
	        "x=f32[64]" ATTRS, "x=f32[1,1]" ATTRS, "x=f32[1,5]" ATTRS, "x=f32[5,1]" ATTRS,               \
	        "x=f32[3,7]" ATTRS, "x=f32[8,16]" ATTRS, "x=f32[1,1,1]" ATTRS, "x=f32[2,3,5]" ATTRS,         \
	        "x=f32[4,1,9]" ATTRS, "x=f32[1,13,1]" ATTRS, "x=f32[1,1,1,1]" ATTRS, "x=f32[2,3,3,4]" ATTRS, \
	        "x=f32[2,5,1,3]" ATTRS, "x=f32[1,4,4,1]" ATTRS, "x=f32[3,1,1,17]" ATTRS,                     \
	        "x=f32[2,1,3,1,5]" ATTRS

#define BINARY_SHAPES(X, P)                                                                                \
	X "f32[]" P "f32[]", X "f32[1]" P "f32[]", X "f32[]" P "f32[3]", X "f32[7]" P "f32[7]",            \
	        X "f32[64]" P "f32[1]", X "f32[1,1]" P "f32[1,1]", X "f32[3,5]" P "f32[3,5]",              \
	        X "f32[3,5]" P "f32[5]", X "f32[5]" P "f32[3,5]", X "f32[3,5]" P "f32[3,1]",               \
	        X "f32[3,1]" P "f32[1,5]", X "f32[1,5]" P "f32[3,1]", X "f32[3,5]" P "f32[]",              \
	        X "f32[2,3,5]" P "f32[2,3,5]", X "f32[2,3,5]" P "f32[3,5]", X "f32[2,1,5]" P "f32[1,3,1]", \
	        X "f32[2,3,3,4]" P "f32[4]", X "f32[2,3,3,4]" P "f32[1,1,1,4]",                            \
	        X "f32[2,1,1,7]" P "f32[2,3,5,7]", X "f32[1,1,1,1]" P "f32[2,3,1,5]",                      \
	        X "f32[2,3,3,1]" P "f32[2,3,3,9]"

static const char *const unary_samples[] = {UNARY_SHAPES(""), NULL};
static const char *const binary_samples[] = {BINARY_SHAPES("a=", " b="), NULL};
static const char *const pow_samples[] = {BINARY_SHAPES("x=", " p="), NULL};
static const char *const slope_samples[] = {UNARY_SHAPES(" slope=0.01"), UNARY_SHAPES(" slope=0.5"),
                                            UNARY_SHAPES(" slope=-0.25"), NULL};
static const char *const elu_samples[] = {UNARY_SHAPES(" alpha=1.0"), UNARY_SHAPES(" alpha=0.3"), NULL};
static const char *const scale_samples[] = {UNARY_SHAPES(" factor=0.5 shift=0.0"),
                                            UNARY_SHAPES(" factor=-3.25 shift=1.5"), NULL};
static const char *const clip_samples[] = {UNARY_SHAPES(" lo=-1.0 hi=1.0"), UNARY_SHAPES(" lo=0.25 hi=9.0"),
                                           NULL};
static const char *const cast_samples[] = {UNARY_SHAPES(" to=f64"), UNARY_SHAPES(" to=f32"),
                                           "x=u8[5]<256 to=f32",    "x=u8[2,3,3,1]<256 to=f32",
                                           "x=i32[7]<100 to=f32",   NULL};

static const char *const select_samples[] = {
        "p=f32[] a=f32[] b=f32[]",
        "p=f32[1] a=f32[1] b=f32[1]",
        "p=f32[7] a=f32[7] b=f32[7]",
        "p=f32[7] a=f32[] b=f32[7]",
        "p=f32[7] a=f32[7] b=f32[]",
        "p=f32[] a=f32[7] b=f32[7]",
        "p=f32[7] a=f32[] b=f32[]",
        "p=f32[3,5] a=f32[3,5] b=f32[3,5]",
        "p=f32[3,1] a=f32[3,5] b=f32[5]",
        "p=f32[1,5] a=f32[3,1] b=f32[3,5]",
        "p=f32[5] a=f32[3,1] b=f32[3,1]",
        "p=f32[1,1] a=f32[1,1] b=f32[1,1]",
        "p=f32[1,9] a=f32[4,9] b=f32[4,1]",
        "p=f32[2,3,5] a=f32[2,3,5] b=f32[]",
        "p=f32[2,3,5] a=f32[5] b=f32[3,1]",
        "p=f32[2,1,5] a=f32[1,3,1] b=f32[2,3,5]",
        "p=f32[2,3,3,4] a=f32[2,3,3,4] b=f32[4]",
        "p=f32[4] a=f32[2,3,3,4] b=f32[2,3,3,4]",
        "p=f32[2,3,3,1] a=f32[2,1,1,4] b=f32[]",
        "p=f32[1,1,1,1] a=f32[1,1,1,1] b=f32[1,1,1,1]",
        "p=f32[2,3,3,4] a=f32[] b=f32[2,3,3,4]",
        NULL,
};

static const char *const broadcast_samples[] = {
        "x=f32[] shape=[]",
        "x=f32[] shape=[1]",
        "x=f32[] shape=[7]",
        "x=f32[1] shape=[7]",
        "x=f32[7] shape=[7]",
        "x=f32[] shape=[3,5]",
        "x=f32[5] shape=[3,5]",
        "x=f32[1,5] shape=[3,5]",
        "x=f32[3,1] shape=[3,5]",
        "x=f32[1,1] shape=[3,5]",
        "x=f32[1] shape=[3,5]",
        "x=f32[3,5] shape=[3,5]",
        "x=f32[1,1] shape=[1,1]",
        "x=f32[2,1,5] shape=[2,3,5]",
        "x=f32[3,1] shape=[2,3,5]",
        "x=f32[5] shape=[2,3,5]",
        "x=f32[4] shape=[2,3,3,4]",
        "x=f32[1,1,1,4] shape=[2,3,3,4]",
        "x=f32[2,1,1,1] shape=[2,3,3,4]",
        "x=f32[2,1,3,1] shape=[2,5,3,7]",
        "x=f32[1,1,1,1] shape=[2,1,1,9]",
        NULL,
};

static const char *const index_below_samples[] = {
        "n=0 shape=[1]",        "n=1 shape=[1]",
        "n=2 shape=[1]",        "n=0 shape=[7]",
        "n=1 shape=[7]",        "n=3 shape=[7]",
        "n=6 shape=[7]",        "n=7 shape=[7]",
        "n=8 shape=[7]",        "n=64 shape=[100]",
        "n=5 shape=[3,5]",      "n=1 shape=[3,5]",
        "n=14 shape=[3,5]",     "n=1 shape=[1,1]",
        "n=4 shape=[1,9]",      "n=4 shape=[9,1]",
        "n=7 shape=[2,3,5]",    "n=29 shape=[2,3,5]",
        "n=13 shape=[2,1,3,5]", "n=1 shape=[1,1,1,1]",
        "n=1000 shape=[33,31]", NULL,
};

static const char *const index_below_share_samples[] = {
        "n=0 share=1 shape=[1]",      "n=1 share=1 shape=[1]",      "n=2 share=1 shape=[1]",
        "n=0 share=7 shape=[7]",      "n=1 share=7 shape=[7]",      "n=3 share=7 shape=[7]",
        "n=6 share=7 shape=[7]",      "n=7 share=7 shape=[7]",      "n=8 share=7 shape=[7]",
        "n=64 share=100 shape=[100]", "n=99 share=100 shape=[100]", "n=5 share=13 shape=[13]",
        "n=12 share=13 shape=[13]",   "n=13 share=13 shape=[13]",   "n=1 share=2 shape=[2]",
        "n=32 share=64 shape=[64]",   "n=64 share=64 shape=[64]",   "n=1000 share=1023 shape=[1023]",
        "n=4 share=9 shape=[9]",      "n=9 share=9 shape=[9]",      NULL,
};

static const char *const one_hot_samples[] = {
        "x=i32[1]<1 classes=1",         "x=i32[1]<2 classes=2",
        "x=i32[1]<10 classes=10",       "x=i32[1,1]<1 classes=1",
        "x=i32[1,1]<3 classes=3",       "x=i32[2,1]<2 classes=2",
        "x=i32[3,1]<5 classes=5",       "x=i32[7,1]<10 classes=10",
        "x=i32[5,1]<17 classes=17",     "x=i32[4,1]<4 classes=9",
        "x=i32[8,1]<12 classes=10",     "x=u8[3,1]<5 classes=5",
        "x=u8[9,1]<10 classes=10",      "x=i32[16,1]<100 classes=100",
        "x=i32[2,3,1]<4 classes=4",     "x=i32[1,5,1]<3 classes=3",
        "x=i32[3,1,1]<7 classes=7",     "x=i32[2,2,2,1]<5 classes=5",
        "x=i32[1,1,1,1]<2 classes=2",   "x=i32[64,1]<2 classes=2",
        "x=i32[3,1]<1000 classes=1000", NULL,
};

static const char *const outranks_samples[] = {
        "z=f32[1] t=f32[1] x=i32[1]<1",
        "z=f32[1,1] t=f32[1,1] x=i32[1,1]<1",
        "z=f32[1,2] t=f32[1,1] x=i32[1,1]<2",
        "z=f32[2,2] t=f32[2,1] x=i32[2,1]<2",
        "z=f32[3,5] t=f32[3,1] x=i32[3,1]<5",
        "z=f32[7,10] t=f32[7,1] x=i32[7,1]<10",
        "z=f32[5,1] t=f32[5,1] x=i32[5,1]<1",
        "z=f32[4,9] t=f32[4,1] x=i32[4,1]<9",
        "z=f32[3,17] t=f32[3,1] x=i32[3,1]<17",
        "z=f32[8,3] t=f32[8,1] x=u8[8,1]<3",
        "z=f32[2,100] t=f32[2,1] x=i32[2,1]<100",
        "z=f32[16,10] t=f32[16,1] x=i32[16,1]<10",
        "z=f32[2,3,4] t=f32[2,3,1] x=i32[2,3,1]<4",
        "z=f32[1,5,3] t=f32[1,5,1] x=i32[1,5,1]<3",
        "z=f32[3,1,7] t=f32[3,1,1] x=i32[3,1,1]<7",
        "z=f32[2,2,2,5] t=f32[2,2,2,1] x=i32[2,2,2,1]<5",
        "z=f32[1,1,1,1] t=f32[1,1,1,1] x=i32[1,1,1,1]<1",
        "z=f32[64,2] t=f32[64,1] x=i32[64,1]<2",
        "z=f32[2,1000] t=f32[2,1] x=i32[2,1]<1000",
        "z=f32[9,11] t=f32[9,1] x=i32[9,1]<11",
        NULL,
};

/* ---- values for constants, in double */

#define FOLD(NAME, VALUE)                                       \
	static double fold_##NAME(double a, double b, double c) \
	{                                                       \
		return VALUE;                                   \
	}
FOLD(add, a + b)
FOLD(sub, a - b)
FOLD(mul, a *b)
FOLD(div, a / b)
FOLD(neg, -a)
FOLD(pow, pow(a, b))
FOLD(exp, exp(a))
FOLD(log, log(a))
FOLD(sqrt, sqrt(a))
FOLD(abs, fabs(a))
FOLD(floor, floor(a))
FOLD(maximum, a > b || a != a ? a : b)
FOLD(minimum, a < b || a != a ? a : b)
FOLD(gt, a > b)
FOLD(ge, a >= b)
FOLD(lt, a < b)
FOLD(le, a <= b)
FOLD(eq, a == b)
FOLD(ne, a != b)
FOLD(select, a != 0 ? b : c)
#undef FOLD

/* ---- the rows */

#define ROW(NAME, SIGNATURE, CALL, FLAGS, FLOPS, EXPR, DX, DB, DC, SAMPLES, ...)                       \
	{                                                                                              \
		.name = NAME, .signature = SIGNATURE, .call = CALL, .flags = OP_POINTWISE | (FLAGS),   \
		.infer = pointwise_infer, .expr = EXPR, .grads = {DX, DB, DC}, .grad = pointwise_grad, \
		.expr_flops = FLOPS, .samples = SAMPLES, __VA_ARGS__                                   \
	}
#define UNARY(NAME, FLAGS, FLOPS, EXPR, DX, ...) \
	ROW(NAME, "x -> y", "x", FLAGS, FLOPS, EXPR, DX, NULL, NULL, unary_samples, __VA_ARGS__)
#define BINARY(NAME, FLAGS, EXPR, DA, DB, ...) \
	ROW(NAME, "a, b -> y", NULL, FLAGS, 1, EXPR, DA, DB, NULL, binary_samples, __VA_ARGS__)
/* Comparisons are constant almost everywhere: no gradient passes. */
#define COMPARISON(NAME, SIGN, FOLD)                                                                      \
	{                                                                                                 \
		.name = NAME, .signature = "a, b -> y",                                                   \
		.flags = OP_POINTWISE | OP_CHEAP | OP_BOUNDED | OP_FLAT, .infer = pointwise_infer,        \
		.expr = "a " SIGN " b ? 1 : 0", .expr_flops = 1, .samples = binary_samples, .sign = SIGN, \
		.fold = FOLD, .doc = "1 where a " SIGN " b, else 0. No gradient passes."                  \
	}

const Op pointwise_ops[] = {
        BINARY("add", OP_CHEAP | OP_COMMUTATIVE, "a + b", "dy", "dy", .sign = "+", .zero_by_all = 3,
               .fold = fold_add, .doc = "Sum: `a + b` in a .net file."),
        BINARY("sub", OP_CHEAP, "a - b", "dy", "-dy", .sign = "-", .zero_by_all = 3, .fold = fold_sub,
               .doc = "Difference: `a - b`."),
        BINARY("mul", OP_CHEAP | OP_COMMUTATIVE, "a*b", "dy*b", "dy*a", .sign = "*", .zero_by_any = 3,
               .fold = fold_mul, .doc = "Product, element by element: `a * b`."),
        BINARY("div", OP_CHEAP, "a/b", "dy/b", "-dy*y/b", .sign = "/", .zero_by_any = 1, .lo = 0.5, .hi = 2,
               .fold = fold_div, .doc = "Quotient: `a / b`."),
        BINARY("maximum", OP_CHEAP, "a > b || a != a ? a : b", "select(a > b, dy, select(a == b, 0.5*dy, 0))",
               "select(b > a, dy, select(a == b, 0.5*dy, 0))", .fold = fold_maximum,
               .doc = "The larger of two, `max(a, b)`; equals share the gradient, and a NaN is kept."),
        BINARY("minimum", OP_CHEAP, "a < b || a != a ? a : b", "select(a < b, dy, select(a == b, 0.5*dy, 0))",
               "select(b < a, dy, select(a == b, 0.5*dy, 0))", .fold = fold_minimum,
               .doc = "The smaller of two, `min(a, b)`; equals share the gradient, and a NaN is kept."),
        ROW("pow", "x, p -> y", "x, p", 0, 20, "pow(x, p)", "select(p == 0, 0, dy*p*pow(x, p - 1))",
            "select(x == 0, 0, dy*y*log(x))", NULL, pow_samples, .lo = 0.25, .hi = 2, .fold = fold_pow,
            .doc = "x to the power p: `x ** p`."),
        UNARY("neg", OP_CHEAP, 1, "-x", "-dy", .zero_by_any = 1, .fold = fold_neg, .doc = "Minus x."),
        UNARY("exp", OP_MONOTONE, 12, "exp(x)", "dy*y", .fold = fold_exp, .doc = "e to the power x."),
        UNARY("expm1", 0, 14, "expm1(x)", "dy*(y + 1)", .doc = "exp(x) - 1, exact near 0."),
        UNARY("log", 0, 16, "log(x)", "dy/x", .lo = 0.25, .hi = 3, .fold = fold_log,
              .doc = "Natural logarithm."),
        UNARY("log1p", 0, 18, "log1p(x)", "dy/(1 + x)", .lo = -0.5, .hi = 2,
              .doc = "log(1 + x), exact near 0."),
        UNARY("sin", OP_BOUNDED, 20, "sin(x)", "dy*cos(x)", .doc = "Sine, of radians."),
        UNARY("cos", OP_BOUNDED, 20, "cos(x)", "-dy*sin(x)", .doc = "Cosine, of radians."),
        UNARY("sqrt", 0, 4, "sqrt(x)", "0.5*dy/y", .lo = 0.25, .hi = 3, .fold = fold_sqrt,
              .doc = "Square root."),
        UNARY("rsqrt", 0, 5, "1/sqrt(x)", "-0.5*dy*y*y*y", .lo = 0.25, .hi = 3,
              .doc = "One over the square root."),
        UNARY("square", OP_CHEAP, 1, "x*x", "2*dy*x", .doc = "x times x."),
        UNARY("abs", OP_CHEAP, 1, "fabs(x)", "dy*sign(x)", .fold = fold_abs,
              .doc = "Absolute value; its gradient at 0 is 0."),
        {.name = "floor",
         .fold = fold_floor,
         .signature = "x -> y",
         .call = "x",
         .flags = OP_POINTWISE | OP_CHEAP | OP_FLAT,
         .infer = pointwise_infer,
         .expr = "floor(x)",
         .expr_flops = 1,
         .build = build_floor,
         .samples = unary_samples,
         .doc = "The largest whole number that is not above x, an i32, which can be an index; what has no "
                "place "
                "in 32 bits becomes the nearest that has, NaN 0. No gradient passes."},
        {.name = "ceil",
         .call = "x",
         .build = build_ceil,
         .doc = "The smallest whole number that is not below x, an i32, as `floor` makes it."},
        {.name = "round",
         .call = "x",
         .build = build_round,
         .doc = "The nearest whole number, halves away from 0: an i32, as `floor` makes it."},
        {.name = "sign",
         .signature = "x -> y",
         .call = "x",
         .flags = OP_POINTWISE | OP_CHEAP | OP_FLAT,
         .infer = pointwise_infer,
         .expr = "x > 0 ? 1 : x < 0 ? -1 : 0",
         .expr_flops = 2,
         .samples = unary_samples,
         .doc = "1, 0 or -1. No gradient passes."},
        UNARY("erf", OP_BOUNDED, 20, "erf(x)", "1.1283791670955126*dy*exp(-x*x)",
              .doc = "The error function."),
        UNARY("relu", OP_CHEAP | OP_MONOTONE, 1, "x < 0 ? 0 : x", "select(y > 0, dy, 0)",
              .doc = "Rectifier: x where positive, else 0. A NaN stays a NaN. Its gradient at 0 is 0."),
        ROW("leaky_relu", "x -> y", "x, slope: real = 0.01", OP_CHEAP, 2, "x > 0 ? x : slope*x",
            "select(x > 0, dy, slope*dy)", NULL, NULL, slope_samples,
            .doc = "x where positive, else slope*x."),
        UNARY("sigmoid", OP_MONOTONE | OP_BOUNDED, 15, "sigmoid(x)", "dy*y*(1 - y)",
              .doc = "1/(1 + exp(-x))."),
        UNARY("tanh", OP_MONOTONE | OP_BOUNDED, 18, "tanh(x)", "dy*(1 - y*y)", .doc = "Hyperbolic tangent."),
        UNARY("gelu", 0, 20, "x*normal_cdf(x)", "dy*gelu_slope(x)",
              .doc = "x times the normal distribution function at x (the exact form, with erf)."),
        {.name = "gelu_slope",
         .signature = "x -> y",
         .flags = OP_POINTWISE,
         .infer = pointwise_infer,
         .expr = "gelu_slope(x)",
         .expr_flops = 22,
         .samples = unary_samples,
         .doc = "The derivative of gelu at x: an operator of its own, whose distribution function and "
                "density share "
                "an exponential."},
        UNARY("gelu_tanh", 0, 20, "x*sigmoid(x*(1.5957691216057308 + 0.07135481627260026*x*x))",
              "dy*gelu_tanh_slope(x)",
              .doc = "gelu, approximated as in GPT-2: x/2*(1 + tanh(sqrt(2/pi)*(x + 0.044715*x**3)))."),
        {.name = "gelu_tanh_slope",
         .signature = "x -> y",
         .flags = OP_POINTWISE,
         .infer = pointwise_infer,
         .expr = "sigmoid(x*(1.5957691216057308 + 0.07135481627260026*x*x))*"
                 "(1 + x*(1 - sigmoid(x*(1.5957691216057308 + 0.07135481627260026*x*x)))*"
                 "(1.5957691216057308 + 0.21406444881780078*x*x))",
         .expr_flops = 45,
         .samples = unary_samples,
         .doc = "The derivative of gelu_tanh at x: an operator of its own, as cuBLASLt computes it after a "
                "product."},
        UNARY("silu", 0, 16, "x*sigmoid(x)", "dy*(sigmoid(x)*(1 + x*(1 - sigmoid(x))))",
              .doc = "x*sigmoid(x), also called swish."),
        UNARY("softplus", 0, 30, "(x > 0 ? x : 0) + log1p(exp(-fabs(x)))", "dy*sigmoid(x)",
              .doc = "log(1 + exp(x)), written so that it neither overflows nor loses small values."),
        ROW("elu", "x -> y", "x, alpha: real = 1.0", 0, 15, "x > 0 ? x : alpha*expm1(x)",
            "select(x > 0, dy, dy*(y + alpha))", NULL, NULL, elu_samples,
            .doc = "x where positive, else alpha*(exp(x) - 1)."),
        ROW("scale", "x -> y", "x, factor: real, shift: real = 0.0", OP_CHEAP, 2, "x*factor + shift",
            "dy*factor", NULL, NULL, scale_samples, .affine = affine_scale,
            .doc = "x*factor + shift. Bytes become reals first: `image -> scale(1/255)` is in 0..1."),
        {.name = "clip",
         .signature = "x -> y",
         .call = "x, lo: real, hi: real",
         .flags = OP_POINTWISE | OP_CHEAP,
         .infer = clip_infer,
         .grad = pointwise_grad,
         .expr = "x < lo ? lo : x > hi ? hi : x",
         .grads = {"select(x < lo, 0, select(x > hi, 0, dy))"},
         .expr_flops = 2,
         .samples = clip_samples,
         .doc = "x, but at least lo and at most hi. The gradient passes where x is in range."},
        COMPARISON("gt", ">", fold_gt),
        COMPARISON("ge", ">=", fold_ge),
        COMPARISON("lt", "<", fold_lt),
        COMPARISON("le", "<=", fold_le),
        COMPARISON("eq", "==", fold_eq),
        COMPARISON("ne", "!=", fold_ne),
        {.name = "positive",
         .signature = "x -> y",
         .flags = OP_POINTWISE,
         .infer = positive_infer,
         .expr = "x > 0 ? 1 : 0",
         .expr_flops = 1,
         .samples = unary_samples,
         .doc = "x > 0 as a byte, 1 or 0: what the gradient of relu needs of its result (rule "
                "signs_of_residual). "
                "Not computed again: it is "
                "stored to save reading x."},
        {.name = "round_tf32",
         .signature = "x -> y",
         .flags = OP_POINTWISE | OP_ROUNDS,
         .infer = pointwise_infer,
         .expr = "round_tf32(x)",
         .samples = unary_samples,
         .doc = "x rounded to the 11 significant bits of tf32, ties away from zero: what tensor cores take "
                "of an f32 without a loss (passes hoist, round_operands). No gradient passes: it "
                "comes after differentiate."},
        ROW("select", "p, a, b -> y", NULL, OP_CHEAP, 1, "p != 0 ? a : b", NULL, "select(p, dy, 0)",
            "select(p, 0, dy)", select_samples, .zero_by_all = 6, .fold = fold_select,
            .doc = "a where p is not 0, else b."),
        {.name = "where",
         .call = "condition, a: tensor|real, b: tensor|real",
         .build = build_where,
         .doc = "a where the condition is not 0, else b, element by element: `where(x > 0, x, 0)`. A "
                "comparison of "
                "tensors is 1 where it holds and 0 elsewhere; no gradient passes through the condition, and "
                "none "
                "through pointwise steps and sums of the branch that is not taken, whatever their "
                "derivative: `where(x > 0, sqrt(x), x)`."},
        {.name = "stop_gradient",
         .signature = "x -> y",
         .call = "x",
         .flags = OP_POINTWISE | OP_CHEAP | OP_FLAT,
         .infer = pointwise_infer,
         .expr = "x",
         .samples = unary_samples,
         .doc = "x, through which no gradient passes."},
        {.name = "f32",
         .signature = "x -> y",
         .call = "x",
         .flags = OP_POINTWISE | OP_CHEAP | OP_WIDENS,
         .infer = pointwise_infer,
         .grad = pointwise_grad,
         .expr = "x",
         .grads = {"dy"},
         .samples = unary_samples,
         .doc = "x, which bf16 and fp16 keep in 32 bits here and in what is computed from it, up to a "
                "convolution or matrix product: for coordinates, and sums of many terms. Under other "
                "precisions, x."},
        {.name = "cast",
         .affine = affine_none,
         .signature = "x -> y",
         .flags = OP_POINTWISE | OP_CHEAP | OP_CONVERTS,
         .infer = cast_infer,
         .grad = cast_grad,
         .expr = "x",
         .samples = cast_samples,
         .doc = "x with another element type, `to`."},
        {.name = "broadcast",
         .move = MOVE_BROADCAST,
         .signature = "x -> y",
         .flags = OP_POINTWISE | OP_CHEAP,
         .infer = broadcast_infer,
         .grad = broadcast_grad,
         .expr = "x",
         .samples = broadcast_samples,
         .doc = "x repeated to `shape` by the rules of broadcasting."},
        {.name = "index_below",
         .signature = "-> y",
         .flags = OP_POINTWISE | OP_BY_ELEMENT | OP_CHEAP,
         .infer = infer_stated_shape,
         .expr = "i < n ? 1 : 0",
         .expr_flops = 1,
         .samples = index_below_samples,
         .doc = "1 where the linear index is below n, else 0: which of the flat parameters decay."},
        {.name = "index_below_share",
         .signature = "-> y",
         .flags = OP_POINTWISE | OP_BY_ELEMENT | OP_SEEDED | OP_CHEAP,
         .infer = infer_stated_shape,
         .expr = "rank*share + i < n ? 1 : 0",
         .expr_flops = 2,
         .samples = index_below_share_samples,
         .doc = "The same for a share of the flat parameters: `share` elements of each rank, which are "
                "numbered as those "
                "of the whole."},
        {.name = "one_hot",
         .signature = "x -> y",
         .call = "x: indices, classes: int",
         .build = build_one_hot,
         .picks = one_hot_picks,
         .flags = OP_POINTWISE | OP_BY_COLUMN | OP_CHEAP | OP_FLAT,
         .infer = one_hot_infer,
         .expr = "x == c ? 1 : 0",
         .expr_flops = 1,
         .samples = one_hot_samples,
         .doc = "Each class index as a row of `classes` numbers, 1 at the class and 0 elsewhere: the last "
                "dimension."},
        {.name = "outranks",
         .signature = "z, t, x -> y",
         .flags = OP_POINTWISE | OP_BY_COLUMN | OP_CHEAP | OP_FLAT,
         .infer = outranks_infer,
         .expr = "z < t || (z == t && c >= x) ? 0 : 1",
         .expr_flops = 3,
         .samples = outranks_samples,
         .doc = "1 where class c, of score z, stands before class x, of score t, in the order of falling "
                "scores; the first of equal scores stands before the others, and NaN before all."},
        {0},
};
