/* SPDX-License-Identifier: MIT */
/* What the tokens of a text are: its bytes, or the characters that occur in it, numbered in the order of Unicode. */
#ifndef NNR_ALPHABET_H
#define NNR_ALPHABET_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Alphabet {
	uint32_t *at; /* code points, ascending; NULL: tokens are bytes */
	int64_t count;
} Alphabet;

enum { CHARACTER_BYTES = 8 }; /* of one as text, with its NUL */

/* The characters of a text, which is UTF-8 without NUL; dies with STATUS_DATA where `path` holds something else. */
Alphabet alphabet_of_text(const unsigned char *text, int64_t length, const char *path);
/* Those that a checkpoint names as its classes (classes.h); NULL: bytes. Dies where they are no characters. */
Alphabet alphabet_of_names(const char *stored, const char *path);
void alphabet_free(Alphabet *a);
/* Their names, as many as there are; malloc'd. */
char **alphabet_names(const Alphabet *a);
/* The token that the text begins with, -1 where the alphabet has none for it; returns how many bytes it takes, 0 where
 * they are no UTF-8. */
int alphabet_token(const Alphabet *a, const unsigned char *text, int64_t length, int64_t *token);
/* A token as text, which ends in NUL; returns its bytes. */
int alphabet_text(const Alphabet *a, int64_t token, char to[CHARACTER_BYTES]);

#endif
