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
#include "base/nearest.h"
#include "front/habits.h"
#include "ops/op.h"

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
%token MODEL "model" TRAIN "train" BLOCK "block" USE "use"
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
  "use" STRING                       { $$ = tree_named(p, AST_USE, @$, $2->text, @2); }
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

/* What is expected, summed up: all the tokens together would be a page. */
typedef struct Expected {
	bool is[YYNTOKENS]; /* by symbol */
	bool expression, statement;
	bool operators; /* an operator could follow */
} Expected;

static const yysymbol_kind_t expression_starts[] = {
	YYSYMBOL_NAME, YYSYMBOL_INT, YYSYMBOL_REAL, YYSYMBOL_STRING, YYSYMBOL_TRUE, YYSYMBOL_FALSE,
	YYSYMBOL_NOT, YYSYMBOL_IF, YYSYMBOL_PAREN, YYSYMBOL_BRACKET, YYSYMBOL_MINUS, YYSYMBOL_SCAN,
};

static const yysymbol_kind_t statement_starts[] = {
	YYSYMBOL_NAME, YYSYMBOL_INPUT, YYSYMBOL_TARGET, YYSYMBOL_PARAM, YYSYMBOL_OUTPUT, YYSYMBOL_LOSS,
	YYSYMBOL_METRIC, YYSYMBOL_RETURN, YYSYMBOL_IF, YYSYMBOL_FOR, YYSYMBOL_REPEAT, YYSYMBOL_ASSERT, YYSYMBOL_PAREN,
	YYSYMBOL_SCAN, YYSYMBOL_YIELD,
};

static const yysymbol_kind_t operators[] = {
	YYSYMBOL_PLUS, YYSYMBOL_MINUS, YYSYMBOL_TIMES, YYSYMBOL_DIVIDE, YYSYMBOL_QUOTIENT, YYSYMBOL_REMAINDER,
	YYSYMBOL_POWER, YYSYMBOL_EQUAL, YYSYMBOL_UNEQUAL, YYSYMBOL_LESS, YYSYMBOL_LESS_EQUAL, YYSYMBOL_GREATER,
	YYSYMBOL_GREATER_EQUAL, YYSYMBOL_AND, YYSYMBOL_OR, YYSYMBOL_ARROW, YYSYMBOL_DOT, YYSYMBOL_CALL_PAREN,
	YYSYMBOL_INDEX_BRACKET,
};

#define DROP(e, list)                                                                                        \
	for (size_t i = 0; i < sizeof(list) / sizeof *(list); i++)                                           \
	(e)->is[(list)[i]] = false

static Expected expected_tokens(const yypcontext_t *context)
{
	yysymbol_kind_t symbols[YYNTOKENS];
	int count = yypcontext_expected_tokens(context, symbols, YYNTOKENS);
	Expected e = {0};
	for (int i = 0; i < count; i++)
		e.is[symbols[i]] = true;
	e.expression = e.is[YYSYMBOL_INT];
	e.statement = e.is[YYSYMBOL_ASSERT];
	e.operators = e.is[YYSYMBOL_DIVIDE];
	if (e.operators)
		DROP(&e, operators);
	if (e.is[YYSYMBOL_MODEL])
		e.is[YYSYMBOL_YYEOF] = false;
	return e;
}

/* "a name", "`)`" */
static const char *phrase(Parser *p, yysymbol_kind_t symbol)
{
	if (symbol == YYSYMBOL_YYEOF && p->definition)
		return "the end of the text";
	const char *name = yysymbol_name(symbol);
	return strchr(name, ' ') ? name : arena_printf(p->arena, "`%s`", name);
}

/* "an expression, `,` or `)`" */
static char *expected_text(Parser *p, Expected e)
{
	if (e.expression)
		DROP(&e, expression_starts);
	if (e.statement)
		DROP(&e, statement_starts);
	const char *parts[YYNTOKENS + 2];
	int count = 0;
	if (e.statement)
		parts[count++] = "a statement";
	if (e.expression)
		parts[count++] = "an expression";
	for (int i = 0; i < YYNTOKENS; i++)
		if (e.is[i] && i != YYSYMBOL_YYerror)
			parts[count++] = phrase(p, (yysymbol_kind_t)i);
	char *text = arena_strdup(p->arena, count ? "" : "nothing more");
	for (int i = 0; i < count; i++)
		text = arena_printf(p->arena, "%s%s%s", text, !i ? "" : i == count - 1 ? " or " : ", ", parts[i]);
	return text;
}

static const char *found_text(Parser *p, yysymbol_kind_t found, Loc loc)
{
	if (loc.end == loc.source->length && loc.start == loc.end) /* where the scanner may invent a `}` */
		found = YYSYMBOL_YYEOF;
	if (found == YYSYMBOL_YYEOF || found == YYSYMBOL_NEWLINE)
		return phrase(p, found);
	if (found == YYSYMBOL_STRING)
		return "a string";
	return arena_printf(p->arena, "`%.*s`", loc.end - loc.start, loc.source->text + loc.start);
}

static const char *const item_words[] = {"model", "block", "train", "use"};
static const char *const statement_words[] = {"input", "target", "output", "loss",   "metric", "return",
                                              "if",    "for",    "repeat", "assert", "else",   "param",
                                              "scan",  "yield"};
enum { STATEMENT_WORDS = sizeof statement_words / sizeof *statement_words };

static bool help_with_habit(Parser *p, HabitPlace place, const char *word)
{
	const char *text = habit_help(p->arena, place, word, NULL, 0);
	if (text)
		diag_help(p->diag, "%s", text);
	return text;
}

/* Help for a word that stands where a statement or an item begins, and begins none; false: there is none. */
static bool help_with_word(Parser *p, const char *word, const char *const *words, int count)
{
	const char *near = nearest_word(word, words, count);
	if (help_with_habit(p, HABIT_STATEMENT, word))
		return true;
	if (near)
		diag_help(p->diag, "did you mean `%s`?", near);
	return near;
}

/* A statement that begins with a name, and goes on as none does. */
static void help_with_statement(Parser *p, yysymbol_kind_t found, const Scanner *s)
{
	const char *word = s->before.value.name;
	const Loc loc = s->last.loc;
	const char *text = loc.source->text + loc.start;
	const int length = loc.end - loc.start;
	if (found >= YYSYMBOL_PLUS && found <= YYSYMBOL_POWER && text[length] == '=')
		diag_help(p->diag, "a name can be bound again: %s = %s %.*s ...", word, word, length, text);
	else if (found == YYSYMBOL_COMMA)
		diag_help(p->diag, "several names stand in parentheses: (%s, ...) = ...", word);
	else if (found == YYSYMBOL_BRACE_END)
		diag_help(p->diag, "what a block gives back stands after `return`: return %s", word);
	else if (found == YYSYMBOL_ARROW || found == YYSYMBOL_CALL_PAREN || found == YYSYMBOL_PAREN)
		diag_help(p->diag, "a value gets a name: y = %s%s", word,
		          found == YYSYMBOL_ARROW ? " -> ..." : "(...)");
}

/* The operator that is spelt alike, or NULL. */
static const char *nearest_layer(Parser *p, const char *word)
{
	ARRAY(const char *) names = {0};
	for (int i = 0; i < op_count(); i++)
		if (op_at(i)->call)
			array_push(p->arena, &names, op_at(i)->name);
	return nearest_word(word, names.at, names.count);
}

/* x.view(784), nn.Linear(10) */
static void help_with_method(Parser *p, const char *method)
{
	const char *ours = habit_help(p->arena, HABIT_CALL, method, NULL, 0),
	           *near = ours ? NULL : nearest_layer(p, method);
	diag_help(p->diag, "what takes a tensor is called with an arrow: x -> %s(...)", near ? near : method);
	if (ours)
		diag_help(p->diag, "`%s`: %s", method, ours);
}

static void help_with_arrow(Parser *p)
{
	diag_help(p->diag, "what follows an arrow takes the tensor: x -> dense(10) -> relu");
}

static bool is_keyword(yysymbol_kind_t symbol)
{
	const char *name = yysymbol_name(symbol);
	return *name >= 'a' && *name <= 'z' && !strchr(name, ' ');
}

/* Where an input or a target breaks off. */
typedef enum { DECLARED, WITHOUT_TYPE, WITHOUT_ELEMENT_TYPE, WITHOUT_SHAPE } Declaration;

static Declaration declaration(const Expected *e, const Scanner *s)
{
	if (s->before.kind == NAME &&
	    (s->before2.kind == INPUT || s->before2.kind == TARGET || s->before2.kind == PARAM))
		return WITHOUT_TYPE;
	if (s->before2.kind == NAME && s->before.kind == COLON && e->is[YYSYMBOL_NAME] && !e->expression)
		return WITHOUT_ELEMENT_TYPE;
	if (s->before2.kind == COLON && s->before.kind == NAME && e->is[YYSYMBOL_INDEX_BRACKET] && !e->operators)
		return WITHOUT_SHAPE;
	return DECLARED;
}

static void help_with_declaration(Parser *p, Declaration d, const Scanner *s)
{
	const char *word = s->before.kind == NAME ? s->before.value.name : "";
	if (d == WITHOUT_TYPE)
		diag_help(p->diag, "a type follows, of one sample: %s: f32[28, 28, 1]", word);
	else if (d == WITHOUT_ELEMENT_TYPE)
		diag_help(p->diag, "the type of the elements comes first: f32[28, 28, 1]");
	else if (strcmp(word, "class") == 0)
		diag_help(p->diag, "write how many classes there are: class[10]");
	else {
		const char *type = help_with_habit(p, HABIT_TYPE, word) ? "f32" : word;
		diag_help(p->diag, "the shape of one sample follows: %s[28, 28, 1], or %s[] for one number", type,
		          type);
	}
}

/* z = x flatten dense(10): `flatten` was read as the next statement. */
static bool is_chain_without_arrows(const Scanner *s)
{
	int left = s->before2.kind;
	return !s->before.first && (left == NAME || left == PAREN_END || left == BRACKET_END) &&
	       !nearest_word(s->before.value.name, statement_words, STATEMENT_WORDS);
}

/* Whether the line of `last`, or that of a statement ahead of it, goes on as a comment of other languages does. */
static bool is_comment(const Scanner *s)
{
	return habit_is_comment(s->last.loc) || (s->before2.kind != QUOTIENT && habit_is_comment(s->before.loc));
}

/* embedding(50, 16)(x): the callee, where the parser stands at the second `(`, or after its `)`, having read (x) as the
 * left side of the next statement. NULL: it is something else. */
static const char *called_twice(Parser *p, const Expected *e, const Scanner *s)
{
	bool read = e->is[YYSYMBOL_ASSIGN];
	if (s->before.kind != PAREN_END || (!read && (s->last.kind != PAREN || s->last.first)))
		return NULL;
	return habit_called_twice(p->arena, s->before.loc, read);
}

static void help(Parser *p, const Expected *e, yysymbol_kind_t found, const Scanner *s)
{
	const Token *last = &s->last, *before = &s->before;
	Declaration d = declaration(e, s);
	const char *callee = called_twice(p, e, s);
	if (d != DECLARED && !(last->first && found == YYSYMBOL_BRACKET))
		help_with_declaration(p, d, s);
	else if (is_comment(s))
		diag_help(p->diag, "a comment begins with `#`");
	else if (callee)
		diag_help(p->diag, "a call has one pair of parentheses, and what it takes comes first: %s(x, ...)",
		          callee);
	else if ((found == YYSYMBOL_COLON || found == YYSYMBOL_COMMA) && s->has_around &&
	         s->around.kind == BRACKET && habit_takes_part(s->around.loc))
		diag_help(p->diag, "a part of a tensor is a slice, slice(axis, start, count): of axis 1 the first "
		                   "is x -> slice(1, 0, 1)");
	else if (before->kind == ARROW && e->is[YYSYMBOL_NAME] && (last->first || found == YYSYMBOL_BRACE_END))
		help_with_arrow(p);
	else if (s->before2.kind == OUTPUT && before->kind == NAME && found == YYSYMBOL_ASSIGN)
		diag_help(p->diag,
		          "an output goes by the name of its value: write `%s = ...`, and below it `output %s`",
		          before->value.name, before->value.name);
	else if (s->before2.kind == OUTPUT && before->kind == NAME && found == YYSYMBOL_COMMA)
		diag_help(p->diag, "each output is a statement of its own");
	else if (found == YYSYMBOL_COLON && e->is[YYSYMBOL_BRACE])
		diag_help(p->diag, "a body stands in braces: { ... }");
	else if (found == YYSYMBOL_QUOTIENT)
		diag_help(p->diag, "a comment begins with `#`");
	else if (found == YYSYMBOL_ASSIGN && before->first && e->is[YYSYMBOL_NEWLINE])
		diag_help(p->diag, "a setting is written without `=`, its name and then its value");
	else if (found == YYSYMBOL_COLON && e->is[YYSYMBOL_NEWLINE])
		diag_help(p->diag, "a name with `:` in it is a text: \"synth:images\"");
	else if (found == YYSYMBOL_ASSIGN && (e->is[YYSYMBOL_BRACE] || e->is[YYSYMBOL_THEN]))
		diag_help(p->diag, "the comparison is written `==`");
	else if (found == YYSYMBOL_EQUAL && e->is[YYSYMBOL_ASSIGN])
		diag_help(p->diag, "a name is given a value by `=`; `==` compares");
	else if (found == YYSYMBOL_NAME && e->is[YYSYMBOL_MODEL])
		help_with_word(p, last->value.name, item_words, 4);
	else if (before->kind == NAME && e->is[YYSYMBOL_ASSIGN] && !e->is[YYSYMBOL_COMMA] && !e->statement &&
	         is_chain_without_arrows(s))
		diag_help(p->diag, "layers are joined by `->`: x -> %s", before->value.name);
	else if (before->kind == NAME && e->is[YYSYMBOL_ASSIGN] && !e->is[YYSYMBOL_COMMA] && !e->statement) {
		if (!help_with_word(p, before->value.name, statement_words, STATEMENT_WORDS) && before->first)
			help_with_statement(p, found, s);
	}
	else if (found >= YYSYMBOL_EQUAL && found <= YYSYMBOL_GREATER_EQUAL && e->operators)
		diag_help(p->diag, "comparisons do not chain: write `a < b and b < c`");
	else if (last->first && ((found == YYSYMBOL_PAREN && e->is[YYSYMBOL_CALL_PAREN]) ||
	                         (found == YYSYMBOL_BRACKET && e->is[YYSYMBOL_INDEX_BRACKET])))
		diag_help(p->diag, "it must stand on the line of what it belongs to");
	else if ((found == YYSYMBOL_PAREN || found == YYSYMBOL_CALL_PAREN) && before->kind == NAME &&
	         s->before2.kind == DOT)
		help_with_method(p, before->value.name);
	else if (is_keyword(found) && last->first && e->is[YYSYMBOL_NAME] && e->is[YYSYMBOL_BRACE_END])
		help_with_habit(p, HABIT_SETTING, yysymbol_name(found));
	else if (e->is[YYSYMBOL_IN])
		diag_help(p->diag, "what is gone through stands after `in`: scan (a, b) in (x, y) { ... }, "
		                   "for (a, b) in list { ... }");
	else if (found == YYSYMBOL_SCAN && e->expression)
		diag_help(p->diag, "a scan is all of what a name is given: states = scan x in rows { ... }");
	else if (is_keyword(found) && !last->first && e->is[YYSYMBOL_NAME] && !e->statement)
		diag_help(p->diag, "`%s` is a word of the language and cannot be a name", yysymbol_name(found));
	else if (found == YYSYMBOL_ASSIGN && (before->kind == LOSS || before->kind == METRIC || before->kind == OUTPUT))
		diag_help(p->diag, "`%s` is written without `=`, and cannot be a name: %s ...",
		          yysymbol_name(YYTRANSLATE(before->kind)), yysymbol_name(YYTRANSLATE(before->kind)));
	else if (found == YYSYMBOL_ASSIGN && is_keyword(YYTRANSLATE(before->kind)))
		diag_help(p->diag, "`%s` is a word of the language and cannot be a name",
		          yysymbol_name(YYTRANSLATE(before->kind)));
}

static int yyreport_syntax_error(const yypcontext_t *context, Parser *p)
{
	Scanner *s = p->scanner;
	p->progress = !s->gives_up;
	if (s->gives_up) /* the end that was found is not the end */
		return 0;
	yysymbol_kind_t found = yypcontext_token(context);
	Loc loc = *yypcontext_location(context);
	p->progress = loc.start != p->error_at;
	p->error_at = loc.start;
	if (!p->progress)
		return 0;
	Expected e = expected_tokens(context);
	const Bracket *open = s->has_around ? &s->around : NULL;
	bool closes = open && e.is[open->kind == PAREN ? YYSYMBOL_PAREN_END : YYSYMBOL_BRACKET_END];
	const char *where = "";
	if (closes && open->callee)
		where = arena_printf(p->arena, " in the arguments of `%s`", open->callee);
	bool unfinished = found == YYSYMBOL_ASSIGN && e.operators && s->before.kind == NAME && s->before.first;
	if (s->last.first && found != YYSYMBOL_BRACKET && declaration(&e, s) != DECLARED)
		diag_error(p->diag, place_behind(s->before.loc), "syntax", "expected %s, found the end of the line",
		           expected_text(p, e));
	else if (unfinished) /* `y =` and `z = 1` in two lines read as `y = z`, and then `=` */
		diag_error(p->diag, place_behind(s->before2.loc), "syntax", "expected %s, found the end of the line",
		           s->before2.kind == DOT || s->before2.kind == ARROW ? "a name" : "an expression");
	else
		diag_error(p->diag, loc, "syntax", "expected %s%s, found %s", expected_text(p, e), where,
		           found_text(p, found, loc));
	if (closes && loc_line(open->loc) != loc_line(loc))
		diag_note(p->diag, open->loc, "this `%c` is not closed", loc.source->text[open->loc.start]);
	if (!unfinished)
		help(p, &e, found, s);
	else if (s->before2.kind == ARROW)
		help_with_arrow(p);
	scanner_recover(s);
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
