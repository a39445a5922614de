/* SPDX-License-Identifier: MIT */
/* Parameter lists, and binding arguments to them: one binder for operators, blocks, models and optimizers. */
#ifndef NNC_SIGNATURE_H
#define NNC_SIGNATURE_H

#include "front/ast.h"
#include "front/value.h"
#include "ir/op.h"

typedef enum {
	ACCEPT_TENSOR = 1 << 0,
	ACCEPT_INDICES = 1 << 1, /* a tensor of integers, taken as it is */
	ACCEPT_TENSORS = 1 << 2, /* all positional arguments, or one list of tensors */
	ACCEPT_INT = 1 << 3,
	ACCEPT_REAL = 1 << 4, /* an int will do */
	ACCEPT_BOOL = 1 << 5,
	ACCEPT_TEXT = 1 << 6,
	ACCEPT_PAIR = 1 << 7, /* an int or a tuple of two ints */
	ACCEPT_INTS = 1 << 8, /* an int, or a tuple or list of ints */
	ACCEPT_WORD = 1 << 9,
	ACCEPT_SPAN = 1 << 10,     /* a number of steps or epochs: 500it, 5ep */
	ACCEPT_ANY = 1 << 11,      /* a parameter of a block or a model */
	ACCEPT_NUMBER = 1 << 12,   /* with TENSOR: a number becomes a constant tensor */
	ACCEPT_INIT = 1 << 13,     /* normal(0.02); the words of initialisers are words */
	ACCEPT_ELEMENTS = 1 << 14, /* a tensor that is moved: one of integers stays that */
	ACCEPT_ONE_TENSOR = ACCEPT_TENSOR | ACCEPT_INDICES | ACCEPT_ELEMENTS,
} Accepts;

typedef struct Parameter {
	const char *name;
	unsigned accepts;
	const char *const *words;
	int word_count;
	const char *type; /* as written: "same|valid|pair"; NULL for a parameter of a block */
	bool has_default;
	Value fallback;         /* operators: the default */
	const Ast *default_ast; /* blocks: the default, evaluated in the block's frame */
	Loc loc;
} Parameter;

typedef struct Signature {
	const char *callee, *kind; /* "conv", "operator" */
	const Parameter *params;
	int count;
} Signature;

/* What it takes: "an int, a pair of ints, `same` or `valid`". */
char *expected_text(Arena *a, const Parameter *p);

/* An argument in its place. */
typedef struct Bound {
	Value value;
	Loc loc;
	bool given;
	bool by_arrow; /* Argument */
	bool by_name;
} Bound;

struct Elab;
struct Argument;

/* Of the compiler's own records; `text` is the record's `call`, a mistake in it is a bug(). */
const Signature *signature_parse(Arena *a, const char *kind, const char *callee, const char *text,
                                 bool numbers_as_tensors);
const Signature *signature_of_op(struct Elab *e, const Op *op);
const Signature *signature_of_block(struct Elab *e, const Ast *block); /* or of a model */

/* Binds arguments to out[signature->count]; every mistake is reported at its argument, and false returned.
 * Defaults that are values are filled in; a block's are left for its frame (given == false). */
bool bind_arguments(struct Elab *e, const Signature *s, Loc call, const struct Argument *args, int count,
                    Bound *out);
/* The same for what is given alone: that nothing is missing is not asked. */
bool place_and_check(struct Elab *e, const Signature *s, Loc call, const struct Argument *args, int count,
                     Bound *out);
/* Whether the argument suits the parameter; an int is made a real. Reports at its place otherwise. */
bool check_argument(struct Elab *e, const Signature *s, const Parameter *p, Bound *arg);
/* That the callee has no such argument, and what it may have been meant for. */
void report_unknown_argument(struct Elab *e, const Signature *s, const char *name, Loc loc);
int signature_find(const Signature *s, const char *name); /* index or -1 */

#endif
