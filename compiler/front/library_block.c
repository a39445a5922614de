/* SPDX-License-Identifier: MIT */
/* A block of the library by its name: what its text says of it. library.h. */
#include "front/library.h"

#include <string.h>

static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');
	return end ? end + 1 : line + strlen(line);
}

bool library_block_next(LibraryBlock *b)
{
	static const char word[] = "block ";
	if (!b->file)
		b->file = library_files;
	const char *line = b->call ? next_line(b->call) : b->file->text;
	for (; b->file->name; b->file++, line = b->file->text) {
		const char *comment = NULL;
		for (; line && *line; line = next_line(line)) {
			if (strncmp(line, word, strlen(word)) != 0) {
				comment = *line != '#' ? NULL : comment ? comment : line;
				continue;
			}
			b->comment = comment;
			b->call = line + strlen(word);
			b->name_length = (int)strcspn(b->call, "(");
			b->call_length = (int)(strcspn(b->call, ")") + 1);
			return true;
		}
	}
	return false;
}

bool library_block_find(const char *name, LibraryBlock *b)
{
	*b = (LibraryBlock){0};
	while (library_block_next(b))
		if ((int)strlen(name) == b->name_length && strncmp(b->call, name, strlen(name)) == 0)
			return true;
	return false;
}
