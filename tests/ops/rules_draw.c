/* SPDX-License-Identifier: MIT */
/* Leaves and attributes by chance, and a pattern as nodes of them. */
#include "tests/interp/interp.h"
#include "tests/ops/rules_draw.h"
#include "tests/ops/samples.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_NODES = 64 };

double draw_unit(Draw *d)
{
	return drawn(d->seed, d->count++);
}

int draw_below(Draw *d, int n)
{
	return (int)(draw_unit(d) * n);
}

/* ---- what is drawn */

static double element(Draw *d)
{
	static const double ties[] = {0, 1, -1, 0.5, 3, -30};
	const int kind = draw_below(d, 12);
	if (kind == 0 && !d->finite) {
		d->has_infinities = true;
		return draw_unit(d) < 0.5 ? INFINITY : -INFINITY;
	}
	if (kind <= 2 && !d->untied)
		return ties[draw_below(d, 6)];
	return (draw_unit(d) - 0.5) * 6;
}

Node *draw_leaf_of(Draw *d, Type t)
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
	return build_constant(&d->b, numbers[draw_below(d, 10)]);
}

/* A leaf that may be repeated along some dimensions. */
Node *draw_leaf(Draw *d)
{
	Type t = d->shape;
	for (int i = 0; i < t.rank && draw_unit(d) < 0.3; i++)
		t.dim[draw_below(d, t.rank)] = 1;
	return draw_leaf_of(d, t);
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
	return build_formula(&d->b, said[draw_below(d, sizeof said / sizeof *said)], 4, names, of);
}

/* Rows of a table in order, each so many times; and others. */
static Node *table_index(Draw *d)
{
	const int64_t times = 1 + draw_below(d, 3), count = d->shape.dim[0] * times;
	Node *i = build_ramp(&d->b, 1, &count, 0, 1);
	Node *rows = build_formula(&d->b, draw_unit(d) < 0.8 ? "floor((i + 0.5)/n)" : "floor(i*0)", 2,
	                           (const char *[]){"i", "n"},
	                           (Node *[]){i, build_constant(&d->b, (double)times)});
	const Attr to = attr_text("to", "i32");
	return build(&d->b, "cast", 1, &rows, 1, &to);
}

/* Which rule is proved: for what a leaf alone can't be. */
bool draw_is_of(const Draw *d, const char *rule)
{
	return strcmp(d->rule->name, rule) == 0;
}

static Attr attribute(Draw *d, const char *op, const char *name)
{
	if (strcmp(op, "transpose") == 0) {
		for (int i = 0; i < d->shape.rank; i++)
			d->order[i] = i;
		for (int k = 0; k < 2; k++) {
			const bool last = k == 0 && draw_unit(d) < 0.7;
			const int i = last ? d->shape.rank - 1 : draw_below(d, d->shape.rank),
			          j = last                           ? d->shape.rank - 2
			              : k == 0 || draw_unit(d) < 0.3 ? draw_below(d, d->shape.rank)
			                                             : i;
			const int64_t was = d->order[i];
			d->order[i] = d->order[j], d->order[j] = was;
		}
		return attr_ints("axes", d->order, d->shape.rank);
	}
	if (draw_is_of(d, "mean_of_means")) {
		int64_t *one = NEW(d->arena, int64_t);
		*one = draw_below(d, d->shape.rank);
		return attr_ints("axes", one, 1);
	}
	if (strcmp(name, "axes") == 0 && strstr(d->rule->name, "groups_by") && draw_unit(d) < 0.6) {
		for (int i = 0; i < d->shape.rank - 2; i++)
			d->order[i] = i == d->shape.rank - 3 ? d->shape.rank - 1 : i + 1;
		return attr_ints("axes", d->order, d->shape.rank - 2);
	}
	if (strcmp(name, "axes") == 0) {
		d->both[0] = d->axis > 0 ? d->axis - 1 : 0;
		d->both[1] = d->axis;
		return draw_unit(d) < 0.8 || d->axis == 0 ? attr_ints("axes", &d->axis, 1)
		                                          : attr_ints("axes", d->both, 2);
	}
	if (strcmp(name, "axis") == 0)
		return attr_int("axis", d->axis);
	return attr_real(name, draw_unit(d) < 0.5 ? 1e30 : 2);
}

static Node *identity(Draw *d)
{
	const Type t = d->shape;
	const int64_t n = t.dim[t.rank - 1], matrix[] = {n, n};
	const Attr attrs[] = {attr_int("n", n), attr_ints("shape", matrix, 2)};
	Node *x = build(&d->b, draw_unit(d) < 0.8 ? "diagonal" : "lower_triangle", 0, NULL, 2, attrs);
	return build_broadcast(&d->b, x, t.rank, t.dim);
}

/* Matrices whose products are defined, with what the rule looks for ahead of them. */
static Node *factor(Draw *d, bool first)
{
	Build *b = &d->b;
	const Type t = d->shape;
	const int64_t n = t.dim[t.rank - 1];
	if (first && draw_is_of(d, "lookup_by_product")) {
		Node *index = table_index(d);
		const Attr classes = attr_int("classes", n);
		const int64_t count = index->type.dim[0];
		index = build_reshape(b, index, 2, (int64_t[]){count, 1});
		return build(b, "one_hot", 1, &index, 1, &classes);
	}
	Node *x = draw_leaf_of(d, t);
	if (draw_is_of(d, "factor_of_scores") && draw_unit(d) < 0.7) {
		Node *c = build_constant(b, draw_unit(d) < 0.5 ? 2 : 0.3);
		x = draw_unit(d) < 0.5 ? build2(b, "mul", c, x) : build2(b, "div", x, c);
	}
	if (draw_unit(d) < 0.5) {
		int64_t axes[LIMIT_RANK];
		for (int i = 0; i < t.rank; i++)
			axes[i] = i < t.rank - 2 ? i : 2 * t.rank - 3 - i;
		x = build_transpose(b, x, axes);
	}
	return x;
}

static Node *product(Draw *d)
{
	return build_product(&d->b, factor(d, true), factor(d, false), draw_unit(d) < 0.5,
	                     draw_unit(d) < 0.5);
}

/* A leaf, each of its indices along an axis several times in a row; or all of it. */
static Node *repeated(Draw *d)
{
	const Type t = d->shape;
	const int axis = draw_below(d, t.rank), times = 2;
	int64_t dim[LIMIT_RANK + 1];
	for (int i = 0; i <= t.rank; i++)
		dim[i] = i <= axis ? t.dim[i] : i == axis + 1 ? 1 : t.dim[i - 1];
	Node *apart = build_reshape(&d->b, draw_leaf_of(d, t), t.rank + 1, dim);
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
	return build_reshape(&d->b, draw_leaf_of(d, flat), t.rank, t.dim);
}

/* Of a norm: a number for each channel. */
static Node *vector(Draw *d, const Formula *x)
{
	const int64_t channels = d->shape.dim[d->shape.rank - 1];
	Type t;
	require(type_make(DTYPE_F32, 1, &channels, &t));
	if (x->name[0] != 'k')
		return draw_unit(d) < 0.9 ? draw_leaf_of(d, t) : draw_leaf(d);
	const double right = x->length == 1 && strstr(d->rule->name, "_weight") ? 1 : 0;
	return build_broadcast(&d->b, build_constant(&d->b, draw_unit(d) < 0.9 ? right : 2), 1, &channels);
}

static Node *mean_share(Draw *d)
{
	double count = 1;
	for (int i = 0; i < d->axes.count; i++)
		count *= (double)d->shape.dim[d->axes.ints[i]];
	return build_constant(&d->b, draw_unit(d) < 0.9 ? 1 / count : 0.3);
}

Node *draw_labels(Draw *d)
{
	char *name = arena_printf(d->arena, "labels%d", d->count);
	Type t = d->shape;
	const int64_t classes = t.dim[t.rank - 1];
	t.dim[t.rank - 1] = 1;
	t.dtype = DTYPE_I32;
	double *values = NEW_ARRAY(d->arena, double, type_elements(t));
	for (int64_t i = 0; i < type_elements(t); i++)
		values[i] = draw_below(d, (int)classes);
	map_set(d->leaves, name, values);
	const Attr attrs[] = {attr_int("classes", classes), attr_text("name", name),
	                      attr_text("role", "target")};
	d->b.graph->batch = t.dim[0];
	return graph_leaf(d->b.graph, "input", t, attrs, 3, (Sites){0});
}

/* ---- the pattern as nodes */

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
	Node *n = norm && letter == 'x'                         ? draw_leaf_of(d, d->shape)
	          : norm                                        ? vector(d, x)
	          : standard && letter == 'x'                   ? groups(d)
	          : standard && x->length == 1 && letter == 'c' ? mean_share(d)
	          : draw_is_of(d, "turned_product")             ? product(d)
	          : draw_is_of(d, "turned_repeat")              ? repeated(d)
	          : !strcmp(of, "matmul") && letter == 'k'      ? identity(d)
	          : !strcmp(of, "matmul")                       ? factor(d, d->m.count == 0)
	          : !strcmp(of, "one_hot")                      ? draw_labels(d)
	          : !lettered                                   ? draw_leaf(d)
	          : letter == 'c' || letter == 'd'              ? constant(d)
	          : letter == 'k' && index                      ? table_index(d)
	          : letter == 'k'                               ? known(d)
	                                                        : draw_leaf(d);
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
	Node *x = draw_leaf(d);
	const int64_t extent = x->type.dim[d->axis], times = 1 + draw_below(d, 3);
	int count = 0;
	for (int64_t i = 0; i < extent; i++)
		for (int64_t k = 0; k < times; k++)
			operands[count++] = build_slice(&d->b, x, d->axis, draw_unit(d) < 0.05 ? 0 : i, 1);
	return count;
}

/* x without its dimensions of 1, or as a row, through some steps, and as it was. */
Node *draw_there_and_back(Draw *d, Node *x)
{
	int64_t dim[LIMIT_RANK], count = type_elements(x->type);
	int rank = 0;
	for (int i = 0; i < x->type.rank; i++)
		if (x->type.dim[i] > 1)
			dim[rank++] = x->type.dim[i];
	const bool row = draw_unit(d) < 0.2;
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
		operands[count] = draw_pattern(d, y, x->op->name);
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
		return build_product(&d->b, operands[0], operands[1], draw_unit(d) < 0.5, draw_unit(d) < 0.5);
	if (strcmp(x->op->name, "one_hot") == 0)
		attrs[attr_count++] = attr_int("classes", d->shape.dim[d->shape.rank - 1]);
	if (strcmp(x->op->name, "reshape") == 0) /* without the dimension that a sum left */
		return operands[0]->type.dim[operands[0]->type.rank - 1] > 1
		               ? NULL
		               : build_reshape(&d->b, operands[0], operands[0]->type.rank - 1,
		                               operands[0]->type.dim);
	if (strcmp(x->op->name, "slice") == 0) {
		const int64_t all = operands[0]->type.dim[attrs[0].i], start = draw_below(d, (int)all);
		attrs[attr_count++] = attr_int("start", start);
		attrs[attr_count++] = attr_int("count", 1 + draw_below(d, (int)(all - start)));
	}
	Type t;
	const char *why;
	if (!op_infer(d->b.graph, x->op, count, operands, attr_count, attrs, &t, &why))
		return NULL;
	return build(&d->b, x->op->name, count, operands, attr_count, attrs);
}

/* NULL: operands do not fit. */
Node *draw_pattern(Draw *d, const Formula *x, const char *of)
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
