/* SPDX-License-Identifier: MIT */
/* What the commands share: see command.h. */
#include "command.h"

#include "base/writer.h"
#include "driver/driver.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

bool is_json(const char *path)
{
	const char *dot = strrchr(path, '.');
	return dot && strcmp(dot, ".json") == 0;
}

void write_output(Arena *a, const char *path, const char *text)
{
	if (strcmp(path, "-") == 0) {
		fputs(text, stdout);
		return;
	}
	const char *why = file_write(a, path, text, strlen(text));
	if (why)
		fail(EXIT_TOOL, "%s", why);
}

/* `word` stands where a file does, as a command of other compilers, or of the trainer. NULL: no such word. */
static const char *meant_by(const char *word)
{
	static const struct {
		const char *word, *meant;
	} words[] = {
	        {"check", "it is an option: nnc --check net.net"},
	        {"build", "no word is needed: nnc net.net -o train_net"},
	        {"compile", "no word is needed: nnc net.net -o train_net"},
	        {"train",
	         "nnc makes a trainer, which trains: nnc net.net -o train_net; ./train_net --data DATA"},
	        {"run", "nnc makes a trainer, which runs: nnc net.net -o train_net; ./train_net --data DATA"},
	        {"eval", "it is a command of the trainer: ./train_net eval --data DATA --checkpoint FILE"},
	        {"predict", "it is a command of the trainer: ./train_net predict --checkpoint FILE PICTURE"},
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(word, words[i].word) == 0)
			return words[i].meant;
	return NULL;
}

const char *only_file(const Options *o, const char *what)
{
	if (o->files.count == 0)
		fail(EXIT_USAGE, "%s is missing; `nnc --help` says more", what);
	for (int i = 0; i < o->files.count; i++) {
		const char *meant = meant_by(o->files.at[i]);
		if (meant && access(o->files.at[i], F_OK) != 0)
			fail(EXIT_USAGE, "there is no command `%s`: %s", o->files.at[i], meant);
	}
	if (o->files.count > 1)
		fail(EXIT_USAGE, "one file at a time, not both `%s` and `%s`",
		     printable(o->arena, o->files.at[0]), printable(o->arena, o->files.at[1]));
	return o->files.at[0];
}

enum { LIMIT_TEXT_BYTES = 1 << 26 };

const char *read_text(Arena *a, const char *path, const char *what)
{
	FILE *f = fopen(path, "rbe");
	if (!f)
		fail(EXIT_USAGE, "can't read `%s`: %s", printable(a, path), strerror(errno));
	Writer *w = writer_new(a);
	char piece[4096];
	size_t total = 0;
	for (size_t n; (n = fread(piece, 1, sizeof piece - 1, f)) > 0;) {
		piece[n] = '\0';
		if (strlen(piece) != n || (total += n) > LIMIT_TEXT_BYTES)
			fail(EXIT_SOURCE, "`%s` is not %s", printable(a, path), what);
		write_text(w, "%s", piece);
	}
	if (ferror(f))
		fail(EXIT_USAGE, "can't read `%s`", printable(a, path));
	fclose(f);
	return writer_text(w, NULL);
}

Source *read_source(Arena *a, Diagnostics *d, const char *path)
{
	const char *why;
	Source *source = source_read(a, path, &why);
	if (!source)
		diag_error(d, loc_none(), "unreadable-source", "can't read `%s`: %s", printable(a, path),
		           why);
	return source;
}

Diagnostics *begin_diagnostics(Arena *a, const Options *o)
{
	Diagnostics *d = diagnostics_new(a, o->color, o->json, o->max_errors);
	if (o->warnings_are_errors)
		diagnostics_refuse_warnings(d);
	return d;
}

int finish_diagnostics(Diagnostics *d)
{
	bool wrong = diag_error_count(d) > 0;
	diagnostics_finish(d);
	return wrong ? EXIT_SOURCE : EXIT_OK;
}
