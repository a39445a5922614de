/* SPDX-License-Identifier: MIT */
/* A body as tokens of C, of which those are told apart that may differ within a family: see family_text.h. */
#include "base/map.h"
#include "codegen/expr.h"
#include "emit/family.h"
#include "emit/family_text.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct Scan {
	Arena *a;
	Text *t;
	bool kernel;
	Map *pointers; /* a kernel's parameters */
	const char *at;
	const char *from;    /* of the text that is not yet a piece */
	bool in_declaration; /* of an array, in front of its `;` or `=` */
} Scan;

static void end_text(Scan *s)
{
	if (s->at > s->from)
		array_push(s->a, &s->t->pieces,
		           (Piece){.kind = PIECE_TEXT, .at = s->from, .length = (int)(s->at - s->from)});
	s->from = s->at;
}

static Piece *add_piece(Scan *s, PieceKind kind, int length)
{
	end_text(s);
	array_push(s->a, &s->t->pieces,
	           (Piece){.kind = kind, .at = s->at, .length = length, .rank = NAME_NONE});
	s->from = s->at += length;
	return &s->t->pieces.at[s->t->pieces.count - 1];
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

/* The word that ends at `end`; returns its first letter, NULL where there is none. */
static const char *word_before(const char *begin, const char *end)
{
	const char *word = end;
	while (word > begin && in_word(word[-1]))
		word--;
	return word < end && isalpha((unsigned char)*word) ? word : NULL;
}

/* Tiles of a product begin at m0 and n0: its sizes are M and N, those of a tile tile_m and tile_n. */
static bool starts_tile(const char *word, const char *end)
{
	return end - word == 2 && word[1] == '0' && (*word == 'm' || *word == 'n');
}

/* i and j of host functions are the row and the column of a block. */
static const char *name_of_bound(const Scan *s, const char *word, const char *end)
{
	Arena *a = s->a;
	if (!s->kernel && end - word == 1 && (*word == 'i' || *word == 'j'))
		return *word == 'i' ? "rows" : "columns";
	if (starts_tile(word, end))
		return arena_printf(a, "%c", toupper((unsigned char)*word));
	if (*word == 'i' && (end - word == 1 || isdigit((unsigned char)word[1])))
		return arena_printf(a, "n%.*s", (int)(end - word - 1), word + 1);
	return arena_printf(a, "%.*s_end", (int)(end - word), word);
}

/* Names the number at `at`, which ends at s->at, by what stands in front of it; the depth of a product by the place of
 * its tile, which follows. */
static void name_integer(Scan *s, const char *begin, const char *at, Piece *p)
{
	static const char tile[] = ", m0, n0, ";
	if (strncmp(s->at, tile, strlen(tile)) == 0) {
		p->name = "K";
		p->rank = NAME_USE;
		return;
	}
	static const struct {
		const char *before, *suffix; /* NULL: a name of its own only after threadIdx.x */
		const char *of_thread;       /* NULL: none */
		NameRank rank;
	} uses[] = {
	        {" < ", "end", "threads", NAME_BOUND}, {" >= ", "end", "threads", NAME_BOUND},
	        {" += ", "step", NULL, NAME_USE},      {" -= ", "step", NULL, NAME_USE},
	        {" * ", "stride", NULL, NAME_USE},     {" = ", "start", NULL, NAME_USE},
	        {" % ", NULL, "group", NAME_USE},
	};
	enum { USES = sizeof uses / sizeof *uses };
	size_t i = 0;
	while (i < USES &&
	       ((size_t)(at - begin) < strlen(uses[i].before) ||
	        strncmp(at - strlen(uses[i].before), uses[i].before, strlen(uses[i].before)) != 0))
		i++;
	const char *end = i < USES ? at - strlen(uses[i].before) : begin, *word = word_before(begin, end);
	if (!word)
		return;
	const char *name = NULL;
	NameRank rank = uses[i].rank;
	bool in_sum = word - begin > 2 && strncmp(word - 2, "- ", 2) == 0; /* `m0_end - m0 < 252` */
	const char *loop =
	        word - begin > 3 && strncmp(word - 3, " = ", 3) == 0 && strncmp(s->at, " / ", 3) == 0
	                ? word_before(begin, word - 3)
	                : NULL;
	if (loop) { /* `i0 = chunk * 512 / 4`: a chunk of the loop over i0 */
		rank = NAME_BOUND;
		name = name_of_bound(s, loop, word - 3);
	} else if (word > begin && word[-1] == '.') {
		name = uses[i].of_thread;
	} else if (rank == NAME_BOUND && !in_sum) {
		name = name_of_bound(s, word, end);
	} else if (rank == NAME_USE && starts_tile(word, end)) {
		name = arena_printf(s->a, "tile_%c", *word);
	} else if (rank == NAME_USE && uses[i].suffix) {
		name = arena_printf(s->a, "%.*s_%s", (int)(end - word), word, uses[i].suffix);
	}
	if (name) {
		p->name = name;
		p->rank = rank;
	}
}

static bool stands_after(const char *begin, const char *at, const char *text)
{
	size_t length = strlen(text);
	return (size_t)(at - begin) >= length && strncmp(at - length, text, length) == 0;
}

/* A small number that unrolls no loop: what is added to the index of a tensor, "(row * 28 + 3)", and the number of
 * partial results. */
static bool may_differ(const char *begin, const char *at, const char *end)
{
	return (stands_after(begin, at, "+ ") && (*end == ')' || *end == ']')) ||
	       stands_after(begin, at, "part < ");
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
	const char *at = s->at;
	const PieceUse use = s->kernel ? use_of_constant(begin, at, at + length, s->pointers) : USE_ARGUMENT;
	if (real && !hex) {
		add_piece(s, s->at[length - 1] == 'f' ? PIECE_FLOAT : PIECE_DOUBLE, length)->use = use;
		return;
	}
	int64_t value = digits == length ? strtoll(s->at, NULL, 10) : -1;
	if (value > 1 && !s->kernel && s->in_declaration)
		add_piece(s, PIECE_EXTENT, length);
	else if (s->kernel ? value > 1 && value <= INT_MAX
	                   : value >= FAMILY_LEAST || may_differ(begin, at, s->at + length)) {
		Piece *p = add_piece(s, PIECE_INT, length);
		p->use = use;
		name_integer(s, begin, at, p);
	} else {
		s->at += length;
	}
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
			add_piece(s, PIECE_OBJECT, word + 1);
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

/* "const float *restrict x, float *restrict y": the number of each name, from 1. */
static Map *parameter_numbers(Arena *a, const char *params)
{
	Map *numbers = map_new(a);
	for (const char *at = params; *at; at += *at == ',') {
		const char *end = at + strcspn(at, ","), *word = end;
		while (word > at && in_word(word[-1]))
			word--;
		int *number = NEW(a, int);
		*number = map_count(numbers) + 1;
		map_set(numbers, arena_strndup(a, word, (size_t)(end - word)), number);
		at = end;
	}
	return numbers;
}

Text *text_take_apart(Arena *a, const char *body, const char *params)
{
	Text *t = NEW(a, Text);
	t->words = map_new(a);
	Scan s = {.a = a,
	          .t = t,
	          .kernel = params,
	          .pointers = params ? parameter_numbers(a, params) : NULL,
	          .at = body};
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

/* The number of the parameter that the word is, or that a local variable is named after: "x_in"; `*length` is what it
 * has of the word. NULL: none. */
static const int *parameter_of_word(Arena *a, const Map *numbers, const char *word, size_t *length)
{
	const int *number = map_get(numbers, arena_strndup(a, word, *length));
	for (size_t end = *length; !number && end-- > 1;)
		if (word[end] == '_' && (number = map_get(numbers, arena_strndup(a, word, end))))
			*length = end;
	return number;
}

const char *text_of_parameters(Arena *a, const char *params, const char *text)
{
	Map *numbers = parameter_numbers(a, params);
	Writer *w = writer_new(a);
	const char *from = text; /* of what is not yet written */
	for (const char *at = text; *at;) {
		size_t length = 0;
		while (in_word(at[length]))
			length++;
		bool member =
		        at > text && (at[-1] == '.' || (at[-1] == '>' && at - 1 > text && at[-2] == '-'));
		size_t named = length;
		const int *number = length > 0 && !member ? parameter_of_word(a, numbers, at, &named) : NULL;
		if (number) {
			write_text(w, "%.*s\2%d", (int)(at - from), from, *number);
			from = at + named;
		}
		at += length > 0 ? length : 1;
	}
	write_text(w, "%s", from);
	return writer_text(w, NULL);
}
