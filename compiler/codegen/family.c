/* Families of functions: see family.h. */
#include "codegen/family.h"
#include "base/array.h"
#include "base/diag.h"
#include "codegen/family_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { EXTENTS_SHOWN = 8 };

typedef struct Parameter {
	const char *name, *type;
	const int64_t *values; /* of an integer, by member */
	bool sized;            /* an integer */
} Parameter;

typedef struct Family {
	ARRAY(CFunction *) members;
	ARRAY(Text *) texts; /* of them */
	ARRAY(Parameter) parameters;
	Map *names; /* taken in the function */
} Family;

struct Families {
	Arena *arena;
	bool kernels;
	Map *by_text; /* of Family */
	ARRAY(FamilyPlace) places;
	Map *objects; /* names of constant objects in the file, by type and value */
};

Families *families_new(Arena *a, bool kernels)
{
	Families *f = NEW(a, Families);
	*f = (Families){.arena = a, .kernels = kernels, .by_text = map_new(a), .objects = map_new(a)};
	return f;
}

void families_add(Families *f, CFunction *function)
{
	Text *t = text_take_apart(f->arena, function->body, f->kernels);
	bool alone = t->alone || function->apart;
	char *key = arena_printf(f->arena, "%s\n%s\n%s\n%s", alone ? function->name : "",
	                         text_of_parameters(f->arena, function->params, function->params),
	                         function->counters ? "counts" : "",
	                         text_of_parameters(f->arena, function->params, text_key(f->arena, t)));
	Family *family = map_get(f->by_text, key);
	if (!family) {
		family = NEW(f->arena, Family);
		family->names = map_new(f->arena);
		map_set(f->by_text, key, family);
	}
	array_push(f->arena, &family->members, function);
	array_push(f->arena, &family->texts, t);
}

/* ---- what the holes become */

static bool is_same_in_all(const Family *f, int piece)
{
	const Piece *first = &f->texts.at[0]->pieces.at[piece];
	for (int i = 1; i < f->texts.count; i++) {
		const Piece *p = &f->texts.at[i]->pieces.at[piece];
		if (p->length != first->length || memcmp(p->at, first->at, (size_t)p->length) != 0)
			return false;
	}
	return true;
}

static const int64_t *values_of(Arena *a, const Family *f, int piece)
{
	int64_t *values = NEW_ARRAY(a, int64_t, f->texts.count);
	for (int i = 0; i < f->texts.count; i++)
		values[i] = strtoll(f->texts.at[i]->pieces.at[piece].at, NULL, 10);
	return values;
}

static int64_t most_of(const Family *f, int piece)
{
	int64_t most = 0;
	for (int i = 0; i < f->texts.count; i++) {
		int64_t value = strtoll(f->texts.at[i]->pieces.at[piece].at, NULL, 10);
		most = value > most ? value : most;
	}
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

/* The values as one that is known by another name already: `n0`, `(2 * n1)`, `(n0 - 1)`; NULL. */
static const char *size_from_others(Arena *a, const Family *f, const int64_t *values)
{
	enum { MOST_TIMES = 32 };
	for (int i = 0; i < f->parameters.count; i++)
		if (f->parameters.at[i].sized && are_equal(f, values, f->parameters.at[i].values))
			return f->parameters.at[i].name;
	for (int i = 0; i < f->parameters.count; i++) {
		const Parameter *p = &f->parameters.at[i];
		if (!p->sized)
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
			bool is_product = q->sized;
			for (int k = 0; k < f->members.count && is_product; k++)
				is_product = values[k] % p->values[k] == 0 &&
				             values[k] / p->values[k] == q->values[k];
			if (is_product)
				return arena_printf(a, "(%s * %s)", p->name, q->name);
		}
	}
	return NULL;
}

/* A real number is one to a size in most: the mean's. */
static const char *real_from_others(Arena *a, const Family *f, int piece, const char ***arguments)
{
	for (int i = 0; i < f->parameters.count; i++) {
		bool is_equal = !f->parameters.at[i].sized;
		for (int k = 0; k < f->members.count && is_equal; k++) {
			const Piece *token = &f->texts.at[k]->pieces.at[piece];
			is_equal = (int)strlen(arguments[k][i]) == token->length &&
			           strncmp(arguments[k][i], token->at, (size_t)token->length) == 0;
		}
		if (is_equal)
			return f->parameters.at[i].name;
	}
	for (int i = 0; i < f->parameters.count; i++) {
		const Parameter *p = &f->parameters.at[i];
		bool is_inverse = p->sized;
		for (int k = 0; k < f->members.count && is_inverse; k++) {
			const Piece *token = &f->texts.at[k]->pieces.at[piece];
			is_inverse = token->kind == PIECE_FLOAT &&
			             strtof(token->at, NULL) == 1.0f / (float)p->values[k];
		}
		if (is_inverse)
			return arena_printf(a, "(1.0f / %s)", p->name);
	}
	return NULL;
}

static const char *add_parameter(Arena *a, Family *f, const char *wanted, const char *type,
                                 const int64_t *values)
{
	const char *name = free_name(a, f, wanted);
	array_push(a, &f->parameters,
	           (Parameter){.name = name, .type = type, .values = values, .sized = values != NULL});
	return name;
}

/* Fills a hole that differs between the members, and gives each its argument. */
static const char *fill_hole(const Families *all, Family *f, int piece, const char ***arguments)
{
	Arena *a = all->arena;
	const Piece *first = &f->texts.at[0]->pieces.at[piece];
	int before = f->parameters.count;
	const char *text = NULL;
	if (first->kind == PIECE_EXTENT)
		return arena_printf(a, "%lld", (long long)most_of(f, piece));
	if (first->kind == PIECE_INT) {
		const int64_t *values = values_of(a, f, piece);
		text = size_from_others(a, f, values);
		if (!text)
			text = add_parameter(a, f, first->name ? first->name : "size",
			                     all->kernels ? "int" : "int64_t", values);
	} else {
		text = real_from_others(a, f, piece, arguments);
		if (!text)
			text = add_parameter(a, f, "factor", first->kind == PIECE_FLOAT ? "float" : "double",
			                     NULL);
	}
	if (f->parameters.count > before)
		for (int k = 0; k < f->members.count; k++) {
			const Piece *p = &f->texts.at[k]->pieces.at[piece];
			arguments[k][before] = arena_strndup(a, p->at, (size_t)p->length);
		}
	return text;
}

/* ---- objects */

/* One for each member: what changes, or differs between them, or holds the address of one that does. */
static bool *find_own_objects(Arena *a, const Family *f)
{
	const Text *first = f->texts.at[0];
	bool *own = NEW_ARRAY(a, bool, first->objects.count);
	for (int i = 0; i < first->objects.count; i++) {
		const Object *o = &first->objects.at[i];
		own[i] = !o->constant;
		for (int k = 1; k < f->texts.count; k++)
			own[i] = own[i] || strcmp(o->value, f->texts.at[k]->objects.at[i].value) != 0;
		for (int k = 0; k < i; k++)
			own[i] = own[i] ||
			         (own[k] &&
			          strstr(o->value, arena_printf(a, "&%s", first->objects.at[k].name)));
	}
	return own;
}

/* "NnrPlan *" and "plan": "NnrPlan *plan". */
static const char *declared(Arena *a, const char *type, const char *name)
{
	return arena_printf(a, "%s%s%s", type, type[strlen(type) - 1] == '*' ? "" : " ", name);
}

/* The value of a member's object, the addresses in it being those of the member's others. */
static const char *value_in_file(Arena *a, const Text *t, const bool *own, int object, const char *member)
{
	const char *value = t->objects.at[object].value;
	for (int k = 0; value && k < object; k++) {
		const char *address = arena_printf(a, "&%s", t->objects.at[k].name),
		           *at = strstr(value, address);
		if (own[k] && at)
			value = arena_printf(a, "%.*s&%s_%s%s", (int)(at - value), value, member,
			                     t->objects.at[k].name, at + strlen(address));
	}
	return value;
}

/* Whether the function itself reads it, and not another object alone. */
static bool object_is_read(const Text *t, int object)
{
	const char *name = t->objects.at[object].name;
	for (int i = 0; i < t->pieces.count; i++) {
		const Piece *p = &t->pieces.at[i];
		if (p->kind == PIECE_OBJECT && (int)strlen(name) == p->length - 1 &&
		    strncmp(name, p->at + 1, (size_t)p->length - 1) == 0)
			return true;
	}
	return false;
}

/* Whether another object holds its address, by the name that it has in the function. */
static bool object_is_pointed_to(Arena *a, const Text *t, int object)
{
	const char *address = arena_printf(a, "&%s", t->objects.at[object].name);
	for (int i = 0; i < t->objects.count; i++)
		if (t->objects.at[i].value && strstr(t->objects.at[i].value, address))
			return true;
	return false;
}

/* The name of a member's object in the file, where it is defined, unless one of that value is. */
static const char *define_object(Families *all, const Family *f, Writer *w, const bool *own, int member,
                                 int object)
{
	Arena *a = all->arena;
	const Text *t = f->texts.at[member];
	const Object *o = &t->objects.at[object];
	const char *of = f->members.at[member]->name, *name = arena_printf(a, "%s_%s", of, o->name),
	           *value = value_in_file(a, t, own, object, of);
	bool shared = o->constant && value && !object_is_pointed_to(a, t, object);
	const char *key = shared ? arena_printf(a, "%s %s", o->type, value) : NULL,
	           *known = key ? map_get(all->objects, key) : NULL;
	if (known)
		return known;
	write_line(w, "static %s%s%s;", declared(a, o->type, name), value ? " = " : "", value ? value : "");
	if (key)
		map_set(all->objects, key, (void *)name);
	return name;
}

/* Defines the members' own objects; returns the parameters by which the function takes them. */
static const char *write_objects(Families *all, const Family *f, Writer *w, const bool *own)
{
	Arena *a = all->arena;
	const char *params = "";
	for (int i = 0; i < f->texts.at[0]->objects.count; i++) {
		const Object *o = &f->texts.at[0]->objects.at[i];
		if (own[i] && object_is_read(f->texts.at[0], i))
			params = arena_printf(a, "%s%s*%s, ", params, declared(a, o->type, ""), o->name);
	}
	for (int k = 0; k < f->members.count; k++) {
		for (int i = 0; i < f->texts.at[k]->objects.count; i++) {
			if (!own[i])
				continue;
			const char *value = arena_printf(a, "&%s", define_object(all, f, w, own, k, i));
			const Object *o = &f->texts.at[0]->objects.at[i];
			const char *type = arena_printf(a, "%s*", declared(a, o->type, ""));
			if (object_is_read(f->texts.at[k], i))
				array_push(a, &f->members.at[k]->constants,
				           (CConstant){type, o->name, value, false});
		}
	}
	return params;
}

/* ---- text */

static bool object_is_own(const Text *t, const bool *own, const Piece *p)
{
	for (int i = 0; i < t->objects.count; i++)
		if ((int)strlen(t->objects.at[i].name) == p->length - 1 &&
		    strncmp(t->objects.at[i].name, p->at + 1, (size_t)p->length - 1) == 0)
			return own[i];
	bug("an address of no object");
}

/* `[(2 * n1)]` and `f((2 * n1), x)` need no brackets of their own. */
static const char *within_brackets(Arena *a, const Text *t, int piece, const char *filling)
{
	if (*filling != '(' || piece == 0 || piece + 1 == t->pieces.count)
		return filling;
	const Piece *before = &t->pieces.at[piece - 1], *after = &t->pieces.at[piece + 1];
	const char *last = before->at + before->length - 1;
	if (*last == ' ' && last > before->at)
		last--;
	if (before->kind != PIECE_TEXT || !strchr("([,", *last) || after->kind != PIECE_TEXT ||
	    !strchr(")],", *after->at))
		return filling;
	return arena_strndup(a, filling + 1, strlen(filling) - 2);
}

/* The body with its holes filled, those with the best names first. */
static const char *family_body(const Families *all, Family *f, const bool *own, const char ***arguments)
{
	Arena *a = all->arena;
	const Text *first = f->texts.at[0];
	const char **fillings = NEW_ARRAY(a, const char *, first->pieces.count);
	for (NameRank rank = NAME_BOUND; rank < NAME_RANKS; rank++)
		for (int i = 0; i < first->pieces.count; i++) {
			const Piece *p = &first->pieces.at[i];
			bool hole = p->kind != PIECE_TEXT && p->kind != PIECE_OBJECT;
			if (hole && p->rank == rank && !is_same_in_all(f, i))
				fillings[i] = fill_hole(all, f, i, arguments);
		}
	Writer *w = writer_new(a);
	for (int i = 0; i < first->objects.count; i++)
		if (!own[i])
			write_line(w, "static %s = %s;",
			           declared(a, first->objects.at[i].type, first->objects.at[i].name),
			           first->objects.at[i].value);
	for (int i = 0; i < first->pieces.count; i++) {
		const Piece *p = &first->pieces.at[i];
		if (fillings[i])
			write_text(w, "%s", within_brackets(a, first, i, fillings[i]));
		else if (p->kind == PIECE_OBJECT && object_is_own(first, own, p))
			write_text(w, "%.*s", p->length - 1, p->at + 1);
		else
			write_text(w, "%.*s", p->length, p->at);
	}
	return writer_text(w, NULL);
}

static void write_body(Writer *w, const char *head, const char *body)
{
	write_line(w, "%s", head);
	write_line(w, "{");
	write_indent(w, 1);
	write_lines(w, body);
	write_indent(w, -1);
	write_line(w, "}");
}

static void write_counters(Writer *w, const CFunction *f)
{
	if (f->counters)
		write_line(w, "static __device__ unsigned done_%s[%lld];", f->name, (long long)f->counters);
}

static void write_alone(const Families *all, Writer *w, CFunction *f)
{
	Arena *a = all->arena;
	if (f->comment)
		write_line(w, "/* %s\n * %s\n * %s */", f->comment, f->places, f->measures);
	write_counters(w, f);
	const char *done = f->counters ? arena_printf(a, "unsigned *const done = done_%s;\n", f->name) : "";
	write_body(w, arena_printf(a, "%s %s(%s)", f->head, f->name, f->params),
	           arena_printf(a, "%s%s", done, f->body));
	write_text(w, "\n");
	f->callee = f->name;
}

/* "of 12 sizes: 3211264x64, 802816x64, ...": what the members' names have after the label. */
static const char *sizes_text(Arena *a, const Family *f)
{
	const char *text = arena_printf(a, "of %d sizes:", f->members.count);
	for (int i = 0; i < f->members.count && i < EXTENTS_SHOWN; i++) {
		const CFunction *m = f->members.at[i];
		size_t label = strlen(m->label);
		bool labelled = strncmp(m->name, m->label, label) == 0 && m->name[label] == '_';
		text = arena_printf(a, "%s%s %s", text, i ? "," : "", m->name + (labelled ? label + 1 : 0));
	}
	return f->members.count > EXTENTS_SHOWN ? arena_printf(a, "%s ...", text) : text;
}

/* "int n0, int n1, "; of a kernel, those of a template ahead of it and the real numbers among the arguments. */
static const char *parameter_list(const Families *all, const Family *f, bool sized)
{
	const char *text = "";
	for (int i = 0; i < f->parameters.count; i++)
		if (f->parameters.at[i].sized == sized)
			text = arena_printf(all->arena, "%s%s %s, ", text, f->parameters.at[i].type,
			                    f->parameters.at[i].name);
	return text;
}

static const char *argument_list(const Families *all, const Family *f, const char *const *arguments,
                                 bool sized)
{
	const char *text = "";
	for (int i = 0; i < f->parameters.count; i++)
		if (f->parameters.at[i].sized == sized)
			text = arena_printf(all->arena, "%s%s, ", text, arguments[i]);
	return text;
}

static void add_constants(Arena *a, CFunction *m, const Family *f, const char *const *arguments, bool sized)
{
	for (int i = 0; i < f->parameters.count; i++) {
		const Parameter *p = &f->parameters.at[i];
		if (p->sized == sized)
			array_push(a, &m->constants, (CConstant){p->type, p->name, arguments[i], sized});
	}
}

static const char *without_comma(Arena *a, const char *list)
{
	size_t length = strlen(list);
	return arena_strndup(a, list, length >= 2 && list[length - 2] == ',' ? length - 2 : length);
}

/* "const float *x, float *y": "x, y". */
static const char *passed_names(Arena *a, const char *params)
{
	const char *names = "";
	for (const char *at = params; *at;) {
		size_t length = strcspn(at, ","), name = 0;
		while (name < length &&
		       (isalnum((unsigned char)at[length - 1 - name]) || at[length - 1 - name] == '_'))
			name++;
		names = arena_printf(a, "%s%s%.*s", names, *names ? ", " : "", (int)name, at + length - name);
		at += length + (at[length] == ',');
	}
	return names;
}

static size_t length_of(Writer *w)
{
	size_t length;
	writer_text(w, &length);
	return length;
}

/* Where the function ends that the kernels call. */
static size_t write_kernels(const Families *all, const Family *f, Writer *w, const char *name,
                            const char *body, const char ***arguments)
{
	Arena *a = all->arena;
	const CFunction *first = f->members.at[0];
	const char *done = first->counters ? "unsigned *const done, " : "";
	const char *sizes = without_comma(a, parameter_list(all, f, true));
	if (*sizes)
		write_line(w, "template <%s>", sizes);
	write_body(w,
	           arena_printf(a, "static __device__ __forceinline__ void %s(%s%s%s)", name, done,
	                        parameter_list(all, f, false), first->params),
	           body);
	const size_t shared = length_of(w);
	for (int k = 0; k < f->members.count; k++) {
		CFunction *m = f->members.at[k];
		write_counters(w, m);
		write_line(w, "/* %s  %s */", m->places, m->measures);
		const char *chosen =
		        *sizes ? arena_printf(a, "<%s>",
		                              without_comma(a, argument_list(all, f, arguments[k], true)))
		               : "";
		write_line(w, "%s %s(%s)\n{ %s%s(%s%s%s); }", m->head, m->name, m->params, name, chosen,
		           m->counters ? arena_printf(a, "done_%s, ", m->name) : "",
		           argument_list(all, f, arguments[k], false), passed_names(a, m->params));
		m->callee = m->name;
	}
	return shared;
}

/* Where what its functions have in common ends. */
static size_t write_family(Families *all, Family *f, Writer *w, const char *name)
{
	Arena *a = all->arena;
	CFunction *first = f->members.at[0];
	const bool *own = find_own_objects(a, f);
	for (int i = 0; i < map_count(f->texts.at[0]->words); i++)
		map_set(f->names, map_key(f->texts.at[0]->words, i), f);
	Text *params = text_take_apart(a, first->params, true);
	for (int i = 0; i < map_count(params->words); i++)
		map_set(f->names, map_key(params->words, i), f);
	const char ***arguments = NEW_ARRAY(a, const char **, f->members.count);
	for (int k = 0; k < f->members.count; k++)
		arguments[k] = NEW_ARRAY(a, const char *, f->texts.at[0]->pieces.count);
	const char *body = family_body(all, f, own, arguments);
	if (first->comment)
		write_line(w, "/* %s\n * %s\n * %s */", first->comment, first->places, sizes_text(a, f));
	size_t shared;
	if (all->kernels) {
		shared = write_kernels(all, f, w, name, body, arguments);
	} else {
		const char *objects = write_objects(all, f, w, own);
		const char *sizes = arena_printf(a, "%s%s%s", objects, parameter_list(all, f, true),
		                                 parameter_list(all, f, false));
		write_body(w, arena_printf(a, "%s %s(%s%s)", first->head, name, sizes, first->params), body);
		shared = length_of(w);
		for (int k = 0; k < f->members.count; k++) {
			CFunction *m = f->members.at[k];
			m->callee = name;
			add_constants(a, m, f, arguments[k], true);
			add_constants(a, m, f, arguments[k], false);
		}
	}
	write_text(w, "\n");
	return shared;
}

/* "softmax"; "launch_3" of functions that launch kernels of several operators, on three tensors. A parameter of that
 * name would hide the function from its kernels, and C has a function `tanh` already. */
static const char *family_label(Arena *a, const Family *family)
{
	const CFunction *f = family->members.at[0];
	bool launches = false; /* what it computes stands above the kernel */
	for (int k = 1; k < family->members.count && !f->comment; k++)
		launches = launches || strcmp(family->members.at[k]->label, f->label) != 0;
	int tensors = 1;
	for (const char *p = f->params; (p = strchr(p, ',')); p++)
		tensors++;
	if (launches)
		return arena_printf(a, "launch_%d", tensors);
	const Text *params = text_take_apart(a, f->params, true);
	bool taken = map_get(params->words, f->label) || strcmp(c_identifier(a, f->label), f->label) != 0;
	return taken ? arena_printf(a, "%s_any_size", f->label) : f->label;
}

void families_write(Families *f, Writer *w, const char *(*unique)(void *data, const char *wanted), void *data)
{
	for (int i = 0; i < map_count(f->by_text); i++) {
		Family *family = map_value(f->by_text, i);
		const size_t start = length_of(w);
		size_t shared;
		if (family->members.count == 1) {
			write_alone(f, w, family->members.at[0]);
			shared = length_of(w);
		} else {
			shared = write_family(f, family, w, unique(data, family_label(f->arena, family)));
		}
		array_push(f->arena, &f->places,
		           (FamilyPlace){start, (int64_t)(shared - start), family->members.count});
	}
}

const FamilyPlace *families_places(const Families *f, int *count)
{
	*count = f->places.count;
	return f->places.at;
}
