/* SPDX-License-Identifier: MIT */
/* Between flex and bison: what depends on the tokens around a token.
 *
 * Line ends. The language is free-form, but inside the body of a `train` a setting ends with its line. There, outside
 * `(` and `[`, NEWLINE is delivered where a line ends and before the closing `}`, never two in a row.
 *
 * Calls. `y = a` followed by `(b, c) = f(x)` on the next line must not read as the call a(b, c). So a `(` calls, and
 * a `[` indexes, only on the line of what it belongs to: they are delivered as CALL_PAREN and INDEX_BRACKET.
 *
 * `init` is a word of the language after the type of a `param`, on its line, and a name elsewhere. So is `language`
 * at the beginning of a line between items.
 *
 * Recovery. After a syntax error the grammar can go on at any statement, but most words look like the beginning of
 * one. The layout tells better: the next statement is the first token of a line that stands no further right than
 * the statement with the mistake did; or the `}` that closes its body; or `model`, `block`, `train`, `use`. What is
 * in between is skipped. Before such a top-level word inside a body the missing `}` are invented. */
#include "base/limits.h"
#include "front/scanner.h"
#include "parser.h"

static const Bracket *innermost(const Scanner *s)
{
	return s->brackets.count ? &s->brackets.at[s->brackets.count - 1] : NULL;
}

static bool inside_group(const Scanner *s)
{
	const Bracket *b = innermost(s);
	return b && b->kind != BRACE;
}

static bool inside_recipe(const Scanner *s)
{
	const Bracket *b = innermost(s);
	return b && b->recipe;
}

static bool begins_item(int kind)
{
	return kind == MODEL || kind == BLOCK || kind == TRAIN || kind == USE;
}

static bool begins_statement(int kind)
{
	static const int kinds[] = {NAME,  PAREN,  BRACE_END, IF,   FOR,    REPEAT, ASSERT, RETURN,
	                            INPUT, TARGET, OUTPUT,    LOSS, METRIC, PARAM,  SCAN,   YIELD};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (kind == kinds[i])
			return true;
	return begins_item(kind);
}

/* The next token of the text, comments recorded and left out. */
static Token read_token(Scanner *s)
{
	for (;;) {
		Token t = {0};
		t.kind = lexer_token(s, &t.value, &t.loc);
		t.first = s->at_line_start;
		t.column = t.loc.start - s->line_start;
		if (s->list)
			array_push(s->arena, &s->list->tokens, t);
		s->at_line_start = false;
		if (t.kind != TOKEN_COMMENT)
			return t;
	}
}

static void close_groups(Scanner *s)
{
	while (inside_group(s))
		s->brackets.count--;
}

/* True when the grammar can go on with t after a syntax error in the body that is `level` braces deep. */
static bool resumes_at(const Scanner *s, const Token *t, int level)
{
	if (t->kind == YYEOF || (begins_item(t->kind) && t->first))
		return true;
	if (level == 0)
		return false;
	if (t->kind == BRACE_END || t->kind == NEWLINE)
		return true;
	return t->first &&
	       (inside_recipe(s) || (t->column <= s->statement_column && begins_statement(t->kind)));
}

void scanner_recover(Scanner *s)
{
	close_groups(s);
	s->expects_recipe = false;
	/* In a recipe NEWLINE goes before the first word of a line, so that word itself is no place to go on. */
	bool behind_newline = inside_recipe(s) && s->last.kind != NEWLINE && s->last.kind != BRACE_END;
	s->skip_base = s->level;
	s->skipping = behind_newline || !resumes_at(s, &s->last, s->level);
}

/* The first token from t on where the grammar can go on. Braces that open on the way are skipped whole. */
static Token skip_tokens(Scanner *s, Token t)
{
	for (;; t = read_token(s)) {
		bool skips_body = s->brackets.count > s->skip_base && t.kind != YYEOF &&
		                  !(t.first && begins_item(t.kind));
		if (!skips_body && resumes_at(s, &t, s->skip_base))
			break;
		if (t.kind == BRACE)
			array_push(s->arena, &s->brackets, (Bracket){.kind = BRACE, .loc = t.loc});
		else if (t.kind == BRACE_END && s->brackets.count)
			s->brackets.count--;
	}
	s->skipping = false;
	if (s->brackets.count > s->skip_base)
		s->brackets.count = s->skip_base;
	return t;
}

static void open_bracket(Scanner *s, Token *t)
{
	bool follows_name = s->last.kind == NAME && !s->names_setting && !t->first;
	bool follows_value =
	        follows_name || ((s->last.kind == PAREN_END || s->last.kind == BRACKET_END) && !t->first);
	Bracket b = {.kind = t->kind, .loc = t->loc};
	if (t->kind == BRACE) {
		b.recipe = s->expects_recipe;
		s->expects_recipe = false;
	} else if (t->kind == PAREN && follows_name) {
		bool declares = s->before.kind == MODEL || s->before.kind == BLOCK;
		b.callee = declares ? NULL : s->last.value.name;
		t->kind = CALL_PAREN;
	} else if (t->kind == BRACKET && follows_value) {
		t->kind = INDEX_BRACKET;
	}
	array_push(s->arena, &s->brackets, b);
	bool in_body = s->brackets.at[0].kind == BRACE; /* in which as many may be nested as elsewhere */
	if (s->brackets.count > LIMIT_NESTING + in_body && !s->gives_up) {
		diag_error(s->diag, t->loc, "limit", "brackets are nested deeper than the limit of %d",
		           LIMIT_NESTING);
		s->gives_up = true;
	}
}

static void close_bracket(Scanner *s, int kind)
{
	int open = kind == PAREN_END ? PAREN : kind == BRACKET_END ? BRACKET : BRACE;
	if (open == BRACE)
		close_groups(s);
	if (innermost(s) && innermost(s)->kind == open)
		s->brackets.count--;
}

/* What must be delivered before t although it is not in the text: NEWLINE, `}` or nothing (0). */
static int invented_before(Scanner *s, const Token *t)
{
	bool ends_bodies = t->kind == YYEOF || (begins_item(t->kind) && t->first);
	s->closing &= s->brackets.count > 0;
	if (ends_bodies && s->brackets.count && !s->closing) {
		bool in_group = inside_group(s); /* then the grammar is about to complain about that */
		close_groups(s);
		s->closing = s->brackets.count > 0;
		if (s->closing && !in_group) {
			diag_error(s->diag, t->loc, "syntax",
			           t->kind == YYEOF ? "expected `}`, found the end of the file"
			                            : "expected `}` before the next top-level item");
			diag_note(s->diag, innermost(s)->loc, "the `{` that is not closed");
		}
	}
	if (inside_recipe(s) && s->last.kind != NEWLINE && s->last.kind != BRACE &&
	    (t->first || t->kind == BRACE_END || t->kind == YYEOF))
		return NEWLINE;
	if (s->closing) {
		s->brackets.count--;
		return BRACE_END;
	}
	return 0;
}

static void remember(Scanner *s, Token t)
{
	s->before2 = s->before;
	s->before = s->last;
	s->last = t;
}

/* How things stand before the next token: for messages about it, and for recovery. */
static void note_surroundings(Scanner *s)
{
	s->level = 0;
	for (int i = 0; i < s->brackets.count; i++)
		s->level += s->brackets.at[i].kind == BRACE;
	s->has_around = s->brackets.count > 0;
	if (s->has_around)
		s->around = *innermost(s);
}

/* A name is a word of the language there. */
static void make_word(Scanner *s, Token *t, int kind)
{
	t->kind = kind;
	if (s->list)
		s->list->tokens.at[s->list->tokens.count - 1].kind = kind;
}

/* Between two items, or before the first: what they end with is delivered last. */
static bool is_between_items(const Scanner *s)
{
	static const int ends[] = {START_FILE, BRACE_END, STRING, LIBRARY, INT};
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (s->last.kind == ends[i])
			return s->brackets.count == 0;
	return false;
}

static int deliver(Scanner *s, Token t, TokenValue *value, Loc *loc)
{
	bool begins_line = s->last.kind == NEWLINE || s->last.kind == BRACE;
	if (t.first && !inside_group(s) && (begins_statement(t.kind) || s->last.kind == BRACE))
		s->statement_column = t.column;
	if (t.kind == PAREN || t.kind == BRACKET || t.kind == BRACE)
		open_bracket(s, &t);
	else if (t.kind == PAREN_END || t.kind == BRACKET_END || t.kind == BRACE_END)
		close_bracket(s, t.kind);
	else if (t.kind == TRAIN)
		s->expects_recipe = true;
	if (t.kind == NAME && s->declares_param && s->last.kind == BRACKET_END && !t.first &&
	    strcmp(t.value.name, "init") == 0)
		make_word(s, &t, INIT);
	if (t.kind == NAME && t.first && is_between_items(s) && strcmp(t.value.name, "language") == 0)
		make_word(s, &t, LANGUAGE);
	s->declares_param = t.kind == PARAM || (s->declares_param && t.kind != INIT && t.kind != BRACE_END &&
	                                        !(t.first && begins_statement(t.kind)));
	s->names_setting = inside_recipe(s) && begins_line;
	remember(s, t);
	if (t.kind == YYerror)
		scanner_recover(s);
	*value = t.value;
	*loc = t.loc;
	return t.kind;
}

int scanner_next(TokenValue *value, Loc *loc, Scanner *s)
{
	if (s->start_kind) {
		int kind = s->start_kind;
		s->start_kind = 0;
		*loc = (Loc){.source = s->source};
		s->last.kind = kind;
		return kind;
	}
	s->gives_up |= diagnostics_full(s->diag);
	if (s->gives_up) /* nothing after it is looked at */
		return deliver(s, (Token){.kind = YYEOF, .loc = s->last.loc}, value, loc);
	Token t = s->has_held ? s->held : read_token(s);
	if (s->skipping)
		t = skip_tokens(s, t);
	note_surroundings(s);
	int invented = invented_before(s, &t);
	s->has_held = invented != 0;
	if (invented) {
		s->held = t;
		t = (Token){.kind = invented, .loc = invented == NEWLINE ? place_behind(s->last.loc) : t.loc};
		remember(s, t);
		*loc = t.loc;
		return invented;
	}
	return deliver(s, t, value, loc);
}
