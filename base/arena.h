/* SPDX-License-Identifier: MIT */
/* Regions of memory with one lifetime.
 *
 * Every phase of the compiler owns an arena and frees it whole; nothing is freed alone. This is why the
 * compiler has no ownership rules beyond "it lives as long as its arena". Running out of memory, or past
 * ARENA_LIMIT over all arenas together, ends the process with EXIT_TOOL and one sentence. */
#ifndef NNC_ARENA_H
#define NNC_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct Arena Arena;

enum { ARENA_LIMIT_MIB = 1024 }; /* all arenas together */

Arena *arena_new(void);
void arena_free(Arena *a); /* NULL is allowed */
/* What `from` holds, and hands out from now on, lives as long as `a`; nobody else frees it. */
void arena_adopt(Arena *a, Arena *from);

/* Zeroed memory, aligned for any type; size 0 gives a valid pointer. */
void *arena_alloc(Arena *a, size_t size);
/* count * size with the product checked. */
void *arena_array(Arena *a, size_t count, size_t size);
void *arena_copy(Arena *a, const void *p, size_t size);
char *arena_strdup(Arena *a, const char *s);
char *arena_strndup(Arena *a, const char *s, size_t n);
char *arena_printf(Arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* `list` and what is printed, as its next item: "a, b". NULL and "" are lists of nothing. */
char *arena_listed(Arena *a, const char *list, const char *format, ...) __attribute__((format(printf, 3, 4)));
char *arena_vprintf(Arena *a, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
size_t arena_bytes(const Arena *a); /* handed out so far */
size_t arena_bytes_of_all(void);    /* by all arenas that there are */

#define NEW(arena, T)          ((T *)arena_alloc((arena), sizeof(T)))
#define NEW_ARRAY(arena, T, n) ((T *)arena_array((arena), (size_t)(n), sizeof(T)))

#endif
