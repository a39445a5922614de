/* SPDX-License-Identifier: MIT */
#include "runtime/session/outputs.h"
#include "base/place.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/session/generations.h"
#include "runtime/host/lock.h"
#include "runtime/host/writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum { ANYTHING, JSON_LINES, TENSORS, JSON_FILE, NOTHING } Content;

typedef struct File {
	const char *option, *path;
	bool written, locked; /* locked: nobody else may write there meanwhile */
	Content content;      /* what may stand there and be moved aside */
} File;

static const char *const content_names[] = {
        [JSON_LINES] = "the log of a trainer", [TENSORS] = "a safetensors file", [JSON_FILE] = "a profile"};

/* By its first bytes alone: a log or checkpoint that a crash has cut is one all the same. */
static bool has_content(const char *path, Content content)
{
	enum { HEADER_MOST = 16 << 20 };
	unsigned char head[9] = {0};
	int64_t size;
	int fd = file_open_or_die(path, &size);
	bool read = file_read_at(fd, head, size < 9 ? size : 9, 0);
	close(fd);
	if (!read || content == JSON_LINES || content == JSON_FILE)
		return read && memcmp(head, "{\"", 2) == 0;
	uint64_t header;
	memcpy(&header, head, sizeof header);
	return header <= HEADER_MOST && head[8] == '{';
}

/* A file that can't be looked at is not taken for none, whose place could be written to. */
static bool is_there(const char *path, struct stat *st)
{
	if (stat(path, st) == 0)
		return true;
	if (errno != ENOENT && errno != ENOTDIR)
		die(STATUS_DATA, "can't tell what is at `%s`: %s", path, strerror(errno));
	return false;
}

void output_must_be_new(const char *option, const char *path)
{
	struct stat st;
	if (lstat(path, &st) == 0)
		die_help(STATUS_DATA, "name another file, or remove this one",
		         "`%s` is there already, and `--%s` replaces nothing", path, option);
}

void output_must_be_tensors(const char *path)
{
	struct stat st;
	if (!is_there(path, &st) || (S_ISREG(st.st_mode) && st.st_size == 0))
		return;
	if (!has_content(path, TENSORS))
		die_help(STATUS_DATA, "name another file, or move this one away",
		         "a checkpoint would be written where `%s` is, which is not %s", path,
		         content_names[TENSORS]);
}

static void check_content(const File *f)
{
	struct stat st;
	if (f->content == NOTHING)
		output_must_be_new(f->option, f->path);
	if (!is_there(f->path, &st) || f->content == ANYTHING || (S_ISREG(st.st_mode) && st.st_size == 0))
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

char *prediction_path(const char *out, const NnrModel *m, int i)
{
	size_t length = strlen(out);
	while (length > 1 && out[length - 1] == '/')
		length--;
	if (m->predict.output_count == 1 || !has_suffix(out, ".npy"))
		return text_printf("%.*s", (int)length, out);
	return text_printf("%.*s.%s.npy", (int)strlen(out) - 4, out, m->predict.outputs[i].name);
}

/* What stands in the folder of a data set is read as data, by its name or as the folder of a class. */
static bool is_within(const char *path, const char *folder)
{
	char *in = path_folder(path), *real = path_real(in), *of = path_real(folder);
	size_t length = of ? strlen(of) : 0;
	bool within = real && of && path_is_folder(of) && strncmp(real, of, length) == 0 &&
	              (real[length] == 0 || real[length] == '/' || length == 1);
	free(in);
	free(real);
	free(of);
	return within;
}

static void check_apart(const File *files, int count)
{
	for (int i = 0; i < count; i++) {
		const File *f = &files[i];
		for (int k = 0; f->path && k < i; k++)
			if (files[k].path && (f->written || files[k].written) &&
			    same_place(place_of(f->path), place_of(files[k].path)))
				die(STATUS_USAGE, "`--%s` and `--%s` name one file, `%s`: give each its own",
				    files[k].option, f->option, f->path);
	}
}

/* Its lock first: what stands there can't change any more. A device is nobody's. */
static void claim(const File *f)
{
	struct stat st;
	bool there = is_there(f->path, &st);
	if (f->locked && !(there && !S_ISREG(st.st_mode))) {
		lock_take(f->option, f->path);
		int dead = file_clean(f->path);
		if (dead)
			say_note("removed %d unfinished file%s beside `%s`, of processes that were killed",
			         dead, dead == 1 ? "" : "s", f->path);
	}
	check_content(f);
}

/* NULL: there is none, or it is standard output. */
static const char *log_file(const Options *o)
{
	return o->log && strcmp(o->log, LOG_OUTPUT) != 0 ? o->log : NULL;
}

void outputs_claim(const Options *o, const NnrModel *m)
{
	bool trains = o->command == COMMAND_TRAIN;
	const File named[] = {
	        {"init", o->init, false, false, ANYTHING},
	        /* One to go on from is read before it is written, and judged then. */
	        {"checkpoint", o->checkpoint, trains, trains, trains && !o->resume ? TENSORS : ANYTHING},
	        {"best", o->best, true, true, o->resume ? ANYTHING : TENSORS},
	        {"log", log_file(o), true, true, JSON_LINES},
	        {"dump", o->dump, true, true, TENSORS},
	        {"out", o->command == COMMAND_EXPORT || o->command == COMMAND_FIND_RATE ? o->out : NULL, true,
	         true, NOTHING},
	        {"names", o->names, false, false, ANYTHING},
	        {"init-map", o->init_map, false, false, ANYTHING},
	        {"tune", o->tune, true, false, ANYTHING}, /* many may read and write one record */
	        {"json", o->json, true, true, JSON_FILE},
	        {"trace", o->trace, true, true, JSON_FILE},
	        {"confusion", o->confusion, true, true, NOTHING},
	        {"mistakes", o->mistakes, true, true, NOTHING},
	};
	enum { NAMED = sizeof named / sizeof *named };
	int predicted = o->command != COMMAND_PREDICT || !o->out ? 0
	                : has_suffix(o->out, ".npy")             ? m->predict.output_count
	                                                         : 1;
	File *files = allocate(NAMED + predicted, sizeof *files, "the names of files");
	memcpy(files, named, sizeof named);
	for (int i = 0; i < predicted; i++) {
		char *path = prediction_path(o->out, m, i);
		files[NAMED + i] = (File){"out", path, true, true, NOTHING};
		for (int k = -1; k < o->input_count && has_suffix(path, ".npy"); k++) {
			const char *data = k < 0 ? o->data : o->inputs[k];
			if (data && is_within(path, data))
				die_help(STATUS_DATA, "name a file elsewhere",
				         "`--out` would write `%s` into the folder of the data, `%s`", path,
				         data);
		}
	}
	check_apart(files, NAMED + predicted);
	for (int i = 0; i < NAMED && trains && o->keep > 0; i++)
		if (files[i].path && generation_is_named(o->checkpoint, files[i].path))
			die(STATUS_USAGE, "`--keep` calls older checkpoints so: give `--%s %s` another name",
			    files[i].option, files[i].path);
	for (int i = 0; i < NAMED + predicted; i++)
		if (files[i].path && files[i].written)
			claim(&files[i]);
	for (int i = 0; i < predicted; i++)
		free((char *)files[NAMED + i].path);
	free(files);
}

void output_set_aside(const char *path)
{
	struct stat st;
	if (!path || !is_there(path, &st) || !S_ISREG(st.st_mode) || st.st_size == 0)
		return;
	char *name = file_set_aside(path);
	if (!name)
		die(STATUS_DATA, "`%s` is there already and can't be set aside: %s", path, file_failure());
	say_note("`%s` was there already: it is now `%s`", path, name);
	free(name);
}

void outputs_set_aside(const Options *o)
{
	if (!o->resume) {
		output_set_aside(o->checkpoint);
		output_set_aside(o->best);
		output_set_aside(log_file(o));
	}
	output_set_aside(o->dump);
}
