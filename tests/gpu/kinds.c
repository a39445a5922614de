#include "tests/gpu/kinds.h"
#include "base/writer.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static const char kernel_head[] = "extern \"C\" __global__";

static bool begins(const char *text, const char *word)
{
	return strncmp(text, word, strlen(word)) == 0;
}

static const char *after_line(const char *at)
{
	const char *end = strchr(at, '\n');
	return end ? end + 1 : at + strlen(at);
}

/* After a comment that begins a line, or an empty line; NULL: something else begins. */
static const char *after_gap(const char *at)
{
	if (begins(at, "/*")) {
		const char *end = strstr(at, "*/");
		return end ? after_line(end) : NULL;
	}
	return *at == '\n' ? after_line(at) : NULL;
}

/* Of a declaration: it ends with a line that begins with its last brace, or has all of its body, or, being the first,
 * ends with a semicolon. */
static const char *after_declaration(const char *from)
{
	for (const char *at = from; *at;) {
		const char *next = after_line(at);
		const bool ends =
		        (at == from && next - at > 1 && next[-2] == ';') || *at == '}' || begins(at, "{ ");
		if (ends)
			return next;
		at = next;
	}
	return from + strlen(from);
}

/* Where the name of a function begins that is declared in the first line; `*end` is after it. */
static const char *name_of(const char *kernel, const char **end)
{
	const char *at = strchr(kernel, ')'); /* of __launch_bounds__ */
	at = at && strstr(at, "__cluster_dims__") == at + 2 ? strchr(at + 1, ')') : at;
	*end = at ? strchr(at, '(') : NULL;
	return *end ? at + 2 : NULL;
}

static bool holds(const char *from, const char *end, const char *word)
{
	const char *at = strstr(from, word);
	return at && at < end;
}

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static char *keep_word(char *to, const char **at)
{
	while (in_word(**at))
		*to++ = *(*at)++;
	return to;
}

/* Numbers and their signs are 0, but not the last argument of a declared type: how many elements are read at once. */
static char *drop_number(char *to, const char *kind, const char **at)
{
	const size_t digits = strspn(*at, "0123456789");
	if (begins(*at + digits, "> "))
		return keep_word(to, at);
	to -= to > kind && to[-1] == '-';
	*to++ = '0';
	*at += digits;
	return to;
}

/* Without the name of a kernel and without numbers. As they are stay functions and types of the headers, and lines with
 * the size of a tile or of shared memory. */
static const char *kind_of(Arena *a, const char *text, int length, bool kernel)
{
	char *const kind = arena_strndup(a, text, (size_t)length), *to = kind;
	const char *end = NULL, *name = kernel ? name_of(kind, &end) : NULL;
	for (const char *at = kind, *next; *at; at = next) {
		next = after_line(at);
		bool as_it_is = holds(at, next, "__shared__ ") || holds(at, next, "NnrTile<") ||
		                holds(at, next, "NnrAttention<") || holds(at, next, "nnr_row_copy<");
		while (at < next) {
			at = at == name ? end : at;
			if (!as_it_is && (begins(at, "nnr_") || begins(at, "Nnr")))
				to = keep_word(to, &at);
			else if (!as_it_is && isdigit((unsigned char)*at))
				to = drop_number(to, kind, &at);
			else
				*to++ = *at++;
		}
	}
	*to = '\0';
	return kind;
}

Kinds kinds_apart(Arena *a, const char *kernels, const char *space, Map *seen)
{
	static const char linkage[] = "extern \"C\" "; /* in which namespaces do not count */
	Kinds kinds = {0};
	Writer *first = writer_new(a), *others = writer_new(a);
	const char *called = ""; /* what was declared last: a kernel of one line instantiates it */
	bool inside = false;     /* the namespace */
	for (const char *at = kernels, *next; *at; at = next) {
		if ((next = after_gap(at)))
			continue;
		next = begins(at, "#") ? after_line(at) : after_declaration(at);
		if (!inside && *at != '#') {
			write_line(first, "namespace %s {", space);
			write_line(others, "namespace %s {", space);
			inside = true;
		}
		const int length = (int)(next - at);
		const bool kernel = begins(at, kernel_head);
		const char *kind = kind_of(a, at, length, kernel);
		if (!kernel) {
			called = kind;
			write_text(first, "%.*s", length, at);
			write_text(others, "%.*s", length, at);
			continue;
		}
		kind = strstr(kind, "\n{ ") ? arena_printf(a, "%s%s", called, kind) : kind;
		const bool known = map_get(seen, kind) != NULL;
		map_set(seen, kind, seen);
		const int head = (int)strlen(linkage);
		write_text(known ? others : first, "%.*s", length - head, at + head);
		*(known ? &kinds.other_kernels : &kinds.first_kernels) += 1;
	}
	write_text(first, "%s", inside ? "}\n" : "");
	write_text(others, "%s", inside ? "}\n" : "");
	kinds.first = writer_text(first, NULL);
	kinds.others = writer_text(others, NULL);
	return kinds;
}
