/* SPDX-License-Identifier: MIT */
#include "front/tree.h"
#include "base/limits.h"

/* An expression, or a chain of `else if`, is as high as the limit allows wherever it stands, and is refused at the
 * operator that is too much. What is around it has as much room again. */
Ast *tree_add(Parser *p, Ast *parent, Ast *kid)
{
	bool expression = parent->kind >= AST_ARGS && parent->kind <= AST_CHOICE;
	bool chain = expression || (parent->kind == AST_IF && kid->kind == AST_IF);
	if (kid->height < (chain ? LIMIT_TREE : 2 * LIMIT_TREE))
		return ast_add(p->arena, parent, kid);
	if (!p->too_high)
		diag_error(p->diag, parent->name_loc.source ? parent->name_loc : kid->loc, "limit",
		           "more than %d operators, arrows or levels depend on one another here", LIMIT_TREE);
	p->too_high = true;
	return ast_add(p->arena, parent, ast_new(p->arena, AST_ERROR, kid->loc));
}

Ast *tree_add_kids(Parser *p, Ast *parent, const Ast *list)
{
	for (int i = 0; i < list->count; i++)
		tree_add(p, parent, list->kids[i]);
	return parent;
}

Ast *tree_as_kind(Ast *ast, AstKind kind, Loc loc, const char *name, Loc name_loc)
{
	ast->kind = kind;
	ast->loc = loc;
	ast->name = name;
	ast->name_loc = name_loc;
	return ast;
}

Ast *tree_named(Parser *p, AstKind kind, Loc loc, const char *name, Loc name_loc)
{
	return tree_as_kind(ast_new(p->arena, kind, loc), kind, loc, name, name_loc);
}

Ast *tree_node1(Parser *p, AstKind kind, Loc loc, Ast *a)
{
	return tree_add(p, ast_new(p->arena, kind, loc), a);
}

Ast *tree_node2(Parser *p, AstKind kind, Loc loc, Ast *a, Ast *b)
{
	return tree_add(p, tree_node1(p, kind, loc, a), b);
}

Ast *tree_node3(Parser *p, AstKind kind, Loc loc, Ast *a, Ast *b, Ast *c)
{
	return tree_add(p, tree_node2(p, kind, loc, a, b), c);
}

Ast *tree_operation(Parser *p, Loc loc, const char *op, Loc op_loc, Ast *a, Ast *b)
{
	Ast *x = tree_add(p, tree_named(p, b ? AST_BINARY : AST_UNARY, loc, op, op_loc), a);
	return b ? tree_add(p, x, b) : x;
}

Ast *tree_arrow(Parser *p, Loc loc, Loc arrow, Ast *x, Ast *call)
{
	Ast *a = tree_named(p, AST_ARROW, loc, NULL, arrow);
	return tree_add(p, tree_add(p, a, x), call);
}

Ast *tree_boolean(Parser *p, Loc loc, bool value)
{
	Ast *x = ast_new(p->arena, AST_BOOL, loc);
	x->integer = value;
	return x;
}

Ast *tree_metric(Parser *p, Loc loc, Ast *e)
{
	const Ast *call = e->kind == AST_ARROW ? e->kids[1] : e;
	bool has_name = call->kind == AST_CALL || call->kind == AST_NAME;
	return tree_add(p, tree_named(p, AST_METRIC, loc, has_name ? call->name : NULL, call->name_loc), e);
}
