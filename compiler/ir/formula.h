/* Formulas as trees: what build_formula makes nodes of, and what a pass's patterns are compared with nodes by.
 *
 * A pattern is a formula over names. A name stands for any node, `c` and `d` for constants alone; one that stands twice
 * stands for one node. `name: f(...)` gives what matches f(...) a name too. A call may be of any operator, a number
 * matches the constant of that value, and operators whose operands' order makes no difference match either order. */
#ifndef NNC_FORMULA_H
#define NNC_FORMULA_H

#include "ir/graph.h"

typedef enum { FORMULA_NAME, FORMULA_NUMBER, FORMULA_CALL, FORMULA_MINUS } FormulaKind;

typedef struct Formula Formula;
struct Formula {
	FormulaKind kind;
	const char *name; /* of a FORMULA_NAME; of another part what a pattern calls it, or NULL */
	int length;       /* of the name, which other text follows */
	double number;
	const Op *op;                /* of a call, or `neg` */
	int count;                   /* of operands */
	const Formula *first, *next; /* its first operand; the operand after this one */
};

enum { MATCH_NAMES = 8 };

/* What the names of a pattern stand for. */
typedef struct Match {
	int count;
	const Formula *parts[MATCH_NAMES]; /* that have the names */
	Node *nodes[MATCH_NAMES];
} Match;

/* All text is nnc's own: a mistake in it is a bug(). */
const Formula *formula_parse(Arena *a, const char *text);
/* Whether n is what the pattern says; *m, unless it is NULL, is what its names stand for. */
bool formula_matches(const Formula *pattern, const Node *n, Match *m);
/* The same of a node that is not there yet. */
bool formula_matches_call(const Formula *pattern, const Op *op, int count, Node *const *operands, Match *m);
/* The node that a name of the pattern stands for; of a part of it, or of another formula, the same. */
Node *matched(const Match *m, const char *name);
Node *matched_part(const Match *m, const Formula *named);
/* The value of the constant that it stands for; 0 where the pattern has no such name. */
double matched_value(const Match *m, const char *name);
/* The value of a formula over what the pattern's names stand for. */
Node *build_matched(Build *b, const Formula *formula, const Match *m);
bool formula_is_named(const Formula *x, const char *name);

#endif
