/* SPDX-License-Identifier: MIT */
/* Shared by the printers and readers of both IRs: ir/print.c, ir/parse.c, ir/program.c. */
#ifndef NNC_IR_TEXT_H
#define NNC_IR_TEXT_H

#include "base/writer.h"
#include "ir/graph.h"

extern const char *const output_kind_names[]; /* by OutputKind, NULL at the end */

/* ---- printing */

/* The shortest decimal that reads back as the same double; always with a point, an exponent, or "inf", "nan". */
char *real_text(Arena *a, double value);
/* In double quotes; bytes that are not printable ASCII, quotes and backslashes as \xHH. */
char *quoted_text(Arena *a, const char *s);
void print_graph(Writer *w, Arena *a, const Graph *g);
/* `%3 = add(%1, %2) : f32[8] "x"`, without an end of line; `numbers`: of nodes, by id, NULL: their ids. */
void print_operation(Writer *w, Arena *a, const Node *n, const int *numbers);

/* ---- reading: a cursor over the text. Functions return false after setting `why`; the first mistake is kept. */

typedef struct Reader {
	Arena *arena;
	const char *at;
	int line;
	int depth;       /* of bodies of loops */
	const char *why; /* "line 7: ..." or NULL */
} Reader;

bool read_error(Reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Skips blanks and a comment; true when `token` stands here, which is then taken. A token that is a word must end
 * where the word ends. */
bool read_accept(Reader *r, const char *token);
bool read_expect(Reader *r, const char *token);
bool read_int(Reader *r, int64_t *value);
bool read_quoted(Reader *r, const char **text);
bool read_real(Reader *r, double *value);
bool read_type(Reader *r, Type *type);
bool read_node_id(Reader *r, const Graph *g, Node **node); /* %7, of a node already read */
/* The end of a line; empty lines and lines of comment after it are skipped. */
bool read_line_end(Reader *r);
bool read_at_end(Reader *r);
/* The graph that the text opens with; NULL with r->why set otherwise. */
Graph *read_graph(Reader *r);

#endif
