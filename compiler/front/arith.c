/* SPDX-License-Identifier: MIT */
/* Arithmetic: on numbers at compile time, checked; on tensors by making nodes. Members and indexing too.
 *
 * A tensor meets a number or another tensor sample by sample, aligned at the last dimension: [28,28,16] + [16].
 * In the graph the batch is dimension 0 of both, so the lower rank gets dimensions of 1 after the batch. */
#include "front/eval.h"

#include "base/checked.h"
#include "base/nearest.h"
#include "ir/walk.h"
#include "ops/compose.h"

#include <math.h>

/* ---- binary operators, a row each */

typedef enum { ARITH_OK, ARITH_OVERFLOW, ARITH_ZERO, ARITH_REAL } ArithResult;

static ArithResult int_add(int64_t x, int64_t y, int64_t *out)
{
	return checked_add(x, y, out) ? ARITH_OK : ARITH_OVERFLOW;
}

static ArithResult int_sub(int64_t x, int64_t y, int64_t *out)
{
	return checked_sub(x, y, out) ? ARITH_OK : ARITH_OVERFLOW;
}

static ArithResult int_mul(int64_t x, int64_t y, int64_t *out)
{
	return checked_mul(x, y, out) ? ARITH_OK : ARITH_OVERFLOW;
}

static ArithResult int_div(int64_t x, int64_t y, int64_t *out)
{
	return y == 0 ? ARITH_ZERO : ARITH_REAL;
}

/* Rounds down, so that x == x // y * y + x % y with x % y of y's sign. */
static ArithResult int_floor_div(int64_t x, int64_t y, int64_t *out)
{
	if (y == 0)
		return ARITH_ZERO;
	if (x == INT64_MIN && y == -1)
		return ARITH_OVERFLOW;
	*out = x / y - (x % y != 0 && (x < 0) != (y < 0));
	return ARITH_OK;
}

static ArithResult int_mod(int64_t x, int64_t y, int64_t *out)
{
	if (y == 0)
		return ARITH_ZERO;
	*out = y == -1 ? 0 : x % y;
	if (*out != 0 && (*out < 0) != (y < 0))
		*out += y;
	return ARITH_OK;
}

static ArithResult int_pow(int64_t x, int64_t y, int64_t *out)
{
	if (y < 0)
		return x == 0 ? ARITH_ZERO : ARITH_REAL;
	int64_t result = 1;
	for (; y > 0; y >>= 1) {
		if (y & 1 && !checked_mul(result, x, &result))
			return ARITH_OVERFLOW;
		if (y > 1 && !checked_mul(x, x, &x))
			return ARITH_OVERFLOW;
	}
	*out = result;
	return ARITH_OK;
}

static double real_add(double x, double y)
{
	return x + y;
}

static double real_sub(double x, double y)
{
	return x - y;
}

static double real_mul(double x, double y)
{
	return x * y;
}

static double real_div(double x, double y)
{
	return x / y;
}

static double real_floor_div(double x, double y)
{
	return floor(x / y);
}

static double real_mod(double x, double y)
{
	return x - y * floor(x / y);
}

static const struct BinaryRow {
	const char *text;
	const char *tensor_op; /* NULL: not on tensors */
	ArithResult (*on_ints)(int64_t, int64_t, int64_t *);
	double (*on_reals)(double, double);
	bool divides; /* the second operand must not be zero */
} binary_rows[] = {
        {"+", "add", int_add, real_add, false},
        {"-", "sub", int_sub, real_sub, false},
        {"*", "mul", int_mul, real_mul, false},
        {"/", "div", int_div, real_div, true},
        {"//", NULL, int_floor_div, real_floor_div, true},
        {"%", NULL, int_mod, real_mod, true},
        {"**", "pow", int_pow, pow, false},
};

static Value on_numbers(Elab *e, Loc loc, const struct BinaryRow *row, Value x, Value y)
{
	if (x.kind == VALUE_INT && y.kind == VALUE_INT) {
		int64_t result = 0;
		switch (row->on_ints(x.integer, y.integer, &result)) {
		case ARITH_OK:
			return value_int(result);
		case ARITH_OVERFLOW:
			return elab_error(e, loc, "integer-overflow", "%lld %s %lld does not fit 64 bits",
			                  (long long)x.integer, row->text, (long long)y.integer);
		case ARITH_ZERO:
			return elab_error(e, loc, "division-by-zero", "division by zero");
		case ARITH_REAL:
			break;
		}
	}
	double p = value_to_real(x), q = value_to_real(y);
	if (row->divides && q == 0)
		return elab_error(e, loc, "division-by-zero", "division by zero");
	double result = row->on_reals(p, q);
	if (!isfinite(result))
		return elab_error(e, loc, "number-range", "%s %s %s is no finite number",
		                  number_text(e->arena, p), row->text, number_text(e->arena, q));
	return value_real(result);
}

static Value on_strings(Elab *e, Loc loc, Value x, Value y)
{
	if (x.count + y.count > LIMIT_TOKEN_BYTES)
		return elab_error(e, loc, "text-limit", "this text is longer than %d bytes",
		                  LIMIT_TOKEN_BYTES);
	if (!elab_charge(e, loc, 1 + (x.count + y.count) / 16))
		return value_error();
	return value_string(arena_printf(e->arena, "%s%s", x.text, y.text));
}

static Value on_sequences(Elab *e, Loc loc, Value x, Value y)
{
	int count = x.count + y.count;
	if (count > LIMIT_LIST)
		return elab_error(e, loc, "list-limit", "this %s has more than %d elements",
		                  x.kind == VALUE_LIST ? "list" : "tuple", LIMIT_LIST);
	if (!elab_charge(e, loc, count))
		return value_error();
	Value *items = NEW_ARRAY(e->arena, Value, count);
	for (int i = 0; i < count; i++)
		items[i] = i < x.count ? x.items[i] : y.items[i - x.count];
	return value_sequence(x.kind, items, count);
}

/* ---- tensors */

Node *as_real(Build *b, Node *x)
{
	if (!x || dtype_is_real(x->type.dtype))
		return x;
	const Node *from = node_unshaped(x);
	Node *real = build_cast(b, (Node *)from, DTYPE_F32);
	return from == x ? real : build_reshape(b, real, x->type.rank, x->type.dim);
}

/* Whether samples of the types broadcast: batches aside, aligned at the last dimension. */
static bool samples_broadcast(Type x, Type y)
{
	for (int i = 1; i < x.rank && i < y.rank; i++) {
		int64_t p = x.dim[x.rank - i], q = y.dim[y.rank - i];
		if (p != q && p != 1 && q != 1)
			return false;
	}
	return true;
}

static void note_operand(Elab *e, const Node *n, const char *fallback)
{
	diag_note(e->diag, n->sites.count ? n->sites.at[0]->loc : loc_none(), "%s is %s, made here",
	          n->name ? arena_printf(e->arena, "`%s`", n->name) : fallback,
	          sample_shape(e->arena, n->type));
}

typedef struct Search {
	const Node *wanted;
	bool *seen; /* by id */
} Search;

static bool not_seen(void *ctx, const Node *n)
{
	return !((Search *)ctx)->seen[n->id];
}

static void see(void *ctx, const Node *n)
{
	((Search *)ctx)->seen[n->id] = true;
}

/* Whether x is computed of `from`. */
static bool is_made_of(const Node *x, const Node *from)
{
	Arena *scratch = arena_new();
	Search s = {.seen = NEW_ARRAY(scratch, bool, x->id + 1)};
	walk_operands(scratch, x, not_seen, see, &s);
	bool found = from->id < x->id && s.seen[from->id];
	arena_free(scratch);
	return found;
}

/* Of a sum of x and what is made of it: how x gets the channels. */
static const char *shortcut_remedy(Elab *e, const Node *wide, const Node *x)
{
	const bool first = is_made_of(x, wide);
	if (wide->type.rank != x->type.rank || (!first && !is_made_of(wide, x)))
		return NULL;
	const Node *shortcut = first ? wide : x, *branch = first ? x : wide;
	const long long size = branch->type.dim[branch->type.rank - 1];
	const char *layer = branch->type.rank == 4 ? arena_printf(e->arena, "conv(%lld, 1)", size)
	                                           : arena_printf(e->arena, "dense(%lld)", size);
	return arena_printf(
	        e->arena,
	        "a shortcut that is to have another size needs a layer of its own: (%s -> %s) + ...",
	        shortcut->name ? shortcut->name : "x", layer);
}

/* What is plain to do about the axis of `wide` that differs first. */
static const char *shape_remedy(Arena *a, Type wide, int axis, int64_t last)
{
	if (wide.rank == 4 && axis < 3)
		return "a `conv` without `pad = same`, a stride and a pool make the image smaller: do the "
		       "same "
		       "to both";
	if (wide.rank == 4)
		return arena_printf(a, "`conv(%lld, 1)` gives the second the channels of the first",
		                    (long long)last);
	if (wide.rank == 2)
		return arena_printf(a, "`dense(%lld)` gives the second the size of the first",
		                    (long long)last);
	return NULL;
}

/* Says which axes differ, by their numbers in `wide`, whose rank is no less than that of x. */
static void report_shapes(Elab *e, Loc loc, const Op *op, const char *callee, const Node *wide,
                          const char *wide_name, const Node *x, const char *x_name)
{
	Type p = wide->type, q = x->type;
	int gap = p.rank - q.rank, axis[LIMIT_RANK], count = 0;
	for (int k = 1 + gap; k < p.rank; k++)
		if (p.dim[k] != q.dim[k - gap] && p.dim[k] != 1 && q.dim[k - gap] != 1)
			axis[count++] = k;
	char *text = arena_strdup(e->arena, "");
	for (int i = 0; i < count; i++)
		text = arena_printf(e->arena, "%s%saxis %d (%lld and %lld)", text,
		                    i == 0           ? ""
		                    : i == count - 1 ? " and "
		                                     : ", ",
		                    axis[i] - 1, (long long)p.dim[axis[i]], (long long)q.dim[axis[i] - gap]);
	elab_error(e, loc, "shape-mismatch", "`%s` of shapes %s and %s%s: %s differ%s", callee,
	           sample_shape(e->arena, p), sample_shape(e->arena, q),
	           gap ? ", aligned at the last axis" : "", text, count == 1 ? "s" : "");
	note_operand(e, wide, wide_name);
	note_operand(e, x, x_name);
	const bool last_alone = count == 1 && axis[0] == p.rank - 1;
	const char *remedy = last_alone && strcmp(op->name, "add") == 0 ? shortcut_remedy(e, wide, x) : NULL;
	if (!remedy && !gap)
		remedy = shape_remedy(e->arena, p, axis[0], p.dim[p.rank - 1]);
	if (remedy)
		diag_help(e->diag, "%s", remedy);
}

static const char *operand_of(Elab *e, const Signature *called, int i)
{
	return arena_printf(e->arena, "the argument `%s`", called->params[i].name);
}

Node *build_pointwise(Elab *e, Build *b, const Op *op, Loc loc, int count, Node **operands, int attr_count,
                      const Attr *attrs, const Signature *called)
{
	const Node *widest = NULL;
	int wide = 0;
	for (int i = 0; i < count; i++) {
		if (!operands[i])
			return NULL;
		if (!widest || operands[i]->type.rank > widest->type.rank)
			widest = operands[i], wide = i;
	}
	const bool named = called && called->count == count;
	for (int i = 0; i < count; i++) {
		Node *x = operands[i];
		if (samples_broadcast(x->type, widest->type))
			continue;
		report_shapes(e, loc, op, called ? called->callee : op->name, widest,
		              named ? operand_of(e, called, wide) : "the first", x,
		              named ? operand_of(e, called, i) : "the second");
		return NULL;
	}
	for (int i = 0; i < count; i++) {
		Node *x = operands[i];
		if (x->type.rank == 0 || x->type.rank == widest->type.rank)
			continue;
		int64_t dim[LIMIT_RANK];
		int rank = widest->type.rank, gap = rank - x->type.rank;
		dim[0] = x->type.dim[0];
		for (int k = 1; k < rank; k++)
			dim[k] = k <= gap ? 1 : x->type.dim[k - gap];
		operands[i] = build_reshape(b, x, rank, dim);
	}
	return build(b, op->name, count, operands, attr_count, attrs);
}

static Value on_tensors(Elab *e, Loc loc, const char *op_name, int count, const Value *values)
{
	const Op *op = op_find(op_name);
	if (!op)
		bug("there is no operator `%s`", op_name);
	if (e->stop)
		return value_error();
	Build *b = build_here(e, loc);
	int first = e->graph->count;
	Node *operands[2];
	const Node *input = NULL;
	for (int i = 0; i < count; i++) {
		if (values[i].kind == VALUE_TENSOR && !input)
			input = values[i].node;
		operands[i] = values[i].kind == VALUE_TENSOR ? as_real(b, values[i].node)
		                                             : build_constant(b, value_to_real(values[i]));
	}
	Node *y = build_pointwise(e, b, op, loc, count, operands, 0, NULL, NULL);
	if (y)
		layer_add(e, scope_join(e, op_name), loc, input, y, first);
	else
		e->stop = e->stop || e->graph->count >= e->graph->limit || diagnostics_full(e->diag);
	return value_tensor(y);
}

/* ---- what eval.c calls */

/* 1 where it holds, else 0. */
static const char *comparison_op(const char *text)
{
	static const char *const ops[][2] = {{"==", "eq"}, {"!=", "ne"}, {"<", "lt"},
	                                     {"<=", "le"}, {">", "gt"},  {">=", "ge"}};
	size_t i = 0;
	while (strcmp(ops[i][0], text) != 0)
		i++;
	return ops[i][1];
}

static Value compare(Elab *e, Loc loc, const char *op, Value x, Value y)
{
	bool x_tensor = x.kind == VALUE_TENSOR, y_tensor = y.kind == VALUE_TENSOR;
	if ((x_tensor || y_tensor) && (x_tensor || value_is_number(x)) && (y_tensor || value_is_number(y)))
		return on_tensors(e, loc, comparison_op(op), 2, (Value[]){x, y});
	if (x_tensor || y_tensor)
		return elab_error(e, loc, "operand-type",
		                  "a tensor is compared with numbers and tensors: `%s` of %s and %s", op,
		                  value_kind_text(e->arena, x), value_kind_text(e->arena, y));
	if (op[1] == '=' && (op[0] == '=' || op[0] == '!')) {
		int64_t before = e->budget;
		bool equal = value_equal(x, y, &e->budget);
		if (e->budget < 0) {
			e->budget = before;
			elab_charge(e, loc, before + 1);
			return value_error();
		}
		return value_bool(equal == (op[0] == '='));
	}
	if (!value_is_number(x) || !value_is_number(y))
		return elab_error(e, loc, "operand-type", "`%s` compares numbers, not %s and %s", op,
		                  value_kind_text(e->arena, x), value_kind_text(e->arena, y));
	bool ints = x.kind == VALUE_INT && y.kind == VALUE_INT;
	double p = value_to_real(x), q = value_to_real(y);
	int order = ints ? (x.integer > y.integer) - (x.integer < y.integer) : (p > q) - (p < q);
	bool strict = op[1] == 0;
	return value_bool(op[0] == '<' ? order < 0 || (!strict && order == 0)
	                               : order > 0 || (!strict && order == 0));
}

Value arith_binary(Elab *e, Loc loc, const char *op, Value x, Value y)
{
	if (value_is_error(x) || value_is_error(y))
		return value_error();
	if (x.unit || y.unit)
		return elab_error(e, loc, "operand-type", "there is no arithmetic on numbers with a unit");
	if (op[0] == '=' || op[0] == '!' || op[0] == '<' || op[0] == '>')
		return compare(e, loc, op, x, y);
	const struct BinaryRow *row = binary_rows;
	while (strcmp(row->text, op) != 0)
		row++;
	bool x_tensor = x.kind == VALUE_TENSOR, y_tensor = y.kind == VALUE_TENSOR;
	if (value_is_number(x) && value_is_number(y))
		return on_numbers(e, loc, row, x, y);
	if (row->tensor_op && (x_tensor || y_tensor) && (x_tensor || value_is_number(x)) &&
	    (y_tensor || value_is_number(y)))
		return on_tensors(e, loc, row->tensor_op, 2, (Value[]){x, y});
	if (op[0] == '+' && x.kind == VALUE_STRING && y.kind == VALUE_STRING)
		return on_strings(e, loc, x, y);
	if (op[0] == '+' && value_is_sequence(x) && x.kind == y.kind)
		return on_sequences(e, loc, x, y);
	elab_error(e, loc, "operand-type", "`%s` does not take %s and %s", op, value_kind_text(e->arena, x),
	           value_kind_text(e->arena, y));
	if (op[0] == '+' && (x.kind == VALUE_STRING || y.kind == VALUE_STRING))
		diag_help(e->diag, "str(x) makes a text of a number");
	return value_error();
}

Value arith_unary(Elab *e, Loc loc, const char *op, Value x)
{
	if (value_is_error(x))
		return x;
	if (op[0] == 'n') {
		if (x.kind == VALUE_BOOL)
			return value_bool(!x.truth);
		elab_error(e, loc, "operand-type", "`not` takes a bool, not %s",
		           value_kind_text(e->arena, x));
		if (x.kind == VALUE_TENSOR)
			diag_help(e->diag, "comparisons of tensors are 1 or 0: `not a` is written 1 - a");
		return value_error();
	}
	if (x.kind == VALUE_REAL && !x.unit)
		return value_real(-x.real);
	if (x.kind == VALUE_INT && !x.unit) {
		int64_t result;
		if (checked_sub(0, x.integer, &result))
			return value_int(result);
		return elab_error(e, loc, "integer-overflow", "-(%lld) does not fit 64 bits",
		                  (long long)x.integer);
	}
	if (x.kind == VALUE_TENSOR)
		return on_tensors(e, loc, "neg", 1, &x);
	return elab_error(e, loc, "operand-type", "`-` does not take %s", value_kind_text(e->arena, x));
}

/* ---- x.channels, a[i] */

static const char *const member_names[] = {"shape", "channels", "height", "width", "size", "rank"};

enum { MEMBER_NAMES = sizeof member_names / sizeof *member_names };

static Value shape_value(Elab *e, Type t)
{
	int count = t.rank - 1;
	Value *items = NEW_ARRAY(e->arena, Value, count);
	for (int i = 0; i < count; i++)
		items[i] = value_int(t.dim[i + 1]);
	return value_sequence(VALUE_TUPLE, items, count);
}

Value value_member(Elab *e, const Ast *member, Value x)
{
	const char *name = member->name;
	if (value_is_error(x))
		return x;
	if (x.kind != VALUE_TENSOR)
		return elab_error(e, member->name_loc, "operand-type", "only a tensor has `.%s`, this is %s",
		                  name, value_kind_text(e->arena, x));
	Type t = x.node->type;
	if (strcmp(name, "shape") == 0)
		return shape_value(e, t);
	if (strcmp(name, "rank") == 0)
		return value_int(t.rank - 1);
	if (strcmp(name, "size") == 0)
		return value_int(type_elements(t) / t.dim[0]);
	if (strcmp(name, "channels") == 0 && t.rank >= 2)
		return value_int(t.dim[t.rank - 1]);
	if (strcmp(name, "height") == 0 && t.rank == 4)
		return value_int(t.dim[1]);
	if (strcmp(name, "width") == 0 && t.rank == 4)
		return value_int(t.dim[2]);
	for (int i = 0; i < MEMBER_NAMES; i++) {
		if (strcmp(name, member_names[i]) == 0) {
			elab_error(e, member->name_loc, "unknown-member", "a tensor %s has no `.%s`",
			           sample_shape(e->arena, t), name);
			diag_help(e->diag,
			          "images are [height, width, channels]; x.shape[i] gives any dimension");
			return value_error();
		}
	}
	elab_error(e, member->name_loc, "unknown-member", "tensors have no `.%s`", name);
	const Op *op = op_find(name);
	if ((op && op->call) || (e->declared && map_get(e->declared->blocks, name)))
		diag_help(e->diag, "what takes a tensor is called with an arrow: x -> %s", name);
	else if (elab_habit(e, HABIT_CALL, name, NULL, 0))
		return value_error();
	else if (nearest_word(name, member_names, MEMBER_NAMES))
		elab_suggest(e, name, member_names, MEMBER_NAMES);
	else
		diag_help(e->diag, "they have .shape, .channels, .height, .width, .size and .rank");
	return value_error();
}

/* h[-1] of [10,16] is h -> slice(0, 9, 1) -> flatten. */
static void help_with_place(Elab *e, Type t, Value i)
{
	int64_t steps = t.rank > 1 ? t.dim[1] : 0, place = i.kind == VALUE_INT ? i.integer : -1;
	place += place < 0 ? steps : 0;
	if (t.rank < 2 || place < 0 || place >= steps) {
		diag_help(e->diag, "slice(x, ...) takes a part of a tensor");
		return;
	}
	char *shape = arena_printf(e->arena, "%s", t.rank > 3 ? " -> reshape((" : " -> flatten");
	for (int k = 2; t.rank > 3 && k < t.rank; k++)
		shape = arena_printf(e->arena, "%s%lld%s", shape, (long long)t.dim[k],
		                     k < t.rank - 1 ? ", " : "))");
	diag_help(e->diag,
	          "a part of a tensor is a slice; place %lld of its first axis is: -> slice(0, %lld, 1)%s",
	          (long long)place, (long long)place, shape);
}

Value value_index(Elab *e, const Ast *index, Value x, Value i)
{
	if (value_is_error(x) || value_is_error(i))
		return value_error();
	if (!value_is_sequence(x)) {
		elab_error(e, index->loc, "operand-type", "only tuples and lists can be indexed, this is %s",
		           value_kind_text(e->arena, x));
		if (x.kind == VALUE_TENSOR)
			help_with_place(e, x.node->type, i);
		return value_error();
	}
	if (i.kind != VALUE_INT || i.unit)
		return elab_error(e, index->kids[1]->loc, "operand-type", "an index is an int, not %s",
		                  value_kind_text(e->arena, i));
	if (i.integer < -x.count || i.integer >= x.count)
		return elab_error(e, index->kids[1]->loc, "index-range", "index %lld is outside %s",
		                  (long long)i.integer, value_kind_text(e->arena, x));
	return x.items[i.integer < 0 ? i.integer + x.count : i.integer];
}
