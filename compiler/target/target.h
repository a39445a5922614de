/* SPDX-License-Identifier: MIT */
/* A target: the dialect of its generated code, and all that passes and operators ask about what it can do. Text only:
 * the compiler includes no CUDA or oneDNN header. */
#ifndef NNC_TARGET_H
#define NNC_TARGET_H

#include "ir/graph.h"

typedef struct Dialect Dialect; /* codegen/dialect.h */

/* What computes convolutions and matrix products: by the target's rule, kernels of nnc's own alone, or oneDNN. */
typedef enum { LIBRARY_AUTO, LIBRARY_NONE, LIBRARY_ONEDNN } LibraryChoice;

/* What generated code runs on. */
typedef struct Target {
	const char *name;       /* "cpu", "cuda" */
	const Dialect *dialect; /* what its steps are written in */
	/* A program is a kernel's: each step is a function that the threads of one block call, its tensors in shared
	 * memory. */
	bool one_block;
	bool remainders; /* an index in the last dimension may be the remainder of a loop over several */
	bool gpu;        /* the host launches kernels; passes and implementations of CUDA are for it */
	bool halves;     /* computes in bf16 and fp16; else f32 is taken instead */
	unsigned
	        epilogues; /* flags of operators (ir/op.h) whose kernels of nnc's own take pointwise ones after them */
	bool resident_rows;       /* kernels keep rows on chip between their sums and what uses them */
	int64_t most_elements;    /* of a tensor; 0: any number */
	int64_t attention_places; /* the most of attention without a matrix of scores; 0: any number */
	const char *archs;        /* cuda: "sm_90", or several with commas */
	LibraryChoice library;    /* --library */
	int library_mib;          /* workspace that its calls may have at most (NNR_WORKSPACE_MIB); 0: none */
	const char *library_note; /* what the library form's header says of it */
	const char *product_shape; /* the runtime's struct of a product's sizes */
	/* The ranks' library, as a profile names it, and what the runtime's functions for it begin with. */
	const char *ranks_library, *ranks_prefix;
	bool library_present;    /* cpu: oneDNN was found when nnc was built */
	int threads;             /* block: of the block */
	int64_t transposes_from; /* the least batch of which products read a transposed copy; 0: none */
	int64_t bucket_bytes;    /* the least of the gradient that ranks reduce at once; 0: all of it */
	int64_t split_update;    /* cuda: the fewest parameters of an early part of the update; 0: none */
	/* The least weights of a convolution that becomes a product where its image is tiny; 0: none does. */
	int64_t conv_matrices_from;
	/* The least elements of an f32 tensor of which the gradient reads signs that were kept in bytes; 0: none. */
	int64_t signs_from;
	/* The least bytes of pieces of a concat, whose sums are there already, for which the sums of the other pieces
	 * are taken apart (rules/made_norms.c); 0: none. */
	int64_t pieces_from;
	/* The least elements of an image whose maxpool is written as taps (passes/pool_taps.c); 0: none is. */
	int64_t taps_from;
	/* The least pixels, of a batch's result, from which a convolution of few channels has kernels of our own
	 * instead of the library's; 0: none has. */
	int64_t conv_images_from;
	/* The least FLOPs of an f32 product from which a kernel of ours is timed beside the library's; 0: none is. */
	int64_t products_from;
	/* The least elements of a matrix whose rows may be stored further apart (program/pad_rows.c); 0: none are. */
	int64_t pads_from;
	/* The least bytes of a matrix that is computed and read a few rows at a time, in parts of at most half as many
	 * (program/chunk_rows.c); 0: none is. */
	int64_t chunks_from;
	int64_t chunk_rows; /* the fewest rows of such a part: of a product that fills the device */
} Target;

extern const Target target_cpu, target_cuda;
/* Steps of one sample within a kernel of target_cuda (onchip/onchip.c); not for the command line. */
extern const Target target_block;

/* What the GPUs of an architecture have. */
typedef struct Arch {
	int number;          /* 90 of sm_90 */
	int multiprocessors; /* of the one that kernels are cut for; others of the architecture have more or fewer */
	int registers, threads; /* that a multiprocessor holds */
	int64_t shared_bytes;   /* of shared memory, that a block can have */
} Arch;

/* The least of each, over the architectures that the kernels of a CUDA target are compiled for. */
Arch target_arch(const Target *t);
/* Whether blocks can be launched as clusters that read each other's shared memory: on every architecture from sm_90. */
bool target_has_clusters(const Target *t);
/* The architecture whose warpgroups multiply together, sm_90, if it is one of the target's; NULL: it is not. */
const Arch *target_warpgroups(const Target *t);

#endif
