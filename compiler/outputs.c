/* Which file a name means is asked of the file system, since links, `./` and `..` give one file many names. */
#include "outputs.h"

#include "base/diag.h"

#include <sys/stat.h>

/* A file that is there: its own numbers. One that is not: those of its folder, and its name in it. */
typedef struct Place {
	bool known; /* what no path leads to, and devices, are nobody's place: any number of outputs may go there */
	dev_t device;
	ino_t inode;
	const char *name; /* "" of a file that is there */
} Place;

static Place place_of(Arena *a, const char *path)
{
	struct stat s;
	if (stat(path, &s) == 0)
		return (Place){S_ISREG(s.st_mode), s.st_dev, s.st_ino, ""};
	const char *slash = strrchr(path, '/');
	const char *folder = slash ? arena_strndup(a, path, (size_t)(slash + 1 - path)) : ".";
	bool known = stat(folder, &s) == 0;
	return (Place){known, s.st_dev, s.st_ino, slash ? slash + 1 : path};
}

static bool same_place(const Place *x, const Place *y)
{
	return x->known && y->known && x->device == y->device && x->inode == y->inode &&
	       strcmp(x->name, y->name) == 0;
}

static void check_replaced(Arena *a, const OutputFile *output)
{
	struct stat s;
	if (output->replaced && stat(output->path, &s) == 0 && !S_ISREG(s.st_mode))
		fail(EXIT_USAGE, "%s can't be written to `%s`: it is %s", output->what,
		     printable(a, output->path), S_ISDIR(s.st_mode) ? "a folder" : "not a regular file");
}

void outputs_check(Arena *a, const OutputFiles *outputs, const SourceList *sources)
{
	Place *places = NEW_ARRAY(a, Place, outputs->count);
	for (int i = 0; i < outputs->count; i++) {
		const OutputFile *output = &outputs->at[i];
		if (!output->replaced && strcmp(output->path, "-") == 0)
			continue;
		check_replaced(a, output);
		places[i] = place_of(a, output->path);
		for (int k = 0; k < sources->count; k++) {
			Place source = place_of(a, sources->at[k]->path);
			if (same_place(&places[i], &source))
				fail(EXIT_USAGE, "%s would overwrite the source `%s`: name another file",
				     output->what, printable(a, sources->at[k]->path));
		}
		for (int k = 0; k < i; k++) {
			if (same_place(&places[i], &places[k]))
				fail(EXIT_USAGE, "%s and %s would both be written to `%s`",
				     outputs->at[k].what, output->what, printable(a, output->path));
		}
	}
}
