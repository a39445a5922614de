#include "runtime/core/generations.h"
#include "runtime/core/checkpoint.h"
#include "runtime/core/die.h"
#include "runtime/core/outputs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *generation_path(const char *checkpoint, int64_t step)
{
	const char *slash = strrchr(checkpoint, '/'), *name = slash ? slash + 1 : checkpoint,
	           *dot = strrchr(name, '.');
	int stem = dot && dot > name ? (int)(dot - checkpoint) : (int)strlen(checkpoint);
	return text_printf("%.*s-%lld%s", stem, checkpoint, (long long)step, checkpoint + stem);
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
	/* one file under two names, where the file system has that */
	bool done = link(checkpoint, path) == 0 || checkpoint_save(s, path);
	free(path);
	while (done && kept->count > s->options.keep) {
		path = generation_path(checkpoint, kept->step[0]);
		unlink(path);
		free(path);
		memmove(kept->step, kept->step + 1, (size_t)--kept->count * sizeof *kept->step);
	}
	return done;
}
