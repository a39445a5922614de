/* SPDX-License-Identifier: MIT */
/* The functions of the generated code, and their families: see functions.h. */
#include "emit/functions.h"
#include "base/map.h"
#include "codegen/print.h"
#include "emit/sizes.h"

#include <string.h>

enum { EXTENTS_SHOWN = 8 };

struct Families {
	Arena *arena;
	bool kernels;
	Map *by_form; /* of Family */
	ARRAY(FamilyPlace) places;
	Map *objects; /* addresses of constant objects in the file, by type and value */
};

Families *families_new(Arena *a, bool kernels)
{
	Families *f = NEW(a, Families);
	*f = (Families){.arena = a, .kernels = kernels, .by_form = map_new(a), .objects = map_new(a)};
	return f;
}

/* What tells functions of one form apart, besides the names of their parameters. Counters of blocks are one array
 * for all launches of a kernel: a step of the branch, which may run beside one of the chain, does not share it
 * with that. */
static const char *value_key(Arena *a, const CFunction *f, const Form *form)
{
	const char *key = arena_printf(a, "%s\n%lld%s\n%s", f->head, (long long)f->counters,
	                               f->counters && f->branch ? " branch" : "", form_values(a, form));
	for (int i = 0; i < f->launches.count; i++)
		key = arena_printf(a, "%s\n%s %s", key, f->launches.at[i].kernel->name,
		                   f->launches.at[i].how);
	return key;
}

static const char *family_key(Arena *a, const CFunction *f, const Form *form)
{
	return arena_printf(a, "%s\n%s\n%s\n%s\n%s", f->any_size ? "any size" : "",
	                    f->counters ? "counts" : "",
	                    f->counters && f->any_size && f->branch ? "branch" : "",
	                    f->apart || form->alone ? value_key(a, f, form) : "", form_key(a, form));
}

CFunction *families_add(Families *f, Arena *scratch, const CFunction *wanted, const Code *code,
                        const char *text)
{
	Arena *a = f->arena;
	const Form *form = code ? form_of(scratch, code, wanted->params, f->kernels)
	                        : form_of_text(scratch, text, wanted->params);
	const char *value = value_key(scratch, wanted, form), *key = family_key(scratch, wanted, form);
	Family *family = map_get(f->by_form, key);
	if (!family) {
		family = NEW(a, Family);
		family->names = map_new(a);
		family->by_value = map_new(a);
		map_set(f->by_form, key, family);
	}
	CFunction *function = map_get(family->by_value, value);
	if (function)
		return function;
	function = arena_copy(a, wanted, sizeof *wanted);
	function->label = arena_strdup(a, wanted->label);
	function->head = arena_strdup(a, wanted->head);
	function->params = arena_strdup(a, wanted->params);
	function->form = form_copy(a, form, family->members.count ? family->members.at[0]->form : NULL);
	map_set(family->by_value, value, function);
	array_push(a, &family->members, function);
	return function;
}

/* ---- objects */

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

/* The kernels that the function launches, as its first objects. */
static void set_launches(Arena *a, CFunction *f)
{
	for (int i = 0; i < f->launches.count; i++) {
		const CLaunch *l = &f->launches.at[i];
		const char *sizes = l->kernel->constants.count == 0
		                            ? ""
		                            : arena_printf(a, ", .arguments = %d, .sizes = %s",
		                                           l->kernel->form->parameters.count,
		                                           sizes_of_launch(a, l->kernel));
		f->form->objects.at[i].value =
		        arena_printf(a, "{.name = \"%s\", %s%s}", l->kernel->callee, l->how, sizes);
	}
}

static size_t length_of(Writer *w)
{
	size_t length;
	writer_text(w, &length);
	return length;
}

/* What was written from `start` on. */
static const char *since(Arena *a, Writer *w, size_t start)
{
	return arena_strdup(a, writer_text(w, NULL) + start);
}

/* Defines an object in the file, unless a constant of that value is there; returns its address. Those in its value are
 * `addresses` of the member's objects ahead of it. */
static const char *define_object(Families *all, Writer *w, CFunction *f, const Object *o,
                                 const char *const *addresses)
{
	Arena *a = all->arena;
	const char *value =
	        o->value ? form_fill(a, f->form, o->value, (Fillings){.objects = addresses}) : NULL;
	const bool constant = strncmp(o->type, "const ", strlen("const ")) == 0;
	const char *key = arena_printf(a, "%s %s", o->type, value ? value : ""),
	           *known = constant ? map_get(all->objects, key) : NULL,
	           *address = known ? known : arena_printf(a, "&%s_%s", f->name, o->name);
	Writer *line = writer_new(a);
	print_object(line, o->type, address + 1, value);
	if (!known)
		write_text(w, "%s", writer_text(line, NULL));
	if (!strstr(f->own, writer_text(line, NULL)))
		f->own = arena_printf(a, "%s%s", f->own, writer_text(line, NULL));
	map_set(all->objects, key, (void *)address);
	return address;
}

/* "NnrPlan *" and "plan": "NnrPlan **". */
static const char *address_type(Arena *a, const char *type)
{
	return arena_printf(a, "%s%s*", type, type[strlen(type) - 1] == '*' ? "" : " ");
}

/* Defines the members' objects; returns the parameters by which the function takes them. */
static const char *write_objects(Families *all, const Family *f, Writer *w)
{
	Arena *a = all->arena;
	const Form *first = f->members.at[0]->form;
	const char *params = "";
	for (int i = 0; i < first->objects.count; i++)
		if (form_reads(a, first, i))
			params = arena_printf(a, "%s%s%s, ", params,
			                      address_type(a, first->objects.at[i].type),
			                      first->objects.at[i].name);
	for (int k = 0; k < f->members.count; k++) {
		CFunction *m = f->members.at[k];
		const char **addresses = NEW_ARRAY(a, const char *, first->objects.count);
		m->own = "";
		for (int i = 0; i < first->objects.count; i++) {
			const Object *o = &m->form->objects.at[i];
			addresses[i] = define_object(all, w, m, o, addresses);
			if (form_reads(a, first, i))
				array_push(
				        a, &m->constants,
				        (CConstant){address_type(a, o->type), o->name, addresses[i], false});
		}
	}
	return params;
}

/* ---- text */

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
	const size_t start = length_of(w);
	Writer *body = writer_new(a);
	if (f->comment)
		write_line(w, "/* %s\n * %s\n * %s */", f->comment, f->places, f->measures);
	write_counters(w, f->name, f->counters);
	for (int i = 0; i < f->form->objects.count; i++) {
		const Object *o = &f->form->objects.at[i];
		print_object(body, o->type, o->name,
		             o->value ? form_fill(a, f->form, o->value, (Fillings){0}) : NULL);
	}
	write_text(body, "%s", form_fill(a, f->form, f->form->text, (Fillings){0}));
	write_braced(w, arena_printf(a, "%s %s(%s)", f->head, f->name, f->params),
	             body_with_counters(a, f->name, f->counters, writer_text(body, NULL)));
	write_text(w, "\n");
	f->callee = f->name;
	f->text = since(a, w, start);
	f->own = "";
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
			text = arena_listed(a, text, "%s %s", f->parameters.at[i].type,
			                    f->parameters.at[i].name);
	return text;
}

/* "64, 16": a member's values. */
static const char *argument_list(Arena *a, const Family *f, int member, ParameterSet set)
{
	const char *text = "";
	for (int i = 0; i < f->parameters.count; i++)
		if (is_of(&f->parameters.at[i], set))
			text = arena_listed(a, text, "%s", f->parameters.at[i].texts[member]);
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

/* What a kernel hands on: "x, y, n0". */
static const char *passed_names(Arena *a, const Family *f, const CFunction *m)
{
	const char *names = "";
	for (int i = 0; i < m->form->parameters.count; i++)
		names = joined(a, names, m->form->parameters.at[i]);
	for (int i = 0; i < f->parameters.count; i++)
		if (is_of(&f->parameters.at[i], OF_LAUNCH))
			names = joined(a, names, f->parameters.at[i].name);
	return names;
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
	           *sizes ? arena_printf(a, "<%s>", sizes) : "", joined(a, given, passed_names(a, f, m)));
}

/* Where the function ends that the kernels call. */
static size_t write_kernels(Arena *a, const Family *f, Writer *w, size_t start, const char *name,
                            const char *body, UniqueName *unique, void *data)
{
	const CFunction *first = f->members.at[0];
	const char *sizes = parameter_list(a, f, OF_TEMPLATE), *launch = parameter_list(a, f, OF_LAUNCH);
	const char *params = joined(a, first->params, launch);
	size_t shared;
	if (f->class_count == 1) {
		const int64_t counters = counters_of_class(f, 0);
		write_counters(w, name, counters);
		write_braced(w, arena_printf(a, "%s %s(%s)", first->head, name, params),
		             body_with_counters(a, name, counters, body));
		shared = length_of(w);
	} else {
		if (*sizes)
			write_line(w, "template <%s>", sizes);
		const char *given = joined(a, first->counters ? "unsigned *const done" : "",
		                           parameter_list(a, f, OF_FUNCTION));
		write_braced(w,
		             arena_printf(a, "static __device__ __forceinline__ void %s(%s)", name,
		                          joined(a, given, params)),
		             body);
		shared = length_of(w);
	}
	const char **names = NEW_ARRAY(a, const char *, f->class_count),
	           **own = NEW_ARRAY(a, const char *, f->class_count);
	const char *text = since(a, w, start);
	for (int c = 0; c < f->class_count; c++) {
		const size_t here = length_of(w);
		names[c] = f->class_count == 1 ? name : name_class(a, f, name, c, unique, data);
		if (f->class_count > 1)
			write_class(a, f, w, name, c, names[c]);
		own[c] = since(a, w, here);
	}
	for (int k = 0; k < f->members.count; k++) {
		f->members.at[k]->callee = names[f->class_of[k]];
		f->members.at[k]->family = f->class_count > 1 ? name : NULL;
		f->members.at[k]->text = text;
		f->members.at[k]->own = own[f->class_of[k]];
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
	const Form *form = first->form;
	form_take_names(a, form, f->names);
	const char **objects = NEW_ARRAY(a, const char *, form->objects.count);
	for (int i = 0; i < form->objects.count; i++)
		objects[i] = form->objects.at[i].name;
	const char *const *constants = family_fill(a, f, all->kernels);
	const char *body = form_fill(a, form, form->text, (Fillings){constants, objects});
	const size_t start = length_of(w);
	if (first->comment)
		write_line(w, "/* %s\n * %s\n * %s */", first->comment, first->places,
		           sizes_text(a, f, ALL_CLASSES));
	if (all->kernels)
		return write_kernels(a, f, w, start, name, body, unique, data);
	const char *comment = since(a, w, start), *params = write_objects(all, f, w);
	const size_t function = length_of(w);
	const char *sizes = joined(a, parameter_list(a, f, OF_TEMPLATE), parameter_list(a, f, OF_FUNCTION));
	write_braced(
	        w, arena_printf(a, "%s %s(%s%s)", first->head, name, params, joined(a, sizes, first->params)),
	        body);
	const char *text = arena_printf(a, "%s%s", comment, since(a, w, function));
	for (int k = 0; k < f->members.count; k++) {
		f->members.at[k]->callee = name;
		f->members.at[k]->text = text;
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
		return arena_printf(a, "launch_%d", f->form->parameters.count);
	bool taken = strcmp(c_identifier(a, f->label), f->label) != 0;
	for (int i = 0; i < f->form->parameters.count; i++)
		taken = taken || strcmp(f->form->parameters.at[i], f->label) == 0;
	return taken ? arena_printf(a, "%s_any_size", f->label) : f->label;
}

void families_write(Families *f, Writer *w, UniqueName *unique, void *data)
{
	for (int i = 0; i < map_count(f->by_form); i++) {
		Family *family = map_value(f->by_form, i);
		const size_t start = length_of(w);
		size_t shared;
		int compiled = 1;
		for (int k = 0; k < family->members.count; k++)
			set_launches(f->arena, family->members.at[k]);
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
