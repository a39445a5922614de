/* SPDX-License-Identifier: MIT */
#include "driver/outputs.h"

#include "base/diag.h"
#include "base/place.h"

#include <stdio.h>

static void check_replaced(Arena *a, const OutputFile *output)
{
	struct stat s;
	if (output->replaced && stat(output->path, &s) == 0 && !S_ISREG(s.st_mode))
		fail(EXIT_USAGE, "%s can't be written to `%s`: it is %s", output->what,
		     printable(a, output->path), S_ISDIR(s.st_mode) ? "a folder" : "not a regular file");
}

/* What nnc never writes, by how its name ends: a slip of -o would be the end of it. */
static const struct {
	const char *ending, *what;
} kept[] = {
        {".net", "a network"},
        {".npy", "data"},
        {".safetensors", "weights"},
};

static void check_kept(Arena *a, const OutputFile *output)
{
	struct stat s;
	size_t length = strlen(output->path);
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
		size_t ending = strlen(kept[i].ending);
		if (length > ending && strcmp(output->path + length - ending, kept[i].ending) == 0 &&
		    stat(output->path, &s) == 0)
			fail(EXIT_USAGE, "%s would overwrite `%s`, %s: name another file", output->what,
			     printable(a, output->path), kept[i].what);
	}
}

/* By its first bytes, as every trainer begins. What can't be read is not taken for a user's data either. */
static bool is_elf(const char *path)
{
	char head[4] = {0};
	FILE *f = fopen(path, "rbe");
	bool read = f && fread(head, 1, sizeof head, f) == sizeof head;
	if (f)
		fclose(f);
	return !f || (read && memcmp(head, "\177ELF", sizeof head) == 0);
}

static void check_program(Arena *a, const OutputFile *output)
{
	struct stat s;
	if (output->replaced && stat(output->path, &s) == 0 && s.st_size > 0 && !is_elf(output->path))
		fail(EXIT_USAGE,
		     "%s would overwrite `%s`, which is no program: name another file, or remove it",
		     output->what, printable(a, output->path));
}

/* As what nnc writes is called: a file of another name that is there is somebody's data or program. */
static const char *const own_endings[] = {".c",       ".cu",  ".h",   ".a",  ".so",   ".txt", ".plan", ".ir",
                                          ".program", ".ast", ".dot", ".gv", ".html", ".htm", ".json"};

static void check_own(Arena *a, const OutputFile *output)
{
	struct stat s;
	size_t length = strlen(output->path);
	if (output->replaced || stat(output->path, &s) != 0 || !S_ISREG(s.st_mode) || s.st_size == 0)
		return;
	for (size_t i = 0; i < sizeof own_endings / sizeof *own_endings; i++) {
		size_t ending = strlen(own_endings[i]);
		if (length > ending && strcmp(output->path + length - ending, own_endings[i]) == 0)
			return;
	}
	fail(EXIT_USAGE,
	     "%s would overwrite `%s`, whose name is none that nnc gives: name another file, or remove it",
	     output->what, printable(a, output->path));
}

void outputs_check(Arena *a, const OutputFiles *outputs, const SourceList *sources)
{
	Place *places = NEW_ARRAY(a, Place, outputs->count);
	for (int i = 0; i < outputs->count; i++) {
		const OutputFile *output = &outputs->at[i];
		if (!output->replaced && strcmp(output->path, "-") == 0)
			continue;
		check_replaced(a, output);
		places[i] = place_of(output->path);
		for (int k = 0; k < sources->count; k++) {
			if (same_place(places[i], place_of(sources->at[k]->path)))
				fail(EXIT_USAGE, "%s would overwrite the source `%s`: name another file",
				     output->what, printable(a, sources->at[k]->path));
		}
		check_kept(a, output);
		check_program(a, output);
		check_own(a, output);
		for (int k = 0; k < i; k++) {
			if (same_place(places[i], places[k]))
				fail(EXIT_USAGE, "%s and %s would both be written to `%s`",
				     outputs->at[k].what, output->what, printable(a, output->path));
		}
	}
}
