/* SPDX-License-Identifier: MIT */
/* What nnc fmt lays out, between format.c and format_columns.c. */
#ifndef NNC_FORMAT_H
#define NNC_FORMAT_H

#include "base/limits.h"
#include "front/scanner.h"

enum {
	MARK_STATEMENT = 1 << 0, /* the first token of a statement, setting or top-level item */
	MARK_SETTING = 1 << 1,
	MARK_CHOICE = 1 << 2, /* the `if` of an expression */
};

typedef struct Piece {
	Token t;
	unsigned marks;
	int partner;             /* of a bracket: the other one */
	bool spread;             /* of a brace: the body takes lines of its own */
	bool breaks;             /* a new line begins with it */
	bool blank;              /* and an empty one goes before */
	int next;                /* the first piece from here on that is no comment */
	int pad;                 /* spaces before it, beyond what is usual */
	int line, column, level; /* where it stands in the output, and how deep in brackets */
	int around;              /* the kind of the innermost of them, 0: none */
} Piece;

/* What an open bracket means for the lines inside; the outermost level is the statement. */
typedef struct Level {
	int indent;       /* of a line that begins inside */
	int close_indent; /* of a line that begins with the closing bracket */
	int arrow;        /* column of the chain's first `->`, -1: none */
	int kind;         /* of the bracket */
} Level;

typedef struct Format {
	Arena *arena;
	const Source *source;
	Piece *at;
	int count;

	char *out; /* NULL: only measured */
	int length, line, column;
	int depth; /* braces */
	int line_indent;
	Level levels[LIMIT_NESTING + 3]; /* those of a body, and the outermost */
	int level;
	ARRAY(int) choices; /* columns of the `if`s whose `else` is to come */
	int else_column;    /* of the choice that the last token, an `else`, belongs to; -1 */
} Format;

bool format_is_comment(const Piece *p);
int format_text_length(const Piece *p);

/* ---- format_columns.c: padding that makes columns, from where pieces stand now */

void format_align_rows(Format *f);
void format_align_arrows(Format *f);
void format_align_comments(Format *f);

#endif
