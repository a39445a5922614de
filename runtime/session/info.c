/* SPDX-License-Identifier: MIT */
/* `EXE info`: what a checkpoint, or any safetensors file, says of itself. It may be of another network than this
 * trainer's. */
#include "runtime/host/die.h"
#include "runtime/data/fingerprint.h"
#include "runtime/host/source.h"
#include "runtime/session/provenance.h"
#include "runtime/session/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool begins_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* Texts of the file on one line, whatever is in them. */
static void print_line(const char *label, const char *text)
{
	int64_t room = 4 * (int64_t)strlen(text) + 1;
	char *fit = allocate(room, 1, "a line");
	text_printable(fit, room, text);
	printf("  %-12s %s\n", label, fit);
	free(fit);
}

static void print_key(const Safetensors *f, const char *label, const char *key)
{
	const char *text = safetensors_metadata(f, key);
	if (text)
		print_line(label, text);
}

/* Whether this trainer was compiled from the same text. */
static const char *compared(const NnrModel *m, const char *file, const char *text)
{
	for (int i = 0; i < m->file_count; i++) {
		if (strcmp(m->sources[i].name, file) != 0)
			continue;
		char *own = source_text(&m->sources[i]);
		bool same = strcmp(own, text) == 0;
		free(own);
		return same ? "as this trainer's" : "not as this trainer's";
	}
	return "this trainer has no such file";
}

static void print_files(const NnrModel *m, const Safetensors *f)
{
	for (int i = 0; i < f->metadata_count; i++) {
		const Metadata *d = &f->metadata[i];
		if (!begins_with(d->key, PROVENANCE_FILE))
			continue;
		const char *file = d->key + strlen(PROVENANCE_FILE);
		int lines = 0;
		for (const char *at = d->value; (at = strchr(at, '\n')); at++)
			lines++;
		char *line = text_printf("%s, %d lines, xxh64 %016" PRIx64 ", %s", file, lines,
		                         hash_bytes(d->value, (int64_t)strlen(d->value)),
		                         compared(m, file, d->value));
		print_line("net file", line);
		free(line);
	}
}

static void print_tensors(const Safetensors *f)
{
	double elements = 0;
	printf("\ntensors\n");
	for (int i = 0; i < f->count; i++) {
		const StoredTensor *t = &f->tensors[i];
		char *shape = shape_text(t->dim, t->rank), name[1024];
		double here = 1;
		text_printable(name, sizeof name, t->name);
		for (int k = 0; k < t->rank; k++)
			here *= (double)t->dim[k];
		elements += here;
		printf("  %-40s %-4s %s\n", name, t->dtype < 0 ? "?" : dtype_name((NnrDType)t->dtype), shape);
		free(shape);
	}
	printf("  %d tensors, %.0f elements\n", f->count, elements);
}

/* Line by line; tabs stay. The file may be a stranger's: its control bytes don't reach the terminal. */
static void print_text(const char *text)
{
	int64_t room = 4 * (int64_t)strlen(text) + 1;
	char *copy = text_printf("%s", text), *fit = allocate(room, 1, "a text");
	for (char *at = copy; *at;) {
		size_t n = strcspn(at, "\t\n");
		char end = at[n];
		at[n] = 0;
		text_printable(fit, room, at);
		fputs(fit, stdout);
		if (end)
			putchar(end);
		at += n + (end != 0);
	}
	free(fit);
	free(copy);
}

static void print_net(const Safetensors *f)
{
	int files = 0;
	for (int i = 0; i < f->metadata_count; i++) {
		const Metadata *d = &f->metadata[i];
		if (!begins_with(d->key, PROVENANCE_FILE))
			continue;
		char name[1024];
		text_printable(name, sizeof name, d->key + strlen(PROVENANCE_FILE));
		printf("%s# ---- %s\n", files++ ? "\n" : "", name);
		print_text(d->value);
	}
	if (!files)
		die(STATUS_DATA, "`%s` holds no .net file", f->path);
}

int session_info(const NnrModel *m, const char *path, bool net)
{
	Safetensors *f = safetensors_open(path);
	if (net) {
		print_net(f);
		safetensors_close(f);
		return output_end();
	}
	static const char *const lines[][2] = {{"format", "format"},
	                                       {"nnc", "nnc"},
	                                       {"network", "model"},
	                                       {"target", "target"},
	                                       {"precision", "precision"},
	                                       {"recipe", "settings"},
	                                       {"arguments", "arguments"},
	                                       {"seed", "seed"},
	                                       {"step", "step"},
	                                       {"epochs", "epoch"},
	                                       {"length", "length"},
	                                       {"metrics", "metrics"},
	                                       {"data", "data_format"},
	                                       {"samples", "samples"},
	                                       {"held out", "held_out_samples"},
	                                       {"classes", "classes"},
	                                       {"layouts", "layouts"}};
	print_line("checkpoint", path);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		print_key(f, lines[i][0], lines[i][1]);
	print_files(m, f);
	print_tensors(f);
	safetensors_close(f);
	return output_end();
}
