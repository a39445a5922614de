/* SPDX-License-Identifier: MIT */
/* What the loops of operators share that compute each element of the result by itself. On CUDA a thread of 256 finishes
 * `width` neighbouring columns of it, four where their number allows it, and one otherwise (a concatenation: two, too).
 * In C an element is a turn of two loops, over rows and columns.
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
	int width;              /* 4 or 1; 2 where the operator chooses it; in C 1 */
	bool in_loops;          /* in C */
	int64_t columns, block; /* lanes_of_blocks: columns of the result, and in C of a block; else 0 */
	const char *index;      /* C type of every index: "int" unless a tensor has 2^31 elements or more */
} Lanes;

/* 4 when each of the `count` sizes and offsets is divisible by it. */
int lanes_width(int count, const int64_t *sizes);
Lanes lanes_new(KernelText *k, const Node *n, int width);
/* The same, but in C a value is an array of a block of at most `block` columns, over which `c` counts: lanes_value,
 * lanes_load, lanes_each and lanes_finish alone are for it. */
Lanes lanes_of_blocks(KernelText *k, const Node *n, int64_t columns, int64_t block);
/* CUDA: declares `i`, the number of the thread, and ends the threads from `units` on. */
void lanes_begin(const Lanes *l, int64_t units);
/* Declares `row` and `c`, the row and the first column of what this thread, or turn, finishes of a result of so many
 * rows and columns. The loops in C are closed after the operator, or by lanes_close. */
void lanes_open(const Lanes *l, const char *row, int64_t rows, int64_t cols);
void lanes_close(const Lanes *l);
/* The same of blocks whose rows are a grid of samples `n`, of rows and of columns with these names. */
void lanes_open_grid(const Lanes *l, int64_t samples, const char *const names[2], const int64_t counts[2]);
/* In C, the loop over blocks in a row, whose first column is `c0`: 1, or 0 where one has all; lanes_open_grid opens
 * it. */
int lanes_open_blocks(const Lanes *l);
int lanes_block_loops(const Lanes *l);
/* Of blocks, the index of the first column in that row of a tensor of as many columns; and what is added to the
 * row's. */
const char *lanes_at(const Lanes *l, const char *row);
const char *lanes_first(const Lanes *l);
/* Declares a constant index. */
void lanes_index(const Lanes *l, const char *name, const char *format, ...)
        __attribute__((format(printf, 3, 4)));
/* Declares the value `name`, every lane of it `start`. */
void lanes_value(const Lanes *l, const char *name, const char *start);
/* Declares the value `name` and loads it from the operand at the index `at`, a multiple of the width; and one of
 * another type. In C those of blocks are the operand's own elements. */
void lanes_load(const Lanes *l, const char *name, int operand, const char *at);
void lanes_load_typed(const Lanes *l, const char *type, const char *name, int operand, const char *at);
/* The same for a value that is declared. */
void lanes_reload(const Lanes *l, const char *name, int operand, const char *at);
/* A statement for every lane: "t@ += e@". */
void lanes_each(const Lanes *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* kernel_epilogue for every lane. */
void lanes_finish(const Lanes *l, const char *row, const char *col, const char *value);

/* A loop over name = from, from + by, ... below `to`; code_close ends it. */
void kernel_loop(KernelText *k, const char *name, const char *from, const char *to, int64_t by);
const char *kernel_literal(const KernelText *k, int64_t value); /* "252" */

#endif
