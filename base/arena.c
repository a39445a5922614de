/* SPDX-License-Identifier: MIT */
/* Arenas: a list of chunks, the newest first; allocation bumps a pointer in the newest one.
 *
 * Page faults were a quarter of a compilation's time. So chunks of the largest size are cut from regions of huge pages,
 * and what an arena gives back of any size is kept for the next one: clearing what was used costs less than a fresh
 * page, and many arenas live for one function. */
#include "base/arena.h"
#include "base/fail.h"
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
	CHUNK_MIN = 1 << 16, /* with the header; each size is twice the one before it */
	SIZES = 5,
	CHUNK_MAX = CHUNK_MIN << (SIZES - 1),
	HUGE_PAGE = 2 << 20,
	REGION = 4 * HUGE_PAGE
};

typedef struct Chunk {
	struct Chunk *next;
	size_t size, used; /* of data */
	alignas(max_align_t) unsigned char data[];
} Chunk;

struct Arena {
	Chunk *chunks;
	size_t handed_out;
	int next_size;  /* grows, so that a large arena needs few chunks and a small one little memory */
	Arena *adopted; /* a list of those that are freed with it: graphs go on naming them */
	Arena *next;    /* in such a list */
};

static size_t total;             /* bytes of all chunks of all arenas */
static size_t handed_out_of_all; /* by all arenas that there are */
static Chunk *spare[SIZES];      /* in no arena */

static _Noreturn void out_of_memory(void)
{
	fail(EXIT_TOOL,
	     "out of memory: %zu MiB are in use and the next request failed (the compiler's limit is %d MiB)",
	     total >> 20, ARENA_LIMIT_MIB);
}

Arena *arena_new(void)
{
	Arena *a = calloc(1, sizeof *a);
	if (!a)
		out_of_memory();
	return a;
}

/* Of data, in a chunk of one of the sizes. */
static size_t room_of(int size)
{
	return ((size_t)CHUNK_MIN << size) - sizeof(Chunk);
}

static void push(Chunk *c, int size)
{
	c->next = spare[size];
	spare[size] = c;
}

static void free_one(Arena *a)
{
	handed_out_of_all -= a->handed_out;
	for (Chunk *c = a->chunks, *next; c; c = next) {
		next = c->next;
		int size = 0;
		total -= c->size;
		while (size < SIZES && c->size != room_of(size))
			size++;
		if (size < SIZES)
			push(c, size);
		else
			munmap(c, sizeof *c + c->size);
	}
	free(a);
}

void arena_free(Arena *a)
{
	Arena *next = a ? a->adopted : NULL;
	if (a)
		free_one(a);
	while (next) {
		Arena *one = next;
		next = one->next;
		free_one(one);
	}
}

void arena_adopt(Arena *a, Arena *from)
{
	Chunk **end = &a->chunks;
	while (*end)
		end = &(*end)->next;
	*end = from->chunks;
	a->handed_out += from->handed_out;
	from->chunks = NULL;
	from->handed_out = 0;
	Arena **last = &a->adopted;
	while (*last)
		last = &(*last)->next;
	*last = from;
	from->next = from->adopted;
	from->adopted = NULL;
}

static void *map(size_t size, int flags)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
	if (p == MAP_FAILED)
		out_of_memory();
	return p;
}

/* Adds the chunks of one more region. Without huge pages the advice does nothing, and pages come one by one. */
static void map_region(void)
{
	unsigned char *p = map(REGION + HUGE_PAGE, MAP_NORESERVE);
	p += (HUGE_PAGE - (uintptr_t)p % HUGE_PAGE) % HUGE_PAGE;
	madvise(p, REGION, MADV_HUGEPAGE);
	for (size_t at = REGION; at > 0; at -= CHUNK_MAX) {
		Chunk *c = (Chunk *)(void *)(p + at - CHUNK_MAX);
		c->size = room_of(SIZES - 1);
		push(c, SIZES - 1);
	}
}

/* A chunk of its own, mapped at once. */
static Chunk *map_chunk(size_t size)
{
	Chunk *c = map(sizeof *c + size, MAP_POPULATE);
	c->size = size;
	return c;
}

static Chunk *chunk_new(Arena *a, size_t need)
{
	const size_t limit = (size_t)ARENA_LIMIT_MIB << 20, usual = room_of(a->next_size);
	const bool is_usual = need <= usual;
	const int size = a->next_size;
	if (need > limit || total + (is_usual ? usual : need) > limit)
		out_of_memory();
	if (is_usual && !spare[size] && size == SIZES - 1)
		map_region();
	Chunk *c = is_usual ? spare[size] : NULL;
	if (c) {
		spare[size] = c->next;
		memset(c->data, 0, c->used);
		c->used = 0;
	} else {
		c = map_chunk(is_usual ? usual : need);
	}
	total += c->size;
	a->next_size += size < SIZES - 1;
	return c;
}

void *arena_alloc(Arena *a, size_t size)
{
	const size_t unit = alignof(max_align_t);
	if (size > SIZE_MAX - unit)
		out_of_memory();
	size_t need = size ? (size + unit - 1) / unit * unit : unit;
	Chunk *c = a->chunks;
	if (!c || c->size - c->used < need) {
		c = chunk_new(a, need);
		/* A request that fills its own chunk leaves the current one in use. */
		if (a->chunks && need == c->size) {
			c->next = a->chunks->next;
			a->chunks->next = c;
		} else {
			c->next = a->chunks;
			a->chunks = c;
		}
	}
	void *p = c->data + c->used;
	c->used += need;
	a->handed_out += need;
	handed_out_of_all += need;
	return p;
}

void *arena_array(Arena *a, size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes))
		out_of_memory();
	return arena_alloc(a, bytes);
}

size_t arena_bytes(const Arena *a)
{
	return a->handed_out;
}

size_t arena_bytes_of_all(void)
{
	return handed_out_of_all;
}
