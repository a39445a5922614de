/* SPDX-License-Identifier: MIT */
/* Formulas as trees: what build_formula makes nodes of, and what a pass's patterns are compared with nodes by.
 *
 * A pattern is a formula over names. A name stands for any node, `c` and `d` for constants alone, `k` for what is
 * computed of constants (ir/known.h), also with a number behind it; one that stands twice stands for one node. `name:
 * f(...)` gives what matches f(...) a name too. A call may be of any operator, a number matches the constant of that
 * value, and operators whose operands' order makes no difference match either order.
 *
 * `f(x) {axes = A, by = 1}` says what attributes are: a number, or a name for what it is, which is the same wherever
 * the name stands. In a replacement `{..y}` are those of what the pattern calls y, and what follows changes them; `!A`
 * is 0 where A is not 0, and else 1; `first(A)` is the first number of a list, `A[B]` the one with number B. `~0.7071`
 * is a number that was rounded. */
#ifndef NNC_FORMULA_H
#define NNC_FORMULA_H

#include "ir/graph.h"

typedef enum {
	FORMULA_NAME,
	FORMULA_NUMBER,
	FORMULA_CALL,
	FORMULA_MINUS,
	FORMULA_ATTR, /* an attribute of a call: its name, and `first`, a name or a number */
	FORMULA_LIKE, /* the attributes of what has the name */
} FormulaKind;

typedef enum { ATTR_AS_IT_IS, ATTR_NOT, ATTR_FIRST, ATTR_AT } AttrChange;

typedef struct Formula Formula;
struct Formula {
	FormulaKind kind;
	const char *name; /* of a FORMULA_NAME; of another part what a pattern calls it, or NULL */
	int length;       /* of the name, which other text follows */
	double number;
	bool nearly;                 /* of a number: it was rounded */
	AttrChange change;           /* of an attribute */
	const Formula *attrs;        /* of a call: the first */
	const Op *op;                /* of a call, or `neg` */
	int count;                   /* of operands; ANY_COUNT: `f(*)`, which says nothing of them */
	const Formula *first, *next; /* its first operand; the operand after this one */
};

enum { MATCH_NAMES = 12, ANY_COUNT = -1 };

/* What a name of a pattern stands for. */
typedef struct Matched {
	const Formula *part; /* that has the name */
	Node *node;          /* NULL: an attribute, or a number that several constants make together */
	Node *made;          /* of the node, in the graph that is built; NULL: the node itself */
	const Attr *attr;
	double number; /* of a constant */
} Matched;

typedef struct Match {
	/* Products are compared by their factors, in any order and however they are put together: of x/y, -x, square(x)
	 * and whole powers too. Reshapes that another takes back are not there. */
	bool by_factors;
	int count;
	Matched names[MATCH_NAMES];
} Match;

/* All text is nnc's own: a mistake in it is a bug(). */
const Formula *formula_parse(Arena *a, const char *text);
/* Whether n is what the pattern says; *m, unless it is NULL, is what its names stand for. */
bool formula_matches(const Formula *pattern, const Node *n, Match *m);
/* The same, by factors. */
bool formula_matches_factors(const Formula *pattern, const Node *n, Match *m);
/* The node that a name of the pattern stands for; of a part of it, or of another formula, the same. */
Node *matched(const Match *m, const char *name);
const Matched *match_find(const Match *m, const char *name); /* NULL: the pattern has no such name */
const Matched *match_part(const Match *m, const Formula *named);
/* The value of the constant that it stands for; 0 where the pattern has no such name. */
double matched_value(const Match *m, const char *name);
/* The value of a formula over what the pattern's names stand for. */
Node *build_matched(Build *b, const Formula *formula, const Match *m);
bool formula_is_named(const Formula *x, const char *name);

#endif
