/* SPDX-License-Identifier: MIT */
/* Syntax tree nodes: making and printing. */
#include "front/ast.h"
#include "base/array.h"
#include "base/writer.h"
#include <stdlib.h>

Ast *ast_new(Arena *a, AstKind kind, Loc loc)
{
	Ast *ast = NEW(a, Ast);
	ast->kind = kind;
	ast->loc = loc;
	return ast;
}

Ast *ast_add(Arena *a, Ast *parent, Ast *kid)
{
	if (!kid)
		return parent;
	if (parent->count == parent->room)
		parent->kids = array_grow(a, parent->kids, &parent->room, sizeof *parent->kids);
	parent->kids[parent->count++] = kid;
	parent->loc = loc_join(parent->loc, kid->loc);
	if (parent->height <= kid->height)
		parent->height = kid->height + 1;
	return parent;
}

const char *ast_kind_name(AstKind kind)
{
	static const char *const names[] = {
#define AST_NAME_TEXT(k) #k,
	        AST_KINDS(AST_NAME_TEXT)
#undef AST_NAME_TEXT
	};
	return names[kind];
}

/* A short text that reads back as the same number. */
static char *real_text(Arena *a, double x)
{
	for (int digits = 6; digits < 17; digits++) {
		char *text = arena_printf(a, "%.*g", digits, x);
		if (strtod(text, NULL) == x)
			return text;
	}
	return arena_printf(a, "%.17g", x);
}

/* The string in quotes, with the escapes of the language. */
static char *quoted(Arena *a, const char *s)
{
	char *text = arena_array(a, 2 * strlen(s) + 3, 1), *out = text;
	*out++ = '"';
	for (; *s; s++) {
		if (strchr("\"\\\n\t", *s))
			*out++ = '\\';
		*out++ = *s == '\n' ? 'n' : *s == '\t' ? 't' : *s;
	}
	*out = '"';
	return printable(a, text);
}

static void write_node(Arena *a, Writer *w, const Ast *ast, int depth, bool with_lines)
{
	write_text(w, "%*s%s", 2 * depth, "", ast_kind_name(ast->kind));
	if (ast->kind == AST_INT || ast->kind == AST_LANGUAGE)
		write_text(w, " %lld", (long long)ast->integer);
	else if (ast->kind == AST_REAL)
		write_text(w, " %s", real_text(a, ast->real));
	else if (ast->kind == AST_BOOL)
		write_text(w, ast->integer ? " true" : " false");
	else if (ast->kind == AST_STRING)
		write_text(w, " %s", quoted(a, ast->text));
	if (ast->name)
		write_text(w, " %s", ast->kind == AST_USE ? quoted(a, ast->name) : ast->name);
	if (ast->kind == AST_TRAIN && ast->text)
		write_text(w, " as %s", ast->text);
	if ((ast->kind == AST_TRAIN || ast->kind == AST_MODEL) && ast->other)
		write_text(w, " from %s", ast->other);
	if (with_lines && ast->loc.source) {
		int line, column;
		loc_position(ast->loc, &line, &column);
		write_text(w, " @%d:%d", line, column);
	}
	write_text(w, "\n");
	/* No deeper than LIMIT_TREE, which the parser has seen to. */
	for (int i = 0; i < ast->count; i++)
		write_node(a, w, ast->kids[i], depth + 1, with_lines);
}

char *ast_text(Arena *a, const Ast *ast, bool with_lines)
{
	Arena *scratch = arena_new();
	Writer *w = writer_new(scratch);
	write_node(scratch, w, ast, 0, with_lines);
	char *text = arena_strdup(a, writer_text(w, NULL));
	arena_free(scratch);
	return text;
}
