/* SPDX-License-Identifier: MIT */
/* The frame of `nnc new`: what every kind of data shares. A new kind is a file and a row of `kinds`. */
#include "tools/new.h"

#include "command.h"
#include "front/ast.h"
#include "front/elaborate.h"
#include "front/scanner.h"
#include "toolchain/cc.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

static const NewKind kinds[] = {
        {"table", "a table, .csv or .tsv, also packed by gzip, whose first line names its columns",
         new_table},
        {"pictures", "a folder of pictures, with a folder for each class", new_pictures},
};

enum { KINDS = sizeof kinds / sizeof *kinds, LONGEST_NAME = 64 };

static const char *all_kinds(Arena *a)
{
	Writer *w = writer_new(a);
	for (int i = 0; i < KINDS; i++)
		write_text(w, "%s--from=%s (%s)", i ? ", " : "", kinds[i].word, kinds[i].doc);
	return writer_text(w, NULL);
}

static const NewKind *kind_named(Arena *a, const char *word)
{
	if (!word)
		fail(EXIT_USAGE, "what the data is like is missing: %s", all_kinds(a));
	for (int i = 0; i < KINDS; i++)
		if (strcmp(kinds[i].word, word) == 0)
			return &kinds[i];
	fail(EXIT_USAGE, "there is no --from=%s: there is %s", printable(a, word), all_kinds(a));
}

/* It is the model's, and ahead of `.net` the file's. */
static void check_name(Arena *a, const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	const size_t length = strlen(name);
	if (length == 0 || length > LONGEST_NAME || isdigit((unsigned char)name[0]) ||
	    strspn(name, letters) != length)
		fail(EXIT_USAGE,
		     "`%s` can't be a model's name: at most %d letters, digits and _, of which no digit is "
		     "the first",
		     printable(a, name), LONGEST_NAME);
	for (int i = 0; lexer_keyword(i); i++)
		if (strcmp(lexer_keyword(i), name) == 0)
			fail(EXIT_USAGE, "`%s` is a word of the language: give the model another name", name);
}

/* The canonical layout of the text. One that does not compile is no mistake of the user's. */
static const char *finished(Arena *a, const Options *o, const char *path, const char *text)
{
	const char *why = NULL;
	Diagnostics *d = begin_diagnostics(a, o);
	diagnostics_refuse_warnings(d);
	const Source *source = source_from_text(a, path, text, strlen(text), &why);
	if (!source)
		bug("the text of `nnc new`: %s", why);
	const char *laid_out = format_source(a, d, source);
	if (laid_out)
		(void)elaborate(a, d, source, &(ElaborateOptions){0});
	if (diag_error_count(d) > 0) {
		diagnostics_finish(d);
		bug("the text of `nnc new` does not compile:\n%s", text);
	}
	return laid_out;
}

int command_new(Arena *a, const Options *o)
{
	if (o->files.count != 2)
		fail(EXIT_USAGE, "nnc new takes a name and the data: nnc new homes --from=table homes.csv");
	const NewKind *kind = kind_named(a, o->from);
	NewRequest r = {a, o->files.at[0], o->files.at[1], o->learn};
	check_name(a, r.name);
	const char *path = arena_printf(a, "%s.net", r.name);
	if (access(path, F_OK) == 0)
		fail(EXIT_USAGE, "`%s` is there already: give another name, or move it away", path);
	if (access(r.path, R_OK) != 0)
		fail(EXIT_USAGE, "there is no data `%s` that can be read", printable(a, r.path));
	Writer *w = writer_new(a);
	kind->write(&r, w);
	write_output(a, path, finished(a, o, path, writer_text(w, NULL)));
	/* The data may be a folder of the network's name, and a trainer does not take its place. */
	const char *trainer = access(r.name, F_OK) == 0 ? arena_printf(a, "train_%s", r.name) : r.name;
	printf("%s is written. Next:\n  nnc %s -o %s && ./%s --data %s --run first\n", path, path, trainer,
	       trainer, printable(a, shell_word(a, r.path)));
	return EXIT_OK;
}
