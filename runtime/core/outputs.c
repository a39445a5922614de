#include "runtime/core/outputs.h"
#include "compiler/base/place.h"
#include "runtime/core/die.h"
#include "runtime/core/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef enum { ANYTHING, JSON_LINES, TENSORS } Content;

typedef struct File {
	const char *option, *path;
	bool written;
	Content content; /* what may stand there and be moved aside */
} File;

static const char *const content_names[] = {
        [JSON_LINES] = "the log of a trainer", [TENSORS] = "a safetensors file"};

/* By its first bytes alone: a log or checkpoint that a crash has cut is one all the same. */
static bool has_content(const char *path, Content content)
{
	enum { HEADER_MOST = 16 << 20 };
	unsigned char head[9] = {0};
	int64_t size;
	int fd = file_open_or_die(path, &size);
	bool read = file_read_at(fd, head, size < 9 ? size : 9, 0);
	close(fd);
	if (!read || content == JSON_LINES)
		return read && memcmp(head, "{\"", 2) == 0;
	uint64_t header;
	memcpy(&header, head, sizeof header);
	return header <= HEADER_MOST && head[8] == '{';
}

static void check_content(const File *f)
{
	struct stat st;
	if (stat(f->path, &st) != 0 || f->content == ANYTHING || (S_ISREG(st.st_mode) && st.st_size == 0))
		return;
	if (!S_ISREG(st.st_mode)) { /* lines can be written to a pipe or a terminal */
		if (f->content == JSON_LINES && !S_ISDIR(st.st_mode))
			return;
		die(STATUS_DATA, "`--%s` names a file to write: `%s` is %s", f->option, f->path,
		    S_ISDIR(st.st_mode) ? "a folder" : "not a regular file");
	}
	if (!has_content(f->path, f->content))
		die_help(STATUS_DATA, "name another file, or move this one away",
		         "`--%s` would write where `%s` is, which is not %s", f->option, f->path,
		         content_names[f->content]);
}

void outputs_check(const Options *o)
{
	bool trains = o->command == COMMAND_TRAIN;
	const File files[] = {
	        {"init", o->init, false, ANYTHING},
	        /* One to go on from is read before it is written, and judged then. */
	        {"checkpoint", o->checkpoint, trains, trains && !o->resume ? TENSORS : ANYTHING},
	        {"log", o->log, true, JSON_LINES},
	        {"dump", o->dump, true, TENSORS},
	        {"tune", o->tune, true, ANYTHING},
	};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		const File *f = &files[i];
		for (size_t k = 0; f->path && k < i; k++)
			if (files[k].path && (f->written || files[k].written) &&
			    same_place(place_of(f->path), place_of(files[k].path)))
				die(STATUS_USAGE, "`--%s` and `--%s` name one file, `%s`: give each its own",
				    files[k].option, f->option, f->path);
		if (f->path && f->written)
			check_content(f);
	}
}

void output_keep_old(const char *path)
{
	struct stat st;
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0)
		return;
	char *old = text_printf("%s.old", path);
	if (rename(path, old) != 0)
		die(STATUS_DATA, "`%s` is there already and can't be renamed to `%s`: %s", path, old,
		    strerror(errno));
	say_note("`%s` was there already: it is now `%s`", path, old);
	free(old);
}
