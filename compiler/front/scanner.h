/* SPDX-License-Identifier: MIT */
/* Tokens: between the flex rules (lexer.l) and the grammar (parser.y). What the rules cannot see, because it needs
 * the tokens around, is done in scanner.c: line ends that matter in recipes, `(` that calls and `(` that groups,
 * where to go on after a syntax error. Private to compiler/front. */
#ifndef NNC_SCANNER_H
#define NNC_SCANNER_H

#include "base/array.h"
#include "front/ast.h"

typedef union TokenValue {
	const char *name; /* NAME */
	Ast *ast;         /* INT, REAL, STRING; and every construct of the grammar */
} TokenValue;

typedef struct Token {
	int kind; /* of parser.h, or TOKEN_COMMENT */
	Loc loc;
	TokenValue value;
	bool first; /* on its line */
	int column; /* from 0, in bytes */
} Token;

enum { TOKEN_COMMENT = -100 };

typedef struct TokenList {
	ARRAY(Token) tokens; /* as written, comments included, without the tokens that scanner.c invents */
} TokenList;

/* An open `(`, `[` or `{`. */
typedef struct Bracket {
	int kind;
	Loc loc;
	const char *callee; /* f of f(...), else NULL */
	bool recipe;        /* the `{` of a train body */
} Bracket;

typedef struct Scanner {
	Arena *arena;
	Diagnostics *diag;
	const Source *source;
	void *flex;      /* yyscan_t */
	TokenList *list; /* where tokens are recorded, or NULL */
	int start_kind;  /* delivered before everything else: chooses what the grammar accepts; 0: none */

	int position;   /* offset of the next byte flex will match */
	int line_start; /* offset of the line it is on */
	int bad_line;   /* 1 + line_start of the line whose bad characters have been reported */
	bool at_line_start;

	Token held; /* read, but something invented goes first */
	bool has_held;
	bool closing; /* all open bodies, by invented `}`, before a new top-level item or the end */
	Token last, before, before2; /* delivered last, before it, and before that */
	Bracket around;              /* the innermost one open before `last`; for messages */
	bool has_around;
	int level;            /* braces open before `last` */
	bool names_setting;   /* last is the first word of a setting: it is not called or indexed */
	bool expects_recipe;  /* after `train`, before its `{` */
	bool declares_param;  /* in a statement that began with `param`: `init` is a word there */
	int statement_column; /* of the line that began the statement */
	bool skipping;        /* after a syntax error, up to where a statement may begin */
	int skip_base;        /* braces open where that is */
	bool gives_up;        /* nested too deep, or too many mistakes: what is after is not read */
	ARRAY(Bracket) brackets;
} Scanner;

/* The words that are no names, in order; NULL after the last. */
const char *lexer_keyword(int i);

/* What flex gives: the next token or comment of the text, without looking around. Defined in lexer.l. */
void lexer_open(Scanner *s);
int lexer_token(Scanner *s, TokenValue *value, Loc *loc);
void lexer_close(Scanner *s);

/* The place of nothing, right after loc. */
static inline Loc place_behind(Loc loc)
{
	return (Loc){.source = loc.source, .start = loc.end, .end = loc.end};
}

/* The grammar's yylex. */
int scanner_next(TokenValue *value, Loc *loc, Scanner *s);
/* To be called after each reported syntax error: what follows is skipped up to a likely beginning of a statement. */
void scanner_recover(Scanner *s);

/* parse_source that also records the tokens; for the formatter. */
Ast *parse_with_tokens(Arena *a, Diagnostics *d, const Source *source, TokenList *list);

#endif
