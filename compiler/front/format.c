/* SPDX-License-Identifier: MIT */
/* nnc fmt: one canonical layout.
 *
 * The author decides where a statement breaks into lines, and may keep one blank line; a line longer than LINE_MOST is
 * broken further, before an arrow or after a comma, as far out of brackets as possible. All else follows from the
 * tokens: four spaces a level; a body of one statement may stay on one line; `->` at the beginning of a line stands
 * under the first `->` of its chain, `then` and `else` under their `if`, other continuations after the bracket they
 * are in or four spaces in. Columns are made where rows belong together: the values of a recipe, a run of input,
 * target, loss and metric, later arrows of a chain that the author had put in one column, comments after
 * consecutive lines.
 *
 * The text is laid out twice: the first time tells where everything would stand, from which the padding of the
 * columns follows. Columns depend only on what the layout keeps, so formatting twice changes nothing. */
#include "front/format.h"
#include "parser.h"

enum {
	INDENT = 4,
	ALIGN_MAX = 80, /* further right nothing is aligned: continuations go four spaces in */
	LINE_MOST = 100,
};

/* ---- what the tree knows: where statements and choices begin */

static void mark(const Ast *ast, unsigned char *marks)
{
	bool lists = ast->kind == AST_FILE || ast->kind == AST_BODY;
	for (int i = 0; i < ast->count; i++) {
		if (lists)
			marks[ast->kids[i]->loc.start] |= MARK_STATEMENT;
		mark(ast->kids[i], marks); /* no deeper than LIMIT_TREE */
	}
	if (ast->kind == AST_SETTING)
		marks[ast->loc.start] |= MARK_SETTING;
	if (ast->kind == AST_CHOICE)
		marks[ast->loc.start] |= MARK_CHOICE;
}

/* ---- tokens */

bool format_is_comment(const Piece *p)
{
	return p->t.kind == TOKEN_COMMENT;
}

static bool opens(int kind)
{
	return kind == PAREN || kind == BRACKET || kind == BRACE;
}

static bool closes(int kind)
{
	return kind == PAREN_END || kind == BRACKET_END || kind == BRACE_END;
}

static bool ends_value(const Piece *p)
{
	static const int kinds[] = {NAME, INT, REAL, STRING, TRUE, FALSE, PAREN_END, BRACKET_END};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (p->t.kind == kinds[i])
			return !(p->marks & MARK_SETTING);
	return false;
}

static bool is_tight(int kind)
{
	return kind == TIMES || kind == DIVIDE || kind == QUOTIENT || kind == REMAINDER || kind == POWER ||
	       kind == DOT;
}

static bool is_unary(const Format *f, int i)
{
	return f->at[i].t.kind == MINUS && (i == 0 || !ends_value(&f->at[i - 1]));
}

/* Whether a space goes between piece i and the one before, on one line. */
static bool needs_space(const Format *f, int i)
{
	const Piece *p = &f->at[i], *before = &f->at[i - 1];
	int kind = p->t.kind, last = before->t.kind;
	if (last == PAREN || last == BRACKET || is_tight(last) || is_unary(f, i - 1))
		return false;
	if (kind == PAREN_END || kind == BRACKET_END || kind == COMMA || kind == COLON || is_tight(kind))
		return false;
	if (kind == PAREN)
		return !(last == NAME && !(before->marks & MARK_SETTING));
	if (kind == BRACKET)
		return !((last == NAME || last == PAREN_END || last == BRACKET_END) &&
		         !(before->marks & MARK_SETTING));
	return !(last == BRACE && kind == BRACE_END);
}

/* A token after which a chain of arrows begins anew. */
static bool breaks_chain(int kind)
{
	return kind != ARROW && kind != DOT && kind != NAME && kind != INT && kind != REAL &&
	       kind != STRING && kind != TRUE && kind != FALSE && kind != TOKEN_COMMENT;
}

/* A comma in front of a closing bracket on one line, which says nothing; in (a,) it makes the tuple. */
static bool is_idle_comma(const Token *tokens, int i)
{
	if (tokens[i].kind != COMMA || !closes(tokens[i + 1].kind) || tokens[i + 1].first)
		return false;
	int depth = 0, open = i;
	bool many = false;
	while (depth >= 0) {
		open--;
		depth += closes(tokens[open].kind) - opens(tokens[open].kind);
		many |= depth == 0 && tokens[open].kind == COMMA;
	}
	bool calls = open > 0 && !tokens[open].first &&
	             (tokens[open - 1].kind == NAME || tokens[open - 1].kind == WITH);
	return many || calls || tokens[open].kind == BRACKET;
}

/* ---- where lines begin */

static int newlines_before(const Format *f, int i)
{
	int from = i ? f->at[i - 1].t.loc.end : 0, count = 0;
	for (int k = from; k < f->at[i].t.loc.start; k++)
		count += f->source->text[k] == '\n';
	return count;
}

static void match_brackets(Format *f)
{
	int open[LIMIT_NESTING + 2], depth = 0;
	int statements[LIMIT_NESTING + 3] = {0};
	for (int i = 0; i < f->count; i++) {
		Piece *p = &f->at[i];
		if (p->marks & MARK_STATEMENT)
			statements[depth]++;
		if (opens(p->t.kind)) {
			open[depth++] = i;
			statements[depth] = 0;
		} else if (closes(p->t.kind)) {
			Piece *o = &f->at[open[--depth]];
			p->partner = open[depth];
			o->partner = i;
			bool has_lines = p->t.first || o->spread || statements[depth + 1] > 1;
			for (int k = p->partner + 1; k <= i; k++)
				has_lines |= f->at[k].t.first;
			o->spread = p->spread = p->t.kind == BRACE_END && has_lines && i > p->partner + 1;
			/* A body with lines of its own gives its surroundings some. */
			for (int k = 0; k < depth && p->spread; k++)
				f->at[open[k]].spread = true;
		}
	}
}

/* The bodies of one `if ... else if ... else` are all spread, or none is. */
static void spread_alternatives(Format *f, int i)
{
	if (f->at[i].t.kind != ELSE || i == 0 || f->at[i - 1].t.kind != BRACE_END)
		return;
	int next = i;
	while (f->at[next].t.kind != BRACE)
		next++;
	Piece *last_close = &f->at[i - 1], *next_open = &f->at[next];
	bool spread = last_close->spread || next_open->spread;
	last_close->spread = f->at[last_close->partner].spread = spread;
	next_open->spread = f->at[next_open->partner].spread = spread;
}

static void find_breaks(Format *f)
{
	for (int i = 0; i < f->count; i++)
		spread_alternatives(f, i);
	for (int i = f->count - 1; i >= 0; i--) {
		spread_alternatives(f, i);
		bool skips = format_is_comment(&f->at[i]);
		f->at[i].next = !skips ? i : i + 1 < f->count ? f->at[i + 1].next : f->count;
	}
	int depth = 0; /* braces */
	int groups = 0;
	for (int i = 0; i < f->count; i++) {
		Piece *p = &f->at[i], *before = i ? p - 1 : NULL;
		int kind = p->t.kind, last = before ? before->t.kind : 0;
		bool after_comment = before && format_is_comment(before);
		p->breaks = p->t.first;
		if (kind == BRACE || (kind == ELSE && last == BRACE_END) || (kind == BRACE_END && !p->spread))
			p->breaks = false;
		else if (kind == BRACE_END || (last == BRACE && before->spread && !format_is_comment(p)))
			p->breaks = true;
		else if (p->marks & MARK_STATEMENT)
			p->breaks = depth == 0 || last != BRACE;
		p->breaks = i > 0 && (p->breaks || after_comment);

		bool top = groups == 0 && ((p->marks & MARK_STATEMENT) || format_is_comment(p));
		bool ended_item =
		        depth == 0 && (last == BRACE_END || (after_comment && i > 1 && !before->t.first &&
		                                             f->at[i - 2].t.kind == BRACE_END));
		bool ended_uses = depth == 0 && (last == STRING || last == LIBRARY) &&
		                  !format_is_comment(p) && kind != USE;
		bool begins_body = last == BRACE || (after_comment && i > 1 && !before->t.first &&
		                                     f->at[i - 2].t.kind == BRACE);
		p->blank = p->breaks && top && !begins_body &&
		           (newlines_before(f, i) > 1 || ended_item || ended_uses);
		depth += (kind == BRACE) - (kind == BRACE_END);
		groups += (kind == PAREN || kind == BRACKET) - (kind == PAREN_END || kind == BRACKET_END);
	}
}

/* ---- laying out */

static void put(Format *f, const char *s, int n)
{
	if (f->out)
		memcpy(f->out + f->length, s, (size_t)n);
	f->length += n;
	f->column += n;
}

static void put_spaces(Format *f, int n)
{
	if (f->out)
		memset(f->out + f->length, ' ', (size_t)n);
	f->length += n;
	f->column += n;
}

static void put_newline(Format *f)
{
	if (f->out)
		f->out[f->length] = '\n';
	f->length++;
	f->line++;
	f->column = 0;
}

/* The column of a line that begins with piece i. */
static int indent_of(const Format *f, int i)
{
	const Level *level = &f->levels[f->level];
	int next =
	        f->at[i].next; /* a comment stands where the line after it begins, but not with a closing bracket */
	if (next == f->count)
		return 0;
	const Piece *p = &f->at[next];
	int kind = p->t.kind;
	if (p->marks & MARK_STATEMENT || kind == BRACE || (kind == ELSE && !f->choices.count))
		return INDENT * f->depth;
	if (closes(kind) && next > i)
		return kind == BRACE_END ? INDENT * f->depth : level->indent;
	if (closes(kind))
		return level->close_indent;
	if ((kind == THEN || kind == ELSE) && f->choices.count)
		return f->choices.at[f->choices.count - 1];
	if (kind == ARROW && level->arrow >= 0)
		return level->arrow;
	return level->indent;
}

static void put_comment(Format *f, const Piece *p)
{
	const char *text = f->source->text + p->t.loc.start;
	int n = p->t.loc.end - p->t.loc.start;
	while (n > 1 && strchr(" \t\r\f\v", text[n - 1]))
		n--;
	put(f, "#", 1);
	if (n > 1 && !strchr(" \t#!", text[1]))
		put(f, " ", 1);
	put(f, text + 1, n - 1);
}

static void track(Format *f, int i)
{
	const Piece *p = &f->at[i];
	int kind = p->t.kind;
	if (p->marks & MARK_STATEMENT)
		f->levels[f->level] = (Level){.indent = INDENT * (f->depth + 1),
		                              .close_indent = INDENT * (f->depth - 1),
		                              .arrow = -1,
		                              .kind = f->levels[f->level].kind};
	Level *level = &f->levels[f->level];
	bool aligns = p->column <= ALIGN_MAX;
	if (kind == ARROW && level->arrow < 0 && aligns)
		level->arrow = p->column;
	else if (breaks_chain(kind) && !opens(kind) && !closes(kind))
		level->arrow = -1;
	int else_column = -1;
	if (kind == ELSE && f->choices.count && f->at[i - 1].t.kind != BRACE_END)
		else_column = f->choices.at[--f->choices.count];
	else if (p->marks & MARK_CHOICE)
		array_push(f->arena, &f->choices,
		           f->else_column >= 0 ? f->else_column
		           : aligns            ? p->column
		                               : level->indent);
	f->else_column = else_column;
	if (opens(kind)) {
		bool ends_line =
		        i + 1 < f->count && (f->at[i + 1].breaks || format_is_comment(&f->at[i + 1]));
		bool hangs = !aligns || ends_line;
		f->depth += kind == BRACE;
		Level inside = {.arrow = -1, .kind = kind};
		inside.indent = kind == BRACE ? INDENT * f->depth
		                : hangs       ? f->line_indent + INDENT
		                              : f->column;
		inside.close_indent = kind == BRACE ? INDENT * (f->depth - 1)
		                      : hangs       ? f->line_indent
		                                    : f->column - 1;
		f->levels[++f->level] = inside;
	} else if (closes(kind)) {
		f->depth -= kind == BRACE_END;
		f->level--;
	}
}

static void begin_layout(Format *f)
{
	f->length = f->line = f->column = f->depth = f->level = f->choices.count = 0;
	f->else_column = -1;
	f->levels[0] = (Level){.arrow = -1};
}

static void lay_out_piece(Format *f, int i)
{
	Piece *p = &f->at[i];
	if (p->breaks) {
		int indent = indent_of(f, i);
		put_newline(f);
		if (p->blank)
			put_newline(f);
		put_spaces(f, indent);
		f->line_indent = indent;
	} else if (i > 0) {
		put_spaces(f, format_is_comment(p) ? 2 : needs_space(f, i));
	}
	put_spaces(f, p->pad);
	p->line = f->line;
	p->column = f->column;
	p->level = f->level;
	p->around = f->levels[f->level].kind;
	if (format_is_comment(p))
		put_comment(f, p);
	else
		put(f, f->source->text + p->t.loc.start, p->t.loc.end - p->t.loc.start);
	track(f, i);
}

/* Lays all pieces out: where each stands, and where f->out is not NULL the text. */
static void format_lay_out(Format *f)
{
	begin_layout(f);
	for (int i = 0; i < f->count; i++)
		lay_out_piece(f, i);
	if (f->count)
		put_newline(f);
}

/* ---- long lines */

int format_text_length(const Piece *p)
{
	return p->t.loc.end - p->t.loc.start;
}

/* The first piece after the line that piece i begins; *end is the column after its code. */
static int line_end(const Format *f, int i, int *end)
{
	int next = i;
	for (*end = 0; next < f->count && f->at[next].line == f->at[i].line; next++)
		if (!format_is_comment(&f->at[next]))
			*end = f->at[next].column + format_text_length(&f->at[next]);
	return next;
}

static bool may_begin_line(const Format *f, int i)
{
	const Piece *p = &f->at[i], *before = p - 1;
	bool grouped = p->around == PAREN || p->around == BRACKET;
	return p->t.kind == ARROW || (before->t.kind == COMMA && grouped && !closes(p->t.kind));
}

/* A body on one line with what is too long gets lines of its own: the outermost one of pieces [from, to). */
static bool spread_body(Format *f, int from, int to)
{
	for (int i = from; i < to; i++) {
		Piece *p = &f->at[i];
		if (p->t.kind != BRACE || p->spread || p->partner <= i + 1)
			continue;
		p->spread = f->at[p->partner].spread = true;
		return true;
	}
	return false;
}

/* Spreads one body of each line that is too long; false where there is none. */
static bool spread_long_lines(Format *f)
{
	bool changed = false;
	format_lay_out(f);
	for (int i = 0, end, next; i < f->count; i = next) {
		next = line_end(f, i, &end);
		changed |= end > LINE_MOST && spread_body(f, i, next);
	}
	return changed;
}

/* Breaks the line that begins with piece `from`, laid out up to `to`, at the last of the outermost places that leave
 * room for what is before them. Returns that place; -1: there is none. */
static int break_line(Format *f, int from, int to)
{
	enum { LEAST = LINE_MOST / 3 }; /* an earlier break would leave most of the line as long as it was */
	int best = -1;
	for (int i = from + 1; i < to && f->at[i].column <= LINE_MOST; i++) {
		if (f->at[i].column >= LEAST && may_begin_line(f, i) &&
		    (best < 0 || f->at[i].level <= f->at[best].level))
			best = i;
	}
	if (best >= 0)
		f->at[best].breaks = true;
	return best;
}

/* The layout where a line begins, to go back to. */
typedef struct Mark {
	Format f;
	int *choices; /* those of f, as they were */
	int room;
} Mark;

static void set_mark(Mark *m, Format *f)
{
	m->f = *f;
	if (f->choices.count > m->room) {
		m->room = 2 * f->choices.count;
		m->choices = NEW_ARRAY(f->arena, int, m->room);
	}
	if (f->choices.count)
		memcpy(m->choices, f->choices.at, (size_t)f->choices.count * sizeof *m->choices);
}

static void go_back(const Mark *m, Format *f)
{
	*f = m->f;
	if (f->choices.count)
		memcpy(f->choices.at, m->choices, (size_t)f->choices.count * sizeof *m->choices);
}

/* Line by line: one that turns out too long is broken and laid out again, as far as the break. */
static void break_long_lines(Format *f)
{
	Mark begin = {0};
	int from = 0;             /* where the line begins */
	bool unbreakable = false; /* what it was found to be */
	begin_layout(f);
	for (int i = 0; i < f->count; i++) {
		const Piece *p = &f->at[i];
		if (i == 0 || p->breaks) {
			set_mark(&begin, f);
			from = i;
			unbreakable = false;
		}
		lay_out_piece(f, i);
		if (unbreakable || format_is_comment(p) || p->column + format_text_length(p) <= LINE_MOST)
			continue;
		unbreakable = break_line(f, from, i + 1) < 0;
		if (!unbreakable) {
			go_back(&begin, f);
			i = from - 1;
		}
	}
}

static void wrap_long_lines(Format *f)
{
	while (spread_long_lines(f))
		find_breaks(f);
	break_long_lines(f);
}

/* ---- the interface of ast.h */

char *format_source(Arena *a, Diagnostics *d, const Source *source)
{
	TokenList list = {0};
	int errors = diag_error_count(d);
	const Ast *file = parse_with_tokens(a, d, source, &list);
	if (diag_error_count(d) > errors)
		return NULL;
	unsigned char *marks = NEW_ARRAY(a, unsigned char, source->length + 1);
	mark(file, marks);
	const Token *tokens = list.tokens.at;
	Format f = {.arena = a, .source = source};
	f.at = NEW_ARRAY(a, Piece, list.tokens.count);
	for (int i = 0; i + 1 < list.tokens.count; i++) /* without the end */
		if (!is_idle_comma(tokens, i))
			f.at[f.count++] = (Piece){.t = tokens[i], .marks = marks[tokens[i].loc.start]};
	match_brackets(&f);
	find_breaks(&f);
	wrap_long_lines(&f);
	format_align_rows(&f);
	format_lay_out(&f);
	format_align_arrows(&f);
	format_lay_out(&f);
	format_align_comments(&f);
	format_lay_out(&f);
	f.out = arena_alloc(a, (size_t)f.length + 1);
	format_lay_out(&f);
	return f.out;
}
