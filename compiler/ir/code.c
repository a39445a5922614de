/* SPDX-License-Identifier: MIT */
/* Building the statements of a kernel: see code.h. */
#include "ir/code.h"
#include "base/fail.h"

#include <string.h>

Code *code_new(Arena *a)
{
	Code *c = NEW(a, Code);
	c->arena = a;
	return c;
}

bool code_is_empty(const Code *c)
{
	return c->all.count == 0;
}

static Statement *add(Code *c, StatementKind kind, const char *text)
{
	Statements *to = c->depth > 0 ? c->open[c->depth - 1] : &c->all;
	Statement *s = NEW(c->arena, Statement);
	require(c->turns == TURNS_SERIAL || kind == CODE_LOOP);
	s->kind = kind;
	s->text = text;
	array_push(c->arena, to, s);
	return s;
}

static Statement *open_block(Code *c, StatementKind kind, const char *text)
{
	Statement *s = add(c, kind, text);
	require(c->depth < CODE_DEPTH);
	c->open[c->depth++] = &s->inside;
	return s;
}

/* The text of the arguments after `format`, which is the last one that has a name. */
#define FORMATTED(text, c, format)                            \
	va_list args;                                         \
	va_start(args, format);                               \
	char *text = arena_vprintf((c)->arena, format, args); \
	va_end(args)

void code_note(Code *c, const char *format, ...)
{
	FORMATTED(text, c, format);
	add(c, CODE_NOTE, text);
}

void code_items(Code *c, const char *format, ...)
{
	FORMATTED(text, c, format);
	add(c, CODE_ITEMS, text);
}

void code_do(Code *c, const char *format, ...)
{
	FORMATTED(text, c, format);
	add(c, CODE_DO, text);
}

/* The text up to where the next part begins, which *text is then; NULL where it is empty. */
static const char *next_part(char **text)
{
	char *part = *text, *end = strchr(part, CODE_PART[0]);
	if (end)
		*end = '\0';
	*text = end ? end + 1 : part + strlen(part);
	return *part ? part : NULL;
}

Statement *code_parts(Code *c, StatementKind kind, const char *format, ...)
{
	FORMATTED(text, c, format);
	Statement *s = add(c, kind, NULL);
	s->type = next_part(&text);
	s->name = next_part(&text);
	s->text = next_part(&text);
	return s;
}

void code_leave(Code *c, const char *format, ...)
{
	FORMATTED(text, c, format);
	add(c, CODE_LEAVE, text);
}

void code_leave_if(Code *c, const char *how, const char *format, ...)
{
	FORMATTED(condition, c, format);
	open_block(c, CODE_IF, condition)->bare = true;
	add(c, CODE_LEAVE, how);
	code_close(c, 1);
}

void code_barrier(Code *c, const char *of)
{
	add(c, CODE_BARRIER, of);
}

void code_turns(Code *c, Turns turns, const char *clauses)
{
	require(c->turns == TURNS_SERIAL);
	c->turns = turns;
	c->clauses = clauses;
}

static Statement *open_loop(Code *c, CodeLoop loop)
{
	Statement *s = open_block(c, CODE_LOOP, NULL);
	if (c->turns != TURNS_SERIAL) {
		loop.turns = c->turns;
		loop.clauses = c->clauses;
	}
	c->turns = TURNS_SERIAL;
	s->loop = arena_copy(c->arena, &loop, sizeof loop);
	s->name = loop.var;
	return s;
}

void code_loop(Code *c, CodeLoop loop)
{
	open_loop(c, loop);
}

void code_loop_bare(Code *c, CodeLoop loop)
{
	open_loop(c, loop)->bare = true;
}

void code_strided(Code *c, const char *var, const char *from, int64_t count, int64_t by)
{
	open_loop(c, (CodeLoop){.type = "int", .var = var, .from = from, .count = count, .by = by});
}

void code_for(Code *c, const char *var, const char *format, ...)
{
	FORMATTED(to, c, format);
	open_loop(c, (CodeLoop){.type = "int64_t", .var = var, .to = to});
}

void code_for_bare(Code *c, const char *var, const char *format, ...)
{
	FORMATTED(to, c, format);
	open_loop(c, (CodeLoop){.type = "int64_t", .var = var, .to = to})->bare = true;
}

void code_if(Code *c, const char *format, ...)
{
	FORMATTED(condition, c, format);
	open_block(c, CODE_IF, condition);
}

void code_if_let(Code *c, const char *name, const char *format, ...)
{
	FORMATTED(condition, c, format);
	open_block(c, CODE_IF, condition)->name = name;
}

void code_if_bare(Code *c, const char *format, ...)
{
	FORMATTED(condition, c, format);
	open_block(c, CODE_IF, condition)->bare = true;
}

void code_else(Code *c, const char *condition)
{
	open_block(c, CODE_ELSE, condition);
}

void code_block(Code *c)
{
	open_block(c, CODE_SCOPE, NULL)->name = "";
}

void code_scope(Code *c, const char *tail, const char *format, ...)
{
	FORMATTED(head, c, format);
	open_block(c, CODE_SCOPE, head)->name = tail;
}

void code_call(Code *c, const char *format, ...)
{
	FORMATTED(head, c, format);
	open_block(c, CODE_CALL, head);
}

void code_close(Code *c, int count)
{
	require(c->depth >= count && c->turns == TURNS_SERIAL);
	c->depth -= count;
}

void code_take(Code *c, Code *part)
{
	Statements *to = c->depth > 0 ? c->open[c->depth - 1] : &c->all;
	require(part->depth == 0 && c->turns == TURNS_SERIAL);
	for (int i = 0; i < part->all.count; i++)
		array_push(c->arena, to, part->all.at[i]);
	part->all.count = 0;
}

/* ---- other texts */

typedef struct Rewriting {
	Arena *arena;
	CodeRewrite *rewrite;
	void *data;
} Rewriting;

static const char *number_text(Arena *a, int64_t number)
{
	return arena_printf(a, "%lld", (long long)number);
}

static const CodeLoop *loop_rewritten(const Rewriting *r, const Statement *s)
{
	CodeLoop *l = arena_copy(r->arena, s->loop, sizeof *l);
	l->from = l->from ? r->rewrite(r->data, s, PART_FROM, l->from) : NULL;
	l->to = r->rewrite(r->data, s, PART_TO, l->to ? l->to : number_text(r->arena, l->count));
	l->also = l->also ? r->rewrite(r->data, s, PART_ALSO, l->also) : NULL;
	l->step = l->by > 0 ? r->rewrite(r->data, s, PART_STEP, number_text(r->arena, l->by)) : NULL;
	return l;
}

/* Blocks in one another are at most CODE_DEPTH. */
static Statements all_rewritten(const Rewriting *r, const Statements *all)
{
	Statements to = {0};
	for (int i = 0; i < all->count; i++) {
		const Statement *from = all->at[i];
		if (from->kind == CODE_OBJECT)
			continue;
		Statement *s = arena_copy(r->arena, from, sizeof *s);
		array_push(r->arena, &to, s);
		if (s->kind == CODE_NOTE || s->kind == CODE_BARRIER)
			continue;
		s->type = s->type ? r->rewrite(r->data, from, PART_TYPE, s->type) : NULL;
		s->name = s->name ? r->rewrite(r->data, from, PART_NAME, s->name) : NULL;
		s->text = s->text ? r->rewrite(r->data, from, PART_TEXT, s->text) : NULL;
		s->loop = s->loop ? loop_rewritten(r, from) : NULL;
		s->inside = all_rewritten(r, &from->inside);
	}
	return to;
}

Code *code_rewritten(Arena *a, const Code *c, CodeRewrite *rewrite, void *data)
{
	const Rewriting r = {a, rewrite, data};
	Code *to = code_new(a);
	to->all = all_rewritten(&r, &c->all);
	return to;
}

/* ---- words */

static bool text_mentions(const char *text, const char *word)
{
	const size_t length = strlen(word);
	for (const char *at = text; at && (at = strstr(at, word)); at += length) {
		const bool begins = at == text || !in_word(at[-1]),
		           is_member = at > text &&
		                       (at[-1] == '.' || (at[-1] == '>' && at > text + 1 && at[-2] == '-'));
		if (begins && !is_member && !in_word(at[length]))
			return true;
	}
	return false;
}

static bool statement_mentions(const Statement *s, const char *word);

static bool any_mentions(const Statements *all, int from, const char *word)
{
	for (int i = from; i < all->count; i++)
		if (statement_mentions(all->at[i], word))
			return true;
	return false;
}

/* Blocks in one another are at most CODE_DEPTH. */
static bool statement_mentions(const Statement *s, const char *word)
{
	const CodeLoop *l = s->loop;
	return text_mentions(s->text, word) || text_mentions(s->name, word) || text_mentions(s->type, word) ||
	       (l && (text_mentions(l->from, word) || text_mentions(l->to, word) ||
	              text_mentions(l->also, word))) ||
	       any_mentions(&s->inside, 0, word);
}

bool code_mentions(const Code *c, const char *word)
{
	return any_mentions(&c->all, 0, word);
}

/* The last first: what reads a value may be left out itself. */
static void leave_out_unread(Statements *all)
{
	int end = all->count;
	for (int i = all->count - 1; i >= 0; i--) {
		Statement *s = all->at[i];
		leave_out_unread(&s->inside);
		if (!s->if_read || any_mentions(all, i + 1, s->name))
			continue;
		memmove(&all->at[i], &all->at[i + 1], (size_t)(--end - i) * sizeof *all->at);
		all->count = end;
	}
}

void code_finish(Code *c)
{
	require(c->depth == 0 && c->turns == TURNS_SERIAL);
	leave_out_unread(&c->all);
}
