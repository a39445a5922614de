/* SPDX-License-Identifier: MIT */
/* The matcher of rules.h: of the rules for a node's operator, the first whose pattern and conditions hold. */
#include "rules/rules.h"

#include "base/writer.h"
#include "ir/op.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 8 /* nodes of a pattern below one another */ };

typedef ARRAY(int) Numbers;

/* NULL */
static const Rule *rule_find(const char *name, const RuleSet **set)
{
	for (const RuleSet *s = rule_sets; s->name; s++)
		for (int i = 0; i < s->count; i++)
			if (strcmp(s->rules[i].name, name) == 0) {
				*set = s;
				return &s->rules[i];
			}
	return NULL;
}

static bool has_condition(const Rule *rule, RuleCondition *condition)
{
	for (const RuleIf *c = rule->conditions; c->holds; c++)
		if (c->holds == condition)
			return true;
	return false;
}

bool rule_is_optional(const Rule *rule)
{
	return !has_condition(rule, rule_needed);
}

char *rule_help(Arena *a, const char *name)
{
	const RuleSet *set;
	const Rule *rule = rule_find(name, &set);
	if (!rule)
		return NULL;
	return arena_printf(a, "%s: a rule of the pass `%s`\n\n    %s    ->    %s\n\n%s%s", name, set->name,
	                    rule->pattern, rule->result, rule->why, *rule->why ? "\n" : "");
}

/* The rules for an operator. Products are compared by factors: what multiplies, divides or negates is one kind. */
static void file_under(Rules *r, const char *op, int rule)
{
	Numbers *of = map_get(r->by_operator, op);
	if (!of) {
		of = NEW(r->arena, Numbers);
		map_set(r->by_operator, op, of);
	}
	array_push(r->arena, of, rule);
}

Rules *rules_new(Arena *a, const char *name)
{
	const RuleSet *set = rule_sets;
	while (strcmp(set->name, name) != 0)
		set++;
	Rules *r = NEW(a, Rules);
	*r = (Rules){.arena = a,
	             .set = set,
	             .patterns = NEW_ARRAY(a, const Formula *, set->count),
	             .results = NEW_ARRAY(a, const Formula *, set->count),
	             .scaled = formula_parse(a, "x*c"),
	             .sum = formula_parse(a, "x + y"),
	             .by_operator = map_new(a),
	             .fired = NEW_ARRAY(a, int, set->count),
	             .off = NEW_ARRAY(a, bool, set->count),
	             .settled = true};
	static const char *const products[] = {"mul", "div", "neg"};
	for (int i = 0; i < set->count; i++) {
		r->patterns[i] = formula_parse(a, set->rules[i].pattern);
		r->results[i] = set->rules[i].make ? NULL : formula_parse(a, set->rules[i].result);
		const char *op = r->patterns[i]->op->name;
		bool product = false;
		for (int k = 0; k < 3; k++)
			product = product || strcmp(products[k], op) == 0;
		for (int k = 0; k < 3 && product; k++)
			file_under(r, products[k], i);
		if (!product)
			file_under(r, op, i);
	}
	return r;
}

void rules_read(Rules *r, const Graph *g)
{
	r->graph = g;
	r->uses = graph_use_counts(r->arena, g);
	r->users = graph_users(r->arena, g);
	r->now = NEW_ARRAY(r->arena, Node *, g->count);
}

static void find_arguments(const Match *m, const char *const *names, RuleArgument *arguments)
{
	for (int i = 0; i < RULE_ARGUMENTS && names[i]; i++) {
		const Matched *is = match_find(m, names[i]);
		if (is)
			arguments[i] = (RuleArgument){is->node, is->made, is->attr, is->number};
		else
			arguments[i].number = strtod(names[i], NULL);
	}
}

static bool holds(const Rules *r, const RuleIf *condition, const Match *m)
{
	RuleArgument arguments[RULE_ARGUMENTS] = {0};
	find_arguments(m, condition->arguments, arguments);
	return condition->holds(r, arguments) != condition->negated;
}

/* n: of the graph that is read, or as it would be in the one that is made. */
static bool fits(const Rules *r, int i, const Node *n, Match *m)
{
	const bool matches = r->now ? formula_matches_factors(r->patterns[i], n, m)
	                            : formula_matches(r->patterns[i], n, m);
	for (const RuleIf *c = r->set->rules[i].conditions; matches && c->holds; c++)
		if (!holds(r, c, m))
			return false;
	return matches;
}

/* The places of n, and of what the pattern has between it and the nodes that have names. */
static Sites sites_of(Arena *a, const Node *n, const Match *m, int depth)
{
	Sites sites = n->sites;
	for (int i = 0; i < n->operand_count && depth > 0; i++) {
		bool named = node_is_leaf(n->operands[i]);
		for (int k = 0; k < m->count && !named; k++)
			named = m->names[k].node == n->operands[i];
		if (!named)
			sites = sites_union(a, sites, sites_of(a, n->operands[i], m, depth - 1));
	}
	return sites;
}

Node *rules_apply(Rules *r, Graph *to, const Node *n, Node **operands, const Rule **applied)
{
	Node now = *n;
	now.operands = operands;
	for (int i = 0; i < n->operand_count && r->now; i++)
		r->now[n->operands[i]->id] = operands[i];
	/* what says what it is of is a part of an operator already, and not to be raised */
	const bool is_part = r->now && n->of && strchr(n->of, '.') && strcmp(r->set->name, "raise") == 0;
	const Numbers *rules = map_get(r->by_operator, n->op->name);
	for (int k = 0; rules && k < rules->count; k++) {
		const int i = rules->at[k];
		Match m;
		if (r->off[i] || (is_part && !has_condition(&r->set->rules[i], rule_of_parts)) ||
		    !fits(r, i, r->now ? n : &now, &m))
			continue;
		Build b = build_beside(to, n);
		b.real = n->type.dtype;
		if (r->now)
			b.sites = sites_of(to->arena, n, &m, DEEPEST);
		for (int j = 0; j < m.count && r->now; j++)
			m.names[j].made = m.names[j].node ? r->now[m.names[j].node->id] : NULL;
		const Rule *rule = &r->set->rules[i];
		RuleArgument arguments[RULE_ARGUMENTS] = {0};
		find_arguments(&m, rule->arguments, arguments);
		Node *y = rule->make ? rule->make(r, &b, n, arguments) : build_matched(&b, r->results[i], &m);
		if (!y || !type_equal(y->type, n->type))
			continue;
		r->fired[i]++;
		*applied = rule;
		if (r->now)
			r->now[n->id] = y;
		return y;
	}
	return NULL;
}

char *rules_applied(Arena *a, const Rules *r)
{
	Writer *w = writer_new(a);
	const char *between = "";
	for (int i = 0; i < r->set->count; i++) {
		if (r->fired[i] == 0)
			continue;
		write_text(w, "%s%s%s", between, r->set->rules[i].name,
		           r->fired[i] > 1 ? arena_printf(a, " %d times", r->fired[i]) : "");
		between = ", ";
	}
	return *between ? (char *)writer_text(w, NULL) : NULL;
}
