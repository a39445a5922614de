/* SPDX-License-Identifier: MIT */
/* Kernels of many networks for a compiler that only checks them.
 *
 * Machine code is four fifths of NVRTC's time, and what it alone can refuse is inline assembly, which the headers have,
 * and too much shared memory or too many arguments. It need be made once for each way to use the headers. The headers
 * alone, too, look at the architecture. */
#ifndef NNC_TESTS_KINDS_H
#define NNC_TESTS_KINDS_H

#include "base/arena.h"
#include "base/map.h"

/* Two texts that can each stand in a program with others. */
typedef struct Kinds {
	const char *first;  /* the kernels that use the headers as `seen` did not have it, and has now */
	const char *others; /* and what they call */
	int first_kernels, other_kernels;
} Kinds;

/* `kernels` is a kernels.cu; its functions are put into the namespace `space`, since those of several networks have the
 * same names. A use is a function or a type of the headers, with its template arguments, for 16 bits or not; sizes are
 * left out but for those of tiles, of vectors and of pieces that are copied, which choose the instructions, and of
 * shared memory; and how many arguments a kernel has. */
Kinds kinds_apart(Arena *a, const char *kernels, const char *space, Map *seen);

#endif
