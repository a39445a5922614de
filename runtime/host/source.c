/* SPDX-License-Identifier: MIT */
#include "runtime/host/source.h"
#include "runtime/host/die.h"

#include <stdio.h>
#include <string.h>

char *source_text(const NnrSource *file)
{
	int64_t length = 1;
	for (int i = 0; i < file->line_count; i++)
		length += (int64_t)strlen(file->lines[i]) + 1;
	char *text = allocate(length, 1, "the text of the network"), *to = text;
	for (int i = 0; i < file->line_count; i++)
		to += sprintf(to, "%s\n", file->lines[i]);
	return text;
}
