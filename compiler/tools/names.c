/* SPDX-License-Identifier: MIT */
#include "tools/names.h"

#include "front/scanner.h"
#include "parser.h"

#include <string.h>

typedef ARRAY(Token) Tokens;

/* The words of the text, without comments; what is no word of the language is left out in silence. */
static Tokens words_of(Arena *a, const Source *source)
{
	Tokens tokens = {0};
	Scanner s = {.arena = a, .diag = diagnostics_new(a, COLOR_NEVER, true, 1), .source = source};
	lexer_open(&s);
	int end = 0;
	for (;;) {
		Token t = {0};
		t.kind = lexer_token(&s, &t.value, &t.loc);
		if (t.kind == 0)
			break;
		t.column = t.loc.start - s.line_start;
		t.first = end == 0 || memchr(source->text + end, '\n', (size_t)(t.loc.start - end)) != NULL;
		end = t.loc.end;
		if (t.kind != TOKEN_COMMENT && t.kind != YYerror)
			array_push(a, &tokens, t);
	}
	lexer_close(&s);
	return tokens;
}

/* Where a top-level item begins. One that begins its line leaves whatever is open before it. */
static bool begins_item(const Token *t)
{
	return t->first && t->column == 0 &&
	       (t->kind == MODEL || t->kind == BLOCK || t->kind == TRAIN || t->kind == USE);
}

typedef struct Finder {
	Arena *arena;
	const Source *source;
	Tokens tokens;
	Names names;
	int item; /* the first of the names whose item is not closed yet */
} Finder;

static int kind_at(const Finder *f, int i)
{
	return i >= 0 && i < f->tokens.count ? f->tokens.at[i].kind : 0;
}

static void add(Finder *f, NameKind kind, int i, int item_start)
{
	if (kind_at(f, i) != NAME)
		return;
	const Token *t = &f->tokens.at[i];
	Loc item = {f->source, item_start, f->source->length};
	array_push(f->arena, &f->names, (Name){kind, t->value.name, t->loc, item});
}

/* The names of `(a, b)` or of `a` from token i on. */
static void add_targets(Finder *f, int i, int item_start)
{
	if (kind_at(f, i) != PAREN) {
		add(f, NAME_VARIABLE, i, item_start);
		return;
	}
	for (i++; kind_at(f, i) == NAME; i += 2) {
		add(f, NAME_VARIABLE, i, item_start);
		if (kind_at(f, i + 1) != COMMA)
			return;
	}
}

/* Whether a `(` at token i is the left side of `(a, b) = ...`. */
static bool is_tuple(const Finder *f, int i)
{
	for (i++; kind_at(f, i) == NAME; i += 2)
		if (kind_at(f, i + 1) != COMMA)
			return kind_at(f, i + 1) == PAREN_END && kind_at(f, i + 2) == ASSIGN;
	return false;
}

/* The names that stand in the brackets of `block f(a, b = 1)`: each after `(` or `,`. */
static void add_arguments(Finder *f, int i, int item_start)
{
	int depth = 0;
	for (; i < f->tokens.count && !begins_item(&f->tokens.at[i]); i++) {
		int kind = kind_at(f, i);
		depth += kind == PAREN || kind == BRACKET;
		depth -= kind == PAREN_END || kind == BRACKET_END;
		if (depth <= 0)
			return;
		if (depth == 1 && (kind == PAREN || kind == COMMA))
			add(f, NAME_ARGUMENT, i + 1, item_start);
	}
}

static void close_item(Finder *f, int end)
{
	for (; f->item < f->names.count; f->item++)
		if (f->names.at[f->item].kind > NAME_MODEL)
			f->names.at[f->item].item.end = end;
}

Names names_of(Arena *a, const Source *source)
{
	Finder f = {.arena = a, .source = source, .tokens = words_of(a, source)};
	int start = 0;
	bool recipe = false;
	for (int i = 0; i < f.tokens.count; i++) {
		const Token *t = &f.tokens.at[i];
		if (begins_item(t)) {
			close_item(&f, t->loc.start);
			start = t->loc.start;
			recipe = t->kind == TRAIN;
			if (t->kind != BLOCK && t->kind != MODEL)
				continue;
			add(&f, t->kind == BLOCK ? NAME_BLOCK : NAME_MODEL, i + 1, 0);
			add_arguments(&f, i + 2, start);
		} else if (recipe) {
			continue;
		} else if (t->kind == INPUT || t->kind == TARGET || t->kind == PARAM) {
			add(&f,
			    t->kind == INPUT    ? NAME_INPUT
			    : t->kind == TARGET ? NAME_TARGET
			                        : NAME_PARAM,
			    i + 1, start);
		} else if (t->kind == FOR || t->kind == SCAN ||
		           (t->first && t->kind == PAREN && is_tuple(&f, i))) {
			add_targets(&f, i + (t->kind != PAREN), start);
		} else if (t->first && t->kind == NAME && kind_at(&f, i + 1) == ASSIGN) {
			add(&f, NAME_VARIABLE, i, start);
		}
	}
	close_item(&f, source->length);
	return f.names;
}

const Name *names_find(const Names *names, const char *name, int offset)
{
	const Name *found = NULL;
	for (int i = 0; i < names->count; i++) {
		const Name *n = &names->at[i];
		bool item = n->kind <= NAME_MODEL;
		if (strcmp(n->name, name) != 0 ||
		    (!item && (offset < n->item.start || offset > n->item.end || n->loc.start > offset)))
			continue;
		if (!found || !item)
			found = n;
	}
	return found;
}

bool names_in_recipe(Arena *a, const Source *source, int offset)
{
	Tokens tokens = words_of(a, source);
	bool recipe = false;
	int depth = 0;
	for (int i = 0; i < tokens.count && tokens.at[i].loc.start < offset; i++) {
		const Token *t = &tokens.at[i];
		if (begins_item(t)) {
			recipe = t->kind == TRAIN;
			depth = 0;
		}
		depth += t->kind == BRACE;
		depth -= t->kind == BRACE_END;
	}
	return recipe && depth > 0;
}

const char *names_word(Arena *a, const Source *source, int offset, Loc *loc)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	int start = offset, end = offset;
	while (start > 0 && strchr(letters, source->text[start - 1]))
		start--;
	while (end < source->length && strchr(letters, source->text[end]))
		end++;
	*loc = (Loc){source, start, end};
	return end > start ? arena_strndup(a, source->text + start, (size_t)(end - start)) : NULL;
}
