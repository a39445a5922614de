/* SPDX-License-Identifier: MIT */
#include "runtime/data/classes.h"
#include "runtime/host/die.h"
#include "runtime/host/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name as it is kept and compared: valid UTF-8 without control characters, as JSON holds it except for \ and ". */
static char *shown(const char *name)
{
	char text[JSON_STRING_BYTES];
	text_printable(text, sizeof text, name);
	return text_printf("%s", text);
}

char *classes_text(const Dataset *d)
{
	bool of_data = d->class_count > 0;
	int count = of_data ? d->class_count : d->trained_count;
	if (!count)
		return NULL;
	char *text = text_printf("[");
	int64_t length = 1;
	for (int i = 0; i < count; i++) {
		char *name = of_data ? shown(d->classes[i]) : text_printf("%s", d->trained[i]),
		     *quoted = json_quoted(name);
		int64_t more = (int64_t)strlen(quoted) + 2;
		text = reallocate(text, length + more + 1, 1, "the names of classes");
		length += sprintf(text + length, "%s%s", i ? "," : "", quoted);
		free(name);
		free(quoted);
	}
	text[length] = ']';
	text[length + 1] = 0;
	return text;
}

typedef struct Names {
	char **at;
	int count;
} Names;

static Names read_names(const char *stored, const char *path)
{
	Names names = {0};
	Json j = json_new(stored, (int64_t)strlen(stored));
	char name[JSON_STRING_BYTES];
	(void)json_expect(&j, '[');
	do {
		if (!json_string(&j, name))
			die(STATUS_DATA, "`%s` is no complete checkpoint: its `classes` are damaged: %s",
			    path, j.error);
		names.at = reallocate(names.at, names.count + 1, sizeof *names.at, "the names of classes");
		names.at[names.count++] = text_printf("%s", name);
	} while (json_take(&j, ','));
	return names;
}

static Names shown_names(const Dataset *d)
{
	Names names = {allocate(d->class_count, sizeof *names.at, "the names of classes"), d->class_count};
	for (int i = 0; i < names.count; i++)
		names.at[i] = shown(d->classes[i]);
	return names;
}

/* The first of `names` that `others` do not have, or NULL. */
static const char *first_missing(Names names, Names others)
{
	for (int i = 0; i < names.count; i++) {
		int k = 0;
		while (k < others.count && strcmp(names.at[i], others.at[k]) != 0)
			k++;
		if (k == others.count)
			return names.at[i];
	}
	return NULL;
}

static void names_free(Names names)
{
	for (int i = 0; i < names.count; i++)
		free(names.at[i]);
	free(names.at);
}

void classes_check(Dataset *d, const char *stored, const char *path)
{
	static const char help[] =
	        "give the data that it was trained on, under its names: the number of a class is "
	        "the place of its name";
	if (!stored)
		return;
	Names then = read_names(stored, path);
	names_free((Names){d->trained, d->trained_count});
	d->trained = then.at;
	d->trained_count = then.count;
	if (!d->class_count)
		return;
	Names now = shown_names(d);
	const char *gone = first_missing(then, now), *new = first_missing(now, then);
	if (d->some_classes && !new)
		gone = NULL;
	if (gone && new)
		die_help(STATUS_DATA, help,
		         "`%s` was trained on the class `%s`, which the data does not have; it has `%s`",
		         path, gone, new);
	if (gone)
		die_help(STATUS_DATA, help,
		         "`%s` was trained on the class `%s`, which the data does not have", path, gone);
	if (new)
		die_help(STATUS_DATA, help, "the data has the class `%s`, which `%s` was not trained on", new,
		         path);
	for (int i = 0; i < then.count && i < now.count && !d->some_classes; i++)
		if (strcmp(then.at[i], now.at[i]) != 0)
			die_help(STATUS_DATA, help, "class %d of `%s` is `%s`, that of the data is `%s`", i,
			         path, then.at[i], now.at[i]);
	names_free(now);
}
