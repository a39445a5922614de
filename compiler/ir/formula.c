/* Formulas: the value of "dy*(1 - y*y)" as nodes.
 *
 * Gradients, expansions and optimizers are written as formulas in their records. The grammar, loosest first:
 *
 *   compare   sum [(< | <= | > | >= | == | !=) sum]      1 where it holds, else 0
 *   sum       product {(+ | -) product}
 *   product   unary {(* | /) unary}
 *   unary     - unary | atom
 *   atom      number | name | name(compare, ...) | (compare)
 *
 * A name is one of the given operands; a called name is a pointwise operator. All text is nnc's own, so a
 * mistake in it is a bug(). */
#include "ir/graph.h"

#include "ops/op.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct Formula {
	Build *b;
	const char *text, *at;
	int count, depth;
	const char *const *names;
	Node *const *values;
} Formula;

static Node *compare(Formula *f);

static bool accept(Formula *f, const char *token)
{
	while (*f->at == ' ')
		f->at++;
	size_t n = strlen(token);
	if (strncmp(f->at, token, n) != 0)
		return false;
	f->at += n;
	return true;
}

static void expect(Formula *f, const char *token)
{
	if (!accept(f, token))
		bug("`%s` is expected at `%s` in the formula `%s`", token, f->at, f->text);
}

static Node *called(Formula *f, const char *op)
{
	Node *operands[OP_MAX_OPERANDS];
	int count = 0;
	do {
		require(count < OP_MAX_OPERANDS);
		operands[count++] = compare(f);
	} while (accept(f, ","));
	expect(f, ")");
	return build(f->b, op, count, operands, 0, NULL);
}

static Node *named(Formula *f)
{
	char name[64];
	size_t n = 0;
	while (isalnum((unsigned char)f->at[n]) || f->at[n] == '_')
		n++;
	require(n < sizeof name);
	memcpy(name, f->at, n);
	name[n] = '\0';
	f->at += n;
	if (accept(f, "("))
		return called(f, name);
	for (int i = 0; i < f->count; i++) {
		if (strcmp(f->names[i], name) == 0)
			return f->values[i];
	}
	bug("`%s` is not an operand of the formula `%s`", name, f->text);
}

static Node *atom(Formula *f)
{
	if (accept(f, "(")) {
		Node *x = compare(f);
		expect(f, ")");
		return x;
	}
	if (isdigit((unsigned char)*f->at)) {
		char *end;
		double value = strtod(f->at, &end);
		f->at = end;
		return build_constant(f->b, value);
	}
	if (isalpha((unsigned char)*f->at))
		return named(f);
	bug("`%s` is not understood in the formula `%s`", f->at, f->text);
}

static Node *unary(Formula *f)
{
	int minus = 0;
	while (accept(f, "-"))
		minus++;
	Node *x = atom(f);
	if (x && minus % 2 && node_is(x, "constant"))
		return build_constant(f->b, -node_real(x, "value"));
	return minus % 2 ? build1(f->b, "neg", x) : x;
}

typedef struct Binary {
	const char *token, *op;
} Binary;

/* The operator of the first token that stands here, or NULL. Longer tokens come first in a table. */
static const char *accept_any(Formula *f, const Binary *table)
{
	for (; table->token; table++) {
		if (accept(f, table->token))
			return table->op;
	}
	return NULL;
}

static Node *product(Formula *f)
{
	static const Binary table[] = {{"*", "mul"}, {"/", "div"}, {0}};
	Node *x = unary(f);
	for (const char *op; (op = accept_any(f, table));)
		x = build2(f->b, op, x, unary(f));
	return x;
}

static Node *sum(Formula *f)
{
	static const Binary table[] = {{"+", "add"}, {"-", "sub"}, {0}};
	Node *x = product(f);
	for (const char *op; (op = accept_any(f, table));)
		x = build2(f->b, op, x, product(f));
	return x;
}

static Node *compare(Formula *f)
{
	static const Binary table[] = {{"<=", "le"}, {">=", "ge"}, {"==", "eq"}, {"!=", "ne"},
	                               {"<", "lt"},  {">", "gt"},  {0}};
	if (++f->depth > LIMIT_NESTING)
		bug("the formula `%s` is nested too deep", f->text);
	Node *x = sum(f);
	const char *op = accept_any(f, table);
	if (op)
		x = build2(f->b, op, x, sum(f));
	f->depth--;
	return x;
}

Node *build_formula(Build *b, const char *formula, int count, const char *const *names, Node *const *values)
{
	Formula f = {
	        .b = b, .text = formula, .at = formula, .count = count, .names = names, .values = values};
	Node *value = compare(&f);
	while (*f.at == ' ')
		f.at++;
	if (*f.at)
		bug("`%s` is left over in the formula `%s`", f.at, formula);
	return value;
}
