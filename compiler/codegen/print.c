/* SPDX-License-Identifier: MIT */
/* The statements of a kernel as C or CUDA C: see print.h. */
#include "codegen/print.h"
#include "base/fail.h"
#include "base/writer.h"

#include <string.h>

const CodeWords words_c = {.turns = {[TURNS_THREADS] = "#pragma omp parallel for",
                                     [TURNS_SIMD] = "#pragma omp simd",
                                     [TURNS_THREADS_SIMD] = "#pragma omp parallel for simd"}};

const CodeWords words_cuda = {.turns = {[TURNS_UNROLLED] = "#pragma unroll"},
                              .shared = "__shared__ ",
                              .block_barrier = "__syncthreads();",
                              .warp_barrier = "__syncwarp();"};

static void print_loop_head(Writer *w, const CodeLoop *l, const char *brace, const CodeWords *words)
{
	if (l->turns != TURNS_SERIAL) {
		require(words->turns[l->turns] != NULL);
		write_line(w, "%s%s", words->turns[l->turns], l->clauses ? l->clauses : "");
	}
	write_text(w, "for (");
	if (l->type)
		write_text(w, "%s %s = %s", l->type, l->var, l->from ? l->from : "0");
	write_text(w, "; %s %s ", l->var, l->down ? ">=" : "<");
	if (l->to)
		write_text(w, "%s", l->to);
	else
		write_text(w, "%lld", (long long)l->count);
	write_text(w, "%s%s; %s", l->also ? " && " : "", l->also ? l->also : "", l->var);
	if (l->step)
		write_line(w, " %c= %s)%s", l->down ? '-' : '+', l->step, brace);
	else if (l->by > 0)
		write_line(w, " %c= %lld)%s", l->down ? '-' : '+', (long long)l->by, brace);
	else
		write_line(w, "%s)%s", l->down ? "--" : "++", brace);
}

static void print_all(Writer *w, const Statements *all, const CodeWords *words);

/* What is inside of a block, and its end; the head has been written. */
static void print_inside(Writer *w, const Statement *s, const CodeWords *words)
{
	require(!s->bare || s->inside.count == 1);
	write_indent(w, 1);
	print_all(w, &s->inside, words);
	write_indent(w, -1);
	if (!s->bare && s->kind != CODE_CALL)
		write_line(w, "}%s", s->kind == CODE_SCOPE ? s->name : "");
}

static bool declares(const Statement *s)
{
	return s->kind == CODE_LET || s->kind == CODE_VAR || s->kind == CODE_ARRAY || s->kind == CODE_SHARED;
}

/* "const float x = 1", "float x", "float x[4]"; a joined one has no type. */
static void print_declaration(Writer *w, const Statement *s, const CodeWords *words)
{
	const bool shared = s->kind == CODE_SHARED, sized = shared || s->kind == CODE_ARRAY;
	require(!shared || words->shared != NULL);
	if (!s->is_joined)
		write_text(w, "%s%s%s%s", shared && s->is_aligned ? "alignas(16) " : "",
		           s->kind == CODE_LET ? "const "
		           : shared            ? words->shared
		                               : "",
		           s->type, strchr("*&", s->type[strlen(s->type) - 1]) ? "" : " ");
	write_text(w, "%s", s->name);
	if (s->text)
		write_text(w, sized ? "[%s]" : " = %s", s->text);
	if (s->is_aligned && !shared)
		write_text(w, " __attribute__((aligned(64)))");
}

void print_object(Writer *w, const char *type, const char *name, const char *value)
{
	const char *blank = type[strlen(type) - 1] == '*' ? "" : " ";
	write_line(w, "static %s%s%s%s%s;", type, blank, name, value ? " = " : "", value ? value : "");
}

static void print_statement(Writer *w, const Statement *s, const CodeWords *words)
{
	const char *brace = s->bare ? "" : " {";
	switch (s->kind) {
	case CODE_ITEMS:
		write_line(w, "%s", s->text);
		return;
	case CODE_NOTE:
		write_line(w, "/* %s */", s->text);
		return;
	case CODE_LET:
	case CODE_VAR:
	case CODE_ARRAY:
	case CODE_SHARED:
		print_declaration(w, s, words);
		return;
	case CODE_OBJECT:
		print_object(w, s->type, s->name, s->text);
		return;
	case CODE_TYPE:
		write_line(w, "using %s = %s;", s->name, s->text);
		return;
	case CODE_REDUCE:
		write_line(w, "%s%s%s;", s->name ? s->name : "", s->name ? " = " : "", s->text);
		return;
	case CODE_SET:
		write_line(w, "%s = %s;", s->name, s->text);
		return;
	case CODE_ADD:
		write_line(w, "%s += %s;", s->name, s->text);
		return;
	case CODE_MAX:
		write_line(w, "%s = nnr_max%s(%s, %s);", s->name, strcmp(s->type, "double") == 0 ? "" : "f",
		           s->name, s->text);
		return;
	case CODE_DO:
	case CODE_LEAVE:
		write_line(w, "%s;", s->text);
		return;
	case CODE_BARRIER: {
		const char *word = strcmp(s->text, "warp") == 0 ? words->warp_barrier : words->block_barrier;
		require(word != NULL);
		write_line(w, "%s", word);
		return;
	}
	case CODE_LOOP:
		print_loop_head(w, s->loop, brace, words);
		break;
	case CODE_IF:
		write_line(w, s->name ? "if (const int %s = %s)%s" : "if (%s%s)%s", s->name ? s->name : "",
		           s->text, brace);
		break;
	case CODE_ELSE:
		write_line(w, s->text ? "else if (%s) {" : "else {", s->text);
		break;
	case CODE_SCOPE:
		write_line(w, "%s%s{", s->text ? s->text : "", s->text ? " " : "");
		break;
	case CODE_CALL:
		write_line(w, "%s", s->text);
		break;
	}
	print_inside(w, s, words);
}

/* Blocks in one another are at most CODE_DEPTH. */
static void print_all(Writer *w, const Statements *all, const CodeWords *words)
{
	for (int i = 0; i < all->count; i++) {
		print_statement(w, all->at[i], words);
		if (!declares(all->at[i]))
			continue;
		const char *note = all->at[i]->note;
		if (i + 1 < all->count && all->at[i + 1]->is_joined)
			write_text(w, ", ");
		else
			write_line(w, note ? ";%s%s */" : ";%s%s", note ? " /* " : "", note ? note : "");
	}
}

const char *code_text(Arena *a, const Code *c, const CodeWords *words)
{
	Writer *w = writer_new(a);
	require(c->depth == 0);
	print_all(w, &c->all, words);
	return writer_text(w, NULL);
}
