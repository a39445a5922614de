/* SPDX-License-Identifier: MIT */
/* The statements of a kernel, before they are a text: what a step's function does, as a tree of loops, conditions and
 * blocks. codegen/ and kernels/ build it, codegen/print.c alone writes it as C or CUDA C.
 *
 * Values, places and conditions are C expressions, texts. All texts that are given live as long as the arena, but for
 * those of a format, which are printed into it. */
#ifndef NNC_CODE_H
#define NNC_CODE_H

#include "base/arena.h"
#include "base/array.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum {
	CODE_NOTE, /* a comment */
	CODE_LET,  /* a constant, of a type, with a name and a value */
	CODE_VAR, /* a variable; the text is its value, NULL: it has none yet. "[x, y]": the members of a value */
	CODE_ARRAY,  /* of the thread; the text is the number of its elements, "a][b" of two dimensions */
	CODE_SHARED, /* the same, of the block; NULL: a single value */
	CODE_OBJECT, /* what outlives the call: a constant, or a variable, of the function; NULL: zeros */
	CODE_TYPE,   /* a name for the type `text` */
	CODE_SET,    /* the place `name` is the value `text` from here on */
	CODE_ADD,    /* and the value is added to it */
	CODE_MAX,    /* and it is the larger of both, of type `type` */
	CODE_REDUCE, /* the place is what the threads of a `type`, "warp" or "block", have together; no name: places
	               * that stand in the text */
	CODE_ITEMS,   /* a line of a list in braces: members of an object, or elements */
	CODE_DO,      /* a call of a function, or what else is there for its effect */
	CODE_LEAVE,   /* "return", with a value or without; "continue" */
	CODE_BARRIER, /* all threads of a block ("block") or of a warp ("warp") meet */
	CODE_LOOP,
	CODE_IF,   /* the text is the condition; a name is that of a constant whose value comes first */
	CODE_ELSE, /* of the condition ahead of it; the text is a second one, NULL: there is none */
	CODE_SCOPE, /* a block of its own; the text stands in front of its brace, the name after the closing one */
	CODE_CALL /* a call that goes on over what is inside, which are its last arguments */
} StatementKind;

/* How the turns of a loop go. */
typedef enum {
	TURNS_SERIAL,
	TURNS_UNROLLED,
	TURNS_THREADS, /* shared out among the threads of OpenMP */
	TURNS_SIMD,
	TURNS_THREADS_SIMD
} Turns;

/* var = from, from + by, ... below `to`. */
typedef struct CodeLoop {
	const char *type; /* of the index: "int"; NULL: it is a variable, which goes on from what it is */
	const char *var;
	const char *from;  /* NULL: 0 */
	const char *to;    /* NULL: `count` */
	const char *also;  /* a second condition for a turn; NULL: there is none */
	int64_t count, by; /* by 0: one more, "i++" */
	const char *step;  /* `by` as a text; NULL: `by` says it */
	bool down;         /* from - by, ... down to `to`, which is a turn too */
	Turns turns;       /* and how, as its clauses: " 4" of an unrolled one, " collapse(2)" */
	const char *clauses;
} CodeLoop;

typedef struct Statement Statement;
typedef ARRAY(Statement *) Statements;

struct Statement {
	StatementKind kind;
	bool bare;       /* a loop or condition over a single statement, without braces */
	bool if_read;    /* a let that is left out where nothing after it in its block reads it */
	bool is_aligned; /* an array that is read by vectors: of 16 bytes from shared memory, else of 64 */
	bool is_joined;  /* a declaration in the line of the one ahead of it, of its type */
	const char *type, *name, *text;
	const char *note; /* of a declaration: a comment after it; or NULL */
	const CodeLoop *loop;
	Statements inside;
};

enum { CODE_DEPTH = 64 /* of blocks in one another */ };

/* Letters of C's names and numbers. */
static inline bool in_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Statements that are being written: what is added goes to the end of the innermost block that is open. */
typedef struct Code {
	Arena *arena;
	Statements all;
	Statements *open[CODE_DEPTH];
	int depth;   /* of open blocks */
	Turns turns; /* of the loop that must come next */
	const char *clauses;
} Code;

#define CODE_FORMAT(at) __attribute__((format(printf, at, at + 1)))

Code *code_new(Arena *a);
bool code_is_empty(const Code *c);
void code_note(Code *c, const char *format, ...) CODE_FORMAT(2);
void code_items(Code *c, const char *format, ...) CODE_FORMAT(2);
void code_do(Code *c, const char *format, ...) CODE_FORMAT(2);
void code_barrier(Code *c, const char *of);
void code_leave(Code *c, const char *format, ...) CODE_FORMAT(2);
void code_leave_if(Code *c, const char *how, const char *format, ...) CODE_FORMAT(3);
/* A statement of parts: its type, name and text are formats, literals that CODE_PART stands between. */
Statement *code_parts(Code *c, StatementKind kind, const char *format, ...) CODE_FORMAT(3);
#define CODE_PART                       "\1"
#define code_let(c, type, name, ...)    code_parts(c, CODE_LET, type CODE_PART name CODE_PART __VA_ARGS__)
#define code_var(c, type, name, ...)    code_parts(c, CODE_VAR, type CODE_PART name CODE_PART __VA_ARGS__)
#define code_array(c, type, name, ...)  code_parts(c, CODE_ARRAY, type CODE_PART name CODE_PART __VA_ARGS__)
#define code_shared(c, type, name, ...) code_parts(c, CODE_SHARED, type CODE_PART name CODE_PART __VA_ARGS__)
#define code_object(c, type, name, ...) code_parts(c, CODE_OBJECT, type CODE_PART name CODE_PART __VA_ARGS__)
#define code_type(c, name, ...)         code_parts(c, CODE_TYPE, CODE_PART name CODE_PART __VA_ARGS__)
#define code_set(c, place, ...)         code_parts(c, CODE_SET, CODE_PART place CODE_PART __VA_ARGS__)
#define code_add(c, place, ...)         code_parts(c, CODE_ADD, CODE_PART place CODE_PART __VA_ARGS__)
#define code_max(c, type, place, ...)   code_parts(c, CODE_MAX, type CODE_PART place CODE_PART __VA_ARGS__)
#define code_reduce(c, of, place, ...)  code_parts(c, CODE_REDUCE, of CODE_PART place CODE_PART __VA_ARGS__)
/* A variable without a value. */
#define code_declare(c, type, ...) code_parts(c, CODE_VAR, type CODE_PART __VA_ARGS__)
/* One more of the type of the constant or variable ahead of it, and in its line. */
#define code_also(c, name, ...) \
	(code_parts(c, CODE_LET, CODE_PART name CODE_PART __VA_ARGS__)->is_joined = true)
#define code_also_shared(c, name, ...) \
	(code_parts(c, CODE_SHARED, CODE_PART name CODE_PART __VA_ARGS__)->is_joined = true)
/* A constant that is left out where nothing after it in its block reads it. */
#define code_let_if_read(c, type, name, ...) (code_let(c, type, name, __VA_ARGS__)->if_read = true)

/* What follows opens a block: code_close ends it. */
void code_loop(Code *c, CodeLoop loop);
/* An index of type int from `from` on, `by` apart, to below `count`: each of the threads has its turns. */
void code_strided(Code *c, const char *var, const char *from, int64_t count, int64_t by);
/* An index of type int64_t from 0 to below what the format says. */
void code_for(Code *c, const char *var, const char *format, ...) CODE_FORMAT(3);
/* How the turns of the loop go that comes next, which must be the next statement; clauses: "" or as in CodeLoop. */
void code_turns(Code *c, Turns turns, const char *clauses);
void code_if(Code *c, const char *format, ...) CODE_FORMAT(2);
/* The same, of a constant of type int that the block reads too: "value; name < 5". */
void code_if_let(Code *c, const char *name, const char *format, ...) CODE_FORMAT(3);
void code_else(Code *c, const char *condition); /* NULL: for all that is left */
void code_block(Code *c);
/* A block with a head, "struct Rows", and with `tail` after its end. */
void code_scope(Code *c, const char *tail, const char *format, ...) CODE_FORMAT(3);
void code_call(Code *c, const char *format, ...) CODE_FORMAT(2);
/* What follows is a single statement, without braces. */
void code_loop_bare(Code *c, CodeLoop loop);
void code_for_bare(Code *c, const char *var, const char *format, ...) CODE_FORMAT(3);
void code_if_bare(Code *c, const char *format, ...) CODE_FORMAT(2);
void code_close(Code *c, int count);

/* Moves the statements of `part`, whose blocks are closed, to the end of c. */
void code_take(Code *c, Code *part);
/* The same statements, but for objects of the function, with other texts: what `rewrite` makes of each. A loop's
 * numbers are texts of it then. Notes, clauses and what a barrier is of stay. */
typedef enum { PART_TYPE, PART_NAME, PART_TEXT, PART_FROM, PART_TO, PART_ALSO, PART_STEP } CodePart;
typedef const char *CodeRewrite(void *data, const Statement *s, CodePart part, const char *text);
Code *code_rewritten(Arena *a, const Code *c, CodeRewrite *rewrite, void *data);
/* Whether a statement reads, or declares, that word; the name of a member is none. */
bool code_mentions(const Code *c, const char *word);
/* Ends it: all blocks must be closed; leaves out what is there only if it is read. */
void code_finish(Code *c);

/* A text to be read, a statement a line, and what is wrong with the tree: a name that is read outside of the block
 * which declares it, or declared twice in one; a barrier or a reduction of a block to which not all of its threads
 * come, as far as the tree says; NULL: nothing. */
const char *code_dump(Arena *a, const Code *c);
const char *code_verify(Arena *a, const Code *c);

#endif
