/* SPDX-License-Identifier: MIT */
/* Rules that rewrite graphs: data, in the files *.rules of this folder, of which rules.awk makes tables. The language
 * is in README.md here. */
#ifndef NNC_RULES_H
#define NNC_RULES_H

#include "ir/formula.h"

enum { RULE_ARGUMENTS = 4, RULE_CONDITIONS = 8 };

typedef struct Rules Rules;

/* What a name in a condition stands for, or the number there. */
typedef struct RuleArgument {
	const Node *node; /* of the graph that is read */
	Node *made;       /* of it so far; NULL for what the rule is applied to */
	const Attr *attr;
	double number;
} RuleArgument;

/* conditions.c */
typedef bool RuleCondition(const Rules *r, const RuleArgument *arguments);

/* What a rule does not claim, for its proof (tests/ops/rules.c): to be right for infinities; to have the same gradient
 * where operands are the same. They hold always. */
RuleCondition rule_finite, rule_untied;
RuleCondition rule_needed, rule_of_parts;

/* made.c: what takes the place of n, where a formula can't say it; NULL: the rule does not apply after all. */
typedef Node *RuleMaker(const Rules *r, Build *b, const Node *n, const RuleArgument *arguments);

/* Those that are an expression of r, b, n and x. */
#define CONDITION(name, holds)                                  \
	bool rule_##name(const Rules *r, const RuleArgument *x) \
	{                                                       \
		return holds;                                   \
	}                                                       \
	RuleCondition rule_##name
#define MAKER(name, makes)                                                                \
	Node *make_##name(const Rules *r, Build *b, const Node *n, const RuleArgument *x) \
	{                                                                                 \
		return makes;                                                             \
	}                                                                                 \
	RuleMaker make_##name

typedef struct RuleIf {
	RuleCondition *holds; /* NULL: there are no more */
	bool negated;
	const char *arguments[RULE_ARGUMENTS];
} RuleIf;

typedef struct Rule {
	const char *name, *pattern, *result, *why;
	RuleIf conditions[RULE_CONDITIONS];
	RuleMaker *make; /* what `@NAME(...)` says in the place of a result; NULL: it is a formula */
	const char *arguments[RULE_ARGUMENTS];
} Rule;

typedef struct RuleSet {
	const char *name;
	const Rule *rules;
	int count;
} RuleSet;

extern const RuleSet rule_sets[]; /* ends in a name of NULL */
/* Whether -fno-NAME may leave it out. */
bool rule_is_optional(const Rule *rule);
char *rule_help(Arena *a, const char *name); /* text of `nnc help NAME`; NULL: no rule has the name */

/* The rules of a set, to be applied node by node in graph_rewrite(). */
struct Rules {
	Arena *arena;
	const RuleSet *set;
	const Formula **patterns, **results; /* by rule */
	const Formula *scaled, *sum;         /* x*c, x + y */
	Map *by_operator;                    /* what its node may be: the rules, in their order */
	int *fired;                          /* by rule: how often it was applied */
	bool *off;                           /* by rule: -fno-NAME leaves it out */
	const struct Target *target;         /* of the pass that applies them; NULL: none does */
	const struct Recipe *recipe;         /* the same; NULL: none is known */
	const Graph *graph;                  /* that is read; NULL: what is made is matched itself */
	const int *uses;                     /* by id of that */
	const NodeList *users;               /* by id of that */
	Node **now;                          /* by id of that: the node made of it */
	bool settled;                        /* the last round applied none; true from the start */
};

Rules *rules_new(Arena *a, const char *set);
/* From now on patterns are compared with g itself, by factors (formula.h), and conditions know how often a node of it
 * is used. Not said: with what is made of it, which is simpler already. */
void rules_read(Rules *r, const Graph *g);
/* What takes the place of n, by the first rule that fits, *applied; NULL: none does. For a RewriteRule. */
Node *rules_apply(Rules *r, Graph *to, const Node *n, Node **operands, const Rule **applied);
/* "relu_by_max 4 times, silu_by_exp": those that were applied; NULL: none. */
char *rules_applied(Arena *a, const Rules *r);

#endif
