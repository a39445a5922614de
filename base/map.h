/* SPDX-License-Identifier: MIT */
/* A map from strings to pointers, insertion-ordered, in an arena. Keys are copied. */
#ifndef NNC_MAP_H
#define NNC_MAP_H

#include "base/arena.h"

typedef struct Map Map;

Map *map_new(Arena *a);
void map_set(Map *m, const char *key, void *value); /* replaces */
void *map_get(const Map *m, const char *key);       /* NULL when absent */
int map_count(const Map *m);
/* The key's number, in order of first insertion; it is put in, with no value, where it is absent. */
int map_number(Map *m, const char *key);
const char *map_key(const Map *m, int i); /* in order of first insertion */
void *map_value(const Map *m, int i);

#endif
