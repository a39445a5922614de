/* Resident rows as two steps: the rows, and what they sum up. */
#ifndef NNC_SPLIT_SUMS_H
#define NNC_SPLIT_SUMS_H

#include "ir/program.h"

/* What the kernel of a step does about each of the step's nodes, by position; 0: nothing. A sum over all rows reads its
 * operand in one step, and has its value in the other. */
enum { NODE_READS = 1, NODE_STORES = 2 };
unsigned *step_roles(Arena *a, const Step *s);

#endif
