/* SPDX-License-Identifier: MIT */
/* What a recipe or a command line says that has no effect on one rank. Read by nnc and by the runtime: both note it. */
#ifndef NNR_ONE_RANK_H
#define NNR_ONE_RANK_H

#include <stdbool.h>
#include <stdio.h>

enum { ONE_RANK_BYTES = 64 };

/* "`shard optimizer`, `wire bf16` and `--bucket`", of those that are there; how many are. */
static inline int one_rank_list(char text[ONE_RANK_BYTES], bool shards, bool wire, bool bucket)
{
	const char *const names[] = {"`shard optimizer`", "`wire bf16`", "`--bucket`"};
	const bool there[] = {shards, wire, bucket};
	const int count = shards + wire + bucket;
	int listed = 0;
	size_t length = 0;
	text[0] = '\0';
	for (int i = 0; i < 3; i++) {
		if (!there[i])
			continue;
		const char *before = listed == 0 ? "" : listed == count - 1 ? " and " : ", ";
		length += (size_t)snprintf(text + length, ONE_RANK_BYTES - length, "%s%s", before, names[i]);
		listed++;
	}
	return count;
}

#endif
