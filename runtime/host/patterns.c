/* SPDX-License-Identifier: MIT */
#include "runtime/host/patterns.h"
#include "base/nearest.h"
#include "runtime/host/die.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* The next pattern of the list, from *at on; malloc'd. NULL: that was the last. */
static char *next_pattern(const char **at)
{
	*at += strspn(*at, ",");
	if (!**at)
		return NULL;
	int length = (int)strcspn(*at, ",");
	char *pattern = text_printf("%.*s", length, *at);
	*at += length;
	return pattern;
}

bool patterns_match(const char *patterns, const char *name)
{
	bool matches = false;
	char *pattern;
	while (patterns && !matches && (pattern = next_pattern(&patterns))) {
		matches = fnmatch(pattern, name, 0) == 0;
		free(pattern);
	}
	return matches;
}

/* The first names of the path, as many as the pattern has: a head of "head.dense.weight" for "haed.*". */
static char *as_long_as(const char *pattern, const char *name)
{
	const char *end = name + strcspn(name, ".");
	for (const char *dot = strchr(pattern, '.'); dot && dot[1] && dot[1] != '*' && *end;
	     dot = strchr(dot + 1, '.'))
		end += 1 + strcspn(end + 1, ".");
	return text_printf("%.*s", (int)(end - name), name);
}

/* malloc'd; NULL: no name is near. */
static char *nearest_name(const char *pattern, const char *const *names, int count)
{
	char **heads = allocate(count, sizeof *heads, "a message"), *word = as_long_as(pattern, pattern);
	for (int i = 0; i < count; i++)
		heads[i] = as_long_as(pattern, names[i]);
	const char *near = nearest_word(word, (const char *const *)heads, count);
	char *found = near ? text_printf("%s", near) : NULL;
	for (int i = 0; i < count; i++)
		free(heads[i]);
	free(heads);
	free(word);
	return found;
}

/* A layer is named by all that is in it. malloc'd. */
static char *help_for(const char *near, const char *const *names, int count)
{
	size_t n = near ? strlen(near) : 0;
	bool is_layer = false;
	for (int i = 0; i < count && near; i++)
		is_layer = is_layer || (strncmp(names[i], near, n) == 0 && names[i][n] == '.');
	if (!near)
		return text_printf("--print-model lists the names of the model");
	return text_printf("did you mean `%s%s`? --print-model lists the names of the model", near,
	                   is_layer ? ".*" : "");
}

void patterns_check(const char *patterns, const char *option, const char *const *names, int count,
                    const char *where)
{
	char *pattern;
	while (patterns && (pattern = next_pattern(&patterns))) {
		int i = 0;
		while (i < count && fnmatch(pattern, names[i], 0) != 0)
			i++;
		if (i == count) {
			char *near = nearest_name(pattern, names, count);
			die_help(STATUS_USAGE, help_for(near, names, count),
			         "`--%s %s` matches no tensor of %s", option, pattern, where);
		}
		free(pattern);
	}
}
