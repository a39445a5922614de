/* SPDX-License-Identifier: MIT */
/* Files: the one given and those it uses, and what they declare.
 *
 * A `use` names a file relative to the folder of the file it stands in, never above it and never by an absolute path:
 * a model can be moved, and cannot be made to read elsewhere. So it must be called NAME.net and be a regular file
 * inside that folder, where links lead too: nothing waits for a pipe, and a diagnostic quotes no line of another file.
 * Each file is read once, however often it is used. */
#include "base/nearest.h"
#include "base/version.h"
#include "front/elaborate.h"
#include "front/eval.h"
#include "front/library.h"
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>

typedef struct Loader {
	Arena *arena;
	Diagnostics *diag;
	Declarations *declared;
	Map *files;   /* path -> non-NULL: read or being read */
	Map *recipes; /* "model name" -> const Ast * */
	SourceList read;
	const Source *main;
	int lost; /* errors about files that can't be used */
} Loader;

static void load_file(Loader *l, const Source *source);

/* A file that can't be used, whose declarations are unknown: the rest is checked without them. */
__attribute__((format(printf, 4, 5))) static void use_error(Loader *l, const Ast *use, const char *id,
                                                            const char *format, ...)
{
	va_list args;
	va_start(args, format);
	diag_error(l->diag, use->name_loc, id, "%s", arena_vprintf(l->arena, format, args));
	va_end(args);
	l->lost++;
}

/* The path a `use` means, "." parts dropped; NULL after a diagnostic. */
static char *use_path(Loader *l, const Ast *use)
{
	const char *wanted = use->name, *from = use->loc.source->path;
	const char *slash = strrchr(from, '/');
	char *path = slash ? arena_strndup(l->arena, from, (size_t)(slash + 1 - from))
	                   : arena_strdup(l->arena, "");
	if (*wanted == '/') {
		use_error(l, use, "use-path", "`use` takes no absolute path");
		diag_help(l->diag, "name the file relative to the folder of this one");
		return NULL;
	}
	bool file = false;
	while (*wanted) {
		size_t n = strcspn(wanted, "/");
		file = n > 0 && !(n == 1 && *wanted == '.');
		if (n == 2 && strncmp(wanted, "..", 2) == 0) {
			use_error(l, use, "use-path", "`use` does not leave the folder of this file");
			diag_help(l->diag, "put shared blocks in a folder beside the models, like "
			                   "\"blocks/residual.net\"");
			return NULL;
		}
		bool more = wanted[n] == '/';
		if (file)
			path = arena_printf(l->arena, "%s%.*s%s", path, (int)n, wanted, more ? "/" : "");
		wanted += n + more;
	}
	if (file && path[strlen(path) - 1] != '/')
		return path;
	use_error(l, use, "use-path", "`use` takes the name of a file");
	return NULL;
}

static bool ends_in_net(const char *path)
{
	size_t n = strlen(path);
	return n > 4 && strcmp(path + n - 4, ".net") == 0;
}

/* NULL when the file at the path may be read, else why not; a file that is not there is left to source_read. */
static const char *why_not(const Ast *use, const char *path)
{
	struct stat st;
	char folder[PATH_MAX], place[PATH_MAX];
	const char *from = use->loc.source->path, *slash = strrchr(from, '/');
	size_t length = slash ? (size_t)(slash + 1 - from) : 0;
	if (stat(path, &st) != 0)
		return NULL;
	if (S_ISDIR(st.st_mode))
		return "it is a folder";
	if (!S_ISREG(st.st_mode))
		return "it is not a regular file";
	if (length + 2 > sizeof folder)
		return "its path is too long";
	memcpy(folder, from, length);
	memcpy(folder + length, length ? "" : ".", length ? 1 : 2);
	char *top = realpath(folder, NULL);
	const char *why = top && realpath(path, place) ? NULL : strerror(errno);
	size_t n = top ? strlen(top) : 0;
	bool inside = !why && strncmp(place, top, n) == 0 && (place[n] == '/' || (n == 1 && *top == '/'));
	free(top);
	return why                   ? why
	       : !inside             ? "the link leads out of this folder"
	       : !ends_in_net(place) ? "the link leads to a file that is no .net"
	                             : NULL;
}

/* `use <name>`: a file that comes with nnc, whatever folder the network is in. */
static void load_library(Loader *l, const Ast *use, const char *name)
{
	ARRAY(const char *) names = {0};
	const LibraryFile *file = library_files;
	for (; file->name && strcmp(file->name, name) != 0; file++)
		array_push(l->arena, &names, file->name);
	if (file->name && !map_get(l->files, file->name)) {
		const char *why;
		map_set(l->files, file->name, l);
		load_file(l, source_from_text(l->arena, file->name, file->text, strlen(file->text), &why));
	}
	if (file->name)
		return;
	use_error(l, use, "use-missing", "nnc comes with no blocks %s", name);
	const char *near = nearest_word(name, names.at, names.count);
	if (near)
		diag_help(l->diag, "did you mean %s?", near);
	else
		diag_help(l->diag,
		          "those that it comes with are in models/blocks; a file is used by \"NAME.net\"");
}

/* The name of a file that comes with nnc, or NULL: beside such a file are others, "residual.net" is <residual>. */
static const char *library_name(Loader *l, const Ast *use)
{
	const bool beside = *use->loc.source->path == '<' && ends_in_net(use->name);
	if (beside)
		return arena_printf(l->arena, "<%.*s>", (int)strlen(use->name) - 4, use->name);
	return *use->name == '<' && use->name[strlen(use->name) - 1] == '>' ? use->name : NULL;
}

static void load_use(Loader *l, const Ast *use)
{
	const char *library = library_name(l, use);
	if (library) {
		load_library(l, use, library);
		return;
	}
	const char *path = use_path(l, use), *why = NULL;
	if (!path || map_get(l->files, path))
		return;
	if (!ends_in_net(path)) {
		use_error(l, use, "use-path", "`use` takes the name of a file that ends in .net");
		return;
	}
	if (map_count(l->files) > LIMIT_USES) {
		use_error(l, use, "use-limit", "more than %d files are used", LIMIT_USES);
		return;
	}
	map_set(l->files, path, l);
	why = why_not(use, path);
	const Source *source = why ? NULL : source_read(l->arena, path, &why);
	if (source)
		load_file(l, source);
	else
		use_error(l, use, "use-missing", "\"%s\" can't be read: %s", printable(l->arena, path), why);
}

static void report_twice(Loader *l, Loc loc, const Ast *first, const char *what, const char *name)
{
	diag_error(l->diag, loc, "duplicate-name", "there is a %s `%s` already", what, name);
	diag_note(l->diag, first->name_loc.source ? first->name_loc : first->loc, "the first one is here");
}

static void check_parameters(Loader *l, const Ast *params)
{
	Map *seen = map_new(l->arena);
	for (int i = 0; i < params->count; i++) {
		const Ast *first = map_get(seen, params->kids[i]->name);
		if (first)
			report_twice(l, params->kids[i]->name_loc, first, "parameter", first->name);
		else
			map_set(seen, params->kids[i]->name, params->kids[i]);
	}
}

static void declare(Loader *l, Map *map, const Ast *item, const char *what)
{
	const Ast *first = map_get(map, item->name);
	if (item->kids[0]->kind == AST_PARAMS)
		check_parameters(l, item->kids[0]);
	if (first)
		report_twice(l, item->name_loc, first, what, item->name);
	else
		map_set(map, item->name, (void *)item);
}

static void declare_train(Loader *l, const Ast *item)
{
	char *key = arena_printf(l->arena, "%s %s", item->name, recipe_name(item));
	const Ast *first = map_get(l->recipes, key);
	if (first) {
		report_twice(l, item->name_loc, first, "recipe", recipe_name(item));
		if (!item->text)
			diag_help(l->diag, "give this one a name: train %s as NAME {..}", item->name);
		return;
	}
	map_set(l->recipes, key, (void *)item);
	array_push(l->arena, &l->declared->trains, item);
}

/* A file may say for which version of the language it was written: one that is not known yet is not guessed at. */
static void check_language(Loader *l, const Ast *item, bool is_first)
{
	if (!is_first) {
		diag_error(l->diag, item->loc, "language", "`language` stands before everything else");
		diag_help(l->diag, "move it to the first line, or leave it out");
	} else if (item->integer != LANGUAGE_VERSION) {
		diag_error(l->diag, item->loc, "language",
		           "this nnc reads language %d, and this file is in %lld", LANGUAGE_VERSION,
		           (long long)item->integer);
		diag_help(l->diag, "a newer nnc may read it; CHANGELOG.md says what each version changed");
	}
}

static void load_file(Loader *l, const Source *source)
{
	const Ast *file = parse_source(l->arena, l->diag, source);
	array_push(l->arena, &l->read, source);
	for (int i = 0; i < file->count; i++) {
		const Ast *item = file->kids[i];
		if (item->kind == AST_LANGUAGE)
			check_language(l, item, i == 0);
		else if (item->kind == AST_USE)
			load_use(l, item);
		else if (item->kind == AST_BLOCK)
			declare(l, l->declared->blocks, item, "block");
		else if (item->kind == AST_MODEL)
			declare(l, l->declared->models, item, "model");
		else if (item->kind == AST_TRAIN)
			declare_train(l, item);
		if (source == l->main && (item->kind == AST_MODEL || item->kind == AST_TRAIN))
			array_push(l->arena, &l->declared->own, item);
	}
}

static Loader load(Arena *a, Diagnostics *d, const Source *source)
{
	Declarations *declared = NEW(a, Declarations);
	declared->blocks = map_new(a);
	declared->models = map_new(a);
	Loader l = {a, d, declared, map_new(a), map_new(a), {0}, source, 0};
	map_set(l.files, source->path, &l);
	load_file(&l, source);
	return l;
}

Declarations *load_declarations(Arena *a, Diagnostics *d, const Source *source)
{
	int errors = diag_error_count(d);
	Loader l = load(a, d, source);
	l.declared->is_lost = l.lost > 0;
	if (diag_error_count(d) > errors + l.lost || !derive_models(a, d, l.declared))
		return NULL;
	return l.declared;
}

SourceList source_files(Arena *a, const Source *source)
{
	/* As JSON diagnostics are kept until diagnostics_finish(), which these never see. */
	return load(a, diagnostics_new(a, COLOR_NEVER, true, LIMIT_ERRORS), source).read;
}
