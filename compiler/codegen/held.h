/* SPDX-License-Identifier: MIT */
/* The text of steps whose values threads keep in registers (ir/held.h). Private to codegen/. */
#ifndef NNC_TARGET_HELD_H
#define NNC_TARGET_HELD_H

#include "ir/held.h"
#include "codegen/kernel.h"

/* The body of the function of a step that holds values, but not of a weight gradient, which is called by its type. */
void write_held(KernelText *k);
/* Whether b is, or is a view of, a value in registers; and the name of the array. */
bool is_held(const Buffer *b);
const char *held_name(const Buffer *b);
/* What owns the elements of a held value. */
const Held *held_of(const Program *p, const Buffer *b);
/* What of the value a thread has, in words. */
char *held_words(Arena *a, const Held *h, const Buffer *b);
/* Elements of its array. */
int64_t held_count(const Program *p, const Buffer *b);

/* The C++ types of nnr_held.h, "NnrHeld<...>" and "NnrHeldFilters<...>". */
char *held_type(Arena *a, const Held *h, int threads);
char *held_filters_type(Arena *a, const Held *h, int threads);
int64_t held_filters_scratch(const Held *h, int threads); /* elements, to end the sums in */

char *conv_block_shape(Arena *a, const Node *n); /* of a convolution, the C++ type "NnrConv<...>" */

#endif
