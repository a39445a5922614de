/* SPDX-License-Identifier: MIT */
/* C text of pointwise formulas: see expr.h. */
#include "codegen/expr.h"
#include "ir/code.h"
#include "ir/op.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Functions a formula may call, by element type; all but the C library's are in runtime/nnr_math.h. */
static const struct {
	const char *name, *f32, *f64;
} functions[] = {
        {"exp", "nnr_expf", "nnr_exp"},
        {"expm1", "nnr_expm1f", "nnr_expm1"},
        {"log", "nnr_logf", "nnr_log"},
        {"log1p", "nnr_log1pf", "nnr_log1p"},
        {"tanh", "nnr_tanhf", "nnr_tanh"},
        {"sigmoid", "nnr_sigmoidf", "nnr_sigmoid"},
        {"erf", "nnr_erff", "nnr_erf"},
        {"normal_cdf", "nnr_normal_cdff", "nnr_normal_cdf"},
        {"gelu_slope", "nnr_gelu_slopef", "nnr_gelu_slope"},
        {"pow", "nnr_powf", "nnr_pow"},
        {"max", "nnr_maxf", "nnr_max"},
        {"min", "nnr_minf", "nnr_min"},
        {"uniform", "nnr_uniformf", "nnr_uniform"},
        {"round_tf32", "nnr_round_tf32f", "nnr_round_tf32"},
        {"sin", "sinf", "sin"},
        {"cos", "cosf", "cos"},
        {"sqrt", "sqrtf", "sqrt"},
        {"fabs", "fabsf", "fabs"},
        {"floor", "floorf", "floor"},
        {"INFINITY", "INFINITY", "INFINITY"},
};

const char *dtype_c_name(DType d)
{
	static const char *const names[DTYPE_COUNT] = {"float",  "double",  "NnrBf16",
	                                               "NnrF16", "int32_t", "uint8_t"};
	return names[d];
}

const char *dtype_value_name(DType d)
{
	return dtype_c_name(dtype_is_half(d) ? DTYPE_F32 : d);
}

const char *dtype_runtime_name(DType d)
{
	static const char *const names[DTYPE_COUNT] = {"NNR_F32", "NNR_F64", "NNR_BF16",
	                                               "NNR_F16", "NNR_I32", "NNR_U8"};
	return names[d];
}

char *c_number(Arena *a, double value, bool in_double)
{
	if (!in_double &&
	    (isinf((float)value) || (float)value == 0)) /* compilers would warn of what was written */
		value = (float)value;
	if (isnan(value))
		return arena_strdup(a, "NAN");
	if (isinf(value))
		return arena_strdup(a, value > 0 ? "INFINITY" : "(-INFINITY)");
	char *text = NULL;
	for (int digits = 1; digits <= 17; digits++) {
		text = arena_printf(a, "%.*g", digits, value);
		double back = strtod(text, NULL);
		if (in_double ? back == value : (float)back == (float)value)
			break;
	}
	if (!strpbrk(text, ".e"))
		text = arena_printf(a, "%s.0", text);
	if (!in_double)
		text = arena_printf(a, "%sf", text);
	return value < 0 ? arena_printf(a, "(%s)", text) : text;
}

/* The bracket that closes the one at `open`; NULL: none does. */
static const char *closing(const char *open)
{
	int depth = 0;
	for (const char *p = open; *p; p++) {
		depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
		if (depth == 0)
			return p;
	}
	return NULL;
}

/* Binds closer than any operator: `x`, `1e-05f`, `s->rate`, `x[i]`, `sqrtf(x)`, `(x + y)`. */
static bool atomic(const char *text)
{
	const char *p = text;
	if (isdigit((unsigned char)*p))
		for (; in_word(*p) || *p == '.' || (*p == '-' && p[-1] == 'e'); p++)
			;
	else
		for (; in_word(*p) || *p == '.' || strncmp(p, "->", 2) == 0; p++)
			p += *p == '-';
	const char *end = *p == '(' || *p == '[' ? closing(p) : NULL;
	return *p == '\0' || (end && end[1] == '\0');
}

static char *operand_text(Arena *a, const char *text)
{
	return atomic(text) ? arena_strdup(a, text) : arena_printf(a, "(%s)", text);
}

static char *word_text(Arena *a, const Node *n, const ExprWords *words, const char *word, bool in_double)
{
	for (int i = 0; i < n->operand_count; i++)
		if (strcmp(word, op_operand_name(a, n->op, i)) == 0)
			return operand_text(a, words->operands[i]);
	const Attr *attr = node_attr(n, word);
	if (attr && attr->kind == ATTR_REAL)
		return c_number(a, attr->f, in_double);
	if (words->stream && strcmp(word, "stream") == 0)
		return arena_strdup(a, words->stream);
	if (attr && attr->kind == ATTR_INT)
		return arena_printf(a, "%lld", (long long)attr->i);
	if ((n->op->flags & OP_BY_ELEMENT) && strcmp(word, "i") == 0)
		return operand_text(a, words->index);
	if ((n->op->flags & OP_BY_COLUMN) && strcmp(word, "c") == 0)
		return operand_text(a, words->last);
	if (n->op->place && strcmp(word, "on") == 0)
		return operand_text(a, words->on);
	if ((n->op->flags & OP_SEEDED) && strcmp(word, "seed") == 0)
		return arena_strdup(a, "s->seed");
	if ((n->op->flags & OP_SEEDED) && strcmp(word, "step") == 0)
		return arena_strdup(a, "(uint64_t)s->step");
	if ((n->op->flags & OP_SEEDED) && strcmp(word, "rank") == 0)
		return arena_strdup(a, "s->rank");
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		if (strcmp(word, functions[i].name) == 0)
			return arena_strdup(a, in_double ? functions[i].f64 : functions[i].f32);
	bug("the formula of `%s` says `%s`, which is nothing", n->op->name, word);
}

/* "x > 0" of a comparison's text "x > 0 ? 1 : 0", which a choice can take as it is; NULL of any other text. */
static char *condition_text(Arena *a, const char *text)
{
	static const char truth[] = " ? 1 : 0";
	size_t n = strlen(text), m = strlen(truth);
	return n > m && strcmp(text + n - m, truth) == 0 ? arena_strndup(a, text, n - m) : NULL;
}

const char *without_brackets(Arena *a, const char *text)
{
	const char *end = *text == '(' ? closing(text) : NULL;
	return end && end[1] == '\0' ? arena_strndup(a, text + 1, strlen(text) - 2) : text;
}

char *expr_text(Arena *a, const Node *n, const ExprWords *words)
{
	static const char asks[] = " != 0 ? "; /* a formula, of an operand that may be a condition's truth */
	bool in_double = words->in_double || n->type.dtype == DTYPE_F64;
	if (n->op->flags & OP_CONVERTS) {
		char *x = operand_text(a, words->operands[0]);
		bool widens = dtype_is_half(n->operands[0]->type.dtype) && n->type.dtype == DTYPE_F32;
		if (words->in_double || widens)
			return x;
		if (dtype_is_half(n->type.dtype))
			return arena_printf(a, "nnr_%s(%s)", dtype_name(n->type.dtype), words->operands[0]);
		return arena_printf(a, "(%s)%s", dtype_c_name(n->type.dtype), x);
	}
	if (n->op->flags & OP_ALIAS)
		return arena_strdup(a, words->operands[0]);
	char *out = arena_strdup(a, "");
	for (const char *p = n->op->expr; *p;) {
		const char *start = p;
		if (isalpha((unsigned char)*p) || *p == '_') {
			while (in_word(*p))
				p++;
			char *word = arena_strndup(a, start, (size_t)(p - start));
			const char *text = word_text(a, n, words, word, in_double);
			const char *condition = strncmp(p, asks, sizeof asks - 1) == 0
			                                ? condition_text(a, without_brackets(a, text))
			                                : NULL;
			if (condition) {
				out = arena_printf(a, "%s%s", out, condition);
				p += strlen(" != 0");
				continue;
			}
			size_t length = strlen(out);
			bool argument = length >= 2 &&
			                (out[length - 1] == '(' || strcmp(out + length - 2, ", ") == 0) &&
			                (*p == ')' || *p == ',');
			out = arena_printf(a, "%s%s", out, argument ? without_brackets(a, text) : text);
		} else if (isdigit((unsigned char)*p)) {
			bool real = false;
			for (; in_word(*p) || *p == '.'; p++)
				real = real || *p == '.' || *p == 'e';
			char *digits = arena_strndup(a, start, (size_t)(p - start));
			out = arena_printf(a, "%s%s", out,
			                   real ? c_number(a, strtod(digits, NULL), in_double) : digits);
		} else {
			out = arena_printf(a, "%s%c", out, *p++);
		}
	}
	return out;
}

int expr_mentions(Arena *a, const Node *n, int i)
{
	if (!n->op->expr)
		return 1;
	const char *name = op_operand_name(a, n->op, i);
	size_t length = strlen(name);
	int count = 0;
	for (const char *p = strstr(n->op->expr, name); p; p = strstr(p + length, name)) {
		bool starts = p == n->op->expr || !in_word(p[-1]);
		count += starts && !in_word(p[length]);
	}
	return count;
}

bool is_c_word(const char *text)
{
	const char *at = text;
	while (in_word(*at))
		at++;
	return at > text && !*at;
}
