/* SPDX-License-Identifier: MIT */
#include "runtime/report/run_folder.h"
#include "runtime/session/backend.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/host/json.h"
#include "runtime/host/progress.h"
#include "runtime/host/writer.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *made; /* the new folder; NULL: none */

static void remove_empty(void)
{
	(void)rmdir(made); /* it fails where something is in it */
}

/* A name with a larger number is no run's. */
static const int64_t last_of_all = 999999999999999999;

/* The number of NAME-N; 0 for any other name. */
static int64_t number_of(const char *entry, const char *name)
{
	size_t n = strlen(name);
	char *end;
	if (strncmp(entry, name, n) != 0 || entry[n] != '-' || entry[n + 1] < '1' || entry[n + 1] > '9')
		return 0;
	errno = 0;
	int64_t number = strtoll(entry + n + 1, &end, 10);
	return *end || errno || number > last_of_all ? 0 : number;
}

/* The largest number that NAME has; with `saved`, of a folder with a checkpoint. 0: none. */
static int64_t last_number(const char *name, bool saved)
{
	int64_t last = 0;
	DIR *folder = opendir(RUNS);
	if (!folder && errno != ENOENT)
		die(STATUS_DATA, "can't read the folder `%s`: %s", RUNS, strerror(errno));
	for (struct dirent *entry; folder && (entry = readdir(folder));) {
		int64_t number = number_of(entry->d_name, name);
		if (number <= last)
			continue;
		char *checkpoint = text_printf("%s/%s/last.safetensors", RUNS, entry->d_name);
		if (!saved || access(checkpoint, F_OK) == 0)
			last = number;
		free(checkpoint);
	}
	if (folder)
		closedir(folder);
	return last;
}

static void make_folder(const char *path, bool may_exist)
{
	if (mkdir(path, 0777) < 0 && !(may_exist && errno == EEXIST))
		die(STATUS_DATA, "can't make the folder `%s`: %s", path, strerror(errno));
}

/* mkdir is the lock: of two that start at once each gets a number of its own. */
static char *make_next(const char *name)
{
	make_folder(RUNS, true);
	for (int64_t number = last_number(name, false) + 1; number <= last_of_all; number++) {
		char *path = text_printf("%s/%s-%lld", RUNS, name, (long long)number);
		if (mkdir(path, 0777) == 0) {
			made = path;
			die_at_end(remove_empty);
			return path;
		}
		if (errno != EEXIST)
			die(STATUS_DATA, "can't make the folder `%s`: %s", path, strerror(errno));
		free(path);
	}
	die_help(STATUS_DATA, "choose another name", "`%s/%s-N` has no number left after %lld", RUNS, name,
	         (long long)last_of_all);
}

void run_folder_choose(Options *o)
{
	if (!o->run)
		return;
	if (strchr(o->run, '/') || o->run[0] == '.' || strlen(o->run) > 200)
		die(STATUS_USAGE, "`--run %s`: a run has a name, not a path; its folder is `%s/%s-1`", o->run,
		    RUNS, "NAME");
	int64_t saved = o->resume ? last_number(o->run, true) : 0;
	if (o->resume == RESUME_YES && !saved)
		die_help(STATUS_DATA, "`--resume=auto` begins one where there is none",
		         "no run `%s/%s-N` has a checkpoint to go on from", RUNS, o->run);
	o->folder = saved ? text_printf("%s/%s-%lld", RUNS, o->run, (long long)saved) : make_next(o->run);
	o->resume = saved ? RESUME_YES : RESUME_NO;
	if (!o->log)
		o->log = path_join(o->folder, "log.jsonl");
	if (!o->checkpoint)
		o->checkpoint = path_join(o->folder, "last.safetensors");
	o->best_is_implied = !o->best && !o->no_eval;
	if (o->best_is_implied)
		o->best = path_join(o->folder, "best.safetensors");
}

/* ---- what it holds */

static void write_file(const char *folder, const char *name, const char *text, size_t length)
{
	char *path = path_join(folder, name);
	if (!file_write_new(path, text, (int64_t)length))
		die(STATUS_DATA, "%s", file_failure());
	free(path);
}

/* parts/part.net becomes parts-part.net: all are in one folder. <recurrent> comes with nnc: nnc-recurrent.net. */
static char *file_name_of(const char *source)
{
	bool comes_with_nnc = *source == '<';
	char *name = comes_with_nnc ? text_printf("nnc-%.*s.net", (int)strcspn(source + 1, ">"), source + 1)
	                            : text_printf("%s", source);
	for (char *at = name; *at; at++)
		*at = *at == '/' ? '-' : *at;
	return name;
}

static void write_sources(const char *folder, const NnrModel *m)
{
	for (int i = 0; i < m->source_count; i++) {
		char *name = file_name_of(m->sources[i].name), *text;
		size_t length;
		FILE *f = open_memstream(&text, &length);
		require(f);
		for (int k = 0; k < m->sources[i].line_count; k++)
			fprintf(f, "%s\n", m->sources[i].lines[k]);
		require(fclose(f) == 0);
		write_file(folder, name, text, length);
		free(text);
		free(name);
	}
}

static void write_plan(const char *folder, const NnrModel *m)
{
	char *text;
	size_t length;
	FILE *f = open_memstream(&text, &length);
	require(f);
	session_print_model(m, f);
	require(fclose(f) == 0);
	write_file(folder, "plan.txt", text, length);
	free(text);
}

static void write_about(const Session *s)
{
	const NnrModel *m = s->model;
	const char *words[][2] = {{"model", m->name},
	                          {"source", m->source},
	                          {"nnc", m->version},
	                          {"recipe", m->recipe},
	                          {"program", program_name()},
	                          {"arguments", s->options.arguments},
	                          {"device", s->backend->device(s)},
	                          {"data", s->data.format}};
	char *text;
	size_t length;
	FILE *f = open_memstream(&text, &length);
	require(f);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		char *quoted = json_quoted(words[i][1] ? words[i][1] : "");
		fprintf(f, "%s\"%s\": %s", i ? ",\n " : "{", words[i][0], quoted);
		free(quoted);
	}
	fprintf(f, ",\n \"seed\": %llu,\n \"threads\": %lld}\n", (unsigned long long)s->seed,
	        (long long)s->options.threads);
	require(fclose(f) == 0);
	write_file(s->options.folder, "run.json", text, length);
	free(text);
}

void run_folder_fill(const Session *s)
{
	const char *folder = s->options.folder;
	if (!folder || s->options.resume)
		return;
	write_sources(folder, s->model);
	write_plan(folder, s->model);
	write_about(s);
	progress_say("the run is in `%s`", folder);
}
