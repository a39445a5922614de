/* A body as tokens of C, of which those are told apart that may differ within a family: see family_text.h. */
#include "base/map.h"
#include "codegen/family.h"
#include "codegen/family_text.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct Scan {
	Arena *a;
	Text *t;
	bool kernel;
	const char *at;
	const char *from;    /* of the text that is not yet a piece */
	bool in_declaration; /* of an array, in front of its `;` or `=` */
} Scan;

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static void end_text(Scan *s)
{
	if (s->at > s->from)
		array_push(s->a, &s->t->pieces,
		           (Piece){.kind = PIECE_TEXT, .at = s->from, .length = (int)(s->at - s->from)});
	s->from = s->at;
}

static void add_piece(Scan *s, PieceKind kind, int length, const char *name)
{
	end_text(s);
	array_push(s->a, &s->t->pieces, (Piece){kind, s->at, length, name});
	s->from = s->at += length;
}

/* `float t[...` at the start of a line: two words or more, then a bracket. */
static bool declares_array(const char *line)
{
	int words = 0;
	while (*line == '\t')
		line++;
	while (in_word(*line)) {
		while (in_word(*line))
			line++;
		words++;
		while (*line == ' ' || *line == '*')
			line++;
	}
	return words >= 2 && *line == '[';
}

/* In front of the number at `at` stands `i1 < `: n1. Of a check, `i1 >= `, likewise. */
static const char *bound_name(Scan *s, const char *begin)
{
	const char *end = s->at;
	while (end > begin && end[-1] == ' ')
		end--;
	if (end - begin < 4 || (end[-1] != '<' && !(end[-1] == '=' && end[-2] == '>')))
		return NULL;
	end -= end[-1] == '<' ? 1 : 2;
	while (end > begin && end[-1] == ' ')
		end--;
	const char *word = end;
	while (word > begin && in_word(word[-1]))
		word--;
	if (word == end || !isalpha((unsigned char)*word))
		return NULL;
	if (*word == 'i' && (end - word == 1 || isdigit((unsigned char)word[1])))
		return arena_printf(s->a, "n%.*s", (int)(end - word - 1), word + 1);
	return arena_printf(s->a, "%.*s_end", (int)(end - word), word);
}

static void scan_number(Scan *s, const char *begin)
{
	int length = 0, digits = 0;
	bool real = false;
	while (in_word(s->at[length]) || s->at[length] == '.' ||
	       ((s->at[length] == '-' || s->at[length] == '+') && s->at[length - 1] == 'e')) {
		digits += isdigit((unsigned char)s->at[length]) != 0;
		real = real || s->at[length] == '.' || s->at[length] == 'e';
		length++;
	}
	bool hex = s->at[0] == '0' && (s->at[1] == 'x' || s->at[1] == 'X');
	if (real && !hex) {
		add_piece(s, s->at[length - 1] == 'f' ? PIECE_FLOAT : PIECE_DOUBLE, length, NULL);
		return;
	}
	int64_t value = digits == length ? strtoll(s->at, NULL, 10) : -1;
	if (value > 1 && s->kernel && value <= INT_MAX)
		add_piece(s, PIECE_INT, length, bound_name(s, begin));
	else if (value > 1 && !s->kernel && s->in_declaration)
		add_piece(s, PIECE_EXTENT, length, NULL);
	else if (value >= FAMILY_LEAST && !s->kernel)
		add_piece(s, PIECE_INT, length, bound_name(s, begin));
	else
		s->at += length;
}

static bool is_object(const Text *t, const char *name, int length)
{
	for (int i = 0; i < t->objects.count; i++)
		if (strncmp(t->objects.at[i].name, name, (size_t)length) == 0 &&
		    t->objects.at[i].name[length] == '\0')
			return true;
	return false;
}

static void scan_word(Scan *s)
{
	int length = 0;
	while (in_word(s->at[length]))
		length++;
	map_set(s->t->words, arena_strndup(s->a, s->at, (size_t)length), s->t);
	s->at += length;
}

static void skip_text(Scan *s, char quote)
{
	s->at++;
	while (*s->at && *s->at != quote)
		s->at += *s->at == '\\' ? 2 : 1;
	s->at += *s->at != '\0';
}

static void scan_pieces(Scan *s)
{
	const char *begin = s->at;
	s->from = s->at;
	while (*s->at) {
		if (s->at == begin || s->at[-1] == '\n') {
			const char *first = s->at + strspn(s->at, "\t");
			s->in_declaration = declares_array(s->at);
			if (*first == '#') { /* a pragma is kept as it is */
				s->at += strcspn(s->at, "\n");
				s->at += *s->at == '\n';
				continue;
			}
			s->t->alone = s->t->alone || strncmp(first, "static ", 7) == 0;
		}
		if (*s->at == ';' || *s->at == '=')
			s->in_declaration = false;
		int word = 0;
		while (*s->at == '&' && in_word(s->at[1 + word]))
			word++;
		if (*s->at == '"' || *s->at == '\'')
			skip_text(s, *s->at);
		else if (strncmp(s->at, "/*", 2) == 0)
			s->at = strstr(s->at, "*/") + 2;
		else if (word > 0 && is_object(s->t, s->at + 1, word))
			add_piece(s, PIECE_OBJECT, word + 1, NULL);
		else if (isdigit((unsigned char)*s->at))
			scan_number(s, begin);
		else if (in_word(*s->at))
			scan_word(s);
		else
			s->at++;
	}
	end_text(s);
}

/* Blanks and ends of line as one blank each. */
static char *on_one_line(Arena *a, const char *text, size_t length)
{
	char *line = arena_strndup(a, text, length);
	size_t to = 0;
	for (size_t i = 0; line[i]; i++) {
		bool blank = isspace((unsigned char)line[i]) != 0;
		if (blank && (to == 0 || line[to - 1] == ' ' || line[to - 1] == '{' ||
		              strncmp(line + i + strspn(line + i, "\n\t "), "}", 1) == 0))
			continue;
		if (line[i] == '}' && to > 0 && line[to - 1] == ',') /* that ended the last line of a list */
			to--;
		line[to++] = blank ? ' ' : line[i];
	}
	line[to] = '\0';
	return line;
}

/* The static objects at the head of the body. */
static void scan_objects(Scan *s)
{
	while (strncmp(s->at, "static ", 7) == 0) {
		const char *from = s->at + 7, *end = strstr(from, ";\n"), *name;
		size_t head = strcspn(from, "=;"), length;
		while (head > 0 && from[head - 1] == ' ')
			head--;
		for (length = 0; in_word(from[head - 1 - length]);)
			length++;
		name = from + head - length;
		const char *value = memchr(from, '=', (size_t)(end - from));
		Object o = {.constant = strncmp(from, "const ", 6) == 0,
		            .name = arena_strndup(s->a, name, length),
		            .value = value ? on_one_line(s->a, value + 2, (size_t)(end - value - 2)) : NULL};
		while (name > from && name[-1] == ' ')
			name--;
		o.type = arena_strndup(s->a, from, (size_t)(name - from));
		array_push(s->a, &s->t->objects, o);
		s->at = end + 2;
	}
}

Text *text_take_apart(Arena *a, const char *body, bool kernel)
{
	Text *t = NEW(a, Text);
	t->words = map_new(a);
	Scan s = {.a = a, .t = t, .kernel = kernel, .at = body};
	scan_objects(&s);
	scan_pieces(&s);
	return t;
}

const char *text_key(Arena *a, const Text *t)
{
	Writer *w = writer_new(a);
	for (int i = 0; i < t->objects.count; i++)
		write_text(w, "%s %s\n", t->objects.at[i].type, t->objects.at[i].name);
	for (int i = 0; i < t->pieces.count; i++) {
		const Piece *p = &t->pieces.at[i];
		if (p->kind == PIECE_TEXT || p->kind == PIECE_OBJECT)
			write_text(w, "%.*s", p->length, p->at);
		else
			write_text(w, "\1%d", p->kind);
	}
	return writer_text(w, NULL);
}
