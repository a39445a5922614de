/* SPDX-License-Identifier: MIT */
/* The statements of a kernel as text: the only writer of braces, indentation, and heads of loops and conditions. */
#ifndef NNC_CODE_PRINT_H
#define NNC_CODE_PRINT_H

#include "base/writer.h"
#include "ir/code.h"

/* What a language says where they differ; NULL: it has no such thing, and a kernel that needs it is none of its own. */
typedef struct CodeWords {
	const char *turns[TURNS_THREADS_SIMD + 1]; /* the line in front of a loop, by how its turns go */
	const char *shared;                        /* in front of an array of the block */
	const char *block_barrier, *warp_barrier;
} CodeWords;

extern const CodeWords words_c, words_cuda;

/* The lines of a tree that is finished. */
const char *code_text(Arena *a, const Code *c, const CodeWords *words);
/* The line of an object of a function, or of the file (CODE_OBJECT); without a value: NULL. */
void print_object(Writer *w, const char *type, const char *name, const char *value);

#endif
