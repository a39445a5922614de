/* SPDX-License-Identifier: MIT */
/* What the server says of a text. Each answer reads the text anew: a network elaborates in milliseconds. lsp.h. */
#include "tools/lsp.h"

#include "base/json.h"
#include "base/writer.h"
#include "front/elaborate.h"
#include "front/eval.h"
#include "front/scanner.h"
#include "front/setting.h"
#include "driver/help.h"
#include "ir/op.h"
#include "ops/optim.h"
#include "tools/names.h"

#include <string.h>

/* ---- places */

int lsp_offset(const Source *s, int line, int character)
{
	if (line >= s->line_count)
		return s->length;
	int at = s->line_starts[line];
	while (character > 0 && at < s->length && s->text[at] != '\n') {
		int bytes = utf8_character(s->text + at);
		character -= bytes == 4 ? 2 : 1;
		at += bytes ? bytes : 1;
	}
	return at;
}

static const char *position(Arena *a, const Source *s, int offset)
{
	int line, column, units = 0;
	loc_position((Loc){s, offset, offset}, &line, &column);
	for (int at = s->line_starts[line - 1]; at < offset;) {
		int bytes = utf8_character(s->text + at);
		units += bytes == 4 ? 2 : 1;
		at += bytes ? bytes : 1;
	}
	return arena_printf(a, "{\"line\":%d,\"character\":%d}", line - 1, units);
}

static const char *range(Arena *a, Loc loc)
{
	return arena_printf(a, "{\"start\":%s,\"end\":%s}", position(a, loc.source, loc.start),
	                    position(a, loc.source, loc.end));
}

static int hex_digit(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
	                              : -1;
}

const char *lsp_path(Arena *a, const char *uri)
{
	if (strncmp(uri, "file://", 7) != 0)
		return uri;
	uri += 7;
	char *path = arena_strdup(a, uri), *out = path;
	for (; *uri; uri++) {
		int high = *uri == '%' ? hex_digit(uri[1]) : -1, low = high >= 0 ? hex_digit(uri[2]) : -1;
		bool escape = low >= 0 && high * 16 + low > 0;
		*out++ = escape ? (char)(high * 16 + low) : *uri;
		uri += escape ? 2 : 0;
	}
	*out = '\0';
	return path;
}

static const char *uri_of(Arena *a, const char *path)
{
	Writer *w = writer_new(a);
	write_text(w, "file://");
	for (; *path; path++) {
		bool plain = (*path >= 'a' && *path <= 'z') || (*path >= 'A' && *path <= 'Z') ||
		             (*path >= '0' && *path <= '9') || strchr("/-._~", *path);
		write_text(w, plain ? "%c" : "%%%02X", (unsigned char)*path);
	}
	return writer_text(w, NULL);
}

/* ---- diagnostics */

enum { MOST_RUNS = 16 }; /* models and recipes of a text that are looked into */

/* One elaboration for each model, and for each recipe with a name. */
typedef struct Runs {
	const Elaborated *at[MOST_RUNS];
	Diagnostics *diag[MOST_RUNS + 1]; /* the last is the parser's */
	int count;
} Runs;

static Runs elaborate_all(Arena *a, const Source *source)
{
	Runs r = {0};
	Diagnostics *d = diagnostics_new(a, COLOR_NEVER, true, LIMIT_ERRORS);
	const Ast *file = parse_source(a, d, source);
	for (int i = 0; i < file->count && r.count < MOST_RUNS; i++) {
		const Ast *item = file->kids[i];
		bool recipe = item->kind == AST_TRAIN && item->text;
		if (item->kind != AST_MODEL && !recipe)
			continue;
		ElaborateOptions options = {.model = item->name, .recipe = recipe ? item->text : NULL};
		r.diag[r.count] = diagnostics_new(a, COLOR_NEVER, true, LIMIT_ERRORS);
		r.at[r.count] = elaborate(a, r.diag[r.count], source, &options);
		r.count++;
	}
	r.diag[r.count] = d;
	return r;
}

static bool is_repeated(const Runs *r, int run, const Diagnostic *x)
{
	for (int i = 0; i < run; i++)
		for (int k = 0; k < diag_kept_count(r->diag[i]); k++) {
			const Diagnostic *y = diag_kept(r->diag[i], k);
			if (x->loc.start == y->loc.start && strcmp(x->message, y->message) == 0)
				return true;
		}
	return false;
}

/* A mistake in a file that is used is shown at the top of this one, with its place in words. */
static void write_diagnostic(Writer *w, Arena *a, const Source *source, const Diagnostic *x)
{
	bool here =
	        x->loc.source == source || (x->loc.source && strcmp(x->loc.source->path, source->path) == 0);
	const char *text = x->message;
	if (!here && x->loc.source)
		text = arena_printf(a, "%s:%d: %s", printable(a, x->loc.source->path), loc_line(x->loc),
		                    text);
	for (int i = 0; i < x->notes.count; i++)
		text = arena_printf(a, "%s\n%s", text, x->notes.at[i].message);
	if (x->help)
		text = arena_printf(a, "%s\nhelp: %s", text, x->help);
	write_text(w, "{\"range\":%s,\"severity\":%d,\"source\":\"nnc\",\"code\":%s,\"message\":%s}",
	           range(a, here ? (Loc){source, x->loc.start, x->loc.end} : (Loc){source, 0, 0}),
	           x->severity == SEVERITY_ERROR ? 1 : 2, json_quoted(a, x->id), json_quoted(a, text));
}

const char *lsp_diagnostics(Arena *a, const Document *d)
{
	if (!d->source)
		return arena_printf(a,
		                    "[{\"range\":{\"start\":{\"line\":0,\"character\":0},\"end\":{\"line\":0,"
		                    "\"character\":0}},\"severity\":1,\"source\":\"nnc\",\"message\":%s}]",
		                    json_quoted(a, d->why_not));
	Runs r = elaborate_all(a, d->source);
	Writer *w = writer_new(a);
	const char *before = "";
	write_text(w, "[");
	for (int i = 0; i <= r.count; i++)
		for (int k = 0; k < diag_kept_count(r.diag[i]); k++) {
			const Diagnostic *x = diag_kept(r.diag[i], k);
			if (is_repeated(&r, i, x))
				continue;
			write_text(w, "%s", before);
			write_diagnostic(w, a, d->source, x);
			before = ",";
		}
	write_text(w, "]");
	return writer_text(w, NULL);
}

/* ---- hover */

static const char *const kinds[] = {
        [NAME_BLOCK] = "block",      [NAME_MODEL] = "model",   [NAME_ARGUMENT] = "argument",
        [NAME_INPUT] = "input",      [NAME_TARGET] = "target", [NAME_PARAM] = "param",
        [NAME_VARIABLE] = "variable"};

static const char *line_text(Arena *a, Loc loc)
{
	const Source *s = loc.source;
	const char *line = s->text + s->line_starts[loc_line(loc) - 1];
	line += strspn(line, " \t");
	return printable(a, arena_strndup(a, line, strcspn(line, "\r\n")));
}

/* What the calls at this place compute: once for each layer that they are. */
static void write_layers(Writer *w, Arena *a, const Source *source, Loc word, const char *name)
{
	enum { MOST = 8 };
	Runs r = elaborate_all(a, source);
	int found = 0;
	for (int i = 0; i < r.count && found == 0; i++)
		for (int k = 0; r.at[i] && k < r.at[i]->row_count; k++) {
			const Layer *l = &r.at[i]->rows[k];
			if (l->loc.source->text != source->text || l->loc.start > word.start ||
			    l->loc.end < word.end)
				continue;
			/* of a chain all calls begin where it does: the one that this word names */
			size_t n = strlen(name);
			const char *last = strrchr(l->name, '.');
			last = last ? last + 1 : l->name;
			if (strncmp(last, name, n) != 0 || (last[n] && !strchr("_0123456789", last[n])))
				continue;
			if (found++ < MOST)
				write_line(w, "%s: %s%s%s%s, %.3f MFLOP a sample", l->name, l->input,
				           *l->input ? " -> " : "", l->output,
				           l->params > 0 ? arena_printf(a, ", %.0f parameters", l->params)
				                         : "",
				           l->flops / 1e6);
		}
	if (found > MOST)
		write_line(w, "and %d more", found - MOST);
}

const char *lsp_hover(Arena *a, const Document *d, int offset)
{
	Loc loc;
	const char *word = d->source ? names_word(a, d->source, offset, &loc) : NULL;
	if (!word)
		return "null";
	Names names = names_of(a, d->source);
	const Name *name = names_find(&names, word, offset);
	Writer *w = writer_new(a);
	write_layers(w, a, d->source, loc, word);
	if (name)
		write_line(w, "%s of line %d: %s", kinds[name->kind], loc_line(name->loc),
		           line_text(a, name->loc));
	const char *help = name ? NULL : help_text(a, word);
	const Builtin *builtin = name || help ? NULL : builtin_find(word);
	if (*writer_text(w, NULL) && help)
		write_line(w, "%s", "");
	if (help)
		write_lines(w, help);
	if (builtin)
		write_line(w, "%s", builtin_usage(builtin));
	const char *text = writer_text(w, NULL);
	if (!*text)
		return "null";
	return arena_printf(a, "{\"contents\":{\"kind\":\"plaintext\",\"value\":%s},\"range\":%s}",
	                    json_quoted(a, text), range(a, loc));
}

/* ---- completion: kinds as the specification numbers them */

enum { ITEM_FUNCTION = 3, ITEM_VARIABLE = 6, ITEM_CLASS = 7, ITEM_PROPERTY = 10, ITEM_KEYWORD = 14 };

typedef struct Items {
	Arena *arena;
	Writer *w;
	int count;
} Items;

static void write_item(Items *x, const char *label, int kind, const char *detail, const char *doc)
{
	write_text(x->w, "%s{\"label\":%s,\"kind\":%d", x->count++ ? "," : "", json_quoted(x->arena, label),
	           kind);
	if (detail)
		write_text(x->w, ",\"detail\":%s", json_quoted(x->arena, detail));
	if (doc)
		write_text(x->w, ",\"documentation\":%s", json_quoted(x->arena, doc));
	write_text(x->w, "}");
}

static void write_recipe_items(Items *x)
{
	for (int i = 0; i < SETTINGS; i++)
		write_item(x, setting_rows[i].key, ITEM_PROPERTY, setting_rows[i].usage, setting_rows[i].doc);
	for (int i = 0; i < optimizer_count(); i++) {
		const Optimizer *o = optimizer_at(i);
		write_item(x, o->name, ITEM_FUNCTION, arena_printf(x->arena, "%s(%s)", o->name, o->call),
		           o->doc);
	}
}

/* Names of the text that are known at the place, the nearest definition of each; blocks and models of used files. */
static void write_name_items(Items *x, const Source *source, int offset)
{
	Names names = names_of(x->arena, source);
	for (int i = 0; i < names.count; i++) {
		const Name *n = &names.at[i];
		if (names_find(&names, n->name, offset) == n)
			write_item(x, n->name,
			           n->kind == NAME_BLOCK   ? ITEM_FUNCTION
			           : n->kind == NAME_MODEL ? ITEM_CLASS
			                                   : ITEM_VARIABLE,
			           line_text(x->arena, n->loc), NULL);
	}
	SourceList used = source_files(x->arena, source);
	for (int i = 0; i < used.count; i++) {
		if (used.at[i] == source)
			continue;
		Names others = names_of(x->arena, used.at[i]);
		for (int k = 0; k < others.count; k++)
			if (others.at[k].kind == NAME_BLOCK)
				write_item(x, others.at[k].name, ITEM_FUNCTION,
				           line_text(x->arena, others.at[k].loc), NULL);
	}
}

const char *lsp_completion(Arena *a, const Document *d, int offset)
{
	if (!d->source)
		return "null";
	Items x = {a, writer_new(a), 0};
	write_text(x.w, "{\"isIncomplete\":false,\"items\":[");
	if (names_in_recipe(a, d->source, offset)) {
		write_recipe_items(&x);
	} else {
		write_name_items(&x, d->source, offset);
		for (int i = 0; i < op_count(); i++) {
			const Op *op = op_at(i);
			if (op->call)
				write_item(&x, op->name, ITEM_FUNCTION,
				           arena_printf(a, "%s(%s)", op->name, op->call), op->doc);
		}
		for (int i = 0; i < builtin_count(); i++)
			write_item(&x, builtin_name(i), ITEM_FUNCTION,
			           builtin_usage(builtin_find(builtin_name(i))), NULL);
		for (int i = 0; lexer_keyword(i); i++)
			write_item(&x, lexer_keyword(i), ITEM_KEYWORD, NULL, NULL);
	}
	write_text(x.w, "]}");
	return writer_text(x.w, NULL);
}

/* ---- definition */

static const char *location(Arena *a, const Document *d, Loc loc)
{
	bool here = loc.source == d->source;
	return arena_printf(a, "{\"uri\":%s,\"range\":%s}",
	                    json_quoted(a, here ? d->uri : uri_of(a, loc.source->path)), range(a, loc));
}

const char *lsp_definition(Arena *a, const Document *d, int offset)
{
	Loc loc;
	const char *word = d->source ? names_word(a, d->source, offset, &loc) : NULL;
	if (!word)
		return "null";
	Names names = names_of(a, d->source);
	const Name *name = names_find(&names, word, offset);
	SourceList used = source_files(a, d->source);
	for (int i = 0; i < used.count && !name; i++) {
		Names others = names_of(a, used.at[i]);
		for (int k = 0; k < others.count && !name; k++)
			if (others.at[k].kind <= NAME_MODEL && strcmp(others.at[k].name, word) == 0)
				name = &others.at[k];
	}
	bool is_file = name && name->loc.source->path[0] != '<'; /* <transformer> is a file of nnc's own */
	return is_file ? location(a, d, name->loc) : "null";
}

/* ---- formatting: one edit of the whole text; none of a text with mistakes */

const char *lsp_formatting(Arena *a, const Document *d)
{
	Diagnostics *diag = diagnostics_new(a, COLOR_NEVER, true, 1);
	const char *text = d->source ? format_source(a, diag, d->source) : NULL;
	if (!text)
		return "null";
	if (strcmp(text, d->source->text) == 0)
		return "[]";
	return arena_printf(a, "[{\"range\":%s,\"newText\":%s}]",
	                    range(a, (Loc){d->source, 0, d->source->length}), json_quoted(a, text));
}
