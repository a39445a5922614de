/* SPDX-License-Identifier: MIT */
/* The arenas of base/arena.h with each piece a block of its own, so that a sanitizer sees where one ends; the
 * linker takes these instead. */
#include "base/arena.h"
#include "base/diag.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

struct Arena {
	Arena *next;
	void **pieces;
	size_t count, room, handed_out;
};

/* What needs more is large, not wrong (base/limits.h grants seconds and a GiB): it ends as if there were no memory. */
enum { MOST_PIECES = 200000 };

static Arena *all;
static int pieces;

static void *get(void *old, size_t bytes)
{
	void *p = realloc(old, bytes);
	if (!p)
		fail(EXIT_TOOL, "out of memory");
	return p;
}

Arena *arena_new(void)
{
	Arena *a = get(NULL, sizeof *a);
	*a = (Arena){.next = all};
	all = a;
	return a;
}

static void forget(const Arena *a)
{
	Arena **at = &all;
	while (*at != a)
		at = &(*at)->next;
	*at = a->next;
}

void arena_free(Arena *a)
{
	if (!a)
		return;
	forget(a);
	pieces = all ? pieces : 0;
	for (size_t i = 0; i < a->count; i++)
		free(a->pieces[i]);
	free(a->pieces);
	free(a);
}

void arena_adopt(Arena *a, Arena *from)
{
	forget(from);
	a->pieces = get(a->pieces, (a->count + from->count + 1) * sizeof *a->pieces);
	if (from->count)
		memcpy(a->pieces + a->count, from->pieces, from->count * sizeof *a->pieces);
	a->room = a->count + from->count + 1;
	a->count += from->count;
	a->handed_out += from->handed_out;
	free(from->pieces);
	free(from);
}

void arenas_drop(void)
{
	while (all)
		arena_free(all);
}

void *arena_alloc(Arena *a, size_t size)
{
	if (size > PTRDIFF_MAX || pieces++ == MOST_PIECES)
		fail(EXIT_TOOL, "out of memory");
	if (a->count == a->room) {
		a->room = a->room ? 2 * a->room : 64;
		a->pieces = get(a->pieces, a->room * sizeof *a->pieces);
	}
	void *p = get(NULL, size ? size : 1);
	memset(p, 0, size);
	a->handed_out += size;
	return a->pieces[a->count++] = p;
}

void *arena_array(Arena *a, size_t count, size_t size)
{
	size_t bytes;
	return arena_alloc(a, __builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes);
}

size_t arena_bytes(const Arena *a)
{
	return a->handed_out;
}

size_t arena_bytes_of_all(void)
{
	size_t bytes = 0;
	for (const Arena *a = all; a; a = a->next)
		bytes += a->handed_out;
	return bytes;
}
