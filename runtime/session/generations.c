/* SPDX-License-Identifier: MIT */
#include "runtime/session/generations.h"
#include "runtime/session/checkpoint.h"
#include "runtime/host/die.h"
#include "runtime/session/outputs.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* run.safetensors at step 600: run-600.safetensors; malloc'd. */
static char *generation_path(const char *checkpoint, int64_t step)
{
	const char *slash = strrchr(checkpoint, '/'), *name = slash ? slash + 1 : checkpoint,
	           *dot = strrchr(name, '.');
	int stem = dot && dot > name ? (int)(dot - checkpoint) : (int)strlen(checkpoint);
	return text_printf("%.*s-%lld%s", stem, checkpoint, (long long)step, checkpoint + stem);
}

bool generation_is_named(const char *checkpoint, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *own = strrchr(checkpoint, '/'), *dot;
	own = own ? own + 1 : checkpoint;
	dot = strrchr(own, '.');
	size_t stem = dot && dot > own ? (size_t)(dot - own) : strlen(own);
	if (strncmp(name, own, stem) != 0 || name[stem] != '-' || !isdigit((unsigned char)name[stem + 1]))
		return false;
	return strcmp(name + stem + 1 + strspn(name + stem + 1, "0123456789"), own + stem) == 0;
}

void generations_add(Session *s)
{
	Kept *kept = &s->kept;
	int64_t step = s->at.step;
	kept->is_new = kept->count == 0 || kept->step[kept->count - 1] != step;
	if (!kept->is_new)
		return;
	if (kept->count == MOST_KEPT)
		memmove(kept->step, kept->step + 1, (size_t)--kept->count * sizeof *kept->step);
	kept->step[kept->count++] = step;
}

bool generations_keep(Session *s)
{
	Kept *kept = &s->kept;
	const char *checkpoint = s->options.checkpoint;
	char *path = generation_path(checkpoint, s->at.step);
	if (kept->is_new)
		output_set_aside(path); /* of another training */
	else
		unlink(path);
	kept->is_new = false;
	/* one file under two names, where the file system has that; never a second link to what a link names */
	bool done = linkat(AT_FDCWD, checkpoint, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ||
	            checkpoint_save(s, path);
	free(path);
	while (done && kept->count > s->options.keep) {
		path = generation_path(checkpoint, kept->step[0]);
		unlink(path);
		free(path);
		memmove(kept->step, kept->step + 1, (size_t)--kept->count * sizeof *kept->step);
	}
	return done;
}
