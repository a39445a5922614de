/* SPDX-License-Identifier: MIT */
/* What each dialect writes for a kernel's loop nest. Private to codegen/. */
#ifndef NNC_FORMS_H
#define NNC_FORMS_H

#include "codegen/body.h"
#include "codegen/row_copies.h"
#include "target/launch.h"

CudaLaunch write_loops_cpu(Body *e, const Target *t);  /* loops_cpu.c: C with OpenMP, into e->w */
CudaLaunch write_loops_cuda(Body *e, const Target *t); /* loops_cuda.c: the body of a CUDA kernel */
int64_t workspace_cuda(const LoopNest *nest, const Target *t);
/* loops_block.c: the body of a function for all threads of a block, and the elements of workspace it needs. */
CudaLaunch write_loops_block(Body *e, const Target *t);
int64_t workspace_block(const LoopNest *nest, const Target *t);
bool block_takes_one_warp(const LoopNest *nest, int threads); /* the first one */

/* How the elements of a row go to threads. */
typedef struct RowShape {
	int vector;    /* neighbouring elements of a thread: 1, 4 or, of copies, 8 */
	int lanes;     /* threads of a row: 1, some of a warp, a warp or a block */
	bool in_block; /* of a function for the threads of one block: sums of all go by way of `partial` */
	RowCopying copying; /* of long rows */
} RowShape;
/* Row `o`, whose threads are `lane`: for each phase the elements, their sums, and what is made of these. */
void write_phases_of_row(Body *e, const RowShape *s);

/* For the forms of loops_cuda.c. */
CudaLaunch write_map_cuda(Body *e); /* loops_cuda_map.c */
CudaLaunch write_resident(Body *e); /* loops_cuda_resident.c */
int64_t workspace_resident(const LoopNest *nest);
int64_t resident_groups(const LoopNest *nest); /* of blocks, at most, whose sums are added together first */
/* Loops [first, end) that are one alone go by the name of their linear index, which needs no other. */
void name_loop(Body *e, const char *linear, int first, int end);
/* Declares the variables of loops [first, end) from one linear index. */
void split_index(Body *e, const char *linear, int first, int end);
/* The same for those alone that the rest of the block reads, and ahead of them the linear index, which is `value`;
 * NULL: that is declared. */
void let_indices(Body *e, const char *value, const char *linear, int first, int end);
/* Writes what `elements` does for one element, or with `vector` for as many neighbours along the last loop. */
typedef void Elements(Body *e, int phase);
void write_elements(Body *e, int64_t vector, Elements *elements, int phase);
void write_phase(Body *e, int phase);                             /* Elements: body_phase */
void open_turns_loop(Body *e, int64_t turns, const char *unroll); /* of a single one a block */
/* The body of a map for one thread's elements, `i` being the number of the thread or, with vectors, of the vector. */
void write_map_body(Body *e, int vector);
/* loops_slab.c: sums over columns, of any number of phases. */
bool slab_fits(const LoopNest *nest);
CudaLaunch write_slab(Body *e);
int64_t slab_workspace(const LoopNest *nest);

#endif
