/* The blocks that come with nnc, for `use <transformer>`: the files of models/blocks/, made into C by library.awk. */
#ifndef NNC_LIBRARY_H
#define NNC_LIBRARY_H

typedef struct LibraryFile {
	const char *name; /* "<transformer>" */
	const char *text;
} LibraryFile;

extern const LibraryFile library_files[]; /* the last one without a name */

#endif
