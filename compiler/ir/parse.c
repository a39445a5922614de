/* SPDX-License-Identifier: MIT */
/* Reads the text form of a graph: a cursor with one function per kind of token, then one per kind of line.
 *
 * Reading checks the form, the operators and that operands are earlier nodes; everything else (types,
 * attributes, outputs) is graph_verify's. Comments and with them the sites are not read back. */
#include "ir/graph.h"
#include "ir/text.h"

#include "base/array.h"
#include "ir/op.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

/* ---- tokens */

bool read_error(Reader *r, const char *format, ...)
{
	if (r->why)
		return false;
	va_list args;
	va_start(args, format);
	r->why = arena_printf(r->arena, "line %d: %s", r->line, arena_vprintf(r->arena, format, args));
	va_end(args);
	return false;
}

static void skip_blanks(Reader *r)
{
	while (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')
		r->at++;
	if (*r->at == '#')
		r->at += strcspn(r->at, "\n");
}

static bool is_word_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

bool read_accept(Reader *r, const char *token)
{
	skip_blanks(r);
	size_t n = strlen(token);
	if (strncmp(r->at, token, n) != 0)
		return false;
	if (isalpha((unsigned char)token[0]) && is_word_byte(r->at[n]))
		return false;
	r->at += n;
	return true;
}

/* What stands at the cursor, short enough for a message. */
static const char *found(Reader *r)
{
	skip_blanks(r);
	size_t n = strcspn(r->at, " \t\r\n");
	if (n == 0)
		return "the end of the line";
	return arena_printf(r->arena, "`%s`",
	                    printable(r->arena, arena_strndup(r->arena, r->at, n < 40 ? n : 40)));
}

bool read_expect(Reader *r, const char *token)
{
	return read_accept(r, token) || read_error(r, "`%s` is expected, not %s", token, found(r));
}

/* [A-Za-z_][A-Za-z0-9_.]* */
static bool read_word(Reader *r, const char **word)
{
	skip_blanks(r);
	size_t n = 0;
	if (!isdigit((unsigned char)*r->at)) {
		while (is_word_byte(r->at[n]))
			n++;
	}
	if (n == 0)
		return read_error(r, "a word is expected, not %s", found(r));
	*word = arena_strndup(r->arena, r->at, n);
	r->at += n;
	return true;
}

bool read_int(Reader *r, int64_t *value)
{
	skip_blanks(r);
	if (!isdigit((unsigned char)r->at[*r->at == '-']))
		return read_error(r, "an integer is expected, not %s", found(r));
	char *end;
	errno = 0;
	*value = strtoll(r->at, &end, 10);
	if (errno)
		return read_error(r, "%s is out of range", found(r));
	r->at = end;
	return true;
}

static int hex_digit(char c)
{
	const char *digits = "0123456789abcdef", *d = c ? strchr(digits, c) : NULL;
	return d ? (int)(d - digits) : -1;
}

bool read_quoted(Reader *r, const char **text)
{
	if (!read_expect(r, "\""))
		return false;
	size_t room = strcspn(r->at, "\"\n");
	char *out = arena_alloc(r->arena, room + 1);
	*text = out;
	for (; *r->at != '"'; r->at++) {
		if (!*r->at || *r->at == '\n')
			return read_error(r, "a closing quote is missing");
		if (*r->at != '\\') {
			*out++ = *r->at;
			continue;
		}
		int high = r->at[1] == 'x' ? hex_digit(r->at[2]) : -1;
		int low = high >= 0 ? hex_digit(r->at[3]) : -1;
		if (low < 0 || high + low == 0)
			return read_error(
			        r,
			        "in quotes a backslash begins \\xHH, two hexadecimal digits other than 00");
		*out++ = (char)(16 * high + low);
		r->at += 3;
	}
	r->at++;
	return true;
}

bool read_real(Reader *r, double *value)
{
	skip_blanks(r);
	char *end;
	*value = strtod(r->at, &end);
	if (end == r->at)
		return read_error(r, "a number is expected, not %s", found(r));
	r->at = end;
	return true;
}

/* "[1,2]" at the cursor. */
static bool read_ints(Reader *r, int64_t **ints, int *count)
{
	ARRAY(int64_t) list = {0};
	if (!read_expect(r, "["))
		return false;
	if (!read_accept(r, "]")) {
		do {
			int64_t i;
			if (!read_int(r, &i))
				return false;
			array_push(r->arena, &list, i);
		} while (read_accept(r, ","));
		if (!read_expect(r, "]"))
			return false;
	}
	*ints = list.at;
	*count = list.count;
	return true;
}

bool read_type(Reader *r, Type *type)
{
	const char *name;
	DType dtype;
	int64_t *dim;
	int rank;
	if (!read_word(r, &name))
		return false;
	if (!dtype_from_name(name, &dtype))
		return read_error(r, "`%s` is not an element type", name);
	if (!read_ints(r, &dim, &rank))
		return false;
	return type_make(dtype, rank, dim, type) || read_error(r, "the shape of a type is out of range");
}

bool read_node_id(Reader *r, const Graph *g, Node **node)
{
	int64_t id;
	if (!read_expect(r, "%") || !read_int(r, &id))
		return false;
	if (id < 0 || id >= g->count)
		return read_error(r, "%%%lld is not a node above this line", (long long)id);
	*node = g->nodes[id];
	return true;
}

static void skip_empty_lines(Reader *r)
{
	skip_blanks(r);
	while (*r->at == '\n') {
		r->at++;
		r->line++;
		skip_blanks(r);
	}
}

bool read_line_end(Reader *r)
{
	skip_blanks(r);
	if (*r->at && *r->at != '\n')
		return read_error(r, "the end of the line is expected, not %s", found(r));
	skip_empty_lines(r);
	return true;
}

bool read_at_end(Reader *r)
{
	return !*r->at;
}

/* ---- lines */

static bool read_attr(Reader *r, Attr *attr)
{
	*attr = (Attr){0};
	if (!read_word(r, &attr->name) || !read_expect(r, "="))
		return false;
	skip_blanks(r);
	if (*r->at == '"') {
		attr->kind = ATTR_TEXT;
		return read_quoted(r, &attr->s);
	}
	if (*r->at == '[') {
		attr->kind = ATTR_INTS;
		return read_ints(r, (int64_t **)&attr->ints, &attr->count);
	}
	const char *sign_skipped = r->at + (*r->at == '-');
	size_t digits = strspn(sign_skipped, "0123456789");
	if (digits > 0 && !strchr(".e", sign_skipped[digits] ? sign_skipped[digits] : ' ')) {
		attr->kind = ATTR_INT;
		return read_int(r, &attr->i);
	}
	attr->kind = ATTR_REAL;
	return read_real(r, &attr->f);
}

static bool read_attrs(Reader *r, Node *n)
{
	ARRAY(Attr) attrs = {0};
	if (!read_accept(r, "{"))
		return true;
	do {
		Attr attr;
		if (!read_attr(r, &attr))
			return false;
		if (attrs.count > 0 && strcmp(attrs.at[attrs.count - 1].name, attr.name) >= 0)
			return read_error(r, "attribute `%s` is out of order or repeated", attr.name);
		array_push(r->arena, &attrs, attr);
	} while (read_accept(r, ","));
	n->attrs = attrs.at;
	n->attr_count = attrs.count;
	return read_expect(r, "}");
}

static bool read_operands(Reader *r, const Graph *g, Node *n)
{
	ARRAY(Node *) operands = {0};
	if (!read_accept(r, "("))
		return true;
	do {
		Node *x;
		if (!read_node_id(r, g, &x))
			return false;
		array_push(r->arena, &operands, x);
	} while (read_accept(r, ","));
	n->operands = operands.at;
	n->operand_count = operands.count;
	return read_expect(r, ")");
}

/* Puts the body among the attributes, which are sorted. */
static void add_body(Arena *a, Node *n, const Graph *body)
{
	Attr *attrs = NEW_ARRAY(a, Attr, n->attr_count + 1);
	int at = 0;
	while (at < n->attr_count && strcmp(n->attrs[at].name, "body") < 0)
		at++;
	for (int i = 0; i < n->attr_count; i++)
		attrs[i + (i >= at)] = n->attrs[i];
	attrs[at] = attr_body("body", body);
	n->attrs = attrs;
	n->attr_count++;
}

static bool read_lines(Reader *r, Graph *g);

/* The lines of a loop's body, the bracket ahead of them already read. */
static bool read_body(Reader *r, const Graph *g, Node *n)
{
	Graph *body = graph_new(r->arena, g->name, g->training, g->batch);
	if (r->depth == LIMIT_NESTING)
		return read_error(r, "loops are nested more than %d deep here", LIMIT_NESTING);
	r->depth++;
	bool ok = read_line_end(r) && read_lines(r, body) && read_expect(r, "}");
	r->depth--;
	add_body(r->arena, n, body);
	return ok;
}

/* %3 = add(%1, %2) {k=1} : f32[5] "name" group=2, the % already read */
static bool read_node(Reader *r, Graph *g)
{
	int64_t id, group = NO_GROUP;
	const char *op;
	Node n = {0};
	if (!read_int(r, &id))
		return false;
	if (id != g->count)
		return read_error(r, "this node must be %%%d", g->count);
	if (!read_expect(r, "=") || !read_word(r, &op))
		return false;
	n.op = op_find(op);
	if (!n.op || !(n.op->infer || n.op->flags & OP_LEAF))
		return read_error(r, "`%s` is not an operator of graphs", op);
	if (!read_operands(r, g, &n) || !read_attrs(r, &n) || !read_expect(r, ":") || !read_type(r, &n.type))
		return false;
	const Attr *name = node_is_leaf(&n) ? node_attr(&n, "name") : NULL;
	if (name && name->kind == ATTR_TEXT)
		n.name = name->s;
	skip_blanks(r);
	if (*r->at == '"' && !read_quoted(r, &n.name))
		return false;
	if (read_accept(r, "group")) {
		if (!read_expect(r, "=") || !read_int(r, &group))
			return false;
		if (group < 0 || group > LIMIT_SCANNED_NODES)
			return read_error(r, "group %lld is out of range", (long long)group);
	}
	n.group = (int)group;
	if ((node_is(&n, "loop") || node_is(&n, "loop_kernel")) &&
	    (!read_expect(r, "{") || !read_body(r, g, &n)))
		return false;
	if (g->count == g->limit)
		return read_error(r, "a graph has at most %d nodes", g->limit);
	graph_copy_node(g, &n, n.operands);
	return read_line_end(r);
}

/* True when an output's line was read; false with r->why unset when the line is something else. */
static bool read_output(Reader *r, Graph *g)
{
	for (int kind = 0; output_kind_names[kind]; kind++) {
		const char *name;
		Node *node;
		if (!read_accept(r, output_kind_names[kind]))
			continue;
		if (!read_quoted(r, &name) || !read_node_id(r, g, &node))
			return false;
		graph_output(g, (OutputKind)kind, name, node);
		return read_line_end(r);
	}
	return false;
}

/* Nodes, then outputs. */
static bool read_lines(Reader *r, Graph *g)
{
	while (read_accept(r, "%")) {
		if (!read_node(r, g))
			return false;
	}
	while (read_output(r, g))
		continue;
	return !r->why;
}

Graph *read_graph(Reader *r)
{
	const char *name;
	int64_t batch;
	skip_empty_lines(r);
	if (!read_expect(r, "graph") || !read_quoted(r, &name))
		return NULL;
	bool training = read_accept(r, "training");
	if (!training && !read_expect(r, "evaluation"))
		return NULL;
	if (!read_expect(r, "batch") || !read_expect(r, "=") || !read_int(r, &batch) || !read_line_end(r))
		return NULL;
	Graph *g = graph_new(r->arena, name, training, batch);
	return read_lines(r, g) ? g : NULL;
}

Graph *graph_parse(Arena *a, const char *text, const char **why)
{
	Reader r = {.arena = a, .at = text, .line = 1};
	Graph *g = read_graph(&r);
	if (g && !read_at_end(&r)) {
		read_error(&r, "a node or an output is expected, not %s", found(&r));
		g = NULL;
	}
	*why = r.why;
	return g;
}
