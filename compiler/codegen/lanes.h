/* SPDX-License-Identifier: MIT */
/* What the CUDA forms of operators share: a thread of 256 that finishes `width` neighbouring columns of the result,
 * four where the number of columns allows it, and one otherwise (a concatenation: two, too).
 *
 * A value of the thread is an array of `width`, or a plain variable; statements are written once for both, with `@`
 * after each such value: "t@ += e@". */
#ifndef NNC_LANES_H
#define NNC_LANES_H

#include "codegen/index.h"
#include "codegen/kernel.h"

enum { CUDA_THREADS = 256 };

typedef struct Lanes {
	KernelText *k;
	int width;         /* 4 or 1; 2 where the operator chooses it */
	const char *index; /* C type of every index: "int" unless a tensor has 2^31 elements or more */
} Lanes;

/* 4 when each of the `count` sizes and offsets is divisible by it. */
int lanes_width(int count, const int64_t *sizes);
Lanes lanes_new(KernelText *k, const Node *n, int width);
/* Declares `i`, the number of the thread, and ends the threads from `units` on. */
void lanes_begin(const Lanes *l, int64_t units);
/* Declares a constant index. */
void lanes_index(const Lanes *l, const char *name, const char *format, ...)
        __attribute__((format(printf, 3, 4)));
/* Declares the value `name`, every lane of it `start`. */
void lanes_value(const Lanes *l, const char *name, const char *start);
/* Declares the value `name` and loads it from the operand at the index `at`, a multiple of the width. */
void lanes_load(const Lanes *l, const char *name, int operand, const char *at);
/* The same for a value that is declared. */
void lanes_reload(const Lanes *l, const char *name, int operand, const char *at);
/* A statement for every lane: "t@ += e@". */
void lanes_each(const Lanes *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* kernel_epilogue for every lane. */
void lanes_finish(const Lanes *l, const char *row, const char *col, const char *value);

/* The text with `by` in the place of every @. */
const char *text_at(Arena *a, const char *text, const char *by);
/* Declares `row` and `c`: the row, and the first column of this thread, of unit `i` in a result of `cols` columns. */
void lanes_place(const Lanes *l, const char *row, int64_t cols);
/* A loop over name = from, from + by, ... below `to`; code_close ends it. */
void kernel_loop(KernelText *k, const char *name, const char *from, const char *to, int64_t by);
const char *kernel_literal(const KernelText *k, int64_t value); /* "252" */

#endif
