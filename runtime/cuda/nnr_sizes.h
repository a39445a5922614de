/* SPDX-License-Identifier: MIT */
/* Sizes on which kernels and what the compiler plans for them agree. Read by both: no CUDA here. */
#ifndef NNR_SIZES_H
#define NNR_SIZES_H

enum {
	NNR_GROUP = 24,    /* blocks whose sums over resident rows are added together first (nnr_reduce.h) */
	NNR_SUM_LANES = 4, /* of a team, that a block of the kernel which adds them up has */
	NNR_SUM_THREADS = 1024,  /* of such a block, at most */
	NNR_SLICE_BYTES = 128,   /* of a row of a tile's side, along the depth (nnr_tile.h) */
	NNR_ATTENTION_ROWS = 64, /* that a block of NNR_ATTENTION_THREADS computes (nnr_attention.h) */
	NNR_ATTENTION_THREADS = 128,
};

enum {                              /* of attention by warpgroups (nnr_attention_warpgroup.h) */
       NNR_WARPGROUP_THREADS = 384, /* two that multiply, and one that fetches */
       NNR_WARPGROUP_ROWS = 128,
       NNR_FORWARD_GOING = 128,
       NNR_BACKWARD_GOING = 64, /* rows of a tile that goes by */
       NNR_WARPGROUP_STAGES = 4,
};

enum { /* of a product (nnr_product.h) */
       NNR_PRODUCT_ROWS = 128,
       NNR_PRODUCT_COLUMNS = 256, /* of a tile */
       NNR_PRODUCT_DEPTH = 32,    /* of a stage */
       NNR_PRODUCT_STAGES = 4,
       NNR_PRODUCT_THREADS = 384,
       NNR_PRODUCT_A = NNR_PRODUCT_ROWS * NNR_PRODUCT_DEPTH, /* elements of a stage */
       NNR_PRODUCT_B = NNR_PRODUCT_COLUMNS * NNR_PRODUCT_DEPTH,
       /* the stages, two barriers of each, and what it takes to begin at a multiple of 1024 */
       NNR_PRODUCT_BYTES = NNR_PRODUCT_STAGES * ((NNR_PRODUCT_A + NNR_PRODUCT_B) * 4 + 2 * 8) + 1024,
};

enum { /* of what a block of a product gathers meanwhile (nnr_carry.h) */
       NNR_CARRY_SAMPLES = 64,
       NNR_CARRY_ELEMENTS = 256, /* of each sample, at once */
       NNR_CARRY_WIDTH = 32,     /* elements of a tile */
       NNR_CARRY_STAGES = 3,
       NNR_CARRY_TILE = NNR_CARRY_SAMPLES * NNR_CARRY_WIDTH,
       NNR_CARRY_BYTES = NNR_CARRY_STAGES * NNR_CARRY_TILE * 4 + NNR_CARRY_SAMPLES * 8,
};

#endif
