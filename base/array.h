/* SPDX-License-Identifier: MIT */
/* Typed growable arrays in an arena.
 *
 *     ARRAY(Node *) nodes = {0};
 *     array_push(arena, &nodes, n);
 *     for (int i = 0; i < nodes.count; i++) use(nodes.at[i]);
 *
 * Growth abandons the old storage in the arena: pointers into .at die at the next push. */
#ifndef NNC_ARRAY_H
#define NNC_ARRAY_H

#include "base/arena.h"
#include <string.h>

#define ARRAY(T)                 \
	struct {                 \
		T *at;           \
		int count, room; \
	}

#define array_push(arena, array, ...)                                                                        \
	do {                                                                                                 \
		if ((array)->count == (array)->room)                                                         \
			(array)->at = array_grow((arena), (array)->at, &(array)->room, sizeof *(array)->at); \
		(array)->at[(array)->count++] = (__VA_ARGS__);                                               \
	} while (0)

static inline void *array_grow(Arena *a, void *old, int *room, size_t size)
{
	int more = *room ? 2 * *room : 8;
	void *grown = arena_array(a, (size_t)more, size);
	if (old)
		memcpy(grown, old, (size_t)*room * size);
	*room = more;
	return grown;
}

#endif
