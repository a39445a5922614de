/* SPDX-License-Identifier: MIT */
/* The syntax tree: one fat node for everything, as close to the text as is useful. The parser's actions only call
 * the constructors below; meaning is front/elaborate.c's.
 *
 *   kind          text                     name      kids
 *   FILE                                             USE, BLOCK, MODEL, TRAIN ...
 *   USE           use "blocks/residual.net"  path
 *   BLOCK         block f(a, b = 1) {..}   f         PARAMS, BODY
 *   MODEL         model m(a = 1) {..}      m         PARAMS, BODY
 *                 model m from n with (a = 1)
 *                                          m         ARGS (of `with`, may be empty); other = n
 *   LANGUAGE      language 1                         the number in integer
 *   TRAIN         train m as r from s with (a = 1) {..}
 *                                          m         ARGS (of `with`, may be empty), BODY of SETTINGs;
 *                                                    text = r or NULL, other = s or NULL
 *   PARAMS                                           PARAM ...
 *   PARAM         b = 1                    b         default (or none), and where it replaces another model's default
 *                                                    that one's PARAM
 *   BODY                                             statements
 *   INPUT,TARGET  input image: u8[28,28]   image     TYPE
 *   LEARNED       param w: f32[8] init e   w         TYPE, [e]
 *   TYPE          u8[28, 28, 1], class[10] u8        dimensions
 *                 class[10][4, 5]          class     10, TYPE without a name: its dimensions
 *   ASSIGN        y = e     (a, b) = e     y or NULL e, then NAMEs when the target is a tuple
 *   LOSS,METRIC,OUTPUT  loss e             (METRIC: its name, from the call)   e
 *   RETURN        return e                           e
 *   IF            if c {..} else {..}                c, BODY, [BODY or IF]
 *   FOR           for (a, b) in e {..}               e, BODY, NAMEs
 *   REPEAT        repeat n {..}                      n, BODY
 *   SCAN          scan (a, b) in e with (k = v) {..} e, ARGS, BODY, NAMEs
 *   YIELD         yield e                            e
 *   ASSERT        assert c, "message"                c, [message expression]
 *   SETTING       optimizer sgd(rate = 1)  optimizer expressions and words, in order of the line
 *   INT REAL STRING BOOL                   literal in integer/real/text/integer; a unit in `name` ("ep" "it") or NULL
 *   NAME          x                        x
 *   TUPLE LIST    (a, b)  [a, b]                     elements
 *   CALL          f(a, k = b)              f         ARG ...
 *   ARROW         x -> f(a)                          x, CALL (f without parentheses is a CALL with no ARGs)
 *   ARG           k = b or b               k or NULL value
 *   MEMBER        x.channels               channels  x
 *   INDEX         a[i]                               a, i
 *   UNARY         -a, not a                "-"       a
 *   BINARY        a + b                    "+"       a, b      + - * / // % ** == != < <= > >= and or
 *   CHOICE        if c then a else b                 c, a, b
 *   ERROR         a place the parser recovered from
 */
#ifndef NNC_AST_H
#define NNC_AST_H

#include "base/diag.h"
#include "base/source.h"
#include <stdint.h>

/* clang-format off */
#define AST_KINDS(X)                                                                                  \
	X(FILE) X(LANGUAGE) X(USE) X(BLOCK) X(MODEL) X(TRAIN) X(PARAMS) X(PARAM) X(BODY) X(INPUT) X(TARGET)       \
	X(LEARNED)                                                                            \
	X(TYPE) X(ASSIGN) X(LOSS) X(METRIC) X(OUTPUT) X(RETURN) X(IF) X(FOR) X(REPEAT) X(ASSERT)      \
	X(SCAN) X(YIELD)                                                                          \
	X(SETTING) X(ARGS) X(INT) X(REAL) X(STRING) X(BOOL) X(NAME) X(TUPLE) X(LIST) X(CALL) X(ARROW) \
	X(ARG) X(MEMBER) X(INDEX) X(UNARY) X(BINARY) X(CHOICE) X(ERROR)
/* clang-format on */

typedef enum {
#define AST_ENUM(k) AST_##k,
	AST_KINDS(AST_ENUM)
#undef AST_ENUM
} AstKind;

typedef struct Ast Ast;
struct Ast {
	AstKind kind;
	Loc loc;      /* the whole construct */
	Loc name_loc; /* of `name`, where there is one */
	const char *name, *text, *other;
	int64_t integer;
	double real;
	Ast **kids;
	int count, room;
	int height; /* of the tree below, 0 for a leaf; the parser keeps it within LIMIT_TREE */
};

Ast *ast_new(Arena *a, AstKind kind, Loc loc);
Ast *ast_add(Arena *a, Ast *parent,
             Ast *kid); /* returns parent; parent->loc grows to hold the kid; NULL kid: no-op */
const char *ast_kind_name(AstKind kind); /* "CALL" */

/* Indented tree, one node a line: --emit=ast and the goldens of tests/lang. No places unless asked. */
char *ast_text(Arena *a, const Ast *ast, bool with_lines);

/* Parses one source. Always returns a FILE; mistakes are in `d`, and the parts around them are kept. */
Ast *parse_source(Arena *a, Diagnostics *d, const Source *source);
/* Parses "NAME=EXPRESSION" of -D, or the line of a setting with `=` in it of --set: an ARG with what follows the
 * `=`, or NULL after a diagnostic. */
Ast *parse_definition(Arena *a, Diagnostics *d, const Source *source);

/* Canonical layout of a source that parses without error (front/format.c); comments stay where they are. NULL after
 * diagnostics. Formatting its result again gives the same bytes. */
char *format_source(Arena *a, Diagnostics *d, const Source *source);

#endif
