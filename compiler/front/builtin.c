/* SPDX-License-Identifier: MIT */
/* Functions of compile time: on numbers, texts, tuples and lists. A table; a new function is a row. */
#include "front/eval.h"

#include <math.h>

struct Builtin {
	const char *name, *usage;
	int least, most; /* arguments; most < 0: any number */
	Value (*run)(Elab *e, Loc loc, const Argument *args, int count);
	const char *last; /* of the most arguments the last may be given by this name */
};

static Value type_error(Elab *e, const Argument *arg, const char *function, const char *expected)
{
	return elab_error(e, arg->loc, "argument-type", "`%s` takes %s, not %s", function, expected,
	                  value_text(e->arena, arg->value));
}

static Value run_len(Elab *e, Loc loc, const Argument *args, int count)
{
	Value v = args->value;
	if (value_is_sequence(v) || v.kind == VALUE_STRING)
		return value_int(v.count);
	return type_error(e, args, "len", "a tuple, a list or a text");
}

static Value run_range(Elab *e, Loc loc, const Argument *args, int count)
{
	int64_t given[3];
	for (int i = 0; i < count; i++) {
		if (args[i].value.kind != VALUE_INT)
			return type_error(e, &args[i], "range", "ints");
		given[i] = args[i].value.integer;
	}
	int64_t from = count > 1 ? given[0] : 0, to = count > 1 ? given[1] : given[0];
	int64_t step = count > 2 ? given[2] : 1;
	if (step == 0)
		return elab_error(e, args[2].loc, "division-by-zero", "the step of a range must not be 0");
	/* In double to be safe from overflow; the limit is far below its precision. */
	double length = ceil(((double)to - (double)from) / (double)step);
	if (length > LIMIT_LIST)
		return elab_error(e, loc, "list-limit", "this range has more than %d elements", LIMIT_LIST);
	int n = length > 0 ? (int)length : 0;
	if (!elab_charge(e, loc, n))
		return value_error();
	Value *items = NEW_ARRAY(e->arena, Value, n);
	for (int i = 0; i < n; i++)
		items[i] = value_int(from + i * step);
	return value_sequence(VALUE_LIST, items, n);
}

/* The extreme of the arguments, or of the one list given. */
static Value extreme(Elab *e, const Argument *args, int count, const char *name, int sign)
{
	Value all = args->value;
	bool list = count == 1 && value_is_sequence(all);
	int n = list ? all.count : count;
	if (n == 0)
		return elab_error(e, args->loc, "argument-type", "`%s` of an empty list", name);
	Value best = list ? all.items[0] : all;
	for (int i = 0; i < n; i++) {
		Value v = list ? all.items[i] : args[i].value;
		if (!value_is_number(v))
			return type_error(e, &args[list ? 0 : i], name, "numbers, or tensors");
		bool ints = v.kind == VALUE_INT && best.kind == VALUE_INT;
		bool greater = ints ? v.integer > best.integer : value_to_real(v) > value_to_real(best);
		bool less = ints ? v.integer < best.integer : value_to_real(v) < value_to_real(best);
		if (sign > 0 ? greater : less)
			best = v;
	}
	return best;
}

static Value run_min(Elab *e, Loc loc, const Argument *args, int count)
{
	return extreme(e, args, count, "min", -1);
}

static Value run_max(Elab *e, Loc loc, const Argument *args, int count)
{
	return extreme(e, args, count, "max", 1);
}

static Value run_abs(Elab *e, Loc loc, const Argument *args, int count)
{
	Value v = args->value;
	if (v.kind == VALUE_REAL)
		return value_real(fabs(v.real));
	if (v.kind == VALUE_INT)
		return v.integer < 0 ? arith_unary(e, loc, "-", v) : v;
	return type_error(e, args, "abs", "a number, or a tensor");
}

static Value to_int(Elab *e, Loc loc, const Argument *arg, const char *name, double (*rounding)(double))
{
	Value v = arg->value;
	if (v.kind == VALUE_INT)
		return v;
	if (v.kind != VALUE_REAL)
		return type_error(e, arg, name, "a number, or a tensor");
	double x = rounding(v.real);
	if (x < -0x1p63 || x >= 0x1p63)
		return elab_error(e, loc, "integer-overflow", "%s(%s) does not fit 64 bits", name,
		                  number_text(e->arena, v.real));
	return value_int((int64_t)x);
}

static Value run_floor(Elab *e, Loc loc, const Argument *args, int count)
{
	return to_int(e, loc, args, "floor", floor);
}

static Value run_ceil(Elab *e, Loc loc, const Argument *args, int count)
{
	return to_int(e, loc, args, "ceil", ceil);
}

static Value run_round(Elab *e, Loc loc, const Argument *args, int count)
{
	return to_int(e, loc, args, "round", round);
}

static Value run_sqrt(Elab *e, Loc loc, const Argument *args, int count)
{
	Value v = args->value;
	if (!value_is_number(v))
		return type_error(e, args, "sqrt", "a number, or a tensor");
	if (value_to_real(v) < 0)
		return elab_error(e, args->loc, "number-range", "sqrt of %s is no real number",
		                  value_source(e->arena, v));
	return value_real(sqrt(value_to_real(v)));
}

static Value run_str(Elab *e, Loc loc, const Argument *args, int count)
{
	Value v = args->value;
	if (v.kind == VALUE_STRING)
		return v;
	if (v.kind == VALUE_INT || v.kind == VALUE_REAL || v.kind == VALUE_BOOL)
		return value_string(value_source(e->arena, v));
	return type_error(e, args, "str", "a number or a bool");
}

static Value real_function(Elab *e, Loc loc, const Argument *args, int count, const char *name, double y)
{
	for (int i = 0; i < count; i++)
		if (!value_is_number(args[i].value))
			return type_error(e, &args[i], name, "a number, or a tensor");
	if (isfinite(y))
		return value_real(y);
	return elab_error(e, loc, "number-range", "this `%s` is no finite number", name);
}

static double real_of(const Argument *arg)
{
	return value_is_number(arg->value) ? value_to_real(arg->value) : 0;
}

static Value run_exp(Elab *e, Loc loc, const Argument *args, int count)
{
	return real_function(e, loc, args, count, "exp", exp(real_of(args)));
}

static Value run_log(Elab *e, Loc loc, const Argument *args, int count)
{
	return real_function(e, loc, args, count, "log", log(real_of(args)));
}

static Value run_sin(Elab *e, Loc loc, const Argument *args, int count)
{
	return real_function(e, loc, args, count, "sin", sin(real_of(args)));
}

static Value run_cos(Elab *e, Loc loc, const Argument *args, int count)
{
	return real_function(e, loc, args, count, "cos", cos(real_of(args)));
}

static Value run_pow(Elab *e, Loc loc, const Argument *args, int count)
{
	return real_function(e, loc, args, count, "pow", pow(real_of(args), real_of(&args[1])));
}

/* How a parameter starts; deviations and widths are not negative. */
static Value initialiser(Elab *e, const Argument *arg, const char *word, bool any_sign)
{
	Value v = arg->value;
	if (!value_is_number(v))
		return type_error(e, arg, word, "a number");
	if (!any_sign && value_to_real(v) < 0)
		return elab_error(e, arg->loc, "number-range", "`%s` takes a number of at least 0, not %s",
		                  word, value_source(e->arena, v));
	return value_init(e->arena, word, value_to_real(v));
}

static Value run_normal(Elab *e, Loc loc, const Argument *args, int count)
{
	return initialiser(e, args, "normal", false);
}

static Value run_truncated_normal(Elab *e, Loc loc, const Argument *args, int count)
{
	return initialiser(e, args, "truncated_normal", false);
}

static Value run_uniform(Elab *e, Loc loc, const Argument *args, int count)
{
	return initialiser(e, args, "uniform", false);
}

static Value run_orthogonal(Elab *e, Loc loc, const Argument *args, int count)
{
	return initialiser(e, args, "orthogonal", true);
}

static Value run_constant(Elab *e, Loc loc, const Argument *args, int count)
{
	return initialiser(e, args, "constant", true);
}

static const Builtin builtins[] = {
        {"len", "len(a)", 1, 1, run_len, NULL},
        {"range", "range(n), range(from, to), range(from, to, step)", 1, 3, run_range, NULL},
        {"min", "min(a, b, ...), min(list)", 1, -1, run_min, NULL},
        {"max", "max(a, b, ...), max(list)", 1, -1, run_max, NULL},
        {"abs", "abs(a)", 1, 1, run_abs, NULL},
        {"floor", "floor(a)", 1, 1, run_floor, NULL},
        {"ceil", "ceil(a)", 1, 1, run_ceil, NULL},
        {"round", "round(a)", 1, 1, run_round, NULL},
        {"sqrt", "sqrt(a)", 1, 1, run_sqrt, NULL},
        {"exp", "exp(a)", 1, 1, run_exp, NULL},
        {"log", "log(a)", 1, 1, run_log, NULL},
        {"sin", "sin(a)", 1, 1, run_sin, NULL},
        {"cos", "cos(a)", 1, 1, run_cos, NULL},
        {"pow", "pow(a, b)", 2, 2, run_pow, NULL},
        {"str", "str(a)", 1, 1, run_str, NULL},
        {"zeros", "zeros(4), zeros((4, 8))", 1, -1, run_zeros, NULL},
        {"ones", "ones(4), ones((4, 8))", 1, -1, run_ones, NULL},
        {"full", "full((4, 8), value)", 2, 2, run_full, NULL},
        {"arange", "arange(n), arange(from, to), arange(from, to, step)", 1, 3, run_arange, NULL},
        {"eye", "eye(n)", 1, 1, run_eye, NULL},
        {"causal_mask", "causal_mask(n)", 1, 1, run_causal_mask, NULL},
        {"tensor", "tensor([1, 2, 3])", 1, 1, run_tensor, NULL},
        {"split", "split(x, parts), split(x, [size, ...]), split(x, parts, axis = -1)", 2, 3, run_split,
         "axis"},
        {"normal", "normal(deviation)", 1, 1, run_normal, NULL},
        {"truncated_normal", "truncated_normal(deviation)", 1, 1, run_truncated_normal, NULL},
        {"uniform", "uniform(a)", 1, 1, run_uniform, NULL},
        {"constant", "constant(value)", 1, 1, run_constant, NULL},
        {"orthogonal", "orthogonal(gain)", 1, 1, run_orthogonal, NULL},
};

int builtin_count(void)
{
	return sizeof builtins / sizeof *builtins;
}

const char *builtin_name(int i)
{
	return builtins[i].name;
}

const char *builtin_usage(const Builtin *b)
{
	return b->usage;
}

const Builtin *builtin_find(const char *name)
{
	for (int i = 0; i < builtin_count(); i++) {
		if (strcmp(builtins[i].name, name) == 0)
			return &builtins[i];
	}
	return NULL;
}

Value builtin_call(Elab *e, const Builtin *b, Loc loc, const Arguments *args)
{
	for (int i = 0; i < args->count; i++) {
		const bool last = b->last && i == b->most - 1;
		if (args->at[i].name && !(last && strcmp(args->at[i].name, b->last) == 0)) {
			elab_error(e, args->at[i].name_loc, "unknown-argument",
			           "function `%s` has no argument `%s`", b->name, args->at[i].name);
			diag_help(e->diag, "it is %s", b->usage);
			return value_error();
		}
	}
	if (args->count < b->least || (b->most >= 0 && args->count > b->most)) {
		const char *id = args->count < b->least ? "missing-argument" : "too-many-arguments";
		elab_error(e, loc, id, "function `%s` does not take %d argument%s", b->name, args->count,
		           args->count == 1 ? "" : "s");
		diag_help(e->diag, "it is %s", b->usage);
		return value_error();
	}
	return b->run(e, loc, args->at, args->count);
}
