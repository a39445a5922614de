/* Locals that nothing reads. The loops of a kernel declare all of their indices, and what follows from a sum, before
 * the body has said which it reads; here, with the whole text at hand, the others are left out. */
#include "base/array.h"
#include "codegen/step.h"

#include <ctype.h>
#include <string.h>

typedef struct Line {
	const char *text;
	int length, depth; /* depth: tabs in front */
	bool left_out;
} Line;

typedef ARRAY(Line) Lines;

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static Lines lines_of(Arena *a, const char *text)
{
	Lines lines = {0};
	for (const char *at = text; *at;) {
		size_t length = strcspn(at, "\n");
		array_push(a, &lines,
		           (Line){.text = at, .length = (int)length, .depth = (int)strspn(at, "\t")});
		at += length + (at[length] == '\n');
	}
	return lines;
}

/* The length of the name that a line `const TYPE NAME = VALUE;` declares, and where it stands; 0: the line is another.
 * A comma that begins one more name makes it another. */
static int declared(const Line *l, const char **name)
{
	const char *at = l->text + l->depth, *end = l->text + l->length;
	if (l->length == 0 || end[-1] != ';' || strncmp(at, "const ", 6) != 0)
		return 0;
	at += 6;
	while (in_name(*at))
		at++;
	*name = ++at;
	while (in_name(*at))
		at++;
	int length = (int)(at - *name);
	if (length == 0 || strncmp(at, " = ", 3) != 0)
		return 0;
	for (at += 3; at < end; at++) {
		const char *next = at + 2;
		if (*at == '{')
			return 0;
		while (*at == ',' && in_name(*next))
			next++;
		if (*at == ',' && strncmp(next, " = ", 3) == 0)
			return 0;
	}
	return length;
}

static bool reads(const Line *l, const char *name, int length)
{
	for (const char *at = l->text, *end = at + l->length; at + length <= end; at++)
		if (strncmp(at, name, (size_t)length) == 0 && !in_name(at[length]) &&
		    (at == l->text || !in_name(at[-1])))
			return true;
	return false;
}

const char *without_unused(Arena *a, const char *text)
{
	Lines lines = lines_of(a, text);
	for (int i = lines.count - 1; i >= 0; i--) { /* what only an unused one reads is unused */
		const char *name;
		int length = declared(&lines.at[i], &name);
		if (length == 0)
			continue;
		bool read = false;
		for (int k = i + 1; k < lines.count && !read; k++) {
			const Line *l = &lines.at[k];
			if (l->length > 0 && l->depth < lines.at[i].depth) /* its scope has ended */
				break;
			read = !l->left_out && reads(l, name, length);
		}
		lines.at[i].left_out = !read;
	}
	Writer *w = writer_new(a);
	for (int i = 0; i < lines.count; i++)
		if (!lines.at[i].left_out)
			write_text(w, "%.*s\n", lines.at[i].length, lines.at[i].text);
	return writer_text(w, NULL);
}
