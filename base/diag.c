/* SPDX-License-Identifier: MIT */
/* Diagnostics: one sentence with its place, the source line, the range underlined.
 *
 *     mnist.net:6:23: error: `conv` has no argument `padd` [unknown-argument]
 *       6 |     x = image -> conv(16, 3, padd = same)
 *         |                              ^~~~
 *         = help: did you mean `pad`?
 *
 * As text everything is printed as soon as it is known, so that nothing is lost if nnc dies; as JSON it is kept
 * until diagnostics_finish(). No byte of the user's text reaches the terminal as a control character. */
#include "base/diag.h"
#include "base/json.h"
#include "base/map.h"
#include <stdlib.h>
#include <unistd.h>

enum { WIDTH_MAX = 150 }; /* bytes of a source line that are shown */

struct Diagnostics {
	Arena *arena;
	bool color, json, refuses_warnings;
	int max_errors; /* 0: any number */
	int errors;     /* reported, repeated ones included: callers compare it before and after */
	int shown_errors, shown_warnings;
	bool full, muted; /* muted: the diagnostic begun last is not shown, nor are its notes */
	int gutter;       /* width of the line numbers of the diagnostic begun last */
	Map *seen;        /* texts of those shown: a mistake in a loop or in a block is said once */
	ARRAY(Diagnostic) kept;
};

/* ---- user bytes */

char *printable(Arena *a, const char *s)
{
	size_t length = strlen(s), used = 0;
	char *text = arena_array(a, 4 * length + 24, 1);
	for (const char *end = s + length; s < end;) {
		int columns;
		s += show_character(s, text + used, &columns);
		used += strlen(text + used);
	}
	return text;
}

/* ---- text */

static const char *style(const Diagnostics *d, const char *code)
{
	return d->color ? code : "";
}

#define BOLD   "\033[1m"
#define RED    "\033[1;31m"
#define YELLOW "\033[1;33m"
#define CYAN   "\033[1;36m"
#define BLUE   "\033[1;34m"
#define GREEN  "\033[1;32m"
#define RESET  "\033[0m"

static void print_head(Diagnostics *d, Loc loc, const char *color, const char *word, const char *message,
                       const char *id)
{
	fputs(style(d, BOLD), stderr);
	if (loc.source) {
		int line, column;
		loc_position(loc, &line, &column);
		fprintf(stderr, "%s:%d:%d: ", printable(d->arena, loc.source->path), line, column);
	} else {
		fputs("nnc: ", stderr);
	}
	fprintf(stderr, "%s%s%s: ", style(d, color), word, style(d, RESET));
	fprintf(stderr, "%s%s%s", style(d, BOLD), message, style(d, RESET));
	if (id)
		fprintf(stderr, " [%s]", id);
	fputc('\n', stderr);
}

/* What is shown of a source line: tabs as spaces, hidden bytes as \xHH. */
typedef struct Snippet {
	char text[8 * WIDTH_MAX + 16];
	int from, to; /* columns of the range in the text */
	bool cut_left, cut_right;
} Snippet;

/* A range of several lines goes as far as its first one; of a long line the part around the range is taken. */
static void snippet_of(Loc loc, int line, Snippet *x)
{
	const Source *s = loc.source;
	int start = s->line_starts[line - 1], end = start + (int)strcspn(s->text + start, "\n");
	if (end > start && s->text[end - 1] == '\r')
		end--;
	*x = (Snippet){.from = -1};
	if (end - start > WIDTH_MAX) {
		int begin = loc.start - WIDTH_MAX / 3;
		x->cut_left = begin > start;
		while (x->cut_left && (s->text[begin] & 0xC0) == 0x80)
			begin++;
		start = x->cut_left ? begin : start;
		x->cut_right = start + WIDTH_MAX < end;
		end = x->cut_right ? start + WIDTH_MAX : end;
		while (x->cut_right && (s->text[end] & 0xC0) == 0x80 && end > loc.start)
			end--;
	}
	int columns = 0;
	char *out = x->text;
	for (int i = start, length; i < end; i += length) {
		int width;
		if (x->from < 0 && i >= loc.start)
			x->from = columns;
		if (i < loc.end)
			x->to = columns + 1;
		if (s->text[i] == '\t') {
			length = 1;
			width = sprintf(out, "%*s", 8 - columns % 8, "");
		} else {
			length = show_character(s->text + i, out, &width);
		}
		columns += width;
		out += strlen(out);
		if (i + length <= loc.end)
			x->to = columns;
	}
	if (x->from < 0)
		x->from = columns;
	if (x->to <= x->from)
		x->to = x->from + 1;
}

static void print_snippet(Diagnostics *d, Loc loc, const char *color)
{
	int line, column;
	Snippet x;
	char number[16];
	loc_position(loc, &line, &column);
	snippet_of(loc, line, &x);
	d->gutter = snprintf(number, sizeof number, "%4d", line);
	const char *left = x.cut_left ? "..." : "";
	fprintf(stderr, "%s%s |%s %s%s%s\n", style(d, BLUE), number, style(d, RESET), left, x.text,
	        x.cut_right ? "..." : "");
	fprintf(stderr, "%s%*s |%s %*s%s^", style(d, BLUE), d->gutter, "", style(d, RESET),
	        x.from + (int)strlen(left), "", style(d, color));
	for (int i = x.from + 1; i < x.to; i++)
		fputc('~', stderr);
	fprintf(stderr, "%s\n", style(d, RESET));
}

static void print_note(Diagnostics *d, const char *color, const char *word, const char *message)
{
	fprintf(stderr, "%s%*s =%s %s%s:%s %s\n", style(d, BLUE), d->gutter, "", style(d, RESET),
	        style(d, color), word, style(d, RESET), message);
}

/* ---- JSON */

static void json_place(Diagnostics *d, Loc loc)
{
	if (!loc.source) {
		fputs("\"file\": null, \"line\": null, \"column\": null, \"end_line\": null, \"end_column\": "
		      "null",
		      stderr);
		return;
	}
	int line, column, end_line, end_column;
	Loc end = {.source = loc.source, .start = loc.end, .end = loc.end};
	loc_position(loc, &line, &column);
	loc_position(end, &end_line, &end_column);
	fputs("\"file\": ", stderr);
	fputs(json_quoted(d->arena, printable(d->arena, loc.source->path)), stderr);
	fprintf(stderr, ", \"line\": %d, \"column\": %d, \"end_line\": %d, \"end_column\": %d", line, column,
	        end_line, end_column);
}

static void json_diagnostic(Diagnostics *d, const Diagnostic *x)
{
	fprintf(stderr,
	        "  {\"severity\": \"%s\", \"id\": ", x->severity == SEVERITY_ERROR ? "error" : "warning");
	fputs(json_quoted(d->arena, x->id), stderr);
	fputs(", \"message\": ", stderr);
	fputs(json_quoted(d->arena, x->message), stderr);
	fputs(", ", stderr);
	json_place(d, x->loc);
	fputs(", \"notes\": [", stderr);
	for (int i = 0; i < x->notes.count; i++) {
		fputs(i ? ", {\"message\": " : "{\"message\": ", stderr);
		fputs(json_quoted(d->arena, x->notes.at[i].message), stderr);
		fputs(", ", stderr);
		json_place(d, x->notes.at[i].loc);
		fputs("}", stderr);
	}
	fputs("], \"help\": ", stderr);
	if (x->help)
		fputs(json_quoted(d->arena, x->help), stderr);
	else
		fputs("null", stderr);
	fputs("}", stderr);
}

static void json_array(Diagnostics *d)
{
	fputs("[", stderr);
	for (int i = 0; i < d->kept.count; i++) {
		fputs(i ? ",\n" : "\n", stderr);
		json_diagnostic(d, &d->kept.at[i]);
	}
	fputs(d->kept.count ? "\n]\n" : "]\n", stderr);
}

/* ---- the interface */

static bool terminal_has_color(void)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
	if (no_color && *no_color)
		return false;
	return term && *term && strcmp(term, "dumb") && isatty(STDERR_FILENO);
}

Diagnostics *diagnostics_new(Arena *a, ColorMode color, bool json, int max_errors)
{
	Diagnostics *d = NEW(a, Diagnostics);
	d->arena = a;
	d->json = json;
	d->color = !json && (color == COLOR_ALWAYS || (color == COLOR_AUTO && terminal_has_color()));
	d->max_errors = max_errors;
	d->gutter = 4;
	d->seen = map_new(a);
	return d;
}

void diagnostics_refuse_warnings(Diagnostics *d)
{
	d->refuses_warnings = true;
}

static void __attribute__((format(printf, 5, 0)))
begin(Diagnostics *d, Severity severity, Loc loc, const char *id, const char *format, va_list args)
{
	bool refused = severity == SEVERITY_WARNING && d->refuses_warnings;
	if (refused)
		severity = SEVERITY_ERROR;
	bool error = severity == SEVERITY_ERROR;
	d->errors += error;
	d->muted = d->full;
	if (d->full)
		return;
	const char *message = printable(d->arena, arena_vprintf(d->arena, format, args));
	char *key = arena_printf(d->arena, "%s %s %d %d %s", id, loc.source ? loc.source->path : "",
	                         loc.start, loc.end, message);
	d->muted = map_get(d->seen, key);
	if (d->muted)
		return;
	map_set(d->seen, key, d);
	if (error && d->max_errors > 0 && d->shown_errors == d->max_errors) {
		d->full = d->muted = true;
		if (!d->json)
			fprintf(stderr,
			        "nnc: too many errors, the rest are not shown (--max-errors=N shows more)\n");
		return;
	}
	d->shown_errors += error;
	d->shown_warnings += !error;
	Diagnostic x = {.severity = severity, .loc = loc, .id = id, .message = message};
	if (d->json) {
		array_push(d->arena, &d->kept, x);
		return;
	}
	d->gutter = 4;
	const char *color = error ? RED : YELLOW;
	print_head(d, loc, color, error ? "error" : "warning", message,
	           refused ? arena_printf(d->arena, "%s, -Werror", id) : id);
	if (loc.source)
		print_snippet(d, loc, color);
}

void diag_error(Diagnostics *d, Loc loc, const char *id, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	begin(d, SEVERITY_ERROR, loc, id, format, args);
	va_end(args);
}

void diag_warning(Diagnostics *d, Loc loc, const char *id, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	begin(d, SEVERITY_WARNING, loc, id, format, args);
	va_end(args);
}

void diag_note(Diagnostics *d, Loc loc, const char *format, ...)
{
	if (d->muted)
		return;
	va_list args;
	va_start(args, format);
	Note note = {.loc = loc, .message = printable(d->arena, arena_vprintf(d->arena, format, args))};
	va_end(args);
	if (d->json) {
		array_push(d->arena, &d->kept.at[d->kept.count - 1].notes, note);
	} else if (loc.source) {
		print_head(d, loc, CYAN, "note", note.message, NULL);
		print_snippet(d, loc, CYAN);
	} else {
		print_note(d, CYAN, "note", note.message);
	}
}

void diag_help(Diagnostics *d, const char *format, ...)
{
	if (d->muted)
		return;
	va_list args;
	va_start(args, format);
	const char *text = printable(d->arena, arena_vprintf(d->arena, format, args));
	va_end(args);
	if (d->json) {
		Diagnostic *x = &d->kept.at[d->kept.count - 1];
		x->help = x->help ? arena_printf(d->arena, "%s\n%s", x->help, text) : text;
	} else {
		print_note(d, GREEN, "help", text);
	}
}

void diag_site_notes(Diagnostics *d, const Site *site)
{
	enum { SHOWN = 8 };
	int depth = 0;
	for (; site && site->parent; site = site->parent)
		if (depth++ < SHOWN)
			diag_note(d, site->parent->loc, "in block `%s`, instantiated here", site->block);
	if (depth > SHOWN)
		diag_note(d, loc_none(), "and so on, %d blocks in all", depth);
}

int diag_kept_count(const Diagnostics *d)
{
	return d->kept.count;
}

const Diagnostic *diag_kept(const Diagnostics *d, int i)
{
	return &d->kept.at[i];
}

int diag_error_count(const Diagnostics *d)
{
	return d->errors;
}

bool diagnostics_full(const Diagnostics *d)
{
	return d->full;
}

void diagnostics_finish(Diagnostics *d)
{
	if (d->json) {
		json_array(d);
	} else if (d->shown_errors || d->shown_warnings) {
		const char *between = d->shown_errors && d->shown_warnings ? ", " : "";
		if (d->shown_errors)
			fprintf(stderr, "%d error%s", d->shown_errors, d->shown_errors > 1 ? "s" : "");
		fputs(between, stderr);
		if (d->shown_warnings)
			fprintf(stderr, "%d warning%s", d->shown_warnings, d->shown_warnings > 1 ? "s" : "");
		fputc('\n', stderr);
	}
	fflush(stderr);
}
