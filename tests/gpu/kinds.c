/* SPDX-License-Identifier: MIT */
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

static bool holds(const char *from, const char *end, const char *word)
{
	return memmem(from, (size_t)(end - from), word, strlen(word)) != NULL;
}

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static const char *after_brackets(const char *at)
{
	int depth = 0;
	do
		depth += (*at == '<') - (*at == '>');
	while (*at && *at != '\n' && at++ && depth > 0);
	return at;
}

/* A word of the headers and what is in angle brackets after it, without numbers. The last one of a declared type stays,
 * which says how many elements are read at once. */
static const char *use_of(Arena *a, const char *at)
{
	const char *end = at;
	while (in_word(*end))
		end++;
	end = *end == '<' ? after_brackets(end) : end;
	char *const use = arena_strndup(a, at, (size_t)(end - at)), *to = use;
	for (const char *const begin = at; at < end;) {
		const size_t digits = at > begin && in_word(at[-1]) ? 0 : strspn(at, "0123456789");
		if (digits > 0 && !begins(at + digits, "> ")) {
			*to++ = '0';
			at += digits;
		} else {
			*to++ = *at++;
		}
	}
	*to = '\0';
	return use;
}

/* A use of the headers that lies at `at`, in a line from `line` to `end`, which is one as it is or not; NULL: none. */
static const char *use_at(Arena *a, const char *at, const char *line, const char *end, bool as_it_is)
{
	if (at == line && begins(at, kernel_head)) {
		int arguments = 1;
		for (const char *c = at; c < end; c++)
			arguments += *c == ',';
		return arena_printf(a, "%d arguments", arguments);
	}
	if (as_it_is)
		return at == line ? arena_strndup(a, line, (size_t)(end - line)) : NULL;
	const bool word = at == line || !in_word(at[-1]);
	return word && (begins(at, "nnr_") || begins(at, "Nnr")) ? use_of(a, at) : NULL;
}

/* Whether the headers are used as in none of the texts of `seen`, among which this one is then. */
static bool uses_anew(Arena *a, const char *text, int length, Map *seen)
{
	const char *const end = text + length;
	const bool half = holds(text, end, "NnrBf16") || holds(text, end, "NnrF16");
	bool anew = false;
	for (const char *line = text, *next; line < end; line = next) {
		next = after_line(line);
		const bool as_it_is = holds(line, next, "__shared__ ") || holds(line, next, "NnrTile<") ||
		                      holds(line, next, "NnrAttention<") ||
		                      holds(line, next, "nnr_row_copy<");
		for (const char *at = line; at < next; at++) {
			const char *use = use_at(a, at, line, next, as_it_is);
			use = use ? arena_printf(a, "%s%s", half ? "of 16 bits: " : "", use) : NULL;
			anew |= use && !map_get(seen, use);
			if (use)
				map_set(seen, use, seen);
		}
	}
	return anew;
}

Kinds kinds_apart(Arena *a, const char *kernels, const char *space, Map *seen)
{
	static const char linkage[] = "extern \"C\" "; /* in which namespaces do not count */
	Kinds kinds = {0};
	Writer *first = writer_new(a), *others = writer_new(a);
	const char *called = ""; /* what was declared last: a kernel of one line instantiates it */
	int called_length = 0;
	bool inside = false; /* the namespace */
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
		if (!begins(at, kernel_head)) {
			called = at;
			called_length = length;
			write_text(first, "%.*s", length, at);
			write_text(others, "%.*s", length, at);
			continue;
		}
		bool known = !uses_anew(a, at, length, seen);
		if (holds(at, next, "\n{ "))
			known = !uses_anew(a, called, called_length, seen) && known;
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
