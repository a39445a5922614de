/* SPDX-License-Identifier: MIT */
/* Families of functions: see family.h. */
#include "emit/family.h"
#include "base/array.h"
#include "base/diag.h"
#include "emit/family_holes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { EXTENTS_SHOWN = 8 };

struct Families {
	Arena *arena;
	bool kernels;
	ARRAY(CFunction *) functions;
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

static int count_parameters(const char *params)
{
	int count = *params != '\0';
	for (const char *p = params; (p = strchr(p, ',')); p++)
		count++;
	return count;
}

void families_add(Families *f, CFunction *function)
{
	array_push(f->arena, &f->functions, function);
}

/* `(void *[]){&(int){9633792}, &(NnrDivisor){NNR_DIVISOR(96)}, NULL}` of a kernel's constants. */
static const char *sizes_of_launch(Arena *a, const CFunction *kernel)
{
	const char *text = "(void *[]){";
	for (int i = 0; i < kernel->constants.count; i++) {
		const CConstant *c = &kernel->constants.at[i];
		const bool divides = strcmp(c->type, "NnrDivisor") == 0;
		text = arena_printf(a, divides ? "%s&(%s){NNR_DIVISOR(%s)}, " : "%s&(%s){%s}, ", text,
		                    c->type, c->value);
	}
	return arena_printf(a, "%sNULL}", text);
}

/* The kernels that the function launches, as its objects. */
static const char *launched_text(Arena *a, const CFunction *f)
{
	const char *text = "";
	for (int i = 0; i < f->launches.count; i++) {
		const CLaunch *l = &f->launches.at[i];
		const char *sizes = l->kernel->constants.count == 0
		                            ? ""
		                            : arena_printf(a, ", .arguments = %d, .sizes = %s",
		                                           count_parameters(l->kernel->params),
		                                           sizes_of_launch(a, l->kernel));
		text = arena_printf(a, "%sstatic NnrKernel %s = {.name = \"%s\", %s%s};\n", text, l->as,
		                    l->kernel->callee, l->how, sizes);
	}
	return text;
}

static void add_to_family(Families *f, CFunction *function)
{
	if (function->launches.count > 0)
		function->body =
		        arena_printf(f->arena, "%s%s", launched_text(f->arena, function), function->body);
	Text *t = text_take_apart(f->arena, function->body, f->kernels ? function->params : NULL);
	bool alone = t->alone || function->apart;
	char *key = arena_printf(f->arena, "%s\n%s\n%s %s %s\n%s", alone ? function->name : "",
	                         text_of_parameters(f->arena, function->params, function->params),
	                         function->any_size ? "any size" : "", function->counters ? "counts" : "",
	                         function->counters && function->any_size && function->branch ? "branch" : "",
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

/* The body with its holes filled. */
static const char *family_body(Arena *a, const Family *f, const bool *own, const char *const *fillings)
{
	const Text *first = f->texts.at[0];
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

static void write_counters(Writer *w, const char *name, int64_t counters)
{
	if (counters)
		write_line(w, "static __device__ unsigned done_%s[%lld];", name, (long long)counters);
}

/* The body of a kernel that is no template. */
static const char *body_with_counters(Arena *a, const char *name, int64_t counters, const char *body)
{
	return counters ? arena_printf(a, "unsigned *const done = done_%s;\n%s", name, body) : body;
}

static void write_alone(const Families *all, Writer *w, CFunction *f)
{
	Arena *a = all->arena;
	if (f->comment)
		write_line(w, "/* %s\n * %s\n * %s */", f->comment, f->places, f->measures);
	write_counters(w, f->name, f->counters);
	write_body(w, arena_printf(a, "%s %s(%s)", f->head, f->name, f->params),
	           body_with_counters(a, f->name, f->counters, f->body));
	write_text(w, "\n");
	f->callee = f->name;
}

/* "of 12 sizes: 3211264x64, 802816x64, ...": what the names of a class's members have after the label; of all members,
 * ALL_CLASSES; of a single one its measures. */
enum { ALL_CLASSES = -1 };

static const char *sizes_text(Arena *a, const Family *f, int class)
{
	const char *text = "", *measures = NULL;
	int count = 0;
	for (int i = 0; i < f->members.count; i++) {
		if (class != ALL_CLASSES && f->class_of[i] != class)
			continue;
		const CFunction *m = f->members.at[i];
		size_t label = strlen(m->label);
		bool labelled = strncmp(m->name, m->label, label) == 0 && m->name[label] == '_';
		if (count++ < EXTENTS_SHOWN)
			text = arena_printf(a, "%s%s %s", text, *text ? "," : "",
			                    m->name + (labelled ? label + 1 : 0));
		measures = m->measures;
	}
	if (count == 1)
		return measures;
	return arena_printf(a, "of %d sizes:%s%s", count, text, count > EXTENTS_SHOWN ? " ..." : "");
}

/* Which of a family's parameters: integers that are known where it is compiled, real numbers that are, and what a
 * launch gives. */
typedef enum { OF_TEMPLATE, OF_FUNCTION, OF_LAUNCH } ParameterSet;

static bool is_of(const Parameter *p, ParameterSet set)
{
	return (p->at_launch ? OF_LAUNCH : p->values ? OF_TEMPLATE : OF_FUNCTION) == set;
}

/* "int n0, int n1" */
static const char *parameter_list(Arena *a, const Family *f, ParameterSet set)
{
	const char *text = "";
	for (int i = 0; i < f->parameters.count; i++)
		if (is_of(&f->parameters.at[i], set))
			text = arena_printf(a, "%s%s%s %s", text, *text ? ", " : "", f->parameters.at[i].type,
			                    f->parameters.at[i].name);
	return text;
}

/* "64, 16": a member's values. */
static const char *argument_list(Arena *a, const Family *f, int member, ParameterSet set)
{
	const char *text = "";
	for (int i = 0; i < f->parameters.count; i++)
		if (is_of(&f->parameters.at[i], set))
			text = arena_printf(a, "%s%s%s", text, *text ? ", " : "",
			                    f->parameters.at[i].texts[member]);
	return text;
}

static void add_constants(Arena *a, const Family *f, int member, ParameterSet set)
{
	for (int i = 0; i < f->parameters.count; i++) {
		const Parameter *p = &f->parameters.at[i];
		if (is_of(p, set))
			array_push(a, &f->members.at[member]->constants,
			           (CConstant){p->type, p->name, p->texts[member], p->values != NULL});
	}
}

/* The two lists as one. */
static const char *joined(Arena *a, const char *x, const char *y)
{
	return arena_printf(a, "%s%s%s", x, *x && *y ? ", " : "", y);
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

/* They serve all members of the class. */
static int64_t counters_of_class(const Family *f, int class)
{
	int64_t most = 0;
	for (int k = 0; k < f->members.count; k++)
		if (f->class_of[k] == class && f->members.at[k]->counters > most)
			most = f->members.at[k]->counters;
	return most;
}

/* One member is its own name; of more, "batchnorm_statistics_128" by the first size that tells classes apart. */
static const char *name_class(Arena *a, const Family *f, const char *family, int class, UniqueName *unique,
                              void *data)
{
	const int first = f->first_of[class];
	if (f->class_count == f->members.count)
		return f->members.at[first]->name;
	for (int i = 0; i < f->parameters.count; i++)
		if (is_of(&f->parameters.at[i], OF_TEMPLATE))
			return unique(data,
			              arena_printf(a, "%s_%s", family, f->parameters.at[i].texts[first]));
	return unique(data, family);
}

static void write_class(Arena *a, const Family *f, Writer *w, const char *family, int class, const char *name)
{
	const int first = f->first_of[class];
	const CFunction *m = f->members.at[first];
	const char *sizes = argument_list(a, f, first, OF_TEMPLATE),
	           *launch = parameter_list(a, f, OF_LAUNCH);
	const char *given = joined(a, m->counters ? arena_printf(a, "done_%s", name) : "",
	                           argument_list(a, f, first, OF_FUNCTION));
	const char *params = joined(a, m->params, launch);
	write_counters(w, name, counters_of_class(f, class));
	if (f->class_count == f->members.count)
		write_line(w, "/* %s  %s */", m->places, m->measures);
	else
		write_line(w, "/* %s */", sizes_text(a, f, class));
	write_line(w, "%s %s(%s)\n{ %s%s(%s); }", m->head, name, params, family,
	           *sizes ? arena_printf(a, "<%s>", sizes) : "", joined(a, given, passed_names(a, params)));
}

/* Where the function ends that the kernels call. */
static size_t write_kernels(Arena *a, const Family *f, Writer *w, const char *name, const char *body,
                            UniqueName *unique, void *data)
{
	const CFunction *first = f->members.at[0];
	const char *sizes = parameter_list(a, f, OF_TEMPLATE), *launch = parameter_list(a, f, OF_LAUNCH);
	const char *params = joined(a, first->params, launch);
	size_t shared;
	if (f->class_count == 1) {
		const int64_t counters = counters_of_class(f, 0);
		write_counters(w, name, counters);
		write_body(w, arena_printf(a, "%s %s(%s)", first->head, name, params),
		           body_with_counters(a, name, counters, body));
		shared = length_of(w);
	} else {
		if (*sizes)
			write_line(w, "template <%s>", sizes);
		const char *given = joined(a, first->counters ? "unsigned *const done" : "",
		                           parameter_list(a, f, OF_FUNCTION));
		write_body(w,
		           arena_printf(a, "static __device__ __forceinline__ void %s(%s)", name,
		                        joined(a, given, params)),
		           body);
		shared = length_of(w);
	}
	const char **names = NEW_ARRAY(a, const char *, f->class_count);
	for (int c = 0; c < f->class_count; c++) {
		names[c] = f->class_count == 1 ? name : name_class(a, f, name, c, unique, data);
		if (f->class_count > 1)
			write_class(a, f, w, name, c, names[c]);
	}
	for (int k = 0; k < f->members.count; k++) {
		f->members.at[k]->callee = names[f->class_of[k]];
		add_constants(a, f, k, OF_LAUNCH);
	}
	return shared;
}

/* Whether the arguments of a launch are among its objects, which stand in the file then: within a function they would
 * not last. */
static bool gives_sizes(const CFunction *f)
{
	for (int i = 0; i < f->launches.count; i++)
		if (f->launches.at[i].kernel->constants.count > 0)
			return true;
	return false;
}

/* Where what its functions have in common ends. */
static size_t write_family(Families *all, Family *f, Writer *w, const char *name, UniqueName *unique,
                           void *data)
{
	Arena *a = all->arena;
	CFunction *first = f->members.at[0];
	const bool *own = find_own_objects(a, f);
	for (int i = 0; i < map_count(f->texts.at[0]->words); i++)
		map_set(f->names, map_key(f->texts.at[0]->words, i), f);
	Text *params = text_take_apart(a, first->params, "");
	for (int i = 0; i < map_count(params->words); i++)
		map_set(f->names, map_key(params->words, i), f);
	const char *body = family_body(a, f, own, family_fill(a, f, all->kernels));
	if (first->comment)
		write_line(w, "/* %s\n * %s\n * %s */", first->comment, first->places,
		           sizes_text(a, f, ALL_CLASSES));
	if (all->kernels)
		return write_kernels(a, f, w, name, body, unique, data);
	const char *objects = write_objects(all, f, w, own);
	const char *sizes = joined(a, parameter_list(a, f, OF_TEMPLATE), parameter_list(a, f, OF_FUNCTION));
	write_body(
	        w,
	        arena_printf(a, "%s %s(%s%s)", first->head, name, objects, joined(a, sizes, first->params)),
	        body);
	for (int k = 0; k < f->members.count; k++) {
		f->members.at[k]->callee = name;
		add_constants(a, f, k, OF_TEMPLATE);
		add_constants(a, f, k, OF_FUNCTION);
	}
	return length_of(w);
}

/* "softmax"; "launch_3" of functions that launch kernels of several operators, on three tensors. A parameter of that
 * name would hide the function from its kernels, and C has a function `tanh` already. */
static const char *family_label(Arena *a, const Family *family)
{
	const CFunction *f = family->members.at[0];
	bool launches = false; /* what it computes stands above the kernel */
	for (int k = 1; k < family->members.count && !f->comment; k++)
		launches = launches || strcmp(family->members.at[k]->label, f->label) != 0;
	if (launches)
		return arena_printf(a, "launch_%d", count_parameters(f->params));
	const Text *params = text_take_apart(a, f->params, "");
	bool taken = map_get(params->words, f->label) || strcmp(c_identifier(a, f->label), f->label) != 0;
	return taken ? arena_printf(a, "%s_any_size", f->label) : f->label;
}

void families_write(Families *f, Writer *w, UniqueName *unique, void *data)
{
	for (int i = 0; i < f->functions.count; i++)
		add_to_family(f, f->functions.at[i]);
	for (int i = 0; i < map_count(f->by_text); i++) {
		Family *family = map_value(f->by_text, i);
		const size_t start = length_of(w);
		size_t shared;
		int compiled = 1;
		if (family->members.count == 1 && !gives_sizes(family->members.at[0])) {
			write_alone(f, w, family->members.at[0]);
			shared = length_of(w);
		} else {
			const char *name = unique(data, family_label(f->arena, family));
			shared = write_family(f, family, w, name, unique, data);
			write_text(w, "\n");
			compiled = family->class_count;
		}
		array_push(f->arena, &f->places, (FamilyPlace){start, (int64_t)(shared - start), compiled});
	}
}

const FamilyPlace *families_places(const Families *f, int *count)
{
	*count = f->places.count;
	return f->places.at;
}
