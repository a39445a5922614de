/* SPDX-License-Identifier: MIT */
/* The sentences of syntax errors: what is expected and what was found, and help by what stands around. */
#include "front/syntax_error.h"

#include "base/nearest.h"
#include "front/habits.h"
#include "ir/op.h"
#include "parser.h"

#include <string.h>

/* What is expected, summed up: all the tokens together would be a page. */
typedef struct Expected {
	bool is[TOKENS]; /* by kind */
	bool expression, statement;
	bool operators; /* an operator could follow */
} Expected;

static const int expression_starts[] = {
        NAME, INT, REAL, STRING, TRUE, FALSE, NOT, IF, PAREN, BRACKET, MINUS, SCAN,
};

static const int statement_starts[] = {
        NAME, INPUT, TARGET, PARAM, OUTPUT, LOSS, METRIC, RETURN, IF, FOR, REPEAT, ASSERT, PAREN, SCAN, YIELD,
};

static const int operators[] = {
        PLUS,  MINUS,   TIMES, DIVIDE,     QUOTIENT,      REMAINDER,     POWER,
        EQUAL, UNEQUAL, LESS,  LESS_EQUAL, GREATER,       GREATER_EQUAL, AND,
        OR,    ARROW,   DOT,   CALL_PAREN, INDEX_BRACKET,
};

#define DROP(e, list)                                              \
	for (size_t i = 0; i < sizeof(list) / sizeof *(list); i++) \
	(e)->is[(list)[i]] = false

static Expected expected_tokens(const bool is[TOKENS])
{
	Expected e = {0};
	memcpy(e.is, is, sizeof e.is);
	e.expression = e.is[REAL];
	e.statement = e.is[ASSERT];
	e.operators = e.is[DIVIDE];
	if (e.operators)
		DROP(&e, operators);
	if (e.is[MODEL]) /* `language` is for the first line alone */
		e.is[YYEOF] = e.is[LANGUAGE] = false;
	return e;
}

/* "a name", "`)`" */
static const char *phrase(Parser *p, int kind)
{
	if (kind == YYEOF && p->definition)
		return "the end of the text";
	const char *name = token_name(kind);
	return strchr(name, ' ') ? name : arena_printf(p->arena, "`%s`", name);
}

/* "an expression, `,` or `)`" */
static char *expected_text(Parser *p, Expected e)
{
	if (e.expression)
		DROP(&e, expression_starts);
	if (e.statement)
		DROP(&e, statement_starts);
	const char *parts[TOKENS + 2];
	int count = 0;
	if (e.statement)
		parts[count++] = "a statement";
	if (e.expression)
		parts[count++] = "an expression";
	for (int i = 0; i < TOKENS; i++)
		if (e.is[i] && i != YYerror)
			parts[count++] = phrase(p, i);
	char *text = arena_strdup(p->arena, count ? "" : "nothing more");
	for (int i = 0; i < count; i++)
		text = arena_printf(p->arena, "%s%s%s", text,
		                    !i               ? ""
		                    : i == count - 1 ? " or "
		                                     : ", ",
		                    parts[i]);
	return text;
}

static const char *found_text(Parser *p, int found, Loc loc)
{
	if (loc.end == loc.source->length && loc.start == loc.end) /* where the scanner may invent a `}` */
		found = YYEOF;
	if (found == YYEOF || found == NEWLINE)
		return phrase(p, found);
	if (found == STRING)
		return "a string";
	return arena_printf(p->arena, "`%.*s`", loc.end - loc.start, loc.source->text + loc.start);
}

static const char *const item_words[] = {"model", "block", "train", "use"};
static const char *const statement_words[] = {"input",  "target", "output", "loss",   "metric",
                                              "return", "if",     "for",    "repeat", "assert",
                                              "else",   "param",  "scan",   "yield"};
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
static void help_with_statement(Parser *p, int found, const Scanner *s)
{
	const char *word = s->before.value.name;
	const Loc loc = s->last.loc;
	const char *text = loc.source->text + loc.start;
	const int length = loc.end - loc.start;
	if (found >= PLUS && found <= POWER && text[length] == '=')
		diag_help(p->diag, "a name can be bound again: %s = %s %.*s ...", word, word, length, text);
	else if (found == COMMA)
		diag_help(p->diag, "several names stand in parentheses: (%s, ...) = ...", word);
	else if (found == BRACE_END)
		diag_help(p->diag, "what a block gives back stands after `return`: return %s", word);
	else if (found == ARROW || found == CALL_PAREN || found == PAREN)
		diag_help(p->diag, "a value gets a name: y = %s%s", word,
		          found == ARROW ? " -> ..." : "(...)");
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

static bool is_keyword(int kind)
{
	const char *name = token_name(kind);
	return *name >= 'a' && *name <= 'z' && !strchr(name, ' ');
}

/* Where an input or a target breaks off. */
typedef enum { DECLARED, WITHOUT_TYPE, WITHOUT_ELEMENT_TYPE, WITHOUT_SHAPE } Declaration;

static Declaration declaration(const Expected *e, const Scanner *s)
{
	if (s->before.kind == NAME &&
	    (s->before2.kind == INPUT || s->before2.kind == TARGET || s->before2.kind == PARAM))
		return WITHOUT_TYPE;
	if (s->before2.kind == NAME && s->before.kind == COLON && e->is[NAME] && !e->expression)
		return WITHOUT_ELEMENT_TYPE;
	if (s->before2.kind == COLON && s->before.kind == NAME && e->is[INDEX_BRACKET] && !e->operators)
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
		diag_help(p->diag, "the shape of one sample follows: %s[28, 28, 1], or %s[] for one number",
		          type, type);
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
	return habit_is_comment(s->last.loc) ||
	       (s->before2.kind != QUOTIENT && habit_is_comment(s->before.loc));
}

/* embedding(50, 16)(x): the callee, where the parser stands at the second `(`, or after its `)`, having read (x) as the
 * left side of the next statement. NULL: it is something else. */
static const char *called_twice(Parser *p, const Expected *e, const Scanner *s)
{
	bool read = e->is[ASSIGN];
	if (s->before.kind != PAREN_END || (!read && (s->last.kind != PAREN || s->last.first)))
		return NULL;
	return habit_called_twice(p->arena, s->before.loc, read);
}

static void help(Parser *p, const Expected *e, int found, const Scanner *s)
{
	const Token *last = &s->last, *before = &s->before;
	Declaration d = declaration(e, s);
	const char *callee = called_twice(p, e, s);
	if (d != DECLARED && !(last->first && found == BRACKET))
		help_with_declaration(p, d, s);
	else if (is_comment(s))
		diag_help(p->diag, "a comment begins with `#`");
	else if (callee)
		diag_help(p->diag,
		          "a call has one pair of parentheses, and what it takes comes first: %s(x, ...)",
		          callee);
	else if ((found == COLON || found == COMMA) && s->has_around && s->around.kind == BRACKET &&
	         habit_takes_part(s->around.loc))
		diag_help(p->diag,
		          "a part of a tensor is a slice, slice(axis, start, count): of axis 1 the first "
		          "is x -> slice(1, 0, 1)");
	else if (before->kind == ARROW && e->is[NAME] && (last->first || found == BRACE_END))
		help_with_arrow(p);
	else if (s->before2.kind == OUTPUT && before->kind == NAME && found == ASSIGN)
		diag_help(
		        p->diag,
		        "an output goes by the name of its value: write `%s = ...`, and below it `output %s`",
		        before->value.name, before->value.name);
	else if (s->before2.kind == OUTPUT && before->kind == NAME && found == COMMA)
		diag_help(p->diag, "each output is a statement of its own");
	else if (found == COLON && e->is[BRACE])
		diag_help(p->diag, "a body stands in braces: { ... }");
	else if (found == QUOTIENT)
		diag_help(p->diag, "a comment begins with `#`");
	else if (found == ASSIGN && before->first && e->is[NEWLINE])
		diag_help(p->diag, "a setting is written without `=`, its name and then its value");
	else if (found == COLON && e->is[NEWLINE])
		diag_help(p->diag, "a name with `:` in it is a text: \"synth:images\"");
	else if (found == ASSIGN && (e->is[BRACE] || e->is[THEN]))
		diag_help(p->diag, "the comparison is written `==`");
	else if (found == EQUAL && e->is[ASSIGN])
		diag_help(p->diag, "a name is given a value by `=`; `==` compares");
	else if (found == NAME && e->is[MODEL])
		help_with_word(p, last->value.name, item_words, 4);
	else if (before->kind == NAME && e->is[ASSIGN] && !e->is[COMMA] && !e->statement &&
	         is_chain_without_arrows(s))
		diag_help(p->diag, "layers are joined by `->`: x -> %s", before->value.name);
	else if (before->kind == NAME && e->is[ASSIGN] && !e->is[COMMA] && !e->statement) {
		if (!help_with_word(p, before->value.name, statement_words, STATEMENT_WORDS) && before->first)
			help_with_statement(p, found, s);
	} else if (found >= EQUAL && found <= GREATER_EQUAL && e->operators)
		diag_help(p->diag, "comparisons do not chain: write `a < b and b < c`");
	else if (last->first &&
	         ((found == PAREN && e->is[CALL_PAREN]) || (found == BRACKET && e->is[INDEX_BRACKET])))
		diag_help(p->diag, "it must stand on the line of what it belongs to");
	else if ((found == PAREN || found == CALL_PAREN) && before->kind == NAME && s->before2.kind == DOT)
		help_with_method(p, before->value.name);
	else if (is_keyword(found) && last->first && e->is[NAME] && e->is[BRACE_END])
		help_with_habit(p, HABIT_SETTING, token_name(found));
	else if (e->is[IN])
		diag_help(p->diag, "what is gone through stands after `in`: scan (a, b) in (x, y) { ... }, "
		                   "for (a, b) in list { ... }");
	else if (found == SCAN && e->expression)
		diag_help(p->diag, "a scan is all of what a name is given: states = scan x in rows { ... }");
	else if (is_keyword(found) && !last->first && e->is[NAME] && !e->statement)
		diag_help(p->diag, "`%s` is a word of the language and cannot be a name", token_name(found));
	else if (found == ASSIGN &&
	         (before->kind == LOSS || before->kind == METRIC || before->kind == OUTPUT))
		diag_help(p->diag, "`%s` is written without `=`, and cannot be a name: %s ...",
		          token_name(before->kind), token_name(before->kind));
	else if (found == ASSIGN && is_keyword(before->kind))
		diag_help(p->diag, "`%s` is a word of the language and cannot be a name",
		          token_name(before->kind));
}

void syntax_error(Parser *p, const bool expected[TOKENS], int found, Loc loc)
{
	Scanner *s = p->scanner;
	Expected e = expected_tokens(expected);
	const Bracket *open = s->has_around ? &s->around : NULL;
	bool closes = open && e.is[open->kind == PAREN ? PAREN_END : BRACKET_END];
	const char *where = "";
	if (closes && open->callee)
		where = arena_printf(p->arena, " in the arguments of `%s`", open->callee);
	bool unfinished = found == ASSIGN && e.operators && s->before.kind == NAME && s->before.first;
	if (s->last.first && found != BRACKET && declaration(&e, s) != DECLARED)
		diag_error(p->diag, place_behind(s->before.loc), "syntax",
		           "expected %s, found the end of the line", expected_text(p, e));
	else if (unfinished) /* `y =` and `z = 1` in two lines read as `y = z`, and then `=` */
		diag_error(p->diag, place_behind(s->before2.loc), "syntax",
		           "expected %s, found the end of the line",
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
}
