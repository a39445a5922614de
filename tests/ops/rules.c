/* SPDX-License-Identifier: MIT */
/* Each rule of compiler/rules/ proves itself: leaves, numbers, masks and attributes are drawn for what its pattern
 * names, the rule is applied, and the interpreter says what the pattern and what took its place are. Of rules ahead of
 * `differentiate` their gradients are compared too.
 *
 *     rules [DRAWS [SEED [RULE]]]
 *
 * A draw to which the rule does not apply, for the types or the conditions, is drawn again; a rule that applies to too
 * few fails. Corners are among what is drawn: extents of 1, zeros and equal operands unless the rule says untied(x),
 * infinities unless it says finite(x). */
#include "base/diag.h"
#include "passes/pass.h"
#include "rules/conditions.h"
#include "rules/rules.h"
#include "tests/interp/interp.h"
#include "tests/ops/samples.h"

#include <math.h>
#include <stdlib.h>

enum { TRIES = 200 /* for a draw that applies */, MOST_NODES = 64 };

static const double RTOL = 2e-6, GRADIENT_RTOL = 2e-5;

typedef struct Draw {
	Arena *arena;
	Build b;
	const Rule *rule;
	bool finite, untied, has_infinities;
	const char *seed; /* of this draw */
	int count;        /* of numbers drawn */
	Type shape;       /* what most leaves have */
	int64_t order[LIMIT_RANK];
	Attr axes;             /* the last attribute drawn */
	int64_t axis, both[2]; /* that and the first */
	Match m;               /* what the names of the pattern stand for */
	Map *leaves;
} Draw;

static double unit(Draw *d)
{
	return drawn(d->seed, d->count++);
}

static int below(Draw *d, int n)
{
	return (int)(unit(d) * n);
}

/* ---- what is drawn */

static double element(Draw *d)
{
	static const double ties[] = {0, 1, -1, 0.5, 3, -30};
	const int kind = below(d, 12);
	if (kind == 0 && !d->finite) {
		d->has_infinities = true;
		return unit(d) < 0.5 ? INFINITY : -INFINITY;
	}
	if (kind <= 2 && !d->untied)
		return ties[below(d, 6)];
	return (unit(d) - 0.5) * 6;
}

static Node *leaf_of(Draw *d, Type t)
{
	char *name = arena_printf(d->arena, "x%d", d->m.count + d->count);
	double *values = NEW_ARRAY(d->arena, double, type_elements(t));
	for (int64_t i = 0; i < type_elements(t); i++)
		values[i] = element(d);
	map_set(d->leaves, name, values);
	const Attr attrs[] = {attr_real("a", 1), attr_int("decay", 0), attr_text("init", "constant"),
	                      attr_text("name", name)};
	return graph_leaf(d->b.graph, "param", t, attrs, 4, (Sites){0});
}

static Node *constant(Draw *d)
{
	static const double numbers[] = {0, 1, -1, 2, 0.5, -4, 3, 1e9, 0.1, 7.25};
	return build_constant(&d->b, numbers[below(d, 10)]);
}

/* A leaf that may be repeated along some dimensions. */
static Node *leaf(Draw *d)
{
	Type t = d->shape;
	for (int i = 0; i < t.rank && unit(d) < 0.3; i++)
		t.dim[below(d, t.rank)] = 1;
	return leaf_of(d, t);
}

/* Masks of what comes after, in words as people have for it, and numbers. */
static Node *known(Draw *d)
{
	static const char *const said[] = {"t",
	                                   "t",
	                                   "t > 0.5",
	                                   "t*1",
	                                   "1 - t",
	                                   "(t - 1)*1e9",
	                                   "(1 - t)*1e9",
	                                   "log(t)",
	                                   "neg(log(t))",
	                                   "minimum(i - j, 0)*1e9",
	                                   "select(t, 0, -1e30)",
	                                   "i",
	                                   "j",
	                                   "j*2 - j",
	                                   "t*0 - 3",
	                                   "one*0.5",
	                                   "one"};
	const Type t = d->shape;
	const int64_t n = t.dim[t.rank - 1], matrix[] = {1, n, n}, column[] = {1, n, 1}, row[] = {1, 1, n};
	const Attr square[] = {attr_int("n", n), attr_ints("shape", matrix, 3)};
	const char *names[] = {"t", "i", "j", "one"};
	Node *of[] = {build(&d->b, "lower_triangle", 0, NULL, 2, square), build_ramp(&d->b, 3, column, 0, 1),
	              build_ramp(&d->b, 3, row, 0, 1),
	              build_broadcast(&d->b, build_constant(&d->b, 1), t.rank, t.dim)};
	return build_formula(&d->b, said[below(d, sizeof said / sizeof *said)], 4, names, of);
}

/* Rows of a table in order, each so many times; and others. */
static Node *table_index(Draw *d)
{
	const int64_t times = 1 + below(d, 3), count = d->shape.dim[0] * times;
	Node *i = build_ramp(&d->b, 1, &count, 0, 1);
	Node *rows = build_formula(&d->b, unit(d) < 0.8 ? "floor((i + 0.5)/n)" : "floor(i*0)", 2,
	                           (const char *[]){"i", "n"},
	                           (Node *[]){i, build_constant(&d->b, (double)times)});
	const Attr to = attr_text("to", "i32");
	return build(&d->b, "cast", 1, &rows, 1, &to);
}

/* Which rule is proved: for what a leaf alone can't be. */
static bool is_of(const Draw *d, const char *rule)
{
	return strcmp(d->rule->name, rule) == 0;
}

static Attr attribute(Draw *d, const char *op, const char *name)
{
	if (strcmp(op, "transpose") == 0) {
		for (int i = 0; i < d->shape.rank; i++)
			d->order[i] = i;
		for (int k = 0; k < 2; k++) {
			const bool last = k == 0 && unit(d) < 0.7;
			const int i = last ? d->shape.rank - 1 : below(d, d->shape.rank),
			          j = last                      ? d->shape.rank - 2
			              : k == 0 || unit(d) < 0.3 ? below(d, d->shape.rank)
			                                        : i;
			const int64_t was = d->order[i];
			d->order[i] = d->order[j], d->order[j] = was;
		}
		return attr_ints("axes", d->order, d->shape.rank);
	}
	if (is_of(d, "mean_of_means")) {
		int64_t *one = NEW(d->arena, int64_t);
		*one = below(d, d->shape.rank);
		return attr_ints("axes", one, 1);
	}
	if (strcmp(name, "axes") == 0 && strstr(d->rule->name, "groups_by") && unit(d) < 0.6) {
		for (int i = 0; i < d->shape.rank - 2; i++)
			d->order[i] = i == d->shape.rank - 3 ? d->shape.rank - 1 : i + 1;
		return attr_ints("axes", d->order, d->shape.rank - 2);
	}
	if (strcmp(name, "axes") == 0) {
		d->both[0] = d->axis > 0 ? d->axis - 1 : 0;
		d->both[1] = d->axis;
		return unit(d) < 0.8 || d->axis == 0 ? attr_ints("axes", &d->axis, 1)
		                                     : attr_ints("axes", d->both, 2);
	}
	if (strcmp(name, "axis") == 0)
		return attr_int("axis", d->axis);
	return attr_real(name, unit(d) < 0.5 ? 1e30 : 2);
}

static Node *identity(Draw *d)
{
	const Type t = d->shape;
	const int64_t n = t.dim[t.rank - 1], matrix[] = {n, n};
	const Attr attrs[] = {attr_int("n", n), attr_ints("shape", matrix, 2)};
	Node *x = build(&d->b, unit(d) < 0.8 ? "diagonal" : "lower_triangle", 0, NULL, 2, attrs);
	return build_broadcast(&d->b, x, t.rank, t.dim);
}

/* Matrices whose products are defined, with what the rule looks for ahead of them. */
static Node *factor(Draw *d, bool first)
{
	Build *b = &d->b;
	const Type t = d->shape;
	const int64_t n = t.dim[t.rank - 1];
	if (first && is_of(d, "lookup_by_product")) {
		Node *index = table_index(d);
		const Attr classes = attr_int("classes", n);
		const int64_t count = index->type.dim[0];
		index = build_reshape(b, index, 2, (int64_t[]){count, 1});
		return build(b, "one_hot", 1, &index, 1, &classes);
	}
	Node *x = leaf_of(d, t);
	if (is_of(d, "factor_of_scores") && unit(d) < 0.7) {
		Node *c = build_constant(b, unit(d) < 0.5 ? 2 : 0.3);
		x = unit(d) < 0.5 ? build2(b, "mul", c, x) : build2(b, "div", x, c);
	}
	if (unit(d) < 0.5) {
		int64_t axes[LIMIT_RANK];
		for (int i = 0; i < t.rank; i++)
			axes[i] = i < t.rank - 2 ? i : 2 * t.rank - 3 - i;
		x = build_transpose(b, x, axes);
	}
	return x;
}

static Node *product(Draw *d)
{
	return build_product(&d->b, factor(d, true), factor(d, false), unit(d) < 0.5, unit(d) < 0.5);
}

/* A leaf, each of its indices along an axis several times in a row; or all of it. */
static Node *repeated(Draw *d)
{
	const Type t = d->shape;
	const int axis = below(d, t.rank), times = 2;
	int64_t dim[LIMIT_RANK + 1];
	for (int i = 0; i <= t.rank; i++)
		dim[i] = i <= axis ? t.dim[i] : i == axis + 1 ? 1 : t.dim[i - 1];
	Node *apart = build_reshape(&d->b, leaf_of(d, t), t.rank + 1, dim);
	dim[axis + 1] = times;
	Node *wide = build_broadcast(&d->b, apart, t.rank + 1, dim);
	for (int i = 0; i < t.rank; i++)
		dim[i] = t.dim[i] * (i == axis ? times : 1);
	return build_reshape(&d->b, wide, t.rank, dim);
}

/* Groups of neighbouring channels, as a norm takes them. */
static Node *groups(Draw *d)
{
	const Type t = d->shape;
	int64_t dim[LIMIT_RANK];
	memcpy(dim, t.dim, sizeof dim);
	dim[t.rank - 2] *= t.dim[t.rank - 1];
	Type flat = t;
	require(type_make(DTYPE_F32, t.rank - 1, dim, &flat));
	return build_reshape(&d->b, leaf_of(d, flat), t.rank, t.dim);
}

/* Of a norm: a number for each channel. */
static Node *vector(Draw *d, const Formula *x)
{
	const int64_t channels = d->shape.dim[d->shape.rank - 1];
	Type t;
	require(type_make(DTYPE_F32, 1, &channels, &t));
	if (x->name[0] != 'k')
		return unit(d) < 0.9 ? leaf_of(d, t) : leaf(d);
	const double right = x->length == 1 && strstr(d->rule->name, "_weight") ? 1 : 0;
	return build_broadcast(&d->b, build_constant(&d->b, unit(d) < 0.9 ? right : 2), 1, &channels);
}

static Node *mean_share(Draw *d)
{
	double count = 1;
	for (int i = 0; i < d->axes.count; i++)
		count *= (double)d->shape.dim[d->axes.ints[i]];
	return build_constant(&d->b, unit(d) < 0.9 ? 1 / count : 0.3);
}

/* The class of each row, of as many as it has columns. */
static Node *labels(Draw *d)
{
	char *name = arena_printf(d->arena, "labels%d", d->count);
	Type t = d->shape;
	const int64_t classes = t.dim[t.rank - 1];
	t.dim[t.rank - 1] = 1;
	t.dtype = DTYPE_I32;
	double *values = NEW_ARRAY(d->arena, double, type_elements(t));
	for (int64_t i = 0; i < type_elements(t); i++)
		values[i] = below(d, (int)classes);
	map_set(d->leaves, name, values);
	const Attr attrs[] = {attr_int("classes", classes), attr_text("name", name),
	                      attr_text("role", "target")};
	d->b.graph->batch = t.dim[0];
	return graph_leaf(d->b.graph, "input", t, attrs, 3, (Sites){0});
}

/* ---- the pattern as nodes */

static Node *make(Draw *d, const Formula *x, const char *of);

static Node *named(Draw *d, const Formula *x, const char *of)
{
	for (int i = 0; i < d->m.count; i++)
		if (d->m.names[i].part->length == x->length &&
		    !memcmp(d->m.names[i].part->name, x->name, (size_t)x->length))
			return d->m.names[i].node;
	const char letter = x->name[0];
	const bool lettered = x->length == 1 || (x->length == 2 && x->name[1] >= '0' && x->name[1] <= '9');
	const bool index = strcmp(of, "embedding") == 0;
	const bool norm = strstr(d->rule->name, "norm_") != NULL,
	           standard = strstr(d->rule->name, "groups_by") != NULL;
	Node *n = norm && letter == 'x'                         ? leaf_of(d, d->shape)
	          : norm                                        ? vector(d, x)
	          : standard && letter == 'x'                   ? groups(d)
	          : standard && x->length == 1 && letter == 'c' ? mean_share(d)
	          : is_of(d, "turned_product")                  ? product(d)
	          : is_of(d, "turned_repeat")                   ? repeated(d)
	          : !strcmp(of, "matmul") && letter == 'k'      ? identity(d)
	          : !strcmp(of, "matmul")                       ? factor(d, d->m.count == 0)
	          : !strcmp(of, "one_hot")                      ? labels(d)
	          : !lettered                                   ? leaf(d)
	          : letter == 'c' || letter == 'd'              ? constant(d)
	          : letter == 'k' && index                      ? table_index(d)
	          : letter == 'k'                               ? known(d)
	                                                        : leaf(d);
	d->m.names[d->m.count++] = (Matched){.part = x, .node = n};
	return n;
}

static Attr attr_of(Draw *d, const char *op, const Formula *x)
{
	const char *name = arena_strndup(d->arena, x->name, (size_t)x->length);
	if (x->first->kind == FORMULA_NUMBER) {
		const bool real = strchr("lhs", name[0]) != NULL; /* lo, hi, slope */
		return real ? attr_real(name, x->first->number) : attr_int(name, (int64_t)x->first->number);
	}
	for (int i = 0; i < d->m.count; i++)
		if (d->m.names[i].attr &&
		    formula_is_named(x->first, arena_strndup(d->arena, d->m.names[i].part->name,
		                                             (size_t)d->m.names[i].part->length))) {
			Attr same = *d->m.names[i].attr;
			if (strcmp(name, same.name) == 0)
				return same;
		}
	Attr *drawn = NEW(d->arena, Attr);
	*drawn = attribute(d, op, name);
	d->axes = *drawn;
	d->m.names[d->m.count++] = (Matched){.part = x->first, .attr = drawn};
	return *drawn;
}

/* Pieces of one tensor, each several times in a row or not, for `concat`. */
static int pieces(Draw *d, Node **operands)
{
	Node *x = leaf(d);
	const int64_t extent = x->type.dim[d->axis], times = 1 + below(d, 3);
	int count = 0;
	for (int64_t i = 0; i < extent; i++)
		for (int64_t k = 0; k < times; k++)
			operands[count++] = build_slice(&d->b, x, d->axis, unit(d) < 0.05 ? 0 : i, 1);
	return count;
}

/* x without its dimensions of 1, or as a row, through some steps, and as it was. */
static Node *there_and_back(Draw *d, Node *x)
{
	int64_t dim[LIMIT_RANK], count = type_elements(x->type);
	int rank = 0;
	for (int i = 0; i < x->type.rank; i++)
		if (x->type.dim[i] > 1)
			dim[rank++] = x->type.dim[i];
	const bool row = unit(d) < 0.2;
	Node *y = build_reshape(&d->b, x, row ? 1 : rank, row ? &count : dim);
	y = build1(&d->b, "exp", build2(&d->b, "mul", y, build_constant(&d->b, -0.5)));
	return build_reshape(&d->b, y, x->type.rank, x->type.dim);
}

static Node *call(Draw *d, const Formula *x)
{
	Node *operands[MOST_NODES];
	Attr attrs[8];
	int count = 0, attr_count = 0;
	for (const Formula *a = x->attrs; a; a = a->next)
		attrs[attr_count++] = attr_of(d, x->op->name, a);
	if (x->count == ANY_COUNT)
		count = pieces(d, operands);
	if (strstr(x->op->name, "norm")) {
		attrs[attr_count++] = attr_real("epsilon", 1e-3);
		if (strcmp(x->op->name, "groupnorm") == 0)
			attrs[attr_count++] = attr_int("groups", d->shape.dim[d->shape.rank - 1] % 2 ? 1 : 2);
	}
	for (const Formula *y = x->first; y; y = y->next) {
		operands[count] = make(d, y, x->op->name);
		if (!operands[count++])
			return NULL;
	}
	if (strcmp(x->op->name, "embedding") == 0 && operands[0]->type.rank != 2)
		return NULL;
	if (strcmp(x->op->name, "broadcast") == 0) {
		Type wide = operands[0]->type;
		for (int i = 0; i < wide.rank; i++)
			wide.dim[i] = wide.dim[i] == 1 ? 3 : wide.dim[i];
		return build_broadcast(&d->b, operands[0], wide.rank, wide.dim);
	}
	if (strcmp(x->op->name, "matmul") == 0 && attr_count == 0)
		return build_product(&d->b, operands[0], operands[1], unit(d) < 0.5, unit(d) < 0.5);
	if (strcmp(x->op->name, "one_hot") == 0)
		attrs[attr_count++] = attr_int("classes", d->shape.dim[d->shape.rank - 1]);
	if (strcmp(x->op->name, "reshape") == 0) /* without the dimension that a sum left */
		return operands[0]->type.dim[operands[0]->type.rank - 1] > 1
		               ? NULL
		               : build_reshape(&d->b, operands[0], operands[0]->type.rank - 1,
		                               operands[0]->type.dim);
	if (strcmp(x->op->name, "slice") == 0) {
		const int64_t all = operands[0]->type.dim[attrs[0].i], start = below(d, (int)all);
		attrs[attr_count++] = attr_int("start", start);
		attrs[attr_count++] = attr_int("count", 1 + below(d, (int)(all - start)));
	}
	Type t;
	const char *why;
	if (!op_infer(d->b.graph, x->op, count, operands, attr_count, attrs, &t, &why))
		return NULL;
	return build(&d->b, x->op->name, count, operands, attr_count, attrs);
}

/* NULL: operands do not fit. */
static Node *make(Draw *d, const Formula *x, const char *of)
{
	if (x->kind == FORMULA_NAME)
		return named(d, x, of);
	if (x->kind == FORMULA_NUMBER)
		return build_constant(&d->b, x->number * (x->nearly ? 1 + 1e-8 : 1));
	Node *n = call(d, x);
	if (n && x->name)
		d->m.names[d->m.count++] = (Matched){.part = x, .node = n};
	return n;
}

/* ---- what no pattern says: what a maker looks for behind the names */

static int extent(Draw *d)
{
	return 1 + below(d, 4);
}

static Node *leaf_like(Draw *d, int rank, const int64_t *dim)
{
	Type t;
	require(type_make(DTYPE_F32, rank, dim, &t));
	return leaf_of(d, t);
}

#define DIMS(...)                                                            \
	(int)(sizeof(int64_t[]){__VA_ARGS__} / sizeof(int64_t)), (int64_t[]) \
	{                                                                    \
		__VA_ARGS__                                                  \
	}

/* Part of a dimension of two of a tensor that was seen with three in their place. */
static Node *slice_of_reshape(Draw *d)
{
	const int64_t rows = extent(d), parts = extent(d), inner = extent(d), last = extent(d);
	Node *x = build_reshape(&d->b, leaf_like(d, DIMS(rows, parts * inner, last)),
	                        DIMS(rows, parts, inner, last));
	const int axis = below(d, 4), start = below(d, (int)x->type.dim[axis]);
	return build_slice(&d->b, x, axis, start, 1 + below(d, (int)x->type.dim[axis] - start));
}

static Node *turned_ones(Draw *d)
{
	const int64_t rows = extent(d), columns = extent(d), last = extent(d);
	int64_t axes[4] = {0, 1, 2, 3};
	Node *x = build_slice(&d->b, leaf_like(d, DIMS(rows, 3, columns, last)), 1, below(d, 3), 1);
	for (int i = 3; i > 0; i--) {
		const int k = below(d, i + 1);
		const int64_t was = axes[i];
		axes[i] = axes[k], axes[k] = was;
	}
	x = build_transpose(&d->b, x, axes);
	int64_t dim[4];
	int rank = 0;
	for (int i = 0; i < 4; i++)
		if (axes[i] != 1)
			dim[rank++] = x->type.dim[i];
	return build_reshape(&d->b, x, rank, dim);
}

static Node *groups_turned(Draw *d)
{
	Build *b = &d->b;
	const int64_t n = extent(d), h = extent(d), groups = extent(d), channels = extent(d),
	              row = h * 2 * channels;
	Node *x = build_reshape(b, leaf_like(d, DIMS(n, h, 2, groups * channels)),
	                        DIMS(n, h * 2, groups, channels));
	x = build_transpose(b, x, (int64_t[]){0, 2, 1, 3});
	Node *of[] = {build_reshape(b, x, DIMS(n, groups, row)),
	              build_broadcast(b, build_constant(b, 1), 1, &row),
	              build_broadcast(b, build_constant(b, unit(d) < 0.9 ? 0 : 1), 1, &row)};
	const Attr epsilon = attr_real("epsilon", 1e-3);
	x = build_reshape(b, build(b, "layernorm", 3, of, 1, &epsilon), DIMS(n, groups, h * 2, channels));
	return build_transpose(b, x, (int64_t[]){0, 2, 1, 3});
}

/* A row that has one number for the first columns, and another one for the others. */
static Node *table(Draw *d, int64_t first, int64_t others)
{
	Node *of[] = {build_broadcast(&d->b, build_constant(&d->b, -1), DIMS(1, first)),
	              build_broadcast(&d->b, build_constant(&d->b, unit(d) < 0.5 ? 1 : 2), DIMS(1, others))};
	return build_concat(&d->b, 1, 2, of);
}

static Node *columns_by_product(Draw *d)
{
	Build *b = &d->b;
	const int64_t half = extent(d), rows = extent(d), matrix[] = {half, half};
	const Attr attrs[] = {attr_int("n", half), attr_ints("shape", matrix, 2)};
	Node *one = build(b, unit(d) < 0.9 ? "diagonal" : "lower_triangle", 0, NULL, 2, attrs);
	Node *none = build2(b, "mul", one, build_constant(b, 0)), *minus = build1(b, "neg", one);
	Node *above = build_concat(b, 1, 2, (Node *[]){unit(d) < 0.5 ? none : minus, one}),
	     *under = build_concat(b, 1, 2, (Node *[]){one, none});
	return build_product(b, leaf_like(d, DIMS(rows, 2 * half)),
	                     build_concat(b, 0, 2, (Node *[]){above, under}), false, false);
}

static Node *rolled_by_product(Draw *d)
{
	const int64_t rows = extent(d), first = extent(d), others = extent(d);
	const Attr attr = attr_ints("by", (int64_t[]){below(d, 2) % rows, first}, 2);
	Node *x = leaf_like(d, DIMS(rows, first + others));
	return build2(&d->b, "mul", build(&d->b, "roll", 1, &x, 1, &attr), table(d, first, others));
}

static Node *product_of_one(Draw *d)
{
	const int64_t n = extent(d), rows = extent(d), inner = extent(d), columns = extent(d);
	const bool turned = unit(d) < 0.5;
	Node *x = leaf_like(d, DIMS(n, rows, inner)),
	     *y = turned ? leaf_like(d, DIMS(1, columns, inner)) : leaf_like(d, DIMS(1, inner, columns));
	y = build_broadcast(&d->b, y, DIMS(n, y->type.dim[1], y->type.dim[2]));
	return build_product(&d->b, x, y, false, turned);
}

/* Shares of several heads of queries for one of keys, in dimensions of their own for a while. */
static Node *shares_of_groups(Draw *d)
{
	Build *b = &d->b;
	const int64_t groups = 2, times = 3, n = 1 + extent(d), all = groups * times;
	Node *keys = build_broadcast(b, leaf_like(d, DIMS(groups, 1, n, 2)), DIMS(groups, times, n, 2));
	Node *x = build_product(b, leaf_like(d, DIMS(all, n, 2)), build_reshape(b, keys, DIMS(all, n, 2)),
	                        false, true);
	x = build_reshape(b, x, DIMS(groups, times, n, n));
	x = build2(b, "mul", x,
	           unit(d) < 0.5 ? leaf_like(d, DIMS(1, 1, n, n)) : leaf_like(d, DIMS(1, times, n, n)));
	return build_reshape(b, build_along(b, "softmax", x, 3), DIMS(all, n, n));
}

/* Steps with the places of an image in a row, or with what they were before split. */
static Node *steps_in_a_row(Draw *d)
{
	Build *b = &d->b;
	const int64_t n = extent(d), h = extent(d), w = extent(d), c = extent(d);
	const int kind = below(d, 4);
	Node *x = build_reshape(b, leaf_like(d, DIMS(n, h, w, c)), DIMS(n, h * w, c));
	if (kind == 0) {
		x = build2(b, "mul", x, leaf_like(d, DIMS(n, 1, c)));
		x = build2(b, "add", build1(b, "tanh", x), leaf_like(d, DIMS(c)));
	} else if (kind == 1) {
		Node *of[] = {x, leaf_like(d, DIMS(1, 1, c)), build1(b, "exp", leaf_like(d, DIMS(1, 1, c))),
		              leaf_like(d, DIMS(c)), leaf_like(d, DIMS(c))};
		const Attr attrs[] = {attr_real("epsilon", 1e-3), attr_int("batch_statistics", 0)};
		x = build(b, "batchnorm", 5, of, 2, attrs);
	} else if (kind == 2) {
		Node *of[] = {build_slice(b, x, 2, 0, 1), build1(b, "neg", x)};
		x = build_concat(b, 2, 2, of);
	} else {
		x = build2(b, "mul", x, leaf_like(d, DIMS(n, h * w, 1)));
	}
	return build_reshape(b, x, DIMS(n, h, w, x->type.dim[2]));
}

static Node *reshaped_steps(Draw *d)
{
	return unit(d) < 0.3   ? there_and_back(d, leaf(d))
	       : unit(d) < 0.3 ? shares_of_groups(d)
	                       : steps_in_a_row(d);
}

/* A sum of what was joined, or split. */
static Node *reduced(Draw *d)
{
	const int64_t n = extent(d), h = extent(d), w = extent(d), c = extent(d);
	const bool joined = unit(d) < 0.7;
	Node *x = joined ? build_reshape(&d->b, leaf_like(d, DIMS(n, h, w, c)), DIMS(n, h * w, c))
	                 : build_reshape(&d->b, leaf_like(d, DIMS(n, h * w, c)), DIMS(n, h, w, c));
	const int count = 1 + below(d, x->type.rank), first = below(d, x->type.rank - count + 1);
	int64_t axes[4];
	for (int i = 0; i < count; i++)
		axes[i] = first + i;
	return build_reduce(&d->b, "sum", x, axes, count);
}

static Node *pool(Draw *d)
{
	const int64_t h = extent(d), w = extent(d), side = h > 1 && w > 1 && unit(d) < 0.2, whole[] = {h, w},
	              pads[] = {side, side, side, side};
	Node *x = leaf_like(d, DIMS(extent(d), h, w, extent(d)));
	const Attr attrs[] = {attr_ints("size", whole, 2), attr_ints("stride", whole, 2),
	                      attr_ints("pad", pads, 4)};
	return build(&d->b, "avgpool", 1, &x, 3, attrs);
}

/* Shifted parts of an image or a sequence, each times a weight, of one tensor or of several; in any order, at times
 * with one twice. */
static Node *shifted(Draw *d)
{
	Build *b = &d->b;
	const int64_t n = extent(d), h = extent(d), w = extent(d), c = extent(d), high = 1 + below(d, 3),
	              wide = 1 + below(d, 3);
	const bool sequence = unit(d) < 0.3, one = unit(d) < 0.5;
	const int64_t across = sequence ? 1 : wide, taps = high * across, from = below(d, 2);
	Node *image = sequence ? leaf_like(d, DIMS(n, h + high + from, c))
	                       : leaf_like(d, DIMS(n, h + high + from, w + wide, c));
	Node *weight = leaf_like(d, DIMS(taps, c)), *sum = NULL;
	const int64_t turn = unit(d) < 0.3, twice = unit(d) < 0.1 ? taps - 1 : -1;
	for (int64_t i = 0; i < taps; i++) {
		const int64_t at = i == twice ? 0 : (i + turn) % taps;
		Node *x = build_slice(b, image, 1, from + at / across, h);
		x = sequence ? x : build_slice(b, x, 2, at % across, w);
		Node *tap = one ? build_slice(b, weight, 0, at, 1) : leaf_like(d, DIMS(1, c));
		tap = build_reshape(b, tap, x->type.rank,
		                    sequence ? (int64_t[]){1, 1, c} : (int64_t[]){1, 1, 1, c});
		x = unit(d) < 0.5 ? build2(b, "mul", x, tap) : build2(b, "mul", tap, x);
		sum = !sum ? x : unit(d) < 0.5 ? build2(b, "add", sum, x) : build2(b, "add", x, sum);
	}
	return node_is(sum, "add") ? sum : NULL;
}

/* A convolution of an image, or of a sequence as one, with zeros around it along one axis. */
static Node *conv_of_pad(Draw *d)
{
	Build *b = &d->b;
	const int64_t n = extent(d), h = 2 + extent(d), w = 2 + extent(d), c = extent(d),
	              high = 1 + below(d, 3), wide = 1 + below(d, 2);
	const bool sequence = unit(d) < 0.4;
	Node *x = sequence ? leaf_like(d, DIMS(n, h, c)) : leaf_like(d, DIMS(n, h, w, c));
	x = build_pad(b, x, unit(d) < 0.9 ? 1 + (!sequence && unit(d) < 0.5) : 0, below(d, 4), below(d, 3));
	if (sequence)
		x = build_reshape(b, x, DIMS(x->type.dim[0], x->type.dim[1], 1, c));
	Node *of[] = {x, leaf_like(d, DIMS(2, high, sequence ? 1 : wide, c))};
	const Attr attrs[] = {attr_ints("stride", (int64_t[]){1 + below(d, 2), 1}, 2),
	                      attr_ints("pad", (int64_t[]){high - 1, 0, 0, 0}, 4),
	                      attr_ints("dilation", (int64_t[]){1, 1}, 2), attr_int("groups", 1)};
	return build(b, "conv", 2, of, 4, attrs);
}

/* Dense layers of one tensor side by side, or one of another tensor among them. */
static Node *layers_beside(Draw *d)
{
	Build *b = &d->b;
	const int64_t rows = extent(d), inner = extent(d);
	const int count = 2 + below(d, 2);
	const bool biased = unit(d) < 0.5;
	Node *x = leaf_like(d, DIMS(rows, inner)), *other = leaf_like(d, DIMS(rows, inner)), *weight[3],
	     *y[3];
	for (int i = 0; i < count; i++)
		weight[i] = leaf_like(d, DIMS(extent(d), inner));
	for (int i = 0; i < count; i++) {
		y[i] = build_product(b, i == 1 && unit(d) < 0.1 ? other : x, weight[i], false, true);
		y[i] = biased ? build2(b, "add", y[i], leaf_like(d, DIMS(weight[i]->type.dim[0]))) : y[i];
	}
	return build_concat(b, 1, count, y);
}

/* A product of a narrow matrix, times a number and added to something. */
static Node *scaled_branch(Draw *d)
{
	Build *b = &d->b;
	const int64_t rows = extent(d), inner = 1 + below(d, 2), columns = 8 * inner + below(d, 4);
	Node *x = build1(b, "tanh", leaf_like(d, DIMS(rows, inner))), *y = leaf_like(d, DIMS(columns, inner)),
	     *c = build_constant(b, unit(d) < 0.5 ? 0.3 : -2);
	Node *product = build_reshape(b, build_product(b, x, y, false, true), DIMS(1, rows, columns));
	product = build2(b, unit(d) < 0.5 ? "mul" : "div", product, c);
	return build2(b, "add", leaf_like(d, DIMS(1, rows, columns)), product);
}

static Node *residual_signs(Draw *d)
{
	Build *b = &d->b;
	const int64_t dim[] = {extent(d), extent(d)};
	Node *sum = build2(b, "add", build1(b, "relu", leaf_like(d, 2, dim)), leaf_like(d, 2, dim));
	return build2(b, "gt", build1(b, "relu", sum), build_constant(b, unit(d) < 0.9 ? 0 : 1));
}

static Node *uniform(Draw *d)
{
	const Attr attrs[] = {attr_ints("shape", d->shape.dim, d->shape.rank),
	                      attr_int("stream", below(d, 3))};
	return build(&d->b, "uniform", 0, NULL, 2, attrs);
}

static const struct {
	const char *rule;
	Node *(*make)(Draw *);
} drawn_whole[] = {
        {"slice_of_reshape", slice_of_reshape},
        {"turned_ones", turned_ones},
        {"groups_by_turning", groups_turned},
        {"columns_by_product", columns_by_product},
        {"rolled_by_product", rolled_by_product},
        {"product_of_one", product_of_one},
        {"reshaped_steps", reshaped_steps},
        {"reshaped_sum", reduced},
        {"mean_by_pool", pool},
        {"depthwise_by_slices", shifted},
        {"conv_of_pad", conv_of_pad},
        {"factor_of_small_operand", scaled_branch},
        {"signs_of_residual", residual_signs},
        {"share_of_uniform", uniform},
        {"layers_by_concat", layers_beside},
};

/* What the rule is applied to. */
static Node *make_whole(Draw *d)
{
	for (size_t i = 0; i < sizeof drawn_whole / sizeof *drawn_whole; i++)
		if (is_of(d, drawn_whole[i].rule))
			return drawn_whole[i].make(d);
	return make(d, formula_parse(d->arena, d->rule->pattern), "");
}

/* ---- comparison */

static const double *leaf_values(void *draw, const Node *n)
{
	const double *values = map_get(((Draw *)draw)->leaves, node_text(n, "name"));
	require(values);
	return values;
}

/* Number of elements that differ by more than rounding. */
static int differ(const double *x, const double *y, int64_t count, double rtol)
{
	double most = 1;
	int wrong = 0;
	for (int64_t i = 0; i < count; i++)
		if (isfinite(x[i]) && fabs(x[i]) > most)
			most = fabs(x[i]);
	for (int64_t i = 0; i < count; i++)
		wrong += !(x[i] == y[i] || (isnan(x[i]) && isnan(y[i])) || fabs(x[i] - y[i]) <= rtol * most);
	return wrong;
}

/* The graph of y and the sum of its products with drawn weights, as a loss. */
static void finish(Draw *d, Node *y)
{
	Type keep = d->shape;
	d->shape = y->type;
	const bool untied = d->untied, finite = d->finite;
	d->untied = d->finite = true;
	Build *b = &d->b;
	Node *weights = leaf(d);
	d->shape = keep, d->untied = untied, d->finite = finite;
	int64_t axes[LIMIT_RANK], one = 1;
	for (int i = 0; i < y->type.rank; i++)
		axes[i] = i;
	Node *sum = build_reduce(b, "sum", build2(b, "mul", y, weights), axes, y->type.rank);
	sum = build_reshape(b, sum, 1, &one);
	if (b->graph->batch > 1)
		sum = build_broadcast(b, sum, 1, &b->graph->batch);
	graph_output(b->graph, OUTPUT_LOSS, "loss", sum);
	graph_output(b->graph, OUTPUT_VALUE, "y", y);
}

static Node *apply(void *data, Graph *to, const Node *n, Node **operands)
{
	const Rule *applied;
	return rules_apply(data, to, n, operands, &applied);
}

static int differ_in_gradients(Draw *d, const Graph *g, const Graph *now, const InterpInputs *in)
{
	PassContext ctx = {.arena = d->arena, .target = &target_cpu, .keep_gradients = true};
	const Graph *before = pass_differentiate(&ctx, g), *after = pass_differentiate(&ctx, now);
	double **x = interp(d->arena, before, in), **y = interp(d->arena, after, in);
	int wrong = 0;
	for (int i = 0; i < before->output_count; i++) {
		const Output *o = &before->outputs[i];
		const Node *n = o->kind == OUTPUT_GRADIENT
		                        ? graph_find_output(after, OUTPUT_GRADIENT, o->name)
		                        : NULL;
		if (n)
			wrong += differ(x[o->node->id], y[n->id], type_elements(n->type), GRADIENT_RTOL);
	}
	return wrong;
}

/* -1: the rule does not apply; else how many elements differ. */
static int try_draw(Arena *a, const RuleSet *set, int rule, const char *seed)
{
	Graph *g = graph_new(a, "rule", true, 1);
	Draw d = {.arena = a,
	          .b = {.graph = g, .real = DTYPE_F32},
	          .rule = &set->rules[rule],
	          .seed = seed,
	          .leaves = map_new(a)};
	for (const RuleIf *c = d.rule->conditions; c->holds; c++) {
		d.finite = d.finite || c->holds == rule_finite;
		d.untied = d.untied || c->holds == rule_untied;
	}
	d.finite = d.finite || unit(&d) < 0.5;
	int64_t dim[4];
	const bool matrices = strstr(d.rule->pattern, "matmul") || is_of(&d, "turned_product");
	const int rank = 2 + below(&d, matrices ? 2 : 3) +
	                 (strstr(d.rule->name, "groups_by") && unit(&d) < 0.5),
	          last = 1 + below(&d, 4);
	for (int i = 0; i < rank; i++)
		dim[i] = i >= rank - 2 ? last : 1 + below(&d, 3);
	if (!matrices && unit(&d) < 0.2)
		dim[rank - 2] = 1 + below(&d, 4);
	require(type_make(DTYPE_F32, rank, dim, &d.shape));
	d.axis = unit(&d) < 0.7 ? rank - 1 : below(&d, rank);
	Node *y = make_whole(&d);
	if (!y || !dtype_is_real(y->type.dtype))
		return -1;
	for (const RuleIf *c = d.rule->conditions; c->holds; c++)
		if (c->holds == rule_is_scored)
			y = build_along(&d.b, "softmax", y, y->type.rank - 1);
	finish(&d, y);
	Rules *rules = rules_new(a, set->name);
	Target target = target_cuda;
	const Recipe recipe = {.ranks = 2};
	target.signs_from = 1;
	rules->target = &target;
	rules->recipe = &recipe;
	const bool ahead = strcmp(set->name, "raise") == 0 || strcmp(set->name, "scale_operand") == 0;
	if (strcmp(set->name, "simplify") != 0)
		rules_read(rules, g);
	Graph *now = graph_rewrite(a, g, apply, rules);
	if (rules->fired[rule] == 0)
		return -1;
	const char *problem = graph_verify(a, now);
	if (problem) {
		printf("FAIL %s: %s\n", d.rule->name, problem);
		return 1;
	}
	const InterpInputs in = {.leaf = leaf_values, .ctx = &d, .seed = 7, .step = 1};
	const Node *before = graph_find_output(g, OUTPUT_VALUE, "y"),
	           *after = graph_find_output(now, OUTPUT_VALUE, "y");
	int wrong = differ(interp(a, g, &in)[before->id], interp(a, now, &in)[after->id],
	                   type_elements(before->type), RTOL);
	if (ahead && !d.has_infinities)
		wrong += differ_in_gradients(&d, g, now, &in);
	if (wrong)
		printf("FAIL %s, drawn from %s: %d elements differ\n%s\n%s\n", d.rule->name, seed, wrong,
		       graph_text(a, g), graph_text(a, now));
	return wrong;
}

static bool prove(const RuleSet *set, int rule, int draws, const char *seed)
{
	int applied = 0;
	for (int i = 0; applied < draws && i < draws * TRIES; i++) {
		Arena *a = arena_new();
		const int wrong =
		        try_draw(a, set, rule, arena_printf(a, "%s.%s.%d", set->rules[rule].name, seed, i));
		arena_free(a);
		applied += wrong >= 0;
		if (wrong > 0)
			return false;
	}
	if (applied < draws)
		printf("FAIL %s: applied to %d of %d draws\n", set->rules[rule].name, applied, draws * TRIES);
	return applied >= draws;
}

int main(int argc, char **argv)
{
	const int draws = argc > 1 ? atoi(argv[1]) : 50;
	const char *seed = argc > 2 ? argv[2] : "1", *only = argc > 3 ? argv[3] : NULL;
	int passed = 0, failed = 0;
	for (const RuleSet *set = rule_sets; set->name; set++)
		for (int i = 0; i < set->count; i++)
			if (!only || !strcmp(only, set->rules[i].name))
				*(prove(set, i, draws, seed) ? &passed : &failed) += 1;
	printf("rules: %d passed, %d failed, 0 skipped\n", passed, failed);
	return failed > 0;
}
