/* SPDX-License-Identifier: MIT */
/* The blocks that come with nnc, for `use <transformer>`: the files of models/blocks/, made into C by library.awk. */
#ifndef NNC_LIBRARY_H
#define NNC_LIBRARY_H

#include <stdbool.h>

typedef struct LibraryFile {
	const char *name; /* "<transformer>" */
	const char *text;
} LibraryFile;

extern const LibraryFile library_files[]; /* the last one without a name */

/* Where a block stands in a file's text. */
typedef struct LibraryBlock {
	const LibraryFile *file;
	const char *
	        comment; /* the lines with # right above it, which end where it begins; NULL: there are none */
	const char *call; /* "lstm(x, units, init = xavier) {..." */
	int name_length, call_length;
} LibraryBlock;

/* The next block of the library, the first after {0}; false: there is none. */
bool library_block_next(LibraryBlock *b);
bool library_block_find(const char *name, LibraryBlock *b);

#endif
