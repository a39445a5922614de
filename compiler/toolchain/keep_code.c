/* SPDX-License-Identifier: MIT */
/* The Makefile ends in a line for each file with a checksum of what nnc wrote, so that the next nnc knows which files
 * are its own. The order of writing keeps that true whenever it is interrupted: the old files go, the Makefile comes,
 * then the files. keep_code.h. */
#include "toolchain/keep_code.h"

#include "base/array.h"
#include "base/diag.h"
#include "base/interrupts.h"
#include "base/source.h"
#include "base/version.h"
#include "base/writer.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char first_line[] = "# Made by nnc ";
static const char listed[] = "# nnc wrote ";
static const char made[] = "# make makes ";

/* FNV-1a, of 64 bits. */
static const char *checksum(Arena *a, const char *text, size_t length)
{
	uint64_t hash = 0xcbf29ce484222325u;
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
	return arena_printf(a, "%016llx", (unsigned long long)hash);
}

/* What a line of the Makefile that begins with `mark` says of `name`; NULL: there is none. */
static const char *line_of(Arena *a, const char *makefile, const char *mark, const char *name)
{
	const char *head = arena_printf(a, "\n%s%s", mark, name);
	for (const char *at = strstr(makefile, head); at; at = strstr(at + 1, head)) {
		const char *rest = at + strlen(head);
		if (*rest == ' ' || *rest == '\n')
			return rest + (*rest == ' ');
	}
	return NULL;
}

/* The checksums are of the text ahead of them, too. */
static const char *head_of(Arena *a, const char *makefile)
{
	const char *end = strstr(makefile, arena_printf(a, "\n%s", listed));
	return arena_strndup(a, makefile, end ? (size_t)(end + 1 - makefile) : strlen(makefile));
}

typedef struct Folder {
	const char *path, *makefile; /* the latter's text; NULL: there is none of nnc's */
	ARRAY(const char *) own;     /* the files that nnc wrote, and that are as it wrote them */
} Folder;

static _Noreturn void refuse(Arena *a, const char *folder, const char *name, const char *why)
{
	fail(EXIT_USAGE, "--keep-code: `%s/%s` %s; name another folder, or remove it", printable(a, folder),
	     printable(a, name), why);
}

static void see_file(Arena *a, Folder *f, const char *name)
{
	size_t length = 0;
	const char *path = arena_printf(a, "%s/%s", f->path, name), *text = whole_file(a, path, &length);
	bool is_makefile = strcmp(name, "Makefile") == 0;
	const char *sum = f->makefile ? line_of(a, f->makefile, listed, name) : NULL;
	if (f->makefile && line_of(a, f->makefile, made, name))
		return;
	if (!text || !sum)
		refuse(a, f->path, name, "was not written by nnc, which would write beside it");
	const char *known = is_makefile ? head_of(a, text) : text;
	const char *now = checksum(a, known, is_makefile ? strlen(known) : length);
	if (strncmp(sum, now, strlen(now)) != 0)
		refuse(a, f->path, name, "was edited since nnc wrote it, and would be overwritten");
	if (!is_makefile) /* which the new one takes the place of */
		array_push(a, &f->own, path);
}

static Folder read_folder(Arena *a, const char *path)
{
	Folder f = {.path = path};
	DIR *dir = opendir(path);
	if (!dir && errno != ENOENT)
		fail(EXIT_USAGE, "--keep-code: can't read the folder `%s`: %s", printable(a, path),
		     strerror(errno));
	size_t length;
	const char *text = dir ? whole_file(a, arena_printf(a, "%s/Makefile", path), &length) : NULL;
	if (text && strncmp(text, first_line, strlen(first_line)) == 0)
		f.makefile = text;
	for (struct dirent *e; dir && (e = readdir(dir));)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			see_file(a, &f, arena_strdup(a, e->d_name));
	if (dir)
		closedir(dir);
	return f;
}

void keep_code_check(Arena *a, const char *folder)
{
	read_folder(a, folder);
}

/* ---- the Makefile */

/* A word of a recipe. In a variable # would begin a comment: none of those has one. */
static const char *make_word(Arena *a, const char *word)
{
	Writer *w = writer_new(a);
	if (strchr(word, '\n'))
		fail(EXIT_USAGE, "--keep-code: no Makefile can name `%s`", printable(a, word));
	for (const char *at = shell_word(a, word); *at; at++)
		write_text(w, "%s%c", *at == '$' ? "$" : "", *at);
	return writer_text(w, NULL);
}

static const char *make_words(Arena *a, const TrainerCommand *c, int first, int end)
{
	Writer *w = writer_new(a);
	for (int i = first; i < end; i++)
		write_text(w, "%s%s", i > first ? " " : "",
		           make_word(a, i < c->compiler ? absolute_path(a, c->words[i]) : c->words[i]));
	return writer_text(w, NULL);
}

static const char *makefile_text(Arena *a, const KeptCode *k)
{
	const TrainerBuild *t = k->build;
	const TrainerCommand c = trainer_command(a, t);
	const char *cuda = t->images ? arena_printf(a, " %s", t->images) : "",
	           *flags = make_words(a, &c, c.compiler, c.flags);
	Writer *w = writer_new(a);
	if (strchr(flags, '#') || strchr(make_words(a, &c, 0, c.compiler), '#'))
		fail(EXIT_USAGE, "--keep-code: the C compiler's name has a `#`, which no Makefile can say");
	write_line(w, "%s%s. Edit the code, then `make`, which makes ./%s.", first_line, NNC_VERSION,
	           t->output);
	write_line(w, "CC = %s", make_words(a, &c, 0, c.compiler));
	write_line(w, "CFLAGS = %s", flags);
	write_line(w, "%s: %s.c%s%s%s%s", t->output, t->name,
	           t->page ? arena_printf(a, " %s.page.c", t->name) : "", cuda, k->needs ? " " : "",
	           k->needs ? k->needs : "");
	write_line(w, "\t$(CC) $(CFLAGS) %s", make_words(a, &c, c.flags, c.count));
	if (t->images) {
		write_line(w, "%s: %s.cu", t->images, t->name);
		write_line(w, "\t%s cubin %s --target=%s --precision=%s -o %s", make_word(a, own_file(a)),
		           arena_printf(a, "%s.cu", t->name),
		           make_word(a, arena_printf(a, "cuda:%s", k->archs)), k->precision, t->images);
	}
	return writer_text(w, NULL);
}

/* ---- writing */

void keep_code_write(Arena *a, const KeptCode *k)
{
	const TrainerBuild *t = k->build;
	const char *makefile = makefile_text(a, k), *folder = k->folder;
	const struct {
		const char *name, *text;
	} files[] = {
	        {arena_printf(a, "%s.c", t->name), t->text},
	        {arena_printf(a, "%s.page.c", t->name), t->page},
	        {arena_printf(a, "%s.cu", t->name), t->kernels},
	};
	enum { FILES = sizeof files / sizeof *files };
	Writer *w = writer_new(a);
	write_text(w, "%s%sMakefile %s\n", makefile, listed, checksum(a, makefile, strlen(makefile)));
	for (int i = 0; i < FILES; i++)
		if (files[i].text)
			write_line(w, "%s%s %s", listed, files[i].name,
			           checksum(a, files[i].text, strlen(files[i].text)));
	write_line(w, "%s%s", made, t->output);
	if (k->needs)
		write_line(w, "%s%s", made, k->needs);
	if (t->images)
		write_line(w, "%s%s", made, t->images);
	size_t length;
	const char *whole = writer_text(w, &length), *why = NULL;
	const Folder before = read_folder(a, folder);
	sigset_t held = interrupts_hold();
	if (mkdir(folder, 0777) != 0 && errno != EEXIST)
		why = arena_printf(a, "can't make the folder `%s`: %s", printable(a, folder),
		                   strerror(errno));
	for (int i = 0; i < before.own.count; i++)
		unlink(before.own.at[i]);
	if (!why)
		why = file_write(a, arena_printf(a, "%s/Makefile", folder), whole, length);
	for (int i = 0; i < FILES && !why; i++)
		if (files[i].text)
			why = file_write(a, arena_printf(a, "%s/%s", folder, files[i].name), files[i].text,
			                 strlen(files[i].text));
	interrupts_release(held);
	if (why)
		fail(EXIT_TOOL, "%s", why);
}
