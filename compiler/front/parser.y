/* SPDX-License-Identifier: MIT */
/* The grammar. Pure: all state is in Parser; actions build syntax tree nodes and nothing else. A construct means
 * something only in elaborate.c.
 *
 * A new statement is recognised by its first word alone, for line ends are no tokens (recipes apart, see
 * scanner.c): after a complete expression an identifier or a keyword can only begin a new statement. No rule may
 * break that: nothing may be written by putting two expressions side by side, and no statement may begin with an
 * operator.
 *
 * Precedence, loosest first: if-then-else, or, and, not, comparisons (which do not chain), + -, * / // %,
 * unary -, ** (from the right), and the postfix forms x -> f(a), x.name, x[i]. */
%code requires {
#include "front/tree.h"
}

%code {
#include "front/syntax_error.h"

#define YYMAXDEPTH 4000

#define YYLLOC_DEFAULT(at, rhs, n)                                                                           \
	((at) = (n) ? loc_join(YYRHSLOC(rhs, 1), YYRHSLOC(rhs, n)) : empty_place(YYRHSLOC(rhs, 0)))

/* In the action of each `error`: scanner_recover has found where to go on, so what comes next is read afresh and its
 * mistakes are reported at once. Not twice at one place: there bison's own recovery drops the token. */
#define RECOVERED                                                                                            \
	do {                                                                                                 \
		if (p->scanner->skipping)                                                                    \
			yyclearin;                                                                           \
		if (p->progress)                                                                             \
			yyerrok;                                                                             \
	} while (0)

static Loc empty_place(Loc before)
{
	before.start = before.end;
	return before;
}

static int yylex(TokenValue *value, Loc *loc, Parser *p)
{
	int kind = scanner_next(value, loc, p->scanner);
	if (kind == YYerror) { /* reported, and recovered from, by the scanner */
		p->progress = true;
		p->error_at = loc->start;
	}
	return kind;
}

static void yyerror(Loc *loc, Parser *p, const char *message);
}

%define api.pure full
%define api.value.type {TokenValue}
%define api.location.type {Loc}
%define parse.error custom
%define parse.lac full
%locations
%param {Parser *p}
%expect 0

%token START_FILE START_DEFINITION
%token YYEOF 0 "the end of the file" NEWLINE "the end of the line"
%token <name> NAME "a name"
%token <name> LIBRARY "blocks as <transformer>"
%token <ast> INT "an integer" REAL "a real number" STRING "a string"
%token LANGUAGE "language" MODEL "model" TRAIN "train" BLOCK "block" USE "use"
%token INPUT "input" TARGET "target" PARAM "param" INIT "init" OUTPUT "output"
%token LOSS "loss" METRIC "metric" RETURN "return"
%token IF "if" THEN "then" ELSE "else" FOR "for" IN "in" REPEAT "repeat" ASSERT "assert"
%token SCAN "scan" YIELD "yield"
%token AND "and" OR "or" NOT "not" TRUE "true" FALSE "false" AS "as" WITH "with" FROM "from"
%token PLUS "+" MINUS "-" TIMES "*" DIVIDE "/" QUOTIENT "//" REMAINDER "%" POWER "**"
%token EQUAL "==" UNEQUAL "!=" LESS "<" LESS_EQUAL "<=" GREATER ">" GREATER_EQUAL ">="
%token ARROW "->" DOT "." ASSIGN "=" COLON ":" COMMA ","
%token PAREN "(" PAREN_END ")" BRACKET "[" BRACKET_END "]" BRACE "{" BRACE_END "}"
%token CALL_PAREN "a `(`" INDEX_BRACKET "a `[`" /* on the line of what they belong to: scanner.c */

%type <ast> items item definition params param_list param body statements statement if_statement scan names type
%type <ast> elements_type
%type <ast> settings setting setting_items optional_with args arg_list arg expr postfix primary call list elements
%type <name> optional_as optional_from

%precedence WORD /* an element of a setting: `a -1` is a subtraction */
%precedence "else"
%left "or"
%left "and"
%precedence "not"
%nonassoc "==" "!=" "<" ">" "<=" ">="
%left "+" "-"
%left "*" "/" "//" "%"
%precedence NEGATIVE
%right "**"

%%

start:
  START_FILE items                   { p->result = $2; }
| START_DEFINITION definition        { p->result = $2; }
;

definition:
  NAME "=" setting_items             { $$ = tree_as_kind($3, AST_ARG, @$, $1, @1); }
| NAME "." NAME "=" expr             {
                                         const char *name = arena_printf(p->arena, "%s.%s", $1, $3);
                                         $$ = tree_add(p, tree_named(p, AST_ARG, @$, name, loc_join(@1, @3)), $5);
                                     }
;

items:
  %empty                             { $$ = ast_new(p->arena, AST_FILE, @$); }
| items item                         { $$ = tree_add(p, $1, $2); }
| items error                        { RECOVERED; $$ = tree_add(p, $1, ast_new(p->arena, AST_ERROR, @2)); }
;

item:
  "language" INT                     { $$ = $2; $$->kind = AST_LANGUAGE; $$->loc = @$; }
| "use" STRING                       { $$ = tree_named(p, AST_USE, @$, $2->text, @2); }
| "use" LIBRARY                      { $$ = tree_named(p, AST_USE, @$, $2, @2); }
| "block" NAME params body           { $$ = tree_add(p, tree_add(p, tree_named(p, AST_BLOCK, @$, $2, @2), $3), $4); }
| "model" NAME params body           { $$ = tree_add(p, tree_add(p, tree_named(p, AST_MODEL, @$, $2, @2), $3), $4); }
| "model" NAME "from" NAME optional_with
                                     {
                                         $$ = tree_add(p, tree_named(p, AST_MODEL, @$, $2, @2), $5);
                                         $$->other = $4;
                                     }
| "train" NAME optional_as optional_from optional_with "{" settings "}"
                                     {
                                         $$ = tree_add(p, tree_add(p, tree_named(p, AST_TRAIN, @$, $2, @2), $5), $7);
                                         $$->text = $3;
                                         $$->other = $4;
                                     }
;

params:
  %empty                             { $$ = ast_new(p->arena, AST_PARAMS, @$); }
| CALL_PAREN ")"                     { $$ = ast_new(p->arena, AST_PARAMS, @$); }
| CALL_PAREN param_list optional_comma ")"
                                     { $$ = $2; }
;

param_list:
  param                              { $$ = tree_node1(p, AST_PARAMS, @$, $1); }
| param_list "," param               { $$ = tree_add(p, $1, $3); }
;

param:
  NAME                               { $$ = tree_named(p, AST_PARAM, @$, $1, @1); }
| NAME "=" expr                      { $$ = tree_add(p, tree_named(p, AST_PARAM, @$, $1, @1), $3); }
;

body:
  "{" statements "}"                 { $$ = $2; $$->loc = @$; }
;

statements:
  %empty                             { $$ = ast_new(p->arena, AST_BODY, @$); }
| statements statement               { $$ = tree_add(p, $1, $2); }
| statements error                   { RECOVERED; $$ = tree_add(p, $1, ast_new(p->arena, AST_ERROR, @2)); }
;

statement:
  "input" NAME ":" type              { $$ = tree_add(p, tree_named(p, AST_INPUT, @$, $2, @2), $4); }
| "target" NAME ":" type             { $$ = tree_add(p, tree_named(p, AST_TARGET, @$, $2, @2), $4); }
| "param" NAME ":" type              { $$ = tree_add(p, tree_named(p, AST_LEARNED, @$, $2, @2), $4); }
| "param" NAME ":" type "init" expr  {
                                         $$ = tree_add(p, tree_named(p, AST_LEARNED, @$, $2, @2), $4);
                                         $$ = tree_add(p, $$, $6);
                                     }
| NAME "=" expr                      { $$ = tree_add(p, tree_named(p, AST_ASSIGN, @$, $1, @1), $3); }
| "(" names ")" "=" expr             { $$ = tree_add_kids(p, tree_node1(p, AST_ASSIGN, @$, $5), $2); }
| "loss" expr                        { $$ = tree_node1(p, AST_LOSS, @$, $2); }
| "metric" expr                      { $$ = tree_metric(p, @$, $2); }
| "output" expr                      { $$ = tree_node1(p, AST_OUTPUT, @$, $2); }
| "return" expr                      { $$ = tree_node1(p, AST_RETURN, @$, $2); }
| NAME "=" scan                      { $$ = tree_add(p, tree_named(p, AST_ASSIGN, @$, $1, @1), $3); }
| "(" names ")" "=" scan             { $$ = tree_add_kids(p, tree_node1(p, AST_ASSIGN, @$, $5), $2); }
| "return" scan                      { $$ = tree_node1(p, AST_RETURN, @$, $2); }
| scan
| "yield" expr                       { $$ = tree_node1(p, AST_YIELD, @$, $2); }
| if_statement
| "for" NAME "in" expr body          { $$ = tree_node3(p, AST_FOR, @$, $4, $5, tree_named(p, AST_NAME, @2, $2, @2)); }
| "for" "(" names ")" "in" expr body { $$ = tree_add_kids(p, tree_node2(p, AST_FOR, @$, $6, $7), $3); }
| "repeat" expr body                 { $$ = tree_node2(p, AST_REPEAT, @$, $2, $3); }
| "assert" expr                      { $$ = tree_node1(p, AST_ASSERT, @$, $2); }
| "assert" expr "," expr             { $$ = tree_node2(p, AST_ASSERT, @$, $2, $4); }
;

if_statement:
  "if" expr body                     { $$ = tree_node2(p, AST_IF, @$, $2, $3); }
| "if" expr body "else" body         { $$ = tree_node3(p, AST_IF, @$, $2, $3, $5); }
| "if" expr body "else" if_statement { $$ = tree_node3(p, AST_IF, @$, $2, $3, $5); }
;

scan:
  "scan" NAME "in" expr optional_with body
                                     {
                                         $$ = tree_node3(p, AST_SCAN, @$, $4, $5, $6);
                                         $$ = tree_add(p, $$, tree_named(p, AST_NAME, @2, $2, @2));
                                     }
| "scan" "(" names ")" "in" expr optional_with body
                                     { $$ = tree_add_kids(p, tree_node3(p, AST_SCAN, @$, $6, $7, $8), $3); }
;

names:
  NAME                               { $$ = tree_node1(p, AST_TUPLE, @$, tree_named(p, AST_NAME, @1, $1, @1)); }
| names "," NAME                     { $$ = tree_add(p, $1, tree_named(p, AST_NAME, @3, $3, @3)); }
;

type:
  elements_type
| elements_type INDEX_BRACKET elements optional_comma "]"
                                     { $$ = tree_add(p, $1, tree_as_kind($3, AST_TYPE, @3, "", @3)); }
;

elements_type:
  NAME INDEX_BRACKET "]"             { $$ = tree_named(p, AST_TYPE, @$, $1, @1); }
| NAME INDEX_BRACKET elements optional_comma "]"
                                     { $$ = tree_as_kind($3, AST_TYPE, @$, $1, @1); }
;

optional_as:
  %empty                             { $$ = NULL; }
| "as" NAME                          { $$ = $2; }
;

optional_from:
  %empty                             { $$ = NULL; }
| "from" NAME                        { $$ = $2; }
;

optional_with:
  %empty                             { $$ = ast_new(p->arena, AST_ARGS, @$); }
| "with" "(" args ")"                { $$ = tree_as_kind($3, AST_ARGS, @$, NULL, loc_none()); }
;

settings:
  %empty                             { $$ = ast_new(p->arena, AST_BODY, @$); }
| settings setting NEWLINE           { $$ = tree_add(p, $1, $2); }
| settings error NEWLINE             { RECOVERED; $$ = tree_add(p, $1, ast_new(p->arena, AST_ERROR, @2)); }
;

setting:
  NAME                               { $$ = tree_named(p, AST_SETTING, @$, $1, @1); }
| NAME setting_items                 { $$ = tree_as_kind($2, AST_SETTING, @$, $1, @1); }
;

setting_items:
  expr                               %prec WORD { $$ = tree_node1(p, AST_SETTING, @$, $1); }
| setting_items expr                 %prec WORD { $$ = tree_add(p, $1, $2); }
| setting_items "," expr             %prec WORD { $$ = tree_add(p, $1, $3); }
;

expr:
  postfix
| "-" expr                           %prec NEGATIVE { $$ = tree_operation(p, @$, "-", @1, $2, NULL); }
| "not" expr                         { $$ = tree_operation(p, @$, "not", @1, $2, NULL); }
| expr "+" expr                      { $$ = tree_operation(p, @$, "+", @2, $1, $3); }
| expr "-" expr                      { $$ = tree_operation(p, @$, "-", @2, $1, $3); }
| expr "*" expr                      { $$ = tree_operation(p, @$, "*", @2, $1, $3); }
| expr "/" expr                      { $$ = tree_operation(p, @$, "/", @2, $1, $3); }
| expr "//" expr                     { $$ = tree_operation(p, @$, "//", @2, $1, $3); }
| expr "%" expr                      { $$ = tree_operation(p, @$, "%", @2, $1, $3); }
| expr "**" expr                     { $$ = tree_operation(p, @$, "**", @2, $1, $3); }
| expr "==" expr                     { $$ = tree_operation(p, @$, "==", @2, $1, $3); }
| expr "!=" expr                     { $$ = tree_operation(p, @$, "!=", @2, $1, $3); }
| expr "<" expr                      { $$ = tree_operation(p, @$, "<", @2, $1, $3); }
| expr "<=" expr                     { $$ = tree_operation(p, @$, "<=", @2, $1, $3); }
| expr ">" expr                      { $$ = tree_operation(p, @$, ">", @2, $1, $3); }
| expr ">=" expr                     { $$ = tree_operation(p, @$, ">=", @2, $1, $3); }
| expr "and" expr                    { $$ = tree_operation(p, @$, "and", @2, $1, $3); }
| expr "or" expr                     { $$ = tree_operation(p, @$, "or", @2, $1, $3); }
| "if" expr "then" expr "else" expr  { $$ = tree_node3(p, AST_CHOICE, @$, $2, $4, $6); }
;

postfix:
  primary
| postfix "->" call                  { $$ = tree_arrow(p, @$, @2, $1, $3); }
| postfix "." NAME                   { $$ = tree_add(p, tree_named(p, AST_MEMBER, @$, $3, @3), $1); }
| postfix INDEX_BRACKET expr "]"     { $$ = tree_node2(p, AST_INDEX, @$, $1, $3); }
;

call:
  NAME                               { $$ = tree_named(p, AST_CALL, @$, $1, @1); }
| NAME CALL_PAREN args ")"           { $$ = tree_as_kind($3, AST_CALL, @$, $1, @1); }
;

primary:
  INT
| REAL
| STRING
| "true"                             { $$ = tree_boolean(p, @$, true); }
| "false"                            { $$ = tree_boolean(p, @$, false); }
| NAME                               { $$ = tree_named(p, AST_NAME, @$, $1, @1); }
| NAME CALL_PAREN args ")"           { $$ = tree_as_kind($3, AST_CALL, @$, $1, @1); }
| "(" ")"                            { $$ = ast_new(p->arena, AST_TUPLE, @$); }
| "(" expr ")"                       { $$ = $2; }
| "(" expr "," ")"                   { $$ = tree_node1(p, AST_TUPLE, @$, $2); }
| "(" expr "," elements optional_comma ")"
                                     { $$ = tree_add_kids(p, tree_node1(p, AST_TUPLE, @$, $2), $4); }
| list
;

list:
  "[" "]"                            { $$ = ast_new(p->arena, AST_LIST, @$); }
| "[" elements optional_comma "]"    { $$ = $2; $$->loc = @$; }
;

elements:
  expr                               { $$ = tree_node1(p, AST_LIST, @$, $1); }
| elements "," expr                  { $$ = tree_add(p, $1, $3); }
;

optional_comma:
  %empty
| ","
;

args:
  %empty                             { $$ = ast_new(p->arena, AST_CALL, @$); }
| arg_list optional_comma
;

arg_list:
  arg                                { $$ = tree_node1(p, AST_CALL, @$, $1); }
| arg_list "," arg                   { $$ = tree_add(p, $1, $3); }
;

arg:
  expr                               { $$ = tree_node1(p, AST_ARG, @$, $1); }
| NAME "=" expr                      { $$ = tree_add(p, tree_named(p, AST_ARG, @$, $1, @1), $3); }
;

%%

/* ---- syntax errors */

static void yyerror(Loc *loc, Parser *p, const char *message)
{
	/* Only "memory exhausted" comes here, the limit of the stack; for the rest see yyreport_syntax_error. */
	diag_error(p->diag, *loc, "limit", "the nesting is too deep to be read");
}

static int kind_of(yysymbol_kind_t symbol)
{
	int kind = YYMAXUTOK;
	while (kind > 0 && YYTRANSLATE(kind) != symbol)
		kind--;
	return kind;
}

const char *token_name(int kind)
{
	return yysymbol_name(YYTRANSLATE(kind));
}

static int yyreport_syntax_error(const yypcontext_t *context, Parser *p)
{
	_Static_assert(YYMAXUTOK < TOKENS, "syntax_error.h has no room for a token");
	p->progress = !p->scanner->gives_up;
	if (p->scanner->gives_up) /* the end that was found is not the end */
		return 0;
	const Loc loc = *yypcontext_location(context);
	p->progress = loc.start != p->error_at;
	p->error_at = loc.start;
	if (!p->progress)
		return 0;
	yysymbol_kind_t symbols[YYNTOKENS];
	const int count = yypcontext_expected_tokens(context, symbols, YYNTOKENS);
	bool expected[TOKENS] = {0};
	for (int i = 0; i < count; i++)
		expected[kind_of(symbols[i])] = true;
	syntax_error(p, expected, kind_of(yypcontext_token(context)), loc);
	scanner_recover(p->scanner);
	return 0;
}

/* ---- the interface of ast.h and scanner.h */

static Ast *parse(Arena *a, Diagnostics *d, const Source *source, int start_kind, TokenList *list)
{
	Scanner s = {.arena = a, .diag = d, .source = source, .start_kind = start_kind, .list = list,
	             .at_line_start = true};
	Parser p = {.arena = a, .diag = d, .scanner = &s, .error_at = -1};
	p.definition = start_kind == START_DEFINITION;
	lexer_open(&s);
	yyparse(&p);
	lexer_close(&s);
	return p.result;
}

Ast *parse_with_tokens(Arena *a, Diagnostics *d, const Source *source, TokenList *list)
{
	Ast *file = parse(a, d, source, START_FILE, list);
	return file ? file : ast_new(a, AST_FILE, (Loc){.source = source, .end = source->length});
}

Ast *parse_source(Arena *a, Diagnostics *d, const Source *source)
{
	return parse_with_tokens(a, d, source, NULL);
}

Ast *parse_definition(Arena *a, Diagnostics *d, const Source *source)
{
	int errors = diag_error_count(d);
	Ast *arg = parse(a, d, source, START_DEFINITION, NULL);
	return diag_error_count(d) == errors ? arg : NULL;
}
