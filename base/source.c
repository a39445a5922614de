/* SPDX-License-Identifier: MIT */
/* Source text, places in it, and sets of places. */
#include "base/source.h"
#include "base/array.h"
#include "base/diag.h"
#include "base/limits.h"
#include "base/writer.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

Source *source_from_text(Arena *a, const char *path, const char *text, size_t length, const char **why)
{
	if (length > LIMIT_SOURCE_BYTES) {
		*why = arena_printf(a, "it is longer than %d bytes", LIMIT_SOURCE_BYTES);
		return NULL;
	}
	if (length && memchr(text, 0, length)) {
		*why = "it holds a NUL byte, so it is not a text";
		return NULL;
	}
	Source *s = NEW(a, Source);
	s->path = arena_strdup(a, path);
	s->text = arena_strndup(a, text, length);
	s->length = (int)length;
	ARRAY(int) starts = {0};
	array_push(a, &starts, 0);
	for (int i = 0; i < s->length; i++)
		if (s->text[i] == '\n')
			array_push(a, &starts, i + 1);
	s->line_starts = starts.at;
	s->line_count = starts.count;
	return s;
}

/* Reads at most `room` bytes; -1 with errno set on failure. */
static ssize_t read_all(int fd, char *buffer, size_t room)
{
	size_t got = 0;
	while (got < room) {
		ssize_t n = read(fd, buffer + got, room - got);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		got += (size_t)n;
	}
	return (ssize_t)got;
}

Source *source_read(Arena *a, const char *path, const char **why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0) {
		*why = arena_strdup(a, strerror(errno));
		return NULL;
	}
	struct stat st;
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		close(fd);
		*why = "it is a folder";
		return NULL;
	}
	/* One byte more than allowed, so that the limit is seen; no size is trusted, a pipe has none. */
	size_t room = LIMIT_SOURCE_BYTES + 1;
	char *text = arena_alloc(a, room);
	ssize_t length = read_all(fd, text, room);
	int error = errno;
	close(fd);
	if (length < 0) {
		*why = arena_strdup(a, strerror(error));
		return NULL;
	}
	return source_from_text(a, path, text, (size_t)length, why);
}

void loc_position(Loc loc, int *line, int *column)
{
	const Source *s = loc.source;
	int low = 0, high = s->line_count - 1;
	while (low < high) {
		int middle = low + (high - low + 1) / 2;
		if (s->line_starts[middle] <= loc.start)
			low = middle;
		else
			high = middle - 1;
	}
	*line = low + 1;
	*column = loc.start - s->line_starts[low] + 1;
}

int loc_line(Loc loc)
{
	int line = 0, column;
	if (loc.source)
		loc_position(loc, &line, &column);
	return line;
}

Loc loc_join(Loc first, Loc last)
{
	if (!first.source)
		return last;
	if (last.source != first.source)
		return first;
	if (last.start < first.start)
		first.start = last.start;
	if (last.end > first.end)
		first.end = last.end;
	return first;
}

Loc loc_none(void)
{
	return (Loc){0};
}

/* Source order: by path, place, then the instantiation, from the inside out. Never by address, so that the order
 * is the same in every run. */
static int site_compare(const Site *x, const Site *y)
{
	for (; x != y; x = x->parent, y = y->parent) {
		if (!x || !y)
			return x ? 1 : -1;
		if (x->loc.source != y->loc.source) {
			if (!x->loc.source || !y->loc.source)
				return x->loc.source ? 1 : -1;
			int order = strcmp(x->loc.source->path, y->loc.source->path);
			if (order)
				return order;
		}
		if (x->loc.start != y->loc.start)
			return x->loc.start < y->loc.start ? -1 : 1;
		if (x->loc.end != y->loc.end)
			return x->loc.end < y->loc.end ? -1 : 1;
		int order = strcmp(x->scope ? x->scope : "", y->scope ? y->scope : "");
		if (order)
			return order;
	}
	return 0;
}

Sites sites_one(Arena *a, const Site *site)
{
	if (!site)
		return (Sites){0};
	const Site **at = NEW_ARRAY(a, const Site *, 1);
	at[0] = site;
	return (Sites){.at = at, .count = 1};
}

Sites sites_union(Arena *a, Sites x, Sites y)
{
	if (!y.count || (x.at == y.at && x.count == y.count))
		return x;
	if (!x.count)
		return y;
	/* First count, so that a union that adds nothing shares the larger set. */
	int common = 0;
	for (int i = 0, j = 0; i < x.count && j < y.count;) {
		int order = site_compare(x.at[i], y.at[j]);
		common += order == 0;
		i += order <= 0;
		j += order >= 0;
	}
	if (common == y.count)
		return x;
	if (common == x.count)
		return y;
	Sites u = {.count = x.count + y.count - common};
	const Site **at = NEW_ARRAY(a, const Site *, u.count);
	for (int i = 0, j = 0, n = 0; n < u.count; n++) {
		int order = i == x.count ? 1 : j == y.count ? -1 : site_compare(x.at[i], y.at[j]);
		at[n] = order <= 0 ? x.at[i] : y.at[j];
		i += order <= 0;
		j += order >= 0;
	}
	u.at = at;
	return u;
}

char *sites_text(Arena *a, Sites s, int most)
{
	char *text = arena_strdup(a, "");
	const Source *source = NULL;
	int last_line = 0, shown = 0;
	for (int i = 0; i < s.count; i++) {
		Loc loc = s.at[i]->loc;
		int line = loc_line(loc);
		if (!loc.source || (loc.source == source && line == last_line))
			continue;
		if (shown == most)
			return arena_printf(a, "%s,...", text);
		if (loc.source == source)
			text = arena_printf(a, "%s,%d", text, line);
		else
			text = arena_printf(a, "%s%s%s:%d", text, shown ? " " : "",
			                    printable(a, base_name(loc.source->path)), line);
		source = loc.source;
		last_line = line;
		shown++;
	}
	return text;
}
