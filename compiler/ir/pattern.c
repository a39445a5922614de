/* SPDX-License-Identifier: MIT */
/* Patterns, compared with nodes: see formula.h. */
#include "ir/formula.h"

#include "ir/known.h"
#include "ir/op.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { FACTORS = 8 };

static const double NEARLY = 1e-6, EXACTLY = 1e-12; /* of a number, relative */

bool formula_is_named(const Formula *x, const char *name)
{
	return strncmp(x->name, name, (size_t)x->length) == 0 && name[x->length] == '\0';
}

static const Matched *find_part(const Match *m, const Formula *named)
{
	for (int i = 0; i < m->count; i++) {
		const Formula *part = m->names[i].part;
		if (part->length == named->length &&
		    memcmp(part->name, named->name, (size_t)named->length) == 0)
			return &m->names[i];
	}
	return NULL;
}

const Matched *match_part(const Match *m, const Formula *named)
{
	const Matched *found = find_part(m, named);
	require(found);
	return found;
}

const Matched *match_find(const Match *m, const char *name)
{
	for (int i = 0; i < m->count; i++)
		if (formula_is_named(m->names[i].part, name))
			return &m->names[i];
	return NULL;
}

Node *matched(const Match *m, const char *name)
{
	const Matched *found = match_find(m, name);
	require(found);
	return found->node;
}

double matched_value(const Match *m, const char *name)
{
	const Matched *found = match_find(m, name);
	return found ? found->number : 0;
}

static bool is_near(double x, double number, bool nearly)
{
	return x == number || fabs(x - number) <= (nearly ? NEARLY : EXACTLY) * fabs(number);
}

static bool bind(Match *m, Matched what)
{
	const Matched *known = find_part(m, what.part);
	if (known && what.attr)
		return known->attr && attr_equal(known->attr, what.attr);
	if (known)
		return known->node == what.node && (what.node || is_near(what.number, known->number, true));
	require(m->count < MATCH_NAMES);
	m->names[m->count++] = what;
	return true;
}

static bool bind_node(Match *m, const Formula *part, const Node *n)
{
	const double number = node_is_constant(n) ? node_real(n, "value") : 0;
	return bind(m, (Matched){.part = part, .node = (Node *)n, .number = number});
}

/* Whether a name is one of the letters, or such with a number after it. */
static bool is_lettered(const Formula *name, const char *letters)
{
	for (int i = 1; i < name->length; i++)
		if (!isdigit((unsigned char)name->name[i]))
			return false;
	return strchr(letters, name->name[0]) != NULL;
}

static bool is_for_constants(const Formula *name)
{
	return is_lettered(name, "cd");
}

static bool suits(const Formula *name, const Node *n)
{
	if (is_lettered(name, "k"))
		return node_is_known(n);
	return !is_for_constants(name) || node_is_constant(n);
}

static bool match(const Formula *pattern, const Node *n, Match *m);

static bool match_operands(const Formula *pattern, Node *const *operands, bool swapped, Match *m)
{
	int i = 0;
	for (const Formula *x = pattern->first; x; x = x->next, i++)
		if (!match(x, operands[swapped ? 1 - i : i], m))
			return false;
	return true;
}

static bool match_call(const Formula *pattern, const Op *op, int count, Node *const *operands, Match *m)
{
	if (pattern->op != op || (pattern->count != count && pattern->count != ANY_COUNT))
		return false;
	const Match before = *m;
	if (match_operands(pattern, operands, false, m))
		return true;
	*m = before;
	return op->flags & OP_COMMUTATIVE && match_operands(pattern, operands, true, m);
}

static bool match_attrs(const Formula *pattern, const Node *n, Match *m)
{
	for (const Formula *x = pattern->attrs; x; x = x->next) {
		const char *name = NULL;
		for (int i = 0; i < n->attr_count && !name; i++)
			name = formula_is_named(x, n->attrs[i].name) ? n->attrs[i].name : NULL;
		const Attr *attr = name ? node_attr(n, name) : NULL;
		if (!attr)
			return false;
		const bool as_number = x->first->kind == FORMULA_NUMBER;
		if (as_number ? (attr->kind == ATTR_INT ? (double)attr->i : attr->f) != x->first->number
		              : !bind(m, (Matched){.part = x->first, .attr = attr}))
			return false;
	}
	return true;
}

/* ---- products by their factors */

typedef struct Factors {
	double number;       /* of all constants */
	bool nearly;         /* one of them was rounded */
	const Formula *free; /* the name that takes whatever number is left; NULL: none */
	bool free_is_below;  /* it is divided by that */
	int count;
	struct {
		const Formula *x; /* of a pattern */
		const Node *n;    /* of a node */
		bool below;       /* it is divided by it */
	} at[FACTORS];
} Factors;

static bool is_product(const Formula *x)
{
	return x->kind == FORMULA_MINUS ||
	       (x->kind == FORMULA_CALL && !x->attrs &&
	        (strcmp(x->op->name, "mul") == 0 || strcmp(x->op->name, "div") == 0 ||
	         strcmp(x->op->name, "neg") == 0));
}

/* Names come after calls: these say what a name stands for. */
static void add_factor(Factors *f, const Formula *x, bool below)
{
	int i = f->count++;
	require(i < FACTORS);
	for (; x->kind == FORMULA_CALL && i > 0 && f->at[i - 1].x->kind == FORMULA_NAME; i--)
		f->at[i] = f->at[i - 1];
	f->at[i].x = x;
	f->at[i].below = below;
}

static void pattern_factors(Factors *f, const Formula *x, bool below, bool whole)
{
	if (x->kind == FORMULA_NUMBER) {
		f->number = below ? f->number / x->number : f->number * x->number;
		f->nearly = f->nearly || x->nearly;
	} else if (x->kind == FORMULA_NAME && is_for_constants(x)) {
		f->free = x;
		f->free_is_below = below;
	} else if (is_product(x) && (whole || !x->name)) {
		const bool divides = strcmp(x->op->name, "div") == 0;
		f->number = x->count == 1 ? -f->number : f->number;
		pattern_factors(f, x->first, below, false);
		if (x->count == 2)
			pattern_factors(f, x->first->next, below != divides, false);
	} else {
		add_factor(f, x, below);
	}
}

static bool push(Factors *f, const Node *n, bool below)
{
	if (f->count == FACTORS)
		return false;
	f->at[f->count].n = n;
	f->at[f->count++].below = below;
	return true;
}

/* Puts in the place of n what it is a product of; false: it is none. */
static bool split_factor(Factors *f, const Node *n, bool below)
{
	Node *const *x = n->operands;
	if (node_is(n, "mul") || node_is(n, "div"))
		return push(f, x[0], below) && push(f, x[1], below != node_is(n, "div"));
	if (node_is(n, "neg")) {
		f->number = -f->number;
		return push(f, x[0], below);
	}
	int times = node_is(n, "square") ? 2 : 0;
	if (node_is(n, "pow") && node_is_constant(x[1]))
		for (int i = 2; i < FACTORS; i++)
			times = node_real(x[1], "value") == i ? i : times;
	for (int i = 0; i < times; i++)
		if (!push(f, x[0], below))
			return false;
	return times > 0;
}

/* A root below is rsqrt above. */
static bool match_factor(const Formula *x, bool x_is_below, const Node *n, bool below, Match *m)
{
	if (x_is_below == below)
		return match(x, n, m);
	const bool root = x->kind == FORMULA_CALL && !x_is_below && strcmp(x->op->name, "rsqrt") == 0;
	return root && node_is(n, "sqrt") && match(x->first, n->operands[0], m);
}

static bool match_number(const Factors *p, const Factors *f, Match *m)
{
	if (!p->free)
		return is_near(f->number, p->number, p->nearly);
	const double left = f->number / p->number;
	return bind(m, (Matched){.part = p->free, .number = p->free_is_below ? 1 / left : left});
}

/* Whether the factors of the pattern that are not `done` are those of f. Depth and width: the factors. */
static bool match_factors(const Factors *p, unsigned done, Factors f, Match *m)
{
	if (f.count == 0)
		return done == (1u << p->count) - 1 && match_number(p, &f, m);
	const Node *n = f.at[--f.count].n;
	const bool below = f.at[f.count].below;
	if (node_is_constant(n)) {
		const double x = node_real(n, "value");
		f.number = below ? f.number / x : f.number * x;
		return match_factors(p, done, f, m);
	}
	const Match before = *m;
	for (int i = 0; i < p->count; i++) {
		if (!(done >> i & 1) && match_factor(p->at[i].x, p->at[i].below, n, below, m) &&
		    match_factors(p, done | 1u << i, f, m))
			return true;
		*m = before;
	}
	return split_factor(&f, n, below) && match_factors(p, done, f, m);
}

static bool match_product(const Formula *pattern, const Node *n, Match *m)
{
	Factors p = {.number = 1}, f = {.number = 1};
	pattern_factors(&p, pattern, false, true);
	return split_factor(&f, n, false) && match_factors(&p, 0, f, m);
}

/* ---- the whole */

/* What n is where reshapes take one another back. */
static const Node *unwrapped(const Node *n)
{
	const Node *inner = node_unshaped(n);
	return type_equal(inner->type, n->type) ? inner : n;
}

/* Patterns are a few parts deep, and so is this recursion. */
static bool match(const Formula *pattern, const Node *n, Match *m)
{
	n = m->by_factors ? unwrapped(n) : n;
	if (pattern->kind == FORMULA_NAME)
		return suits(pattern, n) && bind_node(m, pattern, n);
	if (pattern->kind == FORMULA_NUMBER)
		return node_is_constant(n) &&
		       (m->by_factors ? is_near(node_real(n, "value"), pattern->number, pattern->nearly)
		                      : node_real(n, "value") == pattern->number);
	if (m->by_factors && is_product(pattern))
		return match_product(pattern, n, m) && (!pattern->name || bind_node(m, pattern, n));
	return match_call(pattern, n->op, n->operand_count, n->operands, m) && match_attrs(pattern, n, m) &&
	       (!pattern->name || bind_node(m, pattern, n));
}

bool formula_matches(const Formula *pattern, const Node *n, Match *m)
{
	Match own;
	m = m ? m : &own;
	m->count = 0;
	m->by_factors = false;
	return match(pattern, n, m);
}

bool formula_matches_factors(const Formula *pattern, const Node *n, Match *m)
{
	m->count = 0;
	m->by_factors = true;
	return match(pattern, n, m);
}
