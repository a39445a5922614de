/* SPDX-License-Identifier: MIT */
/* The constants that differ within a family as parameters: see family_holes.h. */
#include "emit/family_holes.h"

#include <stdlib.h>
#include <string.h>

/* Members from which on sizes are arguments of the launch. Fewer keep all they know: they take little time to compile,
 * and with arguments from 4 members on a step of ResNet-50 (224x224, batch 64, bf16, one H200) took 1.027 times as
 * long. */
enum { FEWEST_OF_ANY_SIZE = 24 };

typedef struct Holes {
	Arena *arena;
	Family *f;
	bool kernels;
	const char **fillings;
} Holes;

static bool is_hole(const Piece *p)
{
	return p->kind != PIECE_TEXT && p->kind != PIECE_OBJECT;
}

static bool is_same_text(const Piece *x, const Piece *y)
{
	return x->length == y->length && memcmp(x->at, y->at, (size_t)x->length) == 0;
}

static const Piece *piece_of(const Family *f, int member, int piece)
{
	return &f->texts.at[member]->pieces.at[piece];
}

static bool is_same_in_all(const Family *f, int piece)
{
	for (int i = 1; i < f->texts.count; i++)
		if (!is_same_text(piece_of(f, 0, piece), piece_of(f, i, piece)))
			return false;
	return true;
}

/* ---- classes */

/* Equal for members that are one compiled kernel. */
static const char *class_key(Arena *a, const Family *f, int member)
{
	Writer *w = writer_new(a);
	write_text(w, "%s", f->members.at[member]->head);
	for (int i = 0; i < f->texts.at[0]->pieces.count; i++) {
		const Piece *p = piece_of(f, member, i);
		if (is_hole(p) && p->use == USE_CONSTANT)
			write_text(w, ",%.*s", p->length, p->at);
	}
	return writer_text(w, NULL);
}

static void find_classes(Arena *a, Family *f)
{
	const bool any_size = f->members.at[0]->any_size && f->members.count >= FEWEST_OF_ANY_SIZE;
	Map *known = map_new(a);
	f->class_of = NEW_ARRAY(a, int, f->members.count);
	f->first_of = NEW_ARRAY(a, int, f->members.count);
	for (int k = 0; k < f->members.count; k++) {
		const char *key = any_size ? class_key(a, f, k) : arena_printf(a, "%d", k);
		f->class_of[k] = map_number(known, key);
		if (map_count(known) > f->class_count)
			f->first_of[f->class_count++] = k;
	}
}

/* Whether a compiled kernel knows it. */
static bool is_constant(const Family *f, int piece)
{
	for (int i = 0; i < f->members.count; i++)
		if (!is_same_text(piece_of(f, f->first_of[f->class_of[i]], piece), piece_of(f, i, piece)))
			return false;
	return true;
}

/* ---- parameters */

static const int64_t *values_of(Arena *a, const Family *f, int piece)
{
	int64_t *values = NEW_ARRAY(a, int64_t, f->texts.count);
	for (int i = 0; i < f->texts.count; i++)
		values[i] = strtoll(piece_of(f, i, piece)->at, NULL, 10);
	return values;
}

static int64_t most_of(Arena *a, const Family *f, int piece)
{
	const int64_t *values = values_of(a, f, piece);
	int64_t most = 0;
	for (int i = 0; i < f->texts.count; i++)
		most = values[i] > most ? values[i] : most;
	return most;
}

static const char *free_name(Arena *a, Family *f, const char *wanted)
{
	const char *name = wanted;
	for (int i = 2; map_get(f->names, name); i++)
		name = arena_printf(a, "%s_%d", wanted, i);
	map_set(f->names, name, f);
	return name;
}

static bool are_equal(const Family *f, const int64_t *x, const int64_t *y)
{
	return memcmp(x, y, sizeof *x * (size_t)f->members.count) == 0;
}

static const char *name_of_equal(const Family *f, const int64_t *values)
{
	for (int i = 0; i < f->parameters.count; i++)
		if (f->parameters.at[i].values && are_equal(f, values, f->parameters.at[i].values))
			return f->parameters.at[i].name;
	return NULL;
}

/* The values as one that is known by another name already: `n0`, `(2 * n1)`, `(n0 - 1)`; NULL. */
static const char *size_from_others(Arena *a, const Family *f, const int64_t *values)
{
	enum { MOST_TIMES = 32 };
	const char *equal = name_of_equal(f, values);
	if (equal)
		return equal;
	for (int i = 0; i < f->parameters.count; i++) {
		const Parameter *p = &f->parameters.at[i];
		if (!p->values)
			continue;
		int64_t times = values[0] / p->values[0], plus = values[0] - p->values[0];
		bool is_multiple = times > 1 && times <= MOST_TIMES, is_less = plus == -1;
		for (int k = 0; k < f->members.count; k++) {
			is_multiple = is_multiple && values[k] == times * p->values[k];
			is_less = is_less && values[k] == p->values[k] - 1;
		}
		if (is_multiple)
			return arena_printf(a, "(%lld * %s)", (long long)times, p->name);
		if (is_less)
			return arena_printf(a, "(%s - 1)", p->name);
		for (int j = i; j < f->parameters.count; j++) {
			const Parameter *q = &f->parameters.at[j];
			bool is_product = q->values;
			for (int k = 0; k < f->members.count && is_product; k++)
				is_product = values[k] % p->values[k] == 0 &&
				             values[k] / p->values[k] == q->values[k];
			if (is_product)
				return arena_printf(a, "(%s * %s)", p->name, q->name);
		}
	}
	return NULL;
}

/* A real number is one to a size in most: the mean's. At a launch it is not divided, but given. */
static const char *real_from_others(Arena *a, const Family *f, int piece, bool constant)
{
	for (int i = 0; i < f->parameters.count; i++) {
		const Parameter *p = &f->parameters.at[i];
		bool is_equal = !p->values;
		for (int k = 0; k < f->members.count && is_equal; k++) {
			const Piece *token = piece_of(f, k, piece);
			is_equal = (int)strlen(p->texts[k]) == token->length &&
			           strncmp(p->texts[k], token->at, (size_t)token->length) == 0;
		}
		if (is_equal)
			return p->name;
	}
	for (int i = 0; i < f->parameters.count && constant; i++) {
		const Parameter *p = &f->parameters.at[i];
		bool is_inverse = p->values && !p->at_launch;
		for (int k = 0; k < f->members.count && is_inverse; k++) {
			const Piece *token = piece_of(f, k, piece);
			is_inverse = token->kind == PIECE_FLOAT &&
			             strtof(token->at, NULL) == 1.0f / (float)p->values[k];
		}
		if (is_inverse)
			return arena_printf(a, "(1.0f / %s)", p->name);
	}
	return NULL;
}

static const char *add_parameter(const Holes *h, int piece, const char *wanted, const char *type,
                                 const int64_t *values)
{
	Family *f = h->f;
	const char *name = free_name(h->arena, f, wanted),
	           **texts = NEW_ARRAY(h->arena, const char *, f->members.count);
	for (int k = 0; k < f->members.count; k++) {
		const Piece *p = piece_of(f, k, piece);
		texts[k] = arena_strndup(h->arena, p->at, (size_t)p->length);
	}
	array_push(h->arena, &f->parameters,
	           (Parameter){.name = name,
	                       .type = type,
	                       .values = values,
	                       .texts = texts,
	                       .at_launch = h->kernels && !is_constant(f, piece)});
	return name;
}

/* The best name that a place of these values has: the divisor of a remainder is the end of a loop elsewhere. */
static const char *best_name(const Holes *h, const int64_t *values)
{
	const Text *first = h->f->texts.at[0];
	for (NameRank rank = NAME_BOUND; rank < NAME_NONE; rank++)
		for (int i = 0; i < first->pieces.count; i++) {
			const Piece *p = &first->pieces.at[i];
			if (p->kind == PIECE_INT && p->rank == rank &&
			    are_equal(h->f, values, values_of(h->arena, h->f, i)))
				return p->name;
		}
	return "size";
}

static const char *fill_integer(const Holes *h, int piece, const Piece *first, bool divides)
{
	const int64_t *values = values_of(h->arena, h->f, piece);
	const char *known = divides ? name_of_equal(h->f, values) : size_from_others(h->arena, h->f, values);
	return known ? known
	             : add_parameter(h, piece,
	                             divides       ? best_name(h, values)
	                             : first->name ? first->name
	                                           : "size",
	                             divides      ? "NnrDivisor"
	                             : h->kernels ? "int"
	                                          : "int64_t",
	                             values);
}

/* Fills a hole that differs between the members. */
static const char *fill_hole(const Holes *h, int piece, bool constant, bool divides)
{
	const Piece *first = piece_of(h->f, 0, piece);
	if (first->kind == PIECE_EXTENT)
		return arena_printf(h->arena, "%lld", (long long)most_of(h->arena, h->f, piece));
	if (first->kind == PIECE_INT)
		return fill_integer(h, piece, first, divides);
	const char *known = real_from_others(h->arena, h->f, piece, constant);
	return known ? known
	             : add_parameter(h, piece, "factor", first->kind == PIECE_FLOAT ? "float" : "double",
	                             NULL);
}

/* Those that a compiled kernel knows, or those that it does not, of these the divisors or the rest; the best names
 * first. */
static void fill_holes(const Holes *h, bool constant, bool divides)
{
	for (NameRank rank = NAME_BOUND; rank < NAME_RANKS; rank++)
		for (int i = 0; i < h->f->texts.at[0]->pieces.count; i++) {
			const Piece *p = piece_of(h->f, 0, i);
			if (is_hole(p) && p->rank == rank && !is_same_in_all(h->f, i) &&
			    is_constant(h->f, i) == constant &&
			    (constant || (p->use == USE_DIVISOR) == divides))
				h->fillings[i] = fill_hole(h, i, constant, divides);
		}
}

/* A constant is made of constants alone, so those go first; then divisors, which are parameters of their own type. */
const char *const *family_fill(Arena *a, Family *f, bool kernels)
{
	Holes h = {a, f, kernels, NEW_ARRAY(a, const char *, f->texts.at[0]->pieces.count)};
	find_classes(a, f);
	fill_holes(&h, true, false);
	fill_holes(&h, false, true);
	fill_holes(&h, false, false);
	return h.fillings;
}
