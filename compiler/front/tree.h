/* SPDX-License-Identifier: MIT */
/* The parser's state, and what the grammar's actions make nodes of the syntax tree with. Private to parser.y
 * and syntax_error.c. */
#ifndef NNC_TREE_H
#define NNC_TREE_H

#include "front/scanner.h"

typedef struct Parser {
	Arena *arena;
	Diagnostics *diag;
	Scanner *scanner;
	Ast *result;
	bool definition; /* of the command line, not a file */
	bool too_high;   /* said once */
	int error_at;    /* offset of the syntax error before, -1: none */
	bool progress;   /* the last one is at another place */
} Parser;

/* ast_add within the limit of height, which keeps every recursion over the tree shallow. */
Ast *tree_add(Parser *p, Ast *parent, Ast *kid);
Ast *tree_add_kids(Parser *p, Ast *parent, const Ast *list);
/* A list that has been collected becomes what it is the list of. */
Ast *tree_as_kind(Ast *ast, AstKind kind, Loc loc, const char *name, Loc name_loc);
Ast *tree_named(Parser *p, AstKind kind, Loc loc, const char *name, Loc name_loc);
Ast *tree_node1(Parser *p, AstKind kind, Loc loc, Ast *a);
Ast *tree_node2(Parser *p, AstKind kind, Loc loc, Ast *a, Ast *b);
Ast *tree_node3(Parser *p, AstKind kind, Loc loc, Ast *a, Ast *b, Ast *c);
/* a op b, or op a when b is NULL. */
Ast *tree_operation(Parser *p, Loc loc, const char *op, Loc op_loc, Ast *a, Ast *b);
Ast *tree_arrow(Parser *p, Loc loc, Loc arrow, Ast *x, Ast *call);
Ast *tree_boolean(Parser *p, Loc loc, bool value);
/* A metric is called after the function that computes it. */
Ast *tree_metric(Parser *p, Loc loc, Ast *e);

#endif
