/* SPDX-License-Identifier: MIT */
/* Formulas: the value of "dy*(1 - y*y)" as nodes.
 *
 * Gradients, expansions and optimizers are written as formulas in their records. The grammar, loosest first:
 *
 *   compare   sum [(< | <= | > | >= | == | !=) sum]      1 where it holds, else 0
 *   sum       product {(+ | -) product}
 *   product   unary {(* | /) unary}
 *   unary     - unary | atom
 *   atom      [~] number | name | name([compare, ...]) [attributes] | name: atom | (compare)
 *   attributes {attribute, ...}, an attribute being ..name | name = (number | [!] name | first(name) | name[name])
 *
 * A name is one of the given operands; a called name is a pointwise operator. Patterns (formula.h) are such formulas
 * too. All text is nnc's own, so a mistake in it is a bug(). */
#include "ir/formula.h"

#include "ir/op.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 128 };

typedef struct Parser {
	const char *text, *at;
	Formula *parts; /* in which the tree is made */
	int count, room, depth;
} Parser;

static Formula *compare(Parser *f);

static bool accept(Parser *f, const char *token)
{
	while (*f->at == ' ')
		f->at++;
	size_t n = strlen(token);
	if (strncmp(f->at, token, n) != 0)
		return false;
	f->at += n;
	return true;
}

static void expect(Parser *f, const char *token)
{
	if (!accept(f, token))
		bug("`%s` is expected at `%s` in the formula `%s`", token, f->at, f->text);
}

static Formula *part(Parser *f, FormulaKind kind)
{
	require(f->count < f->room);
	Formula *x = &f->parts[f->count++];
	*x = (Formula){.kind = kind};
	return x;
}

static Formula *call(Parser *f, const char *op, int count, const Formula *first)
{
	Formula *x = part(f, FORMULA_CALL);
	x->op = op_find(op);
	x->count = count;
	x->first = first;
	if (!x->op)
		bug("`%s` is no operator, in the formula `%s`", op, f->text);
	return x;
}

static Formula *called(Parser *f, const char *op)
{
	if (accept(f, ")"))
		return call(f, op, 0, NULL);
	if (accept(f, "*)"))
		return call(f, op, ANY_COUNT, NULL);
	Formula *first = compare(f), *last = first;
	int count = 1;
	for (; accept(f, ","); count++) {
		last->next = compare(f);
		last = (Formula *)last->next;
	}
	expect(f, ")");
	return call(f, op, count, first);
}

static Formula *atom(Parser *f);

static int word(Parser *f)
{
	int n = 0;
	while (*f->at == ' ')
		f->at++;
	while (isalnum((unsigned char)f->at[n]) || f->at[n] == '_')
		n++;
	f->at += n;
	return n;
}

static Formula *name_part(Parser *f, FormulaKind kind)
{
	Formula *x = part(f, kind);
	x->length = word(f);
	x->name = f->at - x->length;
	return x;
}

static Formula *attribute(Parser *f)
{
	if (accept(f, ".."))
		return name_part(f, FORMULA_LIKE);
	Formula *x = name_part(f, FORMULA_ATTR);
	expect(f, "=");
	x->change = accept(f, "!") ? ATTR_NOT : accept(f, "first(") ? ATTR_FIRST : ATTR_AS_IT_IS;
	while (*f->at == ' ')
		f->at++;
	x->first = isalpha((unsigned char)*f->at) ? name_part(f, FORMULA_NAME) : atom(f);
	if (x->change == ATTR_FIRST)
		expect(f, ")");
	if (x->first->kind == FORMULA_NAME && accept(f, "[")) {
		x->change = ATTR_AT;
		((Formula *)x->first)->next = name_part(f, FORMULA_NAME);
		expect(f, "]");
	}
	return x;
}

static Formula *with_attributes(Parser *f, Formula *x)
{
	if (!accept(f, "{"))
		return x;
	Formula *last = attribute(f);
	for (x->attrs = last; accept(f, ",");) {
		last->next = attribute(f);
		last = (Formula *)last->next;
	}
	expect(f, "}");
	return x;
}

static Formula *named(Parser *f)
{
	char name[64];
	const size_t n = (size_t)word(f);
	const char *start = f->at - n;
	require(n < sizeof name);
	memcpy(name, start, n);
	name[n] = '\0';
	if (accept(f, "("))
		return with_attributes(f, called(f, name));
	Formula *x = accept(f, ":") ? atom(f) : part(f, FORMULA_NAME);
	x->name = start;
	x->length = (int)n;
	return x;
}

static Formula *atom(Parser *f)
{
	if (accept(f, "(")) {
		Formula *x = compare(f);
		expect(f, ")");
		return x;
	}
	const bool nearly = accept(f, "~");
	if (isdigit((unsigned char)*f->at) || (*f->at == '-' && isdigit((unsigned char)f->at[1]))) {
		char *end;
		Formula *x = part(f, FORMULA_NUMBER);
		x->nearly = nearly;
		x->number = strtod(f->at, &end);
		f->at = end;
		return x;
	}
	if (isalpha((unsigned char)*f->at))
		return named(f);
	bug("`%s` is not understood in the formula `%s`", f->at, f->text);
}

static Formula *unary(Parser *f)
{
	int minus = 0;
	while (accept(f, "-"))
		minus++;
	Formula *x = atom(f);
	if (minus % 2 == 0)
		return x;
	Formula *y = x->kind == FORMULA_NUMBER ? x : call(f, "neg", 1, x);
	if (y == x)
		x->number = -x->number;
	else
		y->kind = FORMULA_MINUS;
	return y;
}

typedef struct Binary {
	const char *token, *op;
} Binary;

/* The operator of the first token that stands here, or NULL. Longer tokens come first in a table. */
static const char *accept_any(Parser *f, const Binary *table)
{
	for (; table->token; table++) {
		if (accept(f, table->token))
			return table->op;
	}
	return NULL;
}

static Formula *binary(Parser *f, const char *op, Formula *x, const Formula *y)
{
	x->next = y;
	return call(f, op, 2, x);
}

static Formula *product(Parser *f)
{
	static const Binary table[] = {{"*", "mul"}, {"/", "div"}, {0}};
	Formula *x = unary(f);
	for (const char *op; (op = accept_any(f, table));)
		x = binary(f, op, x, unary(f));
	return x;
}

static Formula *sum(Parser *f)
{
	static const Binary table[] = {{"+", "add"}, {"-", "sub"}, {0}};
	Formula *x = product(f);
	for (const char *op; (op = accept_any(f, table));)
		x = binary(f, op, x, product(f));
	return x;
}

static Formula *compare(Parser *f)
{
	static const Binary table[] = {{"<=", "le"}, {">=", "ge"}, {"==", "eq"}, {"!=", "ne"},
	                               {"<", "lt"},  {">", "gt"},  {0}};
	if (++f->depth > LIMIT_NESTING)
		bug("the formula `%s` is nested too deep", f->text);
	Formula *x = sum(f);
	const char *op = accept_any(f, table);
	if (op)
		x = binary(f, op, x, sum(f));
	f->depth--;
	return x;
}

static const Formula *parse(const char *text, Formula *parts, int room)
{
	Parser f = {.text = text, .at = text, .parts = parts, .room = room};
	const Formula *x = compare(&f);
	while (*f.at == ' ')
		f.at++;
	if (*f.at)
		bug("`%s` is left over in the formula `%s`", f.at, text);
	return x;
}

const Formula *formula_parse(Arena *a, const char *text)
{
	const int room = (int)strlen(text); /* no part is shorter than a character */
	return parse(text, NEW_ARRAY(a, Formula, room), room);
}

/* ---- as nodes */

/* What the names are: those of a match, or of a list. */
typedef struct Values {
	Build *b;
	const Match *match;
	int count;
	const char *const *names;
	Node *const *nodes;
} Values;

static Node *value_of(const Values *v, const Formula *x)
{
	if (v->match) {
		const Matched *m = match_part(v->match, x);
		return m->made ? m->made : m->node ? m->node : build_constant(v->b, m->number);
	}
	for (int i = 0; i < v->count; i++)
		if (formula_is_named(x, v->names[i]))
			return v->nodes[i];
	bug("`%.*s` is not an operand of its formula", x->length, x->name);
}

static Attr attr_value(const Values *v, const Formula *x)
{
	const char *name = arena_printf(v->b->graph->arena, "%.*s", x->length, x->name);
	if (x->first->kind == FORMULA_NUMBER)
		return attr_int(name, (int64_t)x->first->number);
	const Matched *named = match_part(v->match, x->first);
	const Attr *is = named->attr;
	if (!is)
		return attr_real(name, named->number);
	if (x->change == ATTR_NOT)
		return attr_int(name, !is->i);
	if (x->change == ATTR_FIRST)
		return attr_int(name, is->ints[0]);
	if (x->change == ATTR_AT) {
		const Attr *at = match_part(v->match, x->first->next)->attr;
		int64_t each[LIMIT_RANK];
		for (int i = 0; i < at->count; i++)
			each[i] = is->ints[at->ints[i]];
		return at->kind == ATTR_INTS
		               ? attr_ints(name, arena_copy(v->b->graph->arena, each, sizeof each), at->count)
		               : attr_int(name, is->ints[at->i]);
	}
	Attr same = *is;
	same.name = name;
	return same;
}

/* The attributes that a replacement says, in `a`. */
static Attr *attrs_of(const Values *v, const Formula *call, int *count)
{
	Arena *a = v->b->graph->arena;
	Attr *attrs = NULL;
	*count = 0;
	for (const Formula *x = call->attrs; x; x = x->next) {
		if (x->kind == FORMULA_LIKE) {
			const Node *like = match_part(v->match, x)->node;
			attrs = NEW_ARRAY(a, Attr, like->attr_count);
			memcpy(attrs, like->attrs, (size_t)like->attr_count * sizeof *attrs);
			*count = like->attr_count;
			continue;
		}
		const Node so_far = {.attrs = attrs, .attr_count = *count};
		attrs = node_attrs_with(a, &so_far, attr_value(v, x), count);
	}
	return attrs;
}

/* From left to right: nodes are numbered as they are made. */
static Node *formula_value(const Values *v, const Formula *x)
{
	Node *operands[OP_MAX_OPERANDS];
	int count = 0;
	if (x->kind == FORMULA_NAME)
		return value_of(v, x);
	if (x->kind == FORMULA_NUMBER)
		return build_constant(v->b, x->number);
	require(x->count <= OP_MAX_OPERANDS);
	for (const Formula *y = x->first; y; y = y->next)
		operands[count++] = formula_value(v, y);
	if (x->kind == FORMULA_MINUS && operands[0] && node_is_constant(operands[0]))
		return build_constant(v->b, -node_real(operands[0], "value"));
	int attr_count;
	const Attr *attrs = attrs_of(v, x, &attr_count),
	           *shape = x->op->flags & OP_RESHAPES ? attr_find(attrs, attr_count, "shape") : NULL;
	if (shape)
		return build_reshape(v->b, operands[0], shape->count, shape->ints);
	return build(v->b, x->op->name, count, operands, attr_count, attrs);
}

Node *build_formula(Build *b, const char *formula, int count, const char *const *names, Node *const *values)
{
	Formula parts[MOST_PARTS];
	const Values v = {.b = b, .count = count, .names = names, .nodes = values};
	return formula_value(&v, parse(formula, parts, MOST_PARTS));
}

Node *build_matched(Build *b, const Formula *formula, const Match *m)
{
	const Values v = {.b = b, .match = m};
	return formula_value(&v, formula);
}
