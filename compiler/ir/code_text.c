/* SPDX-License-Identifier: MIT */
/* What the statements of a kernel are, as a text to be read, and what is wrong with them: see code.h. */
#include "ir/code.h"
#include "base/map.h"
#include "base/writer.h"

#include <string.h>

/* ---- text */

/* What a kind is called, and what stands between its name and its text. */
static const struct {
	const char *word, *between;
} kinds[] = {
        [CODE_NOTE] = {"note", ""},      [CODE_LET] = {"let", "= "},        [CODE_VAR] = {"var", "= "},
        [CODE_ARRAY] = {"array", "of "}, [CODE_SHARED] = {"shared", "of "}, [CODE_OBJECT] = {"object", "= "},
        [CODE_TYPE] = {"type", "= "},    [CODE_SET] = {"set", "= "},        [CODE_ADD] = {"add", "+= "},
        [CODE_MAX] = {"max", "with "},   [CODE_REDUCE] = {"reduce", "= "},  [CODE_ITEMS] = {"items", ""},
        [CODE_DO] = {"do", ""},          [CODE_LEAVE] = {"leave", ""},      [CODE_BARRIER] = {"barrier", ""},
        [CODE_LOOP] = {"loop", ""},      [CODE_IF] = {"if", "= "},          [CODE_ELSE] = {"else", ""},
        [CODE_SCOPE] = {"scope", ""},    [CODE_CALL] = {"call", ""},
};

static void dump_loop(Writer *w, const CodeLoop *l)
{
	static const char *const turns[] = {[TURNS_SERIAL] = "",
	                                    [TURNS_UNROLLED] = ", unrolled",
	                                    [TURNS_THREADS] = ", threads",
	                                    [TURNS_SIMD] = ", simd",
	                                    [TURNS_THREADS_SIMD] = ", threads and simd"};
	if (l->type)
		write_text(w, " %s %s from %s", l->type, l->var, l->from ? l->from : "0");
	else
		write_text(w, " %s", l->var);
	if (l->to)
		write_text(w, " %s %s", l->down ? "down to" : "below", l->to);
	else
		write_text(w, " below %lld", (long long)l->count);
	if (l->by > 0)
		write_text(w, " by %lld", (long long)l->by);
	write_text(w, "%s%s%s%s", l->also ? " while " : "", l->also ? l->also : "", turns[l->turns],
	           l->clauses ? l->clauses : "");
}

/* Blocks in one another are at most CODE_DEPTH. */
static void dump_all(Writer *w, const Statements *all)
{
	for (int i = 0; i < all->count; i++) {
		const Statement *s = all->at[i];
		const bool named = s->name && s->kind != CODE_LOOP && s->kind != CODE_SCOPE;
		write_text(w, "%s", kinds[s->kind].word);
		if (s->type)
			write_text(w, " %s", s->type);
		if (named)
			write_text(w, " %s", s->name);
		if (s->loop)
			dump_loop(w, s->loop);
		if (s->text)
			write_text(w, " %s%s", named ? kinds[s->kind].between : "", s->text);
		write_text(w, "\n");
		write_indent(w, 1);
		dump_all(w, &s->inside);
		write_indent(w, -1);
	}
}

const char *code_dump(Arena *a, const Code *c)
{
	Writer *w = writer_new(a);
	dump_all(w, &c->all);
	return writer_text(w, NULL);
}

/* ---- what is wrong */

/* A name that some statement declares; several blocks beside each other may declare it. */
typedef struct Name {
	const char *text;
	int blocks;   /* that are open and declare it */
	bool of_lane; /* its value differs from one thread of the block to another */
	bool assumed; /* it stands in the head of a scope, or in "[x, y]", which have declared it */
} Name;

typedef struct Checked {
	Arena *arena;
	Map *names;
	ARRAY(Name *) live; /* what open blocks declare, the outermost first; from `begin` on the innermost */
	int begin;
	bool apart;  /* not all threads of the block come here */
	bool parted; /* which of the last condition and its alternatives are taken differs between threads */
	const char *wrong;
} Checked;

/* The name that a statement declares; NULL: it declares none. */
static const char *declared_by(const Statement *s)
{
	switch (s->kind) {
	case CODE_VAR:
		return *s->name == '[' ? NULL : s->name;
	case CODE_LET:
	case CODE_ARRAY:
	case CODE_SHARED:
	case CODE_OBJECT:
	case CODE_TYPE:
	case CODE_IF:
		return s->name;
	case CODE_LOOP:
		return s->loop->type ? s->name : NULL;
	default:
		return NULL;
	}
}

static void find_names(Checked *c, const Statements *all)
{
	for (int i = 0; i < all->count; i++) {
		const char *text = declared_by(all->at[i]);
		if (text && !map_get(c->names, text)) {
			Name *name = NEW(c->arena, Name);
			name->text = text;
			map_set(c->names, text, name);
		}
		find_names(c, &all->at[i]->inside);
	}
}

static Name *declare(Checked *c, Name *name)
{
	for (int i = c->begin; i < c->live.count && !c->wrong; i++)
		if (c->live.at[i] == name && !name->assumed)
			c->wrong = arena_printf(c->arena, "`%s` is declared twice in a block", name->text);
	name->blocks++;
	name->of_lane = name->assumed = false;
	array_push(c->arena, &c->live, name);
	return name;
}

/* Goes through the words of a text that are names, but no members'. Each must be declared; or, where `declares`, is
 * from here on. Returns whether one of them differs between threads. */
static bool go_through_words(Checked *c, const char *text, bool declares)
{
	static const char lane[] = "threadIdx";
	bool of_lane = false;
	for (const char *at = text; at && *at; at++) {
		size_t n = 0;
		while (in_word(at[n]))
			n++;
		if (n == 0)
			continue;
		const bool is_member =
		        at > text && (at[-1] == '.' || (at[-1] == '>' && at > text + 1 && at[-2] == '-'));
		Name *name = is_member ? NULL : map_get(c->names, arena_strndup(c->arena, at, n));
		of_lane |= (name && name->of_lane) || (n == sizeof lane - 1 && strncmp(at, lane, n) == 0);
		if (name && name->blocks == 0 && declares)
			declare(c, name)->assumed = true;
		else if (name && name->blocks == 0 && !c->wrong)
			c->wrong = arena_printf(c->arena,
			                        "`%s` is read outside of the block that declares it: %s",
			                        name->text, text);
		at += n - 1;
	}
	return of_lane;
}

static void check_all(Checked *c, const Statements *all);

static void check_statement(Checked *c, const Statement *s)
{
	const int begin = c->begin, live = c->live.count;
	const bool apart = c->apart, opens = s->inside.count > 0;
	const char *declared = declared_by(s);
	bool of_lane = false;
	if (opens)
		c->begin = live;
	const char *meeting = s->kind == CODE_BARRIER ? s->text : s->kind == CODE_REDUCE ? s->type : "";
	if (strcmp(meeting, "block") == 0 && c->apart && !c->wrong)
		c->wrong = "a barrier of the block stands where not all of its threads come";
	if (s->loop)
		of_lane = go_through_words(c, s->loop->from, false);
	Name *name = declared && s->kind != CODE_LET && s->kind != CODE_VAR
	                     ? declare(c, map_get(c->names, declared))
	                     : NULL;
	if (s->loop)
		go_through_words(c, s->loop->to, false);
	else if (s->kind != CODE_NOTE && s->kind != CODE_BARRIER)
		of_lane = go_through_words(c, s->text, s->kind == CODE_SCOPE);
	if (!declared && !s->loop && s->kind != CODE_SCOPE)
		go_through_words(c, s->name, s->kind == CODE_VAR);
	if (declared && !name)
		name = declare(c, map_get(c->names, declared));
	if (name)
		name->of_lane = of_lane;
	const bool parted = of_lane || (s->kind == CODE_ELSE && c->parted);
	c->parted = parted;
	if (!opens)
		return;
	c->apart |= parted && (s->kind == CODE_IF || s->kind == CODE_ELSE);
	check_all(c, &s->inside);
	/* threads that have returned do not come to what follows */
	const bool returns = s->kind == CODE_IF && s->bare && s->inside.at[0]->kind == CODE_LEAVE &&
	                     strcmp(s->inside.at[0]->text, "return") == 0;
	c->apart = apart || (c->apart && returns);
	while (c->live.count > live)
		c->live.at[--c->live.count]->blocks--;
	c->begin = begin;
	c->parted = parted;
}

/* Blocks in one another are at most CODE_DEPTH. */
static void check_all(Checked *c, const Statements *all)
{
	for (int i = 0; i < all->count && !c->wrong; i++)
		check_statement(c, all->at[i]);
}

const char *code_verify(Arena *a, const Code *c)
{
	Checked checked = {.arena = a, .names = map_new(a)};
	find_names(&checked, &c->all);
	check_all(&checked, &c->all);
	return checked.wrong;
}
