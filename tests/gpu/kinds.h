/* Kernels of many networks for a compiler that only checks them.
 *
 * Kernels whose texts differ in sizes alone are of one kind: they are the same instructions, in the same inline
 * assembly, with other constants. Their machine code, four fifths of NVRTC's time, need be made once a kind. */
#ifndef NNC_TESTS_KINDS_H
#define NNC_TESTS_KINDS_H

#include "base/arena.h"
#include "base/map.h"

/* Two texts that can each stand in a program with others. */
typedef struct Kinds {
	const char *first;  /* the kernels of kinds that `seen` did not have, and has now */
	const char *others; /* and what they call */
	int first_kernels, other_kernels;
} Kinds;

/* `kernels` is a kernels.cu; its functions are put into the namespace `space`, since those of several networks have the
 * same names. Sizes of tiles, of vectors and of pieces that are copied are no sizes in this sense: they choose the
 * instructions. Nor are those of shared memory, of which there can be too much. */
Kinds kinds_apart(Arena *a, const char *kernels, const char *space, Map *seen);

#endif
