/* SPDX-License-Identifier: MIT */
/* The statements of a function, with what its texts have of numbers taken out: see form.h.
 *
 * A text is read once, from its begin on, with the brackets that are open. What an expression as a tree will say is
 * found in it: whether a number is an argument of a template, an index or a divisor, and what it bounds or adds to. */
#include "emit/form.h"
#include "base/fail.h"
#include "base/format.h"
#include "base/writer.h"
#include "codegen/kernel.h"
#include "codegen/print.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Around the kind of a mark and its number. */
#define MARK_BEGIN "\2"
#define MARK_END   "\3"
enum { MARK_OBJECT = 'o', MARK_PARAMETER = 'p', BRACKETS = 64, LONGEST_NAME = 255 };

typedef struct Bracket {
	char open;
	bool is_call;
	bool asks; /* a number here must be known where the kernel is compiled */
} Bracket;

typedef struct Scan {
	Arena *a;
	Form *f;
	bool kernel;
	Map *parameters, *objects; /* numbers, by name */
	const char *begin, *at;    /* a text, with what stands in front of it, and where it is read */
	char *to;                  /* the text with marks */
	size_t length, room;
	Bracket open[BRACKETS];
	int depth;                /* of open brackets; the outermost is the place of the text itself */
	const char *loop;         /* the text is in the head of that one; NULL */
	bool is_extent, is_fixed; /* an array's size in host code; no number is taken out */
} Scan;

/* A writer for each text would take longer than the rest. */
static void put(Scan *s, const char *text, size_t length)
{
	if (s->room - s->length <= length) {
		s->room = 2 * (s->room + length) + LONGEST_NAME;
		s->to = memcpy(arena_alloc(s->a, s->room), s->to ? s->to : "", s->length);
	}
	memcpy(s->to + s->length, text, length);
	s->length += length;
}

static void copy(Scan *s, size_t length)
{
	put(s, s->at, length);
	s->at += length;
}

static void write_mark(Scan *s, char kind, int number)
{
	char mark[32];
	put(s, mark, (size_t)format_into(mark, sizeof mark, MARK_BEGIN "%c%d" MARK_END, kind, number));
}

static size_t word_length(const char *at)
{
	size_t length = 0;
	while (in_word(at[length]))
		length++;
	return length;
}

static int number_of(const Map *numbers, const char *word, size_t length)
{
	char name[LONGEST_NAME + 1];
	if (length == 0 || length > LONGEST_NAME)
		return -1;
	memcpy(name, word, length);
	name[length] = '\0';
	const int *number = map_get(numbers, name);
	return number ? *number : -1;
}

static void set_number(const Scan *s, Map *numbers, const char *name, int number)
{
	map_set(numbers, name, arena_copy(s->a, &number, sizeof number));
}

/* ---- numbers */

static bool stands_after(const char *begin, const char *at, const char *text)
{
	const size_t length = strlen(text);
	return (size_t)(at - begin) >= length && strncmp(at - length, text, length) == 0;
}

/* The word that ends at `end`; returns its first letter, NULL where there is none. */
static const char *word_before(const char *begin, const char *end)
{
	const char *word = end;
	while (word > begin && in_word(word[-1]))
		word--;
	return word < end && isalpha((unsigned char)*word) ? word : NULL;
}

/* A loop over i1 has n1 turns; tiles that begin at m0 are of M rows. */
static const char *name_of_bound(Arena *a, const char *word, int length)
{
	if (*word == 'i' && (length == 1 || isdigit((unsigned char)word[1])))
		return arena_printf(a, "n%.*s", length - 1, word + 1);
	if (length == 2 && word[1] == '0')
		return arena_printf(a, "%c", toupper((unsigned char)*word));
	return arena_printf(a, "%.*s_end", length, word);
}

/* Names the number, which ends at `rest`, by the word and the operator in front of it. */
static void name_integer(const Scan *s, Constant *c, const char *rest)
{
	static const struct {
		const char *before, *suffix;
		NameRank rank;
	} uses[] = {
	        {" < ", "end", NAME_BOUND}, {" >= ", "end", NAME_BOUND}, {" += ", "step", NAME_USE},
	        {" -= ", "step", NAME_USE}, {" * ", "stride", NAME_USE}, {" = ", "start", NAME_USE},
	};
	size_t i = 0;
	while (i < sizeof uses / sizeof *uses && !stands_after(s->begin, s->at, uses[i].before))
		i++;
	if (s->loop && strncmp(rest, " / ", 3) == 0) { /* `i0 = chunk * 512 / 4` */
		c->name = name_of_bound(s->a, s->loop, (int)strlen(s->loop));
		c->rank = NAME_BOUND;
	} else if (i < sizeof uses / sizeof *uses) {
		const char *end = s->at - strlen(uses[i].before), *word = word_before(s->begin, end);
		const bool is_bound = uses[i].rank == NAME_BOUND;
		if (!word || (is_bound && stands_after(s->begin, word, "- "))) /* `m0_end - m0 < 252` */
			return;
		const int length = (int)(end - word);
		if (word > s->begin && word[-1] == '.') /* threadIdx.x */
			c->name = is_bound ? "threads" : NULL;
		else
			c->name = is_bound ? name_of_bound(s->a, word, length)
			                   : arena_printf(s->a, "%.*s_%s", length, word, uses[i].suffix);
		c->rank = c->name ? uses[i].rank : NAME_NONE;
	}
}

/* A small number that unrolls no loop: what is added to the index of a tensor, "(row * 28 + 3)", and the number of
 * partial results. */
static bool may_differ(const Scan *s, const char *end)
{
	return (stands_after(s->begin, s->at, "+ ") && (*end == ')' || *end == ']')) ||
	       stands_after(s->begin, s->at, "part < ");
}

/* What a kernel would do with the number. It has to be a constant where C++ asks for one (arguments of a template, the
 * size of an array), where a loop is unrolled by it, where it says which register of an array is meant, and where a
 * library function may fold it. Elsewhere a kernel reads an argument as it reads a literal, as an operand; an index is
 * divided by an argument in as many instructions as by a literal (NnrDivisor). What the block's threads are divided by
 * comes from its shape and is known. */
static ConstantUse use_of(const Scan *s, bool is_real)
{
	for (int i = 0; i < s->depth; i++)
		if (s->open[i].asks)
			return USE_CONSTANT;
	if (!stands_after(s->begin, s->at, " / ") && !stands_after(s->begin, s->at, " % "))
		return USE_ARGUMENT;
	return is_real || stands_after(s->begin, s->at - 3, "threadIdx.x") ? USE_CONSTANT : USE_DIVISOR;
}

static void scan_number(Scan *s)
{
	size_t length = 0, digits = 0;
	bool real = false;
	for (; in_word(s->at[length]) || s->at[length] == '.' ||
	       ((s->at[length] == '-' || s->at[length] == '+') && s->at[length - 1] == 'e');
	     length++) {
		digits += isdigit((unsigned char)s->at[length]) != 0;
		real = real || s->at[length] == '.' || s->at[length] == 'e';
	}
	const bool hex = s->at[0] == '0' && (s->at[1] == 'x' || s->at[1] == 'X');
	const int64_t value = digits == length ? strtoll(s->at, NULL, 10) : -1;
	Constant c = {.rank = NAME_NONE, .use = use_of(s, real)};
	if (s->is_fixed)
		c.kind = 0;
	else if (real && !hex)
		c.kind = s->at[length - 1] == 'f' ? CONSTANT_FLOAT : CONSTANT_DOUBLE;
	else if (value > 1 && s->is_extent)
		c.kind = CONSTANT_EXTENT;
	else if (s->kernel ? value > 1 && value <= INT_MAX
	                   : value >= FAMILY_LEAST || may_differ(s, s->at + length))
		c.kind = CONSTANT_INT;
	if (!c.kind) {
		copy(s, length);
		return;
	}
	if (c.kind == CONSTANT_INT)
		name_integer(s, &c, s->at + length);
	c.text = arena_strndup(s->a, s->at, length);
	write_mark(s, (char)c.kind, s->f->constants.count);
	array_push(s->a, &s->f->constants, c);
	s->at += length;
}

/* ---- words and brackets */

/* A parameter, or a local variable that is named after one, "x_in", is known by its number. */
static void scan_word(Scan *s)
{
	const size_t length = word_length(s->at);
	const bool is_member = stands_after(s->begin, s->at, ".") || stands_after(s->begin, s->at, "->");
	int parameter = -1;
	size_t named = is_member ? 0 : length;
	for (; named > 0 && parameter < 0; named--)
		if (named == length || s->at[named] == '_')
			parameter = number_of(s->parameters, s->at, named);
	named = parameter < 0 ? 0 : named + 1;
	if (parameter >= 0)
		write_mark(s, MARK_PARAMETER, parameter);
	s->at += named;
	copy(s, length - named);
}

static bool is_parameter(const Scan *s, const char *word, size_t length)
{
	return number_of(s->parameters, word, length) >= 0;
}

/* `x + i0 * 96`: an address within a parameter. */
static bool begins_with_parameter(const Scan *s, const char *argument)
{
	const char *word = argument + strspn(argument, " &(*");
	return is_parameter(s, word, word_length(word));
}

/* Functions that take numbers as they come. */
static bool takes_variables(const char *name, size_t length)
{
	static const char *const names[] = {"max", "min", "nnr_last_block"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
			return true;
	return false;
}

static void open_bracket(Scan *s)
{
	Bracket b = {.open = *s->at};
	const char *word = s->at;
	while (word > s->begin && in_word(word[-1]))
		word--;
	const size_t length = (size_t)(s->at - word);
	if (b.open == '(') {
		b.is_call = length > 0 && !takes_variables(word, length);
		b.asks = b.is_call && !begins_with_parameter(s, s->at + 1);
	} else {
		b.asks = b.open == '<' || !is_parameter(s, word, length);
	}
	require(s->depth < BRACKETS);
	s->open[s->depth++] = b;
}

/* A `<` is a bracket where no blank is in front: comparisons have one. */
static void scan_sign(Scan *s)
{
	Bracket *last = s->depth > 1 ? &s->open[s->depth - 1] : NULL;
	const char sign = *s->at;
	if (sign == '(' || sign == '[' || (sign == '<' && s->at > s->begin && in_word(s->at[-1])))
		open_bracket(s);
	else if (last && (sign == ')' || sign == ']' || (sign == '>' && last->open == '<')))
		s->depth--;
	else if (last && sign == ',' && last->is_call)
		last->asks = !begins_with_parameter(s, s->at + 1);
	copy(s, 1);
}

static size_t quoted_length(const char *at)
{
	size_t length = 1;
	while (at[length] && at[length] != *at)
		length += at[length] == '\\' && at[length + 1] ? 2 : 1;
	return length + (at[length] != '\0');
}

/* The text, `before` being what is in front of it, with marks. */
static const char *scan(Scan *s, const char *before, const char *text, bool asks)
{
	s->length = 0;
	s->begin = *before ? arena_printf(s->a, "%s%s", before, text) : text;
	s->at = s->begin + strlen(before);
	s->open[0] = (Bracket){.asks = asks};
	s->depth = 1;
	while (*s->at) {
		const int object =
		        *s->at == '&' ? number_of(s->objects, s->at + 1, word_length(s->at + 1)) : -1;
		if (*s->at == '"' || *s->at == '\'') {
			copy(s, quoted_length(s->at));
		} else if (strncmp(s->at, "/*", 2) == 0) {
			copy(s, (size_t)(strstr(s->at, "*/") + 2 - s->at));
		} else if (object >= 0) {
			write_mark(s, MARK_OBJECT, object);
			s->at += 1 + word_length(s->at + 1);
		} else if (isdigit((unsigned char)*s->at)) {
			scan_number(s);
		} else if (in_word(*s->at)) {
			scan_word(s);
		} else {
			scan_sign(s);
		}
	}
	return arena_strndup(s->a, s->to ? s->to : "", s->length);
}

/* ---- statements */

/* What stands in front of a part of a statement when it is printed, as far as it says what a number there is. */
static const char *text_before(const Scan *s, const Statement *of, CodePart part)
{
	static const char *const signs[] = {
	        [PART_FROM] = " = ", [PART_TO] = " < ", [PART_ALSO] = NULL, [PART_STEP] = " += "};
	const char *sign = NULL;
	if (of->loop)
		sign = part == PART_TO && of->loop->down ? " >= " : part < PART_FROM ? NULL : signs[part];
	else if (part == PART_TEXT && of->name && of->kind == CODE_ADD)
		sign = " += ";
	else if (part == PART_TEXT && of->name && of->kind != CODE_ARRAY && of->kind != CODE_SHARED)
		sign = " = ";
	return sign ? arena_printf(s->a, "%s%s", of->name, sign) : "";
}

/* A loop that begins at a literal may be unrolled. */
static bool is_counted(const CodeLoop *l)
{
	return l->type && (!l->from || l->from[strspn(l->from, "0123456789")] == '\0');
}

static const char *rewrite(void *data, const Statement *of, CodePart part, const char *text)
{
	Scan *s = data;
	const bool sized = part == PART_TEXT && (of->kind == CODE_ARRAY || of->kind == CODE_SHARED);
	s->f->alone = s->f->alone || strncmp(text, "static ", strlen("static ")) == 0;
	s->is_extent = sized && !s->kernel;
	s->loop = of->loop && part >= PART_FROM ? of->name : NULL;
	return scan(s, text_before(s, of, part), text,
	            sized || (of->loop && part >= PART_FROM && is_counted(of->loop)));
}

/* "const float *restrict x, float *restrict y" */
static void find_parameters(Scan *s, const char *params)
{
	for (const char *at = params; *at; at += *at == ',') {
		const char *end = at + strcspn(at, ","), *word = end;
		while (word > at && in_word(word[-1]))
			word--;
		const char *name = arena_strndup(s->a, word, (size_t)(end - word));
		set_number(s, s->parameters, name, s->f->parameters.count);
		array_push(s->a, &s->f->parameters, name);
		at = end;
	}
}

static Scan scan_new(Arena *a, const char *params, bool kernel)
{
	Scan s = {.a = a,
	          .f = NEW(a, Form),
	          .kernel = kernel,
	          .parameters = map_new(a),
	          .objects = map_new(a),
	          .is_fixed = true};
	find_parameters(&s, params);
	s.f->params = scan(&s, "", params, false);
	return s;
}

Form *form_of(Arena *a, const Code *c, const char *params, bool kernel)
{
	Scan s = scan_new(a, params, kernel);
	for (int i = 0; i < c->all.count; i++) {
		const Statement *o = c->all.at[i];
		if (o->kind != CODE_OBJECT)
			continue;
		array_push(a, &s.f->objects,
		           (Object){o->type, o->name, o->text ? scan(&s, "", o->text, false) : NULL});
		set_number(&s, s.objects, o->name, s.f->objects.count - 1);
	}
	s.f->alone = kernel && s.f->objects.count > 0;
	s.is_fixed = false;
	s.f->text = code_text(a, code_rewritten(a, c, rewrite, &s), kernel ? &words_cuda : &words_c);
	return s.f;
}

Form *form_of_text(Arena *a, const char *text, const char *params)
{
	Scan s = scan_new(a, params, false);
	s.f->text = text;
	s.f->alone = true;
	return s.f;
}

/* ---- marks */

/* `[(2 * n1)]` and `f((2 * n1), x)` need no brackets of their own. */
static void write_filling(Writer *w, const char *text, const char *at, const char *end, const char *filling)
{
	const char *last = at > text && at[-1] == ' ' ? at - 1 : at;
	const bool within =
	        *filling == '(' && last > text && strchr("([,", last[-1]) && *end && strchr(")],", *end);
	write_text(w, "%.*s", (int)strlen(filling) - 2 * within, filling + within);
}

const char *form_fill(Arena *a, const Form *f, const char *text, Fillings with)
{
	Writer *w = writer_new(a);
	for (const char *at; (at = strchr(text, MARK_BEGIN[0])); text = strchr(at, MARK_END[0]) + 1) {
		const int i = atoi(at + 2);
		write_text(w, "%.*s", (int)(at - text), text);
		if (at[1] == MARK_PARAMETER)
			write_text(w, "%s", f->parameters.at[i]);
		else if (at[1] == MARK_OBJECT && with.objects && with.objects[i])
			write_text(w, "%s", with.objects[i]);
		else if (at[1] == MARK_OBJECT)
			write_text(w, "&%s", f->objects.at[i].name);
		else if (with.constants && with.constants[i])
			write_filling(w, text, at, strchr(at, MARK_END[0]) + 1, with.constants[i]);
		else
			write_text(w, "%s", f->constants.at[i].text);
	}
	write_text(w, "%s", text);
	return writer_text(w, NULL);
}

void form_take_names(Arena *a, const Form *f, Map *names)
{
	for (int i = 0; i < f->parameters.count; i++)
		map_set(names, f->parameters.at[i], names);
	for (const char *at = f->text; *at; at++) {
		const char *named = ""; /* a local variable after a parameter, "x_in" */
		if (*at == MARK_BEGIN[0]) {
			named = at[1] == MARK_PARAMETER ? f->parameters.at[atoi(at + 2)] : "";
			at += strcspn(at, MARK_END) + 1;
		}
		const size_t length = word_length(at);
		if (length > 0)
			map_set(names, arena_printf(a, "%s%.*s", named, (int)length, at), names);
		at += length;
		if (!*at || *at == MARK_BEGIN[0])
			at--;
	}
}

bool form_reads(Arena *a, const Form *f, int object)
{
	return strstr(f->text, arena_printf(a, MARK_BEGIN "%c%d" MARK_END, MARK_OBJECT, object));
}

const char *form_key(Arena *a, const Form *f)
{
	const char *objects = "";
	for (int i = 0; i < f->objects.count; i++)
		objects = arena_printf(a, "%s%s %s\n", objects, f->objects.at[i].type, f->objects.at[i].name);
	return arena_printf(a, "%s\n%s%s", f->params, objects, f->text);
}

const char *form_values(Arena *a, const Form *f)
{
	Writer *w = writer_new(a);
	for (int i = 0; i < f->objects.count; i++)
		write_line(w, "%s", f->objects.at[i].value ? f->objects.at[i].value : "");
	for (int i = 0; i < f->constants.count; i++)
		write_text(w, "%s, ", f->constants.at[i].text);
	return writer_text(w, NULL);
}

Form *form_copy(Arena *a, const Form *f, const Form *like)
{
	Form *copy = NEW(a, Form);
	copy->alone = f->alone;
	copy->text = like ? like->text : arena_strdup(a, f->text);
	copy->params = like ? like->params : arena_strdup(a, f->params);
	for (int i = 0; i < f->constants.count; i++) {
		Constant c = f->constants.at[i];
		c.text = arena_strdup(a, c.text);
		c.name = c.name ? arena_strdup(a, c.name) : NULL;
		array_push(a, &copy->constants, c);
	}
	for (int i = 0; i < f->objects.count; i++) {
		const Object *o = &f->objects.at[i];
		array_push(a, &copy->objects,
		           (Object){arena_strdup(a, o->type), arena_strdup(a, o->name),
		                    o->value ? arena_strdup(a, o->value) : NULL});
	}
	for (int i = 0; i < f->parameters.count; i++)
		array_push(a, &copy->parameters, arena_strdup(a, f->parameters.at[i]));
	return copy;
}
