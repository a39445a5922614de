/* Patterns, compared with nodes: see formula.h. */
#include "ir/formula.h"

#include "ir/op.h"

#include <string.h>

bool formula_is_named(const Formula *x, const char *name)
{
	return strncmp(x->name, name, (size_t)x->length) == 0 && name[x->length] == '\0';
}

static int place_of(const Match *m, const Formula *named)
{
	for (int i = 0; i < m->count; i++)
		if (m->parts[i]->length == named->length &&
		    memcmp(m->parts[i]->name, named->name, (size_t)named->length) == 0)
			return i;
	return -1;
}

Node *matched_part(const Match *m, const Formula *named)
{
	const int i = place_of(m, named);
	require(i >= 0);
	return m->nodes[i];
}

static Node *find(const Match *m, const char *name)
{
	for (int i = 0; i < m->count; i++)
		if (formula_is_named(m->parts[i], name))
			return m->nodes[i];
	return NULL;
}

Node *matched(const Match *m, const char *name)
{
	Node *n = find(m, name);
	require(n);
	return n;
}

double matched_value(const Match *m, const char *name)
{
	const Node *n = find(m, name);
	return n ? node_real(n, "value") : 0;
}

static bool bind(Match *m, const Formula *part, const Node *n)
{
	const int i = place_of(m, part);
	if (i >= 0)
		return m->nodes[i] == n;
	require(m->count < MATCH_NAMES);
	m->parts[m->count] = part;
	m->nodes[m->count++] = (Node *)n;
	return true;
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
	if (pattern->op != op || pattern->count != count)
		return false;
	const Match before = *m;
	if (match_operands(pattern, operands, false, m))
		return true;
	*m = before;
	return op->flags & OP_COMMUTATIVE && match_operands(pattern, operands, true, m);
}

/* Patterns are a few parts deep, and so is this recursion. */
static bool match(const Formula *pattern, const Node *n, Match *m)
{
	if (pattern->kind == FORMULA_NAME) {
		const bool wants_constant = formula_is_named(pattern, "c") || formula_is_named(pattern, "d");
		return (!wants_constant || node_is_constant(n)) && bind(m, pattern, n);
	}
	if (pattern->kind == FORMULA_NUMBER)
		return node_is_constant(n) && node_real(n, "value") == pattern->number;
	return match_call(pattern, n->op, n->operand_count, n->operands, m) &&
	       (!pattern->name || bind(m, pattern, n));
}

bool formula_matches(const Formula *pattern, const Node *n, Match *m)
{
	Match own;
	m = m ? m : &own;
	m->count = 0;
	return match(pattern, n, m);
}

bool formula_matches_call(const Formula *pattern, const Op *op, int count, Node *const *operands, Match *m)
{
	m->count = 0;
	return match_call(pattern, op, count, operands, m);
}
