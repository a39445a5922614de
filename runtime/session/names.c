/* SPDX-License-Identifier: MIT */
#include "runtime/session/names.h"
#include "base/utf8.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- layers: the tensors that share a name except for its end */

typedef enum { CONV, NORM, DENSE, KINDS } LayerKind;

typedef struct Layer {
	const char *name; /* of a tensor, of which `length` bytes are the layer's */
	int length;
	LayerKind kind;
	int number; /* among those of its kind */
} Layer;

static int layer_length(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot ? (int)(dot - name) : 0;
}

static bool is_of(const Layer *l, const char *name)
{
	return layer_length(name) == l->length && memcmp(name, l->name, (size_t)l->length) == 0;
}

/* KINDS: a tensor that says nothing of its layer. */
static LayerKind kind_of(const NnrTensor *t)
{
	const char *role = t->name + layer_length(t->name);
	return strcmp(role, ".running_mean") == 0             ? NORM
	       : strcmp(role, ".weight") == 0 && t->rank == 4 ? CONV
	       : strcmp(role, ".weight") == 0 && t->rank == 2 ? DENSE
	                                                      : KINDS;
}

/* In the order of definition, kind by kind; *count of them, and of each kind. */
static Layer *find_layers(const NnrModel *m, int *count, int of_kind[KINDS])
{
	Layer *layers = allocate(m->param_count + m->state_count, sizeof *layers, "the layers");
	*count = 0;
	memset(of_kind, 0, KINDS * sizeof *of_kind);
	for (int i = 0; i < m->param_count + m->state_count; i++) {
		const NnrTensor *t = i < m->param_count ? &m->params[i] : &m->states[i - m->param_count];
		LayerKind kind = kind_of(t);
		if (kind != KINDS)
			layers[(*count)++] = (Layer){t->name, layer_length(t->name), kind, of_kind[kind]++};
	}
	return layers;
}

/* ---- torchvision */

/*   convs     of a residual block: 2, or 3 in a bottleneck; 0: a network of features and a classifier
 *   blocks    of each stage; a stage's first has a convolution on the shortcut where the sizes differ
 *   features  c: a convolution and its relu, p: a pool; each takes a number
 *   dense     the numbers of the dense layers in the classifier */
static const struct {
	const char *name;
	int convs, blocks[4];
	const char *features, *dense;
} families[] = {
        {"resnet18", 2, {2, 2, 2, 2}, NULL, NULL},         {"resnet34", 2, {3, 4, 6, 3}, NULL, NULL},
        {"resnet50", 3, {3, 4, 6, 3}, NULL, NULL},         {"resnet101", 3, {3, 4, 23, 3}, NULL, NULL},
        {"resnet152", 3, {3, 8, 36, 3}, NULL, NULL},       {"vgg16", 0, {0}, "ccpccpcccpcccpcccp", "036"},
        {"vgg19", 0, {0}, "ccpccpccccpccccpccccp", "036"}, {"alexnet", 0, {0}, "cpcpcccp", "146"},
};

enum { FAMILIES = sizeof families / sizeof *families, MOST_LAYERS = 320 };

/* The names of a family's layers, of each kind in the order of definition. */
typedef struct Family {
	char names[KINDS][MOST_LAYERS][40];
	int count[KINDS];
} Family;

static void add(Family *f, LayerKind kind, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void add(Family *f, LayerKind kind, const char *format, ...)
{
	va_list args;
	require(f->count[kind] < MOST_LAYERS);
	char *to = f->names[kind][f->count[kind]++];
	va_start(args, format);
	vsnprintf(to, sizeof f->names[0][0], format, args);
	va_end(args);
}

static void add_residual(Family *f, int which)
{
	add(f, CONV, "conv1");
	add(f, NORM, "bn1");
	for (int stage = 0; stage < 4; stage++)
		for (int block = 0; block < families[which].blocks[stage]; block++) {
			for (int k = 1; k <= families[which].convs; k++) {
				add(f, CONV, "layer%d.%d.conv%d", stage + 1, block, k);
				add(f, NORM, "layer%d.%d.bn%d", stage + 1, block, k);
			}
			if (block > 0 || (stage == 0 && families[which].convs == 2))
				continue;
			add(f, CONV, "layer%d.%d.downsample.0", stage + 1, block);
			add(f, NORM, "layer%d.%d.downsample.1", stage + 1, block);
		}
	add(f, DENSE, "fc");
}

static void add_features(Family *f, int which)
{
	int number = 0;
	for (const char *c = families[which].features; *c; number += *c++ == 'c' ? 2 : 1)
		if (*c == 'c')
			add(f, CONV, "features.%d", number);
	for (const char *c = families[which].dense; *c; c++)
		add(f, DENSE, "classifier.%c", *c);
}

/* The family whose convolutions and normalisations are as many; a head may be another. malloc'd; NULL: none. */
static Family *find_family(const int of_kind[KINDS])
{
	Family *f = allocate(1, sizeof *f, "the layers' names");
	for (int i = 0; i < FAMILIES; i++) {
		*f = (Family){0};
		if (families[i].convs)
			add_residual(f, i);
		else
			add_features(f, i);
		if (f->count[CONV] == of_kind[CONV] && f->count[NORM] == of_kind[NORM])
			return f;
	}
	free(f);
	return NULL;
}

/* What torchvision calls the tensor; its own name where the family has no such layer: a head of another depth. */
static char *torchvision_name(const Family *f, const Layer *layers, int count, const char *name)
{
	for (int i = 0; i < count; i++)
		if (is_of(&layers[i], name) && layers[i].number < f->count[layers[i].kind])
			return text_printf("%s%s", f->names[layers[i].kind][layers[i].number],
			                   name + layers[i].length);
	return text_printf("%s", name);
}

static void name_as_torchvision(const NnrModel *m, Names *names)
{
	int count, of_kind[KINDS];
	Layer *layers = find_layers(m, &count, of_kind);
	Family *f = find_family(of_kind);
	if (!f)
		die_help(STATUS_DATA,
		         "a table of names does it for any network: runtime/README.md, \"Fine-tuning\"",
		         "torchvision's ResNet, VGG-16, VGG-19 and AlexNet have other layers than `%s`, with "
		         "its %d "
		         "convolutions and %d normalisations",
		         m->name, of_kind[CONV], of_kind[NORM]);
	for (int i = 0; i < m->param_count; i++)
		names->params[i] = torchvision_name(f, layers, count, m->params[i].name);
	for (int i = 0; i < m->state_count; i++)
		names->states[i] = torchvision_name(f, layers, count, m->states[i].name);
	names->torch = true;
	free(f);
	free(layers);
}

/* ---- a table */

typedef struct Rule {
	char *ours, *theirs;
	int line;
	bool used;
} Rule;

/* A tensor's two names, and the line that gave the second, 0: none. */
typedef struct Named {
	const char *ours, *theirs;
	int line;
} Named;

/* NULL: it does not fit. malloc'd. */
static char *apply(Rule *r, const char *name)
{
	size_t length = strlen(r->ours), layer = (size_t)layer_length(name);
	bool open = length > 0 && r->ours[length - 1] == '*';
	char *to = NULL;
	if (open && strncmp(name, r->ours, length - 1) == 0)
		to = text_printf("%.*s%s", (int)strlen(r->theirs) - 1, r->theirs, name + length - 1);
	else if (!open && strcmp(name, r->ours) == 0)
		to = text_printf("%s", r->theirs);
	else if (!open && layer == length && memcmp(name, r->ours, length) == 0)
		to = text_printf("%s%s", r->theirs, name + layer);
	r->used = r->used || to;
	return to;
}

/* *line is that of the rule, 0: there is none, and the name stays. */
static char *apply_first(Rule *rules, int count, const char *name, int *line)
{
	for (int i = 0; i < count; i++) {
		char *to = apply(&rules[i], name);
		*line = to ? rules[i].line : 0;
		if (to)
			return to;
	}
	return text_printf("%s", name);
}

static void read_line(const char *path, char *line, int number, Rule *rules, int *count, Names *names)
{
	char *words[3], *rest;
	int n = 0;
	line[strcspn(line, "#")] = 0;
	for (char *w = strtok_r(line, " \t\r", &rest); w; w = strtok_r(NULL, " \t\r", &rest)) {
		if (n == 2)
			die(STATUS_DATA, "`%s`, line %d: two names are expected, ours and theirs", path,
			    number);
		words[n++] = w;
	}
	if (n == 0)
		return;
	bool stars = n == 2 && words[0][strlen(words[0]) - 1] == '*';
	if (n == 1 || stars != (words[1][strlen(words[1]) - 1] == '*'))
		die(STATUS_DATA,
		    n == 1 ? "`%s`, line %d: two names are expected, ours and theirs"
		           : "`%s`, line %d: both names end in `*`, or none",
		    path, number);
	if (strcmp(words[0], "layout") == 0 &&
	    (strcmp(words[1], "nnc") == 0 || strcmp(words[1], "torch") == 0)) {
		names->torch = strcmp(words[1], "torch") == 0;
		return;
	}
	rules[(*count)++] = (Rule){words[0], words[1], number, false};
}

static int by_name(const void *x, const void *y)
{
	const Named *p = x, *q = y;
	int order = strcmp(p->theirs, q->theirs);
	return order ? order : (p->line > q->line) - (p->line < q->line);
}

/* A file has one tensor of a name. */
static void refuse_twice(const char *path, Named *named, int count)
{
	qsort(named, (size_t)count, sizeof *named, by_name);
	for (int i = 1; i < count; i++) {
		const Named *x = &named[i - 1], *y = &named[i];
		if (strcmp(x->theirs, y->theirs) != 0)
			continue;
		char *of = x->line ? text_printf("line %d", x->line) : text_printf("no line");
		die(STATUS_DATA, "`%s`: `%s` (%s) and `%s` (line %d) are both called `%s`", path, x->ours, of,
		    y->ours, y->line, x->theirs);
	}
}

static void name_by_table(const NnrModel *m, const char *path, Names *names)
{
	enum { LIMIT = 1 << 20 };
	int64_t length;
	const char *why;
	char *text = (char *)file_read(path, LIMIT, &length, &why), *at;
	if (!text)
		die_help(STATUS_DATA, "`torchvision`, or the path of a table of names",
		         "can't read the table of names `%s`: %s", path, why);
	at = text = reallocate(text, length + 1, 1, "a table of names");
	text[length] = 0;
	if (memchr(text, 0, (size_t)length))
		die(STATUS_DATA, "`%s` is no table of names: it is no text", path);
	at += utf8_mark(text, length);
	int lines = 1, count = 0, number = 0;
	for (int64_t i = 0; i < length; i++)
		lines += text[i] == '\n';
	Rule *rules = allocate(lines, sizeof *rules, "a table of names");
	for (char *line; (line = strsep(&at, "\n"));)
		read_line(path, line, ++number, rules, &count, names);
	Named *named = allocate(m->param_count + m->state_count + 1, sizeof *named, "the names");
	for (int i = 0; i < m->param_count + m->state_count; i++) {
		bool param = i < m->param_count;
		char **to = param ? &names->params[i] : &names->states[i - m->param_count];
		named[i].ours = param ? m->params[i].name : m->states[i - m->param_count].name;
		named[i].theirs = *to = apply_first(rules, count, named[i].ours, &named[i].line);
	}
	for (int i = 0; i < count; i++)
		if (!rules[i].used)
			die_help(STATUS_DATA, "--print-model lists the names of the model",
			         "`%s`, line %d: the model `%s` has nothing left that is called `%s`", path,
			         rules[i].line, m->name, rules[i].ours);
	refuse_twice(path, named, m->param_count + m->state_count);
	free(named);
	free(rules);
	free(text);
}

Names tensor_names_new(const NnrModel *m, const char *map)
{
	Names names = {.params = allocate(m->param_count, sizeof *names.params, "the names"),
	               .states = allocate(m->state_count + 1, sizeof *names.states, "the names"),
	               .torch = map != NULL};
	if (map && strcmp(map, "torchvision") == 0)
		name_as_torchvision(m, &names);
	else if (map)
		name_by_table(m, map, &names);
	for (int i = 0; i < m->param_count && !map; i++)
		names.params[i] = text_printf("%s", m->params[i].name);
	for (int i = 0; i < m->state_count && !map; i++)
		names.states[i] = text_printf("%s", m->states[i].name);
	return names;
}

void tensor_names_free(const NnrModel *m, Names *names)
{
	for (int i = 0; i < m->param_count; i++)
		free(names->params[i]);
	for (int i = 0; i < m->state_count; i++)
		free(names->states[i]);
	free(names->params);
	free(names->states);
}
