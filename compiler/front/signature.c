/* SPDX-License-Identifier: MIT */
/* Parameter lists, and binding arguments to them. signature.h. */
#include "front/signature.h"

#include "base/nearest.h"
#include "base/writer.h"
#include "front/eval.h"

#include <ctype.h>
#include <stdlib.h>

/* ---- reading the compiler's own signatures: "x, size: pair, pad: same|valid|pair = valid" */

static const struct TypeName {
	const char *name;
	unsigned accepts;
	const char *description;
} type_names[] = {
        {"tensor", ACCEPT_TENSOR, "a tensor"},
        {"indices", ACCEPT_INDICES, "a tensor of integers"},
        {"elements", ACCEPT_ELEMENTS, "a tensor"},
        {"tensors", ACCEPT_TENSORS, "tensors"},
        {"int", ACCEPT_INT, "an int"},
        {"real", ACCEPT_REAL, "a number"},
        {"bool", ACCEPT_BOOL, "true or false"},
        {"text", ACCEPT_TEXT, "a text in quotes"},
        {"pair", ACCEPT_PAIR, "an int or a pair of ints"},
        {"ints", ACCEPT_INTS, "ints"},
        {"normal(deviation)", ACCEPT_INIT, "a call such as normal(0.02)"},
        {"span", ACCEPT_SPAN, "a number of epochs or steps (5ep, 500it)"},
};

enum { TYPE_NAMES = sizeof type_names / sizeof *type_names };

static char *trimmed(Arena *a, const char *s, size_t n)
{
	while (n && isspace((unsigned char)*s))
		s++, n--;
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	return arena_strndup(a, s, n);
}

/* The part of s before `stop` outside parentheses; *rest is what follows, NULL at the end. */
static char *part(Arena *a, const char *s, char stop, const char **rest)
{
	int open = 0;
	const char *p = s;
	for (; *p; p++) {
		open += *p == '(' ? 1 : *p == ')' ? -1 : 0;
		if (*p == stop && open == 0)
			break;
	}
	*rest = *p ? p + 1 : NULL;
	return trimmed(a, s, (size_t)(p - s));
}

static Value parse_default(Arena *a, const char *text)
{
	if (*text == '(') {
		ARRAY(Value) items = {0};
		const char *rest = trimmed(a, text + 1, strlen(text) - 2);
		while (rest) {
			const char *item = part(a, rest, ',', &rest);
			array_push(a, &items, parse_default(a, item));
		}
		return value_sequence(VALUE_TUPLE, items.at, items.count);
	}
	if (*text == '"')
		return value_string(arena_strndup(a, text + 1, strlen(text) - 2));
	if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
		return value_bool(*text == 't');
	char *end;
	long long i = strtoll(text, &end, 10);
	if (end != text && !*end)
		return value_int(i);
	double x = strtod(text, &end);
	if (end != text && !*end)
		return value_real(x);
	return value_word(text);
}

static void parse_type(Arena *a, Parameter *p, const char *text, const char *callee)
{
	ARRAY(const char *) words = {0};
	p->type = text;
	while (text) {
		const char *name = part(a, text, '|', &text);
		int i = 0;
		while (i < TYPE_NAMES && strcmp(name, type_names[i].name) != 0)
			i++;
		if (i < TYPE_NAMES) {
			p->accepts |= type_names[i].accepts;
			continue;
		}
		if (!*name)
			bug("the signature of `%s` has an empty type", callee);
		p->accepts |= ACCEPT_WORD;
		array_push(a, &words, name);
	}
	p->words = words.at;
	p->word_count = words.count;
}

const Signature *signature_parse(Arena *a, const char *kind, const char *callee, const char *text,
                                 bool numbers_as_tensors)
{
	ARRAY(Parameter) params = {0};
	while (text && *text) {
		const char *after_colon, *after_equals;
		const char *param = part(a, text, ',', &text);
		const char *head = part(a, param, '=', &after_equals);
		Parameter p = {.name = part(a, head, ':', &after_colon), .loc = loc_none()};
		if (!*p.name)
			bug("the signature of `%s` has a parameter without a name", callee);
		if (after_colon)
			parse_type(a, &p, trimmed(a, after_colon, strlen(after_colon)), callee);
		else
			parse_type(a, &p, "tensor", callee);
		if (numbers_as_tensors && p.accepts == ACCEPT_TENSOR)
			p.accepts |= ACCEPT_NUMBER;
		if (after_equals) {
			p.has_default = true;
			p.fallback = parse_default(a, trimmed(a, after_equals, strlen(after_equals)));
			if (p.fallback.kind == VALUE_INT && p.accepts & ACCEPT_REAL &&
			    !(p.accepts & (ACCEPT_INT | ACCEPT_PAIR | ACCEPT_INTS)))
				p.fallback = value_real(value_to_real(p.fallback));
		}
		array_push(a, &params, p);
	}
	Signature *s = NEW(a, Signature);
	*s = (Signature){.callee = callee, .kind = kind, .params = params.at, .count = params.count};
	return s;
}

const Signature *signature_of_op(Elab *e, const Op *op)
{
	const Signature *s = map_get(e->signatures, op->name);
	if (!s) {
		/* Only pointwise operators without a layer of their own take numbers: max(x, 0). */
		bool numbers = (op->flags & OP_POINTWISE) && !op->build;
		s = signature_parse(e->arena, "operator", op->name, op->call, numbers);
		map_set(e->signatures, op->name, (void *)s);
	}
	return s;
}

const Signature *signature_of_block(Elab *e, const Ast *block)
{
	bool is_model = block->kind == AST_MODEL;
	char *key = arena_printf(e->arena, "%s %s", is_model ? "model" : "block", block->name);
	Signature *s = map_get(e->signatures, key);
	if (s)
		return s;
	const Ast *list = block->kids[0];
	Parameter *params = NEW_ARRAY(e->arena, Parameter, list->count);
	for (int i = 0; i < list->count; i++) {
		const Ast *param = list->kids[i];
		params[i] = (Parameter){
		        .name = param->name,
		        .accepts = ACCEPT_ANY,
		        .has_default = param->count > 0,
		        .default_ast = param->count > 0 ? param->kids[0] : NULL,
		        .loc = param->name_loc,
		};
	}
	s = NEW(e->arena, Signature);
	*s = (Signature){block->name, is_model ? "model" : "block", params, list->count};
	map_set(e->signatures, key, s);
	return s;
}

/* "conv(x, filters, size, stride = 1)" for help lines. */
static char *signature_text(Arena *a, const Signature *s)
{
	Writer *w = writer_new(a);
	write_text(w, "%s(", s->callee);
	for (int i = 0; i < s->count; i++) {
		const Parameter *p = &s->params[i];
		write_text(w, "%s%s", i ? ", " : "", p->name);
		if (p->type && !(p->accepts & (ACCEPT_TENSOR | ACCEPT_ELEMENTS | ACCEPT_TENSORS)))
			write_text(w, ": %s", p->type);
		if (p->has_default && p->type)
			write_text(w, " = %s", value_source(a, p->fallback));
		else if (p->has_default)
			write_text(w, " = ...");
	}
	write_text(w, ")");
	return arena_strdup(a, writer_text(w, NULL));
}

int signature_find(const Signature *s, const char *name)
{
	for (int i = 0; i < s->count; i++) {
		if (strcmp(s->params[i].name, name) == 0)
			return i;
	}
	return -1;
}

/* ---- does a value suit a parameter */

static bool all_ints(Value v)
{
	for (int i = 0; i < v.count; i++) {
		if (v.items[i].kind != VALUE_INT)
			return false;
	}
	return true;
}

/* With `numbers`, numbers among them are constants. */
static bool all_tensors(Value v, bool numbers)
{
	int tensors = 0;
	for (int i = 0; i < v.count; i++) {
		if (v.items[i].kind == VALUE_TENSOR)
			tensors++;
		else if (!numbers || !value_is_number(v.items[i]))
			return false;
	}
	return tensors > 0;
}

static bool is_word_of(const Parameter *p, const char *text)
{
	for (int i = 0; i < p->word_count; i++) {
		if (strcmp(p->words[i], text) == 0)
			return true;
	}
	return false;
}

static bool suits(const Parameter *p, Value v)
{
	unsigned accepts = p->accepts;
	if (accepts & ACCEPT_ANY)
		return true;
	if (v.unit)
		return accepts & ACCEPT_SPAN;
	switch (v.kind) {
	case VALUE_TENSOR:
		return accepts & (ACCEPT_ONE_TENSOR | ACCEPT_TENSORS);
	case VALUE_INT:
		return accepts & (ACCEPT_INT | ACCEPT_REAL | ACCEPT_PAIR | ACCEPT_INTS | ACCEPT_NUMBER);
	case VALUE_REAL:
		return accepts & (ACCEPT_REAL | ACCEPT_NUMBER);
	case VALUE_BOOL:
		return accepts & ACCEPT_BOOL;
	case VALUE_STRING:
		return accepts & ACCEPT_TEXT;
	case VALUE_INIT:
		return accepts & ACCEPT_INIT;
	case VALUE_WORD:
		return accepts & ACCEPT_WORD && is_word_of(p, v.text);
	case VALUE_TUPLE:
	case VALUE_LIST:
		if (accepts & ACCEPT_TENSORS && all_tensors(v, accepts & ACCEPT_REAL))
			return true;
		if (accepts & ACCEPT_PAIR && v.count == 2 && all_ints(v))
			return true;
		return accepts & ACCEPT_INTS && all_ints(v);
	default:
		return false;
	}
}

char *expected_text(Arena *a, const Parameter *p)
{
	const char *parts[TYPE_NAMES + 16];
	int count = 0;
	for (int i = 0; i < TYPE_NAMES; i++) {
		if (p->accepts & type_names[i].accepts)
			parts[count++] = type_names[i].description;
	}
	for (int i = 0; i < p->word_count && i < 16; i++)
		parts[count++] = arena_printf(a, "`%s`", p->words[i]);
	Writer *w = writer_new(a);
	for (int i = 0; i < count; i++)
		write_text(w, "%s%s", i == 0 ? "" : i == count - 1 ? " or " : ", ", parts[i]);
	return arena_strdup(a, writer_text(w, NULL));
}

/* A number where a tensor belongs: of `a + b -> f`, or of a call as it is written elsewhere, conv(3, 16, 3). */
static void help_with_tensor(Elab *e, const Signature *s, const Parameter *p, bool by_arrow)
{
	if (by_arrow) {
		diag_help(e->diag, "an arrow binds tighter than arithmetic: (a + b) -> %s", s->callee);
		return;
	}
	Writer *w = writer_new(e->arena);
	int needed = 0;
	for (int i = 0; i < s->count; i++) {
		const Parameter *other = &s->params[i];
		if (other == p || other->has_default)
			continue;
		if (other->accepts & (ACCEPT_ONE_TENSOR | ACCEPT_TENSORS))
			return;
		write_text(w, "%s%s", needed++ ? ", " : "(", other->name);
	}
	diag_help(e->diag, "the tensor comes first: x -> %s%s%s", s->callee, writer_text(w, NULL),
	          needed ? ")" : "");
}

bool check_argument(Elab *e, const Signature *s, const Parameter *p, Bound *arg)
{
	Value *v = &arg->value;
	if (value_is_error(*v))
		return false;
	if (suits(p, *v)) {
		if (v->kind == VALUE_INT && !v->unit && p->accepts & ACCEPT_REAL &&
		    !(p->accepts & (ACCEPT_INT | ACCEPT_PAIR | ACCEPT_INTS)))
			*v = value_real(value_to_real(*v));
		return true;
	}
	elab_error(e, arg->loc, "argument-type", "`%s` of `%s` must be %s, not %s", p->name, s->callee,
	           expected_text(e->arena, p), value_text(e->arena, *v));
	if (v->kind == VALUE_WORD && builtin_find(v->text))
		diag_help(e->diag, "`%s` is a function: %s", v->text, builtin_usage(builtin_find(v->text)));
	else if (v->kind == VALUE_WORD)
		elab_suggest(e, v->text, p->words, p->word_count);
	else if (v->kind == VALUE_STRING && is_word_of(p, v->text))
		diag_help(e->diag, "write it without quotes: %s = %s", p->name, v->text);
	else if (p->accepts & ACCEPT_ONE_TENSOR && value_is_number(*v))
		help_with_tensor(e, s, p, arg->by_arrow);
	else if (p->accepts & ACCEPT_ONE_TENSOR && v->kind == VALUE_LIST)
		diag_help(e->diag, "`tensor` makes a tensor of a list: %s = tensor([...])", p->name);
	else if (p->accepts & ACCEPT_INT && v->kind == VALUE_REAL)
		diag_help(e->diag, "`//` divides ints, and floor(x) and round(x) make an int of a number");
	else if (p->accepts == ACCEPT_BOOL && p->type && v->kind == VALUE_INT) /* dense(784, 10) */
		diag_help(e->diag, "it is %s", signature_text(e->arena, s));
	return false;
}

/* ---- binding */

void report_unknown_argument(Elab *e, const Signature *s, const char *name, Loc loc)
{
	const char **names = NEW_ARRAY(e->arena, const char *, s->count);
	for (int i = 0; i < s->count; i++)
		names[i] = s->params[i].name;
	elab_error(e, loc, "unknown-argument", "%s `%s` has no argument `%s`", s->kind, s->callee, name);
	if (elab_habit(e, HABIT_ARGUMENT, name, names, s->count))
		return;
	if (nearest_word(name, names, s->count))
		elab_suggest(e, name, names, s->count);
	else
		diag_help(e->diag, "it is %s", signature_text(e->arena, s));
}

static bool report_missing(Elab *e, const Signature *s, Loc call, const Bound *out)
{
	Writer *w = writer_new(e->arena);
	int missing = 0;
	for (int i = 0; i < s->count; i++) {
		if (!out[i].given && !s->params[i].has_default)
			write_text(w, "%s`%s`", missing++ ? ", " : "", s->params[i].name);
	}
	if (!missing)
		return true;
	elab_error(e, call, "missing-argument", "%s `%s` needs the argument%s %s", s->kind, s->callee,
	           missing > 1 ? "s" : "", writer_text(w, NULL));
	if (strcmp(s->kind, "model") == 0)
		diag_help(e->diag,
		          "give it with -D NAME=VALUE, in a recipe's `with`, or a default in the model");
	else
		diag_help(e->diag, "it is %s", signature_text(e->arena, s));
	return false;
}

/* The positional tensors from args[*next - 1] on as one list; *next is what follows them. */
static Argument gather_tensors(Elab *e, const Argument *args, int count, bool numbers, int *next)
{
	int first = *next - 1, n = 0;
	for (; first + n < count && !args[first + n].name; n++) {
		Value v = args[first + n].value;
		if (v.kind != VALUE_TENSOR && !(numbers && value_is_number(v)))
			break;
	}
	if (n == 0)
		return args[first];
	Value *items = NEW_ARRAY(e->arena, Value, n);
	for (int i = 0; i < n; i++)
		items[i] = args[first + i].value;
	*next = first + n;
	return (Argument){
	        .loc = args[first].loc,
	        .value = value_sequence(VALUE_LIST, items, n),
	};
}

/* Puts arguments in their places without looking at their types. */
static bool place_arguments(Elab *e, const Signature *s, const Argument *args, int count, Bound *out)
{
	bool ok = true;
	int position = 0, next;
	for (int i = 0; i < count; i = next) {
		Argument arg = args[i];
		next = i + 1;
		int at = position;
		if (arg.name) {
			at = signature_find(s, arg.name);
			if (at < 0) {
				report_unknown_argument(e, s, arg.name, arg.name_loc);
				ok = false;
				continue;
			}
		} else if (position >= s->count) {
			int given = 0;
			while (given < count && !args[given].name)
				given++;
			elab_error(e, arg.loc, "too-many-arguments",
			           "%s `%s` takes %d argument%s, here are %d", s->kind, s->callee, s->count,
			           s->count == 1 ? "" : "s", given);
			diag_help(e->diag, "it is %s", signature_text(e->arena, s));
			if (s->count > 0 && (s->params[s->count - 1].accepts & ACCEPT_INTS) &&
			    arg.value.kind == VALUE_INT)
				diag_help(e->diag,
				          "several numbers for `%s` stand in parentheses: %s = (2, 3)",
				          s->params[s->count - 1].name, s->params[s->count - 1].name);
			return false;
		} else {
			if (s->params[position].accepts & ACCEPT_TENSORS)
				arg = gather_tensors(e, args, count,
				                     s->params[position].accepts & ACCEPT_REAL, &next);
			position++;
		}
		if (out[at].given) {
			elab_error(e, arg.name ? arg.name_loc : arg.loc, "duplicate-argument",
			           "argument `%s` of `%s` is given twice", s->params[at].name, s->callee);
			diag_note(e->diag, out[at].loc, "the first one is here");
			if (!arg.name && out[at].by_name)
				diag_help(e->diag, "values in order come before named ones");
			ok = false;
			continue;
		}
		out[at] = (Bound){arg.value, arg.loc, true, arg.by_arrow, arg.name != NULL};
	}
	return ok;
}

bool place_and_check(Elab *e, const Signature *s, Loc call, const Argument *args, int count, Bound *out)
{
	for (int i = 0; i < s->count; i++)
		out[i] = (Bound){.value = s->params[i].fallback, .loc = call};
	bool ok = place_arguments(e, s, args, count, out);
	for (int i = 0; i < s->count; i++) {
		if (out[i].given)
			ok = check_argument(e, s, &s->params[i], &out[i]) && ok;
	}
	return ok;
}

bool bind_arguments(Elab *e, const Signature *s, Loc call, const Argument *args, int count, Bound *out)
{
	return place_and_check(e, s, call, args, count, out) && report_missing(e, s, call, out);
}
