/* SPDX-License-Identifier: MIT */
/* The C text of one step: what an operator's loops are written into (codegen/op_loops.h).
 *
 * emit_cpu writes the body of a function whose parameters are already named after the operator's signature
 * ("x", "w", and "y" for the result), all `restrict`; sizes are literals. It computes each element of the result and
 * hands it to kernel_epilogue, which writes the fused pointwise nodes and the stores. */
#ifndef NNC_KERNEL_H
#define NNC_KERNEL_H

#include "ir/code.h"
#include "ir/program.h"
#include "ir/op.h"
#include "target/target.h"

typedef struct KernelText {
	Arena *arena;
	Code *code;
	const Target *target;
	const Program *program;
	const Step *step;
	const char
	        *real; /* C type of the result's elements: "float" or "double", of the shape operators any */
	int64_t units; /* threads of the operator's CUDA kernel, 256 a block; lanes_begin sets it */
	int open;      /* loops that lanes_open opened */
	/* Where a value read in the epilogue stands: private to codegen/kernel.c. */
	struct KernelState *state;
} KernelText;

/* Sizes from here on may be parameters of one function for several steps (emit/functions.h); smaller ones stay in its
 * text. */
enum { FAMILY_LEAST = 32 };

/* Writes the statements that finish the element (row, col) of the root's result seen as [rows, cols], cols being its
 * last dimension: `value` is a C expression for the root's value, row and col C expressions of type int64_t/int. */
void kernel_epilogue(KernelText *k, const char *row, const char *col, const char *value);
/* Computes the same and stores nothing; returns the C text of `wanted`, the root or a node of its epilogue. */
char *kernel_value(KernelText *k, const char *row, const char *col, const char *value, const Node *wanted);
/* CUDA: kernel_epilogue for `count` columns from col on, 2 or 4 of them, cols being a multiple of it; `value` is an
 * expression over `u`, which counts them. Tensors are read and written in vectors where they lie so. */
void kernel_vector_epilogue(KernelText *k, int count, const char *row, const char *col, const char *value);
/* Whether an operand of the root begins where a vector of so many elements can be loaded. */
bool kernel_operand_aligned(const KernelText *k, int operand, int elements);
/* C text of a constant of the element type: 0.5 -> "0.5f", exact for the type. */
const char *kernel_number(const KernelText *k, double value);

#endif
