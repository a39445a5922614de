/* SPDX-License-Identifier: MIT */
/* The constants that differ within a family as parameters: see sizes.h. */
#include "emit/sizes.h"
#include "base/writer.h"

#include <stdlib.h>
#include <string.h>

/* Members from which on sizes are arguments of the launch. Fewer keep all they know: they take little time to compile,
 * and with arguments from 4 members on a step of ResNet-50 (224x224, batch 64, bf16, one H200) took 1.027 times as
 * long. */
enum { FEWEST_OF_ANY_SIZE = 24 };

typedef struct Filling {
	Arena *arena;
	Family *f;
	bool kernels;
	const char **fillings;
} Filling;

static const Constant *constant_of(const Family *f, int member, int i)
{
	return &f->members.at[member]->form->constants.at[i];
}

/* ---- classes */

/* Equal for members that are one compiled kernel. */
static const char *class_key(Arena *a, const Family *f, int member)
{
	const Form *form = f->members.at[member]->form;
	Writer *w = writer_new(a);
	write_text(w, "%s", f->members.at[member]->head);
	for (int i = 0; i < form->constants.count; i++)
		if (form->constants.at[i].use == USE_CONSTANT)
			write_text(w, ",%s", form->constants.at[i].text);
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

/* Whether all members of a class have it, so that a compiled kernel knows it; or all members of the family. */
static bool is_same(const Family *f, int i, bool in_class)
{
	for (int k = 0; k < f->members.count; k++)
		if (strcmp(constant_of(f, in_class ? f->first_of[f->class_of[k]] : 0, i)->text,
		           constant_of(f, k, i)->text) != 0)
			return false;
	return true;
}

/* ---- parameters */

static const int64_t *values_of(Arena *a, const Family *f, int i)
{
	int64_t *values = NEW_ARRAY(a, int64_t, f->members.count);
	for (int k = 0; k < f->members.count; k++)
		values[k] = strtoll(constant_of(f, k, i)->text, NULL, 10);
	return values;
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

/* The parameter that has the values of the constant; NULL: none has. */
static const Parameter *equal_parameter(const Family *f, int i)
{
	for (int n = 0; n < f->parameters.count; n++) {
		const Parameter *p = &f->parameters.at[n];
		int k = 0;
		while (k < f->members.count && strcmp(p->texts[k], constant_of(f, k, i)->text) == 0)
			k++;
		if (k == f->members.count)
			return p;
	}
	return NULL;
}

/* Whether the values are `times` and `plus` of those of p, times those of q. */
static bool is_made_of(const Family *f, const int64_t *values, const Parameter *p, const Parameter *q,
                       int64_t times, int64_t plus)
{
	for (int k = 0; k < f->members.count; k++)
		if ((double)values[k] !=
		    (double)p->values[k] * (double)times * (q ? (double)q->values[k] : 1) + (double)plus)
			return false;
	return true;
}

/* The values as those of other parameters: `(2 * n1)`, `(n0 - 1)`, `(n0 * n1)`; NULL. */
static const char *size_from_others(Arena *a, const Family *f, const int64_t *values)
{
	enum { MOST_TIMES = 32 };
	for (int i = 0; i < f->parameters.count; i++) {
		const Parameter *p = &f->parameters.at[i];
		if (!p->values)
			continue;
		const int64_t times = values[0] / p->values[0];
		if (times > 1 && times <= MOST_TIMES && is_made_of(f, values, p, NULL, times, 0))
			return arena_printf(a, "(%lld * %s)", (long long)times, p->name);
		if (is_made_of(f, values, p, NULL, 1, -1))
			return arena_printf(a, "(%s - 1)", p->name);
		for (int k = i; k < f->parameters.count; k++)
			if (f->parameters.at[k].values &&
			    is_made_of(f, values, p, &f->parameters.at[k], 1, 0))
				return arena_printf(a, "(%s * %s)", p->name, f->parameters.at[k].name);
	}
	return NULL;
}

/* A real number is one to a size in most: the mean's. At a launch it is not divided, but given. */
static const char *real_from_others(Arena *a, const Family *f, int i)
{
	for (int n = 0; n < f->parameters.count; n++) {
		const Parameter *p = &f->parameters.at[n];
		int k = 0;
		while (p->values && !p->at_launch && k < f->members.count &&
		       strtof(constant_of(f, k, i)->text, NULL) == 1.0f / (float)p->values[k])
			k++;
		if (k == f->members.count)
			return arena_printf(a, "(1.0f / %s)", p->name);
	}
	return NULL;
}

static const char *add_parameter(const Filling *h, int i, const char *wanted, const char *type,
                                 const int64_t *values)
{
	Family *f = h->f;
	const char *name = free_name(h->arena, f, wanted),
	           **texts = NEW_ARRAY(h->arena, const char *, f->members.count);
	for (int k = 0; k < f->members.count; k++)
		texts[k] = constant_of(f, k, i)->text;
	array_push(h->arena, &f->parameters,
	           (Parameter){.name = name,
	                       .type = type,
	                       .values = values,
	                       .texts = texts,
	                       .at_launch = h->kernels && !is_same(f, i, true)});
	return name;
}

/* The best name that a place of these values has: the divisor of a remainder is the end of a loop elsewhere. */
static const char *best_name(const Filling *h, const int64_t *values)
{
	const Form *first = h->f->members.at[0]->form;
	for (NameRank rank = NAME_BOUND; rank < NAME_NONE; rank++)
		for (int i = 0; i < first->constants.count; i++)
			if (first->constants.at[i].rank == rank &&
			    are_equal(h->f, values, values_of(h->arena, h->f, i)))
				return first->constants.at[i].name;
	return "size";
}

static const char *most_text(const Filling *h, const int64_t *values)
{
	int64_t most = 0;
	for (int k = 0; k < h->f->members.count; k++)
		most = values[k] > most ? values[k] : most;
	return arena_printf(h->arena, "%lld", (long long)most);
}

/* What takes the place of a constant that differs between the members. */
static const char *fill(const Filling *h, int i, bool divides)
{
	const Constant *first = constant_of(h->f, 0, i);
	const bool is_real = first->kind == CONSTANT_FLOAT || first->kind == CONSTANT_DOUBLE;
	const int64_t *values = is_real ? NULL : values_of(h->arena, h->f, i);
	if (first->kind == CONSTANT_EXTENT)
		return most_text(h, values);
	const Parameter *equal = equal_parameter(h->f, i);
	const char *known = NULL;
	if (equal)
		known = equal->name;
	else if (first->kind == CONSTANT_FLOAT && is_same(h->f, i, true))
		known = real_from_others(h->arena, h->f, i);
	else if (!is_real && !divides)
		known = size_from_others(h->arena, h->f, values);
	if (known)
		return known;
	if (is_real)
		return add_parameter(h, i, "factor", first->kind == CONSTANT_FLOAT ? "float" : "double",
		                     NULL);
	return add_parameter(h, i,
	                     divides       ? best_name(h, values)
	                     : first->name ? first->name
	                                   : "size",
	                     divides      ? "NnrDivisor"
	                     : h->kernels ? "int"
	                                  : "int64_t",
	                     values);
}

/* Those that a compiled kernel knows, or those that it does not, of these the divisors or the rest; the best names
 * first. */
static void fill_all(const Filling *h, bool known, bool divides)
{
	for (NameRank rank = NAME_BOUND; rank < NAME_RANKS; rank++)
		for (int i = 0; i < h->f->members.at[0]->form->constants.count; i++) {
			const Constant *c = constant_of(h->f, 0, i);
			if (c->rank == rank && !is_same(h->f, i, false) && is_same(h->f, i, true) == known &&
			    (known || (c->use == USE_DIVISOR) == divides))
				h->fillings[i] = fill(h, i, divides);
		}
}

/* A constant is made of constants alone, so those go first; then divisors, which are parameters of their own type. */
const char *const *family_fill(Arena *a, Family *f, bool kernels)
{
	Filling h = {a, f, kernels, NEW_ARRAY(a, const char *, f->members.at[0]->form->constants.count)};
	find_classes(a, f);
	fill_all(&h, true, false);
	fill_all(&h, false, true);
	fill_all(&h, false, false);
	return h.fillings;
}
